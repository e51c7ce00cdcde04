"""Texts, labels and metadata that are kept as they were given, and what is refused (`NO_`). Data, no code."""

from __future__ import annotations

__all__ = ["LABELS", "METADATA", "NO_LABELS", "NO_METADATA", "NO_TEXTS", "TEXTS"]

_NAN, _INF = float("nan"), float("inf")

TEXTS = (
    *("' OR 1=1--", "'; DROP TABLE memories;--", 'x" OR ""="', "1); DELETE FROM journal; --", "%' OR '%'='", "\\'; --"),
    *("$ne", '{"$gt": ""}', '{"$where": "sleep(1000)"}', "${jndi:ldap://x/a}", "{{7*7}}", "<%= 7*7 %>", "#{7*7}"),
    *(
        "{0.__class__}",
        "%s%s%s%n",
        "%x" * 50,
        "{memory}",
        "{{memory}}",
        "$(rm -rf ~)",
        "`id`",
        "| cat /etc/passwd",
        "&& exit",
    ),
    *("../../etc/passwd", "..\\..\\windows", "file:///etc/passwd", "C:\\CON", "/dev/zero", "~root", "\\\\host\\share"),
    *("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "javascript:alert(1)", "<!--#exec cmd=id-->"),
    *("<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]>", "]]>", "&lt;&gt;&amp;&#0;", "\\u0000", "\\x00", "\\ud800"),
    *("__import__('os').system('id')", "cos\nsystem\n(S'id'\ntR.", "!!python/object/apply:os.system ['id']"),
    *('{"lc": 2, "type": "constructor", "id": ["os", "system"]}', "gASVFAAAAAAAAACMBXBvc2l4lIwGc3lzdGVtlJOULg=="),
    *("NaN", "Infinity", "-0", "1e309", "0x41", "null", "undefined", "true", "None", "[]", "{}", "''", '""'),
    *(
        "\u202eevil\u202c",
        "a\u200bb",
        "\ufeffbom",
        "e\u0301",
        "é",
        "Ａ",
        "ﷺ",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    ),
    *("Z" + "\u0300" * 2_000, "\U0010ffff", "\ue000", "\ufffd", "\u0378", "١٢٣", "࿕", "a\u2028b", "a\u2029b", "a\x85b"),
    *(
        "\x1b[31mred\x1b[0m",
        "\x07bell",
        "a\x08b",
        "\r\n",
        "a\tb",
        "a\r\nSet-Cookie: x=1",
        "To: a\nBcc: b",
        "a\x0cb\x0bc",
    ),
    *("w" * 100_000, "a " * 40_000, "(" * 20_000, "\\" * 20_000, '"' * 20_000, "a,b;" * 10_000, "." * 50_000),
    *("=cmd|' /C calc'!A0", "@SUM(1+1)", "-2+3+cmd", "+1", "http://[::1]:99999/", "a@b@c", "::1", "0.0.0.0"),
)
NO_TEXTS = (
    "",
    " ",
    "\n\t ",
    "\u3000",
    "a\x00",
    "\x00",
    "\ud800",
    "a\udfffb",
    None,
    0,
    1.5,
    True,
    b"x",
    [],
    {},
    ("x",),
    object,
)

LABELS = (
    *(
        "' OR 1=1--",
        "%",
        "*",
        "_",
        "$ne",
        "{}",
        "../x",
        "a b",
        "é",
        "e\u0301",
        "日本",
        "\u202ex",
        "\U0001f600",
        "x" * 256,
    ),
    *("null", "0", "{{x}}", "<b>", "\u200b", "a\u2028b"),
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
    *({"$where": "1"}, {"__proto__": {"x": 1}}, {"constructor": "x"}, {"namespace": "bob"}, {"": 1}, {" ": 1}),
    *({"id": "x", "trust": 9, "state": "active"}, {"a": {"b": {"c": [1, [2, [3]]]}}}, {"x": 2**63}, {"x": -(2**70)}),
    *(
        {"x": 1e308},
        {"x": 5e-324},
        {"x": -0.0},
        {"x": None},
        {"x": []},
        {"x": {}},
        {"' OR 1=1--": "'"},
        {"k" * 10_000: 1},
    ),
    *(
        {"quarantined": "no"},
        {"flagged": []},
        {"redacted": ["x"]},
        {"\u202e": "\u202e"},
        {str(n): n for n in range(2_000)},
    ),
)
NO_METADATA = (
    *({"x": _NAN}, {"x": _INF}, {"x": -_INF}, {"x": {1, 2}}, {"x": b"x"}, {"x": object()}, {"x": "\x00"}, {"\x00": 1}),
    *(
        {"x": "\ud800"},
        {"x": 1 + 2j},
        {"x": "y" * 100_001},
        {str(n): "v" * 20 for n in range(20_000)},
        [],
        "x",
        1,
        ("a",),
    ),
)
