"""Requests that nobody means well: whatever is sent, the server answers, fails nowhere, and gives away nothing."""

import json
import random
from typing import Any
from urllib.parse import quote

import pytest

from cogmem_core import Engine
from helpers.served import Served, token_in

SECRET = "Bob's diary says crocodile"
PATHS = (
    *("/", "/login", "/ui", "/ui/memories", "/ui/ask", "/ui/plans", "/ui/audit", "/ui/settle"),
    *("/ui/memories/{junk}", "/ui/memories/{id}/edit", "/ui/memories/{id}/{junk}", "/ui/nights"),
    *("/ui/nights/{junk}/undo", "/preferences", "/static/{junk}", "/{junk}", "/metrics"),
    *("/v1/recall", "/v1/remember", "/v1/memories", "/v1/memories/{junk}", "/v1/memories/{id}"),
    *("/v1/forget", "/v1/intentions", "/v1/settle", "/v1/feedback", "/v1/transcript", "/v1/runs"),
    *("/v1/observe", "/v1/why-not", "/v1/due", "/v1/forecast", "/v1/dreams", "/v1/outcome"),
    *(
        "/v1/memories/{id}/supersede",
        "/v1/dreams/{junk}/undo",
        "/v1/audit-trail",
        "/v1/tip-of-tongue",
    ),
    *("/v1/reviews", "/v1/reviews/{junk}/approve", "/v1/memories/{id}/why-allowed", "/ui/review"),
    *(
        "/ui/review/{id}/approve",
        "/ui/review/{id}/{junk}",
        "/ui/sharing",
        "/ui/sharing/{junk}/revoke",
    ),
    *("/ui/import", "/ui/health", "/ui/work/{junk}", "/ui/work/{junk}/events"),
)
NAMES = (
    *("content", "query", "k", "mode", "tags", "where", "at", "since", "until", "cursor", "limit"),
    *(
        "text",
        "when",
        "every",
        "zone",
        "window",
        "outcome",
        "record_id",
        "recall",
        "answer",
        "hard",
    ),
    *("session_id", "turns", "messages", "calls", "task", "days", "anchor", "state", "category"),
    *("metadata", "valid_until", "expires_in", "id_or_query", "as_of", "deadline", "floor", "q"),
    *("also", "principal", "right", "pattern", "keep_both", "support"),
    *("namespace", "csrf", "key", "theme", "back", "why", "kind", "sure", "record", "memory_id"),
)
JUNK: tuple[Any, ...] = (
    *(
        "",
        " ",
        "\x00",
        "\u202e",
        "\ud800",
        "𝔸" * 300,
        "x" * 5_000,
        "../" * 20,
        "%00",
        "a'\"><script>",
    ),
    *(
        "' OR 1=1 --",
        "${jndi:ldap://x}",
        "{{7*7}}",
        "bob",
        "alice",
        "*",
        "2026-13-45",
        "9999-12-31",
    ),
    *("0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59.999999Z", "P9999999999D", "1e309", "NaN"),
    *(0, -1, 1, 2**63, -(2**63), 10**40, 1.5, -0.0, 1e308, True, False, None, [], {}, [None]),
    *([[[[]]]], {"$gt": {}}, {"a": {"$regex": "("}}, {"role": "user"}, {"tool": 1}, ["x"] * 300),
    *({"role": "user", "content": [1]}, {"content": "hi", "at": 1}, [{"content": "hello"}]),
)
BODIES: tuple[bytes, ...] = (
    *(b"", b"{", b"null", b"[]", b"\xff\xfe", b'{"a":' * 500, b"[" * 5_000, b"=&=&;;=", b"%"),
    *(b'{"content": NaN}', b'{"query": "\\ud800"}', b'{"k": 1e999, "query": "x"}', b"\x00" * 100),
    *(b"csrf=%ff&content=%00", b"a=1" + b"&a=1" * 200),
    *(b"--x\r\n", b"--x\r\nContent-Disposition: form-data; name=csrf\r\n\r\n\xff\r\n--x--"),
    b'--x\r\nContent-Disposition: form-data; name="file"; filename="../a"\r\n\r\n{}\r\n' * 3,
)
HEADERS: tuple[dict[str, str], ...] = (
    *(
        {},
        {"content-type": "application/json"},
        {"content-type": "multipart/form-data; boundary=x"},
    ),
    *(
        {"authorization": "Bearer"},
        {"authorization": "Basic x"},
        {"cookie": "cogm_session_0=a.b.c"},
    ),
    *({"content-length": "-1"}, {"accept-language": "tr;q=x,,,"}, {"x-forwarded-host": "evil"}),
    *({"cookie": "cogm_theme=<script>; cogm_language=../../etc"}, {"range": "bytes=0-"}),
    *({"if-match": '"'}, {"if-match": ",,,"}, {"if-none-match": "W/"}, {"if-match": "*"}),
    *({"idempotency-key": "x"}, {"idempotency-key": "\t"}, {"idempotency-key": "k" * 300}),
    *({"transfer-encoding": "gzip"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}),
)


