"""Judged is what stood in the prompt of the call that answered, in whatever form it stood there."""

import html
import json
from collections.abc import Callable
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import ModelCallLimitMiddleware
from langchain.agents.structured_output import ToolStrategy
from langchain_classic.chains import ConversationalRetrievalChain
from langchain_classic.retrievers import ContextualCompressionRetriever
from langchain_classic.retrievers.document_compressors import LLMChainExtractor
from langchain_core.documents import Document
from langchain_core.messages import AIMessage
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnableLambda, RunnablePassthrough
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import BaseModel
from typing_extensions import TypedDict

from cogmem_core import Engine, MemoryBank
from helpers.langchain_models import Answering, joined, learnt, signals
from langchain_cogmem import CogMemCallbackHandler, CogMemMemory, CogMemMiddleware, CogMemRetriever

pytestmark = pytest.mark.filterwarnings(
    "ignore::langchain_core._api.deprecation.LangChainDeprecationWarning"
)
LENA = "My sister Lena lives in Oslo with two cats."
BOAT = "My boat is called Swallow."
AWKWARD = 'Die "Möwe" & ihr Boot liegen in Köln;\nder Hafen heißt Rheinau.'
QUESTION = "Where does my sister Lena live, and what is my boat called?"
LETTER = f"Dear all, the weather was grey and we stayed in all week long. {LENA} Love to everybody!"


@pytest.fixture
def bank(engine: Engine) -> MemoryBank:
    bank = engine.bank("ann")
    bank.add(LENA)
    bank.add(BOAT)
    return bank


def rag(retriever: Runnable[Any, Any], said: str) -> Runnable[Any, Any]:
    prompt = ChatPromptTemplate.from_template("{context}\n\n{question}")
    answering = Answering(answer=lambda _: said)
    return {"context": retriever, "question": RunnablePassthrough()} | prompt | answering


def watched(bank: MemoryBank) -> Any:
    return {"callbacks": [CogMemCallbackHandler(bank.engine)]}


class TestEscaped:
    """A tool or a lambda hands memories on in a notation of its own."""

    @pytest.mark.parametrize(
        "notation",
        [
            lambda texts: json.dumps({"memories": texts}),
            lambda texts: json.dumps(json.dumps(texts)),
            lambda texts: repr({"memories": texts}),
            lambda texts: f"<memories>{html.escape(texts[0])}</memories>",
            lambda texts: f"<m text='{texts[0].encode('ascii', 'xmlcharrefreplace').decode()}'/>",
        ],
        ids=["JSON", "JSON in JSON", "repr", "HTML", "character references"],
    )
    def test_in_a_prompt(self, engine: Engine, notation: Callable[[list[str]], str]) -> None:
        """Umlauts, quotes, ampersands and line ends are written otherwise there."""
        bank = engine.bank("bob")
        bank.add(AWKWARD)
        shown = RunnableLambda(
            lambda question: notation([item.text for item in bank.recall(question).results])
        )

        rag(shown, "In Köln, im Hafen Rheinau.").invoke("Wo liegt das Boot?", watched(bank))

        assert learnt(bank) == {AWKWARD: (1, 0)}

    def test_in_what_a_tool_returns(self, engine: Engine) -> None:
        """An own tool of an agent answers in JSON."""
        bank = engine.bank("bob")
        bank.add(AWKWARD)

        @tool
        def look_up(query: str) -> str:
            """Look something up."""
            return json.dumps([item.text for item in bank.recall(query).results])

        calls = [{"name": "look_up", "args": {"query": "Wo liegt das Boot?"}, "id": "1"}]
        answers = iter([AIMessage("", tool_calls=calls), AIMessage("Im Hafen Rheinau in Köln.")])  # type: ignore[arg-type]
        agent = create_agent(Answering(answer=lambda _: next(answers)), [look_up])
        agent.invoke({"messages": [("user", "Wo liegt das Boot?")]}, watched(bank))

        assert learnt(bank) == {AWKWARD: (1, 0)}


