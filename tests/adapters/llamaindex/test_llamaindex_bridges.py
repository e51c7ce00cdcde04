"""`LlamaIndexLLM` and `LlamaIndexEmbedder`: LlamaIndex's models at work for cogmem."""

import json
import threading
from collections.abc import Iterator
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from llama_index.core import MockEmbedding
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, LLMMetadata
from llama_index.core.callbacks import CallbackManager
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms.callbacks import llm_chat_callback
from pydantic import BaseModel

import cogmem_core
from cogmem_core import Engine, InvalidInput
from cogmem_core.llm import LLMOutputError, LLMUnavailable, Usage
from cogmem_core.ports import LLM, Embedder
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.llamaindex_models import HIKING, USED, TellingLLM, call, signals
from helpers.model_answers import formed
from helpers.tables import each_row
from llamaindex_cogmem import (
    CogMemCallbackHandler,
    CogMemInstrumentation,
    CogMemMemory,
    LlamaIndexEmbedder,
    LlamaIndexLLM,
)
from llamaindex_cogmem.convert import text_of


class Verdict(BaseModel):
    """What the model is asked for."""

    same: bool
    why: str


ASKED = [{"role": "system", "content": "Decide."}, {"role": "user", "content": "Oslo and oslo"}]
GOOD = {"same": True, "why": "case"}
VERDICT = Verdict(same=True, why="case")
PLENTY = 30.0
SHORT = 0.2


class Plain(TellingLLM):
    """A chat model that calls no functions."""

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(is_chat_model=True, model_name="plain-1")


def complete(llm: TellingLLM, timeout: float = PLENTY) -> Verdict:
    return LlamaIndexLLM(llm).complete(ASKED, Verdict, timeout)


def test_a_model_that_calls_functions_is_asked_to_call_one() -> None:
    """The schema goes where the model expects it, and not into the prompt."""
    llm = TellingLLM([call("Verdict", **GOOD)])

    assert complete(llm) == VERDICT
    assert [text_of(message) for message in llm.asked[0]] == ["Decide.", "Oslo and oslo"]


def test_a_model_that_writes_instead_of_calling_is_read() -> None:
    """Some do, whatever they are told."""
    assert complete(TellingLLM(f"Sure: {json.dumps(GOOD)}")) == VERDICT


@pytest.mark.parametrize("wrap", ["{}", "Sure:\n```json\n{}\n```", "<think>hm</think>{}"])
def test_any_other_model_is_asked_by_a_prompt(wrap: str) -> None:
    """The schema stands in the system message; fences and prose around the JSON are no harm."""
    llm = Plain(wrap.replace("{}", json.dumps(GOOD)))

    assert complete(llm) == VERDICT
    assert [message.role.value for message in llm.asked[0]] == ["system", "user"]
    assert text_of(llm.asked[0][0]).startswith("Decide.\n\nAnswer with one JSON object")
    assert '"same"' in llm.prompts[0]


class Refused(Exception):
    """What a server says that knows no functions."""

    status_code = 400


def test_where_the_server_refuses_functions_the_schema_goes_into_the_prompt() -> None:
    """Asked once more without, and from then on at once."""
    inner = TellingLLM([Refused("tools are not supported"), json.dumps(GOOD), json.dumps(GOOD)])
    llm = LlamaIndexLLM(inner)

    assert llm.complete(ASKED, Verdict, PLENTY) == VERDICT
    assert llm.usage == Usage(calls=2)
    assert llm.complete(ASKED, Verdict, PLENTY) == VERDICT
    assert llm.usage == Usage(calls=1)
    assert ["JSON" in prompt for prompt in inner.prompts] == [False, True, True]


@pytest.mark.parametrize("kind", [TellingLLM, Plain])
@pytest.mark.parametrize("answer", ["I will not.", '{"same": "perhaps"}', ""])
def test_another_answer_is_an_error_of_ours(kind: type[TellingLLM], answer: str) -> None:
    """As `OpenAILLM` tells it: the caller falls back to its rules."""
    with pytest.raises(LLMOutputError):
        complete(kind([answer]))


def test_what_the_model_raises_is_told_without_its_text() -> None:
    """The text may quote the prompt, and with it memories."""
    with pytest.raises(
        LLMUnavailable, match=r"LlamaIndexLLM\('plain-1'\) failed \(RuntimeError\)$"
    ):
        complete(Plain([RuntimeError("Oslo and oslo")]))


