"""Cosines of any embedder on the scale of the default one, so that what was fitted to that one fits it, too.

One model's cosines of texts that have nothing to do with each other lie about 0.1, another's about 0.8.
Where they lie is measured on a few questions with and without their answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cogmem_core.maths.products import normalised
from cogmem_core.ports import FloatArray, QueryEmbedder

_PAIRS = (
    ("Where does my sister live?", "My sister moved to a flat near the harbour in Porto."),
    ("When is the dentist appointment?", "The dentist can see me on Thursday at half past nine."),
    ("What does Tom do for a living?", "Tom works as a carpenter and builds staircases."),
    ("Which food am I allergic to?", "I get a rash whenever I eat walnuts."),
    ("How much did the new bicycle cost?", "I paid 640 euros for the bike in the end."),
    ("Who is my doctor?", "Dr. Weber has been my physician for years."),
    ("What is the name of the dog?", "We called the puppy Biscuit."),
    ("How long does the train to Vienna take?", "By rail it is four hours to Vienna."),
    ("What did we plant in the garden?", "Tomatoes and beans went into the beds this spring."),
    ("Why was the release postponed?", "The launch slipped because two tests kept failing."),
    ("Which language is Ana learning?", "Ana takes a Japanese class on Mondays."),
    ("What is the password rule?", "Every password needs at least twelve characters."),
    ("How do I return a parcel?", "Bring it to any shop within thirty days with the receipt."),
    ("What music does he like?", "He listens to jazz trios most evenings."),
    ("Where did they get married?", "The wedding was in a small chapel in the mountains."),
    ("Did the server crash last night?", "Around two o'clock the machine went down and restarted."),
)
_BACKGROUND = 0.0588
"""Mean cosine of a question of these and an answer to another one, by MiniLM (measured) ..."""
_RELATED = 0.5676
"""... and to its own."""
FITTED_TO = "minilm"
"""Fingerprints of the embedder whose cosines are the scale of all others begin so."""
_APART = 2.0
"""The two means are so many standard deviations of the background apart, or it tells no meaning."""


@dataclass(frozen=True, slots=True)
class CosineScale:
    """A straight line from an embedder's cosines to those of MiniLM.

    Attributes:
        slope: of the line.
        offset: at a cosine of 0.
    """

    slope: float = 1.0
    offset: float = 0.0

    def of(self, cosines: FloatArray) -> FloatArray:
        """Cosines on MiniLM's scale, at most 1."""
        scaled: FloatArray = np.minimum(self.slope * cosines + self.offset, 1.0)
        return scaled


AS_THEY_ARE = CosineScale()


def measured_scale(embedder: QueryEmbedder) -> CosineScale | None:
    """The scale of an embedder; None if it does not tell meaning, and only compares words.

    Embeds sixteen questions and sixteen answers.

    Raises:
        EmbedderUnavailable: there is no vector.
    """
    questions, answers = zip(*_PAIRS, strict=True)
    cosines = _cosines(embedder, questions, answers)
    own = np.eye(len(_PAIRS), dtype=np.bool_)
    related = float(cosines[own].mean())
    background = float(cosines[~own].mean())
    if related - background <= _APART * float(cosines[~own].std()):
        return None
    slope = (_RELATED - _BACKGROUND) / (related - background)
    return CosineScale(slope, _BACKGROUND - slope * background)


def _cosines(
    embedder: QueryEmbedder, questions: Sequence[str], answers: Sequence[str]
) -> FloatArray:
    rows = normalised(np.asarray(embedder.embed_queries(questions), dtype=np.float32))
    columns = normalised(np.asarray(embedder.embed_documents(answers), dtype=np.float32))
    cosines: FloatArray = rows @ columns.T
    return cosines
