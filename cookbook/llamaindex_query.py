"""Query engines over memories, and over memories and documents together.

`CogMemRetriever` is a retriever like any other. `CogMemInstrumentation` sees which memories really stood in the prompt
of the model that answered, also when the answer is streamed long after the query, and judges each: used or ignored.
"""

# %%
from llama_index.core import Document, SimpleKeywordTableIndex
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import QueryFusionRetriever
from llamaindex_models import chat_model

import cogmem_core
from llamaindex_cogmem import CogMemInstrumentation, CogMemPostprocessor, CogMemRetriever

NOTES = (
    "Deploy only from the branch release, never from main.",
    "Database migrations run before the deploy, with the flag --lock-timeout.",
    "The deploy channel in the chat has a penguin as its picture.",
    "Who breaks a deploy brings cake for the whole team.",
)

# %% [markdown]
# ## Streaming, two answers at once
# A streamed answer is made while it is read. Here two are read at the same time, in reverse order, over the same notes:
# each memory learns from the answer to its own question.

# %%
engine = cogmem_core.open()
team = engine.bank("team")
for note in NOTES:
    team.add(note)

judged = []
feedback = CogMemInstrumentation(engine, on_feedback=judged.extend).install()
retriever = CogMemRetriever(team, similarity_top_k=4)
streaming = RetrieverQueryEngine.from_args(retriever, llm=chat_model(), streaming=True)

questions = ("With which flag do database migrations run?", "From which branch do I deploy?")
streams = {question: iter(streaming.query(question).response_gen) for question in questions}
answers = dict.fromkeys(questions, "")
while streams:
    for question in reversed(list(streams)):
        piece = next(streams[question], None)
        if piece is None:
            del streams[question]
        else:
            answers[question] += piece
feedback.flush()

for question, answer in answers.items():
    print(f"{question} {answer}")
    for row in judged:
        if row.query == question and row.signal == "used":
            print(f"  used, {row.ratio:.0%} of it: {team.get(row.memory_id).content}")
used = {row.query: team.get(row.memory_id).content for row in judged if row.signal == "used"}
assert used == {questions[0]: NOTES[1], questions[1]: NOTES[0]}

# %% [markdown]
# ## Documents and memories
# A fusion retriever asks an index of documents and a bank. What comes from the bank is judged by the answer, what comes
# from the index is left alone.

# %%
HANDBOOK = (
    "Handbook: a deploy takes eleven minutes, of which nine are tests.",
    "Handbook: after a deploy the status page turns green within a minute.",
)
index = SimpleKeywordTableIndex.from_documents([Document(text=text) for text in HANDBOOK], llm=chat_model())
hybrid = QueryFusionRetriever(
    [index.as_retriever(retriever_mode="simple"), retriever],
    mode="reciprocal_rerank",
    num_queries=1,  # more: the model writes variants of the question first
    similarity_top_k=3,
    use_async=False,
    llm=chat_model(),
)
both = RetrieverQueryEngine.from_args(hybrid, llm=chat_model())
response = both.query("How many minutes does a deploy take?")
print(response)
print("From:", ["memory" if "cogmem_id" in item.node.metadata else "document" for item in response.source_nodes])
assert "eleven minutes" in str(response)

# %% [markdown]
# ## Order by what proved useful
# `CogMemPostprocessor` joins the relevance of any nodes with the strength and the utility of the memories among them.
# After some answers, what was used stands above what was shown for nothing.

# %%
PROBE = "What should I know about our deploy?"
for _ in range(4):
    for question in questions:
        "".join(streaming.query(question).response_gen)
feedback.flush()
feedback.uninstall()

nodes = [*reversed(retriever.retrieve(PROBE)), *index.as_retriever().retrieve(PROBE)[:1]]
for item in nodes:
    item.score = 0.5  # as if the search could not tell them apart
ordered = CogMemPostprocessor(team).postprocess_nodes(nodes, query_str=PROBE)
known = {memory.content: memory for memory in team.list()}
print("used  utility  node")
for item in ordered:
    memory = known.get(item.text)
    told = f"{memory.used_count:4}{memory.utility:9.2f}" if memory else "   -        -"
    print(f"{told}  {item.text}")
places = {item.text: place for place, item in enumerate(ordered)}
assert max(places[NOTES[0]], places[NOTES[1]]) < min(places[NOTES[2]], places[NOTES[3]])
engine.close()
