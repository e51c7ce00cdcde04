"""Which bank an adapter works on, and what a message says as plain text."""

from datetime import datetime, timezone
from typing import Any

import pytest
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    ChatMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.prompt_values import ChatPromptValue, StringPromptValue

import cogmem_core
from cogmem_core import BankClosed, InvalidInput, Turn
from cogmem_core.adapters.resolve_bank import BankResolver
from cogmem_core.testing import MANUAL
from helpers.tables import each_row
from langchain_cogmem import turns_of
from langchain_cogmem.convert import bank_of, engine_of, text_of

ENGINE = {"config": MANUAL}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), r"bank is missing; give bank=engine.bank\('ann'\), or engine= and namespace='ann'"),
        (("namespace",), "bank is missing; give bank="),
        (("engine",), "namespace is missing; an engine needs one"),
        (("bank", "engine", "namespace"), "give bank alone, or engine and namespace"),
        (("bank", "engine"), "give bank alone, or engine and namespace"),
        (("bank", "namespace"), "give bank alone, or engine and namespace"),
    ],
    ids=str,
)
def test_too_little_and_too_much_is_refused(
    engine: cogmem_core.Engine, arguments: tuple[str, ...], message: str
) -> None:
    """The message names what to give."""
    every: dict[str, Any] = {"bank": engine.bank("ann"), "engine": engine, "namespace": "ann"}
    given = [every[name] if name in arguments else None for name in every]
    with pytest.raises(InvalidInput, match=message):
        bank_of(*given)


def test_wrong_types_are_refused(engine: cogmem_core.Engine) -> None:
    """A path, a name and an engine are easily mixed up."""
    with pytest.raises(InvalidInput, match="bank is an engine; give"):
        bank_of(engine, None, None)  # type: ignore[arg-type]
    with pytest.raises(
        InvalidInput,
        match=r"engine is a str; give the cogmem_core.Engine that cogmem_core.open\(\) returns",
    ):
        bank_of(None, "brain", "ann")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="namespace is 7"):
        bank_of(None, engine, 7)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="namespace is ''"):
        bank_of(None, engine, "")


def test_a_closed_engine_is_refused(engine: cogmem_core.Engine) -> None:
    """Rather when an adapter is built than when it is first used."""
    engine.close()
    with pytest.raises(BankClosed):
        bank_of(None, engine, "ann")


def test_a_namespace_that_only_a_run_knows(engine: cogmem_core.Engine) -> None:
    """INTERFACES, head: "a callable where it is only known per run"; its arguments are the adapter's own."""
    whose = BankResolver(None, engine, lambda state, runtime: f"{state}-{runtime}")
    assert (whose("ann", 1).namespace, whose("bob", 2).namespace) == ("ann-1", "bob-2")
    fixed = engine.bank("ann")
    assert BankResolver(fixed, None, None)("ann", 1) is fixed
    with pytest.raises(InvalidInput, match="namespace is ''"):
        BankResolver(None, engine, lambda: "")()
    for bank, given in ((fixed, None), (fixed, engine), (None, None)):
        with pytest.raises(
            InvalidInput, match="namespace is a function, which needs engine=, and no bank="
        ):
            BankResolver(bank, given, lambda: "ann")


def test_the_engine_of_either(engine: cogmem_core.Engine) -> None:
    """Handlers serve all banks of an engine, and take one of its banks as well."""
    bank = engine.bank("ann")
    assert engine_of(engine, None) is engine_of(bank, None) is engine_of(None, bank) is engine
    for source, given in ((None, None), (engine, bank)):
        with pytest.raises(InvalidInput, match="give either engine= or bank=, and not both"):
            engine_of(source, given)
    with pytest.raises(InvalidInput, match="engine is a str; give the"):
        engine_of("brain", None)  # type: ignore[arg-type]


PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
TEXT = {"type": "text", "text": "I moved."}


