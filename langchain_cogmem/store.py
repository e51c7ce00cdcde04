"""A LangGraph store on a cogmem bank, for agents, `runtime.store` and the tools of langmem."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from cogmem_core import InvalidInput
from cogmem_core.adapters.options import as_query, screened_labels
from cogmem_core.base.async_twin import async_twin
from cogmem_core.documents import drop_all_ended
from cogmem_core.edge import checks
from cogmem_core.results import ItemWrite
from cogmem_core.values.where import looked_up
from langchain_cogmem.bank_embeddings import embeddings_of
from langchain_cogmem.convert import NamespaceSource
from langchain_cogmem.run_info import RunInfo, run_banks
from langchain_cogmem.store_tasks import CoalescedCalls, Sweeper

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        IndexConfig,
        InvalidNamespaceError,
        Item,
        ListNamespacesOp,
        MatchCondition,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        TTLConfig,
        get_text_at_path,
        tokenize_path,
    )
except ImportError as error:
    raise ImportError("CogMemStore needs LangGraph: pip install 'langgraph>=1.1.10'") from error

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

    import cogmem_core
    from cogmem_core import Engine, MemoryBank
    from cogmem_core.engine.items import Items

__all__ = ["CogMemStore"]

_WHOLE = "$"
_TTL_KEYS = ("default_ttl", "refresh_on_read", "sweep_interval_minutes", "omit_expired")
_INDEX_KEYS = ("fields", "dims", "embed")
_SWEEP_MINUTES = 5.0  # as LangGraph's own stores
_MINUTE = 60.0
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
    put. Dream cycles do not touch the store: an item is there until it is deleted, until its time
    is over, or until one of its memories is erased (`bank.forget(id, hard=True)`). The bank's
    setting `encoding.secrets` holds for values as well: by default secrets are redacted.

    Items with a `ttl` (minutes) are not returned any more as soon as it is over, and are deleted
    soon after, by the engine's worker, by the next write, or by `sweep_ttl()`.

    What is awaited at the same time is carried out together: one transaction, one call of the
    embedder. Where that fails, each call is carried out by itself.

    Args:
        bank: where the items are kept. Or `engine` and `namespace`.
        engine: the engine, with `namespace`.
        namespace: of the bank; also a template ("{user_id}") or a function, sync or async, of the
            `config`, `context` or `metadata` of the run in which the store is used.
        fields: the paths in a value that are indexed if `put` names none: "text",
            "messages[*].content", "$" = the whole value as JSON. A blank text is not indexed, nor
            is a value without any of the paths. Of langmem's memories (`{"content": text}` of its
            tools, `{"kind": ..., "content": {"content": text}}` of its manager) "$" and "content"
            are the text.
        index: the same as LangGraph's stores take it: `fields`; `dims` and `embed` have to be those
            of the bank.
        ttl: as LangGraph's stores take it, in minutes: `default_ttl` for items that are put without
            one; `refresh_on_read` (True): an item that is read lives as long again;
            `sweep_interval_minutes` for `start_ttl_sweeper`.

    Raises:
        InvalidInput: neither a bank nor engine and namespace, or both; fields are no list of paths;
            index or ttl holds what the store does not do.

    Example:
        >>> import cogmem_core
        >>> from langchain_cogmem.store import CogMemStore
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     store = CogMemStore(engine=engine, namespace="alice", fields=["text"])
        ...     store.put(("memories",), "1", {"text": "Alice plays the cello"})
        ...     print(store.search(("memories",), query="cello")[0].value)
        {'text': 'Alice plays the cello'}
    """

    supports_ttl = True

    def __init__(
        self,
        bank: MemoryBank | None = None,
        *,
        engine: Engine | None = None,
        namespace: NamespaceSource = None,
        fields: Sequence[str] | None = None,
        index: IndexConfig | None = None,
        ttl: TTLConfig | None = None,
    ) -> None:
        self._source = (bank, engine, namespace)
        self._resolve_bank = run_banks(bank, engine, namespace, "use the store")
        self.fields = _indexed_fields(self._resolve_bank.engine, fields, index)
        self.ttl_config = _checked_ttl(ttl)
        self._calls: CoalescedCalls[Op, Result] = CoalescedCalls()
        self._of_runs: WeakValueDictionary[tuple[str, bool], CogMemStore] = WeakValueDictionary()
        self._sweeper = Sweeper()

    @property
    def bank(self) -> MemoryBank:
        """Where the items are kept: always, or in the run that is going on."""
        return self._resolve_bank(run=RunInfo())

    @property
    def _items(self) -> Items:
        return self.bank.items()

    def _on(self, bank: MemoryBank) -> CogMemStore:
        """The store of one namespace: what is awaited at the same time there is carried out together."""
        fixed = self._resolve_bank.fixed
        if fixed is not None and fixed.keeps == bank.keeps:
            return self
        store = CogMemStore(bank, fields=self.fields, ttl=self.ttl_config)
        return self._of_runs.setdefault((bank.namespace, bank.keeps), store)

    @property
    def index_config(self) -> IndexConfig:
        """How items are indexed, as LangGraph's stores tell it."""
        dimension = self._resolve_bank.engine.services.embedder.dimension
        return {"dims": dimension, "embed": self.embeddings, "fields": list(self.fields)}

    @property
    def embeddings(self) -> Embeddings:
        """What makes the vectors."""
        return embeddings_of(self._resolve_bank.engine)

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Carry out operations: reads come before all writes, and the last write of an item counts.

        Raises:
            InvalidNamespaceError: a namespace is unusable.
            InvalidInput: a value is.
            EmbedderUnavailable: a text has no vector. Nothing was written.
        """
        if self._resolve_bank.fixed is None:
            return self._on(self.bank).batch(ops)
        operations = list(ops)
        for op in operations:
            _check(op)
        results = [self._read(op) for op in operations]
        writes = [self._write(op) for op in operations if isinstance(op, PutOp)]
        if writes:
            self._items.write(writes)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """As `batch`, in a thread: the loop goes on. What is awaited at the same time is one batch."""
        store = self._on(await self._resolve_bank.awaited(run=RunInfo()))
        return await store._calls.run(store.batch, list(ops))

    def sweep_ttl(self) -> int:
        """Delete the items whose time is over; returns how many there were."""
        if self._resolve_bank.fixed is None:
            return drop_all_ended(self._resolve_bank.engine.open_services)
        return self._items.drop_ended()

    asweep_ttl = async_twin(sweep_ttl)

    def start_ttl_sweeper(self, sweep_interval_minutes: float | None = None) -> Future[None]:
        """Call `sweep_ttl` again and again in a thread of its own, until `stop_ttl_sweeper`.

        There is no need of it where the engine's worker runs: it does the same every half minute.

        Args:
            sweep_interval_minutes: between two sweeps, above 0; None = as configured, else 5.

        Returns:
            Done when the sweeper has stopped; cancelling it stops the sweeper.

        Raises:
            InvalidInput: it is no such number.
        """
        minutes: Any = sweep_interval_minutes
        if minutes is None:
            minutes = (self.ttl_config or {}).get("sweep_interval_minutes") or _SWEEP_MINUTES
        return self._sweeper.start(self.sweep_ttl, _minutes("sweep_interval_minutes", minutes))

    def stop_ttl_sweeper(self, timeout: float | None = None) -> bool:
        """Stop the sweeper, if it runs.

        Args:
            timeout: seconds to wait for it; None = until it has stopped.

        Returns:
            Whether it has stopped.
        """
        return self._sweeper.stop(timeout)

    def _read(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            item = self._items.get(op.namespace, op.key, refresh=op.refresh_ttl)
            return Item(**_item_fields(item)) if item is not None else None
        if isinstance(op, SearchOp):
            return self._search(op)
        if isinstance(op, ListNamespacesOp):
            return self._namespaces(op)
        return None

    def _search(self, op: SearchOp) -> list[SearchItem]:
        query = as_query(self.bank, op.query) if op.query and op.query.strip() else None
        where = partial(_filter_matches, op.filter) if op.filter else None
        items = self._items.search(
            op.namespace_prefix,
            query=query,
            where=where,
            limit=op.limit,
            offset=op.offset,
            refresh=op.refresh_ttl,
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
        if op.value is None:
            return ItemWrite(op.namespace, op.key, None)
        ttl = None if op.ttl is None else _minutes("ttl", op.ttl)
        if op.index is False:
            return ItemWrite(op.namespace, op.key, op.value, ttl=ttl)
        paths = self.fields if op.index is None else _paths("index", op.index)
        return ItemWrite(op.namespace, op.key, op.value, tuple(_texts(op.value, paths)), ttl=ttl)

    def __getstate__(self) -> dict[str, Any]:
        bank, engine, namespace = self._source
        given = {"bank": bank, "engine": engine, "namespace": namespace}
        return {**given, "fields": self.fields, "ttl": self.ttl_config}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    def __repr__(self) -> str:
        return f"<CogMemStore on {self._resolve_bank!r}>"


def _indexed_fields(
    engine: Engine, fields: Sequence[str] | None, index: IndexConfig | None
) -> tuple[str, ...]:
    """The paths that are indexed."""
    settings = _settings("index", index, _INDEX_KEYS)
    if "dims" in settings:
        dimension = engine.services.embedder.dimension
        if settings["dims"] != dimension:
            raise InvalidInput(
                f"index['dims'] is {checks.display(settings['dims'])}, the bank's vectors have {dimension}; leave "
                "it out"
            )
    embed = settings.get("embed")
    if embed is not None and embed is not embeddings_of(engine):
        raise InvalidInput(
            "index['embed'] is not what the bank embeds with; leave it out, or open the bank with "
            "cogmem_core.open(embedder=LangChainEmbedder(embed))"
        )
    indexed = settings.get("fields")
    if fields is not None and indexed is not None:
        raise InvalidInput("fields and index['fields'] are given; give one of them")
    if indexed is not None:
        return _paths("index['fields']", indexed)
    return (_WHOLE,) if fields is None else _paths("fields", fields)


def _checked_ttl(ttl: TTLConfig | None) -> TTLConfig | None:
    if ttl is None:
        return None
    settings = _settings("ttl", ttl, _TTL_KEYS)
    for name in ("default_ttl", "sweep_interval_minutes"):
        if settings.get(name) is not None:
            _minutes(f"ttl[{name!r}]", settings[name])
    checks.flag("ttl['refresh_on_read']", settings.get("refresh_on_read", True))
    if checks.flag("ttl['omit_expired']", settings.get("omit_expired", True)) is False:
        raise InvalidInput(
            "ttl['omit_expired'] is False, but an item whose time is over is never returned; leave "
            "it out"
        )
    return ttl


def _settings(name: str, given: object, known: Sequence[str]) -> dict[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not given.keys() <= set(known):
        raise InvalidInput(
            f"{name} is {checks.display(given)}; give a dict with some of {', '.join(known)}"
        )
    return dict(given)


def _minutes(name: str, value: object) -> float:
    """Minutes as seconds."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
        raise InvalidInput(f"{name} is {checks.display(value)}; give minutes, a number above 0")
    return value * _MINUTE


