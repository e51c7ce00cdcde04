"""Conversations in LoCoMo format: how they are read, and how recall is scored on them."""

import copy
import json
from dataclasses import asdict, replace
from datetime import datetime, timezone
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

import cogmem_core
from cogmem_core.config import Config
from cogmem_core.errors import InvalidInput
from cogmem_eval import Extras, MemoizedEmbedder, evaluate, render
from cogmem_eval.calibration import banks, calibrated
from cogmem_eval.conversations import load, load_all, normalise_evidence, parse
from cogmem_eval.metrics import Estimate
from cogmem_eval.reading import read_questions
from helpers.tables import each_row, each_row_of, rows_of

TINY = Path(__file__).parents[2] / "data" / "locomo_tiny.json"


@pytest.fixture
def data():
    """The tiny file as JSON values, free to be spoiled."""
    return json.loads(TINY.read_text(encoding="utf-8"))


def open_hashing(config):
    """An engine in memory without a model."""
    return cogmem_core.open(config=config, embedder="hashing")


@pytest.fixture(scope="module")
def embedder():
    """Counts what it is asked."""
    return CountingEmbedder()


@pytest.fixture(scope="module")
def report(embedder):
    """The report of the tiny file, with what each signal and step is worth."""
    memoized = MemoizedEmbedder(embedder)
    return evaluate(
        TINY,
        engine_factory=lambda config: cogmem_core.open(config=config, embedder=memoized),
        ks=(2,),
        extras=Extras(ablate=True),
    )


class TestParsing:
    def test_turns(self):
        """A turn keeps speaker, role by speaker, session, ref, and the session's date plus its place in seconds."""
        second = load(TINY)[0].sessions[0].turns[1]
        assert second == cogmem_core.Turn(
            "Congratulations! I started violin lessons on Thursday.",
            role="assistant",
            speaker="Ben",
            at=datetime(2024, 3, 3, 0, 5, 1, tzinfo=timezone.utc),
            session_id="tiny-1/session_1",
            ref="D1:2",
        )

    def test_photo(self):
        """The caption of a photo becomes part of what was said."""
        third = load(TINY)[0].sessions[0].turns[2]
        assert (
            third.content
            == "Look at her! [shares a photo: a photo of a grey dog asleep on a yellow sofa]"
        )

    def test_silent_turns_and_sessions(self):
        """A turn without words or photo is left out, and so is a session of which only the date is known."""
        sessions = load(TINY)[0].sessions
        assert [len(session.turns) for session in sessions] == [3, 3]

    def test_sessions_stand_in_the_order_of_their_numbers(self, data):
        """Session 10 comes after session 2."""
        talk = data[1]["conversation"]
        for number in (10, 2):
            talk[f"session_{number}"] = [
                {"speaker": "Omar", "dia_id": f"D{number}:1", "text": "Hello"}
            ]
            talk[f"session_{number}_date_time"] = "8:00 pm on 1 July, 2024"
        sessions = parse(data)[1].sessions
        assert [session.id for session in sessions] == [
            "tiny-2/session_1",
            "tiny-2/session_2",
            "tiny-2/session_10",
        ]

    @each_row_of("locomo/dates")
    def test_dates(self, data, text, expected):
        """Dates are read as UTC, in the twelve-hour form of LoCoMo."""
        data[1]["conversation"]["session_1_date_time"] = text
        first = parse(data)[1].sessions[0].turns[0]
        assert first.at == datetime(*expected, tzinfo=timezone.utc)

    def test_questions(self):
        """Evidence is normalised; what no turn has is dropped and counted, and questions without any are left out."""
        first = load(TINY)[0]
        assert [set(question.evidence) for question in first.questions] == [
            {"D1:2", "D2:1"},
            {"D2:2"},
            {"D1:3"},
            {"D1:1"},
            {"D1:2"},
        ]
        assert [question.category for question in first.questions] == [1, 2, 4, 4, 5]
        assert (first.left_out, first.unknown_evidence) == (1, 1)

    def test_missing_sample_id(self, data):
        """A sample without an id is named by its place."""
        del data[1]["sample_id"]
        assert parse(data)[1].id == "sample-2"


