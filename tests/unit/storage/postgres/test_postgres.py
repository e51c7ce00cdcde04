"""The ledger on PostgreSQL: workers that start and write at once, poolers, plans, secrets."""

import json
import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text

import cogmem_core
from cogmem_cli.main import app
from cogmem_core import ConfigError, Engine, StoreError, StoreUnavailable, StoreVersionError, Turn
from cogmem_core.config import StorageConfig
from cogmem_core.storage.ledger import postgres
from cogmem_core.storage.ledger.schema import shard_of
from cogmem_core.testing import MANUAL, CountingEmbedder
from helpers.command import CliRunner
from helpers.postgres_workers import Open
from helpers.servers import Databases, free_port, run_sql


class TestManyWorkers:
    def test_workers_that_start_at_once_migrate_once(self, opened: Open) -> None:
        """One schema, one name, whoever comes first."""
        with ThreadPoolExecutor(8) as pool:
            engines = list(pool.map(lambda _: opened(), range(8)))
        assert len({engine.services.ledger.name() for engine in engines}) == 1
        engines[0].bank("alice").add("Fine")
        assert [engine.bank("alice").count() for engine in engines] == [1] * 8

    def test_a_newer_schema_is_refused_and_left_alone(self, opened: Open, ledger_url: str) -> None:
        """A worker of an older version that comes late does not write the old number."""
        opened().close()
        run_sql(ledger_url, "UPDATE meta SET value = '999' WHERE key = 'schema_version'")
        with pytest.raises(StoreVersionError, match="999"):
            opened()
        assert run_sql(ledger_url, "SELECT value FROM meta WHERE key = 'schema_version'") == [
            ("999",)
        ]

    def test_the_same_words_said_to_two_workers_at_once_are_one_memory(self, opened: Open) -> None:
        """The gate sees what others just wrote: one stored, the others reinforce it."""
        engines = [opened() for _ in range(4)]
        start = threading.Barrier(4)

        def say(engine: Engine) -> list[str]:
            start.wait()
            said = [
                engine.bank("alice").remember(f"The password of door {n} is swordfish")
                for n in range(5)
            ]
            return [report.receipts[0].status for report in said]

        with ThreadPoolExecutor(4) as pool:
            statuses = [status for found in pool.map(say, engines) for status in found]
        bank = engines[0].bank("alice")
        assert sorted(m.content for m in bank.list()) == [
            f"The password of door {n} is swordfish" for n in range(5)
        ]
        assert statuses.count("stored") == 5

    def test_a_worker_leaves_what_another_one_is_at_and_takes_it_over_when_that_is_dead(
        self, opened: Open
    ) -> None:
        """Else each of them would embed what all the others are told, and take the receipts away."""
        one, two = opened(), opened()
        one.pause()
        one.bank("alice").remember("The harbour has twelve boats", wait=False)
        two.bank("bob").remember("The lighthouse is white")
        two.flush()
        assert (two.bank("alice").count(), two.bank("alice").health()["queue_length"]) == (0, 1)
        two.services.runtime._clock.advance(seconds=61)  # type: ignore[attr-defined]
        two.flush()
        assert (two.bank("alice").count(), two.bank("alice").health()["queue_length"]) == (1, 0)
        third = opened()
        third.flush()
        assert third.bank("alice").count() == 1

    def test_counters_of_two_workers_add_up_and_numbers_are_never_skipped(
        self, opened: Open, ledger_url: str
    ) -> None:
        """The journal's numbers come from the shard's counter row: none missing, none twice."""
        engines = [opened() for _ in range(4)]
        memory = engines[0].bank("alice").add("The bicycle is crimson and fast")

        def use(engine: Engine) -> None:
            bank = engine.bank("alice")
            for _ in range(5):
                bank.feedback(bank.recall("bicycle", floor=0), "It is crimson and fast.")

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(use, engines))
        assert engines[0].bank("alice").get(memory.id).used_count == 20
        seqs = [row[0] for row in run_sql(ledger_url, "SELECT seq FROM journal ORDER BY seq")]
        assert seqs == list(range(1, len(seqs) + 1))
        assert run_sql(ledger_url, "SELECT seq FROM shards") == [(len(seqs),)]

    def test_a_reader_that_follows_the_journal_misses_nothing(self, opened: Open) -> None:
        """Eight writers in namespaces of one shard, one reader: a SEQUENCE would lose rows here."""
        engine, reader = opened(connections=32), opened()
        names = [name for name in (f"user{n}" for n in range(400)) if _shard(name) == 3][:8]
        seen: set[str] = set()
        done = threading.Event()

        def follow() -> None:
            after = dict.fromkeys(names, 0)
            while True:
                last = done.is_set()
                fresh = 0
                with reader.services.ledger.whole() as snapshot:
                    for name in names:
                        rows = snapshot.at(name).journal.tail(after[name], 1_000)
                        seen.update(row.id for row in rows)
                        after[name] = rows[-1].seq if rows else after[name]
                        fresh += len(rows)
                if last and not fresh:
                    return

        def write(name: str) -> list[str]:
            return [engine.bank(name).add(f"Note {n}").id for n in range(15)]

        with ThreadPoolExecutor(9) as pool:
            following = pool.submit(follow)
            written = {i for ids in pool.map(write, names) for i in ids}
            done.set()
            following.result()
        assert (len(written), seen) == (120, written)

    def test_one_worker_dreams_and_the_other_stands_back(self, opened: Open) -> None:
        """The lease is a row with a fencing number."""
        one, two = opened(), opened()
        bank = one.bank("alice")
        for _ in range(3):
            bank.add("The oven is broken", importance=0.2)
        with one.services.ledger.writing("alice") as writer:
            fence = writer.at("alice").runs.take_lease(
                "somebody", now=one.services.runtime.now(), seconds=60
            )
        assert fence == 1
        assert (
            two.bank("alice").consolidate().reason == "another cycle is running on this namespace"
        )
        with one.services.ledger.writing("alice") as writer:
            writer.at("alice").runs.end_lease(fence, {})
        with ThreadPoolExecutor(2) as pool:
            reports = list(pool.map(lambda engine: engine.bank("alice").consolidate(), (one, two)))
        assert sum(report.merged for report in reports) == 2
        assert bank.count() == 1

    def test_two_workers_with_different_embedders_never_mix(
        self, opened: Open, ledger_url: str
    ) -> None:
        """The first write decides, also where both come first at once."""
        config = replace(MANUAL, storage=StorageConfig(ledger_url=ledger_url))
        start, kept = threading.Barrier(2), []
        with ExitStack() as both:
            engines = [
                both.enter_context(cogmem_core.open(embedder=CountingEmbedder(size), config=config))
                for size in (32, 64)
            ]

            def add(engine: Engine) -> None:
                start.wait()
                try:
                    kept.append(engine.bank("alice").add("Fine").id)
                except cogmem_core.EmbedderMismatch:
                    kept.append("refused")

            with ThreadPoolExecutor(2) as pool:
                list(pool.map(add, engines))
        assert kept.count("refused") == 1
        assert len(run_sql(ledger_url, "SELECT DISTINCT fingerprint FROM memories")) == 1


