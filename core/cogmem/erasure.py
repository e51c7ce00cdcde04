"""Hard forgetting: rows, versions, turns, journal text, postings and vectors are gone from disk, and a scan proves it.

Chroma keeps a deleted vector on disk, so its whole generation is replaced. The job is on record until all is done;
a crash in between is finished when the engine opens again.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cogmem.models import Memory
from cogmem.results import ForgetReceipt
from cogmem.services import Services
from cogmem.storage.codec import encode_vector
from cogmem.storage.sync import ChromaFollower

__all__ = ["erase", "finish_pending"]

_SHORTEST_TRACE = 8  # bytes; a shorter text ("ok") stands in many places for other reasons
_BLOCK = 4 * 2**20


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
    episodes = list(dict.fromkeys(s.episode_id for memory in memories for s in memory.sources if s.episode_id))
    if whole:
        with services.ledger.reading() as reader:
            episodes = reader.turn_ids(namespace)
    traces = _traces(services, namespace, ids, episodes)
    job = services.runtime.new_id()
    services.ledger.erase(job, namespace, ids, episodes)
    services.searcher.views.clear()
    remaining = _clean(services, follower, [job])
    files = _files(folder)
    remaining += [f"{path.name} still holds erased text" for path in files if _holds(path, traces)]
    return ForgetReceipt(tuple(ids), True, len(episodes), len(files), tuple(remaining))


def finish_pending(services: Services, follower: ChromaFollower) -> bool:
    """Finish erasures that a crash interrupted; False, because nothing is ever left to do afterwards."""
    jobs = services.ledger.pending_erasures()
    if jobs:
        _clean(services, follower, jobs)
    return False


def _clean(services: Services, follower: ChromaFollower, jobs: Sequence[str]) -> list[str]:
    follower.rebuild()
    remaining = []
    if not services.ledger.database.checkpoint():
        remaining.append("the write-ahead log is in use by another process; it is emptied when that process ends")
    for job in jobs:
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
    return [] if folder is None else sorted(path for path in folder.rglob("*") if path.is_file())


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
