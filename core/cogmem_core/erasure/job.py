"""Hard forgetting: rows, versions, turns, notes, journal text, postings, vectors are gone from disk; a scan proves it.

With the memories that are named goes what else holds their words: the turns they came from,
memories of those turns that quote them, notes and traces, the questions of feedback, turns that
wait or came to nothing. Other facts of those turns stay, with a key of their own words. Whatever
was derived from an erased memory goes, too; the others that it was derived from stay, and are
recalled again if they had left recall for it. With a text of a document goes the document, and
everything that it ever said. Chroma keeps a deleted vector on disk, so its whole generation is
replaced; SQLite keeps copies of deleted rows in its pages, so its file is written anew. The job is
on record until all is done: what fails is tried again, and a crash in between is finished at the
next open.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from glob import escape
from itertools import chain
from pathlib import Path

from cogmem_core.base.lru import forget_texts
from cogmem_core.changes import Actor, Revive, apply, reject_texts
from cogmem_core.erasure.asked import ANYTHING, Asked
from cogmem_core.erasure.noting import note_erased
from cogmem_core.erasure.scope import Scope, Search, everything, keyed_by_itself
from cogmem_core.errors import EmbedderUnavailable, StoreError, StoreUnavailable
from cogmem_core.ports import Stored
from cogmem_core.process.services import Services
from cogmem_core.storage.files.scan import SHORTEST, Sought, files, held
from cogmem_core.storage.ledger.backup import drop_backups, known_backups
from cogmem_core.storage.ledger.codec import dump, encode_vector
from cogmem_core.storage.ledger.documents import parts
from cogmem_core.storage.ledger.erased import beside, write_beside
from cogmem_core.storage.ledger.erasure import RelatedRows, RowsToErase, erase_rows
from cogmem_core.storage.ledger.record_kinds import AGENTS, KINDS
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.storage.vectors.follower import ChromaFollower
from cogmem_core.values.models import Memory
from cogmem_core.values.results import ForgetReceipt

_RETRY_SECONDS = 1.0
"""How long a later attempt at an erasure waits for those who read: other work of the engine waits meanwhile."""


def erase(
    services: Services,
    follower: ChromaFollower,
    namespace: str,
    memories: Sequence[Memory],
    *,
    folder: Path | None,
    whole: bool,
    records: Collection[str] = (),
    asked: Asked = ANYTHING,
) -> ForgetReceipt:
    """Erase memories and what else holds their words; returns what a scan of the folder still finds.

    `whole`: erase every turn and note of the namespace, also those that no memory came from.
    `records`: ids of intentions and procedures to be erased as well. `asked`: what is to be erased
    of every kind of record.

    Raises:
        EmbedderUnavailable: memories that stay need new vectors, and there are none; nothing was
            erased.
    """
    job = services.runtime.new_id()

    def scope_in(reader: Transaction) -> Scope:
        ns = reader.at(namespace)
        return everything(ns) if whole else Search(ns, memories, records, asked).scope()

    def erase_in(writer: Transaction) -> tuple[Scope, dict[bytes, str | None]]:
        # Looked for where nobody else writes: a worker may finish turns of these very words at any
        # moment.
        scope = scope_in(writer)
        related = _related_records(services, scope, writer)
        traces = _traces(writer, namespace, scope)
        if not whole:
            _restore_sources_of_derived(services, writer, namespace, scope)
        at = services.runtime.now()
        rows = RowsToErase(job, list(scope.memories), scope.rows, at, whole, related)
        if not whole:
            whole_ones = [memory for memory in memories if memory.id not in scope.blanked]
            halves = chain(*scope.blanked.values())
            reject_texts(writer, namespace, [*whole_ones, *halves], at)
        note_erased(writer, namespace, scope, at, whole=whole)
        erase_rows(writer.at(namespace), rows)
        return scope, traces

    if not whole:
        with services.ledger.whole() as reader:
            _with_own_keys(services, scope_in(reader))
    scope, traces = services.ledger.write(namespace, erase_in)
    _forget_caches(services, namespace)
    indexed = follower.index.left_behind
    emptied, remaining = _clean_files(services, follower)
    searched = _files_to_search(services, folder)
    problems = _trace_problems(services, searched, traces)
    remaining = [*scope.left, *remaining, *problems]
    forget_texts()  # looking for what is left reads it
    counts = {name: len(rows) for name, rows in scope.rows.items()}
    to_operator = (*services.ledger.left_to_operator, *follower.left_to_operator)
    return ForgetReceipt(
        tuple(scope.memories),
        True,
        counts["turns"],
        len(searched),
        tuple(remaining),
        tuple(_in_words(scope, counts, indexed=emptied and indexed)),
        to_operator,
        others=_others(counts),
        shortened=tuple(scope.blanked),
    )


def _in_words(scope: Scope, counts: Mapping[str, int], *, indexed: bool) -> list[str]:
    """What was erased, for a person."""
    erased = [
        f"from the ledger: {len(scope.memories)} memories, {counts['turns']} turns, "
        f"{counts['notes']} notes, {counts['documents']} documents"
    ]
    if scope.blanked:
        erased.append(
            f"from memories that say more, which stay with the rest: {len(scope.blanked)}"
        )
    if of_agents := sum(counts[name] for name in AGENTS):
        erased.append(f"intentions, procedures and runs of tasks: {of_agents}")
    if indexed:
        erased.append("from the index: everything; it is made anew")
    return erased


def _others(counts: Mapping[str, int]) -> dict[str, int]:
    """How many documents and records of agents went, by kind."""
    kinds = ("documents", *AGENTS)
    return {kind.partition(" of ")[0]: counts[kind] for kind in kinds if counts[kind]}


def _forget_caches(services: Services, namespace: str) -> None:
    services.searcher.views.drop(namespace)
    forget_texts()
    services.recent.forget(namespace)
    services.sources.forget(namespace)
    services.hot.forget(namespace)
    services.tuning.forget(namespace)
    services.agents.forget(namespace)
    services.statements.forget(namespace)
    services.log.hide()


def _restore_sources_of_derived(
    services: Services, writer: Transaction, namespace: str, scope: Scope
) -> None:
    """What left recall for a derived memory that is erased is recalled again, as if it had been used today."""
    support = set(chain.from_iterable(row.memory.support for row in scope.memories.values()))
    rows = writer.at(namespace).memories.by_ids(sorted(support - scope.memories.keys()))
    now = services.runtime.now()
    fields = {"superseded_by": None, "last_reinforced_at": now}
    reason = "the summary that stood for it was erased"
    revivals = [
        Revive(memory.id, reason, fields)
        for memory in rows.values()
        if memory.state == "superseded" and memory.superseded_by in scope.memories
    ]
    if revivals:
        apply(writer, namespace, revivals, now=now, actor=Actor("user"))


def _with_own_keys(services: Services, scope: Scope) -> list[Stored]:
    """Memories and versions that stay, with keys of their own words; their vectors are cached.

    Before anybody has to wait for the erasure this is done once for nothing but the cache.
    """
    rows = [*scope.rekeyed, *(archived.stored for archived in scope.former)]
    if not rows:
        return []
    keys = list(map(keyed_by_itself, rows))
    try:
        return services.embedded([stored.memory for stored in rows], keys)
    except EmbedderUnavailable as error:
        raise EmbedderUnavailable(
            f"nothing was erased: {len(scope.rekeyed)} other memories of the same turns stay and "
            f"need new vectors, but {error}"
        ) from error


def _related_records(services: Services, scope: Scope, writer: Transaction) -> RelatedRows:
    """What goes, or gets another key, beside the memories and turns."""
    fresh = _with_own_keys(services, scope)
    if fresh:
        services.guard_embedder(writer)
    stay = fresh[: len(scope.rekeyed)]
    former_keys = fresh[len(scope.rekeyed) :]
    return RelatedRows(stay, former_keys, scope.unlisted, scope.blanked.keys())


def finish_pending(services: Services, follower: ChromaFollower) -> bool:
    """Finish erasures that were interrupted; False, because nothing is ever left to do at once.

    Raises:
        StoreUnavailable: something is in the way; the erasures stay on record.
    """
    if services.ledger.pending_erasures():
        _, remaining = _clean_files(services, follower, retry=True)
        if remaining:
            raise StoreUnavailable(
                f"what was erased for good may still be on the disk: {'; '.join(remaining)}"
            )
    return False


def _clean_files(
    services: Services, follower: ChromaFollower, *, retry: bool = False
) -> tuple[bool, list[str]]:
    """Empty the files of what the ledger holds no more; as long as that fails, the jobs stay on record.

    Args:
        retry: this is a later attempt, and nobody waits for it. An erasure that another process
            carries out, with the index, is left to that process.

    Returns:
        Whether the vectors are out of the index, and what stays, with the reason.
    """
    cleaning = services.cleaning
    jobs = services.ledger.pending_erasures()
    remaining = _note_beside(services) + drop_backups(services.ledger.database)
    remaining += services.searcher.views.saved.clear()
    vectors = _empty_index(services, follower, jobs)
    remaining += vectors
    if not (vectors and retry):
        remaining += _rewrite_ledger(services, jobs, _RETRY_SECONDS if retry else None)
    if not remaining:
        for job in jobs:
            services.ledger.finish_erasure(job)
        cleaning.emptied.difference_update(jobs)
        cleaning.rewritten.difference_update(jobs)
    return not vectors, remaining


def _note_beside(services: Services) -> list[str]:
    """Note what was erased beside the ledger and its backups; returns what is in the way.

    A backup that is not to be had now is passed over.
    """
    ledger = services.ledger.file
    if ledger is None:
        return []
    with services.ledger.whole() as reader:
        rows = reader.erased.all()
        backups = known_backups(reader.meta)
    for backup in filter(Path.is_file, backups):
        with suppress(OSError):
            write_beside(backup, rows)
    try:
        write_beside(ledger, rows)
    except OSError as error:
        return [f"what was erased cannot be noted in {beside(ledger)}: {error}"]
    return []


def _empty_index(services: Services, follower: ChromaFollower, jobs: Sequence[str]) -> list[str]:
    """Begin the index anew, without the vectors; returns what is in the way."""
    emptied = services.cleaning.emptied
    reason = ""
    try:
        if emptied.issuperset(jobs) or follower.rebuild():
            emptied.update(jobs)
            return []
    except StoreError as error:
        reason = str(error)
    reason = reason or follower.index.refusal or follower.trouble
    return [
        f"the vectors stay in the index for now ({reason}); the engine that holds it erases them "
        "at its next flush() or write, or the next one that opens it does"
    ]


def _rewrite_ledger(services: Services, jobs: Sequence[str], seconds: float | None) -> list[str]:
    """Leave nothing of deleted rows in the ledger's file and its log.

    Returns what is in the way.
    """
    database = services.ledger.database
    rewritten = services.cleaning.rewritten
    next_attempt = (
        "flush() or the next write tries again, and so does the next engine that opens the bank"
    )
    try:
        if not rewritten.issuperset(jobs):
            database.rewrite()
            rewritten.update(jobs)
        if database.checkpoint(seconds):
            return []
        return [f"the write-ahead log is in use by another process; {next_attempt}"]
    except StoreError as error:
        return [f"the ledger's file may still hold erased text: {error}; {next_attempt}"]


def _traces(reader: Transaction, namespace: str, scope: Scope) -> dict[bytes, str | None]:
    """What must not be found afterwards, unless something that stays holds it too: texts, and vectors (None)."""
    texts = set(scope.spans)
    for kind in KINDS:
        for record in scope.rows.get(kind.name, {}).values():
            if kind.name == "documents":
                texts.update(parts(record.value))
            elif kind.name in ("turns", "notes"):
                texts.add(record.content)
            else:
                texts.update(dump(text)[1:-1] for text in kind.words(record) if " " in text)
    texts.update(half.content for half in chain.from_iterable(scope.blanked.values()))
    texts.update(stored.memory.content for stored in scope.memories.values())
    history = reader.at(namespace).history
    for memory_id in (*scope.blanked, *scope.memories):
        texts.update(version.content for version in history.versions(memory_id))
    rows = [
        *scope.rekeyed,
        *(version.stored for version in scope.former),
        *scope.memories.values(),
    ]
    traces: dict[bytes, str | None] = {encode_vector(stored.vector): None for stored in rows}
    traces |= {text.encode(): text for text in texts}
    return {trace: text for trace, text in traces.items() if len(trace) >= SHORTEST}


def _files_to_search(services: Services, folder: Path | None) -> list[Path]:
    """Every file of the bank; its ledger may lie elsewhere (`storage.ledger_url`)."""
    ledger = services.ledger.database.path
    if ledger is None or (folder is not None and ledger.is_relative_to(folder)):
        return files(folder)
    return files(folder) + sorted(ledger.parent.glob(f"{escape(ledger.name)}*"))


def _trace_problems(
    services: Services, paths: Iterable[Path], traces: Mapping[bytes, str | None]
) -> Iterator[str]:
    """What is wrong with files; one that vanished meanwhile holds nothing."""
    sought = Sought(traces)
    for path in paths:
        try:
            found = held(path, sought)
            if not all(_is_still_stored(services, trace, traces[trace]) for trace in found):
                yield f"{path.name} still holds erased text"
        except FileNotFoundError:
            continue
        except OSError as error:
            yield f"{path.name} could not be searched: {error}"


def _is_still_stored(services: Services, trace: bytes, text: str | None) -> bool:
    """Whether something that was not erased says the same: then it is no trace."""
    with services.ledger.whole() as reader:
        return reader.texts.has_vector(trace) if text is None else reader.texts.has_words(text)
