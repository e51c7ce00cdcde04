"""V9, before the search: pre-retrieval gate, HyDE, embedding cache, multi-query decomposition."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np
import pytest

import cogmem_core
from cogmem_core import Config, MemoryBank
from cogmem_core.embedders import CachedEmbedder, resolve
from cogmem_core.testing import FrozenClock
from helpers.exact_memories import Calls, retrieval, shelf
from helpers.tables import each_case_of, each_row_of

HYDE = retrieval(Config(), hyde=True)
Opened = Callable[..., tuple[MemoryBank, Calls]]


@pytest.fixture
def opened() -> Iterator[Opened]:
    """Opens banks that know three things, with embedders that keep what a question asks of them."""
    engines = []

    def open_(config: Config | None = None) -> tuple[MemoryBank, Calls]:
        calls = Calls()
        engines.append(
            cogmem_core.open(embedder=calls, clock=FrozenClock(), config=config or Config())
        )
        engines[-1].pause()
        bank = engines[-1].bank("alice")
        for text in ("I live in Lisbon", "My job is baking bread", "Hello Kitty is my cat"):
            bank.add(text)
        return bank, calls

    yield open_
    for engine in engines:
        engine.close()


@pytest.fixture
def home(opened: Opened) -> tuple[MemoryBank, Calls]:
    """One such bank as it comes."""
    return opened()


class TestPreRetrievalGate:
    """ "Pattern-based skip logic that short-circuits the full retrieval pipeline for trivial messages"."""

    @each_row_of("before_the_search/a_trivial_message_costs_no_embedding")
    def test_a_trivial_message_costs_no_embedding(
        self, home: tuple[MemoryBank, Calls], message: str, kind: str
    ) -> None:
        """Greetings, confirmations, slash commands, acknowledgements, EN and TR; "Saves embedding API calls"."""
        bank, calls = home
        found = bank.recall(message)
        assert calls.asked == []
        assert found.results == ()
        assert found.empty_reason == f"there is nothing to look up: the query is a mere {kind}"

    def test_it_is_applied_before_hyde(self, opened: Opened) -> None:
        """ "Applied before HyDE expansion": nor are hypothetical answers embedded."""
        bank, calls = opened(HYDE)
        bank.recall("merhaba")
        assert calls.asked == []

    @pytest.mark.parametrize(
        "query", ["hello kitty", "Hi, where do I live?", "selam, nerede yaşıyorum?", "ok computer"]
    )
    def test_a_question_that_begins_like_one_is_asked(self, opened: Opened, query: str) -> None:
        """Only what is nothing else is skipped."""
        bank, calls = opened()
        bank.recall(query)
        assert len(calls.asked) == 1


class TestHyDE:
    """ "Hypothetical Document Embeddings — template-based, zero LLM cost"; "7 Intent Categories (EN + TR support)"."""

    @each_case_of("before_the_search/each_intent_has_two_or_three_documents")
    def test_each_intent_has_two_or_three_documents(
        self, opened: Opened, query: str, documents: list[str]
    ) -> None:
        """ "Each intent generates 2-3 hypothetical document templates"; they go out with the query in one call.

        A day that the query names is not searched for.
        """
        bank, calls = opened(HYDE)
        bank.recall(query)
        assert calls.asked == [[query.replace("dün ", ""), *documents]]

    @each_case_of("before_the_search/the_day_of_a_question_is_in_none_of_them")
    def test_the_day_of_a_question_is_in_none_of_them(
        self, opened: Opened, query: str, texts: list[str]
    ) -> None:
        """A day decides by when something was; no text is searched for it."""
        bank, calls = opened(HYDE)
        bank.recall(query)
        assert calls.asked == [texts]

    def test_the_query_and_its_variants_are_averaged_into_a_centroid(self) -> None:
        """ "Query + variants are embedded, then averaged": (4 unit vectors)/2, so each has the cosine 1/2 with it."""
        axes = {"kind of": 0, "means": 1, "used for": 2, "What": 3, "island": 3}
        vectors = {word: tuple(np.eye(4)[axis]) for word, axis in axes.items()}
        for hyde, cosine in ((True, 0.5), (False, 1.0)):
            with shelf(retrieval(Config(), hyde=hyde), vectors) as one:
                island = one.know("an island")
                assert one.item("What is Docker?", island).signals["similarity"] == pytest.approx(
                    cosine
                )

    def test_it_widens_recall(self) -> None:
        """ "This widens recall without any LLM calls": what lies by the answer is found, not only by the question."""
        vectors = {"used for": (1.0, 0.0), "containers": (1.0, 0.0), "What": (0.0, 1.0)}
        found = []
        for hyde in (False, True):
            with shelf(retrieval(Config(), hyde=hyde), vectors) as one:
                memory_id = one.know("Ships for containers")
                found.append(one.item("What is Docker?", memory_id).signals["similarity"])
        assert found == pytest.approx([0.0, 0.7071], abs=1e-4)


@dataclass
class Seconds:
    """A clock of seconds, moved by hand."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def cached(*, entries: int = 200) -> Iterator[tuple[MemoryBank, Calls, CachedEmbedder, Seconds]]:
    """A bank behind a cache whose clock is moved by hand; the engine's own is off."""
    calls, clock, config = Calls(), Seconds(), Config()
    cache = CachedEmbedder(resolve(calls, config=config.embedding), clock=clock, entries=entries)
    own = replace(config, embedding=replace(config.embedding, cache_entries=0))
    with cogmem_core.open(embedder=cache, clock=FrozenClock(), config=own) as engine:
        engine.pause()
        bank = engine.bank("alice")
        bank.add("I live in Lisbon")
        yield bank, calls, cache, clock


