"""What an editor shows of the classes of both packages, and what their objects say of themselves."""

import inspect
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

import langchain_cogmem
import llamaindex_cogmem
from cogmem_core import Engine

PACKAGES = pytest.mark.parametrize("package", [langchain_cogmem, llamaindex_cogmem])


def gathers(function: Callable[..., Any]) -> bool:
    kinds = [each.kind for each in inspect.signature(function).parameters.values()]
    return inspect.Parameter.VAR_KEYWORD in kinds


def makers(package: ModuleType) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Functions, constructors, and methods that do not stand in for one of the framework's that gathers."""
    for name in package.__all__:
        given = getattr(package, name)
        yield name, given
        methods = inspect.getmembers(given, inspect.isroutine) if inspect.isclass(given) else ()
        for method, function in methods:
            if method == "__init__" or (method[0] != "_" and "cogmem" in function.__module__):
                others = [each for each in given.__mro__ if "cogmem" not in each.__module__]
                above = [getattr(each, method) for each in others if method in vars(each)]
                if method == "__init__" or not any(map(gathers, above)):
                    yield f"{name}.{method}", function


@PACKAGES
def test_every_argument_is_named_in_the_signatures(package: ModuleType) -> None:
    """No `**options` stands for it, but where the framework's own class has it."""
    assert [name for name, made in makers(package) if gathers(made)] == []


def test_each_object_says_whose_memories_it_uses(engine: Engine) -> None:
    """Its bank, or the engine and what tells the namespace."""
    bank = engine.bank("ann")
    by_run: dict[str, Any] = {"engine": engine, "namespace": "{user_id}"}
    made = [
        langchain_cogmem.CogMemRetriever,
        langchain_cogmem.CogMemMemory,
        langchain_cogmem.CogMemMiddleware,
        langchain_cogmem.CogMemStore,
        langchain_cogmem.CogMemVectorStore,
        langchain_cogmem.recall_node,
        llamaindex_cogmem.CogMemMemory.from_defaults,
        llamaindex_cogmem.CogMemMemoryBlock,
        llamaindex_cogmem.CogMemPostprocessor,
        llamaindex_cogmem.CogMemRetriever,
        llamaindex_cogmem.CogMemToolSpec,
        llamaindex_cogmem.CogMemVectorStore,
    ]
    for make in made:
        assert repr(bank) in repr(make(bank))
        assert "namespace='{user_id}'" in repr(make(**by_run))
    history = langchain_cogmem.CogMemChatMessageHistory(bank, session_id="s1")
    assert repr(bank) in repr(history)
    for handler in (
        langchain_cogmem.CogMemCallbackHandler,
        llamaindex_cogmem.CogMemCallbackHandler,
        llamaindex_cogmem.CogMemInstrumentation,
    ):
        assert repr(engine) in repr(handler(engine))
