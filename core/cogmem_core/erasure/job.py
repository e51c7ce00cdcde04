"""Hard forgetting: rows, versions, turns, notes, journal text, postings, vectors are gone from disk; a scan proves it.

With the memories that are named goes what else holds their words: the turns they came from, memories of those turns
that quote them, notes and traces, the questions of feedback, turns that wait or came to nothing. Other facts of those
turns stay, with a key of their own words. Whatever was derived from an erased memory goes, too; the others that it was
derived from stay, and are recalled again if they had left recall for it. With a text of a document goes the document,
and everything that it ever said. Chroma keeps a deleted vector on disk, so its whole generation is replaced; SQLite
keeps copies of deleted rows in its pages, so its file is written anew. The job is on record until all is done: what
fails is tried again, and a crash in between is finished at the next open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from glob import escape
from pathlib import Path

from cogmem_core.changes import Actor, Revive, apply
from cogmem_core.erasure.scope import Scope, Search, everything, keyed_by_itself
from cogmem_core.errors import EmbedderUnavailable, StoreError, StoreUnavailable
from cogmem_core.models import Memory
from cogmem_core.ports import Stored
from cogmem_core.results import ForgetReceipt
from cogmem_core.services import Services
from cogmem_core.storage.files.scan import SHORTEST, Sought, files, held
from cogmem_core.storage.ledger.backup import drop_backups
from cogmem_core.storage.ledger.codec import encode_vector
from cogmem_core.storage.ledger.compat import Writer
from cogmem_core.storage.ledger.documents import parts
from cogmem_core.storage.ledger.erasure import Beside, Going
from cogmem_core.storage.ledger.erasure import erase as erase_rows
from cogmem_core.storage.ledger.reader import Reader
from cogmem_core.storage.vectors.follower import ChromaFollower

__all__ = ["erase", "finish_pending"]

_AGAIN_SECONDS = 1.0
"""How long a later attempt at an erasure waits for those who read: other work of the engine waits meanwhile."""


def erase(
    services: Services,
    follower: ChromaFollower,
    namespace: str,
    memories: Sequence[Memory],
    *,
    folder: Path | None,
    whole: bool,
) -> ForgetReceipt:
    """Erase memories and what else holds their words; returns what a scan of the folder still finds.

    `whole`: erase every turn and note of the namespace, also those that no memory came from.

    Raises:
        EmbedderUnavailable: memories that stay need new vectors, and there are none; nothing was erased.
    """
    job = services.runtime.new_id()

    def scope_in(reader: Reader) -> Scope:
        return everything(reader, namespace) if whole else Search(reader, namespace, memories).scope()

    def erasing(writer: Writer) -> tuple[Scope, Beside, dict[bytes, str | None]]:
        # Looked for where nobody else writes: a worker may finish turns of these very words at any moment.
        scope = scope_in(writer)
        beside, traces = _rekeyed(services, scope, writer), _traces(writer, namespace, scope)
        if not whole:
            _bring_back(services, writer, namespace, scope)
        at = services.runtime.now()
        erase_rows(writer, namespace, Going(job, list(scope.memories), list(scope.turns), at, whole, beside))
        return scope, beside, traces

    if not whole:
        with services.ledger.reading() as reader:
            _embedded(services, scope_in(reader))
    scope, beside, traces = services.ledger.write(namespace, erasing)
    ids, episodes = list(scope.memories), list(scope.turns)
    services.searcher.views.clear()
    services.recent.forget(namespace)
    services.sources.forget(namespace)
    services.hot.forget(namespace)
    services.tuning.forget(namespace)
    services.log.hide()
    indexed = follower.index.left_behind
    emptied, remaining = _clean(services, follower)
    searched, sought = _searched(services, folder), Sought(traces)
    remaining += [found for path in searched if (found := _trace_in(services, path, sought, traces))]
    counts = {"memories": ids, "turns": episodes, "notes": beside.notes, "documents": beside.items}
    erased = [f"from the ledger: {', '.join(f'{len(gone)} {name}' for name, gone in counts.items())}"]
    erased += ["from the index: everything; it is made anew"] if emptied and indexed else []
    left = (*services.ledger.left_to_operator, *follower.left_to_operator)
    return ForgetReceipt(tuple(ids), True, len(episodes), len(searched), tuple(remaining), tuple(erased), left)


def _bring_back(services: Services, writer: Writer, namespace: str, scope: Scope) -> None:
    """What left recall for a derived memory that is erased is recalled again, as if it had been used today."""
    gone = {memory_id: stored.memory.support for memory_id, stored in scope.memories.items()}
    listed = sorted({i for support in gone.values() for i in support} - gone.keys())
    rows = writer.memories(namespace, listed).values()
    now = services.runtime.now()
    fields = {"superseded_by": None, "last_reinforced_at": now}
    away = [m.id for m in rows if m.state == "superseded" and m.superseded_by in gone]
    back = [Revive(memory_id, "the summary that stood for it was erased", fields) for memory_id in away]
    if back:
        apply(writer, namespace, back, now=now, actor=Actor("user"))


def _embedded(services: Services, scope: Scope) -> list[Stored]:
    """Memories and versions that stay, with keys of their own words; their vectors are cached.

    Before anybody has to wait for the erasure this is done once for nothing but the cache.
    """
    rows = [*scope.rekeyed, *(archived.stored for archived in scope.former)]
    keys = [keyed_by_itself(stored) for stored in rows]
    if not rows:
        return []
    try:
        vectors = services.embedder.embed_documents(keys)
    except EmbedderUnavailable as error:
        raise EmbedderUnavailable(
            f"nothing was erased: {len(scope.rekeyed)} other memories of the same turns stay and need new vectors, "
            f"but {error}"
        ) from error
    mine = services.embedder.fingerprint
    return [Stored(s.memory, k, v, mine) for s, k, v in zip(rows, keys, vectors, strict=True)]


def _rekeyed(services: Services, scope: Scope, writer: Writer) -> Beside:
    """What goes, or gets another key, beside the memories and turns."""
    fresh = _embedded(services, scope)
    if fresh:
        services.guard_embedder(writer)
    stay, former_keys = fresh[: len(scope.rekeyed)], fresh[len(scope.rekeyed) :]
    items = [(item.path, item.key) for item in scope.items]
    return Beside(list(scope.notes), items, scope.asked, stay, former_keys, scope.unlisted)


def finish_pending(services: Services, follower: ChromaFollower) -> bool:
    """Finish erasures that were interrupted; False, because nothing is ever left to do at once.

    Raises:
        StoreUnavailable: something is in the way; the erasures stay on record.
    """
    if services.ledger.pending_erasures():
        _, remaining = _clean(services, follower, again=True)
        if remaining:
            raise StoreUnavailable(f"what was erased for good may still be on the disk: {'; '.join(remaining)}")
    return False


def _clean(services: Services, follower: ChromaFollower, *, again: bool = False) -> tuple[bool, list[str]]:
    """Empty the files of what the ledger holds no more; as long as that fails, the jobs stay on record.

    `again`: nobody waits for it. An erasure that another process is at, with the index, is left to that process.

    Returns whether the vectors are out of the index, and what stays, and why.
    """
    cleaning = services.cleaning
    jobs, remaining = services.ledger.pending_erasures(), drop_backups(services.ledger.database)
    vectors = _emptied(services, follower, jobs)
    remaining += vectors
    if not (vectors and again):
        remaining += _rewritten(services, jobs, _AGAIN_SECONDS if again else None)
    if not remaining:
        for job in jobs:
            services.ledger.finish_erasure(job)
        cleaning.emptied.difference_update(jobs)
        cleaning.rewritten.difference_update(jobs)
    return not vectors, remaining


def _emptied(services: Services, follower: ChromaFollower, jobs: Sequence[str]) -> list[str]:
    """Begin the index anew, without the vectors; returns what is in the way."""
    done, reason = services.cleaning.emptied, ""
    try:
        if done.issuperset(jobs) or follower.rebuild():
            done.update(jobs)
            return []
    except StoreError as error:
        reason = str(error)
    reason = reason or follower.index.refusal or follower.trouble
    return [
        f"the vectors stay in the index for now ({reason}); the engine that holds it erases them at its next flush() "
        "or write, or the next one that opens it does"
    ]


def _rewritten(services: Services, jobs: Sequence[str], seconds: float | None) -> list[str]:
    """Leave nothing of deleted rows in the ledger's file and its log; returns what is in the way."""
    database, done = services.ledger.database, services.cleaning.rewritten
    again = "flush() or the next write tries again, and so does the next engine that opens the bank"
    try:
        if not done.issuperset(jobs):
            database.rewrite()
            done.update(jobs)
        return [] if database.checkpoint(seconds) else [f"the write-ahead log is in use by another process; {again}"]
    except StoreError as error:
        return [f"the ledger's file may still hold erased text: {error}; {again}"]


