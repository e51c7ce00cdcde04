"""What a provider's cache can keep of a prompt: a turn's whole prompt is how the next one begins."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from itertools import pairwise, takewhile
from typing import Any

import pytest
from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent, ReActAgent
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.chat_engine import CondensePlusContextChatEngine, SimpleChatEngine
from llama_index.core.memory import InsertMethod, Memory

from cogmem_core import MemoryBank
from helpers.llamaindex_engines import Documents
from helpers.llamaindex_models import TellingLLM
from helpers.tables import rows_of
from llamaindex_cogmem import CogMemMemory, CogMemMemoryBlock

FACTS = list(rows_of("llamaindex_prompt_caches/facts"))
QUESTIONS = list(rows_of("llamaindex_prompt_caches/questions"))
ANSWER = "So I have heard."
WISHES = {"Oslo": "my sister Lena lives in Oslo", "peanuts": "I am allergic to peanuts"}


def as_openai(messages: list[ChatMessage]) -> str:
    """Every message after the other."""
    return "".join(f"\n[{message.role.value}]\n{message.content}" for message in messages)


def as_anthropic(messages: list[ChatMessage]) -> str:
    """System messages first, and neighbours of one role as one message."""
    system = [message for message in messages if message.role == "system"]
    text = role = ""
    for message in [*system, *(message for message in messages if message.role != "system")]:
        text += f"\n[{message.role.value}]\n" if message.role.value != role else "\n"
        text += message.content or ""
        role = message.role.value
    return text


async def in_chat_engine(memory: Any, llm: TellingLLM, question: str) -> None:
    SimpleChatEngine.from_defaults(llm=llm, memory=memory, system_prompt="Be kind.").chat(question)


async def in_agent(memory: Any, llm: TellingLLM, question: str) -> None:
    await FunctionAgent(llm=llm, system_prompt="Be kind.").run(question, memory=memory)


async def in_workflow(memory: Any, llm: TellingLLM, question: str) -> None:
    guide = FunctionAgent(name="guide", description="A guide", llm=llm, system_prompt="Be kind.")
    await AgentWorkflow(agents=[guide]).run(question, memory=memory)


async def in_react_agent(memory: Any, llm: TellingLLM, question: str) -> None:
    await ReActAgent(llm=llm, streaming=False).run(question, memory=memory)


async def in_context_engine(memory: Any, llm: TellingLLM, question: str) -> None:
    engine = CondensePlusContextChatEngine.from_defaults(
        Documents(), llm=llm, memory=memory, skip_condense=True
    )
    await engine.achat(question)


WAYS = [in_context_engine, in_chat_engine, in_agent, in_workflow, in_react_agent]


@pytest.fixture
def ann(bank: MemoryBank) -> MemoryBank:
    """A bank in which much is known."""
    for fact in FACTS:
        bank.add(fact)
    return bank


OPTIONS: dict[str, Any] = {
    "auto": {},
    "user": {"insert_method": "user"},
    "profile": {"profile": True},
}


@pytest.mark.parametrize(
    ("way", "options"),
    [
        # In `make test` each way with one of the options.
        pytest.param(way, name, marks=[] if number % 3 == place else pytest.mark.thorough)
        for number, way in enumerate(WAYS)
        for place, name in enumerate(OPTIONS)
    ],
)
async def test_a_prompt_is_how_the_next_one_begins(
    ann: MemoryBank, way: Callable[..., Awaitable[None]], options: str
) -> None:
    """For ten turns, to the byte: with the memories of each, and what is always shown once, first."""
    llm = TellingLLM([ANSWER])
    memory = CogMemMemory.from_defaults(ann, **OPTIONS[options])
    for question in QUESTIONS:
        await way(memory, llm, question)

    assert len(llm.asked) == 10
    for style in (as_openai, as_anthropic):
        prompts = [style(messages) for messages in llm.asked]
        for before, prompt in pairwise(prompts):
            assert prompt.startswith(before)
        assert prompts[-1].count("Always to be kept in mind") == 1
        shares = [len(before) / len(prompt) for before, prompt in pairwise(prompts)]
        assert shares[0] >= 0.6
        assert min(shares[2:]) >= 0.7


def alike(first: str, second: str) -> int:
    """How many characters of a prompt begin the next one."""
    return sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False))
    )


@pytest.mark.parametrize("way", [in_chat_engine, in_agent])
async def test_a_block_of_memory_never_repeats_fewer_bytes(
    ann: MemoryBank, way: Callable[..., Awaitable[None]]
) -> None:
    """`Memory` takes earlier blocks away: with `insert_method="user"` all that stands before the last one repeats."""
    llm = TellingLLM([ANSWER])
    block = CogMemMemoryBlock(ann, remember_at_once=True)
    memory = Memory.from_defaults(
        token_limit=30_000, memory_blocks=[block], insert_method=InsertMethod.USER
    )
    for question in QUESTIONS:
        await way(memory, llm, question)

    for style in (as_openai, as_anthropic):
        prompts = [style(messages) for messages in llm.asked]
        same = [alike(*pair) for pair in pairwise(prompts)]
        assert len(same) == 9
        assert same == sorted(same)
        assert all(
            size >= len(prompt.partition("<memory>")[0])
            for size, prompt in zip(same, prompts, strict=False)
        )
    await memory.sql_store._async_engine.dispose()  # type: ignore[union-attr]


def said(memory: CogMemMemory, question: str) -> str:
    """What a model reads for a question; it is answered then."""
    memory.put(ChatMessage(question))
    prompt = as_openai(memory.get())
    memory.put(ChatMessage(ANSWER, role="assistant"))
    return prompt


@pytest.mark.parametrize("method", ["auto", "user"])
def test_what_must_always_be_shown_comes_last_when_it_is_new(ann: MemoryBank, method: Any) -> None:
    """What stood before it stays; the next prompt does not repeat it."""
    memory = CogMemMemory.from_defaults(ann, insert_method=method)
    first = said(memory, QUESTIONS[0])
    ann.add("I am allergic to penicillin")
    changed = said(memory, QUESTIONS[1])
    later = said(memory, QUESTIONS[2])

    assert changed.startswith(first)
    assert later.startswith(changed)
    assert [prompt.count("allergic to penicillin") for prompt in (first, changed, later)] == [
        0,
        1,
        1,
    ]


@pytest.mark.parametrize("words", [60, 100])
def test_what_must_always_be_shown_stands_beside_a_long_question(
    ann: MemoryBank, words: int
) -> None:
    """Where that leaves no room to tell it anew; and what is told later stands beside it."""
    memory = CogMemMemory.from_defaults(ann, token_limit=150, tokenizer_fn=str.split)
    prompts = [said(memory, QUESTIONS[0]), said(memory, "And what is this? " + "word " * words)]
    ann.add("I am allergic to penicillin")
    prompts += [said(memory, question) for question in QUESTIONS[1:3]]

    assert [prompt.count("allergic to peanuts") for prompt in prompts] == [1, 1, 1, 1]
    assert ["penicillin" in prompt for prompt in prompts] == [False, False, True, True]


@pytest.mark.parametrize("how", ["softly", "hard", "by a message"])
@pytest.mark.parametrize("word", ["Oslo", "peanuts"])
def test_what_is_forgotten_stands_in_no_later_prompt(ann: MemoryBank, word: str, how: str) -> None:
    """Neither where it was recalled nor among what is always shown; what a message wishes, the next one does."""
    memory = CogMemMemory.from_defaults(ann)
    assert word in said(memory, "Where does my sister Lena live?")
    if how == "by a message":
        said(memory, f"Please forget that {WISHES[word]}.")
    else:
        ann.forget_matching(word, hard=how == "hard")

    prompt = said(memory, "What is my dog Rex afraid of?")
    assert word not in str(re.findall("(?s)<memories>.*?</memories>", prompt))


def test_a_conversation_that_was_replaced_or_ended(ann: MemoryBank) -> None:
    """A server that gives the history with each request gets the same beginning; a new one begins anew."""
    memory = CogMemMemory.from_defaults(ann)
    first = said(memory, QUESTIONS[0])
    memory.set(memory.get_all())
    assert said(memory, QUESTIONS[1]).startswith(first)

    memory.reset()
    assert "afraid" in said(memory, QUESTIONS[1])
    assert "Oslo" not in as_openai(memory.get()).partition("Recalled")[0]
    assert as_openai(memory.get()).count("Always to be kept in mind") == 1


@pytest.mark.parametrize("primary", [None, "memory"])
def test_what_is_kept_is_bounded(ann: MemoryBank, primary: str | None) -> None:
    """A quarter of the token limit; what must always be shown never leaves with the oldest messages."""
    kept = Memory.from_defaults(token_limit=600, tokenizer_fn=str.split) if primary else None
    limits: Any = {} if primary else {"token_limit": 600, "tokenizer_fn": str.split}
    memory = CogMemMemory.from_defaults(
        ann, primary_memory=kept, insert_method="user", save_mode="none", **limits
    )
    sizes = []
    for number in range(25):
        prompt = said(memory, f"{QUESTIONS[number % 3]} I ask for the time number {number}.")
        assert prompt.count("Always to be kept in mind") == 1
        assert "Recalled for this question" in prompt.rpartition("[user]")[2]
        sizes.append(len(prompt.split()))

    assert max(sizes) <= 660  # with a role before each message
    if kept is not None:
        asyncio.run(kept.sql_store._async_engine.dispose())  # type: ignore[attr-defined]
