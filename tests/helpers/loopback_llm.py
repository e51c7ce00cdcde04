"""A loopback server of a language model, which misbehaves on demand."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
import threading
from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

__all__ = ["LoopbackServer", "Reply"]

Request = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer of a `LoopbackServer`: build it with the functions below.

    Attributes:
        content: the message's text; None = the `body` as it stands.
        hangs: nothing is sent until the server stops or the client gives up; `drips` sends a blank
            now and then.
    """

    status: int = 200
    content: str | None = None
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    finish_reason: str = "stop"
    hangs: bool = False
    drips: bool = False

    @classmethod
    def json(cls, value: Any) -> Reply:
        """The model answers with this JSON; also with wrong ids and wrong types."""
        return cls(content=json.dumps(value, ensure_ascii=False))

    @classmethod
    def text(cls, text: str) -> Reply:
        """The model answers with prose, or with whatever stands here."""
        return cls(content=text)

    @classmethod
    def prose(cls, value: Any) -> Reply:
        """JSON inside chatter."""
        return cls(
            content=f"Sure! Here it is: {json.dumps(value)} Let me know if you need {{more}}."
        )

    @classmethod
    def fenced(cls, value: Any) -> Reply:
        """JSON in a Markdown fence."""
        return cls(content=f"Here you go:\n```json\n{json.dumps(value, indent=2)}\n```\n")

    @classmethod
    def truncated(cls, value: Any) -> Reply:
        """Cut off by the token limit."""
        text = json.dumps(value)
        return cls(content=text[: len(text) // 2], finish_reason="length")

    @classmethod
    def refusal(cls) -> Reply:
        """The model declines."""
        message = {"role": "assistant", "content": None, "refusal": "I can't help with that."}
        return cls(body={"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})

    @classmethod
    def empty_choices(cls) -> Reply:
        """A completion without choices."""
        return cls(body={"choices": []})

    @classmethod
    def error(cls, status: int, message: str = "no", *, retry_after: int | None = None) -> Reply:
        """The server refuses: 400, 401, 429, 500, ..."""
        headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
        return cls(
            status=status, body={"error": {"message": message, "code": None}}, headers=headers
        )

    @classmethod
    def hang(cls, *, drip: bool = False) -> Reply:
        """The server never answers; with `drip` it keeps the line alive with blanks."""
        return cls(hangs=True, drips=drip)


Script = Reply | Callable[[Request], Reply]


class LoopbackServer:
    """An OpenAI-compatible server on 127.0.0.1: chat completions, embeddings, list of models.

    Chat completions can be streamed.
    Chat requests get the enqueued replies in order, then `default`, then status 404. Embeddings are
    deterministic.

    Example:
        >>> from helpers.loopback_llm import LoopbackServer, Reply
        >>> with LoopbackServer(Reply.error(429), Reply.json({"text": "ok"})) as server:
        ...     print(server.address.startswith("http://127.0.0.1:"))
        True

    Args:
        replies: for the first chat requests; a callable gets the request and returns a reply.
        default: for all further ones.
        formats: the `response_format` types it knows; it refuses others with status 400 without
            using up a reply.
        dimension: of its embeddings.

    Attributes:
        requests: the bodies of the chat requests, in order.
        address: for `base_url`, up to and including `/v1`.
    """

    def __init__(
        self,
        *replies: Script,
        default: Script | None = None,
        formats: Collection[str] = ("json_schema", "json_object", "text"),
        dimension: int = 8,
    ) -> None:
        self.requests: list[Request] = []
        self._replies: deque[Script] = deque(replies)
        self._default = default
        self._formats = formats
        self._dimension = dimension
        self._lock = threading.Lock()
        self.stopping = threading.Event()
        self._server = _Server(self)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}
        )
        self.address = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> LoopbackServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def enqueue(self, *replies: Script) -> None:
        """Add replies for the next chat requests."""
        with self._lock:
            self._replies.extend(replies)

    def chat(self, request: Request) -> Reply:
        """The reply to a chat request."""
        kind = (request.get("response_format") or {"type": "text"})["type"]
        with self._lock:
            self.requests.append(request)
            if kind not in self._formats:
                return Reply.error(
                    400, f"response_format type {kind!r} is not supported by this model"
                )
            script = self._replies.popleft() if self._replies else self._default
        if script is None:
            return Reply.error(404, "nothing is scripted for this request")
        return script if isinstance(script, Reply) else script(request)

    def embeddings(self, request: Request) -> Reply:
        """A vector per text, from a hash of the text."""
        texts = [request["input"]] if isinstance(request["input"], str) else request["input"]
        rows = [
            {"object": "embedding", "index": index, "embedding": self._vector(str(text), request)}
            for index, text in enumerate(texts)
        ]
        usage = {"prompt_tokens": len(texts), "total_tokens": len(texts)}
        return Reply(
            body={"object": "list", "model": request.get("model"), "data": rows, "usage": usage}
        )

    def _vector(self, text: str, request: Request) -> Any:
        size = request.get("dimensions") or self._dimension
        digest = hashlib.shake_256(text.encode()).digest(size)
        values = [byte / 255 - 0.5 for byte in digest]
        if request.get("encoding_format") != "base64":
            return values
        return base64.b64encode(struct.pack(f"<{size}f", *values)).decode()


class _Server(ThreadingHTTPServer):
    """Closing waits for the handlers, which `stopping` ends, so that no thread is left over."""

    daemon_threads = False

    def __init__(self, owner: LoopbackServer) -> None:
        self.owner = owner
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        """The list of models."""
        models = [{"id": "loopback", "object": "model", "owned_by": "test"}]
        self._send(Reply(body={"object": "list", "data": models}))

    def do_POST(self) -> None:
        """Chat completions and embeddings."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        routes = {
            "/chat/completions": self.server.owner.chat,
            "/embeddings": self.server.owner.embeddings,
        }
        route = routes.get(self.path.removeprefix("/v1"))
        reply = route(request) if route else Reply.error(404, f"no {self.path} here")
        try:
            if reply.hangs:
                self._hang(reply)
            elif request.get("stream") and reply.status == 200:
                self._stream(reply)
            else:
                self._send(reply)
        except ConnectionError:
            return  # the client gave up first

    def log_message(self, *_: object) -> None:
        """Print nothing."""

    def _send(self, reply: Reply) -> None:
        body = json.dumps(_completion(reply) if reply.content is not None else reply.body).encode()
        self._head(reply, "application/json", {"Content-Length": str(len(body))})
        self.wfile.write(body)

    def _stream(self, reply: Reply) -> None:
        self._head(reply, "text/event-stream", {})
        content = reply.content or ""
        middle = len(content) // 2
        for delta, reason in (
            ({"role": "assistant", "content": content[:middle]}, None),
            ({"content": content[middle:]}, None),
            ({}, reply.finish_reason),
        ):
            choice = {"index": 0, "delta": delta, "finish_reason": reason}
            chunk = {**_ENVELOPE, "object": "chat.completion.chunk", "choices": [choice]}
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def _hang(self, reply: Reply) -> None:
        stopping = self.server.owner.stopping
        if reply.drips:
            self._head(replace(reply, status=200), "application/json", {})
            while not stopping.wait(0.01):
                self.wfile.write(b" ")
        else:
            stopping.wait()

    def _head(self, reply: Reply, kind: str, headers: Mapping[str, str]) -> None:
        self.send_response(reply.status)
        for name, value in {"Content-Type": kind, **headers, **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()


_ENVELOPE = {"id": "chatcmpl-loopback", "created": 0, "model": "loopback"}


def _completion(reply: Reply) -> dict[str, Any]:
    message = {"role": "assistant", "content": reply.content, "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": reply.finish_reason}
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    return {**_ENVELOPE, "object": "chat.completion", "choices": [choice], "usage": usage}
