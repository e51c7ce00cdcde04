"""V9, relations through `bank.remember`: six types, detection by a model and by rules, pruning, uniqueness."""

from collections.abc import Iterator, Mapping

import pytest

import cogmem_core
from cogmem_core import Config, MemoryBank
from cogmem_core.changes import Actor, Link, apply
from cogmem_core.config import RelationsConfig
from cogmem_core.models import Memory, Relation, RelationType
from cogmem_core.testing import FrozenClock, GivenVectors, ScriptedLLM
from helpers.model_answers import decided, formed
from helpers.tables import each_row, rows_of

SMALL = Config(relations=RelationsConfig(maximum=10, trimmed_to=6))
TYPES = rows_of("six_relations/types")

ENGINE = {"embedder": "hashing", "config": Config(), "paused": True}


@pytest.fixture
def small() -> Iterator[cogmem_core.Engine]:
    """Ten relations at most, trimmed to six."""
    with cogmem_core.open(embedder="hashing", clock=FrozenClock(), config=SMALL) as engine:
        engine.pause()
        yield engine


def said(bank: MemoryBank, text: str) -> Memory:
    return bank.remember(text).memories[0]


def links(bank: MemoryBank, memory: Memory) -> list[tuple[str, str, float]]:
    found = bank.relations(memory.id)
    return [
        (one.type, one.target_id, one.confidence) for one in found if one.source_id == memory.id
    ]


class TestHeuristics:
    """ "Detection: LLM-primary (gpt-4o-mini) with heuristic fallback"."""

    def test_two_common_entities_are_the_same_entity(self, bank: MemoryBank) -> None:
        """ "Entity overlap >= 2 → same_entity (0.7 confidence)"."""
        old = said(bank, "Emma works at Google")
        assert links(bank, said(bank, "Yesterday Emma had lunch at Google")) == [
            ("same_entity", old.id, 0.7)
        ]

    def test_common_words_and_an_entity_elaborate(self, bank: MemoryBank) -> None:
        """ "Word overlap > 30% + entity >= 1 → elaborates (0.5)"."""
        old = said(bank, "Emma plays the cello")
        assert links(bank, said(bank, "Emma tunes her cello in spring")) == [
            ("elaborates", old.id, 0.5)
        ]

    def test_one_category_and_some_common_words_are_related(self, bank: MemoryBank) -> None:
        """ "Same category + word overlap > 15% → related_to (0.4)"."""
        old = said(bank, "I prefer strings made of gut for my cello")
        assert links(bank, said(bank, "I prefer gut strings with a violin")) == [
            ("related_to", old.id, 0.4)
        ]

    def test_what_has_nothing_in_common_is_not_linked(self, bank: MemoryBank) -> None:
        """No link is better than a wrong one."""
        said(bank, "Emma plays the cello")
        assert links(bank, said(bank, "I bought boots in Porto for 90 euros")) == []

    def test_newer_replaces_older(self, bank: MemoryBank) -> None:
        """ "supersedes: Newer replaces older"; "contradicts: Conflicting information"."""
        old = said(bank, "I live in Lisbon")
        assert sorted(links(bank, said(bank, "I moved to Porto"))) == [
            ("contradicts", old.id, 1.0),
            ("supersedes", old.id, 1.0),
        ]

    def test_verbatim_turns_are_not_linked(self, bank: MemoryBank) -> None:
        """Raw mode is verbatim turns and nothing else."""
        bank.remember(["Emma works at Google", "Yesterday Emma had lunch at Google"], mode="raw")
        assert [bank.relations(memory.id) for memory in bank.list()] == [(), ()]


class TestModel:
    """ "Detection: LLM-primary"."""

    @each_row("kind", ["causes", "elaborates", "same_entity", "related_to", "contradicts"])
    def test_a_link_that_the_model_names_is_stored(self, kind: str) -> None:
        """ "causes: Causal relationship" can only come from a model; the sureness of its links is 0.8."""
        texts = "User slept badly in May", "User failed the exam in June"
        said_ = [formed(text) for text in texts]
        answer = decided(links=[{"id": "m1", "type": kind}])
        llm, vectors = ScriptedLLM(*said_, answer), {texts[0]: [1.0, 0.0], texts[1]: [0.6, 0.8]}
        with cogmem_core.open(
            embedder=GivenVectors(vectors), clock=FrozenClock(), llm=llm, config=Config()
        ) as engine:
            bank = engine.bank("alice")
            first, second = (said(bank, text) for text in texts)
            assert links(bank, second) == [(kind, first.id, 0.8)]

    def test_without_a_model_rules_find_them(self) -> None:
        """ "with heuristic fallback": the model fails, the link is there."""
        with cogmem_core.open(
            embedder="hashing", clock=FrozenClock(), llm=ScriptedLLM(), config=Config()
        ) as engine:
            bank = engine.bank("alice")
            old = said(bank, "Emma works at Google")
            assert links(bank, said(bank, "Yesterday Emma had lunch at Google")) == [
                ("same_entity", old.id, 0.7)
            ]


