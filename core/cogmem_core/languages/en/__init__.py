"""English: tables/en.toml, and the rules that are still written in Python."""

from cogmem_core.languages.en.attribution import ATTRIBUTION
from cogmem_core.languages.en.entailment import ENTAILMENT
from cogmem_core.languages.en.grounding import GROUNDING
from cogmem_core.languages.en.query import QUERY
from cogmem_core.languages.en.retellings import RETELLINGS
from cogmem_core.languages.en.rewrite import REWRITE
from cogmem_core.languages.en.small_talk import SMALL_TALK
from cogmem_core.languages.en.statement_frames import ATTRIBUTES
from cogmem_core.languages.en.statement_words import STATEMENTS
from cogmem_core.languages.en.wording import WORDING
from cogmem_core.languages.en.words import with_functions
from cogmem_core.languages.loading import areas_of
from cogmem_core.languages.plain import pack

__all__ = ["EN"]

EN = pack(
    "en",
    **{**areas_of("en"), "words": with_functions(areas_of("en")["words"])},
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
