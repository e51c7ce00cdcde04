"""Sharing with rights: principals, grants, what is derived, whose word it is, and what an ended grant takes back."""

import inspect
import json
import pickle
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from langchain_core.messages import HumanMessage

import cogmem_core
from cogmem_core import (
    CogMemError,
    Engine,
    Handle,
    InvalidInput,
    Items,
    MemoryBank,
    NotAllowed,
    NotFound,
    Turn,
)
from cogmem_core.models import Decision
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock
from helpers.tables import each_row
from langchain_cogmem import CogMemChatMessageHistory, CogMemMemory
from llamaindex_cogmem import CogMemMemory as LlamaMemory


@pytest.fixture
def engine(clock: FrozenClock) -> Iterator[Engine]:
    """Ann and Ben with an agent each; Cleo reviews; the folder team/* is theirs, ann/* is Ann's."""
    with cogmem_core.open(embedder=CountingEmbedder(), clock=clock, config=MANUAL) as engine:
        for name in ("ann", "ben", "cleo"):
            engine.add_principal(name)
        engine.add_principal("scout", kind="agent", owner="ann")
        engine.add_principal("clerk", kind="agent", owner="ben")
        engine.grant("ann", "ann/*", "admin")
        engine.grant("ann", "team/*", "write")
        engine.grant("ben", "team/*", "write")
        engine.grant("cleo", "team/*", "review")
        engine.grant("scout", "*", "write")
        engine.grant("clerk", "team/*", "write")
        yield engine


def texts(bank: MemoryBank) -> list[str]:
    return [memory.content for memory in bank.list()]


def found(bank: MemoryBank, query: str, **options: object) -> dict[str, str]:
    """What a recall finds, with its standing."""
    recall = bank.recall(query, floor=0, **options)  # type: ignore[arg-type]
    return {item.content: item.standing for item in recall}


def reached(engine: Engine, principal: str, namespace: str) -> str:
    """The last right of the ladder that a principal has in a namespace."""
    bank = engine.as_(principal).bank(namespace)
    calls = {
        "read": bank.count,
        "write": lambda: bank.intend("call", when="Anna calls"),
        "review": lambda: bank.hold("0" * 36),
        "admin": bank.tick,
    }
    last = "nothing"
    for right, call in calls.items():
        try:
            call()
        except NotAllowed:
            return last
        except NotFound:
            pass
        last = right
    return last


