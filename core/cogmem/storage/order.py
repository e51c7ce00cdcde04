"""Which memory came before which in a conversation, and who speaks in them; in RAM, one of each per namespace."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter

__all__ = ["ConversationOrder", "Speakers"]

_Place = tuple[int, str]


class ConversationOrder:
    """Memories by session, in the order in which they were said. Not thread-safe: hold a lock."""

    def __init__(self) -> None:
        self._places: dict[str, tuple[str, int]] = {}
        self._sessions: dict[str, list[_Place]] = {}

    def add(self, id: str, session: str | None, at: int) -> None:  # noqa: A002 - the field's name everywhere
        """Place a memory; one without a session stands alone. `at`: microseconds since 1970 UTC."""
        known = self._places.get(id)
        if known == (session, at):
            return
        self.remove(id)
        if session is not None:
            self._places[id] = (session, at)
            insort(self._sessions.setdefault(session, []), (at, id))

    def remove(self, id: str) -> None:  # noqa: A002
        """Forget a memory; unknown ids are ignored."""
        known = self._places.pop(id, None)
        if known is None:
            return
        session, at = known
        order = self._sessions[session]
        del order[bisect_left(order, (at, id))]
        if not order:
            del self._sessions[session]

    def before(self, id: str) -> str | None:  # noqa: A002
        """The memory before it in its session."""
        return self._beside(id, -1)

    def after(self, id: str) -> str | None:  # noqa: A002
        """The memory after it in its session."""
        return self._beside(id, 1)

    def _beside(self, id: str, step: int) -> str | None:  # noqa: A002
        known = self._places.get(id)
        if known is None:
            return None
        order = self._sessions[known[0]]
        place = bisect_left(order, (known[1], id)) + step
        return order[place][1] if 0 <= place < len(order) else None


class Speakers:
    """Who speaks in how many memories. Not thread-safe: hold a lock."""

    def __init__(self) -> None:
        self._by_id: dict[str, str] = {}
        self._counts: Counter[str] = Counter()

    def add(self, id: str, name: str | None) -> None:  # noqa: A002 - the field's name everywhere
        """Say who speaks in a memory, in place of whoever did before; None or "" = unknown."""
        if self._by_id.get(id) == name:
            return
        self.remove(id)
        if name:
            self._by_id[id] = name
            self._counts[name] += 1

    def remove(self, id: str) -> None:  # noqa: A002
        """Forget a memory, and its speaker's name if nothing else of them is left; unknown ids are ignored."""
        name = self._by_id.pop(id, None)
        if name is None:
            return
        self._counts[name] -= 1
        if not self._counts[name]:
            del self._counts[name]

    def names(self) -> frozenset[str]:
        """Each name once."""
        return frozenset(self._counts)
