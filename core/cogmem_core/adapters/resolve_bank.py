"""Which bank, and which engine, an adapter was given."""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from inspect import Parameter
from typing import Any
from uuid import UUID

from cogmem_core.edge import checks
from cogmem_core.engine import Engine, MemoryBank, reopen
from cogmem_core.errors import InvalidInput

NamespaceSource = str | Callable[..., str | Awaitable[str]] | None
"""A namespace, a template of one such as "user-{user_id}", which the run's configuration fills, or a function, sync
or async, that tells it from what an adapter knows of the run."""
REMEMBER = "remember"
"""What a run tells as False to be incognito."""
_NAME = re.compile(r"\{([^\W\d]\w*)\}(?!\{)")


def bank_of(bank: MemoryBank | None, engine: Engine | None, namespace: str | None) -> MemoryBank:
    """The bank that an adapter was given: itself, or as an engine and a namespace.

    Raises:
        InvalidInput: neither, both, or only half of one; an argument of the wrong type.
        BankClosed: engine is closed.
    """
    if bank is not None:
        if isinstance(bank, Engine):
            raise InvalidInput(
                "bank is an engine; give bank=engine.bank('ann'), or engine= and namespace="
            )
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
    _check_engine(engine)
    if namespace is None:
        raise InvalidInput(
            "namespace is missing; an engine needs one, such as namespace='ann', or give bank alone"
        )
    return engine.bank(namespace)


def location_of(bank: MemoryBank) -> dict[str, Any]:
    """Where a bank is, and in whose hands, as JSON values; `reopened_bank` finds it again."""
    location: dict[str, Any] = {**bank.engine.origin, "namespace": bank.namespace}
    if not bank.keeps:
        location["incognito"] = True
    return {**location, "principal": bank.principal} if bank.principal else location


def reopened_bank(location: Mapping[str, Any]) -> MemoryBank:
    """The bank of that location, in the hands that held it.

    Raises:
        InvalidInput: it is not one of `location_of`; see `cogmem_core.engine.reopen`.
        NotFound: its principal is none any more.
    """
    engine = reopen(location)
    namespace = str(location.get("namespace"))
    principal = location.get("principal")
    owner = engine.as_(principal) if principal else engine
    return owner.bank(namespace).incognito(bool(location.get("incognito")))


def as_told(bank: MemoryBank, sources: Iterable[Any]) -> MemoryBank:
    """The bank; incognito if a run tells `remember=False`.

    Args:
        bank: as the adapter was given it.
        sources: mappings and objects that tell of the run.

    Raises:
        InvalidInput: one of the mappings tells something else than True, False or None.
    """
    for source in sources:
        told = _told(source, REMEMBER)
        if told is False:
            return bank.incognito()
        if isinstance(source, Mapping) and told not in (None, True):
            raise InvalidInput(
                f"{REMEMBER} is {checks.display(told)} in the run; give False for a run of which "
                "nothing is kept, or leave it out"
            )
    return bank


def _told(source: Any, name: str) -> Any:
    """What a mapping, or an object, tells under a name; None if nothing."""
    return source.get(name) if isinstance(source, Mapping) else getattr(source, name, None)


