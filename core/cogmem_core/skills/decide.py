"""What to do with new facts: ADD, UPDATE, DELETE or NOOP, in one call per message (seed 002).

Ids are strict: a decision may only name a candidate that was given for its own fact. What is
    missing, doubled, unknown
or at odds with itself leaves its fact undecided, and the caller's table of similarities decides
instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, field_validator

from cogmem_core.models import RelationType
from cogmem_core.skills.merge_texts import invented, lost, negates
from cogmem_core.skills.run import Message, Skill, ask

__all__ = ["Candidate", "DecideAnswer", "DecideInput", "Decision", "NewFact", "deciding"]

Action = Literal["ADD", "UPDATE", "DELETE", "NOOP"]
PairClass = Literal["compatible", "contradictory", "subsumes", "subsumed"]
Links = tuple[tuple[str, RelationType], ...]

_LINKS = 3  # per fact
_LINK_TYPES: dict[str, RelationType] = {
    "causes": "causes",
    "elaborates": "elaborates",
    "same_entity": "same_entity",
    "related_to": "related_to",
    "contradicts": "contradicts",
}

_TASK = """\
You keep the long-term memory of an assistant consistent. For every new fact decide what happens \
to the memory, given the existing memories that resemble it. Answer with exactly one decision per \
fact index.

action:
- ADD: the fact is new. Also when a memory is about another person, thing, place or time.
- UPDATE: the fact refines or corrects the one memory named by `id`; `text` is the memory's new \
text. It keeps every fact of both that still holds; for a correction the outdated value is \
replaced.
- DELETE: the fact says that the memory named by `id` no longer holds, and puts nothing in its \
place.
- NOOP: the memory named by `id` already says it, or the fact is trivial (`id` null).

relation of the fact to the memory named by `id` (null for ADD without one):
- compatible: both can be true; contradictory: both cannot be true now; subsumes: the fact says \
all that the memory says and more; subsumed: the memory says all that the fact says and more.

links: up to three other ties from the fact to candidates that stay, each {id, type}; an empty \
list if there is none:
- causes: the fact led to what the memory tells; elaborates: it gives details of the memory; \
contradicts: both cannot be true; same_entity: both are about one person, place or thing; \
related_to: the same topic otherwise.

Every `id` must be one of the candidates of the same fact. Weigh the dates: what was said later is \
usually right, and `about` tells which time a memory speaks of. Keep the language of the fact. \
Never merge what merely looks alike."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An existing memory that resembles a fact. `referenced_at` is the time it speaks of."""

    id: str
    content: str
    category: str
    created_at: datetime
    updated_at: datetime
    referenced_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class NewFact:
    """A fact to place, with the memories that resemble it, best first."""

    text: str
    candidates: tuple[Candidate, ...]
    category: str = "fact"
    referenced_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DecideInput:
    """All facts of one message, and when it was said."""

    facts: tuple[NewFact, ...]
    said_at: datetime


class Decision(NamedTuple):
    """What to do with one fact.

    Attributes:
        target: the id of the candidate it is about; None for ADD without one and for trivial facts.
        relation: of the fact to the target.
        text: the new text of the target, for UPDATE; None if the model's text lost something: then
            merge.
        links: relations from the fact to candidates of its own, as (id, type); at most 3, none to a
            deleted memory.
    """

    action: Action
    target: str | None = None
    relation: PairClass | None = None
    text: str | None = None
    links: Links = ()


class LinkAnswer(BaseModel):
    """A link as the model writes it.

    Which types there are is told to the model and checked by `_links`.
    """

    model_config = ConfigDict(strict=True)

    id: str
    type: str = Field(json_schema_extra={"enum": list(_LINK_TYPES)})


class DecisionAnswer(BaseModel):
    """One decision as the model writes it.

    A link that is none is dropped, and the decision stays.
    """

    model_config = ConfigDict(strict=True)

    fact: int
    action: Action
    id: str | None
    relation: PairClass | None
    text: str | None
    links: list[LinkAnswer] = Field(default_factory=list)

    @field_validator("links", mode="before")
    @classmethod
    def _well_formed(cls, links: object) -> list[object]:
        return [item for item in links if _is_link(item)] if isinstance(links, list) else []


def _is_link(item: object) -> bool:
    if isinstance(item, LinkAnswer):
        return True
    return isinstance(item, dict) and all(isinstance(item.get(key), str) for key in ("id", "type"))


class DecideAnswer(BaseModel):
    """The model's decisions."""

    model_config = ConfigDict(strict=True)

    decisions: list[DecisionAnswer]


Decisions = tuple["Decision | None", ...]
"""One per fact, in order; None = undecided."""


def deciding(
    fallback: Callable[[DecideInput], Decisions] | None = None,
) -> Skill[DecideInput, DecideAnswer, Decisions]:
    """The step; without a twin of its own it leaves every fact undecided."""
    twin = fallback or (lambda given: (None,) * len(given.facts))
    return Skill("decide", _prompt, DecideAnswer, _parse, twin)


