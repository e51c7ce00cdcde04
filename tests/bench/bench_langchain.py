"""What memory and handler add to a LangChain chain, beside the bare chain and one recall in the same run.

python tests/bench/bench_langchain.py [MEMORIES]
"""

from __future__ import annotations

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
from langchain_cogmem import CogMemCallbackHandler, CogMemMemory

TURNS, PAUSE = 150, 0.06
"""Somebody reads the answer and types the next question meanwhile: at least a pause of 60 ms between two turns."""


def milliseconds(call: Callable[[str], object]) -> float:
    took = []
    for question in questions()[:TURNS]:
        start = time.perf_counter()
        call(question)
        took.append((time.perf_counter() - start) * 1000)
        time.sleep(PAUSE)
    return float(np.median(took[TURNS // 5 :]))


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
        recall = milliseconds(lambda question: bank.recall(question).context())
    added = with_memory - alone - recall
    print(
        f"{size:>7} memories: bare chain {alone:.2f} ms, one recall with its context {recall:.2f} ms, "
        f"chain with memory and handler {with_memory:.2f} ms: {added:.2f} ms more than both (<= 3)"
    )


if __name__ == "__main__":
    main()
