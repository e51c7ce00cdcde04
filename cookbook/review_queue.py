"""A review queue under both frameworks: what contradicts waits for a person, and blocks nobody.

A LangChain agent hears that somebody moved. With `guard.review` the statement waits; a LlamaIndex query engine answers
as before, until a person approves.
"""

# %%
import warnings

from langchain.agents import create_agent
from llama_index.core.query_engine import RetrieverQueryEngine
from llamaindex_models import chat_model as engine_model
from models import chat_model as agent_model

import cogmem_core
from cogmem_core import Config
from cogmem_core.config import GuardConfig
from langchain_cogmem import CogMemMiddleware
from llamaindex_cogmem import CogMemRetriever

warnings.filterwarnings("ignore", module="langchain|langgraph")
engine = cogmem_core.open(config=Config(guard=GuardConfig(review=("contradicting", "untrusted"))))
ann = engine.bank("ann")
agent = create_agent(agent_model(), [], middleware=[CogMemMiddleware(bank=ann)])
query = RetrieverQueryEngine.from_args(CogMemRetriever(ann, similarity_top_k=1), llm=engine_model())

# %% [markdown]
# ## Two things are said, and the second one waits

# %%
for said in ("I live in Lisbon and I work at Acme.", "I live in Porto now."):
    agent.invoke({"messages": [("user", said)]})
engine.flush()
for review in ann.reviews():
    print(f"Waits ({review.kind}): {review.content}")
print("Asked meanwhile:", query.query("Where do I live?"))

# %% [markdown]
# ## A person decides
# What was approved takes the place of what it contradicts; of a compound the rest stays.

# %%
(review,) = ann.reviews()
print("Decided:", ann.approve(review.id).state)
print("Asked again:", query.query("Where do I live?"))
print("Known:", [memory.content for memory in ann.list()])
parts = [memory.text.partition("]") for memory in ann.list() if memory.clause_states]
print("Still holds:", [rest.strip() for _, _, rest in parts])
assert ann.reviews() == ()