class TestRights:
    def test_the_lesser_of_both_denials_folders_and_ends(
        self, engine: Engine, clock: FrozenClock
    ) -> None:
        """A ladder of rights: an agent has what its owner has, too; a denial wins; an end ends."""
        engine.grant("ben", "team/pay", "write", effect="deny", reason="not his")
        engine.grant("cleo", "lab.x", "admin", until=clock() + timedelta(hours=1))
        expected = {
            ("ann", "ann/diary"): "admin",
            ("scout", "ann/diary"): "write",
            ("scout", "ben/diary"): "nothing",
            ("ann", "ann"): "nothing",
            ("ann", "ann/"): "nothing",
            ("ben", "team/plans"): "write",
            ("ben", "team/pay"): "read",
            ("clerk", "team/pay"): "read",
            ("clerk", "teammates"): "nothing",
            ("cleo", "team/plans"): "review",
            ("cleo", "lab.x"): "admin",
        }
        assert {key: reached(engine, *key) for key in expected} == expected
        clock.advance(hours=1)
        assert reached(engine, "cleo", "lab.x") == "nothing"
        assert engine.as_("cleo").namespaces() == ["team/plans"]
        log = engine.access_log()
        assert engine.as_("cleo").may("team/plans", "read") is True
        assert engine.as_("cleo").may("nowhere", "read") is False
        assert engine.access_log() == log
        assert reached(engine, "ann", "team/plans") == "write"
        engine.add_principal("scout", kind="service")
        assert reached(engine, "scout", "ben/diary") == "write"

    def test_what_is_refused_is_refused_alike_and_changes_nothing(self, engine: Engine) -> None:
        """Nobody learns from a refusal whether a namespace exists, nor from an id."""
        memory = engine.bank("ann/diary").add("I sold the boat")
        ben = engine.as_("ben")
        for name in ("ann/diary", "ann/nothing"):
            bank = ben.bank(name)
            for call in (
                lambda bank=bank: bank.add("I was here"),
                lambda bank=bank: bank.recall("boat"),
                lambda bank=bank: bank.get(memory.id),
                lambda bank=bank: bank.forget(memory.id),
                lambda bank=bank: bank.items().put((), "k", {"a": 1}),
                lambda name=name: ben.bank("team/plans").recall("boat", also=[name]),
            ):
                with pytest.raises(NotAllowed) as caught:
                    call()
                told = str(caught.value)
                assert "boat" not in told
                assert memory.id not in told
        with pytest.raises(NotFound):
            ben.bank("team/plans").get(memory.id)
        with pytest.raises(NotAllowed):
            ben.bank("team/plans").add("copied", support=[memory])
        assert (texts(engine.bank("ann/diary")), engine.namespaces()) == (
            ["I sold the boat"],
            ["ann/diary"],
        )

    @each_row(
        ("call", "error", "told"),
        [
            (lambda e: e.as_("nobody"), NotFound, "no principal"),
            (lambda e: e.grant("nobody", "a", "read"), NotFound, "no principal"),
            (lambda e: e.grants("nobody"), NotFound, "no principal"),
            (lambda e: e.add_principal("x", kind="agent"), InvalidInput, "needs an owner"),
            (lambda e: e.add_principal("x", owner="ann"), InvalidInput, "needs an owner"),
            (lambda e: e.add_principal("x", kind="agent", owner="y"), NotFound, "owner is 'y'"),
            (lambda e: e.add_principal("x", kind="agent", owner="x"), InvalidInput, "circle"),
            (lambda e: e.add_principal("ann", kind="agent", owner="scout"), InvalidInput, "circle"),
            (lambda e: e.add_principal("x", kind="robot"), InvalidInput, "kind"),
            (lambda e: e.add_principal("a\nb"), InvalidInput, "name"),
            (lambda e: e.add_principal(None), InvalidInput, "name is None"),
            (lambda e: e.grant("ann", "te*m", "read"), InvalidInput, "star"),
            (lambda e: e.grant("ann", "team*", "read"), InvalidInput, "star"),
            (lambda e: e.grant("ann", "**", "read"), InvalidInput, "star"),
            (lambda e: e.grant("ann", "/*", "read"), InvalidInput, "star"),
            (lambda e: e.grant("ann", "", "read"), InvalidInput, "namespaces"),
            (lambda e: e.grant("ann", "a\x1fb", "read"), InvalidInput, "namespaces"),
            (lambda e: e.grant("ann", None, "read"), InvalidInput, "namespaces is a NoneType"),
            (lambda e: e.grant("ann", "a", "own"), InvalidInput, "right"),
            (lambda e: e.grant("ann", "a", "read", effect="maybe"), InvalidInput, "effect"),
            (lambda e: e.grant("ann", "a", "read", until=FrozenClock()()), InvalidInput, "until"),
            (lambda e: e.revoke("none"), NotFound, "no grant"),
            (lambda e: e.as_("ann").bank("ann\x1fx"), InvalidInput, "namespace"),
            (lambda e: e.bank("a").add("b", support=["none"]), NotFound, "no memory"),
            (lambda e: e.bank("a").add("b", support=[1]), InvalidInput, "support"),
            (lambda e: e.bank("a").recall("b", also=[""]), InvalidInput, "namespace"),
            (lambda e: e.access_log(limit=0), InvalidInput, "limit"),
        ],
    )
    def test_bad_input_is_named_and_changes_nothing(
        self, engine: Engine, call: object, error: type[CogMemError], told: str
    ) -> None:
        before = (engine.principals(), engine.grants(revoked=True), engine.namespaces())
        with pytest.raises(error, match=told):
            call(engine)  # type: ignore[operator]
        assert (engine.principals(), engine.grants(revoked=True), engine.namespaces()) == before

    def test_whoever_administers_namespaces_grants_and_revokes_there(self, engine: Engine) -> None:
        """And nowhere else; what it does not administer is unknown to it."""
        ann: Handle = engine.as_("ann")
        given = ann.grant("ben", "ann/plans", "read", reason="for the trip")
        assert (given.granted_by, reached(engine, "ben", "ann/plans")) == ("ann", "read")
        assert ann.grant("ben", "ann/plans", "read", reason="for the trip").id == given.id
        assert given in ann.grants()
        assert given in engine.as_("ben").grants()
        assert {grant.principal for grant in engine.as_("clerk").grants()} == {"clerk"}
        for pattern in ("team/plans", "team/*", "*", "ann"):
            with pytest.raises(NotAllowed):
                ann.grant("ben", pattern, "read")
        with pytest.raises(NotFound):
            engine.as_("ben").revoke(given.id)
        with pytest.raises(NotFound):
            ann.revoke(engine.grants("cleo")[0].id)
        assert ann.revoke(given.id).revoked_by == "ann"
        assert reached(engine, "ben", "ann/plans") == "nothing"

    def test_what_another_process_changes_counts_at_once(self, tmp_path: Path) -> None:
        """Rights are looked up at each call."""
        with (
            cogmem_core.open(tmp_path, embedder=CountingEmbedder(), config=MANUAL) as one,
            cogmem_core.open(tmp_path, embedder=CountingEmbedder(), config=MANUAL) as two,
        ):
            one.add_principal("ann")
            given = one.grant("ann", "plans", "write")
            bank = two.as_("ann").bank("plans")
            secret = one.bank("diary").add("the boat is sold")
            one.grant("ann", "diary", "read")
            bank.add("we have money for a car", support=[secret])
            assert texts(one.bank("plans")) == ["we have money for a car"]
            one.revoke(given.id)
            with pytest.raises(NotAllowed):
                bank.count()

    def test_every_method_of_a_bank_names_the_right_that_it_needs(self) -> None:
        """A new one cannot be forgotten; what needs none only leads to others that do."""
        without = {"as_retriever", "incognito", "items", "session", "why_allowed"}
        for kind in (MemoryBank, Items):
            methods = {
                name: getattr(kind, name)
                for name in vars(kind)
                if inspect.isfunction(getattr(kind, name)) and not name.startswith("_")
            }
            plain = {name for name, m in methods.items() if not inspect.iscoroutinefunction(m)}
            assert {name for name in plain if not hasattr(methods[name], "right")} <= without

    def test_handles_go_through_the_adapters(self, engine: Engine) -> None:
        """What a framework remembers carries its writer; a handle that only reads writes nothing."""
        memory = CogMemMemory(bank=engine.as_("scout").bank("team/plans"), session_id="s")
        memory.save_context({"input": "The launch is on Friday"}, {"output": "Noted."})
        engine.flush()
        (kept,) = [m for m in engine.bank("team/plans").list() if "launch" in m.content]
        assert kept.metadata["cogmem_written_by"] == "scout"
        history = CogMemChatMessageHistory(engine.as_("scout").bank("team/plans"), session_id="h")
        history.add_messages([HumanMessage("The venue is the old mill")])
        assert history.messages == [HumanMessage("The venue is the old mill")]
        # What is written down and read again stays in the same hands.
        copies = (memory, LlamaMemory.from_defaults(engine.as_("scout").bank("team/plans")))
        for kept_copy in map(pickle.loads, map(pickle.dumps, copies)):
            assert repr(kept_copy._resolve_bank()).startswith(
                "<cogmem_core.MemoryBank 'team/plans' for 'scout'"
            )
        engine.grant("scout", "team/*", "write", effect="deny")
        memory.save_context({"input": "The launch is on Sunday"}, {"output": "Noted."})
        engine.flush()
        assert "Sunday" not in " ".join(texts(engine.bank("team/plans")))


