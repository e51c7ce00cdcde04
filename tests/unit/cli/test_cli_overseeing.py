"""The commands `cogm feedback`, `forecast` and `audit`: what they answer, in words and as JSON."""

import sqlite3
from contextlib import closing
from datetime import datetime, timezone

import pytest

import cogmem_core
from cogmem_core.changes import Actor, Touch, apply
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.tables import each_row_of


@pytest.fixture
def long_ago(folder, cog):
    """Runs `work(bank, change)` on the bank as it was in 2020; `change` sets fields by hand."""

    def then(work):
        clock = FrozenClock(datetime(2020, 6, 1, 12, tzinfo=timezone.utc))
        with cogmem_core.open(folder, embedder="hashing", config=MANUAL, clock=clock) as engine:

            def change(memory, **fields):
                with engine.services.ledger.writing() as writer:
                    apply(
                        writer,
                        "default",
                        [Touch(memory.id, fields, "by hand")],
                        now=clock(),
                        actor=Actor("user"),
                    )

            return work(engine.bank("default"), change)

    return then


class TestFeedback:
    @pytest.fixture
    def homes(self, begun, ask):
        """Two memories; returns their ids."""
        begun(
            ("remember", "I moved to Lisbon in May"),
            ("remember", "Grandmother did move her piano on Sunday"),
        )
        return [memory["id"] for memory in ask("list", "--oldest-first")["memories"]]

    def test_used_and_ignored(self, ask, homes):
        """A judgement per memory that was recalled, and what follows from it."""
        answer = ask("feedback", "Where did I move to?", "You moved to Lisbon.")
        assert [(row["memory_id"], row["signal"]) for row in answer["judged"]] == [
            (homes[0], "used"),
            (homes[1], "unjudged"),
        ]
        assert answer["judged"][0]["ratio"] == 1.0
        assert answer["judged"][0]["content"] == "I moved to Lisbon in May"
        assert (answer["query"], len(answer["recall_id"])) == ("Where did I move to?", 36)
        assert [ask("show", i)["memory"]["used_count"] for i in homes] == [1, 0]

    def test_table(self, cog, homes):
        """Signal, ratio, evidence, id, memory."""
        shown = cog("feedback", "Where did I move to?", "You moved to Lisbon.").stdout
        rows = [line.split() for line in shown.splitlines() if "judged" in line or "used" in line]
        assert [row[:3] for row in rows] == [
            ["used", "1.00", "quotation"],
            ["unjudged", "0.08", homes[1][-12:]],
        ]

    def test_answer_on_standard_input(self, ask, homes):
        """`-` stands for it."""
        answer = ask("feedback", "Where did I move to?", "-", stdin="You moved to Lisbon.\n")
        assert answer["judged"][0]["signal"] == "used"

    def test_a_blank_answer_judges_nothing(self, cog, homes):
        """No model said anything."""
        done = cog("feedback", "Where did I move to?", " ")
        assert (done.exit_code, done.stdout) == (0, "nothing was judged: the answer is blank\n")

    def test_nothing_recalled(self, cog):
        """The reason is that of the recall."""
        done = cog("feedback", "thanks", "You are welcome.")
        assert done.exit_code == 0
        assert done.stdout == (
            "nothing was judged: there is nothing to look up: the query is a mere acknowledgement\n"
        )

    @pytest.mark.parametrize("arguments", [("", "x"), ("x", "y", "-k", "0")])
    def test_bad_values(self, cog, arguments):
        assert cog("feedback", *arguments).exit_code == 2


CROWDED = {"COGMEM_CONSOLIDATION__FORGETTING__ROOMY": "0"}


