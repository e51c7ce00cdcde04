"""What a message wants forgotten, if it wants nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.base import ForgettingRules
from cogmem_core.languages.reading import cached_by_language, in_its_language
from cogmem_core.reading import of
from cogmem_core.reading.cut import opens
from cogmem_core.reading.forgetting import is_told, may_be_name
from cogmem_core.reading.model import KEPT, Clause, Reading
from cogmem_core.reading.pack import Pack, pack_of
from cogmem_core.reading.said import SILENT
from cogmem_core.reading.settle import ABSENT
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.observe.small_talk import is_trivial
from cogmem_core.text.tokens import tokens

_QUOTED_WHOLE = re.compile(r"\s*(?:[>|`\"\u201c\u201e\u00ab\u2018']|[-*+\u2022] |\[)")
_WORD = re.compile(r"[^\W_]+(?:['.@_-][^\W_]+)*")
_CLAUSE = re.compile(r"[;:\u2013\u2014]\s|,\s|\s-\s|\n")
_OWN = ("i", "we", "my", "our")
_NEAR = (*_OWN, "he", "she", "they")
"""Subjects of a statement of the speaker, his own, or somebody spoken of."""
_HERE = ("i", "we", "my", "you", "it")
_LONGEST = 240  # characters of a wish
_OF_MEMORY = ("stores", "retaining", "recalling", "aware", "confided")


class Wish(NamedTuple):
    """What somebody wants forgotten.

    Attributes:
        query: what it is, without the words that ask.
        is_plain: it is said so plainly that it can be acted upon: a thing of the speaker's, a
            statement, an identifier, a name, or something that the memory holds.
        tells: something is told besides, which is kept if nothing is forgotten.
        voice: what stands before it and a colon, or reports it, folded: perhaps somebody else, or
            a song; "" = the one who speaks wants it himself.
    """

    query: str
    is_plain: bool
    tells: bool = False
    voice: str = ""


@in_its_language
@cached_by_language(512)
def wish_of(text: str) -> Wish | None:
    """The wish that a message is about; None if it is none.

    Not what is quoted or pasted, nor what is to be forgotten for a moment. What speaks neither of
    memory nor of what was told, nor names a statement, may be about a list or a letter: nothing but
    a reason may stand beside it.
    """
    if len(text) > _LONGEST or _QUOTED_WHOLE.match(text):
        return None
    reading = of(text)
    wishes = [clause for clause in reading.of_kind("wish_to_forget") if clause.target]
    language = LANGUAGES.get(reading.language)
    words = set(map(reading.words, reading.clauses))
    named = [clause for clause in wishes if clause.target not in words] or wishes
    rules = language.query.forgetting if language is not None else None
    if len(named) != 1 or rules is None:
        return None
    target = named[0].target
    said = reading.words(named[0])
    is_sure = (
        target not in said  # it stands before it, and the wish speaks of memory
        or _has(reading, said, *_OF_MEMORY)
        or _is_statement(target, rules)
    )
    limited = target.split()[-1] + said.partition(target)[2]
    if not is_sure:
        limited = text[text.index(target) :]
    if re.search(rules.unless, fold_letters(limited)):
        return None
    voice = _voice(reading, named[0], said)
    if is_sure:
        rest = [one for one in reading.of_kind(*KEPT) if target not in reading.words(one)]
        told = any(_is_news(reading, clause, target) for clause in rest)
        beside = [words for words in map(reading.words, rest) if fold_letters(words) not in voice]
        tells = not all(_only_confides(reading, words) for words in beside)
        return None if told else Wish(target, True, tells, voice)
    plain = is_told(target, rules, mild=_has(reading, said, "erasing"))
    return Wish(target, plain, voice=voice) if _stands_alone(reading, named[0], rules) else None


def _voice(reading: Reading, wish: Clause, said: str) -> str:
    """What stands before a wish and a colon in its line ("Leo: ...", "He told me: ..."), or reports it.

    "Forget: ..." and "Please: ..." are of the wish.
    """
    before = reading.text[: wish.start + max(said.find(wish.target), 0)]
    label, colon, _ = before[before.rfind("\n") + 1 :].partition(": ")
    if not colon:
        return fold_letters(before.strip()) if wish.mood == "reported" else ""
    own = {clause.kind for clause in of(label).clauses} <= {"filler", "wish_to_forget"}
    pack = pack_of(reading.language)
    words = pack.fold(label).split()
    persons = {pack.subjects.get(word) for word in words}
    own = own or opens(label.strip(), pack) or not persons.isdisjoint(("i", "we"))
    return "" if own and not _is_told(words, pack) else fold_letters(label.strip())


def _is_told(words: Sequence[str], pack: Pack) -> bool:
    """Whether folded words say that somebody else was told something: "I keep telling him", not "As I said"."""
    verbs = {form.verb for word in words for form in pack.forms.get(word, ())}
    silent = (*SILENT, "times")
    return pack.has_any("reporting", verbs) and any(
        pack.has("theirs", word)
        or not (pack.subjects.get(word) in _HERE or word in pack.forms or pack.in_any(silent, word))
        for word in words
    )


def _is_news(reading: Reading, clause: Clause, target: str) -> bool:
    """Whether a clause beside a wish tells something that must not be lost with it: "I moved to York"."""
    said = reading.words(clause)
    owner = clause.subject.partition(" ")[0]
    slots = {slot.name for slot in pack_of(reading.language).slots}
    is_new = clause.tense == "past" or clause.changes or clause.ends or clause.now
    if not (clause.plain and clause.framed) or _has(reading, said, "confided"):
        return False
    apart = set(tokens(target)).isdisjoint(tokens(said))
    if owner in _OWN:
        return is_new or clause.slot in slots or not apart
    return apart and owner not in ABSENT and (is_new or clause.slot in slots)


def _stands_alone(reading: Reading, wish: Clause, rules: ForgettingRules) -> bool:
    """Whether nothing but a reason stands beside a wish, and it is no question back ("Forget my name? Never")."""
    text = reading.text
    said = reading.words(wish)
    behind = said.partition(wish.target)[2]
    asks = _has(reading, said, "asking")
    tagged = behind.lstrip().startswith(",")  # ", okay?"
    if text.rstrip().endswith("?") and not (tagged or asks or rules.own_word):
        return False
    asked = asks or _has(reading, said, "erasing")
    asked = asked or re.search(rules.request, fold_letters(text)) is not None
    rest = [clause for clause in reading.clauses if clause is not wish and clause.kind != "filler"]
    beside = [*map(reading.words, rest), *_CLAUSE.split(behind)[1:]]
    return all(
        _is_reason(clause, rules, asked) or _only_confides(reading, clause) for clause in beside
    )


def _is_statement(target: str, rules: ForgettingRules) -> bool:
    """Whether what is to be forgotten tells something of the speaker or his own: "I hate tea", "where I live"."""
    told = re.match(rules.told, fold_letters(target))
    return told is not None or any(
        clause.framed and clause.subject.split()[0] in _NEAR for clause in of(target).clauses
    )


def _has(reading: Reading, said: str, *kinds: str) -> bool:
    """Whether a phrase of one of some groups stands in a wish."""
    pack = pack_of(reading.language)
    folded = pack.fold(said)
    return any(pack.kinds[kind].within(folded, 0, len(folded)) is not None for kind in kinds)


def _only_confides(reading: Reading, said: str) -> bool:
    """Whether a clause says that something was told, and not what: "I shouldn't have told you"."""
    pack = pack_of(reading.language)
    folded = pack.fold(said).rstrip(" .!?,")
    found = pack.kinds["confided"].within(folded, 0, len(folded))
    return found is not None and found[1] == len(folded)


def _is_reason(clause: str, rules: ForgettingRules, is_asked: bool) -> bool:
    """Whether a clause only says why, or gives a name besides: nothing is lost with it."""
    if "?" in clause and not is_asked:
        return False
    words = _WORD.findall(clause)
    if is_trivial(clause) or all(word[0].isupper() for word in words):
        return True
    folded = fold_letters(clause)
    told = [word for word in words[1:] if word[0].isupper() and may_be_name(word)]
    if told or any(character.isdigit() for character in clause):
        return False
    patterns = (rules.reason, rules.beside) if is_asked else (rules.reason,)
    return any(re.match(pattern, folded) for pattern in patterns)