class TestSeveralNamespaces:
    def test_also_searches_others_and_says_where_results_come_from(
        self, engine: Engine, clock: FrozenClock
    ) -> None:
        engine.bank("team/plans").add("The launch is on Friday")
        clock.advance(hours=1)
        engine.bank("ann/diary").add("I fear the launch")
        engine.bank("ben/diary").add("The launch bores me")
        ann = engine.as_("ann").bank("ann/diary")
        recall = ann.recall("the launch", also=["team/plans"], floor=0)
        assert {item.content: item.memory.namespace for item in recall} == {
            "The launch is on Friday": "team/plans",
            "I fear the launch": "ann/diary",
        }
        assert "The launch is on Friday" in recall.context()
        first = ann.recall("what was the first launch?", also=["team/plans"], floor=0)
        assert [item.content for item in first][:1] == ["The launch is on Friday"]
        assert texts(engine.bank("team/plans")) == ["The launch is on Friday"]

    def test_feedback_teaches_where_the_principal_may_write(
        self, engine: Engine, clock: FrozenClock
    ) -> None:
        plan = engine.bank("team/plans").add("The launch code is KX 4471")
        note = engine.bank("ann/diary").add("My own launch code is QT 1188")
        for right, taught in (("write", {plan.id, note.id}), ("read", {note.id})):
            if right == "read":
                engine.grant("ann", "team/*", "write", effect="deny")
            recall = (
                engine.as_("ann")
                .bank("ann/diary")
                .recall("launch code", also=["team/plans"], floor=0)
            )
            judged = engine.as_("ann").bank("ann/diary").feedback(recall, "KX 4471 and QT 1188")
            assert {row.memory_id for row in judged} == taught


