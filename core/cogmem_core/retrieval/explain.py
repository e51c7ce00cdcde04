"""Why a result is where it is, in sentences."""

from __future__ import annotations

from collections.abc import Mapping

from cogmem_core.values.results import Recalled

_SMALLEST = 0.00005
"""What adds less is shown as 0.0000, and left out."""
_LISTS = {
    "vector": "by meaning",
    "lexical": "by words",
    "beside": "beside the one",
    "linked": "linked to the one",
    "entity": "by name",
}


def paragraph(rank: int, item: Recalled, weights: Mapping[str, float]) -> str:
    """A result: what found it, what each signal was, what it weighs and what it added."""
    confidence = f"confidence {item.confidence:.3f} ({item.tier})"
    lines = [
        f"{rank}. {item.content} [{item.memory.id}]",
        f"   score {item.score:.4f}, {confidence}, {reason(item)}",
        *signal_lines(item.signals, item.contributions, weights),
    ]
    return "\n".join(lines)


def signal_lines(
    signals: Mapping[str, float], contributions: Mapping[str, float], weights: Mapping[str, float]
) -> list[str]:
    """A line per signal and boost that added something, the largest contribution first.

    A boost is a factor without a weight. Where not the raw value of a signal is weighed but its
    value within the pool, the line shows both.
    """
    rows = []
    for name, contribution in sorted(contributions.items(), key=lambda pair: -pair[1]):
        if abs(contribution) >= _SMALLEST:
            value = _value(signals[name], contribution, weights.get(name))
            rows.append((name, value, contribution))
    width = max(8, *(len(value) for _, value, _ in rows), 0)
    lines = []
    for name, value, contribution in rows:
        weight = f"x {weights[name]:.3f}" if name in weights else "factor "
        lines.append(f"   {name:<13} {value:>{width}} {weight:>8} adds {contribution:+.4f}")
    return lines


def _value(raw: float, contribution: float, weight: float | None) -> str:
    """The raw value of a signal and, if it is another one, the value that was weighed."""
    raw_text = f"{raw:.3f}"
    weighed_text = f"{contribution / weight:.3f}" if weight else raw_text
    return raw_text if weighed_text == raw_text else f"{raw_text} as {weighed_text}"


def reason(item: Recalled) -> str:
    """In half a line: the lists that found it and the signal that carried it."""
    lists = [f"#{rank} {_LISTS.get(name, name)}" for name, rank in item.found_by.items()]
    strongest = max(item.contributions, key=lambda name: item.contributions[name], default="")
    return f"{' and '.join(lists) or 'found by filter'}; mostly {strongest}"
