"""Wheel and sdist are built and installed as a user does it, each extra alone in an environment of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FRAMEWORKS = ("langchain_core", "llama_index", "langgraph", "openai", "ray", "psycopg")
BRINGS = {
    "": (),
    "langchain": ("langchain_core",),
    "agents": ("langchain_core", "langgraph"),
    "langgraph": ("langchain_core", "langgraph"),
    "llamaindex": ("llama_index",),
    "openai": ("openai",),
    "ray": ("ray",),
    "postgres": ("psycopg",),
}
"""What can be imported with an extra, and without it cannot, unless the framework brings it itself."""
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
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr[-2_000:]
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with wheel and sdist."""
    place = tmp_path_factory.mktemp("dist")
    venv.create(place / "env", with_pip=True)
    python = place / "env" / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "build")
    run(python, "-m", "build", "--outdir", place / "dist", ROOT)
    return place / "dist"


@pytest.mark.thorough
def test_wheel_and_sdist_hold_the_packages_and_nothing_else(built: Path) -> None:
    """Issue H, item 5."""
    (wheel,), (sdist,) = built.glob("*.whl"), built.glob("*.tar.gz")
    names = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert names == {"cogmem", "langchain_cogmem", "llamaindex_cogmem", "cogmem-0.1.0.dist-info"}
    with tarfile.open(sdist) as packed:
        inside = {Path(name).parts[1] for name in packed.getnames() if len(Path(name).parts) > 1}
    assert inside - {"PKG-INFO", "pyproject.toml", ".gitignore"} == {
        *("core", "langchain_cogmem", "llamaindex_cogmem", "README.md", "CHANGELOG.md", "LICENSE"),
    }


@pytest.mark.thorough
@pytest.mark.parametrize("extra", BRINGS)
def test_each_extra_alone_installs_and_works(built: Path, tmp_path: Path, extra: str) -> None:
    """Issue H, item 5: without extras neither framework is there, nor needed; with one its adapter works."""
    venv.create(tmp_path, with_pip=True)
    python = tmp_path / "bin" / "python"
    (wheel,) = built.glob("*.whl")
    wanted = f"{wheel}[{extra}]" if extra else str(wheel)
    run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", wanted)
    told = json.loads(run(python, "-c", PROBE, json.dumps(FRAMEWORKS)).splitlines()[-1])
    assert told["found"] == ["I moved to Lisbon in May"]
    assert set(BRINGS[extra]) <= set(told["here"])
    assert not {*FRAMEWORKS, "chromadb"} & set(told["loaded"])
    assert (told["adapters"]["langchain_cogmem"] == "") == ("langchain_core" in BRINGS[extra])
    assert (told["adapters"]["llamaindex_cogmem"] == "") == ("llama_index" in BRINGS[extra])
    for said in told["adapters"].values():
        # Who lacks a framework is told how to get it.
        assert not said or "pip install" in said


def test_importing_cogmem_takes_little() -> None:
    """Issue H, item 5: at most half a second; nothing heavy is imported, which a busy machine does not hide."""
    told = run(sys.executable, "-c", "import sys, cogmem_core; print(len(sys.modules))")
    assert int(told) < 400
