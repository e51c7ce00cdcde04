"""Ways to do a kind of task: mined from what was called, tried on half of the sessions, kept if they help."""

from cogmem_core.procedures.library import (
    all_of,
    by_id,
    end_run,
    fitting,
    keep,
    keep_run,
    screened,
    settle,
)
from cogmem_core.procedures.skill_md import read_skill, write_skill

__all__ = [
    "all_of",
    "by_id",
    "end_run",
    "fitting",
    "keep",
    "keep_run",
    "read_skill",
    "screened",
    "settle",
    "write_skill",
]
