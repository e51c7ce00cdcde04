"""Markdown files moving in: each is a memory; one that is here already is edited, if its file was."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cogmem_core.changes import Touch
from cogmem_core.encoding.to_changes import linking
from cogmem_core.errors import InvalidInput, Protected
from cogmem_core.storage.ledger.memories import EVERYTHING, pages_of
from cogmem_core.text.keys import content_hash
from cogmem_core.transfer import places
from cogmem_core.transfer.contents import ERASED
from cogmem_core.transfer.foreign import Found
from cogmem_core.transfer.foreign.markdown import MARKDOWN, File
from cogmem_core.transfer.vault import LIVE, Written
from cogmem_core.upkeep import lifecycle
from cogmem_core.values.models import Memory, Turn

if TYPE_CHECKING:
    from cogmem_core.engine.bank import MemoryBank

_PAGE = 500
_VAULT = "vault"


@dataclass(slots=True)
class Vault:
    """A folder of files, and what a bank has of it.

    Attributes:
        bank: whose memories.
        name: of the folder; "" = a file alone.
        dry_run: nothing is written.
        written: what an export wrote there.
        removed: paths of files that are gone, whose memories are here.
        problems: what a person should know.
    """

    bank: MemoryBank
    name: str
    dry_run: bool
    written: Written
    removed: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    _ids: dict[str, str] = field(default_factory=dict)
    """By ref, and by path and text."""
    _gone: dict[str, str] = field(default_factory=dict)
    """Paths of files that are gone, by id."""
    _titles: dict[str, str] = field(default_factory=dict)
    _links: list[tuple[str, File]] = field(default_factory=list)

    @classmethod
    def of(
        cls, bank: MemoryBank, place: places.Place, paths: Collection[str], *, dry_run: bool
    ) -> Vault:
        """The vault of a place.

        Args:
            bank: whose memories.
            place: a folder, an archive or a file.
            paths: of the files that are there; none if they are no Markdown.
            dry_run: nothing is to be written.
        """
        is_folder = isinstance(place, Path) and place.is_dir()
        name = ""
        if isinstance(place, Path) and (is_folder or len(paths) > 1):
            name = place.resolve().name if is_folder else place.stem
        written = Written.read(place)
        if written.namespace != bank.namespace:
            written = Written("")
        vault = cls(bank, name, dry_run, written)
        if paths:
            vault._look(set(paths))
        return vault

    def _look(self, paths: Collection[str]) -> None:
        wrote = {memory_id: path for path, (memory_id, _) in self.written.files.items()}
        with self.bank.engine.open_services.ledger.reading(self.bank.namespace) as tables:
            for page in pages_of(tables.memories, EVERYTHING, limit=_PAGE):
                for memory in page:
                    self._know(memory, wrote.get(memory.id), paths)

    def _know(self, memory: Memory, written_at: str | None, paths: Collection[str]) -> None:
        is_live = memory.state in LIVE
        file = File.kept(memory.metadata, memory.content)
        path = written_at
        if file is not None:
            for key in (*(source.ref for source in memory.sources), _key(file)):
                if key and (is_live or key not in self._ids):
                    self._ids[key] = memory.id
            if self.name and memory.metadata[MARKDOWN].get(_VAULT) == self.name:
                path = path or file.path
        if path and is_live:
            self._titles[File(path, "", "", "").title] = memory.id
            if path not in paths:
                self._gone[memory.id] = path
                self._ids.setdefault(f"\0{content_hash(memory.content)}", memory.id)

    def take(
        self, found: Found, is_erased: Callable[[Turn, str], bool]
    ) -> tuple[str, Memory | None]:
        """What is to be done with a file: "new", "known", "edited", or a reason why nothing is done.

        What is edited is edited when this returns; a new one is for the caller to add. `is_erased`: whether
        a file says what was erased, and its memory does not say.
        """
        file = _file(found)
        memory = self._memory(file, found.turn.ref)
        if memory is None:
            return "new", None
        self._gone.pop(memory.id, None)
        _, digest = self.written.files.get(file.path, ("", ""))
        here = File.of(memory)
        same_text = file.body == memory.content
        if digest == file.digest or (
            same_text
            and replace(file, path="") == replace(here, path="")
            and here.path in ("", file.path)
        ):
            return "known", memory
        if memory.state not in LIVE:
            if not same_text:
                self.problems.append(
                    f"{found.where}: its memory is {memory.state}; restore it, then edit it"
                )
            return "known", memory
        versions = () if same_text or digest else self.bank.history(memory.id).versions
        left = ""
        if any(version.content == file.body for version in versions):
            left, reason = "known", "says what its memory said before; left as it is here"
        elif not same_text and is_erased(found.turn, memory.content):
            left, reason = ERASED, "says what was erased here; take that out, and import it again"
        if left:
            self.problems.append(f"{found.where} {reason}")
            return left, memory
        if digest and digest != here.digest:
            self.problems.append(
                f"{found.where} was changed on both sides; the file's text holds now"
            )
        try:
            return "edited", memory if self.dry_run else self._edit(memory, here, file)
        except (Protected, InvalidInput) as error:
            self.problems.append(f"{found.where}: {error}")
            return "protected", memory

    def _memory(self, file: File, ref: str | None) -> Memory | None:
        """What a file is of: as an export wrote, by its id, by its path, by its text if it was moved."""
        keys = (self._ref(file, ref), _key(file), f"\0{content_hash(file.body)}")
        written_id, _ = self.written.files.get(file.path, ("", ""))
        named = (written_id, ref or "", *(self._ids.get(key, "") for key in keys))
        with self.bank.engine.open_services.ledger.reading(self.bank.namespace) as tables:
            for memory_id in filter(None, named):
                if memory := tables.memories.by_ids([memory_id]).get(memory_id):
                    return memory
        return None

    def _ref(self, file: File, ref: str | None) -> str:
        """Two vaults may have files of one path; what has an id of its own is the same in both."""
        own = ref or file.path
        return f"{self.name}/{own}" if self.name and own == file.path else own

    def added(self, found: Found) -> Found:
        """A new file as it is to be added."""
        file = _file(found)
        metadata = {**found.turn.metadata, MARKDOWN: self._kept(file, {})}
        ref = self._ref(file, found.turn.ref)
        return replace(found, turn=replace(found.turn, ref=ref, metadata=metadata))

    def _kept(self, file: File, former: Mapping[str, Any]) -> dict[str, Any]:
        name = former.get(_VAULT, "" if former or self.written.namespace else self.name)
        return {**file.metadata(), **({_VAULT: name} if name else {})}

    def _edit(self, memory: Memory, here: File, file: File) -> Memory:

        edited = memory
        if file.body != memory.content:
            edited = self.bank.edit(memory.id, file.body, whole=True)
        if edited.id != memory.id:
            return edited  # it waits for a person, who sees the text
        own_tags = [tag for tag in edited.tags if tag not in here.tags()]
        tags = tuple(dict.fromkeys((*own_tags, *file.tags())))
        former = memory.metadata.get(MARKDOWN)
        kept = self._kept(file, former if isinstance(former, Mapping) else {})
        fields = {"metadata": {**edited.metadata, MARKDOWN: kept}, "tags": tags}
        services = self.bank.engine.open_services
        return lifecycle.touch(services, edited, Touch(memory.id, fields, "its file was edited"))

    def stored(self, memory: Memory, found: Found) -> None:
        """A file whose memory is new or edited: what it links to is looked for at the end."""
        file = _file(found)
        self._titles[file.title] = memory.id
        self._links.append((memory.id, file))

    def finish(self, *, forget: bool) -> None:
        """Join what links to each other, and tell which files are gone; `forget` their memories."""
        services = self.bank.engine.open_services
        now = services.runtime.now()
        pairs = [
            (memory_id, self._titles[name])
            for memory_id, file in self._links
            for name in file.links()
            if self._titles.get(name, memory_id) != memory_id
        ]
        with services.ledger.reading(self.bank.namespace) as tables:
            ends = tables.memories.by_ids([end for pair in pairs for end in pair])
        links = [linking(ends[a], "related_to", b, now) for a, b in pairs if {a, b} <= ends.keys()]
        lifecycle.join(services, self.bank.namespace, links)
        self.removed = sorted(self._gone.values())
        if forget and not self.dry_run:
            for memory_id in self._gone:
                self.bank.forget(memory_id)


def _file(found: Found) -> File:
    turn = found.turn
    return File.kept(turn.metadata, turn.content) or File(found.where, "", turn.content, "")


def _key(file: File) -> str:
    return f"{file.path}\0{content_hash(file.body)}"
