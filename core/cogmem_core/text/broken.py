"""What cannot be taken as it is: characters that no database keeps (NUL, lone surrogates), texts too long to ask."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_SURROGATE = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"
_GAP = " … "


def readable(text: str) -> str:
    r"""The text with a replacement character for each broken one; two halves of a sign are joined.

    Example:
        >>> ascii(readable("caf\udce9 \ud83d\ude00"))
        "'caf\\ufffd \\U0001f600'"
    """
    if not text.isascii() and _SURROGATE.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text.replace("\x00", _REPLACEMENT)


def readable_value(value: Any) -> Any:
    """The same for every text in a JSON value, names included."""
    if isinstance(value, str):
        return readable(value)
    if isinstance(value, Mapping):
        return {readable_value(key): readable_value(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [readable_value(item) for item in value]
    return value


def shortened(text: str, limit: int) -> str:
    """A text of at most `limit` UTF-8 bytes: of a longer one the words of its beginning and its end.

    Example:
        >>> shortened("Where is it? " + "log " * 99 + "Where is my boat?", 40)
        'Where is it? log … is my boat?'
    """
    encoded = text.encode()
    if len(encoded) <= limit:
        return text
    half = (limit - len(_GAP.encode())) // 2
    start = encoded[:half].decode(errors="ignore")
    end = encoded[len(encoded) - half :].decode(errors="ignore")
    return re.sub(r"\s\S*\Z", "", start) + _GAP + re.sub(r"\A\S*\s", "", end)
