"""What must be true of a bank, however the process before ended; told as sentences, none if all is well.

The ledger is read with `sqlite3`, Chroma by its own client: what is checked is not asked whether it is right.
"""

import json
import os
import random
import re
import signal
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from cogmem_core import Engine
from cogmem_core.storage.ledger.migrations import SCHEMA_VERSION
from cogmem_core.testing import CountingEmbedder
from cogmem_core.upkeep.rereading import differing_clauses
from fault.jobs import dreaming, state_of
from fault.workload import NAMESPACE, Arg, Ready, opened

_ALLOWED = re.compile(
    r"ledger\.sqlite(-wal|-shm|\.erased)?|ledger\.schema-\d+\.(sqlite|draft)|ops-log.*\.jsonl|cogmem\.toml|chroma|chroma/lock|chroma/gen-\d{6}(/.+)?"
)


def rows(folder: Path, query: str, *parameters: Any) -> list[Any]:
    """Rows of the ledger, read without the engine."""
    ledger = sqlite3.connect(folder / "ledger.sqlite")
    try:
        return ledger.execute(query, parameters).fetchall()
    finally:
        ledger.close()


def file_troubles(folder: Path) -> list[str]:
    """The database as SQLite sees it, and files that should not be there."""
    found = [
        f"integrity_check: {row[0]}"
        for row in rows(folder, "PRAGMA integrity_check")
        if row[0] != "ok"
    ]
    found += [f"foreign_key_check: {row}" for row in rows(folder, "PRAGMA foreign_key_check")]
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*")]
    found += [f"left over: {name}" for name in names if not _ALLOWED.fullmatch(name)]
    # A process that was killed in its first moments has made no tables yet.
    made = rows(folder, "SELECT 1 FROM sqlite_master WHERE name = 'vector_state'")
    number = rows(folder, "SELECT number FROM vector_state") if made else []
    others = {path.name for path in (folder / "chroma").glob("gen-*")} - {
        f"gen-{row[0]:06d}" for row in number
    }
    return [*found, *(f"left over: an old generation {name}" for name in sorted(others))]


_RULES = {
    "two rows share a journal number": "SELECT shard, seq FROM memories GROUP BY shard, seq HAVING count(*) > 1",
    "a row is ahead of its shard's counter": (
        "SELECT m.id FROM memories m JOIN shards s ON s.shard = m.shard WHERE m.seq > s.seq"
    ),
    "a row is ahead of its namespace's number": (
        "SELECT m.id FROM memories m JOIN namespaces n ON n.shard = m.shard AND n.namespace = m.namespace "
        "WHERE m.seq > n.last_seq"
    ),
    "a journal number is ahead of its shard's counter": (
        "SELECT j.seq FROM journal j JOIN shards s ON s.shard = j.shard WHERE j.seq > s.seq"
    ),
    "a memory's versions are not complete": (
        "SELECT m.id FROM memories m WHERE m.version - 1 != "
        "(SELECT count(*) FROM versions v WHERE v.shard = m.shard AND v.memory_id = m.id)"
    ),
    "a version without its memory": (
        "SELECT v.memory_id FROM versions v WHERE NOT EXISTS "
        "(SELECT 1 FROM memories m WHERE m.shard = v.shard AND m.id = v.memory_id)"
    ),
    "a relation to nothing": (
        "SELECT r.type FROM relations r WHERE NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = r.source_id) "
        "OR NOT EXISTS (SELECT 1 FROM memories m WHERE m.id = r.target_id)"
    ),
    "superseded by nothing": (
        "SELECT m.id FROM memories m WHERE m.superseded_by IS NOT NULL AND NOT EXISTS "
        "(SELECT 1 FROM memories o WHERE o.id = m.superseded_by)"
    ),
    "feedback on nothing": "SELECT memory_id FROM feedback WHERE memory_id NOT IN (SELECT id FROM memories)",
    "a tag on nothing": "SELECT memory_id FROM synaptic_tags WHERE memory_id NOT IN (SELECT id FROM memories)",
    "a short-term mark on nothing": "SELECT memory_id FROM short_term WHERE memory_id NOT IN (SELECT id FROM memories)",
    "a clause of nothing": "SELECT memory_id FROM clauses WHERE memory_id NOT IN (SELECT id FROM memories)",
    "an unfinished erasure": "SELECT id FROM erasures",
    "a turn that waits": "SELECT id FROM episodes WHERE status = 'queued'",
    "a row and its tombstone": "SELECT m.id FROM memories m JOIN tombstones t ON t.shard = m.shard AND t.id = m.id",
    "a put in the journal without its row": (
        "SELECT j.memory_id FROM journal j WHERE j.kind = 'put' AND j.memory_id NOT IN (SELECT id FROM memories) "
        "AND j.memory_id NOT IN (SELECT id FROM tombstones)"
    ),
    "a row without a journal entry": "SELECT id FROM memories WHERE id NOT IN (SELECT memory_id FROM journal)",
}


