"""The OpenAI-compatible model over real HTTP: a loopback server gives good and bad answers."""

import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from cogmem_core.errors import ConfigError
from cogmem_core.llm import LLMOutputError, LLMUnavailable, OpenAILLM, Usage, resolve_llm
from cogmem_core.llm.openai_client import ollama_address
from cogmem_core.ports import LLM
from cogmem_core.testing import ScriptedLLM
from helpers.loopback_llm import LoopbackServer, Reply
from helpers.tables import each_case_of, each_row, each_row_of

MESSAGES = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Where?"}]


class Place(BaseModel):
    """Where somebody lives."""

    city: str = Field(max_length=40)
    kind: Literal["home", "work"] = "home"
    floor: int | None = None


LISBON = {"city": "Lisbon", "kind": "home", "floor": 3}


class Eager(OpenAILLM):
    """Tries again at once."""

    backoff_seconds = 0.0


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer() as running:
        yield running


@pytest.fixture
def llm(server: LoopbackServer) -> Iterator[OpenAILLM]:
    model = Eager("tiny", base_url=server.address, api_key="k")
    yield model
    model.close()


class TestAnswers:
    """What comes back is used if it fits, however it is wrapped."""

    def test_structured_output_is_asked_for(self, llm: OpenAILLM, server: LoopbackServer) -> None:
        """A strict schema: every key required, nothing additional, no keyword that endpoints refuse."""
        server.enqueue(Reply.json(LISBON))

        assert llm.complete(MESSAGES, Place, 5.0) == Place(city="Lisbon", floor=3)
        assert server.requests[0]["messages"] == MESSAGES
        assert server.requests[0]["response_format"] == {
            "type": "json_schema",
            "json_schema": {
                "name": "Place",
                "strict": True,
                "schema": {
                    "description": "Where somebody lives.",
                    "type": "object",
                    "properties": {
                        "city": {"type": "string"},
                        "kind": {"enum": ["home", "work"], "type": "string"},
                        "floor": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
                    },
                    "required": ["city", "kind", "floor"],
                    "additionalProperties": False,
                },
            },
        }

    @pytest.mark.parametrize(
        "reply",
        [
            Reply.prose(LISBON),
            Reply.fenced(LISBON),
            Reply.text('{"note": "an example"} then {"city": "Lisbon", "floor": 3}'),
            Reply.text('<think>{"city": "Porto"}?</think>{"city": "Lisbon", "floor": 3}'),
            Reply.text(' \n{"city": "Lisbon", "floor": 3, "more": 1}\n'),
        ],
        ids=["prose", "fenced", "second object", "reasoning", "additional key"],
    )
    def test_json_is_found_in_prose(
        self, llm: OpenAILLM, server: LoopbackServer, reply: Reply
    ) -> None:
        """Servers that only pretend to structure their output answer so."""
        server.enqueue(reply)

        assert llm.complete(MESSAGES, Place, 5.0) == Place(city="Lisbon", floor=3)

    @pytest.mark.parametrize(
        ("reply", "message"),
        [
            (Reply.refusal(), "the model refused to answer"),
            (Reply.truncated(LISBON), "the answer was cut off by the token limit"),
            (Reply.empty_choices(), "the answer has no choices"),
            (Reply.text("  "), "the answer is empty"),
            (Reply.text("I live in Lisbon."), "the answer holds no JSON object"),
            (Reply.text("{" * 5000), "the answer holds no JSON object"),
            (Reply.json({"city": 7}), "the answer does not fit Place: city (string_type)"),
            (Reply.json({"town": "secret"}), "the answer does not fit Place: city (missing)"),
            (Reply(body=[1]), "the server's answer is not a chat completion"),
            (Reply(body={"choices": ["x"]}), "the answer is empty"),
        ],
        ids=[
            "refusal",
            "truncated",
            "no choices",
            "empty",
            "prose",
            "braces",
            "type",
            "key",
            "list",
            "choice",
        ],
    )
    def test_unusable_answers_are_one_error(
        self, llm: OpenAILLM, server: LoopbackServer, reply: Reply, message: str
    ) -> None:
        """Its message never quotes the model; the answer is not asked for again."""
        server.enqueue(reply)
        with pytest.raises(LLMOutputError) as caught:
            llm.complete(MESSAGES, Place, 5.0)

        assert str(caught.value) == message
        assert len(server.requests) == 1

    def test_an_endless_answer_is_given_up(self, llm: OpenAILLM, server: LoopbackServer) -> None:
        """More than 4 MB is no answer to any of our questions."""
        server.enqueue(Reply.text("x" * 4_100_000))

        with pytest.raises(LLMOutputError, match="longer than 4,000,000 bytes"):
            llm.complete(MESSAGES, Place, 5.0)


