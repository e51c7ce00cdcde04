"""A classic chain that remembers across conversations, and learns from its own answers.

`CogMemMemory` goes wherever a classic chain takes a memory. Before the model is asked, it puts what matters for the
question into the prompt, and remembers what the user said; afterwards the memories learn from the answer.
"""

# %%
import tempfile
import warnings

from langchain_classic.chains import ConversationChain, LLMChain
from langchain_core.prompts import ChatPromptTemplate
from models import chat_model

import cogmem_core
from langchain_cogmem import CogMemMemory

warnings.filterwarnings("ignore", message="The class .* was deprecated in LangChain")  # classic chains say so
folder = tempfile.TemporaryDirectory()  # an application has a folder of its own: "./brain"
model = chat_model()

# %% [markdown]
# ## Monday
# Ann talks. The default keys of a `ConversationChain` are those of `CogMemMemory`, so there is nothing to configure.

# %%
engine = cogmem_core.open(folder.name)
chat = ConversationChain(llm=model, memory=CogMemMemory(bank=engine.bank("ann"), session_id="monday"))
for said in (
    "My sister Lena lives in Oslo with her two cats.",
    "I am allergic to hazelnuts, so no praline for me.",
    "I work night shifts at the children's hospital.",
):
    chat.invoke({"input": said})
engine.close()

# %% [markdown]
# ## Friday
# Another process, another conversation: nothing of Monday is in the chain. What the question needs is in the bank.

# %%
engine = cogmem_core.open(folder.name)
ann = engine.bank("ann")
memory = CogMemMemory(bank=ann, session_id="friday")
chat = ConversationChain(llm=model, memory=memory)
answer = chat.invoke({"input": "In which city does my sister live?"})
print("The prompt held, best first:")
for found in memory.last_recall.results:
    print(" -", found.content)
print("The answer:", answer["response"])
assert "Oslo" in answer["response"]

# %% [markdown]
# ## A prompt of your own
# With other keys, they are named: the prompt's variable, and which input is the question.

# %%
prompt = ChatPromptTemplate([("system", "You help {name}. Be brief.\n{memories}"), ("human", "{question}")])
memory = CogMemMemory(bank=ann, memory_key="memories", input_key="question", session_id="friday")
chain = LLMChain(llm=model, prompt=prompt, memory=memory)
answer = chain.invoke({"name": "Ann", "question": "Am I allergic to hazelnuts?"})
print("The answer:", answer["text"])
assert "hazelnuts" in answer["text"]

# %% [markdown]
# ## What it learnt
# Each memory that stood in a prompt was judged by the answer: used or ignored. Used ones last longer and stand higher
# next time. The questions themselves became no memories.

# %%
memory.flush()  # memories learn in the background
learnt = {one.content: one for one in ann.list()}
for content, one in learnt.items():
    longer = one.stability / one.initial_stability
    print(f"used {one.used_count}, ignored in a row {one.ignored_streak}, lasts {longer:.1f} times as long: {content}")
assert len(learnt) == 3
assert all(one.used_count for content, one in learnt.items() if "Oslo" in content or "hazelnuts" in content)

engine.close()
folder.cleanup()