def ledger_troubles(folder: Path) -> list[str]:
    """Rows that do not fit together."""
    ledger = sqlite3.connect(folder / "ledger.sqlite")
    try:
        found = {rule: ledger.execute(query).fetchall() for rule, query in _RULES.items()}
    finally:
        ledger.close()
    return [f"{rule}: {told[:3]}" for rule, told in found.items() if told]


def index_troubles(engine: Engine, folder: Path) -> list[str]:
    """Ids, vectors and a self-query of every collection against the table; the words of every active memory."""
    active: dict[str, dict[str, bytes]] = {}
    query = "SELECT namespace, id, vector FROM memories WHERE state = 'active'"
    for namespace, memory_id, vector in rows(folder, query):
        active.setdefault(namespace, {})[memory_id] = vector
    limit = engine.services.config.storage.index_above
    large = {namespace for namespace, vectors in active.items() if len(vectors) > limit}
    return [
        *_collections(engine, active, large),
        *_words(engine, folder),
        *_clauses(engine, active),
    ]


def _clauses(engine: Engine, namespaces: Iterable[str]) -> list[str]:
    """The index of clauses follows from the memories."""
    with engine.services.ledger.whole() as reader:
        found = {name: differing_clauses(reader.at(name)) for name in namespaces}
    return [f"clauses of {name}: {differing[:3]}" for name, differing in found.items() if differing]


def _collections(engine: Engine, active: dict[str, dict[str, bytes]], large: set[str]) -> list[str]:
    """Every large namespace has a collection; what is in collections is what is active."""
    index = engine.follower.index
    if not index.ready or index._current is None:
        return (
            [f"the index is not ready: {engine.follower.trouble or index.refusal}"] if large else []
        )
    current = index._current.collections
    client = current._connection.client
    owners = {current.name(namespace): namespace for namespace in active}
    present = {collection.name for collection in client.list_collections()}
    lacking = large - {owners.get(name, "") for name in present}
    troubles = [f"the index lacks the collection of {namespace}" for namespace in sorted(lacking)]
    for name in sorted(present):
        handle = client.get_collection(name, embedding_function=None)
        troubles += _collection(handle, active.get(owners.get(name, ""), {}))
    return troubles


def _collection(handle: Any, wanted: dict[str, bytes]) -> Iterator[str]:
    held = handle.get(include=["embeddings"])
    vectors = dict(zip(held["ids"], held["embeddings"], strict=True))
    if vectors.keys() != wanted.keys():
        lacks, more = len(wanted.keys() - vectors.keys()), len(vectors.keys() - wanted.keys())
        yield f"index != table: lacks {lacks}, has {more} more"
        return
    for memory_id, blob in wanted.items():
        vector = np.frombuffer(blob, dtype="<f4")
        if not np.allclose(vectors[memory_id], vector, atol=1e-6):
            yield f"the index holds another vector of {memory_id}"
    sample = random.Random(0).sample(sorted(wanted), min(50, len(wanted)))
    if not sample:
        return
    queries = [np.frombuffer(wanted[one], dtype="<f4") for one in sample]
    found = handle.query(query_embeddings=queries, n_results=1, include=["distances"])["distances"]
    lost = [
        one
        for one, distances in zip(sample, found, strict=True)
        if not distances or abs(distances[0]) > 1e-3
    ]
    if lost:
        yield f"{len(lost)} of {len(sample)} vectors do not find themselves"


def _words(engine: Engine, folder: Path) -> Iterator[str]:
    """Postings and vectors in memory hold exactly the active memories."""
    for namespace in engine.namespaces():
        query = "SELECT id FROM memories WHERE namespace = ? AND state = 'active'"
        ids = {row[0] for row in rows(folder, query, namespace)}
        searcher = engine.services.searcher
        with engine.services.ledger.whole() as reader:
            view = searcher.view(reader, namespace)
            if len(view) != len(ids) or any(one not in view.lexical for one in ids):
                yield f"the words of {namespace}: {len(view)} memories, the table has {len(ids)}"
            if searcher.verify(reader, namespace, ids):
                yield f"the postings of {namespace} differ from the table"


