"""Well-formed answers of a language model that is asked for facts, and for decisions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any


def formed(text: str) -> dict[str, Any]:
    plain = {
        "turn": 0,
        "quote": "",
        "text": text,
        "category": "fact",
        "entities": [],
        "about": None,
        "until": None,
    }
    return {"facts": [{**plain, "foresight": False, "passing": False}]}


def lazy(facts: str, action: str, named: str) -> Callable[[Sequence[Mapping[str, str]]], Any]:
    """A model that gives the same well-formed answer to everything.

    Args:
        facts: "all" = each turn is a fact, as it was said.
        action: what it decides about each.
        named: the relation to the memory that it names; "" = it names none.
    """

    def answer(messages: Sequence[Mapping[str, str]]) -> dict[str, Any]:
        data = json.loads(messages[-1]["content"].removeprefix("<data>").removesuffix("</data>"))
        if "turns" in data:
            said = [turn["text"] for turn in data["turns"]]
            return {
                "facts": [
                    {**formed(text)["facts"][0], "turn": number, "quote": text}
                    for number, text in enumerate(said)
                    if facts == "all"
                ]
            }
        return {
            "decisions": [
                {
                    "fact": fact["fact"],
                    "action": action,
                    "id": fact["candidates"][0]["id"] if named else None,
                    "relation": named or None,
                    "text": None,
                    "links": [],
                }
                for fact in data["facts"]
            ]
        }

    return answer
