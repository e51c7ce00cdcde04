"""What a statement says, before it is a clause, in a language whose verb comes last."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import cast

from cogmem_core.reading.model import Clause, Mood, Tense
from cogmem_core.reading.pack import Pack
from cogmem_core.reading.tokens import Token, Tokens, span_of, text_of
from cogmem_core.reading.values import takes, type_of

_MOODS = ("hypothetical", "reported", "wished", "planned", "able")
_TO_COME = ("wished", "planned", "hypothetical")
PERSONS = ("i", "we", "you", "they", "he")


@dataclass(slots=True)
class Told:
    """What a statement says, before it is a clause."""

    subject: str = ""
    verb: str = ""
    case: str = ""
    value: Tokens = ()
    says: frozenset[str] = frozenset()
    scope: list[Token] = field(default_factory=list)
    doubt: list[Token] = field(default_factory=list)
    times: list[Tokens] = field(default_factory=list)
    beside: list[Tokens] = field(default_factory=list)
    denies: Tokens = ()
    negative: bool = False
    stopped: bool = False
    plans: bool = False
    now: bool = False
    changes: bool = False
    mood: str = ""


def framed(text: str, pack: Pack, clause: Clause, words: Tokens, told: Told) -> Clause:
    """A clause with what its predicate says.

    Args:
        text: the whole text.
        pack: the tables of its language.
        clause: with its place, and what its openers said.
        words: its words behind its openers.
        told: what they say.
    """
    value = list(told.value)
    tense: Tense = "past" if told.says & {"past", "was", "reported"} else "present"
    slot, changes = _slot(pack, told, value)
    changes = changes or told.changes
    ends = told.stopped if told.negative else pack.has("ends", told.verb)
    slot = f"be {slot}" if ends and "passive" in told.says else slot
    mood: Mood = (
        clause.mood
        if clause.mood not in ("asserted", "planned")
        else _mood(told, clause.mood, tense)
    )
    scope = list(told.scope)
    if mood == "asserted" and tense == "present" and not (changes or ends):
        scope += [
            word for each in told.times if not pack.among("beginnings", each) for word in each
        ]
    if not told.negative and is_advice(mood, told.subject, told.says):
        mood = "hypothetical"
    return replace(
        clause,
        core=span_of(words),
        beside=tuple(map(span_of, filter(None, told.beside))),
        times=tuple(map(span_of, filter(None, told.times))),
        mood=mood,
        scope=f"{clause.scope} {_joined(scope)}".strip(),
        doubt=_joined(told.doubt),
        subject=told.subject,
        slot=slot,
        value=_said(text, value),
        type=type_of(value, pack),
        negative=told.negative,
        tense=tense,
        denies=" ".join(word.raw for word in told.denies),
        correcting=clause.correcting or pack.among("corrections", words),
        now=clause.now or told.now,
        changes=changes,
        ends=ends,
        more=told.mood == "reported",
    )


def is_advice(mood: Mood, subject: str, says: Set[str]) -> bool:
    """Whether somebody else says what the speaker is to do: "she says I should move".

    What he may not do is left as it is reported: "They say I may not drive".
    """
    return mood == "reported" and subject in ("i", "we") and not says.isdisjoint(_TO_COME)


def _mood(told: Told, mood: Mood, tense: Tense) -> Mood:
    """How a claim is meant, by the ending of its verb or by what else is said."""
    given = next((each for each in _MOODS if each in told.says), told.mood)
    if given == "planned" and "was" in told.says:
        given = "hypothetical"
    if given:
        return cast("Mood", given)
    return "planned" if told.plans and tense != "past" else mood


def _said(text: str, words: Tokens) -> str:
    """Words as they stand; without what stands between them if they are of two places."""
    if any(first.start > second.start for first, second in pairwise(words)):
        return " ".join(word.raw for word in words)
    return text_of(text, words)


def _joined(words: Tokens) -> str:
    found = ""
    for word in sorted(set(words), key=lambda each: each.start):
        found += word.raw if word.is_ending else f" {word.raw}"
    return found.strip()


def _slot(pack: Pack, told: Told, value: Tokens) -> tuple[str, bool]:
    """The slot of a predicate, and whether its verb tells a new value."""
    verb = f"{told.verb} {told.case}".strip()
    fitting = [slot for slot in pack.slots if takes(slot, value, pack)]
    slot = next((slot for slot in fitting if slot.takes(verb)), None)
    if slot is not None:
        return slot.name, verb in slot.changes
    listed = next(
        (slot for slot in fitting if any(word.folded in slot.values for word in value)), None
    )
    becomes = pack.has("copulas", told.verb)
    new = told.verb != "be"
    if not becomes and not pack.has("changing", told.verb):
        living = listed is not None and pack.has("living", told.verb)
        return (listed.name if living and listed else verb), False
    if told.subject in PERSONS:
        if listed is not None:
            return listed.name, new
        return ("be", new) if becomes and not told.case else (verb, False)
    thing = told.subject.removeprefix("my ")
    slot = next((slot for slot in fitting if thing in slot.things), None)
    if slot is not None:
        return slot.name, new
    return (
        ("be", new) if (not told.case or pack.has("goal", told.case)) and value else (verb, False)
    )
