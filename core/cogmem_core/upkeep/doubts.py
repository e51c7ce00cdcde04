"""Doubts that are open, and which of them a person was asked about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cogmem_core.changes import Actor, Link, carry_out
from cogmem_core.errors import NotFound
from cogmem_core.process.services import Services
from cogmem_core.retrieval.doubts import DOUBTING, doubted_pairs, put_today
from cogmem_core.retrieval.plan import local_now
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.values.results import Ask


def doubts(services: Services, namespace: str) -> Iterator[Ask]:
    """A question for each pair of versions that both stand, the newest first."""
    with services.ledger.reading(namespace) as ns:
        pairs = doubted_pairs(ns, ns.relations.of_types(DOUBTING), services.runtime.now())
    return filter(None, (pair.ask() for pair in pairs))


def mark_asked(
    services: Services, namespace: str, ask_id: str, principal: str, *, heard: bool = True
) -> bool:
    """Put on record that a person is asked; False if he was before, or was asked another thing today.

    `heard`: False = he was not, after all.

    Raises:
        NotFound: there is no such doubt.
    """
    now = services.runtime.now()

    def mark(writer: Transaction) -> list[Link]:
        relations = writer.at(namespace).relations
        pair = set(ask_id.split(":"))
        links = [
            link
            for link in relations.of_memories(list(pair))
            if link.type in DOUBTING and {link.source_id, link.target_id} == pair
        ]
        if not links:
            raise NotFound(
                "there is no such doubt; give the id of the question that a recall asked (`ask`)"
            )
        link = next((each for each in links if each.last_activated_at is not None), links[0])
        if not heard:
            return [Link(replace(link, last_activated_at=None), "no answer asked it")]
        put = relations.of_types(DOUBTING, activated=True)
        if link.last_activated_at is not None or put_today(put, local_now(services, now)):
            return []
        return [Link(replace(link, last_activated_at=now), "the user is asked which one holds")]

    actor = Actor("user", principal=principal)
    return bool(carry_out(services, namespace, mark, actor=actor).linked)