def _shard(name: str) -> int:
    return shard_of(name)


class TestPooler:
    def test_nothing_is_left_in_a_session(self, opened: Open, ledger_url: str) -> None:
        """Behind a pooler every transaction may get another session: no settings, locks, prepared statements.

        The pool is one connection that is looked at after everything was done over it.
        """
        engine = opened(connections=1)
        bank = engine.bank("alice")
        fresh = _session_state(engine)
        for number in range(8):
            bank.remember(f"The door number {number} is open")
            bank.recall("door", floor=0)
        bank.append_messages([Turn("Good morning")], session_id="s")
        bank.consolidate()
        bank.forget("number 3", hard=True)
        assert _session_state(engine) == fresh
        assert fresh == {
            "prepared": 0,
            "locks": 0,
            "lock_timeout": "0",
            "statement_timeout": "0",
            "listens": 0,
        }

    def test_statements_are_prepared_if_that_is_wanted(self, opened: Open) -> None:
        """Without a pooler it saves planning."""
        engine = opened(connections=1, prepared_statements=True)
        for _ in range(12):
            engine.bank("alice").recall("door", floor=0)
        assert _session_state(engine)["prepared"] > 0


def _session_state(engine: Engine) -> dict[str, Any]:
    queries = {
        "prepared": "SELECT count(*) FROM pg_prepared_statements",
        "locks": "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()",
        "lock_timeout": "SHOW lock_timeout",
        "statement_timeout": "SHOW statement_timeout",
        "listens": "SELECT count(*) FROM pg_listening_channels()",
    }
    with engine.services.ledger.database.engine.connect() as connection:
        return {name: connection.execute(text(query)).scalar() for name, query in queries.items()}


