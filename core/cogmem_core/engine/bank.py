"""The memories of one namespace: the half that users talk to.

Every method forwards; the work is done below.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, get_args

from cogmem_core import checks, lifecycle, transfer
from cogmem_core.async_twin import async_twin
from cogmem_core.config import EncodingConfig
from cogmem_core.config.consolidation import STEP_NAMES
from cogmem_core.consolidation import CycleControl, CycleRequest, consolidate, undo
from cogmem_core.encoding import commit
from cogmem_core.encoding.add_memory import Statement, add_memory
from cogmem_core.encoding.commit import finish_queued, keep_entries
from cogmem_core.encoding.sanitize import (
    checked_entries,
    checked_turns,
    redact,
    sanitize,
    sanitize_label,
    sanitize_labels,
    sanitize_turn,
)
from cogmem_core.engine.items import Items
from cogmem_core.engine.session import Session, WorkingMemory
from cogmem_core.erasure import erase
from cogmem_core.errors import InvalidInput, NotFound
from cogmem_core.feedback import Similarity, apply_feedback
from cogmem_core.feedback.queue import QueuedAnswer
from cogmem_core.health.forecast import audit, forecast
from cogmem_core.health.summary import namespace_health
from cogmem_core.models import (
    STATES,
    TIERS,
    ConsolidationRun,
    Episode,
    Feedback,
    Memory,
    Relation,
    Role,
    Turn,
)
from cogmem_core.observation import observe
from cogmem_core.reflection import reflect
from cogmem_core.results import (
    Audit,
    AuditTrail,
    ConsolidationReport,
    Forecast,
    ForgetReceipt,
    History,
    ImportReport,
    LifeStory,
    Page,
    Recall,
    Recalled,
    Receipt,
    TipOfTongue,
    UndoReport,
    WriteReport,
)
from cogmem_core.retrieval.pipeline import recall
from cogmem_core.retrieval.request import Request
from cogmem_core.services import Services
from cogmem_core.storage.ledger.memories import Filter
from cogmem_core.tip_of_tongue import tip_of_tongue

if TYPE_CHECKING:
    from cogmem_core.engine.engine import Engine
    from cogmem_core.results import ObservationReport, ReflectionReport

__all__ = ["MemoryBank"]

_FORMATS = ("cogmem", *transfer.FOREIGN)
_AT_ONCE = 64  # turns
_MODES = ("auto", "semantic", "raw", "hybrid")
_SETTLED_AT_ONCE = 256
_ROLES = get_args(Role)


class MemoryBank:
    """Remembers and recalls for one namespace; thread-safe; made by `Engine.bank`.

    Every method has an async twin of the same name with an `a` in front.
    """

    def __init__(self, engine: Engine, namespace: str) -> None:
        self._engine = engine
        self.namespace = namespace

    @property
    def engine(self) -> Engine:
        """The engine that it belongs to."""
        return self._engine

    def remember(
        self,
        content: str | Turn | Sequence[str | Turn],
        *,
        role: Role = "user",
        speaker: str | None = None,
        at: datetime | None = None,
        session_id: str | None = None,
        ref: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        mode: str | None = None,
        wait: bool = True,
    ) -> WriteReport:
        """Take in what was said; the turns are on disk before anything else is tried.

        Args:
            content: a text, or a list of texts and `Turn`s as one batch (one embedding call).
            role, speaker, at, session_id, ref, metadata: of a bare text; a `Turn` carries its own.
            at: when it was said, timezone-aware; the engine's clock if None.
            ref: your own id of the turn; comes back in `Recalled.refs`.
            mode: "raw" (turns as they were said), "semantic" (facts), "hybrid" (both), "auto"
                (facts with a language model; else the turns, split only where they plainly say
                several things); None = as configured.
            wait: False returns as soon as the turns are on disk; the worker finishes them.

        Returns:
            A receipt per turn, and in it one per fact. What the observer skips stays on disk as a
            turn. If the embedder fails, the status is `queued` and a later call finishes it; if the
            model fails, rules decide.

        Raises:
            InvalidInput: an argument is unusable; nothing was stored.
            StoreError: the disk failed.
        """
        services = self._services()
        alike = {"role": role, "speaker": speaker, "at": at, "session_id": session_id, "ref": ref}
        turns = checked_turns(
            content, {**alike, "metadata": {} if metadata is None else metadata}, services.config
        )
        checks.flag("wait", wait)
        mode = self._mode(mode)
        if not turns:
            return WriteReport(())
        with services.log_operation("remember", namespace=self.namespace, turns=len(turns)) as note:
            if wait:
                with self._engine.worker.foreground:
                    report = commit.remember_turns(services, self.namespace, turns, mode)
            else:
                episodes = commit.keep_turns(services, self.namespace, turns, mode)
                report = WriteReport(
                    tuple(
                        Receipt("queued", (), "finished in the background", e.id) for e in episodes
                    )
                )
            note |= Counter(receipt.status for receipt in report.receipts)
        self._engine.changed()
        return report

    def add(
        self,
        content: str,
        *,
        category: str = "fact",
        importance: float | None = None,
        pinned: bool = False,
        immutable: bool = False,
        tags: Iterable[str] = (),
        valid_from: datetime | None = None,
        valid_until: datetime | None = None,
        tier: str = "episodic",
        speaker: str | None = None,
        at: datetime | None = None,
        session_id: str | None = None,
        ref: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Memory:
        """State a memory as it is: no observer, no gate, no duplicate check.

        Args:
            importance: 0..1.
            pinned: survives all forgetting.
            immutable: is never edited, merged or summarised.
            valid_from, valid_until: when it is true; None = open.
            at: when it was said, timezone-aware; then its date is part of what is searched.

        Raises:
            InvalidInput: an argument is unusable.
            EmbedderUnavailable: no vector could be had. Nothing was stored.
        """
        said = {
            "content": content,
            "speaker": speaker,
            "at": at,
            "session_id": session_id,
            "ref": ref,
        }
        kind = {
            "category": category,
            "tier": tier,
            "tags": tags,
            "pinned": pinned,
            "immutable": immutable,
        }
        true = {"valid_from": valid_from, "valid_until": valid_until}
        more = {
            "importance": 0.5 if importance is None else importance,
            "screening": self._screening(),
        }
        given = {**said, **kind, **true, **more, "metadata": {} if metadata is None else metadata}
        services = self._services()
        statement = Statement.checked(given, services.config.limits)
        with services.log_operation(
            "add", namespace=self.namespace, category=statement.category
        ) as note:
            memory = add_memory(services, self.namespace, statement)
            note["id"] = memory.id
        self._engine.changed()
        return memory

    def recall(
        self,
        query: str,
        *,
        k: int | None = 8,
        session_id: str | None = None,
        mode: str = "current",
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        deep: bool = False,
        mood: float | None = None,
        categories: Iterable[str] | None = None,
        tags: Iterable[str] | None = None,
        max_tokens: int | None = None,
        deadline: float | None = None,
        floor: float | None = None,
    ) -> Recall:
        """The memories that matter for a query, best first. Changes nothing.

        Args:
            k: at most so many results, 1..1000; None = as many as the kind of question usually
                needs (10 to 20).
            session_id: the present conversation: what was said in it counts more.
            mode: "current", or "timeline": also what was superseded or has expired, newest first.
            as_of: what was true then.
            known_at: what had been said by then, in the words of then. Timezone-aware.
            deep: also dormant, superseded and expired memories, at half their score.
            mood: valence of the present mood, -1..1; None = as a message in the first person shows
                it.
            categories, tags: only memories of one of these categories, with at least one of these
                tags.
            max_tokens: budget of `Recall.context()`.
            deadline: seconds; then comes what was found so far, and `Recall.degraded` says so.
            floor: results of lower confidence go to `Recall.withheld`, 0..1; None = as configured,
                0 = none.

        Raises:
            InvalidInput: an argument is unusable.
            StoreError: neither vectors nor words could be searched.
        """
        services = self._services()
        times = {
            "mode": mode,
            "as_of": as_of,
            "known_at": known_at,
            "deep": deep,
            "deadline": deadline,
        }
        kinds = {"categories": categories, "tags": tags, "session_id": session_id, "mood": mood}
        asked = {**times, **kinds, "k": k, "max_tokens": max_tokens, "floor": floor}
        request = self._screened(Request.checked(self.namespace, query, asked, services.config))
        with services.log_operation(
            "recall", namespace=self.namespace, input=request.query, k=request.k
        ) as note:
            with self._engine.worker.foreground:
                result = recall(services, request)
            note |= {
                "recall_id": result.id,
                "intent": result.intent,
                "result_count": len(result.results),
            }
            note |= {
                "degraded": list(result.degraded) or None,
                "empty_reason": result.empty_reason or None,
            }
            note |= {"withheld": [item.memory.id for item in result.withheld] or None}
        if self._engine.follower.calls:
            self._engine.worker.notify()
        self._engine.retrieved(self, result)
        return result

    def observe(self, messages: str | Turn | Sequence[str | Turn]) -> ObservationReport:
        """Note what was said; many notes are compressed to traces, and `reflect` turns those into memories.

        Raises:
            InvalidInput: a message is unusable.
            StoreError: the disk failed. Nothing was noted.
        """
        services = self._services()
        turns = checked_turns(messages, {}, self._services().config)
        with services.log_operation("observe", namespace=self.namespace, turns=len(turns)) as note:
            report = observe(services, self.namespace, turns)
            note |= {
                "notes": len(report.notes),
                "traces": len(report.traces),
                "degraded": report.error,
            }
        return report

    def reflect(self) -> ReflectionReport:
        """Turn all that was observed into memories.

        Raises:
            EmbedderUnavailable: there are no vectors; notes and traces wait for the next call.
        """
        with self._services().log_operation("reflect", namespace=self.namespace) as note:
            report = reflect(self._services(), self.namespace)
            note |= {
                "memories": len(report.memory_ids),
                "traces": report.traces,
                "degraded": report.error,
            }
        self._engine.changed()
        return report

    def session(self, session_id: str) -> Session:
        """A conversation in progress, as a context manager with working memory (see `Session`)."""
        services = self._services()
        name = checks.label("session_id", session_id, services.config.limits)
        if name is None:
            raise InvalidInput("session_id is None; give the conversation's id, a string")
        name = sanitize_label("session_id", name, services.config.encoding)
        return Session(self, name, WorkingMemory(services.config.working, services.runtime))

    def forget(self, id_or_query: str, *, hard: bool = False) -> ForgetReceipt:
        """Forget a memory by its id, or all memories that a query names; `NotFound` if there is none.

        An identifier (mail address, handle, URL, path, code, number of seven digits or more) never
        names a longer one: `rosa@delta.io` is not in `rosa.blum@delta.io`, `+1 555 010` not in `+1
        555 010 4477`. Letter case, white space and the separators of telephone and card numbers
        make no difference.

        Args:
            id_or_query: softly, all words of a query must be there, in any form and order. For
                good, the query must stand there as a whole: word for word, with no letter, digit,
                `_`, `@`, `+`, or hyphen, point or apostrophe with a letter behind it, on either
                side. "Ann" is in "Ann's dog." and neither in "Anna" nor in "Ann-Marie".
            hard: False takes them out of recall (`restore` brings them back); True erases them, the
                turns they came from and whatever else holds their words (see `erasure`) from every
                file, and scans what is left.

        Raises:
            InvalidInput: `hard`, and the query stands nowhere as a whole; the message lists what
                may be meant.
            EmbedderUnavailable: other facts of those turns need new vectors; nothing was erased.
        """
        services = self._services()
        checks.flag("hard", hard)
        text = checks.text("id_or_query", id_or_query, services.config.limits.query_bytes)
        found = lifecycle.matching(services, self.namespace, text, hard=hard)
        if not found:
            shown = redact(text, self._screening())
            raise NotFound(
                f"nothing in namespace {self.namespace!r} has the id or holds all words of "
                f"{shown!r}"
            )
        return self._forget(found, hard=hard)

    def forget_session(self, session_id: str, *, hard: bool = False) -> ForgetReceipt:
        """Forget the memories that were formed in one conversation; `hard`: the text leaves the disk.

        Raises:
            InvalidInput: `session_id` is unusable.
        """
        checks.flag("hard", hard)
        name = self.session(session_id).id
        found = [
            one
            for one in lifecycle.everything(self._services(), self.namespace)
            if one.session_id == name
        ]
        return self._forget(found, hard=hard)

    def forget_all(self, *, confirm: str, hard: bool = False) -> ForgetReceipt:
        """Forget the whole namespace; `confirm`: its name once more.

        `hard`: also turns and notes that wait.
        """
        checks.flag("hard", hard)
        if confirm != self.namespace:
            raise InvalidInput(
                f"confirm is {confirm!r}; to forget everything give the namespace "
                f"{self.namespace!r}"
            )
        return self._forget(
            lifecycle.everything(self._services(), self.namespace), hard=hard, whole=True
        )

    def export(
        self,
        path: str | os.PathLike[str] | transfer.Stream,
        *,
        progress: Callable[[int, int], None] | None = None,
    ) -> int:
        """Write everything to a JSON Lines file that `import_` reads without loss; returns the number of memories.

        Args:
            path: the file; it appears when it is complete, readable by its owner only. A link is
                followed; a FIFO, a character device or a `transfer.Stream` is written into.
            progress: called with (memories written, memories in all).

        Raises:
            InvalidInput: the path names no file.
            StoreError: the file cannot be written; there is none then.
        """
        return transfer.export_file(self._services(), self.namespace, _place(path), progress)

    def import_(
        self,
        path: str | os.PathLike[str] | transfer.Stream,
        format: str = "cogmem",  # noqa: A002 - the public name
        *,
        trust: float | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> ImportReport:
        """Read an exported file into this namespace; what is here already is left alone.

        Args:
            format: "cogmem", as `export` wrote it. Or what another tool keeps, as JSON: "chatgpt"
                (its export's `conversations.json`), "langchain" (messages as `messages_to_dict`
                gives them), whose turns are remembered as they were said; "mem0" (what `get_all()`
                gives), whose memories are added as they are.
            trust: 0..1, of a cogmem file that is not your own: its memories are untrusted, whatever
                it says of them.

        Returns:
            How many memories were read, or turns; those of which nothing became are neither stored
            nor known.

        Raises:
            InvalidInput: an argument is unusable, or the file is none, cut off or damaged; nothing
                is imported then.
            EmbedderUnavailable: vectors of another embedder cannot be made anew; a repeat imports
                what is missing.
        """
        source = _place(path)
        if checks.choice("format", format, _FORMATS) != "cogmem":
            if trust is not None:
                raise InvalidInput(
                    f"trust is for cogmem's own files; leave it out with format={format!r}"
                )
            return self._take_over(source, format, progress)
        least = None if trust is None else checks.fraction("trust", trust)
        report = transfer.import_file(self._services(), self.namespace, source, progress, least)
        self._engine.changed()
        return report

    def health(self) -> dict[str, Any]:
        """Counts, retention histogram, index lag, queue length and warnings, as JSON values."""
        engine = self._engine
        return namespace_health(
            self._services(),
            self.namespace,
            warnings=engine.warnings(),
            index_lag=engine.follower.lag(),
        )

    aremember = async_twin(remember)
    aadd = async_twin(add)
    arecall = async_twin(recall)
    aobserve = async_twin(observe)
    areflect = async_twin(reflect)
    aforget = async_twin(forget)
    aforget_all = async_twin(forget_all)
    aforget_session = async_twin(forget_session)
    aexport = async_twin(export)
    aimport_ = async_twin(import_)
    ahealth = async_twin(health)

    def _take_over(
        self, path: transfer.Place, form: str, progress: Callable[[int, int], None] | None
    ) -> ImportReport:
        services = self._services()
        found = transfer.read_foreign(path, form, self.namespace)
        checked = [
            (where, checks.turn(where, turn, services.config.limits)) for where, turn in found
        ]
        turns = [sanitize_turn(where, turn, services.config.encoding) for where, turn in checked]
        with services.ledger.reading(self.namespace) as ns:
            here = ns.turns.refs()
            here |= {
                source.ref
                for _, sources in ns.overview.sources()
                for source in sources
                if source.ref
            }
        fresh = [turn for turn in turns if turn.ref not in here]
        stored = 0
        known = len(turns) - len(fresh)
        size = min(_AT_ONCE, services.config.limits.batch_items)
        for start in range(0, len(fresh), size):
            part = fresh[start : start + size]
            took = (
                self._added(part)
                if form == "mem0"
                else Counter(r.status for r in self.remember(part).receipts)
            )
            stored += len(part) - took["skipped"] - took["reinforced"]
            known += took["reinforced"]
            if progress:
                progress(len(turns) - len(fresh) + start + len(part), len(turns))
        return ImportReport(len(turns), stored, known)

    def _added(self, turns: Iterable[Turn]) -> Counter[str]:
        for one in turns:
            self.add(
                one.content,
                at=one.at,
                session_id=one.session_id,
                ref=one.ref,
                metadata=one.metadata,
            )
        return Counter()

    def _screened(self, request: Request) -> Request:
        """What was written under a name is looked up by the name as it was kept."""
        settings = self._screening()
        session = request.session_id
        tags = None if request.tags is None else sanitize_labels("tags", request.tags, settings)
        named = None if session is None else sanitize_label("session_id", session, settings)
        return replace(request, session_id=named, tags=tags)

    def _screening(self) -> EncodingConfig:
        return self._services().config.encoding

    def _mode(self, mode: str | None) -> str:
        return (
            self._services().config.encoding.mode
            if mode is None
            else checks.choice("mode", mode, _MODES)
        )

    def _forget(
        self, memories: Sequence[Memory], *, hard: bool, whole: bool = False
    ) -> ForgetReceipt:
        services = self._services()
        engine = self._engine
        with services.log_operation(
            "forget", namespace=None if whole and hard else self.namespace, hard=hard
        ) as note:
            note["memories"] = len(memories)
            if hard:
                engine.recollections.clear()
                receipt = erase(
                    services,
                    engine.follower,
                    self.namespace,
                    memories,
                    folder=engine.folder,
                    whole=whole,
                )
            else:
                receipt = lifecycle.retire(services, self.namespace, memories)
        engine.changed()
        return receipt

    def __repr__(self) -> str:
        return f"<cogmem_core.MemoryBank {self.namespace!r} of {self._engine!r}>"

    def _services(self) -> Services:
        self._engine.check_open()
        return self._engine.services

    def get(self, memory_id: str) -> Memory:
        """The memory of that id, in whatever state.

        Raises:
            NotFound: this namespace has none.
            InvalidInput: the id is unusable.
        """
        with self._services().ledger.reading(self.namespace) as ns:
            memory = ns.memories.by_ids([checks.identifier("memory_id", memory_id)]).get(memory_id)
        if memory is None:
            shown = redact(memory_id, self._services().config.encoding)
            raise NotFound(
                f"no memory {shown!r} in namespace {self.namespace!r}; bank.list() shows the ids"
            )
        return memory

    def list(
        self,
        *,
        state: str | None = None,
        category: str | None = None,
        tier: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page:
        """Memories, oldest first; `Page.cursor` leads to the next `limit`. `state`: None = active, "any" = all.

        Raises:
            InvalidInput: an argument is unusable.
            StoreError: a row cannot be read.
        """
        wanted = _filter(state, category, tier)
        size = checks.positive("limit", limit)
        after = None if cursor is None else checks.identifier("cursor", cursor)
        with self._services().ledger.reading(self.namespace) as ns:
            found = ns.memories.page(wanted, limit=size + 1, after_id=after)
        more = len(found) > size
        return Page(tuple(found[:size]), found[size - 1].id if more else None)

    def count(
        self, *, state: str | None = None, category: str | None = None, tier: str | None = None
    ) -> int:
        """How many memories; arguments as in `list`.

        Raises:
            InvalidInput: an argument is unusable.
            StoreError: the disk failed.
        """
        with self._services().ledger.reading(self.namespace) as ns:
            return ns.memories.count(_filter(state, category, tier))

    def edit(self, memory_id: str, content: str) -> Memory:
        """Give a memory another text; the former one stays in its history.

        Raises:
            NotFound, Protected (immutable), InvalidInput, EmbedderUnavailable: nothing was changed.
        """
        services = self._services()
        text = checks.text("content", content, services.config.limits.content_bytes)
        text, _ = sanitize("content", text, services.config.encoding)
        with services.log_operation("edit", namespace=self.namespace, id=memory_id):
            memory = lifecycle.edit(services, self.get(memory_id), text)
        self._engine.changed()
        return memory

    def pin(self, memory_id: str) -> Memory:
        """Protect a memory from all forgetting.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the id is unusable.
            StoreError: the disk failed.
        """
        return lifecycle.set_pinned(self._services(), self.get(memory_id), pinned=True)

    def unpin(self, memory_id: str) -> Memory:
        """Let a memory fade again.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the id is unusable.
            StoreError: the disk failed.
        """
        return lifecycle.set_pinned(self._services(), self.get(memory_id), pinned=False)

    def restore(self, memory_id: str) -> Memory:
        """Bring a forgotten, dormant or superseded memory back; an active one stays as it is.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the id is unusable.
            StoreError: the disk failed.
        """
        with self._services().log_operation("restore", namespace=self.namespace, id=memory_id):
            memory = lifecycle.restore(self._services(), self.get(memory_id))
        self._engine.changed()
        return memory

    def history(self, memory_id: str) -> History:
        """Former texts and every change, oldest first.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the id is unusable.
            StoreError: a row cannot be read.
        """
        return lifecycle.history(self._services(), self.get(memory_id))

    def relations(self, memory_id: str) -> tuple[Relation, ...]:
        """Relations from and to a memory.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the id is unusable.
            StoreError: a row cannot be read.
        """
        return lifecycle.relations(self._services(), self.get(memory_id))

    def explain(self, memory_id: str) -> LifeStory:
        """A memory's life in sentences: where it comes from, what happened to it, how it stands today.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the id is unusable.
            StoreError: a row cannot be read.
        """
        return lifecycle.explain(self._services(), self.get(memory_id))

    aget = async_twin(get)
    alist = async_twin(list)  # noqa: A003 - the method above
    acount = async_twin(count)

    aedit = async_twin(edit)
    apin = async_twin(pin)
    aunpin = async_twin(unpin)
    arestore = async_twin(restore)

    ahistory = async_twin(history)
    arelations = async_twin(relations)
    aexplain = async_twin(explain)

    def feedback(
        self,
        recall: Recall,
        answer: str,
        *,
        query: str | None = None,
        similarity_fn: Similarity | None = None,
    ) -> tuple[Feedback, ...]:
        """Tell what the model answered: memories that it used last longer and rank higher, ignored ones fade.

        Args:
            recall: what the model was given.
            query: what it was asked, if other words than the recall's.
            similarity_fn: (memory, answer) → 0..1, instead of the share of the memory's telling
                words in the answer.

        Returns:
            A judgement per memory; none for those that this recall was judged for before, and none
            of a blank answer.

        Raises:
            InvalidInput: an argument is unusable.
            StoreError: the disk failed. Nothing was changed.
        """
        with self._engine.worker.foreground:
            return apply_feedback(
                self._services(),
                self.namespace,
                recall,
                answer,
                query=query,
                similarity=similarity_fn,
            )

    def credit(
        self,
        recall: Recall,
        answer: str,
        *,
        similarity_fn: Similarity | None = None,
        heard: Callable[[tuple[Feedback, ...]], None] | None = None,
        wait: bool = False,
    ) -> None:
        """As `feedback`, in passing: returns at once, and the worker judges; `Engine.flush` waits for it.

        What was judged by the same answer under another recall of the run is left out.

        Args:
            heard: called with the judgements, if there are any, in the thread that makes them.
            wait: True = judge before returning, as `feedback` does.

        Raises:
            InvalidInput: `recall` is none. With `wait` as `feedback`.
        """
        if not isinstance(recall, Recall):
            raise InvalidInput(
                f"recall is a {type(recall).__name__}; give what bank.recall() returned"
            )
        services = self._services()
        recollections = self._engine.recollections
        ids = [*(item.memory.id for item in recall.results), *(memory.id for memory in recall.hot)]
        own = {
            memory_id
            for memory_id in ids
            if recollections.judged_as(memory_id, [recall.id]) == recall.id
        }
        if ids and not own:
            return
        recall = recall.only(own)
        if not wait:
            self._engine.judge(
                QueuedAnswer(
                    self.namespace, recall, answer, similarity=similarity_fn, on_done=heard
                )
            )
            return
        with self._engine.worker.foreground:
            rows = apply_feedback(
                services, self.namespace, recall, answer, query=None, similarity=similarity_fn
            )
        if rows and heard is not None:
            heard(rows)

    def redeem(self, ticket: Mapping[str, Any]) -> Recall:
        """A recall made of its ticket (`Recall.ticket`), good for feedback also in another process or after a restart.

        What was erased meanwhile is missing. The recall has no scores, and `context` is empty.

        Raises:
            InvalidInput: it is no ticket.
        """
        shown = _shown(ticket)
        services = self._services()
        with services.ledger.reading(self.namespace) as ns:
            rows = ns.memories.by_ids([*shown, *ticket["hot"]])
        here = {memory_id: prior for memory_id, prior in shown.items() if memory_id in rows}
        results = [
            Recalled(rows[i], 0.0, prior, {}, {}, {}, "", prior=prior) for i, prior in here.items()
        ]
        hot = tuple(rows[i] for i in ticket["hot"] if i in rows)
        return Recall(ticket["id"], ticket["query"], tuple(results), hot=hot)

    def settle(self, *, seconds: float = 5.0) -> int:
        """Finish now the turns of this namespace that this process took in with `wait=False` or found; tells how many.

        So that what was said a moment ago is recalled; with a language model it is asked. Turns
        that another thread is at are waited for, at most `seconds`. What cannot be finished (the
        embedder fails) stays queued.
        """
        services = self._services()
        limit = checks.seconds("seconds", seconds)
        left = {
            name: times
            for name, times in services.claims.left.copy().items()
            if name == self.namespace
        }
        if not left:
            return 0
        with self._engine.worker.foreground:
            finished, _ = finish_queued(services, namespace=self.namespace, limit=_SETTLED_AT_ONCE)
            waiting = self._waiting()
            services.claims.wait(waiting, limit)
        if not waiting:
            services.claims.done(left)
        if finished:
            self._engine.changed()
        return finished

    def _waiting(self) -> Sequence[str]:
        with self._services().ledger.reading(self.namespace) as ns:
            return [episode.id for episode in ns.turns.queued(_SETTLED_AT_ONCE)]

    afeedback = async_twin(feedback)
    acredit = async_twin(credit)
    aredeem = async_twin(redeem)
    asettle = async_twin(settle)

    def consolidate(
        self,
        *,
        dry_run: bool = False,
        steps: Iterable[str] | None = None,
        progress: Callable[[str, int, int], None] | None = None,
    ) -> ConsolidationReport:
        """Run a dream cycle now: expire, strengthen, merge, forget, summarise, derive, promote.

        Nothing is deleted: what leaves recall can be restored, and `undo(report.run_id)` takes the
            whole cycle back.

        Args:
            dry_run: only tell what would change. With a language model it is asked all the same.
            steps: names of the steps to run; as configured if None. They run in their fixed order.
            progress: called with (step that begins, steps done, steps in all).

        Returns:
            What was done; all zeros, and a reason, if another cycle is running on this namespace.

        Raises:
            InvalidInput: there is no such step.
            StoreError: the disk failed.
        """
        checks.flag("dry_run", dry_run)
        wanted = self._services().config.consolidation.steps if steps is None else _steps(steps)
        return self._dream(CycleRequest(wanted, dry_run), progress)

    def tick(
        self, *, progress: Callable[[str, int, int], None] | None = None
    ) -> ConsolidationReport:
        """The cheap part of a dream cycle: what is over leaves recall, fading memories are consolidated.

        Args:
            progress: as for `consolidate`.

        Raises:
            StoreError: the disk failed; the steps that were done stand.
        """
        return self._dream(CycleRequest(self._services().config.consolidation.tick), progress)

    def _dream(
        self, order: CycleRequest, progress: Callable[[str, int, int], None] | None
    ) -> ConsolidationReport:
        watch = (
            CycleControl(self._engine.let_pass)
            if progress is None
            else CycleControl(self._engine.let_pass, progress=progress)
        )
        report = consolidate(self._services(), self.namespace, order, watch)
        if report.changes and not order.dry_run:
            self._engine.changed()
        return report

    def undo(self, run_id: str) -> UndoReport:
        """Take back a dream cycle; what was changed again since stays as it is now.

        Raises:
            NotFound: there is no such cycle.
            InvalidInput: it was undone before, or is still running.
        """
        report = undo(self._services(), self.namespace, checks.identifier("run_id", run_id))
        self._engine.changed()
        return report

    def runs(self, *, limit: int = 20) -> tuple[ConsolidationRun, ...]:
        """Dream cycles, newest first."""
        with self._services().ledger.reading(self.namespace) as ns:
            return tuple(ns.runs.newest(checks.positive("limit", limit)))

    def forecast(self, days: float = 90, *, limit: int = 1_000) -> Forecast:
        """What becomes of each memory if nobody uses it: which fade, go dormant, lose their validity, and when.

        What depends on other memories (capacity, duplicates) is not foreseen, nor what a dream
        cycle rehearses.

        Args:
            days: how far to look, above 0 and at most 36,500.
            limit: of the events; `Forecast.more` counts the others.

        Raises:
            InvalidInput: an argument is unusable.
        """
        return forecast(
            self._services(),
            self.namespace,
            checks.days("days", days),
            checks.positive("limit", limit),
        )

    def audit(self) -> Audit:
        """What a person should look at: duplicates, contradictions, junk, orphans, stale insights, secrets, delays."""
        return audit(self._services(), self.namespace, index_lag=self._engine.follower.lag())

    def verify_audit(self, *, anchor: str | None = None) -> AuditTrail:
        """Check that no entry of the journal was altered, deleted, added or moved, and no memory changed beside it.

        Every change of a memory is an entry in a chain of hashes: who, what kind, which memory,
            when. Erased words
        leave the chain whole.

        Args:
            anchor: `AuditTrail.head` as it was noted elsewhere: also shows whether the whole chain
                was written anew.
        """
        wanted = None if anchor is None else checks.identifier("anchor", anchor)
        with self._services().ledger.reading(self.namespace) as ns:
            return ns.audit.trail(anchor=wanted)

    def tip_of_tongue(self, query: str, k: int = 8) -> TipOfTongue:
        """Memories that are stored deeply but hardly come to mind, dormant ones too, with cues. Changes nothing.

        Args:
            query: what you are trying to remember; a weak match is enough.
            k: at most so many, 1..1000.

        Raises:
            InvalidInput: an argument is unusable.
            StoreError: neither vectors nor words could be searched.
        """
        services = self._services()
        size = checks.k_results(k, services.config.retrieval.max_k)
        asked = checks.text("query", query, services.config.limits.query_bytes)
        with services.log_operation(
            "tip_of_tongue", namespace=self.namespace, input=asked, k=size
        ) as note:
            with self._engine.worker.foreground:
                found = tip_of_tongue(services, self.namespace, asked, size)
            note |= {"result_count": len(found.tips), "degraded": list(found.degraded) or None}
            note |= {"empty_reason": found.empty_reason or None}
        return found

    def items(self) -> Items:
        """Documents that are kept by path and key beside the memories (see `Items`)."""
        self._engine.check_open()
        return Items(self._engine, self.namespace)

    aconsolidate = async_twin(consolidate)
    atick = async_twin(tick)
    aundo = async_twin(undo)
    aruns = async_twin(runs)

    aforecast = async_twin(forecast)
    aaudit = async_twin(audit)
    atip_of_tongue = async_twin(tip_of_tongue)

    averify_audit = async_twin(verify_audit)

    def keep(
        self,
        turns: Sequence[str | Turn],
        *,
        session_id: str,
        remembered: Iterable[str] = ("user", "assistant"),
    ) -> tuple[Episode, ...]:
        """Put turns behind the transcript of a conversation; they are on disk before this returns, all or none.

        What is said in them also becomes memories, in the background, as if by `remember(...,
        wait=False)`.

        Args:
            turns: texts and `Turn`s, in order. Here the text may be empty, and the metadata, which
                `transcript` gives back, may hold as much as a text (`limits.content_bytes`): a
                message in the caller's own form, say. They stay with the turn: memories do not take
                them over.
            session_id: the conversation.
            remembered: only of what these roles say are there memories; the rest is kept for the
                transcript alone.

        Returns:
            The turns as they are kept, with their positions. Secrets are dealt with in texts and in
            metadata alike, as `encoding.secrets` says, so with `redact` that is what `transcript`
            gives back.

        Raises:
            InvalidInput: an argument is unusable; nothing was kept.
            StoreError: the disk failed.
        """
        services, session = self._conversing(session_id)
        given = (
            [remembered] if isinstance(remembered, str) else checks.listed("remembered", remembered)
        )
        roles = frozenset(checks.choice("remembered", role, _ROLES) for role in given)
        entries = checked_entries(turns, session, services.config)
        if not entries:
            return ()
        with services.log_operation("keep", namespace=self.namespace, turns=len(entries)) as note:
            mode = services.config.encoding.mode
            kept = keep_entries(services, self.namespace, entries, remembered=roles, mode=mode)
            note["queued"] = sum(episode.status == "queued" for episode in kept)
        if note["queued"]:
            self._engine.changed()
        return tuple(kept)

    def transcript(self, session_id: str) -> tuple[Episode, ...]:
        """The turns of a conversation that `keep` took in, oldest first, without those that were erased since.

        Raises:
            InvalidInput: `session_id` is unusable.
        """
        services, session = self._conversing(session_id)
        with services.ledger.reading(self.namespace) as ns:
            return tuple(ns.transcripts.of_session(session))

    def clear_transcript(self, session_id: str) -> int:
        """Empty the transcript of a conversation for good; returns how many turns it had.

        What was remembered of the conversation stays, and so does what was said, as the source of
        it, but without its metadata; what was there for the transcript alone is deleted. To take
        away memories too: `forget`.

        Raises:
            InvalidInput: `session_id` is unusable.
            StoreError: the disk failed; the transcript is as it was.
        """
        services, session = self._conversing(session_id)
        with (
            services.log_operation("clear_transcript", namespace=self.namespace),
            services.ledger.writing_to(self.namespace) as ns,
        ):
            return ns.transcripts.clear(session)

    akeep = async_twin(keep)
    atranscript = async_twin(transcript)
    aclear_transcript = async_twin(clear_transcript)

    def _conversing(self, session_id: object) -> tuple[Services, str]:
        self._engine.check_open()
        services = self._engine.services
        session = checks.label("session_id", session_id, services.config.limits)
        if session is None:
            raise InvalidInput("session_id is None; give a string that names the conversation")
        return services, sanitize_label("session_id", session, services.config.encoding)


def _place(path: object) -> transfer.Place:
    return path if isinstance(path, transfer.Stream) else checks.path("path", path)


def _filter(state: str | None, category: str | None, tier: str | None) -> Filter:
    chosen = "active" if state is None else checks.choice("state", state, (*STATES, "any"))
    return Filter(
        states=None if chosen == "any" else (chosen,),
        categories=None if category is None else (checks.category(category),),
        tier=None if tier is None else checks.choice("tier", tier, TIERS),
    )


def _shown(ticket: Mapping[str, Any]) -> dict[str, float]:
    kinds: dict[str, Any] = {"id": str, "query": str, "shown": Mapping, "hot": (list, tuple)}
    if not isinstance(ticket, Mapping) or any(
        not isinstance(ticket.get(key), kind) for key, kind in kinds.items()
    ):
        raise InvalidInput(
            "ticket is none; give what Recall.ticket() returned, as it was or from JSON"
        )
    if not all(isinstance(memory_id, str) for memory_id in ticket["hot"]):
        raise InvalidInput(
            "ticket is none: `hot` must list ids; give what Recall.ticket() returned"
        )
    shown = ticket["shown"].items()
    return {
        checks.identifier("ticket", memory_id): checks.fraction("ticket", prior)
        for memory_id, prior in shown
    }


def _steps(given: Iterable[str]) -> tuple[str, ...]:
    return tuple(checks.choice("steps", name, STEP_NAMES) for name in checks.listed("steps", given))
