"""Finds guardian facts: allergies, medicines, conditions, needs of access, how to address somebody, what never to do.

A clause tells one if words for it (`[guards]` of a pack) stand where somebody has, is, takes or uses
them, or say by themselves what happens to somebody; and if that one is the speaker, or somebody
whom the speaker names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Literal, NamedTuple

from cogmem_core.reading.model import TELLING, Clause, Guard
from cogmem_core.reading.rest import Source
from cogmem_core.reading.settle import announces
from cogmem_core.reading.tokens import Token, Tokens, span_of
from cogmem_core.reading.topic_words import is_of

_LISTS: tuple[tuple[str, Guard], ...] = (
    ("allergy", "allergy"),
    ("harms", "allergy"),
    ("medicine", "medicine"),
    ("treats", "medicine"),
    ("condition", "condition"),
    ("diagnoses", "condition"),
    ("access", "access"),
    ("limits", "access"),
    ("never", "never"),
    ("forbids", "never"),
    ("address", "address"),
)
_PROGRAMS = re.compile(r"\b(?:fatal|panic|\w{0,40}(?:error|exception|warning))[ \t]*:")
"""The label of what a program says: no order behind it is a person's."""
_HAD = ("allergy", "medicine", "condition", "access")
"""Lists of what somebody has; the others say all by themselves."""
_ORDERS = ("instruction", "request")
_MARKS = frozenset(",;:.!?()\u2013\u2014\u2026\n")
_PERSONS = ("i", "we", "he", "she", "they")
_DENYING = ("negations", "denials")
_LEADS = ("joints", "adverbs", "courtesies")
_BESIDE_VERBS = ("clitics", "objects", "negations", "denying", "mine")
_JOINING = ("harmless", "within")
_NO_NOUN = ("determiners", "adverbs", "own", "numbers", "times", "prepositions", "limiting")
_NO_NAME = (
    *("times", "adverbs", "prepositions", "joints", "subordinating", "particles", "deictic", "now"),
    *("question_words", "limiting", "numbers", "determiners", "courtesies", "infinitive"),
)


class Found(NamedTuple):
    """Words for a guardian fact.

    Attributes:
        words: they.
        before: the words before them, back to a mark.
        behind: those behind them, up to a mark.
    """

    words: Tokens
    before: Tokens
    behind: Tokens

    @property
    def around(self) -> Tokens:
        """The words beside them."""
        return (*self.before, *self.behind)


def guarded(source: Source, clause: Clause, alone: Clause) -> Clause:
    """A clause with what guardian fact it tells; an order that holds for good is an instruction.

    Args:
        source: the text.
        clause: of it.
        alone: the same as it was read without the others.
    """
    told = clause.kind in (*TELLING, *_ORDERS) and clause.holder == "speaker" and clause.meant
    if not (source.pack.guards and told):
        return clause
    reader = _Clause(source, clause, alone)
    kind: Guard | Literal[""] = next((kind for name, kind in _LISTS if any(reader.told(name))), "")
    if kind and clause.kind == "request":
        clause = replace(clause, kind="instruction")
    return replace(clause, guards=kind)


