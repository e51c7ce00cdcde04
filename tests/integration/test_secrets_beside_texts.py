"""A secret is dealt with wherever it stands: beside a text, in a name, in a document's address, in an imported file."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Config, InvalidInput, MemoryBank, Turn
from cogmem_core.config import EncodingConfig
from cogmem_core.testing import FrozenClock
from helpers.bank_contents import files_holding

KEY = "sk-proj-" + "Zq7Xw2Vt9Rk4Np6Ms1" * 2
PASSWORD = "Kanarie4711vogel"
SECRETS = (KEY, f"password={PASSWORD}")
CARD = "4539 5787 6362 1486"

ENGINE = {"folder": True, "embedder": "hashing", "config": Config()}


def opened(folder: Path, secrets: str) -> cogmem_core.Engine:
    config = Config(encoding=EncodingConfig(secrets=secrets))
    return cogmem_core.open(folder, embedder="hashing", clock=FrozenClock(), config=config)


def remember_names(bank: MemoryBank, secret: str) -> Any:
    return bank.remember("I moved to Lisbon", speaker=secret, session_id=secret, ref=secret)


def remember_metadata(bank: MemoryBank, secret: str) -> Any:
    return bank.remember("I moved to Lisbon", metadata={"note": secret, secret: [{"deep": secret}]})


def remember_turns(bank: MemoryBank, secret: str) -> Any:
    turn = Turn(
        "I moved to Porto",
        speaker=secret,
        session_id=secret,
        ref=secret,
        metadata={"a": secret},
        asked=secret,
    )
    return bank.remember([turn, Turn("I like tea", ref=f"{secret} 2")])


def add(bank: MemoryBank, secret: str) -> Any:
    names = {"speaker": secret, "session_id": secret, "ref": secret}
    return bank.add(
        "Tea is warm", tags=[secret, "tea"], metadata={"password": PASSWORD, "b": secret}, **names
    )


def put(bank: MemoryBank, secret: str) -> Any:
    return bank.items().put(
        (secret, "recipes"), secret, {secret: [secret]}, texts=[f"Soup, {secret}"]
    )


def keep(bank: MemoryBank, secret: str) -> Any:
    turn = Turn(
        "Good morning", speaker=secret, ref=secret, metadata={"raw": {"token": KEY, "x": secret}}
    )
    return bank.append_messages([turn], session_id=secret)


def observe(bank: MemoryBank, secret: str) -> Any:
    return bank.observe([Turn("I live in Rome now", speaker=secret, session_id=secret, ref=secret)])


def session(bank: MemoryBank, secret: str) -> Any:
    with bank.session(secret) as held:
        return (
            held.remember(Turn("I have a dog called Rex", ref=secret)),
            held.recall("dog"),
            repr(held),
        )


WRITES = (remember_names, remember_metadata, remember_turns, add, put, keep, observe, session)


@pytest.mark.parametrize("write", WRITES, ids=lambda write: write.__name__)
def test_no_field_keeps_a_secret(
    engine: cogmem_core.Engine, tmp_path: Path, write: Callable[[MemoryBank, str], Any]
) -> None:
    """Setting `encoding.secrets`: neither on the disk, nor in what is returned, in health or in the op log."""
    bank = engine.bank("alice")
    told = [repr(write(bank, secret)) for secret in (*SECRETS, *SECRETS)]
    engine.flush()
    told += [
        repr(bank.health()),
        repr(engine.health()),
        repr(engine.log()),
        repr(bank.list(state="any")),
    ]
    told += [
        repr(bank.recall("Lisbon tea dog soup", session_id=secret, tags=[secret], floor=0))
        for secret in SECRETS
    ]
    bank.export(tmp_path / "export.jsonl")
    assert [one for one in told if KEY in one or PASSWORD in one] == []
    assert files_holding(tmp_path, KEY, PASSWORD) == []


@pytest.mark.parametrize("write", WRITES, ids=lambda write: write.__name__)
def test_what_is_refused_is_refused_in_every_field(
    tmp_path: Path, write: Callable[[MemoryBank, str], Any]
) -> None:
    """Setting `encoding.secrets`, "reject": the message names the kind and the field, never the value."""
    with opened(tmp_path / "brain", "reject") as engine:
        with pytest.raises(InvalidInput, match="holds a secret") as caught:
            write(engine.bank("alice"), KEY)
        assert KEY not in str(caught.value)
    assert files_holding(tmp_path, KEY, PASSWORD) == []


def test_what_is_allowed_is_kept_as_it_is(tmp_path: Path) -> None:
    """Setting `encoding.secrets`, "keep"."""
    with opened(tmp_path / "brain", "keep") as engine:
        memory = engine.bank("alice").add(
            "Tea", tags=[KEY], speaker=KEY, session_id=KEY, ref=KEY, metadata={"a": KEY}
        )
        assert (memory.tags, memory.speaker, memory.session_id, memory.refs) == (
            (KEY,),
            KEY,
            KEY,
            (KEY,),
        )
        assert memory.metadata == {"a": KEY}


def test_metadata_tell_what_was_taken_out(engine: cogmem_core.Engine) -> None:
    """As they do of a text; the receipt says it, too."""
    receipt = (
        engine.bank("alice")
        .remember("I moved to Lisbon", ref=KEY, metadata={"card": CARD})
        .receipts[0]
    )
    memory = engine.bank("alice").get(receipt.memory_ids[0])
    assert memory.metadata == {
        "card": "[redacted card number]",
        "redacted": ["api key", "card number"],
    }
    assert receipt.reason == "new; redacted: api key, card number"


class TestNames:
    """The same name becomes the same one each time, and another name another one."""

    def test_what_was_said_under_a_name_is_found_by_it(self, engine: cogmem_core.Engine) -> None:
        """Sessions, tags, transcripts and documents are asked for by the words that the caller knows."""
        bank = engine.bank("alice")
        bank.append_messages(["Good morning"], session_id=KEY)
        bank.add("Tea is warm", tags=[KEY])
        bank.add("Soup is warm", tags=["soup"])
        bank.items().put((KEY,), CARD, {"text": "mint"}, texts=["mint"])
        item = bank.items().get((KEY,), CARD)
        assert [turn.content for turn in bank.transcript(KEY)] == ["Good morning"]
        assert [one.memory.content for one in bank.recall("warm", tags=[KEY], floor=0).results] == [
            "Tea is warm"
        ]
        assert item is not None
        assert item.value == {"text": "mint"}
        assert len(bank.items().search((KEY,))) == 1
        assert bank.clear_transcript(KEY) == 1

    def test_two_names_do_not_become_one(self, engine: cogmem_core.Engine) -> None:
        """Else one document would overwrite the other, and one conversation run into the other."""
        bank, other = engine.bank("alice"), KEY + "x"
        for name in (KEY, other, CARD, "4111 1111 1111 1111"):
            bank.items().put(("keys",), name, {"of": len(name)})
            bank.append_messages([f"I am {len(name)}"], session_id=name)
        assert len(bank.items().search(("keys",))) == 4
        assert [
            len(bank.transcript(name)) for name in (KEY, other, CARD, "4111 1111 1111 1111")
        ] == [1, 1, 1, 1]

    def test_a_kept_name_is_a_name_of_its_own(self, engine: cogmem_core.Engine) -> None:
        """What comes back can be handed in again: it is not changed once more."""
        bank = engine.bank("alice")
        memory = bank.add("Tea is warm", session_id=KEY, tags=[KEY], ref=KEY)
        again = bank.add("Soup", session_id=memory.session_id, tags=memory.tags, ref=memory.refs[0])
        assert (again.session_id, again.tags, again.refs) == (
            memory.session_id,
            memory.tags,
            memory.refs,
        )
        assert str(memory.session_id).startswith("[redacted api key]-")

    def test_a_conversation_is_forgotten_by_its_name(self, engine: cogmem_core.Engine) -> None:
        """For good, too."""
        bank = engine.bank("alice")
        bank.remember("I moved to Lisbon", session_id=KEY)
        assert len(bank.forget_session(KEY, hard=True).memory_ids) == 1
        assert bank.count(state="any") == 0

    def test_personal_data_in_names_follow_their_own_setting(self, tmp_path: Path) -> None:
        """Setting `encoding.pii`."""
        pii = cogmem_core.config.PersonalConfig(email="redact")
        config = Config(encoding=EncodingConfig(pii=pii))
        with cogmem_core.open(
            tmp_path / "b", embedder="hashing", clock=FrozenClock(), config=config
        ) as engine:
            memory = engine.bank("a").add(
                "Tea", speaker="ana@example.org", metadata={"to": "ana@example.org"}
            )
            assert str(memory.speaker).startswith("[redacted email]-")
            assert memory.metadata["to"] == "[redacted email]"


class TestImport:
    """What another bank kept, this one's settings may not allow."""

    @pytest.mark.parametrize("secret", SECRETS, ids=["key", "password"])
    def test_an_export_of_a_bank_that_keeps_secrets(self, tmp_path: Path, secret: str) -> None:
        """They are taken out of texts, versions, the journal, documents and notes on the way in."""
        file = tmp_path / "export.jsonl"
        with opened(tmp_path / "kept", "keep") as engine:
            for write in WRITES:
                write(engine.bank("alice"), secret)
            memory = engine.bank("alice").add(f"The key is {secret}", metadata={"a": secret})
            engine.bank("alice").edit(memory.id, f"The new key is {secret}!")
            engine.flush()
            engine.bank("alice").export(file)
        with opened(tmp_path / "new", "redact") as engine:
            bank = engine.bank("alice")
            report = bank.import_(file)
            items = bank.items().search((secret, "recipes"))
            told = repr(
                [bank.history(one.id) for one in bank.list(state="any", limit=100).memories]
            )
            engine.flush()
            assert report.stored == report.read
            assert len(items) == 1
            assert bank.items().get((secret, "recipes"), secret) is not None
            assert KEY not in told
            assert PASSWORD not in told
        assert files_holding(tmp_path / "new", KEY, PASSWORD) == []

    def test_an_export_is_refused_as_a_whole(self, tmp_path: Path) -> None:
        """Setting `encoding.secrets`, "reject": the message names the line."""
        with opened(tmp_path / "kept", "keep") as engine:
            engine.bank("alice").add("Tea", ref=KEY)
            engine.bank("alice").export(tmp_path / "export.jsonl")
        with opened(tmp_path / "new", "reject") as engine:
            with pytest.raises(InvalidInput, match="line 2, sources, ref holds a secret") as caught:
                engine.bank("alice").import_(tmp_path / "export.jsonl")
            assert KEY not in str(caught.value)
            assert engine.bank("alice").count(state="any") == 0

    @pytest.mark.parametrize("form", ["mem0", "langchain"])
    def test_a_file_of_another_tool(
        self, engine: cogmem_core.Engine, tmp_path: Path, form: str
    ) -> None:
        """And the second time the same refs are known."""
        row = {
            "id": KEY,
            "memory": "Tea is warm",
            "run_id": KEY,
            "metadata": {"password": PASSWORD},
        }
        message = {
            "type": "human",
            "data": {"content": "I moved to Lisbon", "id": KEY, "name": f"pwd={PASSWORD}"},
        }
        file = tmp_path / "foreign" / "file.json"
        file.parent.mkdir()
        file.write_text(json.dumps({"mem0": {"results": [row]}, "langchain": [message]}[form]))
        reports = [engine.bank("alice").import_(file, form) for _ in range(2)]
        engine.flush()
        assert [(one.stored, one.known) for one in reports] == [(1, 0), (0, 1)]
        assert files_holding(tmp_path / "brain", KEY, PASSWORD) == []


