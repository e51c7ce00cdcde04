"""Turkish, folded: what people are asked about themselves, and in which words they tell it."""

from __future__ import annotations

from cogmem_core.languages.base import Topic

__all__ = ["TOPICS"]

_AT = r"[\w&.-]{2,40}'[dt][ae]"
_TO = "'[yn]?[ae]"
_WHOM = "'[yn]?[iu]"
_WORK = r"\b(?:ise|ofise|okula|universiteye)"

TOPICS = {
    "phone contract": Topic(
        asks=r"\b(?:operator|hattim|tarifem)\w*",
        tells=(
            rf"\bhattim\s(?:artik\s)?{_AT}\b",
            rf"\bnumarami\s\w+{_TO}\stasidim\b",
            rf"\b\w+{_TO}\sgectim\b[^.!?]*\b(?:gb|giga\w*|tarife\w*|hat\w*)\b",
        ),
    ),
    "gym": Topic(
        asks=r"\bspor\ssalonu\w*|\bnerede\s(?:spor|antrenman)\b",
        tells=(
            rf"\b{_AT}\s(?:\w+\s)?(?:spor|antrenman)\syapiyorum\b",
            rf"\b{_AT}(?:ki)?\s(?:ilk|ikinci|ucuncu)\s(?:antrenmanim|dersim)\b",
            rf"\buyeligim\s(?:artik\s)?{_AT}\b",
        ),
    ),
    "commute": Topic(
        asks=rf"{_WORK}\snasil\sgidi(?:yorum|p)",
        tells=(
            rf"{_WORK}\s(?:artik\s)?(?:\w+l[ae]|yuruyerek|yaya)\s(?:gidip\s)?(?:gidiyorum|geliyorum)\b",
        ),
    ),
    "book": Topic(
        asks=r"\b(?:ne|hangi\s(?:kitabi|romani))\sokuyorum\b",
        tells=(
            rf"\w{_WHOM}\s(?:\w+\s)?okuyorum\b",
            rf"\w{_TO}\sbasladim\b[^.!?]*\b(?:bolum|sayfa|kitap|roman)",
            r"\byeni\skitabim\s\w",
        ),
    ),
    "series": Topic(
        asks=r"\bhangi\sdiziyi\sizliyor(?:um|uz)\b",
        tells=(
            rf"\w{_WHOM}\s(?:\w+\s)?izliyor(?:um|uz)\b",
            r"\w'[ny]?[iu]n\s\w+\s(?:bolum|sezon)\w*\s(?:izledi[mk]|basladi[mk])\b",
        ),
    ),
    "medication": Topic(
        asks=r"\bhangi\silac\w*",
        tells=(
            r"\bilacim\s(?:artik\s)?\w",
            r"\bher\s(?:sabah|aksam|gun|gece)\s\w+\s(?:aliyorum|kullaniyorum)\b",
        ),
    ),
}
