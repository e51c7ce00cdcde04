"""English: sentences that can be understood on their own."""

# ruff: noqa: ARG001, SIM905 - rules share one signature; a table is read as a table

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from cogmem_core.languages.base import Antecedent
from cogmem_core.languages.en.words import (
    ADVERBS,
    AUXILIARIES,
    BASE_VERBS,
    NOT_PAST,
    PAST_TOO,
    PAST_VERBS,
    THIRD_PERSON,
    third_person_of,
)
from cogmem_core.languages.quotations import Span, inside, quoted_spans
from cogmem_core.languages.tables import lazy_pattern

_ADVERB = r"(?:[a-z]+ly|" + "|".join(sorted(ADVERBS)) + ")"
_SUBJECT = lazy_pattern(
    rf"\b(?P<i>[Ii])\b(?:(?P<short>['\u2019](?:m|ve|ll"
    rf"|d))\b)?(?P<adverbs>(?:\s{{1,3}}{_ADVERB}\b)*)"
    r"(?:(?P<gap>\s{1,3})(?P<verb>[A-Za-z]+(?:['\u2019]t)?)\b)?"
)
_NUMERAL = lazy_pattern(
    r"\b(?:war|part|type|chapter|phase|volume|act|class|stage|level|grade|book|section|tier)\s+$",
    re.IGNORECASE,
)
_NOT_A_VERB = frozenset(
    "and or but so because if when who that which on in at to of for with from as not too, myself".split()
)
_ASKING = lazy_pattern(
    r"\b(?:am|do|have|did|was|had|can|could|will|would|should|shall|may|might|must|don't)\s+$",
    re.IGNORECASE,
)
_HABIT = lazy_pattern(
    r"\b(?:every|always|usually|often|never|normally|sometimes|daily|weekly)\b", re.IGNORECASE
)
_SHORT = {"'m": "is", "'ve": "has", "'ll": "will"}
_NEGATED = {"don't": "doesn't", "haven't": "hasn't", "ain't": "isn't"}
_OBJECT = lazy_pattern(
    r"\b(?:(?P<me>me)|(?P<my>my)|(?P<mine>mine)|(?P<self>myself))\b", re.IGNORECASE
)
_JOINED_VERB = lazy_pattern(
    r"\s(?:and|or|but)\s{1,3}(?:(?:[a-z]+ly|also|then|never|always"
    r"|often)\s{1,3})?(?P<verb>[a-z]+)(?=\s{1,3}[a-z\d])"
)
_CLAUSE_REACH = 200  # characters before a joined verb
_INFINITIVE = lazy_pattern(r"\bto\s+([a-z]+)")
_OTHER_SUBJECT = lazy_pattern(
    r"\b(?:will|would|can|could|that|who|which|if|when|because|we|they|you)\b"
)
_NEXT_WORD = lazy_pattern(r"\s+([a-z']+)")
_AFTER_VERBS = frozenset(
    "a an the my your his her their our this that these those at in on for with to as from by "
    "about into up out over "
    "around near every no one two three some any not very it him them me you us myself".split()
)


def third_person(text: str, folded: str, name: str) -> str:
    """A text in the first person, with a name in the place of "I"; verbs agree."""
    quotes = quoted_spans(text)
    habit = _HABIT.search(text) is not None
    replace = partial(_third_subject, text=text, name=name, habit=habit)
    rewritten = _replace(_SUBJECT, text, quotes, replace)
    if rewritten != text:
        rewritten = _agree_joined(_agree_inverted(rewritten, name), name)
    first = rewritten.find(name)
    if first < 0:
        first = len(rewritten)
    replace = partial(_third_object, name=name, first=first)
    return _replace(_OBJECT, rewritten, quoted_spans(rewritten), replace)


def _replace(
    pattern: re.Pattern[str],
    text: str,
    quotes: Sequence[Span],
    replacement: Callable[[re.Match[str]], str],
) -> str:
    """The text with matches outside of quotations replaced."""

    def outside(match: re.Match[str]) -> str:
        return match.group() if inside(match.start(), quotes) else replacement(match)

    return pattern.sub(outside, text)