class TestDerived:
    def test_whoever_reads_all_sources_reads_what_rests_on_them(
        self, engine: Engine, tmp_path: Path
    ) -> None:
        """Also through lists, counts, ids and exports; the namespace itself shows nothing of it."""
        pay = engine.bank("ann/pay").add("Ann earns 5000 euros")
        scout = engine.as_("scout").bank("team/plans")
        scout.add("The team has four people")
        total = scout.add("The team's pay with Ann is 20000 euros", support=[pay])
        again = scout.add("So the budget is tight", support=[total.id])
        seen = {
            "ann": ["The team has four people", total.content, again.content],
            "ben": ["The team has four people"],
        }
        for name, expected in seen.items():
            bank = engine.as_(name).bank("team/plans")
            assert texts(bank) == expected
            assert bank.count() == len(expected)
            assert bank.export(tmp_path / name) == len(expected)
            assert set(found(bank, "the team pay budget people")) == set(expected)
            assert bank.health()["memories"] == 1
        with pytest.raises(NotFound):
            engine.as_("ben").bank("team/plans").get(total.id)
        with pytest.raises(NotFound):
            engine.as_("ben").bank("team/plans").forget("budget is tight")
        assert "20000" not in (tmp_path / "ben").read_text(encoding="utf-8")
        assert engine.as_("ann").bank("team/plans").edit(total.id, "Pay: 20000 euros").version == 2

    def test_a_revoked_grant_withdraws_to_a_fixed_point(self, engine: Engine) -> None:
        """What was derived from what its writer may not read any more, and what rests on that."""
        pay = engine.bank("ann/pay").add("Ann earns 5000 euros")
        scout = engine.as_("scout").bank("team/plans")
        total = scout.add("The pay with Ann is 20000 euros", support=[pay])
        engine.bank("board").add("The board wants less pay", support=[total])
        kept = engine.bank("board").add("The board meets on Monday")
        (given,) = [g for g in engine.grants("ann") if g.namespaces == "ann/*"]
        engine.revoke(given.id)
        assert texts(engine.bank("team/plans")) == []
        assert texts(engine.bank("board")) == [kept.content]
        assert engine.bank("team/plans").get(total.id).state == "forgotten"
        assert [e.act for e in engine.access_log()][-3:] == ["revoke", "withdraw", "withdraw"]
        assert texts(engine.bank("ann/pay")) == [pay.content]
        assert engine.bank("team/plans").restore(total.id).state == "active"

    def test_what_is_forgotten_or_erased_takes_what_rests_on_it_along(self, tmp_path: Path) -> None:
        with cogmem_core.open(tmp_path, embedder=CountingEmbedder(), config=MANUAL) as engine:
            pay = engine.bank("pay").add("Ann earns fivethousand euros")
            trip = engine.bank("pay").add("The trip costs ninehundred euros")
            engine.bank("plans").add("Her fivethousand euros are enough", support=[pay])
            engine.bank("plans").add("The ninehundred euros are too much", support=[trip])
            engine.bank("pay").add("fivethousand is a lot", support=[pay.id])
            engine.bank("pay").forget(trip.id)
            assert texts(engine.bank("plans")) == ["Her fivethousand euros are enough"]
            receipt = engine.bank("pay").forget(pay.id, hard=True)
            assert (receipt.memory_ids, receipt.remaining) == ((pay.id,), ())
            assert (texts(engine.bank("plans")), texts(engine.bank("pay"))) == ([], [])
        files = [p for p in tmp_path.rglob("*") if p.is_file()]
        assert [p.name for p in files if b"fivethousand" in p.read_bytes()] == []

    def test_exports_carry_who_wrote_and_what_it_rests_on(
        self, engine: Engine, tmp_path: Path
    ) -> None:
        """In another bank the same readers see it, if its sources are there, too."""
        pay = engine.bank("ann/pay").add("Ann earns 5000 euros")
        scout = engine.as_("scout").bank("team/plans")
        scout.remember("The launch is on Friday")
        scout.add("The pay with Ann is 20000 euros", support=[pay])
        engine.bank("team/plans").export(tmp_path / "plans")
        engine.bank("ann/pay").export(tmp_path / "pay")
        head = json.loads((tmp_path / "plans").read_text(encoding="utf-8").splitlines()[0])
        assert head["version"] == 7
        with cogmem_core.open(embedder=CountingEmbedder(), config=MANUAL) as other:
            other.add_principal("ben")
            other.grant("ben", "team/*", "read")
            assert other.bank("team/plans").import_(tmp_path / "plans").stored == 2
            assert found(other.bank("team/plans"), "pay of Ann").keys() == {
                "The launch is on Friday"
            }
            other.bank("ann/pay").import_(tmp_path / "pay")
            assert len(found(other.bank("team/plans"), "pay of Ann")) == 2
            assert texts(other.as_("ben").bank("team/plans")) == ["The launch is on Friday"]
            assert {m.metadata["cogmem_written_by"] for m in other.bank("team/plans").list()} == {
                "scout"
            }
            assert other.bank("team/plans").import_(tmp_path / "plans").known == 2