def fill(engine: cogmem_core.Engine, kinds: Mapping[RelationType, int]) -> MemoryBank:
    """A bank with so many relations of each type among eight memories that resemble nothing; confidence grows."""
    bank = engine.bank("alice")
    ids = [bank.add(f"w{n}x{n}").id for n in range(8)]
    pairs = [(one, other) for one in ids for other in ids if one != other]
    relations = [
        Relation("alice", *pairs.pop(), kind, confidence=0.1 + 0.01 * number)
        for kind, count in kinds.items()
        for number in range(count)
    ]
    with engine.services.ledger.writing() as writer:
        now = engine.services.runtime.now()
        apply(
            writer,
            "alice",
            [Link(one, "planted") for one in relations],
            now=now,
            actor=Actor("user"),
        )
    return bank


def counted(bank: MemoryBank) -> dict[str, int]:
    every = {
        (one.source_id, one.target_id, one.type)
        for memory in bank.list()
        for one in bank.relations(memory.id)
    }
    return {
        kind: sum(one[2] == kind for one in every)
        for kind in TYPES
        if any(one[2] == kind for one in every)
    }


def link_two(bank: MemoryBank) -> MemoryBank:
    """Two facts of which the second is linked to the first: `same_entity`."""
    said(bank, "Emma works at Google")
    said(bank, "Yesterday Emma had lunch at Google")
    return bank


class TestPruning:
    """ "Pruning: Triggered at 1000 relations, trims to 900."."""

    def test_the_limits_are_those_of_the_document(self) -> None:
        """ "Triggered at 1000 relations, trims to 900": settings, small ones below."""
        assert (RelationsConfig().maximum, RelationsConfig().trimmed_to) == (1_000, 900)

    def test_nothing_is_trimmed_below_the_limit(self, small: cogmem_core.Engine) -> None:
        """Nine and one are ten."""
        bank = link_two(fill(small, {"related_to": 9}))
        assert counted(bank) == {"related_to": 9, "same_entity": 1}

    def test_one_too_many_trims_to_the_lower_limit(self, small: cogmem_core.Engine) -> None:
        """Ten and one are eleven, so six are left."""
        bank = link_two(fill(small, {"related_to": 10}))
        assert counted(bank) == {"related_to": 5, "same_entity": 1}

    def test_the_least_important_type_goes_first(self, small: cogmem_core.Engine) -> None:
        """ "related_to: Yes (priority 0)", "same_entity: priority 1", "elaborates: priority 2": in this order."""
        bank = link_two(fill(small, {"elaborates": 4, "same_entity": 4, "related_to": 2}))
        assert counted(bank) == {"elaborates": 4, "same_entity": 2}

    def test_of_one_type_the_least_confident_go_first(self, small: cogmem_core.Engine) -> None:
        """ "Removes lowest-confidence pruneable types first."."""
        bank = fill(small, {"related_to": 10})
        link_two(bank)
        kept = {
            round(one.confidence, 2)
            for memory in bank.list()
            for one in bank.relations(memory.id)
            if one.type == "related_to"
        }
        assert kept == {0.15, 0.16, 0.17, 0.18, 0.19}

    @pytest.mark.parametrize("kind", ["supersedes", "contradicts", "causes"])
    def test_some_types_are_never_pruned(
        self, small: cogmem_core.Engine, kind: RelationType
    ) -> None:
        """ "Never prunes supersedes/contradicts/causes.": not even if there is nothing else."""
        bank = link_two(fill(small, {kind: 12}))
        assert counted(bank)[kind] == 12

    def test_a_new_supersession_finds_room(self, small: cogmem_core.Engine) -> None:
        """What must be kept is kept, whatever has to go."""
        bank = fill(small, {"related_to": 10})
        said(bank, "I live in Lisbon")
        said(bank, "I moved to Porto")
        assert {kind for kind, _, _ in links(bank, bank.list(limit=100)[-1])} == {
            "supersedes",
            "contradicts",
        }

    def test_a_trimmed_link_is_in_the_journal(self, small: cogmem_core.Engine) -> None:
        """Principle 1: each such act is logged with its reason, and can be undone."""
        bank = fill(small, {"related_to": 10})
        link_two(bank)
        entries = [change for memory in bank.list() for change in bank.history(memory.id).changes]
        trimmed = [entry for entry in entries if entry.kind == "unlink"]
        assert {entry.reason for entry in trimmed} == {"trimmed: too many relations"}
        assert len(trimmed) == 5
        ends, strength = (
            {"target_id", "type"},
            {"weight", "confidence", "created_at", "last_activated_at"},
        )
        assert ends | strength == trimmed[0].before.keys()


class TestUnique:
    """B5: "Duplicate relation detection before insert"."""

    def test_one_relation_per_pair_and_type(self, bank: MemoryBank) -> None:
        """The same thing said again and again makes no second link."""
        old = said(bank, "Emma works at Google")
        new = said(bank, "Yesterday Emma had lunch at Google")
        for _ in range(3):
            said(bank, "Yesterday Emma had lunch at Google")
        assert links(bank, new) == [("same_entity", old.id, 0.7)]

    def test_no_relation_crosses_namespaces(self, engine: cogmem_core.Engine) -> None:
        """Principle 6: Bob's Emma is another one."""
        said(engine.bank("alice"), "Emma works at Google")
        bob = engine.bank("bob")
        assert links(bob, said(bob, "Yesterday Emma had lunch at Google")) == []
