"""Which memory came before which in a conversation, and who speaks in them.

In RAM, one of each per namespace.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Sequence

from cogmem_core.text.query.speaker_names import SpeakerNames

_Place = tuple[int, str]


class ConversationOrder:
    """Memories by session, in the order in which they were said. Not thread-safe: hold a lock."""

    def __init__(self) -> None:
        self._places: dict[str, tuple[str, int]] = {}
        self._sessions: dict[str, list[_Place]] = {}

    def add(self, id: str, session: str | None, at: int) -> None:  # noqa: A002 - the field's name everywhere
        """Place a memory; one without a session stands alone. `at`: microseconds since 1970 UTC."""
        stored_place = self._places.get(id)
        if stored_place == (session, at):
            return
        self.remove(id)
        if session is not None:
            self._places[id] = (session, at)
            insort(self._sessions.setdefault(session, []), (at, id))

    def fill(
        self, ids: Sequence[str], sessions: Sequence[str | None], times: Sequence[int]
    ) -> None:
        """Place many memories in an empty order; arguments as those of `add`."""
        for id, session, at in zip(ids, sessions, times, strict=True):  # noqa: A001
            if session is not None:
                self._places[id] = (session, at)
                self._sessions.setdefault(session, []).append((at, id))
        for places in self._sessions.values():
            places.sort()

    def remove(self, id: str) -> None:  # noqa: A002
        """Forget a memory; unknown ids are ignored."""
        stored_place = self._places.pop(id, None)
        if stored_place is None:
            return
        session, at = stored_place
        order = self._sessions[session]
        del order[bisect_left(order, (at, id))]
        if not order:
            del self._sessions[session]

    def place(self, id: str) -> tuple[str, int] | None:  # noqa: A002
        """The session of a memory, and when it was said there.

        None if it stands alone or is unknown.
        """
        return self._places.get(id)

    def around(self, session: str, place: _Place) -> tuple[_Place | None, _Place | None]:
        """What was said last before a place in a session, and first after it; itself excepted."""
        order = self._sessions.get(session, [])
        start = bisect_left(order, place)
        end = bisect_right(order, place)
        previous = order[start - 1] if start else None
        return previous, order[end] if end < len(order) else None

    def beside(self, id: str) -> tuple[str | None, str | None]:  # noqa: A002
        """The memory before and the one after it in its session."""
        stored_place = self._places.get(id)
        if stored_place is None:
            return None, None
        session, at = stored_place
        order = self._sessions[session]
        place = bisect_left(order, (at, id))
        following = order[place + 1][1] if place + 1 < len(order) else None
        return order[place - 1][1] if place else None, following


def neighbours(orders: Sequence[ConversationOrder], id: str) -> tuple[str | None, str | None]:  # noqa: A002
    """As `ConversationOrder.beside`, where `orders` hold parts of the same conversations."""
    place = next(filter(None, (order.place(id) for order in orders)), None)
    if place is None:
        return None, None
    session, at = place
    around = [order.around(session, (at, id)) for order in orders]
    previous, following = zip(*around, strict=True)
    _, previous_id = max(filter(None, previous), default=(0, None))
    _, following_id = min(filter(None, following), default=(0, None))
    return previous_id, following_id


class Timeline:
    """Memories by when they were said; sorted when asked. Not thread-safe: hold a lock."""

    def __init__(self) -> None:
        self._times: dict[str, int] = {}
        self._order: list[_Place] | None = None

    def add(self, id: str, at: int) -> None:  # noqa: A002 - the field's name everywhere
        """Place a memory; `at`: microseconds since 1970 UTC."""
        self._times[id] = at
        self._order = None

    def remove(self, id: str) -> None:  # noqa: A002
        """Forget a memory; unknown ids are ignored."""
        if self._times.pop(id, None) is not None:
            self._order = None

    def fill(self, ids: Sequence[str], times: Sequence[int]) -> None:
        """Place many memories."""
        self._times.update(zip(ids, times, strict=True))
        self._order = None

    def at(self, id: str) -> int:  # noqa: A002
        """When a memory that is placed was said."""
        return self._times[id]

    def between(self, first: int, last: int) -> list[str]:
        """What was said from one moment to another, both included, oldest first."""
        if self._order is None:
            self._order = sorted((at, memory_id) for memory_id, at in self._times.items())
        low = bisect_left(self._order, (first, ""))
        high = bisect_left(self._order, (last + 1, ""))
        return [memory_id for _, memory_id in self._order[low:high]]


class Speakers:
    """Who speaks in how many memories. Not thread-safe: hold a lock."""

    def __init__(self) -> None:
        self._by_id: dict[str, str] = {}
        self._counts: Counter[str] = Counter()
        self._names = SpeakerNames()

    def add(self, id: str, name: str | None) -> None:  # noqa: A002 - the field's name everywhere
        """Say who speaks in a memory, in place of whoever did before; None or "" = unknown."""
        if self._by_id.get(id) == name:
            return
        self.remove(id)
        if name:
            self._by_id[id] = name
            self._counts[name] += 1
            self._names.add(name)

    def remove(self, id: str) -> None:  # noqa: A002
        """Forget a memory, and its speaker's name if nothing else of them is left.

        Unknown ids are ignored.
        """
        name = self._by_id.pop(id, None)
        if name is None:
            return
        self._counts[name] -= 1
        if not self._counts[name]:
            del self._counts[name]
            self._names.remove(name)

    def of(self, id: str) -> str | None:  # noqa: A002
        """Who speaks in a memory; None = unknown."""
        return self._by_id.get(id)

    def names(self) -> SpeakerNames:
        """Each name once; it changes with the memories."""
        return self._names
