"""Half a year with a memory: the script, how rankings are judged, and what a simulated life comes to."""

import dataclasses
import json
import math
from dataclasses import replace
from datetime import datetime, timezone
from io import StringIO
from itertools import pairwise
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from cogmem_core.cli.main import app
from cogmem_core.config import Config
from cogmem_core.embedders.hashing import HashingEmbedder
from cogmem_core.errors import InvalidInput
from cogmem_core.evaluation import MemoizedEmbedder, lifecycle_report, replay
from cogmem_core.evaluation.chatter import CHATTER, FILLERS, MOMENTS, PLANS
from cogmem_core.evaluation.lifecycle import SimulatedLife, answer, setups, simulate
from cogmem_core.evaluation.lifecycle_report import interval, report
from cogmem_core.evaluation.script import ScriptQuestion, Truth, write
from cogmem_core.evaluation.shown import Shown, Summary, judge, states, summary
from cogmem_core.evaluation.topics import TOGETHER, TOPICS
from cogmem_core.models import Memory, Source

TINY = Path(__file__).parents[1] / "data" / "locomo_tiny.json"
NOW = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)


def memory(text, *refs, support=()):
    """A memory of these turns."""
    sources = tuple(Source(f"episode-{ref}", ref=ref) for ref in refs)
    return Memory(f"m-{text}", "n", text, "hash", NOW, NOW, NOW, sources=sources, support=support)


def truth(text, *refs):
    """A value and the turns that said it."""
    return Truth(text, frozenset(refs))


def unheard(_stage, _done, _total):
    """No progress is wanted."""


LISBON = memory("I live in Lisbon.", "d1.0")
PORTO = memory("We finally settled into the flat in Porto.", "d40.2")
RAIN = memory("It's drizzling outside again.", "d3.3")
WHERE = ScriptQuestion(
    "Where do I live?", "city", (truth("Porto", "d40.2"),), (truth("Lisbon", "d1.0"),)
)


class TestScript:
    def test_same_seed_same_life(self):
        """ "a seeded simulation": the same seed tells the same life, another seed another."""
        assert write(3, 30) == write(3, 30)
        assert write(3, 30).days != write(4, 30).days

    def test_every_turn_has_a_ref_of_its_own(self):
        """Answers are known by ref, so no ref may occur twice."""
        refs = [
            turn.ref for day in write(0).days for sitting in day.sittings for turn in sitting.turns
        ]
        assert len(set(refs)) == len(refs)

    def test_time_only_moves_forward(self):
        """ "a moved clock": turns, conversations, questions and nights follow one another."""
        moments = []
        for day in write(1, 60).days:
            moments += [turn.at for sitting in day.sittings for turn in sitting.turns]
            moments += [day.asking.at, day.night]
        assert moments == sorted(moments)

    def test_days_are_of_the_stated_size(self):
        """8 to 15 turns a day, in one or two conversations; 180 days."""
        days = write(0).days
        sizes = [sum(len(sitting.turns) for sitting in day.sittings) for day in days]
        assert len(days) == 180
        assert 10 <= sum(sizes) / len(sizes) <= 14
        assert {len(day.sittings) for day in days} == {1, 2}

    def test_answers_are_what_was_said_by_then(self):
        """Every value that a question knows stands in the turns it names, and none of them lies in the future."""
        said = {}
        for day in write(2, 120).days:
            said |= {turn.ref: turn.content for sitting in day.sittings for turn in sitting.turns}
            for question in day.asking.questions:
                for value in (*question.current, *question.outdated):
                    assert value.refs
                    assert all(value.text.casefold() in said[ref].casefold() for ref in value.refs)

    def test_former_values_are_others_than_the_present_one(self):
        """A value is current or outdated, never both; and something does change in half a year."""
        last = write(0).last
        changed = [question for question in last if question.outdated]
        assert len(changed) >= 15
        for question in changed:
            former = {value.text for value in question.outdated}
            assert former.isdisjoint({value.text for value in question.current})

    def test_critical_facts_are_seldom_asked_for(self):
        """Critical facts are asked for every 30 to 60 days (the first time sooner)."""
        days = write(0).days
        asked = [
            day.number
            for day in days
            for question in day.asking.questions
            if question.topic == "allergy"
        ]
        gaps = [later - sooner for sooner, later in pairwise(asked)]
        assert len(asked) >= 2
        assert all(30 <= gap <= 60 for gap in gaps)

    def test_plans_that_are_over_are_not_asked_for(self):
        """ "plans that expire": a plan is asked for until its day."""
        names = {plan.name for plan in PLANS}
        asked = [
            (day.night, question.current[0].text)
            for seed in range(3)
            for day in write(seed).days
            for question in day.asking.questions
            if question.topic in names
        ]
        assert asked
        for night, value in asked:
            due = datetime.strptime(f"{value} 2025", "%d %B %Y").replace(tzinfo=timezone.utc)
            due = due if due > night or night.month < 7 else due.replace(year=2026)
            assert due > night

    def test_the_wordings_fit_together(self):
        """Each topic's values are told apart by their words, each slot has fillers, each topic named exists."""
        names = [topic.name for topic in (*TOPICS, *PLANS, *MOMENTS)]
        assert len(set(names)) == len(names)
        assert all(
            "{v}" in text
            for topic in (*TOPICS, *PLANS, *MOMENTS)
            for text in (*topic.says, *topic.news)
        )
        assert all(len(topic.values) > topic.changes[1] for topic in TOPICS)
        assert all(bool(topic.news) == (topic.changes[1] > 0) for topic in TOPICS)
        assert {name for _, some in TOGETHER for name in some} <= set(names)
        for template in CHATTER:
            assert "{" not in template.format(**{name: some[0] for name, some in FILLERS.items()})


