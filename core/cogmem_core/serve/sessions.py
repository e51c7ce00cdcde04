"""Sessions of the pages: a cookie that only a process with the same keys can sign, and tokens against forged forms."""

from __future__ import annotations

import base64
import hmac
import json
import secrets
import threading
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from cogmem_core.serve.access import OWNER, Caller
from cogmem_core.serve.keys import KeyRing
from cogmem_core.serve.refusal import Problem

__all__ = ["LoginTokens", "Session", "Sessions"]

LIFETIME = timedelta(hours=12)
_OWNER = "owner"


class LoginTokens:
    """Tokens that each open one session as the owner; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tokens: set[str] = set()

    def issue(self) -> str:
        """A token for the next login."""
        token = secrets.token_urlsafe(32)
        with self._lock:
            self._tokens.add(token)
        return token

    def redeem(self, token: str) -> bool:
        """Whether it is such a token; it is none afterwards."""
        with self._lock:
            is_valid = token in self._tokens
            self._tokens.discard(token)
        return is_valid


@dataclass(frozen=True, slots=True)
class Session:
    """A login on the pages.

    Attributes:
        holder: the id of a key, or "owner".
        ends: seconds since 1970.
        nonce: tells it from others.
    """

    holder: str
    ends: float
    nonce: str


class Sessions:
    """Makes, reads and ends sessions; keeps none of them.

    Args:
        keys: who may log in, and what sessions are signed with.
    """

    def __init__(self, keys: KeyRing) -> None:
        self.keys = keys

    def begin(self, request: Request, response: Response, key_id: str = "") -> None:
        """Log in the owner, or the holder of a key."""
        self.keys.keep()
        ends = (self.keys.now() + LIFETIME).timestamp()
        values = [key_id or _OWNER, ends, secrets.token_hex(16)]
        text = base64.urlsafe_b64encode(json.dumps(values).encode()).decode().rstrip("=")
        response.set_cookie(
            _cookie(request),
            f"{text}.{self.keys.signature(text)}",
            max_age=int(LIFETIME.total_seconds()),
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )

    def end(self, request: Request, response: Response) -> None:
        """Log out."""
        response.delete_cookie(_cookie(request), httponly=True, samesite="strict")

    def of(self, request: Request) -> Session | None:
        """The session of a request; None if it has none that is valid."""
        text, _, signature = request.cookies.get(_cookie(request), "").partition(".")
        if not text or not hmac.compare_digest(signature.encode(), self._sign(text)):
            return None
        values: list[Any] = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        session = Session(*values)
        return session if session.ends > self.keys.now().timestamp() else None

    def caller(self, request: Request) -> Caller | None:
        """Who is logged in; None if nobody is."""
        session = self.of(request)
        if session is None:
            return None
        return OWNER if session.holder == _OWNER else self.keys.holder(session.holder)

    def form_token(self, request: Request) -> str:
        """What every form of a session must send back."""
        session = self.of(request)
        return "" if session is None else self.keys.signature(f"form {session.nonce}")

    def check_form(self, request: Request, token: str) -> None:
        """Refuse a form that this session was not shown.

        Raises:
            Problem: 403.
        """
        expected = self.form_token(request)
        if not expected or not hmac.compare_digest(token.encode(), expected.encode()):
            raise Problem(403, "the form is not from this session; go back and load the page anew")

    def _sign(self, text: str) -> bytes:
        return self.keys.signature(text).encode()


def _cookie(request: Request) -> str:
    """The name of the cookie: browsers share cookies among all ports of a host."""
    return f"cogm_session_{request.url.port or 0}"
