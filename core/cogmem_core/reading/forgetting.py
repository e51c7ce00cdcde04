"""Which texts somebody means who wants something forgotten. Pure, no I/O.

What stands in a wish besides the words that ask ("Please forget that I live in Oslo": "I live in
Oslo") is found by the reader; here is which texts that names. It names a text by an identifier or a
quoted name that stands there as a whole; by saying what the text says; by a thing of the speaker's
("my salary"), which is not his boss's; or by words that all stand in the text. What holds a closer
reason hides what holds only a looser one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from cogmem_core.base.lru import text_cache
from cogmem_core.languages.base import ForgettingRules
from cogmem_core.languages.merged import (
    Kept,
    MergedPattern,
    Words,
    all_patterns,
    all_words,
    languages_read,
)
from cogmem_core.languages.reading import in_its_language
from cogmem_core.languages.tables import lazy_pattern
from cogmem_core.reading import of
from cogmem_core.reading.claims import beginning
from cogmem_core.reading.pack import pack_of
from cogmem_core.reading.topics import names_same
from cogmem_core.text.compare import entailment, is_negative
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.query.exact import Naming
from cogmem_core.text.tokens import tokens
from cogmem_core.values.results import NamedBy

_RULES = Kept(
    lambda: tuple(
        language.query.forgetting for language in languages_read() if language.query.forgetting
    )
)
_SUBJECTS = Words(lambda: chain.from_iterable(rules.subjects for rules in _RULES()))
_OWNERS = Words(lambda: chain.from_iterable(rules.owners for rules in _RULES()))
_NOT_NAMES = all_words(lambda language: language.observe.names.not_names)
_PERSON = MergedPattern(all_patterns(lambda language: language.compare.retellings.persons))
_QUOTE = lazy_pattern('["\u201c\u201d\u201e\u00ab](.{2,80}?)["\u201c\u201d\u00bb]')
_WORD = lazy_pattern(r"[^\W_]+(?:['.@_-][^\W_]+)*")
_ELISION = lazy_pattern(r"(?<=\b[cdjlmnst])'(?=\w)")
_SHORTEST_STATEMENT = 3  # words
_REACH = 3  # words between a thing and its owner
_SPEAKER = ("i", "we", "user")
_OF_SPEAKER = re.compile(r"(?:i|we|my)\b").match
_POSSESSIVE = "'s"


class _Told(NamedTuple):
    """A value that a text tells of the speaker, or of something of his.

    Attributes:
        thing: what it is told of, as folded words; () = the speaker.
        slot: "home", "age", ...; "be" = the value of the thing itself.
        value: the value, as it stands.
    """

    thing: tuple[str, ...]
    slot: str
    value: str


def may_be_name(word: str) -> bool:
    """Whether a word may be a name, and is none that merely begins with a capital letter."""
    return fold_letters(word.partition("'")[0]) not in _NOT_NAMES


@in_its_language
def topic_of(query: str, *, hard: bool) -> str | None:
    """What a phrase is about: "everything about Mara", and softly "the customer 4471 record"."""
    for rules in _RULES():
        match = re.fullmatch(rules.topic, fold_letters(query).strip(" .!?"))
        name = match and ("what" if match["what"] else "thing")
        if match and name and not (hard and name == "thing"):
            lead = len(query) - len(query.lstrip(" .!?"))
            return query[lead + match.start(name) : lead + match.end(name)]
    return None


def is_told(what: str, rules: ForgettingRules, *, mild: bool) -> bool:
    """Whether a wish names a thing of the speaker's, a statement, an identifier or a name.

    Args:
        what: what is to be forgotten.
        rules: of its language.
        mild: whether other things are done with the verb, too ("delete Rosa").
    """
    folded = fold_letters(what)
    naming = Naming(what)
    if naming.identifiers or _QUOTE.search(what) or re.fullmatch(rules.own, folded):
        return True
    if re.match(rules.told, folded) or _told_in(what) is not None or _says_something(what):
        return True
    return not mild and all(word[0].isupper() for word in _WORD.findall(what))


def _says_something(what: str) -> bool:
    """Whether a clause has a subject of the speaker's: "my dog is called Rex", "I hate tea"."""
    words = fold_letters(what).split()
    is_own = words[0] in _SUBJECTS or (words[0] in _OWNERS and len(words) > 3)
    return is_own and len(words) >= 3


