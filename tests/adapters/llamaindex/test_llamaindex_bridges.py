"""`LlamaIndexLLM` and `LlamaIndexEmbedder`: LlamaIndex's models at work for cogmem."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from llama_fakes import HIKING, USED, TellingLLM, signals
from llama_index.core import MockEmbedding
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.base.llms.types import ChatMessage, ChatResponse
from llama_index.core.callbacks import CallbackManager
from llama_index.core.chat_engine import SimpleChatEngine
from pydantic import BaseModel

import cogmem
from cogmem import Engine, InvalidInput
from cogmem.llm import LLMOutputError, LLMUnavailable, Usage
from cogmem.testing import MANUAL
from llamaindex_cogmem import (
    CogMemCallbackHandler,
    CogMemInstrumentation,
    CogMemMemory,
    LlamaIndexEmbedder,
    LlamaIndexLLM,
)


class Verdict(BaseModel):
    """What the model is asked for."""

    same: bool
    why: str


ASKED = [{"role": "system", "content": "Decide."}, {"role": "user", "content": "Oslo and oslo"}]
GOOD = json.dumps({"same": True, "why": "case"})


@pytest.mark.parametrize("answer", [GOOD, f"Sure:\n```json\n{GOOD}\n```", f"<think>hm</think>{GOOD}"])
def test_an_answer_is_json_of_the_given_shape(answer: str) -> None:
    """The schema stands in the system message; fences and prose around the JSON are no harm."""
    llm = TellingLLM(answer)
    verdict = LlamaIndexLLM(llm).complete(ASKED, Verdict, timeout=30)

    assert verdict == Verdict(same=True, why="case")
    assert [message.role.value for message in llm.asked[0]] == ["system", "user"]
    assert '"same"' in llm.prompts[0]
    assert "Oslo and oslo" in llm.prompts[0]


@pytest.mark.parametrize("answer", ["I will not.", '{"same": "perhaps"}', ""])
def test_another_answer_is_an_error_of_ours(answer: str) -> None:
    """As `OpenAILLM` tells it: the caller falls back to its rules."""
    with pytest.raises(LLMOutputError):
        LlamaIndexLLM(TellingLLM([answer])).complete(ASKED, Verdict, timeout=30)


def test_what_the_model_raises_reaches_the_caller() -> None:
    """`ports.LLM`: any exception makes the caller fall back."""
    with pytest.raises(RuntimeError, match="overloaded"):
        LlamaIndexLLM(TellingLLM([RuntimeError("overloaded")])).complete(ASKED, Verdict, timeout=30)


def test_a_model_that_does_not_answer_in_time_is_left_alone() -> None:
    """The time limit is kept here, whatever the model's own client does."""
    may_answer = threading.Event()

    def slow(_prompt: str) -> str:
        may_answer.wait(30)
        return GOOD

    llm = LlamaIndexLLM(TellingLLM(slow))
    with pytest.raises(LLMUnavailable, match=r"LlamaIndexLLM\('TellingLLM'\) did not answer in time"):
        llm.complete(ASKED, Verdict, timeout=0.01)
    assert llm.usage == Usage(calls=1)
    may_answer.set()


class Counted(TellingLLM):
    """Tells what an answer cost, as the clients of several providers do."""

    def told(self, how: str) -> ChatResponse:
        message = ChatMessage(GOOD, role="assistant")
        if how == "beside":
            return ChatResponse(message=message, additional_kwargs={"prompt_tokens": 7, "completion_tokens": 3})
        if how == "raw mapping":
            return ChatResponse(message=message, raw={"usage": {"input_tokens": 7, "output_tokens": 3}})
        if how == "raw object":
            usage = SimpleNamespace(prompt_tokens=7, completion_tokens=3)
            return ChatResponse(message=message, raw=SimpleNamespace(usage=usage))
        return ChatResponse(message=message, raw={"usage": None})


