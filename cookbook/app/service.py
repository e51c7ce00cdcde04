"""What both chat services share: who asks, what is known of them, and what they may change."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from html import escape
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Form, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, StreamingResponse
from fastapi.security import HTTPBasic, HTTPBasicCredentials
from pydantic import BaseModel, Field

from cogmem_core import Engine, MemoryBank
from cogmem_core.errors import InvalidInput, NotFound

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>What I know of you</title>
<style>body {{ max-width: 42rem; margin: 2rem auto; font: 1rem/1.5 system-ui; padding: 0 1rem }} small {{ opacity: .7 }}
li {{ margin: .4rem 0 }} form {{ display: inline }}</style>
<h1>What I know of you</h1>
{sections}
</html>"""


class Message(BaseModel):
    """What somebody says.

    Attributes:
        text: the words.
        thread: the conversation; each user has their own ones.
        incognito: it is answered from memory, and nothing of it is kept.
    """

    text: str = Field(min_length=1, max_length=20_000)
    thread: str = Field(default="chat", min_length=1, max_length=100)
    incognito: bool = False


Answer = Callable[[str, Message], AsyncIterator[str]]
"""Streams the answer to a user's message, piece by piece."""


def user_of(request: Request, given: Annotated[HTTPBasicCredentials, Depends(HTTPBasic())]) -> str:
    """Who asks; in earnest the session of your own login stands here. The name never comes from the body."""
    if request.app.state.passwords.get(given.username) != given.password:
        raise HTTPException(401, "unknown user or password", {"WWW-Authenticate": "Basic"})
    if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        raise HTTPException(403, "another site asks")
    return given.username


def bank_of(request: Request, user: Annotated[str, Depends(user_of)]) -> MemoryBank:
    """The memories of whoever asks: one namespace a user."""
    return request.app.state.engine.bank(user)


User = Annotated[str, Depends(user_of)]
Bank = Annotated[MemoryBank, Depends(bank_of)]
routes = APIRouter()


@routes.post("/chat")
async def chat(message: Message, user: User, request: Request) -> StreamingResponse:
    """Answer, piece by piece."""
    return StreamingResponse(request.app.state.answer(user, message), media_type="text/plain")


@routes.get("/profile", response_class=HTMLResponse)
async def profile(bank: Bank) -> str:
    """What is known: since when, what was before, and a button for what is not so."""
    sections = [
        f"<h2>{escape(name)}</h2><ul>{''.join(map(_row, lines))}</ul>"
        for name, lines in (await bank.aprofile()).by_section()
    ]
    return PAGE.format(sections="\n".join(sections) or "<p>Nothing yet.</p>")


def _row(line: Any) -> str:
    more = escape(str(line).removeprefix(line.text))
    button = f'<form method="post" action="/memories/{line.memory_ids[0]}"><button>not so</button></form>'
    return f"<li>{escape(line.text)} <small>{more}</small> {button}</li>"


@routes.post("/memories/{memory_id}")
async def change(memory_id: str, bank: Bank, content: Annotated[str, Form()] = "") -> RedirectResponse:
    """Correct a memory; without words, forget it."""
    try:
        await (bank.aedit(memory_id, content) if content else bank.aforget(memory_id))
    except NotFound as error:
        raise HTTPException(404, str(error)) from None
    except InvalidInput as error:
        raise HTTPException(422, str(error)) from None
    return RedirectResponse("/profile", 303)


@routes.get("/used")
async def used(bank: Bank) -> dict[str, int]:
    """What answers made use of, and how often: nobody had to press a thumb."""
    await bank.engine.aflush()  # judging the last answer takes a moment
    await bank.afinish_pending()  # an answer is judged behind the response
    return {memory.content: memory.used_count for memory in await bank.alist(limit=500) if memory.used_count}


def service(engine: Engine, passwords: Mapping[str, str], answer: Answer) -> FastAPI:
    """A chat service.

    Args:
        engine: one for the whole process; it is closed when the service shuts down.
        passwords: by user.
        answer: of the framework.
    """

    @asynccontextmanager
    async def opened(_: FastAPI) -> AsyncIterator[None]:
        async with engine:  # learns from the last answers before it closes
            yield

    app = FastAPI(title="A chat that remembers", lifespan=opened)
    app.state.engine = engine
    app.state.passwords = passwords
    app.state.answer = answer
    app.include_router(routes)
    return app
