"""What stands round a claim: what limits it, what is told beside it, when it holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cogmem_core.reading.frames import Finder, Frame
from cogmem_core.reading.model import Clause, Mood, Span
from cogmem_core.reading.pack import Pack
from cogmem_core.reading.tokens import Token
from cogmem_core.reading.values import type_of

_NAMES = 3  # words of "Lisbon, Portugal"


@dataclass(slots=True)
class Round:
    """What stands round a claim, as it is found."""

    scope: list[str]
    doubt: list[str]
    beside: list[Span]
    times: list[Span]
    denies: str = ""
    stopped: bool = False
    plans: bool = False


def framed(
    text: str,
    folded: str,
    pack: Pack,
    clause: Clause,
    words: Sequence[Token],
    frame: Frame,
    subject: str,
) -> Clause:
    """A clause with what its frame says.

    Args:
        text: the whole text.
        folded: the same, folded.
        pack: the tables of its language.
        clause: with its place, and what its openers said.
        words: its words behind its openers.
        frame: its frame.
        subject: what it is about.
    """
    group = frame.group
    words = frame.words or words
    value = words[frame.value[0] : frame.value[1]]
    around = Round([], [], [], [], denies=_text(text, frame.denied))
    slot, changes = _slot(pack, frame, subject, value)
    ends = pack.has("ends", frame.slot.removeprefix("be ").replace(" ", "_")) or pack.has(
        "ends", group.verb.removeprefix("be ").replace(" ", "_")
    )
    ends = ends and not group.negative  # "I haven't sold the Golf"
    looks_back = changes or ends or group.tense == "past" or group.mood == "planned"
    lasts = slot.startswith("be") or any(slot == each.name for each in pack.slots)
    _lead(text, pack, words[: frame.lead], around, looks_back=looks_back or not lasts)
    around.scope += [words[k].raw for k in group.limiting]
    _behind(text, folded, pack, words, frame, around, looks_back=looks_back)
    if changes and value and not frame.slot.partition(" ")[2]:
        place = frame.value[1]
        if place < len(words) - 1 and pack.has("source", words[place].folded):
            former = (place + 1, Finder("", pack).value_end(words, place + 1))
            around.denies, place = _text(text, words[former[0] : former[1]]), former[1]
        denies = around.denies
        goal = _goal(pack, words, place)
        if goal is not None:
            # "We moved the call to 22 March": the call is what has a new value.
            subject, value = thing_of(pack, value), words[goal[0] : goal[1]]
            around = Round([words[k].raw for k in group.limiting], [], [], [])
            _lead(text, pack, words[: frame.lead], around, looks_back=True)
            _behind(text, folded, pack, words, replace(frame, value=goal), around, looks_back=True)
            around.denies = around.denies or denies
            slot, _ = _slot(pack, replace(frame, slot="change"), subject, value)
    mood = _mood(pack, clause, frame, words, around, changes=changes)
    reported = group.verb in pack.words.get("reporting", ()) and not group.negative
    named = frame.subject[1] > frame.subject[0] or frame.implied
    claim = [*words[frame.subject[0] if named else 0 : max(frame.group.end, 1)], *value]
    low, high = min(word.start for word in claim), max(word.end for word in claim)
    listed = _listed(pack, words[group.end - 1 : frame.value[1]], group.verb)
    if listed is not None:
        slot, value = listed
    if _holds_another(pack, value):
        around.doubt.append(_text(text, value))
    said = text[value[0].start : value[-1].end] if value else ""
    kind = type_of(value, pack)
    if not said and frame.former != (0, 0):
        return replace(clause, kind="fragment")
    if frame.former != (0, 0):
        around.denies = around.denies or _text(text, words[frame.former[0] : frame.former[1]])
    return replace(
        clause,
        core=(low, high),
        beside=tuple(around.beside),
        mood=mood,
        scope=" ".join(filter(None, (clause.scope, *around.scope))),
        doubt=" ".join(around.doubt),
        subject=subject,
        slot=slot,
        value=said,
        type=kind,
        negative=group.negative,
        tense=group.tense,
        denies=around.denies,
        correcting=clause.correcting or any(pack.has("corrections", word.folded) for word in words),
        now=any(pack.has("now", word.folded) for word in words),
        changes=changes,
        ends=ends or group.stopped or around.stopped or group.over,
        times=tuple(around.times),
        more=reported or _more(pack, words, frame),
    )


def _goal(pack: Pack, words: Sequence[Token], place: int) -> Span | None:
    """The new value behind "to"; None if there is none."""
    if place < len(words) - 1 and pack.has("goal", words[place].folded):
        if any(
            form.verb == words[place + 1].folded
            for form in pack.forms.get(words[place + 1].folded, ())
        ):
            return None
        return place + 1, Finder("", pack).value_end(words, place + 1)
    return None


def thing_of(pack: Pack, words: Sequence[Token]) -> str:
    """The words of a thing, without articles."""
    kept: list[str] = []
    for word in words:
        folded = word.folded
        if not word.is_word or pack.has("within", folded) or pack.has("determiners", folded):
            continue
        if not (pack.has("changed_nouns", folded) or pack.has("adverbs", folded)):
            kept.append("my" if pack.has("own", folded) else folded)
    return " ".join(kept)


def _text(text: str, words: Sequence[Token]) -> str:
    return text[words[0].start : words[-1].end] if words else ""


def _slot(pack: Pack, frame: Frame, subject: str, value: Sequence[Token]) -> tuple[str, bool]:
    """The slot of a claim, and whether its verb tells a new value."""
    verb = frame.slot
    bare = verb.removeprefix("be ").removeprefix("se ")
    short = f"{frame.group.verb} {verb.split()[-1]}".removeprefix("be ")
    first = value[0].folded if value else ""
    kind = type_of(value, pack)
    for slot in pack.slots:
        if slot.types and kind.partition(":")[0] not in slot.types and kind not in slot.types:
            continue
        if first in slot.but or (value and value[-1].folded in slot.but):
            continue
        if verb in slot.verbs:
            return slot.name, False
        if verb in slot.changes or bare in slot.changes or short in slot.changes:
            return slot.name, True
    if pack.has("copulas", frame.group.verb) or bare.split()[0] in pack.words.get("changing", ()):
        thing = subject.split()
        for slot in pack.slots:
            if thing and (subject.removeprefix("my ") in slot.things):
                return slot.name, not pack.has("copulas", frame.group.verb)
    last = bare.split()[-1]
    reached = (
        last == bare.split()[0] or pack.has("goal", last) or not pack.has("prepositions", last)
    )
    if reached and pack.has("changing", bare.split()[0]):
        return "be", True
    return verb, False


def _listed(pack: Pack, words: Sequence[Token], verb: str) -> tuple[str, Sequence[Token]] | None:
    """The slot of a value that is one of few, and the value: "married"."""
    if not (pack.has("copulas", verb) or verb.startswith("be ")):
        return None
    for slot in pack.slots:
        for place, word in enumerate(words):
            if word.folded in slot.values:
                return slot.name, words[place : place + 1]
    return None


def _lead(
    text: str, pack: Pack, words: Sequence[Token], around: Round, *, looks_back: bool
) -> None:
    """What stands before the subject limits the claim, but for a point in time."""
    kept = [word for word in words if word.is_word and not pack.has("joints", word.folded)]
    if not kept:
        return
    if all(
        pack.has("adverbs", word.folded) or pack.has("subordinating", word.folded) for word in kept
    ):
        return
    if is_time(pack, kept) and not is_scope_of_time(pack, kept):
        around.times.append((kept[0].start, kept[-1].end))
        planned = any(pack.has("plans", word.folded) for word in kept)
        around.plans |= planned
        if not (
            looks_back
            or planned
            or any(pack.has(each, word.folded) for word in kept for each in ("beginnings", "now"))
        ):
            around.scope.append(_text(text, kept))  # "On Sunday I am in Rome"
        return
    if pack.has("reasons", kept[0].folded):
        around.beside.append((kept[0].start, kept[-1].end))
        return
    limits = ("prepositions", "subordinating", "limiting", "question_words", "determiners", "own")
    unknown = not any(pack.has(group, word.folded) for group in limits for word in kept)
    (around.doubt if unknown else around.scope).append(_text(text, kept))


def is_time(pack: Pack, words: Sequence[Token]) -> bool:
    return any(pack.has("times", word.folded) for word in words) and all(
        pack.has("times", word.folded)
        or pack.has("prepositions", word.folded)
        or pack.has("determiners", word.folded)
        or pack.has("numbers", word.folded)
        or pack.has("plans", word.folded)
        or pack.has("ordinals", word.folded)
        or word.folded[:1].isdigit()
        or word.folded == "."
        for word in words
    )


def is_scope_of_time(pack: Pack, words: Sequence[Token]) -> bool:
    """Whether a time limits a claim: "on Mondays", "for two weeks", "until May"; not "since May"."""
    habit = pack.patterns.get("habit")
    if habit is not None and habit.search(" ".join(word.folded for word in words)):
        return True
    return any(
        pack.has("habits", word.folded)
        or pack.has("spells", word.folded)
        or pack.has("seasons", word.folded)
        for word in words
    )


def _segments(pack: Pack, words: Sequence[Token]) -> Iterator[tuple[str, Sequence[Token]]]:
    """What stands behind a value, cut at marks, prepositions and joints: each with what opens it."""
    begin, opener = 0, ""
    for place, word in enumerate(words):
        opens = not word.is_word or any(
            pack.has(group, word.folded)
            for group in (
                "prepositions",
                "harmless",
                "subordinating",
                "joints",
                "negations",
                "limiting",
                "stop",
            )
        )
        ordinal = word.folded == "." and place > begin and words[place - 1].folded[:1].isdigit()
        if not opens or (ordinal and place < len(words) - 1):
            continue
        before = words[begin:place]
        if before or opener:
            yield opener, before
        opener, begin = word.folded, place + 1
    rest = words[begin:]
    if rest or opener:
        yield opener, rest


def _behind(
    text: str,
    folded: str,
    pack: Pack,
    words: Sequence[Token],
    frame: Frame,
    around: Round,
    *,
    looks_back: bool,
) -> None:
    """What stands behind the value."""
    behind = words[frame.value[1] :]
    if not behind:
        return
    start, end = behind[0].start, behind[-1].end
    taken = False
    comma = denied = False
    held = ""
    place = frame.value[1]
    for opener, segment in _segments(pack, behind):
        span = (segment[0].start, segment[-1].end) if segment else (start, start)
        told = bool(segment)
        while segment and pack.has("adverbs", segment[-1].folded):
            segment = segment[:-1]
        said = " ".join(word.raw for word in segment)
        whole = f"{opener} {said}".strip() if opener.isalnum() else said
        if not told:
            comma = not opener[:1].isalnum()
            denied = pack.has("negations", opener)
            held = (
                opener
                if pack.has("prepositions", opener) and not pack.has("harmless", opener)
                else ""
            )
            if pack.has("limiting", opener):
                around.scope.append(opener)
            if pack.has("stop", opener):
                around.stopped = True
            if (pack.has("harmless", opener) or pack.has("reasons", opener)) and not taken:
                around.beside.append(span)
                taken = True
            continue
        begin = span[0]
        if opener[:1].isalnum():
            begin = folded.rfind(opener, start - len(opener), span[0])
        if held and pack.has("subordinating", opener):
            around.scope.append(f"{held} {whole}")  # "salvo que llueva"
        elif not segment and pack.has("spells", opener):
            around.scope.append(text[begin : span[1]])  # "for now"
        elif (
            not segment
            or pack.closer("harmless").is_all(folded, begin, span[1])
            or (all(pack.has("adverbs", w.folded) for w in segment) and not opener[:1].isalnum())
        ):
            pass
        elif taken and opener and not pack.has("limiting", opener):
            around.beside[-1] = (
                around.beside[-1][0],
                span[1],
            )  # goes on: "with my sister in a flat"
        elif pack.has("negations", opener) or denied:
            around.denies = around.denies or said
        elif pack.has("limiting", opener):
            around.scope.append(whole)
        elif is_time(pack, segment):
            every = pack.has("spells", opener) or is_scope_of_time(pack, segment)
            if pack.has("beginnings", opener):
                around.times.append(span)
                around.plans |= any(pack.has("plans", word.folded) for word in segment)
            elif every or not looks_back:
                around.times.append(span)
                if every or not any(pack.has("plans", w.folded) for w in segment):
                    around.scope.append(whole)
                around.plans |= any(pack.has("plans", word.folded) for word in segment)
            else:
                around.times.append(span)
                around.plans |= any(pack.has("plans", word.folded) for word in segment)
        elif pack.has("harmless", opener) or pack.has("reasons", opener):
            around.beside.append((span[0], span[1]))
            taken = True
            if not (pack.has("reasons", opener) or looks_back or _named(pack, frame)):
                around.doubt.append(whole)  # "I drink wine with guests"
        elif _also(pack, frame, opener, segment[0]):
            around.beside.append(span)
        elif pack.has("prepositions", opener) or pack.has("subordinating", opener):
            around.scope.append(whole)
        elif comma or not opener[:1].isalnum():
            if (
                len(segment) <= _NAMES
                and all(word.is_capital for word in segment)
                and not pack.nouns_capital
            ):
                around.beside.append(span)
            else:
                around.doubt.append(said)
        elif pack.has("conjunctions", opener):
            around.doubt.append(whole)
        else:
            around.doubt.append(whole)
        comma = denied = False
        held = ""
    del place


def _holds_another(pack: Pack, value: Sequence[Token]) -> bool:
    """Whether a second noun stands in a value behind a word that nobody understands: "bread aboard his boat"."""
    opens = ("determiners", "own")
    known = ("within", "conjunctions", "adverbs", "prepositions", "determiners", "own", "comparing", "articles")
    return any(
        any(pack.has(group, word.folded) for group in opens)
        and not pack.has("numbers", word.folded)
        and before.is_word
        and not any(pack.has(group, before.folded) for group in known)
        for before, word in zip(value, value[1:], strict=False)
    )


def _named(pack: Pack, frame: Frame) -> bool:
    """Whether a verb fills a slot that has a name: who is told beside a home limits nothing."""
    verb = frame.slot.removeprefix("be ")
    return any(verb in slot.verbs or frame.slot in slot.verbs or verb in slot.changes for slot in pack.slots)


def _also(pack: Pack, frame: Frame, opener: str, first: Token) -> bool:
    """Whether a verb tells another slot with this preposition: "work as a nurse at St Mary's"."""
    also = f"{frame.group.verb} {opener}"
    if not (
        first.is_capital or pack.has("determiners", first.folded) or pack.has("own", first.folded)
    ):
        return False
    own = (frame.slot, frame.slot.removeprefix("be "))
    return any(
        (also in slot.verbs or also in slot.changes)
        and not any(each in slot.verbs or each in slot.changes for each in own)
        for slot in pack.slots
    )


def _mood(
    pack: Pack,
    clause: Clause,
    frame: Frame,
    words: Sequence[Token],
    around: Round,
    *,
    changes: bool,
) -> Mood:
    group = frame.group
    if clause.mood not in ("asserted", "planned"):
        return clause.mood
    if group.mood != "asserted":
        return group.mood
    planned = clause.mood == "planned" or (group.tense == "present" and around.plans)
    if group.progressive and changes and group.tense == "present":
        planned = True
    return "planned" if planned else "asserted"


def _more(pack: Pack, words: Sequence[Token], frame: Frame) -> bool:
    """Whether another verb with a subject stands behind the value of a frame."""
    for word in words[frame.value[1] :]:
        forms = pack.forms.get(word.folded, ())
        if any(form.tense and form.verb != word.folded for form in forms):
            return True
    place = frame.group.end
    return any(
        words[k].folded in pack.subjects
        and any(form.tense for form in pack.forms.get(words[k + 1].folded, ()))
        for k in range(place, len(words) - 1)
    )
