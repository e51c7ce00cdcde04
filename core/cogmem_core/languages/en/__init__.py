"""English."""

from cogmem_core.languages.base import Language
from cogmem_core.languages.en.compare import COMPARE
from cogmem_core.languages.en.evidence import EVIDENCE
from cogmem_core.languages.en.grounding import GROUNDING
from cogmem_core.languages.en.observe import OBSERVE
from cogmem_core.languages.en.query import QUERY
from cogmem_core.languages.en.rewrite import REWRITE
from cogmem_core.languages.en.safety import SAFETY
from cogmem_core.languages.en.time import TIME
from cogmem_core.languages.en.triggers import TRIGGERS
from cogmem_core.languages.en.words import WORDS

__all__ = ["EN"]

EN = Language(
    code="en",
    words=WORDS,
    time=TIME,
    compare=COMPARE,
    observe=OBSERVE,
    query=QUERY,
    rewrite=REWRITE,
    safety=SAFETY,
    evidence=EVIDENCE,
    grounding=GROUNDING,
    triggers=TRIGGERS,
)
