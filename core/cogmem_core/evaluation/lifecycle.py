"""Simulates half a year with a memory, through the public API and with a moved clock.

It measures whether the memory still holds what is true. A script (see `script`) is lived once per
configuration: turns are remembered, questions are recalled, and if the configuration says so, the
memory gets feedback on the answers and dreams every night. The "model" is no
model: it answers with what is shown and true, because whether a real one would is not what is
measured. No language model is called.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cogmem_core.config import Config
from cogmem_core.config.presets import PRESETS, preset
from cogmem_core.engine import MemoryBank
from cogmem_core.engine import open as open_engine
from cogmem_core.errors import InvalidInput
from cogmem_core.evaluation.script import Day, Script, ScriptQuestion, Truth, write
from cogmem_core.evaluation.shown import Shown, Summary, judge, states, summary
from cogmem_core.evaluation.topics import TOPICS
from cogmem_core.models import Memory
from cogmem_core.ports import Embedder
from cogmem_core.retrieval.recall import Recall
from cogmem_core.runtime import monotonic
from cogmem_core.testing import FrozenClock

__all__ = [
    "KEPT",
    "LATE_DAYS",
    "Progress",
    "Setup",
    "SimulatedLife",
    "answer",
    "live",
    "settled",
    "setups",
    "simulate",
]

KEPT = "kept"
LATE_DAYS = 60
_USED_AT_MOST = 2
_PAGE = 1_000
_UNKNOWN = "I do not know."
_FLOAT_BYTES = 4

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Setup:
    """A configuration, and whether the memory is told what was answered and dreams."""

    name: str
    config: Config
    feedback: bool = False
    dream: bool = False


@dataclass(frozen=True, slots=True)
class SimulatedLife:
    """The figures of one simulated life.

    Attributes:
        late: of the questions of the last 60 days, asked as life went by.
        end: of every topic, on the last evening.
        active: memories that a question can find.
        bytes: their texts (UTF-8) and vectors (float32).
        critical: critical facts that were told.
        lost: critical facts that no active memory states any more.
        resolved: share of the former values that no active memory states, unless one that also
            states the present one.
        did: what the dreams did, by kind.
        troubles: why steps of them failed.
        seconds: of the whole life.
        dream_seconds: of the dreams.
    """

    setup: str
    seed: int
    late: Summary
    end: Summary
    active: int
    bytes: int
    critical: int
    lost: int
    resolved: float
    llm_calls: int
    did: Mapping[str, int]
    troubles: tuple[str, ...]
    seconds: float
    dream_seconds: float


def setups(base: Config, names: Sequence[str] = ()) -> tuple[Setup, ...]:
    """Configurations to compare: `kept`, `feedback`, `feedback+dream` and every preset.

    Args:
        base: the settings of those that are not presets. Presets get feedback and dream.
        names: which configurations; all of them if empty.

    Raises:
        InvalidInput: there is no such configuration.
    """
    available = {
        KEPT: Setup(KEPT, base),
        "feedback": Setup("feedback", base, feedback=True),
        "feedback+dream": Setup("feedback+dream", base, feedback=True, dream=True),
    }
    for name in PRESETS:
        if name != "default":
            available[name] = Setup(name, preset(name), feedback=True, dream=True)
    for name in names:
        if name not in available:
            raise InvalidInput(
                f"there is no configuration {name!r}; use some of {', '.join(available)}"
            )
    return tuple(available[name] for name in dict.fromkeys(names or available))


def settled(config: Config) -> Config:
    """The configuration for a simulated life: dreams by script, no caches that last for minutes."""
    return replace(
        config,
        consolidation=replace(config.consolidation, trigger="manual"),
        feedback=replace(config.feedback, calibrate_seconds=0.0),
        retrieval=replace(config.retrieval, hot=replace(config.retrieval.hot, seconds=0.0)),
    )


def simulate(
    chosen: Sequence[Setup], embedder: Embedder, *, seeds: int, days: int, progress: Progress
) -> tuple[SimulatedLife, ...]:
    """Live every script with every configuration.

    Args:
        embedder: shared by all; best a `MemoizedEmbedder`.
        chosen: the configurations.
        seeds: how many scripts; 1 or more.
        days: how long each script is; 1 or more.
        progress: called with (configuration and seed, days done, days in all).

    Raises:
        InvalidInput: a number is out of bounds.
    """
    for name, value in (("seeds", seeds), ("days", days)):
        if value < 1:
            raise InvalidInput(f"{name} is {value}; use 1 or more")
    lives: list[SimulatedLife] = []
    for seed in range(seeds):
        script = write(seed, days)
        lives += [live(script, setup, embedder, progress=progress) for setup in chosen]
    return tuple(lives)


def live(script: Script, setup: Setup, embedder: Embedder, *, progress: Progress) -> SimulatedLife:
    """Live one script with one configuration, in memory."""
    start = monotonic()
    clock = FrozenClock(script.days[0].night)
    with open_engine(None, config=settled(setup.config), embedder=embedder, clock=clock) as engine:
        # The background worker would index whenever it gets a turn; what it has not indexed is
        # searched all the same.
        engine.pause()
        life = _Life(engine.bank(f"seed-{script.seed}"), clock, setup)
        late: list[Shown] = []
        for day in script.days:
            scores = life.day(day)
            if day.number >= len(script.days) - LATE_DAYS:
                late += scores
            progress(f"{setup.name}, seed {script.seed}", day.number + 1, len(script.days))
        end = summary([judge(_memories(life.ask(question)), question) for question in script.last])
        active = list(_active(life.bank, clock))
    critical = [question for question in script.last if question.critical]
    return SimulatedLife(
        setup=setup.name,
        seed=script.seed,
        late=summary(late),
        end=end,
        active=len(active),
        bytes=sum(len(memory.content.encode()) for memory in active)
        + len(active) * _FLOAT_BYTES * embedder.dimension,
        critical=len(critical),
        lost=sum(not _is_stated(question.current[0], active) for question in critical),
        resolved=_resolved(active, script.last),
        llm_calls=life.llm_calls,
        did=dict(life.did),
        troubles=tuple(dict.fromkeys(life.troubles)),
        seconds=monotonic() - start,
        dream_seconds=life.dream_seconds,
    )


def answer(question: ScriptQuestion, memories: Sequence[Memory]) -> str:
    """The simulated model's answer: the best one or two memories that state what is true."""
    contents = [memory.content for memory in memories if _states_any(memory, question.current)]
    if not contents:
        return _UNKNOWN
    return f"From what you told me: {' And: '.join(contents[:_USED_AT_MOST])}"


