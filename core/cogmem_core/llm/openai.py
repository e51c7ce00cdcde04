"""Chat models of OpenAI or of any server that speaks its API (vLLM, Ollama, OpenRouter, ...).

Environment variables:
    OPENAI_API_KEY: the key, unless one is passed.
    OPENAI_BASE_URL: the server, unless one is passed; default https://api.openai.com/v1.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from cogmem_core.base.runtime import monotonic
from cogmem_core.errors import ConfigError
from cogmem_core.llm.answers import (
    LLMOutputError,
    LLMUnavailable,
    Messages,
    Model,
    json_schema_format,
    parse_completion,
    validated,
    with_schema,
)
from cogmem_core.llm.openai_client import Connection, is_transient
from cogmem_core.ports import Usage

if TYPE_CHECKING:
    import openai
    import tenacity


_MODES = ("json_schema", "json_object", "text")
_REFUSED_STATUS = (400, 404, 422)
_FORMAT_WORDS = re.compile(
    r"response.?format|json.?schema|json.?object|structured.?output|guided", re.IGNORECASE
)
_CODE = re.compile(r"[a-z]{1,24}(?:_[a-z]{1,24}){0,6}")
_MAX_BYTES = 4_000_000
_MAX_WAIT_SECONDS = 20.0


@dataclass(slots=True)
class _Call:
    """One `complete`: what it may take and what it has cost so far."""

    messages: Messages
    model: type[BaseModel]
    deadline: float
    usage: Usage = field(default_factory=Usage)

    def seconds_left(self) -> float:
        return self.deadline - monotonic()


class _FormatUnsupported(Exception):
    """The endpoint refuses this `response_format`; `lasting` if it would refuse every schema."""

    def __init__(self, *, lasting: bool) -> None:
        super().__init__()
        self.lasting = lasting


class OpenAILLM:
    """Asks a chat model for JSON of a given shape; thread-safe.

    Building one neither imports `openai` nor connects.

    Structured output is tried first; where the endpoint refuses it, `json_object` with the schema
    in the prompt, then the prompt alone. What the endpoint supports is remembered. Lost connections
    and the statuses 408, 409, 429 and 5xx are tried again after an exponential back-off (at least
    what `Retry-After` asks), all within one time limit.

    Args:
        model: the server's name of the model.
        base_url: the server, up to and including `/v1`.
        api_key: the key; a server given by address may need none.
        attempts: requests in total for one mode, >= 1.
        max_tokens: limit of an answer; None = the server's.
        temperature: None = the model's default, which some models insist on.

    Attributes:
        backoff_seconds: wait before the second try; doubles with each further one, at most 20
            seconds.

    Raises:
        ConfigError: an argument is out of range.
    """

    backoff_seconds = 0.5

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        attempts: int = 3,
        max_tokens: int | None = None,
        temperature: float | None = None,
    ) -> None:
        problems = []
        if not model:
            problems.append("model is empty; name one, such as gpt-4o-mini")
        if not attempts >= 1:
            problems.append(f"attempts is {attempts!r}; use 1 or more")
        if max_tokens is not None and not max_tokens >= 1:
            problems.append(f"max_tokens is {max_tokens!r}; use 1 or more")
        if problems:
            raise ConfigError("; ".join(problems))
        self.model = model
        self._connection = Connection(base_url, api_key)
        self._attempts = attempts
        options = {"max_tokens": max_tokens, "temperature": temperature}
        self._options = {name: value for name, value in options.items() if value is not None}
        self._mode = _MODES[0]
        self._last = threading.local()

    def __repr__(self) -> str:
        return f"OpenAILLM({self.model!r})"

    @property
    def usage(self) -> Usage:
        """What this thread's last `complete` cost, failed ones included."""
        usage: Usage = getattr(self._last, "usage", Usage())
        return usage

    @property
    def mode(self) -> str:
        """How answers are asked for: `json_schema`, `json_object` or `text`."""
        return self._mode

    def complete(self, messages: Messages, response_model: type[Model], timeout: float) -> Model:
        """Answer within `timeout` seconds, retries and back-off included.

        Raises:
            LLMUnavailable: no answer: `openai` missing, no key, refused by the server, connection
                lost, too late.
            LLMOutputError: an answer that cannot be used: a refusal, cut off, empty, no JSON,
                another shape.
        """
        call = _Call(messages, response_model, monotonic() + timeout)
        try:
            return validated(self._answer(call), response_model)
        finally:
            self._last.usage = call.usage

    def close(self) -> None:
        """Close the connections; a later call opens new ones."""
        self._connection.close()

    def _answer(self, call: _Call) -> str:
        client = self._connection.client(repr(self), LLMUnavailable)
        mode = self._mode
        while True:
            try:
                return self._with_retries(client, call, mode)
            except _FormatUnsupported as refusal:
                mode = _MODES[_MODES.index(mode) + 1]
                if refusal.lasting:
                    self._mode = mode

    def _with_retries(self, client: openai.OpenAI, call: _Call, mode: str) -> str:
        import tenacity

        def gives_up(state: tenacity.RetryCallState) -> bool:
            return (
                state.attempt_number >= self._attempts or self._wait(state) >= call.seconds_left()
            )

        with _translated_errors(self, mode):
            retry = tenacity.Retrying(
                stop=gives_up,
                wait=self._wait,
                retry=tenacity.retry_if_exception(_is_transient),
                reraise=True,
            )
            return retry(self._request, client, call, mode)

    def _wait(self, state: tenacity.RetryCallState) -> float:
        backoff: float = self.backoff_seconds * 2.0 ** (state.attempt_number - 1)
        seconds = min(backoff, _MAX_WAIT_SECONDS)
        error = state.outcome.exception() if state.outcome else None
        headers = getattr(getattr(error, "response", None), "headers", {})
        retry_after = re.fullmatch(r"[0-9]{1,4}", headers.get("retry-after", ""))
        if retry_after:
            seconds = max(seconds, float(retry_after.group()))
        return seconds

    def _request(self, client: openai.OpenAI, call: _Call, mode: str) -> str:
        seconds = call.seconds_left()
        if seconds <= 0:
            raise LLMUnavailable(f"{self!r} did not answer in time")
        call.usage += Usage(calls=1)
        options: dict[str, Any] = dict(self._options)
        if mode == "json_schema":
            messages: Any = call.messages
            options["response_format"] = json_schema_format(call.model)
        else:
            messages = with_schema(call.messages, call.model)
            if mode != "text":
                options["response_format"] = {"type": mode}
        request = client.chat.completions.with_streaming_response.create(
            model=self.model, messages=messages, timeout=seconds, **options
        )
        with request as response:
            body = self._body(response.iter_bytes(), call)
        try:
            text, usage = parse_completion(body)
        except LLMOutputError as error:
            call.usage += error.usage
            raise
        call.usage += usage
        return text

    def _body(self, chunks: Iterator[bytes], call: _Call) -> bytes:
        """Read within the deadline: a server that sends blanks never trips a socket's time-out."""
        body = bytearray()
        for chunk in chunks:
            body += chunk
            if call.seconds_left() <= 0:
                raise LLMUnavailable(f"{self!r} did not answer in time")
            if len(body) > _MAX_BYTES:
                raise LLMOutputError(f"the answer is longer than {_MAX_BYTES:,} bytes")
        return bytes(body)


