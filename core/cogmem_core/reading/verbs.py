"""Finds the verbs of a statement: the main one with its auxiliaries, denials, pronouns and adverbs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from cogmem_core.reading.model import Mood, Tense
from cogmem_core.reading.pack import Form, Pack
from cogmem_core.reading.tokens import Tokens, next_word

_LONGEST_MOOD = 9  # words
AUXILIARY = ("be", "have", "do", "get")
_NO_VERBS = (
    *("prepositions", "determiners", "own", "joints"),
    *("question_words", "times", "numbers"),
)


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


class VerbFinder:
    """Finds verbs in the words of one text."""

    def __init__(self, folded: str, pack: Pack) -> None:
        self.folded = folded
        self.pack = pack

    def _forms(self, word: str) -> tuple[Form, ...]:
        """The forms that a word may be, without the pronouns at its end: "mudarme"."""
        forms = self.pack.forms[word]
        found = None if forms else self.pack.patterns["enclitic"].search(word)
        return self.pack.forms[word[: found.start()]] if found else forms

    def _enclitic(self, word: str) -> tuple[str, ...]:
        found = self.pack.patterns["enclitic"].search(word)
        return (found[0],) if found and word not in self.pack.forms else ()

    def _is_clitic(self, words: Tokens, place: int) -> bool:
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

    def _matches(self, pattern: str, word: str) -> bool:
        return self.pack.patterns[pattern].search(word) is not None

    def _mood_at(self, words: Tokens, place: int) -> tuple[Mood | str, int] | None:
        """The mood that a phrase at a place gives, and the place behind the phrase."""
        said = " ".join(
            word.folded if word.is_ending else self.folded[word.start : word.end]
            for word in words[place : place + _LONGEST_MOOD]
        )
        best: tuple[str, int] | None = None
        for mood, phrases in self.pack.moods:
            stop = phrases.at(said, 0, len(said))
            if stop:
                behind = place + said.count(" ", 0, stop) + 1
                if not self._infinitive_at(words, behind):
                    continue
                if best is None or behind > best[1]:
                    best = (mood, behind)
        return best

    def _infinitive_at(self, words: Tokens, place: int) -> bool:
        """Whether an infinitive stands at a place, where the language has a form for it."""
        pack = self.pack
        if "infinitive" not in pack.patterns:
            return True
        while place < len(words) and pack.in_any(
            ("clitics", "adverbs", "negations", "limiting", "denying"), words[place].folded
        ):
            place += 1
        return place < len(words) and self._matches("infinitive", words[place].folded)

    def group(self, words: Tokens, place: int, *, known: bool) -> Group | None:
        """The verbs that begin at a place; None if none does.

        Args:
            words: of one part of a sentence.
            place: where they would begin.
            known: only verbs that the pack has; else any word behind a pronoun may be one.
        """
        group = Group("", place)
        helping = ""
        while place < len(words):
            word = words[place].folded
            if not words[place].is_word:
                return None
            step = self._denial(words, place, group)
            if step is None and helping in ("", "mood"):
                step = self._pronoun(words, place, group, known=known)
            mood = None if step else self._mood_at(words, place)
            if mood is not None:
                step = (self._in_mood(group, mood[0], word), mood[1])
                helping = "mood"
            step = step or self._passed(words, place, group)
            if step is not None:
                group, place = step
                continue
            forms = self._forms(word)
            if not forms:
                return self._without_form(words, place, group, helping, known=known)
            form = self._form(forms, helping)
            if self._is_auxiliary(words, place, form, helping):
                group = self._helped(group, form, words, place)
                helping = form.verb
            elif not (helping == "be" and self.pack.has("adverbs", word)):
                return self._main(group, form, helping, place, word)
            place += 1
        return replace(group, verb=helping, end=place) if helping in AUXILIARY else None

    def _denial(self, words: Tokens, place: int, group: Group) -> tuple[Group, int] | None:
        """The group and the place behind a word that denies it or says that it is over; None if none stands there."""
        pack = self.pack
        word = words[place].folded
        behind = next_word(words, place)
        if pack.has("denying", word):
            group = replace(group, denying=word)
            if not pack.has("negations", word):
                return group, place + 1
        pair = pack.has("stop", f"{word}-{behind}")
        if pair or self._says("stop", group.denying, word):
            return replace(group, stopped=True), place + 1 + pair
        if self._says("negations", group.denying, word):
            return replace(group, negative=True), place + 1
        return None

    def _pronoun(
        self, words: Tokens, place: int, group: Group, *, known: bool
    ) -> tuple[Group, int] | None:
        """The group and the place behind a pronoun that stands before its verb: "lo", "me"."""
        word = words[place].folded
        may_be = not known and self.pack.has("clitics", word) and next_word(words, place).isalpha()
        if not (may_be or self._is_clitic(words, place)):
            return None
        return replace(group, clitics=(*group.clitics, word)), place + 1

    def _in_mood(self, group: Group, mood: str, word: str) -> Group:
        """The group with what a phrase for a mood, which begins with a word, makes of it."""
        group = replace(group, persons=self._persons(group, word))
        if mood == "past":
            return replace(group, tense="past", over=True)
        if mood == "stopped":
            return replace(group, tense=group.tense or "present", stopped=True)
        if group.mood != "asserted":
            return group
        given_up = mood == "planned" and group.tense == "past"
        meant: Any = "hypothetical" if given_up else mood
        return replace(group, mood=meant, tense=group.tense or "future")

    def _passed(self, words: Tokens, place: int, group: Group) -> tuple[Group, int] | None:
        """The group and the place behind an adverb that is no verb; None if none stands there."""
        word = words[place].folded
        if self.pack.has("limiting", word):
            return replace(group, limiting=(*group.limiting, place)), place + 1
        return (
            (group, place + 1)
            if (self.pack.has("adverbs", word) or self._matches("adverb", word))
            and not self._forms(word)
            else None
        )

    def _without_form(
        self, words: Tokens, place: int, group: Group, helping: str, *, known: bool
    ) -> Group | None:
        """The group where a word stands that is no verb of the pack."""
        if helping in AUXILIARY:
            return replace(group, verb=helping, end=place)
        return None if known and not helping else self._unknown(words, place, group)

    def _is_auxiliary(self, words: Tokens, place: int, form: Form, helping: str) -> bool:
        own = form.verb in AUXILIARY and form.verb != helping
        return own and self._helps(words, place, form.verb)

    def _helped(self, group: Group, form: Form, words: Tokens, place: int) -> Group:
        """The group with an auxiliary."""
        perfect = self.pack.has("perfect", form.verb) and form.tense == "present"
        return replace(
            group,
            tense=group.tense or ("past" if perfect else form.tense),
            end=place + 1,
            mood=form.mood if group.mood == "asserted" else group.mood,
            persons=self._persons(group, words[place].folded),
        )

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
        verb = form.verb
        tense = group.tense or form.tense
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

    def _helps(self, words: Tokens, place: int, verb: str) -> bool:
        """Whether an auxiliary is one: another verb follows it."""
        pack = self.pack
        for word in words[place + 1 : place + 6]:
            if not word.is_word:
                return False
            folded = word.folded
            if pack.in_any(("negations", "stop", "stopping", "limiting"), folded):
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

    def _unknown(self, words: Tokens, place: int, group: Group) -> Group | None:
        pack = self.pack
        word = words[place].folded
        if pack.in_any(_NO_VERBS, word) or word in pack.subjects or not word.isalpha():
            return None
        tense: Tense = "past" if self._matches("past", word) else group.tense or "present"
        return replace(group, verb=word, end=place + 1, tense=tense, known=False)
