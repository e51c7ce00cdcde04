"""What a bank learnt since a moment: the memories that changed since, told by what the journal says of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import chain
from typing import Literal, NamedTuple

from cogmem_core.access import Policy, policy_of
from cogmem_core.edge.clauses import reading_of, said, telling, withdrawn
from cogmem_core.edge.trust import origin_of
from cogmem_core.encoding.edit_memory import FORMER
from cogmem_core.process.services import Services
from cogmem_core.reading.between import change
from cogmem_core.reading.compare import PRONOUNS
from cogmem_core.reading.topics import SPEAKER
from cogmem_core.retrieval.versions import age
from cogmem_core.storage.ledger.memories import Filter
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.text.safety.context_frame import ORIGINS
from cogmem_core.values.access_records import HELD_BY, WRITTEN_BY
from cogmem_core.values.models import JournalEntry, Memory
from cogmem_core.values.readings import Clause
from cogmem_core.values.results import Learnt, LearntLine
from cogmem_core.values.results.learnt import LearntKind

_DAY = timedelta(days=1)
_LOOKED_AT = 500  # memories that changed last, and as many that were erased last
_TURNS = 1_000  # of a session
_LONGEST_CHAIN = 20
_ORDER: tuple[LearntKind, ...] = ("changed", "ended", "forgotten", "new")
_GONE = ("forgotten", "dormant")
_POINTING = ("", *SPEAKER, *PRONOUNS)
"""Subjects that name nobody and nothing."""


@dataclass
class _Draft:
    """A line to be."""

    memory: Memory
    what: LearntKind
    at: datetime
    former: dict[str, str] = field(default_factory=dict)
    sure: bool = True


class _Conversation(NamedTuple):
    """What belongs to a session: its turns, and since when there is anything of it."""

    session_id: str
    turn_ids: frozenset[str]
    begin: datetime | None

    @classmethod
    def of(cls, ns: Namespace, session_id: str) -> _Conversation:
        turns = ns.turns.of_session(session_id, _TURNS)
        first = ns.memories.page(Filter(session_id=session_id), limit=1)
        moments = [turn.recorded_at for turn in turns] + [memory.created_at for memory in first]
        return cls(session_id, frozenset(turn.id for turn in turns), min(moments, default=None))

    def told(self, memory: Memory) -> bool:
        """Whether a memory was told in it."""
        return memory.session_id == self.session_id or any(
            source.episode_id in self.turn_ids for source in memory.sources
        )

    def asked_for(self, entries: Iterable[JournalEntry]) -> bool:
        """Whether a turn of it is the reason for one of these."""
        reasons = [entry.reason for entry in entries]
        return any(turn_id in reason for reason in reasons for turn_id in self.turn_ids)


def learnt(
    services: Services,
    namespaces: Sequence[str],
    *,
    since: datetime | None,
    limit: int,
    session_id: str | None = None,
) -> Learnt:
    """The most telling of what changed.

    Args:
        services: the parts of the engine.
        namespaces: a namespace, and its compartments that may be read.
        since: None = in the last 24 hours; of a session since its beginning.
        limit: lines at most.
        session_id: only what was said in this conversation.
    """
    now = services.runtime.now()
    policy = policy_of(services)
    drafts: list[tuple[float, LearntLine]] = []
    with services.ledger.whole() as reader:
        tables = [reader.at(name) for name in namespaces]
        begin = since or now - _DAY
        talks: list[_Conversation | None] = [None] * len(tables)
        if session_id is not None:
            talks = [_Conversation.of(ns, session_id) for ns in tables]
            moments = [talk.begin for talk in talks if talk and talk.begin]
            begin = since or min(moments, default=now)
        for ns, talk in zip(tables, talks, strict=True):
            drafts += _Changes(ns, begin, talk).lines(policy)
    drafts.sort(key=_rank)
    shown = [replace(line, number=place) for place, (_, line) in enumerate(drafts[:limit], 1)]
    return Learnt(begin, now, tuple(shown), len(drafts) - len(shown))


def _rank(draft: tuple[float, LearntLine]) -> tuple[int, bool, float, float, tuple[str, ...]]:
    """Changes and ends first, then what is said, what lasts, what is new."""
    weight, line = draft
    place = _ORDER.index(line.what)
    return place, line.basis == "inferred", -weight, -line.at.timestamp(), line.memory_ids


class _Changes:
    """What changed in a namespace since a moment, memory by memory: how it was then, and how it is."""

    def __init__(self, ns: Namespace, since: datetime, talk: _Conversation | None) -> None:
        self._ns = ns
        self._since = since
        self._talk = talk
        changed = ns.history.changed_since(since, _LOOKED_AT)
        self._rows = {
            memory.id: memory
            for memory in changed
            if memory.category != "item" and FORMER not in memory.metadata
        }
        self._entries: dict[str, list[JournalEntry]] = defaultdict(list)
        for entry in ns.journal.after(0, self._rows):
            if entry.at >= since:
                self._entries[entry.memory_id].append(entry)
        self._drafts: dict[str, _Draft] = {}
        self._forgotten: dict[str, list[Memory]] = {"said": [], "inferred": []}

    def lines(self, policy: Policy) -> Iterator[tuple[float, LearntLine]]:
        """The lines, each with how telling it is."""
        for memory in self._rows.values():
            if memory.state == "active":
                self._holds(memory)
            elif memory.state in _GONE and memory.state != self._former_state(memory):
                self._forgotten["said" if memory.state == "forgotten" else "inferred"].append(
                    memory
                )
            elif memory.state == "superseded" != self._former_state(memory):
                # It holds no more: something newer says so, or its time is over.
                newer = self._last(memory.superseded_by or "")
                if memory.superseded_by is None:
                    self._draft(memory, "ended")
                elif newer is not None and newer.state == "active":
                    self._give_way(memory, newer)
        self._join_versions()
        derived = self._ns.derivations.of(list(self._drafts))
        for name, draft in self._drafts.items():
            if self._talk is None or self._talk.told(draft.memory):
                is_derived = bool(draft.memory.support or derived.get(name))
                yield _weight(draft.memory), _line(draft, policy, is_derived=is_derived)
        yield from self._forgotten_lines()

    def _former_state(self, memory: Memory) -> str:
        """How it was before; "" if it was not there."""
        entries = self._entries[memory.id]
        if any(entry.kind == "put" for entry in entries):
            return ""
        states = [entry.before["state"] for entry in entries if "state" in entry.before]
        return str(states[0]) if states else memory.state

    def _at(self, memory: Memory) -> datetime:
        moments = [entry.at for entry in self._entries[memory.id] if entry.kind != "touch"]
        return max(moments, default=memory.updated_at)

    def _draft(self, memory: Memory, what: LearntKind, former: tuple[str, str] = ("", "")) -> None:
        """Begin a line, or tell more in the one that the memory has.

        Args:
            memory: that says so.
            what: happened.
            former: the id of the memory that held before, and its words.
        """
        draft = self._drafts.setdefault(memory.id, _Draft(memory, what, self._at(memory)))
        draft.what = min(what, draft.what, key=_ORDER.index)
        if former[1]:
            draft.former.setdefault(*former)

    def _holds(self, memory: Memory) -> None:
        entries = self._entries[memory.id]
        versions = self._ns.history.versions(memory.id)
        former = [one.content for one in versions if one.replaced_at >= self._since]
        taken_back = former[:1] == [memory.content]
        if any(entry.kind == "rewrite" for entry in entries) and not taken_back:
            self._rewritten(memory, former[0] if former else "")
        elif self._former_state(memory) != "active" and not _only_replies(memory):
            self._draft(memory, "new")
        clauses = reading_of(memory).clauses
        for number, state in withdrawn(memory).items():
            if state.since is None or state.since < self._since or number >= len(clauses):
                continue
            newer = self._last(state.by)
            if state.state == "forgotten":
                self._forgotten["said"].append(memory)
            elif newer is not None and newer.state == "active":
                self._give_way(memory, newer, said(memory, clauses[number]))

    def _rewritten(self, memory: Memory, former: str) -> None:
        """Another text: an edit, or what was told besides."""
        if self._former_state(memory) != "active":
            self._draft(memory, "new")
            return
        old = replace(memory, content=former, reading=None, clause_states=())
        self._draft(memory, *_compared(memory, old) or ("changed", (memory.id, former)))

    def _last(self, memory_id: str) -> Memory | None:
        """The memory, or what took its place, whatever became of that."""
        last = None
        for _ in range(_LONGEST_CHAIN):
            last = self._ns.memories.by_ids([memory_id]).get(memory_id, last)
            if last is None or last.state != "superseded" or last.superseded_by is None:
                break
            memory_id = last.superseded_by
        return last

    def _give_way(self, old: Memory, newer: Memory, former: str = "") -> None:
        """`former`: the words of the clause that holds no more; "" = as they are compared."""
        compared = _compared(newer, old)
        if compared is None and not former:
            entries = self._entries[old.id]
            if any(entry.kind == "retire" and entry.actor == "dream" for entry in entries):
                return  # it was merged into what says the same, or is summed up
            former = _words(old, telling(old))
        what, told = compared or ("changed", ("", ""))
        self._draft(newer, what, (old.id, former or told[1]))

    def _join_versions(self) -> None:
        """What may have taken another's place tells so in one line; both still hold."""
        new = [name for name, draft in self._drafts.items() if draft.what == "new"]
        links = [link for link in self._ns.relations.of_memories(new) if link.type == "revises"]
        ids = list(chain.from_iterable((link.source_id, link.target_id) for link in links))
        rows = self._ns.memories.by_ids(ids)
        pairs = [
            sorted((rows[link.source_id], rows[link.target_id]), key=age)
            for link in links
            if {link.source_id, link.target_id} <= rows.keys()
        ]
        for older, newer in sorted(pairs, key=lambda pair: age(pair[0])):
            draft = self._drafts.get(newer.id)
            if draft is None or older.state != "active":
                continue
            joined = self._drafts.pop(older.id, None)
            draft.sure = draft.sure and draft.what != "new"
            former = (older.id, _words(older, telling(older)))
            self._draft(newer, *_compared(newer, older) or ("changed", former))
            if joined is not None:
                draft.former = {**joined.former, **draft.former}

    def _forgotten_lines(self) -> Iterator[tuple[float, LearntLine]]:
        """Counts without words: of what a person wanted forgotten, and of what a cycle put away."""
        erased = self._ns.erasures.since(self._since, _LOOKED_AT) if not self._talk else []
        for basis, memories in self._forgotten.items():
            gone = [memory for memory in memories if self._concerns(memory)]
            moments = [*map(self._at, gone), *(erased if basis == "said" else ())]
            if moments:
                ids = tuple(memory.id for memory in gone)
                yield (
                    0.0,
                    LearntLine(
                        number=0,
                        what="forgotten",
                        words="",
                        former="",
                        basis=basis,  # type: ignore[arg-type]
                        whose="",
                        memory_ids=ids,
                        at=max(moments),
                        count=len(moments),
                    ),
                )

    def _concerns(self, memory: Memory) -> bool:
        talk = self._talk
        return talk is None or talk.told(memory) or talk.asked_for(self._entries[memory.id])


