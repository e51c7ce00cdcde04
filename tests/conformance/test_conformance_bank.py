"""What a bank does, on each kind of store alike: every public method, with the values that it must return."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from cogmem_core import Engine, InvalidInput, MemoryBank, NotFound, Protected, Recall, Turn
from cogmem_core.results import ItemWrite
from cogmem_core.testing import FrozenClock
from helpers.tables import each_case_of

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
SPRING = datetime(2026, 3, 3, 8, 30, 15, 123456, tzinfo=timezone.utc)
Reopen = Callable[..., Engine]


def texts(bank: MemoryBank, **which: object) -> list[str]:
    return [memory.content for memory in bank.list(state="any", limit=500, **which)]  # type: ignore[arg-type]


def found(bank: MemoryBank, query: str, **how: object) -> list[str]:
    recall = bank.recall(query, floor=0, **how)  # type: ignore[arg-type]
    assert recall.degraded == ()
    return [result.content for result in recall.results]


class TestRemembering:
    def test_a_turn_is_stored_then_reinforced_then_superseded(self, bank: MemoryBank) -> None:
        """The gate's decisions."""
        said = ["I live in Lisbon", "I live in Lisbon", "I live in Porto now"]
        assert [bank.remember(text).receipts[0].status for text in said] == [
            "stored",
            "reinforced",
            "superseded",
        ]
        assert {memory.content: memory.state for memory in bank.list(state="any")} == {
            "I live in Lisbon": "superseded",
            "I live in Porto now": "active",
        }
        assert bank.list().memories[0].access_count == 0
        assert [
            (r.type, bank.get(r.target_id).content)
            for r in bank.relations(bank.list().memories[0].id)
        ] == [("contradicts", "I live in Lisbon"), ("supersedes", "I live in Lisbon")]

    def test_a_chain_of_versions_and_its_end(self, bank: MemoryBank) -> None:
        """Both statements stay until somebody settles which of them holds."""
        for text in ("I prefer window seats on planes.", "I prefer aisle seats on planes."):
            bank.remember(text)
        newest, older = bank.versions(bank.list().memories[0].id)
        assert (newest.content, older.content) == (
            "I prefer aisle seats on planes.",
            "I prefer window seats on planes.",
        )
        assert bank.settle_versions(keep=newest.id).memory_ids == (older.id,)
        assert bank.get(older.id).state == "superseded"

    @each_case_of("conformance_bank/every_mode_stores_what_it_says")
    def test_every_mode_stores_what_it_says(
        self, bank: MemoryBank, mode: str, stored: list[str]
    ) -> None:
        """Raw, semantic, auto."""
        bank.remember("I like tea and my sister Ana lives in Rome", mode=mode)
        assert texts(bank) == stored

    def test_a_batch_has_a_receipt_per_turn_and_keeps_what_came_with_it(
        self, bank: MemoryBank
    ) -> None:
        """API: speaker, at, session_id, ref and metadata come back."""
        turn = Turn(
            "The flat costs 1450.55 euros",
            speaker="Zoë",
            at=SPRING,
            session_id="s1",
            ref="t1",
            metadata={"n": 0.1},
        )
        report = bank.remember([turn, "ok", "My cat is called Pamuk"])
        assert [receipt.status for receipt in report.receipts] == ["stored", "skipped", "stored"]
        memory = bank.get(report.receipts[0].memory_ids[0])
        assert (memory.speaker, memory.recorded_at, memory.session_id) == ("Zoë", SPRING, "s1")
        assert memory.created_at == NOON
        assert bank.recall("flat costs euros", floor=0).results[0].refs == ("t1",)

    def test_what_is_left_to_the_worker_is_there_after_a_flush(
        self, engine: Engine, bank: MemoryBank
    ) -> None:
        """API: wait=False answers `queued`."""
        engine.pause()
        assert (
            bank.remember("The bridge is closed until May", wait=False).receipts[0].status
            == "queued"
        )
        assert (bank.count(), bank.health()["queue_length"]) == (0, 1)
        engine.resume()
        engine.flush()
        assert (texts(bank), bank.health()["queue_length"]) == (
            ["The bridge is closed until May"],
            0,
        )
        bank.remember("The tunnel is open", wait=False)
        bank.finish_pending()
        assert bank.count() == 2

    def test_a_memory_can_be_stated_as_it_is(self, bank: MemoryBank) -> None:
        """API: `add` knows neither observer nor gate; every field comes back as it was given."""
        given = {
            "category": "decision",
            "importance": 0.1 + 0.2,
            "tags": ("b", "a"),
            "tier": "semantic",
        }
        memory = bank.add(
            "We use PostgreSQL",
            **given,
            pinned=True,
            immutable=True,
            valid_from=SPRING,
            valid_until=NOON + timedelta(days=9),
            metadata={"deep": {"list": [1, 2.5, None, "ü"]}},
        )
        assert bank.get(memory.id) == memory
        assert (memory.importance, memory.tags, memory.tier) == (
            0.30000000000000004,
            ("b", "a"),
            "semantic",
        )
        assert (memory.pinned, memory.immutable, memory.valid_from) == (True, True, SPRING)
        assert memory.metadata == {"deep": {"list": [1, 2.5, None, "ü"]}}
        with pytest.raises(Protected, match="immutable"):
            bank.edit(memory.id, "We use SQLite")


