"""Procedures of a namespace: which fit a task, and what the ends of tasks teach about them.

What a session sees follows from its name (see `trial`), so nothing has to be written when a
procedure is shown. A run is kept with what was to be shown for it; its end is counted there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple, cast

from cogmem_core.changes import Actor, Applied, Change, Keep, Move, apply, carry_out
from cogmem_core.embedders.lift import lifts, tells_meaning
from cogmem_core.errors import InvalidInput
from cogmem_core.procedures.mining import mine
from cogmem_core.procedures.trial import counted, is_shown, judged, uplift_of
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.text.safety.prompt_injection import signs
from cogmem_core.text.tokens import tokens
from cogmem_core.values.models import Procedure, TaskRun

MOST_SHOWN = 3
"""Of the procedures that fit a task: two or three help, more distract."""
_SYSTEM = Actor("procedures")
_PERSON = Actor("user")
_COMPARED = 200  # newest runs
_KEPT = 1_000  # runs of a namespace
_MOST_LIVE = 200  # procedures of a namespace that mining adds to
_WORDS_ALONE = 0.75
_HALF_OF_THE_WORDS = 0.45
_MEANING_ALONE = 0.62


class Fitting(NamedTuple):
    """The procedures that fit a task, best first: those that the session sees, and those kept back."""

    shown: tuple[Procedure, ...] = ()
    hidden: tuple[Procedure, ...] = ()


def fitting(
    services: Services, live: Sequence[Procedure], task: str, session_id: str | None
) -> Fitting:
    """The procedures that fit a task, three at most; changes nothing.

    One of them at most is still tried, last: two that are tried at once would take each other's
    credit. It is the one nearest to its decision, so that each comes to one.

    Args:
        services: the parts of the engine.
        live: the procedures that may be shown.
        task: what is wanted, in words.
        session_id: the session, which decides what it sees; None: only what has proved itself.

    Raises:
        EmbedderUnavailable: there is no vector.
    """
    terms = set(tokens(task))
    if not live or not terms:
        return Fitting()
    coverage = {p.id: _coverage(p.trigger, terms) for p in live}
    meaning = tells_meaning(services.embedder)
    near = dict.fromkeys(coverage, 0.0)
    if meaning:
        lift_values = lifts(services.embedder, task, [p.trigger for p in live])
        near = {p.id: lift for p, lift in zip(live, lift_values, strict=True)}
    fits = [p for p in live if _fits(coverage[p.id], near[p.id], meaning=meaning)]
    proved = [p for p in fits if p.state == "active"]
    proved.sort(key=lambda p: (-uplift_of(p.outcomes).mean, -near[p.id], p.id))
    tried = [p for p in fits if p.state != "active"]
    tried.sort(key=lambda p: (-p.outcomes.shown - p.outcomes.hidden, -near[p.id], p.id))
    tried = tried[:1]
    chosen = proved[: MOST_SHOWN - len(tried)] + tried
    return Fitting(
        tuple(p for p in chosen if is_shown(p, session_id)),
        tuple(p for p in chosen if not is_shown(p, session_id)),
    )


def _coverage(trigger: str, terms: Collection[str]) -> float:
    own = set(tokens(trigger))
    return len(own.intersection(terms)) / len(own) if own else 0.0


def _fits(coverage: float, lift: float, *, meaning: bool) -> bool:
    if not meaning or coverage == 1.0:
        return coverage >= _WORDS_ALONE
    return lift >= (_HALF_OF_THE_WORDS if coverage >= 0.5 else _MEANING_ALONE)


def keep_run(services: Services, namespace: str, run: TaskRun) -> TaskRun:
    """Keep a run with what its session was to see, and learn from it if its end is known."""
    with services.ledger.reading(namespace) as ns:
        live = services.agents.of(ns).procedures
    fits = fitting(services, live, run.task, run.session_id)
    run = replace(
        run, shown=tuple(p.id for p in fits.shown), hidden=tuple(p.id for p in fits.hidden)
    )

    def work(writer: Transaction) -> Applied | None:
        runs = writer.at(namespace).task_runs
        runs.add(run)
        runs.keep_newest(_KEPT)
        return None if run.ok is None else _learn(services, writer, namespace, run, former=None)

    services.update_indexes(namespace, services.ledger.write(namespace, work))
    services.agents.begin_task(namespace, run.session_id)
    return run


def end_run(services: Services, namespace: str, run_id: str, *, ok: bool) -> TaskRun | None:
    """Say how a run ended, or that it ended otherwise than was said; None if there is no such run."""
    ended: list[TaskRun] = []

    def work(writer: Transaction) -> Applied | None:
        ended.clear()
        run = writer.at(namespace).task_runs.by_ids([run_id]).get(run_id)
        if run is None:
            return None
        new = replace(run, ok=ok)
        ended.append(new)
        if run.ok == ok:
            return None
        writer.at(namespace).task_runs.change(new)
        return _learn(services, writer, namespace, new, former=run.ok)

    services.update_indexes(namespace, services.ledger.write(namespace, work))
    return ended[0] if ended else None


def _learn(
    services: Services, writer: Transaction, namespace: str, run: TaskRun, *, former: bool | None
) -> Applied | None:
    """Count the end of a run where it belongs, and mine what it has in common with earlier ones."""
    records = writer.at(namespace).procedures.by_ids([*run.shown, *run.hidden])
    changes: list[Change] = []
    for procedure in records.values():
        if not procedure.is_live:
            continue
        was_shown = procedure.id in run.shown
        new = procedure
        if former is not None:
            new = counted(new, shown=was_shown, ok=former, times=-1)
        new = judged(counted(new, shown=was_shown, ok=bool(run.ok)))
        changes.append(Move(new, new.reason if new.state != procedure.state else "a task ended"))
    if run.ok and len(run.calls) > 1:
        changes += _mined(services, writer, namespace, run)
    if not changes:
        return None
    return apply(
        writer,
        namespace,
        changes,
        now=services.runtime.now(),
        actor=_SYSTEM,
        guard=services.config.guard,
    )


def _mined(services: Services, writer: Transaction, namespace: str, run: TaskRun) -> list[Change]:
    ns = writer.at(namespace)
    mined = mine(run, ns.task_runs.newest(_COMPARED))
    if mined is None:
        return []
    known_procedures = ns.procedures.all()
    # Also what was retired: it does not come back by itself.
    if any(procedure.steps == mined.steps for procedure in known_procedures):
        return []
    if sum(procedure.is_live for procedure in known_procedures) >= _MOST_LIVE:
        return []
    now = services.runtime.now()
    procedure = Procedure(
        id=services.runtime.new_id(),
        namespace=namespace,
        trigger=mined.trigger,
        steps=mined.steps,
        created_at=now,
        updated_at=now,
        avoid=mined.avoid,
        preconditions=tuple(f"tool: {name}" for name in mined.tools),
        provenance=tuple(f"run:{run_id}" for run_id in mined.run_ids),
    )
    return [Keep(screened(procedure), "mined")]


def screened(procedure: Procedure, text: str = "") -> Procedure:
    """The procedure, set aside if its words, or the text it was read from, are orders to the model."""
    texts = (procedure.trigger, *procedure.steps, *procedure.avoid, *procedure.preconditions, text)
    findings = [sign for text in texts for sign in signs(text) if sign in ("instruction", "markup")]
    if not findings:
        return procedure
    return replace(procedure, state="quarantined", reason="orders to the model in its words")


def keep(services: Services, namespace: str, procedure: Procedure) -> Procedure:
    """Store a procedure from outside; the same one that is there already is returned instead."""

    def work(writer: Transaction) -> Applied | Procedure:
        for existing in writer.at(namespace).procedures.all():
            same = existing.steps == procedure.steps and existing.trigger == procedure.trigger
            if same and existing.state != "retired":
                return existing
        return apply(
            writer,
            namespace,
            [Keep(procedure, "imported")],
            now=services.runtime.now(),
            actor=_PERSON,
            guard=services.config.guard,
        )

    result = services.ledger.write(namespace, work)
    if isinstance(result, Procedure):
        return result
    services.update_indexes(namespace, result)
    return cast("Procedure", result.records[procedure.id])


def settle(services: Services, namespace: str, procedure: Procedure, outcome: str) -> Procedure:
    """Release a procedure from quarantine (`confirmed`), or retire it (`rejected`).

    Raises:
        InvalidInput: that cannot become of it.
    """
    states = {"confirmed": "candidate", "rejected": "retired"}
    if outcome not in states:
        raise InvalidInput(f"outcome is {outcome!r}; of a procedure give confirmed or rejected")
    moved = replace(procedure, state=states[outcome], reason=f"{outcome} by a person")  # type: ignore[arg-type]
    applied = carry_out(services, namespace, [Move(moved, moved.reason)], actor=_PERSON)
    if applied.refused:
        raise InvalidInput(f"outcome is {outcome!r}: {applied.refused[0].reason}")
    return cast("Procedure", applied.records[procedure.id])


def by_id(services: Services, namespace: str, procedure_id: str) -> Procedure | None:
    """The procedure of that id."""
    with services.ledger.reading(namespace) as ns:
        return ns.procedures.by_ids([procedure_id]).get(procedure_id)


def all_of(
    services: Services, namespace: str, states: Iterable[str] | None
) -> tuple[Procedure, ...]:
    """Procedures, oldest first; `states`: only those in one of them."""
    with services.ledger.reading(namespace) as ns:
        return tuple(ns.procedures.all(None if states is None else tuple(states)))
