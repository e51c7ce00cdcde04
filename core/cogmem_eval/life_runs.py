"""Lives a dated life with a configuration, through the public API and with a moved clock.

Turns are remembered, one call per conversation and day. A question is recalled and, if the
configuration says so, the memory hears the answer; where nothing was shown that the answer rests
on, the model could not have given it, and "I do not know." is heard. A weak model answers every
second question with the answer to another one, an adversarial one repeats what stands last among
the results, whatever was asked. A probe is only recalled. At the end of each day, in UTC, comes a
cycle of consolidation, if the configuration says so. No language model is called, unless one is
given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta, timezone
from itertools import groupby
from typing import Literal

from cogmem_core.config import Config
from cogmem_core.config.presets import PRESETS, preset
from cogmem_core.engine import MemoryBank
from cogmem_core.engine import open as open_engine
from cogmem_core.errors import InvalidInput
from cogmem_core.models import Memory, Turn
from cogmem_core.ports import LLM, Embedder
from cogmem_core.retrieval.budget import count_tokens
from cogmem_core.retrieval.recall import Recall
from cogmem_core.testing import FrozenClock
from cogmem_eval.life_files import (
    Life,
    LifeProbe,
    LifeQuestion,
    LifeTurn,
    Mode,
    folded,
)
from cogmem_eval.reading import Progress

DEPTH = 3
EVERYTHING = "everything"
KEPT = "kept"
WHOLE = "feedback+dream"
_PAGE = 1_000
_UNKNOWN = "I do not know."

Event = LifeTurn | LifeQuestion | LifeProbe


@dataclass(frozen=True, slots=True)
class Setup:
    """A configuration, and whether the memory hears what was answered and has nightly cycles.

    Attributes:
        answers: whose answers the memory hears: those of the file, a weak model's, an adversary's.
        mode: of every turn; None = as the turn says.
        nights: from one cycle to the next.
        without: the step of the cycle that is left out.
    """

    name: str
    config: Config
    feedback: bool = False
    dream: bool = False
    answers: Literal["given", "weak", "adversarial"] = "given"
    mode: Mode | None = None
    nights: int = 1
    without: str = ""


@dataclass(frozen=True, slots=True)
class LifeResult:
    """What a life with one configuration came to.

    Attributes:
        recall: of each probe the share of what is expected that the best `DEPTH` results hold.
        former_first: of each probe whether a former value stands above what is expected; None if
            it has no former value.
        answered: of each question whether something was shown that its answer rests on.
        vital: how many vital facts the life has.
        lost: those of them that no current memory holds at the end.
        active: memories that a question can find at the end.
        did: what the cycles did, by step and kind, such as "expiry: expired".
        troubles: why steps of them failed.
        tokens: of each probe how long the context block is.
    """

    setup: str
    life: str
    language: str
    recall: tuple[float, ...]
    former_first: tuple[bool | None, ...]
    answered: tuple[bool, ...]
    vital: int
    lost: tuple[str, ...]
    active: int
    did: Mapping[str, int]
    troubles: tuple[str, ...]
    tokens: tuple[int, ...] = ()


def setups(base: Config, names: Sequence[str] = ()) -> tuple[Setup, ...]:
    """Configurations to compare.

    `everything` keeps every turn as it was said and retires nothing; `kept` decides about what is
    said but never about what is kept; `feedback+dream` is the whole; `feedback` and `dream` are
    parts of it; `weak` and `adversarial` are the whole with bad answers; `without:STEP` leaves out
    one step of the cycle. `steps` stands for all of those. The presets have feedback and dream.

    Args:
        base: the settings of those that are not presets.
        names: which configurations; if empty, all but those without a step.

    Raises:
        InvalidInput: there is no such configuration.
    """
    whole = Setup(WHOLE, base, feedback=True, dream=True)
    usual = [
        Setup(EVERYTHING, base, mode="raw"),
        Setup(KEPT, base),
        replace(whole, name="feedback", dream=False),
        replace(whole, name="dream", feedback=False),
        whole,
        replace(whole, name="weak", answers="weak"),
        replace(whole, name="adversarial", answers="adversarial"),
    ]
    usual += [
        replace(whole, name=name, config=preset(name)) for name in PRESETS if name != "default"
    ]
    steps = base.consolidation.steps
    parts = [
        replace(whole, name=f"without:{step}", config=_without(base, step), without=step)
        for step in steps
    ]
    available = {setup.name: setup for setup in (*usual, *parts)}
    setup_names: list[str] = []
    for name in names or [setup.name for setup in usual]:
        if name == "steps":
            setup_names += [setup.name for setup in parts]
        elif name in available:
            setup_names.append(name)
        else:
            raise InvalidInput(
                f"there is no configuration {name!r}; use some of {', '.join(available)}, steps"
            )
    return tuple(available[name] for name in dict.fromkeys(setup_names))


def _without(base: Config, step: str) -> Config:
    steps = tuple(name for name in base.consolidation.steps if name != step)
    return replace(base, consolidation=replace(base.consolidation, steps=steps))


def live_all(
    lives: Sequence[Life], chosen: Sequence[Setup], embedder: Embedder, *, progress: Progress
) -> list[LifeResult]:
    """Live each life with each configuration.

    A step that did nothing in a whole life makes no difference to it: without that step it is not
    lived again.
    """
    results: list[LifeResult] = []
    for life in lives:
        whole: LifeResult | None = None
        for setup in chosen:
            acted = [] if whole is None else [deed.partition(":")[0] for deed in whole.did]
            if whole is not None and setup.without and setup.without not in acted:
                results.append(replace(whole, setup=setup.name))
                continue
            results.append(live(life, setup, embedder, progress=progress))
            if setup.name == WHOLE:
                whole = results[-1]
    return results


def live(
    life: Life,
    setup: Setup,
    embedder: Embedder,
    *,
    progress: Progress,
    llm: LLM | None = None,
) -> LifeResult:
    """Live a life with one configuration, in memory.

    Args:
        life: what is said and asked.
        setup: the configuration.
        embedder: shared by all lives; best a `MemoizedEmbedder`.
        progress: called with (configuration and life, days done, days in all).
        llm: the language model of the bank; None = none.
    """
    clock = FrozenClock(life.start)
    days = list(_days(life))
    config = _settled(setup.config)
    with open_engine(None, config=config, embedder=embedder, llm=llm, clock=clock) as engine:
        # The background worker would index whenever it gets a turn; what it has not indexed is
        # searched all the same.
        engine.pause()
        run = _Run(engine.bank("life"), clock, setup, life.questions)
        for number, (midnight, events) in enumerate(days, start=1):
            run.day(events, midnight)
            progress(f"{setup.name}, {life.name}", number, len(days))
        active = list(_active(run.bank, clock))
    contents = [folded(memory.content) for memory in active]
    return LifeResult(
        setup=setup.name,
        life=life.name,
        language=life.language,
        recall=tuple(recall for recall, _ in run.judged),
        former_first=tuple(former_first for _, former_first in run.judged),
        answered=tuple(run.answered),
        vital=len(life.vital),
        lost=tuple(fact for fact in life.vital if not _places(contents, [fact])),
        active=len(active),
        did=dict(+run.did),
        troubles=tuple(dict.fromkeys(run.troubles)),
        tokens=tuple(run.tokens),
    )


def judged(contents: Sequence[str], probe: LifeProbe) -> tuple[float, bool | None]:
    """The recall of a ranking, and whether a former value stands above what is expected.

    A memory that holds both, such as a summary, counts as one that holds what is expected.
    """
    texts = list(map(folded, contents))
    hits = sum(bool(_places(texts[:DEPTH], [text])) for text in probe.expected)
    former_first = None
    if probe.former:
        first = min(_places(texts, probe.expected), default=len(texts))
        former_first = min(_places(texts, probe.former), default=len(texts)) < first
    return hits / len(probe.expected), former_first


@dataclass(slots=True)
class _Run:
    """A bank in the middle of a life."""

    bank: MemoryBank
    clock: FrozenClock
    setup: Setup
    questions: Sequence[LifeQuestion]
    days: int = 0
    tokens: list[int] = field(default_factory=list)
    judged: list[tuple[float, bool | None]] = field(default_factory=list)
    answered: list[bool] = field(default_factory=list)
    did: Counter[str] = field(default_factory=Counter)
    troubles: list[str] = field(default_factory=list)

    def day(self, events: Sequence[Event], midnight: datetime) -> None:
        """Everything that is said and asked, and the cycle of the night."""
        for _, group in groupby(events, key=_conversation):
            together = list(group)
            turns = [event for event in together if isinstance(event, LifeTurn)]
            if turns:
                self.clock.now = turns[-1].at
                mode = self.setup.mode or turns[0].mode
                self.bank.remember(list(map(_as_turn, turns)), mode=mode)
            for event in together:
                self._ask(event)
        self.clock.now = midnight
        self.days += 1
        if self.setup.dream and self.days % self.setup.nights == 0:
            self._dream()

    def _ask(self, event: Event) -> None:
        if isinstance(event, LifeTurn):
            return
        self.clock.now = event.at
        recall = self.bank.recall(event.text)
        if isinstance(event, LifeProbe):
            self.tokens.append(count_tokens(recall.context()))
            self.judged.append(judged([memory.content for memory in _shown(recall)], event))
        else:
            shown = _shown(recall)
            is_shown = not event.needs or any(_holds(memory, event.needs) for memory in shown)
            self.answered.append(is_shown)
            if self.setup.feedback:
                self.bank.feedback(recall, self._answer(event, recall, shown=is_shown))

    def _answer(self, question: LifeQuestion, recall: Recall, *, shown: bool) -> str:
        """What the model says."""
        contents = [memory.content for memory in _shown(recall)]
        if self.setup.answers == "adversarial" and contents:
            return contents[-1]
        if self.setup.answers == "weak" and len(self.answered) % 2:
            place = self.questions.index(question)
            return self.questions[(place + 1) % len(self.questions)].answer
        return question.answer if shown else _UNKNOWN

    def _dream(self) -> None:
        for name, step in self.bank.consolidate().steps.items():
            for kind, count in step.counts.items():
                self.did[f"{name}: {kind}"] += count
            if step.error:
                self.troubles.append(f"{name}: {step.error}")


def _days(life: Life) -> Iterator[tuple[datetime, list[Event]]]:
    """Each day's end, in UTC, and its events in order: what is said at a moment comes first."""
    events: list[Event] = [*life.turns, *life.questions, *life.probes]
    events.sort(key=lambda event: event.at)
    midnight = datetime.combine(
        life.start.astimezone(timezone.utc).date(), time(), tzinfo=timezone.utc
    )
    end = 0
    while midnight <= life.end:
        midnight += timedelta(days=1)
        first = end
        while end < len(events) and events[end].at < midnight:
            end += 1
        yield midnight, events[first:end]


