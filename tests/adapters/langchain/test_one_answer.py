"""One judgement per memory and answer, however many recalls of a run showed the memory, and whoever judges."""

import json
import pickle
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_classic.chains import ConversationalRetrievalChain, ConversationChain
from langchain_classic.memory import CombinedMemory
from langchain_classic.retrievers import EnsembleRetriever, MergerRetriever, MultiQueryRetriever
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.load import dumps
from langchain_core.messages import AIMessage
from langchain_core.prompts import ChatPromptTemplate, PromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnableLambda, RunnablePassthrough

from cogmem_core import MemoryBank
from helpers.langchain_models import (
    ABOUT_HIKING,
    COFFEE,
    HIKING,
    Answering,
    joined,
    learnt,
    signals,
)
from helpers.tables import each_row
from langchain_cogmem import (
    CogMemCallbackHandler,
    CogMemMemory,
    CogMemMiddleware,
    CogMemRetriever,
    cogmem_feedback,
    create_memory_tools,
)

pytestmark = pytest.mark.filterwarnings(
    "ignore::langchain_core._api.deprecation.LangChainDeprecationWarning"
)
JUDGED = {HIKING: (1, 0), COFFEE: (0, 1)}
QUESTION = "hiking or coffee?"


def chain(retriever: BaseRetriever) -> Runnable[Any, Any]:
    prompt = ChatPromptTemplate.from_messages(
        [("system", "Memories:\n{context}"), ("human", "{question}")]
    )
    return {"context": retriever | joined, "question": RunnablePassthrough()} | prompt | Answering()


def rewriting(bank: MemoryBank) -> BaseRetriever:
    """Three rewritten questions."""
    rewrite = Answering(answer=lambda _: "hiking?\ncoffee?\nhiking, coffee?")
    return MultiQueryRetriever.from_llm(CogMemRetriever(bank=bank, k=2), rewrite)


def ensemble(bank: MemoryBank) -> BaseRetriever:
    retrievers: Any = [CogMemRetriever(bank=bank, k=2), CogMemRetriever(bank=bank, k=3)]
    return EnsembleRetriever(retrievers=retrievers, weights=[0.5, 0.5])


def merged(bank: MemoryBank) -> BaseRetriever:
    return MergerRetriever(
        retrievers=[CogMemRetriever(bank=bank, k=2), CogMemRetriever(bank=bank, k=3)]
    )


@pytest.mark.parametrize("made", [rewriting, ensemble, merged])
def test_retrievers_that_recall_more_than_once(bank: MemoryBank, made: Any) -> None:
    """Used once, ignored once: not three times."""
    chain(made(bank)).invoke(QUESTION, {"callbacks": [CogMemCallbackHandler(bank.engine)]})

    assert learnt(bank) == JUDGED
    assert signals(bank) == 2


def test_rewritten_questions_show_each_memory_once(bank: MemoryBank) -> None:
    """Three rewrites find both memories; the prompt has two documents, not six."""
    found = rewriting(bank).invoke(QUESTION)

    assert sorted(document.page_content for document in found) == sorted([HIKING, COFFEE])


@each_row(
    "key",
    [
        lambda document: document.page_content + repr(document.metadata),
        str,
        dumps,
        lambda document: dumps(pickle.loads(pickle.dumps(document))),
        lambda document: dumps(document.model_copy(deep=True)),
        lambda document: json.dumps(document.metadata, sort_keys=True),
    ],
)
def test_a_memory_is_one_document_whatever_the_question(bank: MemoryBank, key: Any) -> None:
    """As whatever people compare documents by: equal, printed, written down, copied."""
    retriever = CogMemRetriever(bank=bank, k=1)
    first, second = (retriever.invoke(text)[0] for text in ("hiking?", "Wandern: hiking wo?"))

    assert first == second == Document(**second.model_dump())
    assert key(first) == key(second)
    assert first != retriever.invoke("coffee?")[0]


