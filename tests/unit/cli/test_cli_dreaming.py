"""The commands `cogm dream`, `tick`, `runs` and `undo`: what they answer, in words and as JSON, and exit codes."""

import sqlite3
from contextlib import closing
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

import cogmem_core
from cogmem_cli.commands.dream import change_lines
from cogmem_core.results import PlannedChange
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.tables import each_row, each_row_of

PAST = datetime(2026, 5, 1, tzinfo=timezone.utc)
EXPIRY = ("--steps", "expiry")


@pytest.fixture
def plans(folder, cog):
    """Adds memories that end on 1 May, in April; returns their ids."""

    def add(*texts, namespace="default"):
        clock = FrozenClock(PAST - timedelta(days=30))
        with cogmem_core.open(folder, embedder="hashing", config=MANUAL, clock=clock) as engine:
            bank = engine.bank(namespace)
            return [bank.add(text, category="plan", valid_until=PAST).id for text in texts]

    return add


def states(ask, namespace="default"):
    return [
        memory["state"] for memory in ask("list", "--state", "any", "-n", namespace)["memories"]
    ]


class TestDream:
    def test_it_runs_and_says_how_to_take_it_back(self, cog, ask, plans):
        """A table of the steps, the sum, and the id for `undo`; the changes only if they are asked for."""
        plans("Flies to Rome", "Buys a tent")
        done = cog("dream", *EXPIRY)
        assert (done.exit_code, done.stderr) == (0, "")
        run_id = ask("runs")["runs"][0]["id"]
        assert [
            line.split()[:3] for line in done.stdout.splitlines() if line.startswith("expiry")
        ] == [["expiry", "expired", "2"]]
        assert done.stdout.endswith(f"; `cogm undo {run_id[-12:]}` takes them back\n")
        assert done.stdout.splitlines()[-1].startswith("2 changes made in ")
        assert "Flies to Rome" not in done.stdout
        assert states(ask) == ["superseded", "superseded"]

    def test_json_is_the_report(self, ask, plans):
        """`ConsolidationReport`, whole."""
        (memory_id,) = plans("Flies to Rome")
        report = ask("dream", *EXPIRY)
        assert sorted(report) == [
            "changes",
            "dry_run",
            "duration_ms",
            "llm_calls",
            "reason",
            "run_id",
            "steps",
        ]
        assert (report["dry_run"], report["reason"], report["llm_calls"]) == (False, "", 0)
        assert (report["steps"]["expiry"]["counts"], report["steps"]["expiry"]["error"]) == (
            {"expired": 1},
            "",
        )
        assert report["changes"] == [
            {
                "step": "expiry",
                "kind": "retire",
                "memory_id": memory_id,
                "content": "Flies to Rome",
                "before": {"state": "active"},
                "after": {"state": "superseded"},
                "reason": "its time is over",
                "undone": False,
            }
        ]

    def test_a_dry_run_shows_the_changes_and_makes_none(self, cog, ask, plans):
        """ "`dry_run=True` returns the same report and changes nothing"."""
        (memory_id,) = plans("Flies to Rome")
        shown = cog("dream", "--dry-run", *EXPIRY).stdout
        line = f"- {memory_id[-12:]}  Flies to Rome  → superseded  its time is over"
        assert f"\nexpiry: 1 change\n{line}\n1 change proposed in " in shown
        assert shown.endswith("; nothing was changed\n")
        assert (states(ask), ask("runs")) == (["active"], {"runs": []})
        assert ask("dream", "--dry-run", *EXPIRY)["changes"] == ask("dream", *EXPIRY)["changes"]

    def test_changes_of_a_real_run(self, cog, plans):
        """--changes shows them; nothing to do shows nothing, and nothing to take back."""
        (memory_id,) = plans("Flies to Rome")
        assert f"- {memory_id[-12:]}  Flies to Rome  " in cog("dream", "--changes", *EXPIRY).stdout
        shown = cog("dream", "--changes", *EXPIRY).stdout
        assert "expiry:" not in shown
        assert "0 changes made in " in shown
        assert "undo" not in shown

    def test_lines_per_step(self, cog, plans):
        """50 unless told otherwise; how many there are more, and how to see them."""
        plans(*(f"Flies to city {number}" for number in range(52)))
        for arguments, count, more in (
            ((), 50, 2),
            (("--lines", "3"), 3, 49),
            (("--lines", "0"), 52, 0),
        ):
            shown = cog("dream", "--dry-run", *EXPIRY, *arguments).stdout
            assert shown.count("\n- ") == count
            assert (f"  ... and {more} more (--lines 0 shows all)\n" in shown) is (more > 0)

    def test_all_namespaces(self, cog, ask, plans):
        """Each by its name; without --all only the one that is named."""
        plans("Flies to Rome")
        plans("Buys a tent", namespace="bob")
        answer = ask("dream", "--all", "--dry-run", *EXPIRY)
        assert {name: len(report["changes"]) for name, report in answer["namespaces"].items()} == {
            "bob": 1,
            "default": 1,
        }
        ask("dream", *EXPIRY)
        assert (states(ask), states(ask, "bob")) == (["superseded"], ["active"])
        shown = cog("dream", "--all", *EXPIRY).stdout
        assert shown.startswith("namespace bob\n")
        assert "\nnamespace default\n" in shown
        assert states(ask, "bob") == ["superseded"]

    def test_an_empty_bank(self, cog, ask):
        """Nothing to do is no failure."""
        assert ask("dream", *EXPIRY)["changes"] == []
        assert ask("dream", "--all", *EXPIRY) == {"namespaces": {}}
        assert cog("dream", "--all", *EXPIRY).stdout == "no namespace yet\n"

    @pytest.mark.parametrize("arguments", [(), ("--json",), ("--all",)])
    def test_a_step_that_fails(self, cog, ask, plans, folder, arguments):
        """Exit code 1, and the reason stands with the step; the memory is as it was."""
        plans("Flies to Rome")
        with closing(sqlite3.connect(folder / "ledger.sqlite")) as ledger, ledger:
            ledger.execute(
                "CREATE TRIGGER broken BEFORE UPDATE ON memories BEGIN SELECT RAISE(ABORT, 'worn out'); END"
            )
        ledger.close()
        done = cog("dream", *EXPIRY, *arguments, env={"COLUMNS": "300"})
        assert done.exit_code == 1
        assert "StoreError: " in done.stdout
        assert "worn out" in done.stdout
        assert states(ask) == ["active"]
        assert "-; failed: expiry" in cog("runs").stdout

    @each_row_of("cli_dreaming/bad_values")
    def test_bad_values(self, cog, arguments, words):
        """Exit 2, nothing on standard output."""
        done = cog("dream", *arguments)
        assert (done.exit_code, done.stdout) == (2, "")
        assert words in done.stderr


