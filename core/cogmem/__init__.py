"""cogmem: memory for agents that remembers, forgets, consolidates, and learns from what was used.

>>> import cogmem
>>> with cogmem.open(embedder="hashing") as engine:
...     alice = engine.bank("alice")
...     _ = alice.remember("I moved to Lisbon in May", session_id="s1")
...     print(alice.recall("where in Lisbon?").results[0].content)
I moved to Lisbon in May
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cogmem.bank import MemoryBank
    from cogmem.config import (
        BoostConfig,
        Config,
        EchoConfig,
        EmbeddingConfig,
        EncodingConfig,
        FeedbackConfig,
        GateConfig,
        HotTierConfig,
        ImportanceConfig,
        InjectionConfig,
        LexicalConfig,
        LimitsConfig,
        LLMConfig,
        LogConfig,
        ObservationConfig,
        ObserverConfig,
        RelationsConfig,
        RetrievalConfig,
        Route,
        RoutesConfig,
        ShortTermConfig,
        SignalWeights,
        StorageConfig,
        StrengthConfig,
        TaggingConfig,
        WorkingMemoryConfig,
    )
    from cogmem.engine import Engine, open  # noqa: A004 - cogmem.open() reads as it should
    from cogmem.errors import (
        BankClosed,
        CogMemError,
        ConfigError,
        EmbedderMismatch,
        EmbedderUnavailable,
        InvalidInput,
        NotFound,
        Protected,
        StoreError,
        StoreVersionError,
    )
    from cogmem.loading import load_config
    from cogmem.models import (
        Episode,
        Feedback,
        JournalEntry,
        Memory,
        MemoryVersion,
        ObservationNote,
        Relation,
        ShortTerm,
        Source,
        SynapticTag,
        Turn,
    )
    from cogmem.presets import preset
    from cogmem.results import (
        FactReceipt,
        ForgetReceipt,
        History,
        ImportReport,
        LifeStory,
        ObservationReport,
        Page,
        Recall,
        Recalled,
        Receipt,
        ReflectionReport,
        ReindexReport,
        WriteReport,
    )
    from cogmem.session import Session

__version__ = "0.1.0"

__all__ = [
    "BankClosed",
    "BoostConfig",
    "CogMemError",
    "Config",
    "ConfigError",
    "EchoConfig",
    "EmbedderMismatch",
    "EmbedderUnavailable",
    "EmbeddingConfig",
    "EncodingConfig",
    "Engine",
    "Episode",
    "FactReceipt",
    "Feedback",
    "FeedbackConfig",
    "ForgetReceipt",
    "GateConfig",
    "History",
    "HotTierConfig",
    "ImportReport",
    "ImportanceConfig",
    "InjectionConfig",
    "InvalidInput",
    "JournalEntry",
    "LLMConfig",
    "LexicalConfig",
    "LifeStory",
    "LimitsConfig",
    "LogConfig",
    "Memory",
    "MemoryBank",
    "MemoryVersion",
    "NotFound",
    "ObservationConfig",
    "ObservationNote",
    "ObservationReport",
    "ObserverConfig",
    "Page",
    "Protected",
    "Recall",
    "Recalled",
    "Receipt",
    "ReflectionReport",
    "ReindexReport",
    "Relation",
    "RelationsConfig",
    "RetrievalConfig",
    "Route",
    "RoutesConfig",
    "Session",
    "ShortTerm",
    "ShortTermConfig",
    "SignalWeights",
    "Source",
    "StorageConfig",
    "StoreError",
    "StoreVersionError",
    "StrengthConfig",
    "SynapticTag",
    "TaggingConfig",
    "Turn",
    "WorkingMemoryConfig",
    "WriteReport",
    "load_config",
    "open",
    "preset",
]

# Where each public name lives: loaded at its first use, so that `cogmem --help` needs neither numpy nor a database.
_HOMES = {
    "cogmem.bank": ("MemoryBank",),
    "cogmem.config": (
        "BoostConfig",
        "Config",
        "EchoConfig",
        "EmbeddingConfig",
        "EncodingConfig",
        "FeedbackConfig",
        "GateConfig",
        "HotTierConfig",
        "ImportanceConfig",
        "InjectionConfig",
        "LLMConfig",
        "LexicalConfig",
        "LimitsConfig",
        "LogConfig",
        "ObservationConfig",
        "ObserverConfig",
        "RelationsConfig",
        "RetrievalConfig",
        "Route",
        "RoutesConfig",
        "ShortTermConfig",
        "SignalWeights",
        "StorageConfig",
        "StrengthConfig",
        "TaggingConfig",
        "WorkingMemoryConfig",
    ),
    "cogmem.loading": ("load_config",),
    "cogmem.engine": ("Engine", "open"),
    "cogmem.errors": (
        "BankClosed",
        "CogMemError",
        "ConfigError",
        "EmbedderMismatch",
        "EmbedderUnavailable",
        "InvalidInput",
        "NotFound",
        "Protected",
        "StoreError",
        "StoreVersionError",
    ),
    "cogmem.models": (
        "Episode",
        "Feedback",
        "JournalEntry",
        "Memory",
        "MemoryVersion",
        "ObservationNote",
        "Relation",
        "ShortTerm",
        "Source",
        "SynapticTag",
        "Turn",
    ),
    "cogmem.presets": ("preset",),
    "cogmem.session": ("Session",),
    "cogmem.results": (
        "FactReceipt",
        "ForgetReceipt",
        "History",
        "ImportReport",
        "LifeStory",
        "ObservationReport",
        "Page",
        "Recall",
        "Recalled",
        "Receipt",
        "ReflectionReport",
        "ReindexReport",
        "WriteReport",
    ),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'cogmem' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