@each_row(
    ("evidence", "expected", "unknown"),
    [
        (["D8:6; D9:17"], {"D8:6", "D9:17"}, 0),
        (["D8:6,D9:17"], {"D8:6", "D9:17"}, 0),
        (["D8:6 D9:17", "D8:6"], {"D8:6", "D9:17"}, 0),
        (["D:11:26"], {"D11:26"}, 0),
        (["D30:05"], {"D30:5"}, 0),
        (["8:6"], {"D8:6"}, 0),
        (["D8:6", "D99:1"], {"D8:6"}, 1),
        (["D", "", "D" + "9" * 5_000], set(), 0),
        ([], set(), 0),
    ],
)
def test_evidence_is_normalised(evidence, expected, unknown):
    """The ids of LoCoMo's evidence are written in many ways."""
    assert normalise_evidence(evidence, ["D8:6", "D9:17", "D11:26", "D30:5"]) == (expected, unknown)


def spoil(data, *path, value=None):
    """Set, or with no value remove, what stands at the path of keys and positions."""
    *parents, last = path
    for key in parents:
        data = data[key]
    if value is None:
        del data[last]
    else:
        data[last] = value


@each_row(
    ("path", "value", "message"),
    [
        *rows_of("locomo/a_malformed_file_is_refused"),
        ((0, "qa", 1, "evidence"), [5], "question 2: 'evidence' is [5]"),
    ],
)
def test_a_malformed_file_is_refused(data, tmp_path, path, value, message):
    """The error names the file, the place, what is there and what should be."""
    spoiled = copy.deepcopy(data)
    spoil(spoiled, *path, value=value)
    file = tmp_path / "spoiled.json"
    file.write_text(json.dumps(spoiled), encoding="utf-8")
    with pytest.raises(InvalidInput) as error:
        load(file)
    assert str(error.value).startswith(f"{file}: ")
    assert message in str(error.value)


@each_row(
    ("content", "message"),
    [
        (b"{not json", "is not JSON"),
        (b"", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"9" * 5_000, "is not JSON"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"{}", "the top level is {}; it must be a list of at least one sample"),
        (b"[]", "the top level is []; it must be a list of at least one sample"),
        (
            b'[{"conversation": {"speaker_a": "A", "speaker_b": "B"}, "qa": []}]',
            "has no session with a turn",
        ),
    ],
)
def test_another_file_is_refused(tmp_path, content, message):
    """A file that is not in LoCoMo format at all is refused as input, not as a crash."""
    file = tmp_path / "other.json"
    file.write_bytes(content)
    with pytest.raises(InvalidInput, match=f"^{file}: ") as error:
        load(file)
    assert message in str(error.value)


def test_a_missing_file_is_refused(tmp_path):
    """A path that leads nowhere is named."""
    with pytest.raises(
        InvalidInput, match=r"nowhere.json: cannot be read \(No such file or directory\)"
    ):
        load(tmp_path / "nowhere.json")


def test_files_share_no_conversation(tmp_path, data):
    """Conversations of several files are told apart by their ids."""
    file = tmp_path / "again.json"
    file.write_text(json.dumps(data[:1]), encoding="utf-8")
    assert [talk.id for talk in load_all([TINY])] == ["tiny-1", "tiny-2"]
    with pytest.raises(InvalidInput, match=f"^{file}: 'sample_id' 'tiny-1' also occurs"):
        load_all([TINY, file])


