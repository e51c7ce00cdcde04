"""Two agents share a team's memory: what each may read, whose word it is, and what an ended grant takes back.

Ann's agent, built with LangChain, reads her private notes and writes into the team's; Ben's agent, built with
LlamaIndex, only sees the team's. What is derived from a private note is shown to nobody who may not read the note.
"""

# %%
import warnings

from langchain.agents import create_agent
from llama_index.core.query_engine import RetrieverQueryEngine
from llamaindex_models import chat_model as engine_model
from models import chat_model as agent_model

import cogmem_core
from cogmem_core import NotAllowed
from cogmem_core.testing import FrozenClock
from langchain_cogmem import CogMemMiddleware
from llamaindex_cogmem import CogMemRetriever

warnings.filterwarnings("ignore", module="langchain|langgraph")
engine = cogmem_core.open(clock=FrozenClock())
for person in ("ann", "ben"):
    engine.add_principal(person)
    engine.add_principal(f"{person}'s agent", kind="agent", owner=person)
    engine.grant(person, f"{person}/*", "admin")
    engine.grant(person, "team", "review")
    engine.grant(f"{person}'s agent", "team", "write")
reading = engine.grant("ann's agent", "ann/*", "read", reason="so that it can plan around her")

# %% [markdown]
# ## Each sees what its grants show
# An agent never has more than its owner, and a refusal says nothing of what is there.

# %%
engine.as_("ann").bank("ann/health").add("Ann has an operation on 12 May")
anns, bens = (engine.as_(f"{person}'s agent") for person in ("ann", "ben"))
print("Ann's agent reads:", [memory.content for memory in anns.bank("ann/health").list()])
try:
    bens.bank("ann/health").recall("operation")
except NotAllowed as refused:
    print("Ben's agent:", refused)

# %% [markdown]
# ## What is derived keeps the readers of its sources
# The reason stays private, the plan does not. A handle's bank goes wherever a bank goes: here into the middleware of
# LangChain, which remembers what its agent is told.

# %%
(operation,) = anns.bank("ann/health").list()
anns.bank("team").add("Ann is in hospital from 12 May on", support=[operation])
agent = create_agent(agent_model(), [], middleware=[CogMemMiddleware(bank=anns.bank("team"))])
agent.invoke({"messages": [("user", "The review moves to 2 June")]})
engine.flush()
for name in ("ann", "ben"):
    texts = [memory.content for memory in engine.as_(name).bank("team").list()]
    print(f"{name} finds in the team's memory: {texts}")

# %% [markdown]
# ## One agent's word
# Ben's agent finds it, through the retriever of LlamaIndex. Until somebody else stands for it, a prompt says whose word
# it is.

# %%
question = "When is the review?"
reader = CogMemRetriever(bens.bank("team"), similarity_top_k=1)
query = RetrieverQueryEngine.from_args(reader, llm=engine_model())
print("Ben's agent answers:", query.query(question))
print(engine.as_("ben").bank("team").recall(question, floor=0).context().splitlines()[-2])
bens.bank("team").add("The review is on 2 June, says the calendar")
(review,) = (item for item in engine.as_("ben").bank("team").recall(question, floor=0) if "moves" in item.content)
engine.as_("ben").bank("team").hold(review.memory.id)
print(engine.bank("team").why_allowed("ben", review.memory.id).standing)

# %% [markdown]
# ## An ended grant takes back what was derived by it

# %%
engine.revoke(reading.id)
for entry in engine.access_log(limit=2):
    print(f"on record: {entry.act} {entry.namespaces}: {entry.reason}")
print("Left in the team's memory:", [memory.content for memory in engine.as_("ann").bank("team").list()])
assert engine.bank("ann/health").count() == 1
engine.close()
