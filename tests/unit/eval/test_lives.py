"""Dated lives: what a file may hold, how a life is lived, how rankings are judged, what is reported."""

import json
import subprocess
import sys
from copy import deepcopy
from dataclasses import replace
from datetime import datetime, timezone
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from cogmem_cli.main import app
from cogmem_core.config import Config
from cogmem_core.embedders.hashing import HashingEmbedder
from cogmem_core.errors import InvalidInput
from cogmem_eval import MemoizedEmbedder, life_report
from cogmem_eval.life_files import LifeProbe, load_life
from cogmem_eval.life_runs import LifeResult, judged, live, live_all, setups
from helpers.command import CliRunner
from helpers.tables import each_row_of

TESTS = Path(__file__).parents[2]
LIVES = TESTS / "data" / "lives"
NOW = datetime(2025, 6, 1, 12, tzinfo=timezone.utc)
MOVE = {
    "name": "move",
    "language": "en",
    "turns": [
        {"at": "2025-01-01T08:00:00Z", "text": "I live in Lisbon.", "ref": "home", "session": "a"},
        {"at": "2025-01-01T08:01:00Z", "text": "Good to know.", "role": "assistant"},
        {"at": "2025-01-02T08:00:00+00:00", "text": "I am allergic to  sesame."},
        {"at": "2025-01-03T08:00:00Z", "text": "I no longer live in Lisbon, I live in Porto."},
    ],
    "questions": [
        {
            "at": "2025-01-01T20:00:00Z",
            "text": "Where do I live?",
            "answer": "You live in Lisbon.",
            "needs": ["home"],
        }
    ],
    "probes": [
        {
            "at": "2025-01-03T21:00:00Z",
            "question": "Where do I live?",
            "expected": ["porto"],
            "former": ["I live in Lisbon."],
        },
        {"at": "2025-01-02T21:00:00Z", "question": "Where do I live?", "expected": ["Lisbon"]},
    ],
    "vital": ["allergic to sesame"],
}


def unheard(_stage, _done, _total):
    """No progress is wanted."""


@pytest.fixture
def data():
    """The life as JSON values, free to be spoiled."""
    return json.loads(json.dumps(MOVE))


@pytest.fixture
def saved(tmp_path):
    """Writes a life to a file."""

    def save(data):
        file = tmp_path / "life.json"
        file.write_text(json.dumps(data), encoding="utf-8")
        return file

    return save


@pytest.fixture(scope="module")
def hashing():
    """Without a model; each text is embedded once."""
    return MemoizedEmbedder(HashingEmbedder())


class TestFiles:
    def test_everything_in_its_order(self, saved, data):
        """Times with their offsets, optional fields, probes in the order of their times."""
        life = load_life(saved(data))
        assert (life.name, life.language, life.vital) == ("move", "en", ("allergic to sesame",))
        first, second = life.turns[:2]
        assert (first.at, first.role, first.session, first.ref) == (
            datetime(2025, 1, 1, 8, tzinfo=timezone.utc),
            "user",
            "a",
            "home",
        )
        assert (second.role, second.session, second.ref) == ("assistant", None, None)
        assert [probe.expected for probe in life.probes] == [("Lisbon",), ("porto",)]
        assert (life.start, life.end) == (first.at, life.probes[-1].at)

    def test_the_life_of_the_guide(self, tmp_path, hashing):
        """It can be read and lived, and nothing in it is lost."""
        page = (TESTS.parent / "cookbook" / "guide" / "operations.md").read_text(encoding="utf-8")
        file = tmp_path / "guide.json"
        file.write_text(page.split("```json\n")[1].split("```")[0], encoding="utf-8")
        (setup,) = setups(Config(), ["feedback+dream"])
        weekly = replace(setup, nights=7)
        found = live(load_life(file), weekly, hashing, progress=unheard)
        assert (found.recall, found.answered, found.lost) == ((1.0,), (True,), ())

    def test_what_may_be_left_out(self, saved, data):
        """Language, questions, one of probes and vital facts; an end may be added."""
        for key in ("language", "questions", "vital"):
            del data[key]
        life = load_life(saved({**data, "end": "2025-02-01T00:00:00Z"}))
        assert (life.language, life.questions, life.vital) == ("", (), ())
        assert life.end == datetime(2025, 2, 1, tzinfo=timezone.utc)

    @each_row_of("life_files/a_malformed_file_is_refused")
    def test_a_malformed_file_is_refused(self, saved, data, path, value, message):
        """The error names the file, the place, the field, and what should be there."""
        *parents, last = path
        spoiled = place = deepcopy(data)
        for key in parents:
            place = place[key]
        if value is None:
            del place[last]
        else:
            place[last] = value
        file = saved(spoiled)
        with pytest.raises(InvalidInput) as error:
            load_life(file)
        assert str(error.value).startswith(f"{file}: ")
        assert message in str(error.value)

    def test_a_life_without_checkpoints_measures_nothing(self, saved, data):
        """Neither probes nor vital facts."""
        with pytest.raises(InvalidInput, match="add 'probes' or 'vital'"):
            load_life(saved({**data, "probes": [], "vital": []}))

    @pytest.mark.parametrize(
        ("text", "message"), [("[]", "is \\[\\]; it must be an object"), ("{", "is not JSON")]
    )
    def test_another_file_is_refused(self, tmp_path, text, message):
        file = tmp_path / "other.json"
        file.write_text(text, encoding="utf-8")
        with pytest.raises(InvalidInput, match=message):
            load_life(file)

    def test_the_generator_writes_the_lives_of_the_tests(self, tmp_path):
        """The same seed tells the same life."""
        script = TESTS / "bench" / "lives" / "generate.py"
        subprocess.run([sys.executable, str(script), str(tmp_path), "2", "20"], check=True)
        written = sorted(tmp_path.iterdir())
        assert [file.name for file in written] == ["life-0.json", "life-1.json"]
        for file in written:
            assert file.read_bytes() == (LIVES / file.name).read_bytes()


