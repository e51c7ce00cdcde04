"""What a statement says about whom: subject, attribute, value. English and Turkish; pure, on patterns alone.

Only statements of the present are read, only of attributes that have one value at a time, and only
if their subject is plain: the speaker, something of the speaker's, or a name. Everything else is
None: no answer is better than a wrong one, because two values of one attribute make the gate retire
a memory.
"""

# ruff: noqa: ARG001, SIM905 - builders share one signature, and a table is read as a table

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.lexicon.attributes import (
    NAMED_ROLES,
    NOT_PLACES,
    NUMBER_WORDS,
    SINGLE_VALUED,
    STATES_OF_LIFE,
    TURKISH_STATES,
)
from cogmem_core.text.lexicon.calendar import MONTHS, PAST_VERBS, WEEKDAYS, any_of
from cogmem_core.text.lexicon.statements import (
    AGES,
    LEAD,
    LIKES,
    NOT_A_NAME,
    NOT_A_VALUE,
    NOT_COUNTED,
    OWNERLESS,
    PREFERS,
    SENTENCE_END,
    TAIL,
    TURKISH_EVENTS,
    TURKISH_NOUNS,
    WHAT_HEADS_TAKE,
)
from cogmem_core.text.lexicon.verbs import ADVERBS, AUXILIARIES, HEDGES

__all__ = ["SPEAKER", "Attribute", "attribute_of"]

SPEAKER = "speaker"
"""The subject of "I", "my" and "User"."""


class Attribute(NamedTuple):
    """A statement, folded: lower-case, Turkish letters as ASCII.

    Attributes:
        subject: `speaker`, `speaker's sister`, or a name ("pamuk").
        attribute: `residence`, `employer`, `dose`, `size`, `likes mushrooms`, ...
        value: "lisbon", "40", "2.5 mg"; `yes` or `no` for likings.
    """

    subject: str
    attribute: str
    value: str


_S = r"(?P<s>[a-z][\w'-]*(?: [\w'-]+){0,4}?)"
_ADV = r"(?: (?:now|currently|still|actually|just|recently|already|really|finally|have|has))*"
_NUM = rf"(?:\d+(?:[.,]\d+)*|{any_of(NUMBER_WORDS)})"
_AGE = rf"(?:\d{{1,3}}|{any_of(AGES)})"
_DOSE = r"\d+(?:[.,]\d+)? ?(?:mg|mcg|g|ml|iu|units?|tablets?|pills?|drops?|puffs?|damla|tablet)\b"
_CLOCK = r"(?:\d{1,2}(?::\d\d)?(?: ?[ap]\.?m\.?)?|noon|midnight)"
_ENGLISH_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAY = rf"{any_of(_ENGLISH_DAYS)}s?"
_EVENT = (
    r"(?:meeting|appointment|call|class|lesson|lecture|dinner|lunch|flight|train|interview|party|exam"
    r"|shift|concert|session|standup|sync|practice|rehearsal|training|match|wedding|checkup|surgery)"
)
_OF_EVENT = r"(?: (?:with|to|from|for) (?:(?:dr|mr|mrs|ms|prof)\.? )?[a-z]+){0,2}"

_Rule = tuple[re.Pattern[str], str]


def _rule(pattern: str, attribute: str) -> _Rule:
    return re.compile(pattern.replace(" ", r"\s{1,3}").replace(r"\s{1,3}?", r"\s?")), attribute


