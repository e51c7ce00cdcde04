"""Namespaces are opaque and exact: whatever they look like, no operation on one shows, counts or changes another.

Each look-alike name holds a canary, a word that stands nowhere else. Every public method of a bank and of its documents
runs on random names with the ids, recalls, tickets, cycles and cursors of others. `COGMEM_EXAMPLES=400` makes it 200
namespaces with 250 operations each on each of two kinds of index; others are then looked at after every tenth one, and
all of them in the end.
"""

from __future__ import annotations

import dataclasses
import os
import random
import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import cogmem
from cogmem import Config, Engine, InvalidInput, Memory, MemoryBank, NotFound, StorageConfig, Turn
from cogmem.bank.items import Items
from cogmem.results import ItemWrite, Recall
from cogmem.testing import MANUAL, CountingEmbedder, FrozenClock

TIMES = int(os.environ.get("COGMEM_EXAMPLES", "1"))
EVERY = 1 if TIMES == 1 else 10
LOOK_ALIKES = (
    *("a", "A", "aa", "ab", " a", "a ", "a  ", "á", "ａ", "а", "ɑ", "a\u200b", "\u202ea", "a\u0301"),
    *("*", "a*", "%", "a%", "_", "a_", "?", "a?", "[a]", "a|b", ".*", "^a$"),
    *("a' OR 1=1--", "a'; DROP TABLE memories;--", 'a" OR "1"="1', "a''", "a\\", "a\\'", "') OR namespace LIKE '%"),
    *("../a", "a/../b", "a/b", "a.b", "a:b", "/", "..", "~", "$HOME", "${a}", "{{a}}", "%61", "&#97;"),
    *('{"$ne": "a"}', '{"$or": []}', '["a", "b"]', '"a"', "null", "None", "true", "0", "-1", "1e3", "NaN"),
    *("ss", "ß", "i", "ı", "I", "İ", "K", "\u212a", "ﬁ", "fi", "é", "e\u0301", "日本", "👩‍👩‍👧", "👩👩👧"),
    *("a" * 255, "a" * 256, "\U0001f600" * 256),
)
CONFIGS = {
    "exact": MANUAL,
    "chroma": dataclasses.replace(MANUAL, storage=StorageConfig(exact_below=0, own_collection_above=6, write_slice=3)),
}
SAID = (
    "I live in {}",
    "My sister keeps the {} in her garden",
    "We decided to paint the {} on Monday",
    "I like {} a lot",
)


def names(count: int) -> list[str]:
    """So many distinct names, the look-alikes first, then longer and longer prefixes of one another."""
    return [*dict.fromkeys((*LOOK_ALIKES, *(f"a{'b' * length}" for length in range(1, 256))))][:count]


def canary(number: int) -> str:
    """A word that stands nowhere else, and that no tokeniser splits."""
    return "zq" + "".join(chr(ord("a") + int(digit)) for digit in f"{number:04d}") + "x"


