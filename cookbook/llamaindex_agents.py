"""Agents that remember: FunctionAgent, AgentWorkflow, tools, a context that is written down, LlamaIndex's own Memory.

`CogMemMemory` is the agent's memory: it recalls once per turn, shows what it recalled to every model call of the turn,
and learns from the final answer. Tool calls and their results are kept in the conversation, but not remembered.
"""

# %%
import json
import shutil
import tempfile
import warnings

from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent
from llama_index.core.memory import Memory
from llama_index.core.workflow import Context, JsonSerializer
from llamaindex_models import chat_model, run
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import StaticPool

import cogmem_core
from llamaindex_cogmem import CogMemMemory, CogMemMemoryBlock, CogMemToolSpec

warnings.filterwarnings("ignore", module="inspect|pydantic")  # LlamaIndex's workflows look at deprecated attributes
folder = tempfile.mkdtemp()
engine = cogmem_core.open(folder)
ann = engine.bank("ann")
ann.add("I am a vegetarian, and Casa Verde is my favourite restaurant.")
ann.add("I always sleep badly in rooms above the street.")


def book_table(restaurant: str, guests: int) -> str:
    """Book a table in a restaurant."""
    return f"a table for {guests} at {restaurant} is booked."


def judged():
    engine.flush()
    return [(memory.used_count, memory.ignored_streak) for memory in ann.list(limit=2)]


# %% [markdown]
# ## FunctionAgent
# One recall per turn, however many tools are called; the answer is what memories learn from.

# %%
agent = FunctionAgent(
    tools=[book_table], llm=chat_model(book=("book_table", {"restaurant": "Casa Verde", "guests": 2}))
)
memory = CogMemMemory.from_defaults(ann, session_id="dinner")


async def ask(agent, question, **more):
    return str(await agent.run(question, **more))


print("FunctionAgent:", run(ask(agent, "Which restaurant is my favourite?", memory=memory)))
print("With a tool:", run(ask(agent, "Please book my favourite restaurant for two.", memory=memory)))
print("The conversation:", [message.role.value for message in memory.get_all()])
print("(used, ignored in a row):", judged())
recalls = len(engine.log(op="recall"))
assert recalls == 2  # one per turn
assert judged()[0][0] == 2

# %% [markdown]
# ## AgentWorkflow
# Several agents share the memory; a handoff is no answer.

# %%
waiter = FunctionAgent(
    name="waiter",
    description="Knows about food",
    llm=chat_model(),
    can_handoff_to=[],
)
host = FunctionAgent(
    name="host",
    description="Welcomes the guests",
    llm=chat_model(vegetarian=("handoff", {"to_agent": "waiter", "reason": "it is about food"})),
    can_handoff_to=["waiter"],
)
workflow = AgentWorkflow(agents=[host, waiter], root_agent="host")
answer = run(ask(workflow, "Am I a vegetarian?", memory=CogMemMemory.from_defaults(ann)))
print("AgentWorkflow:", answer)
assert "vegetarian" in answer

# %% [markdown]
# ## Tools: the agent decides when to remember and when to look something up

# %%
tools = CogMemToolSpec(ann).to_tool_list()
deciding = FunctionAgent(
    tools=tools,
    llm=chat_model(
        keep=("remember", {"content": "Ann's birthday is on 4 May."}),
        birthday=("recall_memory", {"query": "When is Ann's birthday?"}),
    ),
)
print("Kept:", run(ask(deciding, "Please keep in mind that I was born on 4 May.")))
found = run(ask(deciding, "When is my birthday?"))
print("Looked up:", "4 May" in found)
assert "4 May" in found

# %% [markdown]
# ## A context that is written down
# The conversation is written as JSON, and where the bank is; not what it holds. It is found again when it is needed,
# here after the engine was closed and opened anew, as in another process.

# %%
context = Context(agent)
run(ask(agent, "My daughter is called Mia.", ctx=context, memory=CogMemMemory.from_defaults(ann)))
written = json.dumps(context.to_dict(serializer=JsonSerializer()))
engine.close()

engine = cogmem_core.open(folder)
ann = engine.bank("ann")
again = Context.from_dict(agent, json.loads(written), serializer=JsonSerializer())
print("After a restart:", run(ask(agent, "What is my daughter called?", ctx=again)))
assert "Casa Verde" not in written
engine.flush()
assert "My daughter is called Mia." in [memory.content for memory in ann.list()]

# %% [markdown]
# ## LlamaIndex's own Memory, with a block
# The block recalls, and takes in what `Memory` drops for want of room. What fits is not remembered: where that is
# wanted, `CogMemMemory` is the better choice.


# %%
async def blocks():
    block = CogMemMemoryBlock(ann, priority=1)
    database = create_async_engine("sqlite+aiosqlite://", poolclass=StaticPool)
    kept = Memory.from_defaults(token_limit=400, token_flush_size=50, memory_blocks=[block], async_engine=database)
    talking = FunctionAgent(llm=chat_model())
    answer = await ask(talking, "Which restaurant is my favourite?", memory=kept)
    await ask(talking, "My neighbour Paulo grows lemons on his roof.", memory=kept)
    before = ann.count()
    for _ in range(3):
        await ask(talking, "Well, " + "and so on, " * 40, memory=kept)
    engine.flush()
    await database.dispose()
    return answer, before, [memory.content for memory in ann.list()]


answer, before, contents = run(blocks())
print("With a block:", answer)
print("What no longer fitted:", contents[before])
assert contents[before] == "My neighbour Paulo grows lemons on his roof."
engine.close()
shutil.rmtree(folder)
