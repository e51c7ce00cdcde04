"""What a new statement does to an old one, whatever shows it: one entry for the gate. Pure."""

from __future__ import annotations

from cogmem_core.maths.gate import CONTRADICTION_FROM
from cogmem_core.text.compare.across import told_in_another_language
from cogmem_core.text.compare.clauses import have_other_labels
from cogmem_core.text.compare.contradiction import contradicts
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
    if have_other_labels(new, old):
        return None
    found = _graded(new, old, same_speaker=same_speaker, nearness=nearness)
    if found is None or found.grade == "soft":
        return found
    plain = is_meant(new) and any(
        _is_hard(part, former, same_speaker=same_speaker, nearness=nearness)
        and plainly_changes(part, former)
        for part in _pieces(new)
        for former in _pieces(old)
    )
    if not plain:
        return found._replace(grade="soft")
    telling = [piece for piece in _pieces(old) if len(piece.split()) >= _LEAST_TELLING]
    return found._replace(part=len(telling) > 1)


def _pieces(text: str) -> list[str]:
    return [piece.text for piece in split_facts(text)] or [text]


def _is_hard(new: str, old: str, *, same_speaker: bool, nearness: float) -> bool:
    found = _graded(new, old, same_speaker=same_speaker, nearness=nearness)
    return found is not None and found.grade == "hard"


def _graded(new: str, old: str, *, same_speaker: bool, nearness: float) -> Revision | None:
    """What a new statement seems to do to an old one, however either is told."""
    opposed = contradicts(new, old, same_speaker=same_speaker, similarity=nearness)
    if opposed and (opposed.same_attribute or nearness >= CONTRADICTION_FROM):
        return Revision("hard", opposed.reason)
    found = revision_of(new, old, same_speaker=same_speaker, nearness=nearness)
    if found is None and same_speaker and max(len(new), len(old)) <= LONGEST:
        reason = told_in_passing(new, old) or told_in_another_language(new, old)
        found = Revision("soft", reason) if reason else None
    return None if found is None or is_for_a_day(new, old) else found