def _only_replies(memory: Memory) -> bool:
    """Whether an assistant says nothing of anything that it names: "Great news", "I'd suggest the soup"."""
    return memory.data_source == "assistant_message" and not any(
        clause.framed and clause.subject not in _POINTING for clause in telling(memory).values()
    )


def _line(draft: _Draft, policy: Policy, *, is_derived: bool) -> LearntLine:
    memory = draft.memory
    basis, whose = _basis(memory, policy, is_derived=is_derived)
    return LearntLine(
        number=0,
        what=draft.what,
        words=_words(memory, telling(memory)),
        former="; ".join(draft.former.values()),
        basis=basis,
        whose=whose,
        memory_ids=(memory.id, *(name for name in draft.former if name != memory.id)),
        at=draft.at,
        sure=draft.sure,
        kept=HELD_BY in memory.metadata,
    )


def _basis(
    memory: Memory, policy: Policy, *, is_derived: bool
) -> tuple[Literal["said", "inferred"], str]:
    """Whether a person said it, and who; or where it comes from."""
    origin = ORIGINS["derived"] if is_derived else origin_of(memory)
    writer = str(memory.metadata.get(WRITTEN_BY, ""))
    principal = policy.principals.get(writer)
    if principal is not None and principal.kind != "person":
        origin = writer
    return ("inferred", origin) if origin else ("said", memory.speaker or "")