def test_an_error_does_not_quote_a_secret(engine: cogmem_core.Engine) -> None:
    """What cannot be used is shown, but for its secret."""
    bank = engine.bank("alice")
    acts: list[Callable[[], object]] = [
        lambda: bank.add("Tea", tags=KEY),
        lambda: bank.remember("Tea", ref=f"{KEY}\n"),
        lambda: bank.recall("Tea", session_id=f"\t{KEY}"),
        lambda: bank.get(KEY),
        lambda: bank.forget(f"password={PASSWORD}"),
        lambda: bank.add("Tea", category=KEY),
    ]
    for act in acts:
        with pytest.raises(cogmem_core.CogMemError) as caught:
            act()
        assert KEY not in str(caught.value)
        assert PASSWORD not in str(caught.value)


def test_a_namespace_holds_no_key_but_may_look_like_a_card(tmp_path: Path) -> None:
    """A namespace is an address: it is refused, not changed; where secrets are kept it opens as before."""
    with opened(tmp_path / "brain", "redact") as engine:
        for name in (*SECRETS, f"team/{KEY}"):
            with pytest.raises(
                InvalidInput, match=r"namespace holds a secret \((api key|password)\)"
            ):
                engine.bank(name)
        engine.bank(CARD).remember("I like tea")
        assert engine.namespaces() == [CARD]
    with opened(tmp_path / "brain", "keep") as engine:
        engine.bank(KEY).remember("I like tea")
        assert sorted(engine.namespaces()) == sorted([CARD, KEY])
