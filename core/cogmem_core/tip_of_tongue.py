"""What is on the tip of the tongue: memories that are stored deeply but hardly come to mind, and cues that help.

Storage strength never decays, retrieval strength does (Bjork & Bjork 1992; seed 001, dual strength
model). Reads only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timezone

from cogmem_core.config import TipConfig
from cogmem_core.maths.decay import CURVES
from cogmem_core.models import Memory
from cogmem_core.results import Tip, TipOfTongue
from cogmem_core.retrieval.embed_query import quest_of
from cogmem_core.retrieval.plan import here, make_plan, nothing_to_look_up, question_of
from cogmem_core.retrieval.request import Request
from cogmem_core.retrieval.search import Choice, Walk, walk
from cogmem_core.services import Services
from cogmem_core.storage.ledger.reader import Filter, Reader
from cogmem_core.strength import retention_of
from cogmem_core.text.time.days import in_zone, seen_in
from cogmem_core.text.time.relative import relative_time_label
from cogmem_core.text.tokens import tokens, words
from cogmem_core.text.usage import telling_words
from cogmem_core.timeouts import Deadline

__all__ = ["tip_of_tongue"]

_NOTHING = "nothing that is stored deeply and hard to recall matches the query"
_TELLABLE = ("active", "dormant", "superseded")
_SESSION = 1_000  # memories of a session that are looked at for neighbours


def tip_of_tongue(services: Services, namespace: str, query: str, k: int) -> TipOfTongue:
    """Memories of high storage and low retrieval strength that match a query, if only weakly; dormant ones too.

    Raises:
        InvalidInput: the query is unusable.
        CogMemError: nothing was left to search with.
    """
    config = services.config
    now = services.runtime.now()
    asked = dict.fromkeys(
        ("session_id", "as_of", "known_at", "mood", "categories", "tags", "max_tokens", "deadline")
    )
    size = min(config.retrieval.max_k, max(k, config.retrieval.tip.pool))
    how = {"k": size, "mode": "current", "deep": True, "floor": 0.0}
    request = Request.checked(namespace, query, {**asked, **how}, config)
    with services.ledger.reading() as reader:
        view = services.searcher.view(reader, namespace)
    question = question_of(request, view)
    reason = nothing_to_look_up(question)
    if reason:
        return TipOfTongue(query, empty_reason=reason)
    local = here(services, now)
    plan = make_plan(request, question, question.intent, config.retrieval, local)
    quest = quest_of(services, view, request, plan, now=now, deadline=Deadline())
    with services.ledger.reading() as reader:
        walked = walk(services, reader, quest)
        found = list(_deep(services, reader, walked, now))[:k]
        tips = tuple(
            Tip(
                memory,
                left,
                relative_time_label(memory.recorded_at, local),
                _cues(reader, memory, local, services),
            )
            for memory, left in found
        )
    return TipOfTongue(query, tips, "" if tips else _NOTHING, tuple(walked.desk.troubles))


def _deep(
    services: Services, reader: Reader, walked: Walk, now: datetime
) -> Iterator[tuple[Memory, float]]:
    """What is stored deeply, hard to recall, and matches.

    With its retention, the most relevant first.
    """
    tip = services.config.retrieval.tip
    strength = services.config.strength
    below = CURVES[strength.curve].endangered if tip.below is None else tip.below
    matching = [choice.ranked.id for choice in walked.choices if _matches(choice, tip)]
    memories = reader.memories(walked.desk.request.namespace, matching)
    for memory in (memories[i] for i in matching if i in memories):
        # A dormant memory is frozen where it is recalled from; how hard it is to recall, its age
        # tells.
        left = retention_of(replace(memory, state="active"), now, strength)
        if (
            memory.state in ("active", "dormant")
            and memory.storage_strength >= tip.storage_strength
            and left < below
        ):
            yield memory, left


def _matches(choice: Choice, tip: TipConfig) -> bool:
    """A word in common, an entity, or a meaning not too far."""
    reached = any(name in choice.ranks for name in ("lexical", "entity"))
    return reached or choice.ranked.signals.get("similarity", 0.0) >= tip.similarity


def _cues(
    reader: Reader, memory: Memory, now: datetime, services: Services
) -> Mapping[str, tuple[str, ...]]:
    tip = services.config.retrieval.tip
    found = {
        "entities": _names(memory.entities),
        "when": _dates(memory, now),
        "nearby": _nearby(reader, memory),
        "related": _related(reader, memory, tip.characters),
    }
    told = {kind: tuple(dict.fromkeys(cues))[: tip.cues] for kind, cues in found.items()}
    return {kind: cues for kind, cues in told.items() if cues}


def _names(uris: Iterable[str]) -> list[str]:
    """`entity://tech/visual-studio` → visual studio."""
    return [uri.rsplit("/", 1)[-1].replace("-", " ") for uri in uris]


def _dates(memory: Memory, now: datetime) -> list[str]:
    """When it was said and the time it speaks of, by the calendar of `now`."""
    zone = now.tzinfo or timezone.utc
    told = [("said", in_zone(memory.recorded_at, zone))]
    if memory.referenced_at is not None:
        told.append(("about", seen_in(memory.referenced_at, zone)))
    return [
        f"{what} {relative_time_label(moment, now)} ({moment:%Y-%m-%d})" for what, moment in told
    ]


def _nearby(reader: Reader, memory: Memory) -> list[str]:
    """Telling words of what was said before and after it in its session, and that it does not hold itself."""
    if memory.session_id is None:
        return []
    page = reader.page(
        memory.namespace, Filter(states=_TELLABLE, session_id=memory.session_id), limit=_SESSION
    )
    order = sorted(page, key=lambda other: (other.recorded_at, other.id))
    place = next((place for place, other in enumerate(order) if other.id == memory.id), None)
    if place is None:
        return []
    own = set(tokens(memory.content))
    beside = [order[i] for i in (place - 1, place + 1) if 0 <= i < len(order)]
    # Word by word in turn, so that both neighbours are heard.
    each = [list(_telling(other.content, own)) for other in beside]
    longest = max(map(len, each), default=0)
    return [said[i] for i in range(longest) for said in each if i < len(said)]


def _telling(text: str, own: set[str]) -> Iterator[str]:
    telling = telling_words(text) - own
    yield from (word.text for word in words(text) if not telling.isdisjoint(tokens(word.text)))


def _related(reader: Reader, memory: Memory, characters: int) -> Sequence[str]:
    """The beginnings of what it is linked to, the strongest link first."""
    links = sorted(
        reader.relations(memory.namespace, memory.id), key=lambda link: (-link.weight, link.type)
    )
    ends = [link.target_id if link.source_id == memory.id else link.source_id for link in links]
    others = reader.memories(memory.namespace, ends)
    told = (others[end] for end in ends if end in others)
    return [
        _beginning(other.content, characters)
        for other in told
        if other.state in _TELLABLE and other.content_hash != memory.content_hash
    ]


def _beginning(text: str, characters: int) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= characters else f"{plain[:characters].rstrip()}…"
