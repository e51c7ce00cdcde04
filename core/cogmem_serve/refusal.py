"""A request that is refused: what the other modules raise. Pure."""

from __future__ import annotations

from collections.abc import Mapping


class Problem(Exception):
    """A request that is refused.

    Attributes:
        status: of HTTP.
        detail: what is wrong, and what to do.
        kind: names the kind of problem; empty = as the status says.
        headers: of the answer.
    """

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        kind: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.kind = kind
        self.headers = dict(headers or {})
