"""What is asked, checked: the arguments of a recall as one value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from cogmem_core import checks
from cogmem_core.config import Config

__all__ = ["Request"]

_MODES = ("current", "timeline")


@dataclass(frozen=True, slots=True)
class Request:
    """A checked query; attributes as the arguments of `MemoryBank.recall`. `categories` and `tags`: None = any."""

    namespace: str
    query: str
    k: int | None = 8
    session_id: str | None = None
    mode: str = "current"
    as_of: datetime | None = None
    known_at: datetime | None = None
    deep: bool = False
    again: bool = False
    mood: float | None = None
    categories: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    max_tokens: int | None = None
    deadline: float | None = None
    floor: float | None = None

    @classmethod
    def checked(cls, namespace: str, query: str, asked: Mapping[str, Any], config: Config) -> Request:
        """The request; `InvalidInput` names the argument that is unusable. `asked`: the other arguments as given."""
        limits = config.limits
        checked = {name: check for name, check in _CHECKS.items() if asked[name] is not None}
        given = {name: check(name, asked[name]) for name, check in checked.items()}
        kinds = None if asked["categories"] is None else checks.labels("categories", asked["categories"], limits)
        return cls(
            namespace=namespace,
            query=checks.text("query", query, limits.query_bytes),
            k=None if asked["k"] is None else checks.k_results(asked["k"], config.retrieval.max_k),
            session_id=checks.label("session_id", asked["session_id"], limits),
            mode=checks.choice("mode", asked["mode"], _MODES),
            deep=checks.flag("deep", asked["deep"]),
            categories=None if kinds is None else tuple(checks.category(kind, "categories") for kind in kinds),
            tags=None if asked["tags"] is None else checks.labels("tags", asked["tags"], limits),
            **given,
        )


_CHECKS: Mapping[str, Callable[[str, object], Any]] = {
    "as_of": checks.moment,
    "known_at": checks.moment,
    "mood": checks.signed_fraction,
    "max_tokens": checks.positive,
    "deadline": checks.seconds,
    "floor": checks.fraction,
}
