"""Requests to a served bank, as the holders of different keys."""

from typing import Any

from starlette.testclient import TestClient

from cogmem_core import Engine
from cogmem_serve.keys import KeyRing

__all__ = ["Served", "token_in"]


class Served:
    """A served bank.

    Attributes:
        client: sends requests.
        engine: what is served.
        ring: its keys.
    """

    def __init__(self, client: TestClient, engine: Engine, ring: KeyRing) -> None:
        self.client = client
        self.engine = engine
        self.ring = ring

    def key(self, *scopes: str, namespaces: tuple[str, ...] = ("alice",)) -> dict[str, str]:
        """The header of somebody with these scopes."""
        _, secret = self.ring.add("test", scopes=scopes, namespaces=namespaces)
        return {"authorization": f"Bearer {secret}"}

    def principal(self, name: str, *, scopes: tuple[str, ...] | None = None) -> dict[str, str]:
        """The header of a principal of the engine, whose key is for all namespaces."""
        _, secret = self.ring.add("test", scopes=scopes, principal=name)
        return {"authorization": f"Bearer {secret}"}

    def send(
        self,
        verb: str,
        path: str,
        body: Any = None,
        *,
        key: dict[str, str] | None = None,
        headers: dict[str, str] | None = None,
    ) -> Any:
        """Send a request to `/v1`; as an administrator of alice's memories, if no key is given."""
        headers = {**(self.key("admin") if key is None else key), **(headers or {})}
        return self.client.request(verb, f"/v1{path}", json=body, headers=headers)

    def log_in(self, *scopes: str, namespaces: tuple[str, ...] = ("alice",)) -> None:
        """Begin a session on the pages."""
        self.log_in_with(self.key(*scopes, namespaces=namespaces))

    def log_in_with(self, key: dict[str, str]) -> None:
        """Begin a session of the holder of a key."""
        secret = key["authorization"].removeprefix("Bearer ")
        assert self.client.post("/login", data={"key": secret}).url.path == "/ui"

    def submit(self, path: str, page: str = "/ui/memories", **fields: str) -> Any:
        """Send a form with the token of a page."""
        fields["csrf"] = token_in(self.client.get(page).text)
        return self.until_done(self.client.post(path, data=fields))

    def until_done(self, answer: Any) -> Any:
        """What a page shows when the work that it follows is done."""
        while "data-events" in answer.text:
            answer = self.client.get(str(answer.url))
        return answer


def token_in(html: str) -> str:
    """The token that the forms of a page send back."""
    return html.partition('name="csrf" value="')[2].partition('"')[0]
