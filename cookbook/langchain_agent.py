"""An agent that remembers across threads, asks a person before it acts, and learns once the answer is there.

`CogMemMiddleware` recalls once per user turn, shows the memories to every model call of the turn, and lets them learn
from the final answer. It adds no messages: the thread and its checkpoints hold what was said, and nothing else.
"""

# %%
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware, SummarizationMiddleware
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from models import chat_model

import cogmem_core
from langchain_cogmem import CogMemMiddleware

# %% [markdown]
# ## One agent for every user
# Whose memories are meant is told by the context of each run. Booking a table needs a person's consent.


# %%
@tool
def book_table(restaurant: str, guests: int) -> str:
    """Book a table at a restaurant."""
    return f"a table for {guests} at {restaurant} is booked."


engine = cogmem_core.open()
agent = create_agent(
    chat_model(book=("book_table", {"restaurant": "Casa Verde", "guests": 2})),  # what the stand-in would call
    [book_table],
    system_prompt="You are a concierge. Use what you remember of the guest.",
    middleware=[
        CogMemMiddleware(engine=engine, namespace=lambda context: context["user"]),
        HumanInTheLoopMiddleware(interrupt_on={"book_table": True}),
        SummarizationMiddleware(chat_model(), trigger=("messages", 5), keep=("messages", 2)),
    ],
    checkpointer=InMemorySaver(),
    context_schema=dict,
)


def say(text, thread, user="ann"):
    config = {"configurable": {"thread_id": thread}}
    return agent.invoke({"messages": [("user", text)]}, config, context={"user": user})


# %% [markdown]
# ## Another thread knows it, another user does not

# %%
say("I am a vegetarian, and Casa Verde is my favourite restaurant.", "monday")
say("I always sleep badly in rooms above the street.", "monday")

QUESTION = "Which restaurant is my favourite?"
for user, thread in (("ann", "friday"), ("bob", "bob's first")):
    print(f"{user} asks: {QUESTION} {say(QUESTION, thread, user)['messages'][-1].text}")
engine.flush()
ann = engine.bank("ann")
[favourite] = [one for one in ann.list() if "Casa Verde" in one.content]
assert favourite.used_count == 1
assert engine.bank("bob").count() == 0

# %% [markdown]
# ## A person decides
# The run stops before the tool is called. What was recalled waits with it, in the checkpoint, as plain values: resumed
# hours later, or in another process, the run still knows its memories. Nothing is learnt before there is an answer.

# %%
stopped = say("Please book my favourite restaurant for two.", "saturday")
[request] = stopped["__interrupt__"][0].value["action_requests"]
print(f"The agent wants to call {request['name']} with {request['args']}.")
engine.flush()
before = {one.content: (one.used_count, one.ignored_streak) for one in ann.list()}

config = {"configurable": {"thread_id": "saturday"}}
done = agent.invoke(Command(resume={"decisions": [{"type": "approve"}]}), config, context={"user": "ann"})
print("Approved.", done["messages"][-1].text)

engine.flush()
for one in ann.list():
    print(f"{before.get(one.content, 'new')} -> {(one.used_count, one.ignored_streak)} (used, ignored): {one.content}")
assert ann.get(favourite.id).used_count == 2

# %% [markdown]
# ## What the thread holds
# The messages are those of the conversation. The memories were shown to the model, not written into the thread.

# %%
print("The thread:", ", ".join(message.type for message in done["messages"]))
assert not any("<memories>" in message.text for message in done["messages"])

# %% [markdown]
# ## A thread that grows
# The summariser puts a model's text in the place of what was said long ago, in the name of a person. It is nobody's
# word: it is not remembered. What Ann said was written down before the model was asked, with the thread as its session.

# %%
for told in ("My train to Porto leaves at nine.", "My hotel in Porto is the Miramar.", "My dog is called Rex."):
    grown = say(told, "journey")
assert grown["messages"][0].text.startswith("Here is a summary of the conversation")
engine.flush()
journey = [one for one in ann.list() if one.session_id == "journey"]
assert sorted(one.content.split()[1] for one in journey) == ["dog", "hotel", "train"]
engine.close()
