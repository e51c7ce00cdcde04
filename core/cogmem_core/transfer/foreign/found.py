"""What is found in another tool's file, and how its values are read."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from typing import Any, NamedTuple

from dateutil.parser import isoparse

from cogmem_core.transfer.json_stream import Entry
from cogmem_core.values.models import Role, Turn

_SPEAKERS: Mapping[str, Role] = {
    "human": "user",
    "user": "user",
    "humanmessage": "user",
    "humanmessagechunk": "user",
    "ai": "assistant",
    "assistant": "assistant",
    "model": "assistant",
    "chatbot": "assistant",
    "bot": "assistant",
    "aimessage": "assistant",
    "aimessagechunk": "assistant",
}
_SILENT: Mapping[str, str] = {
    "system": "system",
    "developer": "system",
    "systemmessage": "system",
    "systemmessagechunk": "system",
    "tool": "tool",
    "function": "tool",
    "toolmessage": "tool",
    "toolmessagechunk": "tool",
    "functionmessage": "tool",
}
_TEXT_BLOCKS = ("text", "input_text", "output_text", "audio_transcription", None)
_UNITS = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3))
"""From which size on a number of seconds is one of nano-, micro- or milliseconds."""
_NUMBER = re.compile(r"\d{9,19}(?:\.\d+)?")
_AHEAD = timedelta(days=1)
"""How far clocks may differ; what was said later than that was not said then."""


@dataclass(frozen=True, slots=True)
class Found:
    """Something to be remembered.

    Attributes:
        where: for messages.
        turn: what was said, or what a tool remembered; without a date if none is known.
        is_memory: a tool remembered it: it is added as it stands.
        is_file: it is a Markdown file, see `foreign.markdown`: an edit of it is an edit here.
        owners: whose it is, where a file holds what belongs to several; empty = everybody's.
        note: what is wrong with it, though it can be used; else empty.
    """

    where: str
    turn: Turn
    is_memory: bool = False
    is_file: bool = False
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    tags: tuple[str, ...] = ()
    owners: frozenset[str] = frozenset()
    note: str = ""


class Passed(NamedTuple):
    """Something that is left out.

    Attributes:
        reason: one of few, so that they can be counted.
        problem: what is wrong with it; empty if nothing is.
    """

    reason: str
    problem: str = ""


Finding = Found | Passed


@dataclass(frozen=True, slots=True)
class Numbered:
    """An entry and where it stands."""

    entry: Entry
    index: int
    document: str

    def where(self, noun: str) -> str:
        """The file, what the entry is, and its number, from 1 on."""
        return f"{self.document}, {noun} {self.index + 1}"

    def holding(self, value: Any) -> Numbered:
        """The same with another value."""
        return replace(self, entry=replace(self.entry, value=value))

    def broken(self, noun: str, problem: str) -> Passed:
        """The entry is unusable."""
        return Passed("broken", f"{self.where(noun)} {problem}")


class Context(NamedTuple):
    """What readers are told.

    Attributes:
        now: the engine's time; what claims to be later has no date.
        check: what is found as it can be kept, or why it cannot.
        mapping: names of fields of `Turn`, each with the file's own name of it.
    """

    now: datetime
    check: Callable[[Finding], Finding]
    mapping: Mapping[str, str]

    def moment(self, value: Any) -> tuple[datetime | None, str]:
        """A moment that a file tells, and what is wrong with it."""
        try:
            at = moment(value)
        except (OverflowError, OSError, ValueError):
            return None, f"{str(value)[:60]!r} is no date"
        if at is not None and at > self.now + _AHEAD:
            return None, f"{str(value)[:60]!r} is a date to come"
        return at, ""


def role_of(name: Any) -> Role | None:
    """Who spoke; None for what neither a person nor a model said."""
    return _SPEAKERS.get(str(name).casefold())


def message(
    context: Context,
    numbered: Numbered,
    noun: str,
    *,
    role: Any,
    text: str,
    at: Any = None,
    speaker: Any = None,
    session: Any = None,
    ref: Any = None,
    owners: frozenset[str] = frozenset(),
) -> Finding:
    """One message as a turn; what has no text, and what no person or model said, is left out."""
    where = numbered.where(noun)
    spoken_by = role_of(role)
    if spoken_by is None:
        silent = _SILENT.get(str(role).casefold())
        if silent is not None:
            return Passed(silent)
        return Passed("unknown role", f"{where} has the role {str(role)[:40]!r}")
    if not text:
        return Passed("no text")
    known_at, problem = context.moment(at)
    turn = Turn(
        text,
        role=spoken_by,
        speaker=label(speaker),
        at=known_at,
        session_id=label(session),
        ref=label(ref) or derived_ref(text, numbered.index),
    )
    note = f"{where}: {problem}; taken without a date" if problem else ""
    return Found(where, turn, owners=owners, note=note)


def noted(
    where: str, lines: Iterable[str], *, about: Mapping[str, Any], at: datetime | None = None
) -> Iterator[Found]:
    """What a model noted, a memory a line; `about`: what all have as metadata."""
    key = " ".join(map(str, about.values())) or None
    texts = [line.strip(" \t-*\u2022") for line in lines]
    for index, line in enumerate(text for text in texts if text):
        ref = derived_ref(f"{key}\n{line}", index)
        turn = Turn(line, role="assistant", at=at, ref=ref, metadata=dict(about))
        yield Found(where, turn, is_memory=True)


def text_of(content: Any) -> str:
    """The text of a message: a string, `{"parts": [...]}`, or blocks.

    Images, thoughts and calls say nothing.
    """
    if isinstance(content, Mapping):
        content = content.get("parts", content.get("text", content.get("content")))
    if isinstance(content, list):
        return "\n".join(_texts(content)).strip()
    return content.strip() if isinstance(content, str) else ""


def _texts(blocks: list[Any]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, str):
            yield block
        elif isinstance(block, Mapping):
            kind = block.get("type", block.get("block_type", block.get("content_type")))
            text = block.get("text")
            if kind in _TEXT_BLOCKS and isinstance(text, str):
                yield text


def moment(value: Any) -> datetime | None:
    """Seconds since 1970 (or milli-, micro-, nanoseconds), or ISO 8601, which without a zone is UTC.

    None if it is not told; 0 tells nothing.

    Raises:
        ValueError: it is no date.
    """
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        value = float(value)
    if value is None or value in ("", 0):
        return None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        unit = next((unit for threshold, unit in _UNITS if abs(value) >= threshold), 1.0)
        return datetime.fromtimestamp(value / unit, timezone.utc)
    written = str(value).strip().replace(" UTC", "Z")
    try:
        parsed = datetime.fromisoformat(written.replace("Z", "+00:00"))
    except ValueError:
        parsed = isoparse(written)  # Python 3.10 reads few of the ways to write it
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=timezone.utc)


def label(value: Any) -> str | None:
    """A name or an id; None for anything else."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value.strip() or None if isinstance(value, str) else None


def fields_of(value: Any) -> Mapping[str, Any]:
    """The fields of a JSON object; of anything else none."""
    return value if isinstance(value, Mapping) else {}


def derived_ref(text: str, index: int) -> str:
    """The id of what has none: the same at every reading."""
    return f"{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}-{index + 1}"


def branch(nodes: Mapping[str, Any], last_id: Any, parent: str) -> list[str]:
    """The ids of the nodes from the first to the one that was shown last.

    Without such a one, those that lead to the last that nothing follows; without that, all.

    Args:
        nodes: by id.
        last_id: of the node that was shown last.
        parent: the name under which a node holds the id of the one before it.
    """
    if not isinstance(last_id, str) or last_id not in nodes:
        parents = {fields_of(node).get(parent) for node in nodes.values()}
        leaves = [name for name in nodes if name not in parents]
        if not leaves:
            return list(nodes)
        last_id = leaves[-1]
    ids: dict[str, None] = {}
    node_id: Any = last_id
    while isinstance(node_id, str) and node_id in nodes and node_id not in ids:
        ids[node_id] = None
        node_id = fields_of(nodes[node_id]).get(parent)
    return list(ids)[::-1]
