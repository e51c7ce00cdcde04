"""Providers' caches of prompts hold as far as a prompt is the same: each turn's prompt begins the next one's."""

import json
import re
import warnings
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain_classic.chains import ConversationChain, LLMChain
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, RemoveMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.prebuilt import create_react_agent

import cogmem_core
from cogmem_core import MemoryBank
from helpers.langchain_models import Answering
from helpers.tables import rows_of
from langchain_cogmem import (
    CogMemMemory,
    CogMemMiddleware,
    memory_wrapper,
    recall_node,
    remember_node,
)

ALLERGY = "I'm allergic to peanuts."
FACTS = (
    "My boat is called Swallow",
    "My sister Lena lives in Oslo",
    "My gym closes at nine on Sundays",
    "My cello teacher is called Ramona",
    "My rent is 900 euros a month",
)
QUESTIONS = rows_of("prompt_caches/questions")
THREAD: Any = {"configurable": {"thread_id": "t1"}}


def written(messages: list[Any]) -> str:
    return "".join(f"<{message.type}>{message.text}" for message in messages)


class Prompts(Answering):
    """Keeps each prompt as it is sent: who says what, in OpenAI's order, and in Anthropic's, system messages first."""

    sent: list[str] = []  # noqa: RUF012 - pydantic copies it
    system_first: list[str] = []  # noqa: RUF012

    def _said(self, messages: list[Any]) -> AIMessage:
        self.sent.append(written(messages))
        self.system_first.append(written(sorted(messages, key=lambda one: one.type != "system")))
        self.prompts.append("")
        return AIMessage(f"So I have heard, and that is answer {len(self.sent):02}.")


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    """What must always be shown, and what is recalled."""
    with cogmem_core.open(embedder="hashing") as engine:
        bank = engine.bank("ann")
        bank.remember(ALLERGY)
        bank.remember(list(FACTS))
        yield bank


Ask = Callable[..., Any]


def of_graph(graph: Any) -> Ask:
    def ask(question: str, keep: int | None = None) -> Any:
        """`keep`: all but so many of the messages are cut before."""
        update: list[Any] = [("user", question)]
        if keep is not None:
            held = graph.get_state(THREAD).values.get("messages", [])[-keep:]
            update = [RemoveMessage(id=REMOVE_ALL_MESSAGES), *held, *update]
        return graph.invoke({"messages": update}, THREAD)

    return ask


def by_middleware(bank: MemoryBank, model: Prompts, *others: Any, **options: Any) -> Ask:
    return of_graph(
        create_agent(
            model,
            [],
            system_prompt="Be kind.",
            middleware=[CogMemMiddleware(bank, **options), *others],
            checkpointer=InMemorySaver(),
        )
    )


def with_memories_before_the_user(bank: MemoryBank, model: Prompts) -> Ask:
    return by_middleware(bank, model, insert="user")


def with_summaries(bank: MemoryBank, model: Prompts) -> Ask:
    told = FakeListChatModel(responses=["They chatted."])
    rules: Any = {"trigger": ("messages", 5), "keep": ("messages", 2)}
    return by_middleware(bank, model, SummarizationMiddleware(told, **rules))


def with_a_profile(bank: MemoryBank, model: Prompts) -> Ask:
    return by_middleware(bank, model, profile=True)


def by_hooks(bank: MemoryBank, model: Prompts) -> Ask:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return of_graph(
            create_react_agent(
                model,
                [],
                prompt="Be kind.",
                pre_model_hook=recall_node(bank),
                post_model_hook=remember_node(bank),
                checkpointer=InMemorySaver(),
            )
        )


def by_nodes(bank: MemoryBank, model: Prompts) -> Ask:
    graph = StateGraph(MessagesState)
    graph.add_node("recall", recall_node(bank))
    graph.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
    graph.add_node("remember", remember_node(bank))
    graph.add_edge(START, "recall")
    graph.add_edge("recall", "model")
    graph.add_edge("model", "remember")
    return of_graph(graph.compile(checkpointer=InMemorySaver()))


def by_wrapper(bank: MemoryBank, model: Prompts) -> Ask:
    graph = StateGraph(MessagesState)
    graph.add_node("agent", memory_wrapper(create_agent(model, [], system_prompt="Be kind."), bank))
    graph.add_edge(START, "agent")
    return of_graph(graph.compile(checkpointer=InMemorySaver()))


def by_memory(bank: MemoryBank, model: Prompts) -> Ask:
    chain = ConversationChain(llm=model, memory=CogMemMemory(bank, recent=20))
    return lambda question: chain.invoke({"input": question})


