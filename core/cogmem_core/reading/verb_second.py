"""Finds frames where the verb comes second, and last in a subordinate clause: German, Dutch.

The words of a frame are put into the order subject, verbs, value, rest, so that what reads on needs to know one order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from cogmem_core.reading.frames import Finder, Frame, Group
from cogmem_core.reading.model import Mood, Tense
from cogmem_core.reading.pack import Form
from cogmem_core.reading.tokens import Token

_LEAD = 24
_INSIDE = ("&", "#", "+", "'", ".", "/", "-")
_SENTENCE = ("", *".!?\u2026\"\u201e")
_PERSONS = ("i", "we")


class Piece(NamedTuple):
    """A part of a statement that is moved as a whole.

    Attributes:
        kind: "subject", "object" (a pronoun), "noun", "phrase" (with its preposition), "time", "adverb", "negation",
            "stop", "limit", "mark".
        words: in the order of the text.
        time: whether it is a point of time or a spell.
    """

    kind: str
    words: tuple[Token, ...]
    time: bool = False


class Verbs(NamedTuple):
    """The verbs of a statement.

    Attributes:
        group: what they say.
        words: the verbs themselves, with a particle.
        places: where they stand.
        person: whose form the finite one is, if it shows that.
    """

    group: Group
    words: tuple[Token, ...]
    places: frozenset[int]
    person: str = ""


class VerbSecond(Finder):
    """A finder for languages whose main clauses have their verb second and its rest last."""

    def frame(self, words: Sequence[Token], *, subject: bool = True) -> Frame | None:
        """The frame of some words; None if there is none.

        Args:
            words: of one part of a sentence.
            subject: False = the subject stands in an earlier part, and a verb comes first.
        """
        if not words or self.pack.has("complements", words[0].folded):
            return None
        begin = 0
        while begin < len(words) - 1 and (super().joins(words[begin]) or self._subordinates(words[begin])):
            begin += 1
        place = self._finite_place(words, begin, last=any(self._subordinates(each) for each in words[:begin]))
        if place is None:
            return self._headline(words, begin) if subject else None
        if not subject and place != begin:
            return None
        stop = self._stop(words, place)
        if self._is_last(words, begin, place, stop):
            opens = words[begin].folded
            subordinate = any(self._subordinates(word) for word in words[:begin])
            if not subordinate and (self.pack.has("relatives", opens) or self.pack.has("question_words", opens)):
                return None
            verbs = self._verbs(words, place, begin, place + 1)
            if verbs is None:
                return None
            inner = [k for k in range(begin, place) if k not in verbs.places]
            return self._framed(words, verbs, [], self._pieces(words, inner), words[stop:], inherits=False, last=True)
        verbs = self._verbs(words, place, place + 1, stop)
        if verbs is None:
            return None
        inner = [k for k in range(place + 1, stop) if k not in verbs.places]
        before = self._pieces(words, range(begin, place))
        if place > begin and self.pack.opener("neutral").is_all(self.folded, words[begin].start, words[place - 1].end):
            before = [Piece("adverb", tuple(words[begin:place]))]
        return self._framed(words, verbs, before, self._pieces(words, inner), words[stop:], inherits=not subject)

    def joins(self, word: Token) -> bool:
        """Whether a word joins two parts and is no part of either: "weil" is, as it puts the verb last."""
        return super().joins(word) and not self._subordinates(word)

    def _subordinates(self, word: Token) -> bool:
        return self.pack.has("subordinating", word.folded)

    # --- where the finite verb stands

    def _finite_place(self, words: Sequence[Token], begin: int, *, last: bool) -> int | None:
        limit = min(len(words), begin + _LEAD)
        if last:
            stop = next((k for k in range(begin, len(words)) if words[k].folded == ","), len(words))
            if stop > begin and self._is_finite(words, stop - 1, begin):
                return stop - 1
        for place in range(begin, limit):
            if self._is_finite(words, place, begin):
                return place
        return self._unknown_place(words, begin)

    def _is_finite(self, words: Sequence[Token], place: int, begin: int) -> bool:
        pack, word = self.pack, words[place]
        if not word.is_word or (word.is_capital and place > begin) or self._opens_noun(word.folded):
            return False
        if word.is_capital and self.folded[max(0, word.start - 4) : word.start].rstrip()[-1:] not in _SENTENCE:
            return False
        if word.is_capital and any(self._is_finite(words, k, begin) for k in range(begin + 1, self._stop(words, begin))):
            return False  # "Vertrag" is no verb where there is another
        if self._mood_at(words, place) is not None:
            return True
        forms = [form for form in pack.forms.get(word.folded, ()) if form.tense]
        if not forms or (place > begin and self._opens_noun(words[place - 1].folded)):
            return False
        if word.folded != forms[0].verb:
            return True
        single = {pack.subjects.get(each.folded) for each in (*words[begin:place], *words[place + 1 : place + 2])}
        return not single & {"i", "you", "he", "it"}

    def _unknown_place(self, words: Sequence[Token], begin: int) -> int | None:
        """The place of a verb that no table has, by its pronoun: "ich zocke", "seit Mai zocke ich"."""
        for place in range(begin, min(len(words), begin + _LEAD)):
            if words[place].folded not in self.pack.subjects or words[place].folded in self.pack.words.get("determiners", ()):
                continue
            for other in (place + 1,) if place == begin else (place - 1,):
                if begin <= other < len(words) and self._may_be_unknown(words[other]):
                    return other
            return None
        return None

    def _may_be_unknown(self, word: Token) -> bool:
        groups = ("prepositions", "determiners", "own", "joints", "question_words", "times", "numbers", "adverbs",
                  "negations", "limiting", "stop", "objects", "subordinating")
        known = any(self.pack.has(group, word.folded) for group in groups) or word.folded in self.pack.subjects
        return word.folded.isalpha() and not known and self._matches("verb_endings", word.folded)

    def _stop(self, words: Sequence[Token], place: int) -> int:
        """Where the clause of a verb ends: at a mark, or a word that begins another clause."""
        for k in range(place + 1, len(words)):
            word = words[k]
            if word.is_word:
                joins = self.pack.has("joints", word.folded) and not self.pack.has("conjunctions", word.folded)
                if joins or self.pack.has("complements", word.folded):
                    return k
            elif not self._is_inside(words, k):
                return k
        return len(words)

    def _is_inside(self, words: Sequence[Token], place: int) -> bool:
        """Whether a mark is part of a value: "12. März", "50 %"."""
        word = words[place]
        if word.folded in self.pack.words.get("units", ()):
            return True
        before, behind = words[place - 1], words[place + 1] if place + 1 < len(words) else None
        if word.folded == ".":
            short = before.folded[:1].isdigit() or self.pack.has("abbreviations", before.folded)
            return short and before.end == word.start
        return word.folded in _INSIDE and behind is not None and behind.start == word.end

    def _is_last(self, words: Sequence[Token], begin: int, place: int, stop: int) -> bool:
        """Whether a verb is the last word of a subordinate clause: more than one part stands before it."""
        if place + 1 != stop or place == begin:
            return False
        if any(self._subordinates(word) for word in words[:begin]):
            return True
        helps = self._nonfinite(words[place - 1]) is not None and not words[place - 1].is_capital
        parts = [p for p in self._pieces(words, range(begin, place - helps)) if p.kind not in ("adverb", "mark")]
        if not parts or parts[0].kind not in ("subject", "noun"):
            return False
        return helps or (len(parts) > 1 and (parts[0].kind == "subject" or parts[1].kind != "phrase"))

    # --- the verbs

    def _verbs(self, words: Sequence[Token], place: int, begin: int, stop: int) -> Verbs | None:
        """The finite verb at a place with what belongs to it between two places."""
        word = words[place]
        mood = self._mood_at(words, place)
        forms = [form for form in self.pack.forms.get(word.folded, ()) if form.tense]
        rest = self._rest(words, place, begin, stop)
        places = frozenset((place, *rest))
        said = (word, *(words[k] for k in rest))
        finite = forms[0] if forms else Form(word.folded, "present")
        group = Group(finite.verb, 0, finite.tense, known=bool(forms or mood))
        if mood is not None:
            found: Mood = "asserted" if mood[0] == "past" else mood[0]  # type: ignore[assignment]
            group = replace(group, mood=found, tense="past" if mood[0] == "past" else "future" if found != "asserted" else "past")
        if not rest:
            return Verbs(replace(group, progressive=group.tense == "present"), said, places, finite.person)
        if self._is_particle(words[rest[-1]]):
            joined = f"{words[rest[-1]].folded}{finite.verb}"
            return Verbs(replace(group, verb=joined, progressive=group.tense == "present"), said, places, finite.person)
        return Verbs(self._with_rest(words, group, finite, rest, mooded=mood is not None), said, places, finite.person)

    def _is_particle(self, word: Token) -> bool:
        return self.pack.has("particles", word.folded) and word.folded not in self.pack.forms

    def _with_rest(self, words: Sequence[Token], group: Group, finite: Form, rest: Sequence[int], *, mooded: bool) -> Group:
        """What a participle or an infinitive behind a finite verb makes of it."""
        main = self._nonfinite(words[rest[0]])
        verb = main.verb if main else words[rest[0]].folded
        plain = bool(main) and words[rest[0]].folded in (main.verb, self._with_zu(main.verb)) if main else False
        past: Tense = "past"
        if mooded:
            return replace(group, verb=verb)
        if finite.verb == "become":
            if plain:
                return replace(group, verb=verb, mood="planned", tense="future")
            return replace(group, verb=f"be {verb}", progressive=finite.tense == "present")
        if finite.verb == "be" and not self.pack.has("perfect_with_be", verb):
            done = len(rest) > 1
            return replace(group, verb=f"be {verb}", tense=past if done else group.tense)
        return replace(group, verb=verb, tense=past)

    def _with_zu(self, verb: str) -> str:
        return verb

    def _nonfinite(self, word: Token) -> Form | None:
        forms = [form for form in self.pack.forms.get(word.folded, ()) if not form.tense or form.verb == word.folded]
        if not forms and word.folded not in self.pack.forms and self._matches("past", word.folded):
            return Form(word.folded)
        return next((form for form in forms if not form.tense), forms[0] if forms else None)

    def _rest(self, words: Sequence[Token], place: int, begin: int, stop: int) -> list[int]:
        """The places of a participle, an infinitive or a particle that belongs to a finite verb."""
        forms = self.pack.forms.get(words[place].folded, ())
        helps = self._mood_at(words, place) is not None or any(form.verb in ("be", "have", "become") for form in forms)
        for k in range(stop - 1, begin - 1, -1):
            word = words[k]
            if k == place or not word.is_word or word.is_capital:
                continue
            if self._opens_noun(word.folded) and k < stop - 1:
                continue
            if helps and self._nonfinite(word) is not None and not self._opens_noun(words[k - 1].folded):
                below = k - 1
                stacked = below >= begin and below != place and not words[below].is_capital and (
                    self._nonfinite(words[below]) is not None
                ) and any(form.verb in ("be", "become", "have") for form in self.pack.forms.get(word.folded, ()))
                return [below, k] if stacked else [k]
            if not helps and self._is_parted(words, place, k, stop):
                return [k]
        return []

    def _is_parted(self, words: Sequence[Token], place: int, k: int, stop: int) -> bool:
        """Whether a word is the particle of a verb: at the end, or so that both are a verb of the pack."""
        if not self._is_particle(words[k]):
            return False
        joined = {f"{words[k].folded}{form.verb}" for form in self.pack.forms.get(words[place].folded, ())}
        known = not joined.isdisjoint(self.pack.forms)
        if k == stop - 1:
            return known or not self.pack.has("adverbs", words[k].folded)
        return known and (self.pack.has("prepositions", words[k + 1].folded) and k == place + 1)

    # --- the other parts

    def _pieces(self, words: Sequence[Token], places: Sequence[int]) -> list[Piece]:
        """The parts of a stretch of words, in the order of the text."""
        inner = [words[k] for k in places]
        found: list[Piece] = []
        place = 0
        while place < len(inner):
            piece = self._piece(inner, place)
            found.append(piece)
            place += len(piece.words)
        return found

    def _piece(self, words: Sequence[Token], place: int) -> Piece:
        pack, word = self.pack, words[place]
        folded = word.folded
        behind = words[place + 1].folded if place + 1 < len(words) else ""
        if not word.is_word:
            return Piece("mark", (word,))
        if pack.has("stop", f"{folded}-{behind}"):
            return Piece("stop", (word, words[place + 1]))
        limit = pack.closer("limiting").at(self.folded, word.start, words[-1].end)
        if limit > word.start:
            return Piece("limit", tuple(each for each in words[place:] if each.start < limit))
        time = self._time_end(words, place)
        if time > place:
            return Piece("time", tuple(words[place:time]), time=True)
        for kind, group in (("stop", "stop"), ("negation", "negations"), ("limit", "limiting"), ("object", "objects")):
            if pack.has(group, folded):
                return Piece(kind, (word,))
        if folded in pack.subjects and not (pack.has("determiners", folded) and self._noun_follows(words, place + 1)):
            return Piece("subject", (word,))
        if pack.has("adverbs", folded) and not pack.has("prepositions", folded):
            return Piece("adverb", (word,))
        if pack.has("prepositions", folded):
            time = self._time_end(words, place + 1)
            end = max(time, self._noun_end(words, place + 1)) if time <= place + 1 else time
            inner = tuple(words[place:max(end, place + 1)])
            loose = len(inner) > 1 and all(pack.has("adverbs", each.folded) for each in inner[1:])
            return Piece("adverb" if loose else "phrase", inner, time=time > place + 1)
        return Piece("noun", tuple(words[place : max(self._noun_end(words, place), place + 1)]))

    def _noun_follows(self, words: Sequence[Token], place: int) -> bool:
        if place >= len(words):
            return False
        word, pack = words[place], self.pack
        if not word.is_word or word.folded in pack.subjects:
            return False
        return not any(pack.has(group, word.folded) for group in ("prepositions", "adverbs", "negations", "limiting", "stop", "objects"))

    def _time_end(self, words: Sequence[Token], place: int) -> int:
        """Where a time that begins at a place ends: "nächste Woche", "12. Mai"; the place if none does."""
        pack, end, stop, named = self.pack, place, place, False
        while end < len(words):
            folded = words[end].folded
            figure = folded[:1].isdigit() or pack.has("numbers", folded) or folded == "."
            inner = pack.has("determiners", folded) or pack.has("plans", folded) or pack.has("ordinals", folded)
            if pack.has("times", folded):
                named, stop = True, end + 1
            elif figure and named and pack.has("months", words[end - 1].folded):
                stop = end + 1
            elif not (figure or (inner and not named)):
                break
            end += 1
        measured = end < len(words) and pack.has("measures", words[end].folded)
        return place if measured else stop

    def _noun_end(self, words: Sequence[Token], place: int) -> int:
        """Where a noun with its article, adjectives and genitives ends."""
        noun = False
        end = place
        while end < len(words):
            word = words[end]
            if not word.is_word:
                if not self._is_inside(words, end):
                    break
            elif end > place:
                goes_on = self._goes_on(words, place, end, noun=noun)
                if not goes_on:
                    break
                noun = noun and goes_on != "anew"
            noun = noun or (word.is_capital and not self._opens_noun(word.folded)) or word.folded[:1].isdigit()
            end += 1
        return end

    def _goes_on(self, words: Sequence[Token], place: int, end: int, *, noun: bool) -> str:
        """Whether a word belongs to the noun before it: "" = no; "anew" = another noun begins."""
        pack, folded, before = self.pack, words[end].folded, words[end - 1].folded
        if pack.has("conjunctions", folded):
            more = end + 1 < len(words) and (
                self._noun_follows(words, end + 1) or words[end + 1].folded in pack.subjects
            )
            return "anew" if noun and more else ""
        if pack.has("conjunctions", before):
            return "yes"
        if self._opens_noun(folded):
            if noun:
                return "anew" if pack.has("genitive", folded) else ""
            return "yes" if self._opens_noun(before) else ""
        groups = ("prepositions", "subordinating", "objects", "negations", "stop")
        if any(pack.has(group, folded) for group in groups) or folded in pack.subjects:
            return ""
        if pack.has("measures", folded):
            return "yes"
        if pack.has("limiting", folded) or pack.has("adverbs", folded):
            return "yes" if not noun and self._opens_noun(before) and end + 1 < len(words) else ""
        if words[end].is_capital and not noun and end == place + 1 and self._is_loose(words[place]):
            return ""
        figure = folded[:1].isdigit() or pack.has("numbers", folded) or folded in pack.words.get("units", ())
        return "yes" if not noun or figure or words[end].is_capital else ""

    def _is_loose(self, word: Token) -> bool:
        """Whether a word before a noun is not of it: "heißt meistens Erik"."""
        if word.is_capital or not word.folded.isalpha() or self._opens_noun(word.folded) or self.pack.has("numbers", word.folded):
            return False
        return not self._matches("adjective", word.folded)

    # --- the frame

    def _framed(
        self, words: Sequence[Token], verbs: Verbs, before: list[Piece], behind: list[Piece], post: Sequence[Token],
        *, inherits: bool, last: bool = False,
    ) -> Frame | None:
        """The frame of some parts: its words are put into one order."""
        subject: Piece | None = None
        lead: list[Piece] = []
        who = ""
        if not inherits:
            subject, lead, behind = self._subject(before, behind, last=last)
            if subject is None:
                who = self._dropped(verbs, before)
                if not who:
                    return None
        group = self._in_person(verbs, subject)
        if subject and self.pack.has("existing", group.verb) and self._person(subject) == "it":
            thing = next((piece for piece in (*lead, *behind) if piece.kind == "noun"), None)
            if thing is not None:
                group, subject = replace(group, verb="be"), thing
                lead, behind = ([piece for piece in each if piece is not thing] for each in (lead, behind))
        chosen = self._chosen(group.verb, behind, who or self._person(subject))
        if chosen is None:
            known = [
                piece for piece in lead
                if piece.kind == "noun" or (piece.kind == "phrase" and not piece.time and self._takes(group.verb, piece))
            ]
            if known:
                lead, chosen = [piece for piece in lead if piece is not known[0]], known[0]
        source, goal = self._moved(group.verb, behind)
        if source and goal and (chosen is None or chosen.kind != "noun"):
            chosen, behind = goal, [piece for piece in behind if piece is not source]
        else:
            source = None
        others = [piece for piece in behind if piece is not chosen]
        found = self._laid_out(verbs, group, subject, lead, chosen, others, post, who)
        return replace(found, denied=source.words[1:]) if source else found

    def _moved(self, verb: str, behind: Sequence[Piece]) -> tuple[Piece | None, Piece | None]:
        """The former and the new value of a change: "von Jenkins auf GitLab umgestellt"."""
        if not self.pack.has("changing", verb.removeprefix("be ")):
            return None, None
        phrases = [piece for piece in behind if piece.kind == "phrase"]
        found = (next((p for p in phrases if self.pack.has(group, p.words[0].folded)), None) for group in ("source", "goal"))
        source, goal = found
        return source, goal

    def _in_person(self, verbs: Verbs, subject: Piece | None) -> Group:
        """The verbs, as somebody else's words if their form is not that of the subject: "er habe"."""
        group = verbs.group
        alone = verbs.person == "i" and subject is not None and subject.kind == "noun"
        reported = alone and not self.pack.has("conjunctions", subject.words[-2].folded if subject and len(subject.words) > 1 else "")
        return replace(group, mood="reported") if reported else group

    def _person(self, subject: Piece | None) -> str:
        if subject is None or len(subject.words) != 1:
            return ""
        return self.pack.subjects.get(subject.words[0].folded, "")

    def _dropped(self, verbs: Verbs, before: Sequence[Piece]) -> str:
        """Who is meant where no subject stands: "Wohne jetzt in Ulm.", "Sind umgezogen."."""
        plural = verbs.person == "they" and verbs.group.mood == "asserted"
        lead = all(piece.kind in ("adverb", "time", "noun") for piece in before)
        if verbs.person in _PERSONS and lead:
            return verbs.person
        return "we" if plural and not before else ""

    def _subject(
        self, before: list[Piece], behind: list[Piece], *, last: bool
    ) -> tuple[Piece | None, list[Piece], list[Piece]]:
        """The subject, what stands before it, and the other parts."""
        first = next((piece for piece in behind if piece.kind not in ("mark", "object")), None)
        candidate = self._nominative(before)
        if first is not None and first.kind == "subject" and (candidate is None or self._is_sure(first)):
            rest = [piece for piece in behind if piece is not first]
            return first, list(before), rest
        if candidate is not None:
            return candidate, [piece for piece in before if not set(piece.words) <= set(candidate.words)], behind
        found = next((each for each in behind if each.kind in ("subject", "noun") and not self._is_oblique(each)), None)
        if found is None or not (before or last or self._is_definite(found)):
            return None, list(before), behind
        return found, list(before), [each for each in behind if each is not found]

    def _is_definite(self, piece: Piece) -> bool:
        """Whether a noun right behind a first verb is its subject: "zieht meine Schwester um"; not "hat ein Rad"."""
        word = piece.words[0].folded
        return self.pack.has("own", word) or self.pack.has("definite", word)

    def _is_sure(self, piece: Piece) -> bool:
        """Whether a pronoun can be nothing but a subject."""
        return self.pack.subjects.get(piece.words[0].folded) in ("i", "we", "you", "he")

    def _nominative(self, before: Sequence[Piece]) -> Piece | None:
        """The subject of what stands before the verb: one noun with its attributes, or a pronoun."""
        parts = [piece for piece in before if piece.kind not in ("adverb", "mark", "limit", "stop")]
        if not parts or parts[0].kind not in ("subject", "noun") or self._is_oblique(parts[0]):
            return None
        if any(piece.kind not in ("phrase", "noun", "subject") for piece in parts[1:]) or len(parts) > 2:
            return None
        return Piece("noun" if len(parts) > 1 else parts[0].kind, tuple(word for piece in parts for word in piece.words))

    def _is_oblique(self, piece: Piece) -> bool:
        return self.pack.has("oblique", piece.words[0].folded)

    def _takes(self, verb: str, piece: Piece) -> bool:
        """Whether a verb tells a named slot with the preposition of a part, or ends what it tells."""
        if self.pack.has("ends", verb.removeprefix("be ")):
            return True
        name = f"{verb} {self._preposition(piece)}"
        bare = name.removeprefix("be ")
        return any(each in slot.verbs or each in slot.changes for slot in self.pack.slots for each in (name, bare))

    def _preposition(self, piece: Piece) -> str:
        word = piece.words[0].folded
        return self.pack.contracted.get(word, word)

    def _chosen(self, verb: str, behind: Sequence[Piece], who: str) -> Piece | None:
        """The part that is the value."""
        phrases = [piece for piece in behind if piece.kind == "phrase" and len(piece.words) > 1]
        nouns = [piece for piece in behind if piece.kind == "noun"]
        for piece in phrases:
            if not piece.time and self._takes(verb, piece) and not (nouns and self.pack.has("ends", verb)):
                return piece
        direct = [piece for piece in nouns if not self.pack.has("datives", piece.words[0].folded)]
        if direct or nouns:
            return (direct or nouns)[0]
        for piece in phrases:
            harmless = self.pack.has("harmless", piece.words[0].folded)
            if not piece.time and not (harmless and who):
                return piece
        if who in _PERSONS:
            return None
        usual = [p for p in behind if p.time and not any(self.pack.has("habits", word.folded) for word in p.words)]
        return usual[0] if usual else next((piece for piece in behind if piece.time), None)

    def _laid_out(
        self, verbs: Verbs, group: Group, subject: Piece | None, lead: Sequence[Piece], chosen: Piece | None,
        others: Sequence[Piece], post: Sequence[Token], who: str,
    ) -> Frame:
        pack = self.pack
        said: list[Token] = [word for piece in lead for word in piece.words]
        begin = len(said)
        said += subject.words if subject else ()
        own = (begin, len(said)) if subject else (0, 0)
        said.append(verbs.words[0])
        limits: list[int] = []
        negative, stopped = group.negative, group.stopped
        for piece in others:
            if piece.kind not in ("adverb", "negation", "stop", "limit", "object"):
                continue
            negative ^= piece.kind == "negation"
            stopped |= piece.kind == "stop"
            if piece.kind == "limit":
                limits += range(len(said), len(said) + len(piece.words))
            said += piece.words
        said += verbs.words[1:]
        if negative and any(pack.has("stopping", word.folded) for word in said):
            stopped, negative = True, False
        value, slot = list(chosen.words) if chosen else [], group.verb
        if chosen and chosen.kind == "phrase":
            slot = f"{slot} {self._preposition(chosen)}"
            said.append(value.pop(0))
        post, value, denied = self._instead(post, value, chosen)
        negative = negative and not denied
        group = replace(group, end=len(said), negative=negative, stopped=stopped, limiting=tuple(limits))
        start = len(said)
        said += value
        end = len(said)
        rest = [piece for piece in others if piece.kind in ("noun", "phrase", "time", "subject", "mark")]
        rest.sort(key=lambda piece: (not pack.has("source", piece.words[0].folded), not pack.has("goal", piece.words[0].folded) or piece.kind != "phrase"))
        said += [word for piece in rest for word in piece.words]
        said += post
        return Frame(begin, own, group, slot, (start, end), words=tuple(said), who=who, denied=denied)

    def _instead(
        self, post: Sequence[Token], value: list[Token], chosen: Piece | None
    ) -> tuple[Sequence[Token], list[Token], tuple[Token, ...]]:
        """What stands behind a clause: "nicht in Porto, sondern in Braga", "in Braga, nicht in Porto"."""
        place = next((k for k, word in enumerate(post[:2]) if self.pack.has("instead", word.folded)), None)
        prefix = chosen.words[:1] if chosen and chosen.kind == "phrase" else ()
        if place is not None and value:
            pieces = self._pieces(post, range(place + 1, len(post)))
            if pieces and pieces[0].kind in ("noun", "phrase", "time"):
                found = list(pieces[0].words)
                if pieces[0].kind == "phrase" or (prefix and found[0].folded == prefix[0].folded):
                    found = found[1:]
                return [word for piece in pieces[1:] for word in piece.words], found, tuple(value)
        if prefix and len(post) > 3 and self.pack.has("negations", post[1].folded) and post[2].folded == prefix[0].folded:
            return [*post[:2], *post[3:]], value, ()
        return post, value, ()

    def _headline(self, words: Sequence[Token], begin: int) -> Frame | None:
        """The frame of "Flyerauflage auf 300 gesenkt": a participle without its verb."""
        stop = self._stop(words, begin)
        last = words[stop - 1] if stop - 1 > begin else None
        if last is None or last.is_capital or (form := self._nonfinite(last)) is None or form.tense or form.verb == last.folded:
            return None
        pieces = self._pieces(words, range(begin, stop - 1))
        if pieces[0].kind != "noun" or self._is_oblique(pieces[0]):
            return None
        moves = self.pack.has("perfect_with_be", form.verb)
        group = Group(form.verb if moves else f"be {form.verb}", 0, "past")
        return self._framed(words, Verbs(group, (last,), frozenset()), pieces[:1], pieces[1:], words[stop:], inherits=False)