class TestPlans:
    def test_hot_queries_use_an_index(self, opened: Open, ledger_url: str) -> None:
        """EXPLAIN of what remembering, recalling, feedback and the worker ask, among 4,000 rows of 100 namespaces."""
        engine = opened()
        engine.bank("user7").remember([f"Remark {number} about boats" for number in range(40)])
        for table in ("memories", "episodes"):
            other = "json_build_object('id', t.id || n, 'namespace', t.namespace || n)"
            rows = f"SELECT (json_populate_record(t, {other})).* FROM {table} t, generate_series(1, 100) n"
            run_sql(ledger_url, f"INSERT INTO {table} {rows}")
        run_sql(ledger_url, "ANALYZE")
        asked: dict[str, Any] = {}
        database = engine.services.ledger.database.engine

        def note(_: Any, __: Any, statement: str, parameters: Any, *___: Any) -> None:
            if statement.startswith(("SELECT", "UPDATE", "DELETE")) and isinstance(
                parameters, dict
            ):
                asked.setdefault(statement, parameters)

        event.listen(database, "before_cursor_execute", note)
        bank = engine.bank("user7")
        bank.remember("I moved to Lisbon in May")
        bank.feedback(bank.recall("boats remark 5"), "Remark 5 about boats")
        bank.get(bank.list(limit=1).memories[0].id)
        engine.flush()
        event.remove(database, "before_cursor_execute", note)
        # The others hold a handful of rows here, and are then read whole.
        large = ("memories", "episodes", "journal")
        slow = []
        with database.connect() as connection:
            for statement, parameters in asked.items():
                plan = connection.exec_driver_sql(f"EXPLAIN {statement}", parameters).scalars()
                slow += [
                    f"{line} <- {statement}"
                    for line in plan
                    if any(f"Seq Scan on {name}" in line for name in large)
                ]
        assert len(asked) > 20
        assert slow == []


class TestSecrets:
    def test_a_password_is_in_no_error_log_or_representation(
        self, databases: Databases, caplog: pytest.LogCaptureFixture, opened: Open
    ) -> None:
        """DSN masked."""
        caplog.set_level(logging.DEBUG)
        urls = {
            f"postgresql+psycopg://me:s3cret-word@127.0.0.1:{free_port()}/db": StoreUnavailable,
            databases.url.replace("cogmem@", "nobody:s3cret-word@"): StoreError,
            "postgresql+nodriver://me:s3cret-word@127.0.0.1/db": ConfigError,
            "mysql+pymysql://me:s3cret-word@127.0.0.1/db": ConfigError,
            "postgresql+psycopg://me:s3cret-word@127.0.0.1:notaport/db": ConfigError,
        }
        for url, expected in urls.items():
            with pytest.raises(expected) as caught:
                opened(url, reach_seconds=0.1)
            assert "s3cret-word" not in str(caught.value)
            assert "s3cret-word" not in repr(StorageConfig(ledger_url=url))
        assert "s3cret-word" not in caplog.text

    def test_no_text_of_a_memory_is_in_an_error(self, opened: Open) -> None:
        """SQLAlchemy quotes parameters unless it is told not to."""
        engine = opened()
        with pytest.raises(StoreError) as caught, engine.services.ledger.writing("alice") as writer:
            writer._connection.execute(
                text("SELECT 1 / 0 WHERE 'x' <> :said"), {"said": "Tweety2718281"}
            )
        assert "Tweety2718281" not in str(caught.value)
        assert "Tweety2718281" not in str(caught.value.__cause__)


def test_the_ledger_locks_are_numbers_of_64_bits() -> None:
    """What PostgreSQL takes as the key of an advisory lock."""
    keys = [
        postgres.lock_key("ledger", "namespace", name)
        for name in ("a", "A", "ä", "a\u0308", "b" * 300)
    ]
    assert len(set(keys)) == 5
    assert all(-(2**63) <= key < 2**63 for key in keys)


def test_the_command_line_works_on_a_server(ledger_url: str, tmp_path: Path) -> None:
    """Two variables are all; the password is not shown; the op log is in the folder that was named."""
    url = ledger_url.replace("cogmem@", "cogmem:s3cret-word@")
    run = CliRunner(
        env={"COGMEM_STORAGE__LEDGER_URL": url, "COGMEM_PATH": None, "COGMEM_NAMESPACE": None}
    )

    def cog(*arguments: str) -> Any:
        done = run.invoke(app, ["--path", str(tmp_path / "brain"), *arguments, "--json"])
        assert (done.exit_code, "s3cret-word" in done.output) == (0, False), done.output
        return json.loads(done.stdout)

    assert [cog("init", "--embedder", "hashing")["created"] for _ in range(2)] == [True, False]
    cog("remember", "I moved to Lisbon in May")
    assert (
        cog("recall", "where did I move")["results"][0]["memory"]["content"]
        == "I moved to Lisbon in May"
    )
    cog("config", "show")
    assert len(cog("forget", "Lisbon", "--hard", "--yes")["operator"]) == 1
    assert sorted(path.name for path in (tmp_path / "brain").iterdir()) == ["ops-log.jsonl"]
