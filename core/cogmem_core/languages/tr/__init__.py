"""Turkish: tables/tr.toml, and the rules that are still written in Python."""

from cogmem_core.languages.loading import areas_of
from cogmem_core.languages.plain import pack
from cogmem_core.languages.tr.attribution import ATTRIBUTION
from cogmem_core.languages.tr.entailment import ENTAILMENT
from cogmem_core.languages.tr.grounding import GROUNDING
from cogmem_core.languages.tr.query import QUERY
from cogmem_core.languages.tr.retellings import RETELLINGS
from cogmem_core.languages.tr.rewrite import REWRITE
from cogmem_core.languages.tr.small_talk import SMALL_TALK
from cogmem_core.languages.tr.statement_frames import ATTRIBUTES
from cogmem_core.languages.tr.statement_words import STATEMENTS
from cogmem_core.languages.tr.wording import WORDING
from cogmem_core.languages.tr.words import with_functions

__all__ = ["TR"]

TR = pack(
    "tr",
    **{**areas_of("tr"), "words": with_functions(areas_of("tr")["words"])},
    query=QUERY,
    small_talk=SMALL_TALK,
    wording=WORDING,
    attributes=ATTRIBUTES,
    retellings=RETELLINGS,
    entailment=ENTAILMENT,
    statements=STATEMENTS,
    attribution=ATTRIBUTION,
    rewrite=REWRITE,
    grounding=GROUNDING,
)
