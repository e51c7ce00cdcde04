"""Async forms of methods: the same method, run in a thread. There is no second engine."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, ParamSpec, TypeVar

__all__ = ["async_twin"]

Owner = TypeVar("Owner")
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def async_twin(
    method: Callable[Concatenate[Owner, Arguments], Result],
) -> Callable[Concatenate[Owner, Arguments], Coroutine[Any, Any, Result]]:
    """The async form of a method: same arguments, same result, run by `asyncio.to_thread`."""

    async def forward(self: Owner, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        return await asyncio.to_thread(method, self, *args, **kwargs)

    functools.update_wrapper(forward, method)
    forward.__name__ = f"a{method.__name__}"
    forward.__qualname__ = method.__qualname__.removesuffix(method.__name__) + forward.__name__
    forward.__doc__ = f"Async twin of `{method.__name__}`: same arguments, same result."
    return forward