class TestFormats:
    """What an endpoint supports is learnt from its refusals."""

    @each_case_of("llm_openai/refused_formats_are_not_asked_for_again")
    def test_refused_formats_are_not_asked_for_again(
        self, formats: tuple[str, ...], mode: str, first: int, second: int
    ) -> None:
        """json_schema, then json_object, then the prompt alone."""
        known = (*formats, "text")
        with LoopbackServer(default=Reply.json(LISBON), formats=known) as server:
            llm = Eager("tiny", base_url=server.address)
            assert llm.complete(MESSAGES, Place, 5.0).city == "Lisbon"
            assert (llm.mode, len(server.requests)) == (mode, first)
            llm.complete(MESSAGES, Place, 5.0)
            assert len(server.requests) == second
            llm.close()

    def test_the_schema_moves_into_the_only_system_message(self) -> None:
        """Some endpoints refuse a second one."""
        with LoopbackServer(default=Reply.fenced(LISBON), formats=("json_object",)) as server:
            llm = Eager("tiny", base_url=server.address)
            llm.complete(MESSAGES, Place, 5.0)
            llm.complete(MESSAGES[1:], Place, 5.0)
            llm.close()
        contents = [message["content"] for message in server.requests[1]["messages"]]

        assert [message["role"] for message in server.requests[1]["messages"]] == ["system", "user"]
        assert [message["role"] for message in server.requests[2]["messages"]] == ["system", "user"]
        assert contents[0].startswith(
            "Be brief.\n\nAnswer with one JSON object that fits this JSON schema"
        )
        assert contents[1] == "Where?"

    def test_one_refused_schema_says_nothing_of_the_next(
        self, llm: OpenAILLM, server: LoopbackServer
    ) -> None:
        """The endpoint knows structured output, only this schema is beyond it."""
        server.enqueue(
            Reply.error(400, "Invalid schema for response_format 'Place'"), Reply.json(LISBON)
        )

        assert llm.complete(MESSAGES, Place, 5.0).city == "Lisbon"
        assert llm.mode == "json_schema"

    def test_other_refusals_change_no_format(self, llm: OpenAILLM, server: LoopbackServer) -> None:
        """A prompt that is too long stays too long; the server's text, which may quote it, is not passed on."""
        server.enqueue(Reply.error(400, "maximum context length exceeded by 'my secret'"))
        with pytest.raises(LLMUnavailable) as caught:
            llm.complete(MESSAGES, Place, 5.0)

        assert str(caught.value) == "OpenAILLM('tiny'): the server answered 400"
        assert (llm.mode, len(server.requests)) == ("json_schema", 1)


