"""Whether the clause that holds most words of a fact tells it as surely, of now, and of the same person."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from cogmem_core.reading import Clause, of
from cogmem_core.skills.grounding.reading import words_of


def is_certain(
    fact: str,
    texts: Iterable[str],
    words: Sequence[str],
    stands: Callable[[str, Iterable[str]], bool],
    users: frozenset[str],
) -> bool:
    """Whether a fact is told as surely as it says, or says itself that it is not sure.

    Args:
        fact: what a model wrote.
        texts: what was said.
        words: those words of the fact that tell something.
        stands: whether a word stands among others, in some form.
        users: the words for the speaker.
    """
    facts, texts = of(fact).clauses, list(texts)
    verbatim = any(fact.rstrip(".") in text for text in texts)
    if verbatim or not all(map(_is_sure, facts)):
        return True
    slots = {clause.slot.split(" ")[0]: clause for clause in facts if clause.framed}
    best = (0, True)
    for said in map(of, texts):
        for clause in said.clauses:
            told = words_of(said.words(clause))
            same = slots.get(clause.slot.split(" ")[0])
            other = same and (_differs(same, clause, users) or _is_left(same, clause, told))
            sure = _is_sure(clause) and not other
            best = max(best, (sum(stands(word, told) for word in words), sure))
    return best[1]


def _is_sure(clause: Clause) -> bool:
    """Whether a clause tells how things are, and is no question, wish, supposition, story or joke."""
    unsure = clause.mood in ("hypothetical", "wished") or clause.kind == "question"
    return clause.meant and not unsure


def _is_left(fact: Clause, said: Clause, told: frozenset[str]) -> bool:
    """Whether a clause of the fact gives what was left for what came: of "from Oslo to Rome" Oslo."""
    value = words_of(fact.value)
    came = words_of(said.value)
    if not said.changes or value <= came or came <= value:
        return False
    holds = fact.changes or (fact.type == said.type and fact.tense == "present")
    return holds and value <= told - words_of(said.subject)


def _differs(fact: Clause, said: Clause, users: frozenset[str]) -> bool:
    """Whether a clause of the fact tells of now what was so once, denies it, or tells it of the speaker."""
    over = said.tense == "past" and not (said.changes or said.ends)
    denied = (fact.negative or fact.ends) != (said.negative or said.ends)
    owned = fact.subject in users and said.subject.startswith("my ")
    return (over and fact.tense == "present") or denied or owned
