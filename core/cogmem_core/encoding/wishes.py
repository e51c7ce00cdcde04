"""A person's turn that asks to forget something: acted upon where one thing is clearly meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from cogmem_core.base.runtime import Runtime
from cogmem_core.changes import QUEUED, REJECTED, Actor, Applied, apply
from cogmem_core.config import Config
from cogmem_core.edge.clauses import guards_of, reading_of
from cogmem_core.encoding.batch import WritePlan
from cogmem_core.encoding.forgetting import (
    Named,
    Near,
    candidates_of,
    drop_notes,
    is_of_several,
    meant_of,
    memories_named,
    names_part,
    owner_of,
    part_meant,
    put_away,
    rest_of,
    told_before,
)
from cogmem_core.encoding.observe_turn import IMPORTED, mode_of
from cogmem_core.encoding.whole_wish import Wish, wish_of
from cogmem_core.languages.reading import codes_of, reading
from cogmem_core.reading import of
from cogmem_core.reading.between import filled
from cogmem_core.storage.ledger.transaction import Namespace, Transaction
from cogmem_core.text.keys import plain
from cogmem_core.text.safety.prompt_injection import signs
from cogmem_core.values.models import Episode, Memory
from cogmem_core.values.results import FactReceipt, Receipt

_PERSON = Actor("user")
_UNCLEAR = "which?"
_NOTHING = "forget_request"
_FORGOTTEN = "forgotten, as was asked for"
_REST = "; what else it said stays"
_FULL_TRUST = 1.0
_MARKS = " .!\u2026,:;\"'\u201c\u201d\u201e\u00ab\u00bb"
_BESIDE = 3  # words with its name, at most: "the rule ..."
_WHOLE: tuple[str, ...] = ("id", "identifier", "quoted", "statement")


class Granted(NamedTuple):
    """What came of a turn that asked to forget something.

    Attributes:
        receipt: of the turn.
        forgotten: the memories, as they were before.
        applied: what was carried out.
    """

    receipt: Receipt
    forgotten: Sequence[Memory]
    applied: Applied


def is_imported(episode: Episode) -> bool:
    """Whether a turn comes from a file."""
    return episode.metadata.get(IMPORTED) is True


def wish_in(episode: Episode, config: Config) -> Wish | None:
    """What a turn wants forgotten, if it is a person's own and may be acted upon; else None."""
    settings = config.encoding
    if settings.forget_requests != "act" or episode.role != "user" or is_imported(episode):
        return None
    if mode_of(episode, config) == "raw" or settings.trusted(episode.role) < _FULL_TRUST:
        return None
    wish = wish_of(episode.content)
    if wish is None and of(episode.content).of_kind("wish_to_forget"):
        wish = Wish(episode.content, is_plain=False, tells=True)
    if wish is None or signs(wish.query if wish.is_plain else episode.content):
        return None
    return wish


def parts_of(
    episodes: Sequence[Episode], size: int, config: Config
) -> Iterator[tuple[list[Episode], Wish | None]]:
    """The turns in order, at most `size` at once; one that wants something forgotten stands alone.

    So does not meet what is said after it. Imported turns are kept apart from those said now.
    """
    part: list[Episode] = []
    for episode in episodes:
        wish = wish_in(episode, config)
        apart = part and (
            wish is not None
            or len(part) == size
            or is_imported(part[0]) is not is_imported(episode)
        )
        if apart:
            yield part, None
            part = []
        if wish is not None:
            yield [episode], wish
        else:
            part.append(episode)
    if part:
        yield part, None


