"""Does a sentence say that something is over which an older one tells: sold, given up, called off? Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, TypeAlias

from cogmem_core.languages.merged import AnyPattern, MergedPattern, all_patterns, all_words
from cogmem_core.text.compare.clauses import OWN_SUBJECTS, OWNERS, Sentence, tells, words_of
from cogmem_core.text.compare.values import stands_in
from cogmem_core.text.compare.wording import folded_words, is_negative, language_of
from cogmem_core.text.tokens import tokens

Over: TypeAlias = tuple[Literal["hard", "soft"], str]
"""The grade, see `compare.revision`, and the reason for the log."""

ENDED = AnyPattern(lambda language: language.compare.revisions.ended)
"""What is over, group `a`."""
CALLED_OFF = MergedPattern(all_patterns(lambda language: language.compare.revisions.called_off))
"""What is planned does not take place."""
PAST = MergedPattern(all_patterns(lambda language: language.compare.revisions.past))
"""Words by which something was so, and is no longer."""
_LINKING = all_words(lambda language: language.compare.revisions.linking)
_DIRECTIONS = all_words(lambda language: language.compare.revisions.directions)
_PREPOSITIONS = all_words(lambda language: language.compare.revisions.prepositions)
_DWELLINGS = all_words(lambda language: language.compare.revisions.dwellings)
_DOING = MergedPattern(all_patterns(lambda language: language.compare.revisions.doing))
_INFINITIVE = 2  # letters of its ending, at most


def ended(new: Sentence, old: Sentence) -> Over | None:
    """What the old statement is about has ended: "Cancelled Spotify yesterday"."""
    match = new.search(ENDED)
    if match is None or old.search(ENDED):
        return None
    clause = new.first_clause if new.first_clause.search(ENDED) else new
    inside = clause.search(ENDED) or match
    if is_negative(f"{clause.text[: inside.start()]} {clause.text[inside.end() :]}"):
        return None
    before = [word for word in words_of(new.folded[: match.start()]) if tells(word)]
    thing = [word for word in folded_words(match["a"]) if tells(word) and tokens(word)]
    by_speaker = _is_of_speaker(before, match.group()) and _is_own(old, thing)
    if not by_speaker and not _begins_with(old, before):
        return None
    if PAST.search(match.group()) and not _is_at(thing, old.words):
        return None
    foreign = any(before.endswith("'s") and word in thing for before, word in pairwise(old.words))
    # "We moved out of the flat in Porto": the dwelling is not named where somebody lives.
    named = [word for word in thing if word not in _DWELLINGS]
    done = _DOING.search(match["a"]) is not None
    if foreign or not named or not all(_is_told(word, old.words, done=done) for word in named):
        return None
    further = [
        word
        for word in old.words[1:]
        if tokens(word) and not any(_is_told(each, [word], done=done) for each in thing)
    ]
    # Who gave up drinking may still drink coffee.
    most = 0 if len(named) < len(thing) or done else len(thing) + 3
    hard = by_speaker and len(further) <= most
    return "hard" if hard else "soft", f"over: {match['a'].strip()}"


def _is_told(word: str, words: Sequence[str], *, done: bool) -> bool:
    """Whether a word stands among others, the infinitive of an activity as any form of its verb."""
    if stands_in(word, words):
        return True
    root = word[:-_INFINITIVE]
    return done and len(root) >= _INFINITIVE + 1 and any(each.startswith(root) for each in words)


def called_off(new: Sentence, old: Sentence) -> Over | None:
    """What the old statement is about no longer takes place: "the meeting is cancelled"."""
    match = new.search(CALLED_OFF)
    if match is None or old.search(CALLED_OFF) or new.negative:
        return None
    subject = [word for word in words_of(new.folded[: match.start()]) if tells(word)]
    named = [word for word in subject if tokens(word)]
    if not named or list(old.words[: len(subject)]) != subject:
        return None
    return "hard", f"{' '.join(subject)}: {match.group()}"


def _is_of_speaker(before: Sequence[str], phrase: str) -> bool:
    """Whether the words before an end, or its verb, have nobody else as a subject."""
    own = next(words_of(phrase), "")  # "deje de", "j'ai"
    if not before or before[-1] in ("have", "just"):
        return True
    return any(map(OWN_SUBJECTS.match, (before[-1], own)))


def _is_own(old: Sentence, thing: Sequence[str]) -> bool:
    """Whether an old statement tells of the speaker, or of what is a thing."""
    subject = old.subject
    owns = subject == "i" or stands_in(subject, thing) or not _LINKING.isdisjoint(old.words)
    return owns or language_of(old.text) == "tr"


def _begins_with(old: Sentence, subject: Sequence[str]) -> bool:
    """Whether an old statement is about the same person: "my daughter plays", "my daughter quit"."""
    words = [
        [word for word in each if not OWNERS.match(f"{word} ")] for each in (subject, old.words)
    ]
    return bool(words[0]) and words[0] == words[1][: len(words[0])]


def _is_at(thing: Sequence[str], words: Sequence[str]) -> bool:
    """Whether a preposition of place or use stands before the thing: "at Siemens", "in Porto"."""
    pairs = set(pairwise(words))
    return bool(thing) and any(
        (before, thing[0]) in pairs for before in _PREPOSITIONS - _DIRECTIONS
    )