class TestTick:
    def test_it_runs_the_cheap_steps(self, ask, plans):
        """What is over leaves recall."""
        plans("Flies to Rome")
        report = ask("tick")
        assert report["steps"]["expiry"]["counts"] == {"expired": 1}
        assert set(report["steps"]) <= {"expiry", "synaptic_replay", "cascade", "reindex"}
        assert states(ask) == ["superseded"]

    def test_it_first_finishes_what_waits(self, cog, ask, folder):
        """What a process left that ended too soon; until then the answer to a question names this command."""
        with cogmem_core.open(folder, embedder="hashing", config=MANUAL) as engine:
            engine.pause()
            engine.bank("default").remember("My dog is called Nero.", wait=False)
        assert "has not become a memory yet; `cogm tick` sees to it" in cog("recall", "dog").stderr
        ask("tick")
        assert [memory["content"] for memory in ask("list")["memories"]] == [
            "My dog is called Nero."
        ]


class TestCompact:
    def test_it_only_tidies_up(self, ask, plans):
        """What is over stays; what says the same becomes one."""
        plans("Flies to Rome")
        report = ask("compact")
        assert list(report["steps"]) == ["duplicates", "redundancy", "reindex"]
        assert states(ask) == ["active"]


class TestRuns:
    def test_newest_first(self, cog, ask, plans):
        """Id, time, cause, state, counts, duration, calls of the model."""
        plans("Flies to Rome")
        first, second = ask("dream", *EXPIRY)["run_id"], ask("dream", *EXPIRY)["run_id"]
        assert [run["id"] for run in ask("runs")["runs"]] == [second, first]
        assert [run["id"] for run in ask("runs", "--limit", "1")["runs"]] == [second]
        rows = [
            line.replace(" UTC", "").split()
            for line in cog("runs").stdout.splitlines()
            if "manual" in line
        ]
        assert [(row[0], row[3:-2], row[-1]) for row in rows] == [
            (second[-12:], ["manual", "done", "-"], "0"),
            (first[-12:], ["manual", "done", "expired", "1"], "0"),
        ]


