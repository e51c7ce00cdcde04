"""What other tools keep, as turns and memories: formats, how each is recognised, and how it is read."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple, TextIO

from cogmem_core.errors import InvalidInput
from cogmem_core.transfer.foreign import chats, frameworks, memories, rows
from cogmem_core.transfer.foreign import markdown as files
from cogmem_core.transfer.foreign.found import Context, Finding, Found, Numbered, Passed
from cogmem_core.transfer.json_stream import Entry, entries
from cogmem_core.transfer.places import LARGEST, TEXTS, Document, Lines, check_length

__all__ = [
    "BROKEN",
    "FOREIGN",
    "MARKDOWN",
    "OTHER_FILE",
    "SHOWN",
    "Context",
    "Finding",
    "Found",
    "Passed",
    "Survey",
    "checked_mapping",
    "read",
    "survey",
]

MARKDOWN = files.MARKDOWN
checked_mapping = rows.checked_mapping
_LINES = (".jsonl", ".ndjson")
_TABLES = (".csv", ".tsv")
_SEPARATORS = ",;\t|"
_HEAD = 65_536  # characters by which a file is recognised
SHOWN = 20
"""Problems that are told."""
_LINE = "\ufeff \t\r\n"
BROKEN = "broken"
"""Why an entry is left out that cannot be read."""
OTHER_FILE = "other file"
"""Why a file of a folder or archive is left out."""
_LOOKED_AT = 5  # entries


class Format(NamedTuple):
    """A format: what it is, how one of its entries is known and read, and how pieces of one are joined before."""

    title: str
    recognises: Callable[[Any], bool]
    read: Callable[[Numbered, Context], Iterator[Finding]]
    whole: Callable[[Iterable[Numbered]], Iterable[Numbered]] = iter


FOREIGN: Mapping[str, Format] = {
    "chatgpt": Format("ChatGPT's export", chats.is_chatgpt, chats.chatgpt),
    "claude": Format("Claude.ai's export", chats.is_claude, chats.claude),
    "openwebui": Format("Open WebUI's export", chats.is_openwebui, chats.openwebui),
    "letta": Format("a Letta agent file", memories.is_letta, memories.letta),
    "zep": Format("messages or facts of Zep", memories.is_zep, memories.zep),
    "mem0": Format("memories of mem0", memories.is_mem0, memories.mem0),
    "langgraph": Format(
        "a LangGraph store or memories of langmem", frameworks.is_langgraph, frameworks.langgraph
    ),
    "llamaindex": Format(
        "a LlamaIndex chat store", frameworks.is_llamaindex, frameworks.llamaindex
    ),
    "langchain": Format(
        "messages of LangChain",
        frameworks.is_langchain,
        frameworks.langchain,
        frameworks.whole_messages,
    ),
    "mcp": Format("the file of MCP's reference memory server", memories.is_mcp, memories.mcp),
    "markdown": Format(
        "Markdown files, or a vault of Obsidian's", files.is_markdown, files.markdown
    ),
    "jsonl": Format("JSON Lines of what was said", rows.is_row, rows.rows),
    "csv": Format("a table of what was said", rows.is_row, rows.rows),
}
"""The formats by name, the most particular first."""
_ROWS = ("jsonl", "csv")


@dataclass(slots=True)
class Survey:
    """What a look through all files found, before anything is stored.

    Attributes:
        forms: the format of each file.
        found: how many turns and memories there are.
        passed: how many entries are left out, by reason.
        problems: the first things that are wrong.
        owners: those to whom what the files hold belongs, each a set of names.
    """

    forms: dict[Document, str] = field(default_factory=dict)
    found: int = 0
    passed: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    owners: set[frozenset[str]] = field(default_factory=set)

    def add(self, finding: Finding) -> None:
        """Count what was found."""
        if isinstance(finding, Found):
            self.found += 1
            self.owners.add(finding.owners)
            self.tell(finding.note)
        else:
            self.passed[finding.reason] += 1
            self.tell(finding.problem)

    def tell(self, problem: str) -> None:
        """Note what is wrong; only so many."""
        if problem and len(self.problems) < SHOWN:
            self.problems.append(problem)


def survey(documents: Sequence[Document], form: str | None, context: Context) -> Survey:
    """Look through all files.

    Args:
        documents: the files.
        form: one of `FOREIGN`; None = each as it looks.
        context: what readers are told.

    Raises:
        InvalidInput: a file cannot be read, or nothing in any of them is of that form; says what
            it looks like.
    """
    result = Survey()
    foreign: list[str] = []  # what is wrong with files of another form, among several
    for document in documents:
        own = Survey()
        try:
            own.forms[document] = form or _recognised(document, context)
            for finding in read(document, own.forms[document], context):
                own.add(finding)
            _refuse_foreign(document, own, context)
        except InvalidInput as error:
            if document.is_alone:
                raise
            foreign.append(str(error))
            continue
        result.forms |= own.forms
        result.found += own.found
        result.passed += own.passed
        result.owners |= own.owners
        for problem in own.problems:
            result.tell(problem)
    if foreign and not result.forms:
        raise InvalidInput(foreign[0])
    if foreign:
        result.passed[OTHER_FILE] += len(foreign)
    for problem in foreign:
        result.tell(problem)
    return result


def _refuse_foreign(document: Document, own: Survey, context: Context) -> None:
    """Nothing but what is broken: it is another tool's, or not what this tool wrote."""
    if own.found or any(reason != BROKEN for reason in own.passed):
        return
    first = _first(document)
    if not own.passed and not first:
        own.tell(f"{document.name} holds nothing")
        return
    form = own.forms[document]
    problem = own.problems[0] if own.problems else f"nothing in {document.name} is of that format"
    if first[0].is_rest and not FOREIGN[form].recognises(first[0].value):
        problem = f"{document.name} holds no list where one should be"
    looks_like = "" if form in _ROWS and context.mapping else _looks_like(document, form)
    raise InvalidInput(f"{problem}; {looks_like or f'give {FOREIGN[form].title}'}")


