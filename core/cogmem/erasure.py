"""Hard forgetting: rows, versions, turns, journal text, postings and vectors are gone from disk, and a scan proves it.

Chroma keeps a deleted vector on disk, so its whole generation is replaced. The job is on record until all is done;
a crash in between is finished when the engine opens again.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from cogmem.encoding.facts import Identity, identity_of, voice_of
from cogmem.models import Episode, Memory
from cogmem.results import ForgetReceipt
from cogmem.services import Services
from cogmem.storage.codec import encode_vector
from cogmem.storage.reader import Reader
from cogmem.storage.sync import ChromaFollower
from cogmem.text.keys import content_hash

__all__ = ["erase", "finish_pending"]

_SHORTEST_TRACE = 8  # bytes; a shorter text ("ok") stands in many places for other reasons
_BLOCK = 4 * 2**20
_PAGE = 500


def erase(
    services: Services,
    follower: ChromaFollower,
    namespace: str,
    memories: Sequence[Memory],
    *,
    folder: Path | None,
    whole: bool,
) -> ForgetReceipt:
    """Erase memories and the turns they came from; returns what a scan of the folder still finds.

    `whole`: erase every turn of the namespace, also those that no memory came from.
    """
    ids = [memory.id for memory in memories]
    with services.ledger.reading() as reader:
        episodes = reader.turn_ids(namespace) if whole else _turns(reader, namespace, memories)
    traces = _traces(services, namespace, ids, episodes)
    job = services.runtime.new_id()
    services.ledger.erase(job, namespace, ids, episodes, whole=whole)
    services.searcher.views.clear()
    remaining = _clean(services, follower, [job])
    files = _files(folder)
    remaining += [found for path in files if (found := _trace_in(path, traces))]
    return ForgetReceipt(tuple(ids), True, len(episodes), len(files), tuple(remaining))


def _turns(reader: Reader, namespace: str, memories: Sequence[Memory]) -> list[str]:
    """The turns that memories came from, also those that a memory which was said very often no longer lists."""
    found = {source.episode_id: None for memory in memories for source in memory.sources if source.episode_id}
    identities: set[Identity] = set()
    for memory in memories:
        if memory.access_count >= len(memory.sources) > 0:
            texts = (memory.content, *(version.content for version in reader.versions(namespace, memory.id)))
            identities |= {identity_of(replace(memory, content_hash=content_hash(text))) for text in texts}
    after: str | None = None
    while identities and (page := reader.turns_page(namespace, limit=_PAGE, after=after)):
        found |= {t.id: None for t in page if t.status != "queued" and _said_by(t) in identities}
        after = page[-1].id
    return list(found)


def _said_by(turn: Episode) -> Identity:
    return content_hash(turn.content), voice_of(turn)


def finish_pending(services: Services, follower: ChromaFollower) -> bool:
    """Finish erasures that a crash interrupted; False, because nothing is ever left to do afterwards."""
    jobs = services.ledger.pending_erasures()
    if jobs:
        _clean(services, follower, jobs)
    return False


def _clean(services: Services, follower: ChromaFollower, jobs: Sequence[str]) -> list[str]:
    emptied = follower.rebuild()
    remaining = []
    if not emptied:
        remaining.append(
            f"the vectors stay in the index for now ({follower.index.refusal}); the engine that holds it erases them "
            "at its next flush() or write, or the next one that opens the folder does"
        )
    if not services.ledger.database.checkpoint():
        remaining.append("the write-ahead log is in use by another process; it is emptied when that process ends")
    for job in jobs if emptied else ():
        services.ledger.finish_erasure(job)
    return remaining


def _traces(services: Services, namespace: str, ids: Sequence[str], episodes: Sequence[str]) -> list[bytes]:
    """Byte strings that must not be found afterwards: texts and vectors that nothing else holds."""
    with services.ledger.reading() as reader:
        stored = reader.stored(namespace, ids)
        texts = {item.memory.content for item in stored.values()}
        texts |= {turn.content for turn in reader.episodes(namespace, episodes).values()}
        texts |= {version.content for memory_id in ids for version in reader.versions(namespace, memory_id)}
        vectors = [encode_vector(item.vector) for item in stored.values() if item.vector.size]
        shared = {text for text in texts if reader.holds_elsewhere(text, ids, episodes)}
    found = [text.encode() for text in texts - shared]
    unshared = [] if shared else vectors
    return [trace for trace in (*found, *unshared) if len(trace) >= _SHORTEST_TRACE]


def _files(folder: Path | None) -> list[Path]:
    # os.walk passes over folders that vanish meanwhile; Path.rglob would fail.
    walk = () if folder is None else os.walk(folder)
    return sorted(Path(place) / name for place, _, names in walk for name in names)


def _trace_in(path: Path, traces: Sequence[bytes]) -> str:
    """What is wrong with a file, or nothing; a file that vanished meanwhile holds nothing."""
    try:
        return f"{path.name} still holds erased text" if _holds(path, traces) else ""
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"{path.name} could not be searched: {error}"


def _holds(path: Path, traces: Sequence[bytes]) -> bool:
    longest = max((len(trace) for trace in traces), default=0)
    rest = b""
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            window = rest + block
            if any(trace in window for trace in traces):
                return True
            rest = window[-longest:] if longest else b""
    return False
