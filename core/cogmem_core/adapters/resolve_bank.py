"""Which bank, and which engine, an adapter was given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cogmem_core import checks
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.errors import InvalidInput

__all__ = ["NamespaceSource", "bank_of", "bank_resolver", "banks_of", "engine_of"]

NamespaceSource = str | Callable[..., str] | None
"""A namespace, or a function that tells it from what an adapter knows of the run."""


def bank_of(bank: MemoryBank | None, engine: Engine | None, namespace: str | None) -> MemoryBank:
    """The bank that an adapter was given: itself, or as an engine and a namespace.

    Raises:
        InvalidInput: neither, both, or only half of one; an argument of the wrong type.
        BankClosed: engine is closed.
    """
    if bank is not None:
        if not isinstance(bank, MemoryBank):
            raise InvalidInput(
                f"bank is a {type(bank).__name__}; give a cogmem_core.MemoryBank, such as "
                "engine.bank('ann')"
            )
        if engine is not None or namespace is not None:
            raise InvalidInput(
                "bank is given and so is engine or namespace; give bank alone, or engine and "
                "namespace"
            )
        return bank
    if engine is None:
        raise InvalidInput(
            "bank is missing; give bank=engine.bank('ann'), or engine= and namespace='ann'"
        )
    if not isinstance(engine, Engine):
        raise InvalidInput(
            f"engine is a {type(engine).__name__}; give the cogmem_core.Engine that "
            "cogmem_core.open() returns"
        )
    if namespace is None:
        raise InvalidInput(
            "namespace is missing; an engine needs one, such as namespace='ann', or give bank alone"
        )
    return engine.bank(namespace)


def banks_of(
    bank: MemoryBank | None, engine: Engine | None, namespace: NamespaceSource
) -> Callable[..., MemoryBank]:
    """As `bank_of`; a namespace that is a function is called for each run with its arguments.

    Raises:
        InvalidInput: as `bank_of`; later, if the function returns no usable namespace.
    """
    if not callable(namespace):
        fixed = bank_of(bank, engine, namespace)
        return lambda *_: fixed
    if bank is not None or not isinstance(engine, Engine):
        raise InvalidInput("namespace is a function, which needs engine=, and no bank=")
    return lambda *arguments: engine.bank(namespace(*arguments))


def bank_resolver(
    bank: MemoryBank | None,
    engine: Engine | None,
    namespace: NamespaceSource,
    missing_key_help: str,
) -> Callable[..., MemoryBank]:
    """As `banks_of`, for adapters that go on without memory: call it outside of `LogAndContinue`.

    What the user's function raises is raised. A closed engine is not a mistake of the function: it
    shows when the bank is used.

    Args:
        bank: as for `bank_of`.
        engine: as for `bank_of`.
        namespace: the namespace, or a function that returns it.
        missing_key_help: what to do if the function looks up a key that the run does not have;
            `%s` in it stands for the key.

    Raises:
        InvalidInput: as `banks_of`; later: the function did not find a key, or found None instead
            of a context, or it returned no namespace.
    """
    resolve = banks_of(bank, engine, namespace)
    if not callable(namespace) or engine is None:
        return resolve

    def resolve_for_run(*arguments: Any) -> MemoryBank:
        try:
            name = namespace(*arguments)
        except (AttributeError, KeyError, TypeError) as error:
            if not isinstance(error, KeyError) and "'NoneType' object" not in str(error):
                raise
            key = _missing_key(error)
            missing = f"no {key!r}" if key else "None"
            fix = missing_key_help % repr(key or "user_id")
            raise InvalidInput(
                f"namespace is a function that found {missing} in the run; {fix}"
            ) from error
        return MemoryBank(engine, checks.namespace(name, engine.services.config.limits))

    return resolve_for_run


def _missing_key(error: AttributeError | KeyError | TypeError) -> Any:
    """The key or the attribute that was looked up; None if the error does not tell."""
    if isinstance(error, KeyError) and error.args:
        return error.args[0]
    return getattr(error, "name", None)


def engine_of(source: Engine | MemoryBank | None, bank: MemoryBank | None) -> Engine:
    """The engine that is meant: itself, or that of a bank.

    Raises:
        InvalidInput: neither or both are given, or something else.
    """
    if (source is None) == (bank is None):
        raise InvalidInput("give either engine= or bank=, and not both")
    owner = source if bank is None else bank
    engine = owner.engine if isinstance(owner, MemoryBank) else owner
    if not isinstance(engine, Engine):
        raise InvalidInput(
            f"engine is a {type(engine).__name__}; give the cogmem_core.Engine that "
            "cogmem_core.open() returns"
        )
    return engine
