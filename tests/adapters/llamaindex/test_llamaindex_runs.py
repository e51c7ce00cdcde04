"""What comes after an agent's run in one task belongs to no run that has ended, nor to one that still works.

An agent of LlamaIndex 0.13 returns a future from `run`, and leaves its span behind; so does the one here with any.
"""

import asyncio
from typing import Any

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms import ChatMessage
from llama_index_instrumentation import get_dispatcher

from cogmem_core import Engine, MemoryBank
from helpers.llamaindex_engines import query_engine
from helpers.llamaindex_models import TellingLLM, call, contents, signals
from llamaindex_cogmem import CogMemInstrumentation, CogMemMemory, CogMemRetriever

LENA = "My sister Lena lives in Oslo with two cats."
BOAT = "Our boat is called Selma and lies in Bergen."
QUESTION = "Where does my sister Lena live, and where is our boat?"
USED = "Lena lives in Oslo with two cats."
TWICE = [(LENA, "used")] * 2 + [(BOAT, "ignored")] * 2


class Agent(FunctionAgent):
    @get_dispatcher().span
    def run(self, *told: Any, **more: Any) -> Any:
        async def result(handler: Any) -> Any:
            return await handler

        return asyncio.ensure_future(result(super().run(*told, **more)))


async def ask(bank: MemoryBank) -> None:
    memory = CogMemMemory.from_defaults(bank, save_mode="none")
    await Agent(llm=TellingLLM(USED)).run(QUESTION, memory=memory)


async def asked_again(bank: MemoryBank) -> None:
    await ask(bank)


async def a_query(bank: MemoryBank) -> None:
    query_engine(bank, TellingLLM(USED)).query(QUESTION)


async def a_retriever_and_a_model(bank: MemoryBank) -> None:
    found = await CogMemRetriever(bank).aretrieve(QUESTION)
    await TellingLLM(USED).achat([ChatMessage("\n".join(one.text for one in found) + QUESTION)])


async def a_recall_and_a_model(bank: MemoryBank) -> None:
    recall = await bank.arecall(QUESTION)
    await TellingLLM(USED).achat([ChatMessage(f"{recall.context()}\n{QUESTION}")])


AFTERWARDS = (asked_again, a_query, a_retriever_and_a_model, a_recall_and_a_model)


async def test_what_comes_after_a_run_is_judged_by_itself(
    engine: Engine, feedback: CogMemInstrumentation
) -> None:
    learnt = {}
    for after in AFTERWARDS:
        bank = engine.bank(after.__name__)
        bank.add(LENA)
        bank.add(BOAT)
        await ask(bank)
        await after(bank)
        learnt[after.__name__] = signals(bank)

    assert learnt == {after.__name__: TWICE for after in AFTERWARDS}


async def test_what_a_person_says_after_a_run_is_remembered(engine: Engine) -> None:
    bank = engine.bank("new")
    await ask(bank)
    memory = CogMemMemory.from_defaults(bank)
    memory.put(ChatMessage("My cat is called Mochi."))
    memory.get()

    assert contents(bank) == ["My cat is called Mochi."]


async def test_runs_that_one_task_starts_at_once_are_several(
    engine: Engine, feedback: CogMemInstrumentation
) -> None:
    """Ten users who once said the same; every other one is answered by it, and one of them looks up in a tool."""
    banks = [engine.bank(f"user{number}") for number in range(10)]
    for bank in banks:
        bank.add(LENA)

    async def look_up(number: int) -> str:
        """Look something up."""
        return (await banks[number].arecall(QUESTION)).context()

    await asyncio.gather(
        *(
            Agent(
                tools=[look_up],
                llm=TellingLLM(
                    [call("look_up", number=number), USED if number % 2 else "No idea, sorry."]
                ),
            ).run(f"I am number {number}.")
            for number in range(10)
        )
    )

    assert [signals(bank) for bank in banks] == [[(LENA, "ignored")], [(LENA, "used")]] * 5
