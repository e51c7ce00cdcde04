"""Split a compound question into two to four that each stand on their own. Pure.

A question is cut between its question marks, at semicolons, before "and also", and at an "and" that
a question of its own follows; what the second half leaves out and plainly shares is carried over.
Names joined directly ("What do Ana and Bob like?") give one question each. Never inside quotation
marks or brackets. In doubt a question stays whole: one query too broad still finds something, a
torn one finds something else.
"""

# ruff: noqa: RUF001 - names are spelt with the letters of all languages

from __future__ import annotations

import re
from typing import NamedTuple

from cogmem_core.languages import Language
from cogmem_core.languages.base import SplitRules
from cogmem_core.languages.merged import (
    Kept,
    MergedPattern,
    Words,
    all_patterns,
    all_words,
    any_word,
    filled,
    languages_read,
    mark,
)
from cogmem_core.languages.needed import QuickPattern
from cogmem_core.languages.reading import in_its_language
from cogmem_core.languages.tables import any_of, lazy_pattern
from cogmem_core.text.folding import fold_letters, inside, quoted_spans, single_spaced
from cogmem_core.text.observe.entities import entities
from cogmem_core.text.sentences import sentence_spans
from cogmem_core.text.tokens import tokens

CONJUNCTIONS = all_words("query.split.droppable")
"""Words that a split may drop."""

_MAX_PARTS = 4
_MAX_LENGTH = 600  # characters; a longer query is a text about something, not a compound question
_BRACKETS = re.compile(r"\([^()\n]*\)|\[[^\[\]\n]*\]")
_SEMICOLON_WORDS = any_word(all_words("query.split.semicolon_words"))
_ALSO = any_word(all_words("query.split.also"))
_AND = mark(lambda: any_of(language.query.split.conjunction for language in languages_read()))
_AFTER_AND = any_word(all_words("query.split.conjunction_followers"))
_NOTHING = r"(?!)"  # a pattern that matches nothing
_JOINT = MergedPattern(
    rf"(?P<mark>;)\s*(?:{_SEMICOLON_WORDS}\s+)?|,?\s+(?P<also>{_ALSO}),?\s+"
    rf"|,?\s+(?P<and>{_AND})\s+(?:{_AFTER_AND}\s+)?|(?P<comma>,)\s+",
    re.IGNORECASE,
)
_ALTERNATIVE = MergedPattern(rf"{any_word(all_words('query.split.alternatives'))}\b", re.IGNORECASE)
_TOGETHER = MergedPattern(rf"\b(?:{all_patterns('query.split.together')})\b")
_FIXED_NAMES = all_words("query.split.fixed_names")
_NOT_NAMES = all_patterns("query.split.not_names")
_NAME = rf"(?!(?i:{_NOT_NAMES})\b)[A-ZÇĞİÖŞÜ][\w-]+(?: [A-ZÇĞİÖŞÜ][\w-]+)?"
_NAMES = MergedPattern(rf"\b{_NAME}")
_NAME_FIRST = MergedPattern(rf"(?P<name>{_NAME})(?:['\u2019]\w+)?(?P<rest> .+)")
_NAME_WITH_ENDING = MergedPattern(rf"{_NAME}(?:['\u2019]\w+)?")
_DROPPED = Words(lambda: [token for word in CONJUNCTIONS for token in tokens(word)])


class _Forms(NamedTuple):
    """The rules of a language, with its patterns compiled; a missing pattern matches nothing."""

    rules: SplitRules
    question_word: re.Pattern[str]
    question_pair: re.Pattern[str]
    both: re.Pattern[str]
    subject: re.Pattern[str]
    owners: QuickPattern
    names: QuickPattern
    between_names: re.Pattern[str]
    two_leading_names: re.Pattern[str]
    auxiliary: re.Pattern[str]
    about: re.Pattern[str]
    joints: frozenset[str]


