"""A LangGraph store on a cogmem bank, for agents, `runtime.store` and the tools of langmem."""

from __future__ import annotations

import asyncio
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from cogmem_core import InvalidInput
from cogmem_core.adapters.options import screened_labels
from cogmem_core.results import ItemWrite
from langchain_cogmem.convert import bank_of

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        InvalidNamespaceError,
        Item,
        ListNamespacesOp,
        MatchCondition,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        get_text_at_path,
        tokenize_path,
    )
except ImportError as error:
    raise ImportError("CogMemStore needs LangGraph: pip install 'langgraph>=1.1.10'") from error

if TYPE_CHECKING:
    import cogmem_core
    from cogmem_core import Engine, MemoryBank

__all__ = ["CogMemStore"]

_WHOLE = "$"
_EQUALITY: dict[str, Callable[[Any, Any], bool]] = {"$eq": operator.eq, "$ne": operator.ne}
_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


class CogMemStore(BaseStore):
    """Keeps an agent's items in a cogmem bank, durably; `search` compares meanings exactly.

    Every indexed text is a memory of the bank, too, so that `bank.recall` finds what agents have
    put. Dream cycles do not touch the store: an item is there until it is deleted, or until one of
    its memories is erased (`bank.forget(id, hard=True)`). The bank's setting `encoding.secrets`
    holds for values as well: by default secrets are redacted. Items do not expire: `ttl` is not
    supported.

    Args:
        bank: where the items are kept; or
        engine, namespace: the same as `bank=engine.bank(namespace)`.
        fields: the paths in a value that are indexed if `put` names none: "text",
            "messages[*].content", "$" = the whole value as JSON. A blank text is not indexed, nor
            is a value without any of the paths: langmem's tools write `{"content": ...}`, so a
            store that serves them needs "content" among these, or "$".

    Raises:
        InvalidInput: neither a bank nor engine and namespace, or both; or fields are no list of
            paths.

    Example:
        >>> import cogmem_core
        >>> from langchain_cogmem.store import CogMemStore
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     store = CogMemStore(engine=engine, namespace="alice", fields=["text"])
        ...     store.put(("memories",), "1", {"text": "Alice plays the cello"})
        ...     print(store.search(("memories",), query="cello")[0].value)
        {'text': 'Alice plays the cello'}
    """

    def __init__(
        self,
        bank: MemoryBank | None = None,
        *,
        engine: Engine | None = None,
        namespace: str | None = None,
        fields: Sequence[str] = (_WHOLE,),
    ) -> None:
        self.bank = bank_of(bank, engine, namespace)
        self.fields = _paths("fields", fields)
        self._items = self.bank.items()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Carry out operations: reads come before all writes, and the last write of an item counts.

        Raises:
            InvalidNamespaceError: a namespace is unusable.
            InvalidInput: a value is.
            EmbedderUnavailable: a text has no vector. Nothing was written.
            NotImplementedError: an item shall expire.
        """
        operations = list(ops)
        for op in operations:
            _check(op)
        results = [self._read(op) for op in operations]
        writes = [self._write(op) for op in operations if isinstance(op, PutOp)]
        if writes:
            self._items.write(writes)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """As `batch`, in a thread: the loop goes on."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _read(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            item = self._items.get(op.namespace, op.key)
            return Item(**_item_fields(item)) if item is not None else None
        if isinstance(op, SearchOp):
            return self._search(op)
        if isinstance(op, ListNamespacesOp):
            return self._namespaces(op)
        return None

    def _search(self, op: SearchOp) -> list[SearchItem]:
        query = op.query if op.query and op.query.strip() else None
        where = partial(_filter_matches, op.filter) if op.filter else None
        items = self._items.search(
            op.namespace_prefix, query=query, where=where, limit=op.limit, offset=op.offset
        )
        return [SearchItem(**_item_fields(item), score=item.score) for item in items]

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        conditions = []
        for condition in op.match_conditions or ():
            labels = screened_labels(self.bank, condition.path)
            conditions.append(condition._replace(path=labels))

        def matches(path: tuple[str, ...]) -> bool:
            return all(_path_matches(condition, path) for condition in conditions)

        paths = list(filter(matches, self._items.paths()))
        if op.max_depth is not None:
            paths = sorted({path[: op.max_depth] for path in paths})
        return paths[op.offset : op.offset + op.limit]

    def _write(self, op: PutOp) -> ItemWrite:
        if op.value is None or op.index is False:
            return ItemWrite(op.namespace, op.key, op.value)
        paths = self.fields if op.index is None else _paths("index", op.index)
        return ItemWrite(op.namespace, op.key, op.value, tuple(_texts(op.value, paths)))

    def __repr__(self) -> str:
        return f"<CogMemStore on {self.bank!r}>"


