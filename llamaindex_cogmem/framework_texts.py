"""Texts that LlamaIndex writes in the name of a person or a model.

They bear no mark, so they are known by their wording; a test compares it with that of the installed
version.
"""

from __future__ import annotations

import re

__all__ = ["by_framework", "only_code", "repeats_tool_output"]

_CODE = re.compile(r"<execute>(.*?)</execute>", re.DOTALL)  # as `CodeActAgent` looks for it
_TEXTS = (
    # What code that a `CodeActAgent` wrote has printed.
    r"Result of executing the code given:\n",
    # What a `ReActAgent` asks its model for once more.
    r"FAILURE: Your previous response was empty\."
    r"\nYou must output a thought and an action/answer\.",
    r"Error while parsing the output: .*\n\nThe output should be in one of the following formats:",
    # What the tool says by which one agent of a workflow hands over to another.
    r"Agent .* is now handling the request due to the following reason: .*"
    r"\.\nPlease continue with the current request\.",
)
_PATTERN = re.compile("|".join(f"(?:{text})" for text in _TEXTS), re.DOTALL)
_OBSERVATION = "Observation:"


def by_framework(text: str, *, acting: bool = False) -> bool:
    r"""Whether LlamaIndex itself wrote a text that stands in the name of a person or a model.

    Args:
        text: what is said.
        acting: a model called a tool just before: what a ReAct agent observes is not a person's
            word then.

    Example:
        >>> by_framework("Result of executing the code given:\n\n42")
        True
        >>> by_framework("Observation: it rains.")
        False
    """
    stripped = text.lstrip()
    return _PATTERN.match(stripped) is not None or (acting and stripped.startswith(_OBSERVATION))


def only_code(text: str) -> bool:
    """Whether a model's answer is there to run code: what it says beside it, it says to itself."""
    return any(code.strip() for code in _CODE.findall(text))


def repeats_tool_output(text: str) -> bool:
    r"""Whether a ReAct agent's answer is what a tool returned, and no model said it.

    Example:
        >>> repeats_tool_output("Thought: I look.\nAction: look\nObservation: Rain\nThought: Rain\nAnswer: Rain")
        True
    """
    _, _, answer = text.rpartition("\nAnswer: ")
    return bool(answer) and text.endswith(
        f"{_OBSERVATION} {answer}\nThought: {answer}\nAnswer: {answer}"
    )
