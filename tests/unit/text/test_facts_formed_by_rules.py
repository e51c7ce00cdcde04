"""V9, formation and rewriting: one test per claim that the heuristics make, named after it."""

from __future__ import annotations

from datetime import datetime, timezone

import cogmem_core
from cogmem_core import Config
from cogmem_core.config import EncodingConfig
from cogmem_core.reading import of
from cogmem_core.reading.between import change
from cogmem_core.testing import FrozenClock
from cogmem_core.text.rewrite.third_person import Antecedent, resolve_pronouns, rewrite
from cogmem_core.text.sentences import split_facts
from cogmem_core.text.time.find import find_times, normalise

SAID = datetime(2026, 3, 1, 12, 0, tzinfo=timezone.utc)  # a Sunday
SEMANTIC = EncodingConfig(mode="semantic")


def test_transforms_raw_observations_into_structured_memory_units() -> None:
    """ "Transforms raw observations into structured memory units." """
    message = "Well, I moved to Lisbon yesterday and my sister Ana lives in Porto."
    facts = [normalise(rewrite(piece.text), SAID) for piece in split_facts(message)]
    assert facts == ["User moved to Lisbon on 2026-02-28", "User's sister Ana lives in Porto."]


def test_coreference_replaces_pronouns_by_the_last_known_entity_in_english() -> None:
    """ "Coreference: pronouns → last known entity (EN + TR)": English."""
    known = (Antecedent("Tom", "person"), Antecedent("Ana", "person"))
    assert resolve_pronouns("She moved to Porto", known) == "Ana moved to Porto"


def test_coreference_replaces_pronouns_by_the_last_known_entity_in_turkish() -> None:
    """ "Coreference: pronouns → last known entity (EN + TR)": Turkish."""
    assert (
        resolve_pronouns("Onun kedisi hasta", (Antecedent("Ayşe", "person"),))
        == "Ayşe'nin kedisi hasta"
    )


def test_atomic_split_at_and_with_different_entities_on_each_side() -> None:
    """ "Atomic split: " and "/" ve " with different entities on each side": English."""
    pieces = split_facts("Ana lives in Porto and Rui lives in Braga")
    assert [piece.text for piece in pieces] == ["Ana lives in Porto", "Rui lives in Braga"]


def test_atomic_split_at_ve_with_different_entities_on_each_side() -> None:
    """ "Atomic split: " and "/" ve " with different entities on each side": Turkish."""
    pieces = split_facts("Ayşe Berlin'de yaşıyor ve Mehmet Paris'te çalışıyor")
    assert [piece.text for piece in pieces] == [
        "Ayşe Berlin'de yaşıyor",
        "Mehmet Paris'te çalışıyor",
    ]


def test_no_atomic_split_without_different_entities() -> None:
    """ "with different entities on each side": a pair of names is one fact."""
    assert [piece.text for piece in split_facts("Tom and Jerry are coming")] == [
        "Tom and Jerry are coming"
    ]


def test_temporal_bugun_yarin_dun_mean_today_tomorrow_yesterday() -> None:
    """ "Temporal: bugün→today, yarın→tomorrow, dün→yesterday"."""
    for turkish, english in (("bugün", "today"), ("yarın", "tomorrow"), ("dün", "yesterday")):
        assert find_times(turkish, SAID)[0].first == find_times(english, SAID)[0].first


def test_temporal_words_become_iso_dates() -> None:
    """ "→ ISO dates"."""
    assert normalise("I saw Ana yesterday", SAID) == "I saw Ana on 2026-02-28"
    assert normalise("Yarın geliyorum", SAID) == "2026-03-02 tarihinde geliyorum"


def test_temporal_type_is_time_bounded_for_plans_and_persistent_otherwise() -> None:
    """ "temporalType: "persistent" | "time_bounded"": a text without foresight is persistent."""
    with cogmem_core.open(
        embedder="hashing", clock=FrozenClock(), config=Config(encoding=SEMANTIC)
    ) as engine:
        bank = engine.bank("alice")
        bank.remember(["I will call Ana in Porto", "I live in Lisbon"])
        kinds = {memory.content: memory.temporal_type for memory in bank.list()}
    assert kinds == {
        "User will call Ana in Porto": "time_bounded",
        "User lives in Lisbon": "persistent",
    }


def test_valid_from_is_when_information_became_true() -> None:
    """ "validFrom: When information became true": the first day of the period that is named."""
    assert (
        f"{find_times('I have worked here since May 2019', SAID)[0].first:%Y-%m-%d}" == "2019-05-01"
    )


def test_valid_until_is_when_it_stops_being_true() -> None:
    """ "validUntil: When it stops being true": the last moment of the period that is named."""
    assert (
        f"{find_times('I will be away next week', SAID)[0].last:%Y-%m-%d %H:%M:%S}"
        == "2026-03-08 23:59:59"
    )


def test_standalone_rewriting_converts_first_person_to_third_person() -> None:
    """ "Converts first-person to third-person ("I prefer X" → "User prefers X")"."""
    assert rewrite("I prefer dark mode") == "User prefers dark mode"


def test_standalone_rewriting_removes_filler_words() -> None:
    """ "removes filler words"."""
    assert rewrite("Um, well, I prefer, you know, dark mode") == "User prefers dark mode"


def test_standalone_rewriting_gives_500_characters_at_most() -> None:
    """ "max 500 chars"."""
    assert len(rewrite("I prefer " + "dark " * 300)) <= 500


def test_contradiction_when_key_values_differ() -> None:
    """ "Contradiction | SUPERSEDE | Key values differ — invalidate old"."""
    assert change(of("I live in Porto"), of("I live in Lisbon")) is not None
