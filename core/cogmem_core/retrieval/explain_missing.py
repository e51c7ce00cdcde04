"""Why a memory is not among the results: in sentences, from a walk that looks out for it."""

from __future__ import annotations

from cogmem_core.models import Memory
from cogmem_core.retrieval.candidates import Found
from cogmem_core.retrieval.explain import parts_of
from cogmem_core.retrieval.score import Scored, weights_for
from cogmem_core.retrieval.search import Choice, Walk
from cogmem_core.storage.ledger.codec import encode_time
from cogmem_core.text.time.days import seen_in
from cogmem_core.text.time.zones import zone_or_utc
from cogmem_core.text.tokens import tokens

__all__ = ["why_missed"]


def why_missed(walked: Walk, memory: Memory, key: str, cosine: float | None) -> str:
    """One paragraph about one memory of the namespace.

    Args:
        key: the text it is found by.
        cosine: of the query and the memory; None if one of them has no vector.
    """
    lines = [f"{memory.content} [{memory.id}]", f"   {_fate(walked, memory)}"]
    standing = [line for one in walked.scored for line in _standing(walked, one, memory.id)]
    return "\n".join([*lines, *(standing or _absence(walked.gathered.founds[0], key, cosine))])


def _place(scored: Scored, memory_id: str) -> int | None:
    return next((place for place, row in enumerate(scored.pool.candidates) if row.id == memory_id), None)


def _fate(walked: Walk, memory: Memory) -> str:
    desk = walked.desk
    wanted = walked.desk.plan
    for rank, choice in enumerate(walked.choices, 1):
        if choice.ranked.id == memory.id:
            return _chosen(walked, choice, rank)
    if wanted.categories is not None and memory.category not in wanted.categories:
        return f"its category is {memory.category}; only {', '.join(wanted.categories)} were searched"
    if desk.request.tags is not None and set(desk.request.tags).isdisjoint(memory.tags):
        return f"it has none of the tags {', '.join(desk.request.tags)}"
    barred = desk.allowed is not None and memory.id not in desk.allowed
    if barred or walked.gathered.seen.get(memory.id) == "" or not _searched(walked, memory):
        return _hidden(walked, memory)
    return "it was a candidate, but others were better" if _scored(walked, memory.id) else "no list brought it in"


def _chosen(walked: Walk, choice: Choice, rank: int) -> str:
    if walked.tier(choice) != "withheld":
        return f"it is result {rank}, with confidence {choice.confidence:.3f}"
    if choice.confidence < walked.floor:
        return f"it was found, rank {rank}, but withheld: its confidence {choice.confidence:.3f} is below the floor"
    return f"it was found, rank {rank}, but withheld: nothing here seems to answer the question"


def _scored(walked: Walk, memory_id: str) -> bool:
    return any(_place(scored, memory_id) is not None for scored in walked.scored)


def _searched(walked: Walk, memory: Memory) -> bool:
    return memory.state == "active" or (memory.state in ("dormant", "superseded") and walked.desk.cold is not None)


def _hidden(walked: Walk, memory: Memory) -> str:
    horizon = walked.desk.horizon
    if horizon.looks_back:
        return "it was not true, or not known, at the moment that was asked about"
    if memory.state == "superseded":
        by = f" by {memory.superseded_by}" if memory.superseded_by else ""
        return f"it was superseded{by}; deep recall or mode='timeline' shows it"
    if memory.state == "dormant":
        return "it is dormant; deep recall shows it"
    if memory.state == "active" and horizon.holds(encode_time(memory.valid_until)):
        return "it was out of recall a moment ago, and is back by now"
    if memory.state == "active" and memory.valid_until is not None:
        until = seen_in(memory.valid_until, zone_or_utc(walked.desk.services.config.encoding.timezone))
        return f"it holds no longer (until {until:%Y-%m-%d}); deep recall or mode='timeline' shows it"
    return f"it is {memory.state}"


def _standing(walked: Walk, scored: Scored, memory_id: str) -> list[str]:
    """Where it stands in a pool, and what the last result has that it lacks; nothing if it is not in it."""
    place = _place(scored, memory_id)
    if place is None:
        return []
    weights = weights_for(walked.desk.plan.route, walked.desk.services.config.retrieval.weights)
    mine = scored.ranked(place)
    order = sorted(scored.scores.tolist(), reverse=True)
    rank = order.index(float(scored.scores[place])) + 1
    lines = [f"   score {mine.score:.4f}, rank {rank} of {len(order)} candidates"]
    if rank <= len(walked.choices) and memory_id not in {choice.ranked.id for choice in walked.choices}:
        lines[0] += "; left out because another result of the same turn, or almost the same text, stands for it"
    last = walked.choices[-1].ranked if walked.choices else None
    if last is not None:
        lines[0] += f"; the last result has {last.score:.4f}"
    return [*lines, *parts_of(mine.signals, mine.contributions, weights)]


def _absence(found: Found, key: str, cosine: float | None) -> list[str]:
    """How far it is from the lists."""
    lines = []
    if cosine is not None:
        least = (
            f", the last of the {len(found.dense)} by meaning has {found.dense[-1].score:.3f}" if found.dense else ""
        )
        lines.append(f"   its cosine with the query is {cosine:.3f}{least}")
    shared = sorted(set(found.terms) & set(tokens(key)))
    if shared:
        lines.append(f"   it shares the words {', '.join(shared)}; those found by words: {len(found.sparse)}")
    else:
        lines.append("   it shares no word with the query")
    return lines
