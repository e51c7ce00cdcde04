"""How an engine is doing: its state as JSON values, and what a person should know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cogmem_core.consolidation import due
from cogmem_core.engine.factory import CHROMA_FOLDER
from cogmem_core.health.doctor import ExaminedBank, quick_look
from cogmem_core.observability import Reading, metrics
from cogmem_core.process.services import Services
from cogmem_core.text.plural import counted
from cogmem_core.values.models import STATES

if TYPE_CHECKING:
    from cogmem_core.engine.engine import Engine


def health(engine: Engine) -> dict[str, Any]:
    """The engine's state; see `Engine.health`."""
    services = engine.open_services
    lag = engine.follower.lag()
    index = {"ready": engine.follower.index.ready, "loaded": engine.follower.loaded, "lag": lag}
    trigger = services.config.consolidation.trigger
    return {
        "path": None if engine.folder is None else str(engine.folder),
        "namespaces": len(engine.namespaces()),
        "embedder": services.embedder.fingerprint,
        "index": index,
        "llm": _llm_health(services),
        "worker": {"paused": engine.worker.paused, "troubles": dict(engine.worker.troubles)},
        "consolidation": {"trigger": trigger, "due": len(due(services))},
        "warnings": engine.warnings(),
    }


def warnings(engine: Engine, *, lost_answers: int) -> list[str]:
    """What went wrong; see `Engine.warnings`.

    Args:
        engine: the engine.
        lost_answers: how many answers were given up.
    """
    damage = engine.services.ledger.check()
    return [
        *_troubles(engine, lost_answers=lost_answers),
        *(f"the ledger is damaged: {problem}" for problem in damage),
        *([] if damage else quick_look(examined(engine))),
    ]


def examined(engine: Engine) -> ExaminedBank:
    """The bank of an engine, as the doctor looks at it."""
    services = engine.services
    indexes = None
    if engine.folder is not None and services.config.storage.chroma_url is None:
        indexes = engine.folder / CHROMA_FOLDER
    return ExaminedBank(services, engine.follower, engine.folder, indexes)


def gauges(engine: Engine, *, lost_answers: int) -> tuple[Reading, ...]:
    """The present values of all gauges; see `Engine.metrics`.

    Args:
        engine: the engine.
        lost_answers: as for `warnings`.
    """
    with engine.open_services.ledger.whole() as reader:
        states = reader.states()
        queued = reader.count_queued()
        namespaces = len(reader.namespaces.everywhere())
    plain = (
        (metrics.NAMESPACES, namespaces),
        (metrics.QUEUE_LENGTH, queued),
        (metrics.INDEX_LAG, engine.follower.lag()),
        (metrics.TROUBLES, len(_troubles(engine, lost_answers=lost_answers))),
    )
    return (
        *(Reading(metrics.MEMORIES, states.get(state, 0), {"state": state}) for state in STATES),
        *(Reading(metric, value, {}) for metric, value in plain),
    )


def _troubles(engine: Engine, *, lost_answers: int) -> list[str]:
    """What goes wrong, as far as it is known without reading the ledger's file."""
    services = engine.services
    sentences = [f"background {name}: {text}" for name, text in engine.worker.troubles.items()]
    if exchanged := services.ledger.database.trouble:
        sentences.append(f"{exchanged}; nothing can be written: open the bank again")
    if engine.follower.trouble:
        sentences.append(engine.follower.trouble)
    if llm_trouble := getattr(services.llm, "trouble", ""):
        sentences.append(f"the language model failed, rules decide: {llm_trouble}")
    if services.llm is not None and services.budget is not None:
        sentences += services.budget.troubles()
    if lost_answers:
        sentences.append(
            f"{lost_answers} answers were given up before memories could learn from them"
        )
    sentences += _unsaved_turns(services)
    log = services.log
    if log.dropped:
        cause = log.failure or "there were too many at once"
        sentences.append(f"the op log lacks {log.dropped} records: {cause}")
    return sentences


def _unsaved_turns(services: Services) -> list[str]:
    """What waits to be written because the disk failed, and what was given up."""
    sentences = []
    waiting = services.unsaved.waiting()
    if waiting:
        turns = counted(waiting, "turn waits", "turns wait")
        sentences.append(
            f"{turns} in memory, since the disk or the database failed; make room, then "
            "engine.flush() writes them"
        )
    if services.unsaved.lost:
        turns = counted(services.unsaved.lost, "turn was", "turns were")
        sentences.append(f"{turns} given up, since the disk or the database failed for too long")
    return sentences


def _llm_health(services: Services) -> dict[str, Any] | None:
    llm = services.llm
    budget = services.budget
    if llm is None or budget is None:
        return None
    return {
        "model": getattr(llm, "model", ""),
        "trouble": getattr(llm, "trouble", ""),
        "calls_today": budget.calls_today,
        "tokens_today": budget.tokens_today,
    }
