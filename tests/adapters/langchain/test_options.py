"""What is given to the classes of `langchain_cogmem`: checked at once, and whose memories a run means."""

import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.runnables import ConfigurableField

import cogmem_core
from cogmem_core import Config, Engine, InvalidInput, MemoryBank
from cogmem_core.config import ConsolidationConfig, RetrievalConfig
from helpers.langchain_models import Answering, by_config
from helpers.tables import each_row
from langchain_cogmem import CogMemMemory, CogMemMiddleware, CogMemRetriever, create_memory_tools

QUESTION = {"messages": [("user", "hiking or coffee?")]}


@pytest.fixture
def narrow() -> Iterator[MemoryBank]:
    """A bank that gives at most five memories for a question."""
    config = Config(
        retrieval=RetrievalConfig(max_k=5), consolidation=ConsolidationConfig(trigger="manual")
    )
    with cogmem_core.open(embedder="hashing", config=config) as engine:
        yield engine.bank("ann")


@pytest.mark.parametrize(
    ("make", "misspelt"),
    [
        (CogMemRetriever, {"treshold": 0.4}),
        (CogMemMemory, {"return_message": True}),
        (CogMemMiddleware, {"max_token": 100}),
    ],
)
def test_a_misspelt_option_is_refused(
    bank: MemoryBank, make: Callable[..., Any], misspelt: dict[str, Any]
) -> None:
    """It would be ignored otherwise, and the default hold."""
    with pytest.raises((ValueError, TypeError), match=next(iter(misspelt))):
        make(bank=bank, **misspelt)


@each_row(
    ("make", "options", "message"),
    [
        (CogMemRetriever, {"k": 0}, "k is 0; give an integer from 1 to 1,000"),
        (
            CogMemRetriever,
            {"score_threshold": 70},
            "score_threshold is 70.0; give a number from 0 to 1",
        ),
        (
            CogMemRetriever,
            {"filter": {"category": "fact"}},
            r"filter\['category'\] is unknown; .* categories, tags,",
        ),
        (
            CogMemRetriever,
            {"filter": {"categories": "fact"}},
            r"filter\['categories'\] is 'fact' .* give a list",
        ),
        (CogMemRetriever, {"filter": {"tags": [7]}}, r"filter\['tags'\]\[0\] is 7"),
        (CogMemMemory, {"k": -3}, "k is -3"),
        (CogMemMemory, {"max_tokens": 0}, "max_tokens is 0"),
        (CogMemMemory, {"session_id": ""}, "session_id is ''"),
        (CogMemMiddleware, {"k": 0}, "k is 0"),
        (CogMemMiddleware, {"max_tokens": -1}, "max_tokens is -1"),
        (CogMemMiddleware, {"similarity_fn": 0.7}, "similarity_fn is 0.7; give a function"),
        (create_memory_tools, {"k": 1_001}, "k is 1001; give an integer from 1 to 1,000"),
        (create_memory_tools, {"session_id": " "}, "session_id is ' '"),
        (create_memory_tools, {"role": "human"}, "role is 'human'; use one of"),
    ],
)
def test_what_no_recall_could_use_is_refused_at_once(
    bank: MemoryBank, make: Callable[..., Any], options: dict[str, Any], message: str
) -> None:
    """Not at every call, where it would be logged, and the chain go on without memory."""
    with pytest.raises(InvalidInput, match=message):
        make(bank=bank, **options)
    with pytest.raises(InvalidInput, match=message):
        make(engine=bank.engine, namespace="ann", **options)


@pytest.mark.parametrize(
    "make", [CogMemRetriever, CogMemMemory, CogMemMiddleware, create_memory_tools]
)
def test_the_limits_are_those_of_the_engine(narrow: MemoryBank, make: Callable[..., Any]) -> None:
    """`retrieval.max_k` of its configuration, also where the namespace depends on the run."""
    make(bank=narrow, k=5)
    for whose in ({"bank": narrow}, {"engine": narrow.engine, "namespace": lambda *_: "ann"}):
        with pytest.raises(InvalidInput, match="k is 6; give an integer from 1 to 5"):
            make(**whose, k=6)


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_what_a_call_gives_is_checked_as_well(bank: MemoryBank, asynchronous: bool) -> None:
    """`retriever.invoke(query, k=...)`: the caller's mistake, not a failure of the memory."""
    retriever = CogMemRetriever(bank)
    for given, message in (
        ({"k": 0}, "k is 0"),
        ({"treshold": 1}, "treshold is unknown"),
        ({"floor": 7}, "floor is 7"),
    ):
        with pytest.raises(InvalidInput, match=message):
            await retriever.ainvoke("hiking?", **given) if asynchronous else retriever.invoke(
                "hiking?", **given
            )


@pytest.mark.parametrize("make", [CogMemRetriever, CogMemMemory, CogMemMiddleware])
def test_the_bank_comes_first_or_by_its_name(bank: MemoryBank, make: Callable[..., Any]) -> None:
    """As in the classes of LlamaIndex, in the tools, the history and the store."""
    for made in (
        make(bank),
        make(bank=bank),
        make(bank, k=2),
        make(engine=bank.engine, namespace="ann"),
    ):
        assert type(made) is make
    with pytest.raises(TypeError, match="multiple values"):
        make(bank, bank=bank)