def snapshot(folder: Path) -> dict[str, Any]:
    """What the model is compared with."""
    columns = "id, content, state, pinned, version, used_count, category"
    memories = rows(folder, f"SELECT {columns} FROM memories WHERE namespace = ?", NAMESPACE)
    names = [name.strip() for name in columns.split(",")]
    feedback = rows(folder, "SELECT recall_id, memory_id, signal FROM feedback")
    return {
        "memories": [dict(zip(names, row, strict=True)) for row in memories],
        "turns": Counter(
            row[0] for row in rows(folder, "SELECT ref FROM episodes WHERE ref IS NOT NULL")
        ),
        "sources": Counter(
            source[0]
            for row in rows(folder, "SELECT sources FROM memories WHERE namespace = ?", NAMESPACE)
            for source in json.loads(row[0])
        ),
        "turn_ids": dict(rows(folder, "SELECT id, ref FROM episodes WHERE ref IS NOT NULL")),
        "feedback": feedback,
        "items": dict(rows(folder, "SELECT key, value FROM items")),
        "item_texts": dict(rows(folder, "SELECT key, memory_ids FROM items")),
        "talk": [
            row[0]
            for row in rows(
                folder, "SELECT content FROM episodes WHERE session_id = 'talk' ORDER BY position"
            )
        ],
        "runs": dict(rows(folder, "SELECT id, state FROM runs")),
        "records": _records(folder),
        "tombstones": [row[0] for row in rows(folder, "SELECT id FROM tombstones")],
    }


def _records(folder: Path) -> dict[str, str]:
    """The state of what is kept beside the memories, by its tag."""
    reviews = "SELECT m.content, r.state FROM reviews r JOIN memories m ON m.id = r.target_id"
    told = rows(folder, reviews)
    for content, state in rows(folder, "SELECT content, state FROM intentions"):
        told.append((json.loads(content)["text"], state))
    for content, ok in rows(folder, "SELECT content, ok FROM task_runs"):
        told.append((json.loads(content)["task"], str(bool(ok))))
    told += rows(folder, "SELECT name, kind FROM principals")
    for namespaces, revoked in rows(folder, "SELECT namespaces, revoked_at FROM grants"):
        if namespaces.startswith("zg"):
            told.append((namespaces.partition("/")[0], "granted" if revoked is None else "revoked"))
    return {text.split()[0]: state for text, state in told}


def checked(arg: Arg, ready: Ready) -> dict[str, Any]:
    """Open the bank, let it finish what was left, and tell what is wrong; then what is in it.

    `look`: also look at the files before the engine does, which makes SQLite recover its log. `tidy`: close the engine,
    else end the process as it is.
    """
    folder, troubles, embedder = Path(arg["folder"]), list[str](), CountingEmbedder()
    waiting = 0
    if arg.get("look"):
        troubles += [trouble for trouble in file_troubles(folder) if "left over" not in trouble]
        made = rows(folder, "SELECT 1 FROM sqlite_master WHERE name = 'episodes'")
        waiting = (
            rows(folder, "SELECT count(*) FROM episodes WHERE status = 'queued'")[0][0]
            if made
            else 0
        )
    with opened(folder, arg["hours"], embedder) as engine:
        engine.flush()
        lag, warnings = engine.sync(), engine.health()["warnings"]
        troubles += [f"the index lags by {lag}"] if lag else []
        # A file system of 16 MiB is nearly full from the beginning, and rightly said to be.
        told = [warning for warning in warnings if not warning.startswith("The disk has ")]
        troubles += [f"warning: {warning}" for warning in told]
        troubles += ledger_troubles(folder) + index_troubles(engine, folder)
        if arg.get("look") and len(embedder.texts) != waiting:
            troubles.append(
                f"{len(embedder.texts)} texts were embedded, {waiting} turns had waited"
            )
        bank = engine.bank(NAMESPACE)
        known = snapshot(folder)
        for memory in [one for one in known["memories"] if one["state"] == "active"][:3]:
            found = bank.recall(memory["content"], k=3, floor=0)
            same = {one["id"] for one in known["memories"] if one["content"] == memory["content"]}
            if found.degraded or not found.results or found.results[0].memory.id not in same:
                troubles.append(
                    f"recall of {memory['content']!r}: {found.degraded} {len(found.results)} results"
                )
        if arg.get("lease", True) and not bank.consolidate(steps=["expiry"]).run_id:
            troubles.append("a dead process still holds the lease")
        troubles += file_troubles(folder)
        if not arg.get("tidy", True):
            result = {"troubles": troubles, **known}
            _leave(arg, result)
    if arg.get("closed", True):
        troubles += file_troubles(folder)
    return {"troubles": troubles, **known}


