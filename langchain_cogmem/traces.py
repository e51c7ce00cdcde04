"""What was recalled outside of a retriever, as a retriever's run in the trace of the run that is going on."""

from __future__ import annotations

from langchain_core.runnables.config import ensure_config, get_callback_manager_for_config

from cogmem_core.retrieval.recall import Recall
from langchain_cogmem.recalled import documents_of

__all__ = ["trace_recall"]


def trace_recall(recall: Recall, name: str) -> None:
    """Tell the run's callbacks of a recall: texts, scores and ids of its memories.

    Args:
        recall: what is shown of it.
        name: who recalled.
    """
    manager = get_callback_manager_for_config(ensure_config())
    if manager.parent_run_id is not None and manager.handlers:
        run = manager.on_retriever_start({"name": name}, recall.query, name=name)
        run.on_retriever_end(documents_of(recall))
