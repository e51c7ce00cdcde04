"""The OpenAPI document of `/v1`, made from the table of operations."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from cogmem_core.models import Memory
from cogmem_serve.guard import INCOGNITO
from cogmem_serve.operations import OPERATIONS, Operation
from cogmem_serve.problems import ANSWERS
from cogmem_serve.repeats import IF_MATCH, KEY
from cogmem_serve.schemas import Parameter, documented, schema_of

Schema = dict[str, Any]
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
_REPEATED = {
    "name": KEY,
    "in": "header",
    "description": "A request with it is carried out once: sent again within a day, also after a broken connection, "
    "it gets the same answer, with the header `Idempotent-Replayed: true`. Answers are forgotten when the server "
    "ends, and with every erasure.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
}
_MATCHED = {
    "name": IF_MATCH,
    "in": "header",
    "description": "The `ETag` of the memory as it was seen: if it changed since, nothing is done (412).",
    "schema": {"type": "string"},
}
_ETAG = {"ETag": {"description": "Changes with the memory.", "schema": {"type": "string"}}}
_TAGS = {
    "memories": (
        "memories",
        "remember",
        "forget",
        "seal",
        "unseal",
        "settle-versions",
        "doubts",
        "asked",
        "learnt",
    ),
    "recall": ("recall", "why-not", "tip-of-tongue", "feedback", "profile"),
    "conversations": ("transcript", "observe", "reflect"),
    "plans": ("intentions", "due", "settle", "procedures", "runs", "outcome"),
    "people": ("reviews",),
    "nights": ("dreams", "forecast"),
    "oversight": ("audit", "audit-trail", "erasures", "health", "namespaces"),
}
"""The first part of a path, or its beginning, by the tag of its operations."""
_ID = "0198f3a2-7c1e-7b3a-9d52-3f6a1b2c4d5e"
EXAMPLES: dict[str, Schema] = {
    "remember": {"content": "I moved to Lisbon in May.", "session_id": "monday"},
    "recall": {"query": "Where do I live?", "k": 5},
    "why_not": {"memory_id": _ID, "query": "Where do I live?"},
    "tip_of_tongue": {"query": "the cafe by the river"},
    "feedback": {
        "recall": {"id": "r-1", "query": "Where do I live?", "priors": {}, "hot": []},
        "answer": "You live in Lisbon.",
    },
    "add": {"content": "Ana is allergic to nuts.", "category": "fact", "tags": ["health"]},
    "edit": {"content": "I moved to Lisbon in April."},
    "supersede": {"content": "I live in Porto now."},
    "seal": {"topic": "health"},
    "unseal": {"topic": "health"},
    "end": {"at": "2026-05-01T00:00:00+01:00"},
    "asked": {"ask_id": f"{_ID}:{_ID}"},
    "settle_versions": {"keep": _ID},
    "forget": {"id_or_query": "the old flat", "hard": False},
    "forget_matching": {"query": "everything about the old flat", "dry_run": True},
    "forget_session": {"session_id": "monday"},
    "forget_all": {"confirm": "alice"},
    "observe": {"messages": [{"role": "user", "content": "I prefer trains."}]},
    "append_messages": {
        "turns": [{"role": "user", "content": "Hello, I am Ana."}],
        "session_id": "monday",
    },
    "intend": {
        "text": "Water the basil",
        "at": "2027-05-01T09:00:00+01:00",
        "times": 10,
        "every": "2 days",
    },
    "due": {"turn": "Marta calls", "session_id": "monday"},
    "settle": {"record_id": _ID, "outcome": "done"},
    "observe_run": {
        "task": "book a table",
        "session_id": "monday",
        "calls": [{"tool": "book_table", "arguments": {"seats": 4}, "ok": True}],
        "ok": True,
    },
    "outcome": {"run": _ID, "ok": True},
    "approve": {"keep_both": False},
    "consolidate": {"dry_run": True},
}
"""What may be sent, by operation."""
_NAMES: Schema = {
    "type": "object",
    "properties": {"namespaces": {"type": "array", "items": {"type": "string"}}},
    "required": ["namespaces"],
}


@lru_cache(maxsize=1)
def document() -> Schema:
    """OpenAPI 3.1, as JSON values."""
    components: Schema = {"Problem": _PROBLEM}
    paths: Schema = {}
    for operation in OPERATIONS:
        described = _described(operation, components)
        paths.setdefault(f"/v1{operation.path}", {})[operation.verb.lower()] = described
    paths["/v1/namespaces"] = {
        "get": {
            "operationId": "namespaces",
            "summary": "The namespaces of the key that hold something.",
            "description": "Scope: `read`.",
            "tags": ["oversight"],
            "responses": _responses(_NAMES),
        }
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "cogmem", "version": "1", "description": _ABOUT},
        "security": [{"key": []}],
        "tags": [{"name": name} for name in _TAGS],
        "paths": dict(sorted(paths.items())),
        "components": {
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
            "responses": _problems(),
            "schemas": dict(sorted(components.items())),
        },
    }


def _described(operation: Operation, components: Schema) -> Schema:
    summary, _ = documented(operation.method)
    in_path = [item for item in operation.parameters if f"{{{item.name}}}" in operation.path]
    sent = [item for item in operation.parameters if item not in in_path]
    parameters = [_NAMESPACE, _INCOGNITO]
    parameters += [_parameter(item, "path", components) for item in in_path]
    described: Schema = {
        "operationId": operation.id,
        "summary": summary,
        "description": f"Scope: `{operation.scope}`.",
        "tags": [_tag(operation.path)],
    }
    if operation.scope != "read":
        parameters.append(_REPEATED)
        parameters += [_MATCHED] if operation.is_of_memory else []
    if operation.has_body:
        described["requestBody"] = _body(sent, components, EXAMPLES.get(operation.id))
    else:
        parameters += [_parameter(item, "query", components) for item in sent]
    described["parameters"] = parameters
    described["responses"] = _responses(schema_of(operation.returns, components))
    if operation.is_of_memory and operation.returns is Memory:
        described["responses"]["200"]["headers"] = _ETAG
    return described


def _tag(path: str) -> str:
    return next(tag for tag, names in _TAGS.items() if path[1:].startswith(names))


def _parameter(item: Parameter, place: str, components: Schema) -> Schema:
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


def _body(sent: list[Parameter], components: Schema, example: Schema | None) -> Schema:
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
    content = {"schema": schema, **({"example": example} if example else {})}
    return {"required": bool(required), "content": {"application/json": content}}


def _responses(schema: Schema) -> Schema:
    answer = {"description": "Done.", "content": {"application/json": {"schema": schema}}}
    problems = {
        str(status): {"$ref": f"#/components/responses/{status}"} for status in sorted(ANSWERS)
    }
    return {"200": answer, **problems}


def _problems() -> Schema:
    schema = {"schema": {"$ref": "#/components/schemas/Problem"}}
    return {
        str(status): {"description": about, "content": {"application/problem+json": schema}}
        for status, about in ANSWERS.items()
    }
