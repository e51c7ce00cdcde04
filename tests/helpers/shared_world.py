"""Principals who share namespaces, act at random, and are watched: nobody sees what no grant shows to it.

What may be seen is worked out here a second time, from a plain list of grants. Each namespace has a word that stands
nowhere else; whoever derives a memory from others quotes theirs. Whatever a call returns or raises is searched for such
words and for ids of memories.
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from cogmem_core import Engine, InvalidInput, Memory, MemoryBank, NotAllowed, NotFound, Protected
from cogmem_core.models import Grant
from cogmem_core.testing import FrozenClock
from cogmem_serve.report import report_page
from helpers.lookalike_namespaces import canary
from helpers.tables import rows_of

RIGHTS = ("read", "write", "review", "admin")
NEEDS = dict(rows_of("shared_world/needs"))
SELDOM = frozenset(("audit", "forecast", "verify", "export", "report", "consolidate", "erase"))
_MARKS = re.compile(r"zq[a-j]{4}x|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass
class World:
    """Some principals and namespaces of one engine.

    Attributes:
        calls: how often each act was allowed, and how often refused.
    """

    engine: Engine
    folder: Path
    clock: FrozenClock
    principals: int
    namespaces: int
    seed: int = 0
    owners: dict[str, str | None] = field(default_factory=dict)
    needed: dict[str, frozenset[str]] = field(default_factory=dict)
    grants: dict[str, Grant] = field(default_factory=dict)
    calls: dict[tuple[str, bool], int] = field(default_factory=dict)
    typed: str = ""

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        kinds = ("org/{}", "team:{}", "lab.{}", "alone{}")
        self.names = [kinds[number % 4].format(number) for number in range(self.namespaces)]
        self.words = {name: canary(number) for number, name in enumerate(self.names)}
        self.needed.update((word, frozenset([name])) for name, word in self.words.items())
        for number in range(self.principals):
            name = f"p{number}"
            owner = self.random.choice([None, None, *self.owners]) if number > 3 else None
            kind = "person" if owner is None else "agent"
            self.engine.add_principal(name, kind=kind, owner=owner)
            self.owners[name] = owner
        for number, name in enumerate(self.names):
            self.grant(f"p{number % 4}", name, "admin")
            self.note(self.engine.bank(name).remember(f"We keep the {self.words[name]} here"), name)
            for principal in self.random.sample(sorted(self.owners), 3):
                self.grant(principal, name, self.random.choice(RIGHTS))
        for principal in self.owners:
            self.grant(principal, "*" if self.owners[principal] else "org/*", "write")

    # What the grants say, worked out once more.

    def level(self, principal: str, namespace: str) -> int:
        """0 = nothing, 1 = read, ... 4 = admin; the least of the principal's and its owners'."""
        least = 4
        current: str | None = principal
        while current is not None:
            own, cap = 0, 4
            for grant in self.grants.values():
                over = grant.until is not None and grant.until <= self.clock()
                if grant.principal != current or over or not named(grant.namespaces, namespace):
                    continue
                rank = RIGHTS.index(grant.right) + 1
                own = max(own, rank) if grant.effect == "allow" else own
                cap = min(cap, rank - 1) if grant.effect == "deny" else cap
            least = min(least, own, cap)
            current = self.owners[current]
        return least

    def reads(self, principal: str, names: frozenset[str]) -> bool:
        return all(self.level(principal, name) >= 1 for name in names)

    def grant(self, principal: str, namespaces: str, right: str, **options: Any) -> None:
        made = self.engine.grant(principal, namespaces, right, **options)
        self.grants[made.id] = made

    # What was written, and who may see it.

    def note(self, result: Any, namespace: str) -> None:
        """Ids that a call may have made are of its namespace, unless they are known already."""
        for mark in _MARKS.findall(repr(result)):
            self.needed.setdefault(mark, frozenset([namespace]))

    def settle(self, namespace: str) -> None:
        """Take down what there is now in a namespace: what its memories need is told by the operator's list."""
        for memory in self.engine.bank(namespace).list(state="any", limit=100_000):
            self.needed[memory.id] = frozenset(memory.namespace.split("\x1f"))
        for review in self.engine.bank(namespace).reviews(None):
            self.needed[review.id] = frozenset(review.namespace.split("\x1f"))

    def visible(self, principal: str, namespace: str) -> set[str]:
        """The ids of all memories of a namespace that a principal may see."""
        every = self.engine.bank(namespace).list(state="any", limit=100_000)
        return {m.id for m in every if self.reads(principal, frozenset(m.namespace.split("\x1f")))}

    def check(self, principal: str, act: str, result: object, typed: str) -> None:
        """Nothing in a result, or in an error, is of a namespace that the principal may not read."""
        text = repr(result).replace(typed, "") if typed else repr(result)
        for mark in _MARKS.findall(text):
            names = self.needed.get(mark, frozenset())
            assert self.reads(principal, names), f"{act} shows {mark} of {names} to {principal}"

    # Acting.

    def step(self) -> None:
        """One operation of a principal, or one change of grants."""
        if self.random.random() < 0.05:
            self.change_grants()
            return
        principal = self.random.choice(sorted(self.owners))
        name = self.random.choice(self.names)
        acts = sorted(NEEDS)
        weights = [1 if act in SELDOM else 6 for act in acts]
        (act,) = self.random.choices(acts, weights)
        bank = self.engine.as_(principal).bank(name)
        other = self.random.choice(self.names)
        allowed = self.level(principal, name) > RIGHTS.index(NEEDS[act])
        if act == "recall_also":
            allowed = allowed and self.level(principal, other) >= 1
        before = self.visible_ids(name) if not allowed else set()
        method: Callable[[MemoryBank, str, str], tuple[Any, str]] = getattr(self, f"do_{act}")
        error: NotAllowed | NotFound | InvalidInput | None = None
        result, typed = None, ""
        try:
            result, typed = method(bank, principal, other)
        except (NotAllowed, NotFound, InvalidInput) as raised:
            error = raised
        if isinstance(error, NotAllowed):
            assert not allowed, f"{act} of {principal} on {name}: {error}"
            assert self.visible_ids(name) == before, f"{act} was refused and changed something"
            self.check(principal, act, str(error), "")
        elif error is not None:
            self.check(principal, act, str(error), self.typed)
        else:
            assert allowed, f"{act} of {principal} on {name} was not refused"
            if NEEDS[act] != "read":
                self.settle(name)
                self.note(result, name)
            self.check(principal, act, result, typed)
        self.calls[act, allowed] = self.calls.get((act, allowed), 0) + 1

    def visible_ids(self, name: str) -> set[tuple[str, str, int]]:
        every = self.engine.bank(name).list(state="any", limit=100_000)
        return {(m.id, m.state, m.version) for m in every}

    def change_grants(self) -> None:
        """Grant, deny or revoke something; what an ended grant had shown is withdrawn."""
        kind = self.random.random()
        principal = self.random.choice(sorted(self.owners))
        namespaces = self.random.choice([*self.names, "org/*", "team:*", "lab.*"])
        right = self.random.choice(RIGHTS)
        if kind < 0.4 and len(self.grants) > self.principals:
            grant_id = self.random.choice(sorted(self.grants))
            self.engine.revoke(grant_id)
            del self.grants[grant_id]
        elif kind < 0.5:
            self.grant(principal, namespaces, right, effect="deny")
        elif kind < 0.6:
            until = self.clock() + timedelta(hours=self.random.randrange(1, 100))
            self.grant(principal, namespaces, right, until=until)
        elif kind < 0.7:
            self.clock.advance(hours=self.random.randrange(1, 48))
            self.engine.tick()
        else:
            self.grant(principal, namespaces, right)
        self.check_withdrawn()

    def check_withdrawn(self) -> None:
        """What a principal derived from what it may not read any more is forgotten."""
        for name in self.random.sample(self.names, min(5, len(self.names))):
            for memory in self.engine.bank(name).list(limit=100_000):
                writer = memory.metadata.get("cogmem_written_by")
                names = frozenset(memory.namespace.split("\x1f")[1:])
                if writer and names:
                    assert self.reads(str(writer), names), (writer, memory.namespace)

    def some_id(self) -> str:
        return self.random.choice([mark for mark in self.needed if not mark.startswith("zq")])

    def readable_memory(self, principal: str) -> Memory | None:
        """A memory of any namespace that a principal finds by itself."""
        for name in self.random.sample(self.names, min(6, len(self.names))):
            if self.level(principal, name) >= 1:
                found = self.engine.as_(principal).bank(name).list(limit=50)
                if len(found):
                    return self.random.choice(list(found))
        return None

    def do_remember(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        word = self.words[bank.namespace]
        number = self.random.randrange(30)
        return bank.remember(f"We moved the {word} to shelf {number}", session_id="s"), ""

    def do_add(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        return bank.add(f"{self.words[bank.namespace]} {self.random.randrange(30)}"), ""

    def do_derive(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        source = self.readable_memory(principal)
        if source is None:
            return bank.add("nothing to derive"), ""
        quoted = " ".join(sorted(set(re.findall(r"zq[a-j]{4}x", source.content))))
        made = bank.add(f"derived from {quoted} for {self.words[bank.namespace]}", support=[source])
        self.needed[made.id] = frozenset(made.namespace.split("\x1f"))
        return made, ""

    def do_recall(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        query = f"where is the {self.words[self.random.choice([bank.namespace, other])]}?"
        found = bank.recall(query, k=50, floor=0)
        foreign = self.some_id()
        shown = (found.results, found.withheld, found.hot, found.context(), found.explain())
        missed = found.missed(foreign).replace(foreign, "")
        # What others keep apart moves no score.
        scores = {item.memory.id: item.score for item in found}
        every = self.engine.bank(bank.namespace).recall(query, k=200, floor=0)
        theirs = {item.memory.id: item.score for item in every}
        assert scores.items() <= theirs.items()
        return (shown, missed), query

    def do_recall_also(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        query = f"the {self.words[other]} of {self.words[bank.namespace]}"
        found = bank.recall(query, k=30, floor=0, also=[other])
        return (found.results, found.withheld, found.hot), query

    def do_get(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        self.typed = self.some_id()
        found = bank.get(self.typed)
        assert self.needed[found.id] >= {bank.namespace}
        return found, ""

    def do_list(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        found = bank.list(state="any", limit=100_000)
        assert {m.id for m in found} == self.visible(principal, bank.namespace)
        ids: list[str] = []
        page = bank.list(state="any", limit=3)
        while True:
            ids += [m.id for m in page]
            if page.cursor is None:
                break
            page = bank.list(state="any", limit=3, cursor=page.cursor)
        assert ids == [m.id for m in found]
        return list(found), ""

    def do_count(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        assert bank.count(state="any") == len(self.visible(principal, bank.namespace))
        return None, ""

    def do_health(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        health = bank.health()
        mine = self.engine.bank(bank.namespace).list(state="any", limit=100_000)
        own = [memory for memory in mine if memory.namespace == bank.namespace]
        assert (health["memories"], health["index_lag"]) == (len(own), 0)
        return health, ""

    def do_audit(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        return (bank.audit(), bank.learnt(limit=1_000).lines), ""

    def do_forecast(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        return bank.forecast(), ""

    def do_verify(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        trail = bank.verify_audit()
        assert trail.ok
        return trail, ""

    def do_export(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        file = self.folder / "out.jsonl"
        assert bank.export(file) == len(self.visible(principal, bank.namespace))
        return file.read_text(encoding="utf-8"), ""

    def do_explain(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        self.typed = memory_id = self.some_id()
        story = bank.explain(memory_id)
        return (
            story,
            bank.history(memory_id),
            bank.relations(memory_id),
            bank.versions(memory_id),
        ), ""

    def do_tip(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        query = f"something about the {self.words[other]}"
        return bank.tip_of_tongue(query), query

    def do_feedback(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        query = f"where is the {self.words[bank.namespace]}?"
        found = bank.recall(query, k=5, floor=0)
        return bank.feedback(found, f"The {self.words[bank.namespace]} is on the shelf."), query

    def do_items(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        query = self.words[other]
        return (bank.items().search(query=query), bank.items().paths()), query

    def do_put_item(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        word = self.words[bank.namespace]
        return bank.items().put((word,), "k", {"text": word}, texts=[f"document on {word}"]), ""

    def do_intend(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        return bank.intend(f"move the {self.words[bank.namespace]}", when="Anna calls"), ""

    def do_due(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        return (bank.due("Anna just called"), bank.intentions()), ""

    def do_edit(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        self.typed = memory_id = self.some_id()
        memory = bank.get(memory_id)
        if memory.immutable or memory.category == "item":
            return None, ""
        quoted = " ".join(sorted(set(re.findall(r"zq[a-j]{4}x", memory.content))))
        return bank.edit(memory_id, f"put in other words: {quoted} {self.random.random():.3f}"), ""

    def do_forget(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        self.typed = self.some_id()
        return bank.forget(self.typed), ""

    def decided(self, principal: str, act: Callable[[str], Any]) -> Any:
        """What an act made of the memory that is typed; agents decide about nothing of their own."""
        try:
            return act(self.typed)
        except NotAllowed as error:
            told = str(error)
            if "ask a person" not in told or self.owners[principal] is None:
                raise
            return told

    def do_restore(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        self.typed = self.some_id()
        try:
            return self.decided(principal, bank.restore), ""
        except Protected as error:  # a person rejected it
            return str(error), self.typed
        except NotAllowed as error:  # what waits takes more than to write
            if self.level(principal, bank.namespace) != RIGHTS.index("review"):
                raise
            return str(error), ""

    def do_hold(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        self.typed = self.some_id()
        return self.decided(principal, bank.hold), ""

    def do_reviews(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        found = bank.reviews(None)
        every = self.engine.bank(bank.namespace).reviews(None)
        names = {review.id: frozenset(review.namespace.split("\x1f")) for review in every}
        readable = {name for name, needed in names.items() if self.reads(principal, needed)}
        assert {review.id for review in found} == readable
        return found, ""

    def a_review(self, namespace: str) -> str:
        """The id of what waits somewhere, seen by whoever acts or not."""
        name = self.random.choice([namespace, *self.names])
        waiting = self.engine.bank(name).reviews()
        return self.random.choice(waiting).id if waiting else self.some_id()

    def do_approve(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        self.typed = self.a_review(bank.namespace)
        return self.decided(principal, bank.approve), ""

    def do_reject(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        self.typed = self.a_review(bank.namespace)
        return self.decided(principal, bank.reject), ""

    def do_observe_run(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        word = self.words[bank.namespace]
        calls = [{"tool": f"open_{word}"}, {"tool": "take"}]
        session = f"s{self.random.randrange(4)}"
        return bank.observe_run(f"get the {word} out", calls, session_id=session, ok=True), ""

    def do_procedures(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        task = f"get the {self.words[other]} out"
        shown = bank.recall(task, session_id="s", also=[]).procedures
        return (bank.procedures(), shown), task

    def do_report(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        tables = [bank.list()._repr_html_(), bank.audit()._repr_html_()]
        return (report_page(bank), tables), ""

    def do_consolidate(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        return bank.consolidate(), ""

    def do_erase(self, bank: MemoryBank, principal: str, other: str) -> tuple[Any, str]:
        self.typed = self.some_id()
        return bank.forget(self.typed, hard=True), ""


def named(pattern: str, namespace: str) -> bool:
    """Whether a pattern names a namespace."""
    if pattern.endswith("*"):
        return namespace.startswith(pattern[:-1]) and namespace != pattern[:-1]
    return pattern == namespace
