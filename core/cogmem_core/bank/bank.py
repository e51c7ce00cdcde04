"""The memories of one namespace: the half that users talk to. Every method forwards; the work is done below."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from cogmem_core import checks, lifecycle, transfer
from cogmem_core.async_twin import async_twin
from cogmem_core.bank.learning import Learning
from cogmem_core.bank.memories import Memories
from cogmem_core.bank.session import Session, WorkingMemory
from cogmem_core.bank.transcript import Transcripts
from cogmem_core.bank.upkeep import Upkeep
from cogmem_core.config import EncodingConfig
from cogmem_core.encoding import commit
from cogmem_core.encoding.add_memory import Statement, state
from cogmem_core.encoding.sanitize import screen_label, screen_labels, screen_turn, scrub, take_turns
from cogmem_core.erasure import erase
from cogmem_core.errors import InvalidInput, NotFound
from cogmem_core.health.summary import namespace_health
from cogmem_core.models import Memory, Role, Turn
from cogmem_core.observation import observe
from cogmem_core.reflection import reflect
from cogmem_core.results import ForgetReceipt, ImportReport, Recall, Receipt, WriteReport
from cogmem_core.retrieval.pipeline import recall
from cogmem_core.retrieval.request import Request

if TYPE_CHECKING:
    from cogmem_core.engine import Engine
    from cogmem_core.results import ObservationReport, ReflectionReport

__all__ = ["MemoryBank"]

_FORMATS = ("cogmem", *transfer.FOREIGN)
_AT_ONCE = 64  # turns
_MODES = ("auto", "semantic", "raw", "hybrid")


class MemoryBank(Memories, Learning, Upkeep, Transcripts):
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
            mode: "raw" (turns as they were said), "semantic" (facts), "hybrid" (both), "auto" (facts with a language
                model; else the turns, split only where they plainly say several things); None = as configured.
            wait: False returns as soon as the turns are on disk; the worker finishes them.

        Returns:
            A receipt per turn, and in it one per fact. What the observer skips stays on disk as a turn. If the embedder
            fails, the status is `queued` and a later call finishes it; if the model fails, rules decide.

        Raises:
            InvalidInput: an argument is unusable; nothing was stored.
            StoreError: the disk failed.
        """
        services = self._services()
        alike = {"role": role, "speaker": speaker, "at": at, "session_id": session_id, "ref": ref}
        turns = take_turns(content, {**alike, "metadata": {} if metadata is None else metadata}, services.config)
        checks.flag("wait", wait)
        mode = self._mode(mode)
        if not turns:
            return WriteReport(())
        with services.log_operation("remember", namespace=self.namespace, turns=len(turns)) as note:
            if wait:
                with self._engine.worker.foreground:
                    report = commit.take_in(services, self.namespace, turns, mode)
            else:
                episodes = commit.keep_turns(services, self.namespace, turns, mode)
                report = WriteReport(tuple(Receipt("queued", (), "finished in the background", e.id) for e in episodes))
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
        said = {"content": content, "speaker": speaker, "at": at, "session_id": session_id, "ref": ref}
        kind = {"category": category, "tier": tier, "tags": tags, "pinned": pinned, "immutable": immutable}
        true = {"valid_from": valid_from, "valid_until": valid_until}
        more = {"importance": 0.5 if importance is None else importance, "screening": self._screening()}
        given = {**said, **kind, **true, **more, "metadata": {} if metadata is None else metadata}
        services = self._services()
        statement = Statement.checked(given, services.config.limits)
        with services.log_operation("add", namespace=self.namespace, category=statement.category) as note:
            memory = state(services, self.namespace, statement)
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
            k: at most so many results, 1..1000; None = as many as the kind of question usually needs (10 to 20).
            session_id: the present conversation: what was said in it counts more.
            mode: "current", or "timeline": also what was superseded or has expired, newest first.
            as_of: what was true then.
            known_at: what had been said by then, in the words of then. Timezone-aware.
            deep: also dormant, superseded and expired memories, at half their score.
            mood: valence of the present mood, -1..1; None = as a message in the first person shows it.
            categories, tags: only memories of one of these categories, with at least one of these tags.
            max_tokens: budget of `Recall.context()`.
            deadline: seconds; then comes what was found so far, and `Recall.degraded` says so.
            floor: results of lower confidence go to `Recall.withheld`, 0..1; None = as configured, 0 = none.

        Raises:
            InvalidInput: an argument is unusable.
            StoreError: neither vectors nor words could be searched.
        """
        services = self._services()
        times = {"mode": mode, "as_of": as_of, "known_at": known_at, "deep": deep, "deadline": deadline}
        kinds = {"categories": categories, "tags": tags, "session_id": session_id, "mood": mood}
        asked = {**times, **kinds, "k": k, "max_tokens": max_tokens, "floor": floor}
        request = self._screened(Request.checked(self.namespace, query, asked, services.config))
        with services.log_operation("recall", namespace=self.namespace, input=request.query, k=request.k) as note:
            with self._engine.worker.foreground:
                result = recall(services, request)
            note |= {"recall_id": result.id, "intent": result.intent, "result_count": len(result.results)}
            note |= {"degraded": list(result.degraded) or None, "empty_reason": result.empty_reason or None}
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
        turns = take_turns(messages, {}, self._services().config)
        with services.log_operation("observe", namespace=self.namespace, turns=len(turns)) as note:
            report = observe(services, self.namespace, turns)
            note |= {"notes": len(report.notes), "traces": len(report.traces), "degraded": report.error}
        return report

    def reflect(self) -> ReflectionReport:
        """Turn all that was observed into memories.

        Raises:
            EmbedderUnavailable: there are no vectors; notes and traces wait for the next call.
        """
        with self._services().log_operation("reflect", namespace=self.namespace) as note:
            report = reflect(self._services(), self.namespace)
            note |= {"memories": len(report.memory_ids), "traces": report.traces, "degraded": report.error}
        self._engine.changed()
        return report

    def session(self, session_id: str) -> Session:
        """A conversation in progress, as a context manager with working memory (see `Session`)."""
        services = self._services()
        name = checks.label("session_id", session_id, services.config.limits)
        if name is None:
            raise InvalidInput("session_id is None; give the conversation's id, a string")
        name = screen_label("session_id", name, services.config.encoding)
        return Session(self, name, WorkingMemory(services.config.working, services.runtime))

    def forget(self, id_or_query: str, *, hard: bool = False) -> ForgetReceipt:
        """Forget a memory by its id, or all memories that a query names; `NotFound` if there is none.

        An identifier (mail address, handle, URL, path, code, number of seven digits or more) never names a longer
        one: `rosa@delta.io` is not in `rosa.blum@delta.io`, `+1 555 010` not in `+1 555 010 4477`. Letter case,
        white space and the separators of telephone and card numbers make no difference.

        Args:
            id_or_query: softly, all words of a query must be there, in any form and order. For good, the query must
                stand there as a whole: word for word, with no letter, digit, `_`, `@`, `+`, or hyphen, point or
                apostrophe with a letter behind it, on either side. "Ann" is in "Ann's dog." and neither in
                "Anna" nor in "Ann-Marie".
            hard: False takes them out of recall (`restore` brings them back); True erases them, the turns they came
                from and whatever else holds their words (see `erasure`) from every file, and scans what is left.

        Raises:
            InvalidInput: `hard`, and the query stands nowhere as a whole; the message lists what may be meant.
            EmbedderUnavailable: other facts of those turns need new vectors; nothing was erased.
        """
        services = self._services()
        checks.flag("hard", hard)
        text = checks.text("id_or_query", id_or_query, services.config.limits.query_bytes)
        found = lifecycle.matching(services, self.namespace, text, hard=hard)
        if not found:
            shown = scrub(text, self._screening())
            raise NotFound(f"nothing in namespace {self.namespace!r} has the id or holds all words of {shown!r}")
        return self._forget(found, hard=hard)

    def forget_session(self, session_id: str, *, hard: bool = False) -> ForgetReceipt:
        """Forget the memories that were formed in one conversation; `hard`: the text leaves the disk.

        Raises:
            InvalidInput: `session_id` is unusable.
        """
        checks.flag("hard", hard)
        name = self.session(session_id).id
        found = [one for one in lifecycle.everything(self._services(), self.namespace) if one.session_id == name]
        return self._forget(found, hard=hard)

    def forget_all(self, *, confirm: str, hard: bool = False) -> ForgetReceipt:
        """Forget the whole namespace; `confirm`: its name once more; `hard`: also turns and notes that wait."""
        checks.flag("hard", hard)
        if confirm != self.namespace:
            raise InvalidInput(f"confirm is {confirm!r}; to forget everything give the namespace {self.namespace!r}")
        return self._forget(lifecycle.everything(self._services(), self.namespace), hard=hard, whole=True)

    def export(
        self, path: str | os.PathLike[str] | transfer.Stream, *, progress: Callable[[int, int], None] | None = None
    ) -> int:
        """Write everything to a JSON Lines file that `import_` reads without loss; returns the number of memories.

        Args:
            path: the file; it appears when it is complete, readable by its owner only. A link is followed; a FIFO, a
                character device or a `transfer.Stream` is written into.
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
            format: "cogmem", as `export` wrote it. Or what another tool keeps, as JSON: "chatgpt" (its export's
                `conversations.json`), "langchain" (messages as `messages_to_dict` gives them), whose turns are
                remembered as they were said; "mem0" (what `get_all()` gives), whose memories are added as they are.
            trust: 0..1, of a cogmem file that is not your own: its memories are untrusted, whatever it says of them.

        Returns:
            How many memories were read, or turns; those of which nothing became are neither stored nor known.

        Raises:
            InvalidInput: an argument is unusable, or the file is none, cut off or damaged; nothing is imported then.
            EmbedderUnavailable: vectors of another embedder cannot be made anew; a repeat imports what is missing.
        """
        source = _place(path)
        if checks.choice("format", format, _FORMATS) != "cogmem":
            if trust is not None:
                raise InvalidInput(f"trust is for cogmem's own files; leave it out with format={format!r}")
            return self._take_over(source, format, progress)
        least = None if trust is None else checks.fraction("trust", trust)
        report = transfer.import_file(self._services(), self.namespace, source, progress, least)
        self._engine.changed()
        return report

    def health(self) -> dict[str, Any]:
        """Counts, retention histogram, index lag, queue length and warnings, as JSON values."""
        engine = self._engine
        return namespace_health(
            self._services(), self.namespace, warnings=engine.warnings(), index_lag=engine.follower.lag()
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

    def _take_over(self, path: transfer.Place, form: str, progress: Callable[[int, int], None] | None) -> ImportReport:
        services = self._services()
        found = transfer.read_foreign(path, form, self.namespace)
        checked = [(where, checks.turn(where, turn, services.config.limits)) for where, turn in found]
        turns = [screen_turn(where, turn, services.config.encoding) for where, turn in checked]
        with services.ledger.reading() as reader:
            here = reader.refs(self.namespace)
            here |= {source.ref for _, sources in reader.origins(self.namespace) for source in sources if source.ref}
        fresh = [turn for turn in turns if turn.ref not in here]
        stored = 0
        known = len(turns) - len(fresh)
        size = min(_AT_ONCE, services.config.limits.batch_items)
        for start in range(0, len(fresh), size):
            part = fresh[start : start + size]
            took = self._added(part) if form == "mem0" else Counter(r.status for r in self.remember(part).receipts)
            stored += len(part) - took["skipped"] - took["reinforced"]
            known += took["reinforced"]
            if progress:
                progress(len(turns) - len(fresh) + start + len(part), len(turns))
        return ImportReport(len(turns), stored, known)

    def _added(self, turns: Iterable[Turn]) -> Counter[str]:
        for one in turns:
            self.add(one.content, at=one.at, session_id=one.session_id, ref=one.ref, metadata=one.metadata)
        return Counter()

    def _screened(self, request: Request) -> Request:
        """What was written under a name is looked up by the name as it was kept."""
        settings = self._screening()
        session = request.session_id
        tags = None if request.tags is None else screen_labels("tags", request.tags, settings)
        named = None if session is None else screen_label("session_id", session, settings)
        return replace(request, session_id=named, tags=tags)

    def _screening(self) -> EncodingConfig:
        return self._services().config.encoding

    def _mode(self, mode: str | None) -> str:
        return self._services().config.encoding.mode if mode is None else checks.choice("mode", mode, _MODES)

    def _forget(self, memories: Sequence[Memory], *, hard: bool, whole: bool = False) -> ForgetReceipt:
        services = self._services()
        engine = self._engine
        with services.log_operation("forget", namespace=None if whole and hard else self.namespace, hard=hard) as note:
            note["memories"] = len(memories)
            if hard:
                engine.recollections.clear()
                receipt = erase(services, engine.follower, self.namespace, memories, folder=engine.folder, whole=whole)
            else:
                receipt = lifecycle.retire(services, self.namespace, memories)
        engine.changed()
        return receipt

    def __repr__(self) -> str:
        return f"<cogmem_core.MemoryBank {self.namespace!r} of {self._engine!r}>"


def _place(path: object) -> transfer.Place:
    return path if isinstance(path, transfer.Stream) else checks.path("path", path)
