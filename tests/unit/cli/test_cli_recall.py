"""The commands `cogm recall` and `cogm why`: what they answer, in words and as JSON, and with which exit code."""

from datetime import datetime, timezone

import pytest

import cogmem_core
from helpers.tables import each_row_of, rows_of

TEAS = rows_of("cli_recall/teas")
CUPS = ("kettle", "saucer", "spoon", "thermos", "teapot", "mug")
UNKNOWN = "Who repaired the boiler in Ulaanbaatar?"


def contents(answer):
    """The texts of the results, best first."""
    return [result["content"] for result in answer["results"]]


@pytest.fixture
def homes(begun, ask):
    """Berlin until the evening of May 1, Lisbon since; returns the ids (Berlin, Lisbon)."""
    winter = ("--at", "2026-01-10T09:00:00Z", "--session", "winter")
    spring = ("--at", "2026-05-01T18:00:00Z", "--session", "spring")
    begun(
        ("remember", "I live in Berlin.", *winter), ("remember", "I live in Lisbon now.", *spring)
    )
    return [memory["id"] for memory in ask("list", "--state", "any", "--oldest-first")["memories"]]


@pytest.fixture
def teas(begun):
    """Sixty memories about tea: enough to know what is unknown here."""
    lines = [f"I drank {tea} from the {cup} this afternoon." for tea in TEAS for cup in CUPS]
    begun(("remember", "--mode", "raw", *lines))


class TestLookingBack:
    """Read path: current, timeline, as of, known at."""

    @each_row_of("cli_recall/a_date_alone_is_the_first_moment_of_as_of_and_the_last_of_known_at")
    def test_a_date_alone_is_the_first_moment_of_as_of_and_the_last_of_known_at(
        self, ask, homes, option, given, expected
    ):
        """On May 1 Lisbon was not true yet when the day began, and was known when it ended; days are those of UTC."""
        assert contents(ask("recall", "where do I live?", option, given)) == [expected]

    def test_before_anything_was_said(self, cog, homes):
        """Nothing of that time is no failure; the reason is told."""
        done = cog("recall", "where do I live?", "--known-at", "2025-01-01")
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout == "no result: no memory of that time matches the query\n"

    @pytest.mark.parametrize("columns", ["60", "120"])
    def test_what_no_longer_holds_is_marked(self, cog, homes, columns):
        """The table says until when something held, on terminals of any width; what holds has no such mark."""
        shown = cog("recall", "where do I live?", "--timeline", env={"COLUMNS": columns}).stdout
        assert shown.count("superseded, until 2026-05-01; ") == 1
        assert (
            shown.index("Lisbon")
            < shown.index("Berlin")
            < shown.index("superseded, until 2026-05-01; ")
        )

    def test_what_expired_is_marked(self, cog, ask):
        """It was superseded by nothing, and held until a day in the past."""
        with cogmem_core.open(ask("health")["path"], embedder="hashing") as engine:
            ended = datetime(2026, 5, 1, tzinfo=timezone.utc)
            engine.bank("default").add("Rents a bicycle by the month", valid_until=ended)
        assert contents(ask("recall", "bicycle")) == []
        shown = cog("recall", "bicycle", "--timeline").stdout
        assert "until 2026-05-01; #1 by meaning" in shown
        assert "superseded" not in shown


class TestBeingQuiet:
    """Calibrated confidence; below the floor a memory is withheld, below the threshold all are."""

    def test_what_nothing_is_known_about_has_no_result_but_a_reason(self, cog, teas):
        """Sixty memories about tea know nothing of boilers; the way to see them all the same is told."""
        done = cog("recall", UNKNOWN, "-k", "3")
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout.startswith(
            "no result: no relevant memory: of 3 found none is likely to be (0."
        )
        assert done.stdout.endswith(" that any is); --floor 0 shows them\n")

    def test_how_many_were_withheld(self, cog, teas):
        """Below the table: the number, and how to see them."""
        shown = cog("recall", "sencha thermos", "-k", "6", "--floor", "0.3").stdout
        assert shown.endswith("\n5 more were too unlikely to be relevant; --floor 0 shows them\n")
        shown = cog("recall", "sencha thermos", "-k", "2", "--floor", "0.3").stdout
        assert shown.endswith("\n1 more was too unlikely to be relevant; --floor 0 shows it\n")

    @pytest.mark.parametrize("columns", ["60", "120"])
    def test_confidence_in_percent(self, cog, homes, columns):
        """A memory that says the query word for word is 99% sure to be meant."""
        shown = cog("recall", "I live in Lisbon now.", env={"COLUMNS": columns}).stdout
        assert "99%" in shown
        assert "0.99" not in shown