class Meant:
    """What a query names, to be looked for in many texts.

    Attributes:
        query: what is to be forgotten, as it was said.
        naming: its words and identifiers.
    """

    def __init__(self, query: str) -> None:
        self.query = query
        self.naming = Naming(query)
        self._quoted = [Naming(match[1]) for match in _QUOTE.finditer(query)]
        self._statement = query
        folded = fold_letters(query).strip(" .!?")
        for rules in _RULES():
            opener = re.match(rules.openers, folded)
            if opener:
                self._statement = query[opener.end() :]
                folded = folded[opener.end() :]
        self._own = _own_of(folded)
        self._of_speaker = self._own or _statement_of_speaker(folded)
        self._told = _told_in(self._statement)

    @property
    def is_own(self) -> bool:
        """Whether the query names something of whoever says it, or tells of him."""
        return bool(self._own) or any(
            _OF_SPEAKER(clause.subject) for clause in of(self._statement).clauses
        )

    def named_by(self, text: str, speaker: str | None = None) -> NamedBy | None:
        """How the query names a text; None if it does not, not even nearly.

        Args:
            text: what a memory says.
            speaker: who said it.
        """
        way: NamedBy | None = None
        if self._quoted:
            way = "quoted" if all(part.exact(text) for part in self._quoted) else None
        elif self.naming.identifiers:
            way = "identifier" if self.naming.loose(text) else None
        else:
            way = self._named_by_words(text, speaker)
        if way is None and self.naming.near(text):
            return "near"
        return way

    def _named_by_words(self, text: str, speaker: str | None) -> NamedBy | None:
        told = _told_in(text, speaker)
        if self._says_the_same(text, told):
            return "statement"
        if self._own is not None:
            if self._own.names_slot(told) or self._own.is_shown(text, speaker):
                return "slot"
            if self._own.thing:
                return self._own.named_by(text)
        return self._holds(text) if self._may_be_said(text, speaker) else None

    def _may_be_said(self, text: str, speaker: str | None) -> bool:
        """Whether a text is about the speaker if the query is, and denies what it denies."""
        if self._of_speaker is None:
            return True
        is_denied = is_negative(self._statement) is not is_negative(text)
        return not is_denied and self._of_speaker.speaks(text, speaker)

    def _holds(self, text: str) -> NamedBy | None:
        """Whether the words of the query stand in a text, as a whole or in some form."""
        if self.naming.exact(text):
            return "name"
        beginnings = _beginnings(self._statement)
        is_enough = len(beginnings) > 1 and beginnings <= _beginnings(text)
        is_enough = is_enough or self.naming.loose(text) or names_same(of(text), self._statement)
        return "words" if is_enough else None

    def _says_the_same(self, text: str, told: _Told | None) -> bool:
        """Whether a text says what the query says, as a statement."""
        if len(self._statement.split()) < _SHORTEST_STATEMENT:
            return False
        if self._told is not None and told is not None:
            return self._told[:2] == told[:2] and _shares_value(self._told.value, told.value)
        if is_negative(self._statement) is not is_negative(text):
            return False
        return entailment(self._statement, text) != "different"


