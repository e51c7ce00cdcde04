"""Reflection: from traces of a conversation to long-term memories, one sentence each, in one call.

A memory names the traces it draws on; it is dropped if it names unknown traces or says what its
traces do not. Traces that no usable memory draws on are left to the heuristic, which keeps the
sentences of each topic that say most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

from pydantic import BaseModel

from cogmem_core.models import ObservationNote, Priority
from cogmem_core.skills.digest_notes import densest, emphasised, unsound, voice
from cogmem_core.skills.run import STRICT, Message, Skill, ask
from cogmem_core.text.grouping import group_topics, topic_of
from cogmem_core.text.rewrite.third_person import third_person

__all__ = ["Policy", "ReflectAnswer", "ReflectInput", "Reflected", "reflecting"]

Policy = Literal["newer", "both", "surer"]
_TASK = """\
Turn the traces of a conversation into long-term memories. A trace condenses what was said about \
one thing; `confidence` tells how sure the speakers seemed, `said` when they spoke last, `about` \
which day it is about.

Each memory:
- text: one fact or a few that belong together, one sentence that stands alone, in the language of \
the traces and in the third person. Keep names, numbers, dates, negations and doubts. Join what \
several traces say of the same thing. Add nothing.
- priority: critical (deadlines, security, errors, health), important (decisions, corrections, \
preferences, plans) or informational.
- traces: the ids of the traces it draws on.

Leave out what nobody will ask for. Draw on every trace at least once. All memories together \
should have at most {characters} characters."""
_CONFLICT: dict[Policy, str] = {
    "newer": "Where traces contradict each other, the newer one is right: tell only what it says.",
    "both": "Where traces contradict each other, keep both, in a memory each, and say in both that they differ.",
    "surer": "Where traces contradict each other and their confidence differs by more than {gap}, "
    "tell only what the surer one says; else keep both, in a memory each.",
}
_SHARE = 10  # the heuristic aims at a tenth of the conversation
_MIN_TRACES = 2  # per topic
_MAX_TRACES = 6  # per topic
_FLOOD = 4  # memories per trace; a model that writes more is not reflecting
_SENTENCES = 3  # per trace
_SHORTEST_ROOM = 300  # characters


@dataclass(frozen=True, slots=True)
class ReflectInput:
    """Traces to reflect on, oldest first.

    Attributes:
        traces: the traces.
        overlap: share of common entities or words from which on traces are about the same thing,
            0..1.
        traits: high traits (keys of `digest_notes.EMPHASIS`).
        policy: how a contradiction is resolved.
        gap: the difference of confidence that decides a contradiction under `surer`.
    """

    traces: tuple[ObservationNote, ...]
    overlap: float
    traits: tuple[str, ...] = ()
    policy: Policy = "surer"
    gap: float = 0.2


@dataclass(frozen=True, slots=True)
class Reflected:
    """One sentence for the long-term memory.

    Attributes:
        text: the sentence.
        priority: how much it matters.
        traces: the indices of its traces.
        source: who wrote it.
    """

    text: str
    priority: Priority
    traces: tuple[int, ...]
    source: Literal["llm", "heuristic"]


class MemoryAnswer(BaseModel):
    """One memory as the model writes it."""

    model_config = STRICT

    text: str
    priority: Priority
    traces: list[str]


class ReflectAnswer(BaseModel):
    """The model's memories."""

    model_config = STRICT

    memories: list[MemoryAnswer]


def reflecting() -> Skill[ReflectInput, ReflectAnswer, tuple[Reflected, ...]]:
    """The step; its heuristic keeps the densest sentences of each topic."""
    return Skill("reflect", _prompt, ReflectAnswer, _parse, _extracted)


def _prompt(inputs: ReflectInput) -> list[Message]:
    characters = sum(trace.characters for trace in inputs.traces)
    task = _TASK.format(characters=max(_SHORTEST_ROOM, characters // _SHARE))
    conflict = _CONFLICT[inputs.policy].format(gap=inputs.gap)
    traces = [_as_data(trace, f"t{number}") for number, trace in enumerate(inputs.traces, start=1)]
    return ask(emphasised(f"{task}\n{conflict}", inputs.traits), {"traces": traces})


def _as_data(trace: ObservationNote, name: str) -> dict[str, Any]:
    return {
        "id": name,
        "speaker": None if trace.role == "system" else voice(trace),
        "said": trace.observed_at.date().isoformat(),
        "about": trace.referenced_at.date().isoformat() if trace.referenced_at else None,
        "confidence": trace.confidence,
        "priority": trace.priority,
        "text": trace.content,
    }


def _parse(answer: ReflectAnswer, inputs: ReflectInput) -> tuple[Reflected, ...]:
    if len(answer.memories) > _FLOOD * len(inputs.traces):
        raise ValueError(f"{len(answer.memories)} memories from {len(inputs.traces)} traces")
    index_of = {f"t{index + 1}": index for index in range(len(inputs.traces))}
    written: dict[str, Reflected] = {}
    reason = "no memory was written"
    for item in answer.memories:
        unknown = [name for name in item.traces if name not in index_of]
        if unknown or not item.traces:
            reason = f"a memory names {len(unknown)} unknown traces, or none"
            continue
        text = " ".join(item.text.split())
        indices = tuple(sorted({index_of[name] for name in item.traces}))
        fault = unsound(text, [inputs.traces[index] for index in indices], sentences=1)
        if fault:
            reason = fault
        else:
            written.setdefault(text.casefold(), Reflected(text, item.priority, indices, "llm"))
    if inputs.traces and not written:
        raise ValueError(reason)
    used_indices = set(chain.from_iterable(memory.traces for memory in written.values()))
    unused_indices = [index for index in range(len(inputs.traces)) if index not in used_indices]
    return (*written.values(), *_extract(inputs, unused_indices))


def _extracted(inputs: ReflectInput) -> tuple[Reflected, ...]:
    return _extract(inputs, range(len(inputs.traces)))


def _extract(inputs: ReflectInput, indices: Sequence[int]) -> tuple[Reflected, ...]:
    """The densest sentences of each topic among these traces."""
    traces = [inputs.traces[index] for index in indices]
    topics = [topic_of(trace.content, trace.entities) for trace in traces]
    memories: list[Reflected] = []
    for group in group_topics(topics, inputs.overlap, min_size=_MIN_TRACES, max_size=_MAX_TRACES):
        members = [traces[position] for position in group]
        quotes = densest(
            members, inputs.traits, share=_SHARE, max_sentences=_SENTENCES * len(members)
        )
        for quote in quotes:
            text = _alone(quote.text, members[quote.note])
            trace_index = indices[group[quote.note]]
            memories.append(Reflected(text, quote.priority, (trace_index,), "heuristic"))
    return tuple(memories)


def _alone(sentence: str, trace: ObservationNote) -> str:
    """The sentence in the third person; a trace of several voices already names its speakers."""
    return sentence if trace.role == "system" else third_person(sentence, voice(trace))
