"""Moving in: files in the shapes of other tools, whole, broken, empty and foreign; each text is our own."""

import json
import zipfile
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from langchain_core.load import dumpd
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    ChatMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    messages_to_dict,
)

import cogmem_core
from cogmem_core import Engine, InvalidInput, MemoryBank
from cogmem_core.testing import MANUAL, FrozenClock
from cogmem_core.transfer import Stream
from helpers.tables import each_case_of, each_row

MAY = "2024-05-02T10:00:00Z"
MAY_DAY = datetime(2024, 5, 2, 10, tzinfo=timezone.utc)
LISBON = "I moved to Lisbon."
CAT = "My cat is called Mochi."
HISTORY = [
    SystemMessage("Be kind."),
    HumanMessage(LISBON, id="h-1", name="Ann"),
    AIMessageChunk("Your flight to ", id="a-1"),
    AIMessageChunk("Porto leaves on Friday.", id="a-1"),
    ToolMessage("21 degrees", tool_call_id="t"),
    ChatMessage("Your hotel in Porto is the Ritz.", role="model"),
]


DATA = Path(__file__).parents[2] / "data" / "moving_in"
FILES: dict[str, list[Any]] = json.loads((DATA / "files.json").read_text("utf-8"))
"""Name and content of a file of each tool; each says what `LISBON` and `CAT` say."""
FORMS = sorted(FILES)
UNDATED = ("llamaindex", "mcp")

ENGINE = {"embedder": "hashing"}


def written(folder: Path, value: Any, name: str = "file.json", encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding=encoding)
    return path


def texts(bank: MemoryBank) -> set[str]:
    return {memory.content for memory in bank.list()}


@pytest.mark.parametrize("form", FORMS)
def test_what_was_said_and_remembered_moves_in(bank: MemoryBank, tmp_path: Path, form: str) -> None:
    """Named or recognised, with its dates; a repeat changes nothing, nor does a dry run."""
    name, value = FILES[form]
    path = written(tmp_path, value, name)
    plan = bank.import_(path, dry_run=True)
    assert (plan.read, plan.stored, plan.dry_run, bank.count()) == (2, 2, True, 0)
    report = bank.import_(path)
    assert (report.format, report.read, report.stored, report.problems) == (form, 2, 2, ())
    assert texts(bank) == {LISBON, CAT}
    days = {memory.recorded_at.date() for memory in bank.list()}
    assert (days == {MAY_DAY.date()}) is (form not in UNDATED)
    before = bank.list()
    again = bank.import_(path, form)
    assert (again.read, again.stored, again.known, bank.list()) == (2, 0, 2, before)


@pytest.mark.parametrize("form", FORMS)
def test_folders_archives_streams_and_byte_order_marks(
    engine: Engine, tmp_path: Path, form: str
) -> None:
    """The same comes out of each."""
    name, value = FILES[form]
    path = written(tmp_path, value, name, "utf-8-sig")
    archive = tmp_path / "export.zip"
    with zipfile.ZipFile(archive, "w") as target:
        target.write(path, f"export/{name}")
        target.writestr("export/notes.txt", "x")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / name).write_bytes(path.read_bytes())
    places = (path, archive, folder, Stream("stream", BytesIO(archive.read_bytes())))
    for number, place in enumerate(places):
        bank = engine.bank(f"alice {number}" if form != "langgraph" else "alice")
        bank.import_(place, form)
        assert texts(bank) == {LISBON, CAT}


@each_row(
    ("form", "value"),
    product(FORMS, ["", "[", '[{"a": 1}', '[{"a": 1}]', "{}", "hello", "\xff\xfe"]),
)
def test_what_is_no_such_file_is_refused(
    bank: MemoryBank, tmp_path: Path, form: str, value: str
) -> None:
    """Empty, cut off, foreign: an error, and nothing is stored."""
    path = written(tmp_path, value, encoding="latin-1")
    if (form, value) == ("csv", ""):
        value = "x"
    with pytest.raises(InvalidInput):
        bank.import_(path, form)
    with pytest.raises(InvalidInput):
        bank.import_(path)
    assert bank.count() == 0


