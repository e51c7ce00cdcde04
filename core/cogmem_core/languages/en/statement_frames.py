"""English: frames of plain statements, folded, and how a match of one is read."""

# ruff: noqa: ARG001 - readers share one signature

from __future__ import annotations

import re
from collections.abc import Callable

from cogmem_core.languages.base import SPEAKER, AttributeParts, Frame
from cogmem_core.languages.tables import lazy_pattern, stems, words

# Nouns of which a thing has one value at a time.
_SINGLE_VALUED = words(
    """
    address age birthday birthplace blood budget colour color deadline diet dose dosage email
    employer favourite gender height hometown job language location major name nationality nickname
    number occupation password phone pin port price profession pronouns rent role salary size
    surname temperature time timezone title username version weight year
    """
)
# People of whom one has one; the value is a name ("my boss is Ana"), not a quality ("my boss is
# nice").
_PERSONAL_ROLES = words(
    """
    accountant barber boss boyfriend coach dentist director doctor father fiance fiancee girlfriend
    gp husband landlady landlord lawyer manager mentor mother partner spouse supervisor therapist
    trainer vet wife
    """
)
_STATES_OF_LIFE = {
    **dict.fromkeys(stems("married single divorced engaged widowed"), "marital status"),
    **dict.fromkeys(stems("vegan vegetarian pescatarian omnivore"), "diet"),
    **dict.fromkeys(stems("employed unemployed retired"), "work status"),
}
# What people "move to" without moving house.
_NOT_PLACES = words(
    """
    android angular aws azure bitbucket chrome claude css django docker emacs engineering english
    excel figma finance firefox flask gcp git github gitlab go google gpt hr html ios java
    javascript kotlin kubernetes linear linux mac macos management marketing mongodb mysql neovim
    notion numpy obsidian openai postgres postgresql product pytest python pytorch react redis ruby
    rust safari sales slack sqlite support svelte swift teams tensorflow typescript ubuntu vim
    vscode vue windows zig
    """
)
# First words of a group, a place at work or a level, to which people move as well.
_NOT_TOWNS = words(
    "team group squad division department unit tier level plan room building floor office desk seat"
    " row table track gate platform page chapter version class grade section"
)
# What happens on a day or at a time; of other things "is on silent" and "is at 9" is no value.
_DATED = words("birthday deadline")
_PLACED = lazy_pattern(r"(?:on|at|in|with|for|about|under)\s")
_BLOOD = lazy_pattern(r"(?:ab|a|b|o|0)\b(?:\s?(?:rh\s?)?(?:positive|negative|pos|neg|[+-]))?")
_NOT_A_NAME = words(
    """
    his her its their he she it they this that there these those here everyone someone nobody who
    what your
    """
)
_NOT_COUNTED = words(
    """
    today tomorrow yesterday meetings meeting minutes hours days weeks left ago more years am pm
    """
)
_DAYS = words("today tomorrow tonight yesterday next")
_DISLIKES = lazy_pattern(r"hates?|dislikes?|detests?|loathes?")
_DENIES = lazy_pattern(r"no longer|not|don't|doesn't|can't|never")
_NO_LIKING = lazy_pattern(
    r"(?:to|how|when|that|what|these|this|those|it|them|you|him|her|me|us|so|if|where|all)\b"
)
_NO_SUBJECT = words("to of not no used going my i you")
_SUBJECT_NAME = lazy_pattern(
    r"(?:[^\W\d_a-z][\w.-]*(?:\s[^\W\d_a-z][\w.-]*){0,2}"
    r"|[^\W\d_a-z][\w.-]*['\u2019]s\s\w+(?:\s\w+)?)$"
)
_NAME = lazy_pattern(
    r"(?:the\s)?([^\W\d_a-z][\w.&-]*"
    r"(?:\s(?:(?:of|de|do|da|del|la)\s)?[A-Z\u00c0-\u00de][\w.&-]*)*)(?<![.])"
)


