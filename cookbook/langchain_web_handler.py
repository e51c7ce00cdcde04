"""Many users at once in a web service: one engine, one chain, one bank per user.

The handler has the shape of a FastAPI endpoint. Nothing in it waits on the disk in the event loop, users cannot see
each other's memories, and the service shuts down without losing what was said last.
"""

# %%
import asyncio
import tempfile
from contextlib import asynccontextmanager
from dataclasses import dataclass

from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from models import chat_model, run

import cogmem_core
from langchain_cogmem import CogMemCallbackHandler, CogMemRetriever

folder = tempfile.TemporaryDirectory()

# %% [markdown]
# ## The service
# The retriever finds out whose memories are meant from the metadata of each run. With FastAPI, `service` is the
# application's `lifespan`, and `chat` gets `@app.post("/chat")`; the user comes from the session, never from the body.


# %%
@dataclass
class Request:
    """What comes in; with FastAPI a model of pydantic."""

    user: str
    message: str


@asynccontextmanager
async def service(path):
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


async def chat(engine, chain, request):
    answer = await chain.ainvoke({"message": request.message}, {"metadata": {"user": request.user}})
    # After the answer: else the question would be its own memory. It is on disk when this returns.
    await engine.bank(request.user).aremember(request.message, wait=False)
    return {"user": request.user, "answer": answer}


# %% [markdown]
# ## Thirty requests at once, of ten users
# Each user tells something, then all of them ask at the same time, three times.

# %%
CITIES = ("Athens", "Bergen", "Cork", "Delft", "Essen", "Fez", "Ghent", "Haifa", "Izmir", "Jaffa")
USERS = {f"user-{city[0].lower()}": city for city in CITIES}
QUESTION = "In which city do I live?"


async def main():
    async with service(folder.name) as (engine, chain):
        await asyncio.gather(
            *(chat(engine, chain, Request(user, f"I live in the city of {city}.")) for user, city in USERS.items())
        )
        await asyncio.gather(*(engine.bank(user).afinish_pending() for user in USERS))  # only because they ask at once
        replies = await asyncio.gather(*(chat(engine, chain, Request(user, QUESTION)) for user in [*USERS] * 3))
        await chat(engine, chain, Request("user-a", "My daughter Ida goes to school in Piraeus."))
    return replies


replies = run(main())
right = [reply for reply in replies if USERS[reply["user"]] in reply["answer"]]
foreign = [reply for reply in replies for city in CITIES if city in reply["answer"] and city != USERS[reply["user"]]]
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