class TestFailures:
    """Servers that refuse, fail or fall silent."""

    @pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
    def test_transient_failures_are_tried_again(
        self, llm: OpenAILLM, server: LoopbackServer, status: int
    ) -> None:
        """Twice, then the answer comes; all three requests are counted."""
        server.enqueue(Reply.error(status), Reply.error(status), Reply.json(LISBON))

        assert llm.complete(MESSAGES, Place, 5.0).city == "Lisbon"
        assert llm.usage == Usage(prompt_tokens=11, completion_tokens=7, calls=3)

    @pytest.mark.parametrize("status", [401, 403, 404])
    def test_lasting_refusals_are_not_tried_again(
        self, llm: OpenAILLM, server: LoopbackServer, status: int
    ) -> None:
        """A wrong key stays wrong."""
        server.enqueue(Reply.error(status))

        with pytest.raises(LLMUnavailable, match=f"the server answered {status}"):
            llm.complete(MESSAGES, Place, 5.0)
        assert len(server.requests) == 1

    @pytest.mark.parametrize("drip", [False, True], ids=["silent", "kept alive"])
    def test_a_server_that_hangs_costs_the_timeout_once(
        self, llm: OpenAILLM, server: LoopbackServer, drip: bool
    ) -> None:
        """The limit is for all attempts together, and blanks that keep the line alive do not extend it."""
        server.enqueue(*[Reply.hang(drip=drip)] * 3)

        with pytest.raises(LLMUnavailable, match="did not answer in time"):
            llm.complete(MESSAGES, Place, 0.4)
        assert len(server.requests) == 1
        assert llm.usage.calls == 1

    def test_a_wait_beyond_the_limit_is_not_begun(
        self, llm: OpenAILLM, server: LoopbackServer
    ) -> None:
        """A server that asks for a minute gets its minute, from somebody else."""
        server.enqueue(Reply.error(429, retry_after=60), Reply.json(LISBON))

        with pytest.raises(LLMUnavailable, match="the server answered 429"):
            llm.complete(MESSAGES, Place, 5.0)
        assert len(server.requests) == 1

    def test_a_server_that_is_not_there(self) -> None:
        """The connection is refused."""
        with LoopbackServer() as gone:
            pass
        llm = Eager("tiny", base_url=gone.address)

        with pytest.raises(LLMUnavailable, match=r"was not reached \(APIConnectionError\)"):
            llm.complete(MESSAGES, Place, 5.0)
        llm.close()

    def test_without_a_key_nothing_is_sent(self) -> None:
        """The message says what to set."""
        with pytest.raises(LLMUnavailable, match="has no key; set OPENAI_API_KEY or pass api_key"):
            OpenAILLM("gpt-4o-mini").complete(MESSAGES, Place, 5.0)


class TestUsage:
    """What a call cost."""

    def test_an_unusable_answer_costs_its_tokens(
        self, llm: OpenAILLM, server: LoopbackServer
    ) -> None:
        """Cut off or not, it was paid for."""
        server.enqueue(Reply.truncated(LISBON))
        with pytest.raises(LLMOutputError):
            llm.complete(MESSAGES, Place, 5.0)

        assert llm.usage == Usage(prompt_tokens=11, completion_tokens=7, calls=1)

    def test_each_thread_sees_its_own_calls(self, llm: OpenAILLM, server: LoopbackServer) -> None:
        """The model is shared; the usage of one call is never mistaken for that of another."""
        server.enqueue(Reply.json(LISBON))
        llm.complete(MESSAGES, Place, 5.0)
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(lambda: llm.usage).result() == Usage()

        assert llm.usage.calls == 1

    def test_options_are_sent_only_if_given(self, server: LoopbackServer) -> None:
        """Some models refuse any temperature but their own."""
        server.enqueue(Reply.json(LISBON), Reply.json(LISBON))
        for options in ({}, {"max_tokens": 300, "temperature": 0.0}):
            llm = Eager("tiny", base_url=server.address, **options)
            llm.complete(MESSAGES, Place, 5.0)
            llm.close()
        plain, tuned = server.requests

        assert "temperature" not in plain
        assert (tuned["max_tokens"], tuned["temperature"]) == (300, 0.0)


