"""Well-formed answers of a language model that is asked for facts, and for decisions."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any


def formed(*texts: str, **changes: Any) -> dict[str, Any]:
    """What it takes from one turn, of which it quotes nothing; `changes` are those of every fact."""
    plain = {
        "turn": 0,
        "quote": "",
        "category": "fact",
        "entities": [],
        "about": None,
        "until": None,
        "foresight": False,
        "passing": False,
    }
    return {"facts": [{**plain, "text": text, **changes} for text in texts]}


def decided(action: str = "ADD", memory: str | None = None, **changes: Any) -> dict[str, Any]:
    """What it decides about one fact: beside which memory, as it is called in the prompt."""
    plain = {"fact": 0, "action": action, "id": memory, "relation": None, "text": None, "links": []}
    return {"decisions": [{**plain, **changes}]}


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
            facts_of = [
                formed(turn["text"], turn=number, quote=turn["text"])["facts"][0]
                for number, turn in enumerate(data["turns"])
            ]
            return {"facts": facts_of if facts == "all" else []}
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
