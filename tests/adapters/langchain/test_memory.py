"""`CogMemMemory` in real chains (scenarios 1-5, 8, 10, 11, 17, 18)."""

import asyncio
import copy
import logging
from typing import Any

import pytest
from langchain_classic.agents import AgentExecutor, create_tool_calling_agent
from langchain_classic.base_memory import BaseMemory
from langchain_classic.chains import ConversationalRetrievalChain, ConversationChain, LLMChain
from langchain_classic.memory import CombinedMemory, ConversationBufferMemory, ReadOnlySharedMemory
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder, PromptTemplate
from langchain_core.tools import tool

import cogmem_core
from cogmem_core import EmbedderUnavailable, Engine, InvalidInput, MemoryBank
from cogmem_core.testing import CountingEmbedder
from helpers.langchain_models import ABOUT_HIKING, COFFEE, HIKING, Answering, learnt, signals
from helpers.store_kinds import BLAMING
from langchain_cogmem import CogMemCallbackHandler, CogMemMemory, CogMemRetriever


def conversation(
    bank: MemoryBank, model: Answering | None = None, **more: Any
) -> ConversationChain:
    return ConversationChain(llm=model or Answering(), memory=CogMemMemory(bank=bank, **more))


def test_scenario_01_a_conversation_chain_works_with_the_default_keys(bank: MemoryBank) -> None:
    """It is a `BaseMemory`, and what it recalls is in the prompt that the model received."""
    model = Answering()
    chain = conversation(bank, model)

    answer = chain.invoke({"input": "Where do I like hiking?"})

    assert isinstance(chain.memory, BaseMemory)
    assert answer["response"] == ABOUT_HIKING
    assert HIKING in model.prompts[0]


def test_scenario_01_what_was_said_is_known_in_the_next_turn(bank: MemoryBank) -> None:
    """Without waiting, flushing or anything else between two calls."""
    chain = conversation(bank, model := Answering())
    chain.invoke({"input": "My sister Lena lives in Oslo"})
    chain.invoke({"input": "Where does Lena live?"})

    assert "My sister Lena lives in Oslo" in model.prompts[1]


def test_scenario_02_the_memory_that_was_mentioned_is_used_the_other_ignored(
    bank: MemoryBank,
) -> None:
    """Strength and stability move in the right directions; one signal each."""
    before = {memory.content: memory for memory in bank.list()}

    conversation(bank).invoke({"input": "hiking or coffee?"})

    assert learnt(bank) == {HIKING: (1, 0), COFFEE: (0, 1)}
    after = {memory.content: memory for memory in bank.list()}
    assert after[HIKING].stability > before[HIKING].stability
    assert after[COFFEE].stability < before[COFFEE].stability
    assert signals(bank) == 2


def test_an_application_may_judge_by_itself(bank: MemoryBank) -> None:
    """`similarity_fn`: here the other way round than the words would have it."""
    conversation(bank, similarity_fn=lambda memory, _: float(memory == COFFEE)).invoke(
        {"input": "hiking or coffee?"}
    )
    assert learnt(bank) == {HIKING: (0, 1), COFFEE: (1, 0)}


def test_scenario_03_two_namespaces_never_meet(engine: Engine, bank: MemoryBank) -> None:
    """One memory object for all users: the namespace is told by the inputs."""
    engine.bank("bob").add("Bob likes hiking in the Alps")
    model = Answering()
    prompt = PromptTemplate.from_template("{history}\n{user}: {input}")
    memory = CogMemMemory(engine=engine, namespace=lambda inputs: inputs["user"], input_key="input")
    chain = LLMChain(llm=model, prompt=prompt, memory=memory)

    chain.invoke({"user": "ann", "input": "hiking?"})
    chain.invoke({"user": "bob", "input": "hiking? I also like the Dolomites"})

    assert (HIKING in model.prompts[0], "Alps" in model.prompts[0]) == (True, False)
    assert (HIKING in model.prompts[1], "Alps" in model.prompts[1]) == (False, True)
    assert learnt(bank)[HIKING] == (1, 0)
    assert "Dolomites" in " ".join(learnt(engine.bank("bob")))
    assert "Dolomites" not in " ".join(learnt(bank))


@pytest.mark.parametrize(
    ("how", "users"),
    [("abatch", 20), ("ainvoke", 50), pytest.param("ainvoke", 200, marks=pytest.mark.thorough)],
)
async def test_scenario_04_every_feedback_lands_on_its_own_recall(
    engine: Engine, how: str, users: int
) -> None:
    """Concurrent calls on one memory object, each user with a memory of his own."""
    names = [f"user{number:03d}" for number in range(users)]
    for name in names:
        engine.bank(name).add(f"The password hint of {name} is marigold{name}")
    model = Answering(answer=lambda prompt: f"It is marigold{prompt.rsplit(': ', 1)[1].split()[0]}")
    prompt = PromptTemplate.from_template("{history}\n{user}: {input}")
    memory = CogMemMemory(
        engine=engine, namespace=lambda inputs: inputs["user"], input_key="input", save_mode="none"
    )
    model.answer = lambda prompt: "It is marigold" + prompt.rsplit("\n", 1)[1].split(":")[0]
    chain = LLMChain(llm=model, prompt=prompt, memory=memory)
    inputs = [{"user": name, "input": "What is my password hint?"} for name in names]

    if how == "abatch":
        await chain.abatch(inputs)
    else:
        await asyncio.gather(*(chain.ainvoke(one) for one in inputs))
    await engine.aflush()

    assert [engine.bank(name).list()[0].used_count for name in names] == [1] * users


