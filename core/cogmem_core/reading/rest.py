"""What stands round a claim: what limits it, what is told beside it, when it holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from cogmem_core.reading.frames import OPENING, Finder, Frame
from cogmem_core.reading.model import Clause, Mood, Span
from cogmem_core.reading.pack import Pack
from cogmem_core.reading.plain import OF_TIMES
from cogmem_core.reading.tokens import Token, Tokens, span_of, text_of, tokens_of
from cogmem_core.reading.told import is_advice
from cogmem_core.reading.values import takes, type_of
from cogmem_core.reading.verbs import Group

_JOINING = ("within", "conjunctions", "adverbs", "prepositions", "determiners", "own", "articles")
_NAMES = 3  # words of "Lisbon, Portugal"
_LIMITS = ("prepositions", "subordinating", "limiting", "question_words", "determiners", "own")


class Source(NamedTuple):
    """A text with what is needed to read it.

    Attributes:
        text: the whole text.
        folded: the same, folded.
        pack: the tables of its language.
    """

    text: str
    folded: str
    pack: Pack

    def tokens(self, start: int, end: int) -> tuple[Token, ...]:
        """The words and marks between two places."""
        return tokens_of(self.text, self.folded, start, end, self.pack.splits)


def framed(source: Source, clause: Clause, words: Tokens, frame: Frame, subject: str) -> Clause:
    """A clause with what its frame says.

    Args:
        source: the text.
        clause: with its place, and what its openers said.
        words: its words behind its openers.
        frame: its frame.
        subject: what it is about.
    """
    text = source.text
    pack = source.pack
    group = frame.group
    words = frame.words or words
    value = words[slice(*frame.value)]
    slot, changes = _slot(source, frame, subject, value)
    ends = _ends(source, frame, value or words[slice(*frame.subject)])
    looks_back = changes or ends or group.tense == "past" or group.mood == "planned"
    around = Round(source, words, frame, looks_back=looks_back)
    around.denies = text_of(text, frame.denied)
    around.doubt = [text_of(text, frame.between)] if frame.between else []
    around.read(lasts=slot.startswith("be") or pack.is_slot(slot))
    if changes and value and not frame.slot.partition(" ")[2]:
        denies, goal = _goal(source, words, frame.value[1])
        around.denies = denies or around.denies
        if goal is not None:
            # "We moved the call to 22 March": the call is what has a new value.
            subject = thing_of(pack, value)
            denies = around.denies or _swapped(source, group, value)
            value = words[slice(*goal)]
            around = Round(source, words, replace(frame, value=goal), looks_back=True)
            around.read(lasts=True)
            around.denies = around.denies or denies
            slot, _ = _slot(source, replace(frame, slot="change"), subject, value)
    elif changes and frame.group.verb.startswith("be "):
        around.denies = around.denies or _swapped(source, group, words[slice(*frame.subject)])
    core = _core(frame, words, value)
    listed = _listed(pack, words[group.end - 1 : frame.value[1]], frame)
    if listed is not None:
        slot, value = listed
        ends = False  # "divorced" is how somebody is
    if _holds_another(pack, value):
        around.doubt.append(text_of(text, value))
    said = text_of(text, value)
    if frame.former != (0, 0):
        if not said:
            return replace(clause, kind="fragment")
        around.denies = around.denies or text_of(text, words[slice(*frame.former)])
    return replace(
        clause,
        core=core,
        beside=tuple(around.beside),
        mood=_mood(clause, frame, around, subject=subject, changes=changes),
        scope=" ".join(filter(None, (clause.scope, *around.scope))),
        doubt=" ".join(around.doubt),
        subject=subject,
        slot=slot,
        value=said,
        type=type_of(value, pack),
        negative=group.negative,
        tense=group.tense,
        denies=around.denies,
        correcting=clause.correcting or pack.among("corrections", words),
        now=clause.now or pack.among("now", words),
        changes=changes,
        ends=ends or group.stopped or around.stopped or group.over,
        times=tuple(around.times),
        more=(pack.has("reporting", group.verb) and not group.negative)
        or _more(pack, words, frame),
    )


def _ends(source: Source, frame: Frame, value: Tokens) -> bool:
    """Whether a verb says that something is over, and is not denied: not "I haven't sold the Golf"."""
    pack = source.pack
    names = [each.removeprefix("be ").replace(" ", "_") for each in (frame.slot, frame.group.verb)]
    if frame.group.negative:
        return False
    if value and pack.has_any("discontinuing", names):
        # "I came off the statins", but not "off the bike"
        return pack.guards["medicine"].within(source.folded, *span_of(value)) is not None
    return pack.has_any("ends", names)


def _core(frame: Frame, words: Tokens, value: Tokens) -> Span:
    """The place of subject, verb and value."""
    named = frame.subject[1] > frame.subject[0] or frame.implied
    begin = frame.subject[0] if named else 0
    claim = [*words[begin : max(frame.group.end, 1)], *value]
    return min(word.start for word in claim), max(word.end for word in claim)


def _goal(source: Source, words: Tokens, place: int) -> tuple[str, Span | None]:
    """The former value behind "from", and the place of the new one behind "to"; "" and None if there is none."""
    pack = source.pack
    finder = Finder("", pack)
    denies = ""
    if place < len(words) - 1 and pack.has("source", words[place].folded):
        end = finder.value_end(words, place + 1)
        denies = text_of(source.text, words[place + 1 : end])
        place = end
    if place >= len(words) - 1 or not pack.has("goal", words[place].folded):
        return denies, None
    following = words[place + 1].folded
    if any(form.verb == following for form in pack.forms[following]):
        return denies, None
    return denies, (place + 1, finder.value_end(words, place + 1))


def _swapped(source: Source, group: Group, thing: Tokens) -> str:
    """What another thing takes the place of: "replaced Jenkins with Argo"; "" if its verb only moves it."""
    verb = group.verb.removeprefix("be ")
    return text_of(source.text, thing) if source.pack.has("swapping", verb) else ""


def thing_of(pack: Pack, words: Tokens) -> str:
    """The words of a thing, without articles."""
    kept: list[str] = []
    for word in words:
        folded = word.folded
        if not word.is_word or pack.in_any(("within", "determiners"), folded):
            continue
        if not pack.in_any(("changed_nouns", "adverbs"), folded):
            kept.append("my" if pack.has("own", folded) else folded)
    return " ".join(kept)


def _slot(source: Source, frame: Frame, subject: str, value: Tokens) -> tuple[str, bool]:
    """The slot of a claim, and whether its verb tells a new value."""
    pack = source.pack
    cased = not source.text.islower()
    verb = frame.slot
    bare = verb.removeprefix("be ").removeprefix("se ")
    words = bare.split()
    first = words[0]
    last = words[-1]
    aside = all(pack.has("adverbs", word) for word in words[1:-1])  # not "moved on to"
    short = f"{frame.group.verb} {verb.split()[-1]}".removeprefix("be ") if aside else bare
    for slot in pack.slots:
        tells = verb in slot.verbs
        changes = not tells and not slot.changes.isdisjoint((verb, bare, short))
        if (tells or changes) and takes(slot, value, pack, cased=cased, changes=changes):
            return slot.name, changes
    if pack.has("copulas", frame.group.verb) or pack.has("changing", first):
        for slot in pack.slots:
            if subject and subject.removeprefix("my ") in slot.things:
                return slot.name, not pack.has("copulas", frame.group.verb)
    reached = last == first or pack.has("goal", last) or not pack.has("prepositions", last)
    if reached and pack.has_any("changing", (first, "_".join(words[:2]))):
        return "be", True
    return verb, False


def _listed(pack: Pack, words: Tokens, frame: Frame) -> tuple[str, Tokens] | None:
    """The slot of a value that is one of few, and the value: "married to", not "engaged in"."""
    verb = frame.group.verb
    relation = frame.slot.partition(" ")[2].split()[-1:]
    related = relation and pack.has("prepositions", relation[0])
    if not (pack.has("copulas", verb) or verb.startswith("be ")):
        return None
    if related and not pack.has("goal", relation[0]):
        return None
    for slot in pack.slots:
        for place, word in enumerate(words):
            if word.folded in slot.values:
                return slot.name, words[place : place + 1]
    return None


def is_time(pack: Pack, words: Tokens) -> bool:
    """Whether words are a time, with what may stand in one: "on the 12. of May"."""
    named = (word.folded for word in words if not pack.has("changed_nouns", word.folded))
    return pack.has_any("times", named) and all(
        pack.in_any(OF_TIMES, word.folded) or word.is_figure or word.folded == "." for word in words
    )


def is_scope_of_time(pack: Pack, words: Tokens, opener: str = "") -> bool:
    """Whether a time limits a claim: "on Mondays", "for two weeks", "until May"; not "since May".

    `opener`: the word before it, if it is not among the words.
    """
    habit = pack.patterns["habit"]
    said = " ".join(word.folded for word in words)
    if habit.search(said) or habit.search(f"{opener} {said}"):
        return True
    return any(pack.in_any(("habits", "spells", "seasons"), word.folded) for word in words)


def _segments(pack: Pack, words: Tokens) -> Iterator[tuple[str, Tokens]]:
    """What stands behind a value, cut at marks, prepositions and joints: each with what opens it."""
    begin = 0
    opener = ""
    for place, word in enumerate(words):
        opens = not word.is_word or pack.in_any(OPENING, word.folded)
        ordinal = word.folded == "." and place > begin and words[place - 1].is_figure
        if not opens or (ordinal and place < len(words) - 1):
            continue
        before = words[begin:place]
        if before or opener:
            yield opener, before
        opener = word.folded
        begin = place + 1
    rest = words[begin:]
    if rest or opener:
        yield opener, rest


class Behind(NamedTuple):
    """Some words behind a value.

    Attributes:
        opener: the word or mark before them.
        words: without adverbs at their end.
        span: their place.
        begin: where the opener begins, if it is a word.
        said: the words as they stand.
        before: the word or mark before the opener, if nothing stands between them.
    """

    opener: str
    words: Tokens
    span: Span
    begin: int
    said: str
    before: str

    @property
    def whole(self) -> str:
        """The words with their opener."""
        return f"{self.opener} {self.said}".strip() if self.opener.isalnum() else self.said


class Round:
    """What stands round a claim, as it is found."""

    def __init__(self, source: Source, words: Tokens, frame: Frame, *, looks_back: bool) -> None:
        self.source = source
        self.words = words
        self.frame = frame
        self.looks_back = looks_back
        self.pack = source.pack
        self.scope: list[str] = []
        self.doubt: list[str] = []
        self.beside: list[Span] = []
        self.times: list[Span] = []
        self.denies = ""
        self.stopped = self.plans = self._taken = self._replaced = False

    def read(self, *, lasts: bool) -> None:
        """What stands round the claim; a day before it limits one that `lasts`, tells a time or denies."""
        self.behind()
        timed = type_of(self.words[slice(*self.frame.value)], self.pack).partition(":")[0]
        self.lead(lasts=lasts or timed in ("clock", "number") or bool(self.denies))

    def lead(self, *, lasts: bool) -> None:
        """What stands before the subject limits a claim that `lasts`, but for a point in time."""
        pack = self.pack
        words = self.words[: self.frame.lead]
        self._lead([w for w in words if w.is_word and not pack.has("joints", w.folded)], lasts)
        self.scope += [self.words[k].raw for k in self.frame.group.limiting]

    def _lead(self, words: Tokens, lasts: bool) -> None:
        pack = self.pack
        if all(pack.in_any(("adverbs", "subordinating"), w.folded) for w in words):
            return
        said = text_of(self.source.text, words)
        if is_time(pack, words) and not is_scope_of_time(pack, words):
            planned = self._planned(words)
            begins = any(
                pack.has(each, word.folded) for word in words for each in ("beginnings", "now")
            )
            self.times.append(span_of(words))
            if lasts and not (self.looks_back or planned or begins):
                self.scope.append(said)  # "On Sunday I am in Rome"
        elif pack.has("reasons", words[0].folded):
            self.beside.append(span_of(words))
        else:
            known = any(pack.in_any(_LIMITS, word.folded) for word in words)
            (self.scope if known else self.doubt).append(said)

    def behind(self) -> None:
        """What stands behind the value."""
        words = self.words[self.frame.value[1] :]
        before = ""
        start = words[0].start if words else 0
        rules = (
            *(self._open, self._go_on, self._deny, self._limit, self._date),
            *(self._tell_beside, self._set_off),
        )
        for opener, segment in _segments(self.pack, words):
            if not segment:
                before = opener
                self._empty(opener, (start, start))
                continue
            span = span_of(segment)
            begin = span[0]
            if opener[:1].isalnum():
                begin = self.source.folded.rfind(opener, start - len(opener), span[0])
            while segment and self.pack.has("adverbs", segment[-1].folded):
                segment = segment[:-1]  # noqa: PLW2901
            said = " ".join(word.raw for word in segment)
            part = Behind(opener, segment, span, begin, said, before)
            if not any(rule(part) for rule in rules):
                self.doubt.append(part.whole)
            before = ""

    def _empty(self, opener: str, span: Span) -> None:
        """An opener with nothing behind it."""
        if self.pack.has("limiting", opener):
            self.scope.append(opener)
        self.stopped |= self.pack.has("stop", opener)
        if self._is_beside(opener) and not self._taken:
            self.beside.append(span)
            self._taken = True

    def _is_beside(self, opener: str) -> bool:
        return self.pack.in_any(("harmless", "reasons"), opener)

    def _planned(self, words: Tokens) -> bool:
        planned = self.pack.among("plans", words)
        self.plans |= planned
        return planned

    def _open(self, part: Behind) -> bool:
        """Whether a part says nothing but a condition or a spell, or nothing at all."""
        pack, (_, end) = self.pack, part.span
        held = pack.has("prepositions", part.before) and not pack.has("harmless", part.before)
        if held and pack.has("subordinating", part.opener):
            self.scope.append(f"{part.before} {part.whole}")  # "salvo que llueva"
        elif not part.words and pack.has("spells", part.opener):
            self.scope.append(self.source.text[part.begin : end])  # "for now"
        elif part.words:
            return pack.closers["harmless"].is_all(self.source.folded, part.begin, end)
        return True

    def _go_on(self, part: Behind) -> bool:
        """Whether it goes on what is told beside the claim: "with my sister in a flat"."""
        pack = self.pack
        limits = pack.in_any(("limiting", "subordinating"), part.opener)
        limits = limits and not self._is_beside(part.opener)
        dates = is_time(pack, part.words) and not pack.has("within", part.opener)  # "of April"
        goes_on = self._taken and part.opener and not (limits or dates)
        if goes_on:
            self.beside[-1] = (self.beside[-1][0], part.span[1])
        return bool(goes_on)

    def _deny(self, part: Behind) -> bool:
        """Whether it denies what it names: "not Acme", "instead of Acme", "au lieu | d'Acme"."""
        pack = self.pack
        replaced = self._replaced
        self._replaced = bool(part.opener) and pack.in_any(
            ("replacing", "stopping"), part.words[-1].folded
        )
        if self._replaced:
            return True
        openers = (part.opener, part.before)
        denies = replaced or any(
            pack.has_any(group, openers) for group in ("negations", "replacing")
        )
        if denies:
            aside = pack.in_any(("within", "stopping"), part.words[0].folded)
            self.denies = self.denies or text_of(self.source.text, part.words[aside:])
        return denies

    def _limit(self, part: Behind) -> bool:
        limits = self.pack.has("limiting", part.opener)
        if limits:
            self.scope.append(part.whole)
        return limits

    def _date(self, part: Behind) -> bool:
        """Whether it is a time; one that comes back, or is not over, limits the claim."""
        pack = self.pack
        if not is_time(pack, part.words):
            return False
        self.times.append(part.span)
        every = is_scope_of_time(pack, part.words, part.opener)
        planned = not every and self._planned(part.words)  # "every morning" is no tomorrow
        limits = every or pack.has("spells", part.opener) or not (self.looks_back or planned)
        if limits and not pack.has("beginnings", part.opener):
            self.scope.append(part.whole)
        return True

    def _tell_beside(self, part: Behind) -> bool:
        beside = self._is_beside(part.opener)
        self._taken = self._taken or beside
        if beside or _also(self.pack, self.frame, part.opener, part.words[0]):
            self.beside.append(part.span)
            reason = self.pack.has("reasons", part.opener)
            if beside and not (reason or self.looks_back or _named(self.pack, self.frame)):
                self.doubt.append(part.whole)  # "I drink wine with guests"
            return True
        return False

    def _set_off(self, part: Behind) -> bool:
        """Whether a preposition makes it limit the claim, or a mark sets a name or something else off."""
        pack = self.pack
        opener = part.opener
        if pack.in_any(("prepositions", "subordinating"), opener):
            self.scope.append(part.whole)
            return True
        comma = bool(part.before) and not part.before[:1].isalnum()
        if not comma and opener[:1].isalnum():
            return False
        named = len(part.words) <= _NAMES and all(word.is_capital for word in part.words)
        if named and not pack.nouns_capital:
            self.beside.append(part.span)
        else:
            self.doubt.append(part.said)
        return True


def _named(pack: Pack, frame: Frame) -> bool:
    """Whether a verb fills a slot that has a name: who is told beside a home limits nothing."""
    verb = frame.slot.removeprefix("be ")
    return any(slot.takes(verb) or frame.slot in slot.verbs for slot in pack.slots)


def _holds_another(pack: Pack, value: Tokens) -> bool:
    """Whether a second noun stands in a value behind an unknown word: "bread aboard his boat"."""
    return any(
        pack.in_any(("determiners", "own"), word.folded)
        and not pack.has("numbers", word.folded)
        and before.is_word
        and not any(pack.has(group, before.folded) for group in _JOINING)
        for before, word in pairwise(value)
    )


def _also(pack: Pack, frame: Frame, opener: str, first: Token) -> bool:
    """Whether a verb tells another slot with this preposition: "work as a nurse at St Mary's"."""
    also = f"{frame.group.verb} {opener}"
    if not (first.is_capital or pack.in_any(("determiners", "own"), first.folded)):
        return False
    own = (frame.slot, frame.slot.removeprefix("be "))
    return any(
        slot.takes(also) and not any(slot.takes(each) for each in own) for slot in pack.slots
    )


def _mood(clause: Clause, frame: Frame, around: Round, *, subject: str, changes: bool) -> Mood:
    """How a claim is meant: what its openers say counts before its verbs, and these before its times."""
    group = frame.group
    if not group.negative and is_advice(clause.mood, subject, {group.mood}):
        return "hypothetical"
    if clause.mood not in ("asserted", "planned"):
        return clause.mood
    if group.mood != "asserted":
        return group.mood
    ahead = around.plans or (group.progressive and changes)
    planned = clause.mood == "planned" or (group.tense == "present" and ahead)
    return "planned" if planned else "asserted"


def _more(pack: Pack, words: Tokens, frame: Frame) -> bool:
    """Whether another verb with a subject stands behind the value of a frame."""
    joined = False  # by a word that only a clause follows, or a time: a bare form is a verb there
    for before, word in pairwise(words[max(frame.value[1] - 1, 0) :]):
        forms = pack.forms[word.folded]
        tensed = any(form.tense and (joined or form.verb != word.folded) for form in forms)
        if tensed and not _is_noun(pack, before.folded, word.folded):
            return True
        joined = joined or pack.has("subordinating", before.folded)
    return any(
        words[k].folded in pack.subjects and pack.is_tensed(words[k + 1].folded)
        for k in range(frame.group.end, len(words) - 1)
    )


def _is_noun(pack: Pack, before: str, word: str) -> bool:
    """Whether a word that has the form of a verb is none: "Tom's", "the slides"."""
    article = pack.in_any(("determiners", "own"), before)
    pronoun = pack.nouns_capital or pack.has("clitics", before)
    return pack.has("genitive", word) or (article and not pronoun)