@each_row(
    ("said", "text"),
    [
        ("I moved.", "I moved."),
        (" as it is \n", " as it is \n"),
        ("", ""),
        (None, ""),
        (HumanMessage("I moved."), "I moved."),
        (HumanMessage([TEXT, PICTURE, "To Lisbon."]), "I moved.\nTo Lisbon."),
        ([TEXT, PICTURE, "To Lisbon."], "I moved.\nTo Lisbon."),
        (TEXT, "I moved."),
        ({"text": "a block without a type"}, "a block without a type"),
        ({"type": "output_text", "text": "of the Responses API"}, "of the Responses API"),
        (PICTURE, ""),
        ({"type": "reasoning", "reasoning": "Hm.", "text": "Hm."}, ""),
        ({"type": "text", "text": None}, ""),
        ({"type": "tool_result", "content": "21"}, ""),
        (
            AIMessage(
                [
                    {"type": "text", "text": "It is "},
                    {"type": "text", "text": "warm."},
                    {"type": "tool_use"},
                ]
            ),
            "It is warm.",
        ),
        (AIMessageChunk("It is"), "It is"),
        (AIMessage("", tool_calls=[{"name": "f", "args": {}, "id": "1"}]), ""),
        (ToolMessage("21", tool_call_id="1"), "21"),
        (RemoveMessage(id="1"), ""),
        ([HumanMessage("I moved."), AIMessage(""), AIMessage("Where to?")], "I moved.\nWhere to?"),
        ([("user", "I moved."), {"role": "assistant", "content": [TEXT]}], "I moved.\nI moved."),
        ({"type": "human", "content": "I moved."}, "I moved."),
        (("system", [TEXT]), "I moved."),
        (
            ChatPromptValue(messages=[SystemMessage("Be brief"), HumanMessage("I moved.")]),
            "Be brief\nI moved.",
        ),
        (StringPromptValue(text="I moved."), "I moved."),
        ((message for message in [HumanMessage("I moved.")]), "I moved."),
        (b"bytes", ""),
        (7, ""),
    ],
)
def test_what_is_said(said: object, text: str) -> None:
    """INTERFACES 1.1: inputs may be message lists or content blocks: flatten to text."""
    assert text_of(said) == text


def test_the_text_of_an_answer_is_what_langchain_shows() -> None:
    """Providers split a sentence into blocks, with a source beside each."""
    blocks = [
        {"type": "text", "text": "Lisbon"},
        {"type": "text", "text": " is warm", "citations": [{}]},
    ]
    answer = AIMessage(blocks)
    assert text_of(answer) == str(answer.text) == "Lisbon is warm"


def test_messages_become_turns() -> None:
    """What people and models said, whatever form the messages have; who said it, and their ids."""
    messages = [
        SystemMessage("Be brief"),
        HumanMessage("I moved.", name="Ann", id="m-1"),
        AIMessage("", tool_calls=[{"name": "f", "args": {}, "id": "1"}]),
        ToolMessage("21", tool_call_id="1"),
        AIMessageChunk("Where to?", id="run-2"),
        ("user", "To Lisbon."),
        {"role": "assistant", "content": [TEXT]},
        ChatMessage("Bye!", role="human"),
    ]

    assert turns_of(messages) == [
        Turn("I moved.", role="user", speaker="Ann", ref="m-1"),
        Turn("Where to?", role="assistant", ref="run-2"),
        Turn("To Lisbon.", role="user"),
        Turn("I moved.", role="assistant"),
        Turn("Bye!", role="user"),
    ]


def test_turns_of_a_conversation_that_began_then_can_be_remembered(
    engine: cogmem_core.Engine,
) -> None:
    """Moving in: dates in the order of the messages, and the conversation's name."""
    bank, began = engine.bank("ann"), datetime(2025, 3, 1, 9, tzinfo=timezone.utc)
    bank.remember(
        turns_of(
            [("user", "I live in Berlin."), ("user", "I play the cello.")],
            began=began,
            session_id="s1",
        )
    )

    assert [
        (memory.content, memory.recorded_at.isoformat(), memory.session_id)
        for memory in bank.list()
    ] == [
        ("I live in Berlin.", "2025-03-01T09:00:00+00:00", "s1"),
        ("I play the cello.", "2025-03-01T09:01:00+00:00", "s1"),
    ]


@each_row(
    ("messages", "message"),
    [
        ("I moved.", "messages is a str; give a list of messages"),
        (HumanMessage("I moved."), "messages is a HumanMessage; give a list"),
        (7, "messages is a int"),
        ([HumanMessage("I moved."), 7], r"messages\[1\] is a int, no message"),
        ([("nobody", "I moved.")], r"messages\[0\] is a tuple, no message"),
    ],
)
def test_what_is_no_message_becomes_no_turn(messages: Any, message: str) -> None:
    """Typed errors that name the argument and the fix."""
    with pytest.raises(InvalidInput, match=message):
        turns_of(messages)
