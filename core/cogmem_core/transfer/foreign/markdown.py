"""Markdown files, also of an Obsidian vault: a file is a memory, and a memory is a file.

What stands round the text (front matter, line ends) is kept beside the memory, so that the file can be
written as it was. Of the front matter only plain lines are read, `key: value` and lists; nothing in it is
ever carried out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from cogmem_core.base.digests import text_digest
from cogmem_core.edge.clauses import reading_of, said, withdrawn
from cogmem_core.transfer.foreign.found import (
    Context,
    Finding,
    Found,
    Numbered,
    Passed,
    derived_ref,
    label,
)
from cogmem_core.values.models import Memory, Turn

MARKDOWN = "markdown"
"""In the metadata of a memory: the file that it came from; see `File.metadata`."""
SUFFIXES = (".md", ".markdown")
_HEAD = re.compile(
    r"---[ \t]*\n(?P<lines>(?:(?!---[ \t]*$).*\n){0,1000}?)---[ \t]*(?:\n|\Z)", re.MULTILINE
)
_FIELD = re.compile(r"(?P<name>[\w-]+)[ \t]*:(?:[ \t]+(?P<value>.*))?")
_ELEMENT = re.compile(r"[ \t]*-[ \t]+(?P<value>.+)")
_PLAIN = re.compile(r"\w[\w ./@+-]*")
_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(?!\d)")
_CODE = re.compile(r"^(```|~~~).*?(?:^\1|\Z)|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_TAG = re.compile(r"(?:^|(?<=\s))#([\w/-]+)")
_LINK = re.compile(r"\[\[([^\[\]\n]+)\]\]")
_BEHIND_NAME = re.compile(r"[|#^]")
_DATES = ("said", "date", "created", "created_at")
_UNKNOWN = ("null", "~", "")
_MOST_LINKS = 100
_MOST_TAGS = 50
_LONGEST = 100  # characters of a name that is taken as one


@dataclass(frozen=True, slots=True)
class File:
    """A Markdown file, taken apart: `head`, `body` and `tail`, one behind the other, are its text.

    Attributes:
        path: within its folder, with "/".
        head: the front matter with its lines of dashes, and empty lines behind it.
        body: what the memory says; never with space round it.
        tail: the space behind it.
        crlf: lines end as Windows ends them.
    """

    path: str
    head: str
    body: str
    tail: str
    crlf: bool = False

    @classmethod
    def parsed(cls, path: str, text: str) -> File:
        """Take a text apart."""
        crlf = "\r\n" in text and "\n" not in text.replace("\r\n", "")
        plain = text.replace("\r\n", "\n") if crlf else text
        matter = _HEAD.match(plain)
        begin = matter.end() if matter else 0
        body = plain[begin:].strip()
        start = plain.index(body, begin) if body else len(plain)
        return cls(path, plain[:start], body, plain[start + len(body) :], crlf)

    @classmethod
    def kept(cls, metadata: Mapping[str, Any], body: str) -> File | None:
        """The file that metadata tell of (`metadata`), with another text; None if they tell of none."""
        kept = metadata.get(MARKDOWN)
        if not isinstance(kept, Mapping):
            return None
        texts = [kept.get(name) for name in ("path", "head", "tail")]
        path, head, tail = (text if isinstance(text, str) else "" for text in texts)
        return cls(path, head, body, tail, kept.get("crlf") is True)

    @classmethod
    def of(cls, memory: Memory) -> File:
        """The file of a memory: as it came, or with what a person wants to know of it as front matter.

        `path` is "" where it has none yet.
        """
        if kept := cls.kept(memory.metadata, memory.content):
            return kept
        fields = {
            "id": memory.id,
            "said": memory.recorded_at.isoformat(timespec="seconds"),
            "by": memory.speaker,
            "category": memory.category,
            "tags": list(memory.tags),
            "no longer": [
                f"{said(memory, reading_of(memory).clauses[number])} ({state.in_words()})"
                for number, state in withdrawn(memory).items()
            ],
        }
        lines = [f"{name}: {_written(value)}\n" for name, value in fields.items() if value]
        return cls("", f"---\n{''.join(lines)}---\n\n", memory.content, "\n")

    @property
    def text(self) -> str:
        """The text of the file."""
        text = self.head + self.body + self.tail
        return text.replace("\n", "\r\n") if self.crlf else text

    @property
    def digest(self) -> str:
        """Of the text, 32 hexadecimal digits."""
        return text_digest(self.text, 32)

    @property
    def title(self) -> str:
        """Its name without folder and ending; other files link to it by that."""
        return PurePosixPath(self.path).stem

    def metadata(self) -> dict[str, Any]:
        """What a memory keeps of it."""
        kept: dict[str, Any] = {"path": self.path, "head": self.head, "tail": self.tail}
        return {**kept, "crlf": True} if self.crlf else kept

    def fields(self) -> dict[str, str | tuple[str, ...]]:
        """The front matter: texts, and lists of texts, by name in lower case; what is neither is left out."""
        found: dict[str, str | tuple[str, ...]] = {}
        matter = _HEAD.match(self.head)
        name = ""
        for line in matter["lines"].split("\n") if matter else ():
            field, element = _FIELD.fullmatch(line), _ELEMENT.fullmatch(line)
            if field:
                name = field["name"].casefold()
                found[name] = _value(field["value"] or "")
            elif element and name:
                listed = found[name]
                before = listed if isinstance(listed, tuple) else ()
                found[name] = (*before, _scalar(element["value"]))
        return found

    def tags(self) -> tuple[str, ...]:
        """Tags of the front matter and of the text, without `#`; code has none."""
        listed = self.fields().get("tags", ())
        names = listed if isinstance(listed, tuple) else re.split(r"[,\s]+", listed)
        named = [name.removeprefix("#") for name in names]
        found = _TAG.findall(_CODE.sub(" ", self.body))
        named += [name.strip("/") for name in found if not name.isdigit()]
        usable = (name for name in named if 0 < len(name) <= _LONGEST and name.isprintable())
        return tuple(dict.fromkeys(usable))[:_MOST_TAGS]

    def links(self) -> tuple[str, ...]:
        """The names of the files that it links to (`[[name]]`), without folder and ending."""
        names = _LINK.findall(_CODE.sub(" ", self.head + self.body))
        stems = (PurePosixPath(_BEHIND_NAME.split(name)[0].strip()) for name in names)
        titles = (path.stem if path.suffix in SUFFIXES else path.name for path in stems)
        return tuple(dict.fromkeys(titles))[:_MOST_LINKS]


def _value(written: str) -> str | tuple[str, ...]:
    inner = written.strip()
    if inner.startswith("[") and inner.endswith("]") and not inner.startswith("[["):
        return tuple(filter(None, map(_scalar, inner[1:-1].split(","))))
    return _scalar(inner)


def _scalar(written: str) -> str:
    text = written.strip()
    if text[:1] == '"':
        try:
            text = str(json.loads(text))
        except ValueError:
            text = text.strip('"')
    elif text[:1] == "'":
        text = text.strip("'").replace("''", "'")
    return "" if text.casefold() in _UNKNOWN else text.strip()


def _written(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    text = str(value)
    is_plain = _PLAIN.fullmatch(text) or _DAY.match(text)
    return text if is_plain else json.dumps(text, ensure_ascii=False)


def _name(value: Any) -> str | None:
    name = label(value)
    return name if name and len(name) <= _LONGEST and name.isprintable() else None


def is_markdown(entry: Any) -> bool:
    """The text of such a file, as `foreign` hands it over."""
    return isinstance(entry, Mapping) and entry.keys() == {MARKDOWN}


def markdown(numbered: Numbered, context: Context) -> Iterator[Finding]:
    """A file each; dated by its front matter, else by a day in its name, as daily notes are."""
    if not is_markdown(numbered.entry.value):
        yield numbered.broken("file", "is no Markdown")
        return
    path = "/".join(numbered.entry.path)
    file = File.parsed(path, numbered.entry.value[MARKDOWN])
    if not file.body:
        yield Passed("no text")
        return
    fields = file.fields()
    dates = [fields[name] for name in _DATES if isinstance(fields.get(name), str)]
    day = _DAY.match(file.title)
    at, problem = context.moment(next(filter(None, dates), day[1] if day else None))
    turn = Turn(
        file.body,
        speaker=_name(fields.get("by")),
        at=at,
        ref=_name(fields.get("id")) or _name(path) or derived_ref(path, 0),
        metadata={MARKDOWN: file.metadata()},
    )
    note = f"{numbered.document}: {problem}; taken without a date" if problem else ""
    yield Found(numbered.document, turn, is_memory=True, is_file=True, tags=file.tags(), note=note)
