"""A conversation of two friends over six evenings, a topic each."""

from datetime import datetime, timedelta, timezone
from pathlib import Path

from cogmem_core import Turn

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)  # a Monday
TALKS = Path(__file__).resolve().parents[1] / "data" / "evening_talks.txt"
TOPICS = tuple(TALKS.read_text(encoding="utf-8").split("\n\n"))


def conversation() -> list[Turn]:
    """60 turns of two friends over six evenings, and four turns that say nothing."""
    turns = []
    for evening, topic in enumerate(TOPICS):
        for number, line in enumerate(topic.splitlines()):
            speaker, text = line.split(": ", 1)
            at = NOON + timedelta(days=evening - 10, minutes=number)
            turns.append(
                Turn(
                    text,
                    speaker=speaker,
                    at=at,
                    session_id=f"s{evening}",
                    ref=f"{evening}:{number}",
                )
            )
    return [*turns, Turn("ok"), Turn("thanks!"), Turn("bye"), Turn("Be brief.", role="system")]
