"""Step 19: once in a while, whether anything that was erased is there again; it is only told."""

from __future__ import annotations

from datetime import timedelta

from cogmem_core.consolidation.dream import Dream, StepResult
from cogmem_core.erasure.returned import CHECKED, RETURNED, verify
from cogmem_core.text.plural import counted


def erasures(dream: Dream) -> StepResult:
    """Every `erasure_check_days` what was erased is looked for; counts `returned`, and changes nothing."""
    last = dream.since(CHECKED)
    pause = timedelta(days=dream.settings.erasure_check_days)
    if last is not None and last <= dream.now < last + pause:
        return StepResult()
    check = verify(dream.services, [dream.namespace], pause=dream.yield_now)
    if not check.erased:
        return StepResult()
    marks = {**dream.stamp(CHECKED), RETURNED: str(len(check.returned))}
    if check.ok:
        return StepResult(note="; ".join(check.unchecked), checkpoints=marks)
    say = counted(len(check.returned), "record or file says", "records or files say")
    note = f"{say} what was erased; bank.verify_erasures() lists them"
    return StepResult(counts={"returned": len(check.returned)}, note=note, checkpoints=marks)
