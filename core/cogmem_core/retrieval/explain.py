"""Why these results, in sentences."""

from __future__ import annotations

from collections.abc import Mapping

from cogmem_core.results import Recall, Recalled

__all__ = ["narrate", "parts_of", "reason"]

_LEAST = 0.00005
"""What adds less is shown as 0.0000, and left out."""
_LISTS = {
    "vector": "by meaning",
    "lexical": "by words",
    "beside": "beside the one",
    "linked": "linked to the one",
    "entity": "by name",
}


def narrate(recall: Recall) -> str:
    """One paragraph per result: what found it, what each signal was, what it weighs and what it added."""
    head = [f"query: {recall.query}", f"intent: {recall.intent}"]
    head += [f"searched as: {part}" for part in recall.parts if part != recall.query]
    head += [f"degraded: {trouble}" for trouble in recall.degraded]
    if not recall.results:
        head.append(f"no result: {recall.empty_reason}")
    paragraphs = [_paragraph(rank, item, recall) for rank, item in enumerate(recall.results, 1)]
    if recall.withheld:
        paragraphs.append(f"withheld, too unlikely to be relevant: {len(recall.withheld)}")
        paragraphs += [f"   {x.content} [{x.memory.id}] confidence {x.confidence:.3f}" for x in recall.withheld]
    return "\n".join([*head, *paragraphs])


def _paragraph(rank: int, item: Recalled, recall: Recall) -> str:
    lines = [
        f"{rank}. {item.content} [{item.memory.id}]",
        f"   score {item.score:.4f}, confidence {item.confidence:.3f} ({item.tier}), {reason(item)}",
        *parts_of(item.signals, item.contributions, recall.weights),
    ]
    return "\n".join(lines)


def parts_of(
    signals: Mapping[str, float], contributions: Mapping[str, float], weights: Mapping[str, float]
) -> list[str]:
    """A line per signal and boost that added something, what added most first; a boost is a factor without a weight.

    Where not the raw value of a signal is weighed but what the others of the pool make of it, both stand there.
    """
    told = [one for one in sorted(contributions.items(), key=lambda pair: -pair[1]) if abs(one[1]) >= _LEAST]
    values = [_value(signals[name], added, weights.get(name)) for name, added in told]
    width = max(8, *map(len, values), 0)
    lines = []
    for (name, added), value in zip(told, values, strict=True):
        weight = f"x {weights[name]:.3f}" if name in weights else "factor "
        lines.append(f"   {name:<13} {value:>{width}} {weight:>8} adds {added:+.4f}")
    return lines


def _value(raw: float, added: float, weight: float | None) -> str:
    """The raw value of a signal and, if it is another one, the value that was weighed."""
    shown = f"{raw:.3f}"
    weighed = f"{added / weight:.3f}" if weight else ""
    return f"{shown} as {weighed}" if weighed not in ("", shown) else shown


def reason(item: Recalled) -> str:
    """In half a line: the lists that found it and the signal that carried it."""
    found = " and ".join(f"#{rank} {_LISTS.get(name, name)}" for name, rank in item.found_by.items())
    strongest = max(item.contributions, key=lambda name: item.contributions[name], default="")
    return f"{found or 'found by filter'}; mostly {strongest}"
