"""Spans, metrics and log lines: what they are called, that nothing of a memory is in them, and what they cost."""

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from opentelemetry import metrics, trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import cogmem_core
from cogmem_core import Engine, NotFound
from cogmem_core.observability import METRICS
from cogmem_core.observability.prometheus import PrometheusExporter
from cogmem_core.testing import CountingEmbedder, ScriptedLLM

DATA = Path(__file__).resolve().parents[1] / "data"
CONVENTION = json.loads((DATA / "gen_ai_memory.json").read_text(encoding="utf-8"))
SECRET = "Rosalind keeps her diary in the blue drawer"
CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"


@pytest.fixture(scope="module")
def exported() -> Iterator[tuple[InMemorySpanExporter, InMemoryMetricReader]]:
    """OpenTelemetry as an application sets it up: once in a process."""
    spans = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    trace.set_tracer_provider(provider)
    reader = InMemoryMetricReader()
    metrics.set_meter_provider(MeterProvider([reader]))
    yield spans, reader
    provider.shutdown()


@pytest.fixture
def engine(exported: tuple[InMemorySpanExporter, InMemoryMetricReader]) -> Iterator[Engine]:
    exported[0].clear()
    with cogmem_core.open(embedder="hashing") as engine:
        yield engine


def use(engine: Engine) -> None:
    """A little of everything, and a failure."""
    bank = engine.bank("rosalind@example.org")
    memory = bank.remember(SECRET).memories[0]
    bank.recall("Where does Rosalind keep her diary?")
    bank.add("Oslo is cold")
    bank.edit(memory.id, f"{SECRET}, upstairs")
    bank.intend("ask for the diary", when="Rosalind calls")
    bank.consolidate()
    bank.forget(memory.id)
    with pytest.raises(NotFound):
        bank.restore("01890000-0000-7000-8000-000000000000")


def spans_of(exporter: InMemorySpanExporter) -> list[ReadableSpan]:
    return list(exporter.get_finished_spans())


def test_spans_are_named_as_the_convention_says(
    engine: Engine, exported: tuple[InMemorySpanExporter, InMemoryMetricReader]
) -> None:
    """Operations and attributes of the convention; what it has no name for is called cogmem's."""
    use(engine)
    spans = spans_of(exported[0])
    names = {span.name for span in spans}
    assert {
        "upsert_memory",
        "search_memory",
        "create_memory",
        "update_memory",
        "delete_memory",
        "cogmem.intend",
    } == names
    for span in spans:
        attributes = dict(span.attributes or {})
        assert set(attributes) <= set(CONVENTION["attributes"])
        assert set(CONVENTION["required"]) <= set(attributes)
        assert attributes["gen_ai.operation.name"] == span.name
        assert span.name in CONVENTION["operations"] or span.name.startswith("cogmem.")
    (failed,) = [span for span in spans if not span.status.is_ok and span.status.is_unset is False]
    assert (failed.name, failed.attributes["error.type"]) == ("update_memory", "NotFound")
    (search,) = [span for span in spans if span.name == "search_memory"]
    assert search.attributes["gen_ai.memory.record.count"] == 1


def test_nothing_of_a_memory_or_its_owner_is_told_unless_asked(
    engine: Engine,
    exported: tuple[InMemorySpanExporter, InMemoryMetricReader],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Neither in spans, nor in metrics, nor in the log; with the convention's own switch, the question is."""
    exporter = PrometheusExporter(engine.metrics)
    with caplog.at_level(logging.DEBUG, "cogmem_core"):
        use(engine)
    told = [span.to_json() for span in spans_of(exported[0])]
    told += [exported[1].get_metrics_data().to_json(), exporter.text().decode(), caplog.text]
    exporter.close()
    for text in told:
        assert not [word for word in ("osalind", "diary", "Oslo") if word in text]
    assert "recall: ok in" in caplog.text

    monkeypatch.setenv(CAPTURE, "true")
    engine.bank("rosalind@example.org").recall("Where is the diary?")
    attributes = dict(spans_of(exported[0])[-1].attributes or {})
    assert attributes["gen_ai.memory.query.text"] == "Where is the diary?"
    assert attributes["cogmem.namespace"] == "rosalind@example.org"
    assert "gen_ai.memory.query.text" in CONVENTION["content"]


def test_opentelemetry_and_prometheus_show_the_same_metrics(
    engine: Engine, exported: tuple[InMemorySpanExporter, InMemoryMetricReader]
) -> None:
    """Under the names of the one table, with the labels that it lists."""
    exporter = PrometheusExporter(engine.metrics)
    use(engine)
    engine.bank("nobody").recall("zeppelin")
    shown = exporter.text().decode()
    exporter.close()
    assert 'cogmem_memories{state="active"} 1.0' in shown
    assert 'cogmem_memories{state="forgotten"} 1.0' in shown
    assert "cogmem_recall_empty_total 1.0" in shown
    count = 'cogmem_memory_operation_duration_seconds_count{operation="restore",outcome="NotFound"}'
    assert f"{count} 1.0" in shown
    for metric in METRICS:
        assert f"# TYPE {metric.prometheus_name} {metric.kind}" in shown

    points = {
        metric["name"]: metric["data"]["data_points"]
        for resource in json.loads(exported[1].get_metrics_data().to_json())["resource_metrics"]
        for scope in resource["scope_metrics"]
        for metric in scope["metrics"]
    }
    labels = {metric.name: set(metric.labels) for metric in METRICS}
    assert {"cogmem.memories", "cogmem.recall.results", "cogmem.index.lag"} <= set(points)
    for name, values in points.items():
        assert all(set(point["attributes"]) == labels[name] for point in values)


def test_without_opentelemetry_nothing_of_it_is_loaded() -> None:
    """Who does not use it does not pay for it: no span, no instrument, no import."""
    script = (
        "import sys, cogmem_core\n"
        "with cogmem_core.open(embedder='hashing') as engine:\n"
        "    engine.bank('a').remember('I live in Oslo')\n"
        "    assert engine.bank('a').recall('Oslo').results\n"
        "print([name for name in sys.modules if name.startswith(('opentelemetry', 'prometheus'))])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, "[]")


def test_failing_parts_and_tokens_are_counted() -> None:
    """A recall without its embedder counts as degraded; the model's tokens count in both directions."""
    embedder = CountingEmbedder()
    model = ScriptedLLM(default={"facts": []})
    with cogmem_core.open(embedder=embedder, llm=model) as engine:
        exporter = PrometheusExporter(engine.metrics)
        bank = engine.bank("alice")
        bank.add("I live in Oslo")
        bank.remember("My sister lives in Bergen and keeps bees")
        embedder.failure = RuntimeError("down")
        bank.recall("Where do I live in Oslo?")
        shown = exporter.text().decode()
        exporter.close()
    assert 'cogmem_recall_degraded_total{part="vector"} 1.0' in shown
    calls = len(model.calls)
    assert calls > 0
    assert f'cogmem_llm_tokens_total{{direction="input"}} {10.0 * calls}' in shown
    assert f'cogmem_llm_tokens_total{{direction="output"}} {5.0 * calls}' in shown
