"""Options of an adapter that become arguments of a recall, checked before the first run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from inspect import Parameter, signature
from typing import Any

from cogmem_core.config import Config, LimitsConfig, RetrievalConfig
from cogmem_core.config.sections import highest
from cogmem_core.edge import checks
from cogmem_core.encoding.sanitize import sanitize_labels
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.engine.filters import checked_filter
from cogmem_core.errors import InvalidInput
from cogmem_core.retrieval.plan import Request
from cogmem_core.storage.ledger.memories import Filter
from cogmem_core.text.broken import readable, shortened

_NEAR = 0.75  # as `difflib` measures it: category is categories, city is nothing

_ARGUMENTS = {
    name: parameter.default
    for name, parameter in signature(MemoryBank.recall).parameters.items()
    if parameter.kind is Parameter.KEYWORD_ONLY
}

_FILTERS = {
    "where": "where",
    "speaker": "speaker",
    "since": "since",
    "until": "until",
    "only_session": "session_id",
}
"""Arguments that are checked together, and what `checked_filter` calls them."""
_LABELS = ("tags", "categories")
"""The other arguments that are filters."""
FILTER_NAMES = (*_FILTERS, *_LABELS)
"""Arguments of a recall that say which memories may be found."""


def checked_filters(
    source: MemoryBank | Engine | None, arguments: Mapping[str, Any] | None, option: str
) -> dict[str, Any]:
    """The filters of a retriever, as `checked_arguments` returns them.

    Names of arguments of `MemoryBank.recall` are those; any other name is one of the caller's
    metadata, so that `{"city": "Oslo"}` means `{"where": {"city": "Oslo"}}`. A name that looks like
    a misspelt argument is refused. `k` is not a filter: the retriever has an option for it.

    Raises:
        InvalidInput: it is not a mapping, it holds `k`, or as `checked_arguments`.
    """
    if arguments is None:
        return {}
    if not isinstance(arguments, Mapping):
        raise InvalidInput(
            f"{option} is a {type(arguments).__name__}; give a mapping, such as {{'categories': "
            f"['fact']}}"
        )
    if "k" in arguments:
        raise InvalidInput(
            f"{option}['k'] is no filter; give the retriever's own option for how many"
        )
    filters_by_name: dict[str, Any] = {}
    conditions: dict[str, Any] = {}
    for name, value in arguments.items():
        is_argument = (
            name in _ARGUMENTS
            or not isinstance(name, str)
            or bool(get_close_matches(name, _ARGUMENTS, 1, _NEAR))
        )
        (filters_by_name if is_argument else conditions)[name] = value
    if conditions:
        filters_by_name["where"] = both_conditions(filters_by_name.get("where"), conditions)
    return checked_arguments(source, filters_by_name, f"{option}[{{!r}}]")


def both_conditions(
    first: Mapping[str, Any] | None, second: Mapping[str, Any] | None
) -> Mapping[str, Any] | None:
    """Conditions on metadata that hold where both do; None = any."""
    if not first or not second:
        return first or second
    return {"$and": [first, second]}


def checked_arguments(
    source: MemoryBank | Engine | None, arguments: Mapping[str, Any], label: str = "{}"
) -> dict[str, Any]:
    """Checked arguments of `MemoryBank.recall`, without a question; changes nothing.

    Args:
        source: whose limits hold; None = not known yet: then only what no configuration allows is
            refused.
        arguments: some of the arguments, by their names.
        label: what they are called where they were given; `{}` in it = the name, `{!r}` = that in
            quotes.

    Raises:
        InvalidInput: an argument is unusable, or no argument has that name.
    """
    config = _config(source)
    result = {}
    for name, value in arguments.items():
        argument = label.format(name)
        if name not in _ARGUMENTS:
            raise InvalidInput(
                f"{argument} is unknown; MemoryBank.recall takes {', '.join(_ARGUMENTS)}; a key of "
                "your own metadata belongs into where={...}"
            )
        try:
            result[name] = _checked(config, name, value)
        except InvalidInput as error:
            called = _FILTERS.get(name, name)
            raise InvalidInput(f"{argument}{str(error).removeprefix(called)}") from None
    return result


def _checked(config: Config, name: str, value: Any) -> Any:
    """One argument of a recall, checked."""
    if name in _FILTERS:
        checked_filter(config, **{_FILTERS[name]: value})
        return value
    return getattr(Request.checked(config, "-", "-", **{"k": None, name: value}), name)


def as_query(
    bank: MemoryBank, text: object, *, name: str = "query", fix: str = "give a text"
) -> str:
    """What a framework hands to a recall, as a query that is not refused, unless it is blank.

    Broken characters are replaced; of a text longer than `limits.query_bytes`, such as a message with
    a file pasted into it, beginning and end are looked for.

    Args:
        bank: whose recall.
        text: what was handed over.
        name: of the argument.
        fix: what to do where it is no text.

    Raises:
        InvalidInput: it is no text, so that something is wired wrongly.
    """
    if not isinstance(text, str):
        raise InvalidInput(f"{name} is {checks.display(text)} ({type(text).__name__}); {fix}")
    return shortened(readable(text), _config(bank).limits.query_bytes)


def checked_function(name: str, value: Any) -> Any:
    """An option that is a function, or None.

    Raises:
        InvalidInput: it cannot be called.
    """
    if value is not None and not callable(value):
        raise InvalidInput(f"{name} is {value!r}; give a function, or leave it out")
    return value


def memory_filter(bank: MemoryBank, arguments: Mapping[str, Any]) -> Filter:
    """The filter that checked arguments of a recall ask for; the others are left out."""
    filters_by_name = {called: arguments.get(name) for name, called in _FILTERS.items()}
    filters_by_name |= {name: arguments.get(name) for name in _LABELS}
    return checked_filter(_config(bank), **filters_by_name)


def screened_labels(bank: MemoryBank, names: Sequence[str]) -> tuple[str, ...]:
    """A path's labels as the bank keeps them: without secrets, if `encoding.secrets` says so."""
    return sanitize_labels("path", names, bank.engine.services.config.encoding)


def _config(source: MemoryBank | Engine | None) -> Config:
    if source is None:
        return _widest()
    engine = source.engine if isinstance(source, MemoryBank) else source
    return engine.services.config


@cache
def _widest() -> Config:
    """The widest bounds that a configuration may set for the arguments of a recall."""
    limits = replace(
        LimitsConfig(),
        label_characters=highest(LimitsConfig, "label_characters"),
        tags=highest(LimitsConfig, "tags"),
    )
    retrieval = replace(RetrievalConfig(), max_k=highest(RetrievalConfig, "max_k"))
    return Config(limits=limits, retrieval=retrieval)
