"""The write path as its specification (3.1 to 3.4): modes, times, voices, reports; every expectation is literal."""

import re
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

import cogmem_core
from cogmem_core import Config, MemoryBank, Turn
from cogmem_core.config import EncodingConfig
from cogmem_core.embedders import MiniLM
from cogmem_core.testing import MANUAL, FrozenClock, ScriptedLLM
from helpers.bank_contents import contents
from helpers.model_answers import decided, formed
from helpers.tables import each_case_of

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
TOLD = "Well, I moved to Lisbon yesterday and my sister Emma lives in Porto."

ENGINE = {"embedder": "minilm", "paused": True}


class TestModes:
    """ "Extraction modes (cognitive-memory)"."""

    def test_hybrid_keeps_both(self, bank: MemoryBank) -> None:
        """ "`hybrid` (both, fact linked to its turn)": by the turn that both name as their source."""
        report = bank.remember(TOLD, mode="hybrid")
        assert sorted(contents(bank)) == sorted(
            [TOLD, "User moved to Lisbon on 2026-05-31", "User's sister Emma lives in Porto."]
        )
        assert {m.sources[0].episode_id for m in bank.list()} == {report.receipts[0].episode_id}

    def test_auto_keeps_a_turn_of_several_facts_whole(self, bank: MemoryBank) -> None:
        """Each of them stands by itself: what becomes otherwise is marked, and the rest holds."""
        bank.remember("My dog is called Mochi. My cat is called Luna.")
        bank.remember("My cat is called Lola now.")
        assert [memory.text for memory in bank.list()] == [
            "My dog is called Mochi. [until 1 June 2026: My cat is called Luna].",
            "My cat is called Lola now.",
        ]

    def test_auto_with_a_model_keeps_facts_that_are_found_by_their_turn(
        self, minilm: MiniLM
    ) -> None:
        """ "with an LLM facts whose index key also covers their turn": a word that only the turn holds finds it."""
        llm = ScriptedLLM(formed("User has a new bicycle"), formed("User has a new kettle"))
        with cogmem_core.open(
            embedder=minilm, clock=FrozenClock(), llm=llm, config=MANUAL
        ) as engine:
            bank = engine.bank("alice")
            bank.remember("I got a new bicycle from the Wanderer shop in Braga")
            bank.remember("I got a new kettle from a market in Faro", mode="raw")
            assert contents(bank)[0] == "User has a new bicycle"
            assert bank.recall("Wanderer").results[0].content == "User has a new bicycle"

    @pytest.mark.parametrize("mode", ["auto", "semantic", "hybrid", "raw"])
    @pytest.mark.parametrize("text", ["Hmm, blue over there", "mm42", "🍵 🍵 🍵 🍵 🍵 tea"])
    def test_no_mode_loses_a_turn(self, bank: MemoryBank, mode: str, text: str) -> None:
        """A turn of which no fact is taken is kept as it was said."""
        bank.remember(text, mode=mode)
        assert contents(bank) == [text]

    def test_a_turn_whose_facts_are_trivial_is_kept(self, minilm: MiniLM) -> None:
        """A model calls the only fact trivial (NOOP without an id): the turn stays as it was said."""
        llm = ScriptedLLM(
            formed("User lives in Porto"), formed("User likes Porto"), decided("NOOP")
        )
        with cogmem_core.open(
            embedder=minilm, clock=FrozenClock(), llm=llm, config=MANUAL
        ) as engine:
            bank = engine.bank("alice")
            bank.remember("I live in Porto with Emma")
            report = bank.remember("I do like it in Porto, Emma")
            assert len(llm.calls) == 3
            assert contents(bank) == ["User lives in Porto", "I do like it in Porto, Emma"]
            assert [fact.status for fact in report.receipts[0].facts] == ["skipped", "stored"]

    def test_queued_turns_keep_their_mode(self, minilm: MiniLM, clock: FrozenClock) -> None:
        """What was asked for when it was said holds when it is finished."""
        with cogmem_core.open(embedder=minilm, clock=clock, config=MANUAL) as engine:
            engine.pause()
            bank = engine.bank("alice")
            bank.remember("I moved to Lisbon", mode="semantic", wait=False)
            bank.remember("hi", mode="raw", wait=False)
            bank.remember("I play the cello", wait=False)
            engine.flush()
            assert contents(bank) == ["User moved to Lisbon", "hi", "I play the cello"]

    def test_the_configured_mode_of_queued_turns_is_that_of_their_time(
        self, minilm: MiniLM, clock: FrozenClock, tmp_path: Path
    ) -> None:
        """Another process with other settings finishes them as they were taken in."""
        semantic = Config(encoding=EncodingConfig(mode="semantic"))
        with cogmem_core.open(
            tmp_path / "b", embedder=minilm, clock=clock, config=semantic
        ) as engine:
            engine.pause()
            engine.bank("alice").remember("I moved to Lisbon", wait=False)
        with cogmem_core.open(
            tmp_path / "b", embedder=minilm, clock=clock, config=MANUAL
        ) as engine:
            engine.flush()
            assert contents(engine.bank("alice")) == ["User moved to Lisbon"]


