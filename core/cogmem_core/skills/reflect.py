"""Reflection: from traces of a conversation to long-term memories, one sentence each, in one call (seed 000).

A memory names the traces it draws on; one that names others, or says what they do not, is dropped. Traces that no
usable memory draws on are left to the twin, which keeps the sentences of each topic that say most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from cogmem_core.models import ObservationNote, Priority
from cogmem_core.skills.digest_notes import densest, emphasised, unsound, voice
from cogmem_core.skills.run import Message, Skill, ask
from cogmem_core.text.grouping import group_topics, topic_of
from cogmem_core.text.rewrite.third_person import third_person

__all__ = ["Policy", "ReflectAnswer", "ReflectInput", "Reflected", "reflecting"]

Policy = Literal["newer", "both", "surer"]
_TASK = """\
Turn the traces of a conversation into long-term memories. A trace condenses what was said about one thing; \
`confidence` tells how sure the speakers seemed, `said` when they spoke last, `about` which day it is about.

Each memory:
- text: one fact or a few that belong together, one sentence that stands alone, in the language of the traces and in \
the third person. Keep names, numbers, dates, negations and doubts. Join what several traces say of the same thing. \
Add nothing.
- priority: critical (deadlines, security, errors, health), important (decisions, corrections, preferences, plans) or \
informational.
- traces: the ids of the traces it draws on.

Leave out what nobody will ask for. Draw on every trace at least once. All memories together should have at most \
{characters} characters."""
_CONFLICT: dict[Policy, str] = {
    "newer": "Where traces contradict each other, the newer one is right: tell only what it says.",
    "both": "Where traces contradict each other, keep both, in a memory each, and say in both that they differ.",
    "surer": "Where traces contradict each other and their confidence differs by more than {gap}, tell only what the "
    "surer one says; else keep both, in a memory each.",
}
_SHARE = 10  # the twin aims at a tenth of the conversation, between seed 000's 5 and 40
_LEAST, _MOST = 2, 6  # traces per topic
_FLOOD = 4  # memories per trace; a model that writes more is not reflecting
_SENTENCES = 3  # per trace
_SHORTEST_ROOM = 300  # characters


@dataclass(frozen=True, slots=True)
class ReflectInput:
    """Traces to reflect on, oldest first.

    Attributes:
        overlap: share of common entities or words from which on traces are about the same thing, 0..1.
        traits: high traits (keys of `compress.EMPHASIS`).
        policy: what a contradiction comes to; gap: the difference of confidence that decides it under `surer`.
    """

    traces: tuple[ObservationNote, ...]
    overlap: float
    traits: tuple[str, ...] = ()
    policy: Policy = "surer"
    gap: float = 0.2


@dataclass(frozen=True, slots=True)
class Reflected:
    """One long-term memory to be: a sentence, how much it matters, the indices of its traces, and who wrote it."""

    text: str
    priority: Priority
    traces: tuple[int, ...]
    source: Literal["llm", "heuristic"]


class MemoryAnswer(BaseModel):
    """One memory as the model writes it."""

    model_config = ConfigDict(strict=True)

    text: str
    priority: Priority
    traces: list[str]


class ReflectAnswer(BaseModel):
    """The model's memories."""

    model_config = ConfigDict(strict=True)

    memories: list[MemoryAnswer]


def reflecting(
    fallback: Callable[[ReflectInput], tuple[Reflected, ...]] | None = None,
) -> Skill[ReflectInput, ReflectAnswer, tuple[Reflected, ...]]:
    """The step; without a twin of its own it keeps the densest sentences of each topic."""
    twin = fallback or (lambda given: _extracted(given, range(len(given.traces))))
    return Skill("reflect", _prompt, ReflectAnswer, _parse, twin)


def _prompt(given: ReflectInput) -> list[Message]:
    room = max(_SHORTEST_ROOM, sum(trace.characters for trace in given.traces) // _SHARE)
    task = f"{_TASK.format(characters=room)}\n{_CONFLICT[given.policy].format(gap=given.gap)}"
    traces = [_shown(trace, f"t{number}") for number, trace in enumerate(given.traces, start=1)]
    return ask(emphasised(task, given.traits), {"traces": traces})


def _shown(trace: ObservationNote, name: str) -> dict[str, Any]:
    return {
        "id": name,
        "speaker": None if trace.role == "system" else voice(trace),
        "said": trace.observed_at.date().isoformat(),
        "about": trace.referenced_at.date().isoformat() if trace.referenced_at else None,
        "confidence": trace.confidence,
        "priority": trace.priority,
        "text": trace.content,
    }


def _parse(answer: ReflectAnswer, given: ReflectInput) -> tuple[Reflected, ...]:
    if len(answer.memories) > _FLOOD * len(given.traces):
        raise ValueError(f"{len(answer.memories)} memories from {len(given.traces)} traces")
    index = {f"t{number}": number - 1 for number in range(1, len(given.traces) + 1)}
    written: dict[str, Reflected] = {}
    reason = "no memory was written"
    for item in answer.memories:
        text = " ".join(item.text.split())
        unknown = [name for name in item.traces if name not in index]
        drawn = tuple(sorted({index[name] for name in item.traces if name in index}))
        wrong = unknown or not drawn or unsound(text, [given.traces[i] for i in drawn], sentences=1)
        if wrong:
            reason = wrong if isinstance(wrong, str) else f"a memory names {len(unknown)} unknown traces, or none"
        else:
            written.setdefault(text.casefold(), Reflected(text, item.priority, drawn, "llm"))
    if given.traces and not written:
        raise ValueError(reason)
    used = {i for one in written.values() for i in one.traces}
    return (*written.values(), *_extracted(given, [i for i in range(len(given.traces)) if i not in used]))


def _extracted(given: ReflectInput, wanted: Sequence[int]) -> tuple[Reflected, ...]:
    """The densest sentences of each topic among these traces."""
    traces = [given.traces[i] for i in wanted]
    topics = [topic_of(trace.content, trace.entities) for trace in traces]
    kept: list[Reflected] = []
    for members in group_topics(topics, given.overlap, min_size=_LEAST, max_size=_MOST):
        quotes = densest([traces[i] for i in members], given.traits, share=_SHARE, most=_SENTENCES * len(members))
        for quote in quotes:
            index = members[quote.note]
            kept.append(Reflected(_alone(quote.text, traces[index]), quote.priority, (wanted[index],), "heuristic"))
    return tuple(kept)


def _alone(sentence: str, trace: ObservationNote) -> str:
    """The sentence in the third person, if one voice said it; else it says already whose it is."""
    return sentence if trace.role == "system" else third_person(sentence, voice(trace))
