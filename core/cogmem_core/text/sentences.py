"""Split a message into facts: sentences, and clauses that clearly are facts of their own. English and Turkish; pure.

A clause is cut off only where each side has a subject and a verb, and subjects or entities differ; never inside
quotation marks, brackets, numbers and names, never in a question, never after a word that governs both sides ("if",
"said"), and never before a pronoun that needs the other side ("and it helps").
In doubt a sentence stays whole: a fact too long is recalled, a fact torn apart is wrong.
"""

# ruff: noqa: SIM905 - a table is read as a table

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from cogmem_core.text.folding import MAX_INPUT, fold_letters, inside, quoted_spans
from cogmem_core.text.lexicon.calendar import MONTHS, NOT_PAST, PAST_VERBS
from cogmem_core.text.lexicon.stopwords import STOPWORDS
from cogmem_core.text.lexicon.verbs import ADVERBS, AUXILIARIES, BASE_VERBS, HEDGES, TURKISH_FINITE

__all__ = ["Piece", "is_verb", "sentence_spans", "split_facts"]

_LIMIT = 500
_PROSE = 500  # characters; a longer "sentence" is a list or a log, and is only cut to length
_END = re.compile(r"(?<![.!?\u2026])[.!?\u2026]+[\"'\u201d\u2019)\]]{0,8}(?=\s)|(?<!\n)\n+")
_ABBREVIATIONS = frozenset(
    "dr mr mrs ms prof st vs etc e.g i.e jr sr no inc ltd co approx dept fig av sn vb vs yrd doc".split()
)
_BRACKETS = re.compile(r"\([^()\n]*\)|\[[^\[\]\n]*\]")
_JOINT = re.compile(r"\s*;\s+|,?\s+(?:and|but|whereas)\s+(?:(?:also|then|so)\s+)?|,?\s+(?:ve|ama|fakat)\s+")
_TURKISH_JOINT = re.compile(r"\s(?:ve|ama|fakat)\s")
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_FINITE = re.compile(rf"(?:{TURKISH_FINITE})$")
_PRONOUNS = frozenset(
    "i we he she they you it this that there i'm i've i'll we're we've he's she's they're it's".split()
)
_OWNERS = frozenset("my our his her their your the".split())
_OPENERS = frozenset("well so oh um uh hey hi yes yeah ok okay honestly actually anyway today yesterday now".split())
_NOT_IN_SUBJECT = HEDGES | _PRONOUNS | {"to"}
_VAGUE = frozenset("it it's this that there".split())
_LEANING = frozenset("it it's this that there he he's she she's they they're you".split())
"""A clause that begins so is not understood without the one before it."""
_REACHING = frozenset("will would shall should can could may might must cannot not never do does did".split())
_BE = frozenset("is are was were has have had will isn't aren't wasn't".split())


class Piece(NamedTuple):
    """A fact and where it was said.

    Attributes:
        text: the fact, at most `limit` characters; where its subject stands in the clause before, that is put first.
        start, end: the place it comes from, in characters of the message.
    """

    text: str
    start: int
    end: int


class _Token(NamedTuple):
    text: str
    folded: str
    start: int


