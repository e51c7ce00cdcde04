"""How a task is done, learnt from an agent of LangChain, tried on half of the sessions, and shown to one of LlamaIndex.

Two refunds succeed, by the same tools in the same order: that makes a candidate. What it changes is measured. Once it
surely helps, every agent that reads this bank is shown it, whatever framework it is built with.
"""

# %%
import warnings

from langchain.agents import create_agent
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms import ChatMessage
from llamaindex_models import chat_model as engine_model
from llamaindex_models import run
from models import chat_model as agent_model

import cogmem_core
from langchain_cogmem import CogMemMiddleware, cogmem_feedback
from llamaindex_cogmem import CogMemInstrumentation, CogMemMemory

warnings.filterwarnings("ignore", module="inspect|pydantic|langchain|langgraph")
engine = cogmem_core.open()
desk = engine.bank("desk")


def find_order(name: str) -> str:
    """Find the order of a customer."""
    return f"the order of {name}"


def issue_refund(amount: int) -> str:
    """Pay money back."""
    return f"{amount} euros were paid back."


def refund(name):  # what the stand-in for a model would call
    return [("find_order", {"name": name}), ("issue_refund", {"amount": 12})]


# %% [markdown]
# ## An agent of LangChain does it twice
# The callbacks note which tools were called; no code of yours tells it.

# %%
agent = create_agent(
    agent_model(ames=refund("Ames"), bell=refund("Bell")),
    [tool(find_order), tool(issue_refund)],
    middleware=[CogMemMiddleware(bank=desk)],
    checkpointer=InMemorySaver(),
)
with cogmem_feedback(engine):
    for name in ("Ames", "Bell"):
        asked = {"messages": [("user", f"Please refund the order of {name}")]}
        agent.invoke(asked, {"configurable": {"thread_id": name}})
engine.flush()
(procedure,) = desk.procedures()
print(f"{procedure.state}: {procedure.trigger}: {' > '.join(procedure.steps)}")

# %% [markdown]
# ## Does it help?
# Half of the sessions see it. Here tasks fail without it, so after some of them it is sure enough.

# %%
for number in range(60):
    session, task = f"session {number}", "Please refund the order of Cole"
    sees = bool(desk.recall(task, session_id=session).procedures)
    calls = [{"tool": name, "arguments": arguments} for name, arguments in refund("Cole")]
    desk.observe_run(task, calls if sees else calls[1:], session_id=session, ok=sees)
(procedure,) = desk.procedures()
done = procedure.outcomes
with_it, without = done.shown_ok / done.shown, done.hidden_ok / done.hidden
print(f"{procedure.state}: {with_it:.0%} of tasks were done with it, {without:.0%} without")

# %% [markdown]
# ## An agent of LlamaIndex is shown it
# At the start of the task, as data; what it does is measured in turn.

# %%
memory = CogMemMemory.from_defaults(desk, session_id="friday")
clerk = FunctionAgent(tools=[find_order, issue_refund], llm=engine_model(dorn=refund("Dorn")))


async def ask(text):
    return str(await clerk.run(text, memory=memory))


with CogMemInstrumentation(engine):
    print("The agent:", run(ask("Please refund the order of Dorn")))
engine.flush()
reading = CogMemMemory.from_defaults(desk, session_id="saturday")
reading.put(ChatMessage("Please refund the order of Ewing"))
for line in str(reading.get()[0].content).splitlines():
    if "find_order" in line:
        print("What a model reads:", line)
assert desk.procedures()[0].state == "active"
engine.close()
