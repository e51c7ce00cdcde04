"""What an answer shows of the memories that were shown for it: used, ignored, or nothing.

*Used* needs evidence, looked for in this order: an argument of a tool call; the memory's own
words, rare ones, names and numbers first; the share of the answer's own words that are the
memory's; a yes or no to a question that one memory answers; nearness of what is left of both
without the question's words. *Ignored* is only what recall was sure of and the answer did not use
because of another memory that says otherwise, or because the user took it back. Everything else is
`unjudged`: that something was shown and not used says nothing about its worth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter, signature
from numbers import Real
from operator import attrgetter
from typing import NamedTuple

from cogmem_core.config import Config
from cogmem_core.edge.clauses import guards_of
from cogmem_core.errors import InvalidInput
from cogmem_core.feedback.ladder import USED_ABOVE, Answer, Finding, find_evidence
from cogmem_core.ports import Embedder
from cogmem_core.reading import of
from cogmem_core.reading.between import change
from cogmem_core.retrieval.recall import Recall
from cogmem_core.text.usage import match_ratio, telling_words
from cogmem_core.values.models import ALWAYS, FeedbackSignal, Memory

__all__ = ["Answer", "Judgement", "Similarity", "judge"]

_LONGEST = 20_000  # characters that are looked at

Similarity = Callable[..., float]
"""(memory's text, answer) → how far the answer made use of the memory, 0..1.

It may also take the question and the texts of all memories that were shown: as parameters named
`question` and `memories`, or as a third and fourth parameter without a default.
"""


class Judgement(NamedTuple):
    """What an answer made of a memory that was shown.

    Attributes:
        prior: how sure recall was of it.
        ratio: how far the answer made use of it, 0..1.
        evidence: what shows it; empty where nothing does.
    """

    memory: Memory
    prior: float
    ratio: float
    signal: FeedbackSignal
    evidence: str = ""


class _Shown(NamedTuple):
    """A memory that stood in the prompt; `hot`: whatever the question."""

    memory: Memory
    text: str
    prior: float
    hot: bool


def judge(
    recall: Recall,
    answer: Answer,
    *,
    similarity: Similarity | None,
    config: Config,
    embedder: Embedder,
) -> list[Judgement]:
    """Judge the memories of a recall by an answer.

    What is shown whatever the question is only credited: the hot tier, and guardian facts, which may
    be results besides.

    Args:
        embedder: tells how near texts are, where words alone do not decide.

    Raises:
        InvalidInput: the similarity function returned something else than a number from 0 to 1.
    """
    shown_memories = _shown(recall)
    rules = config.feedback
    if similarity is not None:
        findings = _by_function(similarity, shown_memories, answer)
    elif rules.own_words:
        texts = [item.text for item in shown_memories]
        priors = [item.prior for item in shown_memories]
        findings = find_evidence(texts, priors, answer, embedder)
    else:
        findings = [_by_words(item, answer.text) for item in shown_memories]
    used = [
        item for item, finding in zip(shown_memories, findings, strict=True) if finding.evidence
    ]
    judgements: list[Judgement] = []
    for item, finding in zip(shown_memories, findings, strict=True):
        signal: FeedbackSignal = "used"
        evidence = finding.evidence
        if not evidence:
            signal = "unjudged"
            guards = guards_of(item.memory)
            if not (rules.own_words or guards):
                signal = "ignored"
            elif item.prior >= rules.blame_from and not (item.hot or guards):
                evidence = _against(item, used, answer.question)
                signal = "ignored" if evidence else "unjudged"
        if signal == "used" or not item.hot:
            judgements.append(Judgement(item.memory, item.prior, finding.ratio, signal, evidence))
    return judgements


def _shown(recall: Recall) -> list[_Shown]:
    shown_by_id: dict[str, _Shown] = {}
    for item in recall.results:
        shown_by_id[item.memory.id] = _Shown(
            item.memory, _judged_text(item.memory.content, item.asked), item.prior, hot=False
        )
    for memory in recall.hot:
        if memory.id not in shown_by_id:
            shown_by_id[memory.id] = _Shown(memory, memory.content, ALWAYS, hot=True)
    return list(shown_by_id.values())


def _judged_text(content: str, question: str) -> str:
    """What of a memory an answer can make use of: where "Yes." has no word that tells anything, its question has."""
    return question if telling_words(question) and not telling_words(content) else content


def _by_words(item: _Shown, answer: str) -> Finding:
    """The documents' rule: the share of the memory's longer words that the answer holds."""
    ratio = match_ratio(item.text, answer)
    return Finding(ratio, "words" if ratio > USED_ABOVE else "")


def _by_function(
    similarity: Similarity, shown_memories: Sequence[_Shown], answer: Answer
) -> list[Finding]:
    memories = [item.memory.content for item in shown_memories]
    arguments, more = _wanted(similarity, answer.question, memories)
    findings: list[Finding] = []
    for text in memories:
        value = similarity(text, answer.text, *arguments, **more)
        if isinstance(value, bool) or not isinstance(value, Real) or not 0.0 <= float(value) <= 1.0:
            raise InvalidInput(
                f"similarity_fn returned {value!r}; it must return a number from 0 to 1"
            )
        findings.append(Finding(float(value), "function" if value > USED_ABOVE else ""))
    return findings


def _wanted(
    similarity: Similarity, question: str, memories: list[str]
) -> tuple[list[str | list[str]], dict[str, str | list[str]]]:
    """What a similarity function takes beside memory and answer: by position, by name."""
    values: dict[str, str | list[str]] = {"question": question, "memories": memories}
    try:
        parameters = signature(similarity).parameters
    except (TypeError, ValueError):  # a function that does not tell
        return [], {}
    parameters_asked = {name: values[name] for name in values if name in parameters}
    if parameters_asked:
        return [], parameters_asked
    kinds = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    needed = [
        parameter
        for parameter in parameters.values()
        if parameter.kind in kinds and parameter.default is Parameter.empty
    ]
    return list(values.values())[: max(0, len(needed) - 2)], {}


def _against(item: _Shown, used: Sequence[_Shown], question: str) -> str:
    """What speaks against a memory that recall was sure of and the answer did not use.

    Who asks is not known: nobody takes back what somebody with a name said of himself.
    """
    asked = of(question[:_LONGEST])
    taken_back = change(asked, of(item.memory.content), same_speaker=not item.memory.speaker)
    if taken_back is not None and taken_back.grade == "hard":
        return "contradicted by the user"
    for other in used:
        older, newer = sorted((item.memory, other.memory), key=attrgetter("recorded_at"))
        same_speaker = newer.speaker == older.speaker
        if change(of(newer.content), of(older.content), same_speaker=same_speaker) is not None:
            return "rival used"
    return ""
