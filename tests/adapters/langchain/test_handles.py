"""The handles that users of LangChain reach for: whose memories, filters, recent turns, where the block stands."""

import pickle
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.structured_output import ToolStrategy
from langchain_classic.chains import ConversationChain
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import BaseModel

import cogmem_core
from cogmem_core import ConfigError, Engine, Feedback, InvalidInput, MemoryBank
from cogmem_core.testing import MANUAL
from helpers.langchain_models import COFFEE, HIKING, Answering, Seeing, by_config, learnt
from langchain_cogmem import CogMemMemory, CogMemMiddleware, CogMemRetriever, create_memory_tools

QUESTION: Any = {"messages": [("user", "hiking or coffee?")]}


# --- which memories ---


@pytest.fixture
def travels(engine: Engine) -> MemoryBank:
    """Three journeys, with what the caller keeps beside them."""
    bank = engine.bank("ann")
    for text, metadata in (
        ("Ann likes hiking in Norway", {"country": "Norway", "year": 2024}),
        ("Ann likes hiking in Austria", {"country": "Austria", "year": 2025}),
        ("Ann likes hiking in Spain", {"country": "Spain", "year": 2026}),
    ):
        bank.add(text, metadata=metadata, tags=["hikes"], session_id="trips")
    return bank


def countries(documents: Any) -> list[str]:
    return sorted(document.metadata["country"] for document in documents)


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_filters_by_the_caller_s_own_metadata(
    travels: MemoryBank, asynchronous: bool
) -> None:
    """Fixed, in `search_kwargs`, and by the call: as vector stores have it."""

    async def found(retriever: CogMemRetriever, **more: Any) -> list[str]:
        if asynchronous:
            return countries(await retriever.ainvoke("hiking?", **more))
        return countries(retriever.invoke("hiking?", **more))

    plain = CogMemRetriever(travels, score_threshold=0)
    assert await found(plain) == ["Austria", "Norway", "Spain"]
    assert await found(plain, filter={"country": "Spain"}) == ["Spain"]
    assert await found(plain, filter={"year": {"$gte": 2025}}) == ["Austria", "Spain"]
    assert await found(plain, filter={"where": {"country": "Norway"}, "tags": ["hikes"]}) == [
        "Norway"
    ]
    fixed = CogMemRetriever(travels, score_threshold=0, filter={"year": {"$lte": 2025}})
    assert await found(fixed) == ["Austria", "Norway"]
    assert await found(fixed, filter={"country": ["Austria", "Spain"]}) == ["Austria"]
    usual = CogMemRetriever(
        travels,
        search_type="similarity_score_threshold",
        search_kwargs={"k": 1, "score_threshold": 0.0, "filter": {"country": "Austria"}},
    )
    assert await found(usual) == ["Austria"]
    assert await found(usual, filter={"country": "Norway"}) == ["Norway"]
    assert len(await found(plain, k=2)) == 2


def test_documents_carry_what_the_caller_keeps(travels: MemoryBank) -> None:
    """Metadata, session and tags; what cogmem knows goes before a key of the same name."""
    travels.add("Ann likes hiking in Italy", metadata={"country": "Italy", "score": "ten"})

    [spain] = CogMemRetriever(travels, filter={"country": "Spain"}).invoke("hiking?")
    [italy] = CogMemRetriever(travels, filter={"country": "Italy"}).invoke("hiking?")

    assert (spain.metadata["year"], spain.metadata["session_id"]) == (2026, "trips")
    assert spain.metadata["tags"] == ["hikes"]
    assert isinstance(italy.metadata["score"], float)


def test_a_bank_makes_a_retriever(travels: MemoryBank) -> None:
    """`bank.as_retriever()`, of LangChain if nothing else is said."""
    retriever = travels.as_retriever(k=2, score_threshold=0)

    assert type(retriever) is CogMemRetriever
    assert len(retriever.invoke("hiking?")) == 2
    with pytest.raises(
        InvalidInput, match="framework is 'haystack'; use one of langchain, llamaindex"
    ):
        travels.as_retriever("haystack")


