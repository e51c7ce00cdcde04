"""Turkish."""

from cogmem_core.languages.base import Language
from cogmem_core.languages.tr.compare import COMPARE
from cogmem_core.languages.tr.evidence import EVIDENCE
from cogmem_core.languages.tr.grounding import GROUNDING
from cogmem_core.languages.tr.observe import OBSERVE
from cogmem_core.languages.tr.query import QUERY
from cogmem_core.languages.tr.rewrite import REWRITE
from cogmem_core.languages.tr.safety import SAFETY
from cogmem_core.languages.tr.time import TIME
from cogmem_core.languages.tr.triggers import TRIGGERS
from cogmem_core.languages.tr.words import WORDS

__all__ = ["TR"]

TR = Language(
    code="tr",
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
