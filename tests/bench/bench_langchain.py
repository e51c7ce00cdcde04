"""What memory and handler add to a LangChain chain, beside the bare chain and one recall in the same run.

python tests/bench/bench_langchain.py [MEMORIES]
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
import warnings
from collections.abc import Callable

import numpy as np
from bench_engine import GivenVectors, questions, sentences
from langchain_classic.chains import LLMChain
from langchain_core.language_models import FakeListChatModel
from langchain_core.prompts import PromptTemplate

import cogmem
from cogmem.testing import MANUAL
from langchain_cogmem import CogMemCallbackHandler, CogMemMemory, CogMemRetriever

TURNS, PAUSE = 150, 0.06
"""Somebody reads the answer and types the next question meanwhile: at least a pause of 60 ms between two turns."""


def milliseconds(call: Callable[[str], object], after: Callable[[str], object] = lambda _: None) -> float:
    """Median of a call; what happens `after` it, and the pause, are not counted."""
    took = []
    for question in questions()[:TURNS]:
        start = time.perf_counter()
        call(question)
        took.append((time.perf_counter() - start) * 1000)
        after(question)
        time.sleep(PAUSE)
    return float(np.median(took[TURNS // 5 :]))


async def longest_gap(engine: cogmem.Engine, calls: int = 20) -> float:
    """Milliseconds by which an event loop's tick of 1 ms is late, while each feedback takes 200 ms; ticks apart."""

    def slow(_memory: str, _answer: str) -> float:
        time.sleep(0.2)
        return 1.0

    bank = engine.bank("one")
    handler = CogMemCallbackHandler(engine, similarity_fn=slow)
    model = FakeListChatModel(responses=["That is what was noted."])
    chain = CogMemRetriever(bank=bank, k=1) | (lambda found: found[0].page_content) | model
    await chain.ainvoke("warm", {"callbacks": [handler]})
    done, late = asyncio.Event(), [0.0]

    async def tick() -> None:
        while not done.is_set():
            start = time.perf_counter()
            await asyncio.sleep(0.001)
            late.append((time.perf_counter() - start) * 1000 - 1)

    ticking = asyncio.create_task(tick())
    for question in questions()[:calls]:
        await chain.ainvoke(question, {"callbacks": [handler]})
        await asyncio.sleep(0.05)
    done.set()
    await ticking
    return max(late)


def main() -> None:
    warnings.simplefilter("ignore")
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    model = FakeListChatModel(responses=["That is what was noted."])
    prompt = PromptTemplate.from_template("{history}\n{input}")
    with tempfile.TemporaryDirectory() as folder, cogmem.open(folder, embedder=GivenVectors(), config=MANUAL) as engine:
        bank = engine.bank("one")
        bank.remember(list(sentences(size, 1)), mode="raw")
        engine.flush()
        bare = LLMChain(llm=model, prompt=prompt)
        handler = CogMemCallbackHandler(engine)
        chain = LLMChain(llm=model, prompt=prompt, memory=CogMemMemory(bank=bank))
        with_memory = milliseconds(lambda question: chain.invoke({"input": question}, {"callbacks": [handler]}))
        alone = milliseconds(lambda question: bare.invoke({"input": question, "history": ""}))
        # A recall of a bank that changes with every turn, as the chain's does.
        recall = milliseconds(
            lambda question: bank.recall(question).context(), after=lambda question: bank.remember(question, wait=False)
        )
        gap = asyncio.run(longest_gap(engine))
    added = with_memory - alone - recall
    print(
        f"{size:>7} memories: bare chain {alone:.2f} ms, one recall with its context {recall:.2f} ms, "
        f"chain with memory and handler {with_memory:.2f} ms: {added:.2f} ms more than both (<= 3); "
        f"the event loop is late by {gap:.1f} ms at most while each feedback takes 200 ms (<= 20)"
    )


if __name__ == "__main__":
    main()
