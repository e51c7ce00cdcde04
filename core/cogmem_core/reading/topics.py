"""Which topics a clause tells of (temporary)."""

from __future__ import annotations

from cogmem_core.reading.compare import stems
from cogmem_core.reading.model import Clause, Reading
from cogmem_core.reading.pack import pack_of
from cogmem_core.reading.tokens import tokens_of
from cogmem_core.text.folding import fold_letters


def topics_of(reading: Reading, clause: Clause) -> frozenset[str]:
    pack = pack_of(reading.language)
    said = fold_letters(reading.words(clause))
    words = [token.folded for token in tokens_of(said, said, 0, len(said), pack.splits)]
    named = set(stems(words, pack))
    return frozenset(
        name for name, topic in pack.topics.items() if not named.isdisjoint(stems(topic.tells, pack))
    )
