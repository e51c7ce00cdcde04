"""Turkish: what a question asks for."""

from __future__ import annotations

from cogmem_core.languages.tables import lazy_pattern

_QUESTION_WORD = (
    r"(?:(?:ne|nedir|neydi|neler|neyi|neye|neyle|ne zaman|nasil|neden|niye|nicin"
    r"|nere(?:de|ye|den|si|li|yi)\w{0,5}|hangi(?:si|leri)?"
    r"|kim(?:dir|di|in|e|i|den|le|ler|inle)?|kac(?:a|i|ta|inci)?)"
    r"|m[iu](?:yim|yiz|sin|siniz|ydi|ydim|dir|yor\w{0,4})?)"
)


_LONGEST_QUESTION = 6  # words of a question without a question mark
_WORD = lazy_pattern(r"[^\W\d_]+")
_QUESTION_WORDS = lazy_pattern(rf"\b{_QUESTION_WORD}\b")
_TELLS = lazy_pattern(
    r"\b(?:bil|unut|hatirla|soyle|anla|merak)\w*"
    r"|\b\w{2,20}(?:acag|eceg|d[iu]g|t[iu]g)\w{0,4}[iu]\b"
    r"|\bne (?:yazik|guzel|kadar|mutlu)\b|\bne\b.{1,60}\bne\b"
)
_ALSO_ELSEWHERE = lazy_pattern(r"ne|kim|m[iu]\w*")
_TURKISH = lazy_pattern(r"[ğış]|\b(?:benim|senin|bizim|sizin|bana|sana)\b")


def only_asks(sentence: str, folded: str) -> bool:
    """Whether a short sentence has a question word and tells nothing."""
    if not 1 < len(_WORD.findall(folded)) <= _LONGEST_QUESTION or _TELLS.search(folded):
        return False
    question_words = _QUESTION_WORDS.findall(folded)
    # "Kim called", "je ne sais" and "mi casa" are not Turkish.
    if any(not _ALSO_ELSEWHERE.fullmatch(word) for word in question_words):
        return True
    return bool(question_words) and _TURKISH.search(sentence) is not None
