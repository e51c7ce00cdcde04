"""Ways to do a kind of task: mined from what was called, tried on half of the sessions, kept if they help."""

from cogmem_core.procedures.library import (
    MOST_SHOWN,
    Fitting,
    all_of,
    by_id,
    end_run,
    fitting,
    keep,
    keep_run,
    screened,
    settle,
)
from cogmem_core.procedures.skill_md import SkillFile, read_skill, write_skill
from cogmem_core.procedures.trial import uplift_of

__all__ = [
    "MOST_SHOWN",
    "Fitting",
    "SkillFile",
    "all_of",
    "by_id",
    "end_run",
    "fitting",
    "keep",
    "keep_run",
    "read_skill",
    "screened",
    "settle",
    "uplift_of",
    "write_skill",
]
