"""Four distributions are built and installed as a user does it, each alone in an environment of its own."""

import email
import json
import posixpath
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

import cogmem_core
from helpers.tables import rows_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
VERSION = cogmem_core.__version__
FRAMEWORKS = rows_of("packaging/frameworks")
FOLDERS = (".", "langchain_cogmem", "llamaindex_cogmem", "core/cogmem_eval")
ENGINE = ("core/cogmem_core", "core/cogmem_cli", "core/cogmem_serve")
"""The packages of the distribution of the engine."""
UNTRIED = ("dev", "docs", "fastembed", "litellm", "ray", "sentence-transformers")
"""Extras of which `make test-matrix` tries no oldest versions."""
ADAPTERS = {"langchain": "langchain-cogmem", "llamaindex": "llama-index-memory-cogmem"}
"""The folder that each adapter is built from, without its ending, and the name of its distribution."""
BRINGS: dict[str, tuple[str, ...]] = {
    "cogmem-core": (),
    "cogmem-core[eval]": ("cogmem_eval",),
    "cogmem-core[openai]": ("openai",),
    "cogmem-core[ray]": ("ray",),
    "cogmem-core[postgres]": ("psycopg",),
    "cogmem-core[langchain]": ("langchain_core", "langchain_classic"),
    "cogmem-core[llamaindex]": ("llama_index",),
    "langchain-cogmem": ("langchain_core",),
    "langchain-cogmem[classic]": ("langchain_core", "langchain_classic"),
    "langchain-cogmem[agents]": ("langchain_core", "langgraph"),
    "langchain-cogmem[langgraph]": ("langchain_core", "langgraph"),
    "llama-index-memory-cogmem": ("llama_index",),
}
"""What can be imported with a distribution, and without it cannot, unless the framework brings it itself."""
NEEDS = {
    "langchain_cogmem": "langchain_core",
    "llamaindex_cogmem": "llama_index",
    "llama_index.memory.cogmem": "llama_index",
}
"""The modules of the adapters, and the framework of each."""
PROBE = """
import importlib.util, json, sys
import cogmem_core
loaded = sorted({name.partition(".")[0] for name in sys.modules})
with cogmem_core.open(embedder="hashing") as engine:
    bank = engine.bank("ann")
    bank.remember("I moved to Lisbon in May")
    found = [item.content for item in bank.recall("Where did I move?").results]
adapters = {}
for name in json.loads(sys.argv[2]):
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


def read_project(folder: str) -> dict[str, Any]:
    """The table `project` of a distribution."""
    text = (ROOT / folder / "pyproject.toml").read_text(encoding="utf-8")
    project: dict[str, Any] = tomllib.loads(text)["project"]
    return project


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `make dist` fills, with an environment that has nothing but what builds."""
    place = tmp_path_factory.mktemp("dist")
    venv.create(place / "env", with_pip=True)
    python = place / "env" / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "build")
    (place / "env" / ".installed").touch()
    run("make", "-C", ROOT, "dist", f"VENV={place / 'env'}", f"DIST={place / 'dist'}")
    return place / "dist"


def packed(wheel: Path) -> set[str]:
    """The files of a wheel, without what tells of the wheel."""
    names = zipfile.ZipFile(wheel).namelist()
    assert [name for name in names if name != posixpath.normpath(name)] == []
    return {name for name in names if ".dist-info/" not in name}


def sources(folder: str) -> set[str]:
    """The files of a package of this clone that are under version control, by their path in the wheel."""
    listed = run("git", "-C", ROOT / folder, "ls-files")
    return {f"{Path(folder).name}/{name}" for name in listed.splitlines()}


@pytest.mark.thorough
def test_a_wheel_holds_its_package_and_nothing_of_the_others(built: Path) -> None:
    """Each file of its package, and the name that LlamaIndex's integrations have; what builds it stays outside."""
    building = ("/LICENSE", "/README.md", "/pyproject.toml")
    modules = {
        folder: {
            name
            for name in sources(folder)
            if not name.endswith(building) and "/llamahub/" not in name
        }
        for folder in (*ENGINE, *FOLDERS[1:])
    }
    other_name = {f"llama_index/memory/cogmem/{name}" for name in ("__init__.py", "py.typed")}
    assert {path.name.partition("-")[0]: packed(path) for path in built.glob("*.whl")} == {
        "cogmem_core": set().union(*(modules[folder] for folder in ENGINE)),
        "cogmem_eval": modules["core/cogmem_eval"],
        "langchain_cogmem": modules["langchain_cogmem"],
        "llama_index_memory_cogmem": modules["llamaindex_cogmem"] | other_name,
    }
    assert all(f"{Path(folder).name}/py.typed" in files for folder, files in modules.items())