def _forms(language: Language) -> _Forms:
    rules = language.query.split
    name = filled(_NAME)
    conjunction = rules.conjunction
    together = "|".join(rules.together_words) or _NOTHING
    auxiliary = rf"(?:^|\s)(?P<auxiliary>{rules.auxiliary or _NOTHING}) (?:(?:{together}) )?$"
    return _Forms(
        rules=rules,
        question_word=lazy_pattern(language.query.question_word or _NOTHING),
        question_pair=lazy_pattern(rules.question_pair or _NOTHING),
        both=lazy_pattern(rules.both or _NOTHING, re.IGNORECASE),
        subject=lazy_pattern(rf"(?P<name>{name}(?: {conjunction} {name})?)(?:['\u2019]\w+)? "),
        owners=_joined_names(conjunction, rules.genitive, "(?= )"),
        names=_joined_names(conjunction, "", r"(?!['\u2019\w-])"),
        between_names=lazy_pattern(rf",? {conjunction} |, "),
        two_leading_names=lazy_pattern(
            rf"(?P<one>{name}) {conjunction} (?P<two>{name})(?P<rest> [^,;]+)"
        ),
        auxiliary=lazy_pattern(auxiliary, re.IGNORECASE),
        about=lazy_pattern(rules.about or _NOTHING, re.IGNORECASE),
        joints=frozenset(map(fold_letters, ("", conjunction, *rules.also, *rules.semicolon_words))),
    )


def _joined_names(conjunction: str, ending: str, following: str) -> QuickPattern:
    """A pattern of two to four names: "Ana, Bob and Cem"."""
    name = filled(_NAME)
    name = rf"{name}{ending}"
    return QuickPattern(
        rf"\b(?P<names>{name}(?:, {name}){{0,2}},? {conjunction} {name}){following}"
    )


_FORMS = Kept(lambda: tuple(map(_forms, languages_read())))


@in_its_language
def decompose(query: str) -> tuple[str, ...]:
    """Split a query into standalone sub-queries.

    Args:
        query: a question; one of more than 600 characters is left whole.

    Returns:
        Two to four questions if it is compound, else the query itself as it stands. Together they
        hold every index token of the query, those of `CONJUNCTIONS` apart.
    """
    if len(query) > _MAX_LENGTH:
        return (query,)
    plain = single_spaced(query)
    unique: dict[str, str] = {}
    for question in _questions(plain):
        for part in map(_polished, _split(question)):
            unique[fold_letters(part)] = part
    parts = list(unique.values())
    if len(parts) < 2:
        return (query,)
    if len(parts) > _MAX_PARTS:
        parts = [*parts[: _MAX_PARTS - 1], " ".join(parts[_MAX_PARTS - 1 :])]
    lost = set(tokens(plain)) - _DROPPED.now()
    for part in parts:
        lost.difference_update(tokens(part))
    return (query,) if lost else tuple(parts)


def _questions(query: str) -> list[str]:
    """The sentences of a query.

    A sentence that asks nothing, or depends on the question before it, stays with its neighbour.
    """
    questions: list[str] = []
    pending = ""
    for start, end in sentence_spans(query):
        sentence = query[start:end]
        if not sentence.endswith("?"):
            pending = f"{pending} {sentence}".strip()
            continue
        completed: str | None = sentence
        if questions and not pending:
            completed = _completed(questions[-1], sentence)
        if completed is None:
            questions[-1] += f" {sentence}"
        else:
            questions.append(f"{pending} {completed}".strip())
        pending = ""
    if pending:
        questions[-1:] = [" ".join([*questions[-1:], pending])]
    return questions


def _split(question: str) -> list[str]:
    body = question.rstrip("?!. ")
    mark = "?" if question.endswith("?") else ""
    parts = _question_pair(body) or _both(body) or _clauses(body)
    return [part + mark for whole in parts for part in _by_name(whole)]


def _question_pair(body: str) -> list[str]:
    """Two question words that share what follows them: "when and where did Ana marry"."""
    opened = body[:1].lower() + body[1:]
    for forms in _FORMS():
        match = forms.question_pair.fullmatch(opened)
        if match:
            return [match["one"] + match["rest"], match["two"] + match["rest"]]
    return []


def _both(body: str) -> list[str]:
    """Two halves of "both A and B", such as `hem A hem de B`.

    What stands before belongs to both; a name in A takes what follows the name in B.
    """
    for forms in _FORMS():
        match = forms.both.fullmatch(body)
        if match is None:
            continue
        lead, first, second = match.group("lead", "one", "two")
        if not forms.question_word.search(fold_letters(second)):
            return []
        if forms.question_word.search(fold_letters(first)):
            return [lead + first, lead + second]
        second_name = _NAME_FIRST.fullmatch(second)
        if second_name and _NAME_WITH_ENDING.fullmatch(first):
            return [lead + first + second_name["rest"], lead + second]
        return []
    return []


def _clauses(body: str) -> list[str]:
    """Cut at the first joint that a question of its own follows, and go on with that."""
    guarded = quoted_spans(body)
    guarded += [match.span() for match in _BRACKETS.finditer(body)]
    for joint in _JOINT.finditer(body):
        left = body[: joint.start()]
        right = body[joint.end() :]
        if inside(joint.start(), guarded) or inside(joint.end(), guarded):
            continue
        if not left.strip() or not right.strip():
            continue
        question = _second_question(left, right, joint)
        if question:
            return [left, *_clauses(question)]
    return [body]


