"""Many users at once in a web service: one engine, one chain, one bank per user, and answers that are streamed.

The service is plain ASGI, what FastAPI is made of, and uvicorn serves it. Nothing in it waits on the disk in the event
loop, users cannot see each other's memories, and it shuts down without losing what was said last.
"""

# %%
import asyncio
import socket
import tempfile
from contextlib import asynccontextmanager

import httpx
import uvicorn
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from models import chat_model, run

import cogmem_core
from langchain_cogmem import CogMemCallbackHandler, CogMemRetriever

folder = tempfile.TemporaryDirectory()

# %% [markdown]
# ## What lives as long as the service
# The retriever finds out whose memories are meant from the metadata of each run.


# %%
@asynccontextmanager
async def opened(path):
    async with cogmem_core.open(path) as engine:
        retriever = CogMemRetriever(engine=engine, namespace=lambda metadata: metadata["user"], k=3)
        prompt = ChatPromptTemplate([("system", "What you know of the user:\n{notes}"), ("human", "{message}")])
        notes = (lambda inputs: inputs["message"]) | retriever | as_list
        chain = (
            {"notes": notes, "message": lambda inputs: inputs["message"]} | prompt | chat_model() | StrOutputParser()
        )
        yield engine, chain.with_config(callbacks=[CogMemCallbackHandler(engine)])
        await engine.aflush()  # remember the last words and learn from the last answers before the engine closes


def as_list(documents):
    return "\n".join(f"- {document.page_content}" for document in documents)


# %% [markdown]
# ## An answer, piece by piece
# With FastAPI `opened` is the application's `lifespan`, and an endpoint returns
# `StreamingResponse(answer(engine, chain, user, message))`. The user comes from the session, never from the body.


# %%
async def answer(engine, chain, user, message):
    try:
        async for piece in chain.astream({"message": message}, {"metadata": {"user": user}}):
            yield piece
    finally:  # also for a reader who hangs up in the middle
        # After the recall: else the question would be its own memory. It is on disk when this returns.
        await engine.bank(user).aremember(message, wait=False)


class Application:
    """One POST: the message is the body, the answer is streamed."""

    async def __call__(self, scope, receive, send):
        if scope["type"] == "lifespan":
            async with opened(folder.name) as self.parts:
                await receive()
                await send({"type": "lifespan.startup.complete"})
                await receive()
            await send({"type": "lifespan.shutdown.complete"})
            return
        message, user = (await receive())["body"].decode(), dict(scope["headers"])[b"x-user"].decode()
        plain = [(b"content-type", b"text/plain; charset=utf-8")]
        await send({"type": "http.response.start", "status": 200, "headers": plain})
        async for piece in answer(*self.parts, user, message):
            await send({"type": "http.response.body", "body": piece.encode(), "more_body": True})
        await send({"type": "http.response.body", "body": b""})


@asynccontextmanager
async def served(application):
    with socket.create_server(("127.0.0.1", 0)) as door:
        server = uvicorn.Server(uvicorn.Config(application, log_level="warning", lifespan="on", ws="none"))
        serving = asyncio.create_task(server.serve(sockets=[door]))
        try:
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{door.getsockname()[1]}", timeout=60) as client:
                yield client
        finally:
            server.should_exit = True
            await serving


# %% [markdown]
# ## Thirty requests at once, of ten users
# Each user tells something, then all of them ask at the same time, three times. Another reader hangs up after the first
# word of the answer.

# %%
CITIES = ("Athens", "Bergen", "Cork", "Delft", "Essen", "Fez", "Ghent", "Haifa", "Izmir", "Jaffa")
USERS = {f"user-{city[0].lower()}": city for city in CITIES}
QUESTION = "In which city do I live?"


async def chat(client, user, message):
    async with client.stream("POST", "/chat", content=message, headers={"x-user": user}) as response:
        return [piece async for piece in response.aiter_text()]


async def main():
    application = Application()
    async with served(application) as client:
        await asyncio.gather(*(chat(client, user, f"I live in the city of {city}.") for user, city in USERS.items()))
        engine, _ = application.parts
        await asyncio.gather(*(engine.bank(user).afinish_pending() for user in USERS))  # only because they ask at once
        asking = [*USERS] * 3
        replies = await asyncio.gather(*(chat(client, user, QUESTION) for user in asking))
        story = {"content": "My daughter Ida goes to school in Piraeus.", "headers": {"x-user": "user-a"}}
        async with client.stream("POST", "/chat", **story) as response:
            await anext(response.aiter_text())
    return list(zip(asking, replies, strict=True))


replies = run(main())
print(f"Streamed: {replies[0][1]}")
right = [user for user, pieces in replies if USERS[user] in "".join(pieces)]
foreign = [user for user, pieces in replies for city in CITIES if city in "".join(pieces) and city != USERS[user]]
print(
    f"{len(replies)} requests of {len(USERS)} users: {len(right)} right answers, {len(foreign)} that know another user"
)
assert len(right) == len(replies) == 30
assert not foreign

# %% [markdown]
# ## After the shutdown
# What was said in the very last request is there, and each of the thirty answers was learnt from, in the right bank.

# %%
with cogmem_core.open(folder.name) as engine:
    for user in ("user-a", "user-b"):
        for memory in engine.bank(user).list():
            print(f"{user}, used {memory.used_count} times: {memory.content}")
    assert all(engine.bank(user).list()[0].used_count >= 3 for user in USERS)
    assert engine.bank("user-a").count() == 2
folder.cleanup()
