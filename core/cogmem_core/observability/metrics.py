"""The one table of metrics: their names, kinds, units and labels, for OpenTelemetry and Prometheus alike. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

Kind = Literal["counter", "histogram", "gauge"]
_SUFFIXES = {"s": "_seconds", "{turn}": "", "{memory}": ""}


@dataclass(frozen=True, slots=True)
class Metric:
    """One thing that is measured.

    No label names a namespace, a person or a text: each has a handful of values.

    Attributes:
        name: as OpenTelemetry has it: "cogmem.index.lag".
        kind: "counter" and "histogram" are recorded as things happen; a "gauge" is read when asked for.
        unit: in UCUM, as OpenTelemetry wants it: "s", "{turn}".
        description: what it tells, in a sentence.
        labels: names of what it is told apart by.
        buckets: upper ends of a histogram's buckets, in its unit.
    """

    name: str
    kind: Kind
    unit: str
    description: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()

    @property
    def prometheus_name(self) -> str:
        """As Prometheus shows it: "cogmem_recall_empty_total", "cogmem_memory_operation_duration_seconds"."""
        base = self.name.replace(".", "_") + _SUFFIXES.get(self.unit, "")
        return f"{base}_total" if self.kind == "counter" else base


class Reading(NamedTuple):
    """The present value of a gauge."""

    metric: Metric
    value: float
    labels: Mapping[str, str]


DURATION = Metric(
    "cogmem.memory.operation.duration",
    "histogram",
    "s",
    "How long operations took, by outcome: ok, or the class of the error.",
    ("operation", "outcome"),
    (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 300),
)
RECALL_RESULTS = Metric(
    "cogmem.recall.results",
    "histogram",
    "{memory}",
    "How many memories a recall brought.",
    (),
    (0, 1, 2, 4, 8, 16, 32, 64),
)
RECALL_EMPTY = Metric("cogmem.recall.empty", "counter", "{recall}", "Recalls that brought nothing.")
RECALL_DEGRADED = Metric(
    "cogmem.recall.degraded",
    "counter",
    "{recall}",
    "Recalls of which a part failed or was cut short: vector, lexical, deadline, pending and others.",
    ("part",),
)
LLM_TOKENS = Metric(
    "cogmem.llm.tokens",
    "counter",
    "{token}",
    "Tokens that the language model was asked with and answered with.",
    ("direction",),
)
MEMORIES = Metric("cogmem.memories", "gauge", "{memory}", "Memories, by state.", ("state",))
NAMESPACES = Metric("cogmem.namespaces", "gauge", "{namespace}", "Namespaces that hold something.")
QUEUE_LENGTH = Metric(
    "cogmem.queue.length", "gauge", "{turn}", "Turns that wait to become memories."
)
INDEX_LAG = Metric(
    "cogmem.index.lag", "gauge", "{change}", "Changes that the vector index has not taken in yet."
)
TROUBLES = Metric(
    "cogmem.troubles",
    "gauge",
    "{trouble}",
    "What goes wrong at present: background work, the index, the language model, the op log.",
)

METRICS: tuple[Metric, ...] = (
    DURATION,
    RECALL_RESULTS,
    RECALL_EMPTY,
    RECALL_DEGRADED,
    LLM_TOKENS,
    MEMORIES,
    NAMESPACES,
    QUEUE_LENGTH,
    INDEX_LAG,
    TROUBLES,
)
"""All of them."""
