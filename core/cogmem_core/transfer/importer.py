"""Import: what is there already is left alone, so that importing twice changes nothing."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple, TextIO

import numpy as np

from cogmem_core.access import compartment
from cogmem_core.base.grouping import grouped
from cogmem_core.base.runtime import derived_id
from cogmem_core.changes import REJECTED, Actor, Applied, Change, Keep, Put, apply, proposal_digest
from cogmem_core.changes.batch import link_key
from cogmem_core.config import EncodingConfig, GuardConfig
from cogmem_core.edge import checks
from cogmem_core.encoding.seals import SEALED, seal
from cogmem_core.errors import InvalidInput
from cogmem_core.ports import Stored
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.table import chunks
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.text.keys import embedded_text
from cogmem_core.text.plural import counted, first_of
from cogmem_core.transfer import records
from cogmem_core.transfer.contents import (
    ERASED,
    Contents,
    attribute,
    estrange,
    leave_out_erased,
    sanitized_line,
    screen,
)
from cogmem_core.transfer.places import Lines, Place, reading
from cogmem_core.transfer.records import identified
from cogmem_core.upkeep.reviews import targets_of
from cogmem_core.values.access_records import COMPARTMENT
from cogmem_core.values.models import Feedback, Memory
from cogmem_core.values.results import ImportReport

_BATCH = 500
_NAMED = 3  # memories in a message
_PLACES = {
    "episode": "episodes",
    "note": "notes",
    "intention": "records",
    "procedure": "records",
    "review": "reviews",
    "task_run": "task_runs",
}
"""Where `Contents` keeps records of a kind, by their ids."""
_MARKS = {"tag": "tags", "short_term": "short_term", "feedback": "feedback"}
"""And those of a memory, by its id."""
_DAMAGE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What reading a record raises where a value is of the wrong kind, too large, missing or nested too deep."""
Progress = Callable[[int, int], None]


class _Whose(NamedTuple):
    """Whose word a file is, and what of it waits for a person; None: nothing."""

    actor: Actor
    guard: GuardConfig | None

    def apply(
        self, services: Services, writer: Transaction, namespace: str, changes: Sequence[Change]
    ) -> Applied:
        """Carry out what the file says."""
        now = services.runtime.now()
        return apply(writer, namespace, changes, now=now, actor=self.actor, guard=self.guard)


def import_file(
    services: Services,
    namespace: str,
    path: Place,
    progress: Progress | None,
    trust: float | None = None,
    *,
    dry_run: bool,
    author: str = "",
) -> ImportReport:
    """Read a file that `export_file` wrote.

    Vectors of another embedder, and of texts that were edited in the file, are made anew from their
    keys.

    Args:
        trust: None = the user's own file, imported as it is; otherwise the rank, use and trust that
            the file claims do not count.
        dry_run: write nothing.
        author: the principal whose word it is, if what he says waits for a person; "" = it does not.

    Raises:
        InvalidInput: not such a file, or a damaged line (named by its number); nothing is imported
            then.
    """
    contents = _read(path, namespace, services.sealed(namespace).config.encoding)
    sealed = contents.leave_out_sealed()
    if trust is not None:
        estrange(
            contents,
            min(trust, services.config.encoding.trusted("federation")),
            services.config.guard,
        )
    screen(contents, services.config.guard)
    guard = None if trust is None and not author else services.config.guard
    importing_author = _Whose(Actor("import", principal=author), guard)
    if author:
        attribute(contents, author)
    read = len(contents.memories)
    erased = leave_out_erased(services, namespace, contents)
    passed = {reason: count for reason, count in ((SEALED, sealed), (ERASED, erased)) if count}
    puts = list(contents.memories.values())
    edited, problems = _edited(services, puts)
    report = ImportReport(
        read, 0, 0, edited, passed=passed, problems=problems, others=contents.others
    )
    places = grouped((put.stored.memory.namespace, put) for put in puts)
    if dry_run:
        ids = list(contents.memories)
        with services.ledger.whole() as reader:
            known_count = sum(len(reader.at(place).memories.by_ids(ids)) for place in places)
        new_count = len(puts) - known_count
        return replace(report, stored=new_count, known=known_count, dry_run=True)
    if contents.seals and guard is None:
        seal(services, namespace, contents.seals)
    stored = existing = 0
    rejected: list[str] = []
    if set(places) - {namespace}:
        services.ledger.write_to(namespace, lambda ns: ns.derivations.open_compartments())
    parts = ((name, part) for name, group in places.items() for part in chunks(group, _BATCH))
    for place, part in parts:
        added, refused = _store(services, place, part, contents, importing_author)
        rejected += refused
        stored += added
        existing += len(part) - added - len(refused)
        if progress:
            progress(stored + existing + len(rejected), len(puts))
    contents.leave_out(rejected)
    _store_other_records(services, namespace, contents, importing_author)
    services.searcher.views.clear()
    left_out = len(rejected) + read - len(puts)
    return replace(report, stored=stored, known=existing, rejected=left_out)