class TestEmbeddingCache:
    """ "LRU cache for OpenAI embedding API calls"; here for every embedder."""

    def test_a_repeated_query_is_embedded_once(self, opened: Opened) -> None:
        """ "Eliminates redundant API calls for repeated ... queries"; HyDE's variants are cached like the query."""
        bank, calls = opened(HYDE)
        first, second = (
            bank.recall("Where do I live?", floor=0.0),
            bank.recall("Where do I live?", floor=0.0),
        )
        assert len(calls.asked) == 1
        assert [item.score for item in first.results] == [item.score for item in second.results]


class TestDecomposition:
    """ "Complex queries are split into independent sub-queries for better recall"."""

    @each_case_of("before_the_search/compound_queries_are_split_into_two_to_four")
    def test_compound_queries_are_split_into_two_to_four(
        self, opened: Opened, query: str, parts: tuple[str, ...]
    ) -> None:
        """ "multiple question marks, "and also", conjunctions with distinct entities"; one embedding call for all."""
        bank, calls = opened()
        assert bank.recall(query).parts == parts
        assert calls.asked == [[query, *parts]]

    def test_a_simple_query_stays_whole(self, opened: Opened) -> None:
        """Its only part is itself, and it is searched once."""
        bank, calls = opened()
        assert bank.recall("Where do I live?").parts == ("Where do I live?",)
        assert calls.asked == [["Where do I live?"]]

    def test_each_part_is_searched_and_the_lists_are_fused(self) -> None:
        """ "Merge results via RRF fusion": 1/(5 + place) for each list, over what the first place in all would get."""
        vectors = {"tea": (1.0, 0.0), "jazz": (0.0, 1.0), "both": (0.6, 0.8)}
        with shelf(Config(), vectors) as one:
            tea, jazz = one.know("Ana drinks tea"), one.know("Bob hears jazz")
            found = one.ask("Who drinks tea? Who hears jazz?")
            items = {item.memory.id: item for item in found.results}
        assert found.parts == ("Who drinks tea?", "Who hears jazz?")
        assert items[tea].contributions["part 1"] == pytest.approx(1 / 3)
        assert items[jazz].contributions["part 1"] == pytest.approx(6 / 7 / 3)
        assert items[tea].contributions["part 2"] == pytest.approx(6 / 7 / 3)
        assert items[jazz].contributions["part 2"] == pytest.approx(1 / 3)
        for item in items.values():
            assert set(item.contributions) == {"question", "part 1", "part 2"}
            assert sum(item.contributions.values()) == pytest.approx(item.score)

    def test_a_memory_that_several_parts_find_comes_once(self, opened: Opened) -> None:
        """ "Deduplicate by memory ID"."""
        bank, _ = opened()
        ids = [
            item.memory.id
            for item in bank.recall("Where do I live? What is my job?", floor=0.0).results
        ]
        assert len(ids) == len(set(ids)) == 3

    def test_it_finds_what_the_whole_question_misses(self) -> None:
        """ "for better recall": with two places an answer to each part, instead of two to the louder one."""
        vectors = {"? Who": (1.0, 0.0), "tea": (1.0, 0.0), "jazz": (0.0, 1.0)}
        found = []
        for decompose in (False, True):
            with shelf(retrieval(Config(), decompose=decompose, mmr_lambda=1.0), vectors) as one:
                for text in ("green tea for Ana", "black tea for Ana", "a night of jazz"):
                    one.know(text)
                found.append(
                    {
                        text.split()[2]
                        for text in one.texts("Who has tea for Ana? Who hears jazz?", k=2)
                    }
                )
        assert found == [{"for"}, {"for", "of"}]

    def test_each_part_goes_through_the_full_pipeline(self, opened: Opened) -> None:
        """ "Run each sub-query through the full retrieval pipeline": HyDE makes variants of each, in the same call."""
        bank, calls = opened(HYDE)
        bank.recall("What is Docker? Why did Jon quit?")
        assert len(calls.asked) == 1
        assert {"Docker means that", "Jon quit because"} <= set(calls.asked[0])

    def test_it_can_be_switched_off(self, opened: Opened) -> None:
        """ "each one can be switched off by configuration"."""
        bank, calls = opened(retrieval(Config(), decompose=False))
        bank.recall("Where do I live? What is my job?")
        assert calls.asked == [["Where do I live? What is my job?"]]
