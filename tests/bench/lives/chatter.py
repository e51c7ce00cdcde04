"""What the simulated user of `generate` says besides lasting facts: small talk, plans, moments.

The tables are those of `simulated_lives`.
"""

from collections.abc import Mapping

from topics import rows_of, texts_of, topics_of

__all__ = ["AGAIN", "CHATTER", "ECHOES", "FILLERS", "MOMENTS", "PLANS", "REPLIES"]

FILLERS: Mapping[str, tuple[str, ...]] = {
    row["of"]: tuple(row["words"]) for row in rows_of("fillers")
}

CHATTER = texts_of("chatter")
"""Templates of small talk and requests; each name in braces is filled from `FILLERS`."""

AGAIN = texts_of("again")
"""How people say nearly the same thing again."""

REPLIES = texts_of("replies")

ECHOES: tuple[str, ...] = ("Got it: {v}.", "{v}, I'll remember that.", "Understood, so it's {v}.")
"""How an assistant confirms a fact."""

PLANS = topics_of("plans")
"""What comes up now and then; the value is the day, such as "12 March"."""

MOMENTS = topics_of("moments")
"""What moves the user so much that it is shouted, once."""