_ENGLISH: tuple[_Rule, ...] = (
    _rule(
        rf"{_S}(?:'m|'s|'ve| am| is)?{_ADV} (?:live|lives|living|reside|resides|based)(?: here)? (?:in|at) (?P<v>.+)",
        "residence",
    ),
    _rule(
        rf"{_S}(?:'ve)?{_ADV} (?:moved|relocated)(?: back)?(?: from [\w ]{{1,30}}?)? to (?P<v>.+)",
        "residence",
    ),
    _rule(
        rf"{_S}(?:'m| am|'s| is)?{_ADV} (?:work|works|working|employed) (?:at|for|by) (?P<v>.+)",
        "employer",
    ),
    _rule(
        rf"{_S}(?:'ve)?{_ADV} (?:joined|started at|started working (?:at|for)|got a job at) (?P<v>.+)",
        "employer",
    ),
    _rule(rf"{_S}{_ADV} (?:work|works) as an? (?P<v>.+)", "job"),
    _rule(rf"{_S}(?:'m|'s| am| is){_ADV} (?P<v>{_AGE})(?: years old| now)?[.!]?$", "age"),
    _rule(rf"{_S}(?:'m|'s| am| is){_ADV} (?P<v>{_AGE}) years old", "age"),
    _rule(rf"{_S}(?:'m|'s| am| is| got){_ADV} (?:an? )?(?P<v>{any_of(STATES_OF_LIFE)})\b", "state"),
    _rule(rf"{_S}(?: is| are|'s){_ADV} (?:called|named) (?P<v>.+)", "name"),
    _rule(
        rf"{_S}{_ADV} (?:take|takes|taking|gets|get) (?P<v>{_DOSE})(?: of (?P<d>[\w-]+))?", "dose"
    ),
    _rule(
        rf"{_S}{_ADV} (?:have|has|own|owns) (?P<v>{_NUM}) (?P<d>[a-z]+(?: [a-z]+)?)[.!]?$",
        "number of",
    ),
    _rule(
        rf"{_S}(?: is|'s)?{_ADV} (?:starts?|begins?|opens?|leaves|departs|closes) at (?P<v>{_CLOCK})",
        "start time",
    ),
    _rule(
        rf"(?P<s>(?:the |my |our )?(?:[a-z]+ )?{_EVENT}{_OF_EVENT})(?: is)?{_ADV} at (?P<v>{_CLOCK})",
        "time",
    ),
    _rule(
        rf"(?P<s>(?:the |my |our )?(?:[a-z]+ )?{_EVENT}{_OF_EVENT})(?: is)?{_ADV} on (?P<v>{_WEEKDAY})",
        "day",
    ),
    _rule(
        rf"{_S} (?:is|are|'s|was changed to|changed to|is set to|should be){_ADV} (?P<v>.+)",
        "copula",
    ),
    _rule(
        rf"{_S}{_ADV} (?:costs?|weighs?|lasts?) (?P<v>[$\u20ac\u00a3]?\d[\w.,$\u20ac\u00a3 ]*)",
        "measure",
    ),
)
_BAD_VERBS = re.compile(r"hates?|dislikes?|detests?|loathes?|stand")
_BAD_PRE = re.compile(r"no longer|not|don't|doesn't|can't|never")


def attribute_of(text: str) -> Attribute | None:
    """Read a statement such as "I live in Lisbon" as (speaker, residence, lisbon).

    Args:
        text: one fact; of several sentences the first that says something counts.

    Returns:
        None for questions, plans, the past, hearsay and everything that is not understood.
    """
    return _attribute_of(text[:MAX_INPUT])


@lru_cache(maxsize=4_096)
def _attribute_of(text: str) -> Attribute | None:
    for sentence in map(str.strip, SENTENCE_END.split(text, maxsplit=8)[:8]):
        folded = LEAD.sub("", fold_letters(sentence))
        original = sentence[len(sentence) - len(folded) :]
        if not folded or folded.endswith("?") or len(folded) > 300:
            continue
        found = _turkish(folded, original) or _english(folded, original)
        if found:
            return found
    return None


def _english(folded: str, original: str) -> Attribute | None:
    liking = _liking(folded, original) or _preference(folded, original)
    if liking:
        return liking
    for pattern, attribute in _ENGLISH:
        match = pattern.match(folded)
        subject = _subject_of(match, attribute, original) if match else None
        if match is None or subject is None:
            continue
        found = _BUILDERS.get(attribute, _plain)(match, subject, attribute, original)
        if found:
            return found
    return None


def _subject_of(match: re.Match[str], attribute: str, original: str) -> str | None:
    """The subject of a rule's match; only of an event it may go on: "our flight to Athens"."""
    words = match["s"]
    of = ""
    if attribute in ("time", "day"):
        words, of = (*re.split(r"(?= (?:with|to|from|for) )", words, maxsplit=1), "")[:2]
    subject = _subject(words, original[: match.start("s") + len(words)])
    return None if subject is None else subject + of


