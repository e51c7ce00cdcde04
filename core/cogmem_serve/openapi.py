"""The OpenAPI document of `/v1`, made from the table of operations."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from cogmem_serve.guard import INCOGNITO
from cogmem_serve.operations import OPERATIONS, Operation
from cogmem_serve.problems import ANSWERS
from cogmem_serve.schemas import Parameter, documented, schema_of

_ABOUT = (
    "Memory for agents over HTTP. Each operation is the method of the same name in Python. "
    "A key (`Authorization: Bearer KEY`) has scopes and namespaces; `namespace` may be left out "
    "where it has only one. Errors are problems as RFC 9457 tells them."
)
_PROBLEM = {
    "type": "object",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
    },
    "required": ["type", "title", "status", "detail"],
}
_NAMESPACE = {
    "name": "namespace",
    "in": "query",
    "description": "Whose memories; may be left out where the key has only one namespace.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 256},
}
_INCOGNITO = {
    "name": INCOGNITO,
    "in": "header",
    "description": "1 = nothing of the request is kept; what would change memories is refused.",
    "schema": {"type": "string", "enum": ["0", "1"]},
}
_NAMES: dict[str, Any] = {
    "type": "object",
    "properties": {"namespaces": {"type": "array", "items": {"type": "string"}}},
    "required": ["namespaces"],
}


@lru_cache(maxsize=1)
def document() -> dict[str, Any]:
    """OpenAPI 3.1, as JSON values."""
    components: dict[str, Any] = {"Problem": _PROBLEM}
    paths: dict[str, Any] = {}
    for operation in OPERATIONS:
        described = _described(operation, components)
        paths.setdefault(f"/v1{operation.path}", {})[operation.verb.lower()] = described
    paths["/v1/namespaces"] = {
        "get": {
            "operationId": "namespaces",
            "summary": "The namespaces of the key that hold something.",
            "description": "Scope: `read`.",
            "responses": _responses(_NAMES),
        }
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "cogmem", "version": "1", "description": _ABOUT},
        "security": [{"key": []}],
        "paths": dict(sorted(paths.items())),
        "components": {
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
            "responses": _problems(),
            "schemas": dict(sorted(components.items())),
        },
    }


def _described(operation: Operation, components: dict[str, Any]) -> dict[str, Any]:
    summary, _ = documented(operation.method)
    in_path = [item for item in operation.parameters if f"{{{item.name}}}" in operation.path]
    sent = [item for item in operation.parameters if item not in in_path]
    parameters = [_NAMESPACE, _INCOGNITO]
    parameters += [_parameter(item, "path", components) for item in in_path]
    described: dict[str, Any] = {
        "operationId": operation.id,
        "summary": summary,
        "description": f"Scope: `{operation.scope}`.",
    }
    if operation.has_body:
        described["requestBody"] = _body(sent, components)
    else:
        parameters += [_parameter(item, "query", components) for item in sent]
    described["parameters"] = parameters
    described["responses"] = _responses(schema_of(operation.returns, components))
    return described


def _parameter(item: Parameter, place: str, components: dict[str, Any]) -> dict[str, Any]:
    schema = schema_of(item.hint, components)
    about = {"description": item.about} if item.about else {}
    written = {"content": {"application/json": {"schema": schema}}}
    return {
        "name": item.name,
        "in": place,
        "required": item.required,
        **about,
        **(written if item.is_object else {"schema": schema}),
    }


def _body(sent: list[Parameter], components: dict[str, Any]) -> dict[str, Any]:
    properties = {}
    for item in sent:
        about = {"description": item.about} if item.about else {}
        properties[item.name] = {**schema_of(item.hint, components), **about}
    required = [item.name for item in sent if item.required]
    schema = {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        **({"required": required} if required else {}),
    }
    return {"required": bool(required), "content": {"application/json": {"schema": schema}}}


def _responses(schema: dict[str, Any]) -> dict[str, Any]:
    answer = {"description": "Done.", "content": {"application/json": {"schema": schema}}}
    problems = {
        str(status): {"$ref": f"#/components/responses/{status}"} for status in sorted(ANSWERS)
    }
    return {"200": answer, **problems}


def _problems() -> dict[str, Any]:
    schema = {"schema": {"$ref": "#/components/schemas/Problem"}}
    return {
        str(status): {"description": about, "content": {"application/problem+json": schema}}
        for status, about in ANSWERS.items()
    }
