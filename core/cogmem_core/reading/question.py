"""What a question asks for, and which clauses answer it: the tables that read a statement read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from cogmem_core.base.lru import text_cache
from cogmem_core.languages.reading import DEFAULT
from cogmem_core.reading import of
from cogmem_core.reading.model import KEPT, Clause, Reading, Span
from cogmem_core.reading.pack import Pack, pack_of
from cogmem_core.reading.rest import thing_of
from cogmem_core.reading.tokens import Token, Tokens, only_words, tokens_of
from cogmem_core.reading.told import framed as framed_last
from cogmem_core.reading.topic_words import is_of
from cogmem_core.reading.topics import OTHERS, SPEAKER, asked_topic, told_in
from cogmem_core.reading.verb_last import VerbLast
from cogmem_core.text.folding import fold_letters

_AUXILIARY = ("be", "have", "do")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked for.

    Attributes:
        kind: whether it asks, orders, tells something, or is mere small talk.
        subject: whom or what it is about, as a clause names it: "i", "my dog"; "" = nobody is named.
        slot: what of that, as a clause names it: "home", or the verb: "take"; "" = nothing shows it.
        named: whether the slot is one of which everybody has one value at a time.
        topic: a class of things of the speaker's: "family"; "" = none.
    """

    kind: Literal["question", "request", "telling", "filler"] = "telling"
    subject: str = ""
    slot: str = ""
    named: bool = False
    topic: str = ""

    @property
    def of_speaker(self) -> bool:
        """Whether it is about whoever asks, or what is theirs."""
        return self.subject in SPEAKER or self.subject.startswith("my ")


@text_cache(256)
def asked(text: str) -> Question:
    """What a text asks for, in the language that it shows."""
    reading = of(text)
    pack = pack_of(reading.language)
    asking = reading.of_kind("question", "request")
    if not asking:
        return Question(
            "telling" if any(each.kind != "filler" for each in reading.clauses) else "filler"
        )
    clause = asking[0]
    kind: Literal["question", "request"] = "question" if reading.of_kind("question") else "request"
    tokens = tokens_of(text, fold_letters(text), clause.start, clause.end, pack.splits)
    words = only_words(tokens)
    subject, slot, named = (
        _last(text, clause, words, pack) if pack.order == "verb-last" else _asked(words, pack)
    )
    owned = subject.removeprefix("my ") if subject.startswith("my ") else ""
    thing = next((each.name for each in pack.slots if owned in each.things), "")
    if thing:
        subject = "i"
        slot = thing
        named = True
    return Question(kind, subject, slot, named and bool(subject), _topic(subject, words, pack))


def slot_named(text: str) -> str:
    """The slot that a few words name, by a thing or a question: "employer"; "" = none."""
    words = f" {' '.join(word.strip('.,;:?!') for word in fold_letters(text).split())} "
    for code in (of(text).language, *DEFAULT):
        for slot in pack_of(code).slots:
            if any(f" {thing} " in words for thing in slot.things):
                return slot.name
    wanted = asked(text)
    return wanted.slot if wanted.named else ""


def answers(reading: Reading, wanted: Question) -> bool:
    """Whether a clause gives the slot, or a part of the class, that is asked for."""
    pack = pack_of(reading.language)
    if wanted.topic:
        return any(_is_own(reading, clause, wanted.topic, pack) for clause in reading.clauses)
    return wanted.named and any(
        clause.slot == wanted.slot and _fits(clause, wanted, pack) for clause in _holding(reading)
    )


def tells_of_another(reading: Reading, wanted: Question) -> bool:
    """Whether clauses tell the like of somebody else, and none of whom a question asks about."""
    pack = pack_of(reading.language)
    told = [clause for clause in reading.clauses if clause.kind in KEPT]
    if not wanted.subject or any(_fits(clause, wanted, pack) for clause in told):
        return False
    verb = wanted.slot.partition(" ")[0]
    before = _before(reading.text, wanted)
    if pack.has("own", before):
        return False  # "my mum has my birth certificate"
    return any(
        bool(clause.subject)
        and (
            (verb not in ("", "be") and clause.slot.partition(" ")[0] == verb)
            or (wanted.subject not in SPEAKER and _is_of_another(reading, clause, wanted, pack))
        )
        for clause in told
    )


def _before(text: str, wanted: Question) -> str:
    """The word before the thing that is asked about; "" if it is not named."""
    if wanted.subject in SPEAKER:
        return ""
    before, thing, _ = fold_letters(text).partition(wanted.subject.removeprefix("my "))
    return before.split()[-1] if thing and before.split() else ""


def _is_of_another(reading: Reading, clause: Clause, wanted: Question, pack: Pack) -> bool:
    """Whether a clause tells of a thing of somebody else's: "my wife's dentist", "my sister pays 900 rent".

    Not so "my landlord raised the rent" and "office days are Monday and Friday".
    """
    head = wanted.subject.split()[-1]
    words = fold_letters(reading.words(clause)).split()
    subject = clause.subject.split()
    if head in subject:
        return "my" in subject or any(word.endswith("'s") for word in words)
    before = _before(reading.words(clause), wanted)
    return head in words and subject[0] == "my" and not pack.has("determiners", before)


def tells_what_is(reading: Reading) -> bool:
    """Whether a clause tells how things are: meant, and no plan, wish, question or end of something."""
    return any(
        _is_meant(clause) and not (clause.ends and clause.tense == "past")
        for clause in reading.clauses
    )


def _is_meant(clause: Clause) -> bool:
    return clause.kind in KEPT and clause.meant and clause.mood in ("asserted", "reported", "able")