def _leave(arg: Arg, result: dict[str, Any]) -> None:
    """End the process as it is; the result stands in a file."""
    Path(arg["result"]).write_text(json.dumps(result))
    os._exit(0)


def dreamt(arg: Arg, ready: Ready) -> dict[str, Any]:
    """What a dream cycle left: the bank, whether a cycle was begun, and what the next one makes of it."""
    folder = Path(arg["folder"])
    with dreaming(folder, arg["days"]) as engine:
        engine.pause()
        bank = engine.bank(NAMESPACE)
        state, begun = state_of(bank), bool(bank.consolidation_runs())
        runs = [run.state for run in bank.consolidation_runs()]
        report = bank.consolidate()
    with dreaming(folder, arg["days"], seconds=120) as engine:
        engine.pause()
        bank = engine.bank(NAMESPACE)
        again = "" if report.run_id else bank.consolidate().run_id
        engine.sync()
        troubles = ledger_troubles(folder) + index_troubles(engine, folder)
        runs_after = sorted({run.state for run in bank.consolidation_runs()})
        final = state_of(bank)
        owner = rows(folder, "SELECT owner FROM dreams WHERE owner IS NOT NULL")
    troubles += file_troubles(folder)
    troubles += [f"the lease is still held by {owner}"] if owner else []
    return {
        "state": state,
        "begun": begun,
        "runs": runs,
        "ran": bool(report.run_id),
        "reason": report.reason,
        "ran_later": bool(again),
        "runs_after": runs_after,
        "final": final,
        "troubles": troubles,
    }


def stations(arg: Arg, ready: Ready) -> list[Any]:
    """The bank before a cycle and after each of its steps."""
    from cogmem_core.config.consolidation import STEP_NAMES

    with dreaming(arg["folder"], arg["days"]) as engine:
        engine.pause()
        bank = engine.bank(NAMESPACE)
        found = [state_of(bank)]
        for name in STEP_NAMES:
            bank.consolidate(steps=[name])
            found.append(state_of(bank))
    return found


def version(arg: Arg, ready: Ready) -> dict[str, Any]:
    """The schema's version as the file tells it, and how many memories there are; the engine does not look."""
    folder = Path(arg["folder"])
    return {
        "version": int(rows(folder, "SELECT value FROM meta WHERE key = 'schema_version'")[0][0]),
        "newest": SCHEMA_VERSION,
        "memories": rows(folder, "SELECT count(*) FROM memories")[0][0],
        "troubles": [t for t in file_troubles(folder) if "left over" not in t],
    }


def planted(arg: Arg, ready: Ready) -> None:
    """Damage the ledger with a statement."""
    ledger = sqlite3.connect(Path(arg["folder"]) / "ledger.sqlite")
    ledger.execute(arg["statement"])
    ledger.commit()
    ledger.close()


def broken(arg: Arg, ready: Ready) -> None:
    """End in a bad way."""
    if arg["how"] == "segv":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif arg["how"] == "hang":
        signal.pause()
    elif arg["how"] == "raise":
        raise RuntimeError("broken")


_QUESTIONS = ("zq0x0xq", "zq0x7xq", "zq0x77xq", "zq0x90xq and zq0x91xq", "nothing of the kind")


def answers(arg: Arg, ready: Ready) -> dict[str, Any]:
    """What a bank answers before its index is there and after, and what is wrong with it then."""
    folder, embedder = Path(arg["folder"]), CountingEmbedder()
    with opened(folder, 1, embedder) as engine:
        engine.pause()
        bank = engine.bank(NAMESPACE)

        def ask() -> list[list[str]]:
            found = [bank.recall(question, k=10, floor=0) for question in _QUESTIONS]
            return [[*(result.memory.id for result in one.results), *one.degraded] for one in found]

        first = ask()
        lag, told = engine.sync(), engine.health()["warnings"]
        troubles = [
            *told,
            *index_troubles(engine, folder),
            *([f"the index lags by {lag}"] if lag else []),
        ]
        second = ask()
    troubles += file_troubles(folder)
    return {
        "first": first,
        "answers": second,
        "troubles": troubles,
        "embedded": len(embedder.texts),
    }
