"""Does a procedure help? Half of the sessions see it, half do not, and the difference decides. Pure.

Which half a session belongs to follows from a hash, so every process decides alike, and nobody who
uses it does. Of one that has proved itself a tenth of the sessions still go without it, so that it
can be found out if it ceases to help. Being shown, or being used, promotes nothing.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

from cogmem_core.maths.uplift import Uplift, uplift
from cogmem_core.values.models import Outcomes, Procedure

Z_PROMOTE = 2.24
"""An interval of 97.5 %, because it is looked at after each task: promoted only if all of it is above 0."""
Z_HARM = 1.64
"""An interval of 90 %: harm has to be shown less clearly than help."""
LEAST = 8
"""Known ends on each side before anything is promoted."""
LEAST_HARM = 5
MOST_EXPOSURES = 20
"""What has not gone visibly better after so many is retired."""
VISIBLE = 0.05
LAST_EXPOSURES = 120
_CANARY = 128  # of 256
_CONTROL = 26


def is_shown(procedure: Procedure, session_id: str | None) -> bool:
    """Whether a session sees it; without a session only what has proved itself is shown."""
    if session_id is None:
        return procedure.state == "active"
    digest = hashlib.sha256(f"{procedure.id}\x00{session_id}".encode()).digest()[0]
    return digest >= (_CONTROL if procedure.state == "active" else _CANARY)


def uplift_of(outcomes: Outcomes, z: float = Z_PROMOTE) -> Uplift:
    """How much more often tasks are done with it than without it."""
    return uplift(outcomes.shown_ok, outcomes.shown, outcomes.hidden_ok, outcomes.hidden, z)


def counted(procedure: Procedure, *, shown: bool, ok: bool, times: int = 1) -> Procedure:
    """With the end of one more task; `times` -1 takes it back."""
    name = f"{'shown' if shown else 'hidden'}_{'ok' if ok else 'failed'}"
    count = max(0, getattr(procedure.outcomes, name) + times)
    state = "canary" if procedure.state == "candidate" else procedure.state
    return replace(procedure, outcomes=replace(procedure.outcomes, **{name: count}), state=state)


def judged(procedure: Procedure) -> Procedure:
    """Promoted or retired, if its outcomes say so."""
    outcomes = procedure.outcomes
    sure = uplift_of(outcomes)
    enough = min(outcomes.shown, outcomes.hidden)
    if enough >= LEAST_HARM and uplift_of(outcomes, Z_HARM).high < 0:
        return replace(procedure, state="retired", reason="tasks failed more often with it")
    if procedure.state != "canary":
        return procedure
    if enough >= LEAST and sure.low > 0:
        reason = f"tasks were done more often with it: {sure.mean:+.0%}, at least {sure.low:+.0%}"
        return replace(procedure, state="active", reason=reason)
    useless = outcomes.shown >= MOST_EXPOSURES and sure.mean <= VISIBLE
    if useless or outcomes.shown >= LAST_EXPOSURES:
        return replace(procedure, state="retired", reason="tasks were not done more often with it")
    return procedure
