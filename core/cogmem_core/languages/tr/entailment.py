"""Turkish: when one sentence says all that another one says; tables are folded."""

from __future__ import annotations

import re

from cogmem_core.languages.base import EntailmentTools
from cogmem_core.languages.tables import words

_Words = tuple[str, ...]

_SOFT = words(
    """
    bir cok gercekten simdi halen hala artik zaten ayrica aslinda bayagi oldukca ben benim biz bizim
    sahiden
    """
)
_SYNONYMS = {
    "severim": "seviyorum",
    "sever": "seviyor",
    "severiz": "seviyoruz",
    "sevmem": "sevmiyorum",
    "sevmez": "sevmiyor",
    "oturuyorum": "yasiyorum",
    "oturuyor": "yasiyor",
    "oturuyoruz": "yasiyoruz",
    "otururum": "yasiyorum",
    "yasarim": "yasiyorum",
    "hoslanirim": "hoslaniyorum",
    "hoslanmam": "hoslanmiyorum",
    "calisirim": "calisiyorum",
    "kullanirim": "kullaniyorum",
    "hekimim": "doktorum",
    "hekim": "doktor",
    "hediye": "armagan",
    "otomobil": "araba",
    "ufak": "kucuk",
}
_STANDARD_WORDS = frozenset(_SYNONYMS.values())
# Phrases, and what they stand for.
_PHRASES = {
    "satin aldim": "aldim",
    "satin aldik": "aldik",
    "satin aldi": "aldi",
    "su an": "",
    "su anda": "",
}
_POSTPOSITIONS = words(
    """
    olarak beri icin ile birlikte beraber boyunca yuzunden sayesinde once sonra
    """
)
# Adverbs of time and place that need no other word.
_TIMES = words(
    """
    dun bugun yarin sabahlari aksamlari geceleri yazin kisin baharda evde iste okulda ofiste
    hastanede sirkette parkta ocakta subatta martta nisanda mayista haziranda temmuzda agustosta
    eylulde ekimde kasimda aralikta
    """
)
# They are times only behind one of the next table: `akşam yemeği` is a dinner.
_TIME_NOUNS = words("hafta ay yil sene gun gunu gunleri sabah aksam gece sonu sonlari")
_WHICH = words(
    """
    bu gecen gelecek onumuzdeki her dun bugun yarin pazartesi sali carsamba persembe cuma cumartesi
    pazar
    """
)
_CASE_ENDING = re.compile(r"'(?:n?[dt][ae]n?|y?l[ae]|y?[ae])$|ml[ae]$")
_PARTICIPLE = re.compile(r"(?:[ae]n|[dt][iu]g[a-z]{1,6}|ki|m[iu]s)$")


def canonical(text: str, tools: EntailmentTools) -> list[str]:
    """Words with all their endings, which tell persons, cases and tenses.

    Only what the tables hold is folded.
    """
    tokens = list(tools.tokens(text))
    folded = list(map(tools.fold, tokens))
    canonical: list[str] = []
    index = 0
    while index < len(tokens):
        pair = " ".join(folded[index : index + 2])
        word = folded[index]
        if pair in _PHRASES:
            if _PHRASES[pair]:
                canonical.append(_PHRASES[pair])
            index += 2
            continue
        if word in _STANDARD_WORDS:
            canonical.append(word)
        elif word not in _SOFT:
            canonical.append(_SYNONYMS.get(word, tools.numerals.get(word, tokens[index])))
        index += 1
    return canonical


def includes(part: _Words, whole: _Words, tools: EntailmentTools) -> bool:
    """Whether the whole is the part with one adverbial more.

    The adverbial stands before the verb and modifies no noun.
    """
    part = tuple(word for word in part if word != ",")
    whole = tuple(word for word in whole if word != ",")
    added = len(whole) - len(part)
    shared = 0
    while shared < min(len(part), len(whole)) and part[shared] == whole[shared]:
        shared += 1
    tail = part[shared:]
    if added < 1 or len(part) < 2 or not tail or whole[shared + added :] != tail:
        return False
    if tools.is_negative(" ".join(part)) or not tools.narrowing.isdisjoint(map(tools.fold, part)):
        return False
    if any(_PARTICIPLE.search(tools.fold(word)) for word in tail[:-1]):
        return False
    return _is_adverbial([tools.fold(word) for word in whole[shared : shared + added]], tools)


def _is_adverbial(words: list[str], tools: EntailmentTools) -> bool:
    """Whether words are phrases of time, place, company or purpose, read from their end."""
    if tools.is_hedged(words):
        return False
    while words:
        last = words.pop()
        if last in _POSTPOSITIONS:
            if words:
                words.pop()
        elif last in _TIME_NOUNS:
            if not words or not _tells_which(words[-1]):
                return False
            while words and _tells_which(words[-1]):
                words.pop()
        elif last not in _TIMES and not _CASE_ENDING.search(last):
            return False
    return True


def _tells_which(word: str) -> bool:
    return word in _WHICH or word in _TIME_NOUNS or word[0].isdigit()
