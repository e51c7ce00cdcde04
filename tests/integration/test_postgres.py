"""The ledger on PostgreSQL: workers that start and write at once, restarts, time-outs, poolers, plans, secrets."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from servers import Databases, Postgres, free_port, run_sql
from sqlalchemy import event, text
from typer.testing import CliRunner

import cogmem
from cogmem import ConfigError, Engine, StorageConfig, StoreError, StoreUnavailable, StoreVersionError, Turn
from cogmem.cli.main import app
from cogmem.storage import postgres
from cogmem.storage.schema import shard_of
from cogmem.testing import MANUAL, CountingEmbedder, FrozenClock

Open = Callable[..., Engine]


@pytest.fixture
def opened(ledger_url: str) -> Iterator[Open]:
    """Opens workers of one bank; their indexes are in memory."""
    with ExitStack() as workers:

        def make(url: str = ledger_url, **settings: Any) -> Engine:
            config = replace(MANUAL, storage=StorageConfig(ledger_url=url, **settings))
            return workers.enter_context(cogmem.open(embedder=CountingEmbedder(), clock=FrozenClock(), config=config))

        yield make


@pytest.fixture(scope="module")
def restarted() -> Iterator[Postgres]:
    """A server of our own, because it is stopped."""
    with Postgres(durable=True) as server:
        yield server


class TestManyWorkers:
    def test_workers_that_start_at_once_migrate_once(self, opened: Open) -> None:
        """DESIGN 6: one schema, one name, whoever comes first."""
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
        assert run_sql(ledger_url, "SELECT value FROM meta WHERE key = 'schema_version'") == [("999",)]

    def test_the_same_words_said_to_two_workers_at_once_are_one_memory(self, opened: Open) -> None:
        """The gate sees what others just wrote: one stored, the others reinforce it."""
        engines = [opened() for _ in range(4)]
        start = threading.Barrier(4)

        def say(engine: Engine) -> list[str]:
            start.wait()
            said = [engine.bank("alice").remember(f"The password of door {n} is swordfish") for n in range(5)]
            return [report.receipts[0].status for report in said]

        with ThreadPoolExecutor(4) as pool:
            statuses = [status for found in pool.map(say, engines) for status in found]
        bank = engines[0].bank("alice")
        assert sorted(m.content for m in bank.list()) == [f"The password of door {n} is swordfish" for n in range(5)]
        assert statuses.count("stored") == 5

    def test_a_worker_leaves_what_another_one_is_at_and_takes_it_over_when_that_is_dead(self, opened: Open) -> None:
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

    def test_counters_of_two_workers_add_up_and_numbers_are_never_skipped(self, opened: Open, ledger_url: str) -> None:
        """FINDINGS B2: the journal's numbers come from the shard's counter row: none missing, none twice."""
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
            after = 0
            while True:
                last = done.is_set()
                with reader.services.ledger.reading() as snapshot:
                    rows = snapshot.shard_tail(3, after, 1_000)
                seen.update(row.id for row in rows)
                after = rows[-1].seq if rows else after
                if last and not rows:
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
        """DESIGN 6: the lease is a row with a fencing number."""
        one, two = opened(), opened()
        bank = one.bank("alice")
        for _ in range(3):
            bank.add("The oven is broken", importance=0.2)
        with one.services.ledger.writing("alice") as writer:
            fence = writer.take_lease("alice", "somebody", now=one.services.runtime.now(), seconds=60)
        assert fence == 1
        assert two.bank("alice").consolidate().reason == "another cycle is running on this namespace"
        with one.services.ledger.writing("alice") as writer:
            writer.end_lease("alice", fence, {})
        with ThreadPoolExecutor(2) as pool:
            reports = list(pool.map(lambda engine: engine.bank("alice").consolidate(), (one, two)))
        assert sum(report.merged for report in reports) == 2
        assert bank.count() == 1

    def test_two_workers_with_different_embedders_never_mix(self, opened: Open, ledger_url: str) -> None:
        """The first write decides, also where both come first at once."""
        config = replace(MANUAL, storage=StorageConfig(ledger_url=ledger_url))
        start, kept = threading.Barrier(2), []
        with ExitStack() as both:
            engines = [
                both.enter_context(cogmem.open(embedder=CountingEmbedder(size), config=config)) for size in (32, 64)
            ]

            def add(engine: Engine) -> None:
                start.wait()
                try:
                    kept.append(engine.bank("alice").add("Fine").id)
                except cogmem.EmbedderMismatch:
                    kept.append("refused")

            with ThreadPoolExecutor(2) as pool:
                list(pool.map(add, engines))
        assert kept.count("refused") == 1
        assert len(run_sql(ledger_url, "SELECT DISTINCT fingerprint FROM memories")) == 1


def _shard(name: str) -> int:
    from cogmem.storage.schema import shard_of

    return shard_of(name)


class TestFailures:
    def test_sessions_that_are_ended_are_replaced_unseen(self, opened: Open, ledger_url: str) -> None:
        """pg_terminate_backend: the pool looks before it lends."""
        bank = opened().bank("alice")
        bank.add("One")
        for number in range(3):
            _end_sessions(ledger_url)
            assert bank.count() == 1 + number
            bank.remember(f"The door number {number} is open")

    def test_a_session_that_ends_inside_a_transaction_is_repeated(self, opened: Open, ledger_url: str) -> None:
        """Nothing was committed, so the whole transaction is done again, once."""
        engine = opened()
        tries = []

        def work(writer: Any) -> int:
            tries.append(1)
            if len(tries) == 1:
                _end_sessions(ledger_url)
            writer.set_meta("tried", str(len(tries)))
            return len(tries)

        assert engine.services.ledger.write("alice", work) == 2
        assert run_sql(ledger_url, "SELECT value FROM meta WHERE key = 'tried'") == [("2",)]

    def test_a_deadlock_is_resolved_and_repeated(self, opened: Open) -> None:
        """Two transactions that take two rows in opposite order: one is rolled back and succeeds later."""
        ledger = opened().services.ledger
        with ledger.writing() as writer:
            writer.set_meta("a", "0")
            writer.set_meta("b", "0")
        met, first = threading.Barrier(2, timeout=20), [True, True]

        def work(number: int) -> Callable[[Any], None]:
            def run(writer: Any) -> None:
                one, other = ("a", "b") if number else ("b", "a")
                writer.set_meta(one, str(number))
                if first[number]:
                    first[number] = False
                    met.wait()
                writer.set_meta(other, str(number))

            return run

        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda number: ledger.write(f"user{number}", work(number)), (0, 1)))
        with ledger.reading() as reader:
            assert reader.get_meta("a") == reader.get_meta("b")

    def test_a_serialization_failure_is_one_that_passes(self, opened: Open) -> None:
        """Somebody may have made it the default of the database."""
        ledger = opened().services.ledger
        tries = []

        def work(writer: Any) -> None:
            tries.append(1)
            if len(tries) < 3:
                state = "40001" if len(tries) == 1 else "40P01"
                raising = f"DO $$ BEGIN RAISE EXCEPTION 'collided' USING ERRCODE = '{state}'; END $$"
                writer.connection.execute(text(raising))

        ledger.write("alice", work)
        assert len(tries) == 3

    def test_a_lock_that_is_held_for_too_long_is_told(self, opened: Open) -> None:
        """Typed, in the time that was set, with nothing changed."""
        slow = opened()
        quick = opened(busy_timeout_seconds=0.2)
        with slow.services.ledger.writing("alice"):
            with pytest.raises(StoreUnavailable, match="nothing was changed"):
                quick.bank("alice").add("Fine")
            assert quick.bank("bob").add("Other namespaces go on").content == "Other namespaces go on"
        assert quick.bank("alice").add("Fine now").content == "Fine now"
        assert quick.bank("alice").count() == 1

    def test_a_statement_that_takes_too_long_is_told(self, opened: Open) -> None:
        """A runaway query does not hold a worker for ever."""
        engine = opened(statement_seconds=0.2)
        with pytest.raises(StoreUnavailable, match="timeout"), engine.services.ledger.reading() as reader:
            reader._connection.execute(text("SELECT pg_sleep(30)"))
        assert engine.bank("alice").count() == 0

    def test_more_callers_than_connections_wait_for_each_other(self, opened: Open) -> None:
        """One engine never keeps more than `connections`."""
        engine = opened(connections=2)
        with ThreadPoolExecutor(12) as pool:
            list(pool.map(lambda n: engine.bank(f"user{n}").remember("The door is open"), range(12)))
        assert [engine.bank(f"user{n}").count() for n in range(12)] == [1] * 12

    def test_several_namespaces_are_the_first_of_a_shard_at_once(self, opened: Open, ledger_url: str) -> None:
        """Two writers who both find no row of their shard: the second one waits for the first, and none fails."""
        one, other = opened(), opened()
        names = [name for name in (f"user{n}" for n in range(200)) if shard_of(name) == 3][:2]
        with ThreadPoolExecutor(1) as pool:
            with one.services.ledger.writing(names[0]) as writer:
                writer.allocate(names[0], 1)
                waiting = pool.submit(other.bank(names[1]).add, "The door is open")
                blocked = (
                    "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) "
                    "WHERE NOT granted AND locktype = 'transactionid' AND datname = current_database()"
                )
                while run_sql(ledger_url, blocked) == [(0,)] and not waiting.done():
                    threading.Event().wait(0.01)
            assert waiting.result().content == "The door is open"
        assert run_sql(ledger_url, "SELECT seq FROM shards WHERE shard = 3") == [(2,)]

    def test_a_restart_is_survived_by_open_workers(self, restarted: Postgres, opened: Open) -> None:
        """Stopped: typed; started again: everything acknowledged is there, and work goes on."""
        with Databases(restarted.url).fresh() as url:
            engine = opened(url, reach_seconds=0.2)
            bank = engine.bank("alice")
            kept = bank.remember("The vault is under the stairs").memories[0]
            restarted.stop("immediate")
            try:
                with pytest.raises(StoreUnavailable, match="not available"):
                    bank.remember("The attic is empty")
                with pytest.raises(StoreUnavailable, match="not available"):
                    bank.recall("vault")
            finally:
                restarted.start()
            assert bank.recall("vault", floor=0).results[0].memory.id == kept.id
            assert bank.remember("The attic is empty").receipts[0].status == "stored"
            engine.close()

    def test_a_call_waits_while_the_server_restarts(self, restarted: Postgres, opened: Open) -> None:
        """`reach_seconds`: a short restart is not seen by callers."""
        with Databases(restarted.url).fresh() as url, ThreadPoolExecutor(1) as pool:
            engine = opened(url, reach_seconds=60.0)
            bank = engine.bank("alice")
            bank.add("One")
            restarted.stop("fast")
            waiting = pool.submit(bank.add, "Two")
            restarted.start()
            assert waiting.result(timeout=60).content == "Two"
            assert bank.count() == 2
            engine.close()


def _end_sessions(url: str) -> None:
    run_sql(
        url,
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )


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
        bank.keep([Turn("Good morning")], session_id="s")
        bank.consolidate()
        bank.forget("number 3", hard=True)
        assert _session_state(engine) == fresh
        assert fresh == {"prepared": 0, "locks": 0, "lock_timeout": "0", "statement_timeout": "0", "listens": 0}

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
            if statement.startswith(("SELECT", "UPDATE", "DELETE")) and isinstance(parameters, dict):
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
                    f"{line} <- {statement}" for line in plan if any(f"Seq Scan on {name}" in line for name in large)
                ]
        assert len(asked) > 20
        assert slow == []


class TestSecrets:
    def test_a_password_is_in_no_error_log_or_representation(
        self, databases: Databases, caplog: pytest.LogCaptureFixture, opened: Open
    ) -> None:
        """FINDINGS B5: DSN masked."""
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
            writer.connection.execute(text("SELECT 1 / 0 WHERE 'x' <> :said"), {"said": "Tweety2718281"})
        assert "Tweety2718281" not in str(caught.value)
        assert "Tweety2718281" not in str(caught.value.__cause__)


def test_a_dump_is_restored_into_another_database(restarted: Postgres, opened: Open) -> None:
    """README, Servers: pg_dump and pg_restore carry a whole bank; the index is made anew."""
    with Databases(restarted.url).fresh() as url, Databases(restarted.url).fresh() as other:
        engine = opened(url)
        memory = engine.bank("alice").remember("The vault is under the stairs").memories[0]
        plain = [one.replace("+psycopg", "") for one in (url, other)]
        restarted.run("pg_dump", "--format=custom", f"--file={restarted.folder / 'dump'}", plain[0])
        restarted.run("pg_restore", "--no-owner", f"--dbname={plain[1]}", str(restarted.folder / "dump"))
        again = opened(other)
        assert again.bank("alice").recall("vault", floor=0).results[0].memory.id == memory.id
        assert again.reindex().indexed == 1
        engine.close()
        again.close()


def test_the_ledger_locks_are_numbers_of_64_bits() -> None:
    """What PostgreSQL takes as the key of an advisory lock."""
    keys = [postgres.lock_key("ledger", "namespace", name) for name in ("a", "A", "ä", "a\u0308", "b" * 300)]
    assert len(set(keys)) == 5
    assert all(-(2**63) <= key < 2**63 for key in keys)


def test_the_command_line_works_on_a_server(ledger_url: str, tmp_path: Path) -> None:
    """README, Servers: two variables are all; the password is not shown; the op log is in the folder that was named."""
    url = ledger_url.replace("cogmem@", "cogmem:s3cret-word@")
    run = CliRunner(env={"COGMEM_STORAGE__LEDGER_URL": url, "COGMEM_PATH": None, "COGMEM_NAMESPACE": None})

    def cog(*arguments: str) -> Any:
        done = run.invoke(app, ["--path", str(tmp_path / "brain"), *arguments, "--json"])
        assert (done.exit_code, "s3cret-word" in done.output) == (0, False), done.output
        return json.loads(done.stdout)

    assert [cog("init", "--embedder", "hashing")["created"] for _ in range(2)] == [True, False]
    cog("remember", "I moved to Lisbon in May")
    assert cog("recall", "where did I move")["results"][0]["memory"]["content"] == "I moved to Lisbon in May"
    cog("config", "show")
    assert len(cog("forget", "Lisbon", "--hard", "--yes")["operator"]) == 1
    assert sorted(path.name for path in (tmp_path / "brain").iterdir()) == ["chroma", "ops-log.jsonl"]
