"""German. Pronouns stay as they are said: the pack has no rules for rewriting."""

from cogmem_core.languages.de.compare import (
    ATTRIBUTES,
    ATTRIBUTION,
    ENTAILMENT,
    RETELLINGS,
    STATEMENTS,
    WORDING,
)
from cogmem_core.languages.de.observe import SMALL_TALK
from cogmem_core.languages.de.query import QUERY
from cogmem_core.languages.loading import areas_of
from cogmem_core.languages.plain import pack

__all__ = ["DE"]

DE = pack(
    "de",
    **areas_of("de"),
    query=QUERY,
    small_talk=SMALL_TALK,
    wording=WORDING,
    attributes=ATTRIBUTES,
    retellings=RETELLINGS,
    entailment=ENTAILMENT,
    statements=STATEMENTS,
    attribution=ATTRIBUTION,
)
