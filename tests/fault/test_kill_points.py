"""A sample of the kill points of `make fault`, and proof that the harness would notice a loss."""

import os
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("resource", reason="needs POSIX limits and signals")

from fault.expected import Model, traces
from fault.harness import FAILPOINTS, Yard, has_strace
from fault.jobs import copied
from fault.kills import MODES, Campaign

SEED = 20_260_601
POINTS = {"mixed": 9, "dream": 22, "rebuild": 6, "erase": 8, "migrate": 13, "import": 2}
EMPTY: dict[str, Any] = {
    "turns": {},
    "sources": {},
    "turn_ids": {},
    "items": {},
    "item_texts": {},
    "runs": {},
    "records": {},
}
EMPTY |= {"feedback": [], "talk": []}


@pytest.fixture(scope="module")
def modes() -> list[str]:
    """The ways to kill that work here; where CI is set all of them must."""
    traced = has_strace()
    assert traced or not os.environ.get("CI"), "strace is missing or may not attach"
    return [mode for mode in MODES if mode != "syscall" or traced]


@pytest.fixture(scope="module")
def filled(yard: Yard, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank of 30 memories, to be copied."""
    folder = tmp_path_factory.mktemp("filled") / "b"
    yard.value("jobs:filled", {"folder": str(folder), "memories": 30})
    return folder


@pytest.mark.parametrize(("scenario", "points"), POINTS.items())
def test_whatever_was_acknowledged_survives_a_kill(
    yard: Yard, tmp_path: Path, modes: list[str], scenario: str, points: int
) -> None:
    """0 acknowledged writes lost, 0 duplicates, 0 index differences, 0 manual repairs."""
    campaign = Campaign(yard, tmp_path, SEED, modes, operations=5)
    if scenario == "mixed":
        campaign.mixed(points)
    else:
        campaign.focus(scenario, points)

    assert campaign.tally.troubles == []
    assert campaign.tally.total >= points
    assert scenario != "mixed" or {mode for _, mode in campaign.tally.kills} == set(modes)


class TestTheHarnessItself:
    """A harness that finds nothing proves nothing unless it finds what was planted."""

    def checked(self, yard: Yard, folder: Path) -> dict[str, Any]:
        found: dict[str, Any] = yard.value("survey:checked", {"folder": str(folder), "hours": 1})
        return found

    def test_a_sound_bank_has_no_troubles(self, yard: Yard, filled: Path, tmp_path: Path) -> None:
        assert self.checked(yard, copied(filled, tmp_path / "b"))["troubles"] == []

    @pytest.mark.parametrize(
        ("planted", "told"),
        {
            "DELETE FROM versions": "a memory's versions are not complete",
            "INSERT INTO relations SELECT shard, id, 'nobody', 'elaborates', namespace, 1, 1, 0, 0 FROM memories": (
                "a relation to nothing"
            ),
            "UPDATE shards SET seq = 1": "a row is ahead of its shard's counter",
            "UPDATE memories SET vector = zeroblob(256) WHERE seq = 3": "the index holds another vector",
            "DELETE FROM memories WHERE seq = 3": "index != table",
            "UPDATE memories SET superseded_by = 'nobody' WHERE seq = 3": "superseded by nothing",
        }.items(),
    )
    def test_a_planted_damage_is_told(
        self, yard: Yard, filled: Path, tmp_path: Path, planted: str, told: str
    ) -> None:
        folder = copied(filled, tmp_path / "b")
        yard.value("survey:planted", {"folder": str(folder), "statement": planted})
        assert any(trouble.startswith(told) for trouble in self.checked(yard, folder)["troubles"])

    def test_a_lost_acknowledgement_is_told(self) -> None:
        """An empty bank after an acknowledged `add`."""
        model = Model()
        begun = {
            "kind": "begin",
            "op": "add",
            "texts": {"zq1x1xq": "zq1x1xq says it"},
            "pinned": False,
        }
        model.hear([begun, {"kind": "done"}])
        found = {**EMPTY, "memories": []}
        assert list(model.compare(found)) == ["zq1x1xq is missing, acknowledged otherwise"]
        model = Model()
        model.hear([begun])
        assert list(model.compare(found)) == []

    def test_a_memory_that_is_there_twice_or_changed_is_told(self) -> None:
        row = {
            "id": "a",
            "content": "zq1x1xq says it",
            "state": "active",
            "pinned": 0,
            "used_count": 0,
        }
        for rows, told in (
            ([row, {**row, "id": "b"}], "zq1x1xq is there 2 times"),
            ([{**row, "content": "zq1x1xq says that"}], "zq1x1xq has 'zq1x1xq says that'"),
            ([{**row, "pinned": 1}], "zq1x1xq has True"),
            ([{**row, "used_count": 1}], "used 1 times, with feedback of 0"),
        ):
            model = Model()
            begun = {
                "kind": "begin",
                "op": "add",
                "texts": {"zq1x1xq": "zq1x1xq says it"},
                "pinned": False,
            }
            model.hear([begun, {"kind": "done"}])
            found = {**EMPTY, "memories": rows}
            assert any(trouble.startswith(told) for trouble in model.compare(found)), told

    def test_a_trace_of_an_erased_text_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_bytes(b"...zq1x1xq...")
        assert traces(tmp_path, {"zq1x1xq": []}) == ["file holds what was erased"]

    def test_a_process_that_crashes_hangs_or_fails_is_told(self, yard: Yard) -> None:
        limits = {"segv": 60, "hang": 1, "raise": 60}
        ends = [
            yard.run("survey:broken", {"how": how}, timeout=limit)["end"]
            for how, limit in limits.items()
        ]
        assert (ends[0], ends[1]) == ("crashed: SIGSEGV", "hung")
        assert ends[2].startswith("failed: ")


def test_the_sample_is_large_enough() -> None:
    """ "sampled to >= 60 in `make test`"."""
    assert sum(POINTS.values()) >= 60


def test_failpoints_name_functions_that_exist(yard: Yard) -> None:
    """A renamed function must not silently take its failpoint away."""
    assert yard.run("survey:broken", {"how": ""}, count=list(FAILPOINTS))["end"] == "done"
