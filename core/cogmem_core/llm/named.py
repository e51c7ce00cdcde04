"""The language model that a name stands for: `openai:`, `ollama:`, `anthropic:` and `litellm:`."""

from __future__ import annotations

import importlib.util
import inspect
import os
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel

from cogmem_core.base.frameworks import adapted
from cogmem_core.errors import ConfigError
from cogmem_core.llm.answers import Messages, json_schema_format, parse_completion
from cogmem_core.llm.openai import OpenAILLM
from cogmem_core.llm.openai_client import ollama_address, unusable
from cogmem_core.llm.wrappers import BorrowedLLM, ModelReply, RefusalAsUnstructured
from cogmem_core.ports import LLM

_NAMES = "openai:<model>, ollama:<model>, anthropic:<model> or litellm:<provider>/<model>"


class LiteLLM(BorrowedLLM):
    """A model of any provider that `litellm` reaches; keys and addresses are its own variables.

    Args:
        model: as litellm names it, "anthropic/claude-3-5-haiku-latest".
    """

    def ask(
        self,
        messages: Messages,
        shape: type[BaseModel] | None,
        on_request: Callable[[], None],
    ) -> ModelReply:
        """One request; see `BorrowedLLM.ask`."""
        import litellm

        options: dict[str, Any] = {}
        if shape is not None:
            options["response_format"] = json_schema_format(shape)
        on_request()
        with RefusalAsUnstructured() if shape is not None else nullcontext():
            response = litellm.completion(
                model=self.model, messages=list(map(dict, messages)), num_retries=0, **options
            )
        text, usage = parse_completion(response.model_dump_json().encode())
        return ModelReply(text, usage)


def resolve_llm(spec: str | object | None) -> LLM | None:
    """The language model that `spec` stands for; opens no connection.

    Args:
        spec: None (heuristics only), "openai:<model>", "ollama:<model>" (`OLLAMA_HOST`),
            "anthropic:<model>" (`ANTHROPIC_API_KEY`), "litellm:<provider>/<model>", an object with
            a synchronous `complete` (see `ports.LLM`), or a chat model of LangChain or LlamaIndex.

    Raises:
        ConfigError: an unknown name, a model that cannot be reached as things are (no package, no
            key), or an object without a synchronous `complete`.
    """
    if spec is None:
        return None
    if isinstance(spec, str):
        return _named(spec)
    spec = adapted("llm", spec)
    complete = getattr(spec, "complete", None)
    if isinstance(spec, type) or not callable(complete) or inspect.iscoroutinefunction(complete):
        raise ConfigError(
            f"llm is {_described(spec)}; pass an object with a synchronous complete(messages, "
            f"response_model, timeout), or {_NAMES}, or None"
        )
    return spec  # type: ignore[return-value]


def _named(spec: str) -> LLM:
    provider, _, model = spec.partition(":")
    make = _PROVIDERS.get(provider)
    if make is None or not model:
        near = get_close_matches(provider, _PROVIDERS, 1)
        meant = f"; the nearest one is {near[0]}:{model}" if near and model and make is None else ""
        raise ConfigError(
            f"unknown llm {spec!r}; use {_NAMES}, such as openai:gpt-4o-mini, an object with "
            f"`complete`, or None{meant}"
        )
    return make(spec, model)


def _openai(spec: str, model: str) -> LLM:
    _refuse(spec, unusable())
    return OpenAILLM(model)


def _ollama(spec: str, model: str) -> LLM:
    address = ollama_address(os.environ.get("OLLAMA_HOST", ""))
    _refuse(spec, unusable(address))
    return OpenAILLM(model, base_url=address, api_key="ollama")


def _anthropic(spec: str, model: str) -> LLM:
    model_client = _litellm(spec, f"anthropic/{model}")
    if not os.environ.get("ANTHROPIC_API_KEY"):
        _refuse(spec, "has no key; set ANTHROPIC_API_KEY")
    return model_client


def _litellm(spec: str, model: str) -> LLM:
    if importlib.util.find_spec("litellm") is None:
        _refuse(
            spec,
            "needs the `litellm` package; install it with `pip install 'litellm>=1.60'` (the "
            "extra `cogmem-core[litellm]`)",
        )
    return LiteLLM(model)


_PROVIDERS: Mapping[str, Callable[[str, str], LLM]] = {
    "openai": _openai,
    "ollama": _ollama,
    "anthropic": _anthropic,
    "litellm": _litellm,
}


def _refuse(spec: str, problem: str | None) -> None:
    if problem:
        raise ConfigError(f"llm {spec!r} {problem}")


def _described(spec: object) -> str:
    """A class, or the kind of an object: what it holds may be a key."""
    return repr(spec) if isinstance(spec, type) else f"a {type(spec).__name__}"