class TestRecalling:
    def filled(self, bank: MemoryBank, clock: FrozenClock) -> None:
        bank.add("The blue boat is fast", category="fact", tags=["boat"], session_id="s1")
        bank.add("Ana likes the blue boat", category="preference", tags=["ana", "boat"])
        old = bank.remember("I live in Lisbon").memories[0]
        clock.advance(days=10)
        bank.remember("I live in Porto")
        assert bank.get(old.id).state == "superseded"

    def test_by_words_and_vectors_with_filters(self, bank: MemoryBank, clock: FrozenClock) -> None:
        """K, categories, tags, session."""
        self.filled(bank, clock)
        assert found(bank, "blue boat")[:2] == ["The blue boat is fast", "Ana likes the blue boat"]
        assert found(bank, "blue boat", categories=["preference"]) == ["Ana likes the blue boat"]
        assert found(bank, "blue boat", tags=["ana"]) == ["Ana likes the blue boat"]
        assert len(found(bank, "blue boat", k=1)) == 1
        assert found(bank, "blue boat", session_id="s1", k=1) == ["The blue boat is fast"]
        assert (
            bank.recall("hi").empty_reason
            == "there is nothing to look up: the query is a mere greeting"
        )

    def test_in_every_mode_of_time(self, bank: MemoryBank, clock: FrozenClock) -> None:
        """Current, timeline, as_of, known_at, deep."""
        self.filled(bank, clock)
        old, new = "I live in Lisbon", "I live in Porto"
        assert found(bank, "where do I live", k=1) == [new]
        assert old not in found(bank, "where do I live")
        timeline = found(bank, "where do I live", mode="timeline")
        assert [text for text in timeline if text in (old, new)] == [new, old]
        assert found(bank, "where do I live", as_of=NOON + timedelta(days=5), k=1) == [old]
        assert found(bank, "where do I live", known_at=NOON + timedelta(days=5), k=1) == [old]
        assert set(found(bank, "where do I live", deep=True)) >= {old, new}

    def test_a_context_and_its_explanation(self, bank: MemoryBank) -> None:
        """API: Recall.context, explain, max_tokens, deadline, mood."""
        bank.remember("My bicycle is red")
        recall = bank.recall("bicycle", max_tokens=200, deadline=60.0, mood=0.5)
        assert "My bicycle is red" in recall.context()
        assert "My bicycle is red" in recall.explain()
        assert [tip.memory.content for tip in bank.tip_of_tongue("bicycle").tips] == []