def test_a_model_that_does_not_answer_in_time_is_left_alone() -> None:
    """The time limit is kept here, whatever the model's own client does; meanwhile it is not asked again."""
    may_answer, answered = threading.Event(), threading.Event()

    def slow(_prompt: str) -> str:
        may_answer.wait(PLENTY)
        answered.set()
        return json.dumps(GOOD)

    inner = Plain(slow)
    llm = LlamaIndexLLM(inner)
    for _ in range(2):
        with pytest.raises(LLMUnavailable, match="did not answer in time"):
            llm.complete(ASKED, Verdict, timeout=SHORT)
    assert (llm.usage, len(inner.prompts)) == (Usage(), 1)
    may_answer.set()
    assert answered.wait(PLENTY)


MESSAGE = ChatMessage(json.dumps(GOOD), role="assistant")
SPENT = {"prompt_tokens": 7, "completion_tokens": 3}
RESPONSES = {
    "beside": ChatResponse(message=MESSAGE, additional_kwargs=SPENT),
    "raw mapping": ChatResponse(
        message=MESSAGE, raw={"usage": {"input_tokens": 7, "output_tokens": 3}}
    ),
    "raw object": ChatResponse(
        message=MESSAGE, raw=SimpleNamespace(usage=SimpleNamespace(**SPENT))
    ),
    "untold": ChatResponse(message=MESSAGE, raw={"usage": None}),
}


class Costly(Plain):
    """Answers as the clients of several providers do."""

    response: ChatResponse

    def _answer(self, messages: Any) -> ChatMessage:
        raise AssertionError("chat answers by itself")

    @llm_chat_callback()
    def chat(self, messages: Any, **_: Any) -> ChatResponse:
        return self.response


@each_row("how", RESPONSES)
def test_what_it_cost_is_told_where_the_model_tells_it(how: str) -> None:
    """Tokens are 0 where the model does not tell them; a call is a call."""
    llm = LlamaIndexLLM(Costly(response=RESPONSES[how]))
    llm.complete(ASKED, Verdict, PLENTY)

    assert llm.usage == (Usage(0, 0, 1) if how == "untold" else Usage(7, 3, 1))


@pytest.mark.parametrize(
    "raw",
    [
        {"choices": [{"finish_reason": "length"}]},
        SimpleNamespace(choices=[SimpleNamespace(finish_reason="length")]),
        {"stop_reason": "max_tokens"},
        {"done_reason": "length"},
    ],
    ids=["mapping", "object", "anthropic", "ollama"],
)
def test_a_part_of_an_answer_that_was_cut_off_is_no_answer(raw: Any) -> None:
    """A whole object inside the half of another one fits the schema all the same."""
    with pytest.raises(LLMOutputError, match="cut off by the token limit"):
        LlamaIndexLLM(Costly(response=ChatResponse(message=MESSAGE, raw=raw))).complete(
            ASKED, Verdict, PLENTY
        )


def test_it_goes_by_its_own_name_or_a_given_one() -> None:
    """Health and log show it."""
    names = [
        LlamaIndexLLM(Plain()).model,
        LlamaIndexLLM(TellingLLM()).model,
        LlamaIndexLLM(Plain(), name="mine").model,
    ]
    assert names == ["plain-1", "TellingLLM", "mine"]
    assert isinstance(LlamaIndexLLM(Plain()), LLM)
    assert isinstance(LlamaIndexEmbedder(MockEmbedding(embed_dim=3)), Embedder)


def test_an_engine_forms_facts_with_it() -> None:
    """The whole way: the model's facts, its cost, its name in health."""
    answer = formed("Clara moved to Lisbon in May 2026.", entities=["Clara"])
    llm = LlamaIndexLLM(Plain(json.dumps(answer)))
    with cogmem_core.open(
        embedder="hashing", llm=llm, clock=FrozenClock(), config=MANUAL
    ) as engine:
        report = engine.bank("ann").remember(
            "Clara told me she has moved to Lisbon in May, at last!"
        )
        assert [memory.content for memory in report.memories] == [
            "Clara moved to Lisbon in May 2026."
        ]
        assert report.degraded == ()
        assert engine.health()["llm"]["model"] == "plain-1"


class Curious(CogMemMemory):
    """Asks cogmem's own model about the memories once more, when the answer is put."""

    def put_messages(self, messages: list[ChatMessage]) -> None:
        super().put_messages(messages)
        assert self.bank is not None
        asked = [{"role": "user", "content": HIKING}]
        if messages[-1].role == "assistant":
            with pytest.raises(LLMOutputError):
                self.bank.engine.services.llm.complete(asked, Verdict, PLENTY)  # type: ignore[union-attr]