def _paths(name: str, value: object) -> tuple[str, ...]:
    if isinstance(value, (list, tuple)) and all(isinstance(path, str) and path for path in value):
        return tuple(value)
    raise InvalidInput(
        f"{name} is {value!r}; give a list of paths such as ['text', 'tags[*]'], '$' = the whole "
        "value"
    )


def _texts(value: Mapping[str, Any], paths: Sequence[str]) -> list[str]:
    texts: list[str] = []
    try:
        for path in paths:
            steps: str | list[str] = path
            if path != _WHOLE:
                steps = tokenize_path(path)
            texts += get_text_at_path(value, steps)
    except (TypeError, ValueError, RecursionError):
        return []  # The value is not JSON; the bank says what to do about that.
    return [text for text in texts if text.strip()]


def _item_fields(item: cogmem_core.results.Item) -> dict[str, Any]:
    return {
        "namespace": item.path,
        "key": item.key,
        "value": dict(item.value),
        "created_at": item.created_at,
        "updated_at": item.updated_at,
    }


def _check(op: Op) -> None:
    """Refuse an operation that the store cannot carry out.

    `BaseStore.put` and its siblings check namespaces, `batch` has to do so itself.
    """
    for path in _op_paths(op):
        for label in path:
            if not isinstance(label, str) or not label or "." in label or "\x00" in label:
                raise InvalidNamespaceError(
                    f"the label {label!r} of a namespace must be text without '.' and NUL, not "
                    "empty"
                )
    if isinstance(op, PutOp) and op.ttl is not None:
        raise NotImplementedError(
            "CogMemStore does not support ttl; delete the item when its time is over"
        )


def _op_paths(op: Op) -> list[tuple[str, ...]]:
    """The namespaces that an operation names."""
    if isinstance(op, (GetOp, PutOp)):
        return [op.namespace]
    if isinstance(op, SearchOp):
        return [op.namespace_prefix]
    if isinstance(op, ListNamespacesOp):
        return [condition.path for condition in op.match_conditions or ()]
    raise ValueError(
        f"{op!r} is no operation of a store; use GetOp, PutOp, SearchOp or ListNamespacesOp"
    )


def _path_matches(condition: MatchCondition, path: tuple[str, ...]) -> bool:
    length = len(condition.path)
    if condition.match_type == "prefix":
        part = path[:length]
    elif condition.match_type == "suffix":
        part = path[max(0, len(path) - length) :]
    else:
        raise ValueError(f"match_type is {condition.match_type!r}; use 'prefix' or 'suffix'")
    if len(part) != length:
        return False
    pairs = zip(condition.path, part, strict=True)
    return all(expected in ("*", label) for expected, label in pairs)


def _filter_matches(conditions: Mapping[str, Any], value: Mapping[str, Any]) -> bool:
    return all(_value_matches(value.get(name), expected) for name, expected in conditions.items())


def _value_matches(value: Any, expected: Any) -> bool:
    """Compare as LangGraph's stores do.

    An expected object with a `$` name is a list of conditions; any other object has to match in
    its own keys only.
    """
    if isinstance(expected, Mapping):
        if any(name.startswith("$") for name in expected):
            return all(_compares(value, name, limit) for name, limit in expected.items())
        return isinstance(value, Mapping) and _filter_matches(expected, value)
    if isinstance(expected, (list, tuple)):
        if not isinstance(value, (list, tuple)) or len(value) != len(expected):
            return False
        return all(map(_value_matches, value, expected))
    return bool(value == expected)


def _compares(value: Any, operator_name: str, limit: Any) -> bool:
    """Numbers are compared as numbers, other texts as texts.

    What cannot be compared does not match.
    """
    if operator_name in _EQUALITY:
        return _EQUALITY[operator_name](value, limit)
    if operator_name not in _COMPARISONS:
        raise ValueError(
            f"the filter operator {operator_name!r} is unknown; use "
            f"{', '.join((*_EQUALITY, *_COMPARISONS))}"
        )
    try:
        return _COMPARISONS[operator_name](float(value), float(limit))
    except (TypeError, ValueError):
        return (
            isinstance(value, str)
            and isinstance(limit, str)
            and _COMPARISONS[operator_name](value, limit)
        )
