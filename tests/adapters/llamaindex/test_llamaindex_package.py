"""What the package exports, and what it needs: scenarios 29 and 30 of INTERFACES."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import cogmem_core
import llamaindex_cogmem
from helpers.tables import rows_of

EXPECTED_ALL = list(rows_of("llamaindex_package/expected_all"))
WITHOUT = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {names!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
"""


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_scenario_30_the_public_names_are_these() -> None:
    """Other people's code relies on them."""
    assert llamaindex_cogmem.__all__ == EXPECTED_ALL
    assert all(getattr(llamaindex_cogmem, name) is not None for name in EXPECTED_ALL)
    assert Path(llamaindex_cogmem.__file__).with_name("py.typed").exists()
    assert llamaindex_cogmem.__version__ == cogmem_core.__version__


def test_the_integrations_name_has_the_same_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    """`llama_index.memory.cogmem`, beside whatever else is in LlamaIndex's namespace."""
    monkeypatch.syspath_prepend(str(Path(llamaindex_cogmem.__file__).with_name("llamahub")))
    other = importlib.import_module("llama_index.memory.cogmem")

    assert other.__all__ == EXPECTED_ALL
    assert all(getattr(other, name) is getattr(llamaindex_cogmem, name) for name in EXPECTED_ALL)


def test_scenario_29_without_llamaindex_the_package_says_what_to_install() -> None:
    """A typed error, not a traceback from within."""
    found = run(WITHOUT.format(names=("llama_index",)) + "import llamaindex_cogmem")

    assert (
        "ImportError: llamaindex_cogmem needs LlamaIndex: pip install 'llama-index-core>=0.13,<0.15'"
        in found.stderr
    )


MODULES = sorted(path.stem for path in Path(llamaindex_cogmem.__file__).parent.glob("[a-z]*.py"))
HELPERS = ("primary", "spans", "tracing")


EXAMPLES = """
import doctest, importlib, llamaindex_cogmem

print(len(llamaindex_cogmem.__all__))
for name in sys.argv[1:]:
    found = doctest.testmod(importlib.import_module(f"llamaindex_cogmem.{name}"), optionflags=doctest.ELLIPSIS)
    print(name, found.attempted > 0, found.failed)
"""


def test_it_works_without_langchain_and_so_do_the_examples_in_its_docstrings() -> None:
    """Siblings: llama-index-core is enough (scenario 29), and each public class shows how it is used (scenario 30).

    Not in this process: LlamaIndex's `Memory` leaves a loop behind.
    """
    others = ("langchain_core", "langchain_classic", "langchain", "langgraph", "langchain_cogmem")
    done = run(WITHOUT.format(names=others) + EXAMPLES, *MODULES)

    assert done.stdout.splitlines() == [
        "15",
        *(f"{name} {name not in HELPERS} 0" for name in MODULES),
    ], done.stderr