class TestBanksOfCalibration:
    def unanswered(self, unrelated):
        """By bank the questions that nothing in it answers."""
        found = {}
        for bank in banks(load(TINY), unrelated):
            found[bank.id] = [asked.text for asked in bank.questions if not asked.evidence]
        return found

    def test_questions_of_the_user(self):
        """Each bank of whole conversations is asked all of them."""
        found = self.unanswered(["Who won?", "Where is it?"])
        for name in ("tiny-1", "tiny-2", "merged"):
            assert found[name] == ["Who won?", "Where is it?"]

    def test_questions_of_the_other_conversations(self):
        """Without any, those of the others; all conversations in one bank have no others."""
        found = self.unanswered(())
        first, second = load(TINY)
        assert found["tiny-1"] == [question.text for question in second.questions]
        assert {*found["tiny-2"]} <= {question.text for question in first.questions}
        assert found["tiny-2"]
        assert found["merged"] == []

    def test_what_teaches_nothing_is_refused(self):
        """One conversation alone, or no question at all."""
        first, _ = load(TINY)
        with pytest.raises(InvalidInput, match="one conversation only"):
            calibrated(Config(), [first], progress=print)
        with pytest.raises(InvalidInput, match="nothing to fit"):
            calibrated(Config(), [replace(first, questions=())], ["Who won?"], progress=print)


class TestQuestionFiles:
    def test_a_list_of_texts(self, tmp_path):
        """In their order."""
        file = tmp_path / "questions.json"
        file.write_text('["Who won?", "Where?"]', encoding="utf-8")
        assert read_questions(file) == ("Who won?", "Where?")

    @each_row_of("locomo/anything_else_is_refused")
    def test_anything_else_is_refused(self, tmp_path, text, message):
        file = tmp_path / "questions.json"
        file.write_text(text, encoding="utf-8")
        with pytest.raises(InvalidInput) as error:
            read_questions(file)
        assert str(error.value).startswith(f"{file}: ")
        assert message in str(error.value)


class CountingEmbedder:
    """Embeds a text as its length and counts the texts it was given."""

    fingerprint = "counting/2"
    dimension = 2

    def __init__(self):
        self.documents = 0
        self.queries = 0

    def embed_documents(self, texts):
        self.documents += len(texts)
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)

    def embed_query(self, text):
        self.queries += 1
        return np.array([len(text), 1.0], dtype=np.float32)


class TestMemoizedEmbedder:
    def test_each_text_is_embedded_once(self):
        """Known texts, and repetitions within one call, do not reach the wrapped embedder."""
        inner = CountingEmbedder()
        embedder = MemoizedEmbedder(inner)
        assert embedder.embed_documents(["a", "bb", "a"]).tolist() == [[1, 1], [2, 1], [1, 1]]
        assert embedder.embed_documents(["bb", "ccc"]).tolist() == [[2, 1], [3, 1]]
        assert inner.documents == 3

    def test_queries_are_kept_apart(self):
        """A query is embedded as a query even if the same text is known as a document."""
        inner = CountingEmbedder()
        embedder = MemoizedEmbedder(inner)
        embedder.embed_documents(["a"])
        assert [embedder.embed_query("a").tolist() for _ in range(2)] == [[1, 1], [1, 1]]
        assert (inner.documents, inner.queries) == (1, 1)

    def test_it_passes_for_the_wrapped_embedder(self):
        """Fingerprint and dimension are those of the wrapped embedder, also when nothing is embedded."""
        embedder = MemoizedEmbedder(CountingEmbedder())
        assert (embedder.fingerprint, embedder.dimension) == ("counting/2", 2)
        assert embedder.embed_documents([]).shape == (0, 2)


