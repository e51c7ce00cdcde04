"""French. Pronouns stay as they are said: the pack has no rules for rewriting."""

from cogmem_core.languages.fr.compare import (
    ATTRIBUTES,
    ATTRIBUTION,
    CONTRADICTIONS,
    ENTAILMENT,
    RETELLINGS,
    REVISIONS,
    SLOTS,
    STATEMENTS,
    WORDING,
)
from cogmem_core.languages.fr.observe import (
    DURATIONS,
    EMOTIONS,
    ENTITIES,
    NAMES,
    SAFETY,
    SIGNALS,
    SMALL_TALK,
)
from cogmem_core.languages.fr.query import QUERY
from cogmem_core.languages.fr.triggers import TRIGGERS
from cogmem_core.languages.fr.words import TIME, WORDS
from cogmem_core.languages.plain import pack

__all__ = ["FR"]

FR = pack(
    "fr",
    words=WORDS,
    time=TIME,
    query=QUERY,
    small_talk=SMALL_TALK,
    wording=WORDING,
    attributes=ATTRIBUTES,
    contradictions=CONTRADICTIONS,
    revisions=REVISIONS,
    retellings=RETELLINGS,
    slots=SLOTS,
    entailment=ENTAILMENT,
    statements=STATEMENTS,
    attribution=ATTRIBUTION,
    signals=SIGNALS,
    emotions=EMOTIONS,
    entities=ENTITIES,
    names=NAMES,
    durations=DURATIONS,
    rewrite=None,
    safety=SAFETY,
    triggers=TRIGGERS,
)
