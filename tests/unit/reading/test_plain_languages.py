"""Languages that are read by tables only: their sentences are cut and named, and nothing in them replaces anything."""

from typing import Any

import pytest

from cogmem_core.languages.detect import language_shown, language_written
from cogmem_core.reading.compare import compare
from cogmem_core.reading.model import Clause, Reading
from cogmem_core.reading.pack import OWN, pack_of
from cogmem_core.reading.phrases import Phrases
from cogmem_core.reading.read import read
from helpers.tables import each_row_of

PLAIN = "ar hi it ja ko nl pl pt ru zh"


def told(reading: Reading, clause: Clause) -> dict[str, Any]:
    """A clause as the rows tell it."""
    each: dict[str, Any] = {"kind": clause.kind, "words": reading.words(clause)}
    each |= {} if clause.holder == "speaker" else {"holder": clause.holder}
    each |= {} if clause.mood == "asserted" else {"mood": clause.mood}
    each |= {"target": clause.target} if clause.target else {}
    each |= {"negative": True} if clause.negative else {}
    return each | ({"correcting": True} if clause.correcting else {})


@each_row_of("reading/a_sentence_of_a_plain_language_is_cut", PLAIN)
def test_a_sentence_of_a_plain_language_is_cut(
    language: str, text: str, clauses: list[dict[str, Any]]
) -> None:
    """What is told beside a question, a request or a wish is a clause of its own."""
    found = read(text, language, pack_of(language))
    assert [told(found, clause) for clause in found.clauses] == list(clauses)


@each_row_of("reading/a_plain_language_doubts_at_most", PLAIN)
def test_a_plain_language_doubts_at_most(language: str, old: str, new: str, grade: str) -> None:
    """A denial and a correction are linked to what they may be about; nothing is over."""
    pack = pack_of(language)
    verdicts = compare(read(new, language, pack), read(old, language, pack), pack)
    assert [verdict.grade for verdict in verdicts] == [grade]


@pytest.mark.parametrize("language", PLAIN.split())
def test_the_clauses_of_a_text_do_not_overlap(language: str) -> None:
    """They stand in the order of the text, and what lies between them is no word."""
    samples = "ok, 12:30; x (y) - z: ?\u3002\uff1f\u0964 a \u2014 b, \u3001c\uff0cd\uff1a \u061f"
    found = read(samples * 3, language, pack_of(language))
    ends = [0, *(clause.end for clause in found.clauses)]
    assert all(clause.start >= end for clause, end in zip(found.clauses, ends, strict=False))


@each_row_of("reading/the_reader_knows_languages_without_rules")
def test_the_reader_knows_languages_without_rules(text: str, shown: str, written: str) -> None:
    """What has no pack of rules is read by them as before."""
    assert language_shown(text) == shown
    assert language_written(text) == written


def test_a_phrase_may_be_the_end_of_a_word() -> None:
    """So are the particles of languages that glue them to words."""
    phrases = Phrases(["-를 잊어 줘"])
    assert phrases.before("내 주소를 잊어 줘", 0, 10) == 4
    assert phrases.before("내 주소 를잊어", 0, 8) == 8


def test_a_word_ends_behind_its_vowel_signs() -> None:
    """A phrase is not found in the middle of a word of another script."""
    assert Phrases(["मे"]).within("में", 0, 3) is None
    assert Phrases(["में"]).within("दिल्ली में", 0, 10) == (7, 10)


def test_words_of_a_script_without_blanks_may_touch() -> None:
    """A phrase of two words is found with and without a blank."""
    phrases = Phrases(["检查 一下"], spaced=False)
    assert phrases.at("检查一下代码", 0, 6) == 4
    assert phrases.at("检查 一下代码", 0, 7) == 5


@pytest.mark.parametrize("language", OWN)
def test_every_pack_of_ours_can_be_read(language: str) -> None:
    """An entry that nothing reads is an error."""
    assert pack_of(language).code in (language, "")