def by_memory_of_messages(bank: MemoryBank, model: Prompts) -> Ask:
    prompt = ChatPromptTemplate.from_messages(
        [("system", "Be kind."), MessagesPlaceholder("history"), ("user", "{input}")]
    )
    memory = CogMemMemory(bank, recent=20, return_messages=True)
    chain = LLMChain(llm=model, prompt=prompt, memory=memory)
    return lambda question: chain.invoke({"input": question})


def repeated(first: str, second: str) -> float:
    """How much of a prompt begins the next one, 0..1."""
    same = next(
        (place for place, (a, b) in enumerate(zip(first, second, strict=False)) if a != b),
        min(len(first), len(second)),
    )
    return same / len(first)


EVERY_WAY = pytest.mark.parametrize(
    "make",
    [
        by_middleware,
        pytest.param(with_memories_before_the_user, marks=pytest.mark.thorough),
        with_a_profile,
        by_hooks,
        pytest.param(by_nodes, marks=pytest.mark.thorough),
        by_wrapper,
        by_memory,
        pytest.param(by_memory_of_messages, marks=pytest.mark.thorough),
    ],
)


@EVERY_WAY
def test_ten_turns_repeat_all_that_was_sent(
    bank: MemoryBank, make: Callable[[MemoryBank, Prompts], Ask]
) -> None:
    """What must always be shown stands first, what is new comes last, what was shown stays where it stood."""
    model = Prompts()
    ask = make(bank, model)
    for question in QUESTIONS:
        ask(question)
        bank.engine.flush()

    for prompts in (model.sent, model.system_first):
        shares = [repeated(*pair) for pair in pairwise(prompts)]
        assert [round(share, 2) for share in shares] == [1.0] * 9
    assert all(ALLERGY.rstrip(".") in prompt for prompt in model.sent)
    assert model.sent[1].index("peanuts") < model.sent[1].index("Where does my sister")
    # What a profile tells above is not told again.
    assert ("kayak" in model.sent[-1][len(model.sent[-2]) :]) == (make is not with_a_profile)


@pytest.mark.parametrize("make", [by_middleware, by_hooks, by_wrapper])
def test_what_must_always_be_shown_from_now_on_comes_last(
    bank: MemoryBank, make: Callable[[MemoryBank, Prompts], Ask]
) -> None:
    """Whoever told it, in whichever conversation: the beginning of the prompt stays."""
    model = Prompts()
    ask = make(bank, model)
    ask("What is my boat called?")
    bank.remember("I'm allergic to hazelnuts.")
    for question in QUESTIONS[1:6]:
        ask(question)

    assert [round(repeated(*pair), 2) for pair in pairwise(model.sent)] == [1.0] * 5
    assert ["hazelnuts" in prompt for prompt in model.sent] == [False, *[True] * 5]
    assert model.sent[-1].count("hazelnuts") == 1


@pytest.mark.parametrize("make", [by_middleware, with_summaries, by_hooks, by_nodes, by_wrapper])
def test_what_must_always_be_shown_is_told_again_where_the_history_was_cut(
    bank: MemoryBank, make: Callable[[MemoryBank, Prompts], Ask]
) -> None:
    """Whether it was said in the thread or told before one of its questions; not twice."""
    model = Prompts()
    ask = make(bank.engine.bank("ben"), model)
    keep = {} if make is with_summaries else {"keep": 2}
    for said in ("I'm allergic to shellfish", *QUESTIONS[:6]):
        ask(said, **keep)

    counts = [prompt.count("allergic to shellfish") for prompt in model.sent]
    assert counts == [1, 2, *[1] * 5]


def test_another_process_goes_on_with_what_was_shown(bank: MemoryBank) -> None:
    """What stays in front of the messages is kept with the thread."""
    model, saver = Prompts(), InMemorySaver()
    for question in QUESTIONS[:2]:
        agent = create_agent(model, [], middleware=[CogMemMiddleware(bank)], checkpointer=saver)
        agent.invoke({"messages": [("user", question)]}, THREAD)

    assert repeated(*model.sent) == 1.0


@EVERY_WAY
def test_what_is_due_is_shown_in_one_prompt_only(
    bank: MemoryBank, make: Callable[[MemoryBank, Prompts], Ask]
) -> None:
    """It is said to be done now; the memories beside it stay where they stood."""
    model = Prompts()
    ask = make(bank, model)
    bank.intend("give the keys back", when="Anna calls")
    for question in ("Anna calls about my boat", "What is my boat called?", "And my sister Lena?"):
        ask(question)

    assert ["the keys back" in prompt for prompt in model.sent] == [True, False, False]
    assert all("Swallow" in prompt for prompt in model.sent)
    assert repeated(*model.sent[1:]) == 1.0