def _subject(words: str, original: str) -> str | None:
    """The subject's name, or None where the words hold a verb, a negation or nothing that can be one."""
    words = re.sub(r"^(?:user|i)(?=$|'s\b)", SPEAKER, words.removesuffix("'ve").removesuffix("'m"))
    words = re.sub(r"^(?:my|user's)\s+", f"{SPEAKER}'s ", words)
    if words in (SPEAKER, "we"):
        return words
    parts = words.split()
    if any(part in _NO_SUBJECT for part in parts):
        return None
    if words.startswith((f"{SPEAKER}'s ", "our ", "the ")) and len(parts) > 1:
        return words.removeprefix("the ")
    return words if _NAMED.match(original) and parts[0] not in NOT_A_NAME else None


_NAMED = re.compile(
    r"(?:[^\W\d_a-z][\w.-]*(?:\s[^\W\d_a-z][\w.-]*){0,2}|[^\W\d_a-z][\w.-]*['\u2019]s\s\w+(?:\s\w+)?)$"
)
_NO_SUBJECT = (
    AUXILIARIES
    | HEDGES
    | (PAST_VERBS - {"shot"})
    | ADVERBS
    | frozenset("to of not no used going my i you".split())
)


def _value(words: str) -> str:
    cut = TAIL.sub("", words).strip(" .!\"'")
    return re.sub(r"^(?:the|an?|on|at|about|around|only|called)\s+", "", cut)


_NAME = re.compile(
    r"(?:the\s)?([^\W\d_a-z][\w.&-]*(?:\s(?:(?:of|de|do|da|del|la)\s)?[A-Z\u00c0-\u00de][\w.&-]*)*)(?<![.])"
)


def _plain(match: re.Match[str], subject: str, attribute: str, original: str) -> Attribute | None:
    """A named value: places and employers are written with a capital."""
    value = _value(match["v"])
    if attribute in ("residence", "employer"):
        name = _NAME.match(original, match.start("v"))
        value = fold_letters(name[1]) if name else ""
        if attribute == "residence" and value in NOT_PLACES:
            return None
    return Attribute(subject, attribute, value) if value else None


def _age(match: re.Match[str], subject: str, attribute: str, original: str) -> Attribute | None:
    """An age is told of somebody: "Ana is 40", not "the gate is 40" or "my shoe size is 40"."""
    if original.startswith(("The ", "the ")) or subject.rpartition(" ")[2] in SINGLE_VALUED:
        return None
    return Attribute(subject, attribute, match["v"])


def _state(match: re.Match[str], subject: str, attribute: str, original: str) -> Attribute | None:
    return Attribute(subject, STATES_OF_LIFE[match["v"]], match["v"])


def _of_what(match: re.Match[str], subject: str, attribute: str, original: str) -> Attribute | None:
    thing = match["d"]
    if attribute == "dose":
        return Attribute(subject, _dose(thing), match["v"])
    if not thing or thing.split()[-1] in NOT_COUNTED:
        return None
    return Attribute(subject, f"{attribute} {thing.removesuffix('s')}", match["v"])


def _dose(drug: str | None) -> str:
    return f"dose of {drug}" if drug else "dose"


def _event(match: re.Match[str], subject: str, attribute: str, original: str) -> Attribute | None:
    """A time without a.m. or p.m.

    Equals the same with it, so only the figures are kept; "a meeting" may be any.
    """
    named = match["s"].startswith(("the ", "my ", "our ")) or " with " in match["s"]
    after = re.findall(r"[a-z]+|\d[\d./-]*\d", match.string[match.end() :])
    days = [word for word in after if word in _DAYS or word[0].isdigit()]
    if not named or subject.startswith(("a ", "an ", "another ", "one ")):
        return None
    subject = re.sub(r"^(?:speaker's|our)\s", "", " ".join([subject, *days]))
    return Attribute(subject, attribute, re.sub(r"\s?[ap]\.?m\.?$|s$", "", match["v"]))


_DAYS = (
    frozenset(WEEKDAYS)
    | frozenset(MONTHS)
    | frozenset("today tomorrow tonight yesterday next".split())
)