class TestTimes:
    """ "against the message's own timestamp and timezone"."""

    def test_today_at_one_in_istanbul_is_the_local_day(self, bank: MemoryBank) -> None:
        """01:00 of 2 June in Istanbul is 22:00 UTC of 1 June; "today" is the 2nd."""
        at = datetime(2026, 6, 2, 1, tzinfo=ZoneInfo("Europe/Istanbul"))
        bank.remember("I met Emma in Ankara today", at=at, mode="semantic")
        (memory,) = bank.list()
        assert memory.content == "User met Emma in Ankara on 2026-06-02"
        assert memory.recorded_at == datetime(2026, 6, 1, 22, tzinfo=timezone.utc)
        assert memory.referenced_at == datetime(2026, 6, 2, tzinfo=timezone.utc)

    def test_without_a_zone_of_its_own_the_configured_one_counts(self, minilm: MiniLM) -> None:
        """`encoding.timezone`: the people who speak live there."""
        config = Config(encoding=EncodingConfig(timezone="Europe/Istanbul", mode="semantic"))
        late = FrozenClock(datetime(2026, 6, 1, 22, tzinfo=timezone.utc))
        with cogmem_core.open(embedder=minilm, clock=late, config=config) as engine:
            bank = engine.bank("alice")
            bank.remember("I met Emma in Ankara today")
            assert contents(bank) == ["User met Emma in Ankara on 2026-06-02"]

    @pytest.mark.parametrize("zone", ["Europe/Istanbul", "America/New_York", "Pacific/Auckland"])
    @pytest.mark.parametrize("mode", ["auto", "semantic"])
    def test_a_day_that_was_named_is_shown_as_that_day(
        self, bank: MemoryBank, zone: str, mode: Any
    ) -> None:
        """On 9 May yesterday was 8 May, wherever that is said and read; a month begins with its first day."""
        at = datetime(2026, 5, 9, 13, tzinfo=ZoneInfo(zone))
        bank.remember(
            ["I had ramen with Emma yesterday", "I was with Emma in Oslo in April 2024"],
            at=at,
            mode=mode,
        )
        days = [f"{memory.referenced_at:%Y-%m-%d %H:%M}" for memory in bank.list()]
        assert sorted(days) == ["2024-04-01 00:00", "2026-05-08 00:00"]
        block = bank.recall("ramen and Oslo with Emma", floor=0).context()
        assert sorted(re.findall("about [0-9-]+", block)) == [
            "about 2024-04-01",
            "about 2026-05-08",
        ]

    def test_a_plan_holds_until_the_day_ends_where_it_was_made(self, minilm: MiniLM) -> None:
        """10 May of New York ends at 4:00 UTC of the 11th: no hour sooner, and it is shown as the 10th."""
        new_york, clock = (
            ZoneInfo("America/New_York"),
            FrozenClock(datetime(2026, 5, 9, 17, tzinfo=timezone.utc)),
        )
        config = replace(
            MANUAL, encoding=EncodingConfig(timezone="America/New_York", mode="semantic")
        )
        with cogmem_core.open(embedder=minilm, clock=clock, config=config) as engine:
            bank = engine.bank("alice")
            told = bank.remember("I will visit Emma in Rome tomorrow").memories
            (plan,) = (memory for memory in told if memory.valid_until is not None)
            assert plan.valid_until == datetime(2026, 5, 10, 23, 59, 59, 999_999, tzinfo=new_york)
            clock.advance(hours=34)  # 23:00 in New York
            assert plan.id in {
                found.memory.id for found in bank.recall("visit Emma in Rome", floor=0).results
            }
            clock.advance(hours=2)
            block = bank.recall("visit Emma in Rome", floor=0).context()
        lead = "- (2026-05-09, last Saturday, about 2026-05-10, was planned for 10 May) User"
        assert lead in block

    def test_a_question_is_read_in_the_configured_zone(self, minilm: MiniLM) -> None:
        """At 22:30 UTC of 9 May it is the 10th in Istanbul: what was said at noon of the 9th was said yesterday."""
        clock = FrozenClock(datetime(2026, 5, 9, 9, tzinfo=timezone.utc))
        config = replace(MANUAL, encoding=EncodingConfig(timezone="Europe/Istanbul"))
        with cogmem_core.open(embedder=minilm, clock=clock, config=config) as engine:
            bank = engine.bank("alice")
            bank.remember("I met Emma at the harbour")
            clock.advance(hours=13.5)
            (found,) = bank.recall("Whom did I meet at the harbour yesterday?", floor=0).results
        assert (found.label, found.signals["date"]) == ("yesterday", 1.0)

    def test_the_zone_of_a_queued_turn_is_kept(self, minilm: MiniLM, clock: FrozenClock) -> None:
        """Hours later "today" is still the day it was said, where it was said."""
        with cogmem_core.open(embedder=minilm, clock=clock, config=MANUAL) as engine:
            engine.pause()
            bank = engine.bank("alice")
            at = datetime(2026, 6, 2, 1, tzinfo=ZoneInfo("Europe/Istanbul"))
            bank.remember("I met Emma in Ankara today", at=at, mode="semantic", wait=False)
            clock.advance(days=3)
            engine.flush()
            assert contents(bank) == ["User met Emma in Ankara on 2026-06-02"]

    def test_the_same_words_about_another_day_are_another_event(
        self, bank: MemoryBank, clock: FrozenClock
    ) -> None:
        """Two runs on two days are two memories; said twice on one day it is one."""
        for days in (0, 0, 1):
            clock.advance(days=days)
            bank.remember("I ran 5 km in the park today")
        assert contents(bank) == ["I ran 5 km in the park today"] * 2
        assert [memory.access_count for memory in bank.list()] == [1, 0]

    def test_an_older_statement_that_comes_later_does_not_win(self, bank: MemoryBank) -> None:
        """Histories are imported in any order: the newer one stays current, the older one is kept as outdated."""
        new = bank.remember("I moved to Porto", at=NOON).memories[0]
        report = bank.remember("I live in Lisbon", at=NOON - timedelta(days=400))
        old = bank.get(report.receipts[0].memory_ids[0])
        (receipt,) = report.receipts
        reason = "outdated already when it was learnt: I moved to Porto"
        assert (receipt.status, receipt.reason) == ("superseded", reason)
        assert contents(bank) == ["I moved to Porto"]
        assert (old.state, old.superseded_by, old.valid_until) == ("superseded", new.id, NOON)
        links = {(r.type, r.source_id, r.target_id) for r in bank.relations(old.id)}
        assert links == {(kind, new.id, old.id) for kind in ("supersedes", "contradicts")}

    def test_a_plan_made_again_holds_again(self, bank: MemoryBank, clock: FrozenClock) -> None:
        """ "plan to" holds for seven days; said again ten days later it holds for seven days more."""
        for days in (0, 10):
            clock.advance(days=days)
            bank.remember("I plan to learn the cello", mode="semantic")
        (plan,) = [memory for memory in bank.list() if memory.category == "plan"]
        assert (plan.valid_until, plan.access_count) == (NOON + timedelta(days=17), 1)

    def test_a_chain_of_changes_leaves_the_last(self, bank: MemoryBank, clock: FrozenClock) -> None:
        """Each one ends when the next begins."""
        ids = []
        for city in ("Lisbon", "Porto", "Braga"):
            ids.append(bank.remember(f"I live in {city}").receipts[0].memory_ids[0])
            clock.advance(days=10)
        assert contents(bank) == ["I live in Braga"]
        assert [bank.get(one).valid_until for one in ids] == [
            *(NOON + timedelta(days=days) for days in (10, 20)),
            None,
        ]

    def test_a_change_inside_one_batch_is_seen(self, bank: MemoryBank) -> None:
        """Each fact sees what the ones before it did, as if they had come one by one."""
        report = bank.remember(
            ["I live in Lisbon", "I play the cello", "I moved to Porto", "I moved to Porto"]
        )
        statuses = " ".join(receipt.status for receipt in report.receipts)
        assert statuses == "stored stored superseded reinforced"
        assert contents(bank) == ["I play the cello", "I moved to Porto"]


