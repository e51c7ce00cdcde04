"""Hostile inputs and what must come of each. Data, no code.

A row is (entry point, value, outcome). Outcomes: `kept` = stored or answered, the value exactly as it was given;
`none` = nothing found, nothing changed; `harmless` = answered without an error, nothing of the value is obeyed;
`quarantined`; else the argument or setting that a typed error must name, behind the error's name.
"""

from typing import Any

from helpers.bad_input_scene import NAIVE
from helpers.hostile_texts import LABELS, METADATA, NO_LABELS, NO_METADATA, NO_TEXTS, TEXTS
from helpers.tables import rows_of

__all__ = ["ROWS"]

Row = tuple[str, Any, str]

_NAN, _INF = float("nan"), float("inf")

_NO_RECALLS = (
    *rows_of("hostile_inputs/no_recalls"),
    [],
    {"id": "x", "query": "x", "priors": {"a": _NAN}, "hot": []},
    {"id": "x", "query": "x", "priors": {1: 0.5}, "hot": []},
)
_EMPTY_RECALLS = (
    {"id": "x", "query": "x", "priors": {"' OR 1=1--": 0.5}, "hot": ["%"]},
    {"id": "x", "query": "", "priors": {"*": 1}, "hot": ["*"]},
    {"id": "x" * 10_000, "query": "x", "priors": {str(n): 0.1 for n in range(5_000)}, "hot": []},
)

_NUMBERS: tuple[tuple[str, tuple[Any, ...], str], ...] = (
    ("recall.k", (0, -1, 1_001, True, "8", 1.5, 2**70, _NAN, [8]), "InvalidInput k"),
    ("recall.deadline", (0, -1, _NAN, _INF, "1", True, 10**9), "InvalidInput deadline"),
    ("recall.mood", (-1.1, 1.1, _NAN, _INF, "sad", True), "InvalidInput mood"),
    ("recall.floor", (-0.1, 1.1, _NAN, "0", True), "InvalidInput floor"),
    ("recall.max_tokens", (0, -1, 1.5, "9", True, 2**31), "InvalidInput max_tokens"),
    ("recall.categories", ("fact", ["' OR 1=1--"], [None], 1, ["FACT"]), "InvalidInput categories"),
    ("recall.tags", ("x", [None], [""], ["x" * 257], ["\x00"], 1), "InvalidInput tags"),
    ("recall.mode", ("", "CURRENT", "current ", None, 1, ["current"]), "InvalidInput mode"),
    ("recall.as_of", ("2026-01-01", 0, _NAN, True), "InvalidInput as_of"),
    ("list.limit", (0, -1, 1.5, "5", True, 2**31), "InvalidInput limit"),
    ("list.cursor", ("", "\x00", "\ud800", 1, b"x", "%", "' OR 1=1--"), "InvalidInput cursor"),
    ("list.state", ("", "ACTIVE", "deleted", "' OR 1=1--", 1), "InvalidInput state"),
    ("learnt.since", (NAIVE, "2026-01-01", 0, True), "InvalidInput since"),
    ("learnt.limit", (0, -1, 1.5, "5", True), "InvalidInput limit"),
    ("learnt.session_id", ("", "\x00", 1, "\n"), "InvalidInput session_id"),
    ("runs.limit", (0, -5, "x", 2**40), "InvalidInput limit"),
    ("forecast.days", (0, -1, _NAN, _INF, 36_501, "9"), "InvalidInput days"),
    ("consolidate.steps", (["x"], ["expiry", "' OR 1=1--"], [None], [1]), "InvalidInput steps"),
    ("finish_pending.seconds", (0, -1, _NAN, _INF, 86_401, "5"), "InvalidInput seconds"),
    ("add.importance", (-0.1, 1.1, _NAN, _INF, "1", True), "InvalidInput importance"),
    ("import.trust", (-0.1, 1.1, _NAN, "1", True), "InvalidInput trust"),
    ("verify_audit.anchor", ("", "\x00", 1, "head", "a" * 63, "A" * 64), "InvalidInput anchor"),
    ("items.limit", (-1, 1.5, "1", True), "InvalidInput limit"),
    ("items.offset", (-1, 1.5, "1", 2**31), "InvalidInput offset"),
    ("items.path", ("a", ("",), (1,), ("x" * 1_025,), ("\x00",), None, {"a"}), "InvalidInput path"),
    ("items.key", ("x" * 513, "\x00", "\ud800", None, 1, b"k"), "InvalidInput key"),
    (
        "items.value",
        ([], "x", 1, {"x": _NAN}, {"x": {1}}, {"x": "\x00"}, {"x": b""}),
        "InvalidInput value",
    ),
    ("items.texts", ("x", [""], [None], ["\x00"], [1]), "InvalidInput texts"),
    ("feedback.recall", (None, {}, "x", 1, []), "InvalidInput recall"),
    ("feedback.answer", (None, 1, b"x", "\x00 told", "\ud800"), "InvalidInput answer"),
    ("feedback.similarity", (-0.1, 1.1, _NAN, "1", None, True, [1]), "InvalidInput similarity_fn"),
)
_IDS = (
    *rows_of("hostile_inputs/ids"),
    "0" * 10_000,
)
_NO_IDS = (
    *rows_of("hostile_inputs/no_ids"),
    b"x",
    ["x"],
)
_KEYS = (
    *rows_of("hostile_inputs/keys"),
    "x" * 512,
    "日" * 170,
)

