"""What ranking looks at of each memory, as columns: a recall reads a hundred memories with a few array look-ups.

In RAM, one per view; rows come from the ledger and are forgotten when their memories change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cogmem_core.storage.ledger.candidates import Candidate

OPEN_BEGIN = -(2**63)
"""Stands in a column of moments for "not known", or for a beginning that is open."""
OPEN_END = 2**63 - 1
"""... for an end that is open."""

_Times = NDArray[np.int64]
_Numbers = NDArray[np.float64]
_Texts = NDArray[np.object_]

_TIMES = (
    "created_at",
    "recorded_at",
    "last_said_at",
    "last_reinforced_at",
    "last_retrieved_at",
    "valid_from",
    "valid_until",
    "referenced_at",
    "access_count",
    "characters",
)
_NUMBERS = ("importance", "utility", "stability", "valence", "source_confidence", "trust")
_TEXTS = (
    "id",
    "state",
    "tier",
    "sub_tier",
    "category",
    "session_id",
    "speaker",
    "data_source",
    "superseded_by",
    "turn",
    "entities",
    "pinned",
    "asks",
    "inquires",
    "expires",
)
_WITHOUT = {
    "last_reinforced_at": OPEN_BEGIN,
    "last_retrieved_at": OPEN_BEGIN,
    "valid_from": OPEN_BEGIN,
    "valid_until": OPEN_END,
    "referenced_at": OPEN_BEGIN,
}
_FIELDS = Candidate._fields
_TIMES_AT = tuple((_FIELDS.index(name), _WITHOUT.get(name, 0)) for name in _TIMES)
_NUMBERS_AT = tuple(map(_FIELDS.index, _NUMBERS))
_TEXTS_AT = tuple(map(_FIELDS.index, _TEXTS))
_OPEN_AT = tuple((_TIMES.index(name), none) for name, none in _WITHOUT.items())
_in_field_order = itemgetter(*map((*_TEXTS, *_NUMBERS, *_TIMES).index, _FIELDS))
_FIRST_ROWS = 16


@dataclass(frozen=True, slots=True)
class CandidateColumns:
    """Candidates, one entry per memory in each column; fields as those of `Candidate`.

    Moments are microseconds since 1970 UTC. Where a row has none, it is `OPEN_BEGIN`, or `OPEN_END` in
    `valid_until`.
    """

    times: _Times
    numbers: _Numbers
    texts: _Texts

    @classmethod
    def of(cls, rows: Sequence[Candidate]) -> CandidateColumns:
        """The columns of rows, in their order."""
        times = [[_stamp(row[at], none) for at, none in _TIMES_AT] for row in rows]
        numbers = [[row[at] for at in _NUMBERS_AT] for row in rows]
        texts = np.empty((len(rows), len(_TEXTS)), dtype=np.object_)
        for place, row in enumerate(rows):
            texts[place] = [row[at] for at in _TEXTS_AT]
        return cls(
            np.array(times, dtype=np.int64).reshape(len(rows), len(_TIMES)),
            np.array(numbers, dtype=np.float64).reshape(len(rows), len(_NUMBERS)),
            texts,
        )

    def __len__(self) -> int:
        return len(self.texts)

    def moments(self, name: str) -> _Times:
        """A column of moments or counts, shape (n,)."""
        column: _Times = self.times[:, _TIMES.index(name)]
        return column

    def values(self, name: str) -> _Numbers:
        """A column of numbers, shape (n,)."""
        column: _Numbers = self.numbers[:, _NUMBERS.index(name)]
        return column

    def labels(self, name: str) -> list[Any]:
        """A column of texts, flags or lists."""
        column: list[Any] = self.texts[:, _TEXTS.index(name)].tolist()
        return column

    @property
    def ids(self) -> list[str]:
        """The memories' ids."""
        return self.labels("id")

    def at(self, place: int) -> Candidate:
        """The row of one candidate."""
        times = self.times[place].tolist()
        for at, none in _OPEN_AT:
            if times[at] == none:
                times[at] = None
        values = [*self.texts[place].tolist(), *self.numbers[place].tolist(), *times]
        return Candidate._make(_in_field_order(values))

    def doubted(self) -> list[int]:
        """The places of those that are `Candidate.doubted`."""
        distrusted: list[int] = np.flatnonzero(self.values("trust") < 1.0).tolist()
        sources = self.labels("data_source") if distrusted else []
        return [place for place in distrusted if sources[place] != "user_message"]

    def sources(self) -> list[tuple[str, str, str]]:
        """`Candidate.source` of each."""
        columns = map(self.labels, ("category", "id", "data_source", "speaker", "session_id"))
        return [
            ("item", "", memory_id)
            if category == "item"
            else (data_source, speaker or "", session_id or "")
            for category, memory_id, data_source, speaker, session_id in zip(*columns, strict=True)
        ]

    def take(self, places: Sequence[int]) -> CandidateColumns:
        """The candidates at these places, in this order."""
        chosen = list(places)
        return CandidateColumns(self.times[chosen], self.numbers[chosen], self.texts[chosen])

    def followed_by(self, other: CandidateColumns) -> CandidateColumns:
        """These candidates, and behind them those of the other ones."""
        return CandidateColumns(
            np.concatenate([self.times, other.times]),
            np.concatenate([self.numbers, other.numbers]),
            np.concatenate([self.texts, other.texts]),
        )


class CandidateRows:
    """Candidates by id, kept as columns. Not thread-safe: hold a lock.

    100,000 take 39 MB (measured).
    """

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self._free: list[int] = []
        self._columns = CandidateColumns.of(())

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, id: object) -> bool:  # noqa: A002 - the field's name everywhere
        return id in self._places

    def put(self, rows: Sequence[Candidate]) -> None:
        """Keep rows; each replaces an earlier one of its id, and no id may come twice."""
        if not rows:
            return
        places = [self._place(row.id) for row in rows]
        self._reserve(max(places) + 1)
        fresh = CandidateColumns.of(rows)
        self._columns.times[places] = fresh.times
        self._columns.numbers[places] = fresh.numbers
        self._columns.texts[places] = fresh.texts

    def remove(self, id: str) -> None:  # noqa: A002
        """Forget a row; unknown ids are ignored."""
        place = self._places.pop(id, None)
        if place is not None:
            self._columns.texts[place] = None
            self._free.append(place)

    def missing(self, ids: Iterable[str]) -> list[str]:
        """Those of the ids that are not kept here."""
        return [memory_id for memory_id in ids if memory_id not in self._places]

    def take(self, ids: Sequence[str]) -> CandidateColumns:
        """A copy of the rows of these ids, all of which are kept here, in this order."""
        return self._columns.take([self._places[memory_id] for memory_id in ids])

    def _place(self, memory_id: str) -> int:
        place = self._places.get(memory_id)
        if place is None:
            place = self._free.pop() if self._free else len(self._places)
            self._places[memory_id] = place
        return place

    def _reserve(self, rows: int) -> None:
        held = len(self._columns)
        if rows > held:
            more = max(rows, held * 3 // 2, _FIRST_ROWS) - held
            empty = CandidateColumns(
                np.zeros((more, len(_TIMES)), np.int64),
                np.zeros((more, len(_NUMBERS))),
                np.empty((more, len(_TEXTS)), np.object_),
            )
            self._columns = self._columns.followed_by(empty)


def _stamp(value: Any, none: int) -> int:
    return none if value is None else int(value)
