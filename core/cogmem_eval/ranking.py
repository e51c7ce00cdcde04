"""Fits what each signal of ranking is worth, on registers of every kind, and judges it on banks left out.

Every message of every bank is searched for; of each candidate it is known whether it bears on the message.
The weights are those under which what bears on it stands first: one linear model, a softmax over the
candidates of each message. A bank counts by the square root of its register's messages, so that no
register outweighs the others. A register whose banks took part is judged by weights fitted without them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
from numpy.typing import NDArray

from cogmem_core.config import Config
from cogmem_core.engine import Engine
from cogmem_core.errors import InvalidInput
from cogmem_core.maths.calibration import fit_ranking
from cogmem_core.ports import Embedder
from cogmem_core.retrieval.ranker import FORMS, fitted, forms_of
from cogmem_core.retrieval.score import ASKED, one_per_turn, values_of
from cogmem_core.retrieval.search import asked_values, search
from cogmem_core.testing import FrozenClock
from cogmem_eval.calibration import embedded_query
from cogmem_eval.conversations import CATEGORY_NAMES, LocomoConversation
from cogmem_eval.reading import Progress
from cogmem_eval.registers import (
    DEPTH,
    Asked,
    Entry,
    Outcome,
    RegisterBank,
    RegisterScore,
    asked,
    ids_by_text,
    score,
)
from cogmem_eval.statement_banks import StatementBank

PRIOR = {"every": 1.0, "assisted": 2.0, "other_language": 2.0, "request": 2.0, "telling": 2.0}
"""What pulls weights towards 0, and those of a form towards those of every bank."""
SCALE = 6.0
"""Log-odds that are a score of 1: the weights then are of the size that settings have."""
FOLDS = 6
_ADVERSARIAL = max(CATEGORY_NAMES)

Table = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Example:
    """A message beside its candidates.

    Attributes:
        values: of the signals, shape (candidates, signals of `fitted()`).
        refs: the ids that each candidate stands for.
        turns: the turn that each was taken from.
        forms: that hold, see `forms_of`.
    """

    register: str
    bank: str
    evidence: frozenset[str]
    values: NDArray[np.float64]
    refs: tuple[frozenset[str], ...]
    turns: tuple[str, ...]
    forms: tuple[str, ...]

    def targets(self) -> NDArray[np.float64]:
        """How much of what bears on the message each candidate is; they sum to 1."""
        right = [float(not self.evidence.isdisjoint(refs)) for refs in self.refs]
        return np.array(right) / sum(right)


def of_talk(talk: LocomoConversation) -> RegisterBank:
    """A conversation as a bank, asked the day after; questions about what was never said are left out."""
    turns = [turn for session in talk.sessions for turn in session.turns]
    entries = tuple(
        Entry(str(turn.ref), turn.role, turn.at, turn.content, turn.speaker, turn.session_id)
        for turn in turns
        if turn.at is not None
    )
    after = entries[-1].at + timedelta(days=1)
    messages = tuple(
        Asked(question.text, after, "question", question.evidence)
        for question in talk.questions
        if question.category != _ADVERSARIAL
    )
    return RegisterBank("talk", "", talk.id, entries, messages)


def of_statements(bank: StatementBank) -> RegisterBank:
    """A bank of statements, added a minute after each other, and asked the day after."""
    start = FrozenClock().now
    entries = tuple(
        Entry(str(number), "note", start + timedelta(minutes=number), text, None, None)
        for number, text in enumerate(bank.statements)
    )
    ids = {entry.text: entry.id for entry in entries}
    after = entries[-1].at + timedelta(days=1)
    messages = tuple(
        Asked(question.text, after, "question", frozenset(ids[text] for text in question.answers))
        for question in bank.questions
    )
    return RegisterBank("facts", "", bank.id, entries, messages)


def examples(
    banks: Sequence[RegisterBank],
    config: Config,
    embedder: Embedder,
    *,
    progress: Progress,
) -> list[Example]:
    """Every message with evidence among its candidates."""
    found: list[Example] = []
    for number, bank in enumerate(banks, 1):
        for engine, message in asked(bank, bank.messages, config, embedder):
            example = _example(engine, bank, message) if message.evidence else None
            if example is not None:
                found.append(example)
        progress("searching", number, len(banks))
    return found


def _example(engine: Engine, bank: RegisterBank, message: Asked) -> Example | None:
    services = engine.services
    embedded = embedded_query(engine, bank.id, message.text)
    with services.ledger.whole() as reader:
        ranking = search(services, reader, embedded)
        pool = ranking.pools[0].pool
        names = list(fitted()["every"])
        values = values_of(pool, names)
        values[ASKED] = np.array(asked_values(ranking.context, pool, range(len(pool.ids))))
        memories = reader.at(bank.id).memories.by_ids(pool.ids)
    ids_of = ids_by_text(bank)
    refs = tuple(
        frozenset(memories[name].refs) | ids_of.get(memories[name].content, set())
        for name in pool.ids
    )
    if all(message.evidence.isdisjoint(each) for each in refs):
        return None
    return Example(
        bank.register,
        bank.id,
        message.evidence,
        np.stack([values[name] for name in names], axis=1),
        refs,
        tuple(pool.candidates.labels("turn")),
        forms_of(pool, message.text, services.embedder.fingerprint),
    )


def fit(found: Sequence[Example]) -> Table:
    """The weights of each form.

    Raises:
        InvalidInput: no message has evidence among its candidates.
    """
    if not found:
        raise InvalidInput("no message has evidence that is found; there is nothing to fit")
    names = list(fitted()["every"])
    sizes = Counter(example.register for example in found)
    counts = np.array([1 / np.sqrt(sizes[example.register]) for example in found])
    questions = [(_with_forms(example), example.targets()) for example in found]
    prior = np.concatenate([np.full(len(names), PRIOR[form]) for form in FORMS])
    weights = fit_ranking(questions, prior, counts=(counts / counts.mean()).tolist())
    each = np.split(weights / SCALE, len(FORMS))
    return {
        form: {name: round(weight, 3) for name, weight in zip(names, part.tolist(), strict=True)}
        for form, part in zip(FORMS, each, strict=True)
    }


def _with_forms(example: Example) -> NDArray[np.float64]:
    return np.hstack([example.values * (form in example.forms) for form in FORMS])


def judged(found: Sequence[Example]) -> dict[str, RegisterScore]:
    """How each register is ranked by weights that were fitted without the bank in question."""
    folds: dict[tuple[str, str], int] = {}
    counts: Counter[str] = Counter()
    for register, bank in dict.fromkeys((example.register, example.bank) for example in found):
        folds[register, bank] = counts[register] % FOLDS
        counts[register] += 1
    outcomes: dict[str, list[Outcome]] = {}
    for fold in range(FOLDS):
        left_out = [each for each in found if folds[each.register, each.bank] == fold]
        rest = [each for each in found if folds[each.register, each.bank] != fold]
        if not (left_out and rest):
            continue
        table = fit(rest)
        for example in left_out:
            ranking = _ranking(example, table)
            outcome = Outcome(example.evidence, ranking, silent=False)
            outcomes.setdefault(example.register, []).append(outcome)
    return {register: score(each) for register, each in sorted(outcomes.items())}


def _ranking(example: Example, table: Table) -> list[frozenset[str]]:
    names = list(table["every"])
    sums = [sum(table[form][name] for form in example.forms) for name in names]
    scores = example.values @ np.maximum(0.0, sums)
    order = np.argsort(-scores, kind="stable").tolist()
    best = one_per_turn(order, example.turns.__getitem__, DEPTH)
    return [example.refs[place] for place in best[:DEPTH]]
