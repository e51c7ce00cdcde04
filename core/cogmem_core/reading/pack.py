"""A language as tables: what `read` needs to know of it. Loaded from packs/<code>.toml."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from importlib.resources import files
from typing import Any, Literal, cast, get_args

from cogmem_core.base.toml import tomllib
from cogmem_core.errors import InvalidInput
from cogmem_core.reading.endings import bares
from cogmem_core.reading.model import Mood, Tense
from cogmem_core.reading.pack_names import (
    CLOSERS,
    GENERAL,
    GUARDING,
    HEAD,
    KINDS,
    OPENERS,
    PATTERNS,
    REPLIES,
    TABLES,
    WORD_GROUPS,
    Table,
)
from cogmem_core.reading.phrases import BadPhrase, Phrases
from cogmem_core.reading.tokens import Splits, Tokens
from cogmem_core.text.folding import fold_letters, single_spaced

Order = Literal["subject-verb", "verb-second", "verb-last", ""]
"""How a statement is built; "" = no statement of it is taken apart, so that nothing is retired."""
OWN = ("en", "tr", "de", "es", "fr", "pt", "it", "nl", "zh", "ja", "ru", "ar", "pl", "hi", "ko")
"""The codes of the packs in this package."""
_TENSES: tuple[tuple[Tense, Mood], ...] = (
    ("present", "asserted"),
    ("past", "asserted"),
    ("", "asserted"),
    ("future", "planned"),
    ("present", "hypothetical"),
)
_CHOICE = re.compile(r"[^\s|\[\]]+")
_NO_WORD = re.compile(r"[\s|*_\[]|^-")
_PLACE = re.compile(r"\{[^{}]*\}|[{}]")
_NOTHING = Phrases(())


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a verb.

    Attributes:
        verb: its name in the pack: "live".
        tense: "" = a participle or an infinitive.
        person: whose form it is where endings say so: "i", "he"; "" = anybody's.
        mood: of the form: "planned" in the future, "hypothetical" in a conditional or a subjunctive.
    """

    verb: str
    tense: Tense = ""
    person: str = ""
    mood: Mood = "asserted"


Forms = Mapping[str, tuple[Form, ...]]
_no_words = partial(Table[frozenset[str]], frozenset())
_no_forms = partial(Table[tuple[Form, ...]], ())
_no_phrases = partial(Table[Phrases], _NOTHING)
_no_patterns = partial(Table[re.Pattern[str]], re.compile("(?!)"))


@dataclass(frozen=True, slots=True)
class Slot:
    """Something of which one has one value at a time: a home, an employer.

    Attributes:
        name: as it is stored and shown.
        verbs: verbs with their prepositions that tell the value.
        changes: those that tell a new one.
        things: nouns whose value it is: "address".
        types: types that a value may have; empty = any.
        but: words that are no value of it.
        heads: nouns of which a value has one, unless it is a name or stands without an article.
        values: all words that are a value of it, if these are few: "married", "single".
        bears: what in a message shows that the value matters to it: "near me".
    """

    name: str
    verbs: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()
    things: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    but: frozenset[str] = frozenset()
    heads: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    bears: Phrases = field(default=_NOTHING, compare=False)

    def takes(self, verb: str) -> bool:
        """Whether a verb with its preposition tells the value, or a new one."""
        return verb in self.verbs or verb in self.changes


_WHOLE = Splits()
"""No word is two."""


@dataclass(frozen=True, slots=True, eq=False)
class Wording:
    """What may stand in a clause.

    Attributes:
        words: single words, compared by their stems.
        phrases: several words, and words with any ending.
    """

    words: frozenset[str] = frozenset()
    phrases: Phrases = _NOTHING


_UNWORDED = Wording()


@dataclass(frozen=True, eq=False)
class Topic:
    """A class of things that people tell of, and ask for by its name; its long lists are made when they are used.

    Attributes:
        asks: words for it: "family".
        verbs: verbs with their prepositions, of a person, that tell it: "vote for".
        also: topics that are parts of it.
        listed: makes one of its lists.
    """

    asks: frozenset[str] = frozenset()
    verbs: frozenset[str] = frozenset()
    also: frozenset[str] = frozenset()
    listed: Callable[[str], Wording] = lambda _: _UNWORDED

    @cached_property
    def tells(self) -> Wording:
        """What is of it where a person is spoken of: "sister"."""
        return self.listed("tells")

    @cached_property
    def marks(self) -> Wording:
        """What is of it in any clause: "chemotherapy"."""
        return self.listed("marks")

    @cached_property
    def unless(self) -> Phrases:
        """Phrases that tell nothing of it: "health check"."""
        return self.listed("unless").phrases


