"""A chat loop with memory in two lines: the real `openai` client against a server of the test's own."""

import asyncio
import json
import logging
import pickle
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from types import SimpleNamespace
from typing import Any

import openai
import pytest

import cogmem_core
from cogmem_core import BankClosed, InvalidInput, MemoryBank, wrap_openai
from helpers import loopback_server
from helpers.loopback_llm import LoopbackServer, Reply
from helpers.tables import each_row, rows_of

POT = "I keep the spare key under the blue pot"
BERTHA = "My aunt Bertha plays the cello in Oslo"
WHERE = "Where do I keep the spare key?"
UNDER = "Your spare key is under the blue pot."
WHO = "Which instrument does my aunt Bertha play?"
CELLO = "Your aunt Bertha plays the cello."


@pytest.fixture
def bank() -> Iterator[MemoryBank]:
    """Two memories, with nothing in common."""
    with cogmem_core.open(embedder="hashing") as engine:
        bank = engine.bank("ann")
        bank.remember([POT, BERTHA])
        yield bank


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def by_question(request: dict[str, Any]) -> Reply:
    """Answers what was asked."""
    text = json.dumps(request["messages"])
    return Reply.text(CELLO if "instrument" in text else UNDER)


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer(default=by_question) as server:
        yield server


@pytest.fixture
def client(server: LoopbackServer) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=server.address, api_key="none", max_retries=0) as client:
        yield client


def used(bank: MemoryBank) -> dict[str, int]:
    """How often each memory was used by an answer, after all feedback is in."""
    bank.engine.flush()
    return {memory.content: memory.used_count for memory in bank.list() if memory.used_count}


def test_the_model_is_told_what_is_known_and_the_caller_s_messages_stay_as_they_are(
    bank: MemoryBank, client: openai.OpenAI, server: LoopbackServer
) -> None:
    """The memory stands before the question, in the request only; the answer teaches."""
    messages = [{"role": "system", "content": "Be brief."}, user(WHERE)]
    wrapped = wrap_openai(client, bank)
    answer = wrapped.chat.completions.create(model="any", messages=messages)
    sent = server.requests[0]["messages"]
    assert answer.choices[0].message.content == UNDER
    assert sent[0] == {"role": "system", "content": "Be brief."}
    assert POT in sent[1]["content"]
    assert sent[1]["content"].endswith(f"\n\n{WHERE}")
    assert messages[1] == user(WHERE)
    assert used(bank) == {POT: 1}
    client.chat.completions.create(model="any", messages=[user(WHERE)])
    assert server.requests[1]["messages"] == [user(WHERE)]


def test_what_the_user_says_is_kept_before_the_model_is_asked(
    bank: MemoryBank, client: openai.OpenAI, server: LoopbackServer
) -> None:
    """A model that fails loses nothing, and a second try writes nothing twice."""
    news = "My new flat is in Porto, on the third floor"
    kept: list[bool] = []

    def fails(_request: dict[str, Any]) -> Reply:
        bank.finish_pending()
        kept.append(any(memory.content == news for memory in bank.list()))
        return Reply.error(500)

    server.enqueue(fails)
    wrapped = wrap_openai(client, bank)
    with pytest.raises(openai.InternalServerError):
        wrapped.chat.completions.create(model="any", messages=[user(news)])
    wrapped.chat.completions.create(model="any", messages=[user(news)])
    bank.engine.flush()
    assert kept == [True]
    assert [memory.content for memory in bank.list()].count(news) == 1
    assert bank.count() == 3


def test_only_the_user_s_words_are_remembered_unless_asked(
    bank: MemoryBank, client: openai.OpenAI, server: LoopbackServer
) -> None:
    """Not the system's, not a tool's, not an example's; the model's with save_mode="both"."""
    messages = [
        {"role": "system", "content": "The guest's favourite colour is green"},
        user("I was born in Lisbon"),
        {"role": "assistant", "content": "Noted."},
        user("My brother Rui works as a baker"),
    ]
    wrap_openai(client, bank).chat.completions.create(model="any", messages=messages)
    bank.engine.flush()
    texts = {memory.content for memory in bank.list()}
    assert texts == {POT, BERTHA, "My brother Rui works as a baker"}
    server.enqueue(Reply.text("Casa Verde has moved to Rua Augusta"))
    both = wrap_openai(client, bank, save_mode="both", session_id="chat")
    both.chat.completions.create(model="any", messages=[user("I have a boat called Swallow")])
    bank.engine.flush()
    chat = {memory.content for memory in bank.list(session_id="chat")}
    assert chat == {"I have a boat called Swallow", "Casa Verde has moved to Rua Augusta"}


