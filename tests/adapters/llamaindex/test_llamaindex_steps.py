"""A memory in the steps of a workflow, and between agents: whose words are whose."""

import json
from typing import Any

import pytest
from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.base.response.schema import Response
from llama_index.core.memory import Memory
from llama_index.core.workflow import Context, StartEvent, StopEvent, Workflow, step
from llama_index_instrumentation.dispatcher import instrument_tags
from workflows.errors import WorkflowRuntimeError

from cogmem_core import Engine, InvalidInput, MemoryBank
from helpers.llamaindex_models import COFFEE, HIKING, USED, TellingLLM, call, contents, signals
from llamaindex_cogmem import (
    CogMemMemory,
    CogMemMemoryBlock,
    arecall_step,
    aremember_step,
    recall_step,
    remember_step,
)

QUESTION = "Where do I like hiking? My cat is called Mochi."
TASK = "Ann owes Mallory a thousand euros. Find out where she likes hiking."

CALLED = [{"name": "delegate", "function": {"arguments": json.dumps({"task": TASK})}}]
"""A call of a tool, as OpenAI's models word it."""


class Asking(Workflow):
    """One step: recall, ask, remember."""

    def __init__(self, memory: CogMemMemory, llm: TellingLLM, **options: Any) -> None:
        super().__init__(timeout=60)
        self.memory, self.llm, self.options = memory, llm, options

    @step
    async def answer(self, ctx: Context, ev: StartEvent) -> StopEvent:
        if ev.get("user_id", None):
            await ctx.store.set("user_id", ev.user_id)
        messages = await arecall_step(self.memory, ev.said, ctx=ctx, **self.options)
        answer = await self.llm.achat(messages)
        await aremember_step(self.memory, answer, ctx=ctx)
        return StopEvent(result=str(answer.message.content))


async def test_two_lines_in_a_step(bank: MemoryBank) -> None:
    """The memories are shown, judged by the answer, and what the user said is remembered."""
    llm = TellingLLM()
    memory = CogMemMemory.from_defaults(bank, k=1)

    assert await Asking(memory, llm).run(said=QUESTION) == USED

    assert HIKING in llm.prompts[0]
    assert contents(bank) == [HIKING, COFFEE, QUESTION]
    assert signals(bank) == [(HIKING, "used")]
    assert [message.content for message in memory.get_all()] == [QUESTION, USED]


ANSWERS = [USED, ChatMessage(USED, role="assistant"), TellingLLM(), Response(USED)]


@pytest.mark.parametrize("answer", ANSWERS)
def test_whatever_an_answer_is(bank: MemoryBank, answer: Any) -> None:
    """Without an event loop: a text, a message, what a model or an engine returned."""
    memory = CogMemMemory.from_defaults(bank, k=1)
    messages = recall_step(memory, ChatMessage(QUESTION))
    remember_step(memory, answer.chat(messages) if isinstance(answer, TellingLLM) else answer)

    assert memory.get_all()[-1].content == USED
    assert signals(bank) == [(HIKING, "used")]


@pytest.mark.parametrize("nothing", [None, 7, {"question": QUESTION}, Response(None)])
async def test_what_says_nothing_is_refused(bank: MemoryBank, nothing: Any) -> None:
    """And never kept as somebody's word: "None"."""
    memory = CogMemMemory.from_defaults(bank)
    for name, take_in in {"said": recall_step, "answer": remember_step}.items():
        with pytest.raises(InvalidInput, match=f"^{name} is .*; give a text, a ChatMessage"):
            take_in(memory, nothing)
    with pytest.raises(InvalidInput, match=r"^said is "):
        await arecall_step(memory, nothing)
    with pytest.raises(InvalidInput, match=r"^answer is "):
        await aremember_step(memory, nothing)

    assert memory.get_all() == []
    assert contents(bank) == [HIKING, COFFEE]


async def test_what_an_agent_returned_is_an_answer(bank: MemoryBank) -> None:
    """`AgentOutput`, of an agent without a memory of its own."""
    memory = CogMemMemory.from_defaults(bank, k=1)
    messages = await arecall_step(memory, QUESTION)
    await aremember_step(memory, await FunctionAgent(llm=TellingLLM()).run(chat_history=messages))

    assert memory.get_all()[-1].content == USED
    assert signals(bank) == [(HIKING, "used")]


async def test_the_context_tells_whose_memories_are_meant(engine: Engine, bank: MemoryBank) -> None:
    """A template is filled from `ctx.store`; the run's own tags count first; neither = a typed error."""
    for tags, given, whose in (
        ({}, {"user_id": "ann"}, "ann"),
        ({"user_id": "ann"}, {"user_id": "bob"}, "ann"),
        ({"user_id": "ann"}, {}, "ann"),
    ):
        llm = TellingLLM()
        memory = CogMemMemory.from_defaults(engine=engine, namespace="{user_id}")
        with instrument_tags(tags):
            await Asking(memory, llm).run(said=QUESTION, **given)
        assert memory.bank is not None
        assert memory.bank.namespace == whose
        assert HIKING in llm.prompts[0]

    memory = CogMemMemory.from_defaults(engine=engine, namespace="{user_id}")
    # Old workflows raise an error of their own, with its message.
    with pytest.raises((InvalidInput, WorkflowRuntimeError), match="tells no 'user_id'"):
        await Asking(memory, TellingLLM()).run(said=QUESTION)


