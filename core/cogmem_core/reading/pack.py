"""A language as tables: what `read` needs to know of it. Loaded from packs/<code>.toml."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal, cast, get_args

from cogmem_core.errors import InvalidInput
from cogmem_core.reading.endings import bares
from cogmem_core.reading.model import Mood, Tense
from cogmem_core.reading.phrases import BadPhrase, Phrases
from cogmem_core.reading.tokens import Splits
from cogmem_core.text.folding import fold_letters

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Order = Literal["subject-verb", "verb-second", "verb-last", ""]
"""How a statement is built; "" = no statement of it is taken apart, so that nothing is retired."""
OWN = ("en", "tr", "de", "es", "fr", "pt", "it", "nl", "zh", "ja", "ru", "ar", "pl", "hi", "ko")
"""The codes of the packs in this package."""
_TENSES: tuple[Tense, ...] = ("present", "past", "")
_FOLDER = "packs"


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a verb.

    Attributes:
        verb: its name in the pack: "live".
        tense: "" = a participle or an infinitive.
        person: whose form it is where endings say so: "i", "he"; "" = anybody's.
    """

    verb: str
    tense: Tense = ""
    person: str = ""


@dataclass(frozen=True, slots=True)
class Slot:
    """Something of which one has one value at a time: a home, an employer.

    Attributes:
        name: as it is stored and shown.
        verbs: verbs with their prepositions that tell the value.
        changes: those that tell a new one.
        things: nouns whose value it is: "address".
        subject: "speaker" = `things` are of the speaker where nobody else is named.
        types: types that a value may have; empty = any.
        but: words that are no value of it.
        values: all words that are a value of it, if these are few: "married", "single".
    """

    name: str
    verbs: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()
    things: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    but: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Topic:
    """A class of things that people ask for by its name.

    Attributes:
        asks: words for it: "family".
        tells: words for what is of it: "sister".
    """

    asks: frozenset[str]
    tells: frozenset[str]


def _none() -> Phrases:
    return Phrases(())


@dataclass(frozen=True, slots=True, eq=False)
class Pack:
    """The tables of a language; an empty one makes a fragment of every sentence."""

    code: str = ""
    name: str = ""
    order: Order = ""
    spaced: bool = True
    splits: Splits = Splits()
    stemmer: str = ""
    words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    subjects: Mapping[str, str] = field(default_factory=dict)
    forms: Mapping[str, tuple[Form, ...]] = field(default_factory=dict)
    moods: tuple[tuple[Mood, Phrases], ...] = ()
    openers: Mapping[str, Phrases] = field(default_factory=dict)
    closers: Mapping[str, Phrases] = field(default_factory=dict)
    kinds: Mapping[str, Phrases] = field(default_factory=dict)
    patterns: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    slots: tuple[Slot, ...] = ()
    topics: Mapping[str, Topic] = field(default_factory=dict)

    def has(self, group: str, word: str) -> bool:
        """Whether a folded word is in a group of words."""
        return word in self.words.get(group, ())

    def opener(self, kind: str) -> Phrases:
        """The phrases of a kind that stand before a statement."""
        return self.openers.get(kind, _NOTHING)

    def closer(self, kind: str) -> Phrases:
        """Those that stand behind one."""
        return self.closers.get(kind, _NOTHING)

    def kind(self, kind: str) -> Phrases:
        """Those that show what a sentence is."""
        return self.kinds.get(kind, _NOTHING)


_NOTHING = _none()
EMPTY = Pack()
WORD_GROUPS = frozenset(
    """abbreviations joints negations adverbs limiting determiners own prepositions harmless within
    question_words times time_prepositions units additive single reporting linking habits subordinating
    particles plans ordinals months weekdays numbers seasons stop changed_nouns copulas infinitive
    conjunctions indefinite comparing changing ends spells beginnings reasons
    source genitive deictic goal now several stopping invariant helping corrections there light compounds bare nouns
    articles postpositions scoping courtesies orders excluding living hours participles gone lacking user""".split()
)
"""The groups of words that a pack may have; the guide says what each is for."""
OPENERS = ("neutral", "correcting", "fiction", "hypothetical", "condition", "reported", "joke", "wished", "planned", "past")
CLOSERS = ("retracted", "harmless", "unsure", "retracting")
KINDS = (
    "question", "question_word", "request", "material", "instruction", "forget", "keep", "not_keep", "filler", "tag",
    "no_wish", "statement", "refusal",
    "question_end", "request_end", "instruction_end", "forget_end", "keep_end",
)
PATTERNS = ("forget", "forget_target", "keep_target", "endings_first", "verb_endings", "nominal_endings", "verb", "converb_endings", "imperative",
            "polite", "question_word", "possessive", "possessive_genitive", "possessed", "theirs", "ours", "mine", "person", "copula", "was",
            "stem_endings", "progressive", "plural", "adverb", "past", "third")


def _words(value: str) -> frozenset[str]:
    return frozenset(fold_letters(value).split())