def _copula(match: re.Match[str], subject: str, attribute: str, original: str) -> Attribute | None:
    """X is Y, where X ends in a noun of one value, such as "my running shoe size"."""
    owner, _, head = subject.rpartition(" ")
    value = _value(match["v"])
    if not value or value.split()[0] in NOT_A_VALUE:
        return None
    if (
        owner.endswith((" favourite", " favorite"))
        or " favourite " in f" {owner} "
        or " favorite " in f" {owner} "
    ):
        owner, _, thing = subject.replace("favorite", "favourite").partition(" favourite ")
        return Attribute(owner.removesuffix("'s"), f"favourite {thing}", value)
    if head in NAMED_ROLES:
        named = original[match.start("v") :][:1].isupper()
        return Attribute(owner.removesuffix("'s"), head, value) if owner and named else None
    if subject.endswith((" blood type", " blood group")):
        return Attribute(subject.rpartition(" blood ")[0].removesuffix("'s"), "blood group", value)
    if head not in SINGLE_VALUED or not owner:
        return None
    return Attribute(owner.removesuffix("'s"), head, value)


def _measure(match: re.Match[str], subject: str, attribute: str, original: str) -> Attribute:
    verb = re.search(r"(cost|weigh|last)s?\s", match.group()[len(match["s"]) :])
    return Attribute(subject, verb[1] if verb else attribute, _value(match["v"]))


_Builder = Callable[[re.Match[str], str, str, str], Attribute | None]
_BUILDERS: dict[str, _Builder] = {
    "age": _age,
    "state": _state,
    "dose": _of_what,
    "number of": _of_what,
    "time": _event,
    "day": _event,
    "start time": _event,
    "copula": _copula,
    "measure": _measure,
}


def _liking(folded: str, original: str) -> Attribute | None:
    match = LIKES.match(folded)
    subject = _subject(match["s"], original[: match.end("s")]) if match else None
    if match is None or subject is None or _NO_LIKING.match(match["v"]):
        return None
    if subject not in (SPEAKER, "we") and not match["verb"].endswith("s") and not match["pre"]:
        return None
    bad = bool(_BAD_VERBS.fullmatch(match["verb"])) and match["verb"] != "stand"
    negated = bool(_BAD_PRE.search(match["pre"]))
    if match["verb"] == "stand" and not negated:
        return None
    thing = _value(match["v"])
    return (
        Attribute(subject, f"likes {thing}", "no" if bad != negated else "yes") if thing else None
    )


_NO_LIKING = re.compile(
    r"(?:to|how|when|that|what|these|this|those|it|them|you|him|her|me|us|so|if|where|all)\b"
)


def _preference(folded: str, original: str) -> Attribute | None:
    """Values of one preference share their last word ("dark mode"), or are compared ("tea over coffee")."""
    match = PREFERS.match(folded)
    subject = _subject(match["s"], original[: match.end("s")]) if match else None
    if match is None or subject is None:
        return None
    value = _value(match["v"])
    other = _value(match["w"] or "")
    if other:
        return Attribute(subject, "prefers among " + " and ".join(sorted((value, other))), value)
    words = value.split()
    return Attribute(subject, f"prefers which {words[-1]}", value) if len(words) == 2 else None


