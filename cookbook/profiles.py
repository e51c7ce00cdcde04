"""A profile of a person in an agent of LangChain's and in a chat engine of LlamaIndex's, as a model of one's own.

langmem keeps such a profile as a document: `create_memory_manager(model, schemas=[Profile])` asks a language model
after each conversation, and what it returned is stored. Here no model is asked. The fields are looked up in what is
known, when they are needed: they change with it, and each line says where it comes from.
"""

# %%
from langchain.agents import create_agent
from llama_index.core.chat_engine import SimpleChatEngine
from llamaindex_models import chat_model as engine_model
from models import chat_model
from pydantic import BaseModel

import cogmem_core
from langchain_cogmem import CogMemMiddleware
from llamaindex_cogmem import CogMemMemory


class Profile(BaseModel):
    """What an assistant wants to know of whom it serves; what must be given may be unknown still."""

    home: str
    job: str | None = None
    shoe_size: int | None = None


engine = cogmem_core.open(embedder="hashing")  # the default embedder understands more, and takes a moment longer
maya = engine.bank("maya")
maya.remember("I live in Leipzig. I work as a product designer.")

# %% [markdown]
# ## An agent
# The model reads the fields that are known behind the system prompt, a line of JSON each.

# %%
agent = create_agent(chat_model(), [], middleware=[CogMemMiddleware(maya, profile=Profile)])
answer = agent.invoke({"messages": [("user", "Where is my home?")]})["messages"][-1].text
print("The agent:", answer)
assert "Leipzig" in answer

# %% [markdown]
# ## A chat engine, after a change
# What holds no more is told no more; the profile itself tells since when, and what was before.

# %%
maya.remember("I moved to Otley in May.")
memory = CogMemMemory.from_defaults(maya, profile=Profile)
chat = SimpleChatEngine.from_defaults(llm=engine_model(), memory=memory)
print("The chat engine:", chat.chat("Where is my home?"))
prompt = "\n".join(message.content for message in memory.get("Good morning!"))
print("Whatever is asked, the prompt holds:", [line for line in prompt.splitlines() if line.startswith("- {")])
(home,) = maya.profile().section("home")
print("Where it comes from:", maya.get(home.memory_ids[0]).content, "Before:", home.former[0].value)
assert home.value == "Otley"
engine.close()
