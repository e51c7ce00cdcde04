"""Sessions of the pages: a cookie that only a process with the same keys can sign, and tokens against forged forms."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from dataclasses import astuple, dataclass
from datetime import timedelta

from itsdangerous import BadData, URLSafeSerializer
from starlette.requests import Request
from starlette.responses import Response

from cogmem_serve.access import OWNER, Caller
from cogmem_serve.keys import OWNER_ID, KeyRing
from cogmem_serve.problems import Problem

LIFETIME = timedelta(hours=12)


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
        round: of the holder's sessions, see `keys.Ended`.
    """

    holder: str
    ends: float
    nonce: str
    round: int


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
        holder = key_id or OWNER_ID
        ends = (self.keys.now() + LIFETIME).timestamp()
        session = Session(holder, ends, secrets.token_hex(16), self.keys.ended(holder).round)
        response.set_cookie(
            _cookie(request),
            self._signed("session").dumps(astuple(session)),
            max_age=int(LIFETIME.total_seconds()),
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )

    def end(self, request: Request, response: Response) -> None:
        """Log out, in every process with the same keys."""
        session = self.of(request)
        if session is not None and self.caller(request) is not None:
            self.keys.end_sessions(session.holder, session.nonce, session.ends)
        response.delete_cookie(_cookie(request), httponly=True, samesite="strict")

    def of(self, request: Request) -> Session | None:
        """The session of a request; None if it has none that is valid."""
        try:
            values = self._signed("session").loads(request.cookies.get(_cookie(request), ""))
        except BadData:
            return None
        session = Session(*values)
        ended = self.keys.ended(session.holder)
        is_over = session.nonce in ended.ids or session.round != ended.round
        return None if is_over or session.ends <= self.keys.now().timestamp() else session

    def caller(self, request: Request) -> Caller | None:
        """Who is logged in; None if nobody is."""
        session = self.of(request)
        if session is None:
            return None
        return OWNER if session.holder == OWNER_ID else self.keys.holder(session.holder)

    def form_token(self, request: Request) -> str:
        """What every form of a session must send back."""
        session = self.of(request)
        return "" if session is None else str(self._signed("form").dumps(session.nonce))

    def check_form(self, request: Request, token: str) -> None:
        """Refuse a form that this session was not shown.

        Raises:
            Problem: 403.
        """
        expected = self.form_token(request)
        if not expected or not hmac.compare_digest(token.encode(), expected.encode()):
            raise Problem(403, "the form is not from this session; go back and load the page anew")

    def _signed(self, purpose: str) -> URLSafeSerializer:
        """Signs texts of one purpose: they say nothing where another one is asked for."""
        sha = {"digest_method": hashlib.sha256}
        return URLSafeSerializer(self.keys.signing, f"cogmem {purpose}", signer_kwargs=sha)


def _cookie(request: Request) -> str:
    """The name of the cookie: browsers share cookies among all ports of a host."""
    return f"cogm_session_{request.url.port or 0}"
