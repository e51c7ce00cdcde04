"""Fits the probabilities behind `Recalled.confidence` and `Recall.confidence`, on conversations that ship with cogmem.

Each conversation is remembered as a whole, all in one bank, session by session, and down to the few
turns around one answer, so that the models know banks of every size. Every question is asked, and
of the best results it is known whether they hold the answer. Questions of another session, and
questions that belong to no conversation, teach what it looks like when nothing relevant is known.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from cogmem_core.config import Config
from cogmem_core.embedders import resolve
from cogmem_core.embedders.hashing import HashingEmbedder
from cogmem_core.engine import Engine
from cogmem_core.engine import open as open_engine
from cogmem_core.errors import EmbedderUnavailable
from cogmem_core.evaluation.conversations import Conversation, Question, Session, one_bank, parse
from cogmem_core.evaluation.memoized import MemoizedEmbedder
from cogmem_core.maths.calibration import LogisticModel, fit_logistic
from cogmem_core.ports import Embedder, FloatArray
from cogmem_core.retrieval.confidence import (
    ABSOLUTE,
    ANY,
    DEPTH,
    FEATURES,
    QUESTION_FEATURES,
    Models,
    question_features,
)
from cogmem_core.retrieval.embed_query import quest_of
from cogmem_core.retrieval.plan import make_plan, question_of
from cogmem_core.retrieval.request import Request
from cogmem_core.retrieval.search import walk
from cogmem_core.timeouts import Deadline

__all__ = [
    "Asked",
    "Bank",
    "asked",
    "banks",
    "calibrated",
    "conversations",
    "fit",
    "strangers",
    "write",
]

Progress = Callable[[str, int, int], None]

_FOLDER = "data/calibration"
_STRANGERS = "unrelated.json"
_FITTED_ON = 5  # every fifth stranger is fitted on, the others are for measuring
_LARGE = 100
_LARGE_COUNTS = 3
# Below these a question counts as unanswerable. With MiniLM about one in six of our strangers
# passes, and one in a hundred of our questions does not; on unseen conversations both shares are
# smaller. An embedder that nothing was fitted to gets the benefit of the doubt.
_QUIET_MINILM = 0.14
_QUIET_ANY = 0.12
_OTHERS = 3  # questions of elsewhere, and turns of elsewhere, per small bank


@dataclass(frozen=True, slots=True)
class Bank:
    """Turns to remember in one namespace, and questions with the refs that answer them (none = nothing does)."""

    id: str
    sessions: tuple[Session, ...]
    questions: tuple[tuple[str, frozenset[str]], ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: the features of its best results, and which of them hold the answer."""

    rows: tuple[dict[str, float], ...]
    relevant: tuple[bool, ...]


def conversations() -> tuple[Conversation, ...]:
    """The conversations that ship with the package."""
    found: list[Conversation] = []
    for entry in sorted(files("cogmem").joinpath(_FOLDER).iterdir(), key=lambda item: item.name):
        if entry.name.endswith(".json") and entry.name != _STRANGERS:
            found += parse(json.loads(entry.read_text(encoding="utf-8")), name=entry.name)
    return tuple(found)


def strangers(*, fitted: bool) -> tuple[str, ...]:
    """Questions that no conversation can answer: those that were fitted on, or the others."""
    text = files("cogmem").joinpath(_FOLDER).joinpath(_STRANGERS).read_text(encoding="utf-8")
    return tuple(
        q for place, q in enumerate(json.loads(text)) if (place % _FITTED_ON == 0) == fitted
    )


def banks(talks: Sequence[Conversation], unknown: Sequence[str]) -> Iterator[Bank]:
    """Banks of every size, made of the conversations."""
    for talk in (*talks, *one_bank(talks)):
        yield Bank(
            talk.id,
            talk.sessions,
            (*_answered(talk.questions), *((q, frozenset[str]()) for q in unknown)),
        )
    for talk in talks:
        for number, session in enumerate(talk.sessions):
            yield _one_session(talk, session, unknown[number::17])
        for number, question in enumerate(talk.questions):
            yield _few_turns(talk, question, number)


def _answered(questions: Sequence[Question]) -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple((question.text, question.evidence) for question in questions)


def _one_session(talk: Conversation, session: Session, unknown: Sequence[str]) -> Bank:
    refs = {turn.ref for turn in session.turns}
    inside = [q for q in talk.questions if not refs.isdisjoint(q.evidence)]
    outside = [q for q in talk.questions if refs.isdisjoint(q.evidence)][: len(inside) + _OTHERS]
    missing = tuple((text, frozenset[str]()) for text in (*(q.text for q in outside), *unknown))
    return Bank(session.id, (session,), (*_answered(inside), *missing))


def _few_turns(talk: Conversation, question: Question, number: int) -> Bank:
    """The turns that answer one question, and up to three more of elsewhere."""
    turns = [turn for session in talk.sessions for turn in session.turns]
    others = [t for t in turns if t.ref not in question.evidence][number * 7 :: 41][
        : number % (_OTHERS + 1)
    ]
    kept = sorted(
        (t for t in turns if t.ref in question.evidence or t in others), key=lambda t: (t.at, t.ref)
    )
    sessions = tuple(Session(str(t.session_id), (t,)) for t in kept)
    elsewhere = talk.questions[(number + 5) % len(talk.questions)]
    asked_too = (elsewhere.text, elsewhere.evidence & {str(t.ref) for t in kept})
    return Bank(f"{talk.id}/{number}", sessions, ((question.text, question.evidence), asked_too))


