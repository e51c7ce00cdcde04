"""Another embedder, of several languages: calibrated by a few sentences, it is as sure and as silent as the default."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Engine, MemoryBank
from cogmem_core.embedders import HashingEmbedder
from cogmem_core.testing import MANUAL
from cogmem_eval.reading import read_questions
from cogmem_eval.statement_banks import load_bank
from helpers.multilingual import E5Small
from helpers.tables import rows_of

CORPORA = Path(__file__).parents[2] / "data" / "calibration"
KEPT_BACK = [
    load_bank(CORPORA / "held_back" / f"{name}.json")
    for name in ("facts_tr_third", "documents_tr", "log_deploys")
]
STRANGERS = read_questions(CORPORA / "unrelated" / "measured.json")[:40]
CROSSED = rows_of("multilingual/crossed")


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with cogmem_core.open(embedder=E5Small(), config=MANUAL) as opened:
        opened.reindex()
        yield opened


@pytest.fixture(scope="module")
def statements(engine: Engine) -> MemoryBank:
    """Three banks of statements, in Turkish and English."""
    bank = engine.bank("statements")
    for given in KEPT_BACK:
        for text in given.statements:
            bank.add(text)
    return bank


def test_what_is_known_is_found_and_what_is_not_gets_no_result(statements: MemoryBank) -> None:
    """Before it was calibrated, three strangers of four got results, eight of them each."""
    own = [question for bank in KEPT_BACK for question in bank.questions if question.answers]
    answers = [statements.recall(question.text).results for question in own]
    right = [
        any(item.content in question.answers for item in results)
        for question, results in zip(own, answers, strict=True)
    ]
    assert (len(own), sum(right) >= 45) == (47, True)
    assert sum(map(len, answers)) <= 5 * len(own)
    assert sum(bool(statements.recall(text).results) for text in STRANGERS) <= 4


def test_a_question_finds_what_was_said_in_another_language(engine: Engine) -> None:
    """English, Turkish and German, in one bank."""
    bank = engine.bank("mixed")
    for text, _ in CROSSED:
        bank.add(text)
    first = [bank.recall(question)[:1] for _, question in CROSSED]
    found = [items[0].content if items else "" for items in first]
    assert sum(content == text for content, (text, _) in zip(found, CROSSED, strict=True)) >= 5
    assert bank.recall("Which planet has rings?").results == ()


def test_the_bank_keeps_what_was_measured(tmp_path: Path) -> None:
    """The next process asks the embedder for nothing more than its texts."""

    class Counting(E5Small):
        asked = 0

        def embed_queries(self, texts):  # type: ignore[no-untyped-def]
            Counting.asked += len(texts)
            return super().embed_queries(texts)

    fact, stranger = "Biscuit is my dog.", "Which planet has rings?"
    results = []
    for calibrates in (False, True, False):
        with cogmem_core.open(tmp_path, embedder=Counting(), config=MANUAL) as opened:
            if calibrates:
                opened.reindex()
            bank = opened.bank("alice")
            if not bank.count():
                bank.add(fact)
            results.append(bank.recall(stranger).confidence)
    assert Counting.asked == 16
    assert results[0] > 5 * results[1]
    assert results[1] == results[2]


def test_an_embedder_that_only_compares_words_is_not_calibrated() -> None:
    """Its cosines say nothing by themselves; only what is relative is looked at."""

    class Words(HashingEmbedder):
        fingerprint = "words-384"

    with cogmem_core.open(embedder=Words(), config=MANUAL) as opened:
        bank = opened.bank("alice")
        bank.add("My sister lives in Porto.")
        before = bank.recall("Where does my sister live?").confidence
        opened.reindex()
        assert bank.recall("Where does my sister live?").confidence == before