def test_a_history_without_answers_is_not_said_again(
    bank: MemoryBank, client: openai.OpenAI, server: LoopbackServer
) -> None:
    """Each sentence is remembered once, and as often as it was said."""
    server.enqueue(Reply.text("Where does he work?"))
    said = ["I was born in Lisbon", "My brother Rui works as a baker", "I have a boat"]
    wrapped = wrap_openai(client, bank)
    wrapped.chat.completions.create(model="any", messages=[user(said[0]), user(said[1])])
    wrapped.chat.completions.create(model="any", messages=list(map(user, said)))
    bank.engine.flush()
    counts = {memory.content: memory.access_count for memory in bank.list()}
    assert [counts.get(text) for text in said] == [0, 0, 0]


def test_with_tools_the_turn_is_one_and_the_last_answer_counts(
    bank: MemoryBank, client: openai.OpenAI, server: LoopbackServer
) -> None:
    """Recalled for once, shown to each call, judged when the model has answered in words."""
    function = {"name": "open_door", "arguments": '{"key": "under the blue pot"}'}
    call = {"id": "c1", "type": "function", "function": function}
    message = {"role": "assistant", "content": "Let me see.", "tool_calls": [call]}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    body = {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
    server.enqueue(Reply(body=body), Reply.text("Done."))
    wrapped = wrap_openai(client, bank)
    messages: list[Any] = [user(WHERE)]
    acting = wrapped.chat.completions.create(model="any", messages=messages)
    assert used(bank) == {}
    messages += [acting.choices[0].message, {"role": "tool", "tool_call_id": "c1", "content": "ok"}]
    wrapped.chat.completions.create(model="any", messages=messages)
    first, second = (request["messages"][0] for request in server.requests)
    assert first == second
    assert POT in first["content"]
    assert used(bank) == {POT: 1}


def test_a_stream_teaches_when_it_has_ended(bank: MemoryBank, client: openai.OpenAI) -> None:
    """Its pieces are the client's own; one that is broken off teaches nothing."""
    wrapped = wrap_openai(client, bank)
    with wrapped.chat.completions.create(model="any", messages=[user(WHO)], stream=True) as stream:
        next(stream)
    assert used(bank) == {}
    stream = wrapped.chat.completions.create(model="any", messages=[user(WHERE)], stream=True)
    pieces = [chunk.choices[0].delta.content or "" for chunk in stream]
    assert "".join(pieces) == UNDER
    assert used(bank) == {POT: 1}
    # The history tells what the one that was broken off would have said.
    history = [user(WHO), {"role": "assistant", "content": CELLO}, user("Thank you!")]
    wrapped.chat.completions.create(model="any", messages=history)
    assert used(bank) == {POT: 1, BERTHA: 1}


async def test_async_calls_at_once_are_judged_each_by_its_own_answer(
    bank: MemoryBank, server: LoopbackServer
) -> None:
    """Also streamed."""
    async with openai.AsyncOpenAI(base_url=server.address, api_key="none") as client:
        wrapped = wrap_openai(client, bank)
        create = wrapped.chat.completions.create

        async def streamed() -> str:
            stream = await create(model="any", messages=[user(WHO)], stream=True)
            return "".join([chunk.choices[0].delta.content or "" async for chunk in stream])

        whole, pieces = await asyncio.gather(
            create(model="any", messages=[user(WHERE)]), streamed()
        )
        assert (whole.choices[0].message.content, pieces) == (UNDER, CELLO)
    assert await asyncio.to_thread(used, bank) == {POT: 1, BERTHA: 1}


class _Responses(BaseHTTPRequestHandler):
    """Calls a tool for the first question, then answers; streams if asked to."""

    requests: list[dict[str, Any]]

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.requests.append(request)
        call = {"type": "function_call", "call_id": "c", "name": "look", "arguments": "{}"}
        part = {"type": "output_text", "text": UNDER, "annotations": []}
        message = {"type": "message", "id": "m", "role": "assistant", "content": [part]}
        response = {
            "id": f"r{len(self.requests)}",
            "object": "response",
            "output": [call if len(self.requests) == 1 else message],
        }
        body = json.dumps(response)
        kind = "application/json"
        if request.get("stream"):
            done = {"type": "response.completed", "sequence_number": 1, "response": response}
            body = f"event: response.completed\ndata: {json.dumps(done)}\n\n"
            kind = "text/event-stream"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.mark.skipif(
    not hasattr(openai.OpenAI, "responses"), reason="before 1.66 the client has no responses"
)
def test_the_responses_api_is_the_same(bank: MemoryBank) -> None:
    """A text, messages, what follows an earlier response, a stream."""
    handler = type("Handler", (_Responses,), {"requests": []})
    server = loopback_server.LoopbackServer(handler)
    with openai.OpenAI(base_url=server.address, api_key="none") as client:
        wrapped = wrap_openai(client, bank)
        first = wrapped.responses.create(model="any", input=WHERE)
        assert used(bank) == {}
        output = {"type": "function_call_output", "call_id": "c", "output": "nothing"}
        wrapped.responses.create(model="any", input=[output], previous_response_id=first.id)
        assert used(bank) == {POT: 1}
        again = f"{WHERE} I forgot."
        for event in wrapped.responses.create(model="any", input=[user(again)], stream=True):
            assert event.type == "response.completed"
    server.close()
    sent = [request["input"] for request in handler.requests]
    assert POT in sent[0]
    assert sent[0].endswith(WHERE)
    assert sent[1] == [output]
    assert POT in sent[2][0]["content"]
    assert used(bank) == {POT: 2}


def test_a_memory_that_fails_does_not_break_the_call(
    client: openai.OpenAI, server: LoopbackServer, caplog: pytest.LogCaptureFixture
) -> None:
    """The bank is closed: what fails is told once in the log, and raised only if it is wanted."""
    engine = cogmem_core.open(embedder="hashing")
    bank = engine.bank("ann")
    wrapped = wrap_openai(client, bank)
    strict = wrap_openai(client, bank, raise_errors=True)
    engine.close()
    with caplog.at_level(logging.WARNING, "cogmem_core"):
        for _ in range(2):
            answer = wrapped.chat.completions.create(model="any", messages=[user(WHERE)])
            assert answer.choices[0].message.content == UNDER
    closed = "failed, and was done without: BankClosed: the engine is closed"
    told = [record.getMessage().partition(";")[0] for record in caplog.records]
    assert told == [f"a recall {closed}", f"remembering {closed}"]
    assert server.requests[0]["messages"] == [user(WHERE)]
    with pytest.raises(BankClosed):
        strict.chat.completions.create(model="any", messages=[user(WHERE)])


def test_what_is_odd_goes_to_the_model_as_it_is(
    bank: MemoryBank, client: openai.OpenAI, server: LoopbackServer
) -> None:
    """No question, parts, an image alone, a message that is none."""
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    text = {"type": "text", "text": WHERE}
    wrapped = wrap_openai(client, bank)
    ask = wrapped.chat.completions.create
    ask(model="any", messages=[])
    ask(model="any", messages=[{"role": "system", "content": "Say hello."}])
    ask(model="any", messages=[user(WHERE), {"role": "assistant", "content": "It is"}])
    ask(model="any", messages=[{"role": "user", "content": [image]}])
    assert [len(request["messages"]) for request in server.requests] == [0, 1, 2, 1]
    assert POT not in json.dumps(server.requests)
    ask(model="any", messages=[{"role": "user", "content": [text, image]}])
    parts = server.requests[-1]["messages"][0]["content"]
    assert POT in parts[0]["text"]
    assert parts[1:] == [text, image]


class Fake:
    """Another client with the same calls, which can be pickled."""

    def __init__(self) -> None:
        self.chat = SimpleNamespace(completions=self)

    def create(self, *, messages: list[dict[str, Any]], **_: Any) -> Any:
        message = SimpleNamespace(content=UNDER, tool_calls=None, text=messages[-1]["content"])
        return SimpleNamespace(choices=[SimpleNamespace(message=message, index=0)])


def test_the_wrapped_client_is_the_client(
    bank: MemoryBank, client: openai.OpenAI, server: LoopbackServer
) -> None:
    """Its class, its other calls, its copies, which share the memory; one that can be pickled finds its bank again."""
    wrapped = wrap_openai(client, bank)
    assert isinstance(wrapped, openai.OpenAI)
    assert wrapped.models.list().data[0].id == "loopback"
    assert wrapped.embeddings.create(model="any", input="a").data[0].index == 0
    wrapped.with_options(timeout=9).chat.completions.create(model="any", messages=[user(WHERE)])
    assert POT in server.requests[-1]["messages"][0]["content"]
    wrapped.api_key = "another"
    assert client.api_key == "another"
    copied = pickle.loads(pickle.dumps(wrap_openai(Fake(), bank)))
    answer = copied.chat.completions.create(model="any", messages=[user(WHERE)])
    assert POT in answer.choices[0].message.text


@each_row(
    ("options", "problem"),
    [
        *rows_of("wrap_openai/what_is_unusable_is_refused_at_once"),
        ({"client": object()}, "without chat.completions.create"),
    ],
)
def test_what_is_unusable_is_refused_at_once(options: dict[str, Any], problem: str) -> None:
    """By its name, before anything is asked."""
    with cogmem_core.open(embedder="hashing") as engine:
        given = {"client": Fake(), "bank": engine.bank("ann"), **options}
        with pytest.raises(InvalidInput, match=problem):
            wrap_openai(given.pop("client"), given.pop("bank"), **given)
