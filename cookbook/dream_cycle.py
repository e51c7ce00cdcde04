"""What lies ahead of each memory, and a dream cycle that is rehearsed, run and taken back. The clock is moved.

Run it with `python cookbook/dream_cycle.py`: it needs no model, no network and no folder.
"""

from datetime import timedelta

import cogmem
from cogmem.testing import MANUAL, FrozenClock


def show(title: str, report: cogmem.ConsolidationReport) -> None:
    print(f"{title}: {len(report.changes)} changes")
    for change in report.changes:
        print(f"  {change.step}: {change.content} ({change.reason})")


def main() -> None:
    clock = FrozenClock()
    with cogmem.open(embedder="hashing", clock=clock, config=MANUAL) as engine:  # only the cycles asked for here
        bank = engine.bank("alice")
        bank.add("I am allergic to penicillin", category="fact", pinned=True)
        bank.add("I like my coffee black", category="preference")
        bank.add("We had dinner with Elif at the harbour", category="fact")
        bank.add("I fly to Rome on Friday", category="plan", valid_until=clock() + timedelta(days=4))

        for event in bank.forecast(days=180).events:  # what is pinned and what somebody prefers does not fade
            print(f"{event.when:%Y-%m-%d} {event.what}: {event.content} ({event.why})")

        clock.advance(days=180)
        show("a dry run", bank.consolidate(dry_run=True))
        cycle = bank.consolidate()
        show("the cycle", cycle)
        print("recalled:", [memory.content for memory in bank.list()])

        undone = bank.undo(cycle.run_id)
        print("brought back:", [bank.get(memory_id).content for memory_id in undone.restored])
        show("the next cycle", bank.consolidate())  # what a person brought back is left alone for 30 days
        print("on record:", [run.state for run in bank.runs()])
        print(bank.explain(undone.restored[0]))


if __name__ == "__main__":
    main()