NO_TOPIC = Topic()


@lru_cache(maxsize=1_024)
def _words_of(pack: Pack, groups: tuple[str, ...]) -> frozenset[str]:
    return frozenset[str]().union(*(pack.words[group] for group in groups))


@dataclass(frozen=True, slots=True, eq=False)
class Pack:
    """The tables of a language; an empty one makes a fragment of every sentence."""

    code: str = ""
    name: str = ""
    order: Order = ""
    spaced: bool = True
    splits: Splits = _WHOLE
    stemmer: str = ""
    keep: str = ""
    nouns_capital: bool = False
    drops_subject: bool = False
    head_first: bool = False
    contracted: Mapping[str, str] = field(default_factory=dict)
    reflexive: Mapping[str, frozenset[str]] = field(default_factory=dict)
    words: Table[frozenset[str]] = field(default_factory=_no_words)
    subjects: Mapping[str, str] = field(default_factory=dict)
    forms: Table[tuple[Form, ...]] = field(default_factory=_no_forms)
    moods: tuple[tuple[Mood, Phrases], ...] = ()
    openers: Table[Phrases] = field(default_factory=_no_phrases)
    closers: Table[Phrases] = field(default_factory=_no_phrases)
    kinds: Table[Phrases] = field(default_factory=_no_phrases)
    endings: Table[Phrases] = field(default_factory=_no_phrases)
    patterns: Table[re.Pattern[str]] = field(default_factory=_no_patterns)
    slots: tuple[Slot, ...] = ()
    topics: Mapping[str, Topic] = field(default_factory=dict)
    ask: Mapping[str, str] = field(default_factory=dict)
    replies: Table[Phrases] = field(default_factory=_no_phrases)
    guards: Table[Phrases] = field(default_factory=_no_phrases)

    def has(self, group: str, word: str) -> bool:
        """Whether a folded word is in a group of words."""
        return word in self.words[group]

    def has_any(self, group: str, words: Iterable[str]) -> bool:
        """Whether one of some folded words is in a group."""
        return not self.words[group].isdisjoint(words)

    def says(self, group: str, text: str) -> bool:
        """As `has_any`, of a text."""
        return self.has_any(group, self.fold(text).split())

    def among(self, group: str, words: Tokens) -> bool:
        """As `has_any`, of words as they stand."""
        return self.has_any(group, (word.folded for word in words))

    def in_any(self, groups: Sequence[str], word: str) -> bool:
        """Whether a folded word is in one of some groups of words."""
        return word in _words_of(self, tuple(groups))

    def is_state(self, slot: str) -> bool:
        """Whether a slot tells what somebody is: "be", and those whose values are listed, as diets are."""
        return slot == "be" or any(each.name == slot and each.values for each in self.slots)

    def is_slot(self, name: str) -> bool:
        """Whether a slot has a name."""
        return any(slot.name == name for slot in self.slots)

    def separates(self, word: str) -> bool:
        """Whether a folded word joins two clauses, and never two things."""
        return self.has("joints", word) and not self.has("conjunctions", word)

    def is_tensed(self, word: str) -> bool:
        """Whether a folded word is a form of a verb that tells its time: no infinitive, no participle."""
        return any(form.tense for form in self.forms[word])

    def fold(self, text: str) -> str:
        """A text in small letters without accents, of the same length."""
        return _fold(text, self.keep)


EMPTY = Pack()


def _fold(text: str, keep: str) -> str:
    """A text in small letters without accents, but for letters that make other words: `würde` is no `wurde`."""
    folded = fold_letters(text)
    if not keep or text.isascii():
        return folded
    return "".join(
        one.lower() if one.lower() in keep else other
        for one, other in zip(text, folded, strict=True)
    )


Kept = frozenset[str]
"""Words that need their accent."""


def _folded(value: str, kept: Kept, keep: str = "") -> str:
    if not kept:
        return _fold(value, keep)
    return re.sub(
        r"[^\s,|]+", lambda found: found[0] if found[0] in kept else _fold(found[0], keep), value
    )