class TestLearning:
    def test_feedback_counts_once_and_moves_utility(self, bank: MemoryBank) -> None:
        """A use counts 1 beside a prior of 4 in 8, and counts once; what was only shown stays as it is."""
        used = bank.remember("My bicycle is crimson and fast").memories[0]
        unused = bank.remember("Someone repaired the bicycle tyre yesterday evening").memories[0]
        recall = bank.recall("bicycle", floor=0)
        answer = "Your bicycle is crimson and fast."
        assert {row.memory_id: row.signal for row in bank.feedback(recall, answer)} == {
            used.id: "used",
            unused.id: "unjudged",
        }
        assert bank.feedback(recall, answer) == ()
        assert (bank.get(used.id).utility, bank.get(unused.id).utility) == pytest.approx(
            (5 / 9, 0.5), abs=1e-12
        )
        assert (bank.get(used.id).used_count, bank.get(unused.id).ignored_streak) == (1, 0)

    def test_feedback_is_given_in_passing_also_for_json(
        self, engine: Engine, bank: MemoryBank
    ) -> None:
        """API: feedback, to_json, from_json, flush."""
        memory = bank.remember("My bicycle is crimson and fast").memories[0]
        values = json.loads(json.dumps(bank.recall("bicycle", floor=0).to_json()))
        bank.feedback(Recall.from_json(values), "It is crimson and fast.", wait=False)
        engine.flush()
        assert bank.get(memory.id).used_count == 1

    def test_a_bank_is_a_retriever_of_a_framework(self, bank: MemoryBank) -> None:
        """API: as_retriever."""
        bank.add("The spare key hangs behind the clock.")
        (document,) = bank.as_retriever(k=1).invoke("Where does the spare key hang?")
        assert document.page_content == "The spare key hangs behind the clock."

    def test_a_session_has_working_memory_and_can_be_forgotten(self, bank: MemoryBank) -> None:
        """Working memory; API: session, forget_session."""
        with bank.session("s1") as session:
            session.remember("The train leaves at noon")
            assert (
                session.recall("when does the train leave", floor=0).results[0].memory.session_id
                == "s1"
            )
        bank.remember("The boat leaves at ten", session_id="s2")
        assert len(bank.forget_session("s1").memory_ids) == 1
        assert [memory.content for memory in bank.list()] == ["The boat leaves at ten"]

    def test_what_is_observed_becomes_memories_when_reflected_on(self, bank: MemoryBank) -> None:
        """Agentos: notes wait, reflections are memories."""
        report = bank.observe(["hi", Turn("I live in Porto.", speaker="Ana", ref="t1")])
        assert (len(report.notes), bank.count()) == (1, 0)
        assert len(bank.reflect().memory_ids) == 1
        assert texts(bank) == ["Ana lives in Porto."]
        assert bank.reflect().memory_ids == ()


class TestDreaming:
    def crowd(self, bank: MemoryBank, clock: FrozenClock) -> None:
        """Two equal texts, and one that is over."""
        bank.add("The oven is broken", importance=0.2)
        bank.add("The oven is broken", importance=0.2)
        bank.add("The fair is on", valid_until=NOON + timedelta(days=5))
        clock.advance(days=3)

    def test_a_dry_run_tells_what_the_cycle_does_and_undo_takes_it_back(
        self, bank: MemoryBank, clock: FrozenClock, tmp_path: Path
    ) -> None:
        """Dry-run, duplicates, expiry, undo."""
        self.crowd(bank, clock)
        clock.advance(days=3)
        before = _exported(bank, tmp_path)
        dry = bank.consolidate(dry_run=True)
        assert (dry.dry_run, _exported(bank, tmp_path)) == (True, before)
        done = bank.consolidate()
        assert [(c.step, c.kind, c.content) for c in done.changes] == [
            (c.step, c.kind, c.content) for c in dry.changes
        ]
        assert [step.error for step in done.steps.values() if step.error] == []
        assert (done.expired, done.merged) == (1, 1)
        assert [memory.content for memory in bank.list()] == ["The oven is broken"]
        assert [(run.state, run.cause) for run in bank.consolidation_runs()] == [("done", "manual")]
        recorded = bank.consolidation_changes(done.run_id)
        assert [(c.kind, c.content) for c in recorded if c.kind == "retire"] == [
            (c.kind, c.content) for c in done.changes if c.kind == "retire"
        ]
        undone = bank.undo(done.run_id)
        assert (len(undone.restored), undone.removed, undone.kept) == (2, (), {})
        assert _exported(bank, tmp_path) == before
        with pytest.raises(InvalidInput, match="undone"):
            bank.undo(done.run_id)

    def test_a_tick_a_forecast_and_an_audit(self, bank: MemoryBank, clock: FrozenClock) -> None:
        """The cheap part; what will happen; what a person should look at."""
        self.crowd(bank, clock)
        assert [(event.content, event.when) for event in bank.forecast(days=3).events] == [
            ("The fair is on", NOON + timedelta(days=5))
        ]
        audit = bank.audit()
        assert (audit.duplicates.count, audit.queued) == (1, 0)
        assert [line.words for line in bank.learnt(NOON, limit=1)] == ["The fair is on"]
        clock.advance(days=3)
        assert bank.tick().expired == 1
        assert bank.count() == 2


