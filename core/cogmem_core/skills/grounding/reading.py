"""A text as facts are compared with it: words with their places, clauses, and whether each denies."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.base import GroundingRules, compiled
from cogmem_core.languages.merged import all_words
from cogmem_core.languages.reading import cached_by_language, current
from cogmem_core.reading.endings import verb_of
from cogmem_core.reading.pack import pack_of
from cogmem_core.text.compare.wording import is_negation
from cogmem_core.text.folding import MAX_INPUT, fold_letters, shared_letters
from cogmem_core.text.sentences import sentence_spans
from cogmem_core.text.tokens import tokens

SPEAKER = "\x00speaker"
"""Among the persons of a clause: who says it."""

_TERM = re.compile(
    r"[^\s@,;()<>\"]+@[^\s@,;()<>\"]+\.[^\W_]+"
    r"|https?://[^\s\"<>)]+"
    r"|\d+(?:[.,:]\d+)*(?:[^\W\d_]+\w*)?"
    r"|[^\W\d_]+\d\w*"
    r"|[^\W\d_]+(?:'[^\W\d_]+)*(?:(?<=s)'(?=\s))?"
    r"|[$\u20ac\u00a3\u20ba%]|\u00b0[cf]\b"
)
_NUMBER_AND_WORD = re.compile(r"(\d+(?:[.,:]\d+)*)([^\W\d_]+)")
_ATTACHED = (
    all_words("grounding.units")
    | all_words("grounding.factors")
    | all_words("grounding.meridians")
    | {"st", "nd", "rd", "th"}
)
_CONJUNCTIONS = all_words("compare.statements.conjunctions")
_COMMON = 4  # letters that two forms of one word begin with, at least
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_SHORTEST = 3  # words of a clause before "and"
_SHARE = 0.6  # of the longer form


class Said(NamedTuple):
    """A turn.

    Attributes:
        text: what was said.
        at: when, in the speaker's time zone.
        speaker: the person's name, or "".
        asked: the question that it answers, or "".
    """

    text: str
    at: datetime
    speaker: str = ""
    asked: str = ""


def rules_of(code: str) -> GroundingRules:
    """The rules of a language; of the first one for a language that is not known."""
    return (LANGUAGES.get(code) or next(iter(LANGUAGES.values()))).grounding


@dataclass(frozen=True, slots=True)
class Term:
    """A word, a number or a code of a text.

    Attributes:
        word: folded, without an ending behind an apostrophe.
        full: folded, as it stands.
        start: where it begins.
        end: where it ends.
        capital: it is written with a capital and does not open a sentence.
        opens: it opens a sentence.
    """

    word: str
    full: str
    start: int
    end: int
    capital: bool
    opens: bool


Terms = Sequence[Term]


@dataclass(slots=True)
class SaidClause:
    """A clause.

    Attributes:
        terms: its words, in order.
        denies: whether it denies something; a double negation does not.
        former: it tells what was so once.
        averse: something in it does not agree with somebody.
        without: what something in it is said to be without.
        persons: whom it mentions, see `persons.mentions`.
        inherited: the names of the clause before that "he" stands for.
    """

    terms: list[Term]
    denies: bool
    former: bool
    averse: bool
    without: frozenset[str]
    persons: frozenset[str] = frozenset()
    inherited: frozenset[str] = frozenset()

    @property
    def words(self) -> set[str]:
        """Its words, and the names that it inherits."""
        return {term.word for term in self.terms} | self.inherited


def terms_of(text: str) -> list[Term]:
    """The words, numbers and codes of a text, in order."""
    text = text[:MAX_INPUT]
    folded = fold_letters(text)
    starts: set[int] = set()
    for start, _ in sentence_spans(text):
        first = _TERM.search(folded, start)
        if first:
            starts.add(first.start())
    terms: list[Term] = []
    for match in _TERM.finditer(folded):
        joined = _NUMBER_AND_WORD.fullmatch(match.group())
        if joined and joined[2] in _ATTACHED:
            middle = match.start() + len(joined[1])
            terms.append(_term(joined[1], text, match.start(), starts))
            terms.append(_term(joined[2], text, middle, starts))
        else:
            terms.append(_term(match.group(), text, match.start(), starts))
    return terms


def words_of(text: str) -> frozenset[str]:
    """The words of a text, each once, without the endings behind an apostrophe."""
    return frozenset(term.word for term in terms_of(text))


def _term(full: str, text: str, start: int, starts: Container[int]) -> Term:
    head, _, ending = full.partition("'")
    word = head if len(head) > 1 and ending != "t" else full
    opens = start in starts
    capital = text[start].isupper() and not opens
    return Term(word, full, start, start + len(full), capital, opens)


def clauses_of(text: str, rules: GroundingRules) -> list[SaidClause]:
    """The clauses of a text that say anything, in order."""
    text = text[:MAX_INPUT]
    folded = fold_letters(text)
    terms = terms_of(text)
    clauses: list[SaidClause] = []
    for start, end in clause_spans(text, folded, rules):
        members = [term for term in terms if start <= term.start < end]
        members = _without_openers(folded[:end], members, rules)
        if not members:
            continue
        part = folded[members[0].start : end]
        privatives = compiled(rules.privative).finditer(part)
        clause = SaidClause(
            terms=members,
            denies=_denies(part, members, rules),
            former=compiled(rules.former).search(part) is not None,
            averse=any(term.word in rules.averse for term in members),
            without=frozenset(match[match.lastgroup or 0] for match in privatives),
        )
        clauses.append(clause)
    return clauses


def _without_openers(folded: str, terms: list[Term], rules: GroundingRules) -> list[Term]:
    """The words of a clause without "well" and "no"; "no football" keeps its "no"."""
    while terms and terms[0].word in rules.openers:
        following = terms[1:]
        denial = is_negation(terms[0].word) and following
        if denial and not _denies(folded[following[0].start :], following, rules):
            break
        terms = following
    return terms


def clause_spans(text: str, folded: str, rules: GroundingRules) -> Iterator[tuple[int, int]]:
    """Places of the clauses of a text."""
    joints = compiled(rf"[;:]\s|,(?!\d)|\s[-\u2013\u2014]\s|{rules.joints}")
    for start, end in sentence_spans(text):
        for match in joints.finditer(folded, start, end):
            is_word = match.group().strip().isalpha()
            joins = match.group().strip() in _CONJUNCTIONS
            words = folded[start : match.start()].split()
            figures = any(map(str.isdigit, folded[start : match.start()]))
            if joins and len(words) < _SHORTEST and not figures:
                continue  # "User and Priya keep two cats"
            yield start, match.start()
            # A conjunction opens the clause behind it.
            start = match.start() if is_word else match.end()  # noqa: PLW2901 - the rest of it
        yield start, end


def _denies(part: str, terms: Terms, rules: GroundingRules) -> bool:
    """Whether a clause denies: by a negation, or by a word such as "dislike" or "quit"."""
    plain = compiled(rules.no_denial).sub(" ", part)
    count = len(compiled(rules.denying_phrases).findall(plain))
    plain = compiled(rules.denying_phrases).sub(" ", plain)
    names = {term.full for term in terms if term.capital}
    words = [word for word in _WORD.findall(plain) if word not in names]
    negations = [word for word in words if is_negation(word) and word not in rules.denying]
    negations = [word for word in negations if word not in rules.privatives]
    stressing = [word for word in negations if word in rules.emphatic]
    count += max(len(negations) - len(stressing), min(1, len(stressing)))
    count += sum(word in rules.denying for word in words)
    return count % 2 == 1


def verb_root(word: str) -> str:
    """The root of a folded verb in a language whose words carry endings, or nothing."""
    packs = filter(lambda pack: pack.stemmer == "endings", map(pack_of, current()))
    verbs = filter(None, (verb_of(word, pack) for pack in packs))
    return next((verb.stem for verb in verbs), "")


@cached_by_language(8_192)
def _forms(word: str) -> frozenset[str]:
    """The forms by which a word meets another one: itself, its stems, the root of a verb."""
    root = verb_root(word)
    return frozenset(filter(None, (word, *tokens(word), root if len(root) > 1 else "")))


def alike(first: str, second: str) -> bool:
    """Whether two words may be forms of one, or one short for the other."""
    if first == second or not _forms(first).isdisjoint(_forms(second)):
        return True
    shorter, longer = sorted((first, second), key=len)
    if shorter[0] != longer[0] or not shorter.isalpha():
        return False
    if len(shorter) >= 3 and longer.startswith(shorter):
        return True
    root, other = sorted((verb_root(first), verb_root(second)), key=len)
    if len(root) >= _COMMON and other.startswith(root):
        return True
    return shared_letters(first, second) >= max(_COMMON, _SHARE * len(longer))
