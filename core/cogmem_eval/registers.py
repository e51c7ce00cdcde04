"""Registers: kinds of banks and of messages, each with data of its own, beside three plain searches.

A register is a JSONL file, one bank a line: `register`, `lang`, `bank`, `memories` (id, role, at, text,
and a speaker or a session where there is one), `questions` (q, at, kind, evidence). Roles are those of
chats, `note` (added as it is) and `document`. Evidence are the ids of what bears on a message; a message
without any asks for what is not known. The plain searches rank the same texts by the same vectors, by
BM25, and by the reciprocal rank fusion of both, and leave nothing out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from cogmem_core.base.grouping import grouped
from cogmem_core.config import Config
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.engine import open as open_engine
from cogmem_core.errors import InvalidInput
from cogmem_core.maths.fusion import reciprocal_rank_fusion
from cogmem_core.models import Turn
from cogmem_core.ports import Embedder
from cogmem_core.storage.search.bm25 import Bm25Index
from cogmem_core.testing import FrozenClock
from cogmem_core.text.tokens import tokens
from cogmem_eval.metrics import Ranking, recall_at, reciprocal_rank
from cogmem_eval.reading import Progress, ignore, read_cases

SHIPPED = Path(__file__).parent / "registers"
"""Those that ship with this distribution: folders `fit` and `held`."""
DEPTH = 10
FUSION_K = 60
FLOOR = 0.33
"""Of the best cosine: below it a plain search by vectors would better stay silent."""
WAYS = ("cogmem", "vectors", "bm25", "fusion")
KINDS = ("question", "request", "telling")
_ROLES = ("user", "assistant", "system", "tool", "note", "document")


@dataclass(frozen=True, slots=True)
class Entry:
    """What is remembered; attributes as the fields of a memory in the file."""

    id: str
    role: str
    at: datetime
    text: str
    speaker: str | None
    session: str | None


@dataclass(frozen=True, slots=True)
class Asked:
    """A message, when it is sent, and the ids of what bears on it."""

    text: str
    at: datetime
    kind: str
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class RegisterBank:
    """A bank of one register."""

    register: str
    language: str
    id: str
    entries: tuple[Entry, ...]
    messages: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one way of searching found for one message.

    Attributes:
        evidence: what should be found.
        ranking: of each result the ids that it stands for, best first.
        silent: nothing is shown; of vectors: their best cosine is below `FLOOR`.
    """

    evidence: frozenset[str]
    ranking: Ranking
    silent: bool


@dataclass(frozen=True, slots=True)
class RegisterScore:
    """The figures of one way of searching on one register, in percent.

    Attributes:
        empty: of messages with evidence, how many get nothing.
        surfaced: of messages without, how many get something.
        shown: results of a message on the mean.
    """

    recall_5: float
    recall_10: float
    mrr: float
    empty: float
    surfaced: float
    shown: float


Report = Mapping[str, Mapping[str, RegisterScore]]


def load(folder: Path) -> list[RegisterBank]:
    """The banks of all files of a folder and of the folders in it.

    Raises:
        InvalidInput: there is none, or a line is no bank; the message names the line.
    """
    paths = sorted(folder.rglob("*.jsonl"))
    banks = [bank for path in paths for bank in read_cases(path, _bank, "memories and questions")]
    if not banks:
        raise InvalidInput(f"{folder}: no register; give a folder that holds .jsonl files of banks")
    return banks


def _bank(row: Mapping[str, Any]) -> RegisterBank:
    entries = tuple(map(_entry, row["memories"]))
    known = {entry.id for entry in entries}
    messages = tuple(map(_asked, row["questions"]))
    for message in messages:
        if not message.evidence <= known:
            raise ValueError(f"evidence of {message.text!r} names a memory that is not there")
    return RegisterBank(str(row["register"]), str(row["lang"]), str(row["bank"]), entries, messages)


def _entry(row: Mapping[str, Any]) -> Entry:
    role = row["role"]
    if role not in _ROLES:
        raise ValueError(f"role is {role!r}; use one of {', '.join(_ROLES)}")
    at = _moment(row["at"])
    return Entry(str(row["id"]), role, at, row["text"], row.get("speaker"), row.get("session"))


def _asked(row: Mapping[str, Any]) -> Asked:
    kind = row["kind"]
    if kind not in KINDS:
        raise ValueError(f"kind is {kind!r}; use one of {', '.join(KINDS)}")
    return Asked(row["q"], _moment(row["at"]), kind, frozenset(map(str, row["evidence"])))


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)


def evaluate(
    banks: Sequence[RegisterBank],
    config: Config,
    embedder: Embedder,
    *,
    progress: Progress = ignore,
) -> Report:
    """Ask every bank in every way.

    Args:
        banks: from `load`.
        config: of the engines, one per bank.
        embedder: of the engines and of the plain search by vectors.
        progress: called with (stage, banks done, banks in all).

    Returns:
        Scores by way, by the names of registers, of kinds of messages, and "all".
    """
    outcomes: dict[str, dict[str, list[Outcome]]] = {}
    for number, bank in enumerate(banks):
        progress(bank.id, number, len(banks))
        found = {"cogmem": list(recalled(bank, config, embedder)), **plain(bank, embedder)}
        for way in WAYS:
            for message, outcome in zip(bank.messages, found[way], strict=True):
                for name in (bank.register, f"kind: {message.kind}", "all"):
                    outcomes.setdefault(name, {}).setdefault(way, []).append(outcome)
    names = sorted(outcomes, key=lambda name: (name == "all", name.startswith("kind: "), name))
    return {name: {way: score(each) for way, each in outcomes[name].items()} for name in names}


