"""Is a turn what a reminder waits for, as far as its words tell? Pure.

A reminder waits for a topic ("when we talk about the budget"), which only has to be spoken of, for
a question ("when somebody asks about prices"), or for an event ("when Anna calls"), which must have
happened: not denied, planned, asked, imagined, or long ago. Names and numbers of what is waited for
must be named. What the words leave open is for the meaning to say (see `intentions.matching`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Literal, NamedTuple

from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.base import NOTHING
from cogmem_core.languages.detect import language_shown
from cogmem_core.languages.merged import Kept, MergedPattern, all_entries, all_patterns, all_words
from cogmem_core.languages.merged import languages_read as languages
from cogmem_core.languages.reading import in_its_language
from cogmem_core.text.compare.wording import is_negative
from cogmem_core.text.folding import MAX_INPUT, fold_letters, single_spaced
from cogmem_core.text.observe.entities import entities
from cogmem_core.text.query.questions import only_asks
from cogmem_core.text.sentences import sentence_spans
from cogmem_core.text.time.find import find_times
from cogmem_core.text.tokens import UNSPACED, tokens, words

TriggerKind = Literal["topic", "question", "event"]
_LONG_AGO = timedelta(days=2)
_SOON = timedelta(hours=6)
_MOST_SENTENCES = 12
_OPENER = MergedPattern(rf"(?:{all_patterns('triggers.openers')})")
_TOPICS = Kept(
    lambda: [re.compile(text) for language in languages() for text in language.triggers.topics]
)
_ASKS = Kept(
    lambda: [re.compile(text) for language in languages() for text in language.triggers.asks]
)
_ANYBODY = all_words("triggers.anybody")
_UNREAL = MergedPattern(all_patterns("triggers.unreal"))
_UNDONE = MergedPattern(all_patterns("triggers.undone"))
_ASKING = MergedPattern(all_patterns("triggers.asking"))
_LIGHT = all_words("triggers.light")
_LETTERS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
# Written without spaces, so that a whole clause is one word; Korean has spaces.
_UNSPACED = re.compile(rf"(?![\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff])[{UNSPACED}]")
_CLAUSE = re.compile(r"[,;:\u2013\u2014]\s+|\s+-\s+")


def _same() -> dict[str, frozenset[str]]:
    groups: dict[str, frozenset[str]] = {}
    for language in languages():
        for group in language.triggers.same:
            terms = frozenset(term for word in group for term in tokens(word))
            for word in group:
                groups[word] = groups.get(word, frozenset()) | terms
    return groups


_SAME = Kept(_same)
_SAME_WORDS = Kept(lambda: [group for language in languages() for group in language.triggers.same])
_OPPOSITES = Kept(
    lambda: [pair for language in languages() for pair in language.triggers.opposites]
)
_FORMS = all_entries("query.aims.verb_forms")


class Key(NamedTuple):
    """A word that is waited for: any of its tokens will do; `name`: it must be there."""

    terms: frozenset[str]
    name: bool
    light: bool


class Trigger(NamedTuple):
    """What a reminder waits for.

    Attributes:
        text: without the words around it; it is embedded.
        kind: a topic, a question, or an event.
        keys: its words.
        negative: it waits for something not to be.
    """

    text: str
    kind: TriggerKind
    keys: tuple[Key, ...]
    negative: bool


class Clause(NamedTuple):
    """A part of a turn.

    Attributes:
        text: as it stands.
        sentence: the sentence that it is of.
        asks: the sentence is a question.
    """

    text: str
    sentence: str
    asks: bool


class Evidence(NamedTuple):
    """What the words of a turn say about a trigger.

    Attributes:
        coverage: the share of its telling words that the sentence has, 0..1.
        matched: how many these are.
        named: every name and number in it is named.
        real: the clause is of the kind that is waited for: it happened, or asks, or speaks of it.
    """

    coverage: float
    matched: int
    named: bool
    real: bool


@in_its_language
def read_trigger(text: str) -> Trigger:
    """Read what a reminder waits for.

    Args:
        text: "when Anna calls", "we talk about the budget"; its first 5,000 characters are read.
    """
    text = single_spaced(text[:MAX_INPUT]).rstrip(" .!?")
    folded = fold_letters(text)
    opener = _OPENER.match(folded)
    start = opener.end() if opener else 0
    kind: TriggerKind = "event"
    core = text[start:]
    who = ""
    for name, patterns in (("topic", _TOPICS()), ("question", _ASKS())):
        found = (pattern.fullmatch(folded[start:]) for pattern in patterns)
        match = next(filter(None, found), None)
        if match:
            kind = "question" if name == "question" else "topic"
            core = core[match.start("topic") : match.end("topic")]
            who = _named(text[start:], match)
            break
    if who and kind == "question":  # "Tom asks for money": something that Tom does
        kind = "event"
        core = text[start:]
        who = ""
    awaited = f"{who} {core}".strip()
    return Trigger(awaited, kind, tuple(_keys(awaited)), is_negative(core) and kind == "event")


def _named(text: str, match: re.Match[str]) -> str:
    """The name of who speaks of it, if it has to be somebody in particular."""
    if "who" not in match.re.groupindex or match["who"] is None:
        return ""
    who = [word for word in match["who"].split() if word not in _ANYBODY]
    return text[match.start("who") : match.end("who")] if who else ""


def _keys(text: str) -> Iterator[Key]:
    names = [entity for entity in entities(text) if entity.kind != "date"]
    seen: set[frozenset[str]] = set()
    said: set[str] = set()
    for word in words(text):
        terms = frozenset(tokens(word.text))
        if not terms or word.text in _ANYBODY:
            continue
        if _UNSPACED.search(word.text):
            yield from (Key(frozenset((term,)), False, False) for term in sorted(terms - said))
            said |= terms
            continue
        for base, forms in _FORMS.items():
            if word.text == base or word.text in forms:
                terms |= {term for form in (base, *forms) for term in tokens(form)}
        same = _SAME().get(word.text, frozenset())
        name = any(entity.start <= word.start < entity.end for entity in names)
        name = name or word.text[0].isdigit() or (word.start > 0 and text[word.start].isupper())
        if terms | same not in seen:
            seen.add(terms | same)
            yield Key(terms | same, name, word.text in _LIGHT and not name)


@in_its_language
def clauses_of(text: str) -> tuple[Clause, ...]:
    """The sentences of a turn, and the clauses of longer ones."""
    clauses: list[Clause] = []
    spans = sentence_spans(text[:MAX_INPUT])[:_MOST_SENTENCES]
    if len(spans) == 2:  # "Guess who phoned? Anna!"
        whole = text[spans[0][0] : spans[1][1]].strip()
        clauses.append(Clause(whole, whole, whole.endswith("?")))
    for start, end in spans:
        sentence = text[start:end].strip()
        asks = sentence.endswith("?") or only_asks(sentence)
        parts = [part for part in _CLAUSE.split(sentence) if part.strip()]
        clauses.append(Clause(sentence, sentence, asks))
        if len(parts) > 1:
            clauses += [Clause(part, sentence, asks and part is parts[-1]) for part in parts]
    return tuple(clauses)


def evidence_of(clause: Clause, trigger: Trigger, said_at: datetime, speaker: str) -> Evidence:
    """What the words of a clause say about a trigger.

    Args:
        clause: a part of a turn.
        trigger: what is waited for.
        said_at: when it was said, in the time zone of the speaker.
        speaker: who said it; counts as named.
    """
    terms = frozenset(tokens(f"{speaker} {clause.text}"))
    others = [key for key in trigger.keys if not key.name] or list(trigger.keys)
    telling = [key for key in others if not key.light] or others
    found = [key for key in telling if not key.terms.isdisjoint(terms)]
    named = all(not key.terms.isdisjoint(terms) for key in trigger.keys if key.name)
    coverage = len(found) / len(telling) if telling else 0.0
    return Evidence(coverage, len(found), named, _is_real(trigger, clause, found, said_at))


def _is_real(trigger: Trigger, clause: Clause, found: list[Key], said_at: datetime) -> bool:
    folded = fold_letters(clause.text)
    if trigger.kind == "topic":
        return True
    if trigger.kind == "question":
        return clause.asks or _ASKING.search(folded) is not None
    denied = _is_undone(clause.text, folded) != trigger.negative
    if clause.asks or denied or _says_the_opposite(trigger.text, clause.text):
        return False
    return not (
        _is_imagined(trigger, clause.text, found)
        or any(
            time.last < said_at - _LONG_AGO or time.first > said_at + _SOON
            for time in find_times(clause.sentence, said_at)
        )
    )


def _is_undone(text: str, folded: str) -> bool:
    """Whether a clause says that something is not so; where a language lacks the words, whether it denies."""
    if not _denials().isdisjoint(_LETTERS.findall(folded)):
        return True
    code = language_shown(text)
    known = [rules.code for rules in languages() if rules.triggers.undone != NOTHING]
    if code and code not in known:
        return is_negative(text)
    return _UNDONE.search(folded) is not None


@lru_cache(maxsize=1)
def _denials() -> frozenset[str]:
    return frozenset().union(*(language.triggers.denials for language in LANGUAGES.values()))


def _is_imagined(trigger: Trigger, text: str, found: list[Key]) -> bool:
    """Whether a word in front of what is waited for says that it has not happened."""
    expected = set(fold_letters(trigger.text).split())
    for group in _SAME_WORDS():
        if not group.isdisjoint(expected):
            expected |= group
    last = _last_match(text, found)
    return any(
        unreal.start() < last and unreal.group() not in expected
        for unreal in _UNREAL.finditer(fold_letters(text))
    )


def _says_the_opposite(trigger: str, said: str) -> bool:
    """Whether a clause has a word against one that is waited for, and not that one."""
    expected = {word.text for word in words(trigger)}
    spoken = {word.text for word in words(said)}
    for group, opposite in _OPPOSITES():
        waited_for_one = not group.isdisjoint(expected) and opposite.isdisjoint(expected)
        said_the_other = not opposite.isdisjoint(spoken) and group.isdisjoint(spoken)
        if waited_for_one and said_the_other:
            return True
    return False


def _last_match(text: str, found: list[Key]) -> int:
    """Where the last word stands that was waited for; behind everything if there is none."""
    terms = frozenset().union(*(key.terms for key in found))
    places = [word.start for word in words(text) if not terms.isdisjoint(tokens(word.text))]
    return max(places, default=len(text))
