"""Settings of `[consolidation]`: which steps of the dream cycle run, when, how often, and within which bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cogmem_core.config.bounds import choice, members, number, table
from cogmem_core.models import CATEGORIES

__all__ = [
    "STEP_NAMES",
    "CategorySummaryConfig",
    "ConsolidationConfig",
    "DriftConfig",
    "DuplicateConfig",
    "EmotionalConfig",
    "FadingConfig",
    "ForgettingConfig",
    "InsightConfig",
    "PatternConfig",
    "PromotionConfig",
    "RedundancyConfig",
    "RehearsalConfig",
    "ThemeConfig",
]

STEP_NAMES = (
    "expiry",
    "short_term",
    "utility_drift",
    "emotional",
    "synaptic_replay",
    "rehearsal",
    "conflicts",
    "duplicates",
    "redundancy",
    "forgetting",
    "cascade",
    "fading",
    "themes",
    "insights",
    "abstraction",
    "category_summaries",
    "promotion",
    "relation_trim",
    "reindex",
)
"""The steps in the order in which they run."""


@dataclass(frozen=True, slots=True)
class DriftConfig:
    """Utility of what nobody asks for drifts back to 0.5.

    Attributes:
        rate: of the way per day.
        hours: at most once in so many.
        least: smaller changes are not made.
    """

    rate: float = number(0.01, 0.0, 1.0)
    hours: float = number(24.0, 0.0, 8_760.0)
    least: float = number(0.0001, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class EmotionalConfig:
    """Flashbulb memories settle: `factor` on stability, at most once in `hours`, up to the ceiling."""

    factor: float = number(1.05, 1.0, 2.0)
    hours: float = number(24.0, 0.0, 8_760.0)


@dataclass(frozen=True, slots=True)
class RehearsalConfig:
    """What is worth keeping and about to fade is rehearsed.

    Attributes:
        below: retention under which a memory is endangered; None = as the curve says.
        importance, utility: either, at least so high, makes a memory worth it. Every memory starts
            at a utility of 0.5, so a threshold of 0.5 rehearses whatever was never judged.
        factor: on stability.
        limit: memories per cycle, the most endangered first.
        hours: at most once in so many, per namespace and per memory.
    """

    below: float | None = number(None, 0.0, 1.0)
    importance: float = number(0.6, 0.0, 1.0)
    utility: float = number(0.6, 0.0, 1.0)
    factor: float = number(1.5, 1.0, 10.0)
    limit: int = number(50, 0, 1_000_000)
    hours: float = number(24.0, 0.0, 8_760.0)


@dataclass(frozen=True, slots=True)
class DuplicateConfig:
    """Near-identical memories of one category become one.

    Attributes:
        similarity: cosine from which on.
        neighbours: of each memory that are looked at.
        lookups: memories whose neighbours are looked up per cycle; the next one goes on from there.
        vectors: False = only texts that are the same.
    """

    similarity: float = number(0.95, 0.0, 1.0)
    neighbours: int = number(8, 1, 100)
    lookups: int = number(20_000, 0, 10_000_000)
    vectors: bool = True


@dataclass(frozen=True, slots=True)
class RedundancyConfig:
    """Of two memories that say nearly the same the less useful one goes dormant.

    Attributes:
        similarity: cosine above which.
        pairs: per cycle.
    """

    similarity: float = number(0.9, 0.0, 1.0)
    pairs: int = number(50, 0, 1_000_000)


@dataclass(frozen=True, slots=True)
class ForgettingConfig:
    """What goes dormant: nothing is deleted, and everything can be restored.

    Attributes:
        rules: which of the rules apply: `outdone` (answers use a newer memory of the same thing
            instead: retrieval-induced forgetting, Anderson, Bjork & Bjork 1994), `retention`,
            `utility`, `bcm` (access below the namespace's mean: as soon as anything is used often,
            what was not used leaves, which costs facts that are asked for once a month) and
            `capacity`.
        below: retention under which a memory is put away; None = as the curve says.
        intensity: more emotional ones are spared from that.
        idle_days: so are those that were stored in so many days; used_days: or ever used by an
            answer, and that in so many: what is seldom needed is needed all the same.
        standing: so is what a person says of how things stand ("My blood group is AB positive"): it
            is over when something else is said, or when it proves useless; what happened once
            fades.
        rival_times: so often in a row it was ignored, and so often the same newer memory was used
            instead.
        rival_similarity: cosine of the two, at least.
        utility: below it, and unused for `unused_days`, a memory is put away.
        minimum_days: age per category before `bcm` may take a memory; categories that are not named
            are never taken.
        capacity: active memories above which the least useful are put away, down to `trimmed_to`.
        share: of the active memories, at most this part per cycle, but 100 in any case: nobody
            shall find his memory gone overnight. Capacity excepted.
        limit: memories per cycle. Capacity excepted.
    """

    rules: tuple[str, ...] = members(
        ("outdone", "retention", "utility", "capacity"),
        "outdone",
        "retention",
        "utility",
        "bcm",
        "capacity",
    )
    below: float | None = number(None, 0.0, 1.0)
    intensity: float = number(0.3, 0.0, 1.0)
    idle_days: float = number(45.0, 0.0, 36_500.0)
    used_days: float = number(180.0, 0.0, 36_500.0)
    standing: bool = True
    rival_times: int = number(3, 1, 1_000)
    rival_similarity: float = number(0.6, 0.0, 1.0)
    utility: float = number(0.15, 0.0, 1.0)
    unused_days: float = number(30.0, 0.0, 36_500.0)
    minimum_days: Mapping[str, float] = table(
        {"decision": 45.0, "fact": 14.0, "plan": 7.0, "other": 7.0}, *CATEGORIES, maximum=36_500.0
    )
    capacity: int = number(100_000, 1, 100_000_000)
    trimmed_to: float = number(0.9, 0.0, 1.0)
    share: float = number(0.2, 0.0, 1.0)
    limit: int = number(20_000, 0, 10_000_000)


@dataclass(frozen=True, slots=True)
class FadingConfig:
    """Fading memories that belong together become one summary; they stay, cold and restorable.

    Attributes:
        below: retention under which a memory fades; None = as the curve says.
        similarity: cosine to the first of a group.
        least, most: members of a group.
        candidates: the most faded ones of each category per cycle.
        groups: per cycle.
        characters: longer memories are left alone.
        weight: of the relation from the summary to each of its members.
        standing: what a person says of how things stand is left as it is; what happened is summed
            up.
        exempt: categories that are never consolidated.
        rules: also without a language model. Texts in a row tell all that their members told, but
            answer no question as well as one of them: on LoCoMo that costs a tenth of recall@5.
    """

    below: float | None = number(None, 0.0, 1.0)
    similarity: float = number(0.70, 0.0, 1.0)
    least: int = number(5, 2, 1_000)
    most: int = number(5, 2, 1_000)
    candidates: int = number(2_000, 0, 100_000)
    groups: int = number(50, 0, 100_000)
    characters: int = number(4_000, 1, 100_000)
    weight: float = number(0.8, 0.0, 1.0)
    standing: bool = True
    exempt: tuple[str, ...] = members((), *CATEGORIES)
    rules: bool = False


@dataclass(frozen=True, slots=True)
class ThemeConfig:
    """Themes of clusters, by a language model.

    Attributes:
        shared_entities: so many make a cluster, or the same category and importance within
            `importance_gap`.
        similarity: cosine to the first of the cluster, in either case; 0 = not asked for.
        least, most: members of a cluster.
        limit: themes per cycle.
        importance: of a theme.
        candidates: the newest memories among which clusters are looked for.
        retry_hours: a cluster about which the model said nothing usable is left alone for so long;
            that goes for insights and patterns, too.
        supersede: the members leave recall.
    """

    shared_entities: int = number(1, 1, 8)
    importance_gap: float = number(0.3, 0.0, 1.0)
    similarity: float = number(0.5, 0.0, 1.0)
    least: int = number(3, 2, 1_000)
    most: int = number(12, 2, 1_000)
    limit: int = number(5, 0, 1_000)
    importance: float = number(0.8, 0.0, 1.0)
    candidates: int = number(2_000, 1, 100_000)
    retry_hours: float = number(24.0, 0.0, 8_760.0)
    supersede: bool = False


@dataclass(frozen=True, slots=True)
class InsightConfig:
    """Insights from what is used together, by a language model.

    Attributes:
        weight: of a co-activation that counts, as it is today.
        least, most: members of a cluster.
        limit: insights per cycle.
        importance: of an insight.
    """

    weight: float = number(0.3, 0.0, 1.0)
    least: int = number(5, 2, 1_000)
    most: int = number(20, 2, 1_000)
    limit: int = number(5, 0, 1_000)
    importance: float = number(0.8, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class PatternConfig:
    """Patterns of behaviour in the `clusters` largest clusters, by a language model (deep abstraction)."""

    clusters: int = number(3, 0, 100)
    importance: float = number(0.85, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class CategorySummaryConfig:
    """One summary per category, updated in place.

    Attributes:
        least: active memories from which on a category has one.
        most: of the most important ones it is made of.
        seconds: at most once in so many.
        importance: of the summary.
        rules: also without a language model, from the most important sentences.
    """

    least: int = number(10, 2, 1_000_000)
    most: int = number(40, 2, 1_000)
    seconds: float = number(60.0, 0.0, 31_536_000.0)
    importance: float = number(0.8, 0.0, 1.0)
    rules: bool = False


@dataclass(frozen=True, slots=True)
class PromotionConfig:
    """From episodic to semantic, and from there to dormant.

    Attributes:
        rules: which of the rules promote: `old` (used `retrievals` times and older than `days`),
            `access` (used or said), `utility` (at least `utility`, and `days` old) and `entity` (so
            many episodic memories share one).
        retrievals, days, accesses, utility, shared: their numbers.
        counted: what `old`
        counts: `use` in an answer, or every `retrieval`, whatever came of it.
        demote_days, demote_utility: a semantic memory that was idle for so long and is less useful
            goes dormant.
        limit: memories per cycle.
    """

    rules: tuple[str, ...] = members(
        ("old", "access", "utility"), "old", "access", "utility", "entity"
    )
    retrievals: int = number(3, 1, 1_000_000)
    counted: str = choice("use", "use", "retrieval")
    days: float = number(7.0, 0.0, 36_500.0)
    accesses: int = number(3, 1, 1_000_000)
    utility: float = number(0.7, 0.0, 1.0)
    shared: int = number(3, 1, 1_000_000)
    demote_days: float = number(60.0, 0.0, 36_500.0)
    demote_utility: float = number(0.2, 0.0, 1.0)
    limit: int = number(20_000, 0, 10_000_000)


@dataclass(frozen=True, slots=True)
class ConsolidationConfig:
    """The dream cycle.

    Attributes:
        steps: of a full cycle.
        tick: of the cheap one. Their order is fixed.
        trigger: what starts a cycle in the background: `interval` (`hours` after the first write or
            the last cycle, while the engine is in use), `turns` or `ingestions` (every so many), or
            nothing (`manual`).
        hours: of the interval.
        idle_hours: a cycle also runs when nothing was written for so long, because time itself
            makes plans expire and memories fade.
        every: turns, or calls of `remember`, between two cycles.
        automatic: what a trigger runs.
        lease_seconds: after which a cycle that died no longer holds up the next one.
        conflict: which side of a contradiction stays: `newer`, or `personality` (see
            `ObservationConfig`).
        restated: contradictions that nobody has linked are looked for, too: every statement of the
            former value of an attribute is superseded by the newest one, not only the one that a
            new statement was compared with.
        careful: two memories are the same, or one makes the other redundant, only if their words
            say so, too: "the left lamp" and "the right lamp" lie nearer than 0.95; False =
            the vectors alone decide.
        spare_used: what an answer ever used is neither put away as never useful nor demoted; False
            = it may be.
        respect_days: what a person restored, or brought back by undoing a cycle, is not put away
            again for so long.
    """

    steps: tuple[str, ...] = members(STEP_NAMES, *STEP_NAMES)
    tick: tuple[str, ...] = members(
        ("expiry", "synaptic_replay", "cascade", "fading", "reindex"), *STEP_NAMES
    )
    trigger: str = choice("interval", "interval", "turns", "ingestions", "manual")
    hours: float = number(1.0, 0.0, 8_760.0)
    idle_hours: float = number(24.0, 0.0, 8_760.0)
    every: int = number(50, 1, 1_000_000)
    automatic: str = choice("consolidate", "consolidate", "tick")
    lease_seconds: float = number(120.0, 1.0, 86_400.0)
    conflict: str = choice("personality", "newer", "personality")
    restated: bool = True
    careful: bool = True
    spare_used: bool = True
    respect_days: float = number(30.0, 0.0, 36_500.0)
    drift: DriftConfig = field(default_factory=DriftConfig)
    emotional: EmotionalConfig = field(default_factory=EmotionalConfig)
    rehearsal: RehearsalConfig = field(default_factory=RehearsalConfig)
    duplicates: DuplicateConfig = field(default_factory=DuplicateConfig)
    redundancy: RedundancyConfig = field(default_factory=RedundancyConfig)
    forgetting: ForgettingConfig = field(default_factory=ForgettingConfig)
    fading: FadingConfig = field(default_factory=FadingConfig)
    themes: ThemeConfig = field(default_factory=ThemeConfig)
    insights: InsightConfig = field(default_factory=InsightConfig)
    patterns: PatternConfig = field(default_factory=PatternConfig)
    summaries: CategorySummaryConfig = field(default_factory=CategorySummaryConfig)
    promotion: PromotionConfig = field(default_factory=PromotionConfig)