def _holding(reading: Reading) -> Iterator[Clause]:
    """The clauses that say how things are now."""
    for clause in reading.clauses:
        current = clause.tense != "past" or clause.changes or clause.now
        if (
            _is_meant(clause)
            and clause.holder == "speaker"
            and current
            and not (clause.ends or clause.negative)
        ):
            yield clause


def _fits(clause: Clause, wanted: Question, pack: Pack) -> bool:
    """Whether a clause is about whom or what is asked about."""
    if wanted.subject in SPEAKER:
        thing = clause.subject.removeprefix("my ")
        return thing.split()[-1:] in (["i"], ["we"]) or any(
            clause.slot == slot.name and thing in slot.things for slot in pack.slots
        )
    words = clause.subject.split()
    others = wanted.subject.split()
    if not words:
        return False
    named = others[0] != "my" and words[-1] == others[-1]  # "my sister Lena"
    return (
        named
        or words[1:][-1:] == ["i"]
        or words[: len(others)] == others
        or set(words) <= {*others, "my"}
    )


def _last(text: str, clause: Clause, words: Tokens, pack: Pack) -> tuple[str, str, bool]:
    """Subject and slot of a question whose verb comes last, and whether the slot has a name."""
    finder = VerbLast(fold_letters(text), pack)
    asks = (place for place, word in enumerate(words) if pack.has("question_words", word.folded))
    told = finder.told(words) or finder.told(words[: next(asks, 0) + 1])  # "... ne kadar?"
    if told is None:
        return "", "", False
    found = framed_last(text, pack, clause, words, told)
    return found.subject, found.slot, pack.is_slot(found.slot)


def _asked(words: Tokens, pack: Pack) -> tuple[str, str, bool]:
    """As `_last`, of a question whose words stand in no fixed order."""
    place, end = _subject(words, pack)
    first = words[place].folded if place < end else ""
    pronoun = first in pack.subjects and end == place + 1
    subject = pack.subjects[first] if pronoun else thing_of(pack, words[place:end])
    if not subject and any(form.person == "i" for w in words for form in pack.forms[w.folded]):
        subject = "i"  # "¿Dónde vivo?"
    rest = [*words[:place], *words[end:]]
    verbs = [form.verb for word in rest for form in pack.forms[word.folded][:1]]
    # "How many points do I have?"
    behind = [form.verb for word in words[end:] for form in pack.forms[word.folded][:1]]
    main = [verb for verb in behind or verbs if verb not in _AUXILIARY] or behind or verbs
    named = _slot(main, [word.folded for word in rest], pack)
    return subject, named or "".join(main[:1]), bool(named)


def _subject(words: Tokens, pack: Pack) -> Span:
    """Where the subject of a question stands: a pronoun, "my dog", or else a name."""
    named = (0, 0)
    for place, word in enumerate(words):
        if pack.subjects.get(word.folded) in (*SPEAKER, *OTHERS):
            return place, place + 1
        before = words[place - 1].folded if place else ""
        if pack.has("prepositions", before) and before not in pack.forms:
            continue
        if pack.has("own", word.folded):
            return place, _end(words, place, pack)
        if place and word.is_capital and named == (0, 0):
            named = place, _end(words, place, pack)
    return named


def _end(words: Tokens, place: int, pack: Pack) -> int:
    """The place behind a thing: "my dog's name", "my brother and I"."""
    end = place + 1
    while end < len(words) and _goes_on(words[end], words[end - 1], pack):
        end += 1
    return end


def _goes_on(word: Token, before: Token, pack: Pack) -> bool:
    """Whether a word belongs to the thing before it."""
    folded = word.folded
    if pack.among("within", (word, before)) or pack.has("conjunctions", folded):
        return True
    if folded in pack.subjects:
        return pack.has("conjunctions", before.folded)
    if folded in pack.forms and not pack.has("own", before.folded):
        return False
    groups = ("prepositions", "times", "adverbs", "question_words", "negations", "determiners")
    return not pack.in_any(groups, folded)


def _slot(verbs: Sequence[str], words: Sequence[str], pack: Pack) -> str:
    """The slot that a question's verbs ask for, by their prepositions; "" if it has no name."""
    said = {*verbs, *words}
    slots = [
        slot for slot in pack.slots if not any(each.startswith("number") for each in slot.types)
    ]
    for slot in slots:
        if any(set(phrase.split()) - {"be"} <= said for phrase in slot.verbs):
            return slot.name
    bare = not any(pack.in_any(("prepositions", "particles"), word) for word in words)
    for slot in slots if bare else ():
        if any(phrase.removeprefix("be ").split()[0] in verbs for phrase in slot.verbs):
            return slot.name
    return ""


def _topic(subject: str, words: Tokens, pack: Pack) -> str:
    """The class of things of the speaker's that is asked for: "my family", "which pets do I have?"."""
    last = pack.order == "verb-last"
    things = [
        word.folded
        for place, word in enumerate(words)
        if last
        or (
            (subject in SPEAKER or (place and pack.has("own", words[place - 1].folded)))
            and _end(words, place, pack) == place + 1
        )
    ]
    if subject.startswith("my ") and len(subject.split()) == 2:
        things += subject.split()[1:]
    return asked_topic(things, pack)


def _is_own(reading: Reading, clause: Clause, topic: str, pack: Pack) -> bool:
    """Whether a clause tells something of a topic that is the speaker's, and holds."""
    told = _is_meant(clause) and clause.holder == "speaker" and not (clause.negative or clause.ends)
    if not told or clause.subject in SPEAKER:
        return told and topic in told_in(reading.text, clause, pack)
    own, *things = clause.subject.split() or [""]
    said = fold_letters(reading.words(clause))
    if any(
        pack.has("genitive", w.folded) for w in tokens_of(said, said, 0, len(said), pack.splits)
    ):
        things = things[-1:]  # "my sister's boss"
    return own == "my" and is_of(things, topic, pack)
