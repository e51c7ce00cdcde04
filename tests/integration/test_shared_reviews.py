"""Sharing and review together: what agents write where others read waits; who decides; what stays rejected."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Engine, Memory, MemoryBank, NotAllowed, NotFound, Protected, Turn
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.tables import each_row, each_row_of
from langchain_cogmem import CogMemChatMessageHistory, CogMemStore, create_memory_tools
from llamaindex_cogmem import CogMemToolSpec

LAUNCH = "The launch is on Friday."
RIVAL = "The launch of the rocket costs 40 euros."


@pytest.fixture
def engine(clock: FrozenClock) -> Iterator[Engine]:
    """Ann and Ben share team/*; scout and twin are Ann's agents, clerk is Ben's; checker is a service that reviews."""
    guard = replace(MANUAL.guard, review=("shared", "procedure"))
    config = replace(MANUAL, guard=guard)
    with cogmem_core.open(embedder="hashing", clock=clock, config=config) as engine:
        for name in ("ann", "ben"):
            engine.add_principal(name)
            engine.grant(name, "team/*", "review")
        engine.grant("ann", "ann/*", "admin")
        for name, owner in (("scout", "ann"), ("twin", "ann"), ("clerk", "ben")):
            engine.add_principal(name, kind="agent", owner=owner)
            engine.grant(name, "*", "review" if name == "twin" else "write")
        engine.add_principal("checker", kind="service")
        engine.grant("checker", "team/*", "review")
        engine.add_principal("chief", kind="service")
        engine.grant("chief", "team/*", "admin")
        yield engine


def bank_of(engine: Engine, principal: str, namespace: str = "team/plans") -> MemoryBank:
    return engine.as_(principal).bank(namespace) if principal else engine.bank(namespace)


def texts(bank: MemoryBank, state: str = "active") -> list[str]:
    return [memory.content for memory in bank.list(state=state)]


class TestWaiting:
    @each_row_of("shared_reviews/agents_words_wait_where_others_read_them")
    def test_agents_words_wait_where_others_read_them(
        self, engine: Engine, principal: str, namespace: str, waits: bool
    ) -> None:
        """Said, stated, or appended to a transcript; a person's word, and what only its owner reads, do not wait."""
        bank = bank_of(engine, principal, f"{namespace}-{principal}")
        status = bank.remember(LAUNCH).receipts[0].status
        added = bank.add("The venue is the old mill.")
        bank.append_messages([Turn("The caterer is called Rossi.")], session_id="s")
        engine.flush()
        assert (status, added.state) == (
            ("quarantined", "quarantined") if waits else ("stored", "active")
        )
        reviews = engine.bank(f"{namespace}-{principal}").reviews()
        assert {review.kind for review in reviews} == ({"shared"} if waits else set())
        assert len(reviews) == (3 if waits else 0)

    def test_a_new_text_is_a_proposal_and_what_it_is_for_stays(self, engine: Engine) -> None:
        """Edited, superseded, or said with more to it; approved, it takes the place."""
        ann = bank_of(engine, "ann")
        plan = ann.remember("The launch is on Friday and Rossi cooks").memories[0]
        scout = bank_of(engine, "scout")
        edited = scout.edit(plan.id, "The launch is on Sunday and Rossi cooks")
        assert (edited.state, ann.get(plan.id).content) == ("quarantined", plan.content)
        assert scout.edit(plan.id, edited.content).id == edited.id
        moved = scout.supersede(plan.id, "The launch is on Monday and Rossi cooks")
        scout.remember("The launch is on Friday and Rossi cooks fish for everybody")
        assert texts(ann) == [plan.content]
        assert [review.replaces for review in ann.reviews()][:2] == [(plan.id,), (plan.id,)]
        ann.approve(moved.id)
        assert texts(ann) == [moved.content]
        immutable = ann.add("The budget is 900 euros", immutable=True)
        with pytest.raises(Protected, match="immutable"):
            scout.edit(immutable.id, "The budget is 100 euros")

    def test_what_is_derived_waits_in_its_compartment(self, engine: Engine) -> None:
        """Only who may read its sources decides about it; a source that goes takes it along."""
        pay = engine.bank("ann/pay").add("Ann earns 5000 euros")
        scout = bank_of(engine, "scout")
        total = scout.add("Four of them cost 20000 euros", support=[pay])
        gone = scout.add("Two of them cost 10000 euros", support=[pay])
        ann, ben = bank_of(engine, "ann"), bank_of(engine, "ben")
        assert [review.content for review in ann.reviews()] == [total.content, gone.content]
        assert ben.reviews() == ()
        for act in (ben.approve, ben.reject):
            with pytest.raises(NotFound, match="no review"):
                act(total.id)
        assert ann.approve(total.id).state == "approved"
        assert (texts(ann), texts(ben)) == ([total.content], [])
        assert ann.get(total.id).metadata["cogmem_held_by"] == "ann"
        engine.bank("ann/pay").forget(pay.id)
        assert (texts(ann), ann.reviews()) == ([], ())
        with pytest.raises(cogmem_core.InvalidInput, match="already"):
            ann.approve(gone.id)


DOORS = "The rocket is painted green."
"""What an agent would like others to recall."""


def _edited(bank: MemoryBank, known: Memory, _folder: Path) -> None:
    bank.edit(known.id, DOORS)


def _superseded(bank: MemoryBank, known: Memory, _folder: Path) -> None:
    bank.supersede(known.id, DOORS)


def _observed(bank: MemoryBank, _known: Memory, _folder: Path) -> None:
    bank.observe(DOORS)
    bank.reflect()


def _own_file(bank: MemoryBank, _known: Memory, folder: Path) -> None:
    with cogmem_core.open(embedder="hashing", config=MANUAL) as engine:
        other = engine.bank(bank.namespace)
        other.add(DOORS)
        other.export(folder / "own.jsonl")
    bank.import_(folder / "own.jsonl")


def _foreign_file(bank: MemoryBank, _known: Memory, folder: Path) -> None:
    (folder / "mem0.json").write_text(json.dumps([{"id": "m1", "memory": DOORS}]))
    bank.import_(folder / "mem0.json", "mem0")


def _chat_file(bank: MemoryBank, _known: Memory, folder: Path) -> None:
    (folder / "said.jsonl").write_text(json.dumps({"content": DOORS, "role": "user"}))
    bank.import_(folder / "said.jsonl", "jsonl")


def _document(bank: MemoryBank, _known: Memory, _folder: Path) -> None:
    bank.items().put(("notes",), "rocket", {"colour": "green"}, texts=[DOORS])


def _store(bank: MemoryBank, _known: Memory, _folder: Path) -> None:
    CogMemStore(bank).put(("notes",), "rocket", {"text": DOORS})


def _langchain_tool(bank: MemoryBank, _known: Memory, _folder: Path) -> None:
    tools = {tool.name: tool for tool in create_memory_tools(bank)}
    tools["remember"].invoke({"content": DOORS})


def _llamaindex_tool(bank: MemoryBank, _known: Memory, _folder: Path) -> None:
    tools = {tool.metadata.name: tool for tool in CogMemToolSpec(bank).to_tool_list()}
    tools["remember"](content=DOORS)


def _history(bank: MemoryBank, _known: Memory, _folder: Path) -> None:
    CogMemChatMessageHistory(bank, session_id="s").add_user_message(DOORS)
    bank.engine.flush()


Door = Callable[[MemoryBank, Memory, Path], object]
DOORS_OF_AN_AGENT: list[tuple[str, Door]] = [
    ("remember", lambda bank, _known, _folder: bank.remember(DOORS)),
    ("add", lambda bank, _known, _folder: bank.add(DOORS)),
    ("edit", _edited),
    ("supersede", _superseded),
    ("observe", _observed),
    ("import of an own file", _own_file),
    ("import of memories", _foreign_file),
    ("import of a chat", _chat_file),
    ("document", _document),
    ("store of LangGraph", _store),
    ("tool of LangChain", _langchain_tool),
    ("tool of LlamaIndex", _llamaindex_tool),
    ("history of LangChain", _history),
    (
        "intend",
        lambda bank, _known, _folder: bank.intend(DOORS, when="somebody asks for the rocket"),
    ),
]


class TestDoors:
    @each_row(("door", "write"), DOORS_OF_AN_AGENT)
    def test_no_door_leads_past_the_queue(
        self, engine: Engine, tmp_path: Path, door: str, write: Door
    ) -> None:
        """Of an agent with every right; and what was rejected comes through none of them either."""
        namespace = f"team/{door}"
        bank, ben = bank_of(engine, "chief", namespace), bank_of(engine, "ben", namespace)
        folder = tmp_path / door
        folder.mkdir()
        known = ben.add("The rocket is painted red.")
        write(bank, known, folder)
        assert _shown(ben) == [known.content]
        (review,) = ben.reviews()
        assert (review.kind, DOORS.strip(".") in review.content) == ("shared", True)
        for act in (bank.approve, bank.reject):
            with pytest.raises(NotAllowed):
                act(review.id)
        assert ben.reject(review.id).reason == "rejected by ben"
        with suppress(Protected):
            write(bank, known, folder)
        assert (_shown(ben), ben.reviews()) == ([known.content], ())

    @each_row(("door", "write"), DOORS_OF_AN_AGENT)
    def test_what_is_approved_counts(
        self, engine: Engine, tmp_path: Path, door: str, write: Door
    ) -> None:
        """As it would have counted without a review."""
        namespace = f"team/{door}"
        ben = bank_of(engine, "ben", namespace)
        folder = tmp_path / door
        folder.mkdir()
        known = ben.add("The crew has seven members.")
        write(bank_of(engine, "chief", namespace), known, folder)
        (review,) = ben.reviews()
        assert ben.approve(review.id).reason == "approved by ben"
        assert any(DOORS.strip(".") in text for text in _shown(ben))

    def test_an_intention_waits_as_a_proposal(self, engine: Engine, clock: FrozenClock) -> None:
        """It fires once a person agrees; said twice it waits once; what comes too late has expired."""
        scout, ben = bank_of(engine, "scout"), bank_of(engine, "ben")
        soon = clock() + timedelta(hours=1)
        call = scout.intend("call Rossi", at=soon)
        assert (call.state, scout.intend("call Rossi", at=soon).id) == ("proposed", call.id)
        for name in ("scout", "clerk", "twin"):
            with pytest.raises(NotAllowed):
                bank_of(engine, name).settle(call.id, "confirmed")
        late = scout.intend("book the mill", at=soon)
        gone = scout.intend("order the cake", when="Rossi calls")
        scout.settle(gone.id, "cancelled")
        assert [review.content for review in ben.reviews()] == [
            f"call Rossi (at {soon.isoformat(timespec='minutes')})",
            f"book the mill (at {soon.isoformat(timespec='minutes')})",
        ]
        assert ben.settle(call.id, "confirmed").state == "open"
        clock.advance(hours=2)
        assert [due.text for due in ben.due()] == ["call Rossi"]
        clock.advance(days=3)
        assert ben.approve(late.id).state == "expired"
        assert ben.due() == ()
        assert {review.state for review in ben.reviews(None)} == {"approved", "rejected", "expired"}
        assert ben.verify_audit().findings == ()

    def test_a_document_is_there_at_once_and_its_texts_wait(self, engine: Engine) -> None:
        """Each text once; those that left the document leave recall; a person's do not wait."""
        scout, ben = bank_of(engine, "scout"), bank_of(engine, "ben")
        items = scout.items()
        items.put(("notes",), "rocket", {"n": 1}, texts=[DOORS, LAUNCH])
        assert ben.items().get(("notes",), "rocket").value == {"n": 1}
        assert [review.content for review in ben.reviews()] == [DOORS, LAUNCH]
        items.put(("notes",), "rocket", {"n": 2}, texts=[LAUNCH])
        (review,) = ben.reviews()
        ben.approve(review.id)
        items.put(("notes",), "rocket", {"n": 3}, texts=[LAUNCH])
        assert (_shown(ben), ben.reviews()) == ([LAUNCH], ())
        ben.reject(scout.items().put(("a",), "b", {}, texts=[RIVAL]).memory_ids[0])
        with pytest.raises(Protected, match="what a person rejected"):
            items.put(("a",), "b", {"n": 1}, texts=[RIVAL])
        assert ben.items().get(("a",), "b").value == {}
        ben.items().put(("a",), "b", {"n": 2}, texts=[RIVAL])
        assert sorted(_shown(ben)) == sorted([LAUNCH, RIVAL])
        items.delete(("notes",), "rocket")
        assert _shown(ben) == [RIVAL]


def _shown(bank: MemoryBank) -> list[str]:
    """Whatever may come up: memories, and what may fire."""
    return [*texts(bank), *(one.text for one in bank.intentions(("open", "due", "fired")))]


class TestDeciding:
    def test_approving_holds_and_an_agent_never_decides_about_its_own(self, engine: Engine) -> None:
        """By any door: it needs the right to review, and another one's eyes."""
        scout = bank_of(engine, "scout")
        launch = scout.remember(LAUNCH).memories[0]
        for call in (scout.reviews, lambda: scout.approve(launch.id)):
            with pytest.raises(NotAllowed, match="no right to review"):
                call()
        engine.revoke(engine.grants("scout")[0].id)
        engine.grant("scout", "team/*", "review")
        twin = bank_of(engine, "twin")
        for bank in (scout, twin):
            assert [review.target_id for review in bank.reviews()] == [launch.id]
            for act in (bank.approve, bank.reject, bank.restore, bank.hold):
                with pytest.raises(NotAllowed, match="ask a person, or another reviewer"):
                    act(launch.id)
        review = bank_of(engine, "checker").approve(launch.id)
        assert (review.state, review.reason) == ("approved", "approved by checker")
        found = bank_of(engine, "ben").recall("when is the launch?", floor=0).results[0]
        assert (found.content, found.standing) == (LAUNCH, "held")
        venue = scout.add("The venue is the old mill.")
        bank_of(engine, "ben").restore(venue.id)
        why = engine.bank("team/plans").why_allowed("ben", venue.id)
        assert (why.standing, bank_of(engine, "ben").reviews()) == ("held", ())

    def test_whoever_may_only_write_releases_nothing(self, engine: Engine) -> None:
        """Nor does an agent decide about procedures, which carry no writer."""
        launch = bank_of(engine, "scout").remember(LAUNCH).memories[0]
        with pytest.raises(NotAllowed, match="no right to review"):
            bank_of(engine, "clerk").restore(launch.id)
        for session in ("s1", "s2"):
            calls = [{"tool": "open_drawer"}, {"tool": "take_key"}]
            bank_of(engine, "scout").observe_run("get the key", calls, session_id=session, ok=True)
        (procedure,) = engine.bank("team/plans").procedures()
        for name, message in (("clerk", "no right to review"), ("checker", "is no person")):
            with pytest.raises(NotAllowed, match=message):
                bank_of(engine, name).settle(procedure.id, "confirmed")
        with pytest.raises(NotAllowed, match="is no person"):
            bank_of(engine, "checker").approve(procedure.id)
        assert bank_of(engine, "ben").settle(procedure.id, "confirmed").state == "candidate"


class TestRejected:
    def test_a_rejected_value_comes_back_by_no_way(
        self, engine: Engine, clock: FrozenClock, tmp_path: Path
    ) -> None:
        """Extraction, import, dreams, derivation, restoring, sharing: whatever agents do, until a person says it."""
        note = engine.bank("ann/notes").add(RIVAL)
        team, scout = engine.bank("team/plans"), bank_of(engine, "scout")
        other = bank_of(engine, "ann").add("The launch of the rocket costs 90 euros.")
        scout.remember(RIVAL)
        team.export(tmp_path / "before.jsonl")
        waiting = scout.list(state="quarantined")[0]
        bank_of(engine, "ben").reject(waiting.id)

        assert scout.remember(RIVAL).receipts[0].reason == "a person rejected that"
        found = scout.recall("rocket", also=["ann/notes"], floor=0)
        (copy,) = [item.memory for item in found if item.content == RIVAL]
        assert copy.id == note.id
        assert scout.remember([Turn(RIVAL, role="assistant")]).receipts[0].status == "skipped"
        team.import_(tmp_path / "before.jsonl", trust=0.5)
        team.import_(tmp_path / "before.jsonl")
        team.observe([{"role": "assistant", "content": RIVAL}])
        team.reflect()
        refused: list[Callable[[], object]] = [
            lambda: scout.add(copy.content),
            lambda: scout.add(copy.content, support=[copy]),
            lambda: scout.restore(waiting.id),
            lambda: scout.edit(other.id, RIVAL),
            lambda: scout.supersede(other.id, RIVAL),
        ]
        for way in refused:
            with pytest.raises(Protected, match="what a person rejected"):
                way()
        clock.advance(days=40)
        engine.tick()
        team.consolidate()
        everywhere = [*team.list(limit=500), *team.list(state="quarantined", limit=500)]
        assert RIVAL not in [memory.content for memory in everywhere]
        assert [review for review in team.reviews() if review.content == RIVAL] == []
        assert bank_of(engine, "ann").add(RIVAL).state == "active"
        bank_of(engine, "ben").reject(scout.add(LAUNCH).id)
        with pytest.raises(Protected):
            scout.add(LAUNCH)
        assert team.edit(other.id, LAUNCH).content == LAUNCH

    def test_what_is_rejected_in_a_compartment_stays_away_from_narrower_ones(
        self, engine: Engine
    ) -> None:
        """And from nobody else: who may not read it is refused nothing, so it learns nothing."""
        pay = engine.bank("ann/pay").add("Ann earns 5000 euros")
        trip = engine.bank("ann/trip").add("The trip costs 900 euros")
        scout = bank_of(engine, "scout")
        text = "The team cannot pay for the rocket."
        bank_of(engine, "ann").reject(scout.add(text, support=[pay]).id)
        with pytest.raises(Protected):
            scout.add(text, support=[pay, trip])
        assert bank_of(engine, "clerk").add(text).state == "quarantined"

    def test_an_agent_states_no_intention_that_a_person_rejected(self, engine: Engine) -> None:
        engine.bank("team/plans").remember("I have a dentist appointment on 3 June 2027 at 9")
        (proposed,) = engine.bank("team/plans").intentions("proposed")
        bank_of(engine, "ann").settle(proposed.id, "rejected")
        with pytest.raises(Protected, match="what a person rejected"):
            bank_of(engine, "scout").intend(proposed.text, at=proposed.at)
        assert bank_of(engine, "ann").intend(proposed.text, at=proposed.at).state == "open"