class _Clause:
    """A clause that is searched for words of guardian facts."""

    def __init__(self, source: Source, clause: Clause, alone: Clause) -> None:
        self.source = source
        self.pack = source.pack
        self.clause = clause
        often = self.pack.among("habits", self.words)  # "I have to take insulin daily"
        self.sure = often or alone.mood not in ("hypothetical", "wished", "denied")

    @cached_property
    def words(self) -> Tokens:
        """Its words and marks."""
        return self.source.tokens(self.clause.start, self.clause.end)

    def told(self, name: str) -> Iterator[bool]:
        """Of each place where words of a list stand, whether they tell something of somebody."""
        if name in ("never", "forbids", "address"):
            for found in self._places(name):
                ordered = name != "never" or (self.sure and self._is_order(found))
                lead = self.source.folded[self.clause.start : found.words[0].start]
                foreign = ":" in lead and announces(lead, self.pack, self.clause)
                if foreign or _PROGRAMS.search(lead):
                    continue
                last = self.pack.order == "verb-last" or name != "address"
                yield ordered and (last or not self._is(found.words[-1], *_NO_NAME))
        elif self.clause.kind not in _ORDERS and (self.sure or name == "harms"):
            for found in self._places(name):
                had = name in _HAD
                somebodys = self._is_somebodys(found, had=had)
                yield (
                    somebodys
                    and not self._is_denied(found, had=had)
                    and (not had or self._is_had(found))
                )

    def _places(self, name: str) -> Iterator[Found]:
        folded = self.source.folded
        pack = self.pack
        for start, end in pack.guards[name].places(folded, self.clause.start, self.clause.end):
            before = [word for word in self.words if word.end <= start]
            behind = [word for word in self.words if word.start >= end]
            words = self.words[len(before) : len(self.words) - len(behind)]
            low = max((k + 1 for k, word in enumerate(before) if word.folded in _MARKS), default=0)
            high = next((k for k, word in enumerate(behind) if word.folded in _MARKS), len(behind))
            found = Found(words, before[low:], behind[:high])
            part = (*found.before, *words, *found.behind)
            if pack.guards["none"].within(folded, *span_of(part)) is None:
                yield found

    def _is(self, word: Token, *groups: str) -> bool:
        return self.pack.in_any(groups, word.folded)

    def _is_order(self, found: Found) -> bool:
        """Whether what is never to be done is an order: "so please never book ...", "ne me parle jamais"."""
        pack = self.pack
        folded = self.source.folded
        words = list(found.around)
        ordered = self.clause.kind in _ORDERS
        last = pack.order == "verb-last"  # there the ending of the verb denies, if anything does
        if not words or (ordered and not last):
            return ordered
        if last:
            while len(words) > 1 and self._is(words[-1], *_LEADS):
                del words[-1]
            orders = pack.guards["orders"]  # "arama beni": a pronoun may stand behind it
            return any(
                orders.before(folded, words[0].start, word.end) < word.end for word in words[-2:]
            )
        while len(words) > 1 and self._is(words[0], *_LEADS):
            del words[0]
        if not pack.drops_subject and pack.has("denying", words[0].folded):
            return True  # in no other clause of that language the subject is missing
        verb = next((word for word in words if not self._is(word, *_BESIDE_VERBS)), words[0])
        forms = pack.forms[verb.folded]
        if any(form.verb == verb.folded or form.mood == "hypothetical" for form in forms):
            return True
        first = pack.order == "verb-second" and verb is words[0] and not self._bears(verb)
        leads = not forms and verb.folded not in pack.subjects if pack.drops_subject else first
        if leads and pack.among("mine", words):
            return True  # "Sprich mich nie darauf an"
        return pack.kinds["request"].at(folded, verb.start, self.clause.end) > verb.start

    def _is_denied(self, found: Found, *, had: bool) -> bool:
        """Whether the words are denied, and do not deny something themselves: "can't eat"."""
        if any(self._is(word, *_DENYING) for word in found.words):
            return False
        return any(self._is(word, *_DENYING) for word in found.before) or (
            had and (self.clause.negative or self.clause.ends)
        )

    def _is_somebodys(self, found: Found, *, had: bool) -> bool:
        """Whether the words are about the speaker, or somebody whom the speaker names; who is not named speaks."""
        clause = self.clause
        if clause.subject in _PERSONS or clause.subject.startswith("my "):
            return True
        if any(map(self._names_somebody, found.around if had else (*found.around, *found.words))):
            return True
        if not had:
            return all(self._is(word, *_NO_NOUN) for word in found.before)
        dosed = len(list(self._places("medicine"))) > 1  # "The ramipril is 10 mg now"
        return dosed or clause.kind == "fragment" or not self._verbs(found.around)

    def _names_somebody(self, word: Token) -> bool:
        pack = self.pack
        if pack.subjects.get(word.folded) in _PERSONS or self._is(word, "own", "mine", "users"):
            return True
        if any(is_of((word.folded,), name, pack) for name in ("family", "pets")):
            return True
        named = word.is_capital and (word is self.words[0] or not pack.nouns_capital)
        return named and not (word.folded in pack.forms or self._is(word, *_NO_NOUN))

    def _verbs(self, words: Tokens) -> list[Token]:
        """The verbs among words; where none is without a subject, none stands first."""
        return [
            word
            for place, word in enumerate(words)
            if word.folded in self.pack.forms
            and (self.pack.drops_subject or word is not self.words[0])
            and not (word.folded in self.pack.contracted and self._is(word, "within"))  # "du"
            and not (place and self._makes_noun(words[place - 1], word))
        ]

    def _makes_noun(self, before: Token, word: Token) -> bool:
        """Whether a form of a verb is a noun behind a word: "my type", "have type 1 diabetes"."""
        bare = any(form.verb == word.folded for form in self.pack.forms[word.folded])
        return self._is(before, "determiners", "own", "numbers") or (bare and self._bears(before))

    def _is_had(self, found: Found) -> bool:
        """Whether the words stand with a verb of having them, behind "my", or without any verb."""
        pack = self.pack
        clause = self.clause
        inside = clause.slot and clause.core[0] <= found.words[0].start < clause.core[1]
        if inside and (pack.order == "verb-last" or not self._verbs(self.words)):
            return pack.has("bearing", clause.slot.split()[0]) and clause.tense != "past"
        if pack.among("own", found.before[-2:]):
            return True
        verbs = self._verbs(found.before)
        behind = [] if verbs else self._verbs(found.behind)
        if not (self._bears(verbs[-1]) if verbs else not behind or any(map(self._bears, behind))):
            return False
        noun = False
        for word in found.before[found.before.index(verbs[-1]) + 1 if verbs else 0 :]:
            if noun and pack.has("prepositions", word.folded) and not self._is(word, *_JOINING):
                return False  # "an appointment at the diabetes clinic"
            told = self._is(word, *_NO_NOUN) or word.folded in pack.forms
            # "Ich bin Vegetarier und gegen Nüsse allergisch"
            noun = not pack.has("conjunctions", word.folded) and (noun or not told)
        return True

    def _bears(self, word: Token) -> bool:
        forms = self.pack.forms[word.folded]
        bearing = any(self.pack.has("bearing", form.verb) for form in forms)
        return bearing and all(form.tense != "past" for form in forms)
