"""What cookbook/operations holds for those who run a server, read and checked without Docker and Grafana."""

import json
import re
from pathlib import Path

import pytest
import yaml

from cogmem_core.observability import METRICS
from helpers.script_runner import Scripts

FOLDER = Path(__file__).resolve().parents[2] / "cookbook" / "operations"
ROOT = FOLDER.parents[1]
DASHBOARD = json.loads((FOLDER / "grafana" / "cogmem.json").read_text(encoding="utf-8"))
ALERTS = yaml.safe_load((FOLDER / "alerts.yaml").read_text(encoding="utf-8"))
COMPOSE = yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8"))


def steps() -> list[tuple[str, str]]:
    """(instruction, rest) of the Dockerfile, with lines that go on put together."""
    text = (FOLDER / "Dockerfile").read_text(encoding="utf-8")
    text = re.sub(r"(?m)^#.*\n", "", text).replace("\\\n", " ")
    return [
        (line.split(maxsplit=1)[0], line.split(maxsplit=1)[1])
        for line in text.splitlines()
        if line.strip()
    ]


def series() -> set[str]:
    """Every name that Prometheus shows of the table of metrics."""
    names = set()
    for metric in METRICS:
        ends = ("_bucket", "_count", "_sum") if metric.kind == "histogram" else ("",)
        names |= {f"{metric.prometheus_name}{end}" for end in ends}
    return names


def test_the_image_is_built_in_two_stages_and_runs_as_nobody_special() -> None:
    """Only the environment goes into the second stage; it has a user of its own, a volume and a health check."""
    names = [name for name, _ in steps()]
    first, second = (position for position, name in enumerate(names) if name == "FROM")
    last = steps()[second:]
    assert steps()[first][1].endswith(" AS build")
    copies = [rest for name, rest in last if name == "COPY"]
    assert copies == ["--from=build /opt/cogmem /opt/cogmem"]
    (user,) = [rest for name, rest in last if name == "USER"]
    assert user == "10001:10001"
    assert [rest for name, rest in last if name == "VOLUME"] == ["/data"]
    (health,) = [rest for name, rest in last if name == "HEALTHCHECK"]
    assert "/healthz" in health
    assert [rest for name, rest in last if name == "ENTRYPOINT"] == ['["cogm"]']


def test_what_the_image_is_made_of_is_there() -> None:
    """Each file that is copied exists and is not ignored, and each extra is one of the project's."""
    tomllib = pytest.importorskip("tomllib")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    ignored = (FOLDER / "Dockerfile.dockerignore").read_text(encoding="utf-8").split()
    copied = [
        rest.split()[:-1] for name, rest in steps() if name == "COPY" and "--from" not in rest
    ]
    for path in (path for paths in copied for path in paths):
        assert (ROOT / path).exists()
        assert f"!{path}" in ignored
    installed = next(rest for name, rest in steps() if "pip install '." in rest)
    extras = installed.partition("[")[2].partition("]")[0].split(",")
    assert set(extras) == {"serve", "mcp", "otel", "postgres"}
    assert set(extras) <= set(project["optional-dependencies"])


def test_commands_of_the_image_are_commands(scripts: Scripts, tmp_path: Path) -> None:
    """Each is known, with the options that it is given."""
    (command,) = [json.loads(rest) for name, rest in steps() if name == "CMD"]
    fetch = next(rest for _, rest in steps() if "cogm models fetch" in rest)
    assert command[0] == "serve"
    code = (
        "import json, typer.main; from cogmem_cli.main import app\n"
        "root = typer.main.get_command(app).commands\n"
        "serve = root['serve'].params\n"
        "print(json.dumps([list(root['models'].commands), [one.opts for one in serve]]))"
    )
    models, options = json.loads(scripts.run(code, tmp_path).out)
    assert "fetch" in models
    assert "models fetch" in fetch
    known = {name for names in options for name in names}
    assert {word for word in command if word.startswith("--")} <= known


def test_only_the_server_can_be_reached_from_outside() -> None:
    """It listens on loopback; PostgreSQL and Chroma publish no port; no password stands in the file."""
    services = COMPOSE["services"]
    assert set(services) == {"cogmem", "postgres", "chroma"}
    assert services["cogmem"]["ports"] == ["127.0.0.1:8765:8765"]
    assert not [name for name in ("postgres", "chroma") if "ports" in services[name]]
    assert "${POSTGRES_PASSWORD:?" in services["postgres"]["environment"]["POSTGRES_PASSWORD"]
    volumes = {use.partition(":")[0] for one in services.values() for use in one["volumes"]}
    assert volumes == set(COMPOSE["volumes"])


def test_dashboard_and_alerts_ask_for_metrics_that_there_are() -> None:
    """Each name in them is one that the table of metrics makes; each metric is on the dashboard."""
    queries = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
    rules = [rule for group in ALERTS["groups"] for rule in group["rules"]]
    assert len(rules) == 4
    used = set(re.findall(r"\bcogmem_\w+", "\n".join([*queries, *(one["expr"] for one in rules)])))
    assert used <= series()
    for metric in METRICS:
        assert any(metric.prometheus_name in query for query in queries), metric.name
    places = [tuple(panel["gridPos"].values()) for panel in DASHBOARD["panels"]]
    assert len(set(places)) == len(places)
    assert all(rule["annotations"]["summary"] and rule["for"] for rule in rules)