def _exported(bank: MemoryBank, folder: Path) -> str:
    path = folder / "export.jsonl"
    bank.export(path)
    return path.read_text(encoding="utf-8")


class TestKeeping:
    def test_edit_pin_restore_history_and_explain(
        self, bank: MemoryBank, clock: FrozenClock
    ) -> None:
        """API: what a person does to single memories."""
        memory = bank.add("The key is under the mat")
        clock.advance(hours=1)
        edited = bank.edit(memory.id, "The key is in the shed")
        assert (edited.version, edited.updated_at) == (2, NOON + timedelta(hours=1))
        assert (bank.pin(memory.id).pinned, bank.unpin(memory.id).pinned) == (True, False)
        assert bank.forget(memory.id).memory_ids == (memory.id,)
        assert bank.get(memory.id).state == "forgotten"
        assert bank.restore(memory.id).state == "active"
        history = bank.history(memory.id)
        assert [version.content for version in history.versions] == ["The key is under the mat"]
        assert [change.kind for change in history.changes] == [
            "put",
            "rewrite",
            "touch",
            "touch",
            "retire",
            "revive",
        ]
        assert bank.explain(memory.id).retention == 1.0
        with pytest.raises(NotFound):
            bank.get("01970000-0000-7000-8000-000000000000")

    def test_one_memory_takes_the_place_of_another(self, bank: MemoryBank) -> None:
        """API: supersede, end; the former one stays in the timeline and points to the new one, if there is one."""
        old = bank.add("I drive a Saab")
        new = bank.supersede(old.id, "I drive a Volvo")
        former = bank.get(old.id)
        assert (new.content, new.state, new.version) == ("I drive a Volvo", "active", 1)
        assert (former.content, former.state, former.superseded_by, former.valid_until) == (
            "I drive a Saab",
            "superseded",
            new.id,
            NOON,
        )
        with pytest.raises(InvalidInput):
            bank.supersede(old.id, "I drive a Fiat")
        assert texts(bank) == ["I drive a Saab", "I drive a Volvo"]
        ended = bank.end(new.id)
        assert (ended.state, ended.superseded_by, ended.valid_until) == ("superseded", None, NOON)

    def test_what_a_query_may_mean(self, bank: MemoryBank) -> None:
        """API: forget_matching; a dry run changes nothing, and what was forgotten can be restored."""
        mine = bank.remember("My salary is 4,200 euros").memories[0]
        bank.remember("My boss's salary is 9,000 euros")
        shown = bank.forget_matching("my salary", dry_run=True)
        assert (shown.memory_ids, shown.hard) == ((mine.id,), False)
        assert bank.count() == 2
        assert bank.forget_matching("Please forget my salary").memory_ids == (mine.id,)
        assert [memory.content for memory in bank.list()] == ["My boss's salary is 9,000 euros"]
        assert bank.restore(mine.id).state == "active"
        assert bank.forget_matching("my horse").memory_ids == ()

    def test_pages_and_counts(self, bank: MemoryBank) -> None:
        """API: list with cursors, count by state, category, tier."""
        ids = [
            bank.add(f"Fact {number}", category="fact" if number % 2 else "plan").id
            for number in range(7)
        ]
        first = bank.list(limit=3)
        second = bank.list(limit=3, cursor=first.cursor)
        third = bank.list(limit=3, cursor=second.cursor)
        assert [m.id for page in (first, second, third) for m in page.memories] == ids
        assert third.cursor is None
        bank.forget(ids[0])
        assert (bank.count(), bank.count(state="forgotten"), bank.count(state="any")) == (6, 1, 7)
        assert (
            bank.count(category="fact"),
            bank.count(category="plan"),
            bank.count(tier="semantic"),
        ) == (3, 3, 0)

    def test_forgetting_softly_and_for_good(self, bank: MemoryBank, reopen: Reopen) -> None:
        """Only hard forgetting erases, with the turns it came from."""
        soft = bank.remember("The vault code is 4711").memories[0]
        hard = bank.remember("The garden gate squeaks").memories[0]
        assert bank.forget("vault code").memory_ids == (soft.id,)
        with pytest.raises(NotFound, match="vault code"):
            bank.forget("vault code")
        receipt = bank.forget(hard.id, hard=True)
        assert (receipt.memory_ids, receipt.hard, receipt.episodes) == ((hard.id,), True, 1)
        assert texts(bank) == ["The vault code is 4711"]
        with pytest.raises(InvalidInput, match="confirm"):
            bank.forget_all(confirm="Alice")
        assert bank.forget_all(confirm="alice", hard=True).memory_ids == (soft.id,)
        assert bank.count(state="any") == 0

    def test_transcripts_come_back_as_they_were(self, bank: MemoryBank) -> None:
        """API: keep, transcript, clear_transcript."""
        kept = bank.append_messages(
            ["Good morning, I moved to Lisbon", Turn("", role="tool", metadata={"x": [1]})],
            session_id="s",
        )
        bank.append_messages(["And on"], session_id="s")
        assert [turn.position for turn in kept] == [1, 2]
        read = bank.transcript("s")
        assert [(t.position, t.role, t.content, t.metadata) for t in read] == [
            (1, "user", "Good morning, I moved to Lisbon", {}),
            (2, "tool", "", {"x": [1]}),
            (3, "user", "And on", {}),
        ]
        assert (bank.clear_transcript("s"), bank.transcript("s")) == (3, ())

    def test_an_export_is_read_into_another_namespace_without_loss(
        self, engine: Engine, bank: MemoryBank, tmp_path: Path
    ) -> None:
        """API: export, import_."""
        bank.remember("My bicycle is crimson", session_id="s1", ref="r1")
        bank.edit(bank.add("The key is under the mat").id, "The key is in the shed")
        bank.items().put(("a",), "k", {"n": 1}, texts=["A note about soup"])
        assert bank.export(tmp_path / "bank.jsonl") == 3
        other = engine.bank("bob")
        report = other.import_(tmp_path / "bank.jsonl")
        assert (report.read, report.stored, report.known) == (3, 3, 0)
        assert texts(other) == texts(bank)
        assert other.import_(tmp_path / "bank.jsonl").stored == 0
        assert other.items().get(("a",), "k").value == {"n": 1}  # type: ignore[union-attr]


