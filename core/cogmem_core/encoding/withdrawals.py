"""Which clauses of a memory a newer text takes back. Pure."""

from __future__ import annotations

from collections.abc import Collection

from cogmem_core.edge.clauses import reading_of, telling
from cogmem_core.reading import Reading, of
from cogmem_core.reading.between import change, repeated
from cogmem_core.text.rewrite.third_person import third_person
from cogmem_core.values.models import Memory


def denied_clauses(
    old: Memory, newer: str, *, same_speaker: bool | None, verbatim: bool = True
) -> tuple[int, ...]:
    """The clauses of a memory that a newer text ends or replaces, by number.

    Args:
        old: "I live in Berlin and I work at Acme" does not go because somebody moved.
        newer: the text.
        same_speaker: whether one person says both; as of `change`.
        verbatim: the newer text is as it was said; else it names its speaker.

    Returns:
        Empty if the memory says nothing else, not even beside them, but for what the newer text says, too,
        or if no clause of it is denied: then it goes as a whole.
    """
    former = reading_of(old)
    if not verbatim and old.write_source == "observer":
        rewritten = of(third_person(old.content, old.speaker))
        former = rewritten if len(rewritten.clauses) == len(former.clauses) else former
    new = of(newer)
    found = change(new, former, same_speaker=same_speaker)
    if found is None or found.grade != "hard":
        return ()
    denied = {verdict.number for verdict in found.verdicts}
    return parts_of(old, denied, former, new if same_speaker else None)


def parts_of(
    old: Memory, denied: Collection[int], former: Reading, new: Reading | None
) -> tuple[int, ...]:
    """The clauses of a memory that are withdrawn by themselves; empty if it says nothing else.

    Args:
        old: the memory.
        denied: numbers of the clauses that hold no more.
        former: its reading.
        new: what says so; what that says, too, is nothing else. None = somebody else says it.
    """
    left = telling(old)
    gone = left.keys() & denied
    said = frozenset() if new is None else repeated(former, new)
    stays = bool(left.keys() - gone - said) or any(left[number].beside for number in gone)
    return tuple(sorted(gone)) if stays else ()
