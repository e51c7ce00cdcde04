"""English: what a sentence is about."""

from cogmem_core.languages.base import ObserveRules
from cogmem_core.languages.en.durations import DURATIONS
from cogmem_core.languages.en.emotions import EMOTIONS
from cogmem_core.languages.en.entities import ENTITIES
from cogmem_core.languages.en.names import NAMES
from cogmem_core.languages.en.notes import NOTES
from cogmem_core.languages.en.signals import SIGNALS
from cogmem_core.languages.en.small_talk import SMALL_TALK

OBSERVE = ObserveRules(
    signals=SIGNALS,
    small_talk=SMALL_TALK,
    emotions=EMOTIONS,
    entities=ENTITIES,
    names=NAMES,
    durations=DURATIONS,
    notes=NOTES,
)
