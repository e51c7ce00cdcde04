"""What memory and handler add to a LangChain chain, beside the bare chain and one recall in the same run.

python tests/bench/bench_langchain.py [MEMORIES]
"""

import asyncio
import itertools
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Mapping

import numpy as np
from bounds import held
from given import GivenVectors, questions, sentences
from langchain_classic.chains import LLMChain
from langchain_core.language_models import FakeListChatModel
from langchain_core.prompts import PromptTemplate

import cogmem_core
from cogmem_core.retrieval.recall import Recall
from cogmem_core.testing import MANUAL
from langchain_cogmem import CogMemCallbackHandler, CogMemMemory, CogMemRetriever

TURNS, PAUSE = 120, 0.06
"""Somebody reads the answer and types the next question meanwhile: at least a pause of 60 ms between two turns."""

Work = tuple[Callable[[str], object], Callable[[str], object]]


ANSWER = "That is what was noted."


def nothing(_: str) -> None:
    """What comes after a call, if nothing does."""


def milliseconds(works: Mapping[str, Work]) -> dict[str, float]:
    """Median of each call without what comes after it; they take turns in changing order, on the same machine."""
    took: dict[str, list[float]] = {name: [] for name in works}
    asked = itertools.cycle(questions(300, 99))
    for turn in range(TURNS):
        names = list(works)
        shift = turn % len(names)
        for name in (*names[shift:], *names[:shift]):
            call, after = works[name]
            question = f"{next(asked)} {turn}"
            start = time.perf_counter()
            call(question)
            took[name].append((time.perf_counter() - start) * 1000)
            after(question)
            time.sleep(PAUSE)
    return {name: float(np.median(times[TURNS // 5 :])) for name, times in took.items()}


def recalling(bank: cogmem_core.MemoryBank, answer: str) -> Work:
    """One recall with its context; afterwards the bank learns and grows, as it does after a turn of a conversation."""
    found: list[Recall] = []

    def recall(question: str) -> None:
        found[:] = [bank.recall(question)]
        found[0].context()

    def learn(question: str) -> None:
        bank.feedback(found[0], answer, wait=False)
        bank.remember(question, wait=False)

    return recall, learn


async def longest_gap(engine: cogmem_core.Engine, calls: int = 20) -> float:
    """Milliseconds by which an event loop's tick of 1 ms is late, while each feedback takes 200 ms; ticks apart."""

    def slow(_memory: str, _answer: str) -> float:
        time.sleep(0.2)
        return 1.0

    bank = engine.bank("one")
    handler = CogMemCallbackHandler(engine, similarity_fn=slow)
    model = FakeListChatModel(responses=[ANSWER])
    chain = (
        CogMemRetriever(bank=bank, k=1, score_threshold=0)
        | (lambda found: found[0].page_content)
        | model
    )
    await chain.ainvoke("warm", {"callbacks": [handler]})
    done, late = asyncio.Event(), [0.0]

    async def tick() -> None:
        while not done.is_set():
            start = time.perf_counter()
            await asyncio.sleep(0.001)
            late.append((time.perf_counter() - start) * 1000 - 1)

    ticking = asyncio.create_task(tick())
    for question in questions(300, 99)[:calls]:
        await chain.ainvoke(question, {"callbacks": [handler]})
        await asyncio.sleep(0.05)
    done.set()
    await ticking
    return max(late)


def main() -> None:
    warnings.simplefilter("ignore")
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    model = FakeListChatModel(responses=[ANSWER])
    prompt = PromptTemplate.from_template("{history}\n{input}")
    with (
        tempfile.TemporaryDirectory() as folder,
        cogmem_core.open(folder, embedder=GivenVectors(), config=MANUAL) as engine,
    ):
        bank = engine.bank("one")
        bank.remember(list(sentences(size, 1)), mode="raw")
        engine.flush()
        bare = LLMChain(llm=model, prompt=prompt)
        handler = CogMemCallbackHandler(engine)
        chain = LLMChain(llm=model, prompt=prompt, memory=CogMemMemory(bank=bank))
        took = milliseconds(
            {
                "chain": (
                    lambda said: chain.invoke({"input": said}, {"callbacks": [handler]}),
                    nothing,
                ),
                "bare": (lambda said: bare.invoke({"input": said, "history": ""}), nothing),
                "recall": recalling(bank, ANSWER),
            }
        )
        gap = asyncio.run(longest_gap(engine))
    added = took["chain"] - took["bare"] - took["recall"]
    print(
        f"{size:>7} memories: bare chain {took['bare']:.2f} ms, one recall with its context {took['recall']:.2f} ms, "
        f"chain with memory and handler {took['chain']:.2f} ms: {added:.2f} ms more than both; "
        f"the event loop is late by {gap:.1f} ms at most while each feedback takes 200 ms"
    )
    held("a LangChain turn: more than the bare chain and one recall", added, 3, "ms")
    held("an event loop's tick while each feedback takes 200 ms, late", gap, 20, "ms")


if __name__ == "__main__":
    main()
