"""English: what one statement means to another."""

from cogmem_core.languages.base import CompareRules
from cogmem_core.languages.en.attribution import ATTRIBUTION
from cogmem_core.languages.en.contradictions import CONTRADICTIONS
from cogmem_core.languages.en.entailment import ENTAILMENT
from cogmem_core.languages.en.retellings import RETELLINGS
from cogmem_core.languages.en.revisions import REVISIONS
from cogmem_core.languages.en.slots import SLOTS
from cogmem_core.languages.en.statement_frames import ATTRIBUTES
from cogmem_core.languages.en.statement_words import STATEMENTS
from cogmem_core.languages.en.wording import WORDING

COMPARE = CompareRules(
    wording=WORDING,
    attributes=ATTRIBUTES,
    contradictions=CONTRADICTIONS,
    revisions=REVISIONS,
    entailment=ENTAILMENT,
    statements=STATEMENTS,
    attribution=ATTRIBUTION,
    retellings=RETELLINGS,
    slots=SLOTS,
)
