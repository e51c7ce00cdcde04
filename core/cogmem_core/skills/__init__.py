"""Steps for a language model, each with a heuristic fallback: prompt, answer model and parser.

No step can fail: `run_skill` returns the heuristic's value if the model's answer is missing, late,
malformed or unsafe.
"""

from cogmem_core.skills.run import Outcome, Skill, run_skill

__all__ = ["Outcome", "Skill", "run_skill"]