def _words(value: str, kept: Kept, keep: str = "") -> frozenset[str]:
    return frozenset(_folded(value, kept, keep).split())


@dataclass(frozen=True, slots=True)
class _Table:
    """One table of a file, whose entries are checked as they are read."""

    name: str
    values: Mapping[str, Any]
    source: str
    text: str
    keep: str = ""
    spaced: bool = True
    bare: Mapping[str, str] = field(default_factory=dict)

    def fold(self, text: str) -> str:
        """A text as the pack's language folds it."""
        return _fold(text, self.keep)

    def wrong(self, key: str, why: str) -> InvalidInput:
        """The error for an entry, with its line."""
        return InvalidInput(
            f"{self.source}, line {_line(self.text, key)}: [{self.name}] {key}: {why}"
        )

    def string(self, key: str) -> str:
        """A text; "" if there is none."""
        value = self.values.get(key, "")
        if not isinstance(value, str):
            raise self.wrong(key, "give a text in quotes")
        return value

    def strings(self, key: str) -> list[str]:
        """A list of texts; a text alone counts as its lines."""
        value = self.values.get(key, [])
        if isinstance(value, str):
            value = [line for line in value.splitlines() if line.strip()]
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self.wrong(key, "give a list of texts, or one text with a phrase on each line")
        return cast("list[str]", value)

    def phrases(self, key: str) -> Phrases:
        """A list of phrases."""
        return _phrases(self, key, map(self.fold, self.strings(key)))

    def all_phrases(self, keys: Iterable[str]) -> Table[Phrases]:
        """All lists of phrases, of which no other ones may be there."""
        self.only(keys)
        return _no_phrases({key: self.phrases(key) for key in self.values})

    def table(self, name: str) -> _Table:
        """A table within it; an empty one if there is none."""
        inner = self.values.get(name, {})
        if not isinstance(inner, dict):
            raise self.wrong(name, "make it a table")
        within = f"{self.name}.{name}" if self.name else name
        return replace(self, name=within, values=inner)

    def only(self, names: Iterable[str]) -> None:
        """Refuse entries of other names."""
        for key in self.values:
            if key not in names:
                raise self.wrong(key, f"nothing reads this; known are {', '.join(sorted(names))}")


def _line(text: str, key: str) -> int:
    match = re.search(rf"^\s*\[?(?:[\w.]+\.)?\"?{re.escape(key)}\"?\s*[=\]]", text, re.MULTILINE)
    return text.count("\n", 0, match.start()) + 1 if match else 1


def pack_from_toml(text: str, source: str = "a pack") -> Pack:
    """Read a pack.

    Args:
        text: a TOML document.
        source: its name for errors.

    Raises:
        InvalidInput: it is no TOML, or an entry is unknown or cannot be read; the message has its line.
    """
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"{source}: {error}") from None
    top = _Table("", values, source, text)
    top.only((*HEAD, *TABLES))
    order = top.string("order")
    if order not in get_args(Order):
        raise top.wrong("order", f"give one of {', '.join(map(repr, get_args(Order)))}")
    spaced = bool(values.get("spaced", True))
    keep = top.string("keep")
    written = top.table("text")
    written.only(("before", "behind", "whole", "joined", "accented", "contracted"))
    kept = frozenset(written.string("accented").split())
    splits = _splits(written)
    bare = {word: f"{word}|{bare}" for bare, word in splits.bare.items()}
    top = replace(top, keep=keep, spaced=spaced, bare=bare)
    tables = {name: top.table(name) for name in TABLES}
    words = tables["words"]
    moods = tables["moods"]
    words.only(WORD_GROUPS)
    moods.only((*get_args(Mood), "past", "stopped"))
    forms, kept = _forms(tables["verbs"], tables["conjugations"], kept)
    groups = {key: _words(" ".join(words.strings(key)), kept, keep) for key in words.values}
    # In the phrases of slots a preposition is no form of a verb.
    verbs = {word: forms[word] for word in forms.keys() - groups.get("prepositions", frozenset())}
    within = groups.get("within", frozenset())
    slots = tables["slots"]
    reflexive = tables["reflexive"]
    pack = Pack(
        code=top.string("code"),
        name=top.string("name"),
        order=cast("Order", order),
        spaced=spaced,
        stemmer=top.string("stemmer"),
        drops_subject=bool(values.get("drops_subject", False)),
        head_first=bool(values.get("head_first", False)),
        contracted=dict(each.split("=") for each in written.string("contracted").split()),
        reflexive={key: _words(reflexive.string(key), kept) for key in reflexive.values},
        splits=splits._replace(accented=kept),
        keep=keep,
        nouns_capital=bool(values.get("nouns_capital", False)),
        words=_no_words(groups),
        subjects=_subjects(tables["subjects"], kept),
        forms=_no_forms(forms),
        moods=tuple((cast("Mood", key), moods.phrases(key)) for key in moods.values),
        openers=tables["openers"].all_phrases(OPENERS),
        closers=tables["closers"].all_phrases(CLOSERS),
        kinds=tables["kinds"].all_phrases(KINDS),
        endings=tables["endings"].all_phrases(KINDS),
        patterns=_patterns(tables["patterns"]),
        slots=tuple(_slot(name, slots.table(name), verbs, within, kept) for name in slots.values),
        topics=_topics(tables["topics"], verbs, kept),
        ask=_questions(tables["ask"], slots.values),
        replies=tables["replies"].all_phrases(REPLIES),
        guards=tables["guards"].all_phrases(GUARDING),
    )
    return _bared(pack) if pack.stemmer == "endings" else pack