def test_a_configurable_option_is_checked_when_it_is_configured(bank: MemoryBank) -> None:
    """LangChain makes another retriever of the fields of the first."""
    retriever = CogMemRetriever(bank, k=2, score_threshold=0).configurable_fields(
        k=ConfigurableField(id="k")
    )

    assert len(retriever.with_config(configurable={"k": 1}).invoke("hiking?")) == 1
    with pytest.raises(InvalidInput, match="k is 0"):
        retriever.with_config(configurable={"k": 0}).invoke("hiking?")


# --- whose memories a run means ---


def of_nobody(*_: Any) -> str:
    raise LookupError("no such tenant")


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize(
    ("namespace", "context", "error", "message"),
    [
        (
            lambda _, run: run.context["user"],
            {"mood": 1},
            InvalidInput,
            r"no 'user' .* context={'user': 'ann'}\)",
        ),
        (
            lambda _, run: run.context["user"],
            None,
            InvalidInput,
            r"None in the run; .* context={'user_id': 'ann'}\)",
        ),
        (
            lambda _, run: run.context.user,
            None,
            InvalidInput,
            "no 'user' in the run; give it to the run: agent.invoke",
        ),
        (lambda _, run: run.contexts, None, AttributeError, "contexts"),
        (lambda _: "ann", None, InvalidInput, "a function of _; it gets what its parameters name"),
        (of_nobody, None, LookupError, "no such tenant"),
    ],
)
async def test_an_agent_says_how_to_tell_whose_memories_are_meant(
    bank: MemoryBank,
    *,
    namespace: Any,
    context: Any,
    error: type[Exception],
    message: str,
    asynchronous: bool,
) -> None:
    """Before the model is asked; without a context there is not even a dict to look into."""
    middleware = CogMemMiddleware(engine=bank.engine, namespace=namespace)
    agent = create_agent(model := Answering(), [], middleware=[middleware], context_schema=dict)
    with pytest.raises(error, match=message):
        await agent.ainvoke(QUESTION, context=context) if asynchronous else agent.invoke(
            QUESTION, context=context
        )

    assert model.prompts == []


def test_after_the_answer_the_function_is_asked_only_if_there_is_something_to_do(
    engine: Engine,
) -> None:
    """A run that nothing was recalled for, and nothing is remembered of, needs nobody's bank."""
    middleware = CogMemMiddleware(engine=engine, namespace=of_nobody, save_mode="none")
    agent = create_agent(Answering(), [], middleware=[middleware])

    assert (
        agent.invoke({"messages": [("user", " ")]})["messages"][-1].text
        == "You like hiking on Mount Rainier!"
    )


def test_a_closed_engine_is_no_mistake_of_the_function(
    bank: MemoryBank, caplog: pytest.LogCaptureFixture
) -> None:
    """Scenario 11 with a namespace that depends on the run: one warning each, and the application goes on."""
    whose = {"engine": bank.engine, "namespace": lambda *_: "ann"}
    retriever, memory = CogMemRetriever(**whose), CogMemMemory(**whose)
    agent = create_agent(Answering(), [], middleware=[CogMemMiddleware(**whose)])
    bank.engine.close()
    with caplog.at_level(logging.WARNING, logger="cogmem_core"):
        assert retriever.invoke("hiking?") == []
        assert memory.load_memory_variables({"input": "hiking?"}) == {"history": ""}
        memory.save_context({"input": "I moved to Lisbon"}, {"output": "Nice"})
        assert agent.invoke(QUESTION)["messages"][-1].text == "You like hiking on Mount Rainier!"

    said = [record.getMessage().partition(",")[0] for record in caplog.records]
    assert said == [
        "a recall failed",
        "a recall failed",
        "remembering failed",
        "a recall failed",
        "remembering failed",
    ]


def by_context(context: Any) -> str:
    return str(context["user_id"])


async def by_config_later(config: Any) -> str:
    return by_config(config)


async def test_what_is_missing_is_named_with_the_place_for_it(engine: Engine) -> None:
    """By what the function asked for."""
    retriever = CogMemRetriever(engine=engine, namespace=by_config)
    with pytest.raises(
        InvalidInput, match=r'found no .user_id.* {"configurable": {.user_id.: "ann"'
    ):
        retriever.invoke("hiking?")
    with pytest.raises(InvalidInput, match="found None in the run"):
        CogMemRetriever(engine=engine, namespace=by_context).invoke("hiking?")
    agent = create_agent(
        Answering(), [], middleware=[CogMemMiddleware(engine=engine, namespace=lambda user: user)]
    )
    with pytest.raises(InvalidInput, match=r"a function of user; it gets .*: metadata, inputs"):
        agent.invoke({"messages": [("user", "hiking?")]})
    with pytest.raises(InvalidInput, match=r"bank is an engine; give bank=engine\.bank"):
        create_memory_tools(engine)  # type: ignore[arg-type]


async def test_an_async_function_within_an_event_loop_wants_the_async_form(engine: Engine) -> None:
    """A synchronous call there cannot wait for it."""
    retriever = CogMemRetriever(engine=engine, namespace=by_config_later)
    with pytest.raises(InvalidInput, match="use the async form, such as ainvoke"):
        retriever.invoke("hiking?", {"configurable": {"user_id": "ann"}})
