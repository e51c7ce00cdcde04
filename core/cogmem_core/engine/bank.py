"""The memories of one namespace: what users call.

What takes more than a few lines stands in the module of its kind: `reading`, `writing`, `forgetting`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args, overload

from pydantic import BaseModel

from cogmem_core import intentions, knowledge, procedures, transfer
from cogmem_core.access import OPERATOR
from cogmem_core.base.async_twin import async_twin
from cogmem_core.base.frameworks import make_retriever
from cogmem_core.consolidation.planned_changes import recorded_changes
from cogmem_core.consolidation.undo import no_such_cycle, undo
from cogmem_core.edge import checks
from cogmem_core.encoding import seals
from cogmem_core.encoding.sanitize import checked_label
from cogmem_core.engine import (
    agenda,
    forgetting,
    knowing,
    learning,
    reading,
    reviewing,
    sharing,
    tasks,
    writing,
)
from cogmem_core.engine.filters import checked_filter, checked_session, checked_states
from cogmem_core.engine.items import Items
from cogmem_core.engine.rights import needs, stamped, words_wait
from cogmem_core.engine.session import Session, WorkingMemory
from cogmem_core.errors import InvalidInput
from cogmem_core.feedback import Similarity
from cogmem_core.health.forecast import audit, forecast
from cogmem_core.health.summary import namespace_health
from cogmem_core.process.services import Services
from cogmem_core.retrieval.plan import Request
from cogmem_core.retrieval.recall import Recall
from cogmem_core.upkeep import lifecycle
from cogmem_core.upkeep.doubts import doubts, mark_asked
from cogmem_core.upkeep.learnt import learnt
from cogmem_core.upkeep.reflection import reflect
from cogmem_core.values.models import (
    ConsolidationRun,
    Decision,
    Episode,
    Feedback,
    Intention,
    IntentionState,
    Memory,
    Message,
    Procedure,
    ProcedureState,
    Relation,
    Review,
    Role,
    TaskRun,
    ToolCall,
    Turn,
)
from cogmem_core.values.results import (
    Ask,
    Audit,
    AuditTrail,
    ConsolidationReport,
    ErasureCheck,
    Forecast,
    ForgetReceipt,
    History,
    ImportReport,
    Learnt,
    LifeStory,
    ObservationReport,
    Page,
    PlannedChange,
    Profile,
    ReflectionReport,
    TipOfTongue,
    UndoReport,
    WriteReport,
)

if TYPE_CHECKING:
    from cogmem_core.engine.engine import Engine

Filled = TypeVar("Filled", bound=BaseModel)


def _either(one: str | None, several: Iterable[str] | None) -> Iterable[str] | None:
    """The categories of a filter, given as one or as several."""
    if one is not None and several is not None:
        raise InvalidInput("category and categories are both given; put all of them in categories")
    return (checks.category(one),) if one is not None else several


class MemoryBank:
    """Remembers and recalls for one namespace; thread-safe; made by `Engine.bank` and `Handle.bank`.

    Every method has an async twin of the same name with an `a` in front. In the hands of a principal
    (see `Engine.as_`) each raises `NotAllowed` unless that has the right: to read for what only
    reads, to write for what changes memories, to review for `hold`, `settle_versions` and notes, to
    administer for what concerns the namespace as a whole, and for all that is erased for good.

    Attributes:
        namespace: whose memories.
        principal: whose rights count; "" = the operator's, who may do everything.
        keeps: False = incognito, see `incognito`.
    """

    def __init__(
        self, engine: Engine, namespace: str, principal: str = OPERATOR, *, keeps: bool = True
    ) -> None:
        self._engine = engine
        self.namespace = namespace
        self.principal = principal
        self.keeps = keeps

    @property
    def engine(self) -> Engine:
        """The engine that it belongs to."""
        return self._engine

    def incognito(self, on: bool = True) -> MemoryBank:
        """The same bank without a trace: it recalls, and nothing is written or learnt.

        `remember` and `append_messages` keep nothing, `due` hands nothing out, `feedback` judges
        nothing; whatever else would change the bank raises `NotAllowed`. Neither words nor a question
        nor a session's id come to the disk, into the op log or a span; a language model or an
        embedder on a server is asked as ever.

        Args:
            on: False = the bank that keeps.

        Raises:
            InvalidInput: `on` is not True or False.
        """
        keeps = not checks.flag("on", on)
        return MemoryBank(self._engine, self.namespace, self.principal, keeps=keeps)

    def _services(self) -> Services:
        services = self._engine.open_services
        return services if self.keeps else services.incognito()

    @contextmanager
    def _changing(self, op: str, **fields: Any) -> Iterator[dict[str, Any]]:
        """A change of the bank: on record in the op log, and then the indexes follow."""
        with self._services().log_operation(op, namespace=self.namespace, **fields) as record:
            yield record
        self._engine.changed()

    # Writing.

    @needs("write", incognito=True)
    def remember(
        self,
        content: str | Turn | Message | Sequence[str | Turn | Message],
        *,
        role: Role = "user",
        speaker: str | None = None,
        at: datetime | None = None,
        session_id: str | None = None,
        ref: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        tags: Iterable[str] = (),
        valid_until: datetime | None = None,
        expires_in: timedelta | float | None = None,
        mode: str | None = None,
        wait: bool = True,
    ) -> WriteReport:
        """Store what was said; the turns are on disk before anything else is tried.

        Args:
            content: a text, a `Turn`, a message such as `{"role": "user", "content": "..."}`, or a
                list of them as one batch (one embedding call). A message in which nothing is said
                (a tool is called, an image shown) is `skipped`.
            role: of a bare text, as are the next eight; a `Turn` carries its own, and a message
                gets what it does not say itself.
            speaker: who says it.
            at: when it was said, timezone-aware; the engine's clock if None.
            session_id: the conversation it belongs to.
            ref: your own id of the turn; comes back in `Recalled.refs`. Sent again with the same
                session, role and words it is `known` and changes nothing.
            metadata: JSON values that the memories carry.
            tags: labels of the memories, which a recall can ask for.
            valid_until: until when they are true, timezone-aware; as the words say if None. Then
                they leave recall, except for `mode="timeline"` and `deep`.
            expires_in: instead of `valid_until`: how long from `at` on, as a `timedelta` or in
                seconds, above 0.
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
        defaults = {
            "role": role,
            "speaker": speaker,
            "at": at,
            "session_id": session_id,
            "ref": ref,
            "metadata": {} if metadata is None else metadata,
            "tags": tags,
            "valid_until": writing.end_of(self._engine, at, valid_until, expires_in),
        }
        return writing.remember(self, content, defaults=defaults, mode=mode, wait=wait)

    @needs("write")
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
        support: Iterable[Memory | str] = (),
    ) -> Memory:
        """Store a memory exactly as stated: no observer, no gate, no duplicate check.

        Args:
            content: its text.
            category: one of those that a caller may state, such as "fact" or "preference".
            importance: 0..1; None = 0.5.
            pinned: survives all forgetting.
            immutable: is never edited, merged or summarised.
            tags: labels that a recall can ask for.
            valid_from: from when it is true; None = open.
            valid_until: until when it is true; None = open.
            tier: "episodic" or "semantic".
            speaker: who says it.
            at: when it was said, timezone-aware; then its date is part of what is searched.
            session_id: the conversation it belongs to.
            ref: your own id of its source; comes back in `Recalled.refs`.
            metadata: JSON values that the memory carries.
            support: memories that it was derived from, also of other namespaces, or ids of this
                one. Only who may read all of them reads it, and it is withdrawn once one of them
                is forgotten, or its writer may read one no more.

        Raises:
            InvalidInput: an argument is unusable; nothing was stored.
            NotFound: something in `support` is not there; nothing was stored.
            Protected: a person rejected it, and an agent states it where others read; nothing was
                stored.
            EmbedderUnavailable: there is no vector; nothing was stored.
        """
        metadata = {} if metadata is None else metadata
        if isinstance(metadata, Mapping):  # what is none is refused where it is checked
            metadata = stamped(self.principal, metadata)
        fields = {
            "content": content,
            "category": category,
            "importance": 0.5 if importance is None else importance,
            "pinned": pinned,
            "immutable": immutable,
            "tags": tags,
            "valid_from": valid_from,
            "valid_until": valid_until,
            "tier": tier,
            "speaker": speaker,
            "at": at,
            "session_id": session_id,
            "ref": ref,
            "metadata": metadata,
            "role": "user",
        }
        return writing.add(self, fields, sharing.support_of(self, support) if support else None)

    @needs("review")
    def observe(
        self, messages: str | Turn | Message | Sequence[str | Turn | Message]
    ) -> ObservationReport:
        """Take notes of what was said.

        Many notes are compressed to traces, and `reflect` turns those into memories.

        Raises:
            InvalidInput: a message is unusable; nothing was noted.
            StoreError: the disk failed; nothing was noted.
        """
        return writing.take_notes(self._engine, self.namespace, messages)

    @needs("review")
    def reflect(self) -> ReflectionReport:
        """Turn all that was observed into memories.

        Raises:
            EmbedderUnavailable: there are no vectors; notes and traces wait for the next call.
        """
        services = self._services()
        author = self.principal if words_wait(self) else OPERATOR
        with self._changing("reflect") as record:
            report = reflect(services, self.namespace, author)
            record["memories"] = len(report.memory_ids)
            record["traces"] = report.traces
            record["degraded"] = report.error
        return report

    @needs("write", incognito=True)
    def append_messages(
        self,
        turns: Sequence[str | Turn | Message],
        *,
        session_id: str,
        remembered: Iterable[str] = ("user", "assistant"),
    ) -> tuple[Episode, ...]:
        """Append turns to the transcript of a conversation, all or none.

        They are on disk before this returns. What is said in them also becomes memories, in the
        background, as if by `remember(..., wait=False)`.

        Args:
            turns: texts and `Turn`s, in order. Here the text may be empty, and the metadata, which
                `transcript` gives back, may hold as much as a text (`limits.content_bytes`): a
                message in the caller's own form, say. Metadata stays with the turn: memories do not
                take it over.
            session_id: the conversation.
            remembered: the roles whose turns become memories; the others are only in the
                transcript.

        Returns:
            The turns as they are stored, with their positions. Secrets in texts and in metadata are
            treated as `encoding.secrets` says, so with `redact` that is what `transcript` gives
            back.

        Raises:
            InvalidInput: an argument is unusable; nothing was stored.
            StoreError: the disk failed.
        """
        return writing.append_messages(self, turns, session_id=session_id, remembered=remembered)

    @needs("read")
    def transcript(self, session_id: str) -> tuple[Episode, ...]:
        """The turns that `append_messages` stored, oldest first, without those erased since.

        Raises:
            InvalidInput: `session_id` is unusable.
        """
        services = self._services()
        session = checked_session(services.config, session_id)
        with services.ledger.reading(self.namespace) as ns:
            return tuple(ns.transcripts.of_session(session))

    @needs("admin")
    def clear_transcript(self, session_id: str) -> int:
        """Empty the transcript of a conversation for good; returns how many turns it had.

        Memories of the conversation stay, and so do the turns they came from, but without metadata.
        Turns that were only in the transcript are deleted. `forget_session` takes away memories.

        Raises:
            InvalidInput: `session_id` is unusable.
            StoreError: the disk failed; the transcript is as it was.
        """
        services = self._services()
        session = checked_session(services.config, session_id)
        record = services.log_operation("clear_transcript", namespace=self.namespace)
        with record, services.ledger.writing_to(self.namespace) as ns:
            return ns.transcripts.clear(session)

    @needs("admin")
    def import_(
        self,
        path: str | os.PathLike[str] | transfer.Stream,
        format: str = "auto",  # noqa: A002 - the public name
        *,
        trust: float | None = None,
        mapping: Mapping[str, str] | None = None,
        removed: str = "keep",
        dry_run: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> ImportReport:
        """Read an exported file into this namespace; what is stored already is left alone.

        A file of another tool is looked through first: what is wrong with the whole of it is an
        error, and nothing is imported; what is wrong with one entry stands in the report.

        Args:
            path: the file, or a `transfer.Stream`; of another tool also its folder or zip archive.
            format: "auto" = as the file looks. "cogmem", as `export` wrote it. What was said, which
                is remembered: "chatgpt", "claude", "openwebui" (their exports), "langchain"
                (`messages_to_dict`, `dumpd`, objects with role and content), "llamaindex" (chat
                stores), "jsonl" and "csv" (a turn a row). What another memory holds, which is added
                as it is: "mem0" (`get_all()`), "langgraph" (items of a store, langmem's memories),
                "mcp" (the reference memory server's file), "markdown" (files, a vault of Obsidian's,
                or a vault that `export` wrote: what was edited there is edited here).
                Both: "zep", "letta" (agent files). "skill": a SKILL.md, or the folder that holds
                it, becomes a candidate among the procedures; with orders to the model in it, it is
                quarantined.
            trust: 0..1, of a cogmem file that is not your own: its memories are untrusted, whatever
                it says of them.
            mapping: of a table, the columns for the fields `content`, `role`, `speaker`, `at`,
                `session_id` and `ref` of a turn; those not named are known by their usual names.
            removed: of Markdown, "keep" or "forget" the memories whose file is gone from its folder;
                `ImportReport.removed` names the files.
            dry_run: say what would be imported; write nothing.
            progress: called with (items read, items in all).

        Returns:
            How many memories, or turns, were read, stored and known already; turns that became no
            memory count as neither, and stand in `passed` with the reason, as does all else that
            was left out. What has no date is dated to this moment and takes the place of nothing.

        Raises:
            InvalidInput: an argument is unusable, or the file is of another format, cut off or
                damaged, or holds what belongs to several users, none of them of the namespace's
                name, or it is a folder of several files with a cogmem export among them; nothing is
                imported then.
            EmbedderUnavailable: vectors of another embedder cannot be computed anew; a repeat
                imports what is missing.
        """
        return writing.import_file(
            self,
            path,
            form=format,
            trust=trust,
            mapping=mapping,
            removed=removed,
            dry_run=dry_run,
            progress=progress,
        )

    @needs("read")
    def export(
        self,
        path: str | os.PathLike[str] | transfer.Stream,
        format: str = "cogmem",  # noqa: A002 - the public name
        *,
        categories: Iterable[str] | None = None,
        tags: Iterable[str] | None = None,
        where: Mapping[str, Any] | None = None,
        speaker: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        session_id: str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> int:
        """Write everything to a JSON Lines file that `import_` reads without loss.

        With a filter: the memories that match, and what hangs on these alone. Who wrote a memory, and
        what it rests on, goes along; what the principal may not read does not.

        Args:
            path: the file; it appears when it is complete, readable by its owner only. A link is
                followed; a FIFO, a character device or a `transfer.Stream` is written into. Of
                Markdown, the folder: what an export wrote there before is replaced.
            format: "cogmem" = JSON Lines, without loss. "markdown" = a file for each memory that
                holds, for a person to read and edit; `import_` takes edits over. Documents, former
                texts and what memories earned are left out.
            categories: only memories of one of these categories.
            tags: only memories with at least one of these tags.
            where: only memories with such metadata, see `cogmem_core.values.where`.
            speaker: only what this person said.
            since: only what was said at that moment or later, timezone-aware.
            until: only what was said at that moment or earlier, timezone-aware.
            session_id: only memories of this conversation.
            progress: called with (memories written, memories in all).

        Returns:
            The number of memories.

        Raises:
            InvalidInput: the path names no file, or a folder with files that were edited and not
                imported.
            StoreError: the file cannot be written; there is none then.
        """
        within = checked_filter(
            self._services().config,
            where=where,
            speaker=speaker,
            since=since,
            until=until,
            tags=tags,
            categories=categories,
            session_id=session_id,
        )
        compartments = sharing.parts(self)[1:]
        return reading.export(
            self._services(),
            self.namespace,
            path,
            form=format,
            progress=progress,
            within=within,
            compartments=compartments,
        )

    # Asking.

    @needs("read")
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
        where: Mapping[str, Any] | None = None,
        speaker: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        only_session: str | None = None,
        max_tokens: int | None = None,
        deadline: float | None = None,
        floor: float | None = None,
        also: Iterable[str] = (),
        audience: str | None = None,
    ) -> Recall:
        """The memories that matter for a query, best first. Changes nothing.

        A question for a list ("list all ...", "how many ...") brings all that is relevant, in the
        order of time, up to 50; `Recall.more` says how many more there are. One for the latest or
        the first puts what is relevant in that order. The filters (from `categories` to
        `only_session`) hold before anything is searched.

        Args:
            query: the question, or any text that memories may be about.
            k: at most so many results, 1..1000; None = as many as the kind of question usually
                needs (10 to 20). A list may be longer, unless k is less than 8.
            session_id: the present conversation: what was said in it counts more.
            mode: "current", or "timeline": also what was superseded or has expired, newest first.
            as_of: only what was true at that moment, timezone-aware.
            known_at: only what had been said by that moment, in the words of then, timezone-aware.
            deep: also dormant, superseded and expired memories, at half their score.
            mood: valence of the present mood, -1..1; None = as a message in the first person shows
                it.
            categories: only memories of one of these categories.
            tags: only memories with at least one of these tags.
            where: only memories with such metadata, see `cogmem_core.values.where`: {"city": "Oslo"},
                {"city": ["Oslo", "Bergen"]}, {"score": {"$gte": 3}}.
            speaker: only what this person said.
            since: only what was said at that moment or later, timezone-aware.
            until: only what was said at that moment or earlier, timezone-aware.
            only_session: only memories of this conversation.
            max_tokens: budget of `Recall.context()`.
            deadline: seconds; then the results found so far are returned, and `Recall.degraded`
                says so.
            floor: results of lower confidence go to `Recall.withheld`, 0..1; None = as configured,
                0 = none.
            also: further namespaces to search; `Memory.namespace` tells where a result comes from.
            audience: who hears the answer ("my boss"), see `Recall.for_audience`.

        Raises:
            InvalidInput: an argument is unusable.
            StoreError: neither vectors nor words could be searched.
        """
        config = self._services().config
        within = checked_filter(
            config,
            where=where,
            speaker=speaker,
            since=since,
            until=until,
            session_id=only_session,
        )
        request = Request.checked(
            config,
            self.namespace,
            query,
            k=k,
            session_id=session_id,
            mode=mode,
            as_of=as_of,
            known_at=known_at,
            deep=deep,
            mood=mood,
            categories=categories,
            tags=tags,
            max_tokens=max_tokens,
            deadline=deadline,
            floor=floor,
            within=within,
            also=also,
            audience=audience,
            principal=self.principal,
        )
        return reading.recall(self, request)

    @needs("read")
    def tip_of_tongue(self, query: str, k: int = 8) -> TipOfTongue:
        """Memories that are stored deeply but hardly come to mind. Changes nothing.

        Dormant memories are among them.

        Args:
            query: what you are trying to remember; a weak match is enough.
            k: at most so many, 1..1000.

        Raises:
            InvalidInput: an argument is unusable.
            StoreError: neither vectors nor words could be searched.
        """
        return reading.tips(self, query, k)

    @overload
    def profile(
        self,
        /,
        subject: str | None = None,
        *,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        max_tokens: int | None = None,
    ) -> Profile: ...

    @overload
    def profile(
        self,
        /,
        subject: str | None = None,
        *,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        max_tokens: int | None = None,
        schema: type[Filled],
    ) -> Filled: ...

    @needs("read")
    def profile(
        self,
        subject: str | None = None,
        *,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        max_tokens: int | None = None,
        schema: type[BaseModel] | None = None,
    ) -> Profile | BaseModel:
        """What is known of somebody or something, in sections, without a language model.

        Each line is a clause in the words in which it was said, with its source, what was true
        before, and what speaks against it.

        Args:
            subject: whom or what, as they were called: "Lena", "my boss"; None = the person whose
                memories these are. `Profile.others` names those who have a profile.
            as_of: what was true at that moment, timezone-aware; None = what is true now.
            known_at: only what had been said by that moment, timezone-aware.
            max_tokens: what the text of the profile may cost, 1 or more; None = all, 12 lines a
                section.
            schema: a pydantic model of your own, which is filled by the names and descriptions of its
                fields and returned instead: slots first, else what a recall finds for sure. What is
                not known is None, or the field's default.

        Raises:
            InvalidInput: an argument is unusable, or a field that must be given is not known.
        """
        services = self._services()
        limit = services.config.limits.query_bytes
        found = knowledge.profile(
            services,
            sharing.parts(self),
            "" if subject is None else checks.text("subject", subject, limit),
            as_of=None if as_of is None else checks.moment("as_of", as_of),
            known_at=None if known_at is None else checks.moment("known_at", known_at),
            max_tokens=None if max_tokens is None else checks.positive("max_tokens", max_tokens),
        )
        return found if schema is None else knowing.filled(self, found, schema)

    def session(self, session_id: str, *, incognito: bool = False) -> Session:
        """A conversation in progress, as a context manager with working memory (see `Session`).

        Args:
            session_id: the conversation.
            incognito: True = it recalls, and nothing of it is kept (see `MemoryBank.incognito`).

        Raises:
            InvalidInput: an argument is unusable.
        """
        services = self._services()
        checked_id = checked_session(services.config, session_id)
        bank = self.incognito() if checks.flag("incognito", incognito) else self
        return Session(bank, checked_id, WorkingMemory(services.config.working, services.runtime))

    def as_retriever(self, framework: str = "langchain", **options: Any) -> Any:
        """A retriever of LangChain's, or of LlamaIndex's, over this bank.

        `bank.as_retriever(k=4, filter={"city": "Oslo"})`, `bank.as_retriever("llamaindex", k=4)`.

        Args:
            framework: "langchain" or "llamaindex".
            options: what the framework's `CogMemRetriever` takes.

        Raises:
            InvalidInput: no such framework, its adapter is not installed, or an option is unusable.
        """
        return make_retriever(self, framework, **options)

    def items(self) -> Items:
        """Documents that are stored by path and key beside the memories (see `Items`)."""
        self._engine.check_open()
        return Items(self)

    @needs("read")
    def get(self, memory_id: str) -> Memory:
        """The memory of that id, in whatever state.

        Raises:
            NotFound: this namespace has no such memory.
            InvalidInput: the id is unusable.
        """
        return sharing.find(self, memory_id)

    @needs("read")
    def list(
        self,
        *,
        state: str | None = None,
        category: str | None = None,
        tier: str | None = None,
        categories: Iterable[str] | None = None,
        tags: Iterable[str] | None = None,
        where: Mapping[str, Any] | None = None,
        speaker: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        session_id: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
        newest_first: bool = False,
    ) -> Page:
        """Memories, oldest first; `Page.cursor` leads to the next `limit`.

        Args:
            state: only memories of this state; None = active, "any" = all.
            category: only memories of this category.
            tier: only memories of this tier.
            categories: only memories of one of these categories.
            tags: only memories with at least one of these tags.
            where: only memories with such metadata, see `cogmem_core.values.where`.
            speaker: only what this person said.
            since: only what was said at that moment or later, timezone-aware.
            until: only what was said at that moment or earlier, timezone-aware.
            session_id: only memories of this conversation.
            limit: at most so many.
            cursor: `Page.cursor` of the page before, in the same order; None = the first page.
            newest_first: the other way round, by when they became memories.

        Raises:
            InvalidInput: an argument is unusable.
            StoreError: a row cannot be read.
        """
        within = checked_filter(
            self._services().config,
            where=where,
            speaker=speaker,
            since=since,
            until=until,
            tags=tags,
            categories=_either(category, categories),
            session_id=session_id,
            state=state,
            tier=tier,
        )
        return sharing.page(self, within, limit=limit, cursor=cursor, newest_first=newest_first)

    @needs("read")
    def count(
        self,
        *,
        state: str | None = None,
        category: str | None = None,
        tier: str | None = None,
        categories: Iterable[str] | None = None,
        tags: Iterable[str] | None = None,
        where: Mapping[str, Any] | None = None,
        speaker: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        session_id: str | None = None,
    ) -> int:
        """How many memories; arguments as in `list`.

        Raises:
            InvalidInput: an argument is unusable.
            StoreError: the disk failed.
        """
        within = checked_filter(
            self._services().config,
            where=where,
            speaker=speaker,
            since=since,
            until=until,
            tags=tags,
            categories=_either(category, categories),
            session_id=session_id,
            state=state,
            tier=tier,
        )
        return sharing.count(self, within)

    @needs("read")
    def history(self, memory_id: str) -> History:
        """Former texts and every change, oldest first.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the id is unusable.
            StoreError: a row cannot be read.
        """
        return lifecycle.history(self._services(), self.get(memory_id))

    @needs("read")
    def versions(self, memory_id: str) -> tuple[Memory, ...]:
        """The memories that may have taken each other's place, the newest first.

        A later statement with another value of the same thing, of which nothing shows that the
        earlier one ended, stays beside it: both are active, recall puts the newest first and labels
        the others "earlier". `settle_versions` says which of them holds.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the id is unusable.
            StoreError: a row cannot be read.
        """
        return lifecycle.versions(self._services(), self.get(memory_id))

    @needs("read")
    def doubts(self, limit: int = 20) -> tuple[Ask, ...]:
        """Pairs of versions that both stand, each with the question that settles it, the newest first.

        Args:
            limit: so many at most, >= 1.

        Raises:
            InvalidInput: the limit is unusable.
            StoreError: a row cannot be read.
        """
        found = doubts(self._services(), self.namespace)
        return tuple(islice(found, checks.positive("limit", limit)))

    @needs("write")
    def asked(self, ask_id: str) -> bool:
        """Put on record that the user is asked what `Recall.ask` asks; call it before you show the question.

        What he answers settles it, if it is remembered as the next turn of the conversation, or as a
        `Turn` whose `asked` ends with the question, in its own words.

        Args:
            ask_id: the id of `Recall.ask`, or of one of `doubts()`.

        Returns:
            False if he was asked this before, or another such question today: then do not ask.

        Raises:
            NotFound: there is no such doubt.
            InvalidInput: the id is unusable.
            StoreError: the disk failed.
        """
        services = self._services()
        checked_id = checks.identifier("ask_id", ask_id)
        with services.log_operation("asked", namespace=self.namespace) as record:
            asked = mark_asked(services, self.namespace, checked_id, self.principal)
            record["asked"] = asked
        return asked

    @needs("read")
    def learnt(
        self, since: datetime | None = None, *, limit: int = 7, session_id: str | None = None
    ) -> Learnt:
        """What was learnt: a line for each thing that is new, changed, ended or forgotten.

        The most telling come first: changes and ends before news, what a person said before what was
        inferred, what lasts before small talk. To keep a line is to `hold` its memory, to fix it to
        `edit` that, and to forget it to `forget` that. Of a large bank the 500 memories are looked at
        that changed last.

        Args:
            since: from when on, timezone-aware; None = the last 24 hours, or the whole session.
            limit: lines at most.
            session_id: only what was said in this conversation.

        Raises:
            InvalidInput: an argument is unusable.
            StoreError: a row cannot be read.
        """
        services = self._services()
        return learnt(
            services,
            sharing.parts(self),
            since=None if since is None else checks.moment("since", since),
            limit=checks.positive("limit", limit),
            session_id=checked_label("session_id", session_id, services.config),
        )

    @needs("read")
    def relations(self, memory_id: str) -> tuple[Relation, ...]:
        """Relations from and to a memory.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the id is unusable.
            StoreError: a row cannot be read.
        """
        return lifecycle.relations(self._services(), self.get(memory_id))

    @needs("read")
    def explain(self, memory_id: str) -> LifeStory:
        """A memory's life in sentences: where it comes from, what happened, how it stands today.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the id is unusable.
            StoreError: a row cannot be read.
        """
        return lifecycle.explain(self._services(), self.get(memory_id))

    # What is never kept.

    @needs("admin")
    def seal(self, topic: str) -> tuple[str, ...]:
        """Never keep what tells of a topic, from now on and in every process; returns all seals.

        As `encoding.never_keep` does for a whole engine: what tells of it is cut out of what comes
        in. What is there already stays until it is forgotten. A seal goes along with an export, and
        is gone with its namespace (`forget_all`, hard).

        Args:
            topic: one of those that the guide lists, such as "health", or words of one's own, of at
                most 200 characters. A namespace has 100 at most.

        Raises:
            InvalidInput: the topic is unusable, or one too many.
            StoreError: the disk failed.
        """
        services = self._services()
        with services.log_operation("seal", namespace=self.namespace):
            seals.seal(services, self.namespace, [topic])
        return self.seals()

    @needs("admin")
    def unseal(self, topic: str) -> tuple[str, ...]:
        """Keep again what tells of a topic; returns the seals that are left.

        Raises:
            NotFound: it is not sealed.
            InvalidInput: the topic is unusable, or `encoding.never_keep` seals it.
            StoreError: the disk failed.
        """
        services = self._services()
        with services.log_operation("unseal", namespace=self.namespace):
            seals.unseal(services, self.namespace, topic)
        return self.seals()

    @needs("read")
    def seals(self) -> tuple[str, ...]:
        """What is never kept: the topics of `encoding.never_keep`, then those sealed here."""
        return self._services().sealed(self.namespace).config.encoding.never_keep

    # Changing single memories.

    @needs("write")
    def edit(self, memory_id: str, content: str, *, whole: bool = False) -> Memory:
        """Give a memory another text; the former one stays in its history.

        If the new text gives another value ("I live in Bergen"), the former one also stays as a
        superseded memory, which a timeline shows. What the former text said besides ("and I work at
        Siemens") stays as a memory of its own, unless the new text says it, too. What only the
        former text claimed is rejected: it comes back only if the person says it again. An agent's
        edit of what others read is a proposal, if `guard.review` has "shared": what waits is returned.

        Args:
            memory_id: the memory.
            content: its new text.
            whole: the new text stands for all of the former one, of which nothing stays besides.

        Raises:
            NotFound: there is no such memory.
            Protected: it is immutable, or the new text is an agent's and was rejected by a person.
            InvalidInput: an argument is unusable.
            EmbedderUnavailable: there is no vector; nothing was changed.
        """
        return writing.reword(self, "edit", memory_id, content, whole=whole)

    @needs("write")
    def supersede(self, memory_id: str, content: str) -> Memory:
        """Put a new memory in the place of one that no longer holds; returns the new one.

        The old memory is superseded: it points to the new one, stays in the timeline, and `restore`
        brings it back. What it said besides stays, as after an edit. Where a text was wrong from
        the beginning, `edit` it. An agent's word waits, as in `edit`.

        Raises:
            NotFound: there is no such memory.
            Protected: it is the text of a document, or an agent's and was rejected by a person.
            InvalidInput: an argument is unusable, or the memory does not hold now.
            EmbedderUnavailable: there is no vector; nothing was changed.
        """
        return writing.reword(self, "supersede", memory_id, content)

    @needs("write")
    def end(self, memory_id: str, at: datetime | None = None) -> Memory:
        """Say that a memory holds no more, and that nothing takes its place; returns it.

        It leaves recall as what was true until then: `as_of` before that, a timeline and the profile
        of an earlier day still show it, and `restore` brings it back. As after `forget`, what it
        claims comes back only if the person says it again. A memory that says several things ends as
        a whole.

        Args:
            memory_id: the memory.
            at: until when it was true, timezone-aware; now if None. Not in the future, and not
                before it began (`Memory.valid_from`).

        Raises:
            NotFound: there is no such memory.
            Protected: it is the text of a document.
            NotAllowed: an agent ends what others read, and `guard.review` has "shared".
            InvalidInput: an argument is unusable, or the memory does not hold now.
            StoreError: the disk failed.
        """
        return writing.end(self, memory_id, at)

    @needs("write")
    def pin(self, memory_id: str) -> Memory:
        """Protect a memory from all forgetting.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the id is unusable.
            StoreError: the disk failed.
        """
        return lifecycle.set_pinned(self._services(), self.get(memory_id), pinned=True)

    @needs("write")
    def unpin(self, memory_id: str) -> Memory:
        """Let a memory fade again.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the id is unusable.
            StoreError: the disk failed.
        """
        return lifecycle.set_pinned(self._services(), self.get(memory_id), pinned=False)

    @needs("write")
    def restore(self, memory_id: str) -> Memory:
        """Bring a forgotten, dormant or superseded memory back; of an active one the withdrawn clauses.

        What waits in quarantine is approved by this, so that takes the right to review.

        Raises:
            NotFound: there is no such memory.
            Protected: a person rejected it, and an agent brings it back where others read.
            InvalidInput: the id is unusable.
            StoreError: the disk failed.
        """
        return writing.restore(self, memory_id)

    @needs("review")
    def settle_versions(self, keep: str) -> ForgetReceipt:
        """Say which version of a memory holds: the others are superseded by it.

        Args:
            keep: the id of the memory that holds, whether it is the newest or not.

        Returns:
            What was superseded; pinned and immutable versions stay. `restore` brings one back.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the id is unusable.
            StoreError: the disk failed.
        """
        with self._changing("settle_versions", id=keep) as record:
            receipt = lifecycle.settle_versions(self._services(), sharing.find(self, keep))
            record["retired"] = len(receipt.memory_ids)
        return receipt

    @needs("review")
    def hold(self, memory_id: str) -> Memory:
        """Stand for a memory as its reviewer: it is not one agent's word any more.

        What one agent (or service) wrote into a namespace that others read, too, is `witnessed`
        (`Recalled.standing`), and a prompt says so, until it is `held`: somebody who does not act
        for the same one says it as well, a person does, or a reviewer holds it.

        Raises:
            NotFound: there is no such memory.
            NotAllowed: an agent would hold its own word, or that of another agent of its owner.
            InvalidInput: the id is unusable.
            StoreError: the disk failed.
        """
        return sharing.hold(self, memory_id)

    def why_allowed(self, principal: str, memory_id: str) -> Decision:
        """Whether a principal may read a memory, and why: grants, owners, and whose word it is.

        A principal may ask it of itself and of those who act for it, an administrator of the
        namespace of all.

        Raises:
            NotFound: there is no such memory, or no such principal.
            NotAllowed: it is another's right, or the memory may not be read.
            InvalidInput: an argument is unusable.
        """
        return sharing.why_allowed(self, principal, memory_id)

    @needs("write")
    def forget(
        self,
        id_or_query: str | None = None,
        *,
        hard: bool = False,
        categories: Iterable[str] | None = None,
        tags: Iterable[str] | None = None,
        where: Mapping[str, Any] | None = None,
        speaker: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        session_id: str | None = None,
    ) -> ForgetReceipt:
        """Forget a memory by its id, all memories that a query names, or all that filters leave.

        How a query names memories is told at `forget_matching`.

        Args:
            id_or_query: softly, all words of a query must be in the memory, in any form and order.
                For good, the query must stand in it as a whole: word for word, with no letter,
                digit, `_`, `@`, `+`, or hyphen, point or apostrophe with a letter behind it, on
                either side. "Ann" is in "Ann's dog." and neither in "Anna" nor in "Ann-Marie".
                None = whatever the filters leave; then one must be given.
            hard: False takes them out of recall (`restore` brings them back); True erases them, the
                turns they came from and whatever else holds their words (see `erasure`) from every
                file, and scans what is left. A query or a filter then takes in every kind of
                record; what cannot be told apart is named in `remaining`.
            categories: only memories of one of these categories.
            tags: only memories with at least one of these tags.
            where: only memories with such metadata, see `cogmem_core.values.where`.
            speaker: only what this person said. What others said, too, stays theirs; so it is with
                the following.
            since: only what was said at that moment or later, timezone-aware.
            until: only what was said at that moment or earlier, timezone-aware.
            session_id: only memories of this conversation.

        Raises:
            NotFound: no memory has that id, the query names none (or what several speakers told of
                themselves), or the filters leave none.
            InvalidInput: `hard`, and the query stands nowhere as a whole, or names what several
                speakers told of themselves; the message lists what may be meant.
            EmbedderUnavailable: other facts of those turns need new vectors; nothing was erased.
        """
        within = checked_filter(
            self._services().config,
            where=where,
            speaker=speaker,
            since=since,
            until=until,
            tags=tags,
            categories=categories,
            session_id=session_id,
        )
        return sharing.in_each_part(
            self,
            lambda part: forgetting.forget(
                self._engine, part, id_or_query, hard=hard, within=within
            ),
            hard=hard,
        )

    @needs("write")
    def forget_matching(
        self, query: str, *, dry_run: bool = False, hard: bool = False
    ) -> ForgetReceipt:
        """Forget what a query names, or only tell what that is.

        A query may be an id; an identifier (mail address, handle, URL, path, code, number of seven
        digits or more) or a "quoted name"; a statement ("I live in Oslo"); something of the
        speaker's own ("my salary", "where I live"), which is not his boss's; or words. It may also
        be a whole wish ("Please forget my salary"). What it names more closely hides what it names
        less closely; the receipt lists both. Where several speakers told what would be the
        speaker's own, nothing is forgotten: give the ids, or `forget` a speaker.

        An identifier never names a longer one: `rosa@delta.io` is not in `rosa.blum@delta.io`,
        `+1 555 010` not in `+1 555 010 4477`. Letter case, white space and the separators of
        telephone and card numbers make no difference.

        Args:
            query: an id, or what the memories say. Softly, all words of it must be in a memory, in
                any form and order. For good, it must stand in the memory as a whole: word for word,
                with no letter, digit, `_`, `@`, `+`, or hyphen, point or apostrophe with a letter
                behind it, on either side. "Ann" is in "Ann's dog." and neither in "Anna" nor in
                "Ann-Marie".
            dry_run: forget nothing.
            hard: False takes them out of recall (`restore` brings them back); True erases them, the
                turns they came from and whatever else holds their words (see `erasure`) from every
                file, and scans what is left.

        Returns:
            What was forgotten, or would be: nothing if the query names nothing. What was erased for
            good is not listed as a candidate.

        Raises:
            InvalidInput: an argument is unusable; or `hard` without `dry_run`, and the query stands
                nowhere as a whole, or several speakers told it of themselves: the message lists
                what may be meant.
            EmbedderUnavailable: other facts of those turns need new vectors; nothing was erased.
        """
        return sharing.in_each_part(
            self,
            lambda part: forgetting.forget_matching(
                self._engine, part, query, dry_run=dry_run, hard=hard
            ),
            hard=hard,
        )

    @needs("write")
    def forget_session(self, session_id: str, *, hard: bool = False) -> ForgetReceipt:
        """Forget what was said in one conversation; what was said in others, too, stays theirs.

        Args:
            session_id: the conversation.
            hard: as for `forget`.

        Raises:
            InvalidInput: `session_id` is unusable.
        """
        return sharing.in_each_part(
            self,
            lambda part: forgetting.forget_session(self._engine, part, session_id, hard=hard),
            hard=hard,
        )

    @needs("admin")
    def forget_all(self, *, confirm: str, hard: bool = False) -> ForgetReceipt:
        """Forget the whole namespace.

        Args:
            confirm: the name of the namespace once more.
            hard: as for `forget`; also turns and notes that wait are erased.

        Raises:
            InvalidInput: `confirm` is another name.
        """
        if confirm != self.namespace:
            raise InvalidInput(
                f"confirm is {checks.display(confirm)}; to forget everything give the namespace "
                f"{self.namespace!r}"
            )
        return sharing.in_each_part(
            self,
            lambda part: forgetting.forget_all(self._engine, part, hard=hard),
            hard=hard,
            whole=True,
        )

    # Learning.

    @needs("read")
    def feedback(
        self,
        recall: Recall,
        answer: str,
        *,
        query: str | None = None,
        alongside: Sequence[Recall] = (),
        similarity_fn: Similarity | None = None,
        arguments: str = "",
        wait: bool = True,
        heard: Callable[[tuple[Feedback, ...]], None] | None = None,
    ) -> tuple[Feedback, ...]:
        """Say what the model answered: memories that it used last longer.

        A memory is `used` where the answer shows it: by its words, names and numbers, by a tool's
        argument, by a yes to the question it answers, or by what it means. It is `ignored`, and
        fades, only if recall was sure of it and the answer used another one that says otherwise, or
        the user took it back. All others are `unjudged` and stay as they are.

        Args:
            recall: what the model was shown.
            answer: what the model said.
            query: what the model was asked, if in other words than the recall's.
            alongside: all recalls that the model was shown for this answer, if there were several:
                a memory that more than one of them holds is judged under one of them.
            similarity_fn: (memory, answer) → 0..1, how far the answer made use of the memory;
                above 0.3 it is used. A function with parameters named `question` or `memories`, or
                with a third and fourth one, is also given the question and the texts of all
                memories that were shown.
            arguments: what the model gave to tools, as text; also without an answer ("").
            wait: False returns at once, and the worker judges; `Engine.flush` waits for it.
            heard: called with the judgements, if there are any, in the thread that makes them.

        Returns:
            A judgement per memory; none where the principal may only read, none for those that this
            recall was judged for before, none for those that the same answer judged under another
            recall, none of a blank answer, and none without `wait`.

        Raises:
            InvalidInput: an argument is unusable; nothing was changed.
            StoreError: the disk failed; nothing was changed.
        """
        return learning.feedback(
            self,
            recall,
            answer,
            query=query,
            alongside=alongside,
            similarity=similarity_fn,
            arguments=arguments,
            wait=wait,
            heard=heard,
        )

    @needs("write", incognito=True)
    def finish_pending(self, *, seconds: float = 5.0) -> int:
        """Finish now the turns that this process stored with `wait=False`, or found waiting.

        So that what was said a moment ago is recalled; with a language model it is asked. Turns
        that another thread works on are waited for. Turns that cannot be finished (the embedder
        fails) stay queued.

        Args:
            seconds: wait for other threads at most so long.

        Returns:
            How many turns were finished.
        """
        return learning.finish_pending(self._engine, self.namespace, seconds=seconds)

    # What is to come up later.

    @needs("write")
    def intend(
        self,
        text: str,
        *,
        at: datetime | None = None,
        when: str | None = None,
        on_session: bool | str = False,
        every: str | None = None,
        times: int | None = None,
        until: datetime | None = None,
        window: timedelta | None = None,
        zone: str | None = None,
        session_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Intention:
        """Have something come up later: at a moment, when something is said, or in a session.

        `due` hands it out, once. Give one of `at`, `when` and `on_session`. The same intention that
        is open already is not stored twice. An agent's, where others read, is only `proposed` until
        a person agrees, if `guard.review` has "shared".

        Args:
            text: what is to come up.
            at: when, timezone-aware and not in the past.
            when: what must be said or have happened: "Anna calls", "we talk about the budget".
            on_session: True = in the next session after `session_id`; or the id of the session.
            every: how it recurs: "day", "weekday", "week", "month", "year", "monday", "2 weeks", or
                an RRULE (RFC 5545), at most once an hour; for what is said or for sessions also
                "session" (once in each). It needs an end: `times`, `until`, or one in the rule.
            times: it fires at most so often.
            until: it fires no more afterwards, timezone-aware.
            window: for how long after `at` it is due; later it is missed. At most 31 days; a day
                if None.
            zone: the time zone of its recurrence, "Europe/Istanbul": nine o'clock stays nine
                o'clock when the clocks change. That of `at` if it has a name, else
                `encoding.timezone`.
            session_id: the conversation in which it is stated.
            metadata: JSON values that it carries.

        Raises:
            InvalidInput: an argument is unusable; nothing was stored.
            StoreError: the disk failed.
        """
        intention = agenda.Wanted(
            text=text,
            at=at,
            when=when,
            on_session=on_session,
            every=every,
            times=times,
            until=until,
            window=window,
            zone=zone,
            session_id=session_id,
            metadata=metadata,
        )
        return agenda.intend(self, intention)

    @needs("write", incognito=True)
    def due(
        self, turn: str | Turn | Message | None = None, *, session_id: str | None = None
    ) -> tuple[Intention, ...]:
        """Hand out what is due: each intention once, whichever thread or process asks first.

        They are `fired` then, and stay on the list until `settle` says what became of them. What
        nobody asked for within its window is `missed`. `Recall.due` tells the same without handing
        anything out.

        Args:
            turn: what was just said, for intentions with a `when`; None = only those whose moment
                or session has come.
            session_id: the present session, if the turn does not carry it.

        Raises:
            InvalidInput: an argument is unusable; nothing was handed out.
            EmbedderUnavailable: there is no vector to compare the turn with; nothing was handed
                out.
            StoreError: the disk failed; nothing was handed out.
        """
        return agenda.due(self, turn, session_id)

    @needs("write")
    def settle(self, record_id: str, outcome: str) -> Intention | Procedure:
        """Say what became of an intention, or what you think of a procedure.

        Args:
            record_id: the id of an intention or a procedure.
            outcome: "done" (of what recurs, this time only), "cancelled" (altogether); of a
                proposed intention "confirmed" (it will fire) or "rejected" (it is not proposed
                again); of a procedure "confirmed" (it leaves quarantine) or "rejected" (it is
                retired, and not mined again).

        Raises:
            NotFound: there is no such intention or procedure.
            InvalidInput: that cannot become of it in its state.
            StoreError: the disk failed.
        """
        return agenda.settle(self, record_id, outcome)

    @needs("read")
    def intentions(self, state: str | Sequence[str] | None = None) -> tuple[Intention, ...]:
        """What was intended, as it stands now, oldest first.

        Args:
            state: only those in this state, or in one of these: "proposed", "open", "due", "fired",
                "done", "cancelled", "expired", "missed", "rejected".

        Raises:
            InvalidInput: there is no such state.
        """
        states = checked_states(state, get_args(IntentionState))
        return intentions.all_of(self._services(), self.namespace, states)

    # How tasks are done.

    @needs("write")
    def observe_run(
        self,
        task: str,
        calls: Sequence[ToolCall | Mapping[str, Any]],
        *,
        session_id: str,
        ok: bool | None = None,
        at: datetime | None = None,
    ) -> TaskRun:
        """Tell what an agent called for a task, so that procedures are learnt from it.

        Steps that two runs of like tasks share, which succeeded in two sessions, become a
        candidate; `Recall.procedures` shows it to half of the sessions. Tasks that go better with
        it promote it, tasks that do not retire it. Nothing is executed here.

        Args:
            task: what was wanted, in words; what `recall` was asked at its beginning.
            calls: of tools, in order: `ToolCall`s, or dicts with `tool`, `arguments` and `ok`.
            session_id: the conversation, which decides what it is shown.
            ok: whether the task was done. None = as the calls tell: not, if the last one failed;
                yes, if all worked; else unknown, until `outcome` says so.
            at: when, timezone-aware; now if None.

        Raises:
            InvalidInput: an argument is unusable; nothing was stored.
            EmbedderUnavailable: there is no vector to compare the task with; nothing was stored.
            StoreError: the disk failed.
        """
        return tasks.observe_run(
            self._services(), self.namespace, task, calls, session_id=session_id, ok=ok, at=at
        )

    @needs("write")
    def outcome(self, run: TaskRun | str, ok: bool) -> TaskRun:
        """Say whether the task of a run was done; said again, the last word counts.

        Args:
            run: what `observe_run` returned, or its id.
            ok: True or False.

        Raises:
            NotFound: there is no such run.
            InvalidInput: an argument is unusable.
            StoreError: the disk failed.
        """
        return tasks.outcome(self._services(), self.namespace, run, ok)

    @needs("read")
    def procedures(self, state: str | Sequence[str] | None = None) -> tuple[Procedure, ...]:
        """Ways to do a kind of task, oldest first, with what became of the tasks.

        Args:
            state: only those in this state, or in one of these: "candidate", "canary", "active",
                "retired", "quarantined".

        Raises:
            InvalidInput: there is no such state.
        """
        states = checked_states(state, get_args(ProcedureState))
        return procedures.all_of(self._services(), self.namespace, states)

    @needs("read")
    def export_procedure(self, procedure_id: str, path: str | os.PathLike[str]) -> Path:
        """Write a procedure as SKILL.md; `import_(path, "skill")` reads it.

        Args:
            procedure_id: its id.
            path: the file, or an existing folder, in which it is `SKILL.md`.

        Returns:
            The path of the file.

        Raises:
            NotFound: there is no such procedure.
            StoreError: the file cannot be written.
        """
        return tasks.export_procedure(self._services(), self.namespace, procedure_id, path)

    # What waits for a person.

    @needs("review")
    def reviews(self, state: str | Sequence[str] | None = "waiting") -> tuple[Review, ...]:
        """Writes that wait for a person, oldest first, with the texts that are proposed.

        `Config.guard.review` says which kinds of writes wait.

        Args:
            state: only those in this state, or in one of these: "waiting", "approved", "rejected",
                "expired"; None: all of them.

        Raises:
            InvalidInput: there is no such state.
        """
        return reviewing.list_reviews(self, state)

    @needs("review")
    def approve(self, review_id: str, *, keep_both: bool = False) -> Review:
        """Bring what waits into recall, in the place of what it replaces.

        The same proposal is not asked about again. Of what an agent wrote, whoever approves it
        stands for it (see `hold`).

        Args:
            review_id: its id, or that of the memory, procedure or intention that waits.
            keep_both: what it would replace stays as it is.

        Raises:
            NotFound: there is no such review.
            NotAllowed: an agent would decide about its own word, or that of another agent of its
                owner, or about a procedure, an intention or a document.
            InvalidInput: it was approved or rejected already.
            EmbedderUnavailable: there is no vector for what remains of a memory that loses a part;
                nothing was decided.
            StoreError: the disk failed.
        """
        return reviewing.decide(self, review_id, approve=True, keep_both=keep_both)

    @needs("review")
    def reject(self, review_id: str) -> Review:
        """Forget what waits; it comes back only if a person says it again, and then waits anew.

        Args:
            review_id: its id, or that of the memory, procedure or intention that waits.

        Raises:
            NotFound: there is no such review.
            NotAllowed: as for `approve`.
            InvalidInput: it was approved or rejected already.
            StoreError: the disk failed.
        """
        return reviewing.decide(self, review_id, approve=False)

    # Looking after them.

    @needs("admin")
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
            dry_run: only report what would change. A language model is asked all the same.
            steps: names of the steps to run; as configured if None. They run in their fixed order.
            progress: called with (step that begins, steps done, steps in all).

        Returns:
            What was done; all zeros, and a reason, if another cycle is running on this namespace.

        Raises:
            InvalidInput: there is no such step.
            StoreError: the disk failed.
        """
        return writing.consolidate_bank(
            self._engine, self.namespace, steps=steps, dry_run=dry_run, progress=progress
        )

    @needs("admin")
    def tick(
        self, *, progress: Callable[[str, int, int], None] | None = None
    ) -> ConsolidationReport:
        """The cheap part of a dream cycle: expire what is over, consolidate what is fading.

        Intentions whose moment has come go to `Engine.on_due`, if it is set.

        Args:
            progress: as for `consolidate`.

        Raises:
            StoreError: the disk failed; the steps that were done stand.
        """
        agenda.remind(self._engine, self.namespace)
        steps = self._services().config.consolidation.tick
        return writing.consolidate_bank(
            self._engine,
            self.namespace,
            steps=steps,
            progress=progress,
            cause="tick",
        )

    @needs("admin")
    def undo(self, run_id: str, memory_id: str | None = None) -> UndoReport:
        """Take back a dream cycle; what was changed again since stays as it is now.

        Args:
            run_id: of the cycle.
            memory_id: take back only what it did to this memory, and to those that it joined with
                this one; None = all of it.

        Raises:
            NotFound: there is no such cycle, or it did nothing to that memory.
            InvalidInput: it was undone before, or is still running.
        """
        run_id = checks.identifier("run_id", run_id)
        if memory_id is not None:
            memory_id = checks.identifier("memory_id", memory_id)
        report = undo(self._services(), self.namespace, run_id, memory_id)
        self._engine.changed()
        return report

    @needs("read")
    def consolidation_runs(self, *, limit: int = 20) -> tuple[ConsolidationRun, ...]:
        """Dream cycles, newest first."""
        with self._services().ledger.reading(self.namespace) as ns:
            return tuple(ns.runs.newest(checks.positive("limit", limit)))

    @needs("read")
    def consolidation_changes(self, run_id: str) -> tuple[PlannedChange, ...]:
        """What a dream cycle on record changed, in order, as far as the memories are still there.

        Raises:
            NotFound: there is no such cycle.
        """
        run_id = checks.identifier("run_id", run_id)
        with self._services().ledger.reading(self.namespace) as ns:
            if ns.runs.by_id(run_id) is None:
                raise no_such_cycle(self.namespace, run_id)
            return tuple(recorded_changes(ns, run_id))

    @needs("read")
    def forecast(self, days: float = 90, *, limit: int = 1_000) -> Forecast:
        """What becomes of each memory if nobody uses it: which fade, go dormant, expire, and when.

        What depends on other memories (capacity, duplicates) is not foreseen, nor what a dream
        cycle rehearses.

        Args:
            days: how far to look, above 0 and at most 36,500.
            limit: of the events; `Forecast.more` counts the others.

        Raises:
            InvalidInput: an argument is unusable.
        """
        services = self._services()
        limit = checks.positive("limit", limit)
        return forecast(services, self.namespace, checks.days("days", days), limit)

    @needs("read")
    def audit(self) -> Audit:
        """What a person should look at: duplicates, contradictions, junk, orphans and more."""
        lag = self._engine.follower.lag() if self.principal == OPERATOR else 0
        return audit(self._services(), self.namespace, index_lag=lag)

    @needs("read")
    def verify_audit(self, *, anchor: str | None = None) -> AuditTrail:
        """Check that no entry of the journal, and no memory beside it, was tampered with.

        Every change of a memory is an entry in a chain of hashes: who, what kind, which memory,
        when. Erased words leave the chain whole.

        Args:
            anchor: an `AuditTrail.head` that you noted elsewhere: also shows whether the whole
                chain was written anew.

        Raises:
            InvalidInput: the anchor is no head of an audit trail.
        """
        head = checks.anchor(anchor)
        with self._services().ledger.reading(self.namespace) as ns:
            return ns.audit.trail(anchor=head)

    @needs("read")
    def verify_erasures(self, *, probe: str | Iterable[str] = ()) -> ErasureCheck:
        """Look for what was erased for good and is there again: from a backup, an import, an agent, somebody else.

        Keyed digests of what was erased are held against every record of whatever kind and state, the
        files of the bank's folder, and the backups that `Engine.backup` made. What the person whose word
        it was says again is not listed. Nothing is changed, and nothing of it goes into the op log.

        Args:
            probe: words for what was erased, or several; recall is asked for each, and what it
                brings is listed, too. Where it was worded anew, this alone may find it.

        Raises:
            InvalidInput: a probe is unusable.
            StoreError: a row cannot be read.
        """
        words = [probe] if isinstance(probe, str) else probe
        return reading.erasure_check(self, sharing.parts(self), words)

    @needs("read")
    def health(self) -> dict[str, Any]:
        """Counts, retention histogram, index lag, queue length and warnings, as JSON values."""
        operator = self.principal == OPERATOR  # what concerns the engine is for nobody else
        return namespace_health(
            self._services(),
            self.namespace,
            warnings=self._engine.warnings() if operator else [],
            index_lag=self._engine.follower.lag() if operator else 0,
        )

    aremember = async_twin(remember)
    aadd = async_twin(add)
    aobserve = async_twin(observe)
    areflect = async_twin(reflect)
    aappend_messages = async_twin(append_messages)
    atranscript = async_twin(transcript)
    aclear_transcript = async_twin(clear_transcript)
    aimport_ = async_twin(import_)
    aexport = async_twin(export)
    arecall = async_twin(recall)
    aprofile = async_twin(profile)
    atip_of_tongue = async_twin(tip_of_tongue)
    aget = async_twin(get)
    alist = async_twin(list)  # noqa: A003 - the method above
    acount = async_twin(count)
    ahistory = async_twin(history)
    alearnt = async_twin(learnt)
    arelations = async_twin(relations)
    aversions = async_twin(versions)
    adoubts = async_twin(doubts)
    aasked = async_twin(asked)
    aexplain = async_twin(explain)
    aseal = async_twin(seal)
    aunseal = async_twin(unseal)
    aseals = async_twin(seals)
    aedit = async_twin(edit)
    asupersede = async_twin(supersede)
    aend = async_twin(end)
    apin = async_twin(pin)
    aunpin = async_twin(unpin)
    arestore = async_twin(restore)
    ahold = async_twin(hold)
    awhy_allowed = async_twin(why_allowed)
    asettle_versions = async_twin(settle_versions)
    aforget = async_twin(forget)
    aforget_matching = async_twin(forget_matching)
    aforget_session = async_twin(forget_session)
    aforget_all = async_twin(forget_all)
    afeedback = async_twin(feedback)
    afinish_pending = async_twin(finish_pending)
    aintend = async_twin(intend)
    adue = async_twin(due)
    asettle = async_twin(settle)
    aintentions = async_twin(intentions)
    aobserve_run = async_twin(observe_run)
    aoutcome = async_twin(outcome)
    aprocedures = async_twin(procedures)
    aexport_procedure = async_twin(export_procedure)
    areviews = async_twin(reviews)
    aapprove = async_twin(approve)
    areject = async_twin(reject)
    aconsolidate = async_twin(consolidate)
    atick = async_twin(tick)
    aundo = async_twin(undo)
    aconsolidation_runs = async_twin(consolidation_runs)
    aconsolidation_changes = async_twin(consolidation_changes)
    aforecast = async_twin(forecast)
    aaudit = async_twin(audit)
    averify_audit = async_twin(verify_audit)
    averify_erasures = async_twin(verify_erasures)
    ahealth = async_twin(health)

    def __repr__(self) -> str:
        how = f" for {self.principal!r}" if self.principal else ""
        how += "" if self.keeps else " incognito"
        return f"<cogmem_core.MemoryBank {self.namespace!r}{how} of {self._engine!r}>"