@pytest.mark.parametrize("options", [{"filter": {"country": "Spain"}}, {"categories": ["plan"]}])
def test_agents_and_chains_take_filters(travels: MemoryBank, options: dict[str, Any]) -> None:
    """`filter`, `categories` and `deadline` of the middleware and of the memory."""
    travels.add("Ann likes hiking in Peru", category="plan")
    agent_model, chain_model = Answering(), Answering()
    given = {"deadline": 5.0, **options}

    create_agent(
        agent_model, [], middleware=[CogMemMiddleware(travels, save_mode="none", **given)]
    ).invoke(QUESTION)
    memory = CogMemMemory(travels, save_mode="none", **given)
    ConversationChain(llm=chain_model, memory=memory).invoke({"input": "hiking?"})

    wanted = "Spain" if "filter" in options else "Peru"
    for prompt in (*agent_model.prompts, *chain_model.prompts):
        shown = [name for name in ("Norway", "Austria", "Spain", "Peru") if name in prompt]
        assert shown == [wanted]


def test_judgements_are_told(bank: MemoryBank) -> None:
    """`on_feedback` of the middleware and of the memory."""
    heard: list[tuple[Feedback, ...]] = []
    create_agent(
        Answering(), [], middleware=[CogMemMiddleware(bank, on_feedback=heard.append)]
    ).invoke(QUESTION)
    bank.engine.flush()
    memory = CogMemMemory(bank, on_feedback=heard.append)
    ConversationChain(llm=Answering(), memory=memory).invoke({"input": "hiking?"})
    bank.engine.flush()

    assert heard[0][0].signal == "used"
    assert len(heard) == 2


# --- recent turns ---

CITIES = "Rome, Paris and Oslo."


def test_the_last_turns_follow_the_memories(engine: Engine) -> None:
    """`recent=`: a chain knows what it just said."""
    model = Answering(answer=lambda _: CITIES)
    memory = CogMemMemory(engine.bank("bob"), recent=1)
    chain = ConversationChain(llm=model, memory=memory)
    chain.invoke({"input": "Name three cities for a weekend."})
    chain.invoke({"input": "Tell me more about the second one."})
    chain.invoke({"input": "And the third?"})

    assert f"Human: Name three cities for a weekend.\nAI: {CITIES}" in model.prompts[1]
    assert "Name three cities" not in model.prompts[2]
    assert f"Human: Tell me more about the second one.\nAI: {CITIES}" in model.prompts[2]
    memory.clear()
    chain.invoke({"input": "And the first?"})
    assert "second one" not in model.prompts[3]


def test_the_last_turns_as_messages_of_each_user(engine: Engine, bank: MemoryBank) -> None:
    """`return_messages`: what was said, then what is recalled now, as a message of nobody's."""
    memory = CogMemMemory(
        engine=engine,
        namespace=lambda inputs: inputs["user"],
        input_key="input",
        recent=3,
        return_messages=True,
        memory_key="past",
    )
    memory.save_context({"user": "ann", "input": "hiking?"}, {"output": "Mount Rainier!"})
    memory.save_context({"user": "bob", "input": "tea?"}, {"output": "Green!"})

    past = memory.load_memory_variables({"user": "ann", "input": "hiking?"})["past"]

    assert [type(message) for message in past] == [HumanMessage, AIMessage, HumanMessage]
    assert (past[0].content, past[1].content) == ("hiking?", "Mount Rainier!")
    assert past[2].text.startswith("<memories>")
    prompt = ChatPromptTemplate.from_messages([MessagesPlaceholder("past"), ("user", "{q}")])
    assert len(prompt.invoke({"past": past, "q": "?"}).to_messages()) == 4


def test_recent_turns_are_no_documents(bank: MemoryBank) -> None:
    """Either documents or turns."""
    with pytest.raises(InvalidInput, match="recent is given and so is return_docs"):
        CogMemMemory(bank, recent=2, return_docs=True)
    with pytest.raises(InvalidInput, match="recent is -1"):
        CogMemMemory(bank, recent=-1)


# --- where the block stands ---


