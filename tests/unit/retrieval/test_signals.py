"""Ranking signals by hand: what a conversation is made of."""

from datetime import datetime, timezone

import numpy as np
import pytest

import cogmem_core
from cogmem_core.config import RetrievalConfig, Route, SignalWeights
from cogmem_core.retrieval.score import ASKED, CandidateScore, rank, score, weights_for
from cogmem_core.retrieval.signals import ALONE, CONTEXT, SIGNALS, Pool
from cogmem_core.storage.ledger.codec import encode_time
from cogmem_core.testing import FrozenClock
from cogmem_core.text.time.hints import DateHints
from helpers.tables import each_case_of
from unit.helpers.ranking_pools import pool, row

DEFAULT = RetrievalConfig()


def ranked(found: Pool, k: int, settings: RetrievalConfig = DEFAULT) -> list[CandidateScore]:
    """The k best as they are shown."""
    scored = score(found, weights_for(Route(), settings.weights))
    return [scored.candidate_scores([place])[0] for place in rank(scored, k, settings)]


def test_every_signal_has_a_weight_and_every_weight_a_signal() -> None:
    """Each one can be switched off by configuration."""
    assert {*SIGNALS, *CONTEXT, ASKED} == set(SignalWeights.__slots__)


@each_case_of("signals/what_the_named_speaker_said_counts")
def test_what_the_named_speaker_said_counts(speaker: str | None, expected: list[float]) -> None:
    """+ 0.3 if the one speaker named in the question said it."""
    rows = (row("a", speaker="Caroline"), row("b", speaker="Melanie"), row("c"))
    assert SIGNALS["speaker"](pool(*rows, speaker=speaker)).tolist() == expected


@each_case_of("signals/what_the_one_named_speaker_said_counts")
def test_what_the_one_named_speaker_said_counts(query: str, expected: list[float]) -> None:
    """+ 0.3 if the one speaker named in the question said it; of two named ones neither."""
    with cogmem_core.open(embedder="hashing", clock=FrozenClock()) as engine:
        bank = engine.bank("talk")
        bank.remember("I want to move to Lisbon", speaker="Caroline")
        bank.remember("I want to move to Porto", speaker="Melanie")
        bank.remember("The movers want to move a piano")
        found = bank.recall(query, floor=0)
    signals = {item.memory.speaker: item.signals["speaker"] for item in found.results}
    assert [signals["Caroline"], signals["Melanie"], signals[None]] == expected


def test_the_date_of_the_event_counts_as_much_as_that_of_the_turn() -> None:
    """Against referenced_at/recorded_at."""
    july = encode_time(datetime(2022, 7, 1, tzinfo=timezone.utc))
    rows = (row("a"), row("b", referenced_at=july), row("c", recorded_at=july))
    hints = DateHints(years=frozenset({2022}), months=frozenset({7}))
    assert SIGNALS["date"](pool(*rows, hints=hints)).tolist() == [0.0, 1.0, 1.0]
    assert SIGNALS["date"](pool(*rows)).tolist() == [0.0, 0.0, 0.0]


def test_words_of_time_count_only_if_the_question_asks_for_one() -> None:
    """Time words for "when" questions."""
    rows = (row("a", referenced_at=5), row("b"))
    assert SIGNALS["when"](pool(*rows, asks_when=True)).tolist() == [1.0, 0.0]
    assert SIGNALS["when"](pool(*rows, asks_when=False)).tolist() == [0.0, 0.0]


def test_long_turns_say_more_and_questions_answer_nothing() -> None:
    """A small prior for content length, small malus for turns that are questions."""
    rows = (row("a", content=""), row("b", content="x" * 200), row("c", content="x" * 3_999 + "?"))
    assert SIGNALS["length"](pool(*rows)).tolist() == [0.0, 1.0, 1.0]
    assert SIGNALS["statement"](pool(*rows)).tolist() == [1.0, 1.0, 0.0]


def test_an_answer_gets_what_its_question_is_worth() -> None:
    """The turn before, and more if that one asks; what has none has its own relevance instead."""
    rows = (row("a", content="Where to? I wonder."), row("b"), row("c"), row("d"))
    relevance = np.array([0.2, 0.9, 0.4, 0.7])
    found = pool(*rows, previous=[ALONE, 0, 1, -1], following=[1, 2, ALONE, -1])
    assert CONTEXT["previous"](found, relevance).tolist() == [0.2, 0.2, 0.9, 0.0]
    assert CONTEXT["following"](found, relevance).tolist() == [0.9, 0.4, 0.4, 0.0]
    assert CONTEXT["answer"](found, relevance).tolist() == [0.0, 0.2, 0.0, 0.0]


def test_a_session_counts_by_its_best_three() -> None:
    """Session coherence, 0.6 x mean of the session's top 3."""
    rows = (*(row(name) for name in "abcd"), row("e", session_id="t"), row("f", session_id=None))
    found = CONTEXT["session"](pool(*rows), np.array([0.9, 0.6, 0.3, 0.0, 0.9, 1.0]))
    assert found.tolist() == pytest.approx([0.6, 0.6, 0.6, 0.6, 0.3, 0.0])


def test_contributions_sum_to_the_score_and_a_weight_of_zero_switches_off() -> None:
    """Every result explains itself: each component's value."""
    rows = (row("a", speaker="Ana"), row("b"))
    weights = SignalWeights(session=0.0, speaker=0.0)
    told = pool(*rows, lexical=(1.0, 3.0), coverage=(0.2, 0.6), speaker="Ana")
    found = ranked(told, 2, RetrievalConfig(weights=weights))

    assert [item.id for item in found] == ["b", "a"]
    for item in found:
        assert sum(item.contributions.values()) == pytest.approx(item.score)
        assert {"session", "speaker"} & set(item.contributions) == set()


def test_one_memory_per_turn_as_long_as_that_leaves_enough() -> None:
    """A turn and its facts take one place each only if there is nothing else."""
    rows = (row("fact", turn="turn-1"), row("said", turn="turn-1"), row("other"))
    found = pool(*rows, lexical=(3.0, 2.0, 1.0))

    assert [item.id for item in ranked(found, 2)] == ["fact", "other"]
    assert {item.id for item in ranked(found, 3)} == {"fact", "said", "other"}


def test_the_seed_s_activation_is_stretched_over_the_pool() -> None:
    """V9: B = log(max(n, 1)) - 0.5·log(age), 1 / (1 + exp(-B)): n / (n + √age), best 1 and least 0."""
    rows = (row("a", access_count=4), row("b", access_count=1), row("c"))
    settings = RetrievalConfig(activation="seed")
    # 10,000 seconds ago: 4/104, 1/101 and, as n counts at least 1, 1/101.
    found = SIGNALS["activation"](pool(*rows, now=10_000_000_000, settings=settings))
    assert found.tolist() == pytest.approx([1.0, 0.0, 0.0])


def test_activation_within_an_hour_is_alike() -> None:
    """The order of a single sitting is no history: at most a factor e is needed before levels are stretched."""
    rows = (row("a"), row("b", created_at=1_800_000_000), row("c", access_count=9))
    found = SIGNALS["activation"](pool(*rows, now=3_600_000_000))
    # ln 10 above the others: ten accesses spread over what counts as one hour.
    assert found.tolist() == pytest.approx([0.0, 0.0, 1.0])
