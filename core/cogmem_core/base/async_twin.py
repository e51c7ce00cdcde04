"""Async forms of methods: the same method, run in a thread. There is no second engine."""

from __future__ import annotations

import asyncio
import functools
import os
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, Concatenate, ParamSpec, TypeVar

Owner = TypeVar("Owner")
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

MOST_THREADS = 16
"""So many calls of async twins run at once in a process; more wait for their turn."""


def _new_executor() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(MOST_THREADS, thread_name_prefix="cogmem-async")


class _Threads:
    """The process's executor; it starts a thread only when all are busy."""

    executor = _new_executor()

    @classmethod
    def renew(cls) -> None:
        """In a forked child: none of the parent's threads is there."""
        cls.executor = _new_executor()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_Threads.renew)


async def in_thread(
    function: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Result:
    """The result of a function that is called in a thread, with the caller's context variables."""
    call = functools.partial(copy_context().run, function, *args, **kwargs)
    return await asyncio.get_running_loop().run_in_executor(_Threads.executor, call)


def async_twin(
    method: Callable[Concatenate[Owner, Arguments], Result],
) -> Callable[Concatenate[Owner, Arguments], Coroutine[Any, Any, Result]]:
    """The async form of a method: same arguments, same result, run in a thread."""

    async def forward(self: Owner, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        return await in_thread(method, self, *args, **kwargs)

    functools.update_wrapper(forward, method)
    forward.__name__ = f"a{method.__name__}"
    forward.__qualname__ = method.__qualname__.removesuffix(method.__name__) + forward.__name__
    forward.__doc__ = f"Async twin of `{method.__name__}`: same arguments, same result."
    return forward
