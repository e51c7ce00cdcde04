"""What was erased is known again, by keyed digests alone: noted at an erasure, held against any text later.

Three kinds of forms are digested: the words of a text, and of each of its clauses; what a clause claims (see
`reading.claims`); and, for what is worded anew, each three of a clause's stems. A digest binds at least a
statement, or three of its words: who has both digests and key can test a guess of that, and nothing less.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from itertools import chain, combinations
from math import ceil, comb
from typing import Literal, NamedTuple

from cogmem_core.reading.claims import Statement, finer, in_one_spelling, statements
from cogmem_core.storage.ledger.codec import encode_time
from cogmem_core.storage.ledger.erased import Erased
from cogmem_core.storage.ledger.meta import ERASURES_KEY
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.text.observe.small_talk import is_trivial

How = Literal["same words", "same claim", "nearly the same"]
NEARLY: How = "nearly the same"
_WORDS, _CLAIM, _ABOUT, _NEAR = "words", "claim", "about", "near"
_HOW: Mapping[str, How] = {
    _WORDS: "same words",
    _CLAIM: "same claim",
    _ABOUT: NEARLY,
    _NEAR: NEARLY,
}
"""What forms tell, the surest ones first."""
SURE = (_WORDS, _CLAIM)
_AT_ONCE = 3  # stems in a digest
_SHARE = 0.6  # of the stems of a statement, which another one has to say as well
_STEM_LETTERS = 4
_STEMS_KEPT = 10
_STEMS_READ = 18
_PRONOUN = re.compile(r"slot (?:speaker|she|he|they|it)\b ?")
_HIRAGANA = re.compile("[\u3040-\u309f]")


class Keyed(NamedTuple):
    """Makes the digests of one namespace.

    Attributes:
        secret: of the ledger.
        namespace: whose.
    """

    secret: bytes
    namespace: str

    @classmethod
    def of(cls, reader: Transaction, namespace: str) -> Keyed:
        """Those of a ledger."""
        return cls((reader.meta.get(ERASURES_KEY) or "").encode(), namespace)

    def digest(self, form: str) -> str:
        """Of a form."""
        message = f"{self.namespace}\0{form}".encode()
        return hashlib.blake2b(message, key=self.secret, digest_size=8).hexdigest()

    @property
    def place(self) -> str:
        """What stands for the namespace."""
        return self.digest("place")

    @property
    def key(self) -> str:
        """What tells the key from others."""
        return hashlib.blake2b(b"key", key=self.secret, digest_size=4).hexdigest()

    def speaker(self, name: str | None) -> str:
        """What stands for who said something."""
        return self.digest(f"speaker\0{(name or '').casefold()}")

    def noted(
        self, text: str, speaker: str | None, at: datetime, *, whole: bool, brief: bool = False
    ) -> Iterator[Erased]:
        """What is noted of a text: itself, and each of its statements; `brief`: itself alone; of "Ok." nothing."""
        if is_trivial(text):
            return
        spelled = in_one_spelling(text)
        forms = [{_WORDS: [f"text {spelled}"]}] if spelled else []
        if not brief:
            forms += [_forms_of(statement, keep=True) for statement in statements(text, speaker)]
        stamp = encode_time(at) or 0
        for named in forms:
            digests = {kind: sorted(map(self.digest, told)) for kind, told in named.items() if told}
            first = self.digest("\0".join(chain.from_iterable(map(sorted, named.values()))))
            speaks = self.speaker(speaker)
            yield Erased(first, self.place, speaks, self.key, digests, stamp, int(whole))


def _forms_of(statement: Statement, *, keep: bool) -> dict[str, list[str]]:
    """The forms of a statement, by how they tell it.

    Args:
        statement: what is told.
        keep: it is noted; else it is held against what is noted, and may say more besides.
    """
    words = [form for form in statement.forms if form.startswith("words")]
    claimed = [form for form in statement.forms if not form.startswith("words")]
    slots = [form for form in claimed if form.startswith("slot")]
    stems = sorted({_beginning(x) for x in statement.stems if not _HIRAGANA.search(x)})
    stems = stems[: _STEMS_KEPT if keep else _STEMS_READ]
    sizes = {min(_AT_ONCE, len(stems))} if keep else {2, _AT_ONCE}
    near = chain.from_iterable(combinations(stems, size) for size in sizes - {0, 1})
    return {
        _WORDS: words,
        _CLAIM: claimed,
        _ABOUT: [f"about {_PRONOUN.sub('', form)}" for form in slots],
        _NEAR: [f"near {statement.denied} {' '.join(stems)}" for stems in near],
    }


def _beginning(stem: str) -> str:
    """What a word has in common with its other forms, and with its kin: "samm" of "sammle" and "sammelt"."""
    return stem[:_STEM_LETTERS] if stem.isalpha() else stem


def _needed(row: Erased) -> int:
    """How many of a statement's groups of stems another one has to have."""
    groups = len(row.forms.get(_NEAR, ()))
    stems = next(
        (n for n in range(_AT_ONCE, _STEMS_KEPT) if comb(n, _AT_ONCE) >= groups), _STEMS_KEPT
    )
    return max(1, comb(ceil(_SHARE * stems), _AT_ONCE))