class TestJudging:
    def test_a_memory_states_what_its_turn_said(self):
        """A value counts where the turn's ref and the value's words are both there."""
        assert states(PORTO, truth("Porto", "d40.2"))
        assert not states(PORTO, truth("Porto", "d41.0"))
        assert not states(memory("We moved.", "d40.2"), truth("Porto", "d40.2"))

    def test_other_order_of_words(self):
        """A summary may put a value's words in another order."""
        assert states(memory("Skoda, a blue one", "d2.1"), truth("blue Skoda", "d2.1"))

    def test_present_value_first(self):
        """The present value on top: nothing is stale above it, but the former one is still shown."""
        assert judge([PORTO, RAIN, LISBON], WHERE) == Shown(1.0, 1.0, True, True, False)

    def test_former_value_first(self):
        """The former value above the present one, which stands third."""
        assert judge([LISBON, RAIN, PORTO], WHERE) == Shown(1.0, 1 / 3, True, True, True)

    def test_only_the_former_value(self):
        """Nothing current is shown at all."""
        assert judge([RAIN, LISBON], WHERE) == Shown(0.0, 0.0, True, True, True)

    def test_below_the_depth(self):
        """recall@5 and staleness look at five results, the reciprocal rank at all of them."""
        noise = [memory(f"noise {number}", f"d9.{number}") for number in range(5)]
        assert judge([*noise, PORTO, LISBON], WHERE) == Shown(0.0, 1 / 6, True, False, False)

    def test_no_result(self):
        """An empty answer is no stale answer."""
        assert judge([], WHERE) == Shown(0.0, 0.0, True, False, False)

    def test_a_summary_of_both(self):
        """A memory that states both values answers, and shows the former one, but not above itself."""
        both = memory(
            "Summary: I live in Lisbon. | We finally settled into the flat in Porto.",
            "d1.0",
            "d40.2",
        )
        assert judge([both], WHERE) == Shown(1.0, 1.0, True, True, False)

    def test_several_values_are_asked_for(self):
        """recall@5 of a question with two answers, one of which is shown."""
        pets = ScriptQuestion(
            "Which pets do I have?", "dog + cat", (truth("Biscuit", "d1.1"), truth("Zorro", "d2.2"))
        )
        found = judge([RAIN, memory("We named the dog Biscuit.", "d1.1")], pets)
        assert found == Shown(0.5, 0.5, False, False, False)

    def test_means(self):
        """Stale answers are counted over the questions that could have had one."""
        shown = [Shown(1.0, 1.0, False, False, False), Shown(0.0, 0.5, True, True, False)]
        assert summary(shown) == Summary(2, 0.5, 0.75, 1.0, 0.0)
        assert summary([]) == Summary(0, 0.0, 0.0, 0.0, 0.0)


