"""Settings: one frozen dataclass per concern, bounds declared beside the defaults, all violations reported at once.

Every number that the engine uses stands here with its source, or in the pure function that a paper defines.
`cogmem.loading` reads them from a file and from the environment.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, get_type_hints

from cogmem.errors import ConfigError

__all__ = [
    "Config",
    "EmbeddingConfig",
    "EncodingConfig",
    "GateConfig",
    "ImportanceConfig",
    "LexicalConfig",
    "LimitsConfig",
    "LogConfig",
    "RetrievalConfig",
    "SignalWeights",
    "StorageConfig",
    "StrengthConfig",
    "WorkingMemoryConfig",
]


def _number(default: float, low: float, high: float) -> Any:
    """A dataclass field with an inclusive range."""
    return field(default=default, metadata={"low": low, "high": high})


def _choice(default: str, *allowed: str) -> Any:
    """A dataclass field with a closed set of values."""
    return field(default=default, metadata={"allowed": allowed})


@dataclass(frozen=True, slots=True)
class StorageConfig:
    """Where memories live, and when an index is rebuilt.

    Attributes:
        ledger_url: SQLAlchemy URL of the ledger; None = SQLite in the bank's folder.
        chroma_url: `http://host:port` of a Chroma server; None = Chroma embedded in the bank's folder.
        exact_below: namespaces with fewer active memories are searched exactly, from a cached matrix.
        own_collection_above: namespaces with more memories get a Chroma collection of their own.
        matrix_cache_mb: memory for cached matrices of all namespaces, in MiB.
        lexical_cache_documents: documents kept in lexical indexes of all namespaces before the oldest is dropped.
        write_slice: vectors per Chroma write; a write holds the interpreter lock (measured).
        sync_threshold: Chroma writes its HNSW files after so many vectors. What is not in them yet it reads again at
            every write (20,000 vectors: 323/s at 100,000, 1,827/s at 1,000); a torn file is caught by the manifest.
        rebuild_tombstone_share: a new generation is built when so large a share of the index is deleted vectors.
        index_linger_seconds: how long the background writer gathers writes before it applies fewer than a slice.
        close_drain_seconds: how long `close()` goes on applying writes; what is left is applied after the next open.
        busy_timeout_seconds: how long a writer waits for another process.
    """

    ledger_url: str | None = None
    chroma_url: str | None = None
    exact_below: int = _number(10_000, 0, 1_000_000)
    own_collection_above: int = _number(10_000, 0, 10_000_000)
    matrix_cache_mb: int = _number(512, 1, 65_536)
    lexical_cache_documents: int = _number(400_000, 1, 100_000_000)
    write_slice: int = _number(25, 1, 300)
    sync_threshold: int = _number(1_000, 100, 10_000_000)
    rebuild_tombstone_share: float = _number(0.25, 0.01, 1.0)
    index_linger_seconds: float = _number(1.0, 0.0, 60.0)
    close_drain_seconds: float = _number(2.0, 0.0, 3600.0)
    busy_timeout_seconds: float = _number(30.0, 0.1, 600.0)


@dataclass(frozen=True, slots=True)
class EmbeddingConfig:
    """How texts become vectors.

    Attributes:
        batch_size: texts per call of the embedder.
        cache_entries, cache_ttl_seconds: the cache of query vectors (seed 001: 200 entries, 30 minutes).
        timeout_seconds: for one call of a remote embedder.
        attempts: tries of a remote embedder, with exponential back-off.
    """

    batch_size: int = _number(256, 1, 2048)
    cache_entries: int = _number(200, 0, 1_000_000)
    cache_ttl_seconds: float = _number(1800.0, 0.0, 31_536_000.0)
    timeout_seconds: float = _number(30.0, 0.1, 600.0)
    attempts: int = _number(3, 1, 10)


@dataclass(frozen=True, slots=True)
class LexicalConfig:
    """BM25 (rank_bm25's Okapi variant).

    Attributes:
        k1, b: 0.9 and 0.4 win on conversations (measured on LoCoMo); the library's own defaults are 1.5 and 0.75.
        epsilon: floor for negative inverse document frequencies, as a share of the mean.
    """

    k1: float = _number(0.9, 0.0, 10.0)
    b: float = _number(0.4, 0.0, 1.0)
    epsilon: float = _number(0.25, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class SignalWeights:
    """Weight of each ranking signal in the composite score; 0 switches one off.

    `similarity` and `lexical` carry relevance; the others break ties (measured: forgetting hurts fast in ranking).
    """

    similarity: float = _number(0.5, 0.0, 1.0)
    lexical: float = _number(0.5, 0.0, 1.0)
    retention: float = _number(0.02, 0.0, 0.1)
    importance: float = _number(0.02, 0.0, 1.0)
    utility: float = _number(0.02, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class RetrievalConfig:
    """The read path.

    Attributes:
        pool: candidates taken from each ranker; at least 3 k of them.
        weights: see `SignalWeights`.
        mmr_lambda: 1 = relevance only; seed 001: 0.7.
        frequent_share: words that stand in a larger share of the memories are left out of the embedded query.
        frequent_minimum: ... in namespaces of at least so many memories.
        max_k: the largest k accepted.
        deep_factor: score factor of dormant and superseded memories (seed 003).
        context_tokens: default budget of `Recall.context()`.
    """

    pool: int = _number(64, 1, 10_000)
    weights: SignalWeights = field(default_factory=SignalWeights)
    mmr_lambda: float = _number(0.7, 0.0, 1.0)
    frequent_share: float = _number(0.3, 0.0, 1.0)
    frequent_minimum: int = _number(20, 1, 1_000_000)
    max_k: int = _number(1_000, 1, 100_000)
    deep_factor: float = _number(0.5, 0.0, 1.0)
    context_tokens: int = _number(1_500, 1, 1_000_000)


@dataclass(frozen=True, slots=True)
class StrengthConfig:
    """How long memories last.

    Attributes:
        curve: name of the forgetting curve.
        initial_days: initial stability per category, in days.
        default_days: initial stability of every other category, in days.
        permanent: categories whose retention stays 1.
        maximum_days: ceiling of stability for one memory's whole life.
        episodic_multiplier, semantic_multiplier: factors on elapsed time.
    """

    curve: str = _choice("fsrs6", "fsrs6", "exponential", "power_v9")
    initial_days: Mapping[str, float] = field(
        default_factory=lambda: {
            "fact": 5.0,
            "decision": 3.0,
            "plan": 3.0,
            "other": 1.0,
            "pattern": 30.0,
            "procedure": 30.0,
            "summary": 30.0,
        }
    )
    default_days: float = _number(5.0, 0.01, 36_500.0)
    permanent: tuple[str, ...] = ("preference", "entity", "correction")
    maximum_days: float = _number(365.0, 1.0, 36_500.0)
    episodic_multiplier: float = _number(3.0, 0.0, 100.0)
    semantic_multiplier: float = _number(1.0, 0.0, 100.0)


@dataclass(frozen=True, slots=True)
class EncodingConfig:
    """The write path.

    Attributes:
        mode: what `remember` makes of a turn when the call does not say.
        date_prefix: put the date of a turn in front of what is embedded and tokenised (measured on LoCoMo: +3 points).
        reinforce_factor: stability factor when the same thing is said again (seed 001: 2 %).
        batch_turns: turns that are embedded and committed together.
        secrets: what happens to API keys, tokens, passwords and card numbers in what is remembered.
        sources_kept: source turns a memory remembers: the first and the newest ones.
    """

    mode: str = _choice("auto", "auto", "semantic", "raw", "hybrid")
    date_prefix: bool = True
    secrets: str = _choice("redact", "redact", "reject", "keep")
    reinforce_factor: float = _number(1.02, 1.0, 2.0)
    batch_turns: int = _number(500, 1, 10_000)
    sources_kept: int = _number(64, 1, 10_000)


@dataclass(frozen=True, slots=True)
class GateConfig:
    """The prediction-error gate; all bands are similarities (seed 001, its column "PE" is mislabelled).

    Attributes:
        candidates: how many similar memories are looked at; `floor`: the least similar that counts.
        contradiction_from: a contradicted memory of at least this similarity is superseded.
        reinforce_from: nearly identical. update_from: overlaps, but adds detail.
        gap_from: below `update_from`, kept only if at least `gap_importance`.
        entity_jaccard: from which on entities agree.
    """

    candidates: int = _number(8, 1, 1_000)
    floor: float = _number(0.30, -1.0, 1.0)
    contradiction_from: float = _number(0.70, -1.0, 1.0)
    reinforce_from: float = _number(0.92, -1.0, 1.0)
    update_from: float = _number(0.75, -1.0, 1.0)
    gap_from: float = _number(0.70, -1.0, 1.0)
    gap_importance: float = _number(0.6, 0.0, 1.0)
    entity_jaccard: float = _number(0.5, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class ImportanceConfig:
    """Four channels of importance (seed 001).

    Attributes:
        novelty, arousal, reward, attention: their weights.
        boost_low, boost_high: range of the encoding boost.
        flashbulb_arousal: from which on a memory becomes a flashbulb: pinned, with at least `flashbulb_importance`, and
            its stability multiplied by `flashbulb_stability`.
    """

    novelty: float = _number(0.25, 0.0, 1.0)
    arousal: float = _number(0.30, 0.0, 1.0)
    reward: float = _number(0.25, 0.0, 1.0)
    attention: float = _number(0.20, 0.0, 1.0)
    boost_low: float = _number(0.7, 0.0, 10.0)
    boost_high: float = _number(1.3, 0.0, 10.0)
    flashbulb_arousal: float = _number(0.8, 0.0, 1.0)
    flashbulb_importance: float = _number(0.9, 0.0, 1.0)
    flashbulb_stability: float = _number(1.5, 1.0, 10.0)


@dataclass(frozen=True, slots=True)
class WorkingMemoryConfig:
    """The session's buffer (seed 001).

    Attributes:
        capacity: items per session: Miller's seven plus or minus two, upper bound.
        recency_minutes: time after which an item that was not accessed counts 1/e.
        promote_accesses, promote_importance: either makes an item worth keeping beyond the session.
    """

    capacity: int = _number(9, 1, 1_000)
    recency_minutes: float = _number(30.0, 0.1, 10_000.0)
    promote_accesses: int = _number(2, 1, 1_000)
    promote_importance: float = _number(0.6, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class LogConfig:
    """The op log (seed 001: 10 MB per file, then rotated by date).

    Attributes:
        content: write redacted texts instead of their hashes and lengths.
        max_bytes: size at which the file is rotated.
    """

    content: bool = False
    max_bytes: int = _number(10_000_000, 10_000, 1_000_000_000)


@dataclass(frozen=True, slots=True)
class LimitsConfig:
    """What is refused at the edge.

    Attributes:
        content_bytes: UTF-8 bytes of one turn or memory.
        query_bytes: UTF-8 bytes of a query.
        batch_items: turns per `remember` call.
        metadata_bytes: JSON bytes of one turn's metadata.
        tags: tags per memory; label_characters: characters of a tag, session id, speaker, ref or namespace.
    """

    content_bytes: int = _number(1_000_000, 1, 100_000_000)
    query_bytes: int = _number(100_000, 1, 10_000_000)
    batch_items: int = _number(100_000, 1, 10_000_000)
    metadata_bytes: int = _number(100_000, 2, 10_000_000)
    tags: int = _number(64, 0, 10_000)
    label_characters: int = _number(256, 1, 4_096)


@dataclass(frozen=True, slots=True)
class Config:
    """All settings. Build it in code, or let `cogmem.load_config` read a file and the environment."""

    storage: StorageConfig = field(default_factory=StorageConfig)
    embedding: EmbeddingConfig = field(default_factory=EmbeddingConfig)
    lexical: LexicalConfig = field(default_factory=LexicalConfig)
    retrieval: RetrievalConfig = field(default_factory=RetrievalConfig)
    strength: StrengthConfig = field(default_factory=StrengthConfig)
    encoding: EncodingConfig = field(default_factory=EncodingConfig)
    gate: GateConfig = field(default_factory=GateConfig)
    importance: ImportanceConfig = field(default_factory=ImportanceConfig)
    working: WorkingMemoryConfig = field(default_factory=WorkingMemoryConfig)
    log: LogConfig = field(default_factory=LogConfig)
    limits: LimitsConfig = field(default_factory=LimitsConfig)

    def __post_init__(self) -> None:
        problems = list(_violations(self, ""))
        if problems:
            raise ConfigError("; ".join(problems))


def _violations(section: Any, prefix: str) -> Iterator[str]:
    hints = get_type_hints(type(section))
    for item in fields(section):
        name, value = prefix + item.name, getattr(section, item.name)
        if dataclasses.is_dataclass(value):
            yield from _violations(value, name + ".")
        elif "low" in item.metadata:
            yield from _range_violations(name, value, hints[item.name], item.metadata)
        elif "allowed" in item.metadata and value not in item.metadata["allowed"]:
            yield f"{name} is {value!r}; use one of {', '.join(item.metadata['allowed'])}"
        elif hints[item.name] is bool and not isinstance(value, bool):
            yield f"{name} is {value!r}; use true or false"
        elif isinstance(value, Mapping):
            yield from _table_violations(name, value)


def _range_violations(name: str, value: Any, kind: type, bounds: Mapping[str, Any]) -> Iterator[str]:
    low, high = bounds["low"], bounds["high"]
    wanted = (int,) if kind is int else (int, float)
    if isinstance(value, bool) or not isinstance(value, wanted) or not math.isfinite(value):
        yield f"{name} is {value!r}; use a{'n integer' if kind is int else ' number'} from {low} to {high}"
    elif not low <= value <= high:
        yield f"{name} is {value!r}; the range is {low} to {high}"


def _table_violations(name: str, table: Mapping[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not (math.isfinite(value) and value > 0):
            yield f"{name}.{key} is {value!r}; use a number above 0"
