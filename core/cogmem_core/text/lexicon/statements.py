"""What stands around a plain statement, what it is not, and Turkish nouns with an owner.

As `fold_letters` writes.
"""

# ruff: noqa: SIM905 - a table is read as a table

from __future__ import annotations

import re

from cogmem_core.text.lexicon.attributes import TURKISH_HEADS

__all__ = [
    "AGES",
    "CUE",
    "ENDING",
    "LEAD",
    "LIKES",
    "NOT_A_NAME",
    "NOT_A_VALUE",
    "NOT_COUNTED",
    "OWNERLESS",
    "PREFERS",
    "SENTENCE_END",
    "TAIL",
    "TURKISH_EVENTS",
    "TURKISH_LETTER",
    "TURKISH_MINE",
    "TURKISH_NOUNS",
    "TURKISH_ROOT",
    "TURKISH_VERB",
    "WHAT_HEADS_TAKE",
]

LEAD = re.compile(
    r"^(?:(?:actually|well|so|ok|okay|oh|no|sorry|now|and|but|correction|update|fyi|currently|these days"
    r"|nowadays|today|"
    r"as of (?:today|now)|i mean|i meant|by the way|btw|wait|in fact|aslinda|hayir|yok|pardon|duzeltme|artik"
    r"|simdi|su an|"
    r"bu arada)\b[,:.;\u2014-]*\s*){0,12}"
)
"""Words in front of a statement that say nothing about it."""
TAIL = re.compile(
    r"\s*(?:[;:(!]|,(?!\d)|\s[\u2013\u2014-]\s|(?<!\b[dm]r)(?<!\bms)(?<!\bmrs)(?<!\bprof)\.(?=\s|$)"
    r"|\b(?:now|since|because|and|but|with|these days|at the moment|currently|today|again|anymore|instead|for now"
    r"|as well|so|though|not|rather than|in case|ve|ama|cunku|artik)\b).*$",
    re.DOTALL,
)
"""Where the value of a statement ends: at a mark, an adverb of time or a further clause."""
SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!\b[dm]r\.)(?<!\bms\.)(?<!\bmrs\.)(?<!\bprof\.)\s+", re.IGNORECASE
)
NOT_A_NAME: frozenset[str] = frozenset(
    "his her its their he she it they this that there these those here everyone someone nobody who what your".split()
)
NOT_A_VALUE: frozenset[str] = frozenset(
    """
    not no never in too very so nice good bad great important about what that why how going to
    zor guzel kolay yorucu stresli iyi kotu cok az fazla yeni eski onemli belli ne bu hangi nerede
    """.split()
)
NOT_COUNTED: frozenset[str] = frozenset(
    "today tomorrow yesterday meetings meeting minutes hours days weeks left ago more years am pm".split()
)
TURKISH_NOUNS: dict[str, str] = {
    **TURKISH_HEADS,
    **{stem[:-1] + "g": name for stem, name in TURKISH_HEADS.items() if stem.endswith("k")},
}
"""Stems as they stand before a possessive ending, where a last k becomes soft: `mesleğim`."""
OWNERLESS: frozenset[str] = frozenset("deadline version price budget".split())
"""What a thing may have as well as a person, so that the thing stands in front: `proje bütçesi`."""
TURKISH_EVENTS: tuple[str, ...] = tuple(
    "toplanti randevu ders sinav mac konser ucak ucus vardiya mesai kurs antrenman".split()
)
AGES: frozenset[str] = frozenset(
    """
    two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    iki uc dort bes alti yedi sekiz dokuz on
    """.split()
)
# noqa: RUF001
_NAME = re.compile(r"[^\W\d_a-zçğıöşü]")
_FIGURE = re.compile(r"\D{0,12}\d")
WHAT_HEADS_TAKE: dict[str, re.Pattern[str]] = {
    **dict.fromkeys("boss manager doctor spouse name surname".split(), _NAME),
    **dict.fromkeys(
        "age height weight number size salary rent budget price version".split(), _FIGURE
    ),
}
"""What the value of an attribute begins with, in the original spelling: `patronum izinde` names nobody."""
LIKES = re.compile(
    r"(?P<s>[a-z][\w'-]*(?: [\w'-]+){0,3}?)\s(?P<pre>(?:(?:really|absolutely|also|still|now|always|no longer"
    r"|do not|does not|"
    r"don't|doesn't|can't|cannot|never)\s)*)(?P<verb>likes?|loves?|enjoys?|hates?|dislikes?|stand|detests?|adores?|loathes?)\s(?P<v>.+)"
)
PREFERS = re.compile(
    r"(?P<s>[a-z][\w'-]*(?: [\w'-]+){0,3}?)\s(?:(?:now|really|still"
    r"|actually)\s)*prefers?\s(?P<v>[\w' -]+?)(?:\s(?:to|over|instead of"
    r"|rather than)\s(?P<w>[\w' -]+))?(?:[.,;!]|$)"
)
CUE = re.compile(
    r"\b(?:actually|correction|i meant|i mean|to correct|should be|should have been|was wrong|were wrong"
    r"|is wrong|misspoke"
    r"|my mistake|not anymore|no longer|in fact|turns out|scratch that|instead of|rather than"
    r"|aslinda|duzeltme|duzeltiyorum|yanlis|demek istedim|pardon|artik (?:degil|yok))\b|^(?:no|sorry|wait|hayir"
    r"|yok)\s?[,.!\u2014-]"
    r"|,\s?not\s"
)
"""Words that announce a correction."""
TURKISH_ROOT = re.compile(
    r"^([a-z]{2,}?)(?:m[iu]yor|[iu]yor|yor|m[ae]d[iu]|d[iu]|t[iu]|m[ae]z|m[ae]m|[aeiu]r|m[ae]y[ae]c[ae][kg]|[ae]c[ae][kg]|m[ae]m[iu]s|m[iu]s)"
    r"(?:um|im|m|uz|iz|k|sun|sin|lar|ler)?$"
)
"""The root of a finite Turkish verb, affirmed or denied, folded."""
TURKISH_MINE = re.compile(
    r"\b[a-z]{2,}(?:[aeiou]m(?:[iuae]|[dt][ae]n?|[iu]n|y?l[ae])?|[dt][iu]k|[iu]z|[iu]m[iu]z[a-z]{0,4})\b"
)
"""A Turkish word with an ending of the first person, folded."""
TURKISH_LETTER = re.compile("[çğışöüÇĞİŞÖÜ]")
TURKISH_VERB = re.compile(
    r"\b(?:[a-z]{2,}(?:[iu]yor[a-z]{0,5}|[dt][iu][mk]?|[ae]c[ae][kg][a-z]{0,4}|m[iu]s|y[iu][mz])|var|yok|degil)\W*$"
)
"""A finite Turkish verb at the end, folded."""
ENDING = re.compile(
    r"\b(?:switch|migrat|mov(?:ed|ing) (?:back|from)|changed|converted|went (?:back|from)|instead of|rather than"
    r"|replaced|stopped|quit|g[ai]ven? up|done with|no longer|any ?more|back (?:to|on)"
    r"|birakti|vazgecti|kestim|gecti|dondu|tasindi)"
)
"""Cues that something ended: such a statement shares few words with the one that it ends ("switched back to tea")."""
