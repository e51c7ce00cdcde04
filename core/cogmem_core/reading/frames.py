"""Finds subject, verb and value of a statement in the order subject, verb, value."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cogmem_core.reading.model import Kind, Span
from cogmem_core.reading.plain import OF_TIMES
from cogmem_core.reading.tokens import Token, Tokens, next_word
from cogmem_core.reading.values import takes, type_of
from cogmem_core.reading.verbs import AUXILIARY, Group, VerbFinder

_LEAD = 14
_NOUN = 9
_OTHERS = ("", "he", "they")
_NO_SUBJECT = (
    *("prepositions", "question_words", "subordinating", "negations"),
    *("joints", "adverbs", "limiting"),
)
OPENING = (
    *("prepositions", "harmless", "subordinating", "joints"),
    *("negations", "limiting", "stop"),
)
"""Words that open something behind a value."""
INSIDE = ("&", "#", "+", "'", ".", "/", "-")
"""Marks that may stand in a value."""
_NO_VERB_BEHIND = ("determiners", "own", "genitive", "infinitive", "prepositions")


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
        between: words between verb and value that leave in doubt whose it is: "with clients at Nestle".
        words: those that the places count, where the finder puts them into another order; empty = as they stand.
        implied: the subject that no word names, but the form of the verb tells: "vivo" = "i".
    """

    lead: int
    subject: Span
    group: Group
    slot: str
    value: Span
    denied: tuple[Token, ...] = ()
    former: Span = (0, 0)
    between: tuple[Token, ...] = ()
    words: tuple[Token, ...] = ()
    implied: str = ""


