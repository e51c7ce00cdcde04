"""What the package exports, and what it needs (scenarios 29 and 30)."""

import doctest
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import cogmem_core
import langchain_cogmem
from helpers.tables import each_row, rows_of

EXPECTED_ALL = list(rows_of("package/expected_all"))
WITHOUT = """
import sys

class Missing:
    def __init__(self, *names):
        self.names = names

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in self.names:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing(*{names!r}))
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )


def test_scenario_30_the_public_names_are_these() -> None:
    """Other people's code relies on them."""
    assert langchain_cogmem.__all__ == EXPECTED_ALL
    assert all(getattr(langchain_cogmem, name) is not None for name in EXPECTED_ALL)
    assert Path(langchain_cogmem.__file__).with_name("py.typed").exists()
    with pytest.raises(AttributeError, match="no attribute 'CogMemTelepathy'"):
        _ = langchain_cogmem.CogMemTelepathy


def test_scenario_29_agents_graphs_and_classic_chains_are_extras() -> None:
    """langchain-core is enough for all else; what is missing names its extra, and every name is listed all the same.

    For their memory langchain-classic is enough.
    """
    found = run(
        WITHOUT.format(names=("langchain", "langchain_classic", "langgraph", "langchain_openai"))
        + """
import langchain_cogmem
print(*dir(langchain_cogmem))
print(langchain_cogmem.__version__)
print(langchain_cogmem.CogMemRetriever.__name__, langchain_cogmem.create_memory_tools.__name__)
for name in ("CogMemMemory", "CogMemMiddleware", "CogMemStore"):
    try:
        getattr(langchain_cogmem, name)()
    except ImportError as error:
        print(error)
sys.meta_path[0] = Missing("langchain", "langgraph", "langchain_openai")
print(langchain_cogmem.CogMemMemory.__name__)
"""
    )
    names, *told = found.stdout.splitlines()

    assert set(langchain_cogmem.__all__) <= set(names.split())
    assert told == [
        cogmem_core.__version__,
        "CogMemRetriever create_memory_tools",
        "CogMemMemory needs LangChain's classic chains: pip install 'langchain-classic>=1.0'",
        "CogMemMiddleware needs LangChain's agents: pip install 'langchain>=1.2.15'",
        "CogMemStore needs LangGraph: pip install 'langgraph>=1.1.10'",
        "CogMemMemory",
    ], found.stderr


def test_scenario_29_without_langchain_the_package_says_what_to_install() -> None:
    """A typed error, not a traceback from within."""
    found = run(WITHOUT.format(names=("langchain_core",)) + "import langchain_cogmem")

    command = "pip install 'langchain-core>=1.2.5'\n"
    assert f"ImportError: langchain_cogmem needs LangChain: {command}" in found.stderr


MODULES = sorted(path.stem for path in Path(langchain_cogmem.__file__).parent.glob("[a-z]*.py"))


@each_row("module", MODULES)
def test_scenario_30_the_examples_in_the_docstrings_run(module: str) -> None:
    """Each public class shows how it is used."""
    found = doctest.testmod(
        importlib.import_module(f"langchain_cogmem.{module}"), optionflags=doctest.ELLIPSIS
    )

    assert found.failed == 0
    assert found.attempted > 0 or module in ("recalled", "traces")