def _paths(name: str, value: object) -> tuple[str, ...]:
    if isinstance(value, (list, tuple)) and all(isinstance(path, str) and path for path in value):
        return tuple(value)
    raise InvalidInput(
        f"{name} is {checks.display(value)}; give a list of paths such as ['text', 'tags[*]'], '$' = the whole "
        "value"
    )


def _texts(value: Mapping[str, Any], paths: Sequence[str]) -> list[str]:
    texts: list[str] = []
    memory = _langmem_text(value)
    try:
        for path in paths:
            if memory is not None and path in (_WHOLE, "content"):
                texts.append(memory)
                continue
            steps: str | list[str] = path
            if path != _WHOLE:
                steps = tokenize_path(path)
            texts += get_text_at_path(value, steps)
    except (TypeError, ValueError, RecursionError):
        return []  # The value is not JSON; the bank says what to do about that.
    return [text for text in texts if text.strip()]


def _langmem_text(value: Mapping[str, Any]) -> str | None:
    """The text of a memory as langmem's tools or its manager write it; None = it is something else."""
    if not isinstance(value, Mapping) or not value.keys() <= {"kind", "content"}:
        return None
    content = value.get("content")
    if isinstance(content, Mapping) and content.keys() == {"content"}:
        content = content["content"]
    return content if isinstance(content, str) else None


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
                    f"the label {checks.display(label)} of a namespace must be text without '.' and NUL, not "
                    "empty"
                )
    if isinstance(op, ListNamespacesOp):
        checks.whole("limit", op.limit)
        checks.whole("offset", op.offset)
        if op.max_depth is not None:
            checks.positive("max_depth", op.max_depth)


