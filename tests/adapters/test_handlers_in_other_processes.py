"""Handlers go to the workers of Ray, Spark and multiprocessing, and say what their hooks do."""

import pickle
from itertools import product
from pathlib import Path
from typing import Any

import cogmem_core
from cogmem_core import Feedback
from helpers.script_runner import Scripts
from helpers.tables import each_row
from langchain_cogmem import AsyncCogMemCallbackHandler, CogMemCallbackHandler, cogmem_feedback
from llamaindex_cogmem import CogMemCallbackHandler as LlamaIndexHandler
from llamaindex_cogmem import CogMemInstrumentation

HOOKS = [
    f"on_{what}_{when}"
    for what in ("chain", "tool", "retriever", "llm")
    for when in ("start", "end", "error")
] + ["on_chat_model_start"]
FACT = "Ann likes hiking on Mount Rainier"


def ignore(_rows: tuple[Feedback, ...]) -> None:
    """A listener that can be pickled."""


@each_row(("kind", "hook"), product([CogMemCallbackHandler, AsyncCogMemCallbackHandler], HOOKS))
def test_every_hook_says_what_it_does(kind: Any, hook: str) -> None:
    """In the editor of whoever debugs callbacks."""
    method = getattr(kind, hook)

    assert method.__doc__.endswith("Arguments as LangChain gives them.")
    assert method.__qualname__ == f"{kind.__name__}.{hook}"


@each_row(
    "kind",
    [
        CogMemCallbackHandler,
        AsyncCogMemCallbackHandler,
        cogmem_feedback,
        CogMemInstrumentation,
        LlamaIndexHandler,
    ],
)
def test_handlers_can_be_pickled(kind: Any) -> None:
    """With their options; what they follow stays where it is."""
    with cogmem_core.open(embedder="hashing") as engine:
        made = kind(engine, match="all", max_runs=7, on_feedback=ignore)
        twin = pickle.loads(pickle.dumps(made))

        assert type(twin) is kind
        assert twin is not made
        again = pickle.dumps(twin)
        assert again == pickle.dumps(made)


_WORKER = """
import pickle, sys
from langchain_core.language_models import FakeListChatModel
from langchain_core.runnables import RunnableLambda

handler, bank = pickle.load(open(sys.argv[1], "rb"))
chain = RunnableLambda(lambda q: bank.recall(q).context()) | FakeListChatModel(
    responses=["You like hiking on Mount Rainier!"]
)
chain.invoke("hiking?", {"callbacks": [handler]})
handler.flush()
print([memory.used_count for memory in bank.list()])
bank.engine.close()
"""


def test_a_handler_works_in_another_process(tmp_path: Path, scripts: Scripts) -> None:
    """The bank's folder is opened there, and learns."""
    with cogmem_core.open(tmp_path / "bank", embedder="hashing") as engine:
        bank = engine.bank("ann")
        bank.add(FACT)
        (tmp_path / "sent").write_bytes(pickle.dumps((CogMemCallbackHandler(engine), bank)))
    done = scripts.run(_WORKER, tmp_path, arguments=[tmp_path / "sent"])

    assert done.out == "[1]\n", done.err
