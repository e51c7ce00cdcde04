"""A LangGraph store on a memory bank: agents keep documents in it, and the bank recalls what they kept.

`CogMemStore` goes wherever LangGraph takes a store: `create_agent(store=...)`, `runtime.store` in tools and nodes, and
the memory tools of langmem. A checkpointer keeps a thread; the store keeps what outlives threads.
"""

# %%
import tempfile
import warnings

from langchain.agents import create_agent
from langchain.tools import ToolRuntime
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from models import chat_model

import cogmem_core
from langchain_cogmem import CogMemStore

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # langmem imports names that LangGraph has moved
    from langmem import create_manage_memory_tool, create_search_memory_tool

folder = tempfile.TemporaryDirectory()

# %% [markdown]
# ## A tool that writes to the store
# `fields` tells which parts of a value are searched by meaning: "text" is ours, "content" is langmem's. The whole value
# comes back as it was put.


# %%
@tool
def save_plant(name: str, place: str, runtime: ToolRuntime) -> str:
    """Save where in the garden a plant stands."""
    runtime.store.put(("garden", "plants"), name, {"text": f"The {name} stands {place}.", "place": place})
    return f"{name} is on the list."


engine = cogmem_core.open(folder.name)
store = CogMemStore(bank=engine.bank("ann"), fields=["text", "content"])
agent = create_agent(
    chat_model(fig=("save_plant", {"name": "fig tree", "place": "by the south wall"})),  # what the stand-in would call
    [save_plant],
    system_prompt="You keep the list of the plants in the garden.",
    store=store,
    checkpointer=InMemorySaver(),
)
config = {"configurable": {"thread_id": "spring"}}
answer = agent.invoke({"messages": [("user", "I planted a fig tree by the south wall.")]}, config)
print("The agent:", answer["messages"][-1].text)
item = store.get(("garden", "plants"), "fig tree")
print("In the store:", item.value)
assert "south wall" in item.value["place"]

# %% [markdown]
# ## The tools of langmem, on the same store
# An agent gets them like any other tool; here they are called as an agent would.

# %%
manage = create_manage_memory_tool(namespace=("garden", "diary"), store=store)
search = create_search_memory_tool(namespace=("garden", "diary"), store=store)
manage.invoke({"content": "The hedgehog under the shed woke up in March.", "action": "create"})
manage.invoke({"content": "The well ran dry in August.", "action": "create"})
found = store.search(("garden", "diary"), query="Which animal lives under the shed?")
print("langmem kept, best first:", [item.value["content"] for item in found])
assert "hedgehog" in search.invoke({"query": "Which animal lives under the shed?"})

# %% [markdown]
# ## After a restart, and through the bank
# Items are on disk when `put` returns. Their texts are memories, too: whatever recalls from the bank finds them.

# %%
engine.close()
engine = cogmem_core.open(folder.name)
ann = engine.bank("ann")
store = CogMemStore(bank=ann, fields=["text", "content"])
print("Namespaces after a restart:", sorted(store.list_namespaces(prefix=("garden",))))
for question in ("Where does the fig tree stand?", "What happened to the well?"):
    print(question, ann.recall(question, k=1).results[0].content)
assert ann.recall("What happened to the well?", k=1).results[0].content == "The well ran dry in August."

store.delete(("garden", "plants"), "fig tree")
left = [memory.content for memory in ann.list()]
print("After the fig tree was deleted:", left)
assert not any("fig" in content for content in left)

engine.close()
folder.cleanup()