class TestKnowing:
    def test_a_profile_and_what_it_was(self, bank: MemoryBank, clock: FrozenClock) -> None:
        """What holds with what was before, and as it was known then."""
        bank.remember("I live in Lisbon")
        clock.advance(days=3)
        bank.remember("I live in Porto now")
        (line,) = bank.profile().lines
        assert (line.section, line.text) == ("home", "I live in Porto now")
        assert [former.text for former in line.former] == ["I live in Lisbon"]
        earlier = bank.profile(known_at=NOON + timedelta(days=1)).lines
        assert [line.text for line in earlier] == ["I live in Lisbon"]

    def test_a_doubt_is_asked_about_once(self, bank: MemoryBank) -> None:
        """And goes with its answer."""
        bank.remember(["I work at Acme.", "I work at a bank."])
        (doubt,) = bank.doubts()
        assert [bank.asked(doubt.id), bank.asked(doubt.id)] == [True, False]
        bank.remember(Turn("At Acme.", asked=doubt.question))
        assert bank.doubts() == ()

    def test_incognito_leaves_no_trace(self, bank: MemoryBank) -> None:
        """It recalls, and keeps nothing."""
        bank.remember("I live in Lisbon")
        assert found(bank.incognito(), "Lisbon") == ["I live in Lisbon"]
        bank.incognito().remember("I have a secret garden")
        assert texts(bank) == ["I live in Lisbon"]

    def test_what_was_erased_and_came_back_is_listed(self, bank: MemoryBank) -> None:
        bank.forget(bank.add("Keeps bees in Bergen").id, hard=True)
        assert bank.verify_erasures().ok
        again = bank.add("Keeps bees in Bergen", speaker="Ben")
        (returned,) = bank.verify_erasures().returned
        assert (returned.id, returned.how) == (again.id, "same words")


