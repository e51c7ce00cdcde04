"""The ledger on PostgreSQL when it fails: ended sessions, deadlocks, time-outs, restarts; and a dump of it."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import text

from cogmem_core import StoreError, StoreUnavailable
from cogmem_core.storage.ledger.schema import shard_of
from helpers.postgres_workers import Open
from helpers.servers import Databases, Postgres, run_sql
from helpers.tables import each_case_of


@pytest.fixture(scope="module")
def restarted() -> Iterator[Postgres]:
    """A server of our own, because it is stopped."""
    with Postgres(durable=True) as server:
        yield server


class TestFailures:
    def test_sessions_that_are_ended_are_replaced_unseen(
        self, opened: Open, ledger_url: str
    ) -> None:
        """pg_terminate_backend: the pool looks before it lends."""
        bank = opened().bank("alice")
        bank.add("One")
        for number in range(3):
            _end_sessions(ledger_url)
            assert bank.count() == 1 + number
            bank.remember(f"The door number {number} is open")

    def test_a_session_that_ends_inside_a_transaction_is_repeated(
        self, opened: Open, ledger_url: str
    ) -> None:
        """Nothing was committed, so the whole transaction is done again, once."""
        engine = opened()
        tries = []

        def work(writer: Any) -> int:
            tries.append(1)
            if len(tries) == 1:
                _end_sessions(ledger_url)
            writer.meta.set("tried", str(len(tries)))
            return len(tries)

        assert engine.services.ledger.write("alice", work) == 2
        assert run_sql(ledger_url, "SELECT value FROM meta WHERE key = 'tried'") == [("2",)]

    def test_a_deadlock_is_resolved_and_repeated(self, opened: Open) -> None:
        """Two transactions that take two rows in opposite order: one is rolled back and succeeds later."""
        ledger = opened().services.ledger
        with ledger.writing() as writer:
            writer.meta.set("a", "0")
            writer.meta.set("b", "0")
        met, first = threading.Barrier(2, timeout=20), [True, True]

        def work(number: int) -> Callable[[Any], None]:
            def run(writer: Any) -> None:
                one, other = ("a", "b") if number else ("b", "a")
                writer.meta.set(one, str(number))
                if first[number]:
                    first[number] = False
                    met.wait()
                writer.meta.set(other, str(number))

            return run

        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda number: ledger.write(f"user{number}", work(number)), (0, 1)))
        with ledger.whole() as reader:
            assert reader.meta.get("a") == reader.meta.get("b")

    def test_a_serialization_failure_is_one_that_passes(self, opened: Open) -> None:
        """Somebody may have made it the default of the database."""
        ledger = opened().services.ledger
        tries = []

        def work(writer: Any) -> None:
            tries.append(1)
            if len(tries) < 3:
                state = "40001" if len(tries) == 1 else "40P01"
                raising = (
                    f"DO $$ BEGIN RAISE EXCEPTION 'collided' USING ERRCODE = '{state}'; END $$"
                )
                writer._connection.execute(text(raising))

        ledger.write("alice", work)
        assert len(tries) == 3

    def test_a_lock_that_is_held_for_too_long_is_told(self, opened: Open) -> None:
        """Typed, in the time that was set, with nothing changed."""
        slow = opened()
        quick = opened(busy_timeout_seconds=0.2)
        with slow.services.ledger.writing("alice"):
            with pytest.raises(StoreUnavailable, match="nothing was changed"):
                quick.bank("alice").add("Fine")
            assert (
                quick.bank("bob").add("Other namespaces go on").content == "Other namespaces go on"
            )
        assert quick.bank("alice").add("Fine now").content == "Fine now"
        assert quick.bank("alice").count() == 1

    def test_a_statement_that_takes_too_long_is_told(self, opened: Open) -> None:
        """A runaway query does not hold a worker for ever."""
        engine = opened(statement_seconds=0.2)
        with (
            pytest.raises(StoreUnavailable, match="timeout"),
            engine.services.ledger.whole() as reader,
        ):
            reader._connection.execute(text("SELECT pg_sleep(30)"))
        assert engine.bank("alice").count() == 0

    def test_more_callers_than_connections_wait_for_each_other(self, opened: Open) -> None:
        """One engine never keeps more than `connections`."""
        engine = opened(connections=2)
        with ThreadPoolExecutor(12) as pool:
            list(
                pool.map(lambda n: engine.bank(f"user{n}").remember("The door is open"), range(12))
            )
        assert [engine.bank(f"user{n}").count() for n in range(12)] == [1] * 12

    def test_several_namespaces_are_the_first_of_a_shard_at_once(
        self, opened: Open, ledger_url: str
    ) -> None:
        """Two writers who both find no row of their shard: the second one waits for the first, and none fails."""
        one, other = opened(), opened()
        names = [name for name in (f"user{n}" for n in range(200)) if shard_of(name) == 3][:2]
        with ThreadPoolExecutor(1) as pool:
            with one.services.ledger.writing(names[0]) as writer:
                writer.at(names[0]).journal.allocate(1)
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

    def test_a_call_waits_while_the_server_restarts(
        self, restarted: Postgres, opened: Open
    ) -> None:
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


def test_a_dump_is_restored_into_another_database(restarted: Postgres, opened: Open) -> None:
    """The guide, servers: pg_dump and pg_restore carry a whole bank; the index is made anew."""
    with Databases(restarted.url).fresh() as url, Databases(restarted.url).fresh() as other:
        engine = opened(url)
        memory = engine.bank("alice").remember("The vault is under the stairs").memories[0]
        plain = [one.replace("+psycopg", "") for one in (url, other)]
        restarted.run("pg_dump", "--format=custom", f"--file={restarted.folder / 'dump'}", plain[0])
        restarted.run(
            "pg_restore", "--no-owner", f"--dbname={plain[1]}", str(restarted.folder / "dump")
        )
        again = opened(other)
        assert again.bank("alice").recall("vault", floor=0).results[0].memory.id == memory.id
        assert again.reindex().indexed == 1
        engine.close()
        again.close()


@each_case_of("postgres_failures/what_the_server_says_is_not_passed_on")
def test_what_the_server_says_is_not_passed_on(opened: Open, statement: str, told: str) -> None:
    """It quotes rows, and what it was sent: its class and its state are told."""
    engine = opened()
    with pytest.raises(StoreError) as caught, engine.services.ledger.whole() as reader:
        reader._connection.exec_driver_sql(statement)
    assert told in str(caught.value)
    assert "kanarienvogel" not in str(caught.value).lower()
