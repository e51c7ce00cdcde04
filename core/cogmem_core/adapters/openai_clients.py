"""Memory in the chat loop of any OpenAI-compatible client, without a framework."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from threading import Lock
from typing import Any, Literal, TypeVar, cast

from cogmem_core.adapters.conversation import Conversation, ConversationOptions
from cogmem_core.adapters.openai_payloads import CHAT, RESPONSES, Answer, Payload, talk_of
from cogmem_core.adapters.options import checked_arguments, checked_filters, checked_function
from cogmem_core.adapters.resolve_bank import bank_of
from cogmem_core.base.fail_open import LogAndContinue
from cogmem_core.base.lru import LRUCache
from cogmem_core.engine import MemoryBank
from cogmem_core.errors import InvalidInput
from cogmem_core.feedback import Similarity
from cogmem_core.values.models import Feedback

Client = TypeVar("Client")
Part = Callable[[Any], Any]
_RESPONSES = 1_000  # whose tools are at work, by their ids
_TEXTS = 1_000  # that users said


def wrap_openai(
    client: Client,
    bank: MemoryBank,
    *,
    session_id: str | None = None,
    k: int = 8,
    max_tokens: int | None = None,
    filter: Mapping[str, Any] | None = None,  # noqa: A002 - as the adapters of frameworks call it
    deadline: float | None = None,
    save_mode: Literal["user", "both", "none"] = "user",
    auto_feedback: bool = True,
    similarity_fn: Similarity | None = None,
    on_feedback: Callable[[tuple[Feedback, ...]], None] | None = None,
    raise_errors: bool = False,
) -> Client:
    """The client with a memory: it is used as before, and knows what was said to it.

    `chat.completions.create` and `parse`, and `responses.create` and `parse`, recall for what the
    user said, once a turn, and put what is found in front of it, in the request only. The user's
    words are on disk before the model is asked. What was shown learns from the answer; of a stream
    when it has ended, of a tool's caller when it has answered in words. Sync and async clients,
    with tools and streams. Everything else of the client is its own, also `with_raw_response` and
    the `stream()` helpers, which neither recall nor remember.

    One wrapped client is one user's; wrapping costs nothing and shares the client's connections, so
    wrap it for each user, and for each conversation that has a `session_id`. What a program asks in
    its own name, such as for a summary, goes to the client itself: what is put as a user's message
    is remembered as the user's.

    Args:
        client: `openai.OpenAI`, `AsyncOpenAI`, or any other with `chat.completions.create`; it stays
            as it is.
        bank: whose memories are used.
        session_id: the conversation: what was said in it counts more, and is remembered as said in
            it.
        k: the maximum number of memories for a question, 1..100.
        max_tokens: budget of their text; None = the engine's.
        filter: which memories may be shown: arguments of `MemoryBank.recall`, or conditions on
            metadata, such as `{"city": "Oslo"}`.
        deadline: seconds that a recall may take; then what was found so far is shown.
        save_mode: whose words are remembered: "user", "both" or "none".
        auto_feedback: False = memories do not learn from the answers.
        similarity_fn: (memory, answer) → 0..1, as for `MemoryBank.feedback`.
        on_feedback: called with the judgements of each answer, by the worker's thread.
        raise_errors: False = whatever fails in the memory, a closed bank included, is logged, and
            the model is asked without it.

    Raises:
        InvalidInput: the client has no `chat.completions.create`, or an option is unusable.

    Example:
        >>> import cogmem_core, httpx, openai
        >>> asked = []
        >>> def serve(request):
        ...     asked.append(request.read().decode())
        ...     said = {"role": "assistant", "content": "You keep it under the blue pot."}
        ...     choice = {"index": 0, "message": said, "finish_reason": "stop"}
        ...     return httpx.Response(200, json={"choices": [choice]})
        >>> transport = httpx.Client(transport=httpx.MockTransport(serve))
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     alice = engine.bank("alice")
        ...     _ = alice.remember("I keep the spare key under the blue pot")
        ...     client = openai.OpenAI(api_key="none", http_client=transport)
        ...     client = cogmem_core.wrap_openai(client, alice)
        ...     question = {"role": "user", "content": "Where is the spare key?"}
        ...     answer = client.chat.completions.create(model="any", messages=[question])
        ...     client.close()
        ...     print("blue pot" in asked[0])
        True
    """
    completions = getattr(getattr(client, "chat", None), "completions", None)
    if not callable(getattr(completions, "create", None)):
        raise InvalidInput(
            f"client is a {type(client).__name__} without chat.completions.create; give "
            "openai.OpenAI(), openai.AsyncOpenAI(), or one like them"
        )
    bank = bank_of(bank, None, None)
    arguments = checked_filters(bank, filter, "filter")
    checked = {"k": k, "max_tokens": max_tokens, "session_id": session_id, "deadline": deadline}
    checked_arguments(bank, checked)
    if deadline is not None:
        arguments["deadline"] = deadline
    options = ConversationOptions(
        k=k,
        max_tokens=max_tokens,
        session_id=session_id,
        save_mode=save_mode,
        auto_feedback=auto_feedback,
        similarity_fn=checked_function("similarity_fn", similarity_fn),
        on_feedback=checked_function("on_feedback", on_feedback),
        arguments=arguments,
        raise_errors=raise_errors,
    )
    return cast(Client, _Client(client, bank, options))


class _Wrapped:
    """A part of a client: some names of it go through a memory, all others are the part's own.

    `isinstance` sees the part's own class.
    """

    def __init__(self, target: Any, parts: Mapping[str, Part]) -> None:
        object.__setattr__(self, "_target", target)
        object.__setattr__(self, "_parts", parts)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return type(self._target)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._target, name)
        part = self._parts.get(name)
        return value if part is None else part(value)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._target, name, value)

    def __dir__(self) -> list[str]:
        return dir(self._target)

    def __repr__(self) -> str:
        return f"<{type(self._target).__name__} with a memory>"

    def __enter__(self) -> Any:
        self._target.__enter__()
        return self

    def __exit__(self, *failure: Any) -> Any:
        return self._target.__exit__(*failure)

    async def __aenter__(self) -> Any:
        await self._target.__aenter__()
        return self

    async def __aexit__(self, *failure: Any) -> Any:
        return await self._target.__aexit__(*failure)


class _Client(_Wrapped):
    """The whole client. A copy of it, as `with_options` makes one, shares the memory."""

    def __init__(
        self,
        client: Any,
        bank: MemoryBank,
        options: ConversationOptions,
        memory: _ChatMemory | None = None,
    ) -> None:
        memory = memory or _ChatMemory(bank, options)
        object.__setattr__(self, "_given", (bank, options))

        def copied(copy: Callable[..., Any]) -> Callable[..., Any]:
            return lambda *args, **more: _Client(copy(*args, **more), bank, options, memory)

        completions = _with_parts(_calls(memory, CHAT))
        chat = _with_parts({"completions": completions})
        super().__init__(
            client,
            {
                "chat": chat,
                "beta": _with_parts({"chat": chat}),
                "responses": _with_parts(_calls(memory, RESPONSES)),
                "copy": copied,
                "with_options": copied,
            },
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _Client, (self._target, *self._given)


class _Stream(_Wrapped):
    """A streamed answer: `ended` is called when its last piece was read."""

    def __init__(self, target: Any, collect: Callable[[Any], None], ended: Callable[[], None]):
        super().__init__(target, {})
        object.__setattr__(self, "_collect", collect)
        object.__setattr__(self, "_ended", ended)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        try:
            event = next(self._target)
        except StopIteration:
            self._ended()
            raise
        self._collect(event)
        return event

    def __aiter__(self) -> AsyncIterator[Any]:
        return self

    async def __anext__(self) -> Any:
        try:
            event = await anext(self._target)
        except StopAsyncIteration:
            await asyncio.to_thread(self._ended)
            raise
        self._collect(event)
        return event


def _with_parts(parts: Mapping[str, Part]) -> Part:
    return partial(_Wrapped, parts=parts)


def _calls(memory: _ChatMemory, payload: Payload) -> dict[str, Part]:
    """The two ways to ask a model."""
    return dict.fromkeys(("create", "parse"), partial(_with_memory, memory, payload))


def _with_memory(
    memory: _ChatMemory, payload: Payload, ask: Callable[..., Any]
) -> Callable[..., Any]:
    """What asks a model, with a memory before and after it."""

    async def awaited(*args: Any, **request: Any) -> Any:
        request, turn = await asyncio.to_thread(memory.before, payload, request)
        response = await ask(*args, **request)
        if turn is not None and request.get("stream"):
            return memory.streamed(payload, turn, response)
        if turn is not None:
            await asyncio.to_thread(memory.answered, payload, turn, response)
        return response

    @wraps(ask)
    def call(*args: Any, **request: Any) -> Any:
        if inspect.iscoroutinefunction(inspect.unwrap(ask)):
            return awaited(*args, **request)
        request, turn = memory.before(payload, request)
        response = ask(*args, **request)
        if turn is not None and request.get("stream"):
            return memory.streamed(payload, turn, response)
        if turn is not None:
            memory.answered(payload, turn, response)
        return response

    return call


@dataclass(frozen=True, slots=True)
class _Turn:
    """What the user said, as it stands in a request, and what tools were given for it so far."""

    question: str
    arguments: str


class _ChatMemory:
    """What the calls of one client have in common; thread-safe."""

    def __init__(self, bank: MemoryBank, options: ConversationOptions) -> None:
        self._fail_open = LogAndContinue(raises=Exception if options.raise_errors else None)
        self._conversation = Conversation(lambda: bank, options)
        self._lock = Lock()
        self._acting: LRUCache[str, _Turn] = LRUCache(_RESPONSES)
        self._seen: LRUCache[str, bool] = LRUCache(_TEXTS)

    def before(
        self, payload: Payload, request: dict[str, Any]
    ) -> tuple[dict[str, Any], _Turn | None]:
        """The request with what is known, and the turn that it is made for; None if there is none."""
        with self._fail_open("the memory of a call"):
            messages = request.get(payload.argument)
            talk = talk_of(payload.messages(messages or ()))
            self._conversation.follow(talk.texts)
            if not talk.asked:
                return request, self._followed(request, talk.arguments)
            question = talk.asked[-1]
            new_questions = self._new(talk.asked)
            for text in new_questions:
                self._conversation.add_question(text)
            context = self._conversation.context_for(question)
            for text in new_questions:
                self._conversation.remember_question(text)
            if context is not None:
                request = {
                    **request,
                    payload.argument: payload.with_context(messages, context.text),
                }
            return request, _Turn(question, talk.arguments)
        return request, None

    def answered(self, payload: Payload, turn: _Turn, response: Any) -> None:
        """A model answered."""
        with self._fail_open("learning from an answer"):
            self._take_in(turn, payload.answer(response))

    def streamed(self, payload: Payload, turn: _Turn, stream: Any) -> _Stream:
        """The stream, whose answer counts when it has ended."""
        collector = payload.collector()

        def collect(event: Any) -> None:
            with self._fail_open("learning from an answer"):
                collector.add(event)

        def ended() -> None:
            with self._fail_open("learning from an answer"):
                answer = collector.answer()
                if answer is not None:
                    self._take_in(turn, answer)

        return _Stream(stream, collect, ended)

    def _new(self, questions: Sequence[str]) -> list[str]:
        """The last, and what did not stand in an earlier request: a history may hold no answers."""
        *earlier, question = questions
        with self._lock:
            new = [text for text in earlier if self._seen.get(text) is None]
            for text in questions:
                self._seen.put(text, True)
        return [*new, question]

    def _followed(self, request: Mapping[str, Any], arguments: str) -> _Turn | None:
        """The turn of a response whose tools have returned, and which says nothing else."""
        previous = request.get("previous_response_id")
        with self._lock:
            turn = self._acting.get(previous) if isinstance(previous, str) else None
        if turn is None:
            return None
        return _Turn(turn.question, "\n".join(filter(None, (turn.arguments, arguments))))

    def _take_in(self, turn: _Turn, answer: Answer) -> None:
        if answer.acts:
            if answer.response_id is not None:
                arguments = "\n".join(filter(None, (turn.arguments, answer.arguments)))
                with self._lock:
                    self._acting.put(answer.response_id, _Turn(turn.question, arguments))
        elif answer.is_only_one:
            self._conversation.add_answer_to(turn.question, answer.text, arguments=turn.arguments)