class TestJudging:
    """Where do I live? Porto; Lisbon before."""

    probe = LifeProbe(NOW, "Where do I live?", ("Porto",), ("Lisbon",))

    @each_row_of("life_files/of_two_values")
    def test_of_two_values(self, contents, expected):
        """recall looks at three results, the order of the values at all of them."""
        assert judged(contents, self.probe) == expected

    def test_without_a_former_value(self):
        """Then nothing can stand above; several expected texts count by their share."""
        probe = LifeProbe(NOW, "Which pets do I have?", ("Biscuit", "Zorro"), ())
        assert judged(["Our dog is Biscuit."], probe) == (0.5, None)

    def test_letters_of_turkish(self):
        """The dotted capital is the same letter."""
        probe = LifeProbe(NOW, "Nerede?", ("izmir",), ())
        assert judged(["İZMİR'e   taşındım"], probe) == (1.0, None)


class TestLives:
    def test_a_few_days(self, saved, data, hashing):
        """Figures of every kind; the same twice."""
        life = load_life(saved(data))
        (setup,) = setups(Config(), ["feedback+dream"])
        told = []
        first = live(life, setup, hashing, progress=lambda *told_: told.append(told_))
        assert first == live(life, setup, hashing, progress=unheard)
        assert (first.setup, first.life, first.language) == ("feedback+dream", "move", "en")
        assert (first.recall, first.former_first) == ((1.0, 1.0), (None, False))
        assert (first.answered, first.vital, first.lost) == ((True,), 1, ())
        assert first.active >= 2
        assert first.did
        assert first.troubles == ()
        assert told == [("feedback+dream, move", day, 3) for day in (1, 2, 3)]

    def test_a_vital_fact_that_is_overwritten_is_lost(self, saved, data, hashing):
        """It must stand in a memory that is current at the end."""
        life = load_life(saved({**data, "vital": ["I live in Lisbon.", "sesame"]}))
        found = live(life, setups(Config(), ["kept"])[0], hashing, progress=unheard)
        assert (found.vital, found.lost) == (2, ("I live in Lisbon.",))

    def test_an_answer_needs_something_shown(self, saved, data, hashing):
        """Where nothing it rests on is shown, the question counts as not answered."""
        rooms = ("kitchen", "cellar", "attic", "garden", "garage", "hall", "bath", "study", "loft")
        for room in rooms:
            text = f"I live in the {room} where the sun shines."
            data["turns"].append({"at": "2025-01-01T09:00:00Z", "text": text})
        data["turns"].append({"at": "2025-01-01T07:00:00Z", "text": "Zebras!", "ref": "zebras"})
        data["questions"][0]["needs"] = ["zebras"]
        found = live(load_life(saved(data)), setups(Config())[1], hashing, progress=unheard)
        assert found.answered == (False,)

    def test_only_feedback_teaches(self, saved, data, hashing):
        """Without feedback and cycles nothing is done; a day without words still has its night."""
        life = load_life(saved({**data, "end": "2025-03-01T00:00:00Z"}))
        days = []
        kept, heard, dreamt = (
            live(life, setup, hashing, progress=lambda *told: days.append(told[2]))
            for setup in setups(Config(), ["kept", "feedback", "feedback+dream"])
        )
        assert (kept.did, heard.did) == ({}, {})
        assert dreamt.did
        assert set(days) == {60}

    def test_lives_of_the_tests(self, hashing):
        """Every committed life can be read; of what is only kept, no vital fact is lost."""
        lives = {}
        for file in sorted(LIVES.iterdir()):
            life = lives[file.stem] = load_life(file)
            assert len(life.probes) >= 3
            assert file.stat().st_size < 60_000
        assert len(lives) == 10
        for name in ("nurse", "ogrenci"):  # one of each language; test_steps_act lives others
            found = live(lives[name], setups(Config(), ["kept"])[0], hashing, progress=unheard)
            assert len(found.recall) == len(lives[name].probes)
            assert (found.lost, found.did) == ((), {})

    def test_without_a_step_that_did_nothing_a_life_is_the_same(self, saved, data, hashing):
        """It is not lived again; without a step that acted it is, and that does nothing then."""
        life = load_life(saved(data))
        chosen = setups(Config(), ["feedback+dream", "without:rehearsal", "without:utility_drift"])
        lived = []
        whole, same, other = live_all(
            [life], chosen, hashing, progress=lambda stage, *_told: lived.append(stage)
        )
        assert same == replace(whole, setup="without:rehearsal")
        assert set(lived) == {"feedback+dream, move", "without:utility_drift, move"}
        assert any(deed.startswith("utility_drift") for deed in whole.did)
        assert not any(deed.startswith("utility_drift") for deed in other.did)

    def test_configurations(self):
        """All of them by default, presets with feedback and dream; an unknown one is refused."""
        found = {one.name: (one.feedback, one.dream) for one in setups(Config())}
        assert found["kept"] == (False, False)
        assert found["feedback"] == (True, False)
        assert found["feedback+dream"] == found["v9"] == found["agentos"] == (True, True)
        with pytest.raises(InvalidInput, match="no configuration 'dreams'"):
            setups(Config(), ["dreams"])


