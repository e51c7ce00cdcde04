"""Do two statements say the same, or one of them all that the other says and more?

Two texts are compared word by word, in their order, after only those differences were taken out
that say nothing: articles, intensifiers, "now" and "still", contractions, the third person, and a
small table of interchangeable words. Every other word counts: tense, modality, negation, names,
numbers, sides, owners, prepositions. What is said more may only be a phrase of its own ("near the
river", "since 2019", "Ayşe ile") or a further sentence on the same subject; a word put in front of
another one ("green tea", "my neighbour's dog") makes it another thing.

In doubt the answer is `different`: a duplicate is cheap, two facts welded into one are lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from cogmem_core.base.lru import text_cache
from cogmem_core.languages import LANGUAGES, Language
from cogmem_core.languages.base import EntailmentRules, compiled
from cogmem_core.languages.detect import language_shown
from cogmem_core.languages.merged import all_entries, all_words
from cogmem_core.languages.reading import DEFAULT, cached_by_language, reading
from cogmem_core.text.compare.wording import is_negative, is_personal
from cogmem_core.text.folding import fold_letters, single_spaced
from cogmem_core.text.sentences import is_verb
from cogmem_core.text.tokens import composed

Entailment = Literal["same", "refines", "covered", "different"]

_Words = tuple[str, ...]
_ASKING = "\u061f\u037e\u1367\u055e"  # question marks of other scripts
LONGEST_FACT = 2_000
"""Characters; a longer text is no fact, and only the same as itself."""
_MOST_SENTENCES = 20  # of each text that are compared one by one
_SHORTEST = 3  # words of what something may be added to
_SUBJECTS = frozenset(("i", "my", "we", "our", "he", "she", "they", "his", "her", "their"))
_HEDGING = all_words("compare.wording.hedging")
_NARROWING = all_words("compare.wording.narrowing")
_LEANING = all_words("compare.wording.leaning")
_OWNERS = all_words("compare.entailment.owners")


class _Sentence(NamedTuple):
    """A sentence as it is compared.

    Attributes:
        words: canonical; a comma is a word of its own.
        asks: it is a question.
        plain: the words without commas.
    """

    words: _Words
    asks: bool
    plain: _Words


RELATIONS: dict[tuple[bool, bool], Entailment] = {
    (True, True): "same",
    (True, False): "covered",
    (False, True): "refines",
    (False, False): "different",
}
"""By whether the old text says all that the new one says, and the new one all of the old."""


def entailment(new: str, old: str, *, same_speaker: bool = True) -> Entailment:
    """Compare what two texts say.

    Args:
        new: a fact, as said or in the third person.
        old: a fact that was remembered before.
        same_speaker: whether one person said both; if not, "I", "my" and "you" in them are
            different people.

    Returns:
        `same`: at most in other words. `covered`: the old text says all of it and more. `refines`:
        the new text says all that the old one says and more. `different`: everything else, and
        every doubt.
    """
    codes = {language_shown(new), language_shown(old)} - {""}
    if len(codes) > 1:
        return "different"
    code = codes.pop() if codes else DEFAULT[0]
    with reading(DEFAULT if code in DEFAULT else (code,)):
        if not same_speaker and (is_personal(new) or is_personal(old)):
            return "different"
        if same_words(new, old):
            return "same"
        if max(len(new), len(old)) > LONGEST_FACT:
            return "different"
        new_sentences = _read(new, code)
        old_sentences = _read(old, code)
        covered = _is_within(new_sentences, old_sentences, code)
        refines = _is_within(old_sentences, new_sentences, code)
    return RELATIONS[covered, refines]


_YO = str.maketrans("\u0451\u0401", "\u0435\u0415")  # Russian writes either
_NOT_SAID = re.compile(
    r"(?<!\d)[^\w\s?%+#@&$\u20ac\u00a3/<>=\u2212*-]|[^\w\s?%+#@&$\u20ac\u00a3/<>=\u2212*-](?!\d)"
)


@text_cache(4_096)
def _spelt(text: str) -> str:
    """A text without marks that only end or join its sentences: in every script, in any width.

    Marks within numbers stay, and so do question marks and signs that are read.
    """
    plain = composed(text).translate(_YO).casefold()
    for mark in _ASKING:
        plain = plain.replace(mark, "?")
    return single_spaced(_NOT_SAID.sub(" ", plain))


def same_words(new: str, old: str) -> bool:
    """Whether two texts differ in nothing but case, width and marks that nobody reads aloud."""
    if new == old:
        return True
    return max(len(new), len(old)) <= LONGEST_FACT and _spelt(new) == _spelt(old)


_DOTLESS = str.maketrans("İı\u2019\u2018\u02bc`", "ii''''")
_END = re.compile(
    r"(?<!\bdr)(?<!\bmr)(?<!\bms)(?<!\bst)(?<!\bmrs)(?<!\bprof)([.!?;\u2026]{1,9})(?=\s|$)|\n"
)
_TOKEN = re.compile(
    r"(?<!\S)[-\u2212](?=\d)"
    r"|\d{1,3}(?:,\d{3})+(?!\d)"
    r"|[^\W_]+(?:[.:,'](?=[^\W_])[^\W_]+)*|'s\b|[,\u2013\u2014]"
    r"|[^\s\w.,:!?\"'\u201c\u201d()\[\]{}\u2026\u2013\u2014-]+"
)
_BREAKS = frozenset(",\u2013\u2014")
_UNIT = re.compile(r"(\d[\d.,:]*?)([^\W\d]+)$")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+$")


def _tokens(text: str) -> Iterator[str]:
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token in _BREAKS:
            yield ","
        elif token[0].isdigit() and not token.isdigit():
            yield from _number_and_unit(token)
        else:
            yield token


def _number_and_unit(token: str) -> tuple[str, ...]:
    unit = _UNIT.match(token)
    if unit:
        return unit[1], unit[2]
    return (token.replace(",", "") if _THOUSANDS.match(token) else token,)


def _is_hedged(words: Sequence[str]) -> bool:
    return any(word in _HEDGING or fold_letters(word) in _HEDGING for word in words)


def _thirds(language: Language) -> dict[str, str]:
    words = language.words
    return {words.third_person_of(verb): verb for verb in words.base_verbs}


_THIRDS = all_entries(_thirds)
_NUMERALS = all_entries("compare.entailment.numerals")


def _canonical(text: str, rules: EntailmentRules) -> Iterator[str]:
    """The words of a sentence in lower case without what makes no difference."""
    for pattern, spelling in rules.spellings:
        text = compiled(pattern).sub(spelling, text)
    begun = False
    previous = ""
    for word in _tokens(text):
        folded = fold_letters(word)
        if previous not in rules.determiners:
            folded = _THIRDS.get(folded, folded)
        previous = folded
        skipped = not begun and (folded in rules.openers or folded == ",")
        if folded in rules.dropped or skipped:
            continue
        begun = True
        known = rules.same.get(folded, _NUMERALS.get(folded))
        yield known or (word if rules.letters_count else folded)


@cached_by_language(1_024)
def _read(text: str, code: str) -> tuple[_Sentence, ...]:
    lowered = composed(text).translate(_DOTLESS).casefold()
    sentences: list[_Sentence] = []
    start = 0
    for end in [*_END.finditer(lowered), None]:
        part = lowered[start : end.start() if end else len(lowered)]
        words: _Words = ()
        if part.strip():
            words = tuple(_canonical(part, LANGUAGES[code].compare.entailment))
        if words:
            asks = bool(end and end[1] and "?" in end[1])
            plain = tuple(word for word in words if word != ",")
            sentences.append(_Sentence(words, asks, plain))
        start = end.end() if end else start
    return tuple(sentences)


def _is_within(part: Sequence[_Sentence], whole: Sequence[_Sentence], code: str) -> bool:
    """Whether the whole says all that the part says; the same holds for what is equal."""
    if part == whole:
        return bool(part)
    if not part or len(part) > _MOST_SENTENCES or len(whole) > _MOST_SENTENCES:
        return False
    covered: set[int] = set()
    for sentence in part:
        indices = [index for index, other in enumerate(whole) if _includes(sentence, other, code)]
        if not indices or (len(whole) > 1 and sentence.words[0] in _LEANING):
            return False
        covered.update(indices)
    subjects = set(map(_subject, part))
    further = [sentence for index, sentence in enumerate(whole) if index not in covered]
    return all(_only_adds(sentence, subjects) for sentence in further)


def _subject(sentence: _Sentence) -> _Words:
    """The first word, or "my" and the thing."""
    return sentence.words[:2] if sentence.words[0] in _OWNERS else sentence.words[:1]


def _only_adds(sentence: _Sentence, subjects: set[_Words]) -> bool:
    """Whether a further sentence tells more about the same subject and takes nothing back."""
    same_subject = _subject(sentence) in subjects or sentence.words[0] in _LEANING
    return same_subject and not sentence.asks and not _is_hedged(sentence.words)


def _includes(part: _Sentence, whole: _Sentence, code: str) -> bool:
    if part.asks != whole.asks:
        return False
    if part.plain == whole.plain:
        return True
    rules = LANGUAGES[code].compare.entailment
    added = len(whole.plain) - len(part.plain)
    if not added:
        return _is_moved(part.plain, whole.plain, rules)
    shortest = _SHORTEST - rules.verb_last  # its ending is the subject
    narrows = not _NARROWING.isdisjoint(map(fold_letters, part.plain))
    if added < 0 or len(part.plain) < shortest or narrows:
        return False
    if rules.starters:
        return any(map(is_verb, part.plain)) and _is_part(part.plain, whole, rules)
    return not is_negative(" ".join(part.plain)) and _is_part(part.plain, whole, rules)


def _is_part(part: _Words, whole: _Sentence, rules: EntailmentRules) -> bool:
    """Whether a sentence is another one with something between that only says more."""
    words = whole.plain
    added = len(words) - len(part)
    commas = [at for at, word in enumerate(whole.words) if word == ","]
    breaks = {at - number for number, at in enumerate(commas)}
    for at in range(len(part) + 1):
        head = words[:at]
        further = words[at : at + added]
        tail = words[at + added :]
        clause_in_front = not at and not _SUBJECTS.isdisjoint(further)
        if head + tail != part or clause_in_front or _is_hedged(further):
            continue
        is_apart = rules.starters and at in breaks and not any(map(is_verb, further))
        says_more = compiled(rules.added).fullmatch(fold_letters(" ".join(further)))
        if (is_apart or says_more) and _stands(head, tail, rules):
            return True
    return False


def _stands(head: _Words, tail: _Words, rules: EntailmentRules) -> bool:
    """Whether a statement says the same with something between its head and its tail."""
    if not tail:
        return True
    if rules.verb_last:
        return not any(compiled(rules.participle).search(fold_letters(word)) for word in tail[:-1])
    if not head:
        return tail[0] in _SUBJECTS
    return bool(rules.starters) and not any(map(is_verb, tail))


def _is_moved(part: _Words, whole: _Words, rules: EntailmentRules) -> bool:
    """Whether only phrases changed places: "In June I went to Rome"."""
    head, phrases = _phrases(part, rules)
    distinct = len({phrase[:1] for phrase in phrases}) == len(phrases)
    joined = any("and" in phrase for phrase in phrases)
    same = (head, phrases) == _phrases(whole, rules)
    return bool(phrases) and same and distinct and not joined


def _phrases(words: _Words, rules: EntailmentRules) -> tuple[_Words, list[_Words]]:
    """What is stated, and the phrases beside it, sorted; one in front counts as one behind."""
    front = next((at for at, word in enumerate(words) if word in _SUBJECTS), 0)
    begin = front if words[0] in rules.starters else 0
    cuts = [at for at, word in enumerate(words) if at > begin and word in rules.starters]
    head, *phrases = (words[one:other] for one, other in pairwise([begin, *cuts, len(words)]))
    return head, sorted([*phrases, *([words[:begin]] if begin else [])])
