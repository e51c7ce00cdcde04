"""Moving in: from LlamaIndex's own memories and from mem0, with dates, users and ids kept.

A bank takes two kinds of things. `remember` takes turns as they were said, looks at them, and leaves small talk out.
`add` takes what another memory had distilled already, as it is. Both take the date at which it was said.
"""

# %%
from datetime import datetime, timezone

from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms import ChatMessage
from llama_index.core.memory import ChatMemoryBuffer, Memory
from llamaindex_models import chat_model, run
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import StaticPool

import cogmem_core
from llamaindex_cogmem import CogMemMemory, turns_of

engine = cogmem_core.open(embedder="hashing")  # the default embedder understands more, and takes a moment longer
began = datetime(2025, 3, 1, 9, tzinfo=timezone.utc)

# %% [markdown]
# ## From ChatMemoryBuffer
# Its messages become turns; they have no dates, so tell when the conversation began. And the buffer itself can go on:
# it is what keeps the conversation in a `CogMemMemory`.

# %%
buffer = ChatMemoryBuffer.from_defaults(
    token_limit=3_000,
    chat_history=[
        ChatMessage("Hello!"),
        ChatMessage("Hello, how can I help?", role="assistant"),
        ChatMessage("I live in Berlin, in the Torstrasse."),
        ChatMessage("", role="assistant", additional_kwargs={"tool_calls": [{"name": "look_up"}]}),
        ChatMessage("a map", role="tool"),
        ChatMessage("Noted.", role="assistant"),
    ],
)
ann = engine.bank("ann")
ann.remember(turns_of(buffer.get_all(), began=began, session_id="buffer"))
print(f"ChatMemoryBuffer: {len(buffer.get_all())} messages, {ann.count()} of them worth remembering")
assert [memory.content for memory in ann.list()] == ["I live in Berlin, in the Torstrasse."]

memory = CogMemMemory.from_defaults(ann, primary_memory=buffer, session_id="buffer")
chat = SimpleChatEngine.from_defaults(llm=chat_model(), memory=memory)
print("It goes on:", chat.chat("In which city do I live?"))
assert len(memory.get_all()) == 8

# %% [markdown]
# ## From Memory
# It keeps its messages in a database, one conversation per `session_id`; those that no longer fitted are there, too.


# %%
async def everything_said():
    database = create_async_engine("sqlite+aiosqlite://", poolclass=StaticPool)
    old = Memory.from_defaults(session_id="cello", token_limit=3_000, async_engine=database)
    await old.aput(ChatMessage("My daughter Mia plays the cello."))
    await old.aput(ChatMessage("How lovely.", role="assistant"))
    messages = await old.aget_all()
    await database.dispose()
    return messages


ann.remember(turns_of(run(everything_said()), began=began, session_id="cello"))
print("Memory:", ann.recall("Which instrument does Mia play?", k=1).results[0].content)

# %% [markdown]
# ## From mem0
# `Memory.get_all()` and the export give a list like this. Each user gets a bank. The date decides what is old and what
# is new; mem0's own id comes back as `ref`.

# %%
EXPORT = [
    {"id": "m-1", "memory": "Lives in Lisbon", "user_id": "bob", "created_at": "2024-05-02T10:00:00+00:00"},
    {"id": "m-2", "memory": "Is allergic to cats", "user_id": "bob", "created_at": "2025-01-15T18:30:00-07:00"},
    {"id": "m-3", "memory": "Learns Finnish", "user_id": "eve", "created_at": "2025-06-30T08:00:00Z"},
]
for row in EXPORT:
    at = datetime.fromisoformat(row["created_at"].replace("Z", "+00:00"))  # Python 3.10 does not know Z
    engine.bank(row["user_id"]).add(row["memory"], at=at, ref=row["id"])

for user in ("bob", "eve"):
    for kept in engine.bank(user).list():
        print(f"mem0: {user}, {kept.recorded_at:%d %B %Y}, {kept.refs[0]}: {kept.content}")
chat = SimpleChatEngine.from_defaults(llm=chat_model(), memory=CogMemMemory.from_defaults(engine.bank("bob")))
answer = str(chat.chat("Am I allergic to anything?"))
print("In a chat engine:", answer)
assert "cats" in answer
engine.close()
