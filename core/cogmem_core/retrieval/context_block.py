"""What a model reads of a recall: one block under a token budget, fenced as data.

What was remembered may have been written by anybody. So no memory can close its fence, begin a line
of its own, or pass for a heading; what is not a person's own words says where it comes from, before
its text. Braces stay as they are: the block is meant to be the value of a template's variable; who
makes it part of a template has to escape it. Numbers about memories (retention, scores, confidence)
are never shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timezone, tzinfo
from operator import itemgetter
from typing import NamedTuple

from cogmem_core.base.lru import text_cache
from cogmem_core.caches.hot_tier import shown_first
from cogmem_core.config import HotTierConfig
from cogmem_core.edge.clauses import for_a_prompt, guarded_things, guarding_words, reading_of
from cogmem_core.edge.trust import origin_of
from cogmem_core.reading import Reading, of, sentences_of
from cogmem_core.retrieval.budget import count_tokens
from cogmem_core.retrieval.said_later import bears_on
from cogmem_core.retrieval.versions import age
from cogmem_core.text.plural import counted
from cogmem_core.text.safety.context_frame import (
    ALWAYS,
    ASK,
    CLOSE,
    DUE,
    HOT,
    KNOWN_WAYS,
    MORE,
    NOTE,
    OPEN,
    PROFILE,
    RECALLED,
    WORKING,
)
from cogmem_core.text.time.days import in_zone, seen_in
from cogmem_core.text.time.relative import relative_time_label
from cogmem_core.text.tokens import tokens
from cogmem_core.values.models import Intention, Memory, Procedure, Standing, WorkingItem
from cogmem_core.values.results import Ask, Context, ProfileLine, Recalled

ABBREVIATED_CHARACTERS = 160
"""The length of an abbreviated text, about."""
ALWAYS_SHARE = 1 / 2
"""Largest part of the context block's tokens for what must always be shown."""
HOT_SHARE = 1 / 3
"""Largest part of the context block's tokens for that and the hot tier; what it does not need goes to what
was recalled."""
DUE_SHARE = 0.25
"""Largest part of the context block's tokens for what is due."""
PROCEDURES_SHARE = 1 / 3
"""Largest part of the context block's tokens for procedures."""
PROFILE_SHARE = 1 / 3
"""Largest part of the context block's tokens for the profile."""
WORKING_SHARE = 0.25
"""Largest part of the context block's tokens for working memory; what it does not need goes to what
was recalled."""

# Of "<" and its full-width forms only what plainly begins no tag of ours stays: "a < b", "<3", "x
# <- y", "<b>". A slash, an m (or rn, which looks like one) and anything but ASCII (invisible,
# full-width, look-alike letters) does not. Other brackets are quotation marks and titles in many
# languages; they lose their place only before "mem".
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
_WORD = re.compile(r"\w")
_WITNESSED = "one agent's word"
_SHORT = 80  # characters of what must always be shown that are shown whole
_MOST_ALWAYS = 32  # entries of what must always be shown; no more fit into the tokens for it
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


