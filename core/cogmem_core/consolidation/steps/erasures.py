"""Step 19: once in a while, whether anything that was erased is there again; it is only told."""

from __future__ import annotations

from datetime import timedelta

from cogmem_core.consolidation.context import StepContext
from cogmem_core.consolidation.snapshot import Snapshot, StepResult
from cogmem_core.erasure.returned import CHECKED, RETURNED, verify
from cogmem_core.text.plural import counted


def erasures(snapshot: Snapshot, context: StepContext) -> StepResult:
    """Every `erasure_check_days` what was erased is looked for; counts `returned`, and changes nothing."""
    last = snapshot.since(CHECKED)
    pause = timedelta(days=snapshot.config.consolidation.erasure_check_days)
    if last is not None and last <= snapshot.now < last + pause:
        return StepResult()
    check = verify(context.services, [snapshot.namespace], pause=context.yield_now)
    if not check.erased:
        return StepResult()
    marks = {**snapshot.stamp(CHECKED), RETURNED: str(len(check.returned))}
    if check.ok:
        return StepResult(note="; ".join(check.unchecked), checkpoints=marks)
    say = counted(len(check.returned), "record or file says", "records or files say")
    note = f"{say} what was erased; bank.verify_erasures() lists them"
    return StepResult(counts={"returned": len(check.returned)}, note=note, checkpoints=marks)
