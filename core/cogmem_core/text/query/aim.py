"""Which of the relevant memories a question wants, in what order, and which of its words are searched for. Pure.

"What was my latest run?" wants the newest of the runs, "List all novels" every novel, "Where did I
live before?" what no longer holds. The words that say so, those of a time that was resolved ("3 days
ago"), and those that say how the answer shall look are not searched for: nothing that was remembered
holds them. A standing rule does hold "Friday" and "weekend".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from cogmem_core.languages.merged import MergedPattern, all_entries, all_patterns
from cogmem_core.languages.reading import in_its_language, language_told
from cogmem_core.text.folding import (
    MAX_INPUT,
    Span,
    fold_beginning,
    fold_letters,
    inside,
    quoted_spans,
    single_spaced,
)
from cogmem_core.text.time.find import TimeMention
from cogmem_core.text.time.hints import TWO_READINGS
from cogmem_core.text.time.tense import lean
from cogmem_core.text.vocabulary import WEEKDAYS

Order = Literal["relevance", "newest", "oldest"]
_LETTER = re.compile(r"[^\W\d_]")


_NAMES = ("newest", "oldest", "everything", "several", "formerly", "answer_form")
_OVERVIEW = MergedPattern(rf"\W*(?:{all_patterns('query.aims.overview')})\W*\Z")
_PATTERNS = {name: MergedPattern(all_patterns(f"query.aims.{name}")) for name in _NAMES}
_VERB_FORMS = all_entries("query.aims.verb_forms")


class Aim(NamedTuple):
    """What a question wants of what is relevant.

    Attributes:
        order: the best first, the newest first, or the oldest first.
        lists: all of it, in the order of time.
        ordered: it plainly orders a list; "how many" and "which" may mean one thing that is told.
        formerly: what held before.
        happened: it asks for what has happened, not for what is planned.
        overview: it asks for what matters most of all that is known of whoever asks.
    """

    order: Order = "relevance"
    lists: bool = False
    ordered: bool = False
    formerly: bool = False
    happened: bool = False
    overview: bool = False

    @property
    def by_time(self) -> bool:
        """True if the relevant memories are put in the order of time."""
        return self.lists or self.order != "relevance"


@in_its_language
def read_aim(question: str, times: Sequence[TimeMention]) -> Aim:
    """Read what a question wants.

    Args:
        question: its first 5,000 characters are read.
        times: that it speaks of, see `find_times`.
    """
    text = question[:MAX_INPUT]
    folded = fold_letters(_blanked(text, [*_resolved(times), *quoted_spans(text)]))
    order: Order = "relevance"
    if _PATTERNS["oldest"].search(folded):
        order = "oldest"
    elif _PATTERNS["newest"].search(folded):
        order = "newest"
    amounts = [name for name in ("everything", "several") if _PATTERNS[name].search(folded)]
    lists = order == "relevance" and amounts != []
    formerly = _PATTERNS["formerly"].search(folded) is not None
    happened = order != "relevance" and lean(folded, 0, 0, language_told(text)) < 0
    ordered = lists and "everything" in amounts
    overview = order == "relevance" and _OVERVIEW.match(folded.lstrip()) is not None
    return Aim(order, lists and not overview, ordered, formerly, happened, overview)


@in_its_language
def searched(question: str, times: Sequence[TimeMention]) -> str:
    """The question as it is searched for by words and by meaning.

    Without resolved times, but for those that come again each week, and without words that only tell
    what is wanted; a date in figures is written as an ISO date. The question itself if nothing would
    be left.

    Args:
        question: its first 5,000 characters are read.
        times: that it speaks of, see `find_times`.
    """
    text = question[:MAX_INPUT]
    quotes = quoted_spans(text)
    folded = fold_letters(_blanked(text, _resolved(times)))
    spans = _resolved(time for time in times if not _recurs(time))
    for name, pattern in _PATTERNS.items():
        if name != "several":
            spans += [match.span() for match in pattern.finditer(folded)]
    spans += [match.span() for match in TWO_READINGS.finditer(folded)]
    spans = [span for span in spans if not inside(span[0], quotes)]
    written = _blanked(text, spans)
    for mention in reversed(times):
        if mention.kind == "day" and not mention.relative and not _LETTER.search(mention.text):
            written = f"{written[: mention.start]}{mention.first.date()}{written[mention.end :]}"
    plain = single_spaced(written)
    return plain + question[MAX_INPUT:] if _LETTER.search(plain) else question


def with_verb_forms(terms: Sequence[str]) -> list[str]:
    """Index tokens with the other forms of irregular verbs: "my last run" asks for what "I ran", too."""
    forms: list[str] = list(terms)
    for term in terms:
        forms += _VERB_FORMS.get(term, ())
    return forms


def calls_itself_first(text: str) -> bool:
    """Whether a memory says that something was the first of its kind."""
    return _PATTERNS["oldest"].search(fold_beginning(text)) is not None


def _recurs(time: TimeMention) -> bool:
    """Whether a standing rule may name it as well: "on Friday" is asked where "never on Fridays" holds."""
    named = fold_letters(time.text).split()
    return time.kind == "weekend" or not WEEKDAYS.keys().isdisjoint(named)


def _resolved(times: Iterable[TimeMention]) -> list[Span]:
    """Where the times stand that depend on when the question is asked."""
    return [(time.start, time.end) for time in times if time.relative]


def _blanked(text: str, spans: list[Span]) -> str:
    """The text with blanks in the place of some of its parts."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text