class TestShortened:
    """Compressors leave less of a memory, or say it in other words."""

    @pytest.fixture
    def letters(self, engine: Engine) -> MemoryBank:
        bank = engine.bank("bob")
        bank.add(LETTER)
        bank.add("Dear all, nothing has happened here since the weather was grey last week.")
        return bank

    def test_by_a_model(self, letters: MemoryBank) -> None:
        """`LLMChainExtractor`; what it leaves nothing of is not judged."""
        extractor = LLMChainExtractor.from_llm(
            Answering(answer=lambda asked: LENA if LENA in asked else "NO_OUTPUT")
        )
        retriever = ContextualCompressionRetriever(
            base_compressor=extractor, base_retriever=CogMemRetriever(bank=letters, k=2)
        )

        rag(retriever | joined, LENA).invoke("the weather?", watched(letters))

        assert [learnt(letters)[LETTER], signals(letters)] == [(1, 0), 1]

    def test_in_a_lambda(self, letters: MemoryBank) -> None:
        """What a chain makes of documents are still documents."""

        def shortened(documents: list[Document]) -> list[Document]:
            with_lena = [document for document in documents if LENA in document.page_content]
            return [document.model_copy(update={"page_content": LENA}) for document in with_lena]

        chain = CogMemRetriever(bank=letters, k=2) | RunnableLambda(shortened) | joined
        rag(chain, LENA).invoke("the weather?", watched(letters))

        assert [learnt(letters)[LETTER], signals(letters)] == [(1, 0), 1]

    def test_a_rest_that_says_nothing_is_not_looked_for(self, letters: MemoryBank) -> None:
        """A word of a memory stands in prompts by chance."""

        def shortened(documents: list[Document]) -> list[Document]:
            return [
                document.model_copy(update={"page_content": "weather"}) for document in documents
            ]

        chain = CogMemRetriever(bank=letters, k=2) | RunnableLambda(shortened) | joined
        rag(chain, "Lena lives in Oslo.").invoke("the weather?", watched(letters))

        assert signals(letters) == 0


class Place(BaseModel):
    """Where somebody lives."""

    city: str


class PlaceDict(TypedDict):
    """Where somebody lives."""

    city: str


def placed(name: str, text: str = LENA) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": name, "args": {"city": text}, "id": "1"}])


class TestStructured:
    """An agent answers in a structure: its model calls a tool that nobody runs."""

    @pytest.mark.parametrize("schema", [Place, PlaceDict])
    @pytest.mark.parametrize("by", ["middleware", "handler"])
    def test_the_arguments_are_the_answer(self, bank: MemoryBank, schema: Any, by: str) -> None:
        """`ToolStrategy`."""
        model = Answering(answer=lambda _: placed(schema.__name__))
        middleware = CogMemMiddleware(bank=bank, save_mode="none", auto_feedback=by == "middleware")
        agent = create_agent(
            model,
            [],
            response_format=ToolStrategy(schema),
            middleware=[middleware] if by == "middleware" else [],
        )
        told = f"{LENA}\n{BOAT}\n{QUESTION}" if by == "handler" else QUESTION
        if by == "handler":
            bank.recall(QUESTION, floor=0)
        agent.invoke({"messages": [("user", told)]}, watched(bank))

        assert learnt(bank) == {LENA: (1, 0), BOAT: (0, 1)}

    def test_of_a_chain(self, bank: MemoryBank) -> None:
        """`with_structured_output` makes a chain of model and parser."""
        model = Answering(answer=lambda _: placed("Place"))
        parser = RunnableLambda(lambda said: Place(**said.tool_calls[0]["args"]))
        looked_up = RunnableLambda(
            lambda asked: f"{bank.recall(asked, floor=0).context()}\n{asked}"
        )

        (looked_up | model | parser).invoke(QUESTION, watched(bank))

        assert learnt(bank) == {LENA: (1, 0), BOAT: (0, 1)}

    def test_the_structure_of_another_turn_is_no_answer(self, bank: MemoryBank) -> None:
        """The state keeps it; this turn ends because a limit is reached."""
        model = Answering(answer=lambda _: placed("Place"))
        agent = create_agent(
            model,
            [],
            response_format=ToolStrategy(Place),
            middleware=[
                CogMemMiddleware(bank=bank, save_mode="none"),
                ModelCallLimitMiddleware(thread_limit=1, exit_behavior="end"),
            ],
            checkpointer=InMemorySaver(),
        )
        config = {"configurable": {"thread_id": "1"}, **watched(bank)}
        for _ in range(2):
            agent.invoke({"messages": [("user", QUESTION)]}, config)  # type: ignore[arg-type]

        assert learnt(bank) == {LENA: (1, 0), BOAT: (0, 1)}


class Documents(BaseRetriever):
    """A retriever of something else than memories."""

    def _get_relevant_documents(self, query: str, **_: Any) -> list[Document]:
        return [Document("The mountain is 4,392 metres high")]


@pytest.mark.parametrize("rewritten", ["Where does Lena live, in Oslo with two cats?", "No idea."])
def test_a_conversation_that_only_the_rewriting_model_saw(bank: MemoryBank, rewritten: str) -> None:
    """`ConversationalRetrievalChain` shows its memory to the model that writes the question anew."""
    memory = CogMemMemory(
        bank=bank, memory_key="chat_history", output_key="answer", save_mode="none"
    )
    model = Answering(answer=lambda asked: rewritten if "tandalone" in asked else "No idea.")
    chain = ConversationalRetrievalChain.from_llm(
        model, Documents(), memory=memory, get_chat_history=lambda text: text
    )

    chain.invoke({"question": QUESTION}, watched(bank))

    assert [LENA in prompt for prompt in model.prompts] == [True, False]
    assert signals(bank) == 0
