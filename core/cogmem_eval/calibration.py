"""Fits the probabilities behind `Recalled.confidence` and `Recall.confidence`.

It uses conversations in LoCoMo format, and banks of statements (see `statement_banks`), because
recall meets both: people who talk, and facts, logs and paragraphs. Each is remembered as a whole,
all in one bank, and in small parts, so that the models know banks of every size. Every question is
asked, and of the best results it is known whether they hold the answer. Questions about the topic
that nothing answers teach what a relevant result is; questions that belong to no bank (without any,
those of the other conversations) teach what it looks like when nothing is known. Messages on which no
memory of anybody bears, and such on which one may, teach what the meaning of a message alone tells. The
models that ship with cogmem are fitted on texts of our own (`make confidence`).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cogmem_core.base.timeouts import Deadline
from cogmem_core.config import Config
from cogmem_core.embedders import resolve
from cogmem_core.embedders.hashing import HashingEmbedder
from cogmem_core.engine import Engine
from cogmem_core.engine import open as open_engine
from cogmem_core.errors import EmbedderUnavailable, InvalidInput
from cogmem_core.maths.calibration import LogisticModel, fit_logistic
from cogmem_core.ports import Embedder, FloatArray
from cogmem_core.retrieval.confidence import (
    ABSOLUTE,
    ANY,
    DEPTH,
    FEATURES,
    OF_MEANING,
    QUESTION_FEATURES,
    SCALED,
    Models,
    question_features,
)
from cogmem_core.retrieval.plan import EmbeddedQuery, Request, embed_query, make_plan
from cogmem_core.retrieval.search import search
from cogmem_core.retrieval.understand import understand
from cogmem_core.text.query.aim import Aim
from cogmem_eval.conversations import (
    LocomoConversation,
    LocomoQuestion,
    LocomoSession,
    one_bank,
    questions_elsewhere,
)
from cogmem_eval.memoized import MemoizedEmbedder
from cogmem_eval.reading import Progress, Spot, read_json, write_json
from cogmem_eval.registers import Asked, RegisterBank, asked
from cogmem_eval.statement_banks import StatementBank, pooled, sampled

_SIZES = (4, 8, 12, 20)
_LARGE = 100
_LARGE_COUNTS = 3
_REGISTER_COUNTS = 4  # they are few, and nearer to what is asked of a memory
# Of the messages that something bears on so many may get no result: by MiniLM, and by words and ranks alone.
# In registers MiniLM loses 4 % then, and shows something for 7 % of the messages on which no memory bears.
_LOST = 0.018
_LOST_ANY = 0.0225
_FOLDS = 5
_PRIOR = 3.0  # of the weights of a message's meaning
_EXTRA = 3  # questions of elsewhere, and turns of elsewhere, per small bank


class Messages(NamedTuple):
    """Messages of no bank.

    Attributes:
        impersonal: no memory of anybody bears on them.
        personal: what is known of whoever sends them may.
    """

    impersonal: tuple[str, ...] = ()
    personal: tuple[str, ...] = ()


def read_messages(path: Path) -> Messages:
    """From a JSON object with the lists `impersonal` and `personal`.

    Raises:
        InvalidInput: the file is none.
    """
    spot = Spot(str(path))
    table = read_json(path, "JSON object with messages")
    if not isinstance(table, dict):
        spot.fail("the top level is no object; give one with the lists impersonal and personal")
    return Messages(*(spot.texts(table.get(name), name) for name in Messages._fields))


NO_MESSAGES = Messages()


class Meaning(NamedTuple):
    """What the meaning of a message tells of it, as if both kinds were equally frequent.

    Attributes:
        weights: see `Models.impersonal`.
        log_odds: of messages, by weights that were fitted without them.
    """

    weights: tuple[float, ...]
    log_odds: Mapping[str, float]


def meaning_of(messages: Messages, embedder: Embedder) -> Meaning:
    """Fit the weights, and see what they say of messages that they do not know."""
    texts = list(dict.fromkeys([*messages.personal, *messages.impersonal]))
    vectors = np.array([embedder.embed_query(text) for text in texts], dtype=np.float64)
    names = list(map(str, range(embedder.dimension)))
    rows = [dict(zip(names, vector, strict=True)) for vector in vectors.tolist()]
    is_impersonal = [text in messages.impersonal for text in texts]
    count = sum(is_impersonal)
    rarer = math.log((len(texts) - count) / count)

    def fitted(places: Sequence[int]) -> LogisticModel:
        known = [rows[place] for place in places]
        return fit_logistic(known, [is_impersonal[place] for place in places], names, prior=_PRIOR)

    every = range(len(texts))
    log_odds = {}
    for fold in range(_FOLDS):
        model = fitted([place for place in every if place % _FOLDS != fold])
        logits = vectors @ np.array(model.weights) + model.bias + rarer
        log_odds.update({texts[place]: float(logits[place]) for place in every[fold::_FOLDS]})
    whole = fitted(every)
    weights = [round(weight, 3) for weight in (*whole.weights, whole.bias + rarer)]
    return Meaning(tuple(weights), log_odds)


@dataclass(frozen=True, slots=True)
class CalibrationBank:
    """What to remember in one namespace, and what is asked of it."""

    id: str
    questions: tuple[CalibrationQuestion, ...]
    sessions: tuple[LocomoSession, ...] = ()
    statements: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CalibrationQuestion:
    """A question.

    Attributes:
        text: what is asked.
        evidence: refs of the turns, or texts of the statements, that answer it; none if none does.
        near: nothing answers it, but there is much about its topic: no result is relevant, yet
            nobody is to be blamed for showing one.
    """

    text: str
    evidence: frozenset[str] = frozenset()
    near: bool = False


@dataclass(frozen=True, slots=True)
class ScoredQuestion:
    """One question: the features of its best results, and which of them hold the answer."""

    rows: tuple[dict[str, float], ...]
    relevant: tuple[bool, ...]
    near: bool
    of_register: bool = False
    text: str = ""


def banks(
    talks: Sequence[LocomoConversation],
    unrelated: Sequence[str],
    statement_banks: Sequence[StatementBank] = (),
) -> Iterator[CalibrationBank]:
    """Banks of every size, made of the conversations and the statements."""
    elsewhere = {} if unrelated else questions_elsewhere(talks)
    for talk in (*talks, *(one_bank(talks) if len(talks) > 1 else ())):
        unknown = elsewhere.get(talk.id, unrelated)
        questions = (*_answered(talk.questions), *_unanswered(unknown))
        yield CalibrationBank(talk.id, questions, talk.sessions)
    for talk in talks:
        unknown = elsewhere.get(talk.id, unrelated)
        for number, session in enumerate(talk.sessions):
            yield _one_session(talk, session, unknown[number::17])
        for number, question in enumerate(talk.questions):
            yield _few_turns(talk, question, number)
    yield from _of_statements(statement_banks, unrelated)


def _of_statements(
    banks: Sequence[StatementBank], unrelated: Sequence[str]
) -> Iterator[CalibrationBank]:
    """The banks of statements as they are, a few statements of each, and all in one."""
    for place, bank in enumerate(banks):
        other_banks = [other for other in banks if other is not bank]
        foreign = [question.text for other in other_banks for question in other.questions]
        sizes = [size for size in _SIZES if size < len(bank.statements)]
        for number, size in enumerate((*sizes, len(bank.statements))):
            start = place * (len(_SIZES) + 1) + number
            unknown = (*unrelated[start % 4 :: 4], *foreign[start::23])
            yield _statements(sampled(bank, size), unknown)
    if len(banks) > 1:
        yield _statements(pooled(banks), unrelated)


def _statements(bank: StatementBank, unknown: Sequence[str]) -> CalibrationBank:
    questions = [
        CalibrationQuestion(question.text, question.answers, near=not question.answers)
        for question in bank.questions
    ]
    return CalibrationBank(bank.id, (*questions, *_unanswered(unknown)), statements=bank.statements)


def _unanswered(texts: Iterable[str]) -> tuple[CalibrationQuestion, ...]:
    return tuple(map(CalibrationQuestion, texts))


def _answered(questions: Sequence[LocomoQuestion]) -> tuple[CalibrationQuestion, ...]:
    return tuple(CalibrationQuestion(question.text, question.evidence) for question in questions)


def _one_session(
    talk: LocomoConversation, session: LocomoSession, unknown: Sequence[str]
) -> CalibrationBank:
    refs = {turn.ref for turn in session.turns}
    inside: list[LocomoQuestion] = []
    outside: list[str] = []
    for question in talk.questions:
        if refs.isdisjoint(question.evidence):
            outside.append(question.text)
        else:
            inside.append(question)
    unanswered = _unanswered((*outside[: len(inside) + _EXTRA], *unknown))
    questions = (*_answered(inside), *unanswered)
    return CalibrationBank(session.id, questions, (session,))


def _few_turns(talk: LocomoConversation, question: LocomoQuestion, number: int) -> CalibrationBank:
    """The turns that answer one question, and up to three other turns."""
    turns = list(chain.from_iterable(session.turns for session in talk.sessions))
    evidence = [turn for turn in turns if turn.ref in question.evidence]
    distractors = [turn for turn in turns if turn.ref not in question.evidence][number * 7 :: 41]
    chosen = [*evidence, *distractors[: number % (_EXTRA + 1)]]
    chosen.sort(key=lambda turn: (turn.at, turn.ref))
    sessions = tuple(LocomoSession(str(turn.session_id), (turn,)) for turn in chosen)
    other = talk.questions[(number + 5) % len(talk.questions)]
    other_evidence = other.evidence & {str(turn.ref) for turn in chosen}
    questions = (
        CalibrationQuestion(question.text, question.evidence),
        CalibrationQuestion(other.text, other_evidence),
    )
    return CalibrationBank(f"{talk.id}/{number}", questions, sessions)


def ask_bank(engine: Engine, bank: CalibrationBank) -> Iterator[ScoredQuestion]:
    """Remember a bank, ask its questions, and mark the relevant results."""
    memory_bank = engine.bank(bank.id)
    for session in bank.sessions:
        memory_bank.remember(list(session.turns))
    for statement in bank.statements:
        memory_bank.add(statement)
    for question in bank.questions:
        yield _scored(engine, bank.id, question)


def ask_register(
    bank: RegisterBank, strangers: Sequence[Asked], config: Config, embedder: Embedder
) -> Iterator[ScoredQuestion]:
    """Remember a bank of a register, and send its messages, and those of other registers, when they are sent.

    What its author says that nothing bears on counts as unknown, as it does where people ask.
    """
    texts = {entry.id: entry.text for entry in bank.entries}
    for engine, message in asked(bank, (*bank.messages, *strangers), config, embedder):
        evidence = frozenset() if message in strangers else message.evidence
        named = {*evidence, *(texts[name] for name in evidence)}
        question = CalibrationQuestion(message.text, frozenset(named))
        yield replace(_scored(engine, bank.id, question), of_register=True)


def _strangers(banks: Sequence[RegisterBank], unrelated: Sequence[str], number: int) -> list[Asked]:
    """Messages of other registers, and unrelated ones, each about as many as a bank has of its own."""
    bank = banks[number]
    foreign = [
        message for other in banks if other.register != bank.register for message in other.messages
    ]
    count = len(bank.messages)
    step = max(1, len(foreign) // max(1, count))
    share = max(1, len(unrelated) // max(1, count))
    texts = unrelated[number % share :: share][:count]
    last = bank.messages[-1].at
    impersonal = [Asked(text, last, "question", frozenset()) for text in texts]
    return [*foreign[number % step :: step][:count], *impersonal]


def embedded_query(engine: Engine, namespace: str, text: str) -> EmbeddedQuery:
    """A query by which each memory counts by itself: neither joined with others nor in the order of time."""
    services = engine.services
    now = services.runtime.now()
    request = Request(namespace, text, k=DEPTH)
    with services.ledger.whole() as reader:
        view = services.searcher.view(reader, namespace)
    question = understand(text, speakers=view.speakers)
    plan = make_plan(request, question, question.intent, services.config.retrieval, now)
    plan = replace(plan, queries=plan.queries[:1], texts=plan.texts[:1], aim=Aim())
    return embed_query(services, view, request, plan, now=now, deadline=Deadline())


def _scored(engine: Engine, namespace: str, question: CalibrationQuestion) -> ScoredQuestion:
    services = engine.services
    embedded = embedded_query(engine, namespace, question.text)
    with services.ledger.whole() as reader:
        ranking = search(services, reader, embedded)
        memories = reader.at(namespace).memories.by_ids([ranked.id for ranked in ranking.memories])
    ranked_memories = [memories[ranked.id] for ranked in ranking.memories]
    relevant = tuple(
        not question.evidence.isdisjoint((*memory.refs, memory.content))
        for memory in ranked_memories
    )
    rows = tuple(dict(ranked.features) for ranked in ranking.memories)
    return ScoredQuestion(rows, relevant, question.near, text=question.text)


def fit(
    questions: Sequence[ScoredQuestion],
    without: Collection[str] = (),
    meaning: Meaning | None = None,
) -> Models:
    """The two models, and where it is better to say nothing.

    Questions to banks of a hundred memories and more count three times, because most questions will
    be asked of such banks; messages of registers count four times.

    Args:
        questions: what was asked of the calibration banks.
        without: features that differ from embedder to embedder, and are not used.
        meaning: of the messages, for an embedder of its own.
    """
    weighted: list[ScoredQuestion] = []
    for question in questions:
        if question.rows:
            weighted += [question] * _counts(question)
    rows = [
        pair for question in weighted for pair in zip(question.rows, question.relevant, strict=True)
    ]
    relevant = _fitted(rows, FEATURES, without)
    log_odds = meaning.log_odds if meaning else {}
    answerable = []
    for question in weighted:
        if not question.near:
            relevances = list(map(relevant.probability, question.rows))
            impersonal = max(0.0, log_odds.get(question.text, 0.0))
            features = question_features(question.rows, relevances, impersonal)
            answerable.append((features, any(question.relevant)))
    model = _fitted(answerable, QUESTION_FEATURES, without)
    known = sorted(model.probability(features) for features, answered in answerable if answered)
    lost = _LOST_ANY if "cosine" in without else _LOST
    quiet = round(known[int(lost * len(known))], 3)
    return Models(relevant, model, quiet, meaning.weights if meaning else ())


def _counts(question: ScoredQuestion) -> int:
    if question.of_register:
        return _REGISTER_COUNTS
    is_large = question.rows[0]["size"] >= math.log1p(_LARGE) / 10
    return _LARGE_COUNTS if is_large else 1


def _fitted(
    rows: Sequence[tuple[dict[str, float], bool]], names: Iterable[str], without: Collection[str]
) -> LogisticModel:
    used = [name for name in names if name not in without]
    return fit_logistic([row for row, _ in rows], [yes for _, yes in rows], used)


class _WordsOnly:
    """An embedder that fails at every query, so that recall ranks by words alone."""

    def __init__(self, inner: Embedder) -> None:
        self.fingerprint = inner.fingerprint
        self.dimension = inner.dimension
        self.embed_documents = inner.embed_documents

    def embed_query(self, text: str) -> FloatArray:
        """Never."""
        raise EmbedderUnavailable(f"no vector for a query of {len(text)} characters")


def calibrated(
    config: Config,
    talks: Sequence[LocomoConversation],
    unrelated: Sequence[str] = (),
    statement_banks: Sequence[StatementBank] = (),
    *,
    registers: Sequence[RegisterBank] = (),
    messages: Messages = NO_MESSAGES,
    progress: Progress,
) -> tuple[dict[str, Models], dict[str, int]]:
    """Fit the models: for MiniLM, for what is scaled to it, and for any other embedder.

    The last one is fitted on MiniLM, hashing, and words alone. With MiniLM both verbatim turns
    and facts are remembered, so that no mode is withheld more than another.

    Args:
        config: the configuration whose ranking is calibrated.
        talks: what is remembered, and asked.
        unrelated: questions that none of them answers.
        statement_banks: facts, logs and paragraphs, and questions about them.
        registers: banks of every kind, and messages of every kind to them.
        messages: whose meaning tells whether a memory may bear on them.
        progress: called with (stage, done, total).

    Returns:
        The models, and how many questions each was fitted on; the keys are how an embedder's
        fingerprint begins.

    Raises:
        InvalidInput: nothing teaches what an unanswerable question looks like, or nothing what an
            answerable one does.
    """
    if not any(talk.questions for talk in talks):
        raise InvalidInput("no question has evidence that exists; there is nothing to fit")
    if not unrelated and len(talks) == 1:
        raise InvalidInput(
            "there is one conversation only, so that all questions have answers; add another one, "
            "or questions that nothing answers (--unrelated)"
        )
    minilm = MemoizedEmbedder(resolve("minilm", config=config.embedding))
    semantic = replace(config, encoding=replace(config.encoding, mode="semantic"))
    stages: list[tuple[str, Config, Any]] = [
        ("minilm", config, minilm),
        ("minilm", semantic, minilm),
        ("hashing", config, HashingEmbedder()),
        ("words", config, _WordsOnly(minilm)),
    ]
    work = list(banks(talks, (*unrelated, *messages.impersonal[::_FOLDS]), statement_banks))
    scored = dict[str, list[ScoredQuestion]]()
    for stage, settings, embedder in stages:
        questions = scored.setdefault(stage, [])
        with open_engine(config=settings, embedder=embedder) as engine:
            engine.pause()
            for number, bank in enumerate(work, 1):
                questions.extend(ask_bank(engine, bank))
                progress(stage, number, len(work))
        for number, register in enumerate(registers):
            strangers = _strangers(registers, messages.impersonal, number)
            questions.extend(ask_register(register, strangers, settings, embedder))
            progress(f"{stage}, registers", number + 1, len(registers))
    everything = list(chain.from_iterable(scored.values()))
    asked_there = [message.text for register in registers for message in register.messages]
    asked_there += [question.text for talk in talks for question in talk.questions]
    asked_there += [question.text for facts in statement_banks for question in facts.questions]
    with_banks = messages._replace(personal=(*messages.personal, *asked_there))
    meaning = meaning_of(with_banks, minilm) if messages.impersonal else None
    models = {
        "minilm": fit(scored["minilm"], () if meaning else OF_MEANING, meaning),
        SCALED: fit(scored["minilm"], OF_MEANING),
        ANY: fit(everything, (*ABSOLUTE, *OF_MEANING)),
    }
    asked_of = len(scored["minilm"])
    return models, {"minilm": asked_of, SCALED: asked_of, ANY: len(everything)}


def write(models: dict[str, Models], path: Path) -> None:
    """Write models as `retrieval.confidence` reads them.

    The key is how the embedder's fingerprint begins.
    """
    table = {name: pair.as_json() for name, pair in models.items()}
    write_json(table, path)
