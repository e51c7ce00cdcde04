"""Chat engines that remember: what was said on Monday is known on Friday, and what answers are made of lasts longer.

`CogMemMemory` takes the place of `ChatMemoryBuffer` or `Memory` in any chat engine. It keeps the conversation as those
do, puts what was said in earlier conversations among the messages, and learns from the answers. Where the memories
are to be the context itself, `CogMemRetriever` is the retriever of a `ContextChatEngine` or of a
`CondensePlusContextChatEngine`, and `CogMemInstrumentation` learns from the answers.
"""

# %%
from llama_index.core.chat_engine import CondensePlusContextChatEngine, ContextChatEngine, SimpleChatEngine
from llama_index.core.memory import ChatMemoryBuffer
from llamaindex_models import chat_model

import cogmem_core
from llamaindex_cogmem import CogMemInstrumentation, CogMemMemory, CogMemRetriever

# %% [markdown]
# ## SimpleChatEngine, on Monday
# One memory object per conversation; the bank outlives them. Nothing else changes.

# %%
engine = cogmem_core.open()
ann = engine.bank("ann")

monday = SimpleChatEngine.from_defaults(llm=chat_model(), memory=CogMemMemory.from_defaults(ann, session_id="monday"))
for said in (
    "My sister Lena lives in Oslo with her two cats.",
    "I am allergic to hazelnuts, so no praline for me.",
    "I work night shifts at the children's hospital.",
):
    monday.chat(said)
engine.flush()  # only because the next lines are run at once: a conversation waits for nothing
print("Remembered:", [memory.content for memory in ann.list()])
assert ann.count() == 3

# %% [markdown]
# ## On Friday, streamed
# The question itself is no memory yet: what the user says is remembered after the answer.

# %%
memory = CogMemMemory.from_defaults(ann, session_id="friday")
friday = SimpleChatEngine.from_defaults(llm=chat_model(), memory=memory)
pieces = list(friday.stream_chat("In which city does my sister live?").response_gen)
print("The answer:", "".join(pieces), f"({'streamed' if len(pieces) > 1 else 'in one piece'})")
print("Recalled, best first:", [item.content for item in memory.last_recall.results])
assert memory.last_recall.results[0].content.startswith("My sister Lena")

# %% [markdown]
# ## What the answer taught
# Used in an answer: it lasts longer and ranks higher. Shown for nothing: it fades a little sooner.

# %%
memory.flush()
for one in ann.list(limit=3):
    print(
        f"used {one.used_count}, ignored in a row {one.ignored_streak}, lasts {one.stability:.1f} days: {one.content}"
    )
used = next(one for one in ann.list() if one.used_count)
assert used.content.startswith("My sister Lena")
assert used.stability == max(one.stability for one in ann.list())

# %% [markdown]
# ## ContextChatEngine: the memories are the context
# From here on every engine of the process is followed, with any number of conversations at once, until `uninstall()`.
# `with CogMemInstrumentation(engine):` does the same for a block.

# %%
feedback = CogMemInstrumentation(engine).install()
retriever = CogMemRetriever(ann, similarity_top_k=2)


def conversation():
    return ChatMemoryBuffer.from_defaults(token_limit=3_000)


context = ContextChatEngine.from_defaults(retriever, llm=chat_model(), memory=conversation())
print("In context:", context.chat("To what am I allergic, hazelnuts?"))

# %% [markdown]
# ## CondensePlusContextChatEngine: the question is rewritten first
# What the model says while it rewrites the question is no answer, and teaches nothing.

# %%
condensing = CondensePlusContextChatEngine.from_defaults(retriever, llm=chat_model(), memory=conversation())
condensing.chat("At which hospital do I work?")
print("Condensed:", condensing.chat("And do I work night shifts?"))
feedback.uninstall()
feedback.flush()

learnt = {one.content: one.used_count for one in ann.list()}
print("Used by now:", [f"{count} x {content}" for content, count in learnt.items() if count])
assert learnt["I am allergic to hazelnuts, so no praline for me."] == 1
assert learnt["I work night shifts at the children's hospital."] == 2
engine.close()
