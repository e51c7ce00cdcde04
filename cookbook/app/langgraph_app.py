"""A chat service of FastAPI and LangGraph: users, threads in a checkpointer, streaming, incognito, memory that learns.

COGMEM_APP_USERS=ann:secret python cookbook/app/langgraph_app.py
curl -N -u ann:secret localhost:8000/chat -H 'content-type: application/json' -d '{"text": "I live in Lisbon."}'
"""

import os
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from fastapi import FastAPI
from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from service import Message, service

import cogmem_core
from cogmem_core import Engine
from langchain_cogmem import CogMemMiddleware

PROMPT = "You are a friendly assistant. Use what you remember of the user."


def create_app(
    engine: Engine, model: BaseChatModel, passwords: Mapping[str, str], checkpointer: BaseCheckpointSaver
) -> FastAPI:
    """The service; a conversation is a thread of the checkpointer, what is worth keeping outlives it."""

    def agent(threads: BaseCheckpointSaver | None):
        memory = CogMemMiddleware(engine=engine, namespace=lambda context: context["user"], profile=True)
        return create_agent(
            model, [], system_prompt=PROMPT, middleware=[memory], checkpointer=threads, context_schema=dict
        )

    keeping, forgetting = agent(checkpointer), agent(None)  # incognito also leaves no thread

    async def answer(user: str, message: Message) -> AsyncIterator[str]:
        thread = {"thread_id": f"{user}/{message.thread}"}
        config = {"configurable": {"remember": False} if message.incognito else thread}
        pieces = (forgetting if message.incognito else keeping).astream(
            {"messages": [("user", message.text)]}, config, context={"user": user}, stream_mode="messages"
        )
        async for piece, _ in pieces:
            if isinstance(piece, AIMessageChunk):
                yield piece.text

    return service(engine, passwords, answer)


if __name__ == "__main__":
    import uvicorn

    sys.path.append(str(Path(__file__).parents[1]))
    from models import chat_model

    users = dict(pair.split(":", 1) for pair in os.environ["COGMEM_APP_USERS"].split(","))
    uvicorn.run(create_app(cogmem_core.open("chat-memory"), chat_model(), users, InMemorySaver()))
