"""The one writer path: every change of a memory is a value, and `apply` is the only code that carries it out."""

from cogmem_core.changes.agents import Keep, Move
from cogmem_core.changes.applied import Applied, apply, carry_out, plan_changes, targets
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
    "carry_out",
    "plan_changes",
    "proposal_digest",
    "reject_texts",
    "targets",
]