def _conversation(event: Event) -> tuple[bool, str | None, str | None]:
    if isinstance(event, LifeTurn):
        return True, event.session, event.mode
    return False, None, None


def _as_turn(turn: LifeTurn) -> Turn:
    return Turn(turn.text, role=turn.role, at=turn.at, session_id=turn.session, ref=turn.ref)


def _shown(recall: Recall) -> list[Memory]:
    return [result.memory for result in recall.results]


def _holds(memory: Memory, needs: Sequence[str]) -> bool:
    """Whether a memory is, or holds, something that is needed."""
    is_named = not set(needs).isdisjoint(memory.refs)
    return is_named or bool(_places([folded(memory.content)], needs))


def _places(contents: Sequence[str], texts: Sequence[str]) -> list[int]:
    """The places of the contents, folded, that hold one of the texts."""
    words = list(map(folded, texts))
    return [
        place for place, content in enumerate(contents) if any(word in content for word in words)
    ]


def _settled(config: Config) -> Config:
    """The configuration for a life: cycles by the clock, no caches that last for minutes."""
    return replace(
        config,
        consolidation=replace(config.consolidation, trigger="manual"),
        feedback=replace(config.feedback, calibrate_seconds=0.0),
        retrieval=replace(config.retrieval, hot=replace(config.retrieval.hot, seconds=0.0)),
    )


def _active(bank: MemoryBank, clock: FrozenClock) -> Iterator[Memory]:
    """What a question can find: active, and not over."""
    cursor: str | None = None
    while True:
        page = bank.list(limit=_PAGE, cursor=cursor)
        yield from (m for m in page.memories if m.valid_until is None or m.valid_until > clock.now)
        cursor = page.cursor
        if cursor is None:
            return
