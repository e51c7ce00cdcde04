"""Users who check types find them in both packages: snippets pass, and what is misspelt or mistyped is named."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("langchain_classic")
pytest.importorskip("llama_index.core")

LANGCHAIN = """
from langchain_core.runnables import RunnableConfig

import cogmem_core
from langchain_cogmem import CogMemCallbackHandler, CogMemMemory, CogMemMiddleware, CogMemRetriever, cogmem_feedback


def config(engine: cogmem_core.Engine) -> RunnableConfig:
    return {"callbacks": [CogMemCallbackHandler(engine, match="prompt")]}


with cogmem_core.open(embedder="hashing") as engine:
    bank: cogmem_core.MemoryBank = engine.bank("alice")
    memory = CogMemMemory(bank=bank, k=3)
    retriever = CogMemRetriever(engine=engine, namespace=lambda metadata: str(metadata["user_id"]))
    middleware = CogMemMiddleware(bank=bank, insert="user", k=3)
    print(CogMemRetriever(bank, k=3), CogMemMemory(bank, k=3), CogMemMiddleware(bank, k=3))
    # Each of these is a mistake that mypy names; an ignore that is not needed is one, too.
    CogMemRetriever(bank, kk=3)  # type: ignore[call-arg]
    CogMemRetriever(bank, k="many")  # type: ignore[arg-type]
    CogMemMemory(bank, recnt=2)  # type: ignore[call-arg]
    CogMemMiddleware(bank, insert="top")  # type: ignore[arg-type]
    with cogmem_feedback(engine) as handler:
        print(retriever.invoke("x", config(engine)), memory.memory_variables, middleware.name, handler.pending)
"""
LLAMAINDEX = """
from llama_index.core.callbacks import CallbackManager
from llama_index.core.chat_engine import ContextChatEngine
from llama_index.core.llms import MockLLM
from llama_index.core.memory import Memory

import cogmem_core
from llamaindex_cogmem import (
    CogMemCallbackHandler,
    CogMemInstrumentation,
    CogMemMemory,
    CogMemMemoryBlock,
    CogMemPostprocessor,
    CogMemRetriever,
    CogMemToolSpec,
    LlamaIndexLLM,
)

with cogmem_core.open(embedder="hashing", llm=LlamaIndexLLM(MockLLM())) as engine:
    bank: cogmem_core.MemoryBank = engine.bank("alice")
    manager = CallbackManager([CogMemCallbackHandler(engine, match="prompt")])
    retriever = CogMemRetriever(engine=engine, namespace=lambda tags: str(tags["user_id"]), callback_manager=manager)
    memory = CogMemMemory.from_defaults(bank, k=3, token_limit=2_000, insert_method="user")
    blocks = Memory.from_defaults(memory_blocks=[CogMemMemoryBlock(bank, priority=0)])
    with CogMemInstrumentation(engine, on_feedback=lambda rows: None) as feedback:
        chat = ContextChatEngine.from_defaults(
            retriever, memory=memory, llm=MockLLM(), node_postprocessors=[CogMemPostprocessor(bank)]
        )
        print(chat.chat("x"), memory.last_recall, feedback.pending, blocks, CogMemToolSpec(bank).to_tool_list())
"""
WRONG = """
from llama_index.core.memory import ChatMemoryBuffer

from cogmem_core import MemoryBank
from llamaindex_cogmem import CogMemMemory, CogMemMemoryBlock, CogMemPostprocessor, CogMemRetriever


def wrong(bank: MemoryBank) -> None:
    primary = ChatMemoryBuffer.from_defaults(token_limit=500)
    CogMemMemory(bank, primary_memory=primary, kk=3)
    CogMemMemory(bank, primary_memory=primary, k="many")
    CogMemMemory.from_defaults(bank, kk=3)
    CogMemMemory.from_defaults(bank, k="many")
    CogMemMemoryBlock(bank, priorty=1)
    CogMemMemoryBlock(bank, priority="high")
    CogMemPostprocessor(bank, topn=2)
    CogMemPostprocessor(bank, top_n="two")
    CogMemRetriever(bank, top_k=2)
"""


def test_snippets_pass_and_mistakes_are_named(tmp_path: Path) -> None:
    """mypy as strict as for the packages themselves. Every line of the function in `WRONG` is wrong."""
    texts = {"langchain.py": LANGCHAIN, "llamaindex.py": LLAMAINDEX, "wrong.py": WRONG}
    for name, text in texts.items():
        (tmp_path / f"snippet_{name}").write_text(text)
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", *map(str, tmp_path.glob("*.py"))],
        capture_output=True,
        text=True,
        timeout=1_200,
        check=False,
        cwd=Path(__file__).resolve().parents[2],
    )

    errors = [line.split(":") for line in checked.stdout.splitlines() if ": error:" in line]
    assert {(Path(file).name, int(line)) for file, line, *_ in errors} == {
        ("snippet_wrong.py", line) for line in range(10, 19)
    }, checked.stdout + checked.stderr