@dataclass(slots=True)
class _Life:
    bank: MemoryBank
    clock: FrozenClock
    setup: Setup
    llm_calls: int = 0
    dream_seconds: float = 0.0
    did: Counter[str] = field(default_factory=Counter)
    troubles: list[str] = field(default_factory=list)

    def day(self, day: Day) -> list[Shown]:
        """Talk, ask, dream; returns the scores of the questions."""
        for sitting in day.sittings:
            self.clock.now = sitting.at
            self.llm_calls += self.bank.remember(list(sitting.turns)).llm_calls
        self.clock.now = day.asking.at
        scores = list(map(self._score, day.asking.questions))
        self.clock.now = day.night
        if self.setup.dream:
            self._dream()
        return scores

    def ask(self, question: ScriptQuestion) -> Recall:
        """Recall what answers a question."""
        return self.bank.recall(question.text)

    def _score(self, question: ScriptQuestion) -> Shown:
        recall = self.ask(question)
        memories = _memories(recall)
        if self.setup.feedback:
            self.bank.feedback(recall, answer(question, memories))
        return judge(memories, question)

    def _dream(self) -> None:
        report = self.bank.consolidate()
        self.llm_calls += report.llm_calls
        self.dream_seconds += report.duration_ms / 1000
        for name, step in report.steps.items():
            self.did.update(step.counts)
            if step.error:
                self.troubles.append(f"{name}: {step.error}")


def _memories(recall: Recall) -> list[Memory]:
    return [result.memory for result in recall.results]


def _active(bank: MemoryBank, clock: FrozenClock) -> Iterator[Memory]:
    """What a question can find: active, and not over."""
    cursor: str | None = None
    while True:
        page = bank.list(limit=_PAGE, cursor=cursor)
        yield from (m for m in page.memories if m.valid_until is None or m.valid_until > clock.now)
        cursor = page.cursor
        if cursor is None:
            return


def _resolved(active: Sequence[Memory], questions: Sequence[ScriptQuestion]) -> float:
    """The share of former values that no active memory states alone; 1 if there are none."""
    # The day of a plan that is over is no contradiction.
    topics = {topic.name for topic in TOPICS}
    values = 0
    unresolved = 0
    for question in questions:
        if question.topic in topics:
            values += len(question.outdated)
            unresolved += sum(_stands(active, old, question.current) for old in question.outdated)
    return 1.0 - unresolved / values if values else 1.0


def _stands(active: Sequence[Memory], old: Truth, current: Sequence[Truth]) -> bool:
    """Whether a memory states the old value and none of the present ones."""
    return any(states(memory, old) and not _states_any(memory, current) for memory in active)


def _is_stated(truth: Truth, memories: Iterable[Memory]) -> bool:
    return any(states(memory, truth) for memory in memories)


def _states_any(memory: Memory, truths: Iterable[Truth]) -> bool:
    return any(states(memory, truth) for truth in truths)
