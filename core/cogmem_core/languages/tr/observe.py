"""Turkish: what a sentence is about."""

from cogmem_core.languages.base import ObserveRules
from cogmem_core.languages.tr.durations import DURATIONS
from cogmem_core.languages.tr.emotions import EMOTIONS
from cogmem_core.languages.tr.entities import ENTITIES
from cogmem_core.languages.tr.names import NAMES
from cogmem_core.languages.tr.notes import NOTES
from cogmem_core.languages.tr.signals import SIGNALS
from cogmem_core.languages.tr.small_talk import SMALL_TALK

OBSERVE = ObserveRules(
    signals=SIGNALS,
    small_talk=SMALL_TALK,
    emotions=EMOTIONS,
    entities=ENTITIES,
    names=NAMES,
    durations=DURATIONS,
    notes=NOTES,
)