_Reader = Callable[[re.Match[str], str, str, Frame], AttributeParts | None]


def read(match: re.Match[str], name: str, original: str, frame: Frame) -> AttributeParts | None:
    """What a match of a frame says, by the name of the frame."""
    subject = _frame_subject(match, name, original, frame)
    if subject is None:
        return None
    return _READERS[name](match, subject, original, frame)


def _frame_subject(match: re.Match[str], name: str, original: str, frame: Frame) -> str | None:
    """The subject of a frame; only that of an event may go on: "our flight to Athens"."""
    subject_words = match["s"]
    supplement = ""
    if name in ("time", "day"):
        parts = re.split(r"(?= (?:with|to|from|for) )", subject_words, maxsplit=1)
        subject_words = parts[0]
        supplement = "".join(parts[1:])
    subject = _subject(subject_words, original[: match.start("s") + len(subject_words)], frame)
    return None if subject is None else subject + supplement


def _subject(text: str, original: str, frame: Frame) -> str | None:
    """The subject's name, or None if the words hold a verb, a negation or cannot be a subject."""
    text = text.removesuffix("'ve").removesuffix("'m")
    text = re.sub(r"^(?:user|i)(?=$|'s\b)", SPEAKER, text)
    text = re.sub(r"^(?:my|user's)\s+", f"{SPEAKER}'s ", text)
    if text in (SPEAKER, "we"):
        return text
    parts = text.split()
    if any(part in frame.verbs or part in _NO_SUBJECT for part in parts):
        return None
    if text.startswith((f"{SPEAKER}'s ", "our ", "the ")) and len(parts) > 1:
        return text.removeprefix("the ")
    return text if _SUBJECT_NAME.match(original) and parts[0] not in _NOT_A_NAME else None


def _liking(
    match: re.Match[str], subject: str, original: str, frame: Frame
) -> AttributeParts | None:
    thing = frame.value_of(match["v"])
    if not thing or _NO_LIKING.match(match["v"]):
        return None
    third_person = match["verb"].endswith("s") or match["pre"]
    if subject not in (SPEAKER, "we") and not third_person:
        return None
    denied = bool(_DENIES.search(match["pre"]))
    if match["verb"] == "stand" and not denied:
        return None
    disliked = _DISLIKES.fullmatch(match["verb"]) is not None
    return subject, f"likes {thing}", "no" if disliked != denied else "yes"


def _preference(
    match: re.Match[str], subject: str, original: str, frame: Frame
) -> AttributeParts | None:
    """Values of one preference share their last word ("dark mode"), or are compared."""
    value = frame.value_of(match["v"])
    alternative = frame.value_of(match["w"] or "")
    if alternative:
        pair = " and ".join(sorted((value, alternative)))
        return subject, f"prefers among {pair}", value
    value_words = value.split()
    if len(value_words) != 2:
        return None
    return subject, f"prefers which {value_words[-1]}", value


def _residence(
    match: re.Match[str], subject: str, original: str, frame: Frame
) -> AttributeParts | None:
    place = _proper_name(match, original)
    if not place or place in _NOT_PLACES or place.split()[0] in _NOT_TOWNS:
        return None
    return subject, "residence", place


def _employer(
    match: re.Match[str], subject: str, original: str, frame: Frame
) -> AttributeParts | None:
    employer = _proper_name(match, original)
    return (subject, "employer", employer) if employer else None


def _proper_name(match: re.Match[str], original: str) -> str:
    """The value of a frame if it begins with a capital, as places and employers do."""
    name = _NAME.match(original, match.start("v"))
    return match.string[slice(*name.span(1))] if name else ""


def _age(match: re.Match[str], subject: str, original: str, frame: Frame) -> AttributeParts | None:
    """An age is somebody's: "Ana is 40", not "the gate is 40" or "my shoe size is 40"."""
    of_a_thing = subject.rpartition(" ")[2] in _SINGLE_VALUED
    if original.startswith(("The ", "the ")) or of_a_thing:
        return None
    return subject, "age", match["v"]


