"""Hard forgetting on PostgreSQL and a Chroma server: what is gone at once, and what after the steps of the guide."""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import cogmem_core
from cogmem_core.config import StorageConfig
from cogmem_core.ports import FloatArray
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock
from helpers.servers import CHROMA, Chroma, Databases, Postgres, run_sql

CANARY = "The canary Tweety2718281 sings at dawn"
# Of length 1 to the last bit, so that Chroma stores it as it is.
VECTOR = np.zeros(64, dtype="<f4")
VECTOR[[3, 17, 40, 63]] = [0.5, -0.5, 0.5, 0.5]
TEXTS = [
    f"Remark {i} about {['boats', 'trains', 'cheese', 'violins', 'rain'][i % 5]} and word{i}"
    for i in range(150)
]
SERVERS = (Path(__file__).resolve().parents[2] / "cookbook" / "guide" / "servers.md").read_text(
    encoding="utf-8"
)


class Canary(CountingEmbedder):
    """Gives every text about the canary the canary's vector."""

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        rows = super().embed_documents(texts)
        rows[[number for number, text in enumerate(texts) if "Tweety" in text]] = VECTOR
        return rows


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[Postgres, Chroma]]:
    """Servers of our own: every byte of their folders is searched."""
    with Postgres() as postgres, Chroma() as chroma:
        yield postgres, chroma


def traces(folder: Path) -> list[str]:
    """Files in which the canary's name or vector stands."""
    wanted = (b"Tweety2718281", VECTOR.tobytes())
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return [
        path.relative_to(folder).parts[0]
        for path in files
        if any(one in path.read_bytes() for one in wanted)
    ]


def steps(heading: str) -> list[str]:
    """The statements of a block of the guide below a line."""
    block = SERVERS.split(heading, 1)[1].split("```", 2)[1].split("\n", 1)[1]
    return [line.partition("--")[0].strip() for line in block.splitlines() if line.strip()]


def test_after_the_operators_steps_no_file_of_either_server_holds_a_trace(
    servers: tuple[Postgres, Chroma],
) -> None:
    """Text, former text, journal, speaker, metadata, statistics of the planner, both indexes; then both are in use."""
    postgres, chroma = servers
    with Databases(postgres.url).fresh() as url:
        storage = StorageConfig(
            ledger_url=url, chroma_url=chroma.url, index_above=0, sync_threshold=100
        )
        config = replace(MANUAL, storage=storage)
        with cogmem_core.open(embedder=Canary(), clock=FrozenClock(), config=config) as engine:
            bank = engine.bank("alice")
            memory = bank.remember(
                CANARY, speaker="Tweety2718281", metadata={"who": "Tweety2718281"}
            ).memories[0]
            bank.remember(TEXTS)
            bank.items().put(
                ("birds",), "one", {"name": "Tweety2718281"}, texts=[f"{CANARY} in a document"]
            )
            bank.edit(memory.id, f"{CANARY} and at dusk")
            bank.feedback(bank.recall("Tweety2718281", floor=0), f"{CANARY} and at dusk")
            engine.sync()
            run_sql(url, "ANALYZE")
            assert (traces(postgres.folder) != [], traces(chroma.folder) != []) == (True, True)
            receipt = bank.forget("Tweety2718281", hard=True)

            assert receipt.remaining == ()
            assert receipt.erased == (
                # The fact, what the edit put in its place, and the text of the document.
                "from the ledger: 2 memories, 1 turns, 0 notes, 1 documents",
                "from the index: everything; it is made anew",
            )
            assert [told.split(" ")[0] for told in receipt.operator] == ["PostgreSQL", "Chroma"]
            for (table,) in run_sql(
                url, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
            ):
                assert run_sql(
                    url, f"SELECT count(*) FROM {table} t WHERE t::text LIKE '%Tweety%'"
                ) == [(0,)], table
                hexed = VECTOR.tobytes().hex()
                assert run_sql(
                    url, f"SELECT count(*) FROM {table} t WHERE t::text LIKE '%{hexed}%'"
                ) == [(0,)], table
            assert [
                r.content
                for r in bank.recall("Tweety2718281", floor=0).results
                if "Tweety" in r.content
            ] == []

        # In the servers' files it still stands: so the receipt says, and that is why there are steps.
        assert "data" in traces(postgres.folder)
        for statement in steps("**PostgreSQL, once**"):
            run_sql(url, statement)
        for statement in steps("**PostgreSQL, after erasing**"):
            run_sql(url, statement)
        assert traces(postgres.folder) == []

        chroma.stop()
        _purge_chroma(chroma)
        assert traces(chroma.folder) == []
        chroma.start()
        with cogmem_core.open(embedder=Canary(), clock=FrozenClock(), config=config) as engine:
            assert engine.sync() == 0
            found = engine.bank("alice").recall("boats word5")
            assert (found.degraded, engine.follower.index.total()) == ((), 150)
            engine.bank("alice").remember("Another bird")
        assert (traces(postgres.folder), traces(chroma.folder)) == ([], [])


