"""Steps that a language model does better and a heuristic does too: prompt, answer model and parser in one file each.

No step can fail: `run_skill` returns the heuristic's value whenever the model's is missing, late,
    malformed or unsafe.
"""

from cogmem_core.skills.run import Outcome, Skill, run_skill

__all__ = ["Outcome", "Skill", "run_skill"]
