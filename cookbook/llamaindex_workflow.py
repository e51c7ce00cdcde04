"""A workflow whose agents hand over to each other: whoever answers knows the user, and only the user's words are kept.

One `AgentWorkflow` serves every user. Each run is given the `CogMemMemory` of its user and conversation: it recalls
once for what the user said, shows that to every agent of the run, and learns from the final answer.
"""

# %%
import asyncio
import warnings

from llama_index.core.agent.workflow import AgentOutput, AgentWorkflow, FunctionAgent
from llama_index.core.workflow import Context, HumanResponseEvent, InputRequiredEvent
from llamaindex_models import chat_model, run

import cogmem_core
from llamaindex_cogmem import CogMemMemory

warnings.filterwarnings("ignore", module="inspect|pydantic")  # LlamaIndex's workflows look at deprecated attributes
engine = cogmem_core.open()
ann = engine.bank("ann")

# %% [markdown]
# ## Three agents
# The host hands over: questions about food to the waiter, bookings to the clerk. The clerk asks a person first.


# %%
def handoff(to_agent, reason):
    return "handoff", {"to_agent": to_agent, "reason": reason}


async def book_table(ctx: Context, restaurant: str, guests: int) -> str:
    """Book a table in a restaurant."""
    question = InputRequiredEvent(prefix=f"Book {restaurant} for {guests}?")
    said = await ctx.wait_for_event(HumanResponseEvent, waiter_event=question)
    return f"a table for {guests} at {restaurant} is {'booked' if said.response == 'yes' else 'not booked'}."


host = FunctionAgent(
    name="host",
    description="Welcomes the guests",
    llm=chat_model(eat=handoff("waiter", "it is about food"), book=handoff("clerk", "it is a booking")),
    can_handoff_to=["waiter", "clerk"],
)
waiter = FunctionAgent(name="waiter", description="Knows about food", llm=chat_model(), can_handoff_to=[])
clerk = FunctionAgent(
    name="clerk",
    description="Books tables",
    tools=[book_table],
    llm=chat_model(book=("book_table", {"restaurant": "Casa Verde", "guests": 2})),
    can_handoff_to=[],
)
workflow = AgentWorkflow(agents=[host, waiter, clerk], root_agent="host")


async def say(user, session, text, consent="no"):
    """The answer, and the agents that had a part in it."""
    memory = CogMemMemory.from_defaults(engine.bank(user), session_id=session)
    handler, agents = workflow.run(text, memory=memory), []
    async for event in handler.stream_events():
        if isinstance(event, InputRequiredEvent):
            print(f"{event.prefix} {consent}")
            handler.ctx.send_event(HumanResponseEvent(response=consent))
        elif isinstance(event, AgentOutput) and event.current_agent_name not in agents:
            agents.append(event.current_agent_name)
    return str(await handler), agents


# %% [markdown]
# ## Monday: told to the host
# On Friday, in another conversation, the waiter knows it. Bob asks at the same time, and gets nothing of Ann's.

# %%
TOLD = ("I am a vegetarian, and Casa Verde is my favourite restaurant.", "I always sleep badly above the street.")
for text in TOLD:
    run(say("ann", "monday", text))
engine.flush()

QUESTION = "What should I eat as a vegetarian?"


async def both():
    return await asyncio.gather(say("ann", "friday", QUESTION), say("bob", "bob's first", QUESTION))


for user, (answer, agents) in zip(("ann", "bob"), run(both()), strict=True):
    print(f"{user}, through {' and '.join(agents)}: {answer}")
engine.flush()
used = {memory.content: memory.used_count for memory in ann.list()}
assert used == {TOLD[0]: 1, TOLD[1]: 0}  # one judgement of the turn, by the waiter's answer; a handoff is no answer
assert engine.bank("bob").count() == 0

# %% [markdown]
# ## A person decides
# The run waits for an event while the clerk's tool asks. What was recalled for the user's words holds for all of it.

# %%
answer, agents = run(say("ann", "saturday", "Please book my favourite restaurant for two.", consent="yes"))
print(f"ann, through {' and '.join(agents)}: {answer}")
assert answer == "Done: a table for 2 at Casa Verde is booked."

# %% [markdown]
# ## What is kept
# Reasons of handoffs, results of tools and the agents' own words are in the conversations, but are no memories of Ann.

# %%
engine.flush()
for memory in ann.list():
    print(f"used {memory.used_count}: {memory.content}")
assert not any("handling" in memory.content or "booked" in memory.content for memory in ann.list())
engine.close()
