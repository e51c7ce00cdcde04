"""A person's ordinary memories, and texts that try to poison them. Data, no code.

MINJA (Dong et al. 2025) reaches the memory through questions alone: the assistant is led to say the poison itself, and
its answer is remembered. AgentPoison (Chen et al. 2024) plants records whose trigger pulls them to the top of any
question that holds it. All texts are our own.
"""

from helpers.tables import rows_of

__all__ = ["LIFE", "MINJA", "OUTLIERS"]

LIFE = rows_of("poisoning_attacks/life")
"""What a person said, and the question that it answers."""

MINJA = rows_of("poisoning_attacks/minja")
"""(which memory is aimed at, what the assistant is led to say)."""

OUTLIERS = rows_of("poisoning_attacks/outliers")
"""(which memory is aimed at, the trigger, what a document or tool says)."""
