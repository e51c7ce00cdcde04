"""Moving in: what other tools keep is remembered as it was said, or added as it was remembered."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cogmem_core import transfer
from cogmem_core.access import OPERATOR
from cogmem_core.changes import REJECTED, Actor
from cogmem_core.changes.erased import ErasedTexts, erased_apart
from cogmem_core.config import Config
from cogmem_core.edge import checks
from cogmem_core.encoding.add_memory import Statement, add_memory
from cogmem_core.encoding.sanitize import sanitize_turn
from cogmem_core.encoding.seals import NOT_KEPT, SEALED
from cogmem_core.engine.rights import stamped
from cogmem_core.engine.vault import Vault
from cogmem_core.errors import InvalidInput
from cogmem_core.storage.ledger.turns import sending
from cogmem_core.text.broken import readable, readable_value
from cogmem_core.text.plural import first_of
from cogmem_core.transfer import foreign
from cogmem_core.transfer.contents import ERASED
from cogmem_core.transfer.foreign import MARKDOWN, Context, Finding, Found, Passed
from cogmem_core.transfer.vault import LIVE
from cogmem_core.values.models import Turn
from cogmem_core.values.results import ImportReport

if TYPE_CHECKING:
    from cogmem_core.engine.engine import Engine


FORMATS = ("auto", "cogmem", *foreign.FOREIGN, "skill")
OWN = ("auto", "cogmem")
"""Formats of files that may be cogmem's own, and say how far their memories are trusted."""
UNMAPPED = tuple(name for name in FORMATS if name not in ("auto", "jsonl", "csv"))
_BATCH = 64  # turns
_HEAD = 65_536  # characters
_OWN = re.compile(r'"format"\s*:\s*"cogmem|"fingerprint"\s*:\s*"')
"""What the first lines of a cogmem export hold, also of a damaged one."""
_NAMED = 3  # users, or files, in a message
_PLAIN: Mapping[str, Any] = {
    "category": "fact",
    "importance": 0.5,
    "pinned": False,
    "immutable": False,
    "tier": "episodic",
}
"""What a memory of another tool is like."""
Progress = Callable[[int, int], None]


def import_place(
    engine: Engine,
    namespace: str,
    place: transfer.Place,
    *,
    form: str,
    mapping: Mapping[str, str] | None,
    dry_run: bool,
    progress: Progress | None,
    author: str = OPERATOR,
    forget_removed: bool = False,
) -> ImportReport:
    """Read a file, folder, archive or stream of another tool; of "auto", also one of cogmem.

    `author`: the principal whose word it is, if what he says waits for a person; `forget_removed`:
    memories whose Markdown file is gone.

    Raises:
        InvalidInput: see `MemoryBank.import_`; nothing is stored then.
    """
    from cogmem_core.engine.bank import MemoryBank

    services = engine.open_services
    columns = foreign.checked_mapping({} if mapping is None else mapping)
    suffixes = transfer.TEXTS if form == MARKDOWN else ()
    with transfer.documents(place, suffixes) as (files, beside):
        if form == "auto" and len(files) > 1 and all(x.suffix in transfer.TEXTS for x in files):
            form = MARKDOWN
        exports = files if form == "auto" and files[0].suffix not in transfer.TEXTS else ()
        if found := next(filter(_is_own, exports), None):
            if len(files) + len(beside) > 1:
                raise InvalidInput(
                    f"{place} holds several files, among them {found.within}, an export of cogmem; give "
                    "one file, or import what `export --all` wrote with `import --all`"
                )
            own = _own_place(place, found)
            report = transfer.import_file(
                services, namespace, own, progress, dry_run=dry_run, author=author
            )
            engine.changed()
            return report
        check = _usable(services.sealed(namespace).config)
        context = Context(services.runtime.now(), check, columns)
        survey = foreign.survey(files, None if form == "auto" else form, context)
        if beside:
            survey.passed[foreign.OTHER_FILE] += len(beside)
            survey.tell(f"not read: {first_of(beside, _NAMED)}; give such a file by itself")
        owner = _owner(place, namespace, survey.owners)
        bank = MemoryBank(engine, namespace, author)
        paths = [file.within for file in files] if MARKDOWN in survey.forms.values() else []
        vault = Vault.of(bank, place, paths, dry_run=dry_run)
        importing = _Importing(engine, namespace, survey, vault, dry_run=dry_run, author=author)
        importing.take(_mine(survey, context, owner), progress)
        vault.finish(forget=forget_removed)
    engine.changed()
    return importing.report()


