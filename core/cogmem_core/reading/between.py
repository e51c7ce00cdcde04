"""What two texts are to each other, by their clauses: one changes the other, or says the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from cogmem_core.base.lru import text_cache
from cogmem_core.reading.compare import GRADES, Verdict, compare, words_of
from cogmem_core.reading.model import KEPT, TELLING, Clause, Reading
from cogmem_core.reading.pack import Pack, pack_of

Likeness = Literal["same", "refines", "covered", "different"]
_LIKENESS: dict[tuple[bool, bool], Likeness] = {
    (True, True): "same",
    (True, False): "covered",
    (False, True): "refines",
    (False, False): "different",
}
_OWN = ("i", "we", "you")


class Change(NamedTuple):
    """What a new text does to an old one.

    Attributes:
        grade: "hard" = clauses of the old one no longer hold; "soft" = perhaps they do not.
        reason: in words: "Lisbon, now Porto".
        verdicts: those that say so, one for each old clause that is concerned.
        part: the old one tells other things as well, which still hold.
    """

    grade: Literal["hard", "soft"]
    reason: str
    verdicts: tuple[Verdict, ...] = ()
    part: bool = False


def change(new: Reading, old: Reading, *, same_speaker: bool = True) -> Change | None:
    """What a new text does to an old one; None if nothing shows that it does anything.

    Args:
        new: what is said now.
        old: what was said before.
        same_speaker: whether one person said both; if not, "I" and "my" are different people.
    """
    pack = pack_of(new.language)
    if not pack.order or new.language != old.language or not (new.clauses and old.clauses):
        return None
    found = [
        verdict
        for verdict in compare(new, old, pack)
        if verdict.grade != "none"
        and (same_speaker or not (_personal(new.clauses[verdict.by]) or _personal(old.clauses[verdict.number])))
    ]
    if not found:
        return None
    best = max(found, key=lambda verdict: GRADES.index(verdict.grade))
    hard = [verdict for verdict in found if verdict.grade in ("ends", "replaces")]
    telling = [clause for clause in old.clauses if clause.kind in TELLING]
    return Change(
        "hard" if hard else "soft",
        best.reason,
        tuple(hard or found),
        part=len(telling) > len(hard or found),
    )


def _personal(clause: Clause) -> bool:
    """Whether a clause is about whoever says it, or what is theirs."""
    return clause.subject in _OWN or "my" in clause.subject.split()


def likeness(new: Reading, old: Reading, *, same_speaker: bool = True) -> Likeness:
    """Whether two texts say the same, or one of them all that the other says.

    Args:
        new: what is said now.
        old: what was said before.
        same_speaker: as for `change`.

    Returns:
        "same": at most in other words. "covered": the old text says all of it and more. "refines": the
        new one says all that the old one says and more. "different": everything else, and every doubt.
    """
    if new.text == old.text:
        return "same"
    if new.language != old.language:
        return "different"
    pack = pack_of(new.language)
    said, known = _told(new), _told(old)
    if not said or not known or not (same_speaker or not any(map(_personal, (*said, *known)))):
        return "different"
    covered = all(any(_is_within(new, clause, old, other, pack) for other in known) for clause in said)
    refines = all(any(_is_within(old, clause, new, other, pack) for other in said) for clause in known)
    return _LIKENESS[covered, refines]


def is_piece(reading: Reading) -> bool:
    """Whether a text is pieces of sentences only, which depend on what was said before."""
    told = _told(reading)
    return bool(told) and all(clause.kind == "fragment" for clause in told)


def filled(reading: Reading) -> tuple[tuple[str, str], ...]:
    """Subject and slot of each clause that gives a value."""
    return tuple((clause.subject, clause.slot) for clause in _told(reading) if clause.framed)


def _told(reading: Reading) -> Sequence[Clause]:
    return [clause for clause in reading.clauses if clause.kind in KEPT]


def _is_within(reading: Reading, clause: Clause, other_reading: Reading, other: Clause, pack: Pack) -> bool:
    """Whether a clause says no more than another one: the same claim, limited alike."""
    words = _sequence(reading.words(clause), pack)
    others = _sequence(other_reading.words(other), pack)
    if words == others:
        return True
    if not (clause.framed and other.framed) or clause.doubt or other.doubt:
        return False
    if _claim(reading, clause, pack) != _claim(other_reading, other, pack) or clause.scope.casefold() != other.scope.casefold():
        return False
    beside = {word for span in clause.beside for word in _sequence(reading.text[slice(*span)], pack)}
    more = {word for span in other.beside for word in _sequence(other_reading.text[slice(*span)], pack)}
    return beside <= more and not (clause.denies or other.denies)


def _claim(reading: Reading, clause: Clause, pack: Pack) -> tuple[object, ...]:
    times = [_sequence(reading.text[slice(*span)], pack) for span in clause.times]
    return (
        clause.subject, clause.slot, clause.negative, clause.mood, clause.holder, clause.tense, clause.ends,
        _sequence(clause.value, pack), times,
    )


@text_cache(8_192)
def _sequence(text: str, pack: Pack) -> tuple[str, ...]:
    return words_of(text, pack, silent=("determiners", "adverbs"))
