"""Lives half a year with a memory, through the public API and a moved clock: is what was kept still what is true?

A script (see `script`) is lived once per configuration: turns are remembered, questions are
    recalled, and where the
configuration says so, the memory hears what was answered and dreams every night. The "model" is no
model: it answers with what is shown and true, because whether a real one would is not what is
measured. No language model is called.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cogmem_core.bank import MemoryBank
from cogmem_core.config import Config
from cogmem_core.config.presets import PRESETS
from cogmem_core.engine import open as open_engine
from cogmem_core.errors import InvalidInput
from cogmem_core.evaluation.script import Day, Question, Script, Truth, write
from cogmem_core.evaluation.shown import Shown, Summary, judge, states, summary
from cogmem_core.evaluation.topics import TOPICS
from cogmem_core.models import Memory
from cogmem_core.ports import Embedder
from cogmem_core.results import Recall
from cogmem_core.runtime import monotonic
from cogmem_core.testing import FrozenClock

__all__ = [
    "KEPT",
    "LATE_DAYS",
    "Outcome",
    "Progress",
    "Setup",
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
class Outcome:
    """What became of one life.

    Attributes:
        late: of the questions of the last 60 days, asked as life went by.
        end: of every topic, on the last evening.
        active: memories that a question can find.
        bytes: their texts (UTF-8) and vectors (float32).
        critical, lost: critical facts that were told, and those that no active memory states any
            more.
        resolved: share of the former values that no active memory states, unless one that also
            states the present one.
        did: what the dreams did, by kind.
        troubles: why steps of them failed.
        seconds: of the whole life; dream_seconds: of them in dreams.
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
    """Configurations to compare; without names all of them: `kept`, `feedback`, `feedback+dream` and every preset.

    Args:
        base: the settings of those that are no preset. Presets hear feedback and dream.

    Raises:
        InvalidInput: there is no such configuration.
    """
    presets = {name: config for name, config in PRESETS.items() if name != "default"}
    known = {
        KEPT: Setup(KEPT, base),
        "feedback": Setup("feedback", base, feedback=True),
        "feedback+dream": Setup("feedback+dream", base, feedback=True, dream=True),
        **{
            name: Setup(name, config, feedback=True, dream=True) for name, config in presets.items()
        },
    }
    unknown = [name for name in names if name not in known]
    if unknown:
        raise InvalidInput(
            f"there is no configuration {unknown[0]!r}; use some of {', '.join(known)}"
        )
    return tuple(known[name] for name in dict.fromkeys(names or known))


def settled(config: Config) -> Config:
    """The configuration for a life in a hurry: dreams come when the script says, and nothing is kept for minutes."""
    return replace(
        config,
        consolidation=replace(config.consolidation, trigger="manual"),
        feedback=replace(config.feedback, calibrate_seconds=0.0),
        retrieval=replace(config.retrieval, hot=replace(config.retrieval.hot, seconds=0.0)),
    )


def simulate(
    chosen: Sequence[Setup], embedder: Embedder, *, seeds: int, days: int, progress: Progress
) -> tuple[Outcome, ...]:
    """Live every script with every configuration.

    Args:
        embedder: shared by all; best a `MemoizedEmbedder`.
        seeds, days: how many scripts, and how long they are; 1 or more.
        progress: called with (configuration and seed, days done, days in all).

    Raises:
        InvalidInput: a number is out of bounds.
    """
    for name, value in (("seeds", seeds), ("days", days)):
        if value < 1:
            raise InvalidInput(f"{name} is {value}; use 1 or more")
    return tuple(
        live(script, setup, embedder, progress=progress)
        for script in (write(seed, days) for seed in range(seeds))
        for setup in chosen
    )


def live(script: Script, setup: Setup, embedder: Embedder, *, progress: Progress) -> Outcome:
    """Live one script with one configuration, in memory."""
    began = monotonic()
    clock = FrozenClock(script.days[0].night)
    with open_engine(None, config=settled(setup.config), embedder=embedder, clock=clock) as engine:
        # The background worker would index whenever it gets a turn; what it has not indexed is
        # searched all the same.
        engine.pause()
        life = _Life(engine.bank(f"seed-{script.seed}"), clock, setup)
        late: list[Shown] = []
        for day in script.days:
            shown = life.day(day)
            late += shown if day.number >= len(script.days) - LATE_DAYS else []
            progress(f"{setup.name}, seed {script.seed}", day.number + 1, len(script.days))
        end = summary([judge(_memories(life.ask(question)), question) for question in script.last])
        left = list(_active(life.bank, clock))
    critical = [question for question in script.last if question.critical]
    return Outcome(
        setup=setup.name,
        seed=script.seed,
        late=summary(late),
        end=end,
        active=len(left),
        bytes=sum(
            len(memory.content.encode()) + _FLOAT_BYTES * embedder.dimension for memory in left
        ),
        critical=len(critical),
        lost=sum(
            not any(states(memory, question.current[0]) for memory in left) for question in critical
        ),
        resolved=_resolved(left, script.last),
        llm_calls=life.llm_calls,
        did=dict(life.did),
        troubles=tuple(dict.fromkeys(life.troubles)),
        seconds=monotonic() - began,
        dream_seconds=life.dream_seconds,
    )


def answer(question: Question, shown: Sequence[Memory]) -> str:
    """What the model says: the best one or two of the memories it was shown that state what is true."""
    used = [
        memory.content
        for memory in shown
        if any(states(memory, truth) for truth in question.current)
    ]
    return f"From what you told me: {' And: '.join(used[:_USED_AT_MOST])}" if used else _UNKNOWN


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
        """Talk, ask, dream; returns what the questions were shown."""
        for sitting in day.sittings:
            self.clock.now = sitting.at
            self.llm_calls += self.bank.remember(list(sitting.turns)).llm_calls
        self.clock.now = day.asking.at
        shown = [self._asked(question) for question in day.asking.questions]
        self.clock.now = day.night
        if self.setup.dream:
            self._dream()
        return shown

    def ask(self, question: Question) -> Recall:
        """Recall what answers a question."""
        return self.bank.recall(question.text)

    def _asked(self, question: Question) -> Shown:
        recall = self.ask(question)
        memories = _memories(recall)
        if self.setup.feedback:
            self.bank.feedback(recall, answer(question, memories))
        return judge(memories, question)

    def _dream(self) -> None:
        report = self.bank.consolidate()
        self.llm_calls += report.llm_calls
        self.dream_seconds += report.duration_ms / 1000
        self.troubles += [
            f"{name}: {step.error}" for name, step in report.steps.items() if step.error
        ]
        for step in report.steps.values():
            self.did.update(step.counts)


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


def _resolved(left: Sequence[Memory], questions: Sequence[Question]) -> float:
    """1 if there was nothing to resolve."""
    # The day of a plan that is over is no contradiction.
    facts = {topic.name for topic in TOPICS}
    former = [(old, one.current) for one in questions if one.topic in facts for old in one.outdated]
    if not former:
        return 1.0
    return 1.0 - sum(_stands(left, old, current) for old, current in former) / len(former)


def _stands(left: Sequence[Memory], old: Truth, current: Sequence[Truth]) -> bool:
    return any(
        states(memory, old) and not any(states(memory, truth) for truth in current)
        for memory in left
    )