def test_a_document_still_tells_what_its_recall_says(bank: MemoryBank) -> None:
    """Score and recall, of a document and of what a compressor makes of it."""
    [first], [second] = map(
        CogMemRetriever(bank=bank, k=1).invoke, ("hiking?", "hiking with whom?")
    )
    made = Document(page_content="shorter", metadata={**first.metadata})

    for document in (first, second):
        assert document.metadata["score"] == document.metadata.get("score") > 0
    assert first.metadata["recall_id"] != second.metadata["recall_id"]
    assert made.metadata["cogmem_id"].recall_id == first.metadata["recall_id"]
    assert made.metadata["cogmem_id"].score == first.metadata["score"]
    assert first.metadata.get("city", "?") == "?"
    with pytest.raises(KeyError):
        first.metadata["city"]


def test_each_answer_counts(bank: MemoryBank) -> None:
    """The same question and the same answer in two runs are two judgements."""
    handler = CogMemCallbackHandler(bank.engine)
    for _ in range(2):
        chain(ensemble(bank)).invoke(QUESTION, {"callbacks": [handler]})

    assert learnt(bank) == {HIKING: (2, 0), COFFEE: (0, 2)}


def test_two_hops_of_one_run(bank: MemoryBank) -> None:
    """Two answers of one run to two recalls of the same memories are two judgements."""
    answers = iter([ABOUT_HIKING, "Coffee from Guatemala, for Ann"])
    model = Answering(answer=lambda _: next(answers))

    def ask(question: str) -> str:
        return str(model.invoke(bank.recall(question, floor=0).context() + question).content)

    asked = RunnableLambda(lambda _: [ask("hiking?"), ask("coffee?")])
    said = asked.invoke("x", {"callbacks": [CogMemCallbackHandler(bank.engine)]})

    assert said == [ABOUT_HIKING, "Coffee from Guatemala, for Ann"]
    assert learnt(bank)[COFFEE][0] == 1


@pytest.mark.parametrize("handlers", [1, 2])
def test_memory_retriever_and_handlers(bank: MemoryBank, handlers: int) -> None:
    """A conversational chain that knows the memories from two sides, and is watched by one handler or two."""
    memory = CogMemMemory(
        bank=bank, memory_key="chat_history", output_key="answer", save_mode="none"
    )
    made = ConversationalRetrievalChain.from_llm(
        Answering(),
        CogMemRetriever(bank=bank, k=2),
        memory=memory,
        get_chat_history=lambda text: text,
    )
    watching: list[BaseCallbackHandler] = [
        CogMemCallbackHandler(bank.engine) for _ in range(handlers)
    ]

    made.invoke({"question": QUESTION}, {"callbacks": watching})

    assert learnt(bank) == JUDGED
    assert signals(bank) == 2


def test_two_memories_of_one_chain(bank: MemoryBank) -> None:
    """Without any handler: both learn from one answer."""
    both = CombinedMemory(
        memories=[
            CogMemMemory(bank=bank, memory_key=key, input_key="input", k=k, save_mode="none")
            for key, k in (("history", 2), ("facts", 3))
        ]
    )
    prompt = PromptTemplate.from_template("{history}\n{facts}\n{input}")

    ConversationChain(llm=Answering(), memory=both, prompt=prompt).invoke({"input": QUESTION})

    assert learnt(bank) == JUDGED


@pytest.mark.parametrize("watched", [True, False])
def test_middleware_tool_and_handler(bank: MemoryBank, watched: bool) -> None:
    """The tool shows what the middleware has shown already."""
    call = AIMessage(
        "", tool_calls=[{"name": "recall_memory", "args": {"query": "hiking, coffee?"}, "id": "1"}]
    )
    answers = iter([call, AIMessage(ABOUT_HIKING)])
    agent = create_agent(
        Answering(answer=lambda _: next(answers)),
        create_memory_tools(bank)[:1],
        middleware=[CogMemMiddleware(bank=bank, save_mode="none")],
    )
    if watched:
        with cogmem_feedback(bank.engine):
            agent.invoke({"messages": [("user", QUESTION)]})
    else:
        agent.invoke({"messages": [("user", QUESTION)]})

    assert learnt(bank) == JUDGED
