"""What a new statement does to an old one, clause by clause.

Hard verdicts stand only between plain assertions (I1), about one subject (I2), within one type of
values (I3); everything else is a doubt at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cogmem_core.reading.model import TELLING, Clause, Reading
from cogmem_core.reading.pack import Pack
from cogmem_core.reading.plain import OF_TIMES
from cogmem_core.reading.said import Said, leaves, said_of, stems, words_in, words_of
from cogmem_core.reading.topic_words import is_of

Grade = Literal["none", "doubt", "ends", "replaces"]
GRADES: tuple[Grade, ...] = ("none", "doubt", "ends", "replaces")
_OVER = (
    *("negations", "denials", "stop", "stopping", "now", "corrections", "helping", "own"),
    *("determiners", "prepositions", "deictic", "months", "weekdays", "units", "ordinals"),
)
"""Words that an end or a denial is told with."""
_TELLS_MORE = ("harmless", "demonstratives")
_TELLS_NO_MORE = ("definite", "beginnings")
"""Words that point at something, or begin a time, and so tell nothing beside an end: "the", "since Monday"."""
GONE = "it is over"
"""Why a clause is in doubt whose subject is gone itself: a flight, somebody who died."""
_SHARED = 2  # words
_DATED = ("clock", "date", "weekday")
_TYPED = (*_DATED, "version", "number")
_NAMING = frozenset(("name", "word"))
_LIMITS = ("spells", "source", "beginnings", "times", "habits")
_NOBODY = ("theirs", "negations", "denials")
"""Words of a subject that is nobody's who is known."""
PRONOUNS = ("it", "he", "she", "they", "you")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of one old clause.

    Attributes:
        number: of the old clause in its reading.
        grade: "none" = it stands; "doubt" = both stand, linked; "ends" = it is over; "replaces" = it
            is over, and the new clause tells what holds instead.
        by: the number of the new clause; -1 = none.
        reason: in words.
    """

    number: int
    grade: Grade = "none"
    by: int = -1
    reason: str = ""


def compare(new: Reading, old: Reading, pack: Pack) -> tuple[Verdict, ...]:
    """What each clause of an old reading is to a new one.

    Args:
        new: what is said now.
        old: what was said before, in the same language.
        pack: the tables of that language.
    """
    parts = [
        (by, said_of(new.text, clause, pack))
        for by, clause in enumerate(new.clauses)
        if _counts(clause)
    ]
    verdicts: list[Verdict] = []
    for number, clause in enumerate(old.clauses):
        best = Verdict(number)
        if parts and _counts(clause):
            former = said_of(old.text, clause, pack)
            for by, part in parts:
                grade, reason = _graded(part, former, pack)
                if grade == "ends" and clause.guards and _may_stay(new, by, old, clause, pack):
                    grade = "doubt"
                if GRADES.index(grade) > GRADES.index(best.grade):
                    best = Verdict(number, grade, by, reason)
        verdicts.append(best)
    return tuple(verdicts)


def _counts(clause: Clause) -> bool:
    return clause.kind in TELLING and clause.meant


def _may_stay(new: Reading, by: int, old: Reading, clause: Clause, pack: Pack) -> bool:
    """Whether what ends a guardian fact may leave some of it: "I take warfarin together with ramipril"."""
    folded = pack.fold(old.text)
    beside = (pack.guards["medicine"].within(folded, *span) for span in clause.beside)
    return any(beside) or _says_more(new, by, old.text, pack)


def _says_more(new: Reading, by: int, old: str, pack: Pack) -> bool:
    """Whether more is told of somebody than that what an old text tells is over.

    That may leave some of it, or take it back: "not just ...", "stopped it at night", "... and got ill", "or am I?".
    """
    clause = new.clauses[by]
    whom = ("", clause.subject, *PRONOUNS)
    stop = new.text.find(". ", clause.end)  # what the next sentence tells is another matter
    stop = stop if stop > 0 else len(new.text)
    end = max(each.end for each in new.clauses[by:] if each.subject in whom and each.end <= stop)
    words = [each.folded for each in words_in(new.text[clause.start : end + 1], pack)]
    denied = clause.negative or not clause.ends  # "not just allergic", but "finally stopped"
    known = (*words_of(old, pack, silent=()), *"-".join(pack.words["stop"]).split("-"))
    return "?" in new.text[clause.start : end + 1] or any(
        not (pack.in_any(_OVER, word) or word in pack.forms or word in pack.subjects)
        or (pack.in_any(_TELLS_MORE, word) and not pack.in_any(_TELLS_NO_MORE, word))
        for word, behind in zip(words, [*words[1:], ""], strict=True)
        if stems((word,), pack)[0] not in known
        and not (pack.has("adverbs", word) and (not denied or pack.has("negations", behind)))
    )


def _graded(new: Said, old: Said, pack: Pack) -> tuple[Grade, str]:
    for rule in (_named_wrong, _given_up, _denied, _moved, _another_value):
        grade, reason = rule(new, old, pack)
        if grade == "none":
            continue
        part = grade == "ends" and (old.clause.more or _tells_another(new, old))
        if (
            grade != "doubt"
            and not part
            and _sure(new, old, pack, whole=rule is not _another_value)
        ):
            return grade, reason
        return ("doubt", reason) if _may_doubt(new, old, pack) else ("none", "")
    return "none", ""


def _tells_another(new: Said, old: Said) -> bool:
    """Whether what ends leaves something of it: "I sold the Astra" of "I drive an Astra and a Polo"."""
    rest = old.several and bool(old.claim - new.claim - set(old.subject))
    return rest or leaves(old.lists, new.told)


def _may_doubt(new: Said, old: Said, pack: Pack) -> bool:
    """Whether what is not sure may be a doubt: meant as true now, and limited in the same way."""
    clause = new.clause
    # "I won't eat octopus any more" may be so already.
    over = clause.ends and clause.negative and clause.mood in ("planned", "able")
    said = (over or clause.mood in ("asserted", "reported")) and clause.holder == "speaker"
    current = clause.correcting or (_is_current(clause) and _is_current(old.clause))
    dated = any(map(str.isdigit, clause.scope))
    aside = not dated and not any(pack.says(group, clause.scope) for group in _LIMITS)
    limited = (aside and _tells(new)) or _limited_alike(new, old, pack) or _for_a_time(clause, pack)
    return said and current and limited


def _limited_alike(new: Said, old: Said, pack: Pack) -> bool:
    if not new.clause.scope:
        return True
    words = set(words_of(new.clause.scope, pack))
    return bool(words) and words <= old.claim


def _for_a_time(clause: Clause, pack: Pack) -> bool:
    """Whether only its beginning or end limits a clause: "until Friday"; not "in summer"."""
    words = pack.fold(clause.scope).split()
    groups = {group for word in words for group in _LIMITS if pack.has(group, word)}
    return "times" in groups and "habits" not in groups and len(groups) > 1


def _is_current(clause: Clause) -> bool:
    return clause.tense != "past" or clause.changes or clause.ends


def _sure(new: Said, old: Said, pack: Pack, *, whole: bool) -> bool:
    """Whether both clauses are plain, current assertions (I1).

    A denial of all, and a value that is named wrong, reach what was limited, too (`whole`).
    """
    if not pack.order:
        return False  # no statement of the language is taken apart
    if not (_is_plain(new.clause) and _may_be_over(old.clause, new.clause)):
        return False
    if set(old.subject) > set(new.subject) and _is_same_name(new, old):
        return False  # who Elif is would go with "my sister Elif lives in Porto"
    if new.clause.scope.casefold() == old.clause.scope.casefold():
        return whole or not old.clause.doubt
    return whole and _limited_alike(new, old, pack)


def _is_plain(clause: Clause) -> bool:
    """Whether a clause asserts without any doubt how things are."""
    return (
        clause.kind in ("statement", "wish_to_keep")
        and (_is_current(clause) or clause.correcting)
        and clause.holder == "speaker"
        and clause.mood == "asserted"
        and not clause.doubt
    )


def _may_be_over(old: Clause, new: Clause) -> bool:
    """Whether an old clause is of the kind that a new one may end: a plan only if that tells of a change."""
    return (
        old.holder == "speaker"
        and (old.mood == "asserted" or (old.mood == "planned" and (new.changes or new.ends)))
        and (
            old.tense != "past"
            or old.changes
            or new.correcting
            or (bool(new.denies) and not new.changes)
        )
    )


def _same_thing(new: Said, old: Said, pack: Pack) -> bool:
    """Whether two clauses are about one subject."""
    both = {new.clause.subject, old.clause.subject}
    absent = any(each and pack.in_any(_NOBODY, each.split()[0]) for each in both)
    if absent or not both.isdisjoint(PRONOUNS):
        return False
    return (
        len(both) == 1
        or _is_same_name(new, old)
        or (both == {"i", "we"} and (new.clause.changes or new.clause.ends or new.clause.now))
        or (bool(new.subject) and sorted(new.subject) == sorted(old.subject))
    )


def _is_same_name(new: Said, old: Said) -> bool:
    """Whether one is named by the name of the other alone: "Emil", "my son Emil"."""
    fewer, more = sorted((new, old), key=lambda each: len(each.subject))
    return more.named and fewer.subject == more.subject[-1:]


def _may_be_same(new: Said, old: Said, pack: Pack) -> bool:
    """Whether they are about one subject, or one is named by a part of its name: "Emil", "my son Emil"."""
    fewer, more = sorted((set(new.subject), set(old.subject)), key=len)
    return _same_thing(new, old, pack) or (bool(fewer) and fewer <= more)


def _named_wrong(new: Said, old: Said, pack: Pack) -> tuple[Grade, str]:
    """Whether the value that is named wrong is the old one: "Braga, not Porto"."""
    over = new.clause.ends or new.clause.negative
    if not new.denies or over or not new.value or set(new.value) <= set(old.value):
        return "none", ""
    if set(new.denies) <= set(old.subject):
        return "none", ""  # "We replaced the server with Bert": its name is, not that it is one
    reason = f"{old.clause.value}, now {new.clause.value}"
    same = _same_thing(new, old, pack) or (new.clause.changes and new.own)
    figure = old.type == "number" and new.denies == old.value[: len(new.denies)]
    slots = {new.clause.slot, old.clause.slot}
    if same and (new.denies == old.value or figure) and (len(slots) == 1 or "be" in slots):
        return "replaces", reason
    named = new.clause.subject in ("", "it") or same or set(new.subject) <= old.claim
    alike = new.clause.type == old.clause.type or "word" in (new.type, old.type)
    return ("doubt", reason) if named and alike and set(new.denies) <= old.claim else ("none", "")


def _given_up(new: Said, old: Said, pack: Pack) -> tuple[Grade, str]:
    """Whether what was said is over: "I sold the Astra", "My flight was cancelled"."""
    if not new.clause.ends or old.clause.changes or old.clause.ends or old.clause.negative:
        return "none", ""
    same = _same_thing(new, old, pack)
    person = new.own
    if _is_else(new, old, pack) or (person and _leaves_out(new, old, pack)):
        return "none", ""
    if new.clause.slot == old.clause.slot and same:
        if set(new.value) <= set(old.value):
            return "ends", "no longer"
        # "I'm Marta, a nurse" is not over where "I'm not a nurse anymore".
        return ("doubt", "no longer") if set(new.value) <= old.claim else ("none", "")
    had = old.is_had(pack)
    held = (
        not person
        and is_gone(new.clause, pack)
        and (same or (had and set(new.subject) <= set(old.value)))
    )
    timed = new.clause.tense == "past" and is_timed(new.clause, pack)
    dated = held and timed and old.type not in _DATED
    if not new.value or dated:
        # "My flight was cancelled" ends its hour; what is finished is still written in Kotlin.
        grade: Grade = "ends" if same and old.type in _DATED else "doubt"
        return (grade, GONE) if held else ("none", "")
    thing = person and sorted(new.value) == sorted(old.subject) and _is_current(old.clause)
    within = set(new.value) <= set(old.value)
    owned = person and old.clause.subject.startswith("my ")
    # "She cancelled my membership", "They've stopped the warfarin"
    mine = pack.says("own", new.clause.value)
    medicine = old.clause.guards == "medicine"
    ended = {*new.value, *words_of(new.clause.scope, pack)}
    # What is closed on one host may be open on another one.
    shared = {word for word in ended & old.claim if not pack.has("limiting", word)}
    reached = ended <= old.claim if " " in new.clause.slot else bool(shared)
    found: tuple[tuple[bool, Grade, str], ...] = (
        (thing and owned, "ends", "given up"),
        (thing or (owned and within), "doubt", "it may be given up"),
        (same and (within or _stopped_doing(new, old, pack)), "ends", "given up"),
        (same and reached, "doubt", "it may be over"),
        (had and within and (mine or medicine), "doubt", "it may be over"),
        (True, "none", ""),
    )
    return next((grade, reason) for holds, grade, reason in found if holds)


def is_timed(clause: Clause, pack: Pack) -> bool:
    """Whether a clause gives no value but a time."""
    words = pack.fold(clause.value).split()
    return clause.type in _DATED or all(pack.in_any(OF_TIMES, word) for word in words)


def is_gone(clause: Clause, pack: Pack) -> bool:
    """Whether what ends is the subject itself: "the flight was cancelled", "Momo died"; not "Hugo quit"."""
    verb = clause.slot.removeprefix("be ").replace(" ", "_")
    names = verb, verb.rpartition("_")[0]
    passive = clause.slot.startswith("be ")
    return pack.has_any("dismissing" if passive else "lapsing", names) != passive


def _stopped_doing(new: Said, old: Said, pack: Pack) -> bool:
    """Whether what was given up is to do what the old clause says: "I stopped taking sertraline"."""
    verb, rest = new.value[:1], set(new.value[1:])
    done = stems(old.clause.slot.split()[:1], pack)
    return verb == done and rest <= set(old.value) and bool(rest or not old.value)


def _leaves_out(said: Said, other: Said, pack: Pack) -> bool:
    """Whether a verb stands without what it needs: "I'm not", "I don't understand" are about what was just said."""
    return bool(other.value and not said.value) and (said.verb == "be" or _is_additive(said, pack))


def _is_else(said: Said, other: Said, pack: Pack) -> bool:
    """Whether one tells what somebody is not, and the other what they do or have: "no student", "a student loan"."""
    apart = pack.is_state(said.clause.slot) and not pack.is_state(other.verb)
    return apart and sorted(said.value) != sorted(other.value)


def _denied(new: Said, old: Said, pack: Pack) -> tuple[Grade, str]:
    """The same claim with and without "not": all words of the denial are words of the claim."""
    if not _may_be_same(new, old, pack) or new.clause.negative == old.clause.negative:
        return "none", ""
    denied, other = (new, old) if new.clause.negative else (old, new)
    told = denied.claim - {*denied.subject, *pack.subjects}
    if not told or _leaves_out(denied, other, pack) or _is_else(denied, other, pack):
        return "none", ""
    # "I don't like sushi" denies no hatred of it: its verb is not among the words of a claim.
    apart = new.clause.slot != old.clause.slot and pack.has("prepositions", new.clause.slot)
    if new.clause.negative and not apart and new.claim - set(new.subject) <= old.claim:
        part = _measured(new, pack) or old.names_aside(new, pack)
        whole = _same_thing(new, old, pack) and not part
        return ("ends" if whole else "doubt"), "denied now"
    if old.clause.negative and old.claim <= new.claim and new.clause.slot == old.clause.slot:
        return ("replaces" if _same_thing(new, old, pack) else "doubt"), "denied before"
    return "none", ""


def _measured(said: Said, pack: Pack) -> bool:
    """Whether a denial leaves some of it: "not much", "not always"."""
    return pack.says("quantities", f"{said.clause.value} {said.clause.scope}")


def _moved(new: Said, old: Said, pack: Pack) -> tuple[Grade, str]:
    """Whether what the speaker has is on another day now: "The appointment has been moved to 23 June"."""
    named = {word for word in new.subject if not pack.has("prepositions", word)}
    had = old.is_had(pack) and bool(named & set(old.value)) and named <= old.claim
    dosed = new.clause.type.partition(":")[2] in old.value
    moved = had and _tells(new) and (new.type in _DATED or dosed) and new.value != old.value
    return ("doubt", f"now {new.clause.value}") if moved else ("none", "")


def _another_value(new: Said, old: Said, pack: Pack) -> tuple[Grade, str]:
    """The same slot of the same subject with another value of the same type."""
    over = new.clause.ends or new.clause.negative or old.clause.negative
    if over or new.adds or _is_unreal(old, pack) or not (new.value and old.value):
        return "none", ""
    reason = f"{old.clause.value}, now {new.clause.value}"
    if _is_own_thing(new, old, pack):
        return "doubt", reason
    if new.clause.kind == "fragment" or not _same_thing(new, old, pack):
        return _corrected(new, old, pack)
    within = set(new.value) <= set(old.value) or set(old.value) <= set(new.value)
    if within or _goes(new, old, pack):
        return "none", ""
    slot = new.clause.slot
    if slot != old.clause.slot:
        grade = _met(new, old, pack)
        grade = grade if grade != "none" else _beside(new, old, pack)
    elif pack.is_slot(slot):
        grade = "replaces" if _alike(new, old, pack) else "doubt"
    else:
        grade = _valued(new, old, pack)
    return (grade, reason) if grade != "none" else _corrected(new, old, pack)


def _is_unreal(said: Said, pack: Pack) -> bool:
    """Whether a value is told that somebody would like, or could have: "I wish I lived in Rome"."""
    unreal = said.clause.mood in ("hypothetical", "able") and pack.is_slot(said.clause.slot)
    return unreal or said.clause.mood == "wished"


def _is_own_thing(new: Said, old: Said, pack: Pack) -> bool:
    """Whether one tells anew of the speaker what the other tells of a thing of theirs: "my new address is"."""
    slot = next((each for each in pack.slots if each.name == new.clause.slot), None)
    alike = new.clause.slot == old.clause.slot and not set(old.value) <= new.claim
    if slot is None or not alike or new.own == old.own:
        return False
    thing = (old if new.own else new).clause.subject.removeprefix("my ")
    fresh = _tells(new) or not new.claim.isdisjoint(stems(pack.words["changed_nouns"], pack))
    return fresh and thing in slot.things


def _goes(new: Said, old: Said, pack: Pack) -> bool:
    """Whether somebody goes to a place of whom it was told who they are: "my dad is Pete"."""
    apart = new.type != old.type
    named = apart or new.type == "name" or pack.nouns_capital
    tells = new.clause.changes and new.clause.slot != "name" and old.clause.slot == "be"
    return tells and named and new.type in _NAMING and (apart or _is_somebody(new, pack))


def _is_somebody(said: Said, pack: Pack) -> bool:
    """Whether a subject names a person by what they are to others: "my boss"."""
    words = said.clause.subject.removeprefix("my ").split()
    return any(is_of(words, topic, pack) for topic in ("family", "people"))


def _alike(new: Said, old: Said, pack: Pack) -> bool:
    """Whether two values of one slot are of one kind: a name is no word, a town is no country."""
    wide = [pack.says("regions", each.clause.value) for each in (new, old)]
    if pack.is_state(new.clause.slot):
        return True
    if wide[0] != wide[1] or any(_describes(each, pack) for each in (new, old)):
        return False
    known = new.type != "word" or _tells(new) or (pack.nouns_capital and _may_name(new, old))
    return new.type == old.type and known


def _may_name(new: Said, old: Said) -> bool:
    """Whether two values may be names where all nouns have capital letters: "Celle", not "einer Bank"."""
    return all(each.clause.value.isalpha() and each.clause.value.istitle() for each in (new, old))


def _tells(said: Said) -> bool:
    """Whether a clause tells by itself that something is new: "now", "moved", "actually"."""
    return said.clause.now or said.clause.changes or said.clause.correcting


def _corrected(new: Said, old: Said, pack: Pack) -> tuple[Grade, str]:
    """A correction takes a value of its type, as a doubt: "9:30, sorry"; the same figure of the same thing surely."""
    clause = new.clause
    if (
        not clause.correcting
        or clause.type != old.clause.type
        or new.type in ("", "word")
        or new.value == old.value
    ):
        return "none", ""
    reason = f"{old.clause.value}, perhaps {clause.value}"
    measured = new.type in _TYPED and _without_figures(new.value, pack)
    if (
        _same_thing(new, old, pack)
        and clause.slot == old.clause.slot
        and set(old.value) <= new.text
    ):
        return "replaces", reason  # "I told you Plovdiv, but I was born in Burgas"
    if measured and measured == _without_figures(old.value, pack) and _may_be_same(new, old, pack):
        return "replaces", reason
    shared = (new.claim | set(new.subject)) & old.claim
    if clause.kind == "fragment" or (new.type in _TYPED and shared) or len(shared) >= _SHARED:
        return "doubt", reason
    return "none", ""


def _met(new: Said, old: Said, pack: Pack) -> Grade:
    """The grade of what two verbs tell of a thing: "is at" after "leaves at", "moved to" after "is in"."""
    slot, former = new.clause.slot, old.clause.slot
    verb, _, relation = slot.partition(" ")
    if new.own:
        return "none"
    if new.clause.changes and (verb == "be" or pack.is_slot(slot)):
        meet = former.startswith("be") or old.type in _TYPED
    else:
        meet = slot == f"be {relation}" and former.endswith(f" {relation}") and new.type in _TYPED
    grade = _valued(new, old, pack) if meet else "none"
    # "The server moved to Frankfurt" where its name is Bert
    apart = former == "be" and slot != "name" and new.type in _NAMING
    return "doubt" if grade == "replaces" and apart else grade


def _beside(new: Said, old: Said, pack: Pack) -> Grade:
    """What "I work for a school now" does to "I work as a baker at Panos": one verb tells both."""
    named = pack.is_slot(new.clause.slot) and pack.is_slot(old.clause.slot)
    told = new.clause.now and old.clause.beside and not set(new.value) <= old.text
    return "doubt" if named and told and new.claim & old.claim - set(new.subject) else "none"


def _valued(new: Said, old: Said, pack: Pack) -> Grade:
    """The grade of two values of one frame.

    What somebody does to a thing he may do to another one as well, or once more later: without a sign of
    change only what a thing is, and where, takes the place of what it was.
    """
    if _habit(new, pack) or _habit(old, pack):
        return "doubt" if new.clause.changes or new.clause.correcting else "none"
    if new.type in _TYPED and new.type == old.type:
        if new.type == "number":
            return _figures(new, old, pack)
        sure = _is_one(new, pack) or _is_single(new, pack) or _tells(new)
        return "replaces" if sure and not new.own else "doubt"
    if not {new.type, old.type} <= _NAMING:
        rest, former = (sorted(_without_figures(each.value, pack)) for each in (new, old))
        return "doubt" if old.clause.guards and rest and rest == former else "none"
    differing = len(set(new.value) ^ set(old.value))
    in_one_word = differing == 2 and set(new.value) & set(old.value)
    grade = (_in_one_word if in_one_word else _named)(new, old, pack)
    return "doubt" if grade == "replaces" and old.several else grade


def _in_one_word(new: Said, old: Said, pack: Pack) -> Grade:
    """The grade of two values that differ in one word: "Python 3.11", "Python 3.12"."""
    person = new.own
    own = person or "my" in new.clause.subject.split()
    additive = _is_additive(new, pack)
    figure = _is_figure(new, old)
    one = _is_one(new, pack)
    if (figure and one) or (new.clause.now and not additive) or (own and _is_single(new, pack)):
        return "replaces"
    likely = person or (own and one) or (figure and not additive)
    return "doubt" if likely or _tells(new) else "none"


def _is_one(said: Said, pack: Pack) -> bool:
    """Whether a slot has one value at a time: what a thing is, and where; not whom it helps."""
    words = said.clause.slot.split()
    return words[:1] == ["be"] and all(pack.has("prepositions", word) for word in words[1:])


def _is_additive(said: Said, pack: Pack) -> bool:
    return pack.has("additive", said.verb)


def _named(new: Said, old: Said, pack: Pack) -> Grade:
    """The grade of two names or descriptions of one thing."""
    told = _tells(new)
    alike = new.type == old.type
    additive = _is_additive(new, pack)
    if new.own:
        capital = {each.clause.value[:1].isupper() for each in (new, old)}
        alike = alike and len(capital) == 1  # "I'm Ann", "I'm tired now"
        return "doubt" if new.clause.now and alike and not additive else "none"
    if pack.has("several", new.head):
        return "none"
    own = "my" in new.clause.subject.split()
    if not (told or _is_one(new, pack)):
        placed = own and " " in new.clause.slot  # "Our CI runs on Jenkins"
        return "doubt" if alike and placed and not additive else "none"
    single = _is_single(new, pack)
    described = any(_describes(each, pack) for each in (new, old))
    preferred = pack.has_any("preferred", new.clause.subject.split())
    if alike and not described and (new.type == "name" or preferred or (told and single)):
        likely = single or own or new.clause.slot != "be"  # others have several contacts
        sure = new.clause.correcting or (not additive if told else likely)
        return "replaces" if sure else "doubt"
    # "my dentist is Okafor", "my dentist is great"
    return "doubt" if told or single else "none"


def _is_single(said: Said, pack: Pack) -> bool:
    """Whether there is one of it at a time: a blood type; there is one boss, who reads many mails."""
    words = said.clause.subject.split() if said.verb == "be" else [said.verb]
    return pack.has_any("single", words)


def _describes(said: Said, pack: Pack) -> bool:
    """Whether a value in capitals is no name: "German", "Welsh"."""
    words = pack.fold(said.clause.value).split()
    return bool(words) and pack.patterns["describing"].fullmatch(words[-1]) is not None


def _is_figure(new: Said, old: Said) -> bool:
    return all(word[0].isdigit() for word in set(new.value) ^ set(old.value))


def _figures(new: Said, old: Said, pack: Pack) -> Grade:
    """The grade of two figures: of one unit, and of one thing."""
    rest = _without_figures(new.value, pack)
    former = _without_figures(old.value, pack)
    units = {each.clause.type.partition(":")[2] for each in (new, old)} - {""}
    if rest != former or (new.own and not rest and _is_additive(new, pack)):
        return "none" if new.own or len(units) > 1 else "doubt"
    return "replaces"


def _without_figures(words: Sequence[str], pack: Pack) -> list[str]:
    units = pack.words["units"]
    numbers = pack.words["numbers"]
    return [
        w for w in words if not w[:1].isdigit() and w not in numbers and w not in stems(units, pack)
    ]


def _habit(said: Said, pack: Pack) -> bool:
    return pack.says("habits", said.clause.value)