class TestSpans:
    """ "the episodes it came from (id + span)"."""

    @pytest.mark.parametrize("mode", ["auto", "semantic"])
    def test_what_is_left_around_an_echo_comes_from_the_whole_turn(
        self, bank: MemoryBank, mode: Any
    ) -> None:
        """What was recalled is cut from the middle; a span of the rest would hold other words."""
        bank.remember("My dog Mochi was born in Lisbon in 2021.")
        assert bank.recall("Where was my dog Mochi born?", floor=0).results
        turn = "I moved to Porto. My dog Mochi was born in Lisbon in 2021. Ana lives in Faro."
        sources = [memory.sources[0] for memory in bank.remember(turn, mode=mode).memories]
        assert {(source.start, source.end) for source in sources} == {(0, len(turn))}

    @each_case_of("write_path/a_return_is_meant")
    def test_a_return_is_meant(self, bank: MemoryBank, old: str, new: str, asked: str) -> None:
        """Though memory had just shown it; an assistant's echo, and a copy of the prompt, are no news."""
        bank.remember([old, new])
        block = str(bank.recall(asked, floor=0).context())
        echoes = [Turn(old, role="assistant"), Turn(block), Turn(f"> {old}")]
        assert {each.reason for each in bank.remember(echoes).receipts} == {"recalled"}
        assert bank.remember(old).receipts[0].status != "skipped"
        assert old in contents(bank)