def _edited(services: Services, puts: Sequence[Put]) -> tuple[int, tuple[str, ...]]:
    """How many texts that were edited in a file are not known here, and what a person is told of what is."""
    known: dict[str, Memory] = {}
    with services.ledger.whole() as reader:
        for part in chunks(puts, _BATCH):
            for place, group in grouped((x.stored.memory.namespace, x) for x in part).items():
                known |= reader.at(place).memories.by_ids([x.target for x in group])
    edits = [put.target for put in puts if put.stored.fingerprint == records.EDITED]
    new_count = len(set(edits) - known.keys())
    told = {put.target: _told_by(put.stored.memory) for put in puts}
    differing = [name for name, memory in known.items() if _told_by(memory) != told[name]]
    if not differing:
        return new_count, ()
    memories = counted(len(differing), "memory is", "memories are")
    left = "it is" if len(differing) == 1 else "they are"
    problem = (
        f"{memories} not as in the file, but known here; left as {left}: "
        f"{first_of(differing, _NAMED)}; `cogm edit`, `supersede`, `end` and `forget` change a memory"
    )
    return new_count, (problem,)


def _told_by(memory: Memory) -> tuple[object, ...]:
    """What a memory tells, and what of it holds; not what time or use has made of it."""
    state = memory.state if memory.state in ("superseded", "forgotten") else ""
    return memory.content, state, *((each.number, each.state) for each in memory.clause_states)


def _read(path: Place, namespace: str, settings: EncodingConfig) -> Contents:
    try:
        with reading(path) as file:
            return _contents(path, _parsed(path, file), namespace, settings)
    except InvalidInput:
        raise
    except (OSError, ValueError) as error:
        raise InvalidInput(
            f"cannot read {path}: {error}; give the path of a file that `export` wrote"
        ) from error


def _contents(
    path: Place,
    lines: Iterator[tuple[int, Mapping[str, Any]]],
    namespace: str,
    settings: EncodingConfig,
) -> Contents:
    _, head = next(lines, (0, {}))
    if head.get("format") != records.FORMAT:
        raise InvalidInput(
            f"{path} is no cogm export: its first line is not a cogmem header; name the format "
            "that it has"
        )
    if head.get("version") not in records.READABLE:
        versions = ", ".join(map(str, records.READABLE))
        raise InvalidInput(
            f"{path} has version {head.get('version')!r}; this cogmem reads {versions}"
        )
    contents = Contents(
        head.get("namespace") != namespace, checks.listed("seals", head.get("seals", ()))
    )
    origin = str(head.get("namespace"))
    last: tuple[int, Mapping[str, Any]] = (1, head)
    for last in lines:
        line = sanitized_line(f"{path}, line {last[0]}", last[1], settings)
        try:
            _add_line(contents, line, namespace, origin)
        except _DAMAGE as error:
            raise InvalidInput(
                f"{path}, line {last[0]}: {error!r}; repair or remove the line"
            ) from error
    if last[1].get("kind") != "end" or last[1].get("lines") != last[0] - 1:
        raise InvalidInput(
            f"{path} was cut off or lost lines: it does not end with their number; export it again"
        )
    return contents


def _parsed(path: Place, file: TextIO) -> Iterator[tuple[int, Mapping[str, Any]]]:
    lines = Lines(file)
    for number, text in enumerate(lines, 1):
        lines.begin()
        try:
            line = json.loads(text, parse_constant=_refused, parse_float=_finite)
            if "\\u" in text:  # only an escape can smuggle in what a text must not hold
                checks.json_object("the line", line)
        except (ValueError, RecursionError) as error:
            raise InvalidInput(
                f"{path}, line {number} is not JSON: {error}; repair or remove the line"
            ) from error
        if not isinstance(line, dict):
            raise InvalidInput(
                f"{path}, line {number} is not a JSON object; repair or remove the line"
            )
        yield number, line


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _finite(number: str) -> float:
    if math.isinf(value := float(number)):
        raise ValueError(f"{number[:20]} is too large")
    return value


