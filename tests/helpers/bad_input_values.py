"""Rows of bad input: texts, labels, choices, numbers, times, metadata."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, tzinfo
from typing import Any

from cogmem_core import CogMemError, InvalidInput, Turn
from helpers.bad_input_scene import AHEAD, BEHIND, NAIVE, UTC, Row, Scene, refused

Named = Iterator[tuple[str, Row]]
Call = tuple[str, Callable[[Scene, Any], object]]
"""The argument that an error must name, and what is called with a value."""
Bad = dict[str, tuple[Any, tuple[str, ...]]]
"""By name a value, and what an error must say of it."""


class Nowhere(tzinfo):
    """A time zone that does not know its offset, so a datetime with it is as good as naive."""

    def utcoffset(self, moment: datetime | None) -> None:
        return None


BAD_TEXTS: Bad = {
    "empty": ("", ("empty or blank", "give some text")),
    "blank": (" \n\t\u3000", ("empty or blank", "give some text")),
    "over 1 MB": ("é" * 500_001, ("1,000,002 bytes", "1,000,000", "split it")),
    "NUL": ("a\x00b", ("NUL", "position 1", "remove it")),
    "lone surrogate": ("ab\ud800", ("lone surrogate", "position 2", "decode")),
}
NOT_TEXTS = {"None": None, "int": 7, "bytes": b"text", "dict": {"content": "x"}, "float": 1.5}
NOT_FLAGS = {str(value): value for value in (1, 0, "yes", None)}
NEVER = {"nan": float("nan"), "inf": float("inf"), "True": True, "'1'": "1"}
SHARES = {**NEVER, "2": 2, "-0.1": -0.1}
REMEMBER: dict[str, Call] = {"remember": ("content", lambda s, t: s.bank.remember(t))}
RECALL: dict[str, Call] = {"recall": ("query", lambda s, t: s.bank.recall(t))}
ADD: dict[str, Call] = {"add": ("content", lambda s, t: s.bank.add(t))}


def tried(calls: dict[str, Call], values: Bad, error: type[CogMemError] = InvalidInput) -> Named:
    """Every call with every value."""
    for name, (value, words) in values.items():
        for call, (argument, act) in calls.items():
            row = refused(lambda s, a=act, v=value: a(s, v), argument, *words, error=error)
            yield f"{call} {name}", row


def alike(values: dict[str, Any], *words: str, told: Callable[[Any], str] | None = None) -> Bad:
    """Values of which an error says the same, and by `told` what they are."""
    return {name: (v, (*([told(v)] if told else []), *words)) for name, v in values.items()}


def fields(method: str, *names: str) -> dict[str, Call]:
    """A method of a bank, whose first argument is fine, with each of these arguments."""
    return {
        f"{method} {name}": (name, lambda s, v, n=name: getattr(s.bank, method)("x", **{n: v}))
        for name in names
    }


def texts() -> Named:
    calls: dict[str, Call] = {
        **REMEMBER,
        "remember in a turn": ("content", lambda s, t: s.bank.remember(Turn(t))),
        "remember last in a list": (
            "content[2]",
            lambda s, t: s.bank.remember(["fine", Turn("fine too"), t]),
        ),
        **ADD,
        "edit": ("content", lambda s, t: s.bank.edit(s.id, t)),
    }
    yield from tried(calls, BAD_TEXTS)
    forget: dict[str, Call] = {"forget": ("id_or_query", lambda s, t: s.bank.forget(t))}
    short = {name: bad for name, bad in BAD_TEXTS.items() if name != "over 1 MB"}
    yield from tried({**RECALL, **forget}, short)
    yield from tried(RECALL, {"over 100 kB": ("q" * 100_001, ("100,001 bytes", "split it"))})
    listed: dict[str, Call] = {
        "remember in a list": ("content[1]", lambda s, t: s.bank.remember(["fine", t]))
    }
    kinds = alike(NOT_TEXTS, "give a string", told=lambda value: type(value).__name__)
    yield from tried({**REMEMBER, **RECALL, **ADD, **listed}, kinds)
    yield (
        "remember a generator",
        refused(lambda s: s.bank.remember(t for t in "ab"), "generator", "a list of them"),
    )
    many = {"too many turns": (["a"] * 100_001, ("100,001 turns", "100,000", "split it"))}
    yield from tried(REMEMBER, many)


def labels() -> Named:
    bad: Bad = {
        "empty": ("", ("1 to 256",)),
        "blank": (" ", ("1 to 256",)),
        "257 characters": ("x" * 257, ("257 characters", "1 to 256")),
        "control character": ("a\nb", ("remove the control characters",)),
        "NUL": ("a\x00", ("NUL", "remove it")),
        "surrogate": ("\udfff", ("lone surrogate", "decode")),
        "int": (5, ("5", "give a string")),
    }
    names = ("speaker", "session_id", "ref")
    calls: dict[str, Call] = {
        "namespace": ("namespace", lambda s, v: s.engine.bank(v)),
        **fields("remember", *names),
        **fields("add", *names),
        **fields("recall", "session_id"),
        "tag": ("tags[1]", lambda s, v: s.bank.add("x", tags=["ok", v])),
        "recall tag": ("tags[0]", lambda s, v: s.bank.recall("x", tags=[v])),
    }
    yield from tried(calls, bad)
    yield from tried({"namespace": calls["namespace"]}, {"None": (None, ("None", "give a string"))})
    tags: Bad = {
        "a string": ("work", ("'work'", "give a list")),
        "a number": (3, ("3", "give a list")),
        "with None": (["a", None], ("None", "leave it out")),
        "too many": ([*map(str, range(65))], ("65", "the limit is 64", "use fewer")),
    }
    yield from tried(fields("add", "tags"), tags)


def choices() -> Named:
    unknown = {"unknown": "boss", "number": 3, "other case": "USER", "list": ["user"]}
    all_of_them = {**unknown, "None": None}
    yield from tried(fields("remember", "role"), alike(all_of_them, "use one of", "assistant"))
    yield from tried(fields("remember", "mode"), alike(unknown, "use one of", "hybrid"))
    calls: dict[str, Call] = {"list state": ("state", lambda s, v: s.bank.list(state=v))}
    yield from tried(calls, alike(unknown, "dormant", "any"))
    calls = {"count tier": ("tier", lambda s, v: s.bank.count(tier=v))}
    yield from tried(calls, alike(unknown, "episodic, semantic"))
    calls = {"list category": ("category", lambda s, v: s.bank.list(category=v))}
    yield from tried(calls, alike(unknown, "plan"))
    yield from tried(fields("add", "category"), alike(all_of_them, "plan, pattern"))
    yield from tried(fields("add", "tier"), alike(all_of_them, "episodic, semantic"))
    categories: Bad = {"unknown": (["boss"], ("use one of",)), "a string": ("fact", ("a list",))}
    yield from tried(fields("recall", "categories"), categories)
    modes = {"unknown": "past", "number": 3, "None": None, "other case": "TIMELINE"}
    yield from tried(
        fields("recall", "mode"), alike(modes, "use one of current, timeline", told=repr)
    )
    calls = {"import": ("format", lambda s, v: s.bank.import_("x", v))}
    yield from tried(calls, {"format": ("parquet", ("'parquet'", "cogmem"))})
    calls = {"export": ("format", lambda s, v: s.bank.export("x", v))}
    yield from tried(calls, {"format": ("parquet", ("'parquet'", "markdown"))})
    yield from tried(fields("import_", "removed"), {"removed": ("erase", ("'erase'", "forget"))})
    calls = {
        **fields("remember", "wait"),
        **fields("recall", "deep"),
        **fields("add", "pinned"),
        "hard": ("hard", lambda s, v: s.bank.forget(s.id, hard=v)),
        "hard for all": ("hard", lambda s, v: s.bank.forget_all(confirm="alice", hard=v)),
    }
    yield from tried(calls, alike(NOT_FLAGS, "True or False"))


def numbers() -> Named:
    wrong = {"zero": 0, "negative": -1, "True": True, "float": 8.0, "string": "8", "huge": 10**30}
    limit: dict[str, Call] = {"limit": ("limit is", lambda s, v: s.bank.list(limit=v))}
    yield from tried(limit, alike({**wrong, "None": None}, "at least 1"))
    k: dict[str, Call] = {"k": ("k is", lambda s, v: s.bank.recall("x", k=v))}
    yield from tried(k, alike(wrong, "1 to 1,000"))
    yield from tried(k, {"1001": (1001, ("1001", "1 to 1,000"))})
    calls: dict[str, Call] = {
        "max_tokens": ("max_tokens is", lambda s, v: s.bank.recall("x", max_tokens=v)),
        "context": ("max_tokens is", lambda s, v: s.bank.recall("tea").context(v)),
    }
    yield from tried(calls, alike(wrong, "at least 1"))
    yield from tried(fields("add", "importance"), alike(SHARES, "number from 0 to 1"))
    yield from tried(fields("recall", "floor"), alike(SHARES, "number from 0 to 1", told=repr))
    moods = alike({**NEVER, "2": 2, "-1.1": -1.1}, "number from -1 to 1", told=repr)
    yield from tried(fields("recall", "mood"), moods)
    deadlines = {**NEVER, "0": 0, "-1": -1, "86401": 86_401}
    yield from tried(fields("recall", "deadline"), alike(deadlines, "seconds", "86,400", told=repr))
    no_ids = {"empty": "", "int": 3, "bytes": b"x"}
    ids: dict[str, Call] = {"id": ("memory_id", lambda s, v: s.bank.get(v))}
    yield from tried(ids, alike({**no_ids, "None": None}, "give"))
    cursor: dict[str, Call] = {"cursor": ("cursor", lambda s, v: s.bank.list(cursor=v))}
    yield from tried(cursor, alike(no_ids, "give"))
    others = {value: value for value in ("next", "0198-0000-7000", "%")}
    yield from tried(cursor, alike(others, "give", told=repr))
    yield from tried(cursor, {"surrogate": ("\ud800", ("lone surrogate",))})
    yield "id NUL", refused(lambda s: s.bank.pin("a\x00"), "memory_id", "NUL", "remove it")
    yield "id surrogate", refused(lambda s: s.bank.history("\ud800"), "memory_id", "lone surrogate")


def times() -> Named:
    bad: Bad = {
        "naive": (NAIVE, ("naive", "2026-05-01", "add tzinfo")),
        "without an offset": (NAIVE.replace(tzinfo=Nowhere()), ("naive", "add tzinfo")),
        "year 1 ahead of UTC": (datetime(1, 1, 1, tzinfo=AHEAD), ("years 1 to 9999", "correct it")),
        "year 9999 behind UTC": (
            datetime(9999, 12, 31, 23, tzinfo=BEHIND),
            ("years 1 to 9999", "correct it"),
        ),
        "text": ("2026-05-01", ("str", "timezone-aware datetime")),
        "date": (NAIVE.date(), ("date", "timezone-aware datetime")),
        "seconds": (1_700_000_000, ("int", "timezone-aware datetime")),
    }
    calls = {
        **fields("remember", "at"),
        **fields("recall", "as_of", "known_at"),
        **fields("add", "at", "valid_from", "valid_until"),
    }
    yield from tried(calls, bad)
    start = datetime(2026, 5, 1, tzinfo=UTC)
    ends: dict[str, Call] = {
        "valid_until": (
            "valid_until",
            lambda s, end: s.bank.add("x", valid_from=start, valid_until=end),
        )
    }
    early = {f"{h} h after": start + timedelta(hours=h) for h in (0, -1)}
    yield from tried(ends, alike(early, "valid_from", "swap"))


def metadata() -> Named:
    nested: dict[str, Any] = {}
    for _ in range(101):
        nested = {"in": nested}
    endless: list[Any] = []
    endless.append(endless)
    bad: Bad = {
        "list": ([], ("give a dict",)),
        "pairs": ([("a", 1)], ("give a dict",)),
        "string": ("{}", ("give a dict",)),
        "object": ({"a": object()}, ("not JSON", "use strings")),
        "set": ({"a": {1}}, ("not JSON", "use strings")),
        "nan": ({"a": float("nan")}, ("not JSON", "use strings")),
        "infinity": ({"a": [float("inf")]}, ("not JSON", "use strings")),
        "tuple key": ({(1, 2): 3}, ("not JSON", "use strings")),
        "huge": ({"a": "x" * 100_000}, ("bytes", "the limit is 100,000")),
        "NUL": ({"a": "\x00"}, ("NUL", "remove it")),
        "NUL in a key": ({"a\x00": 1}, ("NUL", "remove it")),
        "surrogate": ({"a": ["\ud800"]}, ("lone surrogate", "decode")),
        "endless": ({"a": endless}, ("not JSON",)),
        "nested": (nested, ("100 levels", "flatter")),
    }
    yield from tried({**fields("remember", "metadata"), **fields("add", "metadata")}, bad)
