"""Turkish: what one statement means to another."""

from cogmem_core.languages.base import CompareRules
from cogmem_core.languages.tr.attribution import ATTRIBUTION
from cogmem_core.languages.tr.contradictions import CONTRADICTIONS
from cogmem_core.languages.tr.entailment import ENTAILMENT
from cogmem_core.languages.tr.retellings import RETELLINGS
from cogmem_core.languages.tr.revisions import REVISIONS
from cogmem_core.languages.tr.slots import SLOTS
from cogmem_core.languages.tr.statement_frames import ATTRIBUTES
from cogmem_core.languages.tr.statement_words import STATEMENTS
from cogmem_core.languages.tr.wording import WORDING

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