class TestAnswer:
    def test_json(self, ask, homes):
        """Intent, parts and confidence of the answer; a result has its tier."""
        answer = ask("recall", "where do I live?")
        assert (answer["intent"], answer["parts"]) == ("factual", ["where do I live?"])
        assert 0.3 < answer["confidence"] <= 1.0
        (result,) = answer["results"]
        assert (result["rank"], result["tier"], result["memory"]["id"]) == (1, "full", homes[1])
        assert sum(result["contributions"].values()) == pytest.approx(result["score"])

    def test_missed(self, cog, ask, homes):
        """Why a memory is not among the results, by its abbreviated id; here, because it was superseded."""
        told = cog("recall", "where do I live?", "--missed", homes[0][-12:]).stdout
        assert told.startswith(f"I live in Berlin. [{homes[0]}]\n")
        assert f"it was superseded by {homes[1]}; deep recall or mode='timeline' shows it" in told
        answer = ask("recall", "where do I live?", "--missed", homes[0][-12:])
        assert answer["missed"] + "\n" == told
        assert contents(answer) == ["I live in Lisbon now."]

    def test_explanation_context_and_missed_together(self, cog, homes):
        """Each that is asked for is printed, in this order, instead of the table."""
        shown = cog(
            "recall", "where do I live?", "--missed", homes[0], "--explain", "--context"
        ).stdout
        places = [
            shown.index(part)
            for part in ("<memories>\n", "intent: factual\n", "it was superseded by")
        ]
        assert places == sorted(places)
        assert "memory and why" not in shown

    def test_tag(self, ask):
        """Only memories with the tag; any one of several will do."""
        with cogmem_core.open(ask("health")["path"], embedder="hashing") as engine:
            bank = engine.bank("default")
            bank.add("The boiler is serviced in May", tags=["house"])
            bank.add("The car is serviced in May", tags=["car"])
        assert contents(ask("recall", "serviced in May", "--tag", "house")) == [
            "The boiler is serviced in May"
        ]
        assert (
            len(contents(ask("recall", "serviced in May", "--tag", "house", "--tag", "car"))) == 2
        )

    def test_session_counts_more(self, ask, homes):
        """What was said in the present conversation gains by the signal `same_session`."""
        signals = [
            ask("recall", "where do I live?", "--session", name)["results"][0]["signals"][
                "same_session"
            ]
            for name in ("spring", "autumn")
        ]
        assert signals == [1.0, 0.0]

    def test_mood(self, cog, ask):
        """Memories of the same mood gain by a tenth, others do not."""
        cog("remember", "I am so happy, the wonderful party made me laugh!")
        gains = [
            ask("recall", "party", "--mood", mood)["results"][0]["contributions"].get("mood", 0.0)
            for mood in ("0.8", "-0.8")
        ]
        assert gains[0] > 0.0
        assert gains[1] == 0.0

    def test_deadline_that_is_over_at_once(self, cog, homes):
        """What could not be done is told; that is no failure."""
        done = cog("recall", "where do I live?", "--deadline", "0.000001")
        assert done.exit_code == 0
        assert "degraded: deadline: " in done.stderr


class TestUsage:
    @each_row_of("cli_recall/bad_values")
    def test_bad_values(self, cog, homes, arguments, word):
        """Exit 2, nothing on standard output, and the way out."""
        done = cog("recall", "where do I live?", *arguments)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith("error: ")
        assert word in done.stderr

    def test_missed_of_an_unknown_memory(self, cog, homes):
        """Exit 1: the command is right, the memory is not there."""
        done = cog("recall", "where do I live?", "--missed", "ffffffffffff")
        assert (done.exit_code, done.stdout) == (1, "")
        assert "no memory 'ffffffffffff' in namespace 'default'" in done.stderr


class TestWhy:
    def test_tells_a_life(self, cog, ask, homes):
        """`why` tells where a memory comes from and what happened to it, as JSON with every change."""
        told = cog("why", homes[0][-12:]).stdout
        assert told.startswith(f"{homes[0]}\nI live in Berlin.\n")
        assert "Berlin, now Lisbon" in told
        answer = ask("why", homes[0])
        assert sorted(answer) == [
            "changes",
            "memory",
            "relations",
            "retention",
            "story",
            "versions",
        ]
        assert answer["memory"]["superseded_by"] == homes[1]