class Finder(VerbFinder):
    """Finds frames in the words of one text."""

    def frame(self, words: Tokens, *, subject: bool = True) -> Frame | None:
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

    def _may_drop(self, words: Tokens, place: int) -> bool:
        """Whether a verb without its subject may stand at a place: not behind an article, and no "as"."""
        pack = self.pack
        word = words[place].folded
        before = words[place - 1].folded if place else ""
        noun = pack.in_any(("determiners", "own", "infinitive"), before)
        if noun or (pack.has("prepositions", before) and not pack.has("subordinating", before)):
            return False
        if pack.in_any(("prepositions", "subordinating"), word):
            # "Como carne": a verb only if no other one follows, and nothing is set off from it.
            behind = words[place + 1 : place + 2]
            follows = not behind or pack.is_tensed(behind[0].folded)
            begins = not place or words[place - 1].is_word
            return begins and not follows and all(word.is_word for word in words[place:])
        return not pack.has("determiners", word) or self._is_clitic(words, place)

    def _dropped(self, words: Tokens, place: int) -> Frame | None:
        """The frame of a verb at a place whose form tells its subject: "Vivo en Lugo"."""
        pack = self.pack
        group = self.group(words, place, known=True) if self._may_drop(words, place) else None
        if group is None or "" in group.persons:
            return None
        person = next(who for who in (*pack.reflexive, "it") if who in group.persons)
        if pack.has("felt", group.verb):
            # "Me gusta el jazz": the one who feels it is the object.
            feeling = (who for who, own in pack.reflexive.items() if own & set(group.clitics))
            person = next(feeling, person)
            group = replace(group, clitics=())
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
        return own == "se" and self.pack.in_any(("ends", "changing"), bare)

    def _relative(self, words: Tokens, found: Frame) -> Frame | None:
        """The frame of "The toner we need is the TN-40", whose first verb belongs to its subject."""
        place = found.value[0]
        if not found.lead or place >= len(words) or not self._opens_noun(words[0].folded):
            return None
        if not any(
            form.tense and form.verb in AUXILIARY for form in self.pack.forms[words[place].folded]
        ):
            return None
        group = self.group(words, place, known=True)
        return self._with_value(words, 0, (0, place), group) if group else None

    def _opens_noun(self, word: str) -> bool:
        return self.pack.in_any(("determiners", "own"), word)

    def is_joint(self, word: Token) -> bool:
        """Whether a word joins two parts and is no part of either."""
        return not word.is_word or self.pack.has("joints", word.folded)

    def asked(self, start: int, end: int, *, asks: bool) -> Kind | None:
        """Whether the form of its verb makes a part a question or request; here its phrases alone do."""
        del start, end, asks
        return None

    def joins(self, words: Tokens, place: int) -> bool:
        """Whether a verb that joins clauses ends before a place."""
        del words, place
        return False

    def _at(self, words: Tokens, place: int) -> Frame | None:
        """The frame of a statement whose subject begins at a place."""
        word = words[place]
        if not word.is_word or not self._may_begin(words, place):
            return None
        if word.folded in self.pack.subjects:
            group = self.group(words, place + 1, known=False)
            if group is None or not self._agrees(words, place, group):
                return None
            group = self._reflexive(group, self.pack.subjects[word.folded])
            return self._with_value(words, place, (place, place + 1), group)
        for behind in range(place + 1, min(len(words), place + _NOUN)):
            folded = words[behind].folded
            resumed = self.pack.has("resuming", folded)
            joined = folded in self.pack.subjects and self._is_joined(words, behind)
            if resumed or joined:
                group = self.group(words, behind + 1, known=resumed)
                end = behind + (not resumed)
                return self._with_value(words, place, (place, end), group) if group else None
            if self._ends_subject(words, behind):
                break
            group = self._of_noun(words, behind)
            if group is not None:
                return self._with_value(words, place, (place, behind), group)
        return None

    def _is_joined(self, words: Tokens, place: int) -> bool:
        return self.pack.has("conjunctions", words[place - 1].folded)

    def _ends_subject(self, words: Tokens, place: int) -> bool:
        """Whether a noun that is a subject cannot go on at a place: another noun or a clause begins."""
        pack = self.pack
        folded = words[place].folded
        if (
            not words[place].is_word
            or pack.has("subordinating", folded)
            or pack.separates(folded)
            or folded in pack.subjects
        ):
            return True
        article = pack.has("determiners", folded) and not pack.has("within", folded)
        return (
            (article or pack.has("own", folded))
            and not pack.has("prepositions", words[place - 1].folded)
            and not pack.has("numbers", folded)
            and not self._is_joined(words, place)
        )

    def _of_noun(self, words: Tokens, place: int) -> Group | None:
        """The verbs at a place, if they may be those of a noun."""
        group = self.group(words, place, known=True) if self._may_be_verb(words, place) else None
        if group is None or group.persons.isdisjoint(_OTHERS):
            return None
        return self._reflexive(group, "he") if group.tense or group.mood != "asserted" else None

    def _reflexive(self, group: Group, person: str) -> Group:
        """The group with its verb as another one if subject and object are one: "se mudar"."""
        own = self.pack.reflexive.get(person, frozenset()) | self.pack.reflexive.get(
            "any", frozenset()
        )
        if own.isdisjoint(group.clitics) or " " in group.verb:
            return group
        return replace(group, verb=f"se {group.verb}")

    def _agrees(self, words: Tokens, place: int, group: Group) -> bool:
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

    def _may_begin(self, words: Tokens, place: int) -> bool:
        """Whether a subject may begin at a place: not behind a preposition or an article."""
        pack = self.pack
        word = words[place].folded
        pronoun = word in pack.subjects
        article = pack.has("determiners", word)
        if pack.in_any(_NO_SUBJECT, word):
            return False
        if pack.has("clitics", word) and not (pronoun or article):
            return False
        before = words[place - 1].folded if place else ""
        if not place or pack.has("subordinating", before) or pack.has("nominative", word):
            return True
        if pack.has("prepositions", before) or self._opens_noun(before):
            return False
        opens = article or pack.has("own", word) or pronoun
        return opens or not words[place - 1].is_word or pack.has("adverbs", before)

    def _may_be_verb(self, words: Tokens, place: int) -> bool:
        """Whether the verb of a noun may stand at a place: it has the form for one, or the noun is of many."""
        pack = self.pack
        word = words[place].folded
        before = words[place - 1].folded
        if pack.in_any(_NO_VERB_BEHIND, before):
            return False
        if self._mood_at(words, place) is not None or pack.has("denying", word):
            return True
        if pack.has("clitics", word) and not pack.has("determiners", word):
            return self._is_clitic(words, place)
        if pack.has("negations", word) and pack.has("stop", f"{word}-{next_word(words, place)}"):
            return True
        forms = self._forms(word)
        if not forms or (pack.has("genitive", word) and not self._is_verb(words, place)):
            return False
        base = any(form.verb == word for form in forms)
        return not base or self._matches("plural", before) or pack.has("invariant", word)

    def _is_verb(self, words: Tokens, place: int) -> bool:
        """Whether "'s" is a verb and no genitive: words stand behind it, and among them no other verb."""
        behind = words[place + 1 : place + _NOUN]
        return bool(behind) and not any(
            each.is_word
            and self.pack.is_tensed(each.folded)
            and each.folded not in (form.verb for form in self.pack.forms[each.folded])
            and not self.pack.has("subordinating", each.folded)
            for each in behind
            if not self.pack.has("genitive", each.folded)
        )

    def _with_value(self, words: Tokens, lead: int, subject: Span, group: Group) -> Frame:
        """The frame with its preposition, its value, and a value that is named wrong."""
        pack = self.pack
        group, slot, place = self._after_verb(words, group)
        former, place = self._former(words, place, group)
        preposition = words[place].folded if place < len(words) else ""
        if pack.has("prepositions", preposition) and not slot.endswith(f" {preposition}"):
            slot += f" {pack.contracted.get(preposition, preposition)}"
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
        found = Frame(lead, subject, group, slot, (place, end), former=former)
        return self._behind_others(words, found) or found

    def _behind_others(self, words: Tokens, found: Frame) -> Frame | None:
        """The frame of "I live with my mum in Leeds": what fills a slot, and in doubt, what stands before it.

        What is denied or over may be so of her alone: that stays as it is.
        """
        group, place = found.group, found.value[1]
        ends = group.negative or group.stopped or group.over
        aside = found.slot == group.verb or self.pack.has("harmless", found.slot.split()[-1])
        if ends or not aside or place >= len(words):
            return None
        opener = words[place].folded
        telling = f"{group.verb} {self.pack.contracted.get(opener, opener)}"
        end = self.value_end(words, place + 1)
        value = words[place + 1 : end]
        dated = any(self.pack.in_any(OF_TIMES, word.folded) for word in value)
        if dated or type_of(value, self.pack) != "name" or not self._fills(telling, value):
            return None
        span = (group.end + 1, group.end + 1 + len(value))
        moved = (*words[: group.end], *words[place:])
        between = tuple(words[group.end : place])
        return replace(found, slot=telling, value=span, words=moved, between=between)

    def _fills(self, verb: str, value: Tokens) -> bool:
        return any(
            verb in slot.verbs and takes(slot, value, self.pack, cased=True)
            for slot in self.pack.slots
        )

    def _after_verb(self, words: Tokens, group: Group) -> tuple[Group, str, int]:
        """The group with what adverbs behind it say, its verb with particles, and the place behind all."""
        pack = self.pack
        place = group.end
        slot = group.verb
        negative = group.negative
        stopped = group.stopped
        limiting = list(group.limiting)
        while place < len(words) and words[place].is_word:
            word = words[place].folded
            behind = next_word(words, place)
            pair = pack.has("stop", f"{word}-{behind}")
            if pair or (self._says("stop", group.denying, word) and not pack.has("stop", word)):
                stopped = True
                place += pair
            elif self._says("negations", group.denying, word):
                negative = True
            elif self._says("limiting", group.denying, word) and not pack.has("times", word):
                limiting.append(place)
            elif pack.has("particles", word):
                slot += f" {word}"
                if not pack.in_any(("prepositions", "adverbs"), behind):
                    place += 1
                    break
            elif not pack.has("adverbs", word):
                break
            place += 1
        if group.denying and not stopped and len(limiting) == len(group.limiting):
            negative = True
        group = replace(group, negative=negative, stopped=stopped, limiting=tuple(limiting))
        return group, slot, place

    def _former(self, words: Tokens, place: int, group: Group) -> tuple[Span, int]:
        """The value that was before, if it stands at a place: "from Oslo to Bergen"; and the place behind it."""
        pack = self.pack
        if place >= len(words) or not pack.has("source", words[place].folded):
            return (0, 0), place
        if pack.has("within", words[place].folded) and not pack.has(
            "changing", group.verb.split()[-1]
        ):
            return (0, 0), place  # "de" alone is no "from"
        end = self.value_end(words, place + 1)
        if end < len(words) and pack.has("prepositions", words[end].folded):
            return (place + 1, end), end
        return (0, 0), place

    def value_end(self, words: Tokens, place: int) -> int:
        """The place behind the value that begins at a place."""
        pack = self.pack
        end = place
        while end < len(words):
            word = words[end]
            folded = word.folded
            if not word.is_word and folded not in pack.words["units"] and folded not in INSIDE:
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
            elif pack.in_any(("subordinating", "stop"), folded):
                break
            end += 1
        silent = ("adverbs", "conjunctions")
        while end - 1 > place and pack.in_any(silent, words[end - 1].folded):
            end -= 1
        return end

    def _ends_value(self, words: Tokens, place: int, end: int) -> bool:
        pack = self.pack
        folded = words[end].folded
        before = words[end - 1].folded
        if pack.has("conjunctions", folded):
            return False
        if pack.in_any(OPENING, folded):
            return not pack.has("determiners", before)
        if (
            pack.has("determiners", folded)
            and end + 1 < len(words)
            and pack.has("times", words[end + 1].folded)
        ):
            # "the pool on Mondays" without its preposition: "la piscine | le lundi"
            return not pack.in_any(("within", "determiners", "prepositions", "numbers"), before)
        if pack.has("times", folded):
            if pack.has("deictic", folded):
                return not pack.has("determiners", before)
            figures = any(
                words[k].is_figure or pack.in_any(("times", "numbers"), words[k].folded)
                for k in range(place, end)
            )
            return not figures and not pack.has("determiners", before)
        return folded in pack.subjects