class TestEvaluate:
    def test_tiny_file(self):
        """Every question of the tiny file finds its evidence within the first two memories."""
        report = evaluate(TINY, engine_factory=open_hashing, ks=(1, 2))
        assert (report.conversations, report.turns, report.left_out, report.unknown_evidence) == (
            2,
            8,
            1,
            1,
        )
        assert [(score.name, score.questions) for score in report.by_category] == [
            ("multi-hop", 1),
            ("temporal", 1),
            ("single-hop", 4),
        ]
        assert report.overall.questions == 6
        assert report.overall.metrics["recall@2"].mean == 1.0
        assert report.overall.metrics["mrr"].mean == 1.0
        assert report.overall.metrics["recall@1"].mean == pytest.approx(5.5 / 6)
        assert (report.adversarial.name, report.adversarial.questions) == ("adversarial", 1)
        assert report.ks == (1, 2)

    def test_merged(self):
        """In one bank, refs of two conversations do not collide."""
        report = evaluate(TINY, engine_factory=open_hashing, ks=(4,), merged=True)
        assert report.merged
        assert report.overall.questions == 6
        assert report.overall.metrics["recall@4"].mean == 1.0

    def test_ablation(self, report, embedder):
        """Each signal and step in use is switched off in turn; texts are embedded once; words outdo blindness."""
        signals = [ablation.signal for ablation in report.ablations]
        assert signals == [
            "similarity",
            "lexical",
            "retention",
            "importance",
            "proven",
            "speaker",
            "date",
            "when",
            "length",
            "brief",
            "own",
            "coverage",
            "figures",
            "statement",
            "previous",
            "following",
            "answer",
            "session",
            "asked",
            "activation",
            "same_session",
            "entity",
            "coactivation",
            "linked",
            "kind",
            "boosts",
            "routes",
            "decompose",
            "withholding",
            "mmr",
        ]
        assert embedder.documents == 8
        assert {one.recall_at_10 for one in report.ablations} == {Estimate(0.0, 0.0, 0.0)}
        ranked = {one.signal: one.mrr.mean for one in report.ablations}
        assert ranked["coverage"] == pytest.approx(-1 / 12)

    def test_progress(self):
        """Stages are named, and each counts up to its total."""
        calls = []
        evaluate(TINY, engine_factory=open_hashing, progress=lambda *call: calls.append(call))
        assert calls[:3] == [("remember", 1, 3), ("remember", 2, 3), ("remember", 3, 3)]
        assert calls[3:10] == [("recall", done, 7) for done in range(1, 8)]
        assert calls[10:] == [("strangers", done, 5) for done in range(1, 6)]

    @each_row(
        ("unrelated", "merged", "asked"),
        [((), False, 2 + 3), ((), True, 0), (("Who won?",), False, 2), (("Who won?",), True, 1)],
    )
    def test_strangers(self, unrelated, merged, asked):
        """Each bank is asked what nothing answers: what the user gives, else the questions of the other ones."""
        report = evaluate(
            TINY, engine_factory=open_hashing, merged=merged, extras=Extras(unrelated=unrelated)
        )
        assert report.calibration.strangers == asked
        assert 0.0 <= report.calibration.surfaced <= 1.0

    @each_row("ks", [(), (0,), (5, -1), (True,), (2.0,)])
    def test_bad_depths_are_refused(self, ks):
        """Each k is an integer of at least 1."""
        with pytest.raises(InvalidInput, match="each 1 or more"):
            evaluate(TINY, engine_factory=open_hashing, ks=ks)

    def test_a_file_without_questions_is_refused(self, data, tmp_path):
        """Where no question can be scored, there is no report."""
        file = tmp_path / "mute.json"
        file.write_text(
            json.dumps([{**copy.deepcopy(sample), "qa": []} for sample in data]), encoding="utf-8"
        )
        with pytest.raises(InvalidInput, match="nothing to score"):
            evaluate(file, engine_factory=open_hashing)


class TestReport:
    def test_json(self, report):
        """The report survives a round through JSON."""
        restored = json.loads(json.dumps(asdict(report)))
        found = restored["overall"]["metrics"]["recall@2"]
        assert found == {"mean": pytest.approx(11 / 12), "low": 0.75, "high": 1.0}
        assert restored["by_category"][0]["name"] == "multi-hop"
        assert restored["ks"] == [2]

    def test_table(self, report):
        """People read percentages with their intervals, the ablation in points, and the time it took."""
        console = Console(width=120, file=StringIO())
        console.print(render(report))
        text = console.file.getvalue()
        assert "100-100" in text
        assert "overall" in text
        assert "Difference without one signal" in text
        assert "p95" in text
