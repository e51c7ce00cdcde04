"""What lies ahead of each memory, and a dream cycle that is rehearsed, run and taken back. The clock is moved.

Run it with `python cookbook/dream_cycle.py`: it needs no model, no network and no folder.
"""

# %%
from dataclasses import replace
from datetime import timedelta

import cogmem_core
from cogmem_core.config import ForgettingConfig
from cogmem_core.testing import MANUAL, FrozenClock


def show(title: str, report: cogmem_core.ConsolidationReport) -> None:
    print(f"{title}: {len(report.changes)} changes")
    for change in report.changes:
        print(f"  {change.step}: {change.content} ({change.reason})")


clock = FrozenClock()  # MANUAL: only the cycles asked for here
small = replace(MANUAL, consolidation=replace(MANUAL.consolidation, forgetting=ForgettingConfig(roomy=2)))
engine = cogmem_core.open(embedder="hashing", clock=clock, config=small)
bank = engine.bank("alice")
bank.add("I am allergic to penicillin", category="fact", pinned=True)
bank.add("I like my coffee black", category="preference")
bank.add("We had dinner with Elif at the harbour", category="fact")
bank.add("I fly to Rome on Friday", category="plan", valid_until=clock() + timedelta(days=4))

# %% [markdown]
# ## What lies ahead
# What is pinned and what somebody prefers does not fade. Forgetting makes room: here two memories have it, by default
# 2,000.

# %%
for event in bank.forecast(days=180).events:
    print(f"{event.when:%Y-%m-%d} {event.what}: {event.content} ({event.why})")

# %% [markdown]
# ## Half a year later
# A dry run tells what the cycle would do, and the cycle does it.

# %%
clock.advance(days=180)
show("a dry run", bank.consolidate(dry_run=True))
cycle = bank.consolidate()
show("the cycle", cycle)
print("recalled:", [memory.content for memory in bank.list()])
assert bank.count() == 2

# %% [markdown]
# ## Taken back
# What a person brought back is left alone for 30 days.

# %%
undone = bank.undo(cycle.run_id)
print("brought back:", [bank.get(memory_id).content for memory_id in undone.restored])
show("the next cycle", bank.consolidate())
assert bank.count() == 4
print("on record:", [run.state for run in bank.consolidation_runs()])
print(bank.explain(undone.restored[0]))
engine.close()