class ContextBuilder:
    """Writes the block that a model reads of a recall.

    Args:
        now: the present, in the time zone of the reader: dates are those of that zone, relative
            ones are seen from it.
        budget: tokens.
        rules: how many of them are for what must always be shown, and what that is.
        deep: what is over is told as well.

    Attributes:
        whole: the memories that the block shows, by id, but for those of which only a part stands
            among what must always be shown.
    """

    def __init__(
        self, now: datetime, budget: int, *, rules: HotTierConfig, deep: bool = False
    ) -> None:
        self._now = now
        self._rules = rules
        self._deep = deep
        self._zone = now.tzinfo or timezone.utc
        self._budget = budget
        self._room = 0
        self._lines: list[str] = []
        self.whole: dict[str, str] = {}
        self._partly: dict[str, str] = {}

    def build(
        self,
        hot: Sequence[Memory],
        working: Sequence[WorkingItem],
        results: Sequence[Recalled],
        *,
        due: Sequence[Intention] = (),
        procedures: Sequence[Procedure] = (),
        profile: Sequence[ProfileLine] = (),
        more: int = 0,
        listed: bool = False,
        ask: Ask | None = None,
    ) -> Context:
        """The block, and which memories found room in it.

        Args:
            hot: what must always be shown, and memories of the hot tier.
            working: items of working memory.
            results: what was recalled.
            due: intentions that are due.
            procedures: ways to do what was asked for.
            profile: what is known of the person; it costs no more than its share.
            more: how many more of a list are remembered.
            listed: the results are a list, and those without room are told by their number.
            ask: the question that the model may put.
        """
        if not (hot or working or results or due or procedures or profile):
            return Context()
        room = self._budget - _cost(OPEN) - _cost(NOTE) - _cost(CLOSE)
        if more or listed:
            room -= _cost(MORE.format(counted(more + len(results), "memory", "memories")))
        asking = "" if ask is None else ASK.format(_harmless(ask.question))
        asking = asking if _fits(asking, room // 2) else ""
        room -= _cost(asking) if asking else 0
        self._room = room
        useful = self._add_always(hot)
        shared = int(room * HOT_SHARE) - (room - self._room)
        hot_entries = (self._memory_entry(memory, self._text_of(memory)) for memory in useful)
        visible = [item for item in results if item.tier != "withheld"]
        self._add_part(DUE, map(self._due_entry, due), int(room * DUE_SHARE))
        ways = map(_procedure_entry, procedures)
        self._add_part(KNOWN_WAYS, ways, int(room * PROCEDURES_SHARE))
        self._add_profile(profile, [*useful, *_plain(results)])
        self._add_part(HOT, hot_entries, shared)
        self._add_part(WORKING, map(self._working_entry, working), int(room * WORKING_SHARE))
        self._add_part(RECALLED, map(self._result_entry, visible), self._room, cut=True)
        if not self._lines:
            return Context()
        shown = self._partly | self.whole
        shown_due = tuple(x.id for x in due if x.id in shown)
        for record_id in (*(x.id for x in due), *(x.id for x in procedures)):
            shown.pop(record_id, None)
        if listed:
            more += sum(item.memory.id not in shown for item in visible)
        if more:
            self._lines.append(MORE.format(counted(more, "memory", "memories")))
        if asking:
            self._lines.append(asking)
        text = "\n".join((OPEN, NOTE, *self._lines, CLOSE))
        return Context(text, shown, shown_due, ask=ask if asking else None)

    def build_stable(
        self,
        hot: Sequence[Memory],
        *,
        profile: Sequence[ProfileLine],
        results: Sequence[Recalled],
    ) -> Context:
        """What changes rarely, the same to the byte as long as its memories are the same.

        Dated by the calendar alone; the hot tier is ordered by when it was said.

        Args:
            hot: what must always be shown, and memories of the hot tier, most useful
                first: of what finds no room the least useful is left out.
            profile: what is known of the person; it costs no more than its share.
            results: what was recalled, of which nothing is written; what the profile tells of it counts as shown.
        """
        room = self._room = self._budget - _cost(OPEN) - _cost(NOTE) - _cost(CLOSE)
        useful = self._add_always(hot)
        shared = int(room * HOT_SHARE) - (room - self._room)
        told = self._add_profile(profile, [*useful, *_plain(results)])
        always = self._lines
        self._lines = []
        useful = [memory for memory in useful if memory.id not in told]
        entries = [_stable_entry(memory, self._text_of(memory), self._zone) for memory in useful]
        self._add_part(HOT, entries, shared)
        if not (always or self._lines):
            return Context()
        each = zip(useful, entries, strict=True)
        lasting = sorted(each, key=lambda pair: (pair[0].recorded_at, pair[0].id))
        lines = [
            entry.lead + self.whole[memory.id]
            for memory, entry in lasting
            if memory.id in self.whole
        ]
        heading = self._lines[:1]
        text = "\n".join((OPEN, NOTE, *always, *heading, *lines, CLOSE))
        return Context(text, self._partly | self.whole)

    def _add_always(self, hot: Sequence[Memory]) -> list[Memory]:
        """Write what must always be shown, and how much of it finds no room; returns the other memories.

        Of a guardian fact only the clauses that tell it are written. Behind it stands what was said
        later of it, as far as there is room when all of them are written.
        """
        always, others, entries = _always_entries(
            _Same(hot), self._rules, self._zone, self._now.year, self._deep
        )
        room = min(self._rules.always_tokens, int(self._room * ALWAYS_SHARE)) - _cost(ALWAYS)
        if sum(cost for _, _, cost, _ in entries) > room or len(always) > _MOST_ALWAYS:
            room -= _cost(MORE.format(counted(len(always))))
        written: dict[str, int] = {}
        lines: list[tuple[int, str]] = []
        for place, entry, cost, whole in entries:
            behind = always[place].id  # of which it was said later, if it is not that one
            fits = cost <= room and entry.memory_id not in written
            if fits and (entry.memory_id == behind or behind in written):
                room -= cost
                written[entry.memory_id] = place
                lines.append((place, entry.lead + entry.text))
                (self.whole if whole else self._partly)[entry.memory_id] = entry.text
        shown = [line for _, line in sorted(lines, key=itemgetter(0))]
        left = len(always) - len({*written.values()})
        if left:
            shown.append(MORE.format(counted(left)))
        if shown:
            self._lines = [ALWAYS, *shown]
            self._room -= sum(map(_cost, self._lines))
        return [memory for memory in others if memory.id not in written]

    def _add_profile(self, lines: Sequence[ProfileLine], memories: Iterable[Memory]) -> set[str]:
        """Write what is known and stands nowhere yet; returns which of the memories it tells, word for word.

        These count as shown, and are not written again.
        """
        new = [line for line in lines if not any(map(self.whole.__contains__, line.memory_ids))]
        if new:
            known = [PROFILE, *(f"- {_harmless(str(line))}" for line in new)]
            self._lines += known
            self._room -= sum(map(_cost, known))
        told = {memory.id: text for memory in memories if (text := self._told_by(new, memory))}
        self.whole |= told
        return {*told}

    def _told_by(self, lines: Sequence[ProfileLine], memory: Memory) -> str:
        """The text of a memory of which no word is missing in these lines; empty if one is."""
        text = rest = self._text_of(memory)
        for line in lines:
            if memory.id in line.memory_ids:
                rest = rest.replace(line.text, "", 1)
        return "" if _WORD.search(rest) or origin_of(memory) or memory.speaker else text

    def _add_part(
        self, heading: str, entries: Iterable[_Entry], share: int, *, cut: bool = False
    ) -> None:
        """Write a heading and the entries that fit into the share and stand nowhere yet.

        Args:
            heading: left out if no entry fits.
            entries: the most useful one first.
            share: tokens.
            cut: the first entry is shown in part if it does not fit as a whole.
        """
        room = share - _cost(heading)
        lines: list[str] = []
        misses = 0
        for entry in entries:
            if misses == _MISSES or room <= 0:
                break
            if entry.memory_id in self.whole or not entry.text:
                continue
            line = entry.lead + entry.text
            if not _fits(line, room):
                line = _shortened(entry, room) if cut and not lines else ""
            if not line:
                misses += 1
                continue
            misses = 0
            room -= _cost(line)
            lines.append(line)
            self.whole[entry.memory_id] = line[len(entry.lead) :]
        if lines:
            self._lines += [heading, *lines]
            self._room -= share - room

    def _memory_entry(
        self, memory: Memory, text: str, *, earlier: bool = False, standing: Standing = ""
    ) -> _Entry:
        """A memory with date, speaker and what it says about times.

        Args:
            memory: the memory.
            text: its own text, or more than that.
            earlier: a newer version of it is known.
            standing: in a shared namespace, whose word it is.
        """
        recorded_at = memory.recorded_at
        date = in_zone(recorded_at, self._zone).date()
        # How long ago it was, says the newer version.
        parts = [str(date) if earlier else f"{date}, {relative_time_label(recorded_at, self._now)}"]
        if in_zone(memory.last_said_at, self._zone).date() != date:
            parts.append(f"again {relative_time_label(memory.last_said_at, self._now)}")
        if memory.referenced_at is not None:
            event_date = seen_in(memory.referenced_at, self._zone).date()
            if event_date != date:
                parts.append(f"about {event_date}")
        end = self._end_of(memory)
        if end is not None and memory.category == "plan" and memory.superseded_by is None:
            parts.append(self._planned_for(memory))
        elif end is not None:
            parts.append(f"until {seen_in(end, self._zone).date()}")
        return _entry_of(memory, parts, text, earlier=earlier, standing=standing)

    def _planned_for(self, memory: Memory) -> str:
        """For when a plan was made whose time is over."""
        if memory.referenced_at is None:
            return "was planned"
        day = seen_in(memory.referenced_at, self._zone).date()
        year = "" if day.year == self._now.year else f" {day.year}"
        return f"was planned for {day.day} {day:%B}{year}"

    def _working_entry(self, item: WorkingItem) -> _Entry:
        """An item of working memory, dated by when it came up in the conversation."""
        date = in_zone(item.added_at, self._zone).date()
        label = relative_time_label(item.added_at, self._now)
        origin = f", {item.origin}" if item.origin else ""
        return _Entry(item.id, f"- ({date}, {label}{origin}) ", _harmless(item.text))

    def _due_entry(self, intention: Intention) -> _Entry:
        """An intention, dated by when it was stated."""
        date = in_zone(intention.created_at, self._zone).date()
        parts = [f"intended {date}"]
        if intention.by_time and intention.at is not None:
            parts.append(f"due {seen_in(intention.at, self._zone):%Y-%m-%d %H:%M}")
        elif intention.when is not None:
            parts.append(f"when: {_harmless(intention.when)}")
        return _Entry(intention.id, f"- ({', '.join(parts)}) ", _harmless(intention.text))

    def _result_entry(self, item: Recalled) -> _Entry:
        memory = item.memory
        # What no longer holds is never shown without its date. An earlier version says that it is one,
        # so where it hardly bears on the question it takes no more room than anything else.
        text = self._text_of(memory)
        question = f" (asked: {item.asked})" if item.asked else ""
        if item.tier == "full" or self._end_of(memory) is not None:
            return self._memory_entry(
                memory, text + question, earlier=item.earlier, standing=item.standing
            )
        # Who says "I" belongs to what is said; dates of events and of validity do not.
        parts = [relative_time_label(memory.recorded_at, self._now), "in short"]
        gist = _gist_of(memory, text) + question
        return _entry_of(memory, parts, gist, earlier=item.earlier, standing=item.standing)

    def _text_of(self, memory: Memory) -> str:
        """What a memory says; what holds no more says so, or is left out."""
        return for_a_prompt(memory, self._now.year, deep=self._deep)

    def _end_of(self, memory: Memory) -> datetime | None:
        """When a memory ceased to hold; None if it holds."""
        if memory.valid_until is not None and memory.valid_until <= self._now:
            return memory.valid_until
        superseded = memory.state == "superseded" or memory.superseded_by is not None
        return memory.updated_at if superseded else None


class _Same:
    """Memories that equal others if they are the same objects: nothing of them changed."""

    def __init__(self, memories: Sequence[Memory]) -> None:
        self.memories = tuple(memories)
        self._key = tuple(map(id, memories))

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._key == other._key


@text_cache(8)
def _always_entries(
    hot: _Same, rules: HotTierConfig, zone: tzinfo, year: int, deep: bool
) -> tuple[list[Memory], list[Memory], list[tuple[int, _Entry, int, bool]]]:
    """What must always be shown, the others, and the lines of the first of it, and of what was said later.

    Each behind the place of what it is about, with its cost, and whether it holds all of a text.
    """
    always, others = shown_first(hot.memories, rules)
    first = list(enumerate(always[:_MOST_ALWAYS]))
    told = [(place, memory, "noted") for place, memory in first]
    told += [
        (k, memory, "said later,") for memory in others for k, one in first if bears_on(memory, one)
    ]
    things = [(age(memory), guarded_things(memory)) for _, memory in first]
    entries: list[tuple[int, _Entry, int, bool]] = []
    for place, memory, how in told:
        shown = text = for_a_prompt(memory, year, deep=deep)
        if len(text) > _SHORT:
            older = (stems for at, stems in things if at < age(memory))
            words = guarding_words(memory)
            words = guarding_words(memory, set().union(*older) - {*tokens(words)})
            shown = _gist(words, of(words)) if words else _gist_of(memory, text)
        entry = _stable_entry(memory, shown, zone, how)
        whole = entry.text == _with_speaker(memory, text)
        entries.append((place, entry, _cost(entry.lead + entry.text), whole))
    return always, others, entries


def _stable_entry(memory: Memory, text: str, zone: tzinfo, how: str = "noted") -> _Entry:
    """A memory with its date, and nothing that is seen from the present."""
    return _entry_of(memory, [f"{how} {in_zone(memory.recorded_at, zone).date()}"], text)


def _entry_of(
    memory: Memory,
    parts: Sequence[str],
    text: str,
    *,
    earlier: bool = False,
    standing: Standing = "",
) -> _Entry:
    """A memory behind these parts, where it comes from, and whose word it is."""
    witnessed = _WITNESSED if standing == "witnessed" else ""
    told = ", ".join(filter(None, (*parts, origin_of(memory), witnessed)))
    return _Entry(memory.id, f"- {'earlier ' * earlier}({told}) ", _with_speaker(memory, text))


def _gist_of(memory: Memory, text: str) -> str:
    return _gist(text, reading_of(memory) if text == memory.content else of(text))


def _plain(results: Iterable[Recalled]) -> list[Memory]:
    """The memories of what was recalled of which no more is told than what they say."""
    return [
        item.memory
        for item in results
        if not (item.earlier or item.asked or item.standing == "witnessed")
    ]


def _procedure_entry(procedure: Procedure) -> _Entry:
    """A procedure on one line: its steps in order, what to avoid, what it needs."""
    steps = " ".join(f"{number}. {step}" for number, step in enumerate(procedure.steps, 1))
    parts = [f"{procedure.trigger}: {steps}"]
    if procedure.avoid:
        parts.append(f"avoid: {'; '.join(procedure.avoid)}")
    if procedure.preconditions:
        parts.append(f"needs: {'; '.join(procedure.preconditions)}")
    tried = "" if procedure.state == "active" else "(not proved yet) "
    return _Entry(procedure.id, f"- {tried}", _harmless(" | ".join(parts)))


def _cost(line: str) -> int:
    """Tokens of a line with its end.

    A token never reaches beyond the end, so the lines of a block add up.
    """
    return sum(
        count_tokens(f"{line}\n"[at : at + _PIECE]) for at in range(0, len(line) + 1, _PIECE)
    )


def _fits(line: str, tokens: int) -> bool:
    """Whether a line costs no more; a text far too long is not read for it."""
    return len(line) <= tokens * _LONGEST_TOKEN and _cost(line) <= tokens


def _shortened(entry: _Entry, tokens: int) -> str:
    """The beginning that fits, to the end of a word if there is one.

    Empty if nothing of the text does.
    """
    low = 0
    high = min(len(entry.text), max(0, tokens) * _DENSEST)
    while low < high:
        middle = (low + high + 1) // 2
        if _fits(f"{entry.lead}{entry.text[:middle]}…", tokens):
            low = middle
        else:
            high = middle - 1
    for beginning in (_to_word(entry.text, low), entry.text[:low].rstrip()):
        line = f"{entry.lead}{beginning}…"
        if beginning and _fits(line, tokens):
            return line
    return ""


def _with_speaker(memory: Memory, text: str) -> str:
    return _harmless(f"{memory.speaker}: {text}" if memory.speaker else text)


def _gist(text: str, reading: Reading) -> str:
    """The first sentences of a text that say something, as many as fit into `ABBREVIATED_CHARACTERS`.

    Ends with "…" if more follows.
    """
    head = _to_word(text, _AHEAD * ABBREVIATED_CHARACTERS)
    said = [clause.start for clause in reading.clauses if clause.kind != "filler"]
    sentences = sentences_of(head)
    telling = [span for span in sentences if any(span[0] <= start < span[1] for start in said)]
    spans = telling or [(0, len(head))]
    start = spans[0][0]
    fitting = [end for _, end in spans if _length(head[start:end]) <= ABBREVIATED_CHARACTERS]
    if not fitting:
        gist = _to_word(" ".join(head[start:].split()), ABBREVIATED_CHARACTERS)
    else:
        gist = " ".join(head[start : fitting[-1]].split())
        if fitting[-1] == len(text.rstrip()):
            return gist
    return gist.rstrip(" .,;:-") + "…"


def _length(text: str) -> int:
    """Characters of a text on one line."""
    return len(" ".join(text.split()))


def _to_word(text: str, limit: int) -> str:
    """At most so many characters; back to the last space, unless that is in the first half."""
    if len(text) <= limit:
        return text
    space = text.rfind(" ", 0, limit + 1)
    return text[:space] if space > limit // 2 else text[:limit].rstrip()


def fenced(texts: Iterable[str]) -> str:
    """Texts about memories, each on a line of its own, fenced as the context block is."""
    return "\n".join((OPEN, NOTE, *(f"- {_harmless(text)}" for text in texts), CLOSE))


def _harmless(text: str) -> str:
    """On one line, without what is not seen, and unable to close the fence."""
    return _FENCE.sub("&lt;", " ".join(_UNSEEN.sub("", text).split()))
