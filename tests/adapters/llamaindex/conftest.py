"""What LlamaIndex itself warns of is no failure of ours: everything else is, as in all tests. And feedback."""

import gc
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from cogmem_core import Engine
from helpers.tables import rows_of

with warnings.catch_warnings():
    # Older versions warn while they are imported with newer ones of pydantic.
    warnings.simplefilter("ignore")
    import llama_index.core.agent.workflow
    import llama_index.core.chat_engine  # noqa: F401

    from llamaindex_cogmem import CogMemInstrumentation

# Its workflows look at every attribute of an agent, deprecated ones of pydantic and of their own among them.
WORKFLOWS = rows_of("conftest/workflows")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            for warning in WORKFLOWS:
                item.add_marker(pytest.mark.filterwarnings(warning))


@pytest.fixture(autouse=True, scope="module")
def nothing_left_behind() -> Iterator[None]:
    """What the tests of a file leave behind is collected before those of another one; the rest stays."""
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture
def feedback(engine: Engine) -> Iterator[CogMemInstrumentation]:
    with CogMemInstrumentation(engine) as feedback:
        yield feedback