@dataclass(frozen=True, slots=True)
class _Own:
    """Something of the speaker's, in the words of one language.

    Attributes:
        rules: of the language.
        thing: what it is, folded: "salary", "oslo'da yasadigimi"; "" if only its slot is known.
        slots: names of attributes that it may be.
        name: how it was named, as the tables of the language have it.
    """

    rules: ForgettingRules
    thing: str
    slots: tuple[str, ...]
    name: str = ""

    def names_slot(self, told: _Told | None) -> bool:
        """Whether a statement gives the value of the thing: "my age", "where I live"."""
        if told is None:
            return False
        own = _stems(self.thing)
        *owner, last = told.thing or ("",)
        for subject, slot in ((told.thing, told.slot), (owner, last), ((), " ".join(told.thing))):
            if slot in self.slots and all(_stems(word) and _stems(word) <= own for word in subject):
                return True
        labels = (told.thing, (*told.thing, told.slot))
        return bool(own) and any(_stems(" ".join(label)) == own for label in labels)

    def is_shown(self, text: str, speaker: str | None) -> bool:
        """Whether a statement of the speaker shows that it tells the thing: "I weigh 80 kg"."""
        cue = self.rules.cues.get(self.name)
        match = re.search(cue, fold_letters(text)) if cue else None
        if match is None:
            return False
        word_before = _words(text[: match.start()])[-1:]
        is_owned = bool(word_before) and word_before[0] in self.rules.owners
        is_meant = is_owned or not self.rules.objects.isdisjoint(_words(match.group()))
        return is_meant or self.speaks(text, speaker)

    def speaks(self, text: str, speaker: str | None) -> bool:
        """Whether a text is about the speaker, or about what the query says is his."""
        words = _words(text)
        subjects = self.rules.subjects | ({fold_letters(speaker)} if speaker else set())
        if not words or not subjects.isdisjoint(words):
            return bool(words)
        if words[0] not in self.rules.owners:
            return bool(self.rules.own_word)
        return bool(set(words[1:2]) & set(_words(self.thing)))

    def named_by(self, text: str) -> NamedBy | None:
        """How a text speaks of the thing, if it does, and if it is the speaker's there."""
        words = _words(text)
        if self.rules.own_word:
            return "slot" if all(any(map(form.match, words)) for form in self._forms()) else None
        thing_stems = self._stems(self.thing)
        if not thing_stems or not thing_stems <= self._stems(text):
            return None
        for at, word in enumerate(words):
            owner = self._owner_behind(words, at) if self._stems(word) & thing_stems else ""
            if owner and not (owner in self.rules.owners or self._stems(owner) & thing_stems):
                return None
        head = self._stems(self.thing.split()[-1])
        places = [at for at, word in enumerate(words) if head & self._stems(word)]
        owned = [self._is_own(words, at) for at in places]
        if "slot" in owned:
            return "slot"
        return "words" if "words" in owned else None

    def _owner_behind(self, words: list[str], at: int) -> str:
        """Whose a thing is, where that stands behind it: "the code of my locker"; "" if nowhere."""
        following = words[at + 1 : at + 5]
        if len(following) < 2 or following[0] not in self.rules.belonging:
            return ""
        for word in following[2:] if following[1] in self.rules.owners else ():
            if _PERSON.fullmatch(word):
                return word
        return "" if following[1][0].isdigit() else following[1]

    def _is_own(self, words: list[str], at: int) -> NamedBy | None:
        """Whether the word there is the speaker's: it is called his, or he is the subject."""
        thing_words = self.thing.split()
        if _is_owner(words[at]) and words[at] != thing_words[-1]:
            return None
        if self._owner_behind(words, at) in self.rules.owners:
            return "slot"
        for word in reversed(words[max(0, at - _REACH) : at]):
            if word in self.rules.owners:
                return "slot"
            if word in thing_words:
                continue
            if word in self.rules.foreign or _is_owner(word):
                return None
        about = self.rules.subjects | self.rules.owners | self.rules.foreign
        telling = [word for word in words if tokens(word) or word in about]
        if telling and telling[0] in self.rules.owners:
            telling = telling[1:]
        first = telling[0] if telling else ""
        is_subject = first in self.rules.subjects or first in thing_words
        return "words" if is_subject or self._stems(first) & self._stems(self.thing) else None

    def _stems(self, text: str) -> frozenset[str]:
        """The beginnings of words, in one spelling: "allergy" is in "allergic"."""
        return _beginnings(re.sub(self.rules.respelt, "", fold_letters(text)))

    def _forms(self) -> list[re.Pattern[str]]:
        """What has to stand in a text, word by word, where endings say whose it is."""
        rules = self.rules
        words = [word for word in _words(self.thing) if word not in rules.silent]
        verbs = [re.match(rules.own_verb, word) for word in words]
        owned = [
            at for at, word in enumerate(words) if not verbs[at] and re.match(rules.own_word, word)
        ]
        forms: list[re.Pattern[str]] = []
        for at, word in enumerate(words):
            verb = verbs[at]
            own = re.match(rules.own_word, word) if at in owned[-1:] else None
            if verb is not None:
                root = re.sub(r"[aeiu]\Z", "[aeiu]", verb["form"])
                forms.append(re.compile(rf"{root}(?!m[aeiu]){rules.own_verb_ending}"))
            elif own is not None:
                forms.append(re.compile(re.escape(own["form"])))
            else:
                bare = re.sub(rules.object_ending, "", word.partition("'")[0])
                if bare[-1:] in _SOFT:
                    bare = bare[:-1]
                forms.append(
                    re.compile(re.escape(bare[: max(rules.common_beginning, len(bare) - 1)]))
                )
        return forms


