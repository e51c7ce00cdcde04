"""Two agents share a team's memory: what each may read, whose word it is, and what an ended grant takes back.

Ann's agent reads her private notes and writes into the team's; Ben's agent only sees the team's. What is derived from
a private note is shown to nobody who may not read the note.
"""

# %%
import cogmem_core
from cogmem_core import NotAllowed
from cogmem_core.testing import FrozenClock

engine = cogmem_core.open(clock=FrozenClock())
for person in ("ann", "ben"):
    engine.add_principal(person)
    engine.add_principal(f"{person}'s agent", kind="agent", owner=person)
    engine.grant(person, f"{person}/*", "admin")
    engine.grant(person, "team", "review")
    engine.grant(f"{person}'s agent", "team", "write")
reading = engine.grant("ann's agent", "ann/*", "read", reason="so that it can plan around her")

# %% [markdown]
# ## Each sees what its grants show
# An agent never has more than its owner, and a refusal says nothing of what is there.

# %%
engine.as_("ann").bank("ann/health").add("Ann has an operation on 12 May")
anns, bens = (engine.as_(f"{person}'s agent") for person in ("ann", "ben"))
print("Ann's agent reads:", [memory.content for memory in anns.bank("ann/health").list()])
try:
    bens.bank("ann/health").recall("operation")
except NotAllowed as refused:
    print("Ben's agent:", refused)

# %% [markdown]
# ## What is derived keeps the readers of its sources
# The reason stays private, the plan does not.

# %%
(operation,) = anns.bank("ann/health").list()
anns.bank("team").add("Ann is in hospital from 12 May on", support=[operation])
anns.bank("team").add("The review moves to 2 June")
for name in ("ann", "ben"):
    texts = [memory.content for memory in engine.as_(name).bank("team").list()]
    print(f"{name} finds in the team's memory: {texts}")

# %% [markdown]
# ## One agent's word
# Until somebody else stands for it, a prompt says whose word it is.

# %%
question = "When is the review?"
print(engine.as_("ben").bank("team").recall(question, floor=0).context().splitlines()[-2])
bens.bank("team").add("The review is on 2 June, says the calendar")
(review,) = (item for item in engine.as_("ben").bank("team").recall(question, floor=0) if "moves" in item.content)
engine.as_("ben").bank("team").hold(review.memory.id)
print(engine.bank("team").why_allowed("ben", review.memory.id).standing)

# %% [markdown]
# ## An ended grant takes back what was derived by it

# %%
engine.revoke(reading.id)
for entry in engine.access_log(limit=2):
    print(f"on record: {entry.act} {entry.namespaces}: {entry.reason}")
print("Left in the team's memory:", [memory.content for memory in engine.as_("ann").bank("team").list()])
assert engine.bank("ann/health").count() == 1
engine.close()