def _is_own(file: transfer.Document) -> bool:
    try:
        with file.text() as text:
            return _OWN.search(text.read(_HEAD)) is not None
    except (OSError, UnicodeError) as error:
        if not file.is_alone:
            return False  # the survey tells
        raise InvalidInput(
            f"cannot read {file.name}: {error}; give a file that cogmem's `export` or another "
            "tool wrote"
        ) from error


def _own_place(place: transfer.Place, file: transfer.Document) -> transfer.Place:
    """A cogmem file as its importer takes it; what was a stream or a pipe is read from its copy."""
    if isinstance(file.source, Path):
        return file.source
    if isinstance(file.source, tuple):
        raise InvalidInput(f"{place} holds a cogmem export; unpack it, and give the file")
    file.source.seek(0)
    return transfer.Stream(file.name, file.source)


def _usable(config: Config) -> Callable[[Finding], Finding]:
    """Checks that a bank can keep what was found; broken characters are replaced."""

    def checked(finding: Finding) -> Finding:
        if not isinstance(finding, Found):
            return finding
        turn = finding.turn
        clean = replace(
            turn,
            content=readable(turn.content),
            speaker=readable(turn.speaker) if turn.speaker else None,
            metadata=readable_value(turn.metadata),
        )
        try:
            clean = checks.turn(finding.where, clean, config.limits)
            clean = sanitize_turn(finding.where, clean, config.encoding)
            tags = checks.labels("tags", finding.tags, config.limits)
        except InvalidInput as error:
            return Passed(foreign.BROKEN, str(error))
        if clean.content == NOT_KEPT:
            return Passed(SEALED)
        return replace(finding, turn=clean, tags=tags)

    return checked


def _owner(place: transfer.Place, namespace: str, owners: set[frozenset[str]]) -> str | None:
    """Whose entries are taken; None = all, since they are all of the same."""
    owner_names = [names for names in owners if names]
    if len(owner_names) < 2:
        return None
    if not any(namespace in names for names in owner_names):
        some = ", ".join(sorted("/".join(sorted(names)) for names in owner_names)[:_NAMED])
        raise InvalidInput(
            f"{place} holds memories of {len(owner_names)} users ({some}...); import it as one of them"
        )
    return namespace


def _mine(survey: foreign.Survey, context: Context, owner: str | None) -> Iterator[Finding]:
    for document, form in survey.forms.items():
        for finding in foreign.read(document, form, context):
            if owner is not None and isinstance(finding, Found) and owner not in finding.owners:
                yield Passed("of another user")
            else:
                yield finding


