"""Rows of bad input: texts, labels, choices, numbers, times, metadata."""

from collections.abc import Iterator
from datetime import datetime, timedelta, tzinfo
from typing import Any

from cogmem_core import Turn
from helpers.bad_input_scene import AHEAD, BEHIND, NAIVE, UTC, Row, refused


class Nowhere(tzinfo):
    """A time zone that does not know its offset, so a datetime with it is as good as naive."""

    def utcoffset(self, moment: datetime | None) -> None:
        return None


BAD_TEXTS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "empty": ("", ("empty or blank", "give some text")),
    "blank": (" \n\t\u3000", ("empty or blank", "give some text")),
    "over 1 MB": ("é" * 500_001, ("1,000,002 bytes", "1,000,000", "split it")),
    "NUL": ("a\x00b", ("NUL", "position 1", "remove it")),
    "lone surrogate": ("ab\ud800", ("lone surrogate", "position 2", "decode")),
}
NOT_TEXTS: dict[str, Any] = {
    "None": None,
    "int": 7,
    "bytes": b"text",
    "dict": {"content": "x"},
    "float": 1.5,
}


def texts() -> Iterator[tuple[str, Row]]:
    for name, (text, words) in BAD_TEXTS.items():
        yield f"remember {name}", refused(lambda s, t=text: s.bank.remember(t), "content", *words)
        yield (
            f"remember {name} in a turn",
            refused(lambda s, t=text: s.bank.remember(Turn(t)), "content", *words),
        )
        yield (
            f"remember {name} last in a list",
            refused(
                lambda s, t=text: s.bank.remember(["fine", Turn("fine too"), t]),
                "content[2]",
                *words,
            ),
        )
        yield f"add {name}", refused(lambda s, t=text: s.bank.add(t), "content", *words)
        yield f"edit {name}", refused(lambda s, t=text: s.bank.edit(s.id, t), "content", *words)
        if name != "over 1 MB":
            yield f"recall {name}", refused(lambda s, t=text: s.bank.recall(t), "query", *words)
            yield (
                f"forget {name}",
                refused(lambda s, t=text: s.bank.forget(t), "id_or_query", *words),
            )
    yield (
        "recall over 100 kB",
        refused(lambda s: s.bank.recall("q" * 100_001), "query", "100,001 bytes", "split it"),
    )
    for name, value in NOT_TEXTS.items():
        kind = type(value).__name__
        yield (
            f"remember {name}",
            refused(lambda s, v=value: s.bank.remember(v), "content", kind, "give a string"),
        )
        yield (
            f"recall {name}",
            refused(lambda s, v=value: s.bank.recall(v), "query", kind, "give a string"),
        )
        yield (
            f"add {name}",
            refused(lambda s, v=value: s.bank.add(v), "content", kind, "give a string"),
        )
        yield (
            f"remember {name} in a list",
            refused(
                lambda s, v=value: s.bank.remember(["fine", v]), "content[1]", kind, "give a string"
            ),
        )
    yield (
        "remember a generator",
        refused(lambda s: s.bank.remember(t for t in "ab"), "generator", "a list of them"),
    )
    yield (
        "remember too many turns",
        refused(
            lambda s: s.bank.remember(["a"] * 100_001),
            "content",
            "100,001 turns",
            "100,000",
            "split it",
        ),
    )


def labels() -> Iterator[tuple[str, Row]]:
    bad: dict[str, tuple[Any, tuple[str, ...]]] = {
        "empty": ("", ("1 to 256",)),
        "blank": (" ", ("1 to 256",)),
        "257 characters": ("x" * 257, ("257 characters", "1 to 256")),
        "control character": ("a\nb", ("remove the control characters",)),
        "NUL": ("a\x00", ("NUL", "remove it")),
        "surrogate": ("\udfff", ("lone surrogate", "decode")),
        "int": (5, ("5", "give a string")),
    }
    for name, (value, words) in bad.items():
        yield f"namespace {name}", refused(lambda s, v=value: s.engine.bank(v), "namespace", *words)
        for field in ("speaker", "session_id", "ref"):
            yield (
                f"remember {field} {name}",
                refused(
                    lambda s, f=field, v=value: s.bank.remember("fine", **{f: v}), field, *words
                ),
            )
            yield (
                f"add {field} {name}",
                refused(lambda s, f=field, v=value: s.bank.add("x", **{f: v}), field, *words),
            )
        yield (
            f"recall session_id {name}",
            refused(lambda s, v=value: s.bank.recall("fine", session_id=v), "session_id", *words),
        )
        yield (
            f"tag {name}",
            refused(lambda s, v=value: s.bank.add("x", tags=["ok", v]), "tags[1]", *words),
        )
        yield (
            f"recall tag {name}",
            refused(lambda s, v=value: s.bank.recall("x", tags=[v]), "tags[0]", *words),
        )
    yield (
        "namespace None",
        refused(lambda s: s.engine.bank(None), "namespace", "None", "give a string"),
    )
    yield (
        "tags a string",
        refused(lambda s: s.bank.add("x", tags="work"), "tags", "'work'", "give a list"),
    )
    yield "tags a number", refused(lambda s: s.bank.add("x", tags=3), "tags", "3", "give a list")
    yield (
        "tags with None",
        refused(lambda s: s.bank.add("x", tags=["a", None]), "tags", "None", "leave it out"),
    )
    yield (
        "too many tags",
        refused(
            lambda s: s.bank.add("x", tags=map(str, range(65))),
            "tags",
            "65",
            "the limit is 64",
            "use fewer",
        ),
    )