def test_a_file_of_another_tool_is_named(bank: MemoryBank, tmp_path: Path) -> None:
    """The error says what it looks like, for each pair of formats whose entries differ."""
    for name, asked in (("chatgpt", "claude"), ("claude", "chatgpt"), ("mem0", "langchain")):
        path = written(tmp_path, FILES[name][1])
        with pytest.raises(InvalidInput, match=f"import it with format='{name}'"):
            bank.import_(path, asked)


@each_case_of("moving_in/one_broken_entry_costs_only_itself")
def test_one_broken_entry_costs_only_itself(
    bank: MemoryBank, tmp_path: Path, form: str, broken: list[Any]
) -> None:
    """The rest is stored, and the report says what was left out and where."""
    report = bank.import_(written(tmp_path, [*broken, *FILES[form][1]]), form)
    assert texts(bank) == {LISBON, CAT}
    assert report.passed["broken"] >= 2
    assert any("1" in problem for problem in report.problems)


def test_a_broken_line_costs_only_itself(bank: MemoryBank, tmp_path: Path) -> None:
    """A date that is none is left out, and what it dates is kept; NUL is replaced."""
    row = json.dumps({"content": "I like tea\0.", "date": "soon"})
    lines = "\n".join((FILES["jsonl"][1], '{"content": ', row))
    report = bank.import_(written(tmp_path, lines, "turns.jsonl"))
    assert texts(bank) == {LISBON, CAT, "I like tea\ufffd."}
    assert dict(report.passed) == {"broken": 1}
    assert len(report.problems) == 2
    assert "row 4: 'soon' is no date; taken without a date" in report.problems[1]


@pytest.mark.parametrize("dump", [messages_to_dict, dumpd, lambda rows: {"messages": dumpd(rows)}])
def test_every_way_in_which_langchain_writes_messages(
    bank: MemoryBank, tmp_path: Path, dump: Any
) -> None:
    """Chunks of an answer are one text; a ChatMessage says itself who spoke."""
    report = bank.import_(written(tmp_path, dump(HISTORY)), "langchain")
    assert (report.read, dict(report.passed)) == (3, {"system": 1, "tool": 1})
    spoken = {memory.content: memory.data_source for memory in bank.list()}
    assert spoken == {
        LISBON: "user_message",
        "Your flight to Porto leaves on Friday.": "assistant_message",
        "Your hotel in Porto is the Ritz.": "assistant_message",
    }
    assert {memory.speaker for memory in bank.list()} == {"Ann", None}


def test_what_mem0_says_of_a_memory_is_kept(bank: MemoryBank, tmp_path: Path) -> None:
    """Who said it, until when it holds, when its text was changed, its agent and its categories."""
    row = {
        "id": "m-1",
        "memory": "The trial account is open.",
        "agent_id": "sales",
        "created_at": MAY,
        "updated_at": "2024-06-02T10:00:00Z",
        "expiration_date": "2030-01-31",
        "categories": ["accounts"],
    }
    bank.import_(written(tmp_path, [row]), "mem0")
    memory = bank.list()[0]
    assert (memory.data_source, memory.metadata) == ("assistant_message", {"agent_id": "sales"})
    assert memory.recorded_at == MAY_DAY + timedelta(days=31)
    assert memory.valid_until == datetime(2030, 2, 1, tzinfo=timezone.utc)
    assert memory.tags == ("accounts",)


def test_what_a_tool_changed_since_is_another_memory(bank: MemoryBank, tmp_path: Path) -> None:
    """The new text comes in once, with the date of the change; the same text changes nothing."""
    row = {"id": "m-1", "memory": "Plays the cello", "created_at": MAY}
    touched = {**row, "updated_at": "2024-06-02T10:00:00Z"}
    changed = {**touched, "memory": "Plays the viola"}
    counts = []
    for state in (row, touched, changed, changed):
        report = bank.import_(written(tmp_path, [state]), "mem0")
        counts.append((report.stored, report.known))
    assert counts == [(1, 0), (0, 1), (1, 0), (0, 1)]
    assert texts(bank) == {"Plays the cello", "Plays the viola"}


