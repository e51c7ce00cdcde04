"""Ways to do a task, mined from what was called when it was done; no model is asked. Pure.

Two runs of like tasks that succeeded in different sessions are laid side by side; the calls that
both have, in their order, are the steps. What was the same in both stays as it is; what differs, or
was named in the task, becomes the kind of value. What was only called where such tasks failed is to
be avoided.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from cogmem_core.text.tokens import tokens, words
from cogmem_core.values.models import TaskRun, ToolCall

_SHORTEST = 2  # steps
_LEAST_SHARED = 0.5  # of the longer run
_LONGEST = 60  # calls of a run that are compared
_MOST_AVOIDED = 5
_LITERAL = 60  # characters
_KINDS = (
    (re.compile(r"https?://\S+"), "url"),
    (re.compile(r"[^@\s]+@[^@\s]+\.\w+"), "e-mail address"),
    (re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\S+)?"), "date"),
    (re.compile(r"(?:[A-Za-z]:)?[\w.~-]*(?:[/\\][\w.~ -]+)+[/\\]?"), "path"),
    (re.compile(r"[+-]?\d+(?:[.,]\d+)*"), "number"),
)


class Mined(NamedTuple):
    """What two runs have in common.

    Attributes:
        trigger: the words that both tasks have.
        steps: what both called, in order.
        avoid: what was only called where such tasks failed.
        tools: the names of the tools that the steps need.
        run_ids: the runs it was mined from.
    """

    trigger: str
    steps: tuple[str, ...]
    avoid: tuple[str, ...]
    tools: tuple[str, ...]
    run_ids: tuple[str, ...]


def alike(first: str, second: str) -> bool:
    """Whether two tasks are of one kind, by their words: most words of the shorter one."""
    first_words = set(tokens(first))
    second_words = set(tokens(second))
    if not first_words or not second_words:
        return False
    return len(first_words & second_words) / min(len(first_words), len(second_words)) >= 0.6


def mine(run: TaskRun, earlier: Sequence[TaskRun]) -> Mined | None:
    """What a run that succeeded has in common with an earlier one of another session.

    Args:
        run: it succeeded.
        earlier: other runs, newest first.

    Returns:
        None if no earlier run of such a task succeeded, or they have too little in common.
    """
    related = [other for other in earlier if other.id != run.id and alike(run.task, other.task)]
    succeeded = [other for other in related if other.ok and other.session_id != run.session_id]
    best: tuple[list[tuple[int, int]], TaskRun] | None = None
    for other in succeeded:
        pairs = _common(run.calls[:_LONGEST], other.calls[:_LONGEST])
        if len(pairs) < max(_SHORTEST, _LEAST_SHARED * max(len(run.calls), len(other.calls))):
            continue
        if best is None or len(pairs) > len(best[0]):
            best = (pairs, other)
    if best is None:
        return None
    pairs, other = best
    tasks = f"{run.task} {other.task}".lower()
    steps = tuple(_step(run.calls[own], other.calls[place], tasks) for own, place in pairs)
    tools = tuple(dict.fromkeys(run.calls[own].tool for own, _ in pairs))
    worked = [run, *succeeded]
    failed = [other_run for other_run in related if other_run.ok is False]
    return Mined(
        _shared_words(run.task, other.task),
        steps,
        _avoided(failed, worked),
        tools,
        (run.id, other.id),
    )


def _common(first: Sequence[ToolCall], second: Sequence[ToolCall]) -> list[tuple[int, int]]:
    """The places of the longest sequence of calls that two runs share; calls that failed are none."""
    lengths = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, j in product(range(len(first) - 1, -1, -1), range(len(second) - 1, -1, -1)):
        if _same(first[i], second[j]):
            lengths[i][j] = lengths[i + 1][j + 1] + 1
        else:
            lengths[i][j] = max(lengths[i + 1][j], lengths[i][j + 1])
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < len(first) and j < len(second):
        if _same(first[i], second[j]):
            pairs.append((i, j))
            i += 1
            j += 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _same(first: ToolCall, second: ToolCall) -> bool:
    same_shape = first.tool == second.tool and first.arguments.keys() == second.arguments.keys()
    return same_shape and False not in (first.ok, second.ok)


def _step(call: ToolCall, other: ToolCall, tasks: str) -> str:
    """One step: the tool, and each argument as a literal or as the kind of its value."""
    parts: list[str] = []
    for name, value in call.arguments.items():
        same = value == other.arguments[name] and isinstance(value, (str, int, float))
        if same and len(str(value)) <= _LITERAL and str(value).lower() not in tasks:
            parts.append(f"{name}: {value!r}" if isinstance(value, str) else f"{name}: {value}")
        else:
            parts.append(f"{name}: <{_kind(value)}>")
    return f"{call.tool}({', '.join(parts)})"


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, Mapping):
        return "object"
    if isinstance(value, (list, tuple)):
        return "list"
    text = str(value).strip()
    return next((kind for pattern, kind in _KINDS if pattern.fullmatch(text)), "text")


def _avoided(failed: Sequence[TaskRun], worked: Sequence[TaskRun]) -> tuple[str, ...]:
    """Calls that stand in runs that failed and in none that succeeded."""
    good = {_plain(call) for run in worked for call in run.calls}
    bad: dict[str, None] = {}
    for run in failed:
        for call in run.calls:
            if _plain(call) not in good:
                bad[_step(call, call, run.task.lower())] = None
    return tuple(bad)[:_MOST_AVOIDED]


def _plain(call: ToolCall) -> str:
    return _step(call, call, "")


def _shared_words(first: str, second: str) -> str:
    """The words of the first task that the second one has, too: what the two are about."""
    other = {term for word in words(second) for term in (word.text, *tokens(word.text))}
    shared = [
        first[word.start : word.end]
        for word in words(first)
        if word.text in other or not other.isdisjoint(tokens(word.text))
    ]
    return " ".join(shared) or first