def _questions(table: _Table, slots: Iterable[str]) -> dict[str, str]:
    table.only((GENERAL, *slots))
    for key in table.values:
        said = table.string(key)
        if not said.endswith("?") or sorted(_PLACE.findall(said)) != ["{new}", "{old}"]:
            raise table.wrong(key, "give one question with {old} and {new} in it, and ? at its end")
    return dict(table.values)


def _splits(table: _Table) -> Splits:
    whole = [each.split("|") for each in table.string("whole").split()]
    return Splits(
        tuple(table.string("before").split()),
        tuple(table.string("behind").split()),
        {head + tail: len(head) for head, tail in whole},
        {head + tail.replace("'", ""): head + tail for head, tail in whole if "'" in tail},
        frozenset(table.string("joined").split()),
    )


def _bared(pack: Pack) -> Pack:
    """A pack whose nouns for things stand without endings, as subjects do."""
    words = _no_words(pack.words)
    for group in ("single", "several"):
        words[group] = frozenset(bares(words[group], pack))
    words["users"] |= frozenset(bares(words["users"], pack))
    slots = tuple(
        replace(
            slot, things=frozenset(" ".join(bares(thing.split(), pack)) for thing in slot.things)
        )
        for slot in pack.slots
    )
    return replace(pack, words=words, slots=slots)


def _subjects(table: _Table, kept: Kept) -> dict[str, str]:
    return {
        word: key for key in table.values for word in _words(table.string(key), kept, table.keep)
    }


def _forms(table: _Table, endings: _Table, kept: Kept) -> tuple[dict[str, tuple[Form, ...]], Kept]:
    """The verbs by their forms, and the words that need their accent.

    `live = "live lives | lived | living"`: present, past, others, future, conditional. What follows
    "i:" or "he:" is of that person alone. `parl+er` is a stem with all the endings of a class:
    `er = "i: -e | -ais | -er"`; "ge-t" has letters before the stem, too. `"+er" = "parl mang"` are
    verbs of which that is all; the class "er.2" is of other verbs that end in "er" as well. An
    accent is kept where it tells two forms apart ("cambio", "cambi\u00f3"); a word without it may
    be either.

    Raises:
        InvalidInput: a verb is of a class without endings.
    """
    written = [
        each
        for verb, said in _verbs(table)
        for each in _written(table.fold(verb), _inflected(said, endings))
    ]
    raws: dict[str, set[str]] = {}
    for word, _ in written:
        raws.setdefault(table.fold(word), set()).add(word)
    apart = {
        word for each in raws.values() if len(each) > 1 for word in each if word != table.fold(word)
    }
    kept |= apart
    forms: dict[str, dict[Form, None]] = {}
    for word, form in written:
        forms.setdefault(_folded(word, kept, table.keep), {})[form] = None
    for word, form in written:
        exact = forms.setdefault(table.fold(word), {})
        if word in apart and not (form.tense and any(each.tense for each in exact)):
            exact[form] = None
    return {word: tuple(each) for word, each in forms.items()}, kept