class TestAnswers:
    def test_the_model_uses_what_is_true(self):
        """ "the 'model' uses what is relevant": the best current memories, not the former ones."""
        assert answer(WHERE, [LISBON, PORTO]) == (
            "From what you told me: We finally settled into the flat in Porto."
        )

    def test_at_most_two(self):
        """Of several current memories the best two are used."""
        again = [memory(f"{number}: Porto", "d40.2") for number in (1, 2, 3)]
        assert answer(WHERE, again) == "From what you told me: 1: Porto And: 2: Porto"

    def test_it_sees_only_what_is_shown(self):
        """Where nothing current is shown, it does not know."""
        assert answer(WHERE, [LISBON, RAIN]) == "I do not know."


class TestIntervals:
    def test_t_interval(self):
        """Mean 3, standard deviation 1.5811, 4 degrees of freedom: 3 ± 2.776 · 1.5811 / √5."""
        found = interval([1.0, 2.0, 3.0, 4.0, 5.0])
        assert (found.mean, found.low, found.high) == pytest.approx((3.0, 1.0371, 4.9629), abs=1e-4)

    def test_one_seed(self):
        """One value says nothing about the spread."""
        assert dataclasses.astuple(interval([0.25])) == (0.25, None, None)

    def test_no_value(self):
        with pytest.raises(ValueError, match="no value"):
            interval([])

    def test_differences_are_paired_by_seed(self):
        """Two seeds of unlike level and the same gain: the gain has no spread."""
        flat = Summary(10, 0.5, 0.5, 0.0, 0.0)
        life = SimulatedLife("kept", 0, flat, flat, 100, 1, 8, 0, 0.0, 0, {}, (), 0.0, 0.0)
        lives = [
            life,
            replace(life, setup="feedback+dream", late=replace(flat, mrr=0.6), active=40),
            replace(life, seed=1, late=replace(flat, mrr=0.1)),
            replace(life, seed=1, setup="feedback+dream", late=replace(flat, mrr=0.2), active=60),
        ]
        kept, dreamt = report(lives, days=180, embedder="none").rows
        assert kept.against_kept == {}
        gain = dreamt.against_kept["mrr"]
        assert (gain.mean, gain.low, gain.high) == pytest.approx((0.1, 0.1, 0.1))
        assert dreamt.against_kept["active, share of kept"].mean == pytest.approx(0.5)


@pytest.fixture(scope="module")
def hashing():
    """Without a model; each text is embedded once."""
    return MemoizedEmbedder(HashingEmbedder())


def timeless(outcome):
    """Without how long it took."""
    return replace(outcome, seconds=0.0, dream_seconds=0.0)


class TestLives:
    def test_ten_days(self, hashing):
        """A life of ten days: finite figures, the same twice, no call of a language model."""
        chosen = setups(Config(), ["kept", "feedback+dream"])
        first, again = (
            simulate(chosen, hashing, seeds=1, days=10, progress=unheard) for _ in range(2)
        )
        assert [timeless(one) for one in first] == [timeless(one) for one in again]
        kept, dreamt = first
        assert (kept.setup, kept.did, kept.llm_calls) == ("kept", {}, 0)
        assert (dreamt.setup, dreamt.llm_calls, dreamt.troubles) == ("feedback+dream", 0, ())
        assert kept.critical == dreamt.critical == 8
        for one in first:
            shares = [
                *dataclasses.astuple(one.late)[1:],
                *dataclasses.astuple(one.end)[1:],
                one.resolved,
            ]
            assert all(math.isfinite(share) and 0.0 <= share <= 1.0 for share in shares)
            assert one.active > 30
            assert one.bytes > one.active * 4 * 384
        assert dreamt.did

    def test_without_a_dream_nothing_critical_is_lost(self, hashing):
        """What is only kept is never lost: a loss is the dream's doing."""
        (kept,) = simulate(setups(Config(), ["kept"]), hashing, seeds=1, days=5, progress=unheard)
        assert (kept.critical, kept.lost) == (8, 0)

    def test_progress(self, hashing):
        """Told per day, with configuration and seed."""
        told = []
        simulate(
            setups(Config(), ["kept"]),
            hashing,
            seeds=1,
            days=2,
            progress=lambda *told_: told.append(told_),
        )
        assert told == [("kept, seed 0", 1, 2), ("kept, seed 0", 2, 2)]

    def test_configurations(self):
        """All of them by default, presets with feedback and dream; an unknown one is refused."""
        found = {one.name: (one.feedback, one.dream) for one in setups(Config())}
        assert found["kept"] == (False, False)
        assert found["feedback"] == (True, False)
        assert found["feedback+dream"] == found["v9"] == found["agentos"] == (True, True)
        with pytest.raises(InvalidInput, match="no configuration 'dreams'"):
            setups(Config(), ["dreams"])

    @pytest.mark.parametrize(("seeds", "days"), [(0, 10), (1, 0)])
    def test_bounds(self, hashing, seeds, days):
        with pytest.raises(InvalidInput, match="use 1 or more"):
            simulate(setups(Config(), ["kept"]), hashing, seeds=seeds, days=days, progress=unheard)


