"""Namespaces that look alike, each with a canary; every public method of a bank on them with what is foreign."""

import dataclasses
import random
import re
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cogmem_core import Engine, InvalidInput, Memory, MemoryBank, NotFound, Recall, Turn
from cogmem_core.results import ItemWrite
from cogmem_core.storage.ledger.memories import Filter
from helpers.tables import rows_of

LOOK_ALIKES = (
    *rows_of("lookalike_namespaces/look_alikes"),
    "a" * 255,
    "a" * 256,
    "\U0001f600" * 256,
)
SAID = rows_of("lookalike_namespaces/said")
READS = frozenset(rows_of("lookalike_namespaces/reads"))
"""Acts that change nothing, not even the namespace they are done on; each of them is held to that."""
SELDOM = frozenset(rows_of("lookalike_namespaces/seldom"))
"""Acts on a whole namespace; half as likely as each of the others."""


def names(count: int) -> list[str]:
    """So many distinct names, the look-alikes first, then longer and longer prefixes of one another."""
    return [*dict.fromkeys((*LOOK_ALIKES, *(f"a{'b' * length}" for length in range(1, 256))))][
        :count
    ]


def canary(number: int) -> str:
    """A word that stands nowhere else, and that no tokeniser splits."""
    return "zq" + "".join(chr(ord("a") + int(digit)) for digit in f"{number:04d}") + "x"


