"""What to do with new facts: ADD, UPDATE, DELETE or NOOP, in one call per message.

Ids are strict: a decision may only name a candidate of its own fact. A decision that is missing,
repeated, of an unknown id or contradicts itself leaves its fact undecided; then the caller's table
of similarities decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from pydantic import Field, field_validator

from cogmem_core.reading.facts import denies
from cogmem_core.skills.merge_texts import invented, lost
from cogmem_core.skills.run import Message, Skill, StrictModel, ask, day_of, one_line
from cogmem_core.values.models import RelationType

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
class DecideCandidate:
    """An existing memory that resembles a fact; `referenced_at` is the time it speaks of."""

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
    candidates: tuple[DecideCandidate, ...]
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
        action: what to do.
        target: the id of the candidate it is about; None for ADD without one and for trivial facts.
        relation: of the fact to the target.
        text: the new text of the target, for UPDATE; None if the model's text lost something, so
            that the caller must merge.
        links: relations from the fact to candidates of its own, as (id, type); at most 3, none to a
            deleted memory.
    """

    action: Action
    target: str | None = None
    relation: PairClass | None = None
    text: str | None = None
    links: Links = ()


class LinkAnswer(StrictModel):
    """A link as the model writes it; `_links` checks its type."""

    id: str
    type: str = Field(json_schema_extra={"enum": list(_LINK_TYPES)})


class DecisionAnswer(StrictModel):
    """One decision as the model writes it; a malformed link is dropped, and the decision stays."""

    fact: int
    action: Action
    id: str | None
    relation: PairClass | None
    text: str | None
    links: list[LinkAnswer] = Field(default_factory=list)

    @field_validator("links", mode="before")
    @classmethod
    def _well_formed(cls, links: object) -> list[object]:
        if not isinstance(links, list):
            return []
        return [item for item in links if _is_link(item)]


def _is_link(item: object) -> bool:
    if isinstance(item, LinkAnswer):
        return True
    if not isinstance(item, dict):
        return False
    return isinstance(item.get("id"), str) and isinstance(item.get("type"), str)


class DecideAnswer(StrictModel):
    """The model's decisions."""

    decisions: list[DecisionAnswer]


Decisions = tuple["Decision | None", ...]
"""One per fact, in order; None = undecided."""


def deciding() -> Skill[DecideInput, DecideAnswer, Decisions]:
    """The step; its heuristic leaves every fact undecided."""
    return Skill(
        "decide", _prompt, DecideAnswer, _parse, lambda inputs: (None,) * len(inputs.facts)
    )


def _aliases(inputs: DecideInput) -> dict[str, str]:
    """Short names for ids, one per memory.

    Models copy `m3` faithfully, 36 characters of hexadecimal less so.
    """
    aliases: dict[str, str] = {}
    for fact in inputs.facts:
        for candidate in fact.candidates:
            aliases.setdefault(candidate.id, f"m{len(aliases) + 1}")
    return aliases


def _prompt(inputs: DecideInput) -> list[Message]:
    aliases = _aliases(inputs)
    facts: list[dict[str, Any]] = []
    for index, fact in enumerate(inputs.facts):
        facts.append(
            {
                "fact": index,
                "text": fact.text,
                "category": fact.category,
                "about": day_of(fact.referenced_at),
                "candidates": [_as_json(item, aliases[item.id]) for item in fact.candidates],
            }
        )
    return ask(_TASK, {"said": inputs.said_at.isoformat(timespec="minutes"), "facts": facts})


def _as_json(candidate: DecideCandidate, alias: str) -> dict[str, Any]:
    return {
        "id": alias,
        "text": candidate.content,
        "category": candidate.category,
        "created": day_of(candidate.created_at),
        "updated": day_of(candidate.updated_at),
        "about": day_of(candidate.referenced_at),
    }


