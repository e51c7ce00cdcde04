"""French. Pronouns stay as they are said: the pack has no rules for rewriting."""

from cogmem_core.languages.fr.compare import (
    ATTRIBUTES,
    ATTRIBUTION,
    ENTAILMENT,
    RETELLINGS,
    STATEMENTS,
    WORDING,
)
from cogmem_core.languages.fr.observe import SMALL_TALK
from cogmem_core.languages.fr.query import QUERY
from cogmem_core.languages.loading import areas_of
from cogmem_core.languages.plain import pack

__all__ = ["FR"]

FR = pack(
    "fr",
    **areas_of("fr"),
    query=QUERY,
    small_talk=SMALL_TALK,
    wording=WORDING,
    attributes=ATTRIBUTES,
    retellings=RETELLINGS,
    entailment=ENTAILMENT,
    statements=STATEMENTS,
    attribution=ATTRIBUTION,
)
