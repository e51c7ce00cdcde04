"""Does a statement hold for a day only? Pure.

"I didn't run today", "I'm off sugar for the weekend": what was said before, without such words, holds
again or still.
"""

from __future__ import annotations

from cogmem_core.languages.merged import MergedPattern, all_patterns
from cogmem_core.languages.reading import cached_by_language, pair_in_one_language
from cogmem_core.text.compare.values import stems_of
from cogmem_core.text.compare.wording import folded_words, is_negative
from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.sentences import sentence_spans

_ONE_DAY = all_patterns(lambda language: language.compare.revisions.for_the_day)
_FOR_THE_DAY = MergedPattern(rf"\b(?:{_ONE_DAY})\b")
_DAYS = MergedPattern(
    rf"\b(?:{all_patterns(lambda language: language.observe.durations.days)}|{_ONE_DAY})\b"
)
_TURN = MergedPattern(
    f"{all_patterns(lambda language: language.compare.revisions.now)}"
    f"|{all_patterns(lambda language: language.compare.revisions.changed)}"
    rf"|\b(?:{all_patterns(lambda language: language.compare.revisions.given_up)})"
)


@pair_in_one_language(False)
def is_for_a_day(new: str, old: str) -> bool:
    """Whether a newer statement tells of a day, so that an older one of no day is not touched."""
    former = fold_letters(old[:MAX_INPUT])
    if _DAYS.search(former):
        return False
    bears = _stems(former)
    for start, end in sentence_spans(new[:MAX_INPUT]):
        sentence = new[start:end].strip()
        folded = fold_letters(sentence)
        if len(new) > len(sentence) and _stems(folded).isdisjoint(bears):
            continue  # another sentence of the message
        if not _DAYS.search(folded):
            continue
        turns = _TURN.search(_FOR_THE_DAY.sub(" ", folded)) is not None
        if _FOR_THE_DAY.search(folded) or (is_negative(sentence) and not turns):
            return True
    return False


@cached_by_language(2_048)
def _stems(folded: str) -> frozenset[str]:
    return stems_of(folded_words(folded))