@dataclass(slots=True)
class _Importing:
    """Stores what is found, and counts."""

    engine: Engine
    namespace: str
    survey: foreign.Survey
    vault: Vault
    dry_run: bool
    author: str = OPERATOR
    counts: Counter[str] = field(default_factory=Counter)
    passed: Counter[str] = field(default_factory=Counter)
    erased: ErasedTexts | None = None

    def take(self, findings: Iterable[Finding], progress: Progress | None) -> None:
        """Store in batches what is not known."""
        size = min(_BATCH, self.engine.open_services.config.limits.batch_items)
        sent, memories = self._known()
        batch: list[Found] = []
        for finding in findings:
            if isinstance(finding, Passed):
                self.passed[finding.reason] += 1
                continue
            self.counts["read"] += 1
            if finding.is_file:
                self._take_file(finding, batch)
                if self.counts["read"] % size == 0:
                    self._store(batch, progress)
                    batch = []
                continue
            ref = finding.turn.ref or ""
            key = sending(ref, finding.turn.content)
            is_known = key in sent
            if finding.is_memory:
                is_known = self._is_known_memory(finding, memories.get(ref))
                memories[ref] = (finding.turn.at, "")
            sent.add(key)
            if is_known:
                self.counts["known"] += 1
                continue
            batch.append(finding)
            if len(batch) == size:
                self._store(batch, progress)
                batch = []
        self._store(batch, progress)

    def _take_file(self, finding: Found, batch: list[Found]) -> None:
        outcome, memory = self.vault.take(finding, self._is_erased)
        if outcome == ERASED or (outcome == "new" and self._is_erased(finding.turn)):
            self.counts["rejected"] += 1
        elif outcome == "new":
            batch.append(self.vault.added(finding))
        elif outcome in ("known", "edited"):
            self.counts[outcome] += 1
            if memory is not None and outcome == "edited":
                self.vault.stored(memory, finding)
        else:
            self.passed[outcome] += 1

    def report(self) -> ImportReport:
        """What came of it."""
        other_files = self.survey.passed.get(foreign.OTHER_FILE, 0)
        passed = self.passed + Counter({foreign.OTHER_FILE: other_files})
        return ImportReport(
            self.counts["read"],
            self.counts["stored"],
            self.counts["known"],
            self.counts["edited"],
            rejected=self.counts["rejected"],
            format=", ".join(sorted(set(self.survey.forms.values()))),
            passed=dict(passed),
            problems=(*self.survey.problems, *self.vault.problems)[: foreign.SHOWN],
            removed=tuple(self.vault.removed),
            dry_run=self.dry_run,
        )

    def _known(self) -> tuple[set[int], dict[str, tuple[datetime | None, str]]]:
        """The turns that were sent before; by their refs, when memories are from, and their ids."""
        with self.engine.open_services.ledger.reading(self.namespace) as tables:
            sent = tables.refs.sendings()
            memories: dict[str, tuple[datetime | None, str]] = {}
            for memory_id, sources in tables.overview.sources():
                for source in sources:
                    if source.ref:
                        at, _ = memories.get(source.ref, (None, ""))
                        if at is None or (source.at is not None and source.at > at):
                            memories[source.ref] = (source.at, memory_id)
        return sent, memories

    def _is_known_memory(self, entry: Found, known: tuple[datetime | None, str] | None) -> bool:
        """Whether a memory is there already; what the tool changed since then is another one."""
        if known is None:
            return False
        known_at, memory_id = known
        if entry.turn.at is None or known_at is None or entry.turn.at <= known_at:
            return True
        with self.engine.open_services.ledger.reading(self.namespace) as tables:
            stored = tables.memories.by_ids([memory_id]).get(memory_id)
        if stored is not None and stored.content == entry.turn.content:
            return True
        if stored is not None and stored.state in LIVE:
            self.survey.tell(
                f"{entry.where} was changed since it was imported; what it said before stays beside it: "
                f"{memory_id}; end, edit or forget that if it holds no more"
            )
        return False

    def _store(self, batch: Sequence[Found], progress: Progress | None) -> None:
        turns = [entry.turn for entry in batch if not entry.is_memory]
        kept = [turn for turn in turns if not self._is_erased(turn)]
        self.counts["rejected"] += len(turns) - len(kept)
        if self.dry_run:
            self.counts["stored"] += len(batch) - len(turns) + len(kept)
        else:
            self._remember(kept)
            for entry in batch:
                if entry.is_memory:
                    self._add(entry)
        if progress and self.counts["read"]:
            progress(self.counts["read"], self.survey.found)

    def _is_erased(self, turn: Turn, here: str = "") -> bool:
        """Whether a turn says what was erased here; an old file is nobody's word of now.

        `here`: what stands here instead, which may say it again.
        """
        if self.erased is None:
            with self.engine.open_services.ledger.whole() as reader:
                self.erased = erased_apart(reader, self.namespace)
        said, again = (
            self.erased.matches(x, turn.speaker, sure=True) for x in (turn.content, here)
        )
        return not {match.erased.id for match in said} <= {match.erased.id for match in again}

    def _remember(self, turns: Sequence[Any]) -> None:
        from cogmem_core.engine.writing import remember

        report = remember(self.vault.bank, turns, defaults={}, imported=True)
        for receipt in report.receipts:
            if receipt.status in ("reinforced", "known"):
                self.counts["known"] += 1
            elif receipt.status == "skipped":
                self.passed[receipt.reason or "nothing to remember"] += 1
            else:
                self.counts["stored"] += 1
            self.counts["rejected"] += receipt.reason == REJECTED

    def _add(self, entry: Found) -> None:
        services = self.engine.open_services.sealed(self.namespace)
        turn = entry.turn
        fields = {
            **_PLAIN,
            "content": turn.content,
            "speaker": turn.speaker,
            "at": turn.at,
            "session_id": turn.session_id,
            "ref": turn.ref,
            "metadata": stamped(self.author, turn.metadata),
            "role": turn.role,
            "tags": entry.tags,
            "valid_from": entry.valid_from,
            "valid_until": entry.valid_until,
        }
        statement = Statement.checked(fields, services.config)
        statement = replace(statement, is_undated=turn.at is None)
        with services.log_operation("add", namespace=self.namespace, category="fact") as record:
            actor = Actor("import", principal=self.author)
            outcome, memory = add_memory(services, self.namespace, statement, actor)
            record["id"] = memory.id if memory else None
        self.counts[outcome] += 1
        if memory is not None and entry.is_file:
            self.vault.stored(memory, entry)
