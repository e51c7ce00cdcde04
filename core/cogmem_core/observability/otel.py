"""OpenTelemetry, as far as the application uses it: only its API is called, and nothing is set up or exported.

Whoever sets OpenTelemetry up has imported its API. So where it is not among the loaded modules nobody listens, and
nothing is imported and nothing measured.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, Protocol
from weakref import WeakSet

from cogmem_core.errors import CogMemError
from cogmem_core.observability.metrics import METRICS, Metric, Reading
from cogmem_core.observability.recording import add_recorder

CONTENT_VARIABLE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
"""OpenTelemetry's own switch for texts in spans: "true", or one of its names that say "SPAN"."""
_SCOPE = "cogmem_core"
_YES = frozenset(("true", "1", "yes", "span_only", "span_and_event"))


class GaugeSource(Protocol):
    """What has gauges: an engine."""

    def metrics(self) -> Iterable[Reading]:
        """Their present values."""


class OpenSpan(NamedTuple):
    """A span that was begun and is the current one of its thread."""

    span: Any
    token: Any


_SOURCES: WeakSet[GaugeSource] = WeakSet()


def watch(source: GaugeSource) -> None:
    """Read the gauges of a source, as long as it exists, whenever OpenTelemetry exports metrics."""
    _SOURCES.add(source)


def wants_content() -> bool:
    """Whether the application asks for texts and namespaces in spans."""
    return os.environ.get(CONTENT_VARIABLE, "").lower() in _YES


class Client:
    """Makes spans and records metrics with the application's providers, now or as soon as there are some."""

    def __init__(self, api: Any, meters: Any) -> None:
        self._api = api
        self._tracer = api.get_tracer(_SCOPE)
        meter = meters.get_meter(_SCOPE)
        self._record: dict[Metric, Callable[..., None]] = {}
        for metric in METRICS:
            about = {"unit": metric.unit, "description": metric.description}
            if metric.kind == "gauge":
                read = partial(_observations, meters.Observation, metric)
                meter.create_observable_gauge(metric.name, callbacks=[read], **about)
            elif metric.kind == "counter":
                self._record[metric] = meter.create_counter(metric.name, **about).add
            else:
                bounds = {"explicit_bucket_boundaries_advisory": metric.buckets}
                self._record[metric] = meter.create_histogram(metric.name, **about, **bounds).record

    def start(self, name: str, attributes: Mapping[str, str]) -> OpenSpan:
        """Begin a span, and make it the current one."""
        span = self._tracer.start_span(name, attributes=attributes)
        context = sys.modules["opentelemetry.context"]
        return OpenSpan(span, context.attach(self._api.set_span_in_context(span)))

    def __call__(self, metric: Metric, value: float, labels: Mapping[str, str]) -> None:
        """Take a value; see `Recorder`."""
        self._record[metric](value, labels)


_CLIENTS: list[Client] = []
_LOCK = threading.Lock()


def client() -> Client | None:
    """What talks to OpenTelemetry; None if the application does not use it."""
    if _CLIENTS:
        return _CLIENTS[0]
    api = sys.modules.get("opentelemetry.trace")
    meters = sys.modules.get("opentelemetry.metrics")
    # While another thread imports them, their functions may not be there yet.
    if not hasattr(api, "get_tracer") or not hasattr(meters, "get_meter"):
        return None
    with _LOCK:  # two clients would have every instrument twice
        if not _CLIENTS:
            new_client = Client(api, meters)
            add_recorder(new_client)
            _CLIENTS.append(new_client)
    return _CLIENTS[0]


def finish(opened: OpenSpan, attributes: Mapping[str, Any], error: str | None) -> None:
    """End a span; what was current before is again."""
    sys.modules["opentelemetry.context"].detach(opened.token)
    span = opened.span
    for name, value in attributes.items():
        span.set_attribute(name, value)
    if error is not None:
        trace = sys.modules["opentelemetry.trace"]
        span.set_status(trace.StatusCode.ERROR)
    span.end()


def _observations(observation: Any, metric: Metric, _options: Any) -> list[Any]:
    """The present values of a gauge in all open engines."""
    values = []
    for source in list(_SOURCES):
        with suppress(CogMemError):  # it is being closed
            values += [
                observation(reading.value, dict(reading.labels))
                for reading in source.metrics()
                if reading.metric == metric
            ]
    return values