@pytest.mark.thorough
def test_a_wheel_brings_its_licence_and_only_what_it_needs(built: Path) -> None:
    """An adapter needs the engine of its version and its framework's core; all else is an extra."""
    needs = {}
    for wheel in built.glob("*.whl"):
        (folder,) = {
            name.split("/")[0]
            for name in zipfile.ZipFile(wheel).namelist()
            if ".dist-info/" in name
        }
        with zipfile.ZipFile(wheel) as archive:
            licence = archive.read(f"{folder}/licenses/LICENSE")
            told = email.message_from_bytes(archive.read(f"{folder}/METADATA"))
        assert licence == (ROOT / "LICENSE").read_bytes()
        assert told["Version"] == VERSION
        always = (one for one in told.get_all("Requires-Dist", []) if "extra ==" not in one)
        needs[told["Name"]] = {Requirement(one).name for one in always}
    assert needs["cogmem-eval"] == {"cogmem-core"}
    assert needs["langchain-cogmem"] == {"cogmem-core", "langchain-core"}
    assert needs["llama-index-memory-cogmem"] == {"cogmem-core", "llama-index-core"}
    assert "chromadb" in needs["cogmem-core"]


@pytest.mark.thorough
def test_an_sdist_holds_what_its_wheel_is_built_from(built: Path) -> None:
    """And nothing else of the clone."""
    tops = {}
    for path in built.glob("*.tar.gz"):
        with tarfile.open(path) as archive:
            parts = [Path(name).parts for name in archive.getnames()]
        tops[path.name.partition("-")[0]] = {part[1] for part in parts if len(part) > 1}
    folders = {name: {part for part in files if "." not in part} for name, files in tops.items()}
    assert folders == {
        "cogmem_core": {"core", "LICENSE", "PKG-INFO"},
        "cogmem_eval": {"registers", "LICENSE", "PKG-INFO"},
        "langchain_cogmem": {"LICENSE", "PKG-INFO"},
        "llama_index_memory_cogmem": {"llamahub", "LICENSE", "PKG-INFO"},
    }
    assert all({"README.md", "pyproject.toml"} <= files for files in tops.values())


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
    report = json.loads(
        run(python, "-c", PROBE, json.dumps(FRAMEWORKS), json.dumps([*NEEDS])).splitlines()[-1]
    )
    assert report["found"] == ["I moved to Lisbon in May"]
    assert set(BRINGS[wanted]) <= set(report["here"])
    assert not {*FRAMEWORKS, "chromadb"} & set(report["loaded"])
    assert {name for name, error in report["adapters"].items() if not error} == {
        name for name, framework in NEEDS.items() if framework in BRINGS[wanted]
    }


def test_the_distributions_have_one_version() -> None:
    """An adapter needs the engine of its own version, and so does what measures it."""
    projects = [read_project(folder) for folder in FOLDERS]
    assert [project["name"] for project in projects] == [
        "cogmem-core",
        *ADAPTERS.values(),
        "cogmem-eval",
    ]
    assert {project["version"] for project in projects} == {VERSION}
    assert all(f"cogmem-core=={VERSION}" in project["dependencies"] for project in projects[1:])
    licences = {(ROOT / folder / "LICENSE").read_bytes() for folder in FOLDERS}
    assert len(licences) == 1


def test_the_oldest_versions_that_are_tried_are_those_that_are_allowed() -> None:
    """What `make test-matrix` pins is the lower bound of each requirement, of the extras, too."""
    tried = {}
    for path in (ROOT / "tests" / "adapters" / "versions").glob("*.txt"):
        lines = path.read_text(encoding="utf-8").splitlines()
        pins = [Requirement(line) for line in lines if line and not line.startswith("#")]
        tried.update({pin.name.lower(): next(iter(pin.specifier)).version for pin in pins})
    allowed = {}
    for folder in FOLDERS:
        project = read_project(folder)
        extras = project.get("optional-dependencies", {})
        wanted = [one for extra, group in extras.items() if extra not in UNTRIED for one in group]
        for requirement in map(Requirement, [*project["dependencies"], *wanted]):
            lowest = [one.version for one in requirement.specifier if one.operator == ">="]
            if requirement.marker is None and lowest:
                allowed[requirement.name.lower()] = lowest[0]
    assert {name: Version(version) for name, version in tried.items()} == {
        name: Version(version) for name, version in allowed.items()
    }


def test_llamahub_is_told_where_each_class_is_and_whose() -> None:
    """The block of the project file that LlamaIndex's index of integrations reads."""
    llamaindex = pytest.importorskip("llamaindex_cogmem")
    project = tomllib.loads(
        (ROOT / "llamaindex_cogmem" / "pyproject.toml").read_text(encoding="utf-8")
    )
    hub = project["tool"]["llamahub"]
    classes = {name for name in llamaindex.__all__ if name.startswith("CogMem")}
    assert hub["import_path"] == "llama_index.memory.cogmem"
    assert set(hub["class_authors"]) == classes


def test_importing_cogmem_takes_little() -> None:
    """At most half a second; nothing heavy is imported, which a busy machine does not hide."""
    told = run(sys.executable, "-c", "import sys, cogmem_core; print(len(sys.modules))")
    assert int(told) < 400
