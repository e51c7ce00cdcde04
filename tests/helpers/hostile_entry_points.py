"""The entry points that hostile inputs come in by, and the rows of the table `helpers.hostile_inputs` for each."""

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cogmem_core
from cogmem_core import InvalidInput, NotFound, Recall
from cogmem_core.results import ItemWrite
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock
from helpers.hostile_inputs import ROWS

__all__ = ["BY_ACT", "ROWS", "Hostile"]

BY_ACT: dict[str, list[tuple[Any, str]]] = defaultdict(list)
for _act, _value, _outcome in ROWS:
    BY_ACT[_act].append((_value, _outcome))


class Hostile:
    """A bank, and one method per entry point of the table; what is `kept` comes back from it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.engine = cogmem_core.open(
            embedder=CountingEmbedder(), clock=FrozenClock(), config=MANUAL
        )
        self.bank = self.engine.bank("alice")
        self.known = self.bank.remember("The heron fishes at dawn").memories[0]
        self.engine.bank("bob").remember("Bob keeps a canary")
        self.recall = self.bank.recall("heron", floor=0)

    def seqs(self) -> object:
        """Everything that an error must leave as it was."""
        paths, names = self.bank.items().paths(), self.engine.namespaces()
        with self.engine.services.ledger.whole() as reader:
            return paths, [
                (name, len(reader.at(name).turns.ids()), reader.at(name).journal.last_seq())
                for name in names
            ]

    def act(self, name: str, value: Any) -> Any:
        part, _, field = name.partition(".")
        return getattr(self, f"on_{part}")(field, value)

    def on_add(self, field: str, value: Any) -> Any:
        given = {"content": "a note", field: value}
        if field == "tags":
            given["tags"] = ["fine", value]
        memory = self.bank.add(given.pop("content"), **given)
        again = self.bank.get(memory.id)
        return getattr(again, field)

    def on_remember(self, _field: str, value: Any) -> Any:
        receipt = self.bank.remember(value, mode="raw").receipts[0]
        return (
            self.bank.get(receipt.memory_ids[0]).content if receipt.memory_ids else receipt.status
        )

    def on_recall(self, field: str, value: Any) -> Any:
        if field == "query":
            self.bank.recall(value)
            return None
        return self.bank.recall("heron", **{field: value})

    def on_from_json(self, _field: str, value: Any) -> Any:
        found = Recall.from_json(value)
        assert (found.results, found.hot) == ((), ())
        assert self.bank.feedback(found, "an answer") == ()

    def on_list(self, field: str, value: Any) -> Any:
        return self.bank.list(**{field: value})

    def on_learnt(self, field: str, value: Any) -> Any:
        return self.bank.learnt(**{field: value})

    def on_runs(self, _field: str, value: Any) -> Any:
        return self.bank.consolidation_runs(limit=value)

    def on_forecast(self, _field: str, value: Any) -> Any:
        return self.bank.forecast(value)

    def on_consolidate(self, _field: str, value: Any) -> Any:
        return self.bank.consolidate(steps=value)

    def on_finish_pending(self, _field: str, value: Any) -> Any:
        return self.bank.finish_pending(seconds=value)

    def on_import(self, _field: str, value: Any) -> Any:
        return self.bank.import_("nowhere.jsonl", trust=value)

    def on_verify_audit(self, _field: str, value: Any) -> Any:
        return self.bank.verify_audit(anchor=value)

    def on_items(self, field: str, value: Any) -> Any:
        items = self.bank.items()
        if field == "exact":
            items.put(("p", "*"), value, {"v": value}, texts=["a text"])
            found = items.get(("p", "*"), value)
            items.delete(("p", "*"), value)
            return found.key if found and found.value == {"v": value} else None
        if field in ("limit", "offset"):
            return items.search(**{field: value})
        given = {"path": ("p",), "key": "k", "value": {"x": 1}, "texts": ("t",), field: value}
        if field == "value":
            return items.put(given["path"], given["key"], value)
        return items.write([ItemWrite(**given)])

    def on_feedback(self, field: str, value: Any) -> Any:
        if field == "similarity":
            return self.bank.feedback(self.recall, "an answer", similarity_fn=lambda *_: value)
        given = {"recall": self.recall, "answer": "an answer", field: value}
        return self.bank.feedback(given["recall"], given["answer"])

    def on_get(self, _field: str, value: Any) -> Any:
        calls: tuple[Callable[[Any], Any], ...] = (
            self.bank.pin,
            self.bank.history,
            self.bank.explain,
            self.bank.restore,
        )
        for call in calls:
            with pytest.raises((NotFound, InvalidInput)):
                call(value)
        return self.bank.get(value)

    def on_undo(self, _field: str, value: Any) -> Any:
        return self.bank.undo(value)

    def on_forget(self, _field: str, value: Any) -> Any:
        return self.engine.bank("bob").forget(value, hard=True)

    def on_tool(self, field: str, value: Any) -> Any:
        from langchain_cogmem import create_memory_tools

        recall, remember = create_memory_tools(self.bank)
        told = (
            remember.invoke({"content": value})
            if field == "remember"
            else recall.invoke({"query": value})
        )
        assert isinstance(told, str)
        assert told
