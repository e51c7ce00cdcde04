"""Cuts the sentences of a language by tables only: what asks or wishes, and what is told beside it.

No statement is taken apart there. A sentence is cut at a joint if the left side is whole (a question, a
request, a wish, filler) and the right side tells or asks, or if the left side tells and the right side asks.
In doubt it is not cut, and what was not understood is kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Literal, NamedTuple

from cogmem_core.reading.model import Clause, Kind, Span
from cogmem_core.reading.pack import Pack
from cogmem_core.reading.phrases import is_letter
from cogmem_core.reading.tokens import Token, Tokens, span_of, text_of, tokens_of
from cogmem_core.reading.values import type_of

_MARK = re.compile(
    r"[,;:\u060c\u061b](?=[\s\u3040-\u9fff])|[\u2013\u2014\u2026\u3001\uff0c\uff1b\uff1a]"
    r"|(?<=\s)-(?=\s)|[()]"
)
_LOOSE = ",\u060c\u3001\uff0c:\uff1a"  # marks that also stand inside a part
OF_TIMES = ("times", "prepositions", "determiners", "numbers", "plans", "ordinals")
"""Groups of the words that times are told with."""
_MOST_JOINTS = 160  # of a sentence; what stands behind is one part
_FEWEST_WORDS = 3
_FEWEST_SIGNS = 4  # in a script without blanks


Side = Literal["left", "closed", "right", "asked"]
"""Of a joint; `closed` = a left one that ends a part in any case, `asked` = a right one with a question mark."""


class What(NamedTuple):
    """What a part of a sentence shows.

    Attributes:
        kind: None if it may tell something.
        own: whether its words show the kind, and not only the mark behind it.
        tells: whether it begins as statements do.
        reason: whether it begins as reasons do.
        open: whether it is a condition, or nothing but an opener: it needs what follows.
    """

    kind: Kind | None
    own: bool
    tells: bool
    reason: bool
    open: bool


class Piece(NamedTuple):
    """A part of a sentence.

    Attributes:
        start: where it begins.
        end: where it ends.
        closed: whether its end may show what it is: behind a mere comma "...て" goes on.
    """

    start: int
    end: int
    closed: bool


class Joint(NamedTuple):
    """A place at which a sentence may be cut.

    Attributes:
        left_end: where the left side ends.
        right: where the right side begins.
        mark: whether a mark stands there.
        firm: whether parts end there in any case: a semicolon, "because".
    """

    left_end: int
    right: int
    mark: bool
    firm: bool


def parts(
    folded: str, pack: Pack, span: Span, *, asks: bool, what: Callable[[int, int, Side], What]
) -> list[Piece]:
    """The parts of a sentence.

    Args:
        folded: the whole text, folded.
        pack: the tables of its language.
        span: of the sentence.
        asks: whether it ends with a question mark.
        what: tells what the words between two places show.
    """
    begin, end = span
    side: Side = "asked" if asks else "right"
    joints = list(_joints(folded, pack, begin, end))
    last = max((joint.right for joint in joints if joint.mark), default=begin)
    found: list[Piece] = []
    for joint in joints[:_MOST_JOINTS]:
        if joint.left_end <= begin:
            continue
        right = what(joint.right, end, side)
        closed = joint.firm or right.reason
        left = what(begin, joint.left_end, "closed" if closed else "left")
        told = _tells(folded, pack, left, begin, joint)
        if _cuts(left, right, joint, told=told, last=joint.right == last):
            found.append(Piece(begin, joint.left_end, closed))
            begin = joint.right
    return [*found, Piece(begin, end, closed=True)]


def _cuts(left: What, right: What, joint: Joint, *, told: bool, last: bool) -> bool:
    if left.open or right.open:
        return False
    if left.kind is not None:
        filler = "filler" in (left.kind, right.kind)
        return right.own or right.tells or joint.firm or (joint.mark and filler)
    if right.kind is None:
        return False
    if right.own:
        return told or (right.kind == "filler" and joint.mark)
    return last and told and left.tells


def _tells(folded: str, pack: Pack, left: What, begin: int, joint: Joint) -> bool:
    """Whether the left side is long enough to tell something, and ends as parts do."""
    ending = pack.patterns.get("joint")
    if ending is not None:
        return any(
            match.end() == joint.left_end
            for match in ending.finditer(folded, begin, joint.left_end + 1)
        )
    if left.tells:
        return True
    said = folded[begin : joint.left_end]
    if pack.spaced:
        return len(said.split()) >= _FEWEST_WORDS
    return sum(map(str.isalnum, said)) >= _FEWEST_SIGNS


def _joints(folded: str, pack: Pack, start: int, end: int) -> Iterator[Joint]:
    """Where a sentence may be cut, in order."""
    seen = low = start
    for joint in sorted(
        _places(folded, pack, start, end), key=lambda each: (each.right, not each.mark)
    ):
        before, (low, high) = low, joint[:2]
        while low > start and low != seen and not is_letter(folded[low - 1]):
            low -= 1
        low = before if low == seen else low
        seen = joint.left_end
        while high < end and folded[high].isspace():
            high += 1
        if high < end:
            yield joint._replace(left_end=low, right=high)


def _places(folded: str, pack: Pack, start: int, end: int) -> Iterator[Joint]:
    for match in _MARK.finditer(folded, start, end):
        yield Joint(*match.span(), mark=True, firm=match.group() not in _LOOSE)
    for kind in ("joint", "reason"):
        for low, _ in pack.openers[kind].places(folded, start + 1, end):
            yield Joint(low, low, mark=False, firm=kind == "reason")
    for match in pack.patterns["joint"].finditer(folded, start, end):
        yield Joint(match.end(), match.end(), mark=False, firm=False)


def said_plainly(text: str, folded: str, pack: Pack, clause: Clause, told: Span) -> Clause:
    """A clause with its mood, its times, and whether it denies, as far as single words tell it.

    Args:
        text: the whole text.
        folded: the same, folded.
        pack: the tables of its language.
        clause: with its place, and what its openers said.
        told: the place of what it tells, behind openers.
    """
    mood = clause.mood
    tense = clause.tense
    bare = folded[: told[1]]
    longest = 0
    for name, phrases in pack.moods:
        found = phrases.within(folded, clause.start, clause.end)
        if found is None:
            continue
        size = found[1] - found[0]
        bare = f"{bare[: found[0]]}{' ' * size}{bare[found[1] :]}"
        if name == "past":  # type: ignore[comparison-overlap]
            tense = "past"
        elif longest < size and (
            clause.mood == "asserted" or (clause.mood == "planned" and name != "asserted")
        ):
            mood = name
            longest = size
    words = tokens_of(text, folded, *told, pack.splits)
    plain = tokens_of(text, bare, *told, pack.splits)
    said = bare[told[0] :]
    return replace(
        clause,
        mood=mood,
        tense=tense,
        value=text_of(text, words),
        type=type_of(words, pack),
        negative=_has(said, pack, plain, "negations") or _has(said, pack, plain, "stop"),
        now=_has(said, pack, plain, "now"),
        times=tuple(_times(folded, pack, told, words)),
        more=next(_joints(folded, pack, *told), None) is not None,
    )


def _has(told: str, pack: Pack, words: Tokens, group: str) -> bool:
    """Whether a word of a group stands in a clause; `niet-meer` is two words."""
    if not pack.spaced:
        return any(word in told for word in pack.words[group])
    following = [word.folded for word in words]
    pairs = map("-".join, pairwise(following))
    return pack.has_any(group, (*following, *pairs))


def _times(folded: str, pack: Pack, span: Span, words: Tokens) -> Iterator[Span]:
    """The times that a clause names: runs of words of time with what belongs to them."""
    yield from (match.span() for match in pack.patterns["times"].finditer(folded, *span))
    run: list[Token] = []
    for word in (*words, None):
        if word and (word.is_figure or pack.in_any(OF_TIMES, word.folded)):
            run.append(word)
            continue
        if pack.among("times", run):
            yield span_of(run)
        run = []
