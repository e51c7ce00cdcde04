"""An operation of an engine, as it is watched: a span, its duration, a line in the log.

What a span says of a memory is how many there were. The question and the namespace are in it only if the
application asks for content (`OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT`).
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from cogmem_core.observability import otel
from cogmem_core.observability.metrics import (
    DURATION,
    RECALL_DEGRADED,
    RECALL_EMPTY,
    RECALL_RESULTS,
)
from cogmem_core.observability.recording import record
from cogmem_core.observability.spans import (
    ERROR_TYPE,
    RECORD_COUNT,
    RECORD_ID,
    opening_attributes,
    span_name,
)

_LOG = logging.getLogger("cogmem_core.operations")
_PARTS = frozenset(("vector", "lexical", "deadline", "pending", "procedures", "due"))
"""What a recall says first of what failed; anything else counts as "other"."""


class WatchedOperation:
    """One operation, from its beginning to its end.

    Args:
        op: its name in the op log.
        store: the id of the bank, which tells nothing of whose memories they are.
        fields: what is known of it at its beginning: `namespace`, `id`, `input`.
    """

    __slots__ = ("_op", "_span")

    def __init__(self, op: str, store: str, fields: Mapping[str, Any]) -> None:
        self._op = op
        client = otel.client()
        self._span = None
        if client is not None:
            content = otel.wants_content()
            attributes = opening_attributes(op, store, fields, content=content)
            self._span = client.start(span_name(op), attributes)

    def end(self, note: Mapping[str, Any], seconds: float, error: str | None) -> None:
        """Tell what came of it.

        Args:
            note: its record in the op log.
            seconds: how long it took.
            error: the class of what was raised.
        """
        outcome = error or "ok"
        record(DURATION, seconds, {"operation": self._op, "outcome": outcome})
        if self._op == "recall" and error is None:
            count = note.get("result_count", 0)
            record(RECALL_RESULTS, count, {})
            if not count:
                record(RECALL_EMPTY, 1, {})
            for part in _parts(note.get("degraded") or ()):
                record(RECALL_DEGRADED, 1, {"part": part})
        if self._span is not None:
            otel.finish(self._span, _closing_attributes(note, error), error)
        if _LOG.isEnabledFor(logging.DEBUG):
            _LOG.debug("%s: %s in %.1f ms", self._op, outcome, seconds * 1000)


def _parts(troubles: Iterable[str]) -> set[str]:
    heads = {trouble.partition(":")[0] for trouble in troubles}
    return {head if head in _PARTS else "other" for head in heads}


def _closing_attributes(note: Mapping[str, Any], error: str | None) -> dict[str, Any]:
    attributes: dict[str, Any] = {}
    if isinstance(note.get("result_count"), int):
        attributes[RECORD_COUNT] = note["result_count"]
    if isinstance(note.get("id"), str):
        attributes[RECORD_ID] = note["id"]
    if error is not None:
        attributes[ERROR_TYPE] = error
    return attributes