class TestVoices:
    """What an assistant says never changes, retires or strengthens what a person said."""

    @each_case_of("write_path/an_assistant_changes_nothing")
    def test_an_assistant_changes_nothing(
        self, bank: MemoryBank, person: str, assistant: str
    ) -> None:
        """Neither text nor state nor strength of the memory moves."""
        memory = bank.remember(person).memories[0]
        bank.remember(assistant, role="assistant")
        assert bank.get(memory.id) == memory

    @pytest.mark.parametrize(
        ("action", "relation"), [("UPDATE", "compatible"), ("DELETE", "contradictory")]
    )
    def test_not_even_if_a_model_says_so(self, minilm: MiniLM, action: str, relation: str) -> None:
        """The model's decision on an assistant's turn becomes a new memory beside the person's."""
        facts = formed("User lives in Lisbon"), formed("User lives in Porto since May")
        llm, both = (
            ScriptedLLM(*facts, decided(action, "m1", relation=relation)),
            EncodingConfig(llm_roles=("user", "assistant")),
        )
        with cogmem_core.open(
            embedder=minilm, clock=FrozenClock(), llm=llm, config=Config(encoding=both)
        ) as engine:
            bank = engine.bank("alice")
            memory = bank.remember("I live in Lisbon").memories[0]
            bank.remember("According to the letter you moved to Porto in May", role="assistant")
            assert len(llm.calls) == 3
            assert bank.get(memory.id) == memory
            assert contents(bank) == ["User lives in Lisbon", "User lives in Porto since May"]

    def test_a_person_corrects_an_assistant(self, bank: MemoryBank) -> None:
        """The other way round it is allowed."""
        bank.remember("The meeting with Emma is at 9", role="assistant")
        bank.remember("The meeting with Emma is at 11")
        assert contents(bank) == ["The meeting with Emma is at 11"]

    def test_two_people_do_not_contradict_each_other(self, bank: MemoryBank) -> None:
        """Emma's home is not Tom's."""
        bank.remember(
            [Turn("I live in Lisbon", speaker="Emma"), Turn("I live in Porto", speaker="Tom")]
        )
        assert contents(bank) == ["I live in Lisbon", "I live in Porto"]


