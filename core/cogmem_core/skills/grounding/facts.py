"""What a fact says that was not said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain
from typing import Literal

from cogmem_core.languages.base import compiled
from cogmem_core.languages.detect import language_shown
from cogmem_core.languages.merged import all_words
from cogmem_core.skills.grounding.certainty import is_certain
from cogmem_core.skills.grounding.numbers import (
    Amount,
    Times,
    amounts_of,
    implied_periods,
    is_told,
    parts_of,
    periods_of,
    times_of,
    years_of,
)
from cogmem_core.skills.grounding.persons import (
    FOLDED_STOPWORDS,
    GIVEN_NAMES,
    add_persons,
    is_reversed,
    mentions,
    owned_by_others,
    person_of,
    persons_of_fact,
    stands,
)
from cogmem_core.skills.grounding.reading import (
    SPEAKER,
    Said,
    SaidClause,
    Term,
    alike,
    clauses_of,
    rules_of,
    terms_of,
    verb_root,
    words_of,
)
from cogmem_core.text.compare.wording import is_negation
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.observe.entities import entities
from cogmem_core.text.query.questions import last_question, polarity
from cogmem_core.text.sentences import is_verb
from cogmem_core.text.tokens import tokens
from cogmem_core.text.vocabulary import MONTHS, WEEKDAYS

Lack = Literal["number", "unit", "date", "name", "person", "negation", "mood", "words"]
"""What of a fact was not said."""

_GROUNDED = 0.5  # share of a fact's words that have to stand in its turn, or in those before
_SHORTEST_NAME = 3
_OTHER_WORD = 0.75  # what another word for the same weighs
_YES_NO = all_words(lambda language: language.query.yes | language.query.no)
_ASSISTANT = frozenset(("assistant",))


def lack_of(fact: str, turn: Said, earlier: Sequence[Said]) -> Lack | None:
    """What of a fact was not said; None if all of it was.

    Args:
        fact: one sentence that a model took from the turn.
        turn: the turn.
        earlier: turns before it, of which names and words may be.
    """
    comparison = _Comparison(fact, turn, tuple(earlier))
    checks = (
        comparison.lacks_time,
        comparison.lacks_number,
        comparison.lacks_period,
        comparison.lacks_name,
        comparison.lacks_words,
        comparison.turns_denial,
        comparison.swaps,
        comparison.lacks_mood,
    )
    return next(filter(None, (check() for check in checks)), None)


def _answers(text: str) -> bool:
    """Whether a turn begins with yes or no."""
    return any(term.word in _YES_NO for term in terms_of(text)[:1])


class _Comparison:
    """A fact beside its turn."""

    def __init__(self, fact: str, turn: Said, earlier: tuple[Said, ...]) -> None:
        if not turn.asked and earlier and _answers(turn.text):
            turn = turn._replace(asked=last_question(earlier[-1].text))
        self.fact = fact
        self.turn = turn
        # The language of the first text that shows one.
        languages = map(language_shown, (turn.text, fact, turn.asked))
        self.rules = rules_of(next(filter(None, languages), ""))
        self.own_text = f"{turn.asked}\n{turn.text}".strip()
        self.earlier = earlier
        self.terms = terms_of(fact)
        self.speaker = words_of(turn.speaker)
        self.users = self.rules.user | self.speaker
        self.own_terms = terms_of(self.own_text)
        earlier_texts = [other.text for other in earlier]
        self.texts = [self.own_text, *earlier_texts]
        self.said_terms = [*self.own_terms, *chain.from_iterable(map(terms_of, earlier_texts))]

    @cached_property
    def said_words(self) -> frozenset[str]:
        """The words that were said, in the turn or before it."""
        words: set[str] = set()
        for term in self.said_terms:
            words |= {term.word, term.full}
        for turn in self.earlier:
            words |= words_of(turn.speaker)
        return frozenset(words)

    @cached_property
    def times(self) -> list[Times]:
        """The times that were said."""
        said = [(self.own_text, self.turn.at), *((said.text, said.at) for said in self.earlier)]
        return [times_of(text, at, self.rules) for text, at in said]

    @cached_property
    def fact_times(self) -> Times:
        """The times of the fact."""
        return times_of(self.fact, self.turn.at, self.rules, said=False)

    @cached_property
    def said_amounts(self) -> list[Amount]:
        """The numbers that were said."""
        return list(chain.from_iterable(amounts_of(text, self.rules) for text in self.texts))

    def _in_time(self, part: Term | Amount) -> bool:
        return any(a <= part.start and part.end <= b for a, b in self.fact_times.spans)

    def _counts(self, term: Term) -> bool:
        """Whether a word of the fact has to be grounded."""
        word = term.word
        if word in FOLDED_STOPWORDS or word in self.rules.plain or len(word) < 2:
            return False
        if word in self.users or word in _ASSISTANT:
            return False
        return not self._in_time(term)

    def _stands(self, word: str, words: Iterable[str]) -> bool:
        return stands(word, words, self.rules)

    def lacks_words(self) -> Lack | None:
        """Most words have to be those of the turn, and in each clause at least one."""
        own = words_of(self.own_text)
        counted = [term.word for term in self.terms if self._counts(term)]
        if not counted:
            return None if self._has_ground(own) else "words"
        grounded = [word for word in counted if self._is_grounded(word, own)]
        if len(grounded) < _GROUNDED * len(counted):
            from_earlier = [word for word in counted if self._stands(word, self.said_words)]
            if len(from_earlier) < _GROUNDED * len(counted):
                return "words"
        if not grounded:
            return None
        for clause in clauses_of(self.fact, self.rules):
            counting = filter(self._counts, clause.terms)
            words = [term.word for term in counting if not is_verb(term.word)]
            if words and not any(self._is_grounded(word, self.said_words) for word in words):
                return "words"
        return None

    def _has_ground(self, own: frozenset[str]) -> bool:
        """Whether a fact of plain words only says something of its turn."""
        indexed = set(tokens(self.fact)) - set(tokens(self.turn.speaker)) - {"user"}
        return not indexed or not own or any(self._stands(term.word, own) for term in self.terms)

    def _is_grounded(self, word: str, words: frozenset[str]) -> bool:
        if word[0].isdigit() or word in self.rules.numbers:
            return True  # numbers are looked at on their own
        return self._stands(word, words)

    def lacks_mood(self) -> Lack | None:
        """What was only asked, wished or supposed is no fact, and what was so once is not so now."""
        words = [term.word for term in self.terms if self._counts(term)]
        texts = [] if self.turn.asked else [self.turn.text, *(turn.text for turn in self.earlier)]
        users = self.users | {"user"}
        return None if is_certain(self.fact, texts, words, self._stands, users) else "mood"

    def lacks_time(self) -> Lack | None:
        """Dates and hours have to be those that were said, or that "tomorrow" means."""
        today = self.turn.at.date()
        for mention in self.fact_times.mentions:
            if not is_told(mention, self.times, today) and not self._is_since(mention.text):
                return "date"
        said_hours = frozenset(chain.from_iterable(times.hours for times in self.times))
        return "number" if not self.fact_times.hours <= said_hours else None

    def _is_since(self, text: str) -> bool:
        """Whether a year is the one that lies as many years back as were told."""
        year = self.turn.at.year
        for amount in self.said_amounts:
            for value in amount.values:
                if (
                    amount.unit == "year"
                    and value.isdigit()
                    and text.endswith(str(year - int(value)))
                ):
                    return True
        return False

    def lacks_number(self) -> Lack | None:
        """Each number has to be said, with its unit."""
        for amount in amounts_of(self.fact, self.rules):
            if not self._in_time(amount):
                lack = self._lack_of_amount(amount)
                if lack:
                    return lack
        for term in self.terms:
            is_code = any(map(str.isdigit, term.word)) and not term.word[0].isdigit()
            if (is_code or "@" in term.word) and term.word not in self.said_words:
                return "number"
        return None

    def _lack_of_amount(self, amount: Amount) -> Lack | None:
        same_values = [other for other in self.said_amounts if other.values & amount.values]
        if not amount.ordinal:
            same_values = [other for other in same_values if not other.ordinal]
        if not same_values:
            return None if self._is_told_otherwise(amount) else "number"
        if self._counts_otherwise(amount, same_values):
            return "number"
        has_unit = not amount.unit or self._has_unit(amount, same_values)
        return None if has_unit else "unit"

    def _is_told_otherwise(self, amount: Amount) -> bool:
        """Whether a number is part of a date, a word with other meanings, or says "a second"."""
        if amount.unit:
            return "1" in amount.values and bool(self.rules.single & self.said_words)
        if amount.values & years_of(self.times):
            return True
        word = fold_letters(self.fact[amount.start : amount.end])
        if amount.loose and (word in self.rules.single or word in self.said_words):
            return True
        if "1" in amount.values and self.rules.single & self.said_words:
            return True
        return "2" in amount.values and "second" in self.said_words

    def _counts_otherwise(self, amount: Amount, same_values: Sequence[Amount]) -> bool:
        """Whether so many of this thing were told, but another number."""
        if amount.unit or not amount.noun.isalpha() or amount.noun in FOLDED_STOPWORDS:
            return False
        if amount.noun in self.rules.aged:
            return False
        if any(other.noun in FOLDED_STOPWORDS for other in same_values):
            return False  # "12 people, 7 of them"
        same = [
            other
            for other in self.said_amounts
            if other.noun and self._stands(amount.noun, [other.noun])
        ]
        return bool(same) and not any(other.values & amount.values for other in same)

    def _has_unit(self, amount: Amount, same_values: Sequence[Amount]) -> bool:
        if any(other.unit == amount.unit for other in same_values):
            return True
        bare = [other for other in same_values if not other.unit]
        if bare and amount.unit == "year" and amount.aged:
            return True
        units = {self.rules.units.get(term.full) for term in self.own_terms}
        return bool(bare) and amount.unit in units

    def lacks_period(self) -> Lack | None:
        """How often something happens has to be said."""
        masked = self.fact
        for start, end in self.fact_times.spans:
            masked = masked[:start] + " " * (end - start) + masked[end:]
        said: set[str] = set()
        for text in self.texts:
            said |= periods_of(text, self.rules) | implied_periods(text, self.rules)
        for amount in amounts_of(masked, self.rules):
            if amount.aged and amount.unit == "year":
                said.add("year")
        if periods_of(masked, self.rules) - said:
            return "unit"
        said_parts = parts_of(self.own_text, self.rules)
        strange = parts_of(masked, self.rules) - said_parts
        return "unit" if said_parts and strange else None

    # Names

    def lacks_name(self) -> Lack | None:
        """Each name and each relative has to be named."""
        for term in self.terms:
            if term.word in self.users or term.word in _ASSISTANT:
                continue
            person = person_of(term.word, self.rules)
            if person:
                if not self._stands(term.word, self.said_words):
                    return "person"
            elif self._is_name(term) and not self._is_named(term):
                return "name"
        return None

    def _is_name(self, term: Term) -> bool:
        """Whether a word of the fact is a name."""
        if not term.full[0].isalpha() or term.word in FOLDED_STOPWORDS or self._in_time(term):
            return False
        return term.capital or (term.opens and term.word in self._opening_names)

    @cached_property
    def _opening_names(self) -> frozenset[str]:
        """Names with which a sentence of the fact begins."""
        names: set[str] = set()
        for entity in entities(self.fact):
            if entity.kind not in ("date", "number"):
                names |= words_of(self.fact[entity.start : entity.end])
        for first, second in zip(self.terms, (*self.terms[1:], None), strict=True):
            has_ending = first.full != first.word
            is_part = second is not None and second.capital and second.start == first.end + 1
            if not first.opens or first.word in self.rules.plain:
                continue
            acts = second is not None and is_verb(second.word)
            acts = acts and not self._stands(first.word, self.said_words)
            if has_ending or is_part or acts or first.word in GIVEN_NAMES:
                names.add(first.word)
        return frozenset(names)

    def _is_named(self, term: Term) -> bool:
        word = term.word
        if word in self.said_words or term.full in self.said_words:
            return True
        if word in MONTHS or word in WEEKDAYS:
            return self._is_day_named(word)
        if term.opens and any(alike(word, other) for other in self.said_words):
            return term.word not in GIVEN_NAMES
        if any(self._is_other_form(word, other) for other in self.said_words):
            return True
        if any(word in same and not same.isdisjoint(self.said_words) for same in self.rules.same):
            return True
        return word in self.rules.plain or word in self.rules.units or word in self.rules.meridians

    def _is_day_named(self, word: str) -> bool:
        """Whether a weekday or a month was named; "the end of the month" names this one."""
        table = MONTHS if word in MONTHS else WEEKDAYS
        this_month = MONTHS.get(word) == self.turn.at.month
        if this_month and "month" in periods_of(self.own_text, self.rules):
            return True
        return any(other in table and alike(word, other) for other in self.said_words)

    def _is_other_form(self, word: str, other: str) -> bool:
        """Whether one of two names is the other one with an ending: Ankara, Ankarali."""
        shorter, longer = sorted((word, other), key=len)
        if len(shorter) < _SHORTEST_NAME or not other.isalpha():
            return False
        return longer.startswith(shorter) and bool(
            compiled(rf"\'?(?:{self.rules.demonym})").fullmatch(longer, len(shorter))
        )

    # Who and whether

    @cached_property
    def names(self) -> frozenset[str]:
        """The words that were written as names."""
        return frozenset(
            term.word for term in self.said_terms if term.capital and term.word[0].isalpha()
        )

    @cached_property
    def common(self) -> frozenset[str]:
        """The words that were written as no names; none where nobody writes capitals."""
        if not self.names:
            return frozenset()
        return frozenset(term.word for term in self.said_terms if not (term.capital or term.opens))

    @cached_property
    def clauses(self) -> list[SaidClause]:
        """The clauses of the turn; its question is one with a short answer."""
        earlier: frozenset[str] = frozenset()
        for turn in self.earlier:
            clauses = clauses_of(turn.text, self.rules)
            add_persons(clauses, self.rules, earlier)
            earlier |= frozenset(chain.from_iterable(clause.persons for clause in clauses))
        clauses = clauses_of(self.turn.text, self.rules)
        add_persons(clauses, self.rules, earlier)
        if self.turn.asked:
            clauses = [*self._answered(clauses), *clauses]
        return clauses

    def _answered(self, clauses: Sequence[SaidClause]) -> list[SaidClause]:
        """The clauses of the question as the answer leaves them."""
        question_clauses = clauses_of(self.turn.asked, self.rules)
        agrees = polarity(self.turn.text)
        if agrees is None and _answers(self.turn.text):
            agrees = polarity(terms_of(self.turn.text)[0].word)
        denied = agrees is False or (agrees is None and any(clause.denies for clause in clauses))
        # "Who cooks?" is told of whoever the answer names.
        persons = frozenset(chain.from_iterable(clause.persons for clause in clauses)) | {SPEAKER}
        for clause in question_clauses:
            clause.denies ^= denied
            clause.persons = persons
        return question_clauses

    def _matching(
        self, clause: SaidClause, ignored: frozenset[str] = frozenset()
    ) -> list[SaidClause]:
        """The clauses of the turn that share most words with one of the fact."""
        weights = [(term.word, self._weight(term, clause.terms[-1])) for term in clause.terms]
        weights = [(word, weight) for word, weight in weights if word not in ignored]
        scores: list[float] = []
        for other_clause in self.clauses:
            words = other_clause.words
            score = 0.0
            for word, weight in weights:
                if word in words or (weight >= 1 and any(alike(word, other) for other in words)):
                    score += weight
                elif weight >= 1 and self._stands(word, words):
                    score += _OTHER_WORD * weight
            scores.append(score)
        best = max(scores, default=0.0)
        if best < 1:
            return []
        return [
            other_clause
            for other_clause, score in zip(self.clauses, scores, strict=True)
            if score == best
        ]

    def _weight(self, term: Term, last: Term) -> float:
        """What a word weighs: a thing more than a verb, which several clauses may share."""
        if self._counts(term):
            ends = term is last and bool(self.rules.person_ending) and not term.capital
            return 1.5 if ends or is_verb(term.word) or verb_root(term.word) else 2.0
        if term.word in self.users:
            return 0.0
        return 1.0 if term.word in self.rules.plain and term.word not in FOLDED_STOPWORDS else 0.25

    def turns_denial(self) -> Lack | None:
        """What was denied stays denied, and nothing else is."""
        said_denies = any(clause.denies for clause in self.clauses)
        for clause in clauses_of(self.fact, self.rules):
            matching = self._matching(clause)
            if not matching:
                if clause.denies and not said_denies:
                    return "negation"
            elif not any(self._agree(clause, other) for other in matching):
                return "negation"
        return None

    def _agree(self, clause: SaidClause, other_clause: SaidClause) -> bool:
        """Whether a clause of the fact denies what a clause of the turn denies."""
        words = clause.words
        missing = {word for word in other_clause.without if self._stands(word, words)}
        kept_words = {word for word in clause.without if self._stands(word, other_clause.words)}
        if missing and not (clause.denies or kept_words):
            return False
        lacked = set(chain.from_iterable(other.without for other in self.clauses))
        if clause.without and not (
            other_clause.denies or any(map(lacked.__contains__, clause.without))
        ):
            return False
        if clause.averse != other_clause.averse:
            return self._agree_on_aversion(clause, other_clause)
        if clause.denies == other_clause.denies or (missing and clause.denies):
            return True
        return other_clause.former and self._is_past(clause)

    def _agree_on_aversion(self, clause: SaidClause, other_clause: SaidClause) -> bool:
        """Who is allergic to nuts eats none; the clause may say so of a second person, too."""
        if other_clause.averse:
            return clause.denies != other_clause.denies
        is_told = any(other.averse and not other.denies for other in self.clauses)
        return not clause.denies and (other_clause.denies or is_told)

    def _is_past(self, clause: SaidClause) -> bool:
        return any(
            term.word.endswith("ed") or term.word in ("was", "were") for term in clause.terms
        )

    def swaps(self) -> Lack | None:
        """Of whom something was said, of them the fact says it, and of nobody else."""
        for clause in clauses_of(self.fact, self.rules):
            if self._swaps_person(clause) or self._swaps_values(clause):
                return "person"
        return None

    def _swaps_person(self, clause: SaidClause) -> bool:
        persons, only_owner = persons_of_fact(clause.terms, self.rules, self.speaker, self.common)
        names = persons.union(term.word for term in clause.terms if self._is_name(term))
        for other in self.clauses:
            if is_reversed(clause.terms, other.terms, names, self.rules, self.speaker):
                return True
        for term, following in zip(clause.terms, clause.terms[1:], strict=False):
            own = term.word in self.users and compiled(self.rules.possessive).search(term.full)
            if own and owned_by_others(following.word, self.clauses, self.rules):
                return True
        if not persons or only_owner:
            return False
        ignored = frozenset(
            term.word
            for term in clause.terms
            if term.word in persons or person_of(term.word, self.rules) in persons
        )
        matching = self._matching(clause, ignored)
        groups = [other.persons for other in matching if other.persons]
        if not groups or len(groups) < len(matching):
            return False
        return not any(self._meet(persons, clause, group) for group in groups)

    def _meet(self, persons: frozenset[str], clause: SaidClause, group: frozenset[str]) -> bool:
        """Whether a clause of the fact mentions somebody of a group."""
        if SPEAKER in persons and (SPEAKER in group or group <= self.rules.roles):
            return True
        words = clause.words
        named = group - {SPEAKER}
        return any(mentions(words, person, self.rules) for person in named)

    def _swaps_values(self, clause: SaidClause) -> bool:
        """Whether a clause puts together what was said of two things: "7 in Tallinn"."""
        subject = self._opening(clause)
        marked = [term for term in clause.terms if self._marks(term, subject)]
        for index, first in enumerate(marked):
            for second in marked:
                if first is second:
                    continue
                kinds = (self._kind(first, subject), self._kind(second, subject))
                if "denying" in kinds:
                    torn = kinds[0] == "denying" and marked[index + 1 : index + 2] == [second]
                    torn = torn and self._has_rival(first, second, kinds[1])
                else:
                    torn = self._has_rival(first, second, kinds[1])
                    sure = kinds[1] == "part" or kinds == ("day", "name")
                    torn = torn and (sure or self._has_rival(second, first, kinds[0]))
                if torn:
                    return True
        return False

    def _marks(self, term: Term, subject: Term | None) -> bool:
        if term.word in self.rules.user:
            return False
        kind = self._kind(term, subject)
        return bool(kind) and (kind == "day" or not self._in_time(term))

    def _has_rival(self, first: Term, second: Term, kind: str) -> bool:
        """Whether no clause holds both, and that of the first another one of the second's kind."""
        holding = [other for other in self.clauses if self._stands(first.word, other.words)]
        if any(self._stands(second.word, other.words) for other in holding):
            return False
        if not any(self._stands(second.word, other.words) for other in self.clauses):
            return False
        for other in holding:
            subject = self._opening(other)
            for term in other.terms:
                is_rival = self._kind(term, subject) == kind or (
                    kind == "subject" and term is subject
                )
                if is_rival and not alike(term.word, first.word):
                    return True
        return False

    def _kind(self, term: Term, subject: Term | None) -> str:
        """What a word may be taken for: a number, a name, a day, a part of the day, a subject."""
        rules = self.rules
        word = term.word
        kind = ""
        if word in rules.forenoon or word in rules.afternoon:
            kind = "part"
        elif word in rules.denying or is_negation(word):
            kind = "denying"
        elif word[0].isdigit() or (word in rules.numbers and word not in rules.loose):
            kind = "number"
        elif word in WEEKDAYS or word in MONTHS:
            kind = "day"
        elif (
            word in self.names
            and word.isalpha()
            and word not in FOLDED_STOPWORDS
            and not person_of(word, rules)
        ):
            kind = "name"
        elif term is subject:
            kind = "subject"
        return kind

    def _opening(self, clause: SaidClause) -> Term | None:
        """The thing that a clause begins with."""
        for term in clause.terms:
            if term.word in self.rules.speakers or term.word in self.rules.user:
                return None
            if self._counts(term) and not is_verb(term.word):
                return term
        return None