class BankResolver:
    """Tells for each run whose bank is meant; can be pickled if its namespace can.

    A fixed namespace is always the same bank. A function gets what it asks for by the names of its
    parameters, as far as the adapter knows them; with other names it gets the adapter's own
    arguments, in order. It may be async: then call `awaited`, or call it where no event loop runs.
    In a run that tells `remember=False` the bank is incognito.
    A template is never taken literally.

    Args:
        bank: as for `bank_of`.
        engine: as for `bank_of`.
        namespace: the namespace, a template of it, or a function that returns it.
        missing_key_help: what to do if the function looks up a key that the run does not have; `%s`
            in it stands for the key. None = errors of the function are not explained.
        help_by_name: what a function may ask for by name, each with a `missing_key_help` of its
            own.

    Raises:
        InvalidInput: as `bank_of`; a template with anything but names in its braces.
    """

    def __init__(
        self,
        bank: MemoryBank | None,
        engine: Engine | None,
        namespace: NamespaceSource,
        missing_key_help: str | None = None,
        help_by_name: Mapping[str, str] | None = None,
    ) -> None:
        self.fixed: MemoryBank | None = None  # the bank, if it is the same for every run
        kind = "function"
        helps = help_by_name or {}
        if isinstance(namespace, str) and not {"{", "}"}.isdisjoint(namespace):
            kind = "template"
            namespace = _Template(namespace, missing_key_help or helps.get("config", ""))
        if not callable(namespace):
            self.fixed = bank_of(bank, engine, namespace)
            return
        if bank is not None or not isinstance(engine, Engine):
            raise InvalidInput(f"namespace is a {kind}, which needs engine=, and no bank=")
        self._engine = engine
        self._function: Callable[..., Any] = namespace
        self._names = _asked_names(namespace, helps)
        self._known = tuple(helps)
        self._help = missing_key_help
        if missing_key_help is not None and self._names:
            self._help = helps[self._names[-1]]

    @property
    def engine(self) -> Engine:
        """The engine, which is the same for every run."""
        return self._engine if self.fixed is None else self.fixed.engine

    def __repr__(self) -> str:
        if self.fixed is not None:
            return repr(self.fixed)
        told = getattr(self._function, "__name__", repr(self._function))
        return f"{self._engine!r}, namespace={told}"

    def asks_only(self, names: Collection[str]) -> bool:
        """Whether the namespace is fixed, a template, or asks by name for nothing but these."""
        if self.fixed is not None or isinstance(self._function, _Template):
            return True
        return bool(self._names) and set(self._names) <= set(names)

    def __call__(self, *arguments: Any, run: object = None) -> MemoryBank:
        """The bank of a run.

        Args:
            arguments: what a function gets that asks for nothing by name.
            run: has what a function may ask for by name as attributes.

        Raises:
            InvalidInput: the function did not find a key, or found None instead of a context, or it
                returned no namespace; or it is async, and an event loop runs here.
        """
        if self.fixed is not None:
            return self._as_told(self.fixed, arguments, run)
        with self._explained(arguments):
            name = self._ask(arguments, run)
            if inspect.isawaitable(name):
                name = _run_alone(name)
        return self._as_told(self._bank(name), arguments, run)

    async def awaited(self, *arguments: Any, run: object = None) -> MemoryBank:
        """As a call, for a function that may be async."""
        if self.fixed is not None:
            return self._as_told(self.fixed, arguments, run)
        with self._explained(arguments):
            name = self._ask(arguments, run)
            if inspect.isawaitable(name):
                name = await name
        return self._as_told(self._bank(name), arguments, run)

    def _as_told(self, bank: MemoryBank, arguments: Sequence[Any], run: Any) -> MemoryBank:
        return as_told(bank, arguments if run is None else run.configured)

    def _ask(self, arguments: Sequence[Any], run: Any) -> Any:
        if isinstance(self._function, _Template):
            return self._function(arguments if run is None else run.configured)
        if self._names and run is not None:
            return self._function(**{name: getattr(run, name) for name in self._names})
        return self._function(*arguments)

    def _bank(self, name: Any) -> MemoryBank:
        """The bank of that name.

        A closed engine is not a mistake of the function: where errors are explained, it shows when
        the bank is used.
        """
        if self._help is None:
            return self._engine.bank(name)
        return MemoryBank(self._engine, checks.namespace(name, self._engine.services.config))

    @contextmanager
    def _explained(self, arguments: Sequence[Any]) -> Iterator[None]:
        """Tell the caller what the run lacks, or what the function can ask for.

        Whatever else the function raises is raised.
        """
        try:
            yield
        except (AttributeError, KeyError, TypeError) as error:
            if not self._names and not _can_take(self._function, arguments):
                parameters = ", ".join(inspect.signature(self._function).parameters) or "nothing"
                gets = f"{len(arguments)} argument" if len(arguments) == 1 else "no argument"
                if self._known:
                    gets = f"what its parameters name: {', '.join(self._known)}"
                raise InvalidInput(
                    f"namespace is a function of {parameters}; it gets {gets}"
                ) from error
            if self._help is None or not (
                isinstance(error, KeyError) or "'NoneType' object" in str(error)
            ):
                raise
            key = _missing_key(error)
            missing = f"no {key!r}" if key else "None"
            fix = self._help % repr(key or "user_id")
            raise InvalidInput(
                f"namespace is a function that found {missing} in the run; {fix}"
            ) from error