_VECTORS = rows_of("hostile_inputs/vectors")

_FACT = {
    "turn": 0,
    "quote": "",
    "text": "owned",
    "category": "fact",
    "entities": [],
    "about": None,
    "until": None,
    "foresight": False,
}
_REPLIES = (
    *rows_of("hostile_inputs/replies"),
    [],
    {"decisions": [{"fact": 0, "action": "DELETE", "id": "unknown"}] * 2_000},
    {"facts": [dict(_FACT)] * 1_000},
    {"facts": [{"turn": 0, "text": "x" * 200_000}]},
)

_FILES: tuple[str, ...] = (
    *rows_of("hostile_inputs/files"),
    "HEAD\n" + '{"a":' * 5_000 + "1" + "}" * 5_000 + "\nEND",
)

_SETTINGS: tuple[tuple[str, str, Any], ...] = (
    *(("retrieval", "pool", value) for value in (0, -1, "64", 1.5, _NAN, True, None, 10**9)),
    *(("retrieval", "mmr_lambda", value) for value in (-0.1, 1.1, _NAN, "x")),
    *(("retrieval", "source_share", value) for value in (-0.1, 2, _NAN)),
    *(("encoding", "mode", value) for value in ("", "AUTO", None, 1)),
    *(("encoding", "secrets", value) for value in ("", "off", None)),
    *(("encoding", "timezone", value) for value in ("Mars/Base", "../../etc/passwd", 1)),
    *(
        ("encoding", "trust", value)
        for value in ({"user": -1}, {"tool": _NAN}, {"tool": "high"}, {"tool": 2})
    ),
    *(("guard", "on", value) for value in ("yes", 1, None)),
    *(("guard", "minutes", value) for value in (0, -1, _INF, "10")),
    *(("guard", "copies_most", value) for value in (0, 65, 1.5)),
    *(("limits", "content_bytes", value) for value in (0, -1, 10**12, "1 MB")),
    *(("strength", "curve", value) for value in ("", "linear", 1)),
)

_COMMANDS: tuple[tuple[tuple[str, ...], int], ...] = (
    *rows_of("hostile_inputs/commands"),
    (("audit", "verify", "--anchor", "0" * 64), 1),
    (("-n", "x" * 257, "list"), 2),
)
_TOOLS = ("", " ", "\x00", "\ud800", "x" * 1_000_001)

ROWS: tuple[Row, ...] = (
    *(("add.content", text, "kept") for text in TEXTS if text.strip()),
    *(("add.content", value, "InvalidInput content") for value in NO_TEXTS),
    *(("remember.raw", text, "kept") for text in TEXTS[:40]),
    *(("add.session_id", label, "kept") for label in LABELS),
    *(("add.session_id", value, "InvalidInput session_id") for value in NO_LABELS),
    *(("add.speaker", value, "InvalidInput speaker") for value in NO_LABELS),
    *(("add.tags", value, "InvalidInput tags") for value in NO_LABELS[:-1]),
    *(("add.metadata", value, "kept") for value in METADATA),
    *(("add.metadata", value, "InvalidInput metadata") for value in NO_METADATA),
    *(("from_json", value, "InvalidInput values") for value in _NO_RECALLS),
    *(("from_json", value, "none") for value in _EMPTY_RECALLS),
    *((act, value, told) for act, values, told in _NUMBERS for value in values),
    *(("get", value, "NotFound") for value in _IDS),
    *(("get", value, "InvalidInput memory_id") for value in _NO_IDS),
    *(("undo", value, "NotFound") for value in _IDS[:4]),
    *(
        ("forget.hard", value, "NotFound")
        for value in ("%", "*", "' OR 1=1--", "zzz", "01890000-0000-7000-8000-000000000000")
    ),
    *(
        ("recall.query", text, "harmless")
        for text in TEXTS
        if text.strip() and len(text.encode()) <= 100_000
    ),
    *(("items.exact", key, "kept") for key in _KEYS),
    *(("vectors", kind, "EmbedderUnavailable") for kind in _VECTORS),
    *(("replies", reply, "harmless") for reply in _REPLIES),
    *(("file", text, "InvalidInput") for text in _FILES),
    *(("setting", row, f"ConfigError {row[0]}.{row[1]}") for row in _SETTINGS),
    *(("command", arguments, f"exit {code}") for arguments, code in _COMMANDS),
    *(("tool.remember", value, "harmless") for value in _TOOLS),
    *(("tool.recall", value, "harmless") for value in _TOOLS),
    *(("tool.remember", text, "harmless") for text in TEXTS[:12]),
)