class TestItems:
    def test_documents_are_put_found_listed_and_deleted(self, bank: MemoryBank) -> None:
        """API: Items: get, put, write, search, paths, delete."""
        items = bank.items()
        items.put(
            ("recipes",),
            "soup",
            {"text": "Lentil soup with mint", "serves": 4},
            texts=["Lentil soup with mint"],
        )
        items.put(
            ("recipes", "sweet"),
            "cake",
            {"text": "Carrot cake", "serves": 8},
            texts=["Carrot cake"],
        )
        items.put(("recipesX",), "no", {"serves": 4})
        assert items.get(("recipes",), "soup").value == {
            "text": "Lentil soup with mint",
            "serves": 4,
        }  # type: ignore[union-attr]
        assert [item.key for item in items.search(("recipes",))] == ["cake", "soup"]
        assert [item.key for item in items.search(("recipes",), query="mint soup")] == [
            "soup",
            "cake",
        ]
        serving_four = items.search(where=lambda value: value["serves"] == 4)
        assert [item.key for item in serving_four] == ["no", "soup"]
        assert [item.key for item in items.search(limit=1, offset=1)] == ["cake"]
        assert items.paths() == (("recipes",), ("recipes", "sweet"), ("recipesX",))
        done = items.write(
            [ItemWrite(("recipes",), "soup", None), ItemWrite(("z",), "new", {"v": 1})]
        )
        assert (done[0], done[1].key) == (None, "new")  # type: ignore[union-attr]
        items.delete(("z",), "new")
        assert [item.key for item in items.search()] == ["no", "cake"]

    def test_documents_end_and_hold_vectors(self, bank: MemoryBank, clock: FrozenClock) -> None:
        """API: `ttl`, `refresh`, `vector`, `words`."""
        items = bank.items()
        items.put(("a",), "short", {"n": 1}, texts=["mint"], ttl=60, vector=[1, 0])
        items.put(("a",), "long", {"n": 2}, texts=["salt"], ttl=600, vector=[0, 1])
        assert [item.key for item in items.search(vector=[0, 2])] == ["long", "short"]
        assert items.search(query="mint", words=1.0)[0].key == "short"
        clock.advance(seconds=50)
        assert items.get(("a",), "short", refresh=True) is not None
        clock.advance(seconds=50)
        assert [item.key for item in items.search()] == ["long", "short"]
        clock.advance(seconds=50)
        assert [item.key for item in items.search()] == ["long"]
        assert [hit.content for hit in bank.recall("mint salt", floor=0).results] == ["salt"]
        assert items.drop_ended() == 1