@pytest.mark.parametrize("how", ["beside", "raw mapping", "raw object", "untold"])
def test_what_it_cost_is_told_where_the_model_tells_it(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokens are 0 where the model does not tell them; a call is a call."""
    inner = Counted(GOOD)
    monkeypatch.setattr(Counted, "chat", lambda self, messages, **_: self.told(how))
    llm = LlamaIndexLLM(inner)
    llm.complete(ASKED, Verdict, timeout=30)

    assert llm.usage == (Usage(0, 0, 1) if how == "untold" else Usage(7, 3, 1))


def test_an_engine_works_with_it() -> None:
    """Facts are formed by the model; the op log knows its name."""

    def answer(prompt: str) -> str:
        return json.dumps({"facts": []}) if "facts" in prompt else "?"

    llm = TellingLLM(answer)
    with cogmem.open(embedder="hashing", llm=LlamaIndexLLM(llm), config=MANUAL) as engine:
        engine.bank("ann").remember("I moved to Lisbon in May, and my sister Lena lives in Oslo")
        assert len(llm.prompts) >= 1
        assert engine.health()["llm"]["model"] == "TellingLLM"
        assert engine.health()["llm"]["calls_today"] >= 1


class Curious(CogMemMemory):
    """Asks cogmem's own model about the memories once more, when the answer is put."""

    def put_messages(self, messages: list[ChatMessage]) -> None:
        super().put_messages(messages)
        assert self.bank is not None
        asked = [{"role": "user", "content": HIKING}]
        if messages[-1].role == "assistant":
            with pytest.raises(LLMOutputError):
                self.bank.engine.services.llm.complete(asked, Verdict, timeout=30)  # type: ignore[union-attr]


@pytest.mark.parametrize("handler", ["instrumentation", "callbacks"])
def test_what_cogmem_asks_is_no_answer_to_the_user(handler: str) -> None:
    """Steps of the engine quote memories in their prompts while the user's question is being answered."""
    own = TellingLLM("No idea")
    with cogmem.open(embedder="hashing", llm=LlamaIndexLLM(own), config=MANUAL) as engine:
        bank = engine.bank("ann")
        bank.add(HIKING)
        manager = CallbackManager([CogMemCallbackHandler(engine)] if handler == "callbacks" else [])
        own.callback_manager = manager
        memory = Curious.from_defaults(bank, auto_feedback=False, save_mode="none")
        chat = SimpleChatEngine(TellingLLM(callback_manager=manager), memory, [], callback_manager=manager)
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
    with cogmem.open(embedder=LlamaIndexEmbedder(Directions(model_name="directions")), config=MANUAL) as engine:
        yield engine


def test_an_engine_embeds_with_it(embedded: Engine) -> None:
    """Documents in batches, queries one by one."""
    bank = embedded.bank("ann")
    bank.remember(["Ann likes hiking, hiking, hiking", "Ann drinks tea"])

    assert bank.recall("hiking hiking?", k=1).results[0].content == "Ann likes hiking, hiking, hiking"
    assert embedded.health()["embedder"] == "llamaindex:directions:2"


def test_its_name_tells_models_apart() -> None:
    """Vectors of two names are never compared; a model without a name goes by its class."""
    assert LlamaIndexEmbedder(MockEmbedding(embed_dim=3)).fingerprint == "llamaindex:MockEmbedding:3"
    assert LlamaIndexEmbedder(MockEmbedding(embed_dim=3), name="v2", dimension=3).fingerprint == "llamaindex:v2:3"
    assert repr(LlamaIndexEmbedder(Directions(model_name="directions"))) == "LlamaIndexEmbedder('directions')"


def test_vectors_have_the_shape_that_the_port_asks_for() -> None:
    """`ports.Embedder`."""
    embedder = LlamaIndexEmbedder(Directions())
    documents = embedder.embed_documents(["hiking", "tea"])

    assert (documents.dtype, documents.shape) == (np.float32, (2, 2))
    assert embedder.embed_query("hiking").tolist() == [1.0, 1.0]
    assert embedder.dimension == 2


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LlamaIndexLLM(object()), "llm is a object; give a llama_index.core.llms.LLM"),  # type: ignore[arg-type]
        (lambda: LlamaIndexEmbedder(object()), "embed_model is a object"),  # type: ignore[arg-type]
        (lambda: LlamaIndexEmbedder(MockEmbedding(embed_dim=3), dimension=0), "dimension is 0"),
    ],
)
def test_something_else_is_refused(make: Any, message: str) -> None:
    """Typed errors that name the argument and the fix."""
    with pytest.raises(InvalidInput, match=message):
        make()


def test_answers_for_users_stay_answers() -> None:
    """The same model may work for both."""
    shared = TellingLLM(lambda prompt: USED if "JSON" not in prompt else GOOD)
    with cogmem.open(embedder="hashing", llm=LlamaIndexLLM(shared), config=MANUAL) as engine:
        bank = engine.bank("ann")
        bank.add(HIKING)
        memory = CogMemMemory.from_defaults(bank, auto_feedback=False, save_mode="none")
        with CogMemInstrumentation(engine):
            SimpleChatEngine.from_defaults(llm=shared, memory=memory).chat("hiking?")

        assert signals(bank) == [(HIKING, "used")]
