"""Which of the intentions that wait for something a turn fulfils, by its words and by what it means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from cogmem_core.base.lru import text_cache
from cogmem_core.embedders.lift import lifts, tells_meaning
from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.detect import language_shown
from cogmem_core.languages.reading import DEFAULT, codes_of, reading
from cogmem_core.ports import QueryEmbedder
from cogmem_core.text.tokens import tokens
from cogmem_core.text.triggers import Evidence, Trigger, clauses_of, evidence_of, read_trigger
from cogmem_core.values.models import Intention

# How near a turn must be, above ordinary talk, where all words, half of them or none stand in it.
# Measured on the scenes of tests/helpers/prospective_dialogues.py that are not held back.
_SPOKEN_OF = 0.15
_SPOKEN_OF_ONE = 0.29
_HAPPENED = 0.3
_ONE_WORD = 0.37
_HALF_OF_THE_WORDS = 0.66
_MEANING_ALONE = 0.62
_NAMES_ALONE = 0.72
_FOREIGN = re.compile(r"[^\W\d_a-z\u00e7\u00f6\u00fc\u011f\u0131\u015f]", re.IGNORECASE)
"""A letter that neither English nor Turkish writes."""


def fulfilled(
    embedder: QueryEmbedder,
    waiting: Sequence[Intention],
    text: str,
    said_at: datetime,
    *,
    speaker: str = "",
) -> list[Intention]:
    """Those of the intentions with a `when` that a turn fulfils.

    Args:
        embedder: of meanings; asked only if the words do not rule a clause out.
        waiting: intentions with a `when`.
        text: what was said.
        said_at: when, in the time zone of the speaker.
        speaker: who said it.

    Raises:
        EmbedderUnavailable: there is no vector.
    """
    matches: list[Intention] = []
    for intention in waiting:
        when = intention.when or ""
        # What shows no language is read in that of the other one.
        codes = codes_of(when if language_shown(when) else text)
        trigger = _trigger(when, codes)
        with reading(codes_of(text if language_shown(text) else when)):
            possible = _possible(trigger, text, said_at, speaker)
        # A short text may be taken for one of a language nearby, whose denials are others.
        with reading(codes):
            as_waited_for = _possible(trigger, text, said_at, speaker)
        possible = {clause: possible[clause] for clause in possible if clause in as_waited_for}
        if not language_shown(f"{when} {text}") and _FOREIGN.search(text):
            # Nobody knows how its language denies: nothing more may be said than what is waited for.
            expected = frozenset().union(*(key.terms for key in trigger.keys), tokens(when))
            possible = {
                clause: evidence
                for clause, evidence in possible.items()
                if expected.issuperset(tokens(clause))
            }
        if not possible:
            continue
        rules = LANGUAGES[language_shown(when) or language_shown(text) or DEFAULT[0]].triggers
        meaning = tells_meaning(embedder, rules.paraphrase, rules.ordinary)
        near = [0.0] * len(possible)
        if meaning:
            near = lifts(embedder, trigger.text, list(possible), rules.ordinary)
        pairs = zip(possible.values(), near, strict=True)
        if any(is_enough(trigger, evidence, lift, meaning=meaning) for evidence, lift in pairs):
            matches.append(intention)
    return matches


def _possible(trigger: Trigger, text: str, said_at: datetime, speaker: str) -> dict[str, Evidence]:
    """The clauses of a turn whose words do not rule out that they are waited for."""
    possible: dict[str, Evidence] = {}
    for clause in clauses_of(text):
        evidence = evidence_of(clause, trigger, said_at, speaker)
        if evidence.real and evidence.named:
            possible[clause.text] = evidence
    return possible


def is_enough(trigger: Trigger, evidence: Evidence, lift: float, *, meaning: bool) -> bool:
    """Whether words and meaning together say so.

    Args:
        trigger: what is waited for.
        evidence: what the words say.
        lift: nearness above that of ordinary talk, at most 1.
        meaning: the embedder does more than compare words; else all of them must be there.
    """
    if not meaning:
        return evidence.coverage == 1.0
    if evidence.coverage == 1.0:
        if trigger.kind != "event":
            return lift >= (_SPOKEN_OF if evidence.matched > 1 else _SPOKEN_OF_ONE)
        return lift >= (_HAPPENED if evidence.matched > 1 else _ONE_WORD)
    if evidence.coverage >= 0.5:
        return lift >= _HALF_OF_THE_WORDS
    # A name that both have makes them near, whatever is said of whom it names.
    names = any(key.name for key in trigger.keys)
    return lift >= (_NAMES_ALONE if names else _MEANING_ALONE)


@text_cache(2_048)
def _trigger(when: str, codes: tuple[str, ...]) -> Trigger:
    with reading(codes):
        return read_trigger(when)
