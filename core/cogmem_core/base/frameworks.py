"""What belongs to an agent framework, and the adapter that translates it, imported when needed.

The engine imports no framework and no adapter by itself. Who hands it an object of a framework, or
asks for something in a framework's shape, has that framework.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cogmem_core.errors import ConfigError, InvalidInput


@dataclass(frozen=True, slots=True)
class Framework:
    """A framework and its adapter.

    Attributes:
        title: its name for people.
        package: where its classes are defined.
        adapter: the package that translates.
        distribution: what to install for it.
        llm: the adapter's class for language models.
        embedder: the adapter's class for embeddings.
    """

    title: str
    package: str
    adapter: str
    distribution: str
    llm: str
    embedder: str

    def load(self, name: str, error: type[Exception]) -> Callable[..., Any]:
        """A class of the adapter.

        Raises:
            error: the adapter, or what it needs, is not installed.
        """
        try:
            factory: Callable[..., Any] = getattr(importlib.import_module(self.adapter), name)
        except ImportError as problem:
            raise error(
                f"{self.adapter}.{name} cannot be imported ({problem}); pip install "
                f"'{self.distribution}'"
            ) from problem
        return factory


FRAMEWORKS = {
    "langchain": Framework(
        "LangChain",
        "langchain_core",
        "langchain_cogmem",
        "langchain-cogmem",
        "LangChainLLM",
        "LangChainEmbedder",
    ),
    "llamaindex": Framework(
        "LlamaIndex",
        "llama_index",
        "llamaindex_cogmem",
        "llama-index-memory-cogmem",
        "LlamaIndexLLM",
        "LlamaIndexEmbedder",
    ),
}


def adapted(kind: str, value: object) -> object:
    """The value; a framework's language model or embeddings as the engine can use them.

    Args:
        kind: "llm" or "embedder".
        value: what a caller gave.

    Raises:
        ConfigError: it is a framework's, and it cannot be adapted: names class and remedy.
    """
    framework = _framework_of(value)
    if framework is None or isinstance(value, type) or _is_llm(value):
        return value
    name = framework.llm if kind == "llm" else framework.embedder
    adapter = framework.load(name, ConfigError)
    try:
        return adapter(value)
    except InvalidInput as error:
        raise ConfigError(
            f"{kind} is a {type(value).__name__} of {framework.title}, and {name} does not take it: "
            f"{error}"
        ) from error


def make_retriever(bank: object, framework: str = "langchain", **options: Any) -> Any:
    """A framework's retriever over a bank.

    Args:
        bank: the bank.
        framework: "langchain" or "llamaindex".
        options: what the framework's retriever takes.

    Raises:
        InvalidInput: no such framework, its adapter is not installed, or an option is unusable.
    """
    if framework not in FRAMEWORKS:
        raise InvalidInput(f"framework is {framework!r}; use one of {', '.join(FRAMEWORKS)}")
    return FRAMEWORKS[framework].load("CogMemRetriever", InvalidInput)(bank, **options)


def _framework_of(value: object) -> Framework | None:
    packages = {base.__module__.partition(".")[0] for base in type(value).__mro__}
    return next((known for known in FRAMEWORKS.values() if known.package in packages), None)


def _is_llm(value: object) -> bool:
    """Whether it has the protocol's `complete`, not merely a method of that name."""
    complete = getattr(value, "complete", None)
    if not callable(complete):
        return False
    try:
        return "response_model" in inspect.signature(complete).parameters
    except (TypeError, ValueError):
        return False
