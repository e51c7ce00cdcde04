"""Transcripts: `append_messages`, `transcript`, `clear_transcript`: what any chat history needs."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Config, InvalidInput, MemoryBank, Turn
from cogmem_core.config import EncodingConfig
from cogmem_core.testing import MANUAL, FrozenClock, ScriptedLLM
from helpers.bank_contents import files_holding
from helpers.tables import each_row

KEY = "sk-proj-" + "a1B2c3D4e5F6g7H8i9J0" * 2
TALK = [
    Turn("You are a travel agent", role="system", metadata={"type": "system"}),
    Turn("I moved to Lisbon in May", speaker="Ann", ref="m1", metadata={"type": "human"}),
    Turn(
        "", role="assistant", metadata={"calls": [{"name": "weather", "args": {"city": "Lisbon"}}]}
    ),
    Turn("21 degrees and sunny", role="tool", metadata={"call": "1"}),
    Turn("ok", metadata={"type": "human"}),
]


def opened(
    folder: Path | None, clock: FrozenClock | None = None, **more: Any
) -> cogmem_core.Engine:
    return cogmem_core.open(folder, embedder="hashing", clock=clock, **{"config": MANUAL, **more})


@pytest.fixture
def bank(tmp_path: Path, clock: FrozenClock) -> Iterator[MemoryBank]:
    with opened(tmp_path / "brain", clock) as engine:
        yield engine.bank("ann")


def told(bank: MemoryBank, session: str) -> list[tuple[str, str]]:
    return [(turn.role, turn.content) for turn in bank.transcript(session)]


def test_what_users_and_assistants_said_becomes_memories_and_nothing_else(bank: MemoryBank) -> None:
    """System prompts, tool results and empty answers are kept only; a memory takes no metadata of the transcript."""
    bank.append_messages(
        [*TALK, Turn("Your flight to Porto leaves on Friday", role="assistant")], session_id="s1"
    )
    bank._engine.flush()
    memories = {memory.content: memory for memory in bank.list()}
    assert set(memories) == {"I moved to Lisbon in May", "Your flight to Porto leaves on Friday"}
    moved = memories["I moved to Lisbon in May"]
    assert (moved.session_id, moved.speaker, moved.refs, moved.metadata) == (
        "s1",
        "Ann",
        ("m1",),
        {},
    )
    assert [(turn.status, turn.reason) for turn in bank.transcript("s1")] == [
        ("skipped", "kept only"),
        ("done", ""),
        ("skipped", "kept only"),
        ("skipped", "kept only"),
        ("skipped", "trivial_confirmation"),
        ("done", ""),
    ]


def test_who_is_remembered_can_be_chosen(bank: MemoryBank) -> None:
    """What another part of an application remembers already needs no second memory."""
    bank.append_messages(
        ["I moved to Lisbon in May", Turn("I booked the Ritz hotel", role="assistant")],
        session_id="s1",
        remembered="user",
    )
    bank.append_messages(["I moved to Oslo in June"], session_id="s2", remembered=())
    bank._engine.flush()
    assert [memory.content for memory in bank.list()] == ["I moved to Lisbon in May"]
    assert told(bank, "s2") == [("user", "I moved to Oslo in June")]


def test_even_in_raw_mode_a_system_turn_is_kept_only(clock: FrozenClock) -> None:
    """Raw mode has no observer that would leave it out."""
    config = Config(encoding=EncodingConfig(mode="raw"), consolidation=MANUAL.consolidation)
    with opened(None, clock, config=config) as engine:
        engine.bank("ann").append_messages(TALK[:2], session_id="s1")
        engine.flush()
        assert [memory.content for memory in engine.bank("ann").list()] == [
            "I moved to Lisbon in May"
        ]


def test_the_order_is_that_of_keeping_whatever_the_clocks_say(
    tmp_path: Path, clock: FrozenClock
) -> None:
    """Two processes on one folder: the clock of the second is an hour behind."""
    behind = FrozenClock()
    behind.advance(hours=-1)
    with opened(tmp_path / "brain", clock) as first, opened(tmp_path / "brain", behind) as second:
        first.bank("ann").append_messages(["a", "b"], session_id="s")
        second.bank("ann").append_messages(["c", "d"], session_id="s")
        clock.advance(hours=-2)
        first.bank("ann").append_messages(["e"], session_id="s")
        assert [turn.content for turn in second.bank("ann").transcript("s")] == [
            "a",
            "b",
            "c",
            "d",
            "e",
        ]


def test_turns_that_are_kept_at_the_same_time_stay_together(bank: MemoryBank) -> None:
    """Question and answer are one call; eight threads write into one conversation."""

    def talk(number: int) -> None:
        for turn in range(5):
            bank.append_messages(
                [f"q{number}.{turn}", Turn(f"a{number}.{turn}", role="assistant")], session_id="s"
            )

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(talk, range(8)))
    texts = [turn.content for turn in bank.transcript("s")]
    assert [turn.position for turn in bank.transcript("s")] == list(range(1, 81))
    assert [text[1:] for text in texts[::2]] == [text[1:] for text in texts[1::2]]
    for number in range(8):
        assert [text for text in texts if text.startswith(f"q{number}.")] == [
            f"q{number}.{turn}" for turn in range(5)
        ]


def test_secrets_are_redacted_in_texts_and_metadata(bank: MemoryBank, tmp_path: Path) -> None:
    """`encoding.secrets = "redact"`: what reaches no disk comes back redacted; a key tells what stands beside it."""
    calls = [
        {"name": "login", "args": {"password": "hunter2", "user": "ann", "note": f"use {KEY}"}}
    ]
    bank.append_messages(
        [
            Turn(f"My key is {KEY}", metadata={"calls": calls}),
            Turn("", "assistant", metadata={KEY: 1}),
        ],
        session_id="s",
    )
    bank._engine.flush()
    first, second = bank.transcript("s")
    assert first.content == "My key is [redacted api key]"
    assert first.metadata == {
        "calls": [
            {
                "name": "login",
                "args": {
                    "password": "[redacted password]",
                    "user": "ann",
                    "note": "use [redacted api key]",
                },
            }
        ],
        "redacted": ["api key", "password"],
    }
    assert second.metadata == {"[redacted api key]": 1, "redacted": ["api key"]}
    assert [memory.metadata for memory in bank.list()] == [{"redacted": ["api key", "password"]}]
    assert files_holding(tmp_path, KEY) == files_holding(tmp_path, "hunter2") == []


def test_the_policy_reject_refuses_the_whole_call(clock: FrozenClock) -> None:
    """Metadata count like texts; the message names the place and the kind, never the value."""
    config = Config(encoding=EncodingConfig(secrets="reject"), consolidation=MANUAL.consolidation)
    with opened(None, clock, config=config) as engine:
        bank = engine.bank("ann")
        where = r"turns\[1\]\.metadata\.args\.password holds a secret \(password\)"
        with pytest.raises(InvalidInput, match=where) as caught:
            bank.append_messages(
                ["hello", Turn("", "assistant", metadata={"args": {"password": "hunter2"}})],
                session_id="s",
            )
        assert "hunter2" not in str(caught.value)
        assert bank.transcript("s") == ()


def test_metadata_may_hold_as_much_as_a_text(bank: MemoryBank) -> None:
    """A picture inside a message is larger than the 100 KB of ordinary metadata; above 1 MB nothing is kept."""
    picture = "iVBORw0KGgo" * 20_000
    bank.append_messages([Turn("Who is this?", metadata={"image": picture})], session_id="s")
    assert bank.transcript("s")[0].metadata == {"image": picture}
    with pytest.raises(
        InvalidInput,
        match=r"turns\[1\]\.metadata has 1,000,0\d\d bytes, the limit is 1,000,000; raise",
    ):
        bank.append_messages(
            ["fine", Turn("", metadata={"image": "x" * 1_000_000})], session_id="s"
        )
    with pytest.raises(InvalidInput, match=r"turns\[0\]\.content has 1,000,001 bytes"):
        bank.append_messages([Turn("x" * 1_000_001)], session_id="s")
    assert len(bank.transcript("s")) == 1


@each_row(
    ("turns", "session", "message"),
    [
        (["hi"], None, "session_id is None; give a string that names the conversation"),
        (["hi"], " ", "session_id is ' ' with 1 characters"),
        ("hi", "s", "turns is a str; give a list of cogmem_core.Turn"),
        (
            [b"hi"],
            "s",
            r"turns\[0\] is b'hi' \(bytes\); give a string, a cogmem_core.Turn or a message",
        ),
        (
            [Turn("hi", role="human")],
            "s",
            r"turns\[0\].role is 'human'; use one of user, assistant, system, tool",
        ),
        (
            [Turn("hi", session_id="t")],
            "s",
            r"turns\[0\].session_id is 't'; leave it out, or give 's'",
        ),
        ([Turn("h\0i")], "s", r"turns\[0\].content holds a NUL character"),
        ([Turn("hi", metadata={"a": {1, 2}})], "s", r"turns\[0\].metadata is not JSON"),
    ],
)
def test_bad_input_is_named_before_anything_is_kept(
    bank: MemoryBank, turns: Any, session: Any, message: str
) -> None:
    """Each message says which argument, its value and the fix."""
    with pytest.raises(InvalidInput, match=message):
        bank.append_messages(turns, session_id=session)
    with pytest.raises(InvalidInput, match="remembered is 'everyone'; use one of"):
        bank.append_messages(["hi"], session_id="s", remembered=["everyone"])
    assert bank.transcript("s") == ()


def test_clearing_empties_the_transcript_for_good_and_keeps_memories(
    tmp_path: Path, clock: FrozenClock
) -> None:
    """Memories stay, with the turns they came from; what only the transcript needed is gone from the disk."""
    picture = "R0lGODlhAQABAIAAAAUEBA" * 40
    with opened(tmp_path / "brain", clock) as engine:
        bank = engine.bank("ann")
        bank.append_messages([*TALK, Turn("Look", metadata={"image": picture})], session_id="s1")
        bank.append_messages(["I prefer window seats"], session_id="s2")
        engine.flush()
        assert bank.clear_transcript("s1") == 6
        assert bank.clear_transcript("s1") == 0
    assert files_holding(tmp_path, picture) == files_holding(tmp_path, "21 degrees and sunny") == []
    with opened(tmp_path / "brain", clock) as engine:
        bank = engine.bank("ann")
        assert (bank.transcript("s1"), len(bank.transcript("s2"))) == ((), 1)
        found = bank.recall("When did I move to Lisbon?").results[0].memory
        assert found.content == "I moved to Lisbon in May"
        assert "21 degrees" not in str(bank.explain(found.id))
        bank.append_messages(["hello again"], session_id="s1")
        assert [(turn.position, turn.content) for turn in bank.transcript("s1")] == [
            (1, "hello again")
        ]


def test_what_waits_when_a_transcript_is_cleared_is_remembered_all_the_same(
    bank: MemoryBank,
) -> None:
    """Clearing is about the transcript; the turn was acknowledged."""
    bank._engine.pause()
    bank.append_messages(
        [Turn("I moved to Lisbon in May", metadata={"type": "human"})], session_id="s1"
    )
    bank.clear_transcript("s1")
    bank._engine.resume()
    bank._engine.flush()
    assert [(memory.content, memory.metadata) for memory in bank.list()] == [
        ("I moved to Lisbon in May", {})
    ]


def test_hard_forgetting_reaches_into_transcripts(bank: MemoryBank, tmp_path: Path) -> None:
    """Rows, turns and text are gone from disk; so are tool calls and trains of thought that quote them."""
    secret = "My sister Clara lives in Utrecht"
    thought = f"She told me: '{secret}.' I should be tactful."
    bank.append_messages(
        [
            Turn("I was born in Graz", metadata={"type": "human"}),
            Turn(secret, metadata={"content": [{"type": "text", "text": secret}]}),
            Turn(
                "",
                "assistant",
                metadata={"calls": [{"name": "note", "args": {"text": secret.upper()}}]},
            ),
            Turn("Greetings from the museum of Graz!", "assistant", metadata={"thought": thought}),
        ],
        session_id="s1",
    )
    bank._engine.flush()
    receipt = bank.forget("Clara lives in Utrecht", hard=True)
    assert (receipt.remaining, receipt.episodes) == ((), 1)
    assert [turn.content for turn in bank.transcript("s1")] == ["I was born in Graz"]
    assert "Greetings from the museum of Graz!" in [memory.content for memory in bank.list()]
    bank._engine.close()
    assert files_holding(tmp_path, "Clara") == files_holding(tmp_path, "CLARA") == []


def test_forgetting_a_namespace_takes_its_transcripts(bank: MemoryBank, tmp_path: Path) -> None:
    """`forget_all(hard=True)`: nothing is left, not even what was never a memory."""
    bank.append_messages(TALK, session_id="s1")
    bank._engine.flush()
    assert bank.forget_all(confirm="ann", hard=True).remaining == ()
    assert bank.transcript("s1") == ()
    bank._engine.close()
    assert files_holding(tmp_path, "travel agent") == files_holding(tmp_path, "weather") == []


def test_an_export_holds_transcripts(bank: MemoryBank, tmp_path: Path) -> None:
    """Nothing is lost on the way into another namespace, and a second import changes nothing."""
    bank.append_messages(TALK, session_id="s1")
    bank._engine.flush()
    bank.export(tmp_path / "ann.jsonl")
    other = bank._engine.bank("ann-2")
    for _ in range(2):
        other.import_(tmp_path / "ann.jsonl")
        assert [(t.position, t.role, t.content, t.metadata) for t in other.transcript("s1")] == [
            (t.position, t.role, t.content, t.metadata) for t in bank.transcript("s1")
        ]


def test_a_transcript_is_found_by_its_index(bank: MemoryBank) -> None:
    """A conversation is read before every answer; the other turns of a namespace must not be walked for it."""
    with bank._engine.services.ledger.database.reading() as connection:
        for query in (
            "SELECT * FROM episodes WHERE shard = 1 AND namespace = 'a' AND session_id = 's' AND position IS NOT NULL "
            "ORDER BY position, id",
            "SELECT max(position) FROM episodes WHERE shard = 1 AND namespace = 'a' AND session_id = 's' "
            "AND position IS NOT NULL",
        ):
            plan = [row[-1] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}")]
            assert (
                "episodes_by_position (shard=? AND namespace=? AND session_id=? AND position"
                in plan[0]
            )


def test_a_language_model_is_not_shown_what_is_kept_only(clock: FrozenClock) -> None:
    """The turns before help with pronouns; a tool's page of output would only cost tokens."""
    llm = ScriptedLLM(default={"facts": []})
    with opened(None, clock, llm=llm) as engine:
        bank = engine.bank("ann")
        bank.append_messages(
            [Turn("The manual of the Kolibri drone", role="tool"), "My dog is called Bruno"],
            session_id="s",
        )
        engine.flush()
        bank.append_messages(["He was born in Vienna in 2019"], session_id="s")
        engine.flush()
    asked = "\n".join(str(message["content"]) for call in llm.calls for message in call.messages)
    assert "My dog is called Bruno" in asked
    assert "Kolibri" not in asked


def test_what_is_kept_only_does_not_bring_a_dream_cycle_nearer(bank: MemoryBank) -> None:
    """`consolidation.trigger = "turns"` counts what was said."""
    bank.append_messages(TALK, session_id="s")
    with bank._engine.services.ledger.whole() as reader:
        assert reader.at("ann").turns.count_since("")[0] == 2


def test_keeping_nothing_changes_nothing(bank: MemoryBank) -> None:
    """An empty list is no error: frameworks pass one on now and then."""
    assert bank.append_messages([], session_id="s") == ()
    assert bank._engine.log() == []
