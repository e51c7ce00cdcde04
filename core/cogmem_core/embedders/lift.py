"""How near two texts are above ordinary talk: the same scale for embedders whose cosines differ."""

from __future__ import annotations

from collections.abc import Sequence

from cogmem_core.languages import LANGUAGES
from cogmem_core.maths.products import normalised
from cogmem_core.ports import QueryEmbedder

_TELLS_MEANING = 0.3


def lifts(
    embedder: QueryEmbedder,
    text: str,
    candidates: Sequence[str],
    ordinary: Sequence[str] = (),
) -> list[float]:
    """How near a text is to each of the others: 0 = as ordinary talk, 1 = the same.

    Args:
        embedder: gives the vectors.
        text: the one.
        candidates: the others.
        ordinary: sentences of its language that have nothing to do with each other; English ones
            if there are none.

    Raises:
        EmbedderUnavailable: there is no vector.
    """
    ordinary = ordinary or LANGUAGES["en"].triggers.ordinary
    vectors = normalised(embedder.embed_queries([text, *candidates, *ordinary]))
    own = vectors[0]
    background = float((vectors[len(candidates) + 1 :] @ own).mean())
    room = max(1.0 - background, 1e-6)
    return [
        (float(vector @ own) - background) / room for vector in vectors[1 : len(candidates) + 1]
    ]


def tells_meaning(
    embedder: QueryEmbedder,
    paraphrase: Sequence[str] | None = None,
    ordinary: Sequence[str] = (),
) -> bool:
    """Whether sentences that share no word, and say the same, are near; else it only compares words.

    Args:
        embedder: gives the vectors.
        paraphrase: two such sentences of the language that is meant, which is English if nothing is
            given; of none: it does not.
        ordinary: as for `lifts`.
    """
    if paraphrase is None:
        paraphrase = LANGUAGES["en"].triggers.paraphrase
    if not paraphrase:
        return False
    first, second = paraphrase
    return lifts(embedder, first, [second], ordinary)[0] >= _TELLS_MEANING