class TestReplay:
    def test_tiny_file(self, hashing):
        """Half of the questions is asked first, the other half scored, at two moments, against the kept."""
        found = replay.replay(
            TINY, setups(Config(), ["kept", "feedback+dream"]), hashing, progress=unheard
        )
        assert (found.questions, found.asked_first) == (3, 3)
        kept, dreamt = found.rows
        assert kept.against_kept == {}
        assert kept.active["then"] == kept.active["later"]
        assert sorted(dreamt.figures) == sorted(dreamt.against_kept) == ["later", "then"]
        for row in found.rows:
            for moment in row.figures.values():
                assert sorted(moment) == ["mrr", "recall@10", "recall@5"]
                assert all(0.0 <= value.mean <= 1.0 for value in moment.values())

    def test_a_derived_memory_counts_for_what_it_still_tells(self):
        """A summary names all its turns; only those whose words it holds count."""
        texts = {"D1:1": "I adopted a grey dog", "D1:2": "Violin lessons start on Thursday"}
        made = memory("Summary: adopted a grey dog", "D1:1", "D1:2", support=("a", "b"))
        assert replay._refs_in(made, texts) == ["D1:1"]
        assert replay._refs_in(memory("adopted", "D1:1", "D1:2"), texts) == ["D1:1", "D1:2"]


class TestCommand:
    def ask(self, clear, *arguments):
        """Run `cogm eval lifecycle` with the embedder that needs no model."""
        return CliRunner(env=clear).invoke(
            app, ["eval", "lifecycle", *arguments, "--embedder", "hashing"]
        )

    def test_as_json_and_as_a_table(self, clear):
        """Three days of one life, and one day."""
        short = ("--seeds", "1", "--configurations", "kept,feedback+dream")
        found = json.loads(self.ask(clear, *short, "--days", "3", "--json").stdout)
        assert (found["seeds"], found["days"], found["embedder"]) == (1, 3, "hashing-v1-384")
        assert [row["setup"] for row in found["rows"]] == ["kept", "feedback+dream"]
        assert found["rows"][0]["figures"]["critical lost"] == {
            "mean": 0.0,
            "low": None,
            "high": None,
        }
        table = self.ask(clear, *short, "--days", "1").stdout
        assert "critical lost" in table
        assert "Differences to kept" in table

    def test_replay(self, clear):
        """With a file, LoCoMo's conversations are lived instead."""
        found = self.ask(clear, "--locomo", str(TINY), "--configurations", "kept")
        assert found.exit_code == 0
        assert "later recall@5" in found.stdout

    def test_wrong_arguments(self, clear):
        assert self.ask(clear, "--configurations", "bogus").exit_code == 2
        assert self.ask(clear, "--days", "0").exit_code == 2


def test_tables_tell_troubles():
    """A step that failed is named under the tables."""
    flat = Summary(1, 1.0, 1.0, 0.0, 0.0)
    life = SimulatedLife(
        "feedback+dream",
        0,
        flat,
        flat,
        1,
        1,
        8,
        0,
        1.0,
        0,
        {"merged": 2},
        ("fading: no",),
        0.0,
        0.0,
    )
    console = Console(file=StringIO(), width=120)
    console.print(lifecycle_report.render(report([life], days=1, embedder="none")))
    assert "feedback+dream: 2 merged\n  failed: fading: no" in console.file.getvalue()
