"""Looking ahead and looking over: what becomes of memories that nobody uses, and what a person should look at.

Reads only. Both follow from the rows as they are: no step of a dream cycle is tried out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import chain

from cogmem_core.config import Config
from cogmem_core.consolidation.room import counts_for_room
from cogmem_core.consolidation.steps.expiry import stays_behind
from cogmem_core.consolidation.steps.forgetting import EMOTIONAL_INTENSITY
from cogmem_core.consolidation.steps.promotion import DEMOTE_UTILITY
from cogmem_core.consolidation.steps.short_term import PROMOTE_ACCESSES, PROMOTE_IMPORTANCE
from cogmem_core.edge.clauses import exempt, reading_of
from cogmem_core.edge.strength import SEMANTIC_MULTIPLIER, retention_of, stands
from cogmem_core.encoding.facts import answers_of
from cogmem_core.maths.decay import CURVES, days_until
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.memories import ACTIVE, EVERYTHING, pages_of
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.text.safety.secrets import find_secrets
from cogmem_core.text.tokens import tokens
from cogmem_core.values.models import Memory, Relation
from cogmem_core.values.results import Audit, Finding, Forecast, ForecastEvent
from cogmem_core.values.results.forecast import ForecastKind

_LISTED = 20
_SHORTEST = 3  # characters of a text that can say something
_FOREVER = timedelta.max / timedelta(days=1)
_MOMENT = 1 / 86_400  # days after a crossing: rounding must not decide whether there was one
_ENDING_KINDS: tuple[ForecastKind, ...] = ("dormant", "demoted", "expires")


def forecast(services: Services, namespace: str, days: float, limit: int) -> Forecast:
    """What becomes of each active memory within some days if nobody uses it, the earliest first.

    The forecast follows the rules that look at one memory alone: retention, uselessness, validity.
    Where there is room (`forgetting.roomy`), nothing but the end of its time takes a memory out of
    recall. It leaves out what depends on other memories (capacity, duplicates, the mean of
    accesses), and what a dream cycle changes earlier (it may rehearse endangered memories, and lets
    the utility of memories that nobody asks for drift).

    Args:
        days: how far to look, above 0.
        limit: of the events.
    """
    now = services.runtime.now()
    config = services.config
    end = _after(now, days) or datetime.max.replace(tzinfo=now.tzinfo)
    events: list[ForecastEvent] = []
    summed_up = config.consolidation.fading.rules or services.llm is not None
    with services.ledger.reading(namespace) as ns:
        probation = frozenset(fact.memory_id for fact in ns.synaptic_tags.short_term())
        roomy = config.consolidation.forgetting.roomy
        active = sum(
            count
            for state, _, category, count in ns.overview.counts()
            if state == "active" and counts_for_room(category, roomy)
        )
        for memory in chain.from_iterable(pages_of(ns.memories, ACTIVE)):
            crowded = active > roomy and counts_for_room(memory.category, roomy)
            events += _MemoryForecast(
                memory, now, config, memory.id in probation, summed_up, crowded
            ).events_until(end)
    events.sort(key=lambda event: (event.when, event.memory_id, event.what))
    return Forecast(now, end, tuple(events[:limit]), more=max(0, len(events) - limit))


def _after(moment: datetime, days: float) -> datetime | None:
    """So many days later; None if that is beyond all dates."""
    try:
        return moment + timedelta(days=days) if days < _FOREVER else None
    except OverflowError:
        return None


@dataclass(frozen=True)
class _MemoryForecast:
    """What lies ahead of one memory that nobody uses.

    Attributes:
        probation: it is kept for the short term.
        summed_up: there is something to write summaries with.
        crowded: there are more memories than there is room for.
    """

    memory: Memory
    now: datetime
    config: Config
    probation: bool
    summed_up: bool
    crowded: bool

    def events_until(self, moment: datetime) -> list[ForecastEvent]:
        """The events in order, up to a moment or the event with which the memory leaves recall."""
        if self.memory.valid_until is not None and self.memory.valid_until <= self.now:
            return []
        possible = (*self._expiry(), *self._threshold_events(), *self._disuse_events())
        events = sorted(possible, key=lambda event: event.when)
        end_index = next(
            (index for index, event in enumerate(events) if event.what in _ENDING_KINDS),
            len(events),
        )
        return [event for event in events[: end_index + 1] if event.when <= moment]

    def _event(self, kind: ForecastKind, due: datetime, why: str) -> ForecastEvent:
        # What was due before is missing nothing but the next dream cycle.
        return ForecastEvent(self.memory.id, self.memory.content, kind, max(self.now, due), why)

    def _runs(self, step: str) -> bool:
        return step in self.config.consolidation.steps or step in self.config.consolidation.tick

    def _expiry(self) -> Iterator[ForecastEvent]:
        valid_until = self.memory.valid_until
        if not self.probation and stays_behind(self.memory, self.config.encoding.foresight_days):
            return
        if valid_until is not None and not (
            self.probation and self._runs("short_term") and self._will_be_promoted()
        ):
            yield self._event("expires", valid_until, "its time is over")

    def _will_be_promoted(self) -> bool:
        """The next dream cycle keeps it for good."""
        memory = self.memory
        used = max(memory.used_count, memory.access_count) >= PROMOTE_ACCESSES
        return used or memory.importance >= PROMOTE_IMPORTANCE or exempt(memory)

    def _threshold_events(self) -> Iterator[ForecastEvent]:
        """The thresholds of retention that it will cross.

        What was crossed before is no news, unless it stays here.
        """
        memory = self.memory
        settings = self.config.consolidation
        curve = CURVES[self.config.strength.curve]
        fading = settings.fading
        forgetting = settings.forgetting
        fades = not memory.immutable and memory.category not in (*fading.exempt, "summary")
        fades = fades and not (fading.standing and stands(memory))
        forgets = "retention" in forgetting.rules and memory.intensity <= EMOTIONAL_INTENSITY
        forgets = forgets and not (forgetting.standing and stands(memory))
        levels: list[tuple[ForecastKind, float | None, float, bool]] = [
            ("endangered", settings.rehearsal.below, curve.endangered, True),
            (
                "fading",
                fading.below,
                curve.fading,
                fades and self.summed_up and self._runs("fading"),
            ),
            ("dormant", forgetting.below, curve.prune, forgets and self._forgettable()),
        ]
        for kind, configured, curve_level, applies in levels:
            level = curve_level if configured is None else configured
            due = self._crossing_of(level) if applies else None
            if due is not None and kind == "dormant":
                used = forgetting.used_days if memory.used_count else 0.0
                due = max(due, _after(self._since(), max(used, forgetting.idle_days)) or due)
            if due is not None and (due > self.now or kind == "dormant"):
                yield self._event(kind, due, f"its retention falls below {level:g}")

    def _forgettable(self) -> bool:
        return (
            self.crowded and self._runs("forgetting") and not (self._protected() or self.probation)
        )

    def _protected(self) -> bool:
        """Nothing that time and disuse do takes it out of recall."""
        memory = self.memory
        lasting = self.config.strength.permanent
        return exempt(memory) or memory.flashbulb or memory.category in lasting

    def _disuse_events(self) -> Iterator[ForecastEvent]:
        """Uselessness: of any memory, and of semantic ones."""
        memory = self.memory
        settings = self.config.consolidation
        forgetting = settings.forgetting
        promotion = settings.promotion
        if (
            "utility" in forgetting.rules
            and memory.utility < forgetting.utility
            and self._forgettable()
        ):
            yield from self._idle_event("dormant", forgetting.unused_days)
        useless = memory.tier == "semantic" and memory.utility < DEMOTE_UTILITY
        if useless and self.crowded and self._runs("promotion") and not self._protected():
            yield from self._idle_event("demoted", promotion.demote_days)

    def _idle_event(self, kind: ForecastKind, days: float) -> Iterator[ForecastEvent]:
        due = _after(self._since(), days)
        if due is not None:
            yield self._event(
                kind,
                due,
                f"of little use: utility {self.memory.utility:.2f}, unused for {days:g} days",
            )

    def _since(self) -> datetime:
        return self.memory.last_reinforced_at or self.memory.created_at

    def _crossing_of(self, level: float) -> datetime | None:
        """When retention falls to a level; None if it never does.

        What never fades, or not so far, is known to `retention_of` alone: it is asked at the moment
        the curve gives.
        """
        memory = self.memory
        strength = self.config.strength
        multiplier = strength.episodic_multiplier
        if memory.tier == "semantic":
            multiplier = SEMANTIC_MULTIPLIER
        if not multiplier:
            return None
        days = days_until(level, memory.stability, strength.curve) / multiplier
        just_after = _after(self._since(), days + _MOMENT)
        if just_after is None or retention_of(memory, just_after, strength) >= level:
            return None
        return _after(self._since(), days)


def audit(services: Services, namespace: str, *, index_lag: int) -> Audit:
    """Look a namespace over, from one snapshot.

    Args:
        index_lag: journal numbers that the vector index is behind.
    """
    with services.ledger.reading(namespace) as ns:
        survey = _AuditSurvey()
        for memory in chain.from_iterable(pages_of(ns.memories, EVERYTHING)):
            survey.add(memory)
        relations = list(ns.relations.all())
        return Audit(
            duplicates=_finding(survey.duplicates),
            contradictions=_finding(_contradicting(survey, relations)),
            junk=_finding(survey.junk),
            orphans=_finding(_orphans(survey, relations, ns)),
            stale_derived=_finding(_stale(survey, relations)),
            secrets=_finding(survey.secrets),
            quarantined=_finding(i for i, state in survey.states.items() if state == "quarantined"),
            index_lag=index_lag,
            queued=ns.turns.counts().get("queued", 0),
        )


@dataclass
class _AuditSurvey:
    """What is kept of the memories that were looked at, so that not all of them are held at once.

    Attributes:
        states: of all memories, by id, oldest first.
        successors: `superseded_by`, by id.
        origins: (memory, turn it came from).
        derived: active ones and what they rest on.
        settled: pairs of which one withdrew a part of the other.
    """

    states: dict[str, str] = field(default_factory=dict)
    successors: dict[str, str] = field(default_factory=dict)
    origins: list[tuple[str, str]] = field(default_factory=list)
    derived: dict[str, tuple[str, ...]] = field(default_factory=dict)
    statements: set[tuple[str, str]] = field(default_factory=set)
    duplicates: list[str] = field(default_factory=list)
    junk: list[str] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list)
    settled: set[frozenset[str]] = field(default_factory=set)

    def add(self, memory: Memory) -> None:
        self.states[memory.id] = memory.state
        self.settled |= {frozenset((memory.id, state.by)) for state in memory.clause_states}
        if memory.superseded_by:
            self.successors[memory.id] = memory.superseded_by
        # A statement that was never a turn has no episode to miss.
        self.origins += [
            (memory.id, source.episode_id) for source in memory.sources if source.episode_id
        ]
        if any(find_secrets(memory.content)):
            self.secrets.append(memory.id)
        if memory.state == "active":
            self._add_active(memory)

    def _add_active(self, memory: Memory) -> None:
        statement = memory.content_hash, answers_of(memory)
        if statement in self.statements:
            self.duplicates.append(memory.id)
        self.statements.add(statement)
        if _says_nothing(memory) and not statement[1]:
            self.junk.append(memory.id)
        if memory.support:
            self.derived[memory.id] = memory.support


def _finding(ids: Iterable[str]) -> Finding:
    distinct = tuple(dict.fromkeys(ids))
    return Finding(len(distinct), distinct[:_LISTED])


def _says_nothing(memory: Memory) -> bool:
    text = memory.content
    return len(text.strip()) < _SHORTEST or not tokens(text) or reading_of(memory).is_idle


def _contradicting(survey: _AuditSurvey, relations: Sequence[Relation]) -> Iterator[str]:
    """Both sides of every contradiction between active memories that is not settled."""
    for relation in relations:
        ends = (relation.source_id, relation.target_id)
        stand = all(survey.states.get(end) == "active" for end in ends)
        if relation.type == "contradicts" and stand and frozenset(ends) not in survey.settled:
            yield from ends


def _orphans(survey: _AuditSurvey, relations: Sequence[Relation], ns: Namespace) -> Iterator[str]:
    """Who is related to nobody, then who came from a turn that is not kept."""
    for relation in relations:
        ends = (relation.source_id, relation.target_id)
        if any(end not in survey.states for end in ends):
            yield next((end for end in ends if end in survey.states), relation.source_id)
    turns = set(ns.turns.ids())
    yield from (memory_id for memory_id, turn in survey.origins if turn not in turns)


def _stale(survey: _AuditSurvey, relations: Sequence[Relation]) -> Iterator[str]:
    """Derived memories with something below them that is gone or was refuted."""
    pairs = {frozenset((x.source_id, x.target_id)) for x in relations if x.type == "contradicts"}

    def lost(member: str) -> bool:
        state = survey.states.get(member, "forgotten")
        refuted = (
            state == "superseded"
            and frozenset((member, survey.successors.get(member, ""))) in pairs
        )
        return state == "forgotten" or refuted

    yield from (
        memory_id for memory_id, support in survey.derived.items() if any(map(lost, support))
    )