def test_a_string_prompt_stays_a_string(bank: MemoryBank) -> None:
    """Servers that know no content parts can read it, wherever the block stands."""
    for insert in ("system", "user", "auto"):
        model = Seeing()
        middleware = CogMemMiddleware(bank, insert=insert)
        create_agent(model, [], system_prompt="Be kind.", middleware=[middleware]).invoke(QUESTION)
        assert all(isinstance(message.content, str) for message in model.seen[0])

    blocks = [{"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}}]
    model = Seeing()
    prompt = SystemMessage(content=blocks)  # type: ignore[arg-type]
    middleware = CogMemMiddleware(bank, insert="system")
    create_agent(model, [], system_prompt=prompt, middleware=[middleware]).invoke(QUESTION)
    assert model.seen[0][0].content[0] == blocks[0]


def prompts(insert: str, questions: tuple[str, ...]) -> list[list[Any]]:
    """What the model saw in each turn of a conversation, where one memory is always worth knowing."""
    tier = replace(MANUAL.retrieval.hot, utility=0.0, accesses=0, items=1)
    config = replace(MANUAL, retrieval=replace(MANUAL.retrieval, hot=tier))
    model = Seeing(answer=lambda _: "So I have heard. " * 20)
    with cogmem_core.open(embedder="hashing", config=config) as engine:
        bank = engine.bank("ann")
        bank.add(COFFEE)
        bank.recall("coffee", session_id="t1")
        for fact in (HIKING, "Ann sings in a choir", "Ann drives an old Volvo"):
            bank.add(fact)
        agent = create_agent(
            model,
            [],
            system_prompt="Be kind.",
            middleware=[CogMemMiddleware(bank, insert=insert)],
            checkpointer=InMemorySaver(),
        )
        for question in questions:
            thread: Any = {"configurable": {"thread_id": "t1"}}
            agent.invoke({"messages": [("user", question)]}, thread)
    return model.seen


def unchanged(seen: list[list[Any]]) -> float:
    """How much of a prompt begins as the one of the turn before began, over a conversation, 0..1."""
    texts = ["\n".join(message.text for message in messages) for messages in seen]
    shares = [
        sum(takewhile(bool, (int(a == b) for a, b in zip(*pair, strict=False)))) / len(pair[0])
        for pair in pairwise(texts)
    ]
    return sum(shares) / len(shares)


def test_the_cached_prefix_of_a_conversation_holds() -> None:
    """What is always worth knowing stands in the system prompt, the rest behind the history.

    So of each prompt all but the last message and its memories begins the next one, too.
    """
    questions = ("hiking?", "Does Ann sing?", "hiking and coffee?", "What does Ann drive?")
    seen = prompts("auto", questions)

    first, second, third = seen[:3]
    assert first[0].text.startswith("Be kind.\n\n<memories>")
    assert COFFEE in first[0].text
    assert {messages[0].text for messages in seen} == {first[0].text}
    assert HIKING in first[-1].text
    assert COFFEE not in third[-1].text
    assert [message.text for message in third[:3]] == [message.text for message in second[:3]]
    assert third[-1].text.endswith("\n\nhiking and coffee?")
    assert unchanged(prompts("system", questions)) < 0.5
    assert unchanged(seen) > 0.55


def test_the_block_stays_where_it_is_while_tools_are_called(bank: MemoryBank) -> None:
    """In front of the user's own message, whatever else speaks in a person's name since."""

    @tool
    def look(place: str) -> str:
        """Look something up."""
        return f"Nothing in {place}"

    call = AIMessage("", tool_calls=[{"name": "look", "args": {"place": "Oslo"}, "id": "1"}])
    model = Seeing(answer=lambda prompt: "Done." if "Nothing in" in prompt else call)
    agent = create_agent(model, [look], middleware=[CogMemMiddleware(bank, insert="user")])

    agent.invoke(QUESTION)

    assert model.seen[1][: len(model.seen[0])] == model.seen[0]


# --- structured answers ---


@pytest.fixture
def judging() -> Iterator[MemoryBank]:
    """Judged by the ladder of evidence, as it is by default."""
    with cogmem_core.open(embedder="hashing") as engine:
        bank = engine.bank("ann")
        bank.add(HIKING)
        bank.add(COFFEE)
        yield bank


class Place(BaseModel):
    """Where somebody likes to hike."""

    mountain: str


def test_a_structured_answer_is_an_answer(judging: MemoryBank) -> None:
    """`ToolStrategy`: what the model gave as arguments is what it said."""
    call = AIMessage(
        "",
        tool_calls=[
            {"name": "Place", "args": {"mountain": "Mount Rainier, for hiking"}, "id": "1"}
        ],
    )
    agent = create_agent(
        Answering(answer=lambda _: call),
        [],
        response_format=ToolStrategy(Place),
        middleware=[CogMemMiddleware(bank=judging)],
    )

    result = agent.invoke({"messages": [("user", "Where does Ann like to go?")]})

    assert result["structured_response"] == Place(mountain="Mount Rainier, for hiking")
    assert learnt(judging)[HIKING][0] == 1


def test_an_application_judges_a_structured_answer(judging: MemoryBank) -> None:
    """`similarity_fn` is given its values."""
    heard: list[str] = []
    call = AIMessage("", tool_calls=[{"name": "Place", "args": {"mountain": "Hood"}, "id": "1"}])

    def similarity(_memory: str, answer: str) -> float:
        heard.append(answer)
        return 0.0

    create_agent(
        Answering(answer=lambda _: call),
        [],
        response_format=ToolStrategy(Place),
        middleware=[CogMemMiddleware(bank=judging, similarity_fn=similarity)],
    ).invoke({"messages": [("user", "Where does Ann like to go?")]})
    judging.engine.flush()

    assert set(heard) == {'{"mountain": "Hood"}'}


def test_what_was_given_to_tools_is_evidence(judging: MemoryBank) -> None:
    """An answer that says nothing but "Done."."""

    @tool
    def order(what: str) -> str:
        """Order something."""
        return "ordered"

    call = AIMessage(
        "", tool_calls=[{"name": "order", "args": {"what": "coffee from Guatemala"}, "id": "1"}]
    )
    model = Answering(answer=lambda prompt: "Done." if "ordered" in prompt else call)
    agent = create_agent(model, [order], middleware=[CogMemMiddleware(bank=judging)])

    agent.invoke({"messages": [("user", "Order what Ann drinks, please")]})

    assert learnt(judging)[COFFEE][0] == 1


# --- the package ---


@pytest.mark.parametrize("whose", ["bank", "engine", "function"])
@pytest.mark.parametrize(
    "make", [CogMemRetriever, CogMemMemory, CogMemMiddleware, create_memory_tools]
)
def test_they_can_be_pickled(bank: MemoryBank, make: Any, whose: str) -> None:
    """For Ray, Spark and multiprocessing, also with a function of a module."""
    given: dict[str, Any] = {"bank": bank}
    if whose != "bank":
        name: Any = "ann" if whose == "engine" else by_config
        given = {"engine": bank.engine, "namespace": name}

    copied = pickle.loads(pickle.dumps(make(**given)))

    if make is CogMemRetriever:
        found = copied.invoke("hiking?", {"configurable": {"user_id": "ann"}})
        assert found[0].page_content == HIKING
    elif make is CogMemMemory and whose != "function":
        assert HIKING in copied.load_memory_variables({"input": "hiking?"})["history"]
    elif make is CogMemMiddleware:
        model = Answering()
        create_agent(model, [], middleware=[copied]).invoke(
            QUESTION, {"configurable": {"user_id": "ann"}}
        )
        assert HIKING in model.prompts[0]
    elif make is create_memory_tools:
        told = copied[0].invoke({"query": "hiking?"}, {"configurable": {"user_id": "ann"}})
        assert HIKING in told


def test_models_and_embeddings_of_the_application_are_adapted() -> None:
    """`cogmem_core.open(llm=ChatOpenAI(...), embedder=OpenAIEmbeddings())`."""
    with cogmem_core.open(
        embedder=DeterministicFakeEmbedding(size=16),
        llm=FakeListChatModel(responses=["{}"]).with_fallbacks([]),
    ) as engine:
        health = engine.health()
        assert health["embedder"] == "langchain:DeterministicFakeEmbedding:16"
        assert health["llm"]["model"] == "RunnableWithFallbacks"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"embedder": "hashing", "llm": DeterministicFakeEmbedding(size=4)},
            "llm is a DeterministicFakeEmbedding of LangChain, and LangChainLLM does not take it",
        ),
        (
            {"embedder": FakeListChatModel(responses=["a key: sk-123"])},
            "embedder is a FakeListChatModel of LangChain, and LangChainEmbedder does not take it",
        ),
        ({"embedder": "hashing", "llm": object()}, "llm is a object; pass an object with"),
    ],
)
def test_what_cannot_be_adapted_is_named_by_its_class(given: Any, message: str) -> None:
    """Not by its contents, which may hold a key."""
    with pytest.raises(ConfigError, match=message) as caught:
        cogmem_core.open(**given)
    assert "sk-123" not in str(caught.value)


def test_without_the_adapter_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The engine can be installed alone."""
    monkeypatch.setitem(sys.modules, "langchain_cogmem", None)
    with pytest.raises(ConfigError) as caught:
        cogmem_core.open(embedder="hashing", llm=FakeListChatModel(responses=["x"]))
    told = str(caught.value)
    assert told.startswith("langchain_cogmem.LangChainLLM cannot be imported")
    assert told.endswith("pip install 'langchain-cogmem'")


@pytest.mark.parametrize("kind", [CogMemRetriever, CogMemMemory])
def test_their_options_have_a_schema(kind: Any) -> None:
    """For applications that are configured by forms or files: what JSON can say."""
    properties = kind.model_json_schema()["properties"]

    assert properties["k"]["type"] == "integer"
    assert "bank" not in properties