def test_what_belongs_to_several_is_taken_for_one(engine: Engine, tmp_path: Path) -> None:
    """Of a store of many users those of the namespace; without such, nothing."""
    rows = [
        {"namespace": ["memories", user], "key": "1", "value": {"text": f"{user} plays the cello."}}
        for user in ("alice", "bob")
    ]
    path = written(tmp_path, rows)
    report = engine.bank("bob").import_(path)
    assert texts(engine.bank("bob")) == {"bob plays the cello."}
    assert dict(report.passed) == {"of another user": 1}
    with pytest.raises(InvalidInput, match="holds memories of 2 users"):
        engine.bank("carol").import_(path)


def test_of_a_folder_nothing_is_passed_over_silently(engine: Engine, tmp_path: Path) -> None:
    """Exports of several users are of nobody's bank; what lies beside conversations is named."""
    for name in ("alice", "bob"):
        engine.bank(name).add(f"{name} plays the cello.")
        engine.bank(name).export(tmp_path / f"{name}.jsonl")
    (tmp_path / "a.csv").write_bytes(b"\xff\n")
    with zipfile.ZipFile(tmp_path.parent / "exports.zip", "w") as archive:
        archive.write(tmp_path / "bob.jsonl", "bob.jsonl")
        archive.writestr("notes.md", "x")
    carol = engine.bank("carol")
    for place, export in ((tmp_path, "alice"), (tmp_path.parent / "exports.zip", "bob")):
        with pytest.raises(InvalidInput, match=rf"{export}\.jsonl.* give one file, .* --all`"):
            carol.import_(place)
    assert carol.count() == 0
    for form, name in (("chatgpt", "conversations.json"), ("mem0", "mem0.json")):
        written(tmp_path, FILES[form][1], name)
    report = carol.import_(tmp_path)
    assert (report.stored, report.passed["other file"]) == (2, 4)
    told = "not read: a.csv, alice.jsonl, bob.jsonl and 1 more; give such a file by itself"
    assert report.problems == (told,)


def test_what_has_no_date_takes_the_place_of_nothing(
    bank: MemoryBank, tmp_path: Path, clock: FrozenClock
) -> None:
    """Nor does what was said before the import lose to it; what is said afterwards does win."""
    bank.remember("I live in Lisbon.", at=MAY_DAY)
    bank.import_(written(tmp_path, [{"role": "user", "content": "I live in Porto."}]), "langchain")
    assert texts(bank) == {"I live in Lisbon.", "I live in Porto."}
    bank.consolidate(steps=["conflicts"])
    assert texts(bank) == {"I live in Lisbon.", "I live in Porto."}
    assert [memory.is_undated for memory in bank.list()].count(True) == 1
    clock.advance(days=1)
    bank.remember("I live in Oslo.")
    assert "I live in Oslo." in texts(bank)
    assert "I live in Porto." not in texts(bank)


def test_yesterday_is_no_day_where_nobody_knows_today(bank: MemoryBank, tmp_path: Path) -> None:
    """Of a text without a date, only times whose year it names are known."""
    said = ["Yesterday I moved to Lisbon.", "I sold the boat on 3 May 2021.", "I play the cello."]
    bank.import_(written(tmp_path, [{"role": "user", "content": text} for text in said]))
    days = {memory.content: memory.referenced_at for memory in bank.list()}
    begins = {memory.content: memory.valid_from for memory in bank.list()}
    boat = datetime(2021, 5, 3, tzinfo=timezone.utc)
    assert days == begins == {said[0]: None, said[1]: boat, said[2]: None}


TEXT = "I play the cello."
VARIANTS: dict[str, Any] = {
    **json.loads((DATA / "variants.json").read_text("utf-8")),
    "langchain": [
        dumpd(HumanMessage(TEXT)),
        {"messages": messages_to_dict([HumanMessage(TEXT)])},
        "\n".join(map(json.dumps, messages_to_dict([HumanMessage(TEXT), SystemMessage("x")]))),
        {"chat_memory": {"messages": messages_to_dict([HumanMessage(TEXT)])}, "lc": 1},
    ],
}


@pytest.mark.parametrize(
    ("form", "value"), [(form, value) for form, values in VARIANTS.items() for value in values]
)
def test_other_shapes_of_the_same_tool(
    bank: MemoryBank, tmp_path: Path, form: str, value: Any
) -> None:
    """Each is recognised, and its one text is remembered."""
    report = bank.import_(written(tmp_path, value))
    assert (report.format, report.read, texts(bank)) == (form, 1, {TEXT})
    assert "broken" not in report.passed