class TestUndo:
    @pytest.mark.parametrize("part", [slice(None), slice(-12, None), slice(-8, None), slice(0, 20)])
    def test_by_a_part_of_the_id(self, cog, ask, plans, part):
        """The whole id, its beginning or its end."""
        (memory_id,) = plans("Flies to Rome")
        run_id = ask("dream", *EXPIRY)["run_id"]
        assert ask("undo", run_id[part]) == {
            "run_id": run_id,
            "restored": [memory_id],
            "removed": [],
            "kept": {},
        }
        assert states(ask) == ["active"]

    def test_one_thing_of_it(self, cog, ask, plans):
        """`runs RUN_ID` lists them; the rest stands."""
        (rome,) = plans("Flies to Rome")
        plans("Flies to Oslo")
        ask("dream", *EXPIRY)
        shown = cog("runs", "last").stdout
        assert shown.startswith("in all: 2 changes\n- ")
        assert f"- {rome[-12:]}  Flies to Rome  → superseded  its time is over\n" in shown
        assert ask("undo", "last", rome[-12:])["restored"] == [rome]
        assert sorted(states(ask)) == ["active", "superseded"]

    def test_the_last_one(self, cog, ask, plans):
        """The newest that changed something and was not undone; a tick says what it is."""
        plans("Flies to Rome")
        first = ask("dream", *EXPIRY)["run_id"]
        ask("tick")
        assert [run["cause"] for run in ask("runs")["runs"]] == ["tick", "manual"]
        assert cog("undo", "LAST").stdout == (
            f"undid {first[-12:]}: 1 restored, 0 removed, 0 kept as they are now\n"
        )
        done = cog("undo", "last")
        assert done.exit_code == 1
        assert (
            "every one of the 2 dream cycles on record was undone or cut short, or changed nothing, in "
            in done.stderr
        )

    def test_what_was_changed_since_is_kept(self, cog, ask, plans):
        """It is named, with the reason."""
        (memory_id,) = plans("Flies to Rome")
        ask("dream", *EXPIRY)
        cog("restore", memory_id)
        done = cog("undo", "last")
        assert done.exit_code == 0
        assert done.stdout.startswith(f"{memory_id[-12:]}  Flies to Rome  kept: ")
        assert done.stdout.endswith("1 kept as they are now\n")

    def test_ambiguous(self, cog, ask):
        """Ids of the same minute begin alike; the message names them."""
        runs = sorted(ask("dream", *EXPIRY)["run_id"] for _ in range(3))
        # The minute may have ended between two of the three.
        begin = max((run[:8] for run in runs), key=[run[:8] for run in runs].count)
        done = cog("undo", begin)
        assert done.exit_code == 2
        named = ", ".join(run for run in runs if run.startswith(begin))
        assert f"is ambiguous: {named}; give more characters of it" in done.stderr

    @each_row("given", ["ffffffffffff", "short", "", "zzzzzzzzzzzz", "%%%%%%%%"])
    def test_unknown(self, cog, ask, given):
        """Exit 1, and where the ids are."""
        ask("dream", *EXPIRY)
        done = cog("undo", given)
        assert (done.exit_code, done.stdout) == (1, "")
        assert (
            f"no dream cycle {given!r} in namespace 'default'; give an id that `cogm runs` shows"
            in done.stderr
        )


def planned(
    kind, before, after, *, step="promotion", content="Noah plays the cello", reason="because"
):
    return PlannedChange(
        step, kind, "01890000-0000-7000-8000-000000000001", content, before, after, reason
    )


def with_moments(fields: dict[str, Any]) -> dict[str, Any]:
    """What JSON holds of a memory's fields, as they are."""
    return {
        name: datetime.fromisoformat(value) if value and name.endswith("_at") else value
        for name, value in fields.items()
    }


class TestDiff:
    """One line per change: what leaves is red, what is new green, what changes yellow, links are dim."""

    @each_row_of("cli_dreaming/a_line")
    def test_a_line(
        self,
        *,
        kind: str,
        before: dict[str, Any],
        after: dict[str, Any],
        step: str,
        line: str,
        style: str,
    ) -> None:
        """Sign, id, text, what differs, why."""
        change = planned(kind, with_moments(before), with_moments(after), step=step)
        heading, shown = change_lines([change], 50)
        assert heading.plain == f"{change.step}: 1 change"
        assert (shown.plain, shown.style) == (line, style)

    def test_long_texts_are_cut_and_controls_made_visible(self):
        """A stored text can neither flood nor steer the terminal."""
        _, shown = change_lines(
            [planned("retire", {}, {"state": "dormant"}, content="\x1b[31m" + "cello\n" * 40)], 50
        )
        assert shown.plain.startswith("- 000000000001  ␛[31mcello cello ")
        assert "\n" not in shown.plain
        assert len(shown.plain) < 110

    def test_grouped_by_step(self):
        """A heading each, in the order in which they ran."""
        changes = [
            planned("touch", {"a": 1}, {"a": 2}, step=step)
            for step in ("drift", "drift", "promotion")
        ]
        lines = [text.plain for text in change_lines(changes, 1)]
        assert [lines[0], lines[2], lines[3]] == [
            "drift: 2 changes",
            "  ... and 1 more (--lines 0 shows all)",
            "promotion: 1 change",
        ]

    def test_nothing(self):
        assert change_lines([], 50) == []