_SOFT = "gbdc"  # what a last k, p, t or c becomes before an ending


def _own_of(folded: str) -> _Own | None:
    """What of the speaker's a query names; None if it names nothing of his."""
    for rules in _RULES():
        own = re.fullmatch(rules.own, folded)
        match = re.match(rules.told, folded)
        thing = own["thing"].strip() if own else ""
        slots = rules.slots.get(thing or folded, ())
        if rules.own_word and match and not slots:
            thing = folded
        if thing or slots:
            return _Own(rules, thing, slots, own["thing"].strip() if own else folded)
    return None


def _statement_of_speaker(folded: str) -> _Own | None:
    """A statement about the speaker ("i hate tea", "my dog is called rex"); None if it is none."""
    words = _words(folded)
    for rules in _RULES():
        if words and (words[0] in rules.subjects or words[0] in rules.owners):
            return _Own(rules, folded, ())
    return None


def _words(text: str) -> list[str]:
    return _WORD.findall(_ELISION.sub(" ", fold_letters(text)))


def _beginnings(text: str) -> frozenset[str]:
    return frozenset(map(beginning, tokens(text)))


def _stems(text: str) -> frozenset[str]:
    return frozenset(tokens(text))


def _shares_value(first: str, second: str) -> bool:
    first_stems = _stems(first)
    second_stems = _stems(second)
    return bool(first_stems) and (first_stems <= second_stems or second_stems <= first_stems)


@text_cache(4_096)
def _told_in(text: str, speaker: str | None = None) -> _Told | None:
    """The first value of the speaker's, or of a thing of his, that a text tells of now."""
    found = of(text)
    pack = pack_of(found.language)
    for clause in found.clauses:
        now = clause.tense != "past" or clause.changes
        if (
            not (clause.framed and clause.kind == "statement" and clause.mood == "asserted" and now)
            or clause.negative
            or clause.ends
        ):
            continue
        words = clause.subject.split()
        names = fold_letters(speaker).split() if speaker else []
        size = len(names) if names and words[: len(names)] == names else 1
        if size == 1 and words[0] not in (*_SPEAKER, "my", *names[:1]):
            continue
        thing = tuple(words[size:])
        if pack.is_slot(clause.slot) or (thing and clause.slot == "be"):
            return _Told(thing, clause.slot, clause.value)
    return None


def _is_owner(word: str) -> bool:
    return word.rstrip(".,!?").endswith((_POSSESSIVE, "s'"))


def chosen(ways: Iterable[NamedBy]) -> frozenset[NamedBy]:
    """The ways of naming that count where several memories are named: the closest ones."""
    present = frozenset(ways) - {"near"}
    for way in ("id", "statement", "slot"):
        if way in present:
            return frozenset((way,))
    return present
