"""What was used together is bound together, once; tags expire. And what holds for all steps on numbers."""

import math
from collections.abc import Callable

import pytest

from cogmem_core.changes import Retire
from cogmem_core.config import FeedbackConfig
from helpers.step_modules import step_module
from unit.helpers.dream_cycles import Night

Opening = Callable[..., Night]
TEXTS = ("Emma keeps rabbits in Lisbon", "Noah repairs old radios", "Sofia studies marine biology")
ANSWER = "Emma keeps rabbits in Lisbon, Noah repairs old radios."


def pair(one: str, other: str) -> tuple[str, str, str]:
    return (min(one, other), max(one, other), "co_activated")


def weights(night: Night) -> dict[tuple[str, str, str], float]:
    return {key: round(link.weight, 6) for key, link in night.links().items()}


def test_what_was_used_together_is_bound_by_the_night(night: Night) -> None:
    """Agentos, step 3: "CO_ACTIVATED edges", learning rate 0.1; of three memories used by one answer three pairs."""
    a, b, c = (night.add(text) for text in TEXTS)
    night.judge("r1", c, a, b)
    at = night.clock()
    night.clock.advance(hours=1)
    report = night.dream("synaptic_replay")
    assert report.strengthened == 3
    assert weights(night) == {pair(a, b): 0.1, pair(a, c): 0.1, pair(b, c): 0.1}
    assert {(link.created_at, link.last_activated_at) for link in night.links().values()} == {
        (at, at)
    }
    assert {change.reason for change in report.changes} == {"used together in an answer"}


def test_feedback_counts_once(night: Night) -> None:
    """ "counted once: a watermark, never re-read"; the newest judgements are read again, and change nothing."""
    a, b = (night.add(text) for text in TEXTS[:2])
    night.judge("r1", a, b)
    assert [night.counts("synaptic_replay"), night.counts("synaptic_replay")] == [
        {"strengthened": 1},
        {},
    ]
    night.clock.advance(days=1)
    night.judge("r2", a, b)
    assert [night.counts("synaptic_replay"), night.counts("synaptic_replay")] == [
        {"strengthened": 1},
        {},
    ]
    assert weights(night) == {pair(a, b): round(0.1 * math.exp(-1 / 90) + 0.1, 6)}


def test_what_feedback_bound_at_once_is_not_bound_again(night: Night) -> None:
    """By default `bank.feedback` has done it by the time the night comes."""
    for text in TEXTS:
        night.add(text)
    night.bank.feedback(night.bank.recall("Emma Noah", floor=0.0), ANSWER)
    before = night.links()
    assert len(before) == 1
    night.clock.advance(hours=1)
    assert night.counts("synaptic_replay") == {}
    assert night.links() == before


def test_the_night_binds_as_feedback_would_have_done(opening: Opening) -> None:
    """Agentos leaves it to the cycle: `feedback.bind_at_once` = False gives the same weights in the end."""
    nights = [opening(), opening(feedback=FeedbackConfig(bind_at_once=False))]
    for one in nights:
        for text in TEXTS:
            one.add(text)
        for _ in range(2):
            one.bank.feedback(one.bank.recall("Emma Noah", floor=0.0), ANSWER)
            one.clock.advance(days=9)
    assert [len(one.links()) for one in nights] == [1, 0]
    assert [one.counts("synaptic_replay") for one in nights] == [{}, {"strengthened": 1}]
    found = [
        [(x.weight, x.created_at, x.last_activated_at) for x in one.links().values()]
        for one in nights
    ]
    assert found[0] == found[1]
    assert found[0][0][0] == pytest.approx(0.1 * math.exp(-0.1) + 0.1)


def test_judgements_of_one_recall_in_two_calls_belong_together(night: Night) -> None:
    """Feedback binds what one call judged; the night sees the whole recall."""
    a, b = (night.add(text) for text in TEXTS[:2])
    night.judge("r1", a)
    night.clock.advance(minutes=1)
    night.judge("r1", b)
    assert night.counts("synaptic_replay") == {"strengthened": 1}
    assert night.links()[pair(a, b)].last_activated_at == night.clock()


def test_recalls_are_replayed_in_the_order_of_their_last_judgement(night: Night) -> None:
    """The weight fades from the last common use, which is that of the recall that was begun first."""
    a, b = (night.add(text) for text in TEXTS[:2])
    night.judge("r1", a)
    night.clock.advance(days=1)
    night.judge("r2", a, b)
    night.clock.advance(days=1)
    night.judge("r1", b)
    assert night.counts("synaptic_replay") == {"strengthened": 1}
    assert weights(night) == {pair(a, b): round(0.1 * math.exp(-1 / 90) + 0.1, 6)}
    assert night.links()[pair(a, b)].last_activated_at == night.clock()


def test_what_was_ignored_or_left_recall_is_not_bound(night: Night) -> None:
    """Agentos: traces that were used; a link to something dormant would lead nowhere."""
    a, b, c = (night.add(text) for text in TEXTS)
    night.judge("r1", a, c)
    night.judge("r1", b, signal="ignored")
    night.change(Retire(c, "dormant", "by hand"))
    assert night.counts("synaptic_replay") == {}
    assert night.links() == {}


def test_a_recall_binds_so_many_pairs_at_most(
    opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first ids first; a second night does not take the rest."""
    monkeypatch.setattr("cogmem_core.feedback.apply.PAIRS", 2)
    monkeypatch.setattr(step_module("synaptic_replay"), "PAIRS", 2)
    night = opening()
    a, b, c, d = (night.add(f"fact {number}") for number in range(4))
    night.judge("r1", a, b, c, d)
    assert [night.counts("synaptic_replay"), night.counts("synaptic_replay")] == [
        {"strengthened": 2},
        {},
    ]
    assert set(night.links()) == {pair(a, b), pair(a, c)}


def test_the_night_binds_what_feedback_had_no_room_for(
    opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More pairs than one answer binds: two at once, two by the night."""
    monkeypatch.setattr("cogmem_core.feedback.apply.PAIRS", 1)
    monkeypatch.setattr(step_module("synaptic_replay"), "PAIRS", 1)
    night = opening()
    for text in TEXTS:
        night.add(text)
    night.bank.feedback(
        night.bank.recall("Emma Noah Sofia", floor=0.0), ANSWER + " Sofia studies marine biology."
    )
    assert len(night.links()) == 1
    assert [night.counts("synaptic_replay"), night.counts("synaptic_replay")] == [
        {"strengthened": 1},
        {},
    ]
    assert len(night.links()) == 2


def test_tags_go_when_their_time_is_over(night: Night) -> None:
    """ "expired tags removed", captured ones too; those of memories that left recall at once."""
    ids = [night.add(f"fact {number}") for number in range(4)]
    for memory_id, hours, captured in zip(
        ids, (4, 4, 5, 5), (False, True, False, False), strict=True
    ):
        night.tag(memory_id, hours=hours, captured=captured)
    night.change(Retire(ids[3], "dormant", "by hand"))
    assert night.counts("synaptic_replay") == {"untagged": 1}
    night.clock.advance(hours=4)
    assert night.counts("synaptic_replay") == {"untagged": 2}
    assert [tag.memory_id for tag in night.marks()[0]] == [ids[2]]
    assert {night.get(memory_id).version for memory_id in ids} == {1}