def _state(match: re.Match[str], subject: str, original: str, frame: Frame) -> AttributeParts:
    return subject, _STATES_OF_LIFE[match["v"]], match["v"]


def _dose(match: re.Match[str], subject: str, original: str, frame: Frame) -> AttributeParts:
    return subject, f"dose of {match['d']}" if match["d"] else "dose", match["v"]


def _number(
    match: re.Match[str], subject: str, original: str, frame: Frame
) -> AttributeParts | None:
    thing = match["d"]
    if thing.split()[-1] in _NOT_COUNTED:
        return None
    return subject, f"number of {thing.removesuffix('s')}", match["v"]


def _measure(match: re.Match[str], subject: str, original: str, frame: Frame) -> AttributeParts:
    verb = re.search(r"(cost|weigh|last)s?\s", match.group()[len(match["s"]) :])
    return subject, verb[1] if verb else "measure", frame.value_of(match["v"])


def _named(kind: str) -> _Reader:
    """Reads an attribute with any value."""

    def read(
        match: re.Match[str], subject: str, original: str, frame: Frame
    ) -> AttributeParts | None:
        value = frame.value_of(match["v"])
        return (subject, kind, value) if value else None

    return read


def _event(kind: str) -> _Reader:
    """Reads when an event is; "a meeting" may be any.

    A time with a.m. or p.m. equals the same without it, so only the figures are kept.
    """

    def read(
        match: re.Match[str], subject: str, original: str, frame: Frame
    ) -> AttributeParts | None:
        definite = match["s"].startswith(("the ", "my ", "our ")) or " with " in match["s"]
        if not definite or subject.startswith(("a ", "an ", "another ", "one ")):
            return None
        following = re.findall(r"[a-z]+|\d[\d./-]*\d", match.string[match.end() :])
        days = [word for word in following if _is_day(word, frame)]
        event = re.sub(r"^(?:speaker's|our)\s", "", " ".join([subject, *days]))
        return event, kind, re.sub(r"\s?[ap]\.?m\.?$|s$", "", match["v"])

    return read


def _is_day(word: str, frame: Frame) -> bool:
    return word in frame.date_words or word in _DAYS or word[0].isdigit()


def _copula(
    match: re.Match[str], subject: str, original: str, frame: Frame
) -> AttributeParts | None:
    """X is Y, where X ends in a noun of one value, such as "my running shoe size"."""
    value = frame.value_of(match["v"])
    if not value or value.split()[0] in frame.empty_values:
        return None
    owner, _, head = subject.rpartition(" ")
    attribute = head
    if head not in _DATED and _PLACED.match(match["v"]):
        return None
    if re.search(r"(?:^| )favou?rite ", f"{owner} "):
        owner, _, thing = subject.replace("favorite", "favourite").partition(" favourite ")
        attribute = f"favourite {thing}"
    elif head in _PERSONAL_ROLES:
        if not owner or not original[match.start("v") :][:1].isupper():
            return None
    elif subject.endswith((" blood type", " blood group")):
        owner = subject.rpartition(" blood ")[0]
        attribute = "blood group"
        group = _BLOOD.match(match["v"])
        if group is None:
            return None
        value = f"type:{group.group()}"  # as one word: "A" is an article elsewhere
    elif head not in _SINGLE_VALUED or not owner:
        return None
    return owner.removesuffix("'s"), attribute, value


_READERS: dict[str, _Reader] = {
    "likes": _liking,
    "prefers": _preference,
    "residence": _residence,
    "employer": _employer,
    "age": _age,
    "state": _state,
    "dose": _dose,
    "number of": _number,
    "measure": _measure,
    "copula": _copula,
    **{kind: _event(kind) for kind in ("time", "day", "start time")},
    **{kind: _named(kind) for kind in ("job", "name")},
}