def _add_once(rows: dict[Any, Any], key: Any, record: Any) -> None:
    if key in rows:
        raise ValueError(f"{key} is there twice")
    rows[key] = record


def _add_line(contents: Contents, line: Mapping[str, Any], namespace: str, origin: str) -> None:
    kind = line.get("kind")
    line = identified(_with_renamed_ids(line, namespace) if contents.renamed else line)
    if kind == "memory":
        _add_once(contents.memories, line["id"], _put(line, namespace, origin))
    elif kind == "version":
        put = contents.memories[line["memory_id"]]
        versions = {archived.stored.memory.version: archived for archived in put.former}
        former = records.read_archived(line, put.stored.memory)
        _add_once(versions, former.stored.memory.version, former)
        contents.change(line["memory_id"], former=tuple(versions.values()))
    elif kind == "change":
        past = contents.memories[line["memory_id"]].past
        contents.change(line["memory_id"], past=(*past, records.read_change(line)))
    elif kind == "relation":
        relation = records.read(line, namespace)
        if not {relation.source_id, relation.target_id} <= contents.memories.keys():
            raise ValueError("it links a memory that the file does not hold")
        contents.relations.append(relation)
    elif kind == "item":
        _add_item(contents, line)
    elif kind in _MARKS:
        _add_mark(contents, line, namespace)
    elif kind in _PLACES:
        rows = getattr(contents, _PLACES[kind])
        _add_once(rows, line["id"], records.read(line, namespace))
    elif kind != "end":  # the last line only tells their number
        raise ValueError(f"unknown kind {kind!r}")


def _put(line: Mapping[str, Any], namespace: str, origin: str) -> Put:
    """A memory; what rests on other namespaces goes into the compartment for what it rests on.

    Args:
        line: as the file has it, with its ids as they are here.
        namespace: where it is imported.
        origin: the namespace that was exported.
    """

    def renamed(name: str, source_id: str) -> tuple[str, str]:
        if name != origin or origin == namespace:
            return name, source_id
        return namespace, _renamed_id(source_id, namespace)

    rests_on = records.read_rests_on(line, renamed)
    place = compartment(namespace, (name for name, _ in rests_on))
    return Put(records.read_memory(line, place), "imported", rests_on=rests_on)


def _add_item(contents: Contents, line: Mapping[str, Any]) -> None:
    item = records.read_item(line)
    at = checks.address(item.path, item.key)
    if not set(item.memory_ids) <= contents.memories.keys():
        raise ValueError("its texts are memories that the file does not hold")
    _add_once(contents.items, at, item)


def _add_mark(contents: Contents, line: Mapping[str, Any], namespace: str) -> None:
    """What is noted beside a memory."""
    memory_id = line["memory_id"]
    if memory_id not in contents.memories:
        raise ValueError("it marks a memory that the file does not hold")
    mark = records.read(line, namespace)
    if isinstance(mark, Feedback):
        _add_once(contents.feedback.setdefault(memory_id, {}), mark.recall_id, mark)
    else:
        _add_once(getattr(contents, _MARKS[line["kind"]]), memory_id, mark)


def _with_renamed_ids(line: Mapping[str, Any], namespace: str) -> dict[str, Any]:
    """Give every id a twin that belongs to this namespace.

    The same twin each time, so that a repeat is recognised.
    """
    renamed = dict(line)
    for name in ("id", "memory_id", "source_id", "target_id", "superseded_by"):
        if isinstance(renamed.get(name), str):
            renamed[name] = _renamed_id(renamed[name], namespace)
    for name in ("support", "memory_ids", "replaces", "shown", "hidden"):
        if name in renamed:
            renamed[name] = [_renamed_id(item, namespace) for item in renamed[name]]
    if "sources" in renamed:
        renamed["sources"] = [
            {**source, "episode_id": _renamed_id(source["episode_id"], namespace)}
            for source in renamed["sources"]
        ]
    return renamed


def _renamed_id(old: str, namespace: str) -> str:
    """Keeps time and counter in front, so that the order by id stays what it was."""
    return derived_id(old, namespace) if old else old