def _second_question(left: str, right: str, joint: re.Match[str]) -> str | None:
    """The right side of a joint as a question of its own; None if it is not one."""
    for forms in _FORMS():
        if forms.rules.by_question_word:
            question = _by_question_word(forms, left, right, joint)
            if question:
                return question
    if joint["mark"]:
        if min(len(left.split()), len(right.split())) < 2 or _ALTERNATIVE.match(right):
            return None
        return _completed(left, right)
    for forms in _FORMS():
        if forms.rules.carry_over:
            question = forms.rules.carry_over(left, right, joint, _completed)
            if question:
                return question
    return None


def _by_question_word(forms: _Forms, left: str, right: str, joint: re.Match[str]) -> str | None:
    """The right side if both sides have a question word.

    A right side without a name gets the name that leads the left one.
    """
    folded_left = fold_letters(left)
    folded_right = fold_letters(right)
    if joint["comma"] or fold_letters(joint.group()).strip(" ,;") not in forms.joints:
        return None
    if len(folded_right.split()) < 2:
        return None
    question_word = forms.question_word
    if not question_word.search(folded_left) or not question_word.search(folded_right):
        return None
    subject = forms.subject.match(left)
    if subject is None or _NAMES.search(right):
        return right
    if question_word.match(folded_left) or not question_word.match(folded_right):
        return right
    return f"{subject['name']} {right}"


def _completed(left: str, right: str) -> str | None:
    """The right side with the one person that the left side names in the place of its pronouns.

    Returns:
        None if it cannot be understood by itself.
    """
    persons = _persons(left)
    person = persons.pop() if len(persons) == 1 and not _persons(right) else None
    question: str | None = right
    for forms in _FORMS():
        if question is not None and forms.rules.complete:
            question = forms.rules.complete(question, person)
    return question


def _persons(text: str) -> set[str]:
    return {text[entity.start : entity.end] for entity in entities(text) if entity.kind == "person"}


def _by_name(question: str) -> list[str]:
    """One question per name, where names are joined directly and each is asked about by itself."""
    folded = fold_letters(question)
    if _TOGETHER.search(folded) or any(name in folded for name in _FIXED_NAMES):
        return [question]
    for forms in _FORMS():
        if forms.rules.auxiliary:
            questions = _by_name_after_auxiliary(forms, question)
        else:
            questions = _by_leading_name(forms, question, folded)
        if questions:
            return questions
    return [question]


def _by_name_after_auxiliary(forms: _Forms, question: str) -> list[str]:
    """One question per name after an auxiliary: "do Ana and Bob like" asks "does Ana like".

    Returns:
        The question itself if its names cannot be asked about one by one; nothing if it has no
        joined names.
    """
    owners = forms.owners.search(question)
    match = owners or forms.names.search(question)
    if match is None:
        return []
    lead = question[: match.start()]
    tail = question[match.end() :]
    names = forms.between_names.split(match["names"])
    if owners:
        separable = lead != ""
    else:
        separable = forms.about.search(lead) is not None and not tail
        auxiliary = forms.auxiliary.search(lead)
        if auxiliary and tail.strip():
            verb = _singular(forms, auxiliary["auxiliary"])
            lead = f"{lead[: auxiliary.start('auxiliary')]}{verb} "
            for word in forms.rules.together_words:
                tail = tail.removeprefix(f" {word}")
            separable = True
    if not separable or inside(match.start(), quoted_spans(question)):
        return [question]
    return [lead + name + tail for name in names]


def _by_leading_name(forms: _Forms, question: str, folded: str) -> list[str]:
    """One question per name of two that lead a question about each of them."""
    match = forms.two_leading_names.fullmatch(question)
    if match is None or folded.endswith(forms.rules.plural_endings):
        return []
    if not forms.question_word.search(folded):
        return []
    return [match["one"] + match["rest"], match["two"] + match["rest"]]


def _singular(forms: _Forms, auxiliary: str) -> str:
    lower = auxiliary.lower()
    singular = forms.rules.singular.get(lower, lower)
    return singular.capitalize() if auxiliary[0].isupper() else singular


def _polished(part: str) -> str:
    """A part without marks around it, and with a capital; an i keeps its dot by staying small."""
    part = part.strip(" ,;")
    if part.startswith(("i", "ı")):
        return part
    return part[:1].upper() + part[1:]
