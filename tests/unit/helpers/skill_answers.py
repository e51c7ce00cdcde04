"""What a step makes of a scripted answer."""

from datetime import datetime, timezone
from typing import Any

from cogmem_core.skills import Outcome, Skill, run_skill
from cogmem_core.testing import ScriptedLLM

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)


def run(skill: Skill[Any, Any, Any], given: Any, answer: Any) -> Outcome[Any]:
    return run_skill(skill, given, ScriptedLLM(answer), timeout=5.0)
