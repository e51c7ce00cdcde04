"""Moving in: from LangChain's own memories and from mem0, with dates, users and ids kept.

A bank takes two kinds of things. `remember` takes turns as they were said, looks at them, and leaves small talk out.
`add` takes what another memory had distilled already, as it is. Both take the date at which it was said.
"""

# %%
import warnings
from datetime import datetime, timedelta, timezone

from langchain_classic.memory import ConversationBufferMemory, VectorStoreRetrieverMemory
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.vectorstores import InMemoryVectorStore

import cogmem_core
from langchain_cogmem import turns_of

warnings.filterwarnings("ignore", message="(The class .*|Please see the migration guide.*)")
engine = cogmem_core.open(embedder="hashing")  # the default embedder understands more, and takes a moment longer

# %% [markdown]
# ## From ConversationBufferMemory
# It has no dates, but its order. Tell when the conversation began, and the turns keep their order in time, a minute
# apart.

# %%
old = ConversationBufferMemory(return_messages=True)
old.save_context({"input": "Hello!"}, {"output": "Hello, how can I help?"})
old.save_context({"input": "I live in Berlin, in the Torstrasse."}, {"output": "Noted."})
old.save_context({"input": "My landlord is called Mister Falk."}, {"output": "Good to know."})

ann = engine.bank("ann")
began = datetime(2025, 3, 1, 9, tzinfo=timezone.utc)
turns = turns_of(old.chat_memory.messages, began=began, session_id="buffer")
ann.remember(turns)
print(f"ConversationBufferMemory: {len(turns)} messages, {ann.count()} of them worth remembering")
assert [memory.content for memory in ann.list()] == [turns[2].content, turns[4].content]

# %% [markdown]
# ## From VectorStoreRetrieverMemory
# Its documents are exchanges, "input: ...\noutput: ...". What the user said in them is taken.

# %%
documents = InMemoryVectorStore(DeterministicFakeEmbedding(size=32))
older = VectorStoreRetrieverMemory(retriever=documents.as_retriever())
older.save_context({"input": "My daughter Mia plays the cello."}, {"output": "How lovely."})
for number, kept in enumerate(documents.store.values()):
    said = kept["text"].removeprefix("input: ").split("\noutput: ")[0]
    ann.remember(said, at=began - timedelta(days=30), session_id="vectors", ref=f"document-{number}")
print("VectorStoreRetrieverMemory:", ann.recall("Which instrument does Mia play?", k=1).results[0].content)

# %% [markdown]
# ## From mem0
# `Memory.get_all()` and the export give a list like this. Each user gets a bank. The date decides what is old and what
# is new; mem0's own id comes back as `ref`.

# %%
EXPORT = [
    {"id": "m-1", "memory": "Lives in Lisbon", "user_id": "bob", "created_at": "2024-05-02T10:00:00+00:00"},
    {"id": "m-2", "memory": "Is allergic to cats", "user_id": "bob", "created_at": "2025-01-15T18:30:00-07:00"},
    {
        "id": "m-3",
        "memory": "Learns Finnish",
        "user_id": "eve",
        "created_at": "2025-06-30T08:00:00Z",
        "metadata": {"a": 1},
    },
]
for row in EXPORT:
    at = datetime.fromisoformat(row["created_at"].replace("Z", "+00:00"))  # Python 3.10 does not know Z
    bank = engine.bank(row["user_id"])
    bank.add(row["memory"], at=at, ref=row["id"], metadata=row.get("metadata") or {})

for user in ("bob", "eve"):
    for memory in engine.bank(user).list():
        print(f"mem0: {user}, {memory.recorded_at:%d %B %Y}, {memory.refs[0]}: {memory.content}")
assert engine.bank("bob").recall("cats", k=1).results[0].refs == ("m-2",)

# %% [markdown]
# ## Dates count
# What was true when is known from the dates that came along.

# %%
ann.remember("I live in Porto now.", at=datetime(2026, 2, 1, tzinfo=timezone.utc))
then = datetime(2025, 6, 1, tzinfo=timezone.utc)
print("Where does Ann live? Today:", ann.recall("Where do I live?", k=1).results[0].content)
print("And in June 2025:", ann.recall("Where do I live?", k=1, as_of=then).results[0].content)
engine.close()