def _store(
    services: Services,
    namespace: str,
    puts: Sequence[Put],
    contents: Contents,
    importing_author: _Whose,
) -> tuple[int, list[str]]:
    """Store new memories; returns how many were stored, and which a person rejected before."""
    with services.ledger.reading(namespace) as ns:
        existing = ns.memories.by_ids([put.target for put in puts])
    fresh = _with_vectors(services, [put for put in puts if put.target not in existing])
    if not fresh:
        return 0, []
    with services.ledger.writing(namespace) as writer:
        services.guard_embedder(writer)
        applied = importing_author.apply(services, writer, namespace, fresh)
        if COMPARTMENT in namespace:
            writer.access.changed()
        ns = writer.at(namespace)
        ids = list(applied.memories)
        ns.synaptic_tags.add([contents.tags[i] for i in ids if i in contents.tags])
        ns.synaptic_tags.add_short_term(
            [contents.short_term[i] for i in ids if i in contents.short_term]
        )
        judgements = [contents.feedback[i].values() for i in ids if i in contents.feedback]
        ns.feedback.add(list(chain.from_iterable(judgements)))
    refused = [item.change.target for item in applied.refused if item.reason == REJECTED]
    return len(ids), refused


def _with_vectors(services: Services, puts: Sequence[Put]) -> list[Put]:
    fingerprint = services.embedder.fingerprint
    dimension = services.embedder.dimension
    lacking = [put for put in puts if not _has_usable_vector(put.stored, fingerprint, dimension)]
    if not lacking:
        return list(puts)
    texts = [embedded_text(put.stored.key) for put in lacking]
    complete = {put.target: put for put in puts}
    for put, vector in zip(lacking, services.embedder.embed_documents(texts), strict=True):
        stored = replace(put.stored, vector=vector, fingerprint=fingerprint)
        complete[put.target] = replace(put, stored=stored)
    return list(complete.values())


def _has_usable_vector(stored: Stored, fingerprint: str, dimension: int) -> bool:
    vector = stored.vector
    return (
        stored.fingerprint == fingerprint
        and vector.size == dimension
        and bool(np.isfinite(vector).all())
    )


def _store_records(
    services: Services, namespace: str, contents: Contents, importing_author: _Whose
) -> None:
    """Intentions and procedures that are not there yet; what a person rejected stays out."""
    changes: list[Change] = [Keep(record, "imported") for record in contents.records.values()]
    with services.ledger.writing(namespace) as writer:
        applied = importing_author.apply(services, writer, namespace, changes)
        reviews = _reviews_of_own(writer, namespace, contents)
        if reviews:
            importing_author._replace(guard=None).apply(services, writer, namespace, reviews)
    services.update_indexes(namespace, applied)


def _reviews_of_own(writer: Transaction, namespace: str, contents: Contents) -> list[Change]:
    """Reviews of what is here, known again by the digests of this ledger."""
    ns = writer.at(namespace)
    ids = [review.target_id for review in contents.reviews.values()]
    ids += chain.from_iterable(review.replaces for review in contents.reviews.values())
    targets = targets_of(ns, ids)
    changes: list[Change] = []
    for review in contents.reviews.values():
        target = targets.get(review.target_id)
        if target is None:
            continue
        replaced = [targets[name] for name in review.replaces if name in targets]
        memories = [memory for memory in replaced if isinstance(memory, Memory)]
        digest = proposal_digest(writer, namespace, target, memories)
        changes.append(Keep(replace(review, proposal=digest, content=""), "imported"))
    return changes


def _store_other_records(
    services: Services, namespace: str, contents: Contents, importing_author: _Whose
) -> None:
    with services.ledger.writing_to(namespace) as ns:
        for part in chunks(contents.episodes.values(), _BATCH):
            existing = ns.turns.by_ids([episode.id for episode in part])
            ns.turns.add([episode for episode in part if episode.id not in existing])
        linked = set(map(link_key, ns.relations.all()))
        ns.relations.change([x for x in contents.relations if link_key(x) not in linked], ())
        existing_notes = ns.notes.existing(list(contents.notes))
        ns.notes.add([note for note in contents.notes.values() if note.id not in existing_notes])
        existing_items = ns.documents.at(contents.items)
        fresh = [item for at, item in contents.items.items() if at not in existing_items]
        ns.documents.put([(item, services.runtime.new_id()) for item in fresh])
        existing_runs = ns.task_runs.by_ids(contents.task_runs)
        for run_id, run in contents.task_runs.items():
            if run_id not in existing_runs:
                ns.task_runs.add(run)
    if contents.records or contents.reviews:
        _store_records(services, namespace, contents, importing_author)
    # Those that waited where they come from wait for this process now.
    services.claims.leave(namespace)
