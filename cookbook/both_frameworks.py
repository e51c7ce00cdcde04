"""One bank for a LangChain agent and a LlamaIndex engine: what is said to one is known to the other.

The bank knows neither framework. Both adapters write to it and recall from it, in one process or in several, and what
it learns from the answers of one helps the other. No memory is judged twice for one answer.
"""

# %%
import warnings

from langchain.agents import create_agent
from llama_index.core.chat_engine import ContextChatEngine
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.query_engine import RetrieverQueryEngine
from llamaindex_models import chat_model as engine_model
from models import chat_model as agent_model

import cogmem_core
from langchain_cogmem import CogMemMiddleware
from llamaindex_cogmem import CogMemInstrumentation, CogMemRetriever

warnings.filterwarnings("ignore", module="langchain|langgraph")
engine = cogmem_core.open()
ann = engine.bank("ann")

# %% [markdown]
# ## An agent of LangChain hears something

# %%
agent = create_agent(agent_model(), [], middleware=[CogMemMiddleware(bank=ann)])
for said in ("My boat is called Swallow and lies in the harbour of Sines.", "I get seasick in a north wind."):
    agent.invoke({"messages": [("user", said)]})
engine.flush()
print("Said to the agent:", [memory.content for memory in ann.list()])

# %% [markdown]
# ## An engine of LlamaIndex knows it
# `CogMemInstrumentation` follows LlamaIndex, the middleware looks after itself: installed together, they do not get in
# each other's way.

# %%
retriever = CogMemRetriever(ann, similarity_top_k=2)
with CogMemInstrumentation(engine) as feedback:
    query = RetrieverQueryEngine.from_args(retriever, llm=engine_model())
    print("Asked of the query engine:", query.query("In which harbour lies my boat?"))
    memory = ChatMemoryBuffer.from_defaults(token_limit=3_000)
    chat = ContextChatEngine.from_defaults(retriever, llm=engine_model(), memory=memory)
    print("Asked of the chat engine:", chat.chat("What is my boat called?"))
    answer = agent.invoke({"messages": [("user", "Where does my boat lie, in which harbour?")]})["messages"][-1]
    print("Asked of the agent:", answer.text)
engine.flush()

# %% [markdown]
# ## Three answers, three lessons
# Each answer taught once, whichever framework it came from.

# %%
boat, wind = ann.list(limit=2)
for memory in (boat, wind):
    print(f"used {memory.used_count}, ignored in a row {memory.ignored_streak}: {memory.content}")
assert (boat.used_count, wind.used_count) == (3, 0)
engine.close()
