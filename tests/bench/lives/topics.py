"""What the simulated user of `generate` has to say about a life: the tables of `simulated_lives`.

The wordings were written without looking at how the engine reads them. Changes are told the way
people tell them: some say that the old value is over, most only tell the new one.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["TOGETHER", "TOPICS", "Topic", "rows_of", "texts_of", "topics_of"]

_DATA = Path(__file__).resolve().parents[2] / "data" / "simulated_lives"


@dataclass(frozen=True, slots=True)
class Topic:
    """Something with one true value at a time.

    Attributes:
        values: what it can be; each occurs in a text that states it, and nowhere else.
        says: how it is told, also again later; `{v}` is the value.
        asks: how it is asked for.
        news: how a change is told; `{old}` is the former value. Empty if it never changes.
        changes: least and most changes within half a year.
        critical: a person may come to harm if it is forgotten; it is told once or twice and seldom
            asked for.
    """

    name: str
    values: tuple[str, ...]
    says: tuple[str, ...]
    asks: tuple[str, ...]
    news: tuple[str, ...] = ()
    changes: tuple[int, int] = (0, 0)
    critical: bool = False


def rows_of(table: str) -> list[dict[str, Any]]:
    """The rows of a table, in their order."""
    lines = (_DATA / f"{table}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def texts_of(table: str) -> tuple[str, ...]:
    """The texts of a table that holds nothing else."""
    return tuple(row["text"] for row in rows_of(table))


def topics_of(table: str) -> tuple[Topic, ...]:
    """The topics of a table."""
    return tuple(
        Topic(**{k: tuple(v) if isinstance(v, list) else v for k, v in row.items()})
        for row in rows_of(table)
    )


TOPICS: tuple[Topic, ...] = tuple(
    topic for table in ("critical", "lasting", "changing") for topic in topics_of(table)
)
"""What the user tells about, in the order in which the script draws from them."""

TOGETHER: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("What should a doctor know about me?", ("allergy", "medication", "blood group", "condition")),
    ("Which pets do I have?", ("dog", "cat")),
    ("Who is in my family?", ("partner", "sister")),
    ("What am I reading and watching these days?", ("current book", "series")),
    ("Where do I live and who do I work for?", ("city", "employer")),
)
"""Questions that several topics answer together."""
