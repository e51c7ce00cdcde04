"""What went wrong: what the other modules raise, and how RFC 9457 tells it (`application/problem+json`)."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from cogmem_core.errors import (
    CogMemError,
    EmbedderMismatch,
    InvalidInput,
    NotAllowed,
    NotFound,
    Protected,
)


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


_STATUS: tuple[tuple[type[CogMemError], int], ...] = (
    (InvalidInput, 400),
    (NotAllowed, 403),
    (NotFound, 404),
    (Protected, 409),
    (EmbedderMismatch, 409),
    # Any other: 503.
)
ANSWERS: Mapping[int, str] = {
    400: "An argument is unusable; nothing was changed.",
    401: "There is no key, or it is unknown, revoked or expired.",
    403: "The key has not this scope, is not for this namespace, or its principal has not the right.",
    404: "There is no such record in this namespace.",
    409: "The memory is immutable, or the text of a document; or a request with that "
    "`Idempotency-Key` is being carried out.",
    408: "The body did not arrive in time.",
    412: "The memory is not as `If-Match` tells; nothing was changed.",
    413: "The body is larger than the server takes.",
    422: "The `Idempotency-Key` was sent with another request; nothing was changed.",
    429: "Too many requests; `Retry-After` says when to come again.",
    503: "The disk, the database or the embedder does not answer, or the server stops; what was "
    "acknowledged is safe.",
}
"""The status codes of problems, and what they mean."""
_LOG = logging.getLogger("cogmem_serve")
_UNABLE = f"{ANSWERS[503]} The server's log tells more"
_NO_ROUTE: Mapping[int, str] = {
    404: "there is nothing at this address; /v1/openapi.json lists the operations",
    405: "this address does not take that method; /v1/openapi.json lists the operations",
}
"""What is said where no route fits, and the router says nothing but the title."""


def problem_of(error: Exception) -> Problem:
    """An exception as the problem that is told; of an unforeseen one only that it happened."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, HTTPException):
        return Problem(error.status_code, error.detail, headers=error.headers)
    if not isinstance(error, CogMemError):
        return Problem(500, "the server failed; its log tells more")
    name = type(error).__name__
    status = next((status for kind, status in _STATUS if isinstance(error, kind)), 503)
    if status == 503:  # whoever runs the server is told: a message may name its files
        _LOG.error("%s: %s", name, error)
    return Problem(status, _UNABLE if status == 503 else str(error), kind=_slug(name))


def problem_response(error: Exception) -> Response:
    """The answer that tells a problem."""
    problem = problem_of(error)
    title = HTTPStatus(problem.status).phrase
    untold = problem.detail == title  # no route fits
    body: dict[str, Any] = {
        "type": f"urn:cogmem:problem:{problem.kind or _slug(title)}",
        "title": title,
        "status": problem.status,
        "detail": _NO_ROUTE.get(problem.status, title) if untold else problem.detail,
    }
    return JSONResponse(
        body,
        status_code=problem.status,
        headers=problem.headers,
        media_type="application/problem+json",
    )


def _slug(name: str) -> str:
    """`InvalidInput` and `Not Found` as `invalid-input` and `not-found`."""
    return re.sub(r"[^A-Za-z]+|(?<=[a-z])(?=[A-Z])", "-", name).lower()