@contextmanager
def _translated_errors(llm: OpenAILLM, mode: str) -> Iterator[None]:
    """Turn the client's exceptions into ours, without the text, which may quote the prompt."""
    import openai

    try:
        yield
    except openai.APIStatusError as error:
        details = f"{error.code or ''} {error.body or error.message}"
        if (
            mode != _MODES[-1]
            and error.status_code in _REFUSED_STATUS
            and _FORMAT_WORDS.search(details)
        ):
            raise _FormatUnsupported(lasting="invalid schema" not in details.lower()) from error
        raise LLMUnavailable(
            f"{llm!r}: the server answered {error.status_code} {_code(error)}".rstrip()
        ) from error
    except openai.APITimeoutError as error:
        raise LLMUnavailable(f"{llm!r} did not answer in time") from error
    except (openai.OpenAIError, _transport_error()) as error:
        raise LLMUnavailable(f"{llm!r} was not reached ({type(error).__name__})") from error


def _code(error: openai.APIStatusError) -> str:
    """The server's error code, if it is one word: anything else may quote what it was sent."""
    code = str(error.code or "")
    return code if _CODE.fullmatch(code) else ""


def _is_transient(error: BaseException) -> bool:
    return is_transient(error) or isinstance(error, _transport_error())


def _transport_error() -> type[Exception]:
    """What is raised while a body is read, of the HTTP library that this release of `openai` uses."""
    import openai

    library = sys.modules[openai.Timeout.__module__.partition(".")[0]]
    http_error: type[Exception] = getattr(library, "HTTPError", OSError)
    return http_error
