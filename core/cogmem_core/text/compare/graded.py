"""What a new statement does to an old one, whatever shows it: one entry for the gate. Pure."""

from __future__ import annotations

from cogmem_core.text.compare.across import told_in_another_language
from cogmem_core.text.compare.clauses import have_other_labels
from cogmem_core.text.compare.contradiction import contradicts
from cogmem_core.text.compare.limits import limit_of
from cogmem_core.text.compare.passing import told_in_passing
from cogmem_core.text.compare.revision import LONGEST, Revision, revision_of

__all__ = ["revision"]


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
    found = revision_of(new, old, same_speaker=same_speaker, nearness=nearness)
    if found is not None:
        return _as_far_as_it_goes(found, new, old)
    if max(len(new), len(old)) > LONGEST:
        return None
    if limit_of(new, old) == "while":
        opposed = contradicts(
            new, old, same_speaker=same_speaker, similarity=nearness, limited=True
        )
        if opposed is not None:
            return Revision("soft", opposed.reason)
    if not same_speaker:
        return None
    reason = told_in_passing(new, old) or told_in_another_language(new, old)
    return _as_far_as_it_goes(Revision("soft", reason), new, old) if reason else None


def _as_far_as_it_goes(found: Revision, new: str, old: str) -> Revision | None:
    """A statement of one day changes nothing, one for a while or under a condition raises a doubt."""
    limit = limit_of(new, old)
    if limit == "once":
        return None
    return found._replace(grade="soft") if limit else found
