"""Does a statement matter for hours only, such as a mood or an errand of the day?

Only present states of the speaker count, and only with a word for now: "I'm at the airport right
now", not "Today I got engaged". In doubt a statement lasts.
"""

from __future__ import annotations

from cogmem_core.languages.merged import MergedPattern, all_patterns
from cogmem_core.languages.reading import in_its_language
from cogmem_core.text.folding import fold_beginning

_NOW = MergedPattern(rf"\b(?:{all_patterns('observe.durations.now')})\b")
_STATE = MergedPattern(rf"\b(?:{all_patterns('observe.durations.passing_states')})\b")
_LASTING = MergedPattern(rf"\b(?:{all_patterns('observe.durations.lasting')})\b")


@in_its_language
def is_ephemeral(text: str) -> bool:
    """Whether a fact will be of no use after a few hours or days."""
    folded = fold_beginning(text)
    return bool(_NOW.search(folded) and _STATE.search(folded)) and not _LASTING.search(folded)