def asked(engine: Engine, bank: Bank) -> Iterator[Asked]:
    """Remember a bank, ask its questions, and tell what was relevant."""
    for session in bank.sessions:
        engine.bank(bank.id).remember(list(session.turns))
    for text, evidence in bank.questions:
        yield _asked(engine, bank.id, text, evidence)


def _asked(engine: Engine, namespace: str, text: str, evidence: frozenset[str]) -> Asked:
    services = engine.services
    now = engine.services.runtime.now()
    request = Request(namespace, text, k=DEPTH)
    with services.ledger.reading() as reader:
        view = services.searcher.view(reader, namespace)
    question = question_of(request, view)
    plan = replace(
        make_plan(request, question, question.intent, services.config.retrieval, now),
        queries=(request.query,),
    )
    quest = quest_of(services, view, request, plan, now=now, deadline=Deadline())
    with services.ledger.reading() as reader:
        walked = walk(services, reader, quest)
        memories = reader.memories(namespace, [choice.ranked.id for choice in walked.choices])
    refs = [memories[choice.ranked.id].refs for choice in walked.choices]
    rows = tuple(dict(choice.features) for choice in walked.choices)
    return Asked(rows, tuple(not evidence.isdisjoint(some) for some in refs))


def fit(found: Sequence[Asked], *, absolute: bool, threshold: float) -> Models:
    """The two models; `absolute` = with the cosines themselves, which differ from embedder to embedder.

    Questions to banks of a hundred memories and more count three times: that is what most questions
    will be asked of.
    """
    weighted = [
        one for one in found if one.rows for _ in range(_LARGE_COUNTS if _is_large(one) else 1)
    ]
    rows = [(row, yes) for one in weighted for row, yes in zip(one.rows, one.relevant, strict=True)]
    relevant = _fitted(rows, FEATURES, absolute=absolute)
    questions = [(question_features(one.rows, relevant), any(one.relevant)) for one in weighted]
    return Models(relevant, _fitted(questions, QUESTION_FEATURES, absolute=absolute), threshold)


def _is_large(one: Asked) -> bool:
    return one.rows[0]["size"] >= math.log1p(_LARGE) / 10


def _fitted(
    rows: Sequence[tuple[dict[str, float], bool]], names: Any, *, absolute: bool
) -> LogisticModel:
    used = [name for name in names if absolute or name not in ABSOLUTE]
    return fit_logistic([row for row, _ in rows], [yes for _, yes in rows], used)


class _Deaf:
    """An embedder that fails at every query: what is left to go by are words."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self.fingerprint = inner.fingerprint
        self.dimension = inner.dimension

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """As the inner one."""
        return self._inner.embed_documents(texts)

    def embed_query(self, text: str) -> FloatArray:
        """Never."""
        raise EmbedderUnavailable(f"no vector for a query of {len(text)} characters")


def calibrated(config: Config, *, progress: Progress) -> tuple[dict[str, Models], dict[str, int]]:
    """Fit the models that ship: for MiniLM, and for any other embedder (on MiniLM, hashing, and words alone).

    With MiniLM both turns as they were said and facts are remembered, so that no mode is withheld
    more than another.

    Args:
        config: the configuration whose ranking is calibrated.
        progress: called with (stage, done, total).

    Returns:
        The models, and how many questions each was fitted on; the keys are how an embedder's
        fingerprint begins.
    """
    minilm = MemoizedEmbedder(resolve("minilm", config=config.embedding))
    facts = replace(config, encoding=replace(config.encoding, mode="semantic"))
    stages: list[tuple[str, Config, Any]] = [
        ("minilm", config, minilm),
        ("minilm", facts, minilm),
        ("hashing", config, HashingEmbedder()),
        ("words", config, _Deaf(minilm)),
    ]
    work = list(banks(conversations(), strangers(fitted=True)))
    found = dict[str, list[Asked]]()
    for stage, settings, embedder in stages:
        with open_engine(config=settings, embedder=embedder) as engine:
            engine.pause()
            for done, bank in enumerate(work, 1):
                found.setdefault(stage, []).extend(asked(engine, bank))
                progress(stage, done, len(work))
    everything = [one for some in found.values() for one in some]
    models = {
        "minilm": fit(found["minilm"], absolute=True, threshold=_QUIET_MINILM),
        ANY: fit(everything, absolute=False, threshold=_QUIET_ANY),
    }
    return models, {"minilm": len(found["minilm"]), ANY: len(everything)}


def write(models: dict[str, Models], path: Path) -> None:
    """Write models as `retrieval.confidence` reads them.

    The key is how the embedder's fingerprint begins.
    """
    path.write_text(
        json.dumps({name: pair.as_json() for name, pair in models.items()}, indent=1) + "\n",
        "utf-8",
    )
