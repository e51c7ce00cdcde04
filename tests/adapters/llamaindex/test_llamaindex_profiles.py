"""`profile=`: what is known of the user stands first, in sections or as the fields of one's own model."""

import asyncio
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from llama_index.core.base.llms.types import ChatMessage
from pydantic import BaseModel

import cogmem_core
from cogmem_core import InvalidInput, MemoryBank
from llamaindex_cogmem import CogMemMemory, CogMemMemoryBlock

Ask = Callable[[str], str]


class Person(BaseModel):
    """What an application wants to know of whom it serves."""

    home: str
    job: str | None = None
    shoe_size: int | None = None


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    with cogmem_core.open(embedder="hashing") as engine:
        bank = engine.bank("maya")
        bank.remember("I live in Leipzig.")
        bank.remember("I work as a product designer.")
        yield bank


def asking(memory: Any) -> Ask:
    """What a model reads for a question; it is answered then."""

    def ask(question: str) -> str:
        memory.put(ChatMessage(question))
        prompt = "\n".join(str(message.content) for message in memory.get())
        memory.put(ChatMessage("I see.", role="assistant"))
        return prompt

    return ask


def by_memory(bank: MemoryBank, profile: Any) -> Ask:
    return asking(CogMemMemory.from_defaults(bank, profile=profile))


def by_system_prompt(bank: MemoryBank, profile: Any) -> Ask:
    return asking(CogMemMemory.from_defaults(bank, profile=profile, insert_method="system"))


def by_block(bank: MemoryBank, profile: Any) -> Ask:
    block = CogMemMemoryBlock(bank, profile=profile, remember_at_once=True)
    history: list[ChatMessage] = []

    def ask(question: str) -> str:
        history.append(ChatMessage(question))
        content = asyncio.run(block.aget(history))
        history.append(ChatMessage("I see.", role="assistant"))
        return str(content)

    return ask


EVERY_WAY = pytest.mark.parametrize("make", [by_memory, by_system_prompt, by_block])


@EVERY_WAY
def test_the_fields_of_a_model_are_told_as_json(bank: MemoryBank, make: Callable[..., Ask]) -> None:
    """One to a line, as far as they are known; a greeting asks for nothing, and is told of them."""
    prompt = make(bank, Person)("Good morning!").replace("\u200b", "")

    assert prompt.splitlines().count('- {"home": "Leipzig"}') == 1
    assert prompt.splitlines().count('- {"job": "a product designer"}') == 1
    assert "shoe" not in prompt


@EVERY_WAY
def test_a_fact_is_told_once(bank: MemoryBank, make: Callable[..., Ask]) -> None:
    """Also when it is asked for; the memory learns from the answer all the same."""
    told = make(bank, True)("Where do I live, and as what do I work?")

    assert [told.count(words) for words in ("I live in Leipzig", "I work as")] == [1, 1]
    assert "What is known:" in told


@EVERY_WAY
@pytest.mark.parametrize("profile", [True, Person])
def test_what_holds_no_more_is_told_no_more(
    bank: MemoryBank, make: Callable[..., Ask], profile: Any
) -> None:
    """Replaced, or forgotten: wherever it stood."""
    ask = make(bank, profile)
    prompts = []
    for text in ("Good morning!", "I moved to Otley.", "And now?", "What is new?"):
        prompts.append(ask(text))
        bank.engine.flush()
    home = "I live in Leipzig" if profile is True else '{"home": "Leipzig"}'
    told = [home in prompt.replace("\u200b", "") for prompt in prompts]
    assert told == [True, True, False, False]
    assert "Otley" in prompts[-1]

    bank.forget_matching("product designer")
    assert "designer" not in ask("And today?")


def test_what_is_told_above_is_not_told_again(bank: MemoryBank) -> None:
    """A model's fields, and what must always be kept in mind, stand once, first; of a small prompt both stay away."""
    bank.remember("I'm allergic to peanuts.")
    ask = by_memory(bank, Person)
    prompts = [ask(text) for text in ("Good morning!", "Thank you!", "Good evening!")]

    assert [prompt.count("<memories>") for prompt in prompts] == [2, 2, 2]
    assert prompts[2].startswith(prompts[0])
    assert prompts[0].count("peanuts") == prompts[0].count("Leipzig") == 1
    small = CogMemMemory.from_defaults(bank, profile=Person, token_limit=40)
    assert "Leipzig" not in asking(small)("Good morning!")


def test_nothing_known_is_nothing_told(bank: MemoryBank) -> None:
    """Also of a field that the model itself must have."""
    assert "<memories>" not in by_memory(bank.engine.bank("nobody"), Person)("Good morning!")


def test_a_model_is_given_anew(bank: MemoryBank) -> None:
    """It cannot be written down, but pickled."""
    memory = CogMemMemory.from_defaults(bank, profile=Person)
    with pytest.raises(InvalidInput, match=r"from_dict\(data, profile=\.\.\.\)"):
        memory.to_dict()
    data = memory.to_dict(exclude={"profile"})

    assert CogMemMemory.from_dict(data, bank=bank, profile=Person).profile is Person
    assert pickle.loads(pickle.dumps(CogMemMemoryBlock(bank, profile=Person))).profile is Person


@pytest.mark.parametrize("make", [CogMemMemory.from_defaults, CogMemMemoryBlock])
@pytest.mark.parametrize("profile", ["all", None, Person(home="Rome")])
def test_what_is_no_model_is_refused(bank: MemoryBank, make: Any, profile: Any) -> None:
    """With the fix."""
    with pytest.raises(InvalidInput, match="give True, False or a pydantic model class"):
        make(bank, profile=profile)