_MARKS = re.compile(r"zq[a-j]{4}x|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""What `Tenant.marks` are made of."""


class Looked(NamedTuple):
    """Everything that a namespace holds, as it is at one moment."""

    memories: tuple[Memory, ...]
    others: tuple[object, ...]


@dataclasses.dataclass
class Tenant:
    """One namespace, what only it may show, and what others try to reach it with."""

    name: str
    word: str
    recall: Recall | None = None
    run_id: str = ""
    export: str = ""
    ids: set[str] = dataclasses.field(default_factory=set)
    state: Looked | None = None

    def marks(self) -> set[str]:
        return {self.word, *self.ids}


class Tenants:
    """Acts on random namespaces with what belongs to others; remembers how each one was left."""

    def __init__(self, engine: Engine, folder: Path, count: int, seed: int) -> None:
        self.engine, self.folder, self.random, self.steps = engine, folder, random.Random(seed), 0
        self.all = [Tenant(name, canary(number)) for number, name in enumerate(names(count))]
        self.owners: dict[str, Tenant] = {}
        self.acts: dict[str, Callable[[MemoryBank, Tenant, Tenant], Any]] = {
            name.removeprefix("act_"): getattr(self, name) for name in dir(self) if name.startswith("act_")
        }
        for tenant in self.all:
            bank = engine.bank(tenant.name)
            bank.remember([text.format(tenant.word) for text in SAID], session_id="s")
            bank.keep([Turn(f"kept {tenant.word}", ref="r")], session_id="s", remembered=())
            bank.items().put(("p",), "k", {"text": tenant.word}, texts=[f"document about {tenant.word}"])
            self.settle(tenant)

    def settle(self, tenant: Tenant) -> None:
        """Take down how a namespace is now."""
        tenant.state = looked = self.look(tenant)
        tenant.ids |= {memory.id for memory in looked.memories}
        self.owners |= dict.fromkeys(tenant.marks(), tenant)

    def look(self, tenant: Tenant) -> Looked:
        bank = self.engine.bank(tenant.name)
        memories = tuple(bank.list(state="any", limit=10_000))
        with self.engine.services.ledger.reading() as reader:
            relations = sorted(
                (x.source_id, x.target_id, x.type, x.weight) for x in reader.all_relations(bank.namespace)
            )
            feedback = reader.signals(bank.namespace)
            notes = [note.id for level in ("note", "trace") for note in reader.notes(bank.namespace, level)]
        others = (relations, feedback, notes, bank.transcript("s"), bank.items().search(limit=100), bank.runs())
        return Looked(memories, others)

    def step(self) -> None:
        """One operation; then neither its result nor a third namespace shows that others exist."""
        self.steps += 1
        mine, other, third = self.random.sample(self.all, 3)
        name = self.random.choice(sorted(self.acts))
        result = self.acts[name](self.engine.bank(mine.name), mine, other)
        self.settle(mine)
        owners = ((mark, self.owners.get(mark, mine)) for mark in _MARKS.findall(repr(result)))
        leaked = [(mark, owner.name) for mark, owner in owners if owner is not mine]
        assert not leaked, f"{name} on {mine.name!r} shows {leaked}"
        for foreign in (other, third) if self.steps % EVERY == 0 else ():
            assert self.look(foreign) == foreign.state, f"{name} on {mine.name!r} changed {foreign.name!r}"

    def foreign_id(self, other: Tenant) -> str:
        return self.random.choice(sorted(other.ids))

    def own(self, bank: MemoryBank) -> str:
        listed = bank.list(limit=10_000)
        return self.random.choice(sorted(memory.id for memory in listed)) if listed else bank.add("one more").id

    def refused(self, act: Callable[..., Any], *given: Any, **named: Any) -> None:
        with pytest.raises(NotFound):
            act(*given, **named)

    def act_remember(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        text = self.random.choice(SAID).format(mine.word)
        mode = self.random.choice(["auto", "raw", "semantic", "hybrid"])
        report = bank.remember(f"{text} number {self.random.randrange(50)}", session_id="s", ref="r", mode=mode)
        assert {memory.namespace for memory in report.memories} <= {mine.name}
        return report

    def act_add(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.add(f"{mine.word} stated", session_id="s", metadata={"namespace": other.name, "ns": "*"})

    def act_recall(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        query = self.random.choice([f"where is {other.word}?", f"what about {mine.word}?", "who lives where? *%_"])
        mode = self.random.choice(["current", "timeline"])
        found = bank.recall(query, k=50, floor=0, deep=self.random.random() < 0.5, mode=mode, session_id="s")
        assert {item.memory.namespace for item in (*found.results, *found.withheld)} <= {mine.name}
        assert {memory.namespace for memory in found.hot} <= {mine.name}
        mine.recall = found
        assert "this namespace has no memory" in found.missed(self.foreign_id(other))
        return found.results, found.withheld, found.hot, found.context().replace(query, "")

    def act_feedback(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        foreign = other.recall or self.engine.bank(other.name).recall(other.word, floor=0)
        assert bank.feedback(foreign, f"It is {other.word}") == ()
        return bank.feedback(bank.recall(mine.word, floor=0), f"It is {mine.word}")

    def act_credit(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        heard: list[object] = []
        foreign = other.recall or self.engine.bank(other.name).recall(other.word, floor=0)
        bank.credit(foreign, f"It is {other.word}", heard=heard.append, wait=True)
        assert heard == []

    def act_redeem(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        foreign = other.recall or self.engine.bank(other.name).recall(other.word, floor=0)
        redeemed = bank.redeem(foreign.ticket())
        assert (redeemed.results, redeemed.hot) == ((), ())

    def act_settle(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        bank.remember(f"{mine.word} is settled", wait=False)
        return bank.settle()

    def act_session(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        with bank.session("s") as session:
            session.remember(f"{mine.word} is on my mind")
            return session.recall(other.word).working, session.working.items()

    def act_observe(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.observe(f"I moved the {mine.word} to Lisbon in May")

    def act_reflect(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.reflect()

    def act_tick(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.tick()

    def act_consolidate(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        report = bank.consolidate(dry_run=self.random.random() < 0.3)
        mine.run_id = report.run_id or mine.run_id
        return report

    def act_undo(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        if other.run_id:
            self.refused(bank.undo, other.run_id)
        run_id, mine.run_id = mine.run_id, ""
        return bank.undo(run_id) if run_id else None

    def act_runs(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.runs()

    def act_forecast(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.forecast(400)

    def act_audit(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.audit()

    def act_verify_audit(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        trail = bank.verify_audit()
        assert trail.ok, trail.findings
        return trail

    def act_tip_of_tongue(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.tip_of_tongue(other.word, 50).tips

    def act_get(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.get, self.foreign_id(other))
        return bank.get(self.own(bank))

    def act_list(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        page = bank.list(state="any", limit=3, cursor=self.foreign_id(other))
        assert {memory.namespace for memory in page} <= {mine.name}
        return page.memories

    def act_count(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        assert bank.count(state="any") == len(bank.list(state="any", limit=10_000))

    def act_edit(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.edit, self.foreign_id(other), "taken over")
        stated = bank.add(f"{mine.word} before the edit")
        return bank.edit(stated.id, f"{mine.word} edited {self.random.randrange(9)}")

    def act_pin(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.pin, self.foreign_id(other))
        return bank.pin(self.own(bank))

    def act_unpin(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.unpin, self.foreign_id(other))
        return bank.unpin(self.own(bank))

    def act_restore(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.restore, self.foreign_id(other))
        return bank.restore(self.own(bank))

    def act_history(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.history, self.foreign_id(other))
        return bank.history(self.own(bank))

    def act_relations(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.relations, self.foreign_id(other))
        return bank.relations(self.own(bank))

    def act_explain(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.explain, self.foreign_id(other))
        return bank.explain(self.own(bank))

    def act_forget(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.forget, self.foreign_id(other))
        self.refused(bank.forget, other.word, hard=True)
        return bank.forget(self.own(bank), hard=self.random.random() < 0.2)

    def act_forget_session(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.forget_session("s", hard=self.random.random() < 0.1)

    def act_forget_all(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        with pytest.raises(InvalidInput):
            bank.forget_all(confirm=other.name)
        receipt = bank.forget_all(confirm=mine.name, hard=self.random.random() < 0.3)
        mine.run_id = "" if receipt.hard else mine.run_id
        bank.add(f"{mine.word} begins anew")
        return receipt

    def act_keep(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.keep([Turn(f"kept {mine.word}", ref="r")], session_id="s", remembered=())

    def act_transcript(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.transcript("s")

    def act_clear_transcript(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.clear_transcript("s")

    def act_export(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        path = self.folder / "export.jsonl"
        bank.export(path)
        mine.export = path.read_text(encoding="utf-8")
        return mine.export

    def act_import_(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        """One's own copy only: what a person brings over from elsewhere is meant to be here."""
        path = self.folder / "import.jsonl"
        if not mine.export:
            self.act_export(bank, mine, other)
        path.write_text(mine.export, encoding="utf-8")
        return bank.import_(path)

    def act_health(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        health = bank.health()
        assert health["memories"] == bank.count(state="any")
        return {key: value for key, value in health.items() if key != "warnings"}

    def act_items(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        items = bank.items()
        key = self.random.choice(["k", "K", "k ", "%", "*", "k' OR 1=1--"])
        items.write([ItemWrite(("p",), key, {"text": mine.word}, (f"{key} about {mine.word}",))])
        items.delete(("p",), self.random.choice(["%", "*", "_"]))
        got = items.get(("p",), key)
        return got, items.search((), query=other.word, limit=50), items.search(where=lambda _: True), items.paths()


def public(kind: type) -> set[str]:
    """The public methods without their async twins."""
    found = {name for name in dir(kind) if not name.startswith("_") and callable(getattr(kind, name))}
    return {name for name in found if not (name[0] == "a" and name[1:] in found)}


def test_every_public_method_of_a_bank_is_tried() -> None:
    """A new method has to say how it treats what is foreign."""
    acts = {name.removeprefix("act_") for name in dir(Tenants) if name.startswith("act_")}

    assert acts == public(MemoryBank)
    assert public(Items) == {"get", "put", "delete", "write", "search", "paths"}


@pytest.mark.parametrize("indexes", sorted(CONFIGS))
def test_no_operation_shows_counts_or_changes_another_namespace(tmp_path: Path, indexes: str) -> None:
    """FINDINGS B5: another tenant is never returned, counted, changed or deleted; a foreign id is unknown."""
    count, steps = (24, 40) if TIMES == 1 else (200, 125 * TIMES)
    with cogmem.open(
        tmp_path / "bank", embedder=CountingEmbedder(), clock=FrozenClock(), config=CONFIGS[indexes]
    ) as on:
        tenants = Tenants(on, tmp_path, count, seed=len(indexes))
        for number in range(steps):
            tenants.step()
            if number % (40 if TIMES == 1 else 1000) == 39:
                on.sync()
        for tenant in tenants.all:
            assert tenants.look(tenant) == tenant.state, tenant.name
            if count == 24:
                found = on.bank(tenant.name).recall(f"what about {tenant.word}?", k=100, floor=0)
                assert {item.memory.namespace for item in found.results} <= {tenant.name}


def test_every_look_alike_is_a_namespace_of_its_own(tmp_path: Path) -> None:
    """Compared whole and byte by byte: neither case nor Unicode form nor a wildcard makes two names one."""
    every = [*dict.fromkeys((*LOOK_ALIKES, *(unicodedata.normalize(form, "é") for form in ("NFC", "NFD"))))]
    with cogmem.open(tmp_path / "bank", embedder=CountingEmbedder(), config=MANUAL) as engine:
        for number, name in enumerate(every):
            engine.bank(name).add(canary(number))

        assert sorted(engine.namespaces()) == sorted(every)
        for number, name in enumerate(every):
            assert [memory.content for memory in engine.bank(name).list()] == [canary(number)]
            found = engine.bank(name).recall(canary((number + 1) % len(every)), floor=0, deep=True)
            assert {item.content for item in found.results} <= {canary(number)}


def test_a_namespace_without_memories_is_one(engine: Engine) -> None:
    """What waits to be encoded, notes, transcripts and documents belong to somebody, too."""
    engine.bank("notes").observe("Maybe Emma visits Oslo tomorrow.")
    engine.bank("kept").keep([Turn("Hello")], session_id="s1")
    engine.bank("skipped").remember("Good morning!")
    engine.bank("items").items().put(("a",), "b", {"c": 1})
    engine.bank("memories").remember("I moved to Lisbon.")
    assert engine.namespaces() == ["items", "kept", "memories", "notes", "skipped"]


@pytest.mark.parametrize(
    "name", ["", " ", "\t", "a\nb", "a\x00b", "a\x7f", "\ud800", "a" * 257, None, 1, b"a", ["a"], {}]
)
def test_what_is_no_name_is_refused(engine: Engine, name: object) -> None:
    """FINDINGS B5: a typed error at the edge, and nothing is written."""
    with pytest.raises(InvalidInput, match="namespace"):
        engine.bank(name)  # type: ignore[arg-type]

    assert engine.namespaces() == []


@pytest.fixture
def engine() -> Iterator[Engine]:
    with cogmem.open(embedder=CountingEmbedder(), config=MANUAL) as engine:
        yield engine


def history(engine: Engine, name: str, word: str) -> tuple[object, ...]:
    """The same life in whatever company; returns everything that statistics, caches and calibration have a say in."""
    bank = engine.bank(name)
    bank.remember([f"I keep the {word} of {place} in a box" for place in ("Lisbon", "Oslo", "Rome", "Kars", "Bonn")])
    for number in range(25):
        found = bank.recall(f"where is the {word} of Rome, time {number}?", floor=0)
        bank.feedback(found, f"The {word} of Rome is in a box.")
    bank.consolidate()
    found = bank.recall(f"where is the {word} of Rome?", floor=0)
    told = [(x.content, x.score, x.confidence, dict(x.signals), x.memory.utility) for x in found.results]
    health = bank.health()
    return (
        told,
        found.confidence,
        [memory.content for memory in found.hot],
        health["retention_histogram"],
        found.context(),
    )


def test_statistics_caches_hot_tier_and_calibration_know_one_namespace(clock: FrozenClock) -> None:
    """SPEC, principle 6: the same life gives the same answers, alone and amid look-alikes that live otherwise."""
    config = dataclasses.replace(
        MANUAL,
        feedback=dataclasses.replace(MANUAL.feedback, calibrate_from=20, calibrate_prior=1.0),
        retrieval=dataclasses.replace(
            MANUAL.retrieval, hot=dataclasses.replace(MANUAL.retrieval.hot, accesses=3, utility=0.5, seconds=0)
        ),
    )
    assert _amid(config, clock, ()) == _amid(config, clock, LOOK_ALIKES[:30])


def _amid(config: Config, clock: FrozenClock, others: tuple[str, ...]) -> tuple[object, ...]:
    with cogmem.open(embedder=CountingEmbedder(), config=config, clock=clock) as engine:
        for name in others:
            bank = engine.bank(name)
            if name != "a":
                bank.remember([f"I lost the canary of {place} on Sunday" for place in ("Rome", "Paris")])
                for _ in range(3):
                    bank.feedback(bank.recall("where is the canary of Rome?", floor=0), "I do not know.")
        told = history(engine, "a", "canary")
        assert told[2], "the hot tier has something to show"
        return told