class Match(NamedTuple):
    """What of an erased statement a text says again.

    Attributes:
        erased: the statement.
        how: by what it is known.
    """

    erased: Erased
    how: How


class ErasedTexts:
    """What was erased in a namespace, to be held against texts.

    Args:
        keyed: makes the digests.
        rows: what was erased, of whatever namespace and key.
    """

    def __init__(self, keyed: Keyed, rows: Iterable[Erased]) -> None:
        self.keyed = keyed
        of_place = {row.id: row for row in rows}.values()
        self.unknown = sum(row.key != keyed.key for row in of_place)
        self.rows = [row for row in of_place if row.place == keyed.place]

    @cached_property
    def _known(self) -> Mapping[str, Mapping[str, list[Erased]]]:
        known: dict[str, dict[str, list[Erased]]] = {how: {} for how in _HOW}
        for row in self.rows:
            for how, digests in row.forms.items():
                for digest in digests:
                    known[how].setdefault(digest, []).append(row)
        return known

    def matches(self, text: str, speaker: str | None, *, sure: bool = False) -> list[Match]:
        """What a text says again, each statement once, by the surest sign.

        Args:
            text: whatever is there now.
            speaker: who says it.
            sure: only what says the same, not what nearly does.
        """
        if not self.rows:
            return []
        found: dict[str, Match] = {}
        said = [{_WORDS: [f"text {in_one_spelling(text)}"]}]
        told = statements(text, speaker)
        each = (*told, *finer(text, speaker))
        said += [_forms_of(statement, keep=False) for statement in each]
        if len(told) > 1:  # what was one statement may be two now
            stems = frozenset(chain.from_iterable(statement.stems for statement in told))
            said += [_forms_of(Statement("", frozenset(), "", stems), keep=False)]
        for kind in SURE if sure else _HOW:
            for forms in said:
                rows = list(self._having(kind, forms))
                counts = Counter(row.id for row in rows)
                for row in rows:
                    if kind != _NEAR or counts[row.id] >= _needed(row):
                        found.setdefault(row.id, Match(row, _HOW[kind]))
        return list(found.values())

    def _having(self, kind: str, forms: Mapping[str, list[str]]) -> Iterator[Erased]:
        known = self._known[kind]
        digests = map(self.keyed.digest, forms.get(kind, ())) if known else ()
        return chain.from_iterable(known.get(digest, ()) for digest in digests)


def erased_apart(reader: Transaction, namespace: str) -> ErasedTexts:
    """What was erased in a namespace, but not with the whole of it, which may be filled again."""
    keyed = Keyed.of(reader, namespace)
    return ErasedTexts(keyed, [row for row in reader.erased.of(keyed.place) if not row.whole])
