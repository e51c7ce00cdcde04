"""Three distributions are built and installed as a user does it, each alone in an environment of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import cogmem_core

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
VERSION = cogmem_core.__version__
FRAMEWORKS = ("langchain_core", "llama_index", "langgraph", "openai", "ray", "psycopg")
ADAPTERS = {"langchain": "langchain-cogmem", "llamaindex": "llama-index-memory-cogmem"}
"""The folder that each adapter is built from, without its ending, and the name of its distribution."""
BRINGS: dict[str, tuple[str, ...]] = {
    "cogmem-core": (),
    "cogmem-core[openai]": ("openai",),
    "cogmem-core[ray]": ("ray",),
    "cogmem-core[postgres]": ("psycopg",),
    "cogmem-core[langchain]": ("langchain_core",),
    "cogmem-core[llamaindex]": ("llama_index",),
    "langchain-cogmem": ("langchain_core",),
    "langchain-cogmem[agents]": ("langchain_core", "langgraph"),
    "langchain-cogmem[langgraph]": ("langchain_core", "langgraph"),
    "llama-index-memory-cogmem": ("llama_index",),
}
"""What can be imported with a distribution, and without it cannot, unless the framework brings it itself."""
PROBE = """
import importlib.util, json, sys
import cogmem_core
loaded = sorted({name.partition(".")[0] for name in sys.modules})
with cogmem_core.open(embedder="hashing") as engine:
    bank = engine.bank("ann")
    bank.remember("I moved to Lisbon in May")
    found = [item.content for item in bank.recall("Where did I move?").results]
adapters = {}
for name in ("langchain_cogmem", "llamaindex_cogmem"):
    try:
        importlib.import_module(name)
        adapters[name] = ""
    except ImportError as error:
        adapters[name] = str(error)
here = [name for name in json.loads(sys.argv[1]) if importlib.util.find_spec(name) is not None]
print(json.dumps({"loaded": loaded, "found": found, "adapters": adapters, "here": here}))
"""


def run(*command: str | Path) -> str:
    """What a command prints."""
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the wheels and sdists of the three distributions."""
    place = tmp_path_factory.mktemp("dist")
    venv.create(place / "env", with_pip=True)
    python = place / "env" / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "build")
    for folder in (ROOT, ROOT / "langchain_cogmem", ROOT / "llamaindex_cogmem"):
        run(python, "-m", "build", "--outdir", place / "dist", folder)
    return place / "dist"


def packed(wheel: Path) -> set[str]:
    """The folders at the top of a wheel."""
    return {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}


@pytest.mark.thorough
def test_wheels_and_sdists_hold_their_package_and_nothing_else(built: Path) -> None:
    """Three distributions of one version; a type marker and the engine's data are in them."""
    assert {path.name: packed(path) for path in built.glob("*.whl")} == {
        f"cogmem_core-{VERSION}-py3-none-any.whl": {
            "cogmem_core",
            f"cogmem_core-{VERSION}.dist-info",
        },
        f"langchain_cogmem-{VERSION}-py3-none-any.whl": {
            "langchain_cogmem",
            f"langchain_cogmem-{VERSION}.dist-info",
        },
        f"llama_index_memory_cogmem-{VERSION}-py3-none-any.whl": {
            "llamaindex_cogmem",
            f"llama_index_memory_cogmem-{VERSION}.dist-info",
        },
    }
    with tarfile.open(built / f"cogmem_core-{VERSION}.tar.gz") as archive:
        inside = {Path(name).parts[1] for name in archive.getnames() if len(Path(name).parts) > 1}
    assert inside - {"PKG-INFO", "pyproject.toml", ".gitignore"} == {
        "core",
        "README.md",
        "CHANGELOG.md",
        "LICENSE",
    }


@pytest.mark.thorough
@pytest.mark.parametrize("wanted", BRINGS)
def test_each_distribution_alone_installs_and_works(
    built: Path, tmp_path: Path, wanted: str
) -> None:
    """Without an adapter no framework is there, nor needed; with one it works."""
    venv.create(tmp_path, with_pip=True)
    python = tmp_path / "bin" / "python"
    run(
        python,
        "-m",
        "pip",
        "install",
        "-q",
        "--disable-pip-version-check",
        "--pre",
        "--find-links",
        built,
        wanted,
    )
    report = json.loads(run(python, "-c", PROBE, json.dumps(FRAMEWORKS)).splitlines()[-1])
    assert report["found"] == ["I moved to Lisbon in May"]
    assert set(BRINGS[wanted]) <= set(report["here"])
    assert not {*FRAMEWORKS, "chromadb"} & set(report["loaded"])
    assert (report["adapters"]["langchain_cogmem"] == "") == ("langchain_core" in BRINGS[wanted])
    assert (report["adapters"]["llamaindex_cogmem"] == "") == ("llama_index" in BRINGS[wanted])


def test_the_three_distributions_have_one_version() -> None:
    """An adapter needs the engine of its own version."""
    projects = [
        tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        for folder in (".", "langchain_cogmem", "llamaindex_cogmem")
    ]
    assert [project["name"] for project in projects] == ["cogmem-core", *ADAPTERS.values()]
    assert {project["version"] for project in projects} == {VERSION}
    assert all(f"cogmem-core=={VERSION}" in project["dependencies"] for project in projects[1:])


def test_importing_cogmem_takes_little() -> None:
    """At most half a second; nothing heavy is imported, which a busy machine does not hide."""
    told = run(sys.executable, "-c", "import sys, cogmem_core; print(len(sys.modules))")
    assert int(told) < 400
