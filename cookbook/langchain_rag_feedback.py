"""Retrieval-augmented answers in LCEL: the memories learn which of them the answers were made of.

`CogMemRetriever` is the retriever, `CogMemCallbackHandler` listens. It sees which memories really stood in the prompt
of the model that answered, and judges each by the answer: used or ignored. The chain needs no line for that.
"""

# %%
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnablePassthrough
from models import chat_model

import cogmem_core
from langchain_cogmem import CogMemCallbackHandler, CogMemRetriever, cogmem_feedback

NOTES = (
    "Deploy only from the branch release, never from main.",
    "Before a deploy, the canteen screen shows the build's mascot.",
    "The deploy channel in the chat has a penguin as its picture.",
    "A deploy takes eleven minutes, of which nine are tests.",
    "Database migrations run before the deploy, with the flag --lock-timeout.",
    "Who breaks a deploy brings cake for the whole team.",
)

# %% [markdown]
# ## A chain like any other

# %%
engine = cogmem_core.open()
team = engine.bank("team")
for note in NOTES:
    team.add(note)

prompt = ChatPromptTemplate([("system", "Answer from these notes:\n{notes}"), ("human", "{question}")])


def as_list(documents):
    return "\n".join(f"- {document.page_content}" for document in documents)


retriever = CogMemRetriever(bank=team, k=4)
chain = {"notes": retriever | as_list, "question": RunnablePassthrough()} | prompt | chat_model() | StrOutputParser()

PROBE = "What should I know about our deploy?"
before = [document.page_content for document in retriever.invoke(PROBE, k=len(NOTES), floor=0)]  # all of them

# %% [markdown]
# ## Streaming, with the handler in the config
# `on_feedback` is told each judgement: whether it was used, and how much of the memory stands in the answer.

# %%
judged = []
handler = CogMemCallbackHandler(engine, on_feedback=judged.extend)
question = "With which flag do database migrations run?"
pieces = list(chain.stream(question, {"callbacks": [handler]}))
handler.flush()  # only because the next line prints what was learnt
print(f"{question} {''.join(pieces)} ({'streamed' if len(pieces) > 1 else 'in one piece'})")
for row in judged:
    print(f"  {row.signal:8}{row.ratio:4.0%}  {team.get(row.memory_id).content}")
assert NOTES[4] in [team.get(row.memory_id).content for row in judged if row.signal == "used"]

# %% [markdown]
# ## A week of questions, without passing callbacks
# Everything that runs inside the block is followed: chains, graphs, agents. `background=False` learns before the next
# line runs, which a script wants; an application leaves it to the engine's worker.

# %%
asked = ["From which branch do I deploy?", "Is there a branch that nobody may deploy?", "How do migrations run?"]
with cogmem_feedback(engine, background=False):
    for question in asked * 2:
        print(question, chain.invoke(question))

# %% [markdown]
# ## How the ranks moved
# The same question as before the week. What answers were made of came up; what was merely shown is
# unjudged, and stands behind it.

# %%
after = [document.page_content for document in retriever.invoke(PROBE, k=len(NOTES), floor=0)]
known = {memory.content: memory for memory in team.list()}
print("rank        used  ignored in a row  memory")
for rank, content in enumerate(after, 1):
    memory = known[content]
    print(f"{before.index(content) + 1} -> {rank}{memory.used_count:10}{memory.ignored_streak:18}  {content}")


def mean_rank(order, *, used):
    ranks = [place for place, content in enumerate(order, 1) if (known[content].used_count > 0) == used]
    return sum(ranks) / len(ranks)


print(f"mean rank of what was used: {mean_rank(before, used=True):.1f} -> {mean_rank(after, used=True):.1f}")
assert mean_rank(after, used=True) < mean_rank(before, used=True)
engine.close()