class TestForecast:
    def test_json(self, ask, folder, cog):
        """The events of 90 days, or as many as are asked for."""
        cog("remember", "We moved the piano to Lisbon in May")
        answer = ask("forecast")
        assert sorted(answer) == ["counts", "events", "more", "since", "until"]
        assert answer["counts"] == {"endangered": 1}
        assert [event["what"] for event in answer["events"]] == ["endangered"]
        assert sorted(answer["events"][0]) == ["content", "memory_id", "what", "when", "why"]
        later = ("forecast", "--days", "1000")
        assert [event["what"] for event in ask(*later)["events"]] == ["endangered"]
        assert [event["what"] for event in ask(*later, env=CROWDED)["events"]] == [
            "endangered",
            "dormant",
        ]

    def test_table(self, cog, ask):
        """How many of each kind, and when; of the nearest: date, what, id, memory, why."""
        cog("remember", "I moved to Lisbon in May")
        event = ask("forecast")["events"][0]
        shown = cog("forecast").stdout
        lines = shown.splitlines()
        assert lines[0] == "1 change within 90 days"
        assert lines[2] == "endangered\t1\t████████████████████████"
        row = lines[-1].split()
        assert row[:3] == [event["when"][:10], "endangered", event["memory_id"][-12:]]
        assert "I moved to Lisbon in May" in shown
        assert "its retention falls below 0.7" in shown

    @pytest.mark.parametrize("arguments", [("--days", "0"), ("--days", "nan"), ("--limit", "0")])
    def test_bad_values(self, cog, arguments):
        assert cog("forecast", *arguments).exit_code == 2


class TestReport:
    def test_a_page_is_written_for_its_owner_only(self, cog, ask, tmp_path):
        """Over a former one, too; a folder is refused, and so is a namespace that is not there."""
        cog("remember", "I moved to Lisbon in May")
        page = tmp_path / "page.html"
        page.write_text("former")
        answer = ask("report", page)
        assert (answer["file"], answer["bytes"]) == (str(page), page.stat().st_size)
        assert page.stat().st_mode & 0o077 == 0
        assert "I moved to Lisbon in May" in page.read_text(encoding="utf-8")
        assert cog("report", tmp_path).exit_code == 2
        assert cog("report", page, "-n", "alcie").exit_code == 2
        assert "I moved to Lisbon in May" in page.read_text(encoding="utf-8")


class TestAudit:
    def test_findings(self, cog, ask, long_ago):
        """Count and ids of each kind; what waits."""
        ids = long_ago(
            lambda bank, _: [bank.add(text).id for text in ("Noah sings", "Noah sings", "ok")]
        )
        answer = ask("audit")
        assert answer["duplicates"] == {"count": 1, "ids": [ids[1]]}
        assert answer["junk"] == {"count": 1, "ids": [ids[2]]}
        assert (answer["secrets"], answer["queued"]) == ({"count": 0, "ids": []}, 0)
        shown = cog("audit").stdout
        row = next(line.split() for line in shown.splitlines() if line.startswith("duplicates"))
        assert (row[:2], row[-1]) == (["duplicates", "1"], ids[1][-12:])
        assert shown.endswith(", queued turns 0\n")


class TestAuditVerify:
    def test_a_whole_chain_and_a_broken_one(self, cog, ask, folder):
        """`cogm audit verify`; exit code 1 and the finding by name."""
        ask("remember", "I live in Lisbon")
        head = ask("audit", "verify")["head"]
        assert cog("audit", "verify", "--anchor", head).output.startswith(
            "1 entries are as they were written"
        )
        with closing(sqlite3.connect(folder / "ledger.sqlite")) as connection, connection:
            connection.execute("UPDATE journal SET actor = 'eve'")
        connection.close()
        result = cog("audit", "verify")
        assert (result.exit_code, "entry 1 (put): was altered" in result.output) == (1, True)


@each_row_of("cli_overseeing/a_mistyped_namespace_is_no_success")
def test_a_mistyped_namespace_is_no_success(cog, arguments):
    cog("remember", "Deniz lives in Lisbon", "-n", "alice")
    done = cog(*arguments, "-n", "alcie")
    assert (done.exit_code, "the nearest one is 'alice'" in done.stderr) == (2, True)
