"""The ladder of evidence: how an answer shows that it was made of a memory.

The thresholds were measured on 400 answers of our own and others, English and Turkish mostly: at
these values hardly a memory was credited that the answer did not use. In long answers of authors who knew
no rule, a quarter of what is credited shares words by chance; a fitted model of a dozen such features, nearness among
them, credits 8 to 18 points fewer of these, and finds less of what short answers use.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cogmem_core.errors import EmbedderUnavailable
from cogmem_core.feedback.evidence import Trace, confirmed, residue, spoken, traces
from cogmem_core.ports import Embedder
from cogmem_core.reading import of, sentences_of
from cogmem_core.reading.between import likeness
from cogmem_core.text.tokens import tokens

USED_ABOVE = 0.3
"""A memory is used if a larger share of its own words stands in the answer."""
COVERED = 0.5
"""Or if so much of a sentence of the answer, beside the question's words, is the memory's."""
COVERED_EXACTLY = 0.4
"""The same with a number, a name or a date that only this memory has."""
ONE_WORD_SHARE = 0.5
"""A single word of the memory needs this share of the memory, or ..."""
ONE_WORD_COVERAGE = 0.2
"""... this share of the answer's sentence, or else nearness."""
QUOTED = 0.8
"""From this share of its words on a memory was quoted."""
SHORT = 3
"""Words up to which an answer is short."""
NEAR = 0.2
"""Cosine from which on what is left of memory and answer is near."""
NEARER = 0.1
"""How much nearer than the next memory it has to be where few words speak for it."""
ALONE_COVERAGE = 0.1
"""Or, where the answer has no word of another memory, so much of it is of the memory's matter."""
ALONE_SHARE = 0.15
ALONE_NEAR = 0.25
ALONE_PRIOR = 0.1
CONFIRMED_PRIOR = 0.2
"""How likely relevant the one memory has to be that a mere yes or no confirms."""
_LONGEST = 20_000  # characters of an answer that are looked at
_LONGEST_MEMORY = 2_000
_SENTENCES = 24  # of an answer that are embedded
_ALIKE = 0.5  # share of common words from which on two memories are compared


class Answer(NamedTuple):
    """What a model answered, and what it was asked.

    Attributes:
        text: what it said; may be blank.
        arguments: what it gave to tools, as text.
    """

    text: str
    question: str
    arguments: str = ""


class Finding(NamedTuple):
    """How far an answer made use of a memory, 0..1, and what shows it; empty where nothing does."""

    ratio: float
    evidence: str = ""


def find_evidence(
    texts: Sequence[str], priors: Sequence[float], answer: Answer, embedder: Embedder
) -> list[Finding]:
    """What shows that each of the memories that were shown was used.

    Args:
        texts: of the memories, the best result first.
        priors: how sure recall was of each.
        answer: what was made of them.
        embedder: tells how near texts are, where words alone do not decide.
    """
    texts = [text[:_LONGEST_MEMORY] for text in texts]
    alike = _alike(texts)
    arguments = answer.arguments[:_LONGEST]
    argument_traces = (
        traces(texts, arguments, question=answer.question, alike=alike) if arguments else []
    )
    answer_text = spoken(answer.text[:_LONGEST])
    answer_traces = traces(texts, answer_text, question=answer.question, alike=alike)
    evidence = [_by_words(trace, answer_traces) for trace in answer_traces]
    for place, trace in enumerate(argument_traces):
        if _speaks(trace, argument_traces):
            evidence[place] = "tool argument"
    doubtful = [
        place
        for place, trace in enumerate(answer_traces)
        if not evidence[place] and _doubtful(trace)
    ]
    near = _nearness(texts, answer_text, answer.question, embedder) if doubtful else []
    for place in doubtful:
        rivals = [other for other in range(len(texts)) if other not in alike[place]]
        lone = not any(answer_traces[other].hits for other in rivals)
        lead = near[place] - max((near[other] for other in rivals), default=0.0)
        evidence[place] = _by_nearness(
            answer_traces[place], near[place], lead, lone=lone and priors[place] >= ALONE_PRIOR
        )
    if not (any(evidence) or any(trace.against for trace in answer_traces[:1])):
        only = confirmed(texts, answer_text, question=answer.question)
        if only == 0 and priors[0] >= CONFIRMED_PRIOR:
            return [
                Finding(1.0, "confirmation"),
                *(Finding(trace.share) for trace in answer_traces[1:]),
            ]
    return [
        Finding(
            max(trace.share, trace.coverage) if evidence[place] else trace.share, evidence[place]
        )
        for place, trace in enumerate(answer_traces)
    ]


def _by_words(trace: Trace, traces: Sequence[Trace]) -> str:
    """The evidence of the memory's own words; empty if there is none."""
    if not _speaks(trace, traces):
        return ""
    return "quotation" if trace.exact or trace.share >= QUOTED else "own words"


def _speaks(trace: Trace, traces: Sequence[Trace]) -> bool:
    if trace.against or (not trace.apart and (trace.conflict or _outdone(trace, traces))):
        return False
    short = trace.own <= SHORT
    if trace.share > USED_ABOVE and trace.telling:
        one_word = len(trace.hits) == 1 and not trace.exact
        if not one_word or short or trace.share >= ONE_WORD_SHARE:
            return True
        if trace.coverage >= ONE_WORD_COVERAGE:
            return True
    if trace.coverage >= COVERED:
        return bool(trace.exact) or len(trace.hits) > 1 or short
    return trace.coverage >= COVERED_EXACTLY and bool(trace.exact) and short


def _outdone(trace: Trace, traces: Sequence[Trace]) -> bool:
    """Whether another memory has all its words that the answer holds, and more."""
    return any(other.apart and set(trace.hits) <= set(other.hits) for other in traces)


def _doubtful(trace: Trace) -> bool:
    """Whether words speak for a memory, but too few of them."""
    return trace.telling and not trace.against and (not trace.conflict or trace.share > USED_ABOVE)


def _by_nearness(trace: Trace, near: float, lead: float, *, lone: bool) -> str:
    if near >= NEAR and (trace.apart and trace.share > USED_ABOVE):
        return "nearness"
    if near >= NEAR and lead >= NEARER and trace.best:
        return "nearness"
    of_one_matter = trace.coverage >= ALONE_COVERAGE and trace.share >= ALONE_SHARE
    return "nearness" if lone and near >= ALONE_NEAR and of_one_matter else ""


def _nearness(
    texts: Sequence[str], answer_text: str, question: str, embedder: Embedder
) -> list[float]:
    """How near each memory is to the sentence of the answer that is nearest, without the question's words."""
    spans = sentences_of(answer_text)[:_SENTENCES]
    sentences = [residue(answer_text[start:end], question) for start, end in spans]
    memories = [residue(text, question) for text in texts]
    try:
        vectors = embedder.embed_documents([*memories, *sentences])
    except EmbedderUnavailable:
        return [0.0] * len(texts)
    cosines = vectors[: len(memories)] @ vectors[len(memories) :].T
    return [float(value) for value in cosines.max(axis=1)]


def _alike(texts: Sequence[str]) -> list[set[int]]:
    """For each memory those that say the same, or the same and more; itself included."""
    alike = [{place} for place in range(len(texts))]
    terms = [frozenset(tokens(text)) for text in texts]
    for place, text in enumerate(texts):
        for other in range(place):
            common = len(terms[place] & terms[other])
            if common < _ALIKE * min(len(terms[place]), len(terms[other])):
                continue
            if likeness(of(text), of(texts[other])) != "different":
                alike[place].add(other)
                alike[other].add(place)
    return alike
