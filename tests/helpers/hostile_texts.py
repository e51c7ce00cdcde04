"""Texts, labels and metadata that are kept as they were given, and what is refused (`NO_`). Data, no code."""

from helpers.tables import rows_of

__all__ = ["LABELS", "METADATA", "NO_LABELS", "NO_METADATA", "NO_TEXTS", "TEXTS"]

_NAN, _INF = float("nan"), float("inf")

TEXTS = (
    *rows_of("hostile_texts/texts"),
    "%x" * 50,
    "Z" + "\u0300" * 2_000,
    "w" * 100_000,
    "a " * 40_000,
    "(" * 20_000,
    "\\" * 20_000,
    '"' * 20_000,
    "a,b;" * 10_000,
    "." * 50_000,
)
NO_TEXTS = (
    *rows_of("hostile_texts/no_texts"),
    b"x",
    [],
    object,
)

LABELS = (
    *rows_of("hostile_texts/labels"),
    "x" * 256,
)
NO_LABELS = (
    "",
    " ",
    "\t",
    "a\nb",
    "a\x00b",
    "a\x1bb",
    "a\x7fb",
    "a\x9fb",
    "\ud83d",
    "x" * 257,
    0,
    b"x",
    ["x"],
    {"x": 1},
    True,
)

METADATA = (
    *rows_of("hostile_texts/metadata"),
    {"x": 2**63},
    {"x": -(2**70)},
    {"k" * 10_000: 1},
    {str(n): n for n in range(2_000)},
)
NO_METADATA = (
    {"x": _NAN},
    {"x": _INF},
    {"x": -_INF},
    {"x": {1, 2}},
    {"x": b"x"},
    {"x": object()},
    {"x": "\x00"},
    {"\x00": 1},
    {"x": "\ud800"},
    {"x": 1 + 2j},
    {"x": "y" * 100_001},
    {str(n): "v" * 20 for n in range(20_000)},
    [],
    "x",
    1,
    ("a",),
)