class Stranger:
    """Makes requests up, and sends them with or without a valid key and session."""

    def __init__(self, served: Served, memory_id: str, seed: int) -> None:
        self._served = served
        self._id = memory_id
        self._dice = random.Random(seed)
        self._key = served.key("admin")
        self._token = token_in(served.client.get("/ui").text)

    def request(self) -> tuple[int, str]:
        """Send one; returns the status and the text of the answer."""
        dice = self._dice
        junk = quote(
            str(dice.choice(JUNK)).encode("utf-8", "surrogatepass"), safe=dice.choice("/ ")[:1]
        )
        path = dice.choice(PATHS).replace("{junk}", junk or "-").replace("{id}", self._id)
        headers = dict(dice.choice(HEADERS))
        if path.startswith("/v1") and dice.random() < 0.8:
            headers.update(self._key)
        query = "&".join(f"{dice.choice(NAMES)}={self._text()}" for _ in range(dice.randrange(3)))
        verb = dice.choice(
            ("GET", "POST", "POST", "PATCH", "DELETE", "PUT", "HEAD", "OPTIONS", "BREW")
        )
        answer = self._served.client.request(
            verb,
            f"{path}?{query}",
            content=self._body(path),
            headers=headers,
            follow_redirects=False,
        )
        return answer.status_code, answer.text

    def _text(self) -> str:
        return quote(str(self._dice.choice(JUNK)).encode("utf-8", "surrogatepass"))

    def _body(self, path: str) -> bytes:
        dice = self._dice
        if dice.random() < 0.3:
            return dice.choice(BODIES)
        fields = {dice.choice(NAMES): dice.choice(JUNK) for _ in range(dice.randrange(5))}
        if path.startswith("/v1"):
            return json.dumps(fields).encode("utf-8", "surrogatepass")
        sent = [f"csrf={self._token}", *(f"{name}={self._text()}" for name in fields)]
        return "&".join(sent).encode()


@pytest.mark.parametrize(
    "count", [400, pytest.param(10_000, marks=pytest.mark.thorough)], ids=["some", "many"]
)
def test_no_request_breaks_the_server_or_leaves_its_namespace(
    count: int, engine: Engine, served: Served
) -> None:
    """No answer is a failure of the server, and none tells what is another's."""
    memory = engine.bank("alice").add("Ana likes tea")
    engine.bank("bob").add(SECRET)
    served.log_in("admin")
    stranger = Stranger(served, memory.id, seed=count)
    answers = [stranger.request() for _ in range(count)]
    assert {status for status, _ in answers if status >= 500} == set()
    assert not any("crocodile" in text for _, text in answers)
    assert {status for status, _ in answers} >= {200, 400, 401, 403, 404, 405}
    assert engine.bank("bob").count(state="active") == 1
    assert set(engine.namespaces()) <= {"alice", "bob"}