def _parse(answer: DecideAnswer, inputs: DecideInput) -> Decisions:
    aliases = _aliases(inputs)
    counts = Counter(item.fact for item in answer.decisions)
    decisions: list[Decision | None] = [None] * len(inputs.facts)
    for item in answer.decisions:
        if 0 <= item.fact < len(inputs.facts) and counts[item.fact] == 1:
            decisions[item.fact] = _decision(item, inputs.facts[item.fact], aliases)
    _keep_one_change_per_memory(decisions)
    if inputs.facts and not any(decisions):
        raise ValueError("no decision is usable")
    return _without_dead_links(decisions)


def _decision(item: DecisionAnswer, fact: NewFact, aliases: Mapping[str, str]) -> Decision | None:
    candidates: dict[str, DecideCandidate] = {}
    for candidate in fact.candidates:
        candidates[aliases[candidate.id]] = candidate
        candidates[candidate.id] = candidate
    decision = _without_links(item, fact, candidates)
    if decision is None:
        return None
    return decision._replace(links=_links(item, decision, candidates))


def _without_links(
    item: DecisionAnswer, fact: NewFact, candidates: Mapping[str, DecideCandidate]
) -> Decision | None:
    if item.id is None:
        return Decision(item.action) if item.action in ("ADD", "NOOP") else None
    target = candidates.get(item.id)
    if target is None or not _is_coherent(item):
        return None
    text = _usable_text(item, fact, target) if item.action == "UPDATE" else None
    return Decision(item.action, target.id, item.relation, text)


def _is_coherent(item: DecisionAnswer) -> bool:
    """Whether action and relation fit together.

    Only a contradiction removes a memory, and a fact that contradicts a memory never repeats it.
    """
    if item.action == "DELETE":
        return item.relation == "contradictory"
    return item.action != "NOOP" or item.relation != "contradictory"


def _usable_text(item: DecisionAnswer, fact: NewFact, target: DecideCandidate) -> str | None:
    """The model's text if it keeps what the fact says; None otherwise.

    It must keep what the memory says, too, unless the fact contradicts the memory.
    """
    text = one_line(item.text or "")
    originals = (fact.text, target.content)
    if not text or len(text) > 2 * sum(map(len, originals)) or invented(text, *originals):
        return None
    if item.relation == "contradictory":
        return None if lost(text, fact.text) else text
    if lost(text, *originals) or denies(text) != any(map(denies, originals)):
        return None
    return text


def _links(
    item: DecisionAnswer, decision: Decision, candidates: Mapping[str, DecideCandidate]
) -> Links:
    """Links of a known type to known ids, each once.

    After an UPDATE or NOOP the fact is one with its target, so it has no link to it.
    """
    itself = decision.target if decision.action in ("UPDATE", "NOOP") else None
    links: dict[tuple[str, RelationType], None] = {}
    for link in item.links:
        candidate = candidates.get(link.id)
        relation = _LINK_TYPES.get(link.type)
        if candidate is not None and relation is not None and candidate.id != itself:
            links[candidate.id, relation] = None
    return tuple(links)


def _keep_one_change_per_memory(decisions: list[Decision | None]) -> None:
    """Only the first fact may change a memory.

    A later one did not see the new text, so it becomes undecided.
    """
    changed_ids: set[str | None] = set()
    for index, decision in enumerate(decisions):
        if decision is None or decision.action not in ("UPDATE", "DELETE"):
            continue
        if decision.target in changed_ids:
            decisions[index] = None
        changed_ids.add(decision.target)


def _without_dead_links(decisions: Sequence[Decision | None]) -> Decisions:
    """At most 3 links per fact, none to a memory that a decision of the same answer deletes."""
    deleted_ids = {
        decision.target
        for decision in decisions
        if decision is not None and decision.action == "DELETE"
    }
    return tuple(_without_links_to(deleted_ids, decision) for decision in decisions)


def _without_links_to(ids: set[str | None], decision: Decision | None) -> Decision | None:
    if decision is None:
        return None
    links = [link for link in decision.links if link[0] not in ids]
    return decision._replace(links=tuple(links[:_LINKS]))