def split_facts(text: str, *, limit: int = _LIMIT) -> tuple[Piece, ...]:
    """Split a message into facts, in its order.

    Args:
        text: a message; what follows the first 5,000 characters is only cut to length.
        limit: the most characters of a fact; longer sentences are cut at a comma or a space.

    Returns:
        At least one piece unless the text is blank.
    """
    guarded = _guarded(text)
    pieces: list[Piece] = []
    for start, end in sentence_spans(text):
        for piece in _clauses(text, start, end, guarded):
            pieces += _short(piece, limit)
    return tuple(pieces)


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Places of the sentences, without the white space around them; blank ones are left out."""
    guarded, spans, start = _mask(text), [], 0
    for match in _END.finditer(text):
        if match.group()[0] != "\n" and (
            (match.start() < MAX_INPUT and guarded[match.start()]) or not _closes(text, start, match)
        ):
            continue
        spans.append((start, match.end()))
        start = match.end()
    spans.append((start, len(text)))
    trimmed = [(s + len(text[s:e]) - len(text[s:e].lstrip()), s + len(text[s:e].rstrip())) for s, e in spans]
    return [(s, e) for s, e in trimmed if s < e]


def is_verb(word: str) -> bool:
    """Whether a folded English word has a finite form of a common verb."""
    if word in AUXILIARIES or word in PAST_VERBS or word in BASE_VERBS:
        return True
    if word.endswith("ed"):
        return len(word) > 3 and word not in NOT_PAST
    if "'" in word:
        return word.rpartition("'")[2] in ("m", "re", "ve", "ll")
    if word.endswith("ies"):
        return word[:-3] + "y" in BASE_VERBS
    return word.endswith("s") and (word[:-1] in BASE_VERBS or (word.endswith("es") and word[:-2] in BASE_VERBS))


def _mask(text: str) -> bytearray:
    """Per character of the part that is read: whether it stands between quotation marks or brackets."""
    mask = bytearray(min(len(text), MAX_INPUT) + 1)
    for start, end in _guarded(text):
        mask[start:end] = b"\x01" * (end - start)
    return mask


def _guarded(text: str) -> list[tuple[int, int]]:
    return quoted_spans(text) + [match.span() for match in _BRACKETS.finditer(text[:MAX_INPUT])]


def _closes(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether a full stop ends a sentence; not after an abbreviation, an initial, or before `3. Mayıs`."""  # noqa: RUF002
    following = text[match.end() : match.end() + 40].lstrip()
    if not following or match.group() != ".":
        return True
    before = text[max(start, match.start() - 12) : match.start()].split()
    word = fold_letters(before[-1]).lstrip("(\"'") if before else ""
    if word in _ABBREVIATIONS or (len(word) == 1 and word.isalpha() and word != "i"):
        return False
    after = fold_letters(_WORD.match(following).group()) if _WORD.match(following) else ""  # type: ignore[union-attr]
    return not following[0].islower() and not (word.isdigit() and after in MONTHS)


def _clauses(text: str, start: int, end: int, guarded: list[tuple[int, int]]) -> list[Piece]:
    """The clauses of a sentence, from the right: what follows "Jerry and" decides what "and Jerry" is."""
    pieces: list[Piece] = []
    if text[end - 1] != "?" and end <= MAX_INPUT and end - start <= _PROSE:
        tokens = _tokens(text[start:end], start)
        for joint in reversed(list(_JOINT.finditer(text, start, end))):
            if inside(joint.start(), guarded) or inside(joint.end(), guarded):
                continue
            left = [token for token in tokens if token.start < joint.start()]
            right = [token for token in tokens if joint.end() <= token.start < end]
            turkish = bool(_TURKISH_JOINT.search(joint.group()))
            subject = _turkish_facts(left, right) if turkish else _english_facts(left, right)
            if subject is not None:
                pieces.append(Piece(subject + text[joint.end() : end], joint.end(), end))
                end = joint.start()
    return [Piece(text[start:end], start, end), *reversed(pieces)]


def _tokens(text: str, offset: int) -> list[_Token]:
    return [
        _Token(match.group(), fold_letters(match.group()), match.start() + offset) for match in _WORD.finditer(text)
    ]


