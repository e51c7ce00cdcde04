"""Why these results, in sentences."""

from __future__ import annotations

from cogmem.results import Recall, Recalled

__all__ = ["narrate", "reason"]


def narrate(recall: Recall) -> str:
    """One paragraph per result: what found it, what each signal was and added."""
    head = [f"query: {recall.query}"]
    head += [f"degraded: {trouble}" for trouble in recall.degraded]
    if not recall.results:
        return "\n".join([*head, f"no result: {recall.empty_reason}"])
    return "\n".join([*head, *(_paragraph(rank, item) for rank, item in enumerate(recall.results, 1))])


def _paragraph(rank: int, item: Recalled) -> str:
    parts = sorted(item.contributions.items(), key=lambda pair: -pair[1])
    lines = [f"{rank}. {item.content} [{item.memory.id}]", f"   score {item.score:.4f}, {reason(item)}"]
    lines += [f"   {name:<12} {item.signals[name]:>8.3f} adds {value:.4f}" for name, value in parts]
    return "\n".join(lines)


def reason(item: Recalled) -> str:
    """In half a line: the lists that found it and the signal that carried it."""
    lists = {"vector": "meaning", "lexical": "words"}
    found = " and ".join(f"#{rank} by {lists.get(name, name)}" for name, rank in item.found_by.items())
    strongest = max(item.contributions, key=lambda name: item.contributions[name], default="")
    return f"{found or 'found by filter'}; mostly {strongest}"