def _verbs(table: _Table) -> Iterable[tuple[str, str]]:
    """The verbs of a table by their names, and what is written of each."""
    for key in table.values:
        said = table.string(key)
        if key.startswith("+"):
            infinitive = key[1:].partition(".")[0]
            yield from ((f"{stem}{infinitive}", f"{stem}{key}") for stem in said.split())
        else:
            yield key, said


def _written(name: str, lines: Iterable[str]) -> Iterable[tuple[str, Form]]:
    for line in lines:
        for part, (tense, mood) in zip(line.lower().split("|"), _TENSES, strict=False):
            person = ""
            for word in part.split():
                if word.endswith(":"):
                    person = word[:-1]
                else:
                    yield word, Form(name, tense, person, mood)


def _inflected(written: str, endings: _Table) -> list[str]:
    """What is written of a verb, and each of its stems with the endings of its class."""
    found = [" ".join(word for word in written.split() if "+" not in word)]
    for word in written.split():
        stem, plus, name = word.partition("+")
        if plus and name not in endings.values:
            raise endings.wrong(name, f"{word!r} is of this class: write its endings")
        if plus:
            found.append(endings.string(name).replace("-", stem))
    return found


def _patterns(table: _Table) -> Table[re.Pattern[str]]:
    table.only(PATTERNS)
    found = _no_patterns()
    for key in table.values:
        try:
            found[key] = re.compile(table.string(key))
        except re.error as error:
            raise table.wrong(key, f"no regular expression: {error}") from None
    return found


def _slot(
    name: str,
    table: _Table,
    forms: Forms,
    within: frozenset[str],
    kept: Kept,
) -> Slot:
    table.only(("verbs", "changes", "things", "types", "but", "heads", "values", "bears"))
    things = frozenset(
        " ".join(word for word in thing.split() if word not in within)
        for thing in _listed(table, "things", kept)
    )
    types, but, values = (
        frozenset(table.string(key).split()) for key in ("types", "but", "values")
    )
    heads = _words(table.string("heads"), kept)
    verbs, changes = (_verb_phrases(table, key, forms, kept) for key in ("verbs", "changes"))
    return Slot(name, verbs, changes, things, types, but, heads, values, table.phrases("bears"))


def _listed(table: _Table, key: str, kept: Kept) -> list[str]:
    """What stands between the commas of an entry, folded."""
    parts = _folded(table.string(key), kept, table.keep).split(",")
    return list(filter(None, map(single_spaced, parts)))


def _verb_phrases(table: _Table, key: str, forms: Forms, kept: Kept) -> frozenset[str]:
    return frozenset(
        " ".join(_verb_name(word, forms) for word in phrase.split())
        for phrase in _listed(table, key, kept)
    )


def _topics(topics: _Table, forms: Forms, kept: Kept) -> dict[str, Topic]:
    found: dict[str, Topic] = {}
    for name in topics.values:
        table = topics.table(name)
        table.only(("asks", "tells", "marks", "verbs", "unless", "also"))
        found[name] = Topic(
            _words(table.string("asks"), kept),
            _verb_phrases(table, "verbs", forms, kept),
            frozenset(_listed(table, "also", kept)),
            partial(_wording, table, kept),
        )
    return found


def _wording(table: _Table, kept: Kept, key: str) -> Wording:
    """The words and phrases of an entry; of exceptions, and without blanks between words, all are phrases."""
    parts = _listed(table, key, kept)
    single = table.spaced and key != "unless"
    words = {part for part in parts if single and not _NO_WORD.search(part)}
    phrases = [part for part in parts if part not in words]
    return Wording(frozenset(words), _phrases(table, key, phrases))


def _phrases(table: _Table, key: str, phrases: Iterable[str]) -> Phrases:
    both = (_CHOICE.sub(lambda word: table.bare.get(word[0], word[0]), each) for each in phrases)
    try:
        return Phrases(both, spaced=table.spaced)
    except (BadPhrase, re.error) as error:
        raise table.wrong(key, str(error)) from None


def _verb_name(word: str, forms: Forms) -> str:
    found = forms.get(word)
    return found[0].verb if found else word


@lru_cache(maxsize=len(OWN))
def pack_of(code: str) -> Pack:
    """The pack with a code; `EMPTY` if there is none."""
    if code not in OWN:
        return EMPTY
    file = files("cogmem_core.reading").joinpath("packs", f"{code}.toml")
    return pack_from_toml(file.read_text(encoding="utf-8"), f"{code}.toml")
