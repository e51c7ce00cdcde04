"""What two texts are to each other, by their clauses: one changes the other, or says the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from cogmem_core.reading.compare import GRADES, Verdict, compare, is_gone, is_timed
from cogmem_core.reading.cut import voice
from cogmem_core.reading.model import TELLING, Clause, Reading
from cogmem_core.reading.pack import Pack, pack_of
from cogmem_core.reading.said import stem_set, words_of
from cogmem_core.reading.tokens import tokens_of
from cogmem_core.text.compare import RELATIONS, Entailment
from cogmem_core.text.folding import plain_number

Likeness = Entailment
_OWN = ("i", "we", "you")


class Change(NamedTuple):
    """What a new text does to an old one.

    Attributes:
        grade: "hard" = clauses of the old one no longer hold; "soft" = perhaps they do not.
        reason: in words: "Lisbon, now Porto".
        verdicts: those that say so, one for each old clause that is concerned.
        part: the old one tells other things as well, which still hold.
    """

    grade: Literal["hard", "soft"]
    reason: str
    verdicts: tuple[Verdict, ...] = ()
    part: bool = False


def change(new: Reading, old: Reading, *, same_speaker: bool | None = True) -> Change | None:
    """What a new text does to an old one; None if nothing shows that it does anything.

    Args:
        new: what is said now.
        old: what was said before.
        same_speaker: whether one person said both; if not, "I" and "my" are different people. So they
            are behind two names: "Ann: ...", "Ben: ...". None = an assistant said the old one of whoever
            says the new one: "the user" is he.
    """
    pack = pack_of(new.language)
    if not pack.order or new.language != old.language or not (new.clauses and old.clauses):
        return None
    labels = [pack.fold(voice(each.text, pack)) for each in (new, old)]
    mine = any(not label or pack.has_any("own", label.split()) for label in labels)
    same = same_speaker is not False and (mine or labels[0] == labels[1])
    if same_speaker is None:
        heard = [_of_user(old, clause, pack) for clause in old.clauses]
        # "I" is the assistant there.
        same = same and not any(map(_personal, set(heard) & set(old.clauses)))
        old = replace(old, clauses=tuple(heard))
    found = [
        verdict
        for verdict in compare(new, old, pack)
        if verdict.grade != "none"
        and (
            same
            or not (_personal(new.clauses[verdict.by]) or _personal(old.clauses[verdict.number]))
        )
    ]
    if not found:
        return None
    best = max(found, key=lambda verdict: GRADES.index(verdict.grade))
    hard = [verdict for verdict in found if verdict.grade in ("ends", "replaces")]
    telling = [clause for clause in old.clauses if clause.kind in TELLING]
    return Change(
        "hard" if hard else "soft",
        best.reason,
        tuple(hard or found),
        part=len(telling) > len(hard or found)
        or any(old.clauses[verdict.number].beside for verdict in hard),
    )


def _of_user(reading: Reading, clause: Clause, pack: Pack) -> Clause:
    """A clause about "the user" as he says it himself: his boss is "my boss"; not "another user", "the user limit"."""
    user, *thing = clause.subject.split() or [""]
    if not pack.has("users", user):
        return clause
    before, _, behind = pack.fold(reading.words(clause)).partition(user)
    known = (pack.words["articles"] | pack.words["definite"]) - pack.words["unknown"]
    whole = known.issuperset(before.split()) and (not thing or behind[:1] in ("'", "\u2019"))
    own = " ".join(("my", *thing)) if thing else "i"
    return replace(clause, subject=own) if whole else clause


def _personal(clause: Clause) -> bool:
    """Whether a clause is about whoever says it, or what is theirs."""
    return clause.subject in _OWN or "my" in clause.subject.split()


def gives_up(new: Reading, old: Reading, *, asked: str = "") -> bool:
    """Whether a new text says that what an old one gives is over, in whatever words: "the Pixel is dead".

    It is too little for a change; it decides which of two answers to a question comes first: "my shop is
    closed" takes nothing from "my sister helps in my shop" if it is asked who helps there.
    """
    pack = pack_of(new.language)
    if not pack.order or new.language != old.language or not new.meant:
        return False
    over = [clause for clause in _told(new) if _is_over(clause, pack)]
    if not over:
        return False
    known = set(_sequence(asked, pack))
    for former in _told(old):
        value = set(_sequence(former.value, pack))
        if former.negative or not value - known:
            continue
        for clause in over:
            subject = set(_sequence(clause.subject, pack))
            same = former.subject == clause.subject or {former.subject, clause.subject} <= set(_OWN)
            if (same and value <= set(_sequence(clause.value, pack))) or (
                subject and subject - {"my"} <= value
            ):
                return True
    return False


def _is_over(clause: Clause, pack: Pack) -> bool:
    """Whether a clause says that something is over: "I sold the Saab", "the Pixel is dead"."""
    if clause.ends or clause.negative or clause.mood != "asserted":
        return clause.ends and clause.mood == "asserted"
    said = _sequence(clause.value, pack) or tuple(clause.slot.split())
    return pack.has_any("gone", said[-1:])


def likeness(new: Reading, old: Reading) -> Likeness:
    """Whether two texts say the same, or one of them all that the other says.

    Args:
        new: what is said now.
        old: what was said before.

    Returns:
        "same": at most in other words. "covered": the old text says all of it and more. "refines": the
        new one says all that the old one says and more. "different": everything else, and every doubt.
    """
    if new.text == old.text:
        return "same"
    if new.language != old.language:
        return "different"
    pack = pack_of(new.language)
    said = _told(new)
    known = _told(old)
    if not said or not known:
        return "different"
    covered = all(
        any(_is_within(new, clause, old, other, pack) for other in known) for clause in said
    )
    refines = all(
        any(_is_within(old, clause, new, other, pack) for other in said) for clause in known
    )
    return RELATIONS[covered, refines]


def repeated(old: Reading, new: Reading) -> frozenset[int]:
    """The clauses of an old text, by number, all of which a new one says as well."""
    pack = pack_of(new.language)
    return frozenset(
        number
        for number, clause in enumerate(old.clauses)
        if new.language == old.language
        and any(_is_within(old, clause, new, other, pack) for other in _told(new))
    )


def is_piece(reading: Reading) -> bool:
    """Whether a text is pieces of sentences only, which depend on what was said before."""
    told = _told(reading)
    return bool(told) and all(clause.kind == "fragment" for clause in told)


def filled(reading: Reading) -> tuple[tuple[str, str], ...]:
    """Subject and slot of each clause that gives a value."""
    return tuple((clause.subject, clause.slot) for clause in _told(reading) if clause.framed)


def _told(reading: Reading) -> Sequence[Clause]:
    return [clause for clause in reading.clauses if clause.kind != "filler"]


def _is_within(
    reading: Reading, clause: Clause, other_reading: Reading, other: Clause, pack: Pack
) -> bool:
    """Whether a clause says no more than another one: the same words of the claim, limited and meant alike."""
    if _circumstances(reading, clause) != _circumstances(other_reading, other):
        return False
    claim, beside = _claim(reading, clause, pack)
    other_claim, more = _claim(other_reading, other, pack)
    return claim == other_claim and beside <= more


def _circumstances(reading: Reading, clause: Clause) -> tuple[object, ...]:
    times = [reading.text[slice(*span)].casefold() for span in clause.times]
    return (
        clause.kind,
        clause.subject,
        clause.mood,
        clause.holder,
        clause.negative,
        clause.ends,
        clause.denies.casefold(),
        clause.scope.casefold(),
        clause.doubt.casefold(),
        times,
    )


def _claim(reading: Reading, clause: Clause, pack: Pack) -> tuple[list[object], set[str]]:
    """The words of a claim in order, each verb by its name and tense, and those that are told beside it.

    Words that open or close a claim say nothing, nor do articles and "now".
    """
    claim: list[object] = []
    beside: set[str] = set()
    begin = clause.core[0] if clause.framed else clause.start
    folded = pack.fold(reading.text)
    words = tokens_of(reading.text, folded, begin, clause.end, pack.splits)
    if words and pack.subjects.get(words[0].folded) == clause.subject:
        words = words[1:]  # "Ben Berlin'de oturuyorum"
    idle = pack.closers["harmless"].within(folded, clause.core[1], clause.end) or (0, 0)
    for word, following in zip(words, (*words[1:], None), strict=False):
        place = following.start if following and pack.has("harmless", word.folded) else word.start
        if any(start <= place < end for start, end in clause.beside):
            beside.add(word.folded)
        elif word.is_word and not (
            idle[0] <= word.start < idle[1] or pack.in_any(("articles", "now"), word.folded)
        ):
            forms = pack.forms.get(word.folded)
            claim.append((forms[0].verb, forms[0].tense) if forms else plain_number(word.folded))
    return claim, beside


def states(reading: Reading) -> frozenset[tuple[str, str]]:
    """Subject and slot of what a text states of which there is one at a time: ("i", "home"), ("my rent", "be")."""
    pack = pack_of(reading.language)
    return frozenset(
        (clause.subject, clause.slot)
        for clause in reading.clauses
        if clause.plain
        and clause.framed
        and (clause.changes or clause.tense != "past")
        and not clause.ends
        and (
            pack.is_slot(clause.slot)
            or (clause.slot == "be" and clause.subject not in pack.subjects.values())
        )
    )


def over(reading: Reading) -> tuple[frozenset[str], ...]:
    """What a text says to be over, each as stems: the Astra that was sold.

    What somebody else gives up is over for him alone: "Hugo quit football". What does not take place on a
    day goes on: "swimming is cancelled today".
    """
    pack = pack_of(reading.language)
    found = []
    for clause in reading.clauses:
        told = clause.kind == "statement" and clause.mood == "asserted"
        if not (clause.ends and told and clause.holder == "speaker"):
            continue
        on_a_day = clause.tense == "present" and (clause.value or clause.times)
        if clause.subject in _OWN:
            # Who is no student still has what students get.
            state = pack.is_state(clause.slot)
            found.append(stem_set("" if state else f"{clause.value} {clause.scope}", pack))
        elif is_timed(clause, pack) and not on_a_day and is_gone(clause, pack):
            found.append(stem_set(clause.subject, pack))
    return tuple(filter(None, found))


def tells_of(reading: Reading) -> frozenset[str]:
    """The stems of what a text says of its subjects, as far as it tells how things are."""
    pack = pack_of(reading.language)
    told = [
        stem_set(reading.words(clause), pack) - stem_set(clause.subject, pack)
        for clause in reading.clauses
        if clause.kind in TELLING
        and clause.meant
        and clause.tense != "past"
        and not clause.negative
    ]
    return frozenset().union(*told)


def _sequence(text: str, pack: Pack) -> tuple[str, ...]:
    return words_of(text, pack, silent=("determiners", "adverbs"))
