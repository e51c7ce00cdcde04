"""Of whom a clause speaks: the speaker, relatives and other persons without a name, and names."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from itertools import chain, product

from cogmem_core.languages.base import GroundingRules, compiled
from cogmem_core.languages.merged import Words, all_words
from cogmem_core.skills.grounding.reading import SPEAKER, SaidClause, Terms, alike
from cogmem_core.text.compare.wording import OWN_ENDING
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.sentences import is_verb
from cogmem_core.text.vocabulary import MONTHS, STOPWORDS, WEEKDAYS

GIVEN_NAMES = all_words("observe.names.given_names")
FOLDED_STOPWORDS = Words(lambda: map(fold_letters, STOPWORDS))


def person_of(word: str, rules: GroundingRules) -> str:
    """The one spelling of a word for a person or an animal, or ""."""
    if word in rules.persons:
        return rules.persons[word]
    if not rules.person_ending:
        return ""
    for table in (rules.persons, rules.person_roots):
        for root, person in table.items():
            if word.startswith(root) and compiled(rules.person_ending).fullmatch(word, len(root)):
                return person
    return ""


def _is_person(person: str, word: str, rules: GroundingRules) -> bool:
    """Whether a word means a person, or one of those for which the person may stand."""
    broader = rules.broader
    other = word if word in broader else person_of(word, rules)
    return bool(person) and (other == person or other in broader.get(person, ()))


def stands(word: str, words: Iterable[str], rules: GroundingRules) -> bool:
    """Whether a word stands among others, in some form or in another word for it."""
    listed = list(words)
    if any(alike(word, other) for other in listed):
        return True
    person = person_of(word, rules)
    if person and any(_is_person(person, other, rules) for other in listed):
        return True
    return any(word in same and not same.isdisjoint(listed) for same in rules.same)


def mentions(words: Iterable[str], person: str, rules: GroundingRules) -> bool:
    """Whether a person, or somebody who may stand for them, is among words."""
    return any(
        alike(person, word) or _is_person(person_of(word, rules), person, rules) for word in words
    )


def add_persons(
    clauses: Sequence[SaidClause], rules: GroundingRules, earlier: frozenset[str]
) -> None:
    """Note in each clause whom it mentions; "he" and a clause without a subject mean those before.

    Args:
        clauses: of one turn, in order.
        rules: the rules of its language.
        earlier: whom the turns before mention.
    """
    previous = earlier
    for clause in clauses:
        own = frozenset(
            chain.from_iterable(_mention(clause.terms, i, rules) for i in range(len(clause.terms)))
        )
        if rules.person_ending and _is_own(clause.terms, rules):
            own |= {SPEAKER}
        words = {term.full for term in clause.terms}
        leans = not words.isdisjoint(rules.third)
        if leans or (not own and is_verb(clause.terms[0].word)):
            clause.inherited = previous - {SPEAKER}
            own |= clause.inherited if leans else previous
        clause.persons = own
        subject = _subject(clause.terms, rules)
        # Of "We adopted Luna" the next "she" is Luna.
        previous = (subject if subject - {SPEAKER} else own) or previous


def _mention(terms: Terms, index: int, rules: GroundingRules) -> tuple[str, ...]:
    """Whom a word of a clause mentions."""
    term = terms[index]
    person = person_of(term.word, rules)
    if person:
        return (person,)
    if term.full in rules.owners:
        return () if _has_person_behind(terms, index, rules) else (SPEAKER,)
    if term.full in rules.speakers or term.word in rules.speakers:
        return (SPEAKER,)
    return (term.word,) if is_personal_name(terms, index, rules) else ()


def _has_person_behind(terms: Terms, index: int, rules: GroundingRules) -> bool:
    """Whether one of the next words is a person, as in "my older sister"."""
    return any(person_of(term.word, rules) for term in terms[index + 1 : index + 4])


def is_personal_name(terms: Terms, index: int, rules: GroundingRules) -> bool:
    """Whether a word may be the name of a person: no day, no month, and nowhere in "in ..."."""
    term = terms[index]
    word = term.word
    ending = term.full.partition("'")[2]
    if not word.isalpha() or word in WEEKDAYS or word in MONTHS:
        return False
    if word in FOLDED_STOPWORDS and not (term.capital or (term.opens and ending)):
        return False
    if ending and compiled(rules.place_ending).fullmatch(ending):
        return False
    previous = terms[index - 1] if index else None
    if previous and (
        previous.word in rules.places
        or (previous.capital and not is_personal_name(terms, index - 1, rules))
    ):
        return False
    if term.capital:
        return True
    following = terms[index + 1].word if index + 1 < len(terms) else ""
    return term.opens and (bool(ending) or is_verb(following) or word in GIVEN_NAMES)


def _is_own(terms: Terms, rules: GroundingRules) -> bool:
    """Whether a clause ends in the first person, in a language with such endings."""
    term = terms[-2] if len(terms) > 1 and terms[-1].word in rules.having else terms[-1]
    return not person_of(term.word, rules) and OWN_ENDING.fullmatch(term.word) is not None


def _subject(terms: Terms, rules: GroundingRules) -> frozenset[str]:
    """The first person of a clause, with the names beside it; empty if there is none."""
    subject: set[str] = set()
    for index, term in enumerate(terms):
        if term.full in rules.third:
            return frozenset()
        mentions = _mention(terms, index, rules)
        if mentions:
            subject.update(mentions)
        elif subject and term.word not in rules.naming:
            break
    return frozenset(subject)


def persons_of_fact(
    terms: Terms, rules: GroundingRules, speaker: Iterable[str], common: Container[str]
) -> tuple[frozenset[str], bool]:
    """Whom a fact mentions, and whether the speaker is there only as the owner of a thing.

    Args:
        terms: the words of a clause of the fact.
        rules: the rules of its language.
        speaker: the names of who said it.
        common: words that were said in small letters, which are no names.
    """
    names = set(speaker)
    persons: set[str] = set()
    is_owner = False
    is_speaker = False
    for index, term in enumerate(terms):
        person = person_of(term.word, rules)
        if term.word in rules.user or term.word in names or term.full in rules.user:
            own = term.full in rules.owners or term.full in rules.own_possessive
            own = own or (
                term.full != term.word and compiled(rules.possessive).search(term.full) is not None
            )
            if own and _has_person_behind(terms, index, rules):
                continue
            is_owner |= own
            is_speaker |= not own
        elif person:
            persons.add(person)
        elif term.word not in common and is_personal_name(terms, index, rules):
            persons.add(term.word)
    has = terms[-1].word in rules.having
    only_owner = not has and is_owner and not is_speaker and not persons
    return frozenset(persons | ({SPEAKER} if is_owner or is_speaker else set())), only_owner


def is_reversed(
    fact: Terms,
    said: Terms,
    names: frozenset[str],
    rules: GroundingRules,
    speaker: frozenset[str],
) -> bool:
    """Whether a fact turns "A gave B" into "B gave A", or "A over B" into "B over A".

    Args:
        fact: the words of a clause of the fact.
        said: the words of a clause that was said.
        names: names in the fact.
        rules: the rules of the language.
        speaker: the names of who said it.
    """
    fact_words = _as_words(fact, rules, speaker)
    said_words = _as_words(said, rules, speaker)
    passive = rules.passive.intersection(fact_words)
    if not passive <= set(said_words):
        return False
    if rules.person_ending and _changes_case(fact, said, rules, speaker):
        return True
    triples = set(zip(said_words, said_words[1:], said_words[2:], strict=False))
    turned = set(zip(fact_words[2:], fact_words[1:], fact_words, strict=False))
    if any(first != last for first, _, last in triples & turned):
        return True
    order = {word: index for index, word in reversed(list(enumerate(fact_words)))}
    said_order = {word: index for index, word in reversed(list(enumerate(said_words)))}
    shared = [word for word in said_order if word in order]
    ends = [word for word in shared if word in names or word == SPEAKER]
    for middle, first, last in product(shared, ends, ends):
        is_between = said_order[first] < said_order[middle] < said_order[last]
        if is_between and order[last] < order[middle] < order[first]:
            return True
    return False


def _changes_case(
    fact: Terms, said_terms: Terms, rules: GroundingRules, speaker: frozenset[str]
) -> bool:
    """Whether who does something and whom it is done to change places, told by their endings."""
    doing, done_to = _by_case(fact, rules, speaker)
    said_doing, said_done_to = _by_case(said_terms, rules, speaker)
    return not doing.isdisjoint(said_done_to) and not done_to.isdisjoint(said_doing)


def _by_case(
    terms: Terms, rules: GroundingRules, speaker: frozenset[str]
) -> tuple[set[str], set[str]]:
    plain: set[str] = set()
    cased: set[str] = set()
    for term in terms:
        is_speaker = term.word in rules.speakers or term.word in rules.user or term.word in speaker
        if not (is_speaker or term.capital or term.opens):
            continue
        has_case = term.full != term.word or term.full in rules.objects
        (cased if has_case else plain).add(SPEAKER if is_speaker else term.word)
    return plain, cased


def _as_words(terms: Terms, rules: GroundingRules, speaker: frozenset[str]) -> list[str]:
    """The words of a clause, the speaker as one of them."""
    names: list[str] = []
    for term in terms:
        own = term.full in rules.owners or compiled(rules.possessive).search(term.full)
        is_speaker = term.full in rules.speakers or term.word in rules.user or term.word in speaker
        names.append(SPEAKER if is_speaker and not own else term.word)
    return names


def owned_by_others(word: str, clauses: Iterable[SaidClause], rules: GroundingRules) -> bool:
    """Whether a thing is somebody else's wherever it is named."""
    owners: list[bool] = []
    for clause in clauses:
        for index, term in enumerate(clause.terms):
            if term.word != word:
                continue
            words_before = [other.full for other in clause.terms[max(0, index - 2) : index]]
            other_owner = words_before and (
                words_before[-1] in rules.other_owners
                or compiled(rules.possessive).search(words_before[-1])
            )
            own = any(name in rules.owners for name in words_before)
            owners.append(bool(other_owner) and not own)
    return bool(owners) and all(owners)