class TestResolve:
    """What a user may name or hand over."""

    def test_a_name_an_object_or_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """`openai:<model>` needs a key or an address; an object is taken as it is; None means heuristics."""
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        scripted = ScriptedLLM()
        named = resolve_llm("openai:gpt-4o-mini")

        assert isinstance(named, OpenAILLM)
        assert named.model == "gpt-4o-mini"
        assert resolve_llm(scripted) is scripted
        assert resolve_llm(None) is None
        assert isinstance(named, LLM)

    @each_row(
        ("spec", "message"),
        [
            ("gpt-4o", "unknown llm 'gpt-4o'; use openai:<model>"),
            ("openai:", "unknown llm 'openai:'"),
            ("openai:gpt-4o", "llm 'openai:gpt-4o' has no key; set OPENAI_API_KEY or pass api_key"),
            (OpenAILLM, "pass an object with a synchronous complete"),
            (object(), "pass an object with a synchronous complete"),
        ],
    )
    def test_what_cannot_work_is_refused_at_once(self, spec: Any, message: str) -> None:
        """Rather than falling back to heuristics for ever without a word."""
        with pytest.raises(ConfigError, match=message):
            resolve_llm(spec)

    @each_row_of("llm_openai/ollama_is_asked_where_it_says_that_it_is")
    def test_ollama_is_asked_where_it_says_that_it_is(
        self, monkeypatch: pytest.MonkeyPatch, spec: str, host: str, address: str
    ) -> None:
        monkeypatch.setenv("OLLAMA_HOST", host)
        named = resolve_llm(spec)

        assert isinstance(named, OpenAILLM)
        assert named.model == spec.removeprefix("ollama:")
        assert ollama_address(host) == address

    def test_litellm_is_asked_for_the_shape_and_then_by_a_prompt(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A stand-in for the package, with its call and its kind of answer."""
        asked: list[dict[str, Any]] = []

        class Refused(Exception):
            status_code = 400

        class Answer(BaseModel):
            choices: list[Any]
            usage: dict[str, int]

        def completion(**options: Any) -> Answer:
            asked.append(options)
            if "response_format" in options:
                raise Refused
            message = {"role": "assistant", "content": json.dumps(LISBON)}
            return Answer(
                choices=[{"message": message, "finish_reason": "stop"}],
                usage={"prompt_tokens": 7, "completion_tokens": 3},
            )

        package = ModuleType("litellm")
        package.completion = completion  # type: ignore[attr-defined]
        package.__spec__ = ModuleSpec("litellm", None)
        monkeypatch.setitem(sys.modules, "litellm", package)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
        named = resolve_llm("anthropic:claude-3-5-haiku-latest")
        assert isinstance(named, LLM)

        assert named.complete(MESSAGES, Place, 5.0) == Place.model_validate(LISBON)
        assert [call["model"] for call in asked] == ["anthropic/claude-3-5-haiku-latest"] * 2
        assert (named.usage.calls, named.usage.prompt_tokens) == (2, 7)

    def test_a_missing_extra_or_key_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "litellm", None)
        for spec in ("litellm:groq/llama3", "anthropic:claude-3-5-haiku-latest"):
            with pytest.raises(ConfigError, match=r"the extra `cogmem-core\[litellm\]`"):
                resolve_llm(spec)
        with pytest.raises(ConfigError, match="the nearest one is openai:gpt"):
            resolve_llm("opnai:gpt")

    def test_an_asynchronous_model_is_refused(self) -> None:
        """Its answers would be coroutines that nobody awaits."""

        class Later:
            async def complete(self, messages: Any, response_model: Any, timeout: float) -> Any:
                return None

        with pytest.raises(ConfigError, match="synchronous complete"):
            resolve_llm(Later())

    def test_a_missing_package_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """With the command that installs it."""
        monkeypatch.setitem(sys.modules, "openai", None)
        monkeypatch.setenv("OPENAI_API_KEY", "k")

        with pytest.raises(ConfigError, match=r"pip install 'openai>=1\.55\.3'"):
            resolve_llm("openai:gpt-4o")

    def test_arguments_are_checked_together(self) -> None:
        """All problems are reported at once."""
        with pytest.raises(ConfigError, match=r"model is empty.*attempts is 0.*max_tokens is 0"):
            OpenAILLM("", attempts=0, max_tokens=0)


class TestDoubles:
    """The scripted model and the loopback server are for users' tests as well."""

    def test_a_scripted_model_says_what_it_was_told(self) -> None:
        """Models, mappings, exceptions and callables, in order; then it is unavailable."""
        llm = ScriptedLLM(
            Place(city="Porto"),
            {"city": "Faro"},
            lambda messages: {"city": messages[-1]["content"]},
        )
        llm.enqueue(TimeoutError("late"))

        assert [llm.complete(MESSAGES, Place, 1.0).city for _ in range(3)] == [
            "Porto",
            "Faro",
            "Where?",
        ]
        with pytest.raises(TimeoutError, match="late"):
            llm.complete(MESSAGES, Place, 1.0)
        with pytest.raises(LLMUnavailable, match="nothing is scripted"):
            llm.complete(MESSAGES, Place, 1.0)
        assert len(llm.calls) == 5
        assert llm.calls[0].timeout == 1.0
