"""What is due comes up by itself, once: in an agent of LangChain or a chat engine of LlamaIndex, whichever asks first.

Ann wants to be reminded of a call at a moment, and of the keys when Anna calls. Both frameworks read one bank.
"""

# %%
import warnings
from datetime import timedelta

from langchain.agents import create_agent
from llama_index.core.chat_engine import SimpleChatEngine
from llamaindex_models import chat_model as engine_model
from models import chat_model as agent_model

import cogmem_core
from cogmem_core.testing import FrozenClock
from langchain_cogmem import CogMemMiddleware
from llamaindex_cogmem import CogMemMemory

warnings.filterwarnings("ignore", module="langchain|langgraph")
clock = FrozenClock()
engine = cogmem_core.open(clock=clock)
ann = engine.bank("ann")
agent = create_agent(agent_model(), [], middleware=[CogMemMiddleware(bank=ann)])
chat = SimpleChatEngine.from_defaults(llm=engine_model(), memory=CogMemMemory.from_defaults(ann, session_id="evening"))


def ask_agent(text):
    return agent.invoke({"messages": [("user", text)]})["messages"][-1].text


# %% [markdown]
# ## Two triggers: a moment, and something that is said

# %%
ann.intend("Call the bank about the loan", at=clock() + timedelta(hours=1))
ann.intend("Give the keys of the boat back", when="Anna calls")
print("An hour too early:", ask_agent("Is there anything about the loan?"))

# %% [markdown]
# ## The moment comes, and the agent of LangChain is told
# Whoever is told first has it: the chat engine of LlamaIndex is not told again.

# %%
clock.advance(hours=1, minutes=5)
print("LangChain, when it is due:", ask_agent("Is there anything about the loan?"))
print("LlamaIndex, afterwards:", chat.chat("Is there anything about the loan?"))

# %% [markdown]
# ## Something happens, and the chat engine of LlamaIndex is told

# %%
print("LlamaIndex, when Anna calls:", chat.chat("Anna just called. What about the keys?"))
assert ann.due("Anna just called.") == ()

# %% [markdown]
# ## What became of it
# Nothing is done by itself: what was told stays on the list until somebody settles it.

# %%
for intention in ann.intentions("fired"):
    ann.settle(intention.id, "done")
print([(intention.text, intention.state) for intention in ann.intentions()])
assert {intention.state for intention in ann.intentions()} == {"done"}
engine.close()
