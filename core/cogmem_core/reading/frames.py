"""Finds subject, verb and value of a statement in the order subject, verb, value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from cogmem_core.reading.model import Kind, Mood, Tense
from cogmem_core.reading.pack import Form, Pack
from cogmem_core.reading.tokens import Token

_LEAD = 14
_NOUN = 9
_OTHERS = ("", "he", "they")
_AUXILIARY = ("be", "have", "do", "get")


@dataclass(frozen=True, slots=True)
class Group:
    """The verbs of a statement.

    Attributes:
        verb: the main verb as the pack names it, "be " before a passive one.
        end: the place behind it.
        tense: of it.
        mood: what its auxiliaries make of it.
        negative: whether it is denied.
        stopped: whether it says "no longer".
        limiting: places of adverbs that limit it.
        known: whether the pack knows the verb.
        over: whether it says that this was so and is no more: "used to".
        progressive: whether it says that this goes on: "is moving".
        persons: whose form the first one is; "" = anybody's.
        denying: the word that a second one makes a denial: "ne" ... "pas".
        clitics: pronouns before the verb: "me", "se", "lo".
    """

    verb: str
    end: int
    tense: Tense = ""
    mood: Mood = "asserted"
    negative: bool = False
    stopped: bool = False
    limiting: tuple[int, ...] = ()
    known: bool = True
    over: bool = False
    progressive: bool = False
    persons: frozenset[str] = frozenset(("",))
    denying: str = ""
    clitics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """A statement's parts, as places among its words.

    Attributes:
        lead: how many words stand before the subject.
        subject: first place of the subject, and the one behind it.
        group: the verbs.
        slot: the verb and its preposition.
        value: first place of the value, and the one behind it.
        denied: the words of a value that is named wrong.
        former: the place of a value that was before.
        words: those that the places count, where the finder puts them into another order; empty = as they stand.
        implied: the subject that no word names, but the form of the verb tells: "vivo" = "i".
    """

    lead: int
    subject: tuple[int, int]
    group: Group
    slot: str
    value: tuple[int, int]
    denied: tuple[Token, ...] = ()
    former: tuple[int, int] = (0, 0)
    words: tuple[Token, ...] = ()
    implied: str = ""


class Finder:
    """Finds frames in the words of one text."""

    def __init__(self, folded: str, pack: Pack) -> None:
        self.folded = folded
        self.pack = pack

    def frame(self, words: Sequence[Token], *, subject: bool = True) -> Frame | None:
        """The first frame in some words; None if there is none.

        Args:
            words: of one part of a sentence.
            subject: False = the subject stands in an earlier part, and a verb comes first.
        """
        if not subject:
            group = self.group(words, 0, known=True)
            return self._with_value(words, 0, (0, 0), group) if group and group.tense else None
        for place in range(min(len(words), _LEAD)):
            found = self._dropped(words, place) if self.pack.drops_subject else None
            found = found or self._at(words, place)
            if found is not None:
                return self._relative(words, found) or found
        return None

    def _may_drop(self, words: Sequence[Token], place: int) -> bool:
        """Whether a verb without its subject may stand at a place: not behind an article, and no "as"."""
        pack = self.pack
        word, before = words[place].folded, words[place - 1].folded if place else ""
        noun = any(pack.has(group, before) for group in ("determiners", "own", "infinitive"))
        if noun or (pack.has("prepositions", before) and not pack.has("subordinating", before)):
            return False
        if pack.has("prepositions", word) or pack.has("subordinating", word):
            # "Como carne": a verb only if no other one follows, and nothing is set off from it.
            behind = words[place + 1 : place + 2]
            follows = not behind or any(form.tense for form in self._forms(behind[0].folded))
            begins = not place or words[place - 1].is_word
            return begins and not follows and all(word.is_word for word in words[place:])
        return not pack.has("determiners", word) or self._is_clitic(words, place)

    def _dropped(self, words: Sequence[Token], place: int) -> Frame | None:
        """The frame of a verb at a place whose form tells its subject: "Vivo en Lugo"."""
        pack = self.pack
        group = self.group(words, place, known=True) if self._may_drop(words, place) else None
        if group is None or "" in group.persons:
            return None
        person = next(who for who in (*pack.reflexive, "it") if who in group.persons)
        if pack.has("felt", group.verb):
            # "Me gusta el jazz": the one who feels it is the object.
            feeling = (who for who, own in pack.reflexive.items() if own & set(group.clitics))
            person, group = next(feeling, person), replace(group, clitics=())
        group = self._reflexive(group, person)
        found = self._with_value(words, place, (place, place), group)
        low, high = found.value
        if (
            person in ("he", "they")
            and low < high
            and found.slot == group.verb
            and self._befalls(group.verb)
        ):
            # "Se aplazó la reunión": what is named behind the verb is what it happens to.
            return self._with_value(words, place, (low, high), replace(group, end=high))
        return replace(found, implied=person)

    def _befalls(self, verb: str) -> bool:
        own, _, bare = verb.partition(" ")
        return own == "se" and any(self.pack.has(group, bare) for group in ("ends", "changing"))

    def _relative(self, words: Sequence[Token], found: Frame) -> Frame | None:
        """The frame of "The toner we need is the TN-40", whose first verb belongs to its subject."""
        place = found.value[0]
        if not found.lead or place >= len(words) or not self._opens_noun(words[0].folded):
            return None
        if not any(
            form.tense and form.verb in _AUXILIARY
            for form in self.pack.forms.get(words[place].folded, ())
        ):
            return None
        group = self.group(words, place, known=True)
        return self._with_value(words, 0, (0, place), group) if group else None

    def _opens_noun(self, word: str) -> bool:
        return self.pack.has("determiners", word) or self.pack.has("own", word)

    def is_joint(self, word: Token) -> bool:
        """Whether a word joins two parts and is no part of either."""
        return not word.is_word or self.pack.has("joints", word.folded)

    def asked(self, start: int, end: int, *, asks: bool) -> Kind | None:
        """Whether the form of its verb makes a part a question or request; here its phrases alone do."""
        del start, end, asks
        return None

    def joins(self, words: Sequence[Token], place: int) -> bool:
        """Whether a verb that joins clauses ends before a place."""
        del words, place
        return False

    def _at(self, words: Sequence[Token], place: int) -> Frame | None:
        word = words[place]
        if not word.is_word or not self._may_begin(words, place):
            return None
        if word.folded in self.pack.subjects:
            group = self.group(words, place + 1, known=False)
            if group is not None and self._agrees(words, place, group):
                group = self._reflexive(group, self.pack.subjects[word.folded])
                return self._with_value(words, place, (place, place + 1), group)
            return None
        for behind in range(place + 1, min(len(words), place + _NOUN)):
            folded = words[behind].folded
            if self.pack.has("resuming", folded):
                group = self.group(words, behind + 1, known=True)
                return self._with_value(words, place, (place, behind), group) if group else None
            if folded in self.pack.subjects and self.pack.has(
                "conjunctions", words[behind - 1].folded
            ):
                group = self.group(words, behind + 1, known=False)
                return self._with_value(words, place, (place, behind + 1), group) if group else None
            if not words[behind].is_word or self._joins(folded) or folded in self.pack.subjects:
                break
            article = (
                self.pack.has("determiners", folded) and not self.pack.has("within", folded)
            ) or self.pack.has("own", folded)
            if (
                article
                and not self.pack.has("prepositions", words[behind - 1].folded)
                and not self.pack.has("numbers", folded)
                and not self.pack.has("conjunctions", words[behind - 1].folded)
            ):
                break
            if not self._may_be_verb(words, behind):
                continue
            group = self.group(words, behind, known=True)
            if (
                group is not None
                and (group.tense or group.mood != "asserted")
                and not group.persons.isdisjoint(_OTHERS)
            ):
                group = self._reflexive(group, "he")
                return self._with_value(words, place, (place, behind), group)
        return None

    def _forms(self, word: str) -> tuple[Form, ...]:
        """The forms that a word may be, without the pronouns at its end: "mudarme"."""
        forms = self.pack.forms.get(word, ())
        pattern = self.pack.patterns.get("enclitic")
        if forms or pattern is None:
            return forms
        found = pattern.search(word)
        return self.pack.forms.get(word[: found.start()], ()) if found else ()

    def _enclitic(self, word: str) -> tuple[str, ...]:
        pattern = self.pack.patterns.get("enclitic")
        found = (
            pattern.search(word) if pattern is not None and word not in self.pack.forms else None
        )
        return (found[0],) if found else ()

    def _reflexive(self, group: Group, person: str) -> Group:
        """The group with its verb as another one if subject and object are one: "se mudar"."""
        own = self.pack.reflexive.get(person, frozenset()) | self.pack.reflexive.get(
            "any", frozenset()
        )
        if not any(clitic in own for clitic in group.clitics) or " " in group.verb:
            return group
        return replace(group, verb=f"se {group.verb}")

    def _is_clitic(self, words: Sequence[Token], place: int) -> bool:
        """Whether a pronoun stands before a verb: "lo vendo"; not "el", "la casa"."""
        pack = self.pack
        if not pack.has("clitics", words[place].folded) or place + 1 >= len(words):
            return False
        behind = words[place + 1].folded
        if pack.has("clitics", behind):
            return self._is_clitic(words, place + 1)
        return bool(self._forms(behind))

    def _says(self, group: str, denying: str, word: str) -> bool:
        """Whether a word is in a group of words, alone or behind the one that opens a denial: "ne ... plus"."""
        return self.pack.has(group, word) or (
            bool(denying) and self.pack.has(group, f"{denying}-{word}")
        )

    def _agrees(self, words: Sequence[Token], place: int, group: Group) -> bool:
        """Whether a verb has a form for "it": "that rate" is none of "that rates"."""
        if (
            self.pack.subjects[words[place].folded] not in ("he", "she", "it")
            or group.mood != "asserted"
        ):
            return True
        word = words[group.end - 1].folded
        if group.known:
            return group.end > place + 2 or word != group.verb
        return self._matches("third", word) or self._matches("past", word)

    def _matches(self, pattern: str, word: str) -> bool:
        found = self.pack.patterns.get(pattern)
        return found is not None and found.search(word) is not None

    def _joins(self, word: str) -> bool:
        return self.pack.has("subordinating", word) or (
            self.pack.has("joints", word) and not self.pack.has("conjunctions", word)
        )

    def _may_begin(self, words: Sequence[Token], place: int) -> bool:
        """Whether a subject may begin at a place: not behind a preposition or an article."""
        pack, word = self.pack, words[place].folded
        if pack.has("prepositions", word) or pack.has("question_words", word):
            return False
        if pack.has("subordinating", word) or pack.has("negations", word):
            return False
        if (
            pack.has("clitics", word)
            and word not in pack.subjects
            and not pack.has("determiners", word)
        ):
            return False
        if pack.has("joints", word) or pack.has("adverbs", word) or pack.has("limiting", word):
            return False
        if not place:
            return True
        before = words[place - 1].folded
        if pack.has("subordinating", before) or pack.has("nominative", word):
            return True
        if (
            pack.has("prepositions", before)
            or pack.has("determiners", before)
            or pack.has("own", before)
        ):
            return False
        pronoun = word in pack.subjects
        opens = pack.has("determiners", word) or pack.has("own", word) or pronoun
        return opens or not words[place - 1].is_word or pack.has("adverbs", before)

    def _may_be_verb(self, words: Sequence[Token], place: int) -> bool:
        """Whether the verb of a noun may stand at a place: it has the form for one, or the noun is of many."""
        pack, word = self.pack, words[place].folded
        before = words[place - 1].folded
        if (
            pack.has("determiners", before)
            or pack.has("own", before)
            or pack.has("genitive", before)
        ):
            return False
        if pack.has("infinitive", before) or pack.has("prepositions", before):
            return False
        if self._mood_at(words, place) is not None:
            return True
        if pack.has("denying", word):
            return True
        if pack.has("clitics", word) and not pack.has("determiners", word):
            return self._is_clitic(words, place)
        if pack.has("negations", word) and pack.has(
            "stop", f"{word}-{words[place + 1].folded if place + 1 < len(words) else ''}"
        ):
            return True
        forms = self._forms(word)
        if not forms:
            return False
        if pack.has("genitive", word) and not self._is_verb(words, place):
            return False
        base = any(form.verb == word for form in forms)
        return not base or self._matches("plural", before) or pack.has("invariant", word)

    def _is_verb(self, words: Sequence[Token], place: int) -> bool:
        """Whether "'s" is a verb and no genitive: no other verb stands behind it."""
        behind = words[place + 1 : place + _NOUN]
        return not any(
            each.is_word
            and any(form.tense for form in self.pack.forms.get(each.folded, ()))
            and each.folded not in (form.verb for form in self.pack.forms.get(each.folded, ()))
            and not self.pack.has("subordinating", each.folded)
            for each in behind
            if not self.pack.has("genitive", each.folded)
        )

    def _mood_at(self, words: Sequence[Token], place: int) -> tuple[Mood | str, int] | None:
        """The mood that a phrase at a place gives, and the place behind the phrase."""
        start, end = words[place].start, words[-1].end
        best: tuple[str, int] | None = None
        for mood, phrases in self.pack.moods:
            stop = phrases.at(self.folded, start, end)
            if stop > start:
                behind = place + 1
                while behind < len(words) and words[behind].start < stop:
                    behind += 1
                if not self._infinitive_at(words, behind):
                    continue
                if best is None or behind > best[1]:
                    best = (mood, behind)
        return best

    def _infinitive_at(self, words: Sequence[Token], place: int) -> bool:
        """Whether an infinitive stands at a place, where the language has a form for it."""
        pack = self.pack
        if "infinitive" not in pack.patterns:
            return True
        while place < len(words) and any(
            pack.has(group, words[place].folded)
            for group in ("clitics", "adverbs", "negations", "limiting", "denying")
        ):
            place += 1
        return place < len(words) and self._matches("infinitive", words[place].folded)

    def group(self, words: Sequence[Token], place: int, *, known: bool) -> Group | None:
        """The verbs that begin at a place; None if none does.

        Args:
            words: of one part of a sentence.
            place: where they would begin.
            known: only verbs that the pack has; else any word behind a pronoun may be one.
        """
        pack = self.pack
        group = Group("", place)
        helping = ""
        while place < len(words):
            word = words[place].folded
            if not words[place].is_word:
                return None
            next_word = words[place + 1].folded if place + 1 < len(words) else ""
            if pack.has("denying", word):
                group = replace(group, denying=word)
                if not pack.has("negations", word):
                    place += 1
                    continue
            if pack.has("stop", f"{word}-{next_word}"):
                group, place = replace(group, stopped=True), place + 2
                continue
            if self._says("stop", group.denying, word):
                group, place = replace(group, stopped=True), place + 1
                continue
            if self._says("negations", group.denying, word):
                group, place = replace(group, negative=True), place + 1
                continue
            before = not group.verb and helping in ("", "mood")
            if before and (
                self._is_clitic(words, place)
                or (not known and pack.has("clitics", word) and next_word.isalpha())
            ):
                group, place = replace(group, clitics=(*group.clitics, word)), place + 1
                continue
            mood = self._mood_at(words, place)
            if mood is not None:
                group = replace(group, persons=self._persons(group, word))
                if mood[0] == "past":
                    group = replace(group, tense="past", over=True)
                elif mood[0] == "stopped":
                    group = replace(group, tense=group.tense or "present", stopped=True)
                elif group.mood == "asserted":
                    given_up = mood[0] == "planned" and group.tense == "past"
                    meant: Any = "hypothetical" if given_up else mood[0]
                    group = replace(group, mood=meant, tense=group.tense or "future")
                place, helping = mood[1], "mood"
                continue
            if pack.has("limiting", word):
                group, place = replace(group, limiting=(*group.limiting, place)), place + 1
                continue
            forms = self._forms(word)
            if not forms:
                if pack.has("adverbs", word) or self._matches("adverb", word):
                    place += 1
                    continue
                if helping in _AUXILIARY:
                    return replace(group, verb=helping, end=place)
                if known and not helping:
                    return None
                return self._unknown(words, place, group)
            form = self._form(forms, helping)
            if (
                form.verb in _AUXILIARY
                and form.verb != helping
                and self._helps(words, place, form.verb)
            ):
                perfect = pack.has("perfect", form.verb) and form.tense == "present"
                tense: Tense = group.tense or ("past" if perfect else form.tense)
                mood_of = form.mood if group.mood == "asserted" else group.mood
                persons = self._persons(group, word)
                group = replace(group, tense=tense, end=place + 1, mood=mood_of, persons=persons)
                helping, place = form.verb, place + 1
                continue
            if helping == "be" and pack.has("adverbs", word):
                place += 1
                continue
            return self._main(group, form, helping, place, word)
        if helping in _AUXILIARY:
            return replace(group, verb=helping, end=place)
        return None

    def _persons(self, group: Group, word: str) -> frozenset[str]:
        """Whose form a group is, of which a word is the first or a later one."""
        if "" not in group.persons:
            return group.persons
        return frozenset(form.person for form in self._forms(word) if form.tense) or group.persons

    def _form(self, forms: Sequence[Form], helping: str) -> Form:
        if helping in ("be", "have"):
            return next((form for form in forms if form.tense != "present"), forms[0])
        return next((form for form in forms if form.tense), forms[0])

    def _main(self, group: Group, form: Form, helping: str, place: int, word: str) -> Group:
        going_on = self._matches("progressive", word)
        verb, tense = form.verb, group.tense or form.tense
        clitics = (*group.clitics, *self._enclitic(word))
        own = any(clitic in each for clitic in clitics for each in self.pack.reflexive.values())
        perfect = helping == "be" and not going_on and (own or self.pack.has("moving", form.verb))
        if perfect:
            tense = "past"
        elif helping in ("be", "get") and not going_on and form.verb != "be":
            verb = f"be {form.verb}"
        if helping == "have" and group.tense == "present":
            tense = "present"
        if helping == "do":
            tense = group.tense
        return replace(
            group,
            verb=verb,
            end=place + 1,
            tense=tense,
            mood=form.mood if group.mood == "asserted" else group.mood,
            persons=self._persons(group, word),
            clitics=clitics,
            progressive=going_on and helping == "be",
        )

    def _helps(self, words: Sequence[Token], place: int, verb: str) -> bool:
        """Whether an auxiliary is one: another verb follows it."""
        pack = self.pack
        for word in words[place + 1 : place + 6]:
            if not word.is_word:
                return False
            folded = word.folded
            if any(
                pack.has(each, folded) for each in ("negations", "stop", "stopping", "limiting")
            ):
                continue
            forms = self._forms(folded)
            if verb != "do" and any(not form.tense and form.verb != folded for form in forms):
                return True
            if verb == "do":
                if any(form.verb == folded for form in forms):
                    return True
            elif any(form.tense != "present" or form.verb != folded for form in forms) and not any(
                form.tense == "present" and form.verb != folded for form in forms
            ):
                return True
            if not (pack.has("adverbs", folded) or self._matches("adverb", folded) or forms):
                return False
        return False

    def _unknown(self, words: Sequence[Token], place: int, group: Group) -> Group | None:
        pack, word = self.pack, words[place].folded
        groups = (
            "prepositions",
            "determiners",
            "own",
            "joints",
            "question_words",
            "times",
            "numbers",
        )
        if (
            any(pack.has(each, word) for each in groups)
            or word in pack.subjects
            or not word.isalpha()
        ):
            return None
        tense: Tense = "past" if self._matches("past", word) else group.tense or "present"
        return replace(group, verb=word, end=place + 1, tense=tense, known=False)

    def _with_value(
        self, words: Sequence[Token], lead: int, subject: tuple[int, int], group: Group
    ) -> Frame:
        """The frame with its preposition, its value, and a value that is named wrong."""
        pack = self.pack
        place, slot = group.end, group.verb
        negative, stopped, limiting = group.negative, group.stopped, list(group.limiting)
        while place < len(words) and words[place].is_word:
            word = words[place].folded
            behind = words[place + 1].folded if place + 1 < len(words) else ""
            if pack.has("stop", f"{word}-{behind}"):
                stopped, place = True, place + 2
            elif self._says("stop", group.denying, word) and not pack.has("stop", word):
                stopped, place = True, place + 1
            elif self._says("negations", group.denying, word):
                negative, place = True, place + 1
            elif self._says("limiting", group.denying, word) and not pack.has("times", word):
                limiting.append(place)
                place += 1
            elif pack.has("particles", word):
                slot += f" {word}"
                place += 1
                if not pack.has("prepositions", behind) and not pack.has("adverbs", behind):
                    break
            elif pack.has("adverbs", word):
                place += 1
            else:
                break
        if group.denying and not stopped and len(limiting) == len(group.limiting):
            negative = True
        group = replace(group, negative=negative, stopped=stopped, limiting=tuple(limiting))
        former = (0, 0)
        if place < len(words) and pack.has("source", words[place].folded):
            end = self.value_end(words, place + 1)
            if pack.has("within", words[place].folded) and not pack.has(
                "changing", group.verb.split()[-1]
            ):
                end = len(words)  # "de" alone is no "from"
            if end < len(words) and pack.has("prepositions", words[end].folded):
                former, place = (place + 1, end), end
        if (
            place < len(words)
            and pack.has("prepositions", words[place].folded)
            and not slot.endswith(f" {words[place].folded}")
        ):
            slot += f" {pack.contracted.get(words[place].folded, words[place].folded)}"
            place += 1
        while place < len(words) and pack.has("adverbs", words[place].folded):
            place += 1
        end = self.value_end(words, place)
        if (
            end == place + 1
            and pack.has("deictic", words[place].folded)
            and not pack.has("copulas", group.verb)
            and slot == group.verb
        ):
            end = place  # "died yesterday"
        return Frame(lead, subject, group, slot, (place, end), former=former)

    def value_end(self, words: Sequence[Token], place: int) -> int:
        """The place behind the value that begins at a place."""
        pack = self.pack
        end = place
        while end < len(words):
            word = words[end]
            folded = word.folded
            if (
                not word.is_word
                and folded not in pack.words.get("units", ())
                and folded not in ("&", "#", "+", "'", ".", "/", "-")
            ):
                break
            abbreviated = (
                folded == "." and end > place and pack.has("abbreviations", words[end - 1].folded)
            )
            if (
                not word.is_word
                and not abbreviated
                and folded in (".", "-", "'", "/")
                and (
                    end + 1 >= len(words)
                    or words[end + 1].start > word.end
                    or (end and words[end - 1].end < word.start)
                )
            ):
                break
            if end > place:
                if pack.has("within", folded):
                    end += 1
                    continue
                if self._ends_value(words, place, end):
                    break
            elif pack.has("subordinating", folded):
                break
            end += 1
        while end > place and pack.has("adverbs", words[end - 1].folded) and end - 1 > place:
            end -= 1
        return end

    def _ends_value(self, words: Sequence[Token], place: int, end: int) -> bool:
        pack, folded = self.pack, words[end].folded
        groups = (
            "prepositions",
            "harmless",
            "subordinating",
            "joints",
            "negations",
            "limiting",
            "stop",
        )
        if pack.has("conjunctions", folded):
            return False
        if any(pack.has(group, folded) for group in groups):
            before = words[end - 1].folded
            return not pack.has("determiners", before)
        if (
            pack.has("determiners", folded)
            and end + 1 < len(words)
            and pack.has("times", words[end + 1].folded)
        ):
            # "the pool on Mondays" without its preposition: "la piscine | le lundi"
            before = words[end - 1].folded
            return not any(
                pack.has(group, before)
                for group in ("within", "determiners", "prepositions", "numbers")
            )
        if pack.has("times", folded):
            if pack.has("deictic", folded):
                return not pack.has("determiners", words[end - 1].folded)
            figures = any(
                words[k].folded[:1].isdigit()
                or pack.has("times", words[k].folded)
                or pack.has("numbers", words[k].folded)
                for k in range(place, end)
            )
            return not figures and not pack.has("determiners", words[end - 1].folded)
        return folded in pack.subjects and end > place
