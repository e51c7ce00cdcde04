"""What a statement says about whom: subject, attribute, value; on patterns alone.

Only statements of the present are read, only of attributes that have one value at a time, and only
if their subject is plain: the speaker, something of the speaker's, or a name. Everything else is
None: no answer is better than a wrong one, because two values of one attribute make the gate retire
a memory.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from cogmem_core.languages.base import AttributeRules
from cogmem_core.languages.merged import (
    Kept,
    MergedPattern,
    all_patterns,
    all_words,
    any_word,
    filled,
    languages_read,
    mark,
)
from cogmem_core.languages.needed import QuickPattern
from cogmem_core.languages.reading import cached_by_language, in_its_language
from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.vocabulary import (
    ADVERBS,
    AUXILIARIES,
    GOVERNING,
    PAST_VERBS,
)

__all__ = ["NUMBER_WORDS", "SPEAKER", "Attribute", "attribute_of"]


SPEAKER = "speaker"
"""The subject of "I", "my" and "User"."""
_MOST_SENTENCES = 8
_LONGEST_SENTENCE = 300  # characters
NUMBER_WORDS = all_words("compare.wording.number_words")
"""Numbers in words, folded."""


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


_NUMBER = rf"(?:\d+(?:[.,]\d+)*|{any_word(NUMBER_WORDS)})"
_AGES = any_word(all_words("compare.attributes.ages"))
_AGE = rf"(?:\d{{1,3}}|{_AGES})"
_DOSE_UNITS = all_patterns("compare.attributes.dose_units")
_DOSE = rf"\d+(?:[.,]\d+)? ?(?:{_DOSE_UNITS})\b"
_TITLES = all_words("compare.attributes.titles")
_INTRODUCTIONS = all_patterns("compare.attributes.introductions")
_INTRODUCTION = MergedPattern(rf"^(?:(?:{_INTRODUCTIONS})\b[,:.;\u2014-]*\s*){{0,12}}")
_NOT_TITLE = mark(lambda: "".join(rf"(?<!\b{title})" for title in sorted(_TITLES)))
_VALUE_ENDINGS = all_patterns("compare.attributes.value_endings")
# Where the value of a statement ends: at a mark, an adverb of time or a further clause.
_TAIL = MergedPattern(
    rf"\s*(?:[;:(!]|,(?!\d)|\s[\u2013\u2014-]\s|{_NOT_TITLE}\.(?=\s|$)"
    rf"|\b(?:{_VALUE_ENDINGS})\b).*$",
    re.DOTALL,
)
_VALUE_OPENERS = all_patterns("compare.attributes.value_openers")
_VALUE_OPENER = MergedPattern(rf"^(?:{_VALUE_OPENERS})\s+")
_NO_TITLE_BEFORE = mark(lambda: "".join(rf"(?<!\b{title}\.)" for title in sorted(_TITLES)))
_SENTENCE_END = MergedPattern(rf"(?<=[.!?]){_NO_TITLE_BEFORE}\s+", re.IGNORECASE)


def _value_of(words: str) -> str:
    value = _TAIL.sub("", words).strip(" .!\"'")
    return _VALUE_OPENER.sub("", value)


_NAME = re.compile(
    r"(?:the\s)?([^\W\d_a-z][\w.&'-]*(?:\s(?:(?:of|de|do|da|del|la)\s)?[^\W\d_a-z][\w.&'-]*)*)"
)
_NAMED = ("residence", "employer", "person")
"""Frames whose value is a name."""
_EXACT = ("day", "start time", "time")
"""Frames whose pattern ends where the value ends."""
_EMPTY_VALUES = all_words("compare.attributes.empty_values")
_VERBS = AUXILIARIES | GOVERNING | ADVERBS | (PAST_VERBS - {"shot"})
_QuickFrame = tuple[QuickPattern, str, AttributeRules]


def _filled(pattern: str) -> str:
    """A frame as a regular expression: a blank stands for up to three characters of white space."""
    placeholders = {"<number>": _NUMBER, "<age>": _AGE, "<dose>": _DOSE}
    for placeholder, alternatives in placeholders.items():
        pattern = pattern.replace(placeholder, alternatives)
    return filled(pattern).replace(" ", r"\s{1,3}").replace(r"\s{1,3}?", r"\s?")


def _quick_frames() -> tuple[_QuickFrame, ...]:
    """The frames of all languages, those of English last, because they are the widest."""
    frames: list[_QuickFrame] = []
    for language in reversed(languages_read()):
        rules = language.compare.attributes
        for pattern, name in rules.frames:
            frames.append((QuickPattern(_filled(pattern)), name, rules))
    return tuple(frames)


_FRAMES = Kept(_quick_frames)


@in_its_language
def attribute_of(text: str) -> Attribute | None:
    """Read a statement such as "I live in Lisbon" as (speaker, residence, lisbon).

    Args:
        text: one fact; of several sentences the first that says something counts.

    Returns:
        None for questions, plans, the past, hearsay and everything that is not understood.
    """
    return _attribute_of(text[:MAX_INPUT])


@cached_by_language(4_096)
def _attribute_of(text: str) -> Attribute | None:
    for part in _SENTENCE_END.split(text, maxsplit=_MOST_SENTENCES)[:_MOST_SENTENCES]:
        sentence = part.strip()
        folded = _INTRODUCTION.sub("", fold_letters(sentence))
        if not folded or folded.endswith("?") or len(folded) > _LONGEST_SENTENCE:
            continue
        original = sentence[len(sentence) - len(folded) :]
        for quick, name, rules in _FRAMES():
            match = quick.pattern.match(folded) if quick.may_match(folded) else None
            attribute = _read(match, name, original, rules) if match else None
            if attribute:
                return attribute
    return None


def _read(
    match: re.Match[str], name: str, original: str, rules: AttributeRules
) -> Attribute | None:
    """What a match of a frame says, if anything."""
    groups = match.groupdict("")
    subject_words = groups.get("s", "")
    subject = SPEAKER
    if not groups.get("p"):
        start = match.start("s") if subject_words else 0
        subject = _subject(subject_words, original[start:][: len(subject_words)], rules)
    attribute, _, fixed = name.partition("=")
    if "n" in groups:
        attribute = rules.things.get(groups["n"], groups["n"])
    value = groups.get("v", "")
    detail = groups.get("d", "")
    if name in _NAMED:
        spelt = _NAME.match(original, *match.span("v"))
        is_name = spelt is not None and not spelt[1].islower()
        value = match.string[slice(*spelt.span(1))].rstrip(".") if spelt and is_name else ""
    elif name not in _EXACT:
        value = _value_of(value)
        detail = _value_of(detail)
    says_nothing = "n" in groups and value.partition(" ")[0] in _EMPTY_VALUES
    if not subject or says_nothing or not (value or fixed):
        return None
    thing = groups.get("o", "").strip()
    subject = f"{subject}'s {thing}" if thing else subject.removesuffix("'s")
    return Attribute(subject, f"{attribute} {detail}".strip(), fixed or value)


def _subject(words: str, original: str, rules: AttributeRules) -> str:
    """The subject's name; empty if the words hold a verb, or cannot be a subject."""
    if re.fullmatch(rules.speaker, words):
        return SPEAKER
    own = re.match(rules.own, words)
    opening = own or re.match(rules.known, words)
    rest = words[opening.end() :] if opening else words
    if any(word in _VERBS or word in rules.no_subject for word in rest.split()):
        return ""
    if own:
        return f"{SPEAKER}'s {rest}" if rest else SPEAKER
    name = _NAME.match(original)
    behind = original[name.end() :] if name else original
    is_name = not behind or (name and name[0].endswith("'s") and len(behind.split()) < 3)
    return words.removeprefix("the ") if is_name or opening else ""
