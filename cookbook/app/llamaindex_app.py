"""The same chat service with LlamaIndex: one chat engine a conversation, whose memory is cogmem's.

COGMEM_APP_USERS=ann:secret python cookbook/app/llamaindex_app.py
"""

import os
import sys
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from fastapi import FastAPI
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms import LLM
from service import Message, service

import cogmem_core
from cogmem_core import Engine
from llamaindex_cogmem import CogMemMemory

CONVERSATIONS = 1_000


def create_app(engine: Engine, llm: LLM, passwords: Mapping[str, str]) -> FastAPI:
    """The service; a conversation lives in this process, what is worth keeping outlives it."""
    conversations: OrderedDict[tuple[str, str], CogMemMemory] = OrderedDict()

    def memory_of(user: str, message: Message) -> CogMemMemory:
        if message.incognito:
            return CogMemMemory.from_defaults(engine.bank(user).incognito(), profile=True)
        key = (user, message.thread)
        if key not in conversations:
            bank = engine.bank(user)
            conversations[key] = CogMemMemory.from_defaults(bank, session_id=message.thread, profile=True)
        conversations.move_to_end(key)
        if len(conversations) > CONVERSATIONS:
            conversations.popitem(last=False)
        return conversations[key]

    async def answer(user: str, message: Message) -> AsyncIterator[str]:
        chat = SimpleChatEngine.from_defaults(llm=llm, memory=memory_of(user, message))
        streamed = await chat.astream_chat(message.text)
        async for piece in streamed.async_response_gen():
            yield piece

    return service(engine, passwords, answer)


if __name__ == "__main__":
    import uvicorn

    sys.path.append(str(Path(__file__).parents[1]))
    from llamaindex_models import chat_model

    users = dict(pair.split(":", 1) for pair in os.environ["COGMEM_APP_USERS"].split(","))
    uvicorn.run(create_app(cogmem_core.open("chat-memory"), chat_model(), users))
