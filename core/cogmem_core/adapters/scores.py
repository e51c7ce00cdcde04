"""Judgements of answers as feedback on the run that is being traced, if LangSmith or Langfuse does that here.

Neither is imported: where nobody has, nothing is traced.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from cogmem_core.feedback.queue import FeedbackListener
from cogmem_core.values.models import Feedback

SCORE = "cogmem_used"
"""The name of a judgement: 1 = the answer used the memory, 0 = it did not."""
_VALUES = {"used": 1.0, "ignored": 0.0}


def all_of(*hearers: FeedbackListener | None) -> FeedbackListener | None:
    """One function that tells all of them; None if there are none."""
    present = [hearer for hearer in hearers if hearer is not None]
    if not present:
        return None

    def tell(rows: tuple[Feedback, ...]) -> None:
        for hearer in present:
            hearer(rows)

    return tell


def run_scores() -> FeedbackListener | None:
    """Who writes judgements to the run that is going on in this context; None if nobody traces it."""
    return all_of(_langsmith(), _langfuse())


def _langsmith() -> FeedbackListener | None:
    helpers: Any = sys.modules.get("langsmith.run_helpers")
    run = helpers.get_current_run_tree() if helpers is not None else None
    if run is None:
        return None

    def write(name: str, value: float, comment: str) -> None:
        root = run.trace_id or run.id
        run.client.create_feedback(root, name, score=value, comment=comment, trace_id=root)

    return partial(_write, write)


def _langfuse() -> FeedbackListener | None:
    langfuse: Any = sys.modules.get("langfuse")
    spans: Any = sys.modules.get("opentelemetry.trace")
    if langfuse is None or spans is None:
        return None
    span = spans.get_current_span().get_span_context()
    if not span.is_valid:
        return None

    def write(name: str, value: float, comment: str) -> None:
        client = langfuse.get_client()
        trace_id = f"{span.trace_id:032x}"
        client.create_score(trace_id=trace_id, name=name, value=value, comment=comment)

    return partial(_write, write)


def _write(write: Callable[[str, float, str], None], rows: tuple[Feedback, ...]) -> None:
    for row in rows:
        if row.signal in _VALUES:
            write(SCORE, _VALUES[row.signal], f"{row.memory_id}: {row.evidence or row.signal}")