_TURKISH_EVENT = any_of(TURKISH_EVENTS)
_TS = r"(?:(?P<s>[a-z]+(?: [a-z]+)?),? )?(?:artik |simdi |su an |halen |hala )*"
_LOC = r"'?[dt][ae]"
_POSS = r"(?:[iu]?m|s?[iu])"
_TURKISH: tuple[_Rule, ...] = (
    _rule(rf"{_TS}(?P<v>[a-z]+){_LOC} (?:yasiyor|oturuyor)(?P<p>um|uz)?\b", "residence"),
    _rule(rf"{_TS}(?P<v>[a-z]+)'?y?[ae] tasind[iu](?P<p>m|k)?\b", "residence"),
    _rule(rf"{_TS}(?P<v>[a-z]+){_LOC} calisiyor(?P<p>um|uz)?\b", "employer"),
    _rule(rf"{_TS}(?P<v>{_AGE}) yasind[ae](?P<p>y[iu]m)?\b", "age"),
    _rule(rf"{_TS}(?P<v>{any_of(TURKISH_STATES)})(?P<p>y?[iu]m)?[.!]?$", "state"),
    _rule(
        rf"(?:benim )?(?:(?P<s>[a-z]+)'?(?:n?[iu]n) )?(?P<o>(?:[a-z]+"
        rf" ){{0,2}}?)(?P<h>{any_of(TURKISH_NOUNS)})(?P<p>{_POSS}) "
        r"(?:artik )?(?P<v>[\w.,:'@-]+(?: [\w.,-]+){0,3}?)[.!]?$",
        "head",
    ),
    _rule(r"(?:benim )?en sevdigim (?P<d>[a-z]+) (?:artik )?(?P<v>.+)", "favourite"),
    _rule(
        rf"{_TS}(?:gunde (?:[a-z]+|\d+) (?:kez|kere|defa) )?(?P<v>{_DOSE}) (?:(?P<d>[a-z]+) )?(?:aliyor"
        rf"|kullaniyor|iciyor)(?P<p>um)?",
        "dose",
    ),
    _rule(rf"(?P<v>{_NUM}) (?P<d>[a-z]+?)m? var[.!]?$", "number of"),
    _rule(
        rf"(?P<s>(?:[a-z]+ ile |[a-z]+'la |[a-z]+'le )?{_TURKISH_EVENT}[a-z]{{0,4}}) (?:artik )?saat "
        r"(?P<v>\d{1,2}(?:[:.]\d\d)?)'?[dt][ae]",
        "time",
    ),
    _rule(
        rf"(?P<s>(?:[a-z]+ ile |[a-z]+'la |[a-z]+'le |[a-z]+ ){_TURKISH_EVENT}(?:[iu]?m(?:[iu]z)?|s?[iu])?) (?:artik )?"
        rf"(?P<v>{any_of(name for name in WEEKDAYS if name not in _ENGLISH_DAYS)})(?: gunu)?[.!]?$",
        "day",
    ),
    _rule(
        r"(?:ben )?(?P<d>[a-z]+?)(?:y?[iu]|n[iu])? (?:cok |hic |artik )*(?P<v>sev(?:iyorum|erim|miyorum|mem)"
        r"|nefret ediyorum)\b",
        "likes",
    ),
)


def _turkish(folded: str, original: str) -> Attribute | None:
    for pattern, attribute in _TURKISH:
        match = pattern.match(folded)
        if match and (found := _turkish_attribute(match, attribute, original)):
            return found
    return None


def _turkish_attribute(match: re.Match[str], attribute: str, original: str) -> Attribute | None:
    groups = match.groupdict()
    value = _value(match["v"])
    subject = _turkish_subject(groups.get("s"), original)
    if attribute == "head":
        return _turkish_head(match, value, original)
    if attribute in ("number of", "likes", "favourite"):
        return _turkish_own(match, attribute, value)
    if attribute in ("time", "day"):
        return Attribute(match["s"], attribute, value)
    if groups.get("p") or (subject is None and not groups.get("s")):
        subject = SPEAKER
    if subject is None or (
        attribute in ("residence", "employer") and not original[match.start("v")].isupper()
    ):
        return None
    if attribute == "state":
        return Attribute(subject, TURKISH_STATES[value], value)
    return Attribute(subject, _dose(groups.get("d")) if attribute == "dose" else attribute, value)


def _turkish_subject(words: str | None, original: str) -> str | None:
    if not words or words in ("ben", "artik", "simdi"):
        return SPEAKER if words else None
    return words if original[:1].isupper() else None


def _turkish_head(match: re.Match[str], value: str, original: str) -> Attribute | None:
    """`Ayakkabı numaram 40`, `Ayşe'nin yaşı 12`: whose it is stands in the ending or before it."""  # noqa: RUF002
    mine = match["p"].endswith("m")
    attribute = TURKISH_NOUNS[match["h"]]
    thing = match["o"].strip()
    needed = WHAT_HEADS_TAKE.get(attribute)
    if (needed and not needed.match(original, match.start("v"))) or value.split(" ", maxsplit=1)[
        0
    ] in NOT_A_VALUE:
        return None
    if value and thing and not mine and not match["s"] and attribute in OWNERLESS:
        return Attribute(thing, attribute, value)
    if not value or mine == bool(match["s"]):
        return None
    owner = SPEAKER if mine else match["s"]
    return Attribute(f"{owner}'s {thing}" if thing else owner, attribute, value)


def _turkish_own(match: re.Match[str], attribute: str, value: str) -> Attribute:
    thing = match["d"]
    if attribute == "likes":
        return Attribute(
            SPEAKER, f"likes {thing}", "no" if re.match(r"sevm|nefret", value) else "yes"
        )
    return Attribute(SPEAKER, f"{attribute} {thing}", value)
