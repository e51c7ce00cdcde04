"""Lives a dated life with a configuration, through the public API and with a moved clock.

Turns are remembered, one call per conversation and day. A question is recalled and, if the
configuration says so, the memory hears the answer; where nothing was shown that the answer rests
on, the model could not have given it, and "I do not know." is heard. A probe is only recalled. At
the end of each day, in UTC, comes a cycle of consolidation, if the configuration says so. No
language model is called.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta, timezone
from itertools import groupby

from cogmem_core.config import Config
from cogmem_core.config.presets import PRESETS, preset
from cogmem_core.engine import MemoryBank
from cogmem_core.engine import open as open_engine
from cogmem_core.errors import InvalidInput
from cogmem_core.evaluation.life_files import Life, LifeProbe, LifeQuestion, LifeTurn, folded
from cogmem_core.models import Memory, Turn
from cogmem_core.ports import Embedder
from cogmem_core.retrieval.recall import Recall
from cogmem_core.testing import FrozenClock

__all__ = ["DEPTH", "KEPT", "LifeResult", "Progress", "Setup", "judged", "live", "setups"]

DEPTH = 3
KEPT = "kept"
_PAGE = 1_000
_UNKNOWN = "I do not know."

Event = LifeTurn | LifeQuestion | LifeProbe
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Setup:
    """A configuration, and whether the memory hears what was answered and has nightly cycles."""

    name: str
    config: Config
    feedback: bool = False
    dream: bool = False


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
        did: what the cycles did, by kind.
        troubles: why steps of them failed.
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


def live(life: Life, setup: Setup, embedder: Embedder, *, progress: Progress) -> LifeResult:
    """Live a life with one configuration, in memory.

    Args:
        life: what is said and asked.
        setup: the configuration.
        embedder: shared by all lives; best a `MemoizedEmbedder`.
        progress: called with (configuration and life, days done, days in all).
    """
    clock = FrozenClock(life.start)
    days = list(_days(life))
    with open_engine(None, config=_settled(setup.config), embedder=embedder, clock=clock) as engine:
        # The background worker would index whenever it gets a turn; what it has not indexed is
        # searched all the same.
        engine.pause()
        run = _Run(engine.bank("life"), clock, setup)
        for done, (midnight, events) in enumerate(days, start=1):
            run.day(events, midnight)
            progress(f"{setup.name}, {life.name}", done, len(days))
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
    )


def judged(contents: Sequence[str], probe: LifeProbe) -> tuple[float, bool | None]:
    """The recall of a ranking, and whether a former value stands above what is expected.

    A memory that holds both, such as a summary, counts as one that holds what is expected.
    """
    texts = list(map(folded, contents))
    found = sum(bool(_places(texts[:DEPTH], [text])) for text in probe.expected)
    former_first = None
    if probe.former:
        first = min(_places(texts, probe.expected), default=len(texts))
        former_first = min(_places(texts, probe.former), default=len(texts)) < first
    return found / len(probe.expected), former_first


@dataclass(slots=True)
class _Run:
    """A bank in the middle of a life."""

    bank: MemoryBank
    clock: FrozenClock
    setup: Setup
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
                self.bank.remember(list(map(_as_turn, turns)))
            for event in together:
                self._ask(event)
        self.clock.now = midnight
        if self.setup.dream:
            self._dream()

    def _ask(self, event: Event) -> None:
        if isinstance(event, LifeProbe):
            self.clock.now = event.at
            contents = [memory.content for memory in _shown(self.bank.recall(event.text))]
            self.judged.append(judged(contents, event))
        elif isinstance(event, LifeQuestion):
            self.clock.now = event.at
            recall = self.bank.recall(event.text)
            shown = any(map(_holds(event.needs), _shown(recall))) or not event.needs
            self.answered.append(shown)
            if self.setup.feedback:
                self.bank.feedback(recall, event.answer if shown else _UNKNOWN)

    def _dream(self) -> None:
        for name, step in self.bank.consolidate().steps.items():
            self.did.update(step.counts)
            if step.error:
                self.troubles.append(f"{name}: {step.error}")


def _days(life: Life) -> Iterator[tuple[datetime, list[Event]]]:
    """Each day's end, in UTC, and its events in order: what is said at a moment comes first."""
    events: list[Event] = [*life.turns, *life.questions, *life.probes]
    events.sort(key=lambda event: event.at)
    midnight = datetime.combine(
        life.start.astimezone(timezone.utc).date(), time(), tzinfo=timezone.utc
    )
    done = 0
    while midnight <= life.end:
        midnight += timedelta(days=1)
        first = done
        while done < len(events) and events[done].at < midnight:
            done += 1
        yield midnight, events[first:done]


def _conversation(event: Event) -> tuple[bool, str | None]:
    return (True, event.session) if isinstance(event, LifeTurn) else (False, None)


def _as_turn(turn: LifeTurn) -> Turn:
    return Turn(turn.text, role=turn.role, at=turn.at, session_id=turn.session, ref=turn.ref)


def _shown(recall: Recall) -> list[Memory]:
    return [result.memory for result in recall.results]


def _holds(needs: Sequence[str]) -> Callable[[Memory], bool]:
    """Whether a memory is, or holds, something that is needed."""

    def holds(memory: Memory) -> bool:
        is_named = not set(needs).isdisjoint(memory.refs)
        return is_named or bool(_places([folded(memory.content)], needs))

    return holds


def _places(contents: Sequence[str], texts: Sequence[str]) -> list[int]:
    """The places of the contents, folded, that hold one of the texts."""
    words = list(map(folded, texts))
    places: list[int] = []
    for place, content in enumerate(contents):
        if any(word in content for word in words):
            places.append(place)
    return places


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
