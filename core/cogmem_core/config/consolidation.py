"""Settings of `[consolidation]`: which steps of the dream cycle run, when, how often, and within which bounds."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, Literal, get_args

from pydantic import Field, StrictBool, StrictFloat, StrictInt

from cogmem_core.config.sections import (
    Count,
    Days,
    OneOf,
    Share,
    Table,
    UpToHundredMillion,
    UpToMillion,
    in_order,
    section,
)
from cogmem_core.values.models import CATEGORIES, Category

StepName = Literal[
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
    "self_test",
    "erasures",
]
STEP_NAMES: tuple[StepName, ...] = get_args(StepName)
"""The steps in the order in which they run."""
_OFF: tuple[StepName, ...] = ("redundancy", "fading")
# Nearness as measured leaves `redundancy` nothing that `duplicates` does not find. A summary of what
# faded answers fewer questions than what it stands for, and forgetting is for room.
_ON = tuple(name for name in STEP_NAMES if name not in _OFF)


@section("consolidation.rehearsal")
class RehearsalConfig:
    """What is worth keeping and about to fade is rehearsed."""

    below: Share | None = None
    """Retention under which a memory is endangered; none = as the curve says."""
    importance: Share = 0.6
    """Importance from which on a memory is worth rehearsing."""
    utility: Share = 0.51
    """Utility from which on a memory is worth rehearsing: what answers used in the last half year or
    so. Every memory starts at 0.5, so 0.5 rehearses whatever was never judged."""


@section("consolidation.duplicates")
class DuplicateConfig:
    """Near-identical memories of one category become one."""

    lookups: Count = 20_000
    """Memories whose neighbours are looked up per cycle; the next one goes on from there."""


@section("consolidation.forgetting")
class ForgettingConfig:
    """What goes dormant: nothing is deleted, and everything can be restored."""

    rules: tuple[Literal["outdone", "retention", "utility", "bcm", "capacity"], ...] = (
        "outdone",
        "retention",
        "utility",
        "capacity",
    )
    """Which of the rules apply: `outdone` (answers use a newer memory of the same thing instead:
    retrieval-induced forgetting, Anderson, Bjork & Bjork 1994; where there is room, of the same
    attribute), `retention`, `utility` (examined and passed over again and again, never used),
    `bcm` (access below the namespace's mean: as soon as anything is used often, what was not used
    leaves, which costs facts that are asked for once a month) and `capacity`."""
    roomy: Annotated[StrictInt, Field(ge=0, le=100_000_000)] = 2_000
    """Active memories up to which nothing is put away for disuse or low utility: forgetting is for
    room. Above it the least valuable goes first, down to the mark; 0 = disuse always counts."""
    below: Share | None = None
    """Retention under which a memory is put away; None = as the curve says."""
    idle_days: Days = 45.0
    """Memories that were stored in so many days are spared by the rule `retention`."""
    used_days: Days = 180.0
    """Memories that an answer used in so many days are spared by the rule `retention`: what is
    seldom needed is needed all the same."""
    standing: StrictBool = True
    """What a person says of how things stand ("My blood group is AB positive") is spared by the
    rule `retention`: it is over when something else is said, or when it proves useless."""
    utility: Share = 0.15
    """A memory less useful than this, and unused for `unused_days`, may be put away by the rule
    `utility`; with `spare_used` only one that was never used though it was examined often."""
    unused_days: Days = 30.0
    """Days without use after which the rule `utility` applies."""
    minimum_days: Table[
        Annotated[str, OneOf(CATEGORIES)], Annotated[StrictFloat, Field(gt=0.0, le=36_500.0)]
    ] = field(default_factory=lambda: {"decision": 45.0, "fact": 14.0, "plan": 7.0, "other": 7.0})
    """Age per category before `bcm` may take a memory; categories that are not named are never
    taken."""
    capacity: UpToHundredMillion = 100_000
    """Active memories above which the least useful are put away, down to `trimmed_to`."""
    trimmed_to: Share = 0.9
    """Share of `capacity` that remains when it was exceeded."""
    share: Share = 0.2
    """Of the active memories, at most this part per cycle, but 100 in any case: nobody shall find
    his memory gone overnight. Capacity excepted."""
    limit: Count = 20_000
    """Memories per cycle. Capacity excepted."""


@section("consolidation.fading")
class FadingConfig:
    """Fading memories that belong together become one summary; they stay, cold and restorable.

    Off by default (`consolidation.steps`).
    """

    below: Share | None = None
    """Retention under which a memory fades; none = as the curve says."""
    similarity: Share | None = None
    """Cosine to the first memory of a group, at least; None = nearer than 99 of 100 pairs of this
    namespace's memories, which means the same to every embedder."""
    least: Annotated[StrictInt, Field(ge=2, le=1_000)] = 5
    """Members of a group, at least."""
    most: Annotated[StrictInt, Field(ge=2, le=1_000)] = 5
    """Members of a group, at most."""
    standing: StrictBool = True
    """What a person says of how things stand is left as it is; what happened is summed up."""
    exempt: tuple[Category, ...] = ()
    """Categories that are never consolidated."""
    rules: StrictBool = False
    """Summaries are made without a language model, too: texts in a row answer no question as well
    as one of them (a tenth of recall@5 on LoCoMo)."""

    def __post_init__(self) -> None:
        in_order(self, "least", "most")


