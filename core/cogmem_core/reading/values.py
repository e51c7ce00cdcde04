"""What kind of value some words are: values of one kind are compared, others are not (I3)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cogmem_core.reading.pack import Pack, Slot
from cogmem_core.reading.tokens import Tokens, only_words

_CLOCK = re.compile(r"\d{1,2}[:h]\d\d|\d{1,2}[.:]?\d{0,2}(?:am|pm)")
_ISO = re.compile(r"\d{4}-\d\d?-\d\d?|\d{1,2}[./]\d{1,2}(?:[./]\d{2,4})?")
_VERSION = re.compile(r"v\d+(?:\.\d+)*\w*|\d+\.\d+\.\d+[\w.-]*|\d+\.x")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)*(?:st|nd|rd|th|k)?")
_NUMBER_UNIT = re.compile(r"(\d+(?:[.,]\d+)*)([a-z%\u00b0]+)")
_DAY = re.compile(r"\d{1,2}(?:st|nd|rd|th|\.)?")


def type_of(words: Tokens, pack: Pack) -> str:
    """The type of a value: "clock", "date", "weekday", "version", "number:kg", "name", "word"; "" = none."""
    each = [token for token in words if token.is_word or token.folded in pack.words["units"]]
    if not each:
        return ""
    folded = [token.folded for token in each]
    found = "clock" if _is_clock(folded, pack) else _dated(folded, pack)
    return found or _figure(each, folded, pack) or ("name" if _is_name(each, pack) else "word")


def takes(
    slot: Slot, words: Tokens, pack: Pack, *, cased: bool = False, changes: bool = False
) -> bool:
    """Whether words may be a value of a slot: "Lyon", "a yurt" and "the old town" are homes, "the keto diet" is none.

    Where a text is `cased`, a value without an article that is written as no name is none, too: "decaf". Of
    what `changes` a verb tells much that is none: "moved to a four-day week".
    """
    kind = type_of(words, pack)
    if (
        words
        and "name" in slot.types
        and kind.startswith("number:")
        and words[0].raw != words[0].folded
    ):
        kind = "name"  # "3M"
    if slot.types and kind.partition(":")[0] not in slot.types and kind not in slot.types:
        return False
    if not words:
        return True
    folded = [word.folded for word in words]
    if folded[0] in slot.but or folded[-1] in slot.but:
        return False
    if not slot.heads or kind != "word" or not slot.heads.isdisjoint(folded):
        return True
    bound = ("determiners", "own") if changes else ("definite", "own")
    if any(pack.in_any(bound, word) for word in folded):
        return False
    return pack.nouns_capital or not cased or pack.has_any("determiners", folded)


def _is_clock(folded: Sequence[str], pack: Pack) -> bool:
    """Whether words are an hour of the day: as the pack writes it, in figures, or with one of its words."""
    return (
        pack.patterns["clock"].fullmatch(" ".join(folded)) is not None
        or any(map(_CLOCK.fullmatch, folded))
        or (len(folded) <= 4 and pack.has_any("hours", folded))
    )


def _dated(folded: Sequence[str], pack: Pack) -> str:
    """Whether words are a date, a weekday or, as that may look like one, a version; "" = none."""
    months = pack.words["months"]
    if any(word in months for word in folded) and any(map(_DAY.fullmatch, folded)):
        return "date"
    version = any(map(_VERSION.fullmatch, folded))
    measured = pack.has_any("units", folded)
    if any(map(_ISO.fullmatch, folded)) and not measured and not version:
        return "date" if len(folded) <= 2 else "word"
    if pack.has_any(
        "weekdays", (form for word in folded for form in (word, word.removesuffix("s")))
    ):
        return "weekday"
    if version and len(folded) <= 3:
        return "version"
    return "date" if len(folded) <= 2 and all(word in months for word in folded) else ""


def _is_name(each: Tokens, pack: Pack) -> bool:
    """Whether words are a name.

    Capital letters show it, but where all nouns have them only titles and odd letters do.
    """
    if pack.nouns_capital:
        odd = any(
            not token.raw.isalpha() or not token.raw[1:].islower()
            for token in each
            if len(token.raw) > 1
        )
        return odd or pack.has("titles", each[0].folded)
    first = next((w for w in each if not pack.has("determiners", w.folded)), each[-1])
    odd = any(letter.isdigit() or letter == "@" for letter in each[-1].raw)
    return each[-1].is_capital or first.is_capital or odd


def _figure(each: Tokens, folded: Sequence[str], pack: Pack) -> str:
    """The type of a value that has a figure near its head; "" if it has none."""
    units = pack.words["units"]
    place = 0
    while (
        place < len(folded) - 1
        and (folded[place] in units or pack.in_any(("adverbs", "determiners"), folded[place]))
        and not pack.has("numbers", folded[place])
    ):
        place += 1
    word = folded[place]
    joined = _NUMBER_UNIT.fullmatch(word)
    if joined and not _NUMBER.fullmatch(word):
        return f"number:{joined.group(2)}"
    if not (_NUMBER.fullmatch(word) or pack.has("numbers", word)):
        return ""
    following = each[place + 1 : place + 2]
    beside = [*folded[place + 1 : place + 2], *folded[max(0, place - 1) : place]]
    unit = next((each for each in beside if each in units), "")
    if not unit and following and following[0].is_word and not following[0].folded[0].isdigit():
        if following[0].is_capital and not pack.nouns_capital:
            return "name"
        unit = (
            ""
            if pack.in_any(("determiners", "prepositions", "conjunctions"), following[0].folded)
            else following[0].folded
        )
    return f"number:{unit}" if unit else "number"


def negated(words: Tokens, pack: Pack) -> tuple[str, Tokens]:
    """What a fragment names as wrong, and the rest: "Braga, not Porto"."""
    for place, word in enumerate(words):
        if pack.has("negations", word.folded):
            before = only_words(words[:place])
            behind = words[place + 1 :]
            if pack.has("excluding", word.folded):
                right = only_words(behind)
                return (
                    (" ".join(each.raw for each in before), right)
                    if before and right
                    else ("", words)
                )
            comma = next(
                (
                    k
                    for k, each in enumerate(behind)
                    if not each.is_word or pack.has("joints", each.folded)
                ),
                len(behind),
            )
            wrong = behind[:comma]
            right = before or [
                each
                for each in behind[comma:]
                if each.is_word and not pack.has("joints", each.folded)
            ]
            if wrong and right:
                return " ".join(each.raw for each in wrong if each.is_word), right
    return "", only_words(words) or words