def grant(
    writer: Transaction, episode: Episode, wish: Wish, runtime: Runtime, near: Near | None
) -> Granted | None:
    """Forget what a turn means, if that is one thing; else say what it may mean; None if it tells more.

    `near` = what `nearest_to` found of a plain wish.
    """
    ns = writer.at(episode.namespace)
    wish = _of_a_guardian(ns, episode) or wish
    with reading(codes_of(episode.content)):
        matches, words = memories_named(
            wish.query,
            ns,
            among=lambda memory: _may_ask(episode, memory),
            near=near,
        )
    meant = [item for item in meant_of(matches) if item.memory.state != "quarantined"]
    named = [item for item in meant if wish.voice in ("", owner_of(item.memory))]
    own = [item.memory for item in named]
    unclear = is_of_several(episode.content, words, named)
    unclear = unclear or any(names_part(words, item) for item in named)
    is_clear = wish.is_plain and not unclear
    forgotten = own if is_clear and _is_one_thing(ns, matches, own) else []
    before = [] if meant else told_before(ns, episode)
    matches = before or matches
    if wish.tells and not (forgotten or before):
        return None
    reason = f"{_FORGOTTEN} (turn {episode.id})"
    with reading(codes_of(episode.content)):
        parts = {memory.id: part_meant(memory, words) for memory in forgotten}
    halves = ns.memories.stored([name for name, gone in parts.items() if gone])
    changes = put_away(ns, forgotten, reason)
    changes += [rest_of(stored, parts[name], runtime) for name, stored in halves.items()]
    applied = apply(writer, episode.namespace, changes, now=runtime.now(), actor=_PERSON)
    if forgotten:
        drop_notes(ns, forgotten)
    ns.turns.finish([episode.id], "skipped", _NOTHING)
    candidates = candidates_of(matches, forgotten)
    if forgotten:
        ids = tuple(memory.id for memory in forgotten)
        told = _FORGOTTEN + (_REST if halves else "")
        receipt = Receipt("forgotten", ids, told, episode.id, candidates=candidates)
    else:
        reason = _UNCLEAR if meant or before else _NOTHING
        receipt = Receipt("skipped", (), reason, episode.id, candidates=candidates)
    return Granted(receipt, forgotten, applied)


def _of_a_guardian(ns: Namespace, episode: Episode) -> Wish | None:
    """The wish of a turn that holds a guardian fact word for word: that names it as plainly as its id."""
    for memory in ns.memories.by_ids(list(ns.overview.always_shown())).values():
        told = plain(memory.content).rstrip(_MARKS)
        wish = (
            wish_of(plain(episode.content).replace(told, memory.id)) if guards_of(memory) else None
        )
        named = [word.strip(_MARKS) for word in wish.query.split()] if wish else []
        if wish and memory.id in named and len(named) <= _BESIDE:
            return Wish(memory.content, wish.is_plain, voice=wish.voice)
    return None


def _may_ask(episode: Episode, memory: Memory) -> bool:
    """Whether a turn may mean a memory: not what another person said, nor a document's text."""
    if memory.category == "item":
        return False
    by_other = memory.speaker is not None and memory.speaker != episode.speaker
    return not (by_other and memory.data_source == "user_message")


def _is_one_thing(ns: Namespace, matches: Sequence[Named], meant: Sequence[Memory]) -> bool:
    """Whether memories are one value of one thing: named whole, one slot, or one and its past."""
    ids = {memory.id for memory in meant}
    ways = {item.way for item in matches if item.memory.id in ids}
    if ways.issubset(_WHOLE):
        return bool(meant)
    if ways == {"slot"}:
        # What an assistant noted of it goes with what the one person of a bank told.
        told = [memory for memory in meant if memory.data_source == "user_message"]
        alone = told and not any(memory.speaker for memory in meant)
        slots = [filled(reading_of(memory)) for memory in (told if alone else meant)]
        return len(set(slots) - {()}) <= 1
    active = {memory.id for memory in meant if memory.state == "active"}
    links = ns.relations.of_memories(sorted(active))
    revised = {link.target_id for link in links if link.type == "revises"}
    return len(active - revised) == 1


def settle_receipts(plan: WritePlan, applied: Applied) -> dict[str, list[FactReceipt]]:
    """The receipts of facts, as far as a person's decisions, or that one is due, changed what became of them."""
    refused = {item.change.target for item in applied.refused if item.reason == REJECTED}
    settled: dict[str, list[FactReceipt]] = {}
    for episode_id, receipts in plan.receipts.items():
        settled[episode_id] = [_settled(receipt, refused, applied) for receipt in receipts]
    return settled


def _settled(receipt: FactReceipt, refused: set[str], applied: Applied) -> FactReceipt:
    if receipt.memory_id in refused:
        return replace(receipt, status="skipped", memory_id="", reason=REJECTED, importance=None)
    waiting = applied.waiting.get(receipt.memory_id)
    if waiting is not None:
        reason = f"{QUEUED} ({waiting.kind}): {receipt.reason}"
        memory_id = waiting.target_id
        return replace(receipt, status="quarantined", memory_id=memory_id, reason=reason)
    if receipt.memory_id in applied.lifted:
        return replace(receipt, reason=f"{receipt.reason}; no longer rejected: it was said again")
    return receipt