_LONG_AGO = datetime(2000, 1, 1, tzinfo=timezone.utc)
_FAR_AHEAD = datetime(2100, 1, 1, tzinfo=timezone.utc)
_MARKS = re.compile(r"zq[a-j]{4}x|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""What `Tenant.marks` are made of."""


class Looked(NamedTuple):
    """Everything that a namespace holds, as it is at one moment."""

    memories: tuple[Memory, ...]
    others: tuple[object, ...]

    def active(self) -> list[str]:
        return [memory.id for memory in self.memories if memory.state == "active"]


@dataclasses.dataclass
class Tenant:
    """One namespace, what only it may show, and what others try to reach it with."""

    name: str
    word: str
    recall: Recall | None = None
    run_id: str = ""
    intention: str = ""
    task_run: str = ""
    procedure: str = ""
    export: str = ""
    ids: dict[str, None] = dataclasses.field(default_factory=dict)
    state: Looked = dataclasses.field(default_factory=lambda: Looked((), ()))


class Tenants:
    """Acts on random namespaces with what belongs to others; remembers how each one was left."""

    def __init__(self, engine: Engine, folder: Path, count: int, seed: int, every: int) -> None:
        """`every`: after so many operations what others hold is looked at."""
        self.engine, self.folder, self.random = engine, folder, random.Random(seed)
        self.steps, self.every = 0, every
        self.all = [Tenant(name, canary(number)) for number, name in enumerate(names(count))]
        self.owners = {tenant.word: tenant for tenant in self.all}
        self.acts: dict[str, Callable[[MemoryBank, Tenant, Tenant], Any]] = {
            name.removeprefix("act_"): getattr(self, name)
            for name in dir(self)
            if name.startswith("act_")
        }
        self.weights = [1 if name in SELDOM else 2 for name in self.acts]
        for tenant in self.all:
            bank = engine.bank(tenant.name)
            bank.remember([text.format(tenant.word) for text in SAID], session_id="s")
            bank.append_messages(
                [Turn(f"kept {tenant.word}", ref="r")], session_id="s", remembered=()
            )
            bank.items().put(
                ("p",), "k", {"text": tenant.word}, texts=[f"document about {tenant.word}"]
            )
            self.settle(tenant)

    def settle(self, tenant: Tenant) -> None:
        """Take down how a namespace is now."""
        tenant.state = self.look(tenant)
        for memory in tenant.state.memories:
            tenant.ids[memory.id] = None
            assert self.owners.setdefault(memory.id, tenant) is tenant, (
                f"{tenant.name!r} holds what belongs to another"
            )

    def look(self, tenant: Tenant) -> Looked:
        """The whole namespace in one snapshot."""
        name = tenant.name
        with self.engine.services.ledger.whole() as reader:
            memories = tuple(reader.at(name).memories.page(Filter(states=None), limit=10_000))
            relations = sorted(
                (x.source_id, x.target_id, x.type, x.weight)
                for x in reader.at(name).relations.all()
            )
            notes = [
                note.id
                for level in ("note", "trace")
                for note in reader.at(name).notes.of_level(level)
            ]
            kept, items = (
                reader.at(name).transcripts.of_session("s"),
                list(reader.at(name).documents.below()),
            )
            return Looked(
                memories,
                (
                    relations,
                    reader.at(name).feedback.signals(),
                    notes,
                    reader.at(name).reviews.all(),
                    kept,
                    items,
                    reader.at(name).procedures.all(),
                    reader.at(name).intentions.all(),
                    reader.at(name).runs.newest(20),
                ),
            )

    def step(self) -> None:
        """One operation; then neither its result nor a third namespace shows that others exist."""
        self.steps += 1
        mine, other, third = self.random.sample(self.all, 3)
        (name,) = self.random.choices([*self.acts], self.weights)
        result = self.acts[name](self.engine.bank(mine.name), mine, other)
        if name not in READS:
            self.settle(mine)
        owners = (
            (mark, self.owners.setdefault(mark, mine)) for mark in _MARKS.findall(repr(result))
        )
        leaked = [(mark, owner.name) for mark, owner in owners if owner is not mine]
        assert not leaked, f"{name} on {mine.name!r} shows {leaked}"
        looked = (mine, other, third) if name in READS else (other, third)
        for tenant in looked if self.steps % self.every == 0 else ():
            assert self.look(tenant) == tenant.state, (
                f"{name} on {mine.name!r} changed {tenant.name!r}"
            )

    def check(self, tenant: Tenant) -> None:
        """What the public methods show of a whole namespace is what it was left with."""
        bank, state = self.engine.bank(tenant.name), tenant.state
        assert self.look(tenant) == state, tenant.name
        assert tuple(bank.list(state="any", limit=10_000)) == state.memories, tenant.name
        shown = (
            list(bank.transcript("s")),
            list(bank.items().search(limit=10_000)),
            list(bank.procedures()),
            list(bank.intentions()),
            list(bank.consolidation_runs()),
        )
        assert shown == state.others[-5:], tenant.name

    def foreign_id(self, other: Tenant) -> str:
        return self.random.choice([*other.ids])

    def recalled(self, other: Tenant) -> Recall:
        other.recall = other.recall or self.engine.bank(other.name).recall(other.word, floor=0)
        return other.recall

    def own(self, bank: MemoryBank, mine: Tenant) -> str:
        if not mine.state.active():
            bank.add("one more")
            self.settle(mine)
        return self.random.choice(mine.state.active())

    def refused(self, act: Callable[..., Any], *given: Any, **named: Any) -> None:
        with pytest.raises(NotFound):
            act(*given, **named)

    def act_remember(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        text = self.random.choice(SAID).format(mine.word)
        mode = self.random.choice(["auto", "raw", "semantic", "hybrid"])
        report = bank.remember(
            f"{text} number {self.random.randrange(50)}", session_id="s", ref="r", mode=mode
        )
        assert {memory.namespace for memory in report.memories} <= {mine.name}
        return report

    def act_add(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.add, "derived", support=[self.foreign_id(other)])
        return bank.add(
            f"{mine.word} stated",
            session_id="s",
            speaker=mine.word,
            tags=["shared"],
            metadata={"namespace": other.name, "ns": "*"},
        )

    def act_recall(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        query = self.random.choice(
            [f"where is {other.word}?", f"what about {mine.word}?", "who lives where? *%_"]
        )
        mode = self.random.choice(["current", "timeline"])
        found = bank.recall(
            query, k=50, floor=0, deep=self.random.random() < 0.5, mode=mode, session_id="s"
        )
        assert {item.memory.namespace for item in (*found.results, *found.withheld)} <= {mine.name}
        assert {memory.namespace for memory in found.hot} <= {mine.name}
        mine.recall = found
        assert "this namespace has no memory" in found.missed(self.foreign_id(other))
        filters = self.filters(mine, other)
        allowed = {memory.id for memory in bank.list(state="any", limit=10_000, **filters)}
        if "session_id" in filters:
            filters["only_session"] = filters.pop("session_id")
        narrowed = bank.recall(query, k=50, floor=0, deep=True, **filters)
        assert {item.memory.id for item in narrowed.results} <= allowed
        return found.results, found.withheld, found.hot, found.context().replace(query, "")

    def act_feedback(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        heard: list[object] = []
        foreign = self.recalled(other)
        for recall in (foreign, Recall.from_json(foreign.to_json())):
            assert bank.feedback(recall, f"It is {other.word}", heard=heard.append) == ()
        assert heard == []
        return bank.feedback(bank.recall(mine.word, floor=0), f"It is {mine.word}")

    def act_finish_pending(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        bank.remember(f"{mine.word} is settled", wait=False)
        return bank.finish_pending()

    def act_as_retriever(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        documents = bank.as_retriever(k=5).invoke(other.word)
        return [document.page_content for document in documents]

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

    def act_consolidation_changes(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        if other.run_id:
            self.refused(bank.consolidation_changes, other.run_id)
        return bank.consolidation_changes(mine.run_id) if mine.run_id else None

    def act_consolidation_runs(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.consolidation_runs()

    def act_forecast(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.forecast(400)

    def act_learnt(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.learnt(_LONG_AGO, limit=1_000).lines, bank.learnt(session_id="s").lines

    def act_doubts(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.doubts()

    def act_asked(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        bank.remember(f"I live in {mine.word.capitalize()}.")
        for doubt in self.engine.bank(other.name).doubts():
            self.refused(bank.asked, doubt.id)
        return [bank.asked(doubt.id) for doubt in bank.doubts()]

    def act_profile(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return str(bank.profile()), str(bank.profile("my friend"))

    def act_verify_erasures(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.verify_erasures(probe=mine.word)

    def act_incognito(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        bank.incognito().remember(f"{mine.word} stays off the record")
        return bank.incognito().recall(other.word).working

    def act_audit(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.audit()

    def act_intend(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        kept = bank.intend(f"tell of {mine.word}", on_session=True, session_id="s", times=1)
        self.owners[kept.id] = mine
        mine.intention = kept.id
        return kept

    def act_due(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.due(f"{other.word} {mine.word}", session_id="s2")

    def act_settle(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        if other.intention:
            self.refused(bank.settle, other.intention, "done")
        return bank.intend(f"settle {mine.word}", when=mine.word)

    def act_intentions(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        found = bank.intentions()
        assert {intention.namespace for intention in found} <= {mine.name}
        return found

    def act_observe_run(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        calls = [{"tool": "find", "arguments": {"what": mine.word}}, {"tool": mine.word}]
        session = self.random.choice(["s", "s2", "s3"])
        run = bank.observe_run(f"find the {mine.word}", calls, session_id=session, ok=True)
        self.owners[run.id] = mine
        mine.task_run = run.id
        for procedure in bank.procedures():
            self.owners[procedure.id] = mine
            mine.procedure = procedure.id
        return run

    def act_outcome(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        if other.task_run:
            self.refused(bank.outcome, other.task_run, True)
        return bank.outcome(mine.task_run, True) if mine.task_run else None

    def act_reviews(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.reviews(None)

    def act_approve(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        for review in self.engine.bank(other.name).reviews(None):
            self.refused(bank.approve, review.id)
        waiting = bank.reviews()
        return bank.approve(waiting[0].target_id) if waiting else None

    def act_reject(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        for review in self.engine.bank(other.name).reviews(None):
            self.refused(bank.reject, review.target_id)
        waiting = bank.reviews()
        return bank.reject(waiting[-1].id) if waiting else None

    def act_procedures(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.procedures(), bank.recall(f"find the {other.word}", session_id="s9").procedures

    def act_export_procedure(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        if other.procedure:
            self.refused(bank.export_procedure, other.procedure, self.folder)
            self.refused(bank.settle, other.procedure, "rejected")
        if not mine.procedure:
            return None
        return bank.export_procedure(mine.procedure, self.folder).read_text(encoding="utf-8")

    def act_verify_audit(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        trail = bank.verify_audit()
        assert trail.ok, trail.findings
        return trail

    def act_tip_of_tongue(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.tip_of_tongue(other.word, 50).tips

    def act_get(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.get, self.foreign_id(other))
        return bank.get(self.own(bank, mine))

    def act_list(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        assert tuple(bank.list(state="any", limit=10_000)) == mine.state.memories
        page = bank.list(state="any", limit=3, cursor=self.foreign_id(other))
        assert {memory.namespace for memory in page} <= {mine.name}
        left = bank.list(state="any", limit=10_000, **self.filters(mine, other)).memories
        assert {memory.id for memory in left} <= {memory.id for memory in mine.state.memories}
        return *page.memories, *left

    def act_count(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        assert bank.count(state="any") == len(mine.state.memories)
        filters = self.filters(mine, other)
        left = bank.list(state="any", limit=10_000, **filters)
        assert bank.count(state="any", **filters) == len(left)

    def filters(self, mine: Tenant, other: Tenant) -> dict[str, Any]:
        """What every namespace holds as well, and what only one of the two does."""
        return self.random.choice(
            [
                {"where": {"namespace": other.name}},
                {"where": {"$or": [{"namespace": mine.name}, {"ns": "*"}]}},
                {"where": {"$not": {"ns": {"$exists": True}}}},
                {"where": {"namespace": {"$in": [other.name, mine.name]}}},
                {"speaker": other.word},
                {"session_id": "s"},
                {"tags": ["shared"]},
                {"categories": ["fact", "plan", "decision", "preference"]},
                {"since": _LONG_AGO, "until": _FAR_AHEAD},
            ]
        )

    def act_edit(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.edit, self.foreign_id(other), "taken over")
        stated = bank.add(f"{mine.word} before the edit")
        return bank.edit(stated.id, f"{mine.word} edited {self.random.randrange(9)}")

    def act_supersede(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.supersede, self.foreign_id(other), "taken over")
        stated = bank.add(f"{mine.word} before the change")
        return bank.supersede(stated.id, f"{mine.word} changed {self.random.randrange(9)}")

    def act_seal(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.seal(f"{mine.word} alone")

    def act_unseal(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        bank.seal(f"{mine.word} no more")
        return bank.unseal(f"{mine.word} no more")

    def act_seals(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.seals()

    def act_end(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.end, self.foreign_id(other))
        return bank.end(bank.add(f"{mine.word} for a while").id)

    def act_pin(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.pin, self.foreign_id(other))
        return bank.pin(self.own(bank, mine))

    def act_unpin(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.unpin, self.foreign_id(other))
        return bank.unpin(self.own(bank, mine))

    def act_restore(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.restore, self.foreign_id(other))
        return bank.restore(self.own(bank, mine))

    def act_settle_versions(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.settle_versions, self.foreign_id(other))
        return bank.settle_versions(self.own(bank, mine))

    def act_hold(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.hold, self.foreign_id(other))
        return bank.hold(self.own(bank, mine))

    def act_why_allowed(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.engine.add_principal("ann")
        self.refused(bank.why_allowed, "ann", self.foreign_id(other))
        return bank.why_allowed("ann", self.own(bank, mine))

    def act_versions(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.versions, self.foreign_id(other))
        return bank.versions(self.own(bank, mine))

    def act_history(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.history, self.foreign_id(other))
        return bank.history(self.own(bank, mine))

    def act_relations(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.relations, self.foreign_id(other))
        return bank.relations(self.own(bank, mine))

    def act_explain(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.explain, self.foreign_id(other))
        return bank.explain(self.own(bank, mine))

    def act_forget(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        self.refused(bank.forget, self.foreign_id(other))
        self.refused(bank.forget, other.word, hard=True)
        for speaker in (other.word, "*", "%"):
            self.refused(bank.forget, speaker=speaker)
        filters = self.filters(mine, other)
        if self.random.random() < 0.2 and bank.count(**filters):
            return bank.forget(**filters)
        return bank.forget(self.own(bank, mine), hard=self.random.random() < 0.1)

    def act_forget_matching(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        assert bank.forget_matching(self.foreign_id(other), dry_run=True).memory_ids == ()
        return bank.forget_matching(self.own(bank, mine), dry_run=self.random.random() < 0.5)

    def act_forget_session(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.forget_session("s", hard=self.random.random() < 0.3)

    def act_forget_all(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        with pytest.raises(InvalidInput):
            bank.forget_all(confirm=other.name)
        receipt = bank.forget_all(confirm=mine.name, hard=self.random.random() < 0.2)
        mine.run_id = "" if receipt.hard else mine.run_id
        bank.add(f"{mine.word} begins anew")
        return receipt

    def act_append_messages(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.append_messages(
            [Turn(f"kept {mine.word}", ref="r")], session_id="s", remembered=()
        )

    def act_transcript(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.transcript("s")

    def act_clear_transcript(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        return bank.clear_transcript("s")

    def act_export(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        path = self.folder / "export.jsonl"
        bank.export(path)
        mine.export = path.read_text(encoding="utf-8")
        filters = self.filters(mine, other)
        bank.export(path, **filters)
        vault = self.folder / f"vault {mine.word}"
        bank.export(vault, "markdown")
        files = [file.read_text(encoding="utf-8") for file in sorted(vault.rglob("*.md"))]
        return mine.export, path.read_text(encoding="utf-8"), files

    def act_import_(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        """One's own copy only: what a person brings over from elsewhere is meant to be here."""
        path = self.folder / "import.jsonl"
        if not mine.export:
            self.act_export(bank, mine, other)
        path.write_text(mine.export, encoding="utf-8")
        return bank.import_(path)

    def act_health(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        health = bank.health()
        assert health["memories"] == len(mine.state.memories)
        return {key: value for key, value in health.items() if key != "warnings"}

    def act_items(self, bank: MemoryBank, mine: Tenant, other: Tenant) -> Any:
        items = bank.items()
        key = self.random.choice(["k", "K", "k ", "%", "*", "k' OR 1=1--"])
        items.write([ItemWrite(("p",), key, {"text": mine.word}, (f"{key} about {mine.word}",))])
        items.put(("ends",), key, {"text": mine.word}, ttl=1e9, vector=[1.0, 2.0])
        items.delete(("p",), self.random.choice(["%", "*", "_"]))
        got = items.get(("p",), key)
        return (
            got,
            items.search((), query=other.word, limit=50),
            items.search(where=lambda _: True),
            items.search(("ends",), vector=[1.0, 2.0], refresh=True),
            items.search(query=other.word, words=1.0),
            items.drop_ended(),
            items.paths(),
        )
