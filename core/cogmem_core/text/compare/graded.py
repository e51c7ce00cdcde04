"""What a new statement does to an old one, whatever shows it: one entry for the gate. Pure."""

from __future__ import annotations

from cogmem_core.maths.gate import CONTRADICTION_FROM
from cogmem_core.reading import of
from cogmem_core.reading.between import change
from cogmem_core.reading.pack import pack_of
from cogmem_core.text.compare.across import told_in_another_language
from cogmem_core.text.compare.clauses import have_other_labels
from cogmem_core.text.compare.contradiction import announces_correction, contradicts
from cogmem_core.text.compare.limits import is_for_a_day
from cogmem_core.text.compare.passing import told_in_passing
from cogmem_core.text.compare.plain import is_meant, plainly_changes
from cogmem_core.text.compare.revision import LONGEST, Revision, revision_of
from cogmem_core.text.sentences import split_facts

_LEAST_TELLING = 3  # words


def revision(new: str, old: str, *, same_speaker: bool, nearness: float = 0.0) -> Revision | None:
    """What a new statement does to an old one; None if nothing shows that it does anything.

    Sentence beside sentence (`compare.revision`), else what is told in passing, or in another
    language: that raises a doubt at most.

    Args:
        new: a fact, as said or in the third person.
        old: a fact that was remembered before.
        same_speaker: whether one person said both.
        nearness: the cosine of the two, 0..1, as far as it is known.
    """
    read_new, read_old = of(new), of(old)
    if pack_of(read_new.language).order and read_new.language == read_old.language:
        found_change = change(read_new, read_old, same_speaker=same_speaker)
        return found_change and Revision(found_change.grade, found_change.reason, part=found_change.part)
    found = _graded(new, old, same_speaker=same_speaker, nearness=nearness)
    if found is None or found.grade == "soft":
        return found
    pieces = _pieces(old)
    parts = _pieces(new)
    # "No wait, that's what my sister drives" takes back what stands before it.
    begin = max((at for at, part in enumerate(parts) if announces_correction(part)), default=0)
    plain = any(
        plainly_changes(part, former)
        and (
            (part == new and former == old)
            or _is_hard(part, former, same_speaker=same_speaker, nearness=nearness)
        )
        for part in parts[begin:]
        for former in pieces
    )
    if not plain:
        return found._replace(grade="soft")
    telling = [piece for piece in pieces if len(piece.split()) >= _LEAST_TELLING]
    return found._replace(part=len(telling) > 1)


def may_change(new: str, old: str, *, same_speaker: bool, nearness: float = 0.0) -> bool:
    """Whether `revision` finds anything, however certain."""
    return _graded(new, old, same_speaker=same_speaker, nearness=nearness) is not None


def _pieces(text: str) -> list[str]:
    return [piece.text for piece in split_facts(text)] or [text]


def _is_hard(new: str, old: str, *, same_speaker: bool, nearness: float) -> bool:
    found = _graded(new, old, same_speaker=same_speaker, nearness=nearness)
    return found is not None and found.grade == "hard"


def _graded(new: str, old: str, *, same_speaker: bool, nearness: float) -> Revision | None:
    """What a new statement seems to do to an old one, however either is told, if both are meant."""
    if have_other_labels(new, old) or not (is_meant(new) and is_meant(old)):
        return None
    opposed = contradicts(new, old, same_speaker=same_speaker, similarity=nearness)
    if opposed and (opposed.same_attribute or nearness >= CONTRADICTION_FROM):
        return Revision("hard", opposed.reason)
    found = revision_of(new, old, same_speaker=same_speaker, nearness=nearness)
    if found is None and same_speaker and max(len(new), len(old)) <= LONGEST:
        reason = told_in_passing(new, old) or told_in_another_language(new, old)
        found = Revision("soft", reason) if reason else None
    return None if found is None or is_for_a_day(new, old) else found