class TestReport:
    """`WriteReport`: what it cost and what went wrong."""

    def test_usage_is_summed_over_all_steps(self, minilm: MiniLM) -> None:
        """Forming and deciding: two calls of 10 and 5 tokens each."""
        llm = ScriptedLLM(
            formed("User plays chess"), formed("User plays chess in Porto"), decided()
        )
        with cogmem_core.open(embedder=minilm, llm=llm, config=MANUAL) as engine:
            bank = engine.bank("alice")
            bank.remember("I play chess every day")
            report = bank.remember("I play chess in Porto, too")
            assert (report.llm_calls, report.prompt_tokens, report.completion_tokens) == (2, 20, 10)
            assert report.degraded == ()

    def test_without_a_model_it_costs_nothing(self, bank: MemoryBank) -> None:
        """And nothing is degraded."""
        report = bank.remember(["I play chess every day", "I moved to Lisbon"])
        assert (report.llm_calls, report.prompt_tokens, report.degraded) == (0, 0, ())

    def test_the_same_reason_is_told_once(self, minilm: MiniLM) -> None:
        """Thirty turns in three calls that fail alike."""
        config = Config(llm=cogmem_core.config.LLMConfig(cooldown_failures=100))
        with cogmem_core.open(embedder=minilm, llm=ScriptedLLM(), config=config) as engine:
            report = engine.bank("alice").remember(
                [f"I have {n} boats in Porto" for n in range(30)]
            )
            assert [receipt.status for receipt in report.receipts].count("queued") == 0
            assert [reason.partition(":")[0] for reason in report.degraded] == ["form", "decide"]


def test_every_turn_has_a_receipt_in_order(bank: MemoryBank) -> None:
    """Also those that became nothing; each says where the turn is kept."""
    report = bank.remember(
        ["hi", "I live in Lisbon", "What is my name?", "I moved to Porto", "I moved to Porto"]
    )
    assert [(r.status, r.reason) for r in report.receipts] == [
        ("skipped", "trivial_greeting"),
        ("stored", "new"),
        ("skipped", "question"),
        ("superseded", "Lisbon, now Porto"),
        ("reinforced", "the same was said before"),
    ]
    assert len({receipt.episode_id for receipt in report.receipts}) == 5


class TestOneBatch:
    """Turns of one call are decided on in their order: each sees what the earlier ones did."""

    def test_what_a_turn_refined_is_known_to_the_next_one(self, bank: MemoryBank) -> None:
        """The same words once more strengthen the memory that has them now."""
        bank.remember("I play chess")
        report = bank.remember(["I play chess every evening", "I play chess every evening"])
        assert [receipt.status for receipt in report.receipts] == ["updated", "reinforced"]
        assert report.receipts[1].reason == "the same was said before"
        (memory,) = bank.list()
        assert (memory.content, memory.version) == ("I play chess every evening", 2)
