"""Finds frames where the verb comes second, and last in a subordinate clause: German, Dutch.

The words of a frame are put into the order subject, verbs, value, rest, so that what reads on needs to know one order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from cogmem_core.reading.frames import Frame
from cogmem_core.reading.model import Mood, Tense
from cogmem_core.reading.pack import Form
from cogmem_core.reading.parts import Layout, Parts, Piece, Verbs
from cogmem_core.reading.tokens import Token, Tokens
from cogmem_core.reading.verbs import Group

_LEAD = 24
_SENTENCE = ("", *'.!?\u2026"\u201e')
_PERSONS = ("i", "we")


class VerbSecond(Parts):
    """A finder for languages whose main clauses have their verb second and its rest last."""

    def frame(self, words: Tokens, *, subject: bool = True) -> Frame | None:
        """The frame of some words; None if there is none.

        Args:
            words: of one part of a sentence.
            subject: False = the subject stands in an earlier part, and a verb comes first.
        """
        if not words or self.pack.has("complements", words[0].folded):
            return None
        begin = 0
        while begin < len(words) - 1 and (
            super().is_joint(words[begin]) or self._subordinates(words[begin])
        ):
            begin += 1
        opened = any(self._subordinates(each) for each in words[:begin])
        place = self._finite_place(words, begin, last=opened)
        if place is None or (not subject and place != begin):
            return self._headline(words, begin) if subject else None
        stop = self._stop(words, place)
        if self._is_last(words, begin, place, stop):
            return self._last(words, begin, place, words[stop:], opened=opened)
        verbs = self._verbs(words, place, place + 1, stop)
        inner = [k for k in range(place + 1, stop) if k not in verbs.places]
        before = self.pieces(words, range(begin, place))
        if place > begin and self.pack.openers["neutral"].is_all(
            self.folded, words[begin].start, words[place - 1].end
        ):
            before = [Piece("adverb", tuple(words[begin:place]))]
        return self._framed(
            verbs, before, self.pieces(words, inner), words[stop:], inherits=not subject
        )

    def _last(
        self, words: Tokens, begin: int, place: int, post: Tokens, *, opened: bool
    ) -> Frame | None:
        """The frame of a clause whose verb is its last word; None for one that describes a noun."""
        if not opened and self.pack.in_any(("relatives", "question_words"), words[begin].folded):
            return None
        verbs = self._verbs(words, place, begin, place + 1)
        inner = [k for k in range(begin, place) if k not in verbs.places]
        return self._framed(verbs, [], self.pieces(words, inner), post, last=True)

    def is_joint(self, word: Token) -> bool:
        """Whether a word joins two parts and is no part of either: "weil" is, as it puts the verb last."""
        return super().is_joint(word) and not self._subordinates(word)

    def _subordinates(self, word: Token) -> bool:
        return self.pack.has("subordinating", word.folded)

    def _finite_place(self, words: Tokens, begin: int, *, last: bool) -> int | None:
        limit = min(len(words), begin + _LEAD)
        if last:
            stop = next((k for k in range(begin, len(words)) if words[k].folded == ","), len(words))
            if stop > begin and self._is_finite(words, stop - 1, begin):
                return stop - 1
        for place in range(begin, limit):
            if self._is_finite(words, place, begin):
                return place
        return self._unknown_place(words, begin)

    def _is_finite(self, words: Tokens, place: int, begin: int) -> bool:
        pack = self.pack
        word = words[place]
        if not word.is_word or (word.is_capital and place > begin) or self._opens_noun(word.folded):
            return False
        if word.is_capital and not self._may_open(words, begin):
            return False
        if self._mood_at(words, place) is not None:
            return True
        forms = [form for form in pack.forms[word.folded] if form.tense]
        if not forms or (place > begin and self._opens_noun(words[place - 1].folded)):
            return False
        if word.folded != forms[0].verb:
            return True
        single = {
            pack.subjects.get(each.folded)
            for each in (*words[begin:place], *words[place + 1 : place + 2])
        }
        return not single & {"i", "you", "he", "it"}

    def _may_open(self, words: Tokens, begin: int) -> bool:
        """Whether a word with a capital letter may be a verb: it begins the sentence, and there is no other verb."""
        word = words[begin]
        if self.folded[max(0, word.start - 4) : word.start].rstrip()[-1:] not in _SENTENCE:
            return False
        return not any(
            self._is_finite(words, k, begin) for k in range(begin + 1, self._stop(words, begin))
        )

    def _unknown_place(self, words: Tokens, begin: int) -> int | None:
        """The place of a verb that no table has, by its pronoun: "ich zocke", "seit Mai zocke ich"."""
        for place in range(begin, min(len(words), begin + _LEAD)):
            folded = words[place].folded
            if folded not in self.pack.subjects or self.pack.has("determiners", folded):
                continue
            for other in (place + 1,) if place == begin else (place - 1,):
                if begin <= other < len(words) and self._may_be_unknown(words[other]):
                    return other
            return None
        return None

    def _may_be_unknown(self, word: Token) -> bool:
        groups = (
            "prepositions",
            "determiners",
            "own",
            "joints",
            "question_words",
            "times",
            "numbers",
            "adverbs",
            "negations",
            "limiting",
            "stop",
            "objects",
            "subordinating",
        )
        known = self.pack.in_any(groups, word.folded) or word.folded in self.pack.subjects
        return word.folded.isalpha() and not known and self._matches("verb_endings", word.folded)

    def _stop(self, words: Tokens, place: int) -> int:
        """Where the clause of a verb ends: at a mark, or a word that begins another clause."""
        for k in range(place + 1, len(words)):
            word = words[k]
            if word.is_word:
                joins = self.pack.separates(word.folded)
                if joins or self.pack.has("complements", word.folded):
                    return k
            elif not self.is_inside(words, k):
                return k
        return len(words)

    def _is_last(self, words: Tokens, begin: int, place: int, stop: int) -> bool:
        """Whether a verb is the last word of a subordinate clause: more than one part stands before it."""
        if place + 1 != stop or place == begin:
            return False
        if any(self._subordinates(word) for word in words[:begin]):
            return True
        helps = self._nonfinite(words[place - 1]) is not None and not words[place - 1].is_capital
        parts = [
            p
            for p in self.pieces(words, range(begin, place - helps))
            if p.kind not in ("adverb", "mark")
        ]
        if not parts or parts[0].kind not in ("subject", "noun"):
            return False
        return helps or (
            len(parts) > 1 and (parts[0].kind == "subject" or parts[1].kind != "phrase")
        )

    def _verbs(self, words: Tokens, place: int, begin: int, stop: int) -> Verbs:
        """The finite verb at a place with what belongs to it between two places."""
        word = words[place]
        mood = self._mood_at(words, place)
        forms = [form for form in self.pack.forms[word.folded] if form.tense]
        rest = self._rest(words, place, begin, stop)
        places = frozenset((place, *rest))
        said = (word, *(words[k] for k in rest))
        finite = forms[0] if forms else Form(word.folded, "present")
        group = Group(finite.verb, 0, finite.tense, known=bool(forms or mood))
        if mood is not None:
            found: Mood = "asserted" if mood[0] == "past" else mood[0]  # type: ignore[assignment]
            group = replace(group, mood=found, tense="past" if found == "asserted" else "future")
        particle = bool(rest) and self._is_particle(words[rest[-1]])
        if particle:
            group = replace(group, verb=f"{words[rest[-1]].folded}{finite.verb}")
        if particle or not rest:
            group = replace(group, progressive=group.tense == "present")
        else:
            group = self._with_rest(words, group, finite, rest, mooded=mood is not None)
        return Verbs(group, said, places, finite.person)

    def _is_particle(self, word: Token) -> bool:
        return self.pack.has("particles", word.folded) and word.folded not in self.pack.forms

    def _with_rest(
        self,
        words: Tokens,
        group: Group,
        finite: Form,
        rest: Sequence[int],
        *,
        mooded: bool,
    ) -> Group:
        """What a participle or an infinitive behind a finite verb makes of it."""
        main = self._nonfinite(words[rest[0]])
        verb = main.verb if main else words[rest[0]].folded
        plain = main is not None and words[rest[0]].folded == main.verb
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

    def _nonfinite(self, word: Token) -> Form | None:
        forms = [
            form
            for form in self.pack.forms[word.folded]
            if not form.tense or form.verb == word.folded
        ]
        if not forms and word.folded not in self.pack.forms and self._matches("past", word.folded):
            return Form(word.folded)
        return next((form for form in forms if not form.tense), forms[0] if forms else None)

    def _rest(self, words: Tokens, place: int, begin: int, stop: int) -> list[int]:
        """The places of a participle, an infinitive or a particle that belongs to a finite verb."""
        forms = self.pack.forms[words[place].folded]
        helps = self._mood_at(words, place) is not None or any(
            form.verb in ("be", "have", "become") for form in forms
        )
        for k in range(stop - 1, begin - 1, -1):
            word = words[k]
            if k == place or not word.is_word or word.is_capital:
                continue
            if self._opens_noun(word.folded) and k < stop - 1:
                continue
            if (
                helps
                and self._nonfinite(word) is not None
                and not self._opens_noun(words[k - 1].folded)
            ):
                below = k - 1
                stacked = (
                    below >= begin
                    and below != place
                    and not words[below].is_capital
                    and self._nonfinite(words[below]) is not None
                    and any(
                        form.verb in ("be", "become", "have")
                        for form in self.pack.forms[word.folded]
                    )
                )
                return [below, k] if stacked else [k]
            if not helps and self._is_parted(words, place, k, stop):
                return [k]
        return []

    def _is_parted(self, words: Tokens, place: int, k: int, stop: int) -> bool:
        """Whether a word is the particle of a verb: at the end, or so that both are a verb of the pack."""
        if not self._is_particle(words[k]):
            return False
        joined = {f"{words[k].folded}{form.verb}" for form in self.pack.forms[words[place].folded]}
        known = not joined.isdisjoint(self.pack.forms)
        if k == stop - 1:
            return known or not self.pack.has("adverbs", words[k].folded)
        return known and (self.pack.has("prepositions", words[k + 1].folded) and k == place + 1)

    def _framed(
        self,
        verbs: Verbs,
        before: list[Piece],
        behind: list[Piece],
        post: Tokens,
        *,
        inherits: bool = False,
        last: bool = False,
    ) -> Frame | None:
        """The frame of some parts: its words are put into one order."""
        subject: Piece | None = None
        lead: list[Piece] = []
        who = ""
        if not inherits:
            subject, lead, behind = self._subject(before, behind, last=last)
            if subject is None:
                who = self._who(verbs, before)
                if not who:
                    return None
        group = self._in_person(verbs, subject)
        if subject and self.pack.has("existing", group.verb) and self._person(subject) == "it":
            thing = next((piece for piece in (*lead, *behind) if piece.kind == "noun"), None)
            if thing is not None:
                group = replace(group, verb="be")
                subject = thing
                lead, behind = (
                    [piece for piece in each if piece is not thing] for each in (lead, behind)
                )
        chosen = self._chosen(group.verb, behind, who or self._person(subject))
        if chosen is None:
            chosen = next((piece for piece in lead if self._is_fronted(piece, group.verb)), None)
            lead = [piece for piece in lead if piece is not chosen]
        source, goal = self._moved(group.verb, behind)
        if source and goal and (chosen is None or chosen.kind != "noun"):
            chosen = goal
            behind = [piece for piece in behind if piece is not source]
        else:
            source = None
        others = [piece for piece in behind if piece is not chosen]
        found = self._laid_out(verbs, group, Layout(subject, lead, chosen, others, post, who))
        return replace(found, denied=source.words[1:]) if source else found

    def _is_fronted(self, piece: Piece, verb: str) -> bool:
        """Whether a part before the verb may be its value: "Den Astra habe ich verkauft", "In Ulm wohne ich"."""
        return piece.kind == "noun" or (
            piece.kind == "phrase" and not piece.time and self._takes(verb, piece)
        )

    def _moved(self, verb: str, behind: Sequence[Piece]) -> tuple[Piece | None, Piece | None]:
        """The former and the new value of a change: "von Jenkins auf GitLab umgestellt"."""
        if not self.pack.has("changing", verb.removeprefix("be ")):
            return None, None
        source = next((piece for piece in behind if self._opens(piece, "source")), None)
        goal = next((piece for piece in behind if self._opens(piece, "goal")), None)
        return source, goal

    def _in_person(self, verbs: Verbs, subject: Piece | None) -> Group:
        """The verbs, as somebody else's words if their form is not that of the subject: "er habe"."""
        group = verbs.group
        if verbs.person != "i" or subject is None or subject.kind != "noun":
            return group
        return (
            group
            if self.pack.among("conjunctions", subject.words)
            else replace(group, mood="reported")
        )

    def _person(self, subject: Piece | None) -> str:
        if subject is None or len(subject.words) != 1:
            return ""
        return self.pack.subjects.get(subject.words[0].folded, "")

    def _who(self, verbs: Verbs, before: Sequence[Piece]) -> str:
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
        if (
            first is not None
            and first.kind == "subject"
            and (candidate is None or self._is_sure(first))
        ):
            return first, before, [piece for piece in behind if piece is not first]
        if candidate is not None:
            return (
                candidate,
                [piece for piece in before if not set(piece.words) <= set(candidate.words)],
                behind,
            )
        found = next(
            (
                each
                for each in behind
                if each.kind in ("subject", "noun") and not self._is_oblique(each)
            ),
            None,
        )
        if found is None or not (before or last or self._is_definite(found)):
            return None, before, behind
        return found, before, [each for each in behind if each is not found]

    def _is_definite(self, piece: Piece) -> bool:
        """Whether a noun right behind a first verb is its subject: "zieht meine Schwester um"; not "hat ein Rad"."""
        return self.pack.in_any(("own", "definite"), piece.first)

    def _is_sure(self, piece: Piece) -> bool:
        """Whether a pronoun can be nothing but a subject."""
        return self.pack.subjects.get(piece.first) in ("i", "we", "you", "he")

    def _nominative(self, before: Sequence[Piece]) -> Piece | None:
        """The subject of what stands before the verb: one noun with its attributes, or a pronoun."""
        parts = [piece for piece in before if piece.kind not in ("adverb", "mark", "limit", "stop")]
        if not parts or parts[0].kind not in ("subject", "noun") or self._is_oblique(parts[0]):
            return None
        if (
            any(piece.kind not in ("phrase", "noun", "subject") for piece in parts[1:])
            or len(parts) > 2
        ):
            return None
        kind = "noun" if len(parts) > 1 else parts[0].kind
        return Piece(kind, tuple(_words_of(parts)))

    def _is_oblique(self, piece: Piece) -> bool:
        return self.pack.has("oblique", piece.first)

    def _takes(self, verb: str, piece: Piece) -> bool:
        """Whether a verb tells a named slot with the preposition of a part, or ends what it tells."""
        if self.pack.has("ends", verb.removeprefix("be ")):
            return True
        name = f"{verb} {self._preposition(piece)}"
        bare = name.removeprefix("be ")
        return any(slot.takes(each) for slot in self.pack.slots for each in (name, bare))

    def _preposition(self, piece: Piece) -> str:
        return self.pack.contracted.get(piece.first, piece.first)

    def _chosen(self, verb: str, behind: Sequence[Piece], who: str) -> Piece | None:
        """The part that is the value."""
        phrases = [piece for piece in behind if piece.kind == "phrase" and len(piece.words) > 1]
        nouns = [piece for piece in behind if piece.kind == "noun"]
        for piece in phrases:
            if (
                not piece.time
                and self._takes(verb, piece)
                and not (nouns and self.pack.has("ends", verb))
            ):
                return piece
        direct = [piece for piece in nouns if not self.pack.has("datives", piece.first)]
        if direct or nouns:
            return (direct or nouns)[0]
        for piece in phrases:
            harmless = self.pack.has("harmless", piece.first)
            if not piece.time and not (harmless and who):
                return piece
        if who in _PERSONS:
            return None
        usual = [p for p in behind if p.time and not self.pack.among("habits", p.words)]
        return usual[0] if usual else next((piece for piece in behind if piece.time), None)

    def _laid_out(self, verbs: Verbs, group: Group, layout: Layout) -> Frame:
        """The frame of some parts in the order subject, verbs, value, rest."""
        subject, lead, chosen, others, post, who = layout
        pack = self.pack
        said: list[Token] = _words_of(lead)
        begin = len(said)
        said += subject.words if subject else ()
        own = (begin, len(said)) if subject else (0, 0)
        said.append(verbs.words[0])
        limits: list[int] = []
        negative = group.negative
        stopped = group.stopped
        for piece in others:
            if piece.kind not in ("adverb", "negation", "stop", "limit", "object"):
                continue
            negative ^= piece.kind == "negation"
            stopped |= piece.kind == "stop"
            if piece.kind == "limit":
                limits += range(len(said), len(said) + len(piece.words))
            said += piece.words
        said += verbs.words[1:]
        if negative and pack.among("stopping", said):
            stopped = True
            negative = False
        value = list(chosen.words) if chosen else []
        slot = group.verb
        if chosen and chosen.kind == "phrase":
            slot = f"{slot} {self._preposition(chosen)}"
            said.append(value.pop(0))
        post, value, denied = self._instead(post, value, chosen)
        negative = negative and not denied
        group = replace(
            group, end=len(said), negative=negative, stopped=stopped, limiting=tuple(limits)
        )
        start = len(said)
        said += value
        end = len(said)
        rest = [
            piece for piece in others if piece.kind in ("noun", "phrase", "time", "subject", "mark")
        ]
        rest.sort(
            key=lambda piece: next(
                (k for k, each in enumerate(("source", "goal")) if self._opens(piece, each)), 2
            )
        )
        said += _words_of(rest)
        said += post
        return Frame(
            begin, own, group, slot, (start, end), words=tuple(said), implied=who, denied=denied
        )

    def _opens(self, piece: Piece, group: str) -> bool:
        return piece.kind == "phrase" and self.pack.has(group, piece.first)

    def _instead(
        self, post: Tokens, value: list[Token], chosen: Piece | None
    ) -> tuple[Tokens, list[Token], tuple[Token, ...]]:
        """What stands behind a clause: "nicht in Porto, sondern in Braga", "in Braga, nicht in Porto"."""
        place = next(
            (k for k, word in enumerate(post[:2]) if self.pack.has("instead", word.folded)), None
        )
        prefix = chosen.words[:1] if chosen and chosen.kind == "phrase" else ()
        if place is not None and value:
            pieces = self.pieces(post, range(place + 1, len(post)))
            if pieces and pieces[0].kind in ("noun", "phrase", "time"):
                found = list(pieces[0].words)
                if pieces[0].kind == "phrase" or (prefix and found[0].folded == prefix[0].folded):
                    found = found[1:]
                return _words_of(pieces[1:]), found, tuple(value)
        denies = len(post) > 3 and self.pack.has("negations", post[1].folded)
        if prefix and denies and post[2].folded == prefix[0].folded:
            return [*post[:2], *post[3:]], value, ()
        return post, value, ()

    def _headline(self, words: Tokens, begin: int) -> Frame | None:
        """The frame of "Flyerauflage auf 300 gesenkt": a participle without its verb."""
        stop = self._stop(words, begin)
        last = words[stop - 1] if stop - 1 > begin else None
        form = self._nonfinite(last) if last is not None and not last.is_capital else None
        if last is None or form is None or form.tense or form.verb == last.folded:
            return None
        pieces = self.pieces(words, range(begin, stop - 1))
        if pieces[0].kind != "noun" or self._is_oblique(pieces[0]):
            return None
        moves = self.pack.has("perfect_with_be", form.verb)
        group = Group(form.verb if moves else f"be {form.verb}", 0, "past")
        verbs = Verbs(group, (last,), frozenset())
        return self._framed(verbs, pieces[:1], pieces[1:], words[stop:])


def _words_of(pieces: Iterable[Piece]) -> list[Token]:
    return [word for piece in pieces for word in piece.words]
