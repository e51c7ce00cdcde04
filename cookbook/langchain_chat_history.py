"""A chat whose history is a memory: messages verbatim in their conversation, what matters across conversations.

`CogMemChatMessageHistory` keeps the messages of a conversation in order, as `RunnableWithMessageHistory` wants them.
What is said in them is remembered as well, so that the next conversation knows it without the old messages.
"""

# %%
import warnings

from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from langchain_core.runnables.history import RunnableWithMessageHistory
from models import chat_model

import cogmem_core
from langchain_cogmem import CogMemChatMessageHistory

warnings.filterwarnings("ignore", message="RunnableWithMessageHistory is deprecated")  # but much used

# %% [markdown]
# ## The chat
# The history brings what was said in this conversation, the bank what is known from others.

# %%
engine = cogmem_core.open()
ann = engine.bank("ann")

prompt = ChatPromptTemplate(
    [("system", "You are a friendly assistant.\n{memories}"), MessagesPlaceholder("history"), ("human", "{input}")]
)
memories = RunnableLambda(lambda inputs: ann.recall(inputs["input"]).context())
chat = RunnableWithMessageHistory(
    RunnablePassthrough.assign(memories=memories) | prompt | chat_model(),
    lambda session_id: CogMemChatMessageHistory(ann, session_id=session_id, save_mode="user"),
    input_messages_key="input",
    history_messages_key="history",
)


def say(text, session):
    answer = chat.invoke({"input": text}, {"configurable": {"session_id": session}})
    engine.flush()  # memories are formed in the background: what is printed here must not depend on who is faster
    return answer.text


# %% [markdown]
# ## Two conversations

# %%
say("Our boat is called Swallow and lies in the harbour of Sines.", "monday")
print("On Monday:", say("What is our boat called?", "monday"))
print("On Friday:", say("In which harbour is our boat?", "friday"))

for session in ("monday", "friday"):
    messages = CogMemChatMessageHistory(ann, session_id=session).messages
    print(f"{session}: {len(messages)} messages, {', '.join(message.type for message in messages)}")
assert [message.type for message in messages] == ["human", "ai"]
assert "Sines" in messages[-1].text

# %% [markdown]
# ## Streaming
# The pieces of a streamed answer become one message of the history.

# %%
config = {"configurable": {"session_id": "friday"}}
pieces = [piece.text for piece in chat.stream({"input": "And what is the boat called?"}, config)]
last = CogMemChatMessageHistory(ann, session_id="friday").messages[-1]
print(f"Streamed, and kept as one message of type {last.type}: {last.text}")
assert last.text == "".join(pieces)

# %% [markdown]
# ## Clearing a conversation
# The messages go for good, what was learnt from them stays. To take that back, too, there is `bank.forget`.

# %%
CogMemChatMessageHistory(ann, session_id="monday").clear()
engine.flush()
print("Messages of Monday:", len(CogMemChatMessageHistory(ann, session_id="monday").messages))
print("Memories:", [memory.content for memory in ann.list()])
assert ann.count() == 1
engine.close()
