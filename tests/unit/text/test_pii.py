"""Personal data is found where a check confirms it, and nowhere else; what happens to it is a setting."""

import json
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Config, InvalidInput
from cogmem_core.config import EncodingConfig, LogConfig, PersonalConfig
from cogmem_core.text.safety.pii import find_pii, redact_pii
from helpers.tables import each_row, rows_of

FOUND = rows_of("pii/found", "de en tr")
NOT_FOUND = rows_of("pii/not_found")


@each_row(("text", "kind", "value"), FOUND)
def test_personal_data_is_found(text, kind, value):
    """E-mail, phone, IBAN, cards by Luhn, IP, national ids where checkable; English and Turkish."""
    assert [(one.kind, text[one.start : one.end]) for one in find_pii(text)] == [(kind, value)]


@each_row("text", NOT_FOUND)
def test_what_merely_looks_like_it_is_left_alone(text):
    """A check decides, not a shape."""
    assert find_pii(text) == ()


def test_redaction_is_stable_and_chooses():
    """Twice is once; only the kinds that are named."""
    text = "bo@example.com, 203.0.113.7"
    assert redact_pii(text, ("email",)) == "[redacted email], 203.0.113.7"
    assert (
        redact_pii(redact_pii(text))
        == redact_pii(text)
        == "[redacted email], [redacted ip address]"
    )


def config(**pii: str) -> Config:
    return Config(encoding=EncodingConfig(pii=PersonalConfig(**pii)), log=LogConfig(content=True))


def test_by_default_a_person_may_tell_his_address(tmp_path: Path):
    """Policy `allow`; but the log never tells it, even where it tells contents."""
    with cogmem_core.open(tmp_path / "b", embedder="hashing", config=config()) as engine:
        bank = engine.bank("a")
        bank.remember("My address is bo@example.com and my phone is +49 30 901820.")
        assert (
            bank.recall("bo@example.com")
            .results[0]
            .content.startswith("My address is bo@example.com")
        )
        log = json.dumps(engine.log())
    assert "bo@example.com" not in log
    assert "[redacted email]" in log


def test_redacted_personal_data_never_reach_the_disk_and_the_receipt_tells(tmp_path: Path):
    """In turns, statements, edits, documents, transcripts, observations and questions."""
    with cogmem_core.open(
        tmp_path / "b", embedder="hashing", config=config(email="redact", phone="redact")
    ) as engine:
        bank = engine.bank("a")
        said = bank.remember("My address is bo@example.com, call +49 30 901820.")
        stated = bank.add("Mail bo@example.com")
        bank.edit(stated.id, "Mail bo@example.com now")
        bank.append_messages(["bo@example.com"], session_id="s")
        bank.observe("I moved bo@example.com to Lisbon in May")
        bank.items().put(("p",), "k", {"mail": "bo@example.com"}, texts=["bo@example.com"])
        bank.feedback(bank.recall("who is bo@example.com?", floor=0), "It is Bo.")
        engine.flush()
    assert said.receipts[0].reason == "new; redacted: email, phone"
    assert said.memories[0].content == "My address is [redacted email], call [redacted phone]."
    holding = [
        p.name
        for p in (tmp_path / "b").rglob("*")
        if p.is_file() and b"bo@example.com" in p.read_bytes()
    ]
    assert holding == []


def test_blocked_personal_data_are_refused_and_nothing_is_stored():
    """A typed error that names argument and kind, not the value."""
    with cogmem_core.open(embedder="hashing", config=config(national_id="block")) as engine:
        bank = engine.bank("a")
        with pytest.raises(
            InvalidInput, match=r"content\[1\].content holds personal data \(national id\)"
        ) as caught:
            bank.remember(["fine", "TC 10000000146"])
        assert "10000000146" not in str(caught.value)
        assert (bank.count(), bank.health()["turns"]) == (0, {})
