"""Sealed topics: what is never to be kept is cut out of a text, clause by clause."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cogmem_core.base.lru import text_cache
from cogmem_core.config.sections import topic_name
from cogmem_core.edge import checks
from cogmem_core.errors import InvalidInput, NotFound
from cogmem_core.process.services import Services
from cogmem_core.reading import of
from cogmem_core.reading.compare import PRONOUNS
from cogmem_core.reading.model import Clause, Reading
from cogmem_core.reading.topics import NAMES, means_something, names_one, topics_of
from cogmem_core.storage.ledger.transaction import Namespace

NOT_KEPT = "[not kept]"
"""Stands for a text of which a seal leaves nothing."""
SEALED = "sealed topic"
"""The kind of what was taken out, beside the kinds of secrets and of personal data."""
_MOST = 100  # seals of a namespace
_LONGEST = 1_000  # bytes
_READ = 4_000  # characters that are read at once: a reading does not go on without end
_LINE_ENDS = re.compile(r"(?<=\n)|(?<=[.!?\u3002])(?=\s)")
_ENDS = ".!?\u2026\u3002\uff01\u0964"


def seal(services: Services, namespace: str, topics: Iterable[object]) -> None:
    """Never keep what tells of these from now on; what the settings seal is sealed already.

    Raises:
        InvalidInput: one is no name of a topic and no words, or there are too many.
    """
    configured = services.config.encoding.never_keep
    checked = (_checked(services, topic) for topic in topics)
    new = [name for name in checked if name not in configured]
    for name in new:
        if name not in NAMES and not means_something(name):
            raise _unusable(name)

    def add(ns: Namespace) -> None:
        kept = dict.fromkeys((*ns.seals.all(), *new))
        if len(kept) > _MOST:
            raise InvalidInput(
                f"topic would be seal {len(kept)} of {namespace!r}, the limit is {_MOST}; lift one "
                "with unseal, or name a topic such as 'health' in place of many words"
            )
        ns.seals.set(list(kept))

    services.ledger.write_to(namespace, add)


def unseal(services: Services, namespace: str, topic: object) -> None:
    """Keep what tells of it again.

    Raises:
        InvalidInput: the settings seal it, or it is unusable.
        NotFound: it is not sealed.
    """
    name = _checked(services, topic)
    if name in services.config.encoding.never_keep:
        raise InvalidInput(
            f"topic is {checks.display(name)}, which encoding.never_keep seals; take it out there"
        )

    def drop(ns: Namespace) -> None:
        kept = ns.seals.all()
        if name not in kept:
            raise NotFound(
                f"topic is {checks.display(name)}, which is not sealed in {namespace!r}; "
                "bank.seals() lists what is"
            )
        ns.seals.set([one for one in kept if one != name])

    services.ledger.write_to(namespace, drop)


def _checked(services: Services, topic: object) -> str:
    text = checks.text("topic", topic, _LONGEST)
    checks.without_secret("topic", text, services.config.encoding.secrets)
    try:
        name = topic_name(text)
    except ValueError:
        raise _unusable(text) from None
    return name.lower() if name.lower() in NAMES else name


def _unusable(topic: str) -> InvalidInput:
    return InvalidInput(
        f"topic is {checks.display(topic)}, which leaves nothing to look for; give a topic such as "
        "'health', or words of one's own, of at most 200 characters"
    )


class Cut(NamedTuple):
    """A text without what is sealed, and the seals that took something out of it."""

    text: str
    seals: tuple[str, ...] = ()


@text_cache(1_024)
def cut_sealed(text: str, never_keep: tuple[str, ...]) -> Cut:
    """Cut the clauses of sealed topics out of a text.

    Args:
        text: as it was said.
        never_keep: names of topics, and words of one's own.

    Returns:
        The same text if nothing of it is sealed, `NOT_KEPT` if nothing is left.
    """
    if not never_keep:
        return Cut(text)
    found: dict[str, None] = {}
    parts: list[str] = []
    for part in _portions(text):
        reading = of(part)
        sealed = _sealed(reading, never_keep)
        for names in sealed.values():
            found |= dict.fromkeys(names)
        parts.append(_without(reading, sealed) if sealed else part)
    left = "".join(parts)
    return Cut(left if left.strip() else NOT_KEPT, tuple(found)) if found else Cut(text)


def cut_answer(text: str, asked: str, never_keep: tuple[str, ...]) -> Cut:
    """As `cut_sealed`; an answer that tells something only with its question is sealed with that."""
    cut = cut_sealed(text, never_keep)
    if (
        not never_keep
        or cut.seals
        or not asked
        or any(
            clause.framed and clause.subject not in PRONOUNS for clause in of(text[:_READ]).clauses
        )
    ):
        return cut
    seals = cut_sealed(asked, never_keep).seals
    return Cut(NOT_KEPT, seals) if seals else cut


def _portions(text: str) -> Iterator[str]:
    """A long text in portions that end with a line or a sentence."""
    if len(text) <= _READ:
        yield text
        return
    portion = ""
    for piece in _LINE_ENDS.split(text):
        if portion and len(portion) + len(piece) > _READ:
            yield portion
            portion = ""
        portion += piece
    yield portion


def _sealed(reading: Reading, never_keep: Sequence[str]) -> dict[int, list[str]]:
    """By the number of each clause that is sealed: by what. What goes on in its sentence goes with it."""
    found: dict[int, list[str]] = {}
    for number, clause in enumerate(reading.clauses):
        topics = topics_of(reading, clause)
        names = [
            seal
            for seal in never_keep
            if (seal in topics if seal in NAMES else names_one(reading, clause, seal))
        ]
        if not names and number - 1 in found and _goes_on(reading, number):
            names = found[number - 1]
        if names:
            found[number] = names
    return found


def _goes_on(reading: Reading, number: int) -> bool:
    """Whether a clause says something of the one before in its sentence: "..., it was benign"."""
    before, clause = reading.clauses[number - 1 : number + 1]
    between = reading.text[before.end : clause.start]
    return clause.subject in ("", "it") and not any(mark in _ENDS for mark in between)


def _without(reading: Reading, sealed: dict[int, list[str]]) -> str:
    """A text without some of its clauses; what stands between two that are left stays with them."""
    parts: list[list[Clause]] = []
    for number, clause in enumerate(reading.clauses):
        if number in sealed:
            continue
        if parts and number - 1 not in sealed:
            parts[-1].append(clause)
        else:
            parts.append([clause])
    texts = [reading.text[part[0].start : part[-1].end].strip() for part in parts]
    told = any(clause.kind != "filler" for part in parts for clause in part)
    return " ".join(each if each[-1:] in _ENDS else f"{each}." for each in texts) if told else ""