def _weight(memory: Memory) -> float:
    """How much it tells that lasts."""
    clauses = telling(memory).values()
    lasting = any(clause.framed and clause.plain for clause in clauses)
    named = bool(memory.entities) or any(clause.type == "name" for clause in clauses)
    return memory.importance + lasting + named + (memory.protected or memory.flashbulb)


def _compared(newer: Memory, old: Memory) -> tuple[LearntKind, tuple[str, str]] | None:
    """What became of a memory by a newer one, and the clauses that hold no more; None if nothing shows."""
    same = (old.speaker, old.data_source) == (newer.speaker, newer.data_source)
    found = change(reading_of(newer), reading_of(old), same_speaker=same)
    if found is None:
        return None
    clauses = reading_of(old).clauses
    newer_clauses = reading_of(newer).clauses
    ends = all(newer_clauses[verdict.by].ends for verdict in found.verdicts if verdict.by >= 0)
    former = {verdict.number: clauses[verdict.number] for verdict in found.verdicts}
    return "ended" if ends else "changed", (old.id, _words(old, former))


def _words(memory: Memory, clauses: Mapping[int, Clause]) -> str:
    """The words of these clauses as they stand; the whole text where there is none."""
    parts: list[tuple[int, int]] = []
    before = -2
    for number, clause in sorted(clauses.items()):
        start = parts.pop()[0] if number == before + 1 else clause.start
        parts.append((start, clause.end))
        before = number
    return "; ".join(memory.content[slice(*part)] for part in parts) or memory.content