def _op_paths(op: Op) -> list[tuple[str, ...]]:
    """The namespaces that an operation names."""
    if isinstance(op, (GetOp, PutOp)):
        return [op.namespace]
    if isinstance(op, SearchOp):
        return [op.namespace_prefix]
    if isinstance(op, ListNamespacesOp):
        return [condition.path for condition in op.match_conditions or ()]
    raise ValueError(
        f"{checks.display(op)} is no operation of a store; use GetOp, PutOp, SearchOp or ListNamespacesOp"
    )


def _path_matches(condition: MatchCondition, path: tuple[str, ...]) -> bool:
    length = len(condition.path)
    if condition.match_type == "prefix":
        part = path[:length]
    elif condition.match_type == "suffix":
        part = path[max(0, len(path) - length) :]
    else:
        raise ValueError(
            f"match_type is {checks.display(condition.match_type)}; use 'prefix' or 'suffix'"
        )
    if len(part) != length:
        return False
    pairs = zip(condition.path, part, strict=True)
    return all(expected in ("*", label) for expected, label in pairs)


def _filter_matches(conditions: Mapping[str, Any], value: Mapping[str, Any]) -> bool:
    return all(
        _value_matches(looked_up(value, name), expected) for name, expected in conditions.items()
    )


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
            f"the filter operator {checks.display(operator_name)} is unknown; use "
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
