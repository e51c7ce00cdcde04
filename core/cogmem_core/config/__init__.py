"""Settings: one frozen dataclass per section, checked by pydantic; bounds and meaning stand beside each default.

All violations are reported at once. `cogmem_core.config.loading` reads the settings from a file and
from the environment.
"""

from __future__ import annotations

from dataclasses import field

from cogmem_core.config.consolidation import (
    CategorySummaryConfig,
    ConsolidationConfig,
    DuplicateConfig,
    FadingConfig,
    ForgettingConfig,
    PromotionConfig,
    RehearsalConfig,
    SelfTestConfig,
    ThemeConfig,
)
from cogmem_core.config.embedding import EmbeddingConfig
from cogmem_core.config.encoding import EncodingConfig, PersonalConfig
from cogmem_core.config.feedback import FeedbackConfig
from cogmem_core.config.guard import GuardConfig
from cogmem_core.config.limits import LimitsConfig
from cogmem_core.config.llm import LLMConfig
from cogmem_core.config.log import LogConfig
from cogmem_core.config.observation import ObservationConfig
from cogmem_core.config.observer import ObserverConfig
from cogmem_core.config.relations import RelationsConfig
from cogmem_core.config.retrieval import (
    BoostConfig,
    HotTierConfig,
    InjectionConfig,
    RetrievalConfig,
    Route,
    RoutesConfig,
    SignalWeights,
)
from cogmem_core.config.sections import section
from cogmem_core.config.short_term import ShortTermConfig
from cogmem_core.config.storage import StorageConfig
from cogmem_core.config.strength import StrengthConfig
from cogmem_core.config.working import WorkingMemoryConfig

__all__ = [
    "BoostConfig",
    "CategorySummaryConfig",
    "Config",
    "ConsolidationConfig",
    "DuplicateConfig",
    "EmbeddingConfig",
    "EncodingConfig",
    "FadingConfig",
    "FeedbackConfig",
    "ForgettingConfig",
    "GuardConfig",
    "HotTierConfig",
    "InjectionConfig",
    "LLMConfig",
    "LimitsConfig",
    "LogConfig",
    "ObservationConfig",
    "ObserverConfig",
    "PersonalConfig",
    "PromotionConfig",
    "RehearsalConfig",
    "RelationsConfig",
    "RetrievalConfig",
    "Route",
    "RoutesConfig",
    "SelfTestConfig",
    "ShortTermConfig",
    "SignalWeights",
    "StorageConfig",
    "StrengthConfig",
    "ThemeConfig",
    "WorkingMemoryConfig",
]


@section("")
class Config:
    """All settings.

    Build it in code, or let `cogmem_core.load_config` read a file and the environment.
    """

    storage: StorageConfig = field(default_factory=StorageConfig)
    embedding: EmbeddingConfig = field(default_factory=EmbeddingConfig)
    llm: LLMConfig = field(default_factory=LLMConfig)
    retrieval: RetrievalConfig = field(default_factory=RetrievalConfig)
    strength: StrengthConfig = field(default_factory=StrengthConfig)
    encoding: EncodingConfig = field(default_factory=EncodingConfig)
    observer: ObserverConfig = field(default_factory=ObserverConfig)
    relations: RelationsConfig = field(default_factory=RelationsConfig)
    short_term: ShortTermConfig = field(default_factory=ShortTermConfig)
    observation: ObservationConfig = field(default_factory=ObservationConfig)
    working: WorkingMemoryConfig = field(default_factory=WorkingMemoryConfig)
    feedback: FeedbackConfig = field(default_factory=FeedbackConfig)
    consolidation: ConsolidationConfig = field(default_factory=ConsolidationConfig)
    guard: GuardConfig = field(default_factory=GuardConfig)
    log: LogConfig = field(default_factory=LogConfig)
    limits: LimitsConfig = field(default_factory=LimitsConfig)