def _third_subject(match: re.Match[str], *, text: str, name: str, habit: bool) -> str:
    """One "I" with its verb; left alone where it is a numeral or part of an abbreviation."""
    whole = match.group()
    verb = match["verb"]
    preceding = text[max(0, match.start() - 12) : match.start()]
    following = text[match.end("i") : match.end("i") + 1]
    if _NUMERAL.search(preceding) or (following and following in ".,-/)"):
        return whole
    if (
        match["i"] == "i"
        and not match["short"]
        and not (verb and (verb in BASE_VERBS or verb in AUXILIARIES or _is_past(verb)))
    ):
        return whole
    adverbs = match["adverbs"]
    predicate = f"{match['gap'] or ''}{verb or ''}"
    if match["short"]:
        return f"{name} {_short_verb(match)}{adverbs}{predicate}"
    if not verb or _ASKING.search(preceding):
        return f"{name}{adverbs}{predicate}"
    return f"{name}{adverbs}{match['gap']}{_agreeing(verb, habit=habit)}"


def _short_verb(match: re.Match[str]) -> str:
    short = match["short"].replace("\u2019", "'").lower()
    if short != "'d":
        return _SHORT[short]
    verb = (match["verb"] or "").lower()
    return "would" if verb in BASE_VERBS or verb in ("rather", "be", "not") else "had"


def _is_past(verb: str) -> bool:
    if verb in PAST_VERBS or verb in PAST_TOO:
        return True
    return verb.endswith("ed") and len(verb) > 3 and verb not in NOT_PAST


def _agreeing(verb: str, *, habit: bool) -> str:
    """The verb after the third person; "do" and "have" change, modals and past forms do not."""
    plain = verb.replace("\u2019", "'")
    if plain in _NEGATED:
        return _NEGATED[plain]
    if plain in ("am", "have", "do"):
        return THIRD_PERSON[plain]
    if plain in AUXILIARIES or plain in _NOT_A_VERB or not plain.islower():
        return verb
    present_too = habit and plain in PAST_TOO
    if (_is_past(plain) and not present_too) or plain.endswith("ing"):
        return verb
    return third_person_of(plain)


def _agree_inverted(text: str, name: str) -> str:
    """Let the auxiliary of a question agree: "is User", "does User"."""

    def agreeing(match: re.Match[str]) -> str:
        third = THIRD_PERSON[match[1].lower()]
        return (third.capitalize() if match[1][0].isupper() else third) + match[2]

    return re.sub(rf"\b(am|do|have)(\s+{re.escape(name)}\b)", agreeing, text, flags=re.IGNORECASE)


def _agree_joined(text: str, name: str) -> str:
    """Let verbs that are joined to a changed one agree, too: "User lives here and works there"."""
    predicate = re.compile(rf"\b{re.escape(name)}(?:\s+{_ADVERB})*\s+(?P<verb>[a-z]+s|has)\b")
    quotes = quoted_spans(text)
    pieces = []
    position = 0
    for match in _JOINED_VERB.finditer(text):
        verb = match["verb"]
        if verb not in BASE_VERBS or inside(match.start(), quotes):
            continue
        if _joins(text, match, predicate) and _takes_object(text, match.end()):
            pieces += [text[position : match.start("verb")], third_person_of(verb)]
            position = match.end()
    return "".join(pieces) + text[position:]


def _joins(text: str, match: re.Match[str], predicate: re.Pattern[str]) -> bool:
    """Whether the clause before a joined verb has a verb in the third person that it follows."""
    clause = text[max(0, match.start() - _CLAUSE_REACH) : match.start()]
    clause = clause[max(clause.rfind(mark) for mark in ".;!?") + 1 :]
    tail: str | None = None
    for verb in predicate.finditer(clause):
        if verb["verb"] not in ("is", "was", "does"):
            tail = clause[verb.end() :]
    return tail is not None and not _governed(tail)


def _governed(words: str) -> bool:
    """Whether a modal, a conjunction, another subject or an infinitive stands between two verbs."""
    if _OTHER_SUBJECT.search(words):
        return True
    return not BASE_VERBS.isdisjoint(_INFINITIVE.findall(words))


def _takes_object(text: str, position: int) -> bool:
    """Whether what follows a word shows that it is a verb: "work at"; not "sleep and work"."""
    following = _NEXT_WORD.match(text[position : position + 30].lower())
    return following is not None and following[1] in _AFTER_VERBS


def _third_object(match: re.Match[str], *, name: str, first: int) -> str:
    """Write "my" as the name where it comes first, as "their" after it.

    The other forms become the name.
    """
    later = match.start() > first
    if match["my"]:
        return "their" if later else f"{name}'s"
    if match["mine"]:
        return "theirs" if later else f"{name}'s"
    if match["self"]:
        return "themselves"
    return match.group() if match.group() == "ME" else name