def choices() -> Iterator[tuple[str, Row]]:
    for name, value in {
        "unknown": "boss",
        "number": 3,
        "None": None,
        "other case": "USER",
        "list": ["user"],
    }.items():
        yield (
            f"role {name}",
            refused(
                lambda s, v=value: s.bank.remember("x", role=v), "role", "use one of", "assistant"
            ),
        )
        if name != "None":
            yield (
                f"mode {name}",
                refused(
                    lambda s, v=value: s.bank.remember("x", mode=v), "mode", "use one of", "hybrid"
                ),
            )
            yield (
                f"list state {name}",
                refused(lambda s, v=value: s.bank.list(state=v), "state", "dormant", "any"),
            )
            yield (
                f"count tier {name}",
                refused(lambda s, v=value: s.bank.count(tier=v), "tier", "episodic, semantic"),
            )
            yield (
                f"list category {name}",
                refused(lambda s, v=value: s.bank.list(category=v), "category", "plan"),
            )
        yield (
            f"category {name}",
            refused(lambda s, v=value: s.bank.add("x", category=v), "category", "plan, pattern"),
        )
        yield (
            f"tier {name}",
            refused(lambda s, v=value: s.bank.add("x", tier=v), "tier", "episodic, semantic"),
        )
    yield (
        "recall category",
        refused(lambda s: s.bank.recall("x", categories=["boss"]), "categories", "use one of"),
    )
    yield (
        "recall categories a string",
        refused(lambda s: s.bank.recall("x", categories="fact"), "categories", "a list"),
    )
    for name, value in {
        "unknown": "past",
        "number": 3,
        "None": None,
        "other case": "TIMELINE",
    }.items():
        yield (
            f"recall mode {name}",
            refused(
                lambda s, v=value: s.bank.recall("x", mode=v),
                "mode",
                repr(value),
                "use one of current, timeline",
            ),
        )
    yield (
        "import format",
        refused(lambda s: s.bank.import_("x", "parquet"), "format", "'parquet'", "cogmem"),
    )
    yield (
        "export, format",
        refused(lambda s: s.bank.export("x", "parquet"), "format", "'parquet'", "markdown"),
    )
    yield (
        "import, removed",
        refused(lambda s: s.bank.import_("x", removed="erase"), "removed", "'erase'", "forget"),
    )
    for value in (1, 0, "yes", None):
        yield (
            f"wait {value}",
            refused(lambda s, v=value: s.bank.remember("x", wait=v), "wait", "True or False"),
        )
        yield (
            f"deep {value}",
            refused(lambda s, v=value: s.bank.recall("x", deep=v), "deep", "True or False"),
        )
        yield (
            f"pinned {value}",
            refused(lambda s, v=value: s.bank.add("x", pinned=v), "pinned", "True or False"),
        )
        yield (
            f"hard {value}",
            refused(lambda s, v=value: s.bank.forget(s.id, hard=v), "hard", "True or False"),
        )
        yield (
            f"hard {value} for all",
            refused(
                lambda s, v=value: s.bank.forget_all(confirm="alice", hard=v),
                "hard",
                "True or False",
            ),
        )