def recalled(bank: RegisterBank, config: Config, embedder: Embedder) -> Iterator[Outcome]:
    """What recall shows for each message of a bank, asked when it was sent."""
    by_text = ids_by_text(bank)
    for engine, message in asked(bank, bank.messages, config, embedder):
        results = engine.bank(bank.id).recall(message.text, k=DEPTH).results
        ranking = [{*result.refs, *by_text.get(result.memory.content, ())} for result in results]
        yield Outcome(message.evidence, ranking, not ranking)


def asked(
    bank: RegisterBank, messages: Sequence[Asked], config: Config, embedder: Embedder
) -> Iterator[tuple[Engine, Asked]]:
    """Each message with the engine that knows the bank, at the moment when it is sent."""
    clock = FrozenClock(bank.entries[0].at)
    with open_engine(None, config=config, embedder=embedder, clock=clock) as engine:
        engine.pause()
        remember(engine, bank, clock)
        for message in messages:
            clock.now = max(clock.now, message.at)
            yield engine, message


def ids_by_text(bank: RegisterBank) -> dict[str, set[str]]:
    """The ids of what is remembered, by its text."""
    by_text = grouped((entry.text, entry.id) for entry in bank.entries)
    return {text: set(ids) for text, ids in by_text.items()}


def remember(engine: Engine, bank: RegisterBank, clock: FrozenClock) -> None:
    """Remember a bank as its author wrote it: turns by sessions, notes and documents one by one."""
    memories = engine.bank(bank.id)
    for (role, _), group in groupby(bank.entries, lambda entry: (_form(entry), entry.session)):
        entries = list(group)
        clock.now = max(clock.now, entries[-1].at)
        if role == "turn":
            memories.remember([_turn(entry) for entry in entries])
            continue
        for entry in entries:
            _store(memories, entry)
    engine.flush()


def _form(entry: Entry) -> str:
    return entry.role if entry.role in ("note", "document") else "turn"


def _turn(entry: Entry) -> Turn:
    return Turn(
        entry.text,
        role=entry.role,  # type: ignore[arg-type]
        speaker=entry.speaker,
        at=entry.at,
        session_id=entry.session,
        ref=entry.id,
    )


def _store(memories: MemoryBank, entry: Entry) -> None:
    if entry.role == "document":
        folder = (entry.session or "documents",)
        memories.items().put(folder, entry.id, {"text": entry.text}, texts=[entry.text])
        return
    memories.add(entry.text, speaker=entry.speaker, at=entry.at, ref=entry.id)


def plain(bank: RegisterBank, embedder: Embedder) -> dict[str, list[Outcome]]:
    """What the three plain searches find."""
    ids = [entry.id for entry in bank.entries]
    matrix = embedder.embed_documents([entry.text for entry in bank.entries])
    index = Bm25Index()
    index.extend((entry.id, tokens(entry.text)) for entry in bank.entries)
    found: dict[str, list[Outcome]] = {way: [] for way in WAYS[1:]}
    for message in bank.messages:
        cosines = matrix @ embedder.embed_query(message.text)
        near = [ids[place] for place in np.argsort(-cosines, kind="stable").tolist()]
        alike = [hit.id for hit in index.top(tokens(message.text), len(ids))]
        fused = reciprocal_rank_fusion([near, alike], FUSION_K)
        silent = float(cosines.max()) < FLOOR
        lists = {"vectors": near, "bm25": alike, "fusion": list(fused)}
        for way, names in lists.items():
            ranking = [{name} for name in names[:DEPTH]]
            quiet = silent if way == "vectors" else not ranking
            found[way].append(Outcome(message.evidence, ranking, quiet))
    return found


def score(outcomes: Sequence[Outcome]) -> RegisterScore:
    """The figures of one way of searching."""
    known = [outcome for outcome in outcomes if outcome.evidence]
    unknown = [outcome for outcome in outcomes if not outcome.evidence]
    return RegisterScore(
        _percent([recall_at(each.ranking, each.evidence, 5) for each in known]),
        _percent([recall_at(each.ranking, each.evidence, 10) for each in known]),
        _percent([reciprocal_rank(each.ranking, each.evidence) for each in known]),
        _percent([each.silent for each in known]),
        _percent([not each.silent for each in unknown]),
        _percent([len(each.ranking) for each in outcomes]) / 100,
    )


def _percent(values: Sequence[float]) -> float:
    return 100 * sum(values) / len(values) if values else 0.0


def as_dict(report: Report) -> dict[str, Any]:
    """The report as JSON values."""
    return {
        name: {
            way: {figure: round(getattr(row, figure), 1) for figure in RegisterScore.__slots__}
            for way, row in ways.items()
        }
        for name, ways in report.items()
    }


def render(report: Report) -> str:
    """The report as a table for people."""
    head = f"{'register':<20} {'':<8} {'R@5':>6} {'R@10':>6} {'MRR':>6} {'empty':>6} {'surfaced':>8} {'shown':>6}"
    lines = [head]
    for name, ways in report.items():
        for way, row in ways.items():
            label = name if way == WAYS[0] else ""
            lines.append(
                f"{label:<20} {way:<8} {row.recall_5:6.1f} {row.recall_10:6.1f} {row.mrr:6.1f} "
                f"{row.empty:6.1f} {row.surfaced:8.1f} {row.shown:6.1f}"
            )
    lines.append(
        f"empty, surfaced: of vectors with a floor of {FLOOR:g} on the best cosine; its lists have none"
    )
    return "\n".join(lines)