def test_columns_are_named_by_a_mapping(bank: MemoryBank, tmp_path: Path) -> None:
    """An unknown field, or a column that is not there, is an error that names those that are."""
    path = written(tmp_path, f"wann,wer,was\n{MAY},assistant,The Ritz is booked.\n", "turns.csv")
    with pytest.raises(InvalidInput, match=r"name its column in mapping .* wann, wer, was"):
        bank.import_(path)
    with pytest.raises(InvalidInput, match="'body'"):
        bank.import_(path, mapping={"body": "was"})
    with pytest.raises(InvalidInput, match=r"mapping is .*give a dict"):
        bank.import_(path, "csv", mapping=["content"])  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="mapping is for tables"):
        bank.import_(path, "mem0", mapping={"content": "was"})
    bank.import_(
        Stream("stream", BytesIO(path.read_bytes())),
        mapping={"content": "was", "role": "wer", "at": "wann"},
    )
    memory = bank.list()[0]
    assert (memory.data_source, memory.recorded_at) == ("assistant_message", MAY_DAY)


def test_the_same_ids_in_two_files_are_two_rows(bank: MemoryBank, tmp_path: Path) -> None:
    """Rows are often numbered from 1 on: another text under a known number is news."""
    for text in ("I play the cello.", "I am allergic to nuts."):
        bank.import_(written(tmp_path, json.dumps({"content": text, "id": 1}), "rows.jsonl"))
    assert texts(bank) == {"I play the cello.", "I am allergic to nuts."}


def test_a_date_to_come_is_none(bank: MemoryBank, tmp_path: Path) -> None:
    """A clock that was wrong makes nothing newer than what will be said."""
    row = {"content": "I play the cello.", "created_at": "2199-01-01"}
    report = bank.import_(written(tmp_path, json.dumps(row), "rows.jsonl"))
    assert "is a date to come" in report.problems[0]
    assert bank.list()[0].is_undated


def test_an_empty_list_is_read_and_nothing_is_in_it(bank: MemoryBank, tmp_path: Path) -> None:
    """No conversations are no fault; the report says so."""
    report = bank.import_(written(tmp_path, "[]"), "chatgpt")
    assert (report.read, report.problems[0].endswith("holds nothing")) == (0, True)


def test_ai_messages_of_another_kind_are_told(bank: MemoryBank, tmp_path: Path) -> None:
    """A role that nobody knows is passed over by name, not silently."""
    rows = [
        *messages_to_dict([AIMessage("Your hotel is the Ritz.")]),
        {"type": "elf", "content": "x"},
    ]
    report = bank.import_(written(tmp_path, rows), "langchain")
    assert dict(report.passed) == {"unknown role": 1}
    assert "has the role 'elf'" in report.problems[0]


def test_a_bank_that_takes_few_turns_at_once_takes_a_file_of_more(tmp_path: Path) -> None:
    """`limits.batch_items` is about calls of `remember`; users may have numbers for names."""
    said = [{"role": "user", "content": f"My friend number {n} lives in Porto."} for n in range(5)]
    rows = [{"memory": "Likes tea", "user_id": 1}, {"memory": "Likes milk", "user_id": 2}]
    config = replace(MANUAL, limits=replace(MANUAL.limits, batch_items=2))
    with cogmem_core.open(embedder="hashing", config=config) as engine:
        assert engine.bank("1").import_(written(tmp_path, said), "langchain").read == 5
        report = engine.bank("2").import_(written(tmp_path, rows), "mem0")
        assert (report.read, report.stored, texts(engine.bank("2"))) == (1, 1, {"Likes milk"})


def test_messages_that_follow_each_other_in_a_circle_end(bank: MemoryBank, tmp_path: Path) -> None:
    """Each is taken once."""
    (talk,) = FILES["chatgpt"][1]
    mapping = {**talk["mapping"], "a": {**talk["mapping"]["a"], "parent": "d"}}
    path = written(tmp_path, [{**talk, "mapping": mapping}])
    assert (bank.import_(path, "chatgpt").read, texts(bank)) == (2, {LISBON, CAT})
