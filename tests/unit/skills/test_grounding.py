"""Facts that a model formed, beside the turns that they are said to come from."""

from datetime import datetime, timezone
from pathlib import Path

from cogmem_core.skills.grounding.facts import lack_of
from cogmem_core.skills.grounding.reading import Said

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)  # a Monday
TABLE = Path(__file__).parents[2] / "data" / "formed_facts.txt"


def read_table() -> tuple[list[tuple[Said, list[Said], str]], list[tuple[Said, list[Said], str]]]:
    """Honest facts, and inventions with the kind in front, each with its turn and earlier ones."""
    honest, invented = [], []
    for block in TABLE.read_text(encoding="utf-8").split("\n\n"):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        fields = {line[0]: line[3:] for line in lines if line[1:3] == ": "}
        turn = Said(fields.get("T", ""), NOON, fields.get("S", ""), fields.get("Q", ""))
        earlier = [Said(line[3:], NOON) for line in lines if line.startswith("E: ")]
        honest += [(turn, earlier, line[2:]) for line in lines if line.startswith("+ ")]
        invented += [(turn, earlier, line[2:]) for line in lines if line.startswith("- ")]
    return honest, invented


HONEST, INVENTED = read_table()


def test_the_table_is_large_enough() -> None:
    """Two hundred of each kind, of English and Turkish turns."""
    assert len(HONEST) >= 200
    assert len(INVENTED) >= 200


def test_honest_facts_are_kept() -> None:
    """What a model says in other words, in the third person, with dates written out, was said."""
    lost = [(fact, turn.text) for turn, earlier, fact in HONEST if lack_of(fact, turn, earlier)]

    assert len(lost) <= len(HONEST) // 40, lost


def test_no_invention_is_kept() -> None:
    """Other numbers, units, names, negations and persons, and what the turn says nothing of."""
    kept = []
    for turn, earlier, row in INVENTED:
        if lack_of(row.partition(": ")[2], turn, earlier) is None:
            kept.append((row, turn.text))

    assert kept == []
