"""The policy as it was read last, and which decisions are in the access log already."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from cogmem_core.base.lru import LRUCache

_DECISIONS = 10_000
Policy = TypeVar("Policy")
Key = tuple[int, str, str, str]
"""The number of the policy, principal, namespace, right."""


class DecisionCache(Generic[Policy]):
    """What this process knows of who may do what. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._policy: tuple[int, Policy] | None = None
        self._recorded: LRUCache[Key, bool] = LRUCache(_DECISIONS)

    def policy(self, seq: int, read: Callable[[], Policy]) -> Policy:
        """The policy of that number, read anew if another one is held."""
        held = self._policy
        if held is not None and held[0] == seq:
            return held[1]
        policy = read()
        self._policy = (seq, policy)
        return policy

    def is_recorded(self, key: Key, *, allowed: bool) -> bool:
        """Whether this decision is in the access log; it counts as recorded from now on."""
        with self._lock:
            recorded = self._recorded.get(key) is allowed
            self._recorded.put(key, allowed)
        return recorded