@pytest.mark.parametrize("handler", ["instrumentation", "callbacks"])
def test_what_cogmem_asks_is_no_answer_to_the_user(handler: str) -> None:
    """Steps of the engine quote memories in their prompts while the user's question is being answered."""
    own = TellingLLM("No idea")
    with cogmem_core.open(embedder="hashing", llm=LlamaIndexLLM(own), config=MANUAL) as engine:
        bank = engine.bank("ann")
        bank.add(HIKING)
        manager = CallbackManager([CogMemCallbackHandler(engine)] if handler == "callbacks" else [])
        own.callback_manager = manager
        memory = Curious.from_defaults(bank, auto_feedback=False, save_mode="none")
        chat = SimpleChatEngine(
            TellingLLM(callback_manager=manager), memory, [], callback_manager=manager
        )
        with CogMemInstrumentation(engine) if handler == "instrumentation" else nullcontext():
            chat.chat("hiking?")

        assert HIKING in own.prompts[-1]
        assert signals(bank) == [(HIKING, "used")]


class Directions(BaseEmbedding):
    """Two dimensions: how much a text speaks of hiking, and of anything else."""

    def _get_text_embedding(self, text: str) -> list[float]:
        return [float(text.count("hiking")), 1.0]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)


@pytest.fixture
def embedded() -> Iterator[Engine]:
    with cogmem_core.open(
        embedder=LlamaIndexEmbedder(Directions(model_name="two")), config=MANUAL
    ) as engine:
        yield engine


def test_an_engine_embeds_with_it(embedded: Engine) -> None:
    """Documents in batches, queries one by one."""
    bank = embedded.bank("ann")
    bank.remember(["Ann likes hiking, hiking, hiking", "Ann drinks tea"])

    assert (
        bank.recall("hiking hiking?", k=1).results[0].content == "Ann likes hiking, hiking, hiking"
    )
    assert embedded.health()["embedder"] == "llamaindex:Directions:two:2"


def test_its_name_tells_models_apart() -> None:
    """Vectors of two names are never compared; a model without a name goes by its class."""
    assert (
        LlamaIndexEmbedder(MockEmbedding(embed_dim=3)).fingerprint == "llamaindex:MockEmbedding:3"
    )
    assert (
        LlamaIndexEmbedder(MockEmbedding(embed_dim=3), name="v2").fingerprint == "llamaindex:v2:3"
    )
    assert (
        repr(LlamaIndexEmbedder(Directions(model_name="two")))
        == "LlamaIndexEmbedder('Directions:two')"
    )


def test_vectors_have_the_shape_that_the_port_asks_for() -> None:
    """`ports.Embedder`."""
    embedder = LlamaIndexEmbedder(Directions())
    documents = embedder.embed_documents(["hiking", "tea"])

    assert (documents.dtype, documents.shape) == (np.float32, (2, 2))
    assert embedder.embed_query("hiking").tolist() == [1.0, 1.0]
    assert embedder.embed_documents([]).shape == (0, 2)
    assert embedder.dimension == 2


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LlamaIndexLLM(object()), "llm is a object; give a llama_index.core.llms.LLM"),  # type: ignore[arg-type]
        (lambda: LlamaIndexEmbedder(object()), "embed_model is a object"),  # type: ignore[arg-type]
        (lambda: LlamaIndexEmbedder(MockEmbedding(embed_dim=3), name=" "), "name is ' '"),
    ],
)
def test_something_else_is_refused(make: Any, message: str) -> None:
    """Typed errors that name the argument and the fix."""
    with pytest.raises(InvalidInput, match=message):
        make()


def test_answers_for_users_stay_answers() -> None:
    """The same model may work for both."""
    shared = TellingLLM(USED)
    with cogmem_core.open(embedder="hashing", llm=LlamaIndexLLM(shared), config=MANUAL) as engine:
        bank = engine.bank("ann")
        bank.add(HIKING)
        memory = CogMemMemory.from_defaults(bank, auto_feedback=False, save_mode="none")
        with CogMemInstrumentation(engine):
            SimpleChatEngine.from_defaults(llm=shared, memory=memory).chat("hiking?")

        assert signals(bank) == [(HIKING, "used")]