def _purge_chroma(chroma: Chroma) -> None:
    """The guide: vacuum, and delete the folders of collections that are gone."""
    subprocess.run(
        [sys.executable, "-c", CHROMA, "vacuum", "--path", str(chroma.data), "--force"], check=True
    )
    with closing(sqlite3.connect(chroma.data / "chroma.sqlite3")) as database:
        known = {row[0] for row in database.execute("SELECT id FROM segments")}
    gone = [path for path in chroma.data.iterdir() if path.is_dir() and path.name not in known]
    assert gone != []
    for path in gone:
        shutil.rmtree(path)


def test_an_emptied_chroma_folder_is_the_simple_way(servers: tuple[Postgres, Chroma]) -> None:
    """The guide: a server that holds nothing but cogmem's vectors may simply lose its folder."""
    postgres, chroma = servers
    with Databases(postgres.url).fresh() as url:
        storage = StorageConfig(ledger_url=url, chroma_url=chroma.url, index_above=0)
        with cogmem_core.open(embedder=Canary(), config=replace(MANUAL, storage=storage)) as engine:
            bank = engine.bank("alice")
            memory = bank.remember(CANARY).memories[0]
            bank.remember(TEXTS[:20])
            engine.sync()
            bank.forget(memory.id, hard=True)
            chroma.stop()
            shutil.rmtree(chroma.data)
            chroma.start()
            assert bank.recall("boats word5").results != ()
            engine.flush()
            assert (bank.recall("boats word5").degraded, engine.follower.index.total()) == ((), 20)
            assert traces(chroma.folder) == []


def test_erasing_while_the_chroma_server_is_away_is_finished_when_it_is_back(
    servers: tuple[Postgres, Chroma],
) -> None:
    """The rows go at once; the receipt tells what is still to come, and the worker does it."""
    postgres, chroma = servers
    with Databases(postgres.url).fresh() as url:
        storage = StorageConfig(ledger_url=url, chroma_url=chroma.url, index_above=0)
        with cogmem_core.open(embedder=Canary(), config=replace(MANUAL, storage=storage)) as engine:
            bank = engine.bank("alice")
            memory = bank.remember(CANARY).memories[0]
            bank.remember(TEXTS[:20])
            engine.sync()
            before = engine.follower.index.generation
            chroma.stop()
            receipt = bank.forget(memory.id, hard=True)
            assert (len(receipt.remaining), bank.count()) == (1, 20)
            assert receipt.remaining[0].startswith("the vectors stay in the index for now")
            assert len(receipt.erased) == 1
            chroma.start()
            engine.flush()
            assert engine.services.ledger.pending_erasures() == []
            assert engine.follower.index.generation > before
            assert (engine.follower.index.total(), engine.warnings()) == (20, [])
