"""Relations that lead to more, why each result is there, and why a memory is not."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from functools import partial

import pytest

import cogmem_core
from cogmem_core import Config
from cogmem_core.config import SignalWeights
from cogmem_core.ports import FloatArray
from cogmem_core.retrieval.explain_missing import explain_place
from cogmem_core.testing import MANUAL, FrozenClock, ScriptedLLM
from helpers.exact_memories import Calls, Shelf, retrieval, shelf
from helpers.tables import each_row, each_row_of

NEAR = {"zulu": (1.0, 0.0), "near": (0.8, 0.6), "far": (0.0, 1.0)}
# Instead of the fitted weights, which change with every fit.
WEIGHTS = SignalWeights(
    similarity=0.5,
    lexical=0.35,
    previous=0.3,
    following=0.15,
    statement=0.15,
    length=0.2,
    coverage=0.0,
    own=0.0,
    brief=0.0,
)
FEW = retrieval(Config(), pool=1, mmr_lambda=1.0, weights=WEIGHTS)
NOBODY = "no list brought it in"


class Interrupted(Calls):
    """While a question is embedded, something else happens."""

    def __init__(self) -> None:
        super().__init__()
        self.meanwhile: Callable[[], None] = lambda: None

    def embed_query(self, text: str) -> FloatArray:
        self.meanwhile()
        return super().embed_query(text)


@pytest.fixture
def one() -> Iterator[Shelf]:
    """Twenty memories like the question, and lists that hold three to nine of them."""
    with shelf(FEW, NEAR) as found:
        found.know("zulu")
        for number in range(20):
            found.know(f"near {number}")
        yield found


class TestAssociations:
    """ "associative expansion over decayed relations ≥ 0.3"."""

    @pytest.mark.parametrize(("weight", "brought"), [(0.3, True), (0.29, False)])
    def test_a_relation_leads_on_from_three_tenths(
        self, one: Shelf, weight: float, brought: bool
    ) -> None:
        """The bound itself is enough."""
        beyond = one.know("far away")
        one.link(one.bank.list()[0].id, beyond, "related_to", weight)
        assert (NOBODY not in one.ask("zulu", k=1).missed(beyond)) is brought

    def test_a_co_activation_fades_while_nobody_uses_it(self, one: Shelf) -> None:
        """w·exp(-days/90): 0.8 is 0.301 after 88 days and 0.298 after 89."""
        beyond = one.know("far away")
        one.link(one.bank.list()[0].id, beyond, "co_activated", 0.8)
        brought = []
        for days in (0, 88, 1):
            one.clock.advance(days=days)
            brought.append(NOBODY not in one.ask("zulu", k=1).missed(beyond))
        assert brought == [True, True, False]

    def test_other_relations_do_not_fade(self, one: Shelf) -> None:
        """A summary stays a summary of its sources."""
        beyond = one.know("far away")
        one.link(one.bank.list()[0].id, beyond, "summarizes", 0.8)
        one.clock.advance(days=3_650)
        assert NOBODY not in one.ask("zulu", k=1).missed(beyond)

    @pytest.mark.parametrize("kind", ["supersedes", "contradicts"])
    def test_what_was_replaced_or_denied_is_no_association(self, one: Shelf, kind: str) -> None:
        """Only who looks back is led there."""
        beyond = one.know("far away")
        one.link(one.bank.list()[0].id, beyond, kind)  # type: ignore[arg-type]
        assert NOBODY in one.ask("zulu", k=1).missed(beyond)
        assert NOBODY not in one.ask("zulu", k=1, deep=True).missed(beyond)

    def test_a_guess_leads_nowhere(self, one: Shelf) -> None:
        """Heuristic links (confidence 0.4 and 0.5) are not sure enough; 0.6 is."""
        brought = []
        for confidence in (0.5, 0.6):
            beyond = one.know(f"far away {confidence}")
            one.link(one.bank.list()[0].id, beyond, "related_to", 1.0, confidence)
            brought.append(NOBODY not in one.ask("zulu", k=1).missed(beyond))
        assert brought == [False, True]

    def test_an_associate_is_a_result_that_says_so(self) -> None:
        """It carries where it was reached from, and what the link adds: 0.05 · 0.8 · the relevance of that one."""
        with shelf(FEW, NEAR) as one:
            hit = one.know("zulu")
            for number in range(20):
                one.know(f"far {number}", importance=0.0)
            beyond = one.know("a blank", importance=1.0)
            one.link(hit, beyond, "related_to", 0.8)
            found = one.ask("zulu", k=3)
        [item] = [item for item in found.results if item.memory.id == beyond]
        assert item.found_by == {"linked": 1}
        assert item.contributions["linked"] == pytest.approx(0.04)
        assert "#1 linked to the one" in found.explain()


class TestExplanation:
    """ "Every result explains itself: each component's value, the paths that found it, why it ranks there"."""

    def test_each_result_has_a_paragraph(self) -> None:
        """Question, intent, rank, text, id, score, lists, and a line per signal with value, weight and effect."""
        boosts = replace(Config().retrieval.boosts, doubtful=0.9)
        with shelf(retrieval(Config(), boosts=boosts, weights=WEIGHTS), NEAR) as one:
            best = one.know("zulu tea", importance=0.8)
            one.know("far away", source_confidence=0.1)
            lines = one.ask("zulu tea").explain().splitlines()
        assert lines[:3] == ["query: zulu tea", "intent: general", f"1. zulu tea [{best}]"]
        assert "#1 by meaning and #1 by words" in lines[3]
        assert "   similarity       1.000  x 0.500 adds +0.5000" in lines
        assert "   importance       0.800  x 0.020 adds +0.0160" in lines
        assert lines[-1] == "   doubt            0.900  factor  adds -0.0263"

    def test_the_arithmetic_of_a_line_is_true(self, one: Shelf) -> None:
        """A signal that is stretched over the pool shows what was multiplied, too; what adds nothing is left out."""
        assert one.ask("zulu", k=1).explain().splitlines()[4:] == [
            "   similarity             1.000  x 0.500 adds +0.5000",
            "   lexical       2.881 as 1.000  x 0.350 adds +0.3500",
            "   previous               1.000  x 0.300 adds +0.3000",
            "   statement              1.000  x 0.150 adds +0.1500",
            "   following              1.000  x 0.150 adds +0.1500",
            "   length                 0.303  x 0.200 adds +0.0607",
            "   retention              1.000  x 0.020 adds +0.0200",
            "   importance             0.500  x 0.020 adds +0.0100",
        ]

    def test_an_empty_answer_says_why(self) -> None:
        """An explicit "no relevant memory" result, and what was withheld."""
        with shelf(Config(), NEAR) as one:
            for number in range(60):
                one.know(f"far away {number}")
            found = one.bank.recall("zulu", k=2)
        lines = found.explain().splitlines()
        assert found.results == ()
        assert lines[2].startswith(
            "no result: no relevant memory: of 2 found none is likely to be (0.0"
        )
        assert lines[3] == "withheld, too unlikely to be relevant: 2"

    def test_parts_of_a_compound_question_are_told(self) -> None:
        """How it was searched."""
        with shelf(Config(), NEAR) as one:
            one.know("near the lake")
            told = one.ask("Where is zulu? Who is near?").explain()
        assert "searched as: Where is zulu?" in told
        assert "searched as: Who is near?" in told

    @each_row_of("why_a_memory_is_there_or_not/an_empty_bank_says_so")
    def test_an_empty_bank_says_so(self, asked: dict[str, object], reason: str) -> None:
        """Nothing known is another answer than nothing fitting."""
        with shelf(Config(), NEAR) as one:
            assert one.ask("zulu", **asked).empty_reason == reason

    @each_row("query", ["Where do I live?", "When did I move?", "Why did I move?", "zulu"])
    def test_an_empty_bank_says_so_to_any_kind_of_question(self, query: str) -> None:
        """A question for a time looks at the past, too, but there is none."""
        with shelf(Config(), NEAR) as one:
            assert one.ask(query).empty_reason == "this namespace holds no active memories"

    def test_a_bank_whose_memories_are_all_past_is_not_empty_for_who_looks_back(self) -> None:
        """What is searched counts."""
        with shelf(Config(), NEAR) as one:
            one.retire(one.know("I lived in Rome"), "superseded")
            reasons = [
                one.ask("zulu", tags=["home"], **more).empty_reason for more in ({}, {"deep": True})
            ]
        assert reasons == [
            "this namespace holds no active memories",
            "no memory matches the given categories or tags",
        ]

    def test_a_filter_that_nothing_passes_says_so(self, one: Shelf) -> None:
        """It is the filter, not the question."""
        assert (
            one.ask("zulu", tags=["home"]).empty_reason
            == "no memory matches the given categories or tags"
        )


class TestMissed:
    """`Recall.missed(id)`: one sentence of fate, then where it stands."""

    def told(self, one: Shelf, memory_id: str, **asked: object) -> str:
        return one.ask("zulu", **{"k": 1, **asked}).missed(memory_id)

    def test_an_id_that_this_namespace_does_not_have(self, one: Shelf) -> None:
        """One namespace never sees another."""
        other = one.engine.bank("bob").add("zulu")
        assert self.told(one, other.id) == f"this namespace has no memory '{other.id}'"

    def test_it_is_a_result(self, one: Shelf) -> None:
        """Nothing was missed."""
        assert "it is result 1, with confidence 0.990" in self.told(one, one.bank.list()[0].id)

    def test_below_the_floor(self, one: Shelf) -> None:
        """The floor kept it back, not its rank."""
        told = one.bank.recall("zulu", k=1, floor=1.0).missed(one.bank.list()[0].id)
        assert "it was found, rank 1, but withheld: its confidence 0.990 is below the floor" in told

    def test_nothing_seems_to_answer_the_question(self) -> None:
        """The honest answer is that nothing is known."""
        with shelf(Config(), NEAR) as one:
            for number in range(60):
                one.know(f"far away {number}")
            found = one.bank.recall("zulu")
            told = found.missed(found.withheld[0].memory.id)
        assert (
            "it was found, rank 1, but withheld: nothing here seems to answer the question" in told
        )

    def test_another_category(self, one: Shelf) -> None:
        """A filter left it out."""
        memory_id = one.bank.list()[0].id
        told = self.told(one, memory_id, categories=["plan", "decision"])
        assert "its category is fact; only plan, decision were searched" in told

    def test_other_tags(self, one: Shelf) -> None:
        """The other filter."""
        told = self.told(one, one.bank.list()[0].id, tags=["home", "work"])
        assert "it has none of the tags home, work" in told

    def test_not_true_then(self, one: Shelf) -> None:
        """Another moment was asked about."""
        memory_id = one.know("zulu again", valid_from=one.clock())
        told = self.told(one, memory_id, as_of=one.clock() - timedelta(days=1))
        assert "it was not true, or not known, at the moment that was asked about" in told

    def test_superseded(self, one: Shelf) -> None:
        """With the id of its successor, and how to see it all the same."""
        old, new = one.know("zulu once"), one.know("zulu now")
        one.retire(old, "superseded", superseded_by=new)
        assert f"it was superseded by {new}; deep recall or mode='timeline' shows it" in self.told(
            one, old
        )

    def test_dormant(self, one: Shelf) -> None:
        """With how to see it."""
        memory_id = one.know("zulu once")
        one.retire(memory_id, "dormant")
        assert "it is dormant; deep recall shows it" in self.told(one, memory_id)

    def test_expired(self, one: Shelf) -> None:
        """With the day on which it ended."""
        memory_id = one.know("zulu once", valid_until=one.clock() + timedelta(days=1))
        one.clock.advance(days=2)
        told = self.told(one, memory_id)
        assert (
            "it holds no longer (until 2026-06-02); deep recall or mode='timeline' shows it" in told
        )

    def test_expired_where_the_clock_is_another(self) -> None:
        """The day is that of the people who speak: in Honolulu it ends ten hours later."""
        settings = replace(MANUAL.encoding, timezone="Pacific/Honolulu")
        clock = FrozenClock(datetime(2026, 6, 1, 12, tzinfo=timezone.utc))
        config = replace(MANUAL, encoding=settings)
        with cogmem_core.open(embedder="hashing", config=config, clock=clock) as engine:
            bank = engine.bank("ann")
            end = datetime(2026, 6, 3, 9, 59, 59, 999_999, tzinfo=timezone.utc)
            memory = bank.add("zulu once", valid_until=end)
            clock.advance(days=3)
            assert "(until 2026-06-02)" in bank.recall("zulu once").missed(memory.id)

    @pytest.mark.parametrize("state", ["forgotten", "quarantined"])
    def test_out_of_reach(self, one: Shelf, state: str) -> None:
        """Not even deep recall shows it."""
        memory_id = one.know("zulu once")
        one.retire(memory_id, state)
        assert f"it is {state}" in self.told(one, memory_id)
        assert f"it is {state}" in self.told(one, memory_id, deep=True)

    def test_a_query_that_is_not_looked_up(self, one: Shelf) -> None:
        """Nobody searched, so no rank and no cosine is told."""
        memory_id = one.bank.list()[0].id
        told = one.ask("hello").missed(memory_id)
        assert (
            told
            == f"zulu [{memory_id}]\n   there is nothing to look up: the query is a mere greeting"
        )

    def test_it_is_asked_again_as_what_the_language_model_took_it_for(self) -> None:
        """`retrieval.llm_intent`: the route of the recall, and no second call."""
        llm = ScriptedLLM({"intent": "preference"})
        config = retrieval(cogmem_core.preset("v9"), llm_intent=True, hyde=False)
        with cogmem_core.open(
            embedder="hashing", clock=FrozenClock(), llm=llm, config=config
        ) as engine:
            engine.pause()
            bank = engine.bank("alice")
            zulu = bank.add("zulu")
            told = bank.recall("notes on zulu").missed(zulu.id)
        assert "its category is fact; only preference, correction were searched" in told
        assert len(llm.calls) == 1

    def test_it_is_superseded_while_the_question_is_asked_again(self) -> None:
        """What is told of it is how it is after the search."""
        embedder, clock = Interrupted(), FrozenClock()
        config = replace(MANUAL, embedding=replace(MANUAL.embedding, cache_entries=0))
        with cogmem_core.open(embedder=embedder, clock=clock, config=config) as engine:
            one = Shelf(engine, engine.bank("alice"), clock)
            old, new = one.know("zulu once"), one.know("zulu now")
            found = one.ask("zulu")
            embedder.meanwhile = partial(one.retire, old, "superseded", superseded_by=new)
            told = found.missed(old)
        assert f"it was superseded by {new}; deep recall or mode='timeline' shows it" in told

    def test_it_comes_back_while_the_question_is_asked_again(self, one: Shelf) -> None:
        """It has no day on which it ended."""
        memory_id = one.know("zulu once")
        one.retire(memory_id, "dormant")
        walked = one.walk("zulu", k=1, mode="timeline")
        told = explain_place(walked, one.bank.restore(memory_id), "zulu once", None)
        assert "it was out of recall a moment ago, and is back by now" in told

    def test_others_were_better(self, one: Shelf) -> None:
        """With its rank, its score, that of the last result, and each signal."""
        told = self.told(one, one.bank.list()[1].id)
        assert "it was a candidate, but others were better" in told
        assert "rank 2 of 3 candidates; the last result has " in told
        assert "similarity    0.800 as 0.333  x 0.500 adds +0.1667" in told

    def test_another_stands_for_it(self) -> None:
        """Almost the same text: diversity left it out in spite of its rank."""
        twins = {"zulu": (1.0, 0.0, 0.0), "left": (0.8, 0.6, 0.0), "right": (0.8, -0.6, 0.0)}
        with shelf(retrieval(Config(), mmr_lambda=0.5), twins) as one:
            one.know("left one", importance=0.9)
            twin = one.know("left two", importance=0.8)
            one.know("right", importance=0.7)
            told = one.ask("zulu", k=2).missed(twin)
        assert "rank 2 of 3 candidates; left out because another result of the same turn" in told

    def test_no_list_held_it(self, one: Shelf) -> None:
        """With its cosine, that of the last one that was taken, and the words in common."""
        memory_id = one.know("far away")
        told = self.told(one, memory_id)
        assert NOBODY in told
        assert "its cosine with the query is 0.000, the last of the 3 by meaning has 0.800" in told
        assert "it shares no word with the query" in told

    def test_words_in_common_were_not_enough(self, one: Shelf) -> None:
        """What it shares, and that others share more."""
        for number in range(3):
            one.know(f"blue whale {number}")
        told = one.ask("zulu whale", k=1).missed(
            one.know("A long story about this and that and a whale")
        )
        assert NOBODY in told
        assert "it shares the words whale; those found by words: 3" in told

    def test_asking_changes_nothing(self, one: Shelf) -> None:
        """Reading is free of side effects."""
        memory_id = one.know("far away")
        before = one.bank.get(memory_id)
        self.told(one, memory_id)
        assert one.bank.get(memory_id) == before