_PEOPLE = ("female", "male", "person")
_KINDS_OF_PRONOUN: dict[str, tuple[str, ...]] = {
    "he": ("male", "person"),
    "she": ("female", "person"),
    "they": ("group", "org"),
}
_PRONOUN_CASES: dict[str, tuple[str, str]] = {
    "he": ("he", "subject"),
    "him": ("he", "object"),
    "his": ("he", "owner"),
    "she": ("she", "subject"),
    "her": ("she", "owner or object"),
    "hers": ("she", "owner"),
    "it": ("it", "object"),
    "its": ("it", "owner"),
    "they": ("they", "subject"),
    "them": ("they", "object"),
    "their": ("they", "owner"),
}
_PRONOUN = lazy_pattern(
    r"\b(?:he|him|his|she|her|hers|it|its|they|them|their)\b(?P<is>['\u2019]s\b)?(?!['\u2019])",
    re.IGNORECASE,
)
_EMPTY_IT = lazy_pattern(
    r"it(?:['\u2019]s|\s+(?:is|was|will\s+be|has\s+been))?\s+(?:not\s+|so\s+|very\s+|too\s+"
    r"|really\s+|a\s+)?"
    r"(?:raining|rains|rained|snow\w*|sunny|cloudy|cold|hot|warm|late|early|dark|time|seem\w*"
    r"|appear\w*|looks?\s+like"
    r"|takes?|took|turns?|hard|easy|difficult|possible|impossible|important|nice|great|good|fine"
    r"|okay|ok|fun|true|clear|likely"
    r"|pity|shame|been|worth|\d+|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b",
    re.IGNORECASE,
)
_HAS = lazy_pattern(r"\s+(?:been|got|had|gone|become|done)\b")
_NOT_NOUNS = (
    r"(?:at|in|on|to|for|from|with|and|or|but|by|about|again|today|yesterday|tomorrow|last|next"
    r"|very"
    r"|so|as|when|a|an|the)"
)
_HER_AS_OBJECT = lazy_pattern(rf"her(?:\s*(?:[.,;!?]|$)|\s+{_NOT_NOUNS}\b)", re.IGNORECASE)
_CAPITALIZED = lazy_pattern(r"(?<![.!?]\s)(?<!^)\b[A-Z][^\W\d_]+")


def resolve_pronouns(text: str, antecedents: Sequence[Antecedent], speaker: str) -> str:
    """A text with the latest fitting names in the place of pronouns.

    Only the first pronoun of each kind is replaced.
    """
    quotes = quoted_spans(text)
    resolved: set[str] = set()
    pieces = []
    position = 0
    for match in _PRONOUN.finditer(text):
        pronoun, case = _PRONOUN_CASES[re.split("['\u2019]", match.group().lower())[0]]
        if pronoun in resolved or inside(match.start(), quotes):
            continue
        if pronoun == "it" and _EMPTY_IT.match(text, match.start()):
            continue
        resolved.add(pronoun)
        preceding = text[: match.start()]
        fitting = [each for each in antecedents if _fits(each.kind, pronoun)]
        if not fitting or (pronoun == "they" and speaker in preceding):
            continue
        if _names_one(preceding, fitting, pronoun):
            continue
        name = _latest(fitting)
        if case == "owner or object":
            case = "object" if _HER_AS_OBJECT.match(text, match.start()) else "owner"
        if case == "owner":
            name += "'s"
        if match["is"]:
            name += " has" if _HAS.match(text, match.end()) else " is"
        pieces += [text[position : match.start()], name]
        position = match.end()
    return "".join(pieces) + text[position:]


def _fits(kind: str, pronoun: str) -> bool:
    if pronoun in _KINDS_OF_PRONOUN:
        return kind in _KINDS_OF_PRONOUN[pronoun]
    return kind not in (*_PEOPLE, "group")


def _latest(fitting: Sequence[Antecedent]) -> str:
    """The latest name; a person of known sex comes before one whose sex is not known."""
    certain = [each for each in fitting if each.kind in ("female", "male")]
    return (certain or fitting)[-1].name


def _names_one(preceding: str, fitting: Sequence[Antecedent], pronoun: str) -> bool:
    """Whether the text itself names what a pronoun may mean.

    That is one of the antecedents, or for people any capitalised word.
    """
    if any(each.name in preceding for each in fitting):
        return True
    return pronoun in ("he", "she") and _CAPITALIZED.search(preceding) is not None