def read(document: Document, form: str, context: Context) -> Iterator[Finding]:
    """What a file holds, one after the other, in the order in which it stands there.

    Raises:
        InvalidInput: the file is no text, no JSON, or cut off; says where.
    """
    try:
        with document.text() as file:
            for entry in FOREIGN[form].whole(_numbered(document, file, form)):
                yield from map(context.check, FOREIGN[form].read(entry, context))
    except (OSError, UnicodeError) as error:
        raise InvalidInput(
            f"cannot read {document.name}: {error}; give the file as it was exported"
        ) from error


def _numbered(document: Document, file: TextIO, form: str | None) -> Iterator[Numbered]:
    """The entries of a file, each with its number in its list."""
    recognises = FOREIGN[form].recognises if form else lambda _entry: True
    total = 0
    number = -1
    path: tuple[str, ...] = ()
    try:
        for entry in _entries(document, file, form):
            if entry.is_beside and not recognises(entry.value):
                continue
            number = number + 1 if entry.path == path else 0
            path = entry.path
            yield Numbered(entry, number, document.name)
            total += 1
    except UnicodeError:
        raise
    except (ValueError, RecursionError, csv.Error) as error:
        behind = f" behind entry {total}" if total else ""
        raise InvalidInput(
            f"{document.name} is not JSON{behind}: {error}; give the file as it was exported"
        ) from error


def _entries(document: Document, file: TextIO, form: str | None) -> Iterator[Entry]:
    head = file.read(_HEAD)
    file.seek(0)
    if form == files.MARKDOWN or document.suffix in (*TEXTS, ".txt"):
        text = file.read(LARGEST + 1)
        check_length(len(text))
        is_json = form != files.MARKDOWN and text.lstrip(_LINE)[:1] in ("{", "[")
        if not (document.suffix == ".txt" and is_json):
            return iter([Entry({files.MARKDOWN: text}, tuple(document.within.split("/")))])
        file.seek(0)
    if form == "csv" or document.suffix in _TABLES:
        return _table(Lines(file), head)
    if _is_lines(document, head):
        return _lines(Lines(file))
    return entries(file)


def _is_lines(document: Document, head: str) -> bool:
    """Whether each line is a value of its own."""
    begin = head.lstrip(_LINE)
    if document.suffix in _LINES or begin.startswith("["):
        return document.suffix in _LINES
    first, _, rest = begin.partition("\n")
    if not rest.lstrip().startswith("{"):
        return False
    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


def _lines(lines: Lines) -> Iterator[Entry]:
    """A line that is no JSON is an entry without a value; the others are read."""
    for line in lines:
        lines.begin()
        text = line.strip(_LINE)
        if not text:
            continue
        try:
            yield Entry(json.loads(text))
        except (ValueError, RecursionError):
            yield Entry(None)


def _table(lines: Lines, head: str) -> Iterator[Entry]:
    names = head.partition("\n")[0]
    separator = max(_SEPARATORS, key=names.count)
    csv.field_size_limit(LARGEST)
    for row in csv.DictReader(lines, delimiter=separator):
        lines.begin()
        yield Entry({name: value for name, value in row.items() if name is not None})


def _first(document: Document) -> list[Entry]:
    """The first entries of a file."""
    with document.text() as file:
        return [item.entry for item in islice(_numbered(document, file, None), _LOOKED_AT)]


def _likely(document: Document) -> str | None:
    """The format that a file looks like."""
    if document.suffix in _TABLES:
        return "csv"
    try:
        first = _first(document)
    except InvalidInput:
        with document.text() as file:
            head = file.read(_HEAD).lstrip(_LINE)
        names = re.split(r"[,;\t|\r]", head.partition("\n")[0].casefold())
        is_table = len(names) > 1 and any(name.strip('" ') in rows.TEXTS for name in names)
        if is_table and head[:1] not in ("{", "["):
            return "csv"
        raise
    for name, reader in FOREIGN.items():
        if any(reader.recognises(entry.value) or reader.recognises(entry.head) for entry in first):
            return name
    return None


def _recognised(document: Document, context: Context) -> str:
    if context.mapping:  # whoever names columns says that it is a table
        with document.text() as file:
            begin = file.read(_HEAD).lstrip(_LINE)[:1]
        return "jsonl" if begin in ("{", "[") else "csv"
    form = _likely(document)
    if form is None:
        raise InvalidInput(
            f"{document.name} is of no format that is known here; name one of "
            f"{', '.join(FOREIGN)}, or give a file that cogmem's `export` wrote"
        )
    return form


def _looks_like(document: Document, form: str) -> str:
    """A hint at the format that the file has instead."""
    other = _likely(document)
    if other is None or other == form:
        return ""
    return f"it looks like {FOREIGN[other].title}: import it with format={other!r}"
