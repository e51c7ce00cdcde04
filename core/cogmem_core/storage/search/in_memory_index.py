"""What is searched in memory: per namespace a lexical index and the vectors that Chroma does not (yet) answer for.

A view follows the journal: before each search it reads the rows that changed since its last journal
    number, so writes
of any thread or process are visible to the next recall. Views are caches: dropped when memory runs
short, rebuilt from the ledger on demand, never embedding anything.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

import numpy as np

from cogmem_core.base.lru import LRUCache
from cogmem_core.config import StorageConfig
from cogmem_core.errors import StoreUnavailable
from cogmem_core.ports import FloatArray, Hit, Stored
from cogmem_core.storage.ledger.candidates import Candidate, candidate_of
from cogmem_core.storage.ledger.codec import decode_vector, encode_time
from cogmem_core.storage.ledger.journal import TailRow
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.storage.search.bm25 import Bm25Index
from cogmem_core.storage.search.candidate_rows import CandidateRows
from cogmem_core.storage.search.conversation_order import ConversationOrder, Speakers, Timeline
from cogmem_core.storage.search.saved_views import WORTH_SAVING, SavedViews, texts_in, texts_of
from cogmem_core.storage.vectors.exact import VectorMatrix
from cogmem_core.text.query.speaker_names import SpeakerNames
from cogmem_core.text.tokens import tokens
from cogmem_core.values.models import Memory

_ACTIVE = ("active",)
_COLD = ("dormant", "superseded")
_PAGE = 5_000
_VECTORS_PAGE = 1_000  # so many stay in a core's cache: half of the time of 5,000 (measured)
_ROWS_LACKED = 32  # all rows are read when so many times those that were lacking are as many
_ROWS_AT_ONCE = 20_000  # ... if there are no more; 0.3 s
_ROWS_PAGE = 1_000
_ALL = "\U0010ffff"  # behind the last id
_WORDS = 2_000  # memories whose tokens are kept
_SHOWN = 1_000  # memories whose whole rows are kept
_Vector = tuple[str, int, FloatArray, str]


class Changed(Protocol):
    """What indexes take in of a transaction: a `changes.Applied`, which stands above."""

    @property
    def previous_seq(self) -> int:
        """The journal number before the transaction."""

    @property
    def last_seq(self) -> int:
        """The journal number after it."""

    @property
    def indexed(self) -> Sequence[Stored]:
        """The memories that are in the indexes now."""

    @property
    def dropped(self) -> Sequence[str]:
        """The ids that are in them no more."""

    @property
    def memories(self) -> Mapping[str, Memory]:
        """All memories that were touched, as they are now, by id."""

    @property
    def linked(self) -> Sequence[str]:
        """The ids whose relations changed."""


class NamespaceView:
    """In-memory indexes of one namespace's memories in some states; hold `lock` while using it.

    While it is being changed it is not whole; what an exception, also an interrupt, leaves like
    that is built anew.

    Attributes:
        states: the states of the memories it holds.
        cold: it holds what only deep recall and looking back search.
        applied: journal number up to which the view follows.
        rows: what ranking looks at of its memories, as far as it was asked for and did not change
            since.
        shown: whole rows, see `MemoryTable.keyed`, of its memories that were results lately and did
            not change since.
        words: tokens of memories that were results lately, by id and hash of the text.
        order: which memory came before which in a session.
        timeline: which memory was said when.
        matrix: vectors of those of its memories that changed after `matrix_from`; 0 = of all.
    """

    def __init__(
        self,
        namespace: str,
        *,
        fingerprint: str,
        dimension: int,
        states: tuple[str, ...] = _ACTIVE,
    ) -> None:
        self.namespace = namespace
        self.states = states
        self.cold = "active" not in states
        self.lock = threading.RLock()
        self._fingerprint = fingerprint
        self._dimension = dimension
        self._empty()

    def _empty(self) -> None:
        self._whole = False
        self.applied = 0
        self.matrix_from = 0
        self._written = 0
        self._rows_after = ""
        self.lexical = Bm25Index()
        self.matrix = VectorMatrix(self._dimension)
        self.rows = CandidateRows()
        self.shown: LRUCache[str, Sequence[Any]] = LRUCache(_SHOWN)
        self._lacked = 0
        self.words: LRUCache[tuple[str, int], frozenset[str]] = LRUCache(_WORDS)
        self._linked: set[str] | None = None
        self._revising: set[str] = set()
        self.order = ConversationOrder()
        self.timeline = Timeline()
        self._speakers = Speakers()
        self._seqs: dict[str, int] = {}
        self._whole = True

    def mend(self) -> None:
        """Empty it, so that it is built anew, if what changed it last (an interrupt, say) left it half changed."""
        if not self._whole:
            self._empty()

    def check(self) -> None:
        """Make sure that it is whole.

        Raises:
            StoreUnavailable: another thread was interrupted while it changed it.
        """
        if not self._whole:
            raise StoreUnavailable(
                "what is searched in memory was left half changed and is built anew: ask again"
            )

    def __len__(self) -> int:
        return len(self.lexical)

    @property
    def speakers(self) -> SpeakerNames:
        """The names of those who speak in the memories it holds; they change with it."""
        with self.lock:
            return self._speakers.names()

    def follow(self, ns: Namespace) -> None:
        """Catch up with the journal."""
        last = ns.journal.last_seq()
        if last <= self.applied:
            return
        # Later it also has to hear of memories that left its states.
        states = self.states if self.cold and not self.applied else None
        self._forget_rows(ns)
        while rows := ns.journal.tail(self.applied, _PAGE, states=states):
            self._take(rows)
            if len(rows) < _PAGE:
                break
        self.applied = max(self.applied, last)

    def write_down(self, ns: Namespace, saved: SavedViews) -> None:
        """Write it down for the next process, but for the vectors.

        Args:
            ns: a transaction in which nobody else writes; the view follows it first.
            saved: where to.
        """
        self.follow(ns)
        ids = self.lexical.ids
        places = map(self.order.place, ids)
        columns = {
            **self.lexical.columns(),
            "ids": texts_of(ids),
            "sessions": texts_of([place[0] if place else None for place in places]),
            "times": np.array(list(map(self.timeline.at, ids)), dtype=np.int64),
            "speakers": texts_of(list(map(self._speakers.of, ids))),
        }
        saved.write(ns, self.applied, columns)
        self._written = self.applied

    @property
    def worth_writing(self) -> bool:
        """Whether it is large, and changed since it was written down."""
        return len(self) >= WORTH_SAVING and self.applied != self._written

    def take_up(self, ns: Namespace, saved: SavedViews) -> None:
        """Begin with what another process wrote down, if it fits the ledger; only of a new view.

        Its vectors are loaded when they are searched.
        """
        found = saved.read(ns)
        if found is None:
            return
        applied, columns = found
        self._whole = False
        with suppress(ValueError, LookupError, TypeError):
            ids = texts_in(columns["ids"])
            times = columns["times"].tolist()
            lexical = Bm25Index.from_columns(ids, columns)
            self.order.fill(ids, texts_in(columns["sessions"]), times)
            self.timeline.fill(ids, times)
            for memory_id, speaker in zip(ids, texts_in(columns["speakers"]), strict=True):
                self._speakers.add(memory_id, speaker)
            self.lexical = lexical
            self.applied = self.matrix_from = self._written = applied
            self._whole = True
        self.mend()

    def absorb(self, written: Changed) -> None:
        """Take over what this process just wrote, if nothing lies between; else `follow` reads it later.

        Only for the view of active memories.
        """
        if self.applied != written.previous_seq or not self._whole:
            return
        self._whole = False
        for memory_id in written.dropped:
            self._drop(memory_id)
        changed = written.memories.values()
        for memory in changed:
            self.shown.pop(memory.id)
        self.lexical.extend((stored.memory.id, tokens(stored.key)) for stored in written.indexed)
        self._keep([(s.memory.id, s.memory.seq, s.vector, s.fingerprint) for s in written.indexed])
        for stored in written.indexed:
            memory = stored.memory
            recorded_at = encode_time(memory.recorded_at) or 0
            self.order.add(memory.id, memory.session_id, recorded_at)
            self.timeline.add(memory.id, recorded_at)
            self._speakers.add(memory.id, memory.speaker)
        if len(self.rows):
            self.rows.put([candidate_of(m) for m in changed if m.id in self.lexical])
        self._note_links(written.linked)
        self.applied = written.last_seq
        self._whole = True

    def holding(self, ids: Iterable[str]) -> list[str]:
        """Those of some memories that it holds."""
        return self.lexical.known(ids)

    def hold_rows(self, ns: Namespace, ids: Sequence[str]) -> dict[str, Candidate]:
        """See to it that the rows of memories can be taken from `rows`.

        If it is not large, all of the view's memories are read as soon as several were not here.

        Args:
            ns: the snapshot to read from.
            ids: of the memories.

        Returns:
            The rows that cannot be kept here, by id: of memories that the view does not hold, or that
            it knows as they were after the snapshot.
        """
        current = self.applied == ns.journal.last_seq()
        missing = self.rows.missing(ids)
        if not missing:
            return {}
        # All at once are cheaper than each as it is needed; but nobody is to wait for all those of
        # a large namespace.
        self._lacked += len(missing)
        lacking = min(self._lacked * _ROWS_LACKED, _ROWS_AT_ONCE)
        if current and not self._rows_after and len(self.lexical) <= lacking:
            self._rows_after = _ALL
            self._put(ns.overview.candidates(self.states))
            missing = self.rows.missing(ids)
        beyond = ns.memories.candidates(missing)
        kept = [row for row in beyond.values() if current and row.id in self.lexical]
        self._put(kept)
        for row in kept:
            del beyond[row.id]
        return beyond

    def hold_further_rows(self, ns: Namespace) -> bool:
        """Read a page of the rows that were not read yet, beside those who wait; True if it did.

        Args:
            ns: the snapshot to read from.
        """
        self.mend()
        is_asked = self._lacked > 0 or self._written > 0
        if not is_asked or self._rows_after == _ALL or self.applied != ns.journal.last_seq():
            return False
        page = ns.overview.candidates(self.states, after=self._rows_after, limit=_ROWS_PAGE)
        self._put([row for row in page if row.id not in self.rows])
        self._rows_after = page[-1].id if len(page) == _ROWS_PAGE else _ALL
        return True

    def linked(self, ns: Namespace, ids: Sequence[str]) -> list[str]:
        """Those of some memories that may have relations.

        Args:
            ns: the snapshot to read from.
            ids: of the memories.
        """
        linked = self._links(ns)
        return [memory_id for memory_id in ids if linked is None or memory_id in linked]

    def revising(self, ns: Namespace, ids: Sequence[str] | None) -> list[str]:
        """Those of some memories of which another version may be known, see `linked`.

        `ids`: None = of all that are known, the newest first.
        """
        known = self._links(ns) is not None
        if ids is None:
            return sorted(self._revising, reverse=True)
        return [memory_id for memory_id in ids if not known or memory_id in self._revising]

    def _links(self, ns: Namespace) -> set[str] | None:
        """The memories that may have relations; None while the snapshot is not what the view knows."""
        if self._linked is None:
            ends = ns.relations.ends()
            if self.applied != ns.journal.last_seq():
                return None
            self._revising = ends.get("revises", set()) | ends.get("contradicts", set())
            self._linked = set().union(*ends.values())
        return self._linked

    def _note_links(self, ids: Iterable[str]) -> None:
        """These memories may have got relations, of whatever type."""
        noted = set(ids)
        if self._linked is not None:
            self._linked |= noted
            self._revising |= noted

    def _put(self, rows: Sequence[Candidate]) -> None:
        self._whole = False
        self.rows.put([row for row in rows if row.id in self.lexical])
        self._whole = True

    def _forget_rows(self, ns: Namespace) -> None:
        """Before it follows: what changed is read anew when it is needed next."""
        if not len(self.rows) and not len(self.shown) and self._linked is None:
            return
        changed_ids, complete = ns.journal.changed_since(self.applied, _PAGE)
        self._whole = False
        if not complete:
            self.rows = CandidateRows()
            self.shown.clear()
            self._rows_after = ""
            self._lacked = 0
            self._linked = None
        for memory_id in changed_ids:
            self._forget_row(memory_id)
        self._note_links(changed_ids)
        self._whole = True

    def hold_all(self, ns: Namespace) -> bool:
        """Load the vectors of all its memories, so that `matrix` answers alone.

        False if they were here already.
        """
        if self.matrix_from == 0:
            return False
        last_seq = 0
        limit = self.matrix_from
        self.matrix.reserve(len(self.lexical))
        size = self._dimension * np.dtype(np.float32).itemsize
        while last_seq < limit and (rows := ns.overview.vectors(last_seq, _VECTORS_PAGE)):
            lacking = set(self.holding([row[0] for row in rows])).difference(self._seqs)
            usable = [
                (memory_id, seq, vector)
                for memory_id, seq, vector, fingerprint in rows
                if seq <= limit
                and memory_id in lacking
                and fingerprint == self._fingerprint
                and len(vector) == size
            ]
            if usable:
                ids, seqs, vectors = zip(*usable, strict=True)
                block = decode_vector(b"".join(vectors)).reshape(-1, self._dimension)
                self._whole = False
                self._keep_block(ids, seqs, block)
                self._whole = True
            last_seq = rows[-1][1]
        self.matrix_from = 0
        return True

    def shed(self, upto: int) -> None:
        """Give up the vectors of memories last changed at or before journal number `upto`: Chroma answers for them."""
        rows: list[_Vector] = []
        for memory_id, seq in self._seqs.items():
            vector = self.matrix.get(memory_id) if seq > upto else None
            if vector is not None:
                rows.append((memory_id, seq, vector, self._fingerprint))
        self._whole = False
        self.matrix = VectorMatrix(self._dimension)
        self._seqs = {}
        self._keep(rows)
        self.matrix_from = max(self.matrix_from, upto)
        self._whole = True

    def sheddable(self, upto: int) -> int:
        """How many vectors `shed(upto)` would free."""
        return sum(seq <= upto for seq in self._seqs.values())

    def sharing(self, terms: Sequence[str], k: int, *, postings: int) -> list[str]:
        """The k memories that share the rarest words with a text, best first, at a cost that does not grow."""
        with self.lock:
            self.check()
            return self.lexical.sharing(terms, k, postings=postings)

    def share(self, term: str) -> float:
        """The share of its memories that hold the token, 0..1."""
        with self.lock:
            self.check()
            return self.lexical.share(term)

    def nearest(self, vector: FloatArray, k: int) -> list[Hit]:
        """Exact neighbours among the vectors held here."""
        self.check()
        return self.matrix.top(vector, k)

    def _take(self, rows: Iterable[TailRow]) -> None:
        self._whole = False
        fresh = []
        vectors = []
        for row in rows:
            self._forget_row(row.id)
            if row.state in self.states:
                fresh.append((row.id, row.tokens()))
                self.order.add(row.id, row.session_id, row.recorded_at)
                self.timeline.add(row.id, row.recorded_at)
                self._speakers.add(row.id, row.speaker)
                if row.seq > self.matrix_from:
                    vectors.append((row.id, row.seq, decode_vector(row.vector), row.fingerprint))
            else:
                self._drop(row.id)
            self.applied = row.seq
        self.lexical.extend(fresh)
        self._keep(vectors)
        self._whole = True

    def _keep(self, rows: Sequence[_Vector]) -> None:
        """Hold these vectors.

        One of another embedder, or that is damaged, is not held, so its memory is found by its
        words only.
        """
        usable: list[_Vector] = []
        for row in rows:
            if row[3] == self._fingerprint and row[2].size == self._dimension:
                usable.append(row)
            else:
                self._forget_vector(row[0])
        if not usable:
            return
        block = np.stack([row[2] for row in usable])
        self._keep_block([row[0] for row in usable], [row[1] for row in usable], block)

    def _keep_block(self, ids: Sequence[str], seqs: Sequence[int], block: FloatArray) -> None:
        """Hold the vectors of one embedder, one row each, but for damaged ones."""
        finite = np.isfinite(block.sum(axis=1, dtype=np.float64))
        if not finite.all():
            for place in np.flatnonzero(~finite).tolist():
                self._forget_vector(ids[place])
            places = np.flatnonzero(finite).tolist()
            block = block[finite]
            ids = [ids[place] for place in places]
            seqs = [seqs[place] for place in places]
        self.matrix.extend(ids, block)
        self._seqs.update(zip(ids, seqs, strict=True))

    def _drop(self, memory_id: str) -> None:
        self.lexical.remove(memory_id)
        self._forget_row(memory_id)
        self.order.remove(memory_id)
        self.timeline.remove(memory_id)
        self._speakers.remove(memory_id)
        self._forget_vector(memory_id)

    def _forget_row(self, memory_id: str) -> None:
        self.rows.remove(memory_id)
        self.shown.pop(memory_id)

    def _forget_vector(self, memory_id: str) -> None:
        if self._seqs.pop(memory_id, None) is not None:
            self.matrix.remove(memory_id)


class ViewCache:
    """The views in use, at most two per namespace: active memories, and cold ones (dormant and superseded).

    Least recently used first; bounded by vector bytes and by documents, over both kinds.
    """

    def __init__(
        self, storage: StorageConfig, saved: SavedViews, *, fingerprint: str, dimension: int
    ) -> None:
        self.saved = saved
        self._storage = storage
        self._fingerprint = fingerprint
        self._dimension = dimension
        self._views: OrderedDict[tuple[str, bool], NamespaceView] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, namespace: str, *, cold: bool = False) -> NamespaceView:
        """The namespace's view, new and empty if it was not in memory."""
        with self._lock:
            view = self._views.pop((namespace, cold), None)
            # An empty view is false, but not missing.
            if view is None:
                view = NamespaceView(
                    namespace,
                    fingerprint=self._fingerprint,
                    dimension=self._dimension,
                    states=_COLD if cold else _ACTIVE,
                )
            self._views[namespace, cold] = view
            return view

    def loaded(self, namespace: str, *, cold: bool = False) -> NamespaceView | None:
        """The namespace's view if it is in memory."""
        with self._lock:
            return self._views.get((namespace, cold))

    def trim(self) -> None:
        """Drop the least recently used views until the rest fits.

        Those of the newest one's namespace always stay.
        """
        with self._lock:
            views = list(self._views.items())
            documents = sum(len(view) for _, view in views)
            held = sum(view.matrix.nbytes for _, view in views)
            newest = views[-1][0][0] if views else ""
            for key, view in views:
                fits = documents <= self._storage.lexical_cache_documents
                if fits and held <= self._storage.matrix_cache_mb * 2**20:
                    break
                if key[0] != newest:
                    documents = documents - len(view)
                    held = held - view.matrix.nbytes
                    del self._views[key]

    def drop(self, namespace: str) -> None:
        """Forget what is held of one namespace; it is rebuilt from the ledger at its next use."""
        with self._lock:
            for cold in (False, True):
                self._views.pop((namespace, cold), None)
            self.saved.drop(namespace)

    def clear(self) -> None:
        """Forget everything, also what is written down; views are rebuilt from the ledger."""
        with self._lock:
            self._views.clear()
            self.saved.clear()

    def newest(self) -> list[NamespaceView]:
        """The views of active memories, those used last first."""
        with self._lock:
            return [view for (_, cold), view in reversed(self._views.items()) if not cold]

    def fresh(self, *, fingerprint: str, dimension: int) -> None:
        """Start over for another embedder."""
        with self._lock:
            self._views.clear()
            self._fingerprint = fingerprint
            self._dimension = dimension