@pytest.mark.parametrize("sync", [True, False])
async def test_what_no_person_says_is_said(bank: MemoryBank, sync: bool) -> None:
    """`by_person=False`: it is recalled for, and not remembered."""
    memory = CogMemMemory.from_defaults(bank)
    if sync:
        messages = recall_step(memory, TASK, by_person=False)
        remember_step(memory, USED)
    else:
        messages = await arecall_step(memory, TASK, by_person=False)
        await aremember_step(memory, USED)

    assert HIKING in str(messages)
    assert contents(bank) == [HIKING, COFFEE]


class Planning(Workflow):
    """A model plans, and an agent, or a step, does it."""

    def __init__(self, planner: TellingLLM, helper: TellingLLM, way: str, memory: Any) -> None:
        super().__init__(timeout=60)
        self.planner, self.helper, self.way, self.memory = planner, helper, way, memory

    @step
    async def plan(self, ev: StartEvent) -> StopEvent:
        planned = await self.planner.achat([ChatMessage(f"Plan the next step for: {ev.said}")])
        task = (planned.message.content or "").removeprefix("Next: ")
        if not task:
            (called,) = planned.message.additional_kwargs["tool_calls"]
            task = json.loads(called["function"]["arguments"])["task"]
        if self.way == "agent":
            await FunctionAgent(llm=self.helper).run(task, memory=self.memory)
        elif self.way == "workflow":
            helper = FunctionAgent(name="helper", description="Helps", llm=self.helper)
            await AgentWorkflow(agents=[helper]).run(task, memory=self.memory)
        else:
            await self.helper.achat(await arecall_step(self.memory, task))
            await aremember_step(self.memory, USED)
        return StopEvent(result="")


@pytest.mark.parametrize("way", ["agent", "workflow", "step"])
@pytest.mark.parametrize("planned", [f"Next: {TASK}", CALLED])
async def test_a_planners_task_is_nobodys_word(bank: MemoryBank, way: str, planned: Any) -> None:
    """A model of the same run wrote it; the memories are shown for it all the same."""
    helper = TellingLLM()
    memory = CogMemMemory.from_defaults(bank)
    await Planning(TellingLLM([planned]), helper, way, memory).run(said="Hello")

    assert HIKING in helper.prompts[0]
    assert contents(bank) == [HIKING, COFFEE]


@pytest.mark.parametrize("way", ["agent", "workflow", "step"])
async def test_the_users_words_that_a_router_repeats_are_the_users(
    bank: MemoryBank, way: str
) -> None:
    """They stood in its prompt."""
    memory = CogMemMemory.from_defaults(bank)
    router = TellingLLM([f"Next: {QUESTION}"])
    await Planning(router, TellingLLM(), way, memory).run(said=QUESTION)

    assert contents(bank) == [HIKING, COFFEE, QUESTION]


async def test_a_block_takes_a_planners_task_for_nobodys_word(bank: MemoryBank) -> None:
    """At once, and when `Memory` drops it."""
    for at_once in (True, False):
        block = CogMemMemoryBlock(bank, remember_at_once=at_once)
        memory = Memory.from_defaults(session_id=f"s{at_once}", memory_blocks=[block])
        helper = TellingLLM()
        await Planning(TellingLLM([f"Next: {TASK}"]), helper, "agent", memory).run(said="Hello")
        await block.aput(await memory.aget_all())

        assert HIKING in helper.prompts[0]
        assert contents(bank) == [HIKING, COFFEE]
        await memory.sql_store._async_engine.dispose()  # type: ignore[attr-defined]


@pytest.mark.parametrize("save_mode", ["user", "both"])
async def test_what_one_agent_says_to_the_next_is_nobodys(bank: MemoryBank, save_mode: Any) -> None:
    """A hand-off, in LlamaIndex's words or in those of the application; the final answer is the one judged."""
    reason = "Ann moved to Cyprus and owes Mallory money"
    for prompt in (None, "To {to_agent}: {reason}"):
        host = FunctionAgent(
            name="host",
            description="Welcomes",
            llm=TellingLLM([call("handoff", to_agent="guide", reason=reason)]),
        )
        guide = FunctionAgent(name="guide", description="Guides", llm=TellingLLM())
        words = {} if prompt is None else {"handoff_output_prompt": prompt}
        workflow = AgentWorkflow(agents=[host, guide], root_agent="host", **words)
        memory = CogMemMemory.from_defaults(bank, save_mode=save_mode, k=1)
        assert str(await workflow.run(QUESTION, memory=memory)) == USED

    assert not any("Mallory" in text for text in contents(bank))
    assert QUESTION in contents(bank)
    assert ("used" in {signal for text, signal in signals(bank) if text == HIKING}) is True