@pytest.mark.parametrize("make", [by_middleware, by_hooks, by_nodes, by_wrapper, by_memory])
@pytest.mark.parametrize("by_message", [False, True])
def test_what_was_forgotten_is_shown_no_more(
    bank: MemoryBank, make: Callable[[MemoryBank, Prompts], Ask], by_message: bool
) -> None:
    """Not even where it was shown before; what a message wishes, the next prompt does."""
    model = Prompts()
    ask = make(bank, model)
    ask("What is my boat called?")
    if by_message:
        ask("Please forget that my boat is called Swallow.")
    else:
        for asked in ("What is my boat called?", "peanuts"):
            bank.forget(bank.recall(asked, k=1).results[0].memory.id, hard=True)
    ask("Where does my sister Lena live?")

    first, *_, last = (re.findall("(?s)<memories>.*?</memories>", sent) for sent in model.sent)
    assert "Swallow" in str(first)
    assert "Swallow" not in str(last)
    assert "Oslo" in str(last)
    assert by_message or "peanuts" not in str(last)


@pytest.mark.parametrize("make", [by_middleware, by_hooks, by_nodes])
def test_what_is_shown_again_is_bounded(
    bank: MemoryBank, make: Callable[[MemoryBank, Prompts], Ask]
) -> None:
    """Of more than 16,000 characters the older half is given up, once in a while."""
    for number in range(8):
        bank.add(f"My boat number {number} is called Swallow and " + "sails far and wide. " * 30)
    model = Prompts()
    ask = make(bank, model)
    for number in range(12):
        ask(f"What is my boat number {number % 8} called?")

    assert max(map(len, model.sent)) < 30_000
    shares = [round(repeated(*pair), 2) for pair in pairwise(model.sent)]
    assert shares.count(1.0) >= 8


def test_no_run_keeps_more_than_it_needs(bank: MemoryBank) -> None:
    """Of a turn that was answered only what is shown again."""
    agent = create_agent(
        Prompts(), [], middleware=[CogMemMiddleware(bank)], checkpointer=InMemorySaver()
    )
    agent.invoke({"messages": [("user", QUESTIONS[0])]}, THREAD)

    note = agent.get_state(THREAD).values["cogmem_recall"]["CogMemMiddleware"]
    assert sorted(note) == ["blocks", "lasting"]
    assert len(json.dumps(note)) < 2_500


# --- Anthropic ---


def test_the_history_is_hit_with_anthropics_caching_middleware(bank: MemoryBank) -> None:
    """Each turn reads all that the one before had written, whichever of the two middlewares comes first."""
    anthropic = pytest.importorskip("langchain_anthropic", exc_type=ImportError)
    caching = pytest.importorskip("langchain_anthropic.middleware", exc_type=ImportError)

    class Claude(anthropic.ChatAnthropic):  # type: ignore[name-defined, misc]
        """Claude, as far as it is sent something."""

        sent: list[Any] = []  # noqa: RUF012 - pydantic copies it

        def _generate(self, messages: list[Any], *_: Any, **options: Any) -> ChatResult:
            options.pop("run_manager", None)
            self.sent.append(self._get_request_payload(messages, **options))
            answer = AIMessage(f"So I have heard {len(self.sent)} times.")
            return ChatResult(generations=[ChatGeneration(message=answer)])

    for ours_first in (True, False):
        claude = Claude(model="claude-sonnet-4-5", api_key="none", sent=[])
        both: list[Any] = [CogMemMiddleware(bank), caching.AnthropicPromptCachingMiddleware()]
        agent = create_agent(
            claude,
            [],
            system_prompt="Be kind.",
            middleware=both if ours_first else both[::-1],
            checkpointer=InMemorySaver(),
        )
        for question in QUESTIONS[:5]:
            agent.invoke({"messages": [("user", question)]}, THREAD)

        written = [list(blocks_of(payload)) for payload in claude.sent]
        assert "cache_control" in json.dumps(claude.sent[0])
        for earlier, later in pairwise(written):
            assert later[: len(earlier)] == earlier


def blocks_of(payload: Any) -> Iterator[str]:
    """The texts of a request, without the marks of its cache."""
    for message in [{"content": payload["system"]}, *payload["messages"]]:
        content = message["content"]
        for block in [{"text": content}] if isinstance(content, str) else content:
            yield f"{message.get('role')}: {block['text']}"
