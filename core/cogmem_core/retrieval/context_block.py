"""What a model reads: hot tier, working memory and results as one block, under a token budget, fenced as data.

What was remembered may have been written by anybody. So no memory can close its fence, begin a line of its own, or pass
for a heading; what is not a person's own words says where it comes from, before its text. Braces stay as they are: the
block is meant to be the value of a template's variable; who makes it part of a template has to escape it.
Numbers about memories (retention, scores, confidence) are never shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import datetime, timezone, tzinfo
from typing import NamedTuple

from cogmem_core.checks import positive
from cogmem_core.config import InjectionConfig
from cogmem_core.models import Memory, WorkingItem
from cogmem_core.results import Context, Recall, Recalled
from cogmem_core.retrieval.budget import count_tokens
from cogmem_core.text.lexicon.context import CLOSE, HOT, NOTE, OPEN, RECALLED, WORKING
from cogmem_core.text.observe.small_talk import is_trivial
from cogmem_core.text.sentences import sentence_spans
from cogmem_core.text.time.days import in_zone, seen_in
from cogmem_core.text.time.relative import relative_time_label
from cogmem_core.trust import origin_of

__all__ = ["presenter"]

# Of "<" and its full-width forms only what plainly begins no tag of ours stays: "a < b", "<3", "x <- y", "<b>". A
# slash, an m (or rn, which looks like one) and anything but ASCII (invisible, full-width, look-alike letters) does not.
# Other brackets are quotation marks and titles in many languages; they lose their place only before "mem".
_M = r"[mM\u039c\u041c\u043c\u1d0d\u217f\uff2d\uff4d\U0001d400-\U0001d7ff]"
_E = r"[eE\u00e8-\u00eb\u0395\u0415\u0435\u1d07\u212e\u212f\uff25\uff45\U0001d400-\U0001d7ff]"
_FENCE = re.compile(
    r"[<\uff1c\ufe64](?! ?(?:[0-9A-LN-QS-Za-ln-qs-z=<>$+.\-]|[rR](?![nN])))"
    r"|[\u00ab\u02c2\u02f1\u1438\u1445\u2039\u2264\u226a\u226e\u227a\u227c\u22d6\u22d8\u2329\u25c4\u25c5\u276c\u276e\u2770"
    r"\u27e8\u27ea\u2991\u2993\u29c0\u29fc\u2a79\u2aa1\u2af7\u3008\u300a\u304f\u3111\u31db\ufe3f]"
    rf"(?=\W{{0,8}}{_M}\W{{0,4}}{_E}\W{{0,4}}{_M})"
)
# Not seen, but read: controls, direction overrides, zero-width signs that join nothing, tags.
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u061c\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
_MISSES = 8  # entries in a row that do not fit; then the part counts as full
_PIECE = 40_000  # characters counted at once: a longer text would be estimated, and one in Chinese far too low
_LONGEST_TOKEN = 128  # characters of the longest token of cl100k_base
_DENSEST = 8  # characters per token of the text that a cut tries to keep
_AHEAD = 2  # an abbreviation reads so many times its own length to find the end of a sentence


class _Entry(NamedTuple):
    """One memory's line: `lead` is what stands before the text."""

    memory_id: str
    lead: str
    text: str


def presenter(now: datetime, budget: int, injection: InjectionConfig) -> Callable[[Recall, int | None], Context]:
    """A renderer for `Recall.context`.

    Args:
        now: the present, in the time zone of the reader: dates are those of that zone, relative ones are seen from it.
        budget: tokens, unless the caller of `context` gives another number.
        injection: the shares of the parts, and how long an abbreviated text is.
    """

    def render(recall: Recall, max_tokens: int | None) -> Context:
        return _render(recall, now, budget if max_tokens is None else positive("max_tokens", max_tokens), injection)

    return render


def _render(recall: Recall, now: datetime, budget: int, injection: InjectionConfig) -> Context:
    if not (recall.hot or recall.working or recall.results):
        return Context()
    page = _Page(budget - sum(map(_cost, (OPEN, NOTE, CLOSE))))
    whole = page.room
    page.part(HOT, (_memory(memory, memory.content, now) for memory in recall.hot), int(whole * injection.hot_share))
    page.part(WORKING, (_on_mind(item, now) for item in recall.working), int(whole * injection.working_share))
    told = (item for item in recall.results if item.tier != "withheld")
    page.part(RECALLED, (_recalled(item, now, injection) for item in told), page.room, cut=True)
    return Context("\n".join((OPEN, NOTE, *page.lines, CLOSE)), page.shown) if page.lines else Context()


