"""What Prometheus reads at `/metrics`: the table of metrics through prometheus-client (extra `serve`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.core import Metric as Family

from cogmem_core.observability.metrics import METRICS, Metric, Reading
from cogmem_core.observability.recording import add_recorder, remove_recorder

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""Of the text."""
_KINDS = {"counter": Counter, "histogram": Histogram}


class PrometheusExporter:
    """Counts what happens in this process from now on, and shows it with the present gauges.

    Args:
        gauges: reads them, such as `Engine.metrics`.
        registry: that others add theirs to; one of its own if None.

    Example:
        >>> import cogmem_core
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     exporter = PrometheusExporter(engine.metrics)
        ...     _ = engine.bank("alice").remember("I live in Oslo")
        ...     print(b'cogmem_memories{state="active"} 1.0' in exporter.text())
        ...     exporter.close()
        True
    """

    def __init__(
        self, gauges: Callable[[], Iterable[Reading]], registry: CollectorRegistry | None = None
    ) -> None:
        self._gauges = gauges
        self._registry = registry or CollectorRegistry()
        self._instruments: dict[Metric, Counter | Histogram] = {}
        for metric in METRICS:
            if metric.kind == "gauge":
                continue
            extra = {"buckets": metric.buckets} if metric.kind == "histogram" else {}
            self._instruments[metric] = _KINDS[metric.kind](
                metric.prometheus_name,
                metric.description,
                metric.labels,
                registry=self._registry,
                **extra,
            )
        self._registry.register(self)
        add_recorder(self)

    def __call__(self, metric: Metric, value: float, labels: Mapping[str, str]) -> None:
        """Take a value; see `Recorder`."""
        instrument = self._instruments[metric]
        child = instrument.labels(**labels) if metric.labels else instrument
        if isinstance(child, Counter):
            child.inc(value)
        else:
            child.observe(value)

    def collect(self) -> Iterable[Family]:
        """The gauges as they are now, for prometheus-client."""
        families: dict[str, GaugeMetricFamily] = {}
        for metric, value, labels in self._gauges():
            name = metric.prometheus_name
            if name not in families:
                families[name] = GaugeMetricFamily(name, metric.description, labels=metric.labels)
            families[name].add_metric([labels[key] for key in metric.labels], value)
        return families.values()

    def describe(self) -> Iterable[Family]:
        """Nothing before it is asked for: the gauges are not read at registration."""
        return ()

    def text(self) -> bytes:
        """Everything, in Prometheus' text format."""
        return generate_latest(self._registry)

    def close(self) -> None:
        """Count no more."""
        remove_recorder(self)