def numbers() -> Iterator[tuple[str, Row]]:
    wrong = {
        "zero": 0,
        "negative": -1,
        "True": True,
        "float": 8.0,
        "string": "8",
        "None": None,
        "huge": 10**30,
    }
    for name, value in wrong.items():
        yield (
            f"limit {name}",
            refused(lambda s, v=value: s.bank.list(limit=v), "limit is", "at least 1"),
        )
        if name != "None":
            yield (
                f"k {name}",
                refused(lambda s, v=value: s.bank.recall("x", k=v), "k is", "1 to 1,000"),
            )
            yield (
                f"max_tokens {name}",
                refused(
                    lambda s, v=value: s.bank.recall("x", max_tokens=v),
                    "max_tokens is",
                    "at least 1",
                ),
            )
            yield (
                f"context {name}",
                refused(
                    lambda s, v=value: s.bank.recall("tea").context(v),
                    "max_tokens is",
                    "at least 1",
                ),
            )
    yield "k 1001", refused(lambda s: s.bank.recall("x", k=1001), "k is 1001", "1 to 1,000")
    for name, value in {
        "nan": float("nan"),
        "2": 2,
        "-0.1": -0.1,
        "inf": float("inf"),
        "True": True,
        "'1'": "1",
    }.items():
        yield (
            f"importance {name}",
            refused(
                lambda s, v=value: s.bank.add("x", importance=v), "importance", "number from 0 to 1"
            ),
        )
        yield (
            f"floor {name}",
            refused(
                lambda s, v=value: s.bank.recall("x", floor=v),
                "floor",
                repr(value),
                "number from 0 to 1",
            ),
        )
    never = {"nan": float("nan"), "inf": float("inf"), "True": True, "'1'": "1"}
    for name, value in {**never, "2": 2, "-1.1": -1.1}.items():
        yield (
            f"mood {name}",
            refused(
                lambda s, v=value: s.bank.recall("x", mood=v),
                "mood",
                repr(value),
                "number from -1 to 1",
            ),
        )
    for name, value in {**never, "0": 0, "-1": -1, "86401": 86_401}.items():
        yield (
            f"deadline {name}",
            refused(
                lambda s, v=value: s.bank.recall("x", deadline=v),
                "deadline",
                repr(value),
                "seconds",
                "86,400",
            ),
        )
    for name, value in {"empty": "", "int": 3, "None": None, "bytes": b"x"}.items():
        yield f"id {name}", refused(lambda s, v=value: s.bank.get(v), "memory_id", "give")
        if name != "None":
            yield (
                f"cursor {name}",
                refused(lambda s, v=value: s.bank.list(cursor=v), "cursor", "give"),
            )
    for value in ("next", "0198-0000-7000", "%"):
        row = refused(lambda s, v=value: s.bank.list(cursor=v), "cursor", repr(value), "give")
        yield f"cursor {value}", row
    yield "id NUL", refused(lambda s: s.bank.pin("a\x00"), "memory_id", "NUL", "remove it")
    yield "id surrogate", refused(lambda s: s.bank.history("\ud800"), "memory_id", "lone surrogate")
    yield (
        "cursor surrogate",
        refused(lambda s: s.bank.list(cursor="\ud800"), "cursor", "lone surrogate"),
    )


def times() -> Iterator[tuple[str, Row]]:
    bad: dict[str, tuple[Any, tuple[str, ...]]] = {
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
    for name, (value, words) in bad.items():
        yield (
            f"remember at {name}",
            refused(lambda s, v=value: s.bank.remember("x", at=v), "at", *words),
        )
        for field in ("as_of", "known_at"):
            yield (
                f"recall {field} {name}",
                refused(lambda s, f=field, v=value: s.bank.recall("x", **{f: v}), field, *words),
            )
        for field in ("at", "valid_from", "valid_until"):
            yield (
                f"add {field} {name}",
                refused(lambda s, f=field, v=value: s.bank.add("x", **{f: v}), field, *words),
            )
    start = datetime(2026, 5, 1, tzinfo=UTC)
    for hours in (0, -1):
        yield (
            f"valid_until {hours} h after valid_from",
            refused(
                lambda s, h=hours: s.bank.add(
                    "x", valid_from=start, valid_until=start + timedelta(hours=h)
                ),
                "valid_until",
                "valid_from",
                "swap",
            ),
        )


def metadata() -> Iterator[tuple[str, Row]]:
    nested: dict[str, Any] = {}
    for _ in range(101):
        nested = {"in": nested}
    endless: list[Any] = []
    endless.append(endless)
    bad: dict[str, tuple[Any, tuple[str, ...]]] = {
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
    for name, (value, words) in bad.items():
        yield (
            f"remember metadata {name}",
            refused(lambda s, v=value: s.bank.remember("x", metadata=v), "metadata", *words),
        )
        yield (
            f"add metadata {name}",
            refused(lambda s, v=value: s.bank.add("x", metadata=v), "metadata", *words),
        )