def _traces(reader: Reader, namespace: str, scope: Scope) -> dict[bytes, str | None]:
    """What must not be found afterwards, unless something that stays holds it too: texts, and vectors (None)."""
    texts = {stored.memory.content for stored in scope.memories.values()} | set(scope.spans)
    texts |= {turn.content for turn in scope.turns.values()} | {note.content for note in scope.notes.values()}
    texts |= {version.content for memory_id in scope.memories for version in reader.versions(namespace, memory_id)}
    texts |= {part for item in scope.items for part in parts(item.value)}
    old = (*scope.memories.values(), *scope.rekeyed, *(one.stored for one in scope.former))
    found = {encode_vector(stored.vector): None for stored in old} | {text.encode(): text for text in texts}
    return {trace: text for trace, text in found.items() if len(trace) >= SHORTEST}


def _searched(services: Services, folder: Path | None) -> list[Path]:
    """Every file of the bank; its ledger may lie elsewhere (`storage.ledger_url`)."""
    ledger = services.ledger.database.path
    if ledger is None or (folder is not None and ledger.is_relative_to(folder)):
        return files(folder)
    return files(folder) + sorted(ledger.parent.glob(f"{escape(ledger.name)}*"))


def _trace_in(services: Services, path: Path, sought: Sought, traces: Mapping[bytes, str | None]) -> str:
    """What is wrong with a file, or nothing; a file that vanished meanwhile holds nothing."""
    try:
        left = any(not _stays(services, trace, traces[trace]) for trace in held(path, sought))
        return f"{path.name} still holds erased text" if left else ""
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"{path.name} could not be searched: {error}"


def _stays(services: Services, trace: bytes, text: str | None) -> bool:
    """Whether something that was not erased says the same: then it is no trace."""
    with services.ledger.reading() as reader:
        if text is None:
            return reader.holds_vector(trace)
        elsewhere = reader.holds_elsewhere(text, (), ()) or reader.holds_note(text)
        return elsewhere or reader.holds_key(text) or reader.holds_item(text)
