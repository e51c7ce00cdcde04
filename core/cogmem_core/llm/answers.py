"""Schemas for chat models, and what they answered: JSON out of prose, and tokens. Pure."""

# ruff: noqa: SIM905 - a table is read as a table

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from cogmem_core.errors import CogMemError
from cogmem_core.ports import Usage
from cogmem_core.text.thoughts import without_thoughts

Model = TypeVar("Model", bound=BaseModel)
Messages = Sequence[Mapping[str, Any]]
"""What is said to a model: a role and a content each."""


class LLMUnavailable(CogMemError):
    """The model did not answer: no network, no key, refused by the server, or too late.

    Internal: see `run_skill`.
    """


class LLMOutputError(CogMemError):
    """The model's answer is unusable: refused, cut off, empty, no JSON, of another shape.

    Internal: see `run_skill`.

    The message never holds what the model said, which may quote a memory.

    Attributes:
        usage: the tokens of the answer, which were spent all the same.
    """

    usage = Usage()


# Keywords that strict structured output refuses or that only cost tokens; pydantic still checks
# them in the answer.
_DROPPED_KEYWORDS = frozenset(
    "default title format pattern minLength maxLength minimum maximum exclusiveMinimum "
    "exclusiveMaximum multipleOf "
    "minItems maxItems uniqueItems examples discriminator".split()
)
_STARTS = 50
_FENCED = re.compile(r"```[A-Za-z]{0,10}[ \t]*\r?\n(.*?)```", re.DOTALL)


def json_schema_format(model: type[BaseModel]) -> dict[str, Any]:
    """The `response_format` for strict structured output: all keys required, nothing additional."""
    schema = {"name": model.__name__, "strict": True, "schema": _strict(model.model_json_schema())}
    return {"type": "json_schema", "json_schema": schema}


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return list(map(_strict, node))
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return {"$ref": node["$ref"]}  # keywords beside a reference are refused
    result = {key: _strict(value) for key, value in node.items() if key not in _DROPPED_KEYWORDS}
    for table in ("properties", "$defs"):
        if table in node:  # here the keys are names, not keywords
            result[table] = {name: _strict(value) for name, value in node[table].items()}
    if "properties" in result:
        result |= {"required": list(result["properties"]), "additionalProperties": False}
    return result


def with_schema(messages: Messages, model: type[BaseModel]) -> list[dict[str, Any]]:
    """The messages, the schema in the system message, for endpoints without `response_format`."""
    schema = json.dumps(_strict(model.model_json_schema()), ensure_ascii=False)
    rule = (
        f"Answer with one JSON object that fits this JSON schema, and with nothing else:\n{schema}"
    )
    first, *following = map(dict, messages or [{"role": "user", "content": ""}])
    # Endpoints may refuse a second system message, so there is only ever one.
    if first["role"] != "system":
        return [{"role": "system", "content": rule}, first, *following]
    return [{**first, "content": f"{first['content']}\n\n{rule}"}, *following]


def parse_completion(body: bytes) -> tuple[str, Usage]:
    """The text and the tokens of a chat completion.

    Raises:
        LLMOutputError: not a chat completion, no choices, a refusal, cut off by the token limit, or
            no text.
    """
    try:
        completion = json.loads(body)
        fields = _table(completion.get("usage"))
        counts = (fields.get("prompt_tokens"), fields.get("completion_tokens"))
        prompt, answer = (count if isinstance(count, int) and count >= 0 else 0 for count in counts)
        usage = Usage(prompt_tokens=prompt, completion_tokens=answer)
        choices = completion.get("choices")
    except (ValueError, AttributeError, RecursionError) as error:
        raise LLMOutputError("the server's answer is not a chat completion") from error
    try:
        return _text(choices), usage
    except LLMOutputError as error:
        error.usage = usage
        raise


def _text(choices: Any) -> str:
    if not isinstance(choices, list) or not choices:
        raise LLMOutputError("the answer has no choices")
    choice = _table(choices[0])
    message = _table(choice.get("message"))
    reason = choice.get("finish_reason")
    if message.get("refusal") or reason == "content_filter":
        raise LLMOutputError("the model refused to answer")
    if reason == "length":
        raise LLMOutputError("the answer was cut off by the token limit")
    content = message.get("content")
    if not isinstance(content, str) or not content.strip():
        raise LLMOutputError("the answer is empty")
    return content


def _table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def validated(text: str, model: type[Model]) -> Model:
    """The first JSON object in the text that fits the model.

    Candidates are the whole text, then fenced blocks, then objects inside prose.

    Raises:
        LLMOutputError: there is none; says which fields of the first candidate are wrong.
    """
    problem = "the answer holds no JSON object"
    # A whole answer comes first: its texts may speak of the tags round thoughts.
    for candidate in (text, *_candidates(without_thoughts(text))):
        try:
            return model.model_validate_json(candidate)
        except ValidationError as error:
            if (
                problem == "the answer holds no JSON object"
                and error.errors()[0]["type"] != "json_invalid"
            ):
                problem = f"the answer does not fit {model.__name__}: {misfits(error)}"
    raise LLMOutputError(problem)


def _candidates(text: str) -> Iterator[str]:
    yield text
    for match in _FENCED.finditer(text):
        yield match[1]
    decoder = json.JSONDecoder()
    position = 0
    for _ in range(_STARTS):
        position = text.find("{", position)
        if position < 0:
            return
        try:
            _, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            position += 1
        else:
            yield text[position:end]
            position = end


def misfits(error: ValidationError) -> str:
    """Where and what, without the values."""
    listed = (".".join(map(str, item["loc"])) + f" ({item['type']})" for item in error.errors()[:3])
    return ", ".join(listed)
