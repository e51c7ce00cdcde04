"""Which clauses of a memory a newer text takes back: the one place where comparers are asked about a clause. Pure."""

from __future__ import annotations

from cogmem_core.edge.clauses import said, telling
from cogmem_core.encoding.formation import says_something
from cogmem_core.text.compare import contradicts
from cogmem_core.text.rewrite.third_person import third_person
from cogmem_core.text.sentences import split_facts
from cogmem_core.values.models import Memory


def denied_clauses(
    old: Memory, newer: str, *, same_speaker: bool, verbatim: bool = True
) -> tuple[int, ...]:
    """The clauses of a memory that a newer text contradicts, by number.

    Args:
        old: "I live in Berlin and I work at Acme" does not go because somebody moved.
        newer: the text.
        same_speaker: whether one person says both.
        verbatim: the newer text is as it was said; else it names its speaker.

    Returns:
        Empty if the memory says nothing else, or if no single clause of it is contradicted: then it
        goes as a whole.
    """
    pieces = {piece.start: piece for piece in split_facts(old.content)}
    texts: dict[int, str] = {}
    for number, clause in telling(old).items():
        piece = pieces.get(clause.start)
        is_whole = piece is not None and abs(piece.end - clause.end) <= 1
        text = piece.text if piece and is_whole else said(old, clause)  # with its subject
        if says_something(text):
            rewritten = verbatim or old.write_source != "observer"
            texts[number] = text if rewritten else third_person(text, old.speaker)
    if len(texts) < 2:
        return ()
    denied = [
        number
        for number, text in texts.items()
        if contradicts(newer, text, same_speaker=same_speaker) is not None
    ]
    return tuple(denied) if len(denied) < len(texts) else ()