def _aliases(given: DecideInput) -> dict[str, str]:
    """Short names for ids, one per memory: models copy `m3` faithfully, 36 characters of hexadecimal less so."""
    ids = dict.fromkeys(candidate.id for fact in given.facts for candidate in fact.candidates)
    return {id_: f"m{number}" for number, id_ in enumerate(ids, start=1)}


def _prompt(given: DecideInput) -> list[Message]:
    names = _aliases(given)
    facts = [
        {
            "fact": index,
            "text": fact.text,
            "category": fact.category,
            "about": _day(fact.referenced_at),
            "candidates": [_shown(candidate, names[candidate.id]) for candidate in fact.candidates],
        }
        for index, fact in enumerate(given.facts)
    ]
    return ask(_TASK, {"said": given.said_at.isoformat(timespec="minutes"), "facts": facts})


def _shown(candidate: Candidate, name: str) -> dict[str, Any]:
    return {
        "id": name,
        "text": candidate.content,
        "category": candidate.category,
        "created": _day(candidate.created_at),
        "updated": _day(candidate.updated_at),
        "about": _day(candidate.referenced_at),
    }


def _day(moment: datetime | None) -> str | None:
    return moment.date().isoformat() if moment else None


def _parse(answer: DecideAnswer, given: DecideInput) -> Decisions:
    names = _aliases(given)
    told = Counter(item.fact for item in answer.decisions)
    decisions: list[Decision | None] = [None] * len(given.facts)
    for item in answer.decisions:
        if 0 <= item.fact < len(given.facts) and told[item.fact] == 1:
            decisions[item.fact] = _decision(item, given.facts[item.fact], names)
    decided = _one_change_per_memory(decisions)
    if given.facts and not any(decided):
        raise ValueError("no decision is usable")
    return _without_dead_links(decided)


def _decision(item: DecisionAnswer, fact: NewFact, names: Mapping[str, str]) -> Decision | None:
    known = {
        key: candidate
        for candidate in fact.candidates
        for key in (names[candidate.id], candidate.id)
    }
    decision = _placed(item, fact, known)
    return decision and decision._replace(links=_links(item, decision, known))


def _links(item: DecisionAnswer, decision: Decision, known: Mapping[str, Candidate]) -> Links:
    """Links of a known type to known ids.

    After an UPDATE or NOOP the fact is one with its target.
    """
    itself = decision.target if decision.action in ("UPDATE", "NOOP") else None
    found = (
        (known[link.id].id, _LINK_TYPES.get(link.type)) for link in item.links if link.id in known
    )
    kept = dict.fromkeys(
        (target, kind) for target, kind in found if kind is not None and target != itself
    )
    return tuple(kept)


def _without_dead_links(decisions: Decisions) -> Decisions:
    """At most 3 links per fact, none to a memory that a decision of the same answer deletes."""
    deleted = {
        decision.target
        for decision in decisions
        if decision is not None and decision.action == "DELETE"
    }
    return tuple(
        decision
        and decision._replace(
            links=tuple(link for link in decision.links if link[0] not in deleted)[:_LINKS]
        )
        for decision in decisions
    )


def _placed(item: DecisionAnswer, fact: NewFact, known: Mapping[str, Candidate]) -> Decision | None:
    if item.id is not None and item.id not in known:
        return None
    target = known[item.id] if item.id is not None else None
    if target is None:
        return Decision(item.action) if item.action in ("ADD", "NOOP") else None
    if not _coherent(item):
        return None
    text = _kept_text(item, fact, target) if item.action == "UPDATE" else None
    return Decision(item.action, target.id, item.relation, text)


def _coherent(item: DecisionAnswer) -> bool:
    """Only a contradiction removes a memory, and nothing that contradicts a memory is a repetition of it."""
    if item.action == "DELETE":
        return item.relation == "contradictory"
    return item.action != "NOOP" or item.relation != "contradictory"


def _kept_text(item: DecisionAnswer, fact: NewFact, target: Candidate) -> str | None:
    """The model's text if it keeps what the fact says, and what the memory says too unless the fact contradicts it."""
    text = " ".join((item.text or "").split())
    both = (fact.text, target.content)
    contradicts = item.relation == "contradictory"
    if not text or len(text) > 2 * sum(map(len, both)) or invented(text, *both):
        return None
    if lost(text, *both[: 1 if contradicts else 2]):
        return None
    return text if contradicts or negates(text) == any(map(negates, both)) else None


def _one_change_per_memory(decisions: list[Decision | None]) -> Decisions:
    """The first fact that changes a memory may.

    A later one did not see the new text and stays undecided.
    """
    changed: set[str | None] = set()
    kept: list[Decision | None] = []
    for decision in decisions:
        changes = decision is not None and decision.action in ("UPDATE", "DELETE")
        clash = changes and decision is not None and decision.target in changed
        if changes and decision is not None:
            changed.add(decision.target)
        kept.append(None if clash else decision)
    return tuple(kept)
