"""Turkish: sentences that can be understood on their own."""

# ruff: noqa: ARG001, RUF001, RUF002, SIM905 - rules share one signature; Turkish is spelt in
# Turkish, and a table is read as a table

from __future__ import annotations

import re
from collections.abc import Sequence

from cogmem_core.languages.base import Antecedent
from cogmem_core.languages.loading import language_of_ours
from cogmem_core.languages.quotations import inside, quoted_spans
from cogmem_core.languages.tables import lazy_pattern

_END_MARKS = " .!\u2026\n\t"
_VERB_ENDINGS = (
    (re.compile(r"((?:[ıiuü])yor)um$"), r"\1"),
    (re.compile(r"ac(?:ağım)$"), "acak"),
    (re.compile(r"ec(?:eğim)$"), "ecek"),
    (re.compile(r"(m[ıiuü]ş)[ıiuü]m$"), r"\1"),
    (re.compile(r"([a-zçğıöşü]{2}[dt][ıiuü])m$"), r"\1"),
    (re.compile(r"([a-zçğıöşü]{2}[ae]r)[ıi]m$"), r"\1"),
    (re.compile(r"((?:sev|bil|iç|gel|gör|ver|kal|al|ol|bul)[iıuü]r)[ıiuü]m$"), r"\1"),
)
_NOUNS = frozenset(
    "adım yardım kadım tadım katım kutum umudum derdim cildim yurdum sanatım hayatım saatim".split()
)
# Case forms of "I" and "we", and nouns that end in "my": whose they are would have to change, too.
_SELF = lazy_pattern(r"\b(?:benim|bana|beni|bende|benden|benimle|biz\w*|kendi\w*)\b")
_MY_ENDING = lazy_pattern(r"[aeiou]m(?:[iuae]|[dt][ae]n?|[iu]n|l[ae]|y?l[ae])?$")
_FOLDED_WORD = lazy_pattern(r"[a-z']+")
_SENTENCE_MARK = lazy_pattern(r"[.!?;\"\u201c]")
_I = lazy_pattern(r"^[Bb]en\s+(?:de\s+|da\s+)?|^[Bb]en$")
_OPENERS = language_of_ours("tr").words.stop_words | frozenset(
    "bugün yarın dün artık şimdi sabah akşam genelde bazen kahveyi kahve çayı çay".split()
)


def third_person(text: str, folded: str, name: str) -> str:
    """A text with a name before it and its verb in the third person: `kahveyi seviyorum`.

    Without a verb in the first person at its end, or with another word of the first person, nothing
    changes.
    """
    end = len(text.rstrip(_END_MARKS))
    head, _, verb = text[:end].rpartition(" ")
    changed = _third_person_of(verb)
    if changed == verb or _SENTENCE_MARK.search(head) or _SELF.search(folded):
        return text
    if any(_MY_ENDING.search(word) for word in _FOLDED_WORD.findall(folded[: len(head)])):
        return text
    head = _I.sub("", head)
    first = head.split(" ", 1)[0]
    if first and _lower(first) in _OPENERS:
        head = _lower(first) + head[len(first) :]
    if not head:
        changed = _lower(changed[0]) + changed[1:]
    return " ".join(filter(None, (name, head, changed))) + text[end:]


def _lower(word: str) -> str:
    return word.replace("İ", "i").replace("I", "ı").lower()


def _third_person_of(verb: str) -> str:
    if verb.lower() in _NOUNS:
        return verb
    for pattern, replacement in _VERB_ENDINGS:
        if pattern.search(verb):
            return pattern.sub(replacement, verb)
    return verb


_PEOPLE = ("female", "male", "person")
_PRONOUN_CASES = {
    "onun": "genitive",
    "onu": "accusative",
    "ona": "dative",
    "onda": "locative",
    "ondan": "ablative",
}
_PRONOUN = lazy_pattern(
    r"(?:^|(?<=[.!?]\s))(?P<o>[Oo])(?=,|\s+(?:da|de|ise|hâlâ|hala|hep|artık|şimdi|bugün|dün|yarın"
    r"|çok|asla|genelde)\b)"
    r"|\b(?P<case>[Oo]n(?:un|u|a|da|dan))\b(?!\s+(?:kadar|göre|üzerine|sonra|önce|için|bir|iki|üç"
    r"|dört|beş))"
)
_CLOSE_VOWELS = {"a": "ı", "ı": "ı", "e": "i", "i": "i", "o": "u", "u": "u", "ö": "ü", "ü": "ü"}


def resolve_pronouns(text: str, antecedents: Sequence[Antecedent], speaker: str) -> str:
    """A text with a name for the first `o` that stands by itself, or for its first case form.

    `onun kedisi` becomes `Ayşe'nin kedisi`.
    """
    match = _PRONOUN.search(text)
    if match is None or inside(match.start(), quoted_spans(text)):
        return text
    preceding = text[: match.start()]
    if any(each.name in preceding for each in antecedents):
        return text
    people = [each for each in antecedents if each.kind in _PEOPLE]
    name = (people or antecedents)[-1].name
    if match["case"]:
        name += case_ending(name, _PRONOUN_CASES[match["case"].lower()])
    return preceding + name + text[match.end() :]


def case_ending(name: str, case: str) -> str:
    """The case ending of a name, by vowel harmony: `'nin`, `'ı`, `'ye`, `'ta`, `'dan`."""
    letters = [letter for letter in _lower(name) if letter.isalpha()]
    vowels = [letter for letter in letters if letter in _CLOSE_VOWELS]
    close = _CLOSE_VOWELS[vowels[-1]] if vowels else "i"
    wide = "a" if close in "ıu" else "e"
    after_vowel = bool(letters) and letters[-1] in _CLOSE_VOWELS
    genitive = "n" if after_vowel else ""
    buffer = "y" if after_vowel else ""
    stop = "t" if letters and letters[-1] in "fstkçşhp" else "d"
    endings = {
        "genitive": f"{genitive}{close}n",
        "accusative": f"{buffer}{close}",
        "dative": f"{buffer}{wide}",
        "locative": f"{stop}{wide}",
        "ablative": f"{stop}{wide}n",
    }
    return f"'{endings[case]}"