class TestEngine:
    def test_namespaces_health_sync_reindex_and_log(self, engine: Engine, bank: MemoryBank) -> None:
        """API: what a process asks its engine."""
        bank.remember("My bicycle is crimson")
        engine.bank("Alice").add("My boat is blue")
        engine.bank("çağla").add("Çay")
        assert engine.namespaces() == ["Alice", "alice", "çağla"]
        assert engine.sync() == 0
        health = engine.health()
        assert (health["namespaces"], health["index"]) == (
            3,
            {"ready": False, "loaded": False, "lag": 0},
        )
        assert (health["warnings"], engine.warnings()) == ([], [])
        readings = [(metric.name, value) for metric, value, labels in engine.metrics() if value]
        assert readings == [("cogmem.memories", 3), ("cogmem.namespaces", 3)]
        report = engine.reindex()
        assert (report.embedded, report.indexed) == (0, 3)
        assert [record["op"] for record in engine.log(limit=3)] == ["remember", "add", "add"]
        assert (bank.health()["index_lag"], found(bank, "crimson bicycle")) == (
            0,
            ["My bicycle is crimson"],
        )

    def test_what_was_written_is_there_after_reopening(
        self, engine: Engine, bank: MemoryBank, reopen: Reopen, backend: str
    ) -> None:
        """A store in memory is gone when it is closed; the others are not."""
        bank.remember("My bicycle is crimson")
        engine.close()
        again = reopen().bank("alice")
        assert texts(again) == ([] if backend == "in memory" else ["My bicycle is crimson"])

    def test_one_namespace_never_sees_another(self, engine: Engine) -> None:
        """Names are compared whole, byte by byte."""
        names = ["a", "A", "a%", "_", "ä", "a\u0308", "a b", "a'b", '{"$ne":""}']
        for number, name in enumerate(names):
            engine.bank(name).add(f"Secret number {number}")
        for number, name in enumerate(names):
            assert texts(engine.bank(name)) == [f"Secret number {number}"]
            assert found(engine.bank(name), "secret number") == [f"Secret number {number}"]
        assert engine.namespaces() == sorted(names)


class TestOverseeing:
    def test_the_audit_trail_stands_and_tampering_is_named(
        self, engine: Engine, bank: MemoryBank
    ) -> None:
        """Hash-chained; an entry that was altered in the database is found."""
        bank.add("The code is 4821")
        bank.add("The cat is called Tom")
        assert (bank.verify_audit().entries, bank.verify_audit().ok) == (2, True)
        with engine.services.ledger.alone() as connection:
            connection.exec_driver_sql("UPDATE journal SET actor = 'nobody'")
        assert [finding.seq for finding in bank.verify_audit().findings] == [1, 2]
        assert not engine.verify_audit()[bank.namespace].ok

    def test_the_doctor_finds_nothing_wrong(self, engine: Engine, bank: MemoryBank) -> None:
        """After ordinary use, with dreams and erasures."""
        bank.remember(["I live in Lisbon", "I live in Porto now"])
        bank.add("Likes green tea")
        bank.add("Likes green tea")
        bank.consolidate()
        bank.forget("Likes green tea", hard=True)
        engine.flush()
        assert engine.doctor().findings == ()
        assert engine.doctor(repair=True).clean

    def test_every_namespace_gets_a_cycle(self, engine: Engine, bank: MemoryBank) -> None:
        """Fan-out; what was stated twice is merged."""
        for _ in range(2):
            bank.add("Likes green tea")
            engine.bank("another").add("Likes coffee")
        report = engine.consolidate_all(workers=2)
        assert report.namespaces == {"another": {"merged": 1}, bank.namespace: {"merged": 1}}
        assert report.failed == {}

    def test_a_backup_is_a_copy_where_the_memories_are_a_file(
        self, engine: Engine, bank: MemoryBank, backend: str, tmp_path: Path
    ) -> None:
        bank.remember("I play the cello")
        if backend == "servers":
            with pytest.raises(InvalidInput, match="server"):
                engine.backup(tmp_path / "copy.sqlite")
        else:
            assert engine.backup(tmp_path / "copy.sqlite").memories == 1