class _Table:
    """One table of a file, whose entries are checked as they are read."""

    def __init__(self, name: str, values: Mapping[str, Any], source: str, text: str) -> None:
        self.name, self.values, self.source, self.text = name, values, source, text

    def wrong(self, key: str, why: str) -> InvalidInput:
        """The error for an entry, with its line."""
        return InvalidInput(f"{self.source}, line {_line(self.text, key)}: [{self.name}] {key}: {why}")

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

    def phrases(self, key: str, *, spaced: bool) -> Phrases:
        """A list of phrases."""
        try:
            return Phrases(map(fold_letters, self.strings(key)), spaced=spaced)
        except (BadPhrase, re.error) as error:
            raise self.wrong(key, str(error)) from None

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
    top.only(("code", "name", "order", "spaced", "stemmer", "text", "words", "subjects", "verbs",
              "moods", "openers", "closers", "kinds", "patterns", "slots", "topics"))
    order = top.string("order")
    if order not in get_args(Order):
        raise top.wrong("order", f"give one of {', '.join(map(repr, get_args(Order)))}")
    spaced = bool(values.get("spaced", True))

    def table(name: str) -> _Table:
        inner = values.get(name, {})
        if not isinstance(inner, dict):
            raise top.wrong(name, "make it a table")
        return _Table(name, inner, source, text)

    def phrases(name: str, keys: Iterable[str]) -> dict[str, Phrases]:
        part = table(name)
        part.only(keys)
        return {key: part.phrases(key, spaced=spaced) for key in part.values}

    words = table("words")
    words.only(WORD_GROUPS)
    splits = table("text")
    splits.only(("before", "behind", "whole"))
    moods = table("moods")
    moods.only((*get_args(Mood), "past"))
    forms = _forms(table("verbs"))
    pack = Pack(
        code=top.string("code"),
        name=top.string("name"),
        order=cast("Order", order),
        spaced=spaced,
        stemmer=top.string("stemmer"),
        splits=Splits(
            tuple(splits.string("before").split()),
            tuple(splits.string("behind").split()),
            {a + b: len(a) for a, _, b in (each.partition("|") for each in splits.string("whole").split())},
        ),
        words={key: _words(" ".join(words.strings(key))) for key in words.values},
        subjects=_subjects(table("subjects")),
        forms=forms,
        moods=tuple((cast("Mood", key), moods.phrases(key, spaced=spaced)) for key in moods.values),
        openers=phrases("openers", OPENERS),
        closers=phrases("closers", CLOSERS),
        kinds=phrases("kinds", KINDS),
        patterns=_patterns(table("patterns")),
        slots=tuple(_slot(name, table("slots"), forms) for name in table("slots").values),
        topics={key: Topic(*map(_words, table("topics").string(key).split("|"))) for key in table("topics").values},
    )
    return _bared(pack) if pack.stemmer == "endings" else pack


def _bared(pack: Pack) -> Pack:
    """A pack whose nouns for things stand without endings, as subjects do."""
    words = dict(pack.words)
    for group in ("single", "several"):
        words[group] = frozenset(bares(pack.words.get(group, ()), pack))
    slots = tuple(
        replace(slot, things=frozenset(" ".join(bares(thing.split(), pack)) for thing in slot.things)) for slot in pack.slots
    )
    return replace(pack, words=words, slots=slots)


def _subjects(table: _Table) -> dict[str, str]:
    return {word: key for key in table.values for word in _words(table.string(key))}


def _forms(table: _Table) -> dict[str, tuple[Form, ...]]:
    """The verbs by their forms: `live = "live lives | lived | living"`, present, past, others.

    A part that begins with "i:" or "he:" is of that person alone.
    """
    forms: dict[str, list[Form]] = {}
    for verb in table.values:
        for part, tense in zip(table.string(verb).split("|"), _TENSES, strict=False):
            person = ""
            for word in fold_letters(part).split():
                if word.endswith(":"):
                    person = word[:-1]
                else:
                    forms.setdefault(word, []).append(Form(fold_letters(verb), tense, person))
    return {word: tuple(each) for word, each in forms.items()}


def _patterns(table: _Table) -> dict[str, re.Pattern[str]]:
    table.only(PATTERNS)
    found: dict[str, re.Pattern[str]] = {}
    for key in table.values:
        try:
            found[key] = re.compile(table.string(key))
        except re.error as error:
            raise table.wrong(key, f"no regular expression: {error}") from None
    return found


def _slot(name: str, slots: _Table, forms: Mapping[str, tuple[Form, ...]]) -> Slot:
    inner = slots.values[name]
    if not isinstance(inner, dict):
        raise slots.wrong(name, "make it a table")
    table = _Table(f"slots.{name}", inner, slots.source, slots.text)
    table.only(("verbs", "changes", "things", "types", "but", "values"))

    def each(key: str) -> frozenset[str]:
        return frozenset(part.strip() for part in fold_letters(table.string(key)).split(",") if part.strip())

    def verbs(key: str) -> frozenset[str]:
        return frozenset(" ".join(_verb_name(word, forms) for word in phrase.split()) for phrase in each(key))

    words = (frozenset(table.string(key).split()) for key in ("types", "but", "values"))
    return Slot(name, verbs("verbs"), verbs("changes"), each("things"), *words)


def _verb_name(word: str, forms: Mapping[str, tuple[Form, ...]]) -> str:
    found = forms.get(word)
    return found[0].verb if found else word


@lru_cache(maxsize=len(OWN))
def own_pack(code: str) -> Pack:
    """The pack of ours with a code; `EMPTY` if there is none."""
    if code not in OWN:
        return EMPTY
    file = files(__package__ or "cogmem_core.reading").joinpath(_FOLDER, f"{code}.toml")
    if not file.is_file():
        return EMPTY
    return pack_from_toml(file.read_text(encoding="utf-8"), f"{code}.toml")


def pack_of(code: str) -> Pack:
    """The pack with a code: ours, else another distribution's; `EMPTY` if there is none."""
    return own_pack(code)