@section("consolidation.themes")
class ThemeConfig:
    """Themes of clusters, by a language model."""

    similarity: Share = 0.5
    """Cosine to the first memory of a cluster, at least; 0 = not asked for."""
    candidates: Annotated[StrictInt, Field(ge=1, le=100_000)] = 2_000
    """The newest memories among which clusters are looked for."""
    supersede: StrictBool = False
    """The members leave recall."""


@section("consolidation.summaries")
class CategorySummaryConfig:
    """One summary per category, updated in place."""

    least: Annotated[StrictInt, Field(ge=2, le=1_000_000)] = 10
    """Active memories from which on a category has a summary."""
    rules: StrictBool = False
    """Summaries are made without a language model, too, from the most important sentences."""


@section("consolidation.promotion")
class PromotionConfig:
    """From episodic to semantic, and from there to dormant."""

    rules: tuple[Literal["old", "access", "utility", "entity"], ...] = ("old", "access", "utility")
    """Which of the rules promote what an answer used: `old` (used three times and older than seven days), `access`
    (used or said three times), `utility` (at least 0.7, and seven days old) and `entity` (three
    episodic memories share one)."""
    counted: Literal["use", "retrieval"] = "use"
    """What the rules count: `use` in an answer, so that nothing is promoted that was never used,
    or every `retrieval`, whatever came of it."""
    demote_days: Days = 60.0
    """Idle days after which a semantic memory less useful than 0.2 goes dormant, where there is no
    room (`forgetting.roomy`)."""
    limit: Count = 20_000
    """Memories per cycle."""


@section("consolidation.self_test")
class SelfTestConfig:
    """The bank asks itself for what it holds, counts what it finds, and repairs what is broken."""

    questions: Count = 50
    """Questions per cycle, at most."""
    share: Share = 0.05
    """Of the time that cycles take, at most this part goes into it; what is too short for a question
    is saved for the next cycle. A cycle of no other step is not bound by it."""


@section("consolidation")
class ConsolidationConfig:
    """The dream cycle."""

    steps: tuple[StepName, ...] = _ON
    """Steps of a full cycle; their order is fixed. `redundancy` is off, because `duplicates` finds
    what says the same; `fading` is off, because what it sums up leaves recall, and a summary answers
    fewer questions than what it stands for. Without a language model `themes`, `insights`,
    `abstraction` and `category_summaries` are skipped, and so is `cascade` as long as nothing is
    derived; the note of the step says so."""
    tick: tuple[StepName, ...] = ("expiry", "synaptic_replay", "cascade", "reindex")
    """Steps of the cheap cycle; their order is fixed."""
    trigger: Literal["interval", "turns", "ingestions", "manual"] = "interval"
    """What starts a cycle in the background: `interval` (`hours` after the first write or the
    last cycle, while the engine is in use), `turns` or `ingestions` (`every` so many), or nothing
    (`manual`)."""
    hours: Annotated[StrictFloat, Field(ge=0.0, le=8_760.0)] = 1.0
    """Hours of the interval."""
    idle_hours: Annotated[StrictFloat, Field(ge=0.0, le=8_760.0)] = 24.0
    """A cycle also runs when nothing was written for so long: time itself makes plans expire and
    memories fade."""
    every: UpToMillion = 50
    """Turns, or calls of `remember`, between two cycles."""
    automatic: Literal["consolidate", "tick"] = "consolidate"
    """What a trigger runs."""
    lease_seconds: Annotated[StrictFloat, Field(ge=1.0, le=86_400.0)] = 120.0
    """Seconds after which a cycle that died no longer holds up the next one."""
    conflict: Literal["newer", "personality"] = "personality"
    """Which side of a contradiction stays: `newer`, or the one that `personality` decides for
    (see `observation.personality`)."""
    restated: StrictBool = True
    """Contradictions that nobody has linked are looked for, too: every statement of the former
    value of an attribute is superseded by the newest one, not only the one that a new statement
    was compared with."""
    careful: StrictBool = True
    """Two memories are the same, or one makes the other redundant, only if their words say so,
    too: "the left lamp" and "the right lamp" lie nearer than 0.95; False = the vectors alone
    decide."""
    spare_used: StrictBool = True
    """What an answer ever used is neither put away as never useful nor demoted; False = it may
    be."""
    respect_days: Days = 30.0
    """What a person restored, or brought back by undoing a cycle, is not put away again for so
    long."""
    erasure_check_days: Days = 7.0
    """Days between two cycles in which the step `erasures` looks for what was erased and is there
    again."""
    rehearsal: RehearsalConfig = field(default_factory=RehearsalConfig)
    duplicates: DuplicateConfig = field(default_factory=DuplicateConfig)
    forgetting: ForgettingConfig = field(default_factory=ForgettingConfig)
    fading: FadingConfig = field(default_factory=FadingConfig)
    themes: ThemeConfig = field(default_factory=ThemeConfig)
    summaries: CategorySummaryConfig = field(default_factory=CategorySummaryConfig)
    promotion: PromotionConfig = field(default_factory=PromotionConfig)
    self_test: SelfTestConfig = field(default_factory=SelfTestConfig)