def test_scenario_05_memory_and_handler_together_count_once(bank: MemoryBank) -> None:
    """One signal per (recall, memory), whoever saw it."""
    handler = CogMemCallbackHandler(bank.engine)

    conversation(bank).invoke({"input": "hiking or coffee?"}, {"callbacks": [handler]})

    assert learnt(bank) == {HIKING: (1, 0), COFFEE: (0, 1)}
    assert signals(bank) == 2
    assert handler.pending == {"runs": 0, "roots": 0, "calls": 0}


def test_scenario_11_a_chain_answers_though_its_memory_is_down(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """One warning per kind of failure; the chain goes on."""
    embedder = CountingEmbedder()
    with cogmem_core.open(embedder=embedder, config=BLAMING) as engine:
        chain = conversation(engine.bank("ann"))
    with caplog.at_level(logging.WARNING, logger="cogmem_core"):
        answers = [chain.invoke({"input": "hiking?"})["response"] for _ in range(3)]

    assert answers == [ABOUT_HIKING] * 3
    assert [record.message.split(",")[0] for record in caplog.records] == [
        "a recall failed",
        "remembering failed",
    ]


def test_scenario_11_words_answer_while_the_embedder_is_down() -> None:
    """Nothing is lost: what was said is finished as soon as the embedder is back."""
    embedder = CountingEmbedder()
    with cogmem_core.open(embedder=embedder, config=BLAMING) as engine:
        bank = engine.bank("ann")
        bank.add(HIKING)
        embedder.failure = EmbedderUnavailable("down")
        chain = conversation(bank, model := Answering())
        chain.invoke({"input": "I moved to Lisbon. Where do I like hiking?"})
        embedder.failure = None
        engine.flush()

        assert HIKING in model.prompts[0]
        assert "Lisbon" in " ".join(memory.content for memory in bank.list())


def test_scenario_17_an_agent_executor_tells_its_output_key(bank: MemoryBank) -> None:
    """`return_intermediate_steps=True` gives two outputs, of which "output" is the answer."""

    @tool
    def weather(place: str) -> str:
        """Tell the weather."""
        return f"It rains in {place}"

    prompt = ChatPromptTemplate.from_messages(
        [("system", "{history}"), ("human", "{input}"), MessagesPlaceholder("agent_scratchpad")]
    )
    agent = create_tool_calling_agent(Answering(), [weather], prompt)
    executor = AgentExecutor(
        agent=agent, tools=[weather], memory=CogMemMemory(bank=bank), return_intermediate_steps=True
    )

    assert executor.invoke({"input": "hiking or coffee?"})["output"] == ABOUT_HIKING
    assert learnt(bank) == {HIKING: (1, 0), COFFEE: (0, 1)}


def test_scenario_17_a_conversational_retrieval_chain_needs_the_output_key(
    engine: Engine, bank: MemoryBank
) -> None:
    """`return_source_documents=True`; without the key a helpful error."""
    library = engine.bank("library")
    library.add("Mount Rainier is 4,392 metres high")

    def chain(**more: Any) -> Any:
        memory = CogMemMemory(
            bank=bank, memory_key="chat_history", input_key="question", return_messages=True, **more
        )
        return ConversationalRetrievalChain.from_llm(
            Answering(), CogMemRetriever(bank=library), memory=memory, return_source_documents=True
        )

    assert chain(output_key="answer").invoke({"question": "hiking?"})["answer"] == ABOUT_HIKING
    assert learnt(bank)[HIKING] == (1, 0)
    with pytest.raises(
        InvalidInput, match=r"the outputs are \['answer', 'source_documents'\]; give output_key="
    ):
        chain().invoke({"question": "hiking?"})


def test_scenario_18_combined_with_a_buffer(bank: MemoryBank) -> None:
    """The buffer holds the conversation, cogmem what came before it; neither takes the other's text for an input."""
    model = Answering()
    buffer = ConversationBufferMemory(memory_key="turns", input_key="input")
    memory = CombinedMemory(memories=[CogMemMemory(bank=bank), buffer])
    prompt = PromptTemplate.from_template("{history}\n{turns}\nHuman: {input}")
    chain = LLMChain(llm=model, prompt=prompt, memory=memory, output_key="response")

    with pytest.raises(InvalidInput, match=r"the inputs are \['input', 'turns'\]; give input_key="):
        chain.invoke({"input": "hiking?"})
    memory.memories[0].input_key = "input"
    chain.invoke({"input": "hiking?"})
    chain.invoke({"input": "and coffee?"})

    assert HIKING in model.prompts[-2]
    assert "Human: hiking?" in model.prompts[-1]
    assert learnt(bank)[HIKING][0] >= 1


def test_scenario_18_a_read_only_memory_reads_and_never_writes(bank: MemoryBank) -> None:
    """`ReadOnlySharedMemory` calls neither `save_context` nor `clear`."""
    model = Answering()
    memory = ReadOnlySharedMemory(memory=CogMemMemory(bank=bank))
    ConversationChain(llm=model, memory=memory).invoke(
        {"input": "I moved to Lisbon. Where do I like hiking?"}
    )

    assert HIKING in model.prompts[0]
    assert learnt(bank) == {HIKING: (0, 0), COFFEE: (0, 0)}


@pytest.mark.parametrize("shape", ["return_messages", "return_docs"])
def test_other_shapes_learn_as_well(bank: MemoryBank, shape: str) -> None:
    """A system message, or documents, in place of a text."""
    memory = CogMemMemory(bank=bank, **{shape: True})
    inputs = {"input": "hiking or coffee?"}
    found = memory.load_memory_variables(inputs)["history"]
    memory.save_context({**inputs, "history": found}, {"output": ABOUT_HIKING})

    assert type(found[0]).__name__ == (
        "SystemMessage" if shape == "return_messages" else "Document"
    )
    assert learnt(bank) == {HIKING: (1, 0), COFFEE: (0, 1)}


def test_a_template_surrounds_what_was_recalled(bank: MemoryBank) -> None:
    """Only if there is something; braces in memories stay as they are."""
    bank.add("Ann writes {input} and {history} in her hiking templates")
    memory = CogMemMemory(bank=bank, template="You know this:\n{memories}\nUse it.")

    text = memory.load_memory_variables({"input": "hiking templates?"})["history"]

    assert text.startswith("You know this:\n<memories>")
    assert text.endswith("</memories>\nUse it.")
    assert "{input} and {history}" in text
    assert CogMemMemory(
        bank=bank.engine.bank("nobody"), template="A {memories}"
    ).load_memory_variables({"input": "hiking?"}) == {"history": ""}
    with pytest.raises(InvalidInput, match=r"it needs \{memories\}"):
        CogMemMemory(bank=bank, template="nothing")


def test_clearing_forgets_what_was_said_in_the_session(bank: MemoryBank) -> None:
    """A new conversation begins; what was cleared can be restored."""
    here = CogMemMemory(bank=bank, session_id="s1")
    here.save_context({"input": "I moved to Lisbon"}, {"output": "Nice"})
    here.clear()

    assert set(learnt(bank)) == {HIKING, COFFEE}
    assert bank.count(state="forgotten") == 1
    with pytest.raises(InvalidInput, match="depends on the inputs"):
        CogMemMemory(engine=bank.engine, namespace=lambda _: "ann", session_id="s1").clear()


def test_clearing_without_a_session_forgets_nothing(bank: MemoryBank) -> None:
    """Chains and "new chat" buttons call it: the bank holds more than that conversation."""
    chain = conversation(bank)
    chain.invoke({"input": "I moved to Lisbon"})
    chain.memory.clear()
    CogMemMemory(engine=bank.engine, namespace=lambda _: "ann").clear()

    assert set(learnt(bank)) == {HIKING, COFFEE, "I moved to Lisbon"}
    assert chain.memory.last_recall is None


def test_copies_share_the_engine(bank: MemoryBank) -> None:
    """Chains are copied deeply by `with_config` and by graphs; locks and indexes cannot be."""
    memory = CogMemMemory(bank=bank)
    twin = copy.deepcopy(memory)
    other = memory.model_copy(deep=True)

    assert twin.bank is not None
    assert twin.bank.engine is bank.engine
    assert (
        other.load_memory_variables({"input": "hiking?"})["history"]
        == memory.load_memory_variables({"input": "hiking?"})["history"]
    )


def test_neither_repr_nor_dump_tells_what_is_remembered(bank: MemoryBank) -> None:
    """Both go into logs and traces."""
    memory = CogMemMemory(bank=bank)
    memory.load_memory_variables({"input": "hiking?"})

    assert "Rainier" not in repr(memory) + str(memory.model_dump())
    assert "ann" not in str(memory.model_dump())


def test_an_input_that_is_a_list_of_messages(bank: MemoryBank) -> None:
    """Inputs may be messages or content blocks: what a person would read is asked."""
    memory = CogMemMemory(bank=bank)
    blocks = [("human", [{"type": "text", "text": "Where do I like hiking?"}])]

    assert HIKING in memory.load_memory_variables({"input": blocks})["history"]
    assert memory.load_memory_variables({}) == {"history": ""}
    assert memory.last_recall is not None
    assert memory.last_recall.query == "Where do I like hiking?"