def _english_facts(left: list[_Token], right: list[_Token]) -> str | None:
    """None if the sides belong together; else the words to put before the right side, usually none."""
    while left and left[0].folded in _OPENERS:
        left = left[1:]
    if not left or not right or any(token.folded in HEDGES for token in left):
        return None
    length = _subject(left)
    if not any(is_verb(token.folded) for token in left[max(1, length) :]) and "'" not in left[0].folded:
        return None
    subject = _subject(right)
    if not length or left[0].folded in _VAGUE or (subject and right[0].folded in _LEANING):
        return None
    named = _named(left[length:]), _named(right[subject:])
    apart = all(named) and not named[0] & named[1]
    if subject:
        return "" if apart or _who(left[:length]) != _who(right[:subject]) else None
    if length == 1 and is_verb(right[0].folded) and right[0].text.islower() and not _governed(left):
        return f"{left[0].text} " if apart else None
    return None


def _subject(tokens: list[_Token]) -> int:
    """How many words of the clause are its subject; 0 unless a verb follows them."""
    first = tokens[0]
    if first.folded in _PRONOUNS:
        size = 1
    elif first.folded in _OWNERS or first.folded.endswith("'s"):
        size = next((n for n in range(2, min(5, len(tokens))) if is_verb(tokens[n].folded)), 0)
    elif first.text[0].isupper() and first.folded not in STOPWORDS and not _verbal(first.folded):
        size = next((n for n, token in enumerate(tokens) if not token.text[0].isupper()), 0)
    else:
        size = 1 if len(tokens) > 2 and tokens[1].folded in _BE and first.folded not in STOPWORDS else 0
    if not size or size > 4 or any(token.folded in _NOT_IN_SUBJECT for token in tokens[1:size]):
        return 0
    verb = next((n for n in range(size, len(tokens)) if tokens[n].folded not in ADVERBS), len(tokens))
    contracted = "'" in first.folded and first.folded in _PRONOUNS
    return size if contracted or (verb < len(tokens) and is_verb(tokens[verb].folded)) else 0


def _governed(tokens: list[_Token]) -> bool:
    """Whether a modal, a negation or an infinitive may reach beyond the clause: "I want to see Rome and visit Oslo"."""
    if any(token.folded in _REACHING or "'" in token.folded for token in tokens):
        return True
    after_to = [second.folded for first, second in pairwise(tokens) if first.folded == "to"]
    return any(word in BASE_VERBS for word in after_to)


def _named(tokens: list[_Token]) -> set[str]:
    """Capitalised words and numbers."""
    return {t.folded for t in tokens if t.text[0].isdigit() or (t.text[0].isupper() and t.text != "I")}


def _verbal(word: str) -> bool:
    """Whether a capital stands there only because a sentence begins: "Sounds like", "Searching for"."""
    return is_verb(word) or word.endswith("ing")


def _who(subject: list[_Token]) -> str:
    return " ".join(token.folded for token in subject).split("'")[0]


def _turkish_facts(left: list[_Token], right: list[_Token]) -> str | None:
    """As `_english_facts`: both sides end in a finite verb, and each names something of its own."""
    if not left or not right or any(token.folded in HEDGES for token in (*left, *right)):
        return None
    ends = left[-1].folded, right[-1].folded
    if not all(_FINITE.search(word) and word not in NOT_PAST for word in ends):
        return None
    named = [{_stem(name) for name in _named(side[:-1])} for side in (left, right)]
    return "" if all(named) and not named[0] & named[1] else None


def _stem(name: str) -> str:
    return name.partition("'")[0]


def _short(piece: Piece, limit: int) -> Iterator[Piece]:
    """Cut a piece that is too long after a comma, else at a space, else anywhere."""
    text, start = piece.text, piece.end - len(piece.text)
    if len(text) <= limit:
        yield piece
        return
    while text:
        cut = len(text)
        if cut > limit:
            cut = max(text.rfind(", ", 0, limit - 1) + 1, text.rfind("; ", 0, limit - 1) + 1)
            cut = cut if cut > limit // 2 else text.rfind(" ", 0, limit + 1)
            cut = cut if cut > 0 else limit
        part = text[:cut].rstrip()
        if part:
            yield Piece(part, max(start, piece.start), start + len(part))
        rest = text[cut:].lstrip()
        start += len(text) - len(rest)
        text = rest