class _Page:
    """The lines of a block; `room` counts the tokens that are left, `shown` holds the texts by memory."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.lines: list[str] = []
        self.shown: dict[str, str] = {}

    def part(self, heading: str, entries: Iterable[_Entry], share: int, *, cut: bool = False) -> None:
        """Write a heading and those entries that fit into the share and stand nowhere yet; nothing if there is none.

        Args:
            cut: the first entry is shown in part if it does not fit as a whole.
        """
        left = share - _cost(heading)
        lines: list[str] = []
        misses = 0
        for entry in entries:
            if misses == _MISSES or left <= 0:
                break
            if entry.memory_id in self.shown or not entry.text:
                continue
            line = entry.lead + entry.text
            if not _fits(line, left):
                line = _shortened(entry, left) if cut and not lines else ""
            if not line:
                misses += 1
                continue
            misses = 0
            left -= _cost(line)
            lines.append(line)
            self.shown[entry.memory_id] = line[len(entry.lead) :]
        if lines:
            self.lines += [heading, *lines]
            self.room -= share - left


def _cost(line: str) -> int:
    """Tokens of a line with its end; a token never reaches beyond the end, so the lines of a block add up."""
    return sum(count_tokens(f"{line}\n"[at : at + _PIECE]) for at in range(0, len(line) + 1, _PIECE))


def _fits(line: str, tokens: int) -> bool:
    """Whether a line costs no more; a text far too long is not read for it."""
    return len(line) <= tokens * _LONGEST_TOKEN and _cost(line) <= tokens


def _shortened(entry: _Entry, tokens: int) -> str:
    """The beginning that fits, to the end of a word if there is one; empty if nothing of the text does."""
    low = 0
    high = min(len(entry.text), max(0, tokens) * _DENSEST)
    while low < high:
        middle = (low + high + 1) // 2
        if _fits(f"{entry.lead}{entry.text[:middle]}…", tokens):
            low = middle
        else:
            high = middle - 1
    for kept in (_to_word(entry.text, low), entry.text[:low].rstrip()):
        line = f"{entry.lead}{kept}…"
        if kept and _fits(line, tokens):
            return line
    return ""


def _memory(memory: Memory, text: str, now: datetime) -> _Entry:
    """A whole memory with date, speaker and what it says about times; `text` is its own, or more than that."""
    said = memory.recorded_at
    told = [""]
    zone = _zone(now)
    about = None if memory.referenced_at is None else seen_in(memory.referenced_at, zone).date()
    if about is not None and about != in_zone(said, zone).date():
        told.append(f"about {about}")
    ended = _ended(memory, now)
    if ended is not None:
        told.append(f"until {seen_in(ended, zone).date()}")
    told += [origin] if (origin := origin_of(memory)) else []
    return _Entry(memory.id, f"- ({_dated(said, now)}{', '.join(told)}) ", _spoken(memory, text))


def _on_mind(item: WorkingItem, now: datetime) -> _Entry:
    """An item of working memory, dated by when it came up in the conversation."""
    origin = f", {item.origin}" if item.origin else ""
    return _Entry(item.id, f"- ({_dated(item.added_at, now)}{origin}) ", _harmless(item.text))


def _recalled(item: Recalled, now: datetime, injection: InjectionConfig) -> _Entry:
    # What no longer holds is never shown without its date.
    if item.tier == "full" or _ended(item.memory, now) is not None:
        return _memory(item.memory, item.text, now)
    memory = item.memory
    gist = _gist(memory.content, injection.abbreviated_characters)
    # Who says "I" belongs to what is said; dates of events and of validity do not.
    origin = f", {told}" if (told := origin_of(memory)) else ""
    lead = f"- ({relative_time_label(memory.recorded_at, now)}, in short{origin}) "
    return _Entry(memory.id, lead, _spoken(memory, gist + item.text[len(memory.content) :]))


def _spoken(memory: Memory, text: str) -> str:
    return _harmless(f"{memory.speaker}: {text}" if memory.speaker else text)


def _gist(content: str, limit: int) -> str:
    """From the first sentence that says something on, as many as fit into `limit` characters; "…" if more follows."""
    text = content.strip()
    head = _to_word(text, _AHEAD * limit)
    spans = [span for span in sentence_spans(head) if is_trivial(head[slice(*span)]) is None] or [(0, len(head))]
    start = spans[0][0]
    ends = [end for _, end in spans if len(" ".join(head[start:end].split())) <= limit]
    kept = " ".join(head[start : ends[-1]].split()) if ends else _to_word(" ".join(head[start:].split()), limit)
    if ends and ends[-1] == len(text):
        return kept
    return kept.rstrip(" .,;:-") + "…"


def _to_word(text: str, limit: int) -> str:
    """At most so many characters; back to the last space, unless that is in the first half."""
    if len(text) <= limit:
        return text
    space = text.rfind(" ", 0, limit + 1)
    return text[:space] if space > limit // 2 else text[:limit].rstrip()


def _ended(memory: Memory, now: datetime) -> datetime | None:
    """When a memory ceased to hold; None if it holds."""
    if memory.valid_until is not None and memory.valid_until <= now:
        return memory.valid_until
    superseded = memory.state == "superseded" or memory.superseded_by is not None
    return memory.updated_at if superseded else None


def _dated(moment: datetime, now: datetime) -> str:
    return f"{in_zone(moment, _zone(now)).date()}, {relative_time_label(moment, now)}"


def _zone(now: datetime) -> tzinfo:
    return now.tzinfo or timezone.utc


def _harmless(text: str) -> str:
    """On one line, without what is not seen, and unable to close the fence."""
    return _FENCE.sub("&lt;", " ".join(_UNSEEN.sub("", text).split()))
