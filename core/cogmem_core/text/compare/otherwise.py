"""What may have changed though no value shows it: another state, another spelling, "now" something else."""

from __future__ import annotations

from cogmem_core.languages.merged import (
    AnyPattern,
    MergedPattern,
    Words,
    all_entries,
    all_patterns,
    all_words,
    languages_read,
)
from cogmem_core.languages.reading import cached_by_language
from cogmem_core.text.compare.clauses import Sentence
from cogmem_core.text.compare.named import names_of
from cogmem_core.text.compare.retelling import tells_of_others
from cogmem_core.text.compare.values import other_circumstances, stems_of
from cogmem_core.text.compare.wording import folded_words

_NOW = MergedPattern(all_patterns(lambda language: language.compare.revisions.now))
_BESIDES = MergedPattern(all_patterns(lambda language: language.compare.revisions.besides))
_NAMING = all_words(lambda language: language.compare.revisions.naming)
_STATE = AnyPattern(lambda language: language.compare.revisions.state)
_STATES = all_entries(lambda language: language.compare.revisions.states)
_NEWNESS = all_words(lambda language: language.compare.revisions.newness)
_BACK = AnyPattern(lambda language: language.compare.contradictions.back)
_REMARKS = all_words(lambda language: language.compare.revisions.remarks)
_TITLES = Words(
    lambda: [t for language in languages_read() for t in language.compare.attributes.titles]
)
_LEAST_COMMON = 1  # stems


def otherwise(new: Sentence, old: Sentence, *, announced: bool) -> str:
    """The same person or thing is in another state, named otherwise, or does otherwise by now."""
    reason = _other_state(new, old)
    back = new.search(_BACK)
    now = new.search(_NOW) is not None
    if not (reason or announced or back or now):
        return ""
    if new.search(_BESIDES) or other_circumstances(new.conditions, old.conditions):
        return ""
    subject = new.subject
    common = new.stems & old.stems
    same = subject.partition("'")[0] == old.subject.partition("'")[0]
    renamed = names_of(new, ()) - old.bare and names_of(old, ()) - new.bare
    naming = not (_NAMING.isdisjoint(new.words) or _NAMING.isdisjoint(old.words))
    if announced and same and naming:
        reason = reason or ("named otherwise" if renamed and common else "")
    elif renamed:
        return ""
    if back is not None and _share_a_topic(common, back["b"]):
        reason = reason or f"back to {back['b'].strip()}"
    now = now and subject not in ("i", *_NEWNESS)
    # "Dr. Shah retired" is no news of what Dr. Shah prescribed.
    named = new.words[:2] if subject in _TITLES else [subject]
    if now and subject == old.subject and common - stems_of(named):
        reason = reason or f"{subject}: otherwise by now"
    if not reason or tells_of_others(new.text, old.text):
        return ""
    return reason


def _share_a_topic(common: frozenset[str], target: str) -> bool:
    """Whether two sentences share more than what was returned to, and more than a remark."""
    silent = stems_of([*folded_words(target), *_REMARKS])
    return len(common - silent) >= _LEAST_COMMON


@cached_by_language(4_096)
def _state_of(folded: str) -> tuple[str, str]:
    """The state of life that a sentence tells of, and of what it is a state; empty if none."""
    match = _STATE.search(folded)
    for beginning, state in _STATES.items() if match else ():
        if match and match["s"].startswith(beginning):
            return state
    return "", ""


def _other_state(new: Sentence, old: Sentence) -> str:
    """What another state of life both sentences tell of: engaged, married; empty if none."""
    state = _state_of(new.folded)
    former = _state_of(old.folded) if state[0] else state
    if former[0] == state[0] and former != state:
        return f"{state[0]}: {former[1]}, now {state[1]}"
    return ""
