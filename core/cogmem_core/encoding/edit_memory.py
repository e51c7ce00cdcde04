"""What an edit changes, and what takes the place of a memory that a person supersedes.

An edit that gives another value is also a change in time: the former text stays as a superseded
memory, which a timeline shows. Of a text that said two things, the half that the new one does not
contradict stays as a memory of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain

from cogmem_core.changes import Change, Link, Put, Rewrite
from cogmem_core.encoding.to_changes import linking, superseding
from cogmem_core.ports import Stored
from cogmem_core.process.services import Services
from cogmem_core.reading import of
from cogmem_core.reading.between import change
from cogmem_core.reading.claims import claims
from cogmem_core.storage.ledger.memories import Filter, pages_of
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.text.compare import entailment, is_negative
from cogmem_core.text.keys import content_hash, index_key, restated
from cogmem_core.text.sentences import split_facts
from cogmem_core.values.models import Memory

FORMER = "cogmem_former_text_of"
"""In the metadata of a superseded memory: the memory whose text it was before an edit."""

_MOST_PIECES = 12
_FEWEST_WORDS = 2  # of a statement that stays by itself
_ENDS = ".!?\u2026"
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Restating:
    """A new text for a memory, embedded, and what stays of the old one beside it.

    Attributes:
        content: the new text.
        stored: key, vector and fingerprint of the new text; the memory is the old one.
        rest: the half of the old text that stays, as a memory of its own; None if there is none.
        gives_other_value: the new text gives another value of what the old one states.
    """

    content: str
    stored: Stored
    rest: Stored | None
    gives_other_value: bool

    @classmethod
    def of(
        cls, services: Services, former: Stored, content: str, *, whole: bool = False
    ) -> Restating:
        """Embed a new text for a memory, and what stays of the old one; `whole`: nothing does.

        Raises:
            EmbedderUnavailable: there is no vector.
        """
        memory = former.memory
        key = restated(
            former.key, memory.content, content, speaker=memory.speaker, at=memory.recorded_at
        )
        kept_text = "" if whole else _kept(memory.content, content)
        memories, keys = [memory], [key]
        if kept_text:
            now = services.runtime.now()
            half = replace(
                memory,
                id=services.runtime.new_id(),
                content=kept_text,
                content_hash=content_hash(kept_text),
                created_at=now,
                updated_at=now,
                version=1,
            )
            memories.append(half)
            keys.append(index_key(kept_text, speaker=memory.speaker, at=memory.recorded_at))
        stored, *rest = services.embedded(memories, keys)
        changed = any(_is_replaced(piece, content) for piece in _pieces(memory.content))
        return cls(content, stored, rest[0] if rest else None, changed)


def _pieces(text: str) -> list[str]:
    """The statements of a text; the text itself if there are too many to be told apart."""
    pieces = [part for piece in split_facts(text) for part in piece.text.split("; ")]
    return pieces if len(pieces) <= _MOST_PIECES else [text]


def _is_replaced(piece: str, newer: str) -> bool:
    found = change(of(newer), of(piece))
    if found is None or _is_said(piece, newer):
        return False
    return found.grade == "hard" or not _only_longer_or_shorter(piece, newer)


def _only_longer_or_shorter(piece: str, newer: str) -> bool:
    """Whether one of two statements only leaves out words of the other: that is no other value."""
    if is_negative(piece) != is_negative(newer):
        return False
    words = frozenset(_WORD.findall(piece.casefold()))
    other = frozenset(_WORD.findall(newer.casefold()))
    return words <= other or other <= words


def _is_said(piece: str, newer: str) -> bool:
    """Whether a newer text says a statement, too."""
    stated = frozenset[str]().union(*claims(newer))
    if any(not stated.isdisjoint(claim) for claim in claims(piece)):
        return True
    return entailment(newer, piece) in ("same", "refines")


def _kept(text: str, newer: str) -> str:
    """What stays of a text whose statements a newer one replaces in part; "" if nothing stays.

    If no statement of it is replaced, the newer text stands for all of it: so it was meant.
    """
    pieces = _pieces(text)
    replaced = [piece for piece in pieces if _is_replaced(piece, newer)]
    if not replaced:
        return ""
    staying = [piece for piece in pieces if piece not in replaced and not _is_said(piece, newer)]
    telling = [x for x in staying if len(x.split()) >= _FEWEST_WORDS and of(x).tells]
    return " ".join(piece if piece[-1] in _ENDS else f"{piece}." for piece in telling)


def edit_changes(restating: Restating, current: Stored, new_id: str, now: datetime) -> list[Change]:
    """The new text of a memory; its former one, if it gave another value; the half that stays.

    Args:
        restating: the new text.
        current: the memory as it is inside the transaction.
        new_id: for the former text.
        now: the time.
    """
    memory = current.memory
    changed = replace(
        memory, content=restating.content, content_hash=content_hash(restating.content)
    )
    changes: list[Change] = [
        Rewrite(replace(restating.stored, memory=changed), "edited", rejects=True)
    ]
    if restating.gives_other_value:
        former = replace(
            memory,
            id=new_id,
            state="superseded",
            superseded_by=memory.id,
            valid_until=now,
            pinned=False,
            immutable=False,
            metadata={**memory.metadata, FORMER: memory.id},
        )
        stored = replace(current, memory=former)
        changes.append(Put(stored, "what it said before an edit"))
    return changes + _rest_changes(restating, memory, now)


def supersede_changes(
    restating: Restating, old: Memory, successor: Memory, now: datetime
) -> list[Change]:
    """A new memory in the place of an old one, which points to it; the half of the old that stays."""
    stored = replace(restating.stored, memory=successor)
    changes: list[Change] = [Put(stored, "said in the place of another one")]
    changes += superseding(old, successor, "replaced by the user", now, rejects=True)
    return changes + _rest_changes(restating, successor, now)


def _rest_changes(restating: Restating, original: Memory, now: datetime) -> list[Change]:
    if restating.rest is None:
        return []
    link: Link = linking(restating.rest.memory, "related_to", original.id, now)
    return [Put(restating.rest, "the half that an edit left as it was"), link]


def former_texts(ns: Namespace, memories: Sequence[Memory]) -> list[Memory]:
    """The memories that only hold what these said before an edit."""
    ids = {memory.id for memory in memories}
    where = Filter(states=("superseded", "forgotten"))
    return [
        memory
        for memory in chain.from_iterable(pages_of(ns.memories, where))
        if memory.metadata.get(FORMER) in ids and memory.id not in ids
    ]
