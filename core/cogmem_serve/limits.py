"""What a server takes. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What the server takes.

    Attributes:
        body_bytes: of one request, 1 or more.
        requests_per_minute: of one key, 1 or more; so many at once, and as many a minute later.
        failures_per_minute: refused keys and logins of one address, 1 or more.
        body_seconds: in which a body must arrive, above 0.
        head_bytes: of the address and headers of one request, 1 or more.
        head_seconds: in which they must arrive, above 0.
        waiting: connections on which a request has not arrived as a whole, 1 or more; beyond these,
            or half of the files that the process may open, the one that waits longest is closed.
        drain_seconds: what is being answered may take when the server is to stop, above 0.
        readers: threads that answer what only reads, 1 or more. Measured with 64 clients on two
            cores: with 4 or more the slowest of them wait three times longer, and no more is done.
            More help where a recall waits for an embedder or a language model on a server.
    """

    body_bytes: int = 4 * 2**20
    requests_per_minute: int = 6_000
    failures_per_minute: int = 30
    body_seconds: float = 30.0
    head_bytes: int = 64 * 2**10
    head_seconds: float = 10.0
    waiting: int = 512
    drain_seconds: float = 10.0
    readers: int = 2
