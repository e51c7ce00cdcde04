"""What was made of recalled memories, row by row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple, get_args

from sqlalchemy import Select, and_, func, select

from cogmem_core.storage.ledger import schema
from cogmem_core.storage.ledger.codec import decode_moment, encode_row, encode_time
from cogmem_core.storage.ledger.table import (
    BATCH,
    Table,
    chunks,
    select_in,
    update_in,
    within,
)
from cogmem_core.values.models import Feedback, FeedbackSignal

_F = schema.feedback.c

_IGNORED: tuple[FeedbackSignal, ...] = ("ignored",)


class Question(NamedTuple):
    """A question that is stored with judgements, and when its answer was judged."""

    recall_id: str
    query: str
    at: datetime


class FeedbackTable(Table):
    """Judgements by recall and by memory."""

    def judged(self, recall_id: str, memory_ids: Collection[str]) -> set[str]:
        """Those of some memories that this recall was judged for already."""
        query = select_in(schema.feedback, _F.memory_id, keyed=True)
        among = _F.memory_id.in_(sorted(memory_ids))
        return set(self._scalars(query.where(among, _F.recall_id == recall_id)))

    def recalls_of(self, memory_ids: Collection[str]) -> list[str]:
        """Ids of the recalls in which one of the memories was judged."""
        rows = self._among(schema.feedback, "memory_id", memory_ids, _F.recall_id)
        return list({row["recall_id"]: None for row in rows})

    def newest(self, *, limit: int, memory_id: str | None = None) -> list[Feedback]:
        """The newest judgements of the namespace or of one of its memories, newest first."""
        query = _of(memory_id).order_by(_F.at.desc(), _F.recall_id, _F.memory_id)
        return self._records(Feedback, query.limit(limit))

    def all(self, *, since: datetime | None = None) -> list[Feedback]:
        """All judgements, or those from a moment on, oldest first."""
        query = select_in(schema.feedback)
        if since is not None:
            query = query.where(_F.at >= encode_time(since))
        return self._records(Feedback, query.order_by(_F.at, _F.recall_id, _F.memory_id))

    def rivals(
        self, memory_ids: Collection[str], *, signals: Collection[FeedbackSignal] = _IGNORED
    ) -> list[tuple[str, str, int]]:
        """(memory, other, how often): answers that ignored the one and used the other, of the same recall.

        Args:
            memory_ids: the memories that were not used.
            signals: what such answers made of them.
        """
        ignored = schema.feedback.alias("mine")
        used = schema.feedback.alias("other")
        same_recall = and_(used.c.shard == ignored.c.shard, used.c.recall_id == ignored.c.recall_id)
        ids = (ignored.c.memory_id, used.c.memory_id)
        query = (
            select(*ids, func.count())
            .select_from(ignored.join(used, same_recall))
            .where(*within(ignored, keyed=True))
            .where(ignored.c.signal.in_(signals), used.c.signal == "used")
            .group_by(*ids)
        )
        rivals: list[tuple[str, str, int]] = []
        for part in chunks(sorted(memory_ids), BATCH):
            rows = self._execute(query.where(ignored.c.memory_id.in_(part)))
            rivals += [(memory_id, rival_id, int(count)) for memory_id, rival_id, count in rows]
        return sorted(rivals)

    def passed_over(
        self, memory_ids: Collection[str], *, confidence: float
    ) -> dict[str, tuple[int, int, float]]:
        """Of memories that were shown with so much confidence and ignored: how often, on how many days (UTC).

        And the sum of the confidences, as the third figure.
        """
        query = select_in(schema.feedback, _F.memory_id, _F.prior, _F.at, keyed=True)
        query = query.where(_F.signal == "ignored", _F.prior >= confidence)
        days: dict[str, set[date]] = defaultdict(set)
        priors: dict[str, list[float]] = defaultdict(list)
        for part in chunks(sorted(memory_ids), BATCH):
            for memory_id, prior, at in self._execute(query.where(_F.memory_id.in_(part))):
                days[memory_id].add(decode_moment(at).date())
                priors[memory_id].append(min(1.0, prior))
        return {i: (len(sums), len(days[i]), sum(sums)) for i, sums in priors.items()}

    def signals(self, *, memory_id: str | None = None) -> dict[str, int]:
        """How often each signal was given of the namespace's memories, or of one of them; 0 for none."""
        query = _of(memory_id, _F.signal, func.count()).group_by(_F.signal)
        return dict.fromkeys(get_args(FeedbackSignal), 0) | dict(self._execute(query).all())

    def questions(self) -> list[Question]:
        """The questions that are stored with judgements, each once."""
        columns = (_F.recall_id, _F.query)
        query = select_in(schema.feedback, *columns, func.max(_F.at)).where(_F.query != "")
        rows = self._execute(query.group_by(*columns))
        return [Question(recall_id, text, decode_moment(at)) for recall_id, text, at in rows]

    def add(self, judgements: Sequence[Feedback]) -> None:
        """Add judgements; each memory of a recall once."""
        rows = list(map(encode_row, judgements))
        for row in rows:
            del row["evidence"]  # it is kept in the memory's history
        self._insert(schema.feedback, rows)

    def blank_questions(self, recall_ids: Sequence[str]) -> None:
        """Erase the questions of some recalls; what their answers made of memories stays."""
        for part in chunks(recall_ids, BATCH):
            query = update_in(schema.feedback, keyed=True).where(_F.recall_id.in_(part))
            self._change(query.values(query=""))

    def drop_of(self, memory_ids: Sequence[str]) -> None:
        """Delete the judgements of some memories."""
        self._drop_among(schema.feedback, "memory_id", memory_ids)


def _of(memory_id: str | None, *columns: Any) -> Select[Any]:
    """Judgements of the namespace, or of one of its memories."""
    if memory_id is None:
        return select_in(schema.feedback, *columns)
    return select_in(schema.feedback, *columns, keyed=True).where(_F.memory_id == memory_id)