KEPT_LIFE = LifeResult(
    "kept", "move", "en", (0.0, 1.0), (None, True), (True, False), 2, (), 5, {}, ()
)
DREAMT_LIFE = replace(
    KEPT_LIFE,
    setup="feedback+dream",
    recall=(1.0, 1.0),
    former_first=(None, False),
    lost=("sesame",),
    active=3,
    did={"duplicates: merged": 2},
    troubles=("fading: no",),
)


class TestReport:
    def test_rows(self):
        """Probes of all lives together, the difference paired with what is only kept."""
        other = replace(KEPT_LIFE, life="other", recall=(1.0,), former_first=(None,), answered=())
        results = [KEPT_LIFE, DREAMT_LIFE, other, replace(other, setup="feedback+dream")]
        found = life_report.report(results, embedder="none")
        assert (found.lives, found.probes, found.former, found.questions) == (2, 3, 1, 2)
        kept, dreamt = found.rows
        assert kept.recall.mean == pytest.approx(2 / 3)
        assert kept.against_kept is None
        assert (dreamt.recall.mean, dreamt.recall.low, dreamt.recall.high) == (1.0, 1.0, 1.0)
        assert dreamt.against_kept.mean == pytest.approx(1 / 3)
        assert (kept.former_first.mean, dreamt.former_first.mean) == (1.0, 0.0)
        assert dreamt.answered.mean == 0.5
        assert (dreamt.vital, dreamt.lost, dreamt.active) == (4, ("move: sesame",), 8)

    def test_nothing_to_measure_is_no_zero(self):
        """Without probes and questions there is no figure."""
        empty = replace(KEPT_LIFE, recall=(), former_first=(), answered=())
        (row,) = life_report.report([empty], embedder="none").rows
        assert (row.recall, row.former_first, row.answered) == (None, None, None)

    def test_table(self):
        """Losses and steps that failed are named under the table."""
        console = Console(file=StringIO(), width=120)
        found = life_report.report([KEPT_LIFE, DREAMT_LIFE], embedder="none")
        console.print(life_report.render(found))
        text = console.file.getvalue()
        assert "1 of 2" in text
        assert "difference to kept" in text
        assert (
            "feedback+dream: duplicates: merged 2\n  lost: move: sesame\n  failed: fading: no"
            in text
        )


class TestCommand:
    def ask(self, clear, *arguments):
        """Run `cogm eval lives` with the embedder that needs no model."""
        return CliRunner(env=clear).invoke(
            app, ["eval", "lives", *map(str, arguments), "--embedder", "hashing"]
        )

    def test_as_json_and_as_a_table(self, clear, saved, data):
        """Two files, two configurations."""
        again = saved({**data, "name": "again"})
        again = again.rename(again.with_name("again.json"))
        short = (saved(data), again, "--configurations", "kept,feedback+dream")
        found = json.loads(self.ask(clear, *short, "--json").stdout)
        assert (found["lives"], found["probes"], found["embedder"]) == (2, 4, "hashing-v1-384")
        assert [row["setup"] for row in found["rows"]] == ["kept", "feedback+dream"]
        assert [result["life"] for result in found["results"]] == ["move"] * 2 + ["again"] * 2
        table = self.ask(clear, short[0], *short[2:]).stdout
        assert "vital facts lost" in table
        assert "difference to kept" in table

    def test_wrong_arguments(self, clear, saved, data):
        """Refused before anything is lived."""
        assert self.ask(clear, saved(data), "--configurations", "bogus").exit_code == 2
        done = self.ask(clear, "missing.json")
        assert (done.exit_code, "missing.json: cannot be read" in done.stderr) == (2, True)
        assert self.ask(clear).exit_code == 2