class _Template:
    """A namespace with names in braces, each of which a run's configuration tells.

    Args:
        text: the template.
        fix: what to do if a run does not tell one; `%s` in it stands for its name.

    Raises:
        InvalidInput: there is something else in braces, or nothing between two names; later: other
            values would be the same namespace.
    """

    def __init__(self, text: str, fix: str) -> None:
        if not {*"{}"}.isdisjoint(_NAME.sub("", text)):
            raise InvalidInput(
                f"namespace is {checks.display(text)}, which is no template; write names alone into "
                "braces, apart from each other, as in 'user-{user_id}', or give a function"
            )
        self._text = text
        self._fix = fix

    def __repr__(self) -> str:
        return repr(self._text)

    def __call__(self, sources: Iterable[Any]) -> str:
        """The namespace of a run; `sources`: mappings and objects that tell of it, the first one counts."""
        told = list(sources)

        def value(match: re.Match[str]) -> str:
            for source in told:
                found = _told(source, match[1])
                is_told = isinstance(found, (str, int, UUID)) and not isinstance(found, bool)
                if is_told and str(found).strip():
                    return str(found)
            fix = self._fix % repr(match[1]) if self._fix else "tell it"
            raise InvalidInput(
                f"namespace is the template {checks.display(self._text)}, and the run tells no "
                f"{match[1]!r} that is text or a number; {fix}"
            )

        values = [value(match) for match in _NAME.finditer(self._text)]
        between = _NAME.split(self._text)[2::2]
        for one, part, other in zip(values, between, values[1:], strict=False):
            pair = one + part + other
            if pair.find(part, 1) != pair.rfind(part, 0, -1):
                raise InvalidInput(
                    f"namespace is the template {checks.display(self._text)}, and "
                    f"{checks.display(pair)} can come of other values, too; put between the names "
                    "what stands in none of them, or give a function"
                )
        return _NAME.sub(value, self._text)


def _asked_names(function: Callable[..., Any], known: Collection[str]) -> tuple[str, ...]:
    """The parameters of a function, if the adapter knows all of them by name; else none."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ()
    names = []
    for parameter in parameters:
        if parameter.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
            return ()
        if parameter.name in known and parameter.kind is not Parameter.POSITIONAL_ONLY:
            names.append(parameter.name)
        elif parameter.default is Parameter.empty:
            return ()
    return tuple(names)


def _can_take(function: Callable[..., Any], arguments: Sequence[Any]) -> bool:
    """Whether a function can be called with these; also if it does not tell."""
    try:
        inspect.signature(function).bind(*arguments)
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def _run_alone(name: Awaitable[Any]) -> Any:
    """What an async function returns, where no event loop runs."""

    async def result() -> Any:
        return await name

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(result())
    if inspect.iscoroutine(name):
        name.close()
    raise InvalidInput(
        "namespace is an async function, and this was called synchronously within an event loop; "
        "use the async form, such as ainvoke"
    )


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
    return _check_engine(owner.engine if isinstance(owner, MemoryBank) else owner)


def _check_engine(engine: Engine | None) -> Engine:
    if not isinstance(engine, Engine):
        raise InvalidInput(
            f"engine is a {type(engine).__name__}; give the cogmem_core.Engine that "
            "cogmem_core.open() returns"
        )
    return engine
