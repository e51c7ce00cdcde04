"""Does feedback help? The same eight days are lived three times, and the same questions measured each time.

An office has 48 notes on 12 topics. Of each topic one note is asked for every day. Measured are questions that nobody
ever asks: for the same notes in other words, and for other notes of the same topics, because what feedback lifts stands
in the way of something else. The "model" answers with the note that helps if it was shown, else it does not know.
"""

# %%
from dataclasses import replace

from matplotlib.figure import Figure
from models import data, show

import cogmem_core
from cogmem_core.testing import MANUAL, FrozenClock

TOPICS = data("office.json")
DAYS, STEP = 8, 2

# %% [markdown]
# ## Who says what was used
# A memory counts as used if the answer shows it: by what it quotes, by words that this memory alone adds, by nearness.
# Notes about one thing share the words for that thing, and the question's, and so does every answer about it; so these
# say little. `own_words=False` counts all words alike, and blames what was not used. An application that knows better
# what its answers are made of passes a `similarity_fn(memory, answer)`.

# %%
ALL_WORDS = replace(MANUAL, feedback=replace(MANUAL.feedback, own_words=False))


# %% [markdown]
# ## Eight days
# Quality is the mean reciprocal rank of the note that is needed: 1.0 = always first, 0.5 = second, 0 = not in ten.


# %%
def quality(bank, wanted):
    ranks = []
    for question, note in wanted:
        found = [result.content for result in bank.recall(question, k=10, floor=0).results]
        ranks.append(1 / (1 + found.index(note)) if note in found else 0.0)
    return sum(ranks) / len(ranks)


def live(config, told=True):
    clock, same, other = FrozenClock(), [], []
    with cogmem_core.open(embedder="hashing", config=config, clock=clock) as engine:
        bank = engine.bank("office")
        for topic in TOPICS:
            for note in (topic["helps"], *topic["others"]):
                bank.add(note)
        for day in range(DAYS + 1):
            if day % STEP == 0:
                same.append(quality(bank, [(topic["held_out"], topic["helps"]) for topic in TOPICS]))
                other.append(quality(bank, [(topic["rare"], topic["others"][-1]) for topic in TOPICS]))
            for topic in TOPICS:
                recall = bank.recall(topic["asked"][day % 2], k=4)
                shown = [result.content for result in recall.results]
                answer = f"Yes: {topic['helps']}" if topic["helps"] in shown else "I do not know."
                if told:
                    bank.feedback(recall, answer)
            clock.advance(days=1)
    return same, other


lived = {
    "no feedback": live(MANUAL, told=False),
    "feedback, all words alike": live(ALL_WORDS),
    "feedback": live(MANUAL),
}
for name, (same, other) in lived.items():
    print(f"{name}: other words {same[0]:.2f} -> {same[-1]:.2f}, other notes {other[0]:.2f} -> {other[-1]:.2f}")

never, alike, own = (same for same, _ in lived.values())
assert never[0] == never[-1]  # a recall alone teaches nothing
assert own[-1] > alike[-1] > never[-1]
assert all(other[-1] > other[0] - 0.05 for _, other in lived.values())  # what nobody asks for is found as before

# %%
figure = Figure(figsize=(6, 3.2), layout="constrained")
axes = figure.subplots()
for (name, (same, other)), colour in zip(lived.items(), ("grey", "tab:blue", "tab:green"), strict=True):
    axes.plot(range(0, DAYS + 1, STEP), same, color=colour, label=name)
    axes.plot(range(0, DAYS + 1, STEP), other, color=colour, linestyle=":")
axes.set(xlabel="days", ylabel="mean reciprocal rank", ylim=(0, 1.02))
axes.set_title("Solid: the same notes, in other words. Dotted: other notes.", fontsize="medium")
axes.legend(loc="lower right")
figure.savefig("watch_it_improve.png", dpi=80, metadata={"Software": None})
show("watch_it_improve.png")
