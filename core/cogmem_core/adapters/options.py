"""Options of an adapter that become arguments of a recall, checked when they are given and not amid a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from inspect import Parameter, signature
from typing import Any

from cogmem_core.config import Config, LimitsConfig, RetrievalConfig
from cogmem_core.encoding.sanitize import screen_labels
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.errors import InvalidInput
from cogmem_core.retrieval.plan import Request

__all__ = ["checked", "filters", "names_kept"]

_ARGUMENTS = {
    name: one.default
    for name, one in signature(MemoryBank.recall).parameters.items()
    if one.kind is Parameter.KEYWORD_ONLY
}


def filters(source: MemoryBank | Engine | None, given: Mapping[str, Any] | None, called: str) -> dict[str, Any]:
    """The filters of a retriever, as `checked` returns them; `k` is none, because the retriever has an option for it.

    Raises:
        InvalidInput: it is no mapping, holds `k`, or as `checked`.
    """
    if given is not None and not isinstance(given, Mapping):
        raise InvalidInput(f"{called} is a {type(given).__name__}; give a mapping, such as {{'categories': ['fact']}}")
    if given and "k" in given:
        raise InvalidInput(f"{called}['k'] is no filter; give the retriever's own option for how many")
    return checked(source, given or {}, f"{called}[{{!r}}]")


def checked(source: MemoryBank | Engine | None, given: Mapping[str, Any], called: str = "{}") -> dict[str, Any]:
    """Arguments of `MemoryBank.recall` as it takes them, checked before there is a question; changes nothing.

    Args:
        source: whose limits hold; None = not known yet: then only what no configuration allows is refused.
        given: some of the arguments, by their names.
        called: what they are called where they were given; `{}` in it = the name, `{!r}` = that in quotes.

    Raises:
        InvalidInput: an argument is unusable, or there is none of that name.
    """
    config, found = _config(source), {}
    for name, value in given.items():
        own = called.format(name)
        if name not in _ARGUMENTS:
            raise InvalidInput(f"{own} is unknown; MemoryBank.recall takes {', '.join(_ARGUMENTS)}")
        try:
            request = Request.checked(config, "-", "-", **{**_ARGUMENTS, "k": None, name: value})
        except InvalidInput as error:
            raise InvalidInput(f"{own}{str(error).removeprefix(name)}") from None
        found[name] = getattr(request, name)
    return found


def names_kept(bank: MemoryBank, names: Sequence[str]) -> tuple[str, ...]:
    """Labels of a document's path as the bank keeps them: without secrets, if `encoding.secrets` says so."""
    return screen_labels("path", names, bank.engine.services.config.encoding)


def _config(source: MemoryBank | Engine | None) -> Config:
    if source is None:
        return _widest()
    return (source.engine if isinstance(source, MemoryBank) else source).services.config


@cache
def _widest() -> Config:
    """What another configuration might allow: the bounds of the settings that a recall's arguments are checked by."""

    def most(section: Any, *names: str) -> Any:
        return replace(section, **{one.name: one.metadata["high"] for one in fields(section) if one.name in names})

    limits = most(LimitsConfig(), "label_characters", "tags")
    return Config(limits=limits, retrieval=most(RetrievalConfig(), "max_k"))
