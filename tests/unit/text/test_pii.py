"""Personal data is found where a check confirms it, and nowhere else; what happens to it is a setting."""

import json
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Config, InvalidInput
from cogmem_core.config import EncodingConfig, LogConfig, PersonalConfig
from cogmem_core.text.safety.pii import find_pii, redact_pii
from helpers.tables import each_row

FOUND = [
    ("Write to ann.berg+news@example.co.uk today", "email", "ann.berg+news@example.co.uk"),
    ("Mail: ayşe@örnek.com.tr.", "email", "ayşe@örnek.com.tr"),
    ("<bo@example.com>", "email", "bo@example.com"),
    ("Call +49 30 901820 tomorrow", "phone", "+49 30 901820"),
    ("My number is +90 532 123 45 67.", "phone", "+90 532 123 45 67"),
    ("Beni 0532 123 45 67 den ara", "phone", "0532 123 45 67"),
    ("05321234567", "phone", "05321234567"),
    ("(415) 555-2671 is hers", "phone", "(415) 555-2671"),
    ("Telefonum: 444 13 25", "phone", "444 13 25"),
    ("Pay to DE89 3704 0044 0532 0130 00 please", "iban", "DE89 3704 0044 0532 0130 00"),
    ("TR330006100519786457841326", "iban", "TR330006100519786457841326"),
    ("Card 4111 1111 1111 1111", "card number", "4111 1111 1111 1111"),
    ("PIN: 4111111111111111", "card number", "4111111111111111"),
    ("Card 4111 1111 1111 1111 12/27", "card number", "4111 1111 1111 1111"),
    ("It came from 203.0.113.7 at night", "ip address", "203.0.113.7"),
    ("and 2001:db8::8a2e:370:7334, too", "ip address", "2001:db8::8a2e:370:7334"),
    ("TC kimlik no 10000000146", "national id", "10000000146"),
    ("SSN 536-22-8726", "national id", "536-22-8726"),
    ("DNI 12345678Z", "national id", "12345678Z"),
    ("NI number AB 12 34 56 C", "national id", "AB 12 34 56 C"),
]
NOT_FOUND = [
    "I met @ann at 10.30 on 2026-05-03",
    "price 1,234,567.89 and 12.345.678",
    "order 10000000147 shipped",
    "version 1.2.3.4 and v10.0.0.1",
    "127.0.0.1 is home",
    "the ratio 3.14159265358979",
    "a@b and user@localhost and x@.com",
    "4111 1111 1111 1112",
    "000-12-3456 and 666-12-3456",
    "12345678A",
    "It took 1234567890 nanoseconds",
    "room 12-14-16, floors 1 2 3 4 5",
    "12:34:56 and 1:2:3",
    "ISBN 978-3-16-148410-0",
    "11111111111",
]


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
