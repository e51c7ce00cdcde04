"""The one writer path: every change of a memory is a value, and `apply` is the only code that carries it out."""

from cogmem_core.changes.agents import CHANGED_MEANWHILE, Keep, Move
from cogmem_core.changes.applied import Applied, Refusal, apply, plan_changes, targets
from cogmem_core.changes.batch import Actor
from cogmem_core.changes.proposed import (
    Change,
    Drop,
    Link,
    Mark,
    Put,
    Reindex,
    Reset,
    Retire,
    Revive,
    Rewrite,
    Touch,
    Unlink,
    Unmark,
    Withdraw,
)
from cogmem_core.changes.rejected import REJECTED, proposal_digest, reject_texts
from cogmem_core.changes.reviewed import QUEUED

__all__ = [
    "CHANGED_MEANWHILE",
    "QUEUED",
    "REJECTED",
    "Actor",
    "Applied",
    "Change",
    "Drop",
    "Keep",
    "Link",
    "Mark",
    "Move",
    "Put",
    "Refusal",
    "Reindex",
    "Reset",
    "Retire",
    "Revive",
    "Rewrite",
    "Touch",
    "Unlink",
    "Unmark",
    "Withdraw",
    "apply",
    "plan_changes",
    "proposal_digest",
    "reject_texts",
    "targets",
]