class TestWhoseWord:
    def test_one_agents_word_is_witnessed_until_others_stand_for_it(self, engine: Engine) -> None:
        """A second source of somebody else, a person, or a reviewer; its own owner's other agent is none."""
        engine.add_principal("twin", kind="agent", owner="ann")
        engine.grant("twin", "team/*", "write")
        said = {
            "The launch is on Friday": ("scout",),
            "The budget is 900 euros": ("scout", "twin"),
            "The venue is the old mill": ("scout", "clerk"),
            "The caterer is called Rossi": ("scout", "ann"),
        }
        for text, writers in said.items():
            for name in writers:
                engine.as_(name).bank("team/plans").remember(
                    Turn(text, metadata={"cogmem_written_by": "cleo", "cogmem_held_by": "cleo"})
                )
        bank = engine.as_("cleo").bank("team/plans")
        query = "launch budget venue caterer"
        standings = dict(zip(said, ("witnessed", "witnessed", "held", "held"), strict=True))
        assert found(bank, query) == standings
        context = bank.recall("when is the launch?", floor=0).context()
        assert "one agent's word) The launch is on Friday" in context
        launch = next(m for m in bank.list() if "launch" in m.content)
        with pytest.raises(NotAllowed):
            engine.as_("ben").bank("team/plans").hold(launch.id)
        held = bank.hold(launch.id)
        assert (held.metadata["cogmem_held_by"], found(bank, query)[launch.content]) == (
            "cleo",
            "held",
        )
        assert bank.history(launch.id).changes[-1].reason == "held by cleo"
        edited = engine.as_("clerk").bank("team/plans").edit(launch.id, "The launch is on Sunday")
        assert found(bank, query)[edited.content] == "witnessed"
        engine.bank("ann/diary").add("alone")
        engine.as_("scout").bank("ann/diary").add("The boat is sold")
        assert found(engine.as_("ann").bank("ann/diary"), "boat")["The boat is sold"] == ""

    def test_why_allowed_names_grants_owners_and_witnesses(self, engine: Engine) -> None:
        memory = engine.as_("scout").bank("team/plans").add("The launch is on Friday")
        engine.grant("ben", "team/pay", "read", effect="deny", reason="not his")
        why: Decision = engine.bank("team/plans").why_allowed("clerk", memory.id)
        assert (why.allowed, why.standing, why.witnesses) == (True, "witnessed", ("scout",))
        assert why.reasons == (
            "clerk has write in 'team/plans': allow write on 'team/*'",
            "ben has write in 'team/plans': allow write on 'team/*'",
        )
        secret = engine.bank("team/pay").add("Ann earns 5000 euros")
        refused = engine.bank("team/pay").why_allowed("clerk", secret.id)
        assert (refused.allowed, refused.reasons[1]) == (
            False,
            "ben has nothing in 'team/pay': allow write on 'team/*', deny read on 'team/pay' "
            "(not his)",
        )
        assert engine.as_("ben").bank("team/plans").why_allowed("clerk", memory.id).allowed
        with pytest.raises(NotAllowed):
            engine.as_("ben").bank("team/plans").why_allowed("ann", memory.id)
        with pytest.raises(NotFound, match="no principal"):
            engine.bank("team/plans").why_allowed("nobody", memory.id)

    def test_every_decision_is_on_record_once(self, engine: Engine) -> None:
        bank = engine.as_("ben").bank("team/plans")
        for _ in range(3):
            bank.count()
            with pytest.raises(NotAllowed):
                engine.as_("ben").bank("ann/diary").count()
        entries = [e for e in engine.access_log(principal="ben") if e.act == "read"]
        assert [(e.namespaces, e.allowed, e.reason) for e in entries] == [
            ("team/plans", True, "ben has write in 'team/plans': allow write on 'team/*'"),
            ("ann/diary", False, "ben has no grant in 'ann/diary'"),
        ]
