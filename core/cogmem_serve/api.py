"""`/v1`: each request becomes one call of an operation, in a thread, for the holder of its key."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
from pydantic import BaseModel, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.errors import InvalidInput
from cogmem_core.text.safety.secrets import redact
from cogmem_serve.guard import Limits, bank_of, caller_of
from cogmem_serve.openapi import document
from cogmem_serve.operations import OPERATIONS, Operation
from cogmem_serve.problems import Problem
from cogmem_serve.repeats import (
    IF_MATCH,
    KEY,
    REPEATS,
    check_match,
    checked_key,
    digest_of,
    lock_of,
    matches,
)
from cogmem_serve.schemas import Parameter, model_of

_IF_NONE_MATCH = "If-None-Match"


def api_routes(limits: Limits) -> list[Route]:
    """The routes of `/v1`."""
    routes = [
        Route(
            f"/v1{operation.path}",
            Endpoint(operation, limits).answer,
            methods=[operation.verb],
            name=operation.id,
        )
        for operation in OPERATIONS
    ]
    return [
        Route("/v1/namespaces", namespaces),
        Route("/v1/openapi.json", openapi),
        *routes,
    ]


class Endpoint:
    """Checks a request against the parameters of an operation, and calls it."""

    def __init__(self, operation: Operation, limits: Limits) -> None:
        self._operation = operation
        self._limits = limits
        in_path = {part[1:-1] for part in operation.path.split("/") if part.startswith("{")}
        sent = tuple(item for item in operation.parameters if item.name not in in_path)
        self._sent: Sequence[Parameter] = sent
        self._model = model_of(operation.id, sent, strict=operation.has_body)

    async def answer(self, request: Request) -> Response:
        """Answer a request."""
        caller = caller_of(request)
        operation = self._operation
        caller.need(operation.scope)
        namespace = caller.enter(_one(request, "namespace"))
        arguments = await self._arguments(request)
        for other in arguments.get("also", ()):
            caller.enter(other)

        conditions = self._conditions(request)
        repeat = await self._repeat(request, namespace)

        def work() -> Response:
            engine = request.app.state.engine
            bank = bank_of(request, engine, namespace)
            for scope in operation.further_scopes(bank, arguments):
                caller.need_in(engine, namespace, scope)
            if repeat is None or not bank.keeps:
                return self._call(bank, arguments, conditions)
            return _once(*repeat, engine, lambda: self._call(bank, arguments, conditions))

        limiter = _readers(request, self._limits) if operation.scope == "read" else None
        return await anyio.to_thread.run_sync(work, limiter=limiter)

    def _call(
        self, bank: MemoryBank, arguments: Mapping[str, Any], conditions: Mapping[str, str]
    ) -> Response:
        operation = self._operation
        if not operation.is_of_memory or operation.scope == "read":
            body, etag = operation.call(bank, arguments)
        else:
            memory_id = arguments["memory_id"]
            with lock_of(memory_id):
                if IF_MATCH in conditions:
                    check_match(conditions[IF_MATCH], bank.get(memory_id))
                body, etag = operation.call(bank, arguments)
        if etag and (seen := conditions.get(_IF_NONE_MATCH)) and matches(seen, etag, weakly=True):
            return Response(status_code=304, headers={"etag": etag})
        return JSONResponse(body, headers={"etag": etag} if etag else None)

    def _conditions(self, request: Request) -> Mapping[str, str]:
        """What must be so for the request to be answered."""
        is_write = self._operation.scope != "read"
        name = IF_MATCH if is_write else _IF_NONE_MATCH
        if IF_MATCH in request.headers and not (is_write and self._operation.is_of_memory):
            raise InvalidInput(
                f"{IF_MATCH} is for what changes /v1/memories/{{memory_id}}; leave it out"
            )
        return {name: ",".join(given)} if (given := request.headers.getlist(name)) else {}

    async def _repeat(
        self, request: Request, namespace: str | None
    ) -> tuple[tuple[str, ...], str] | None:
        """Who sends which request that may come again, and the digest of what it asks for."""
        given = request.headers.getlist(KEY)
        if not given or self._operation.scope == "read":
            return None
        caller = caller_of(request)
        key = checked_key(",".join(given))
        name = (caller.key_id, caller.name, caller.enter(namespace) or "", key)
        address = f"{request.method} {request.url.path} {request.headers.get(IF_MATCH, '')}"
        query = json.dumps(sorted(request.query_params.multi_items()))
        return name, digest_of(address.encode(), query.encode(), await request.body())

    async def _arguments(self, request: Request) -> dict[str, Any]:
        if self._operation.has_body:
            _refuse_in_address(request)
            check = partial(self._model.model_validate_json, await request.body() or b"{}")
        else:
            check = partial(self._model.model_validate, _query(request, self._sent))
        where = "in the body" if self._operation.has_body else "as a parameter of the address"
        return {**_checked(check, self._sent, where), **request.path_params}


def _once(
    name: tuple[str, ...], digest: str, engine: Engine, call: Callable[[], Response]
) -> Response:
    """The answer of a request, or the one that was given when it came before."""
    known = REPEATS.begin(name, digest, _erased(engine))
    if known is not None:
        head, _, body = known.partition(b"\n")
        etag = {"etag": head.decode()} if head else {}
        headers = {"idempotent-replayed": "true", **etag}
        return Response(body, media_type="application/json", headers=headers)
    kept: bytes | None = None
    erased = ""
    try:
        answer = call()
        erased = _erased(engine)
        kept = answer.headers.get("etag", "").encode() + b"\n" + bytes(answer.body)
    finally:
        REPEATS.end(name, digest, kept, erased)
    return answer


def _erased(engine: Engine) -> str:
    """Tells what was erased so far from what is erased later, by whatever process."""
    with engine.open_services.ledger.whole() as reader:
        return reader.erased.mark()


def _readers(request: Request, limits: Limits) -> anyio.CapacityLimiter:
    """The threads that read at a time; made when the first one does."""
    state = request.app.state
    if not hasattr(state, "readers"):
        state.readers = anyio.CapacityLimiter(limits.readers)
    readers: anyio.CapacityLimiter = state.readers
    return readers


async def namespaces(request: Request) -> Response:
    """The namespaces of the key that hold something."""
    caller = caller_of(request)
    caller.need("read")
    names = await run_in_threadpool(caller.namespaces_of, request.app.state.engine)
    return JSONResponse({"namespaces": names})


def openapi(_: Request) -> Response:
    """The OpenAPI document."""
    return JSONResponse(document())


def _checked(check: partial[BaseModel], known: Sequence[Parameter], where: str) -> dict[str, Any]:
    """What was sent, as arguments: only what was sent.

    Args:
        check: makes a model of it.
        known: the parameters that may be sent.
        where: they are sent, for the message.

    Raises:
        Problem: 400, without the values that were sent.
    """
    try:
        model = check()
    except ValidationError as error:
        by_name = {item.name: item for item in known}
        # Of a parameter with several types there is a trouble for each.
        troubles = dict.fromkeys(
            _trouble(trouble, by_name, where)
            for trouble in error.errors(include_url=False, include_input=False)
        )
        # The name of a field that nobody knows may be anything.
        raise InvalidInput(redact("; ".join([*troubles][:10]))) from error
    return {name: getattr(model, name) for name in model.model_fields_set}


def _trouble(trouble: Mapping[str, Any], known: Mapping[str, Parameter], where: str) -> str:
    """What pydantic found, in the words of this package: the argument, and what to give."""
    if not trouble["loc"]:
        return "the body is not a JSON object; send one"
    name = str(trouble["loc"][0])
    if name not in known:
        return f"{name} is unknown; use one of {', '.join(known) or 'none'}"
    wanted = known[name].wanted
    if trouble["type"] == "missing" and len(trouble["loc"]) == 1:
        return f"{name} is missing; give {wanted} {where}"
    return f"{name} is unusable; give {wanted}"


def _refuse_in_address(request: Request) -> None:
    """Of a request with a body only the namespace stands in the address."""
    for name in request.query_params:
        if name != "namespace":
            raise InvalidInput(f"{redact(name)} stands in the address; send it in the body")


def _query(request: Request, parameters: Sequence[Parameter]) -> Mapping[str, Any]:
    """The parameters of an address by name: lists are repeated, objects are JSON."""
    by_name = {item.name: item for item in parameters}
    values: dict[str, Any] = {}
    for name in request.query_params:
        if name == "namespace":
            continue
        item = by_name.get(name)
        if item is not None and item.is_list:
            values[name] = request.query_params.getlist(name)
        elif item is not None and item.is_object:
            values[name] = _object(name, request.query_params[name])
        else:
            values[name] = _one(request, name)
    return values


def _object(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{name} is not JSON; give a JSON object") from error


def _one(request: Request, name: str) -> str | None:
    given = request.query_params.getlist(name)
    if len(given) > 1:
        raise Problem(400, f"{redact(name)} is given {len(given)} times; give it once")
    return given[0] if given else None
