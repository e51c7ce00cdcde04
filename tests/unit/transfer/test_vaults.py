"""Markdown: a vault goes in and comes out as it was, and what a person edits in it is edited in the bank."""

import json
import random
import zipfile
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import InvalidInput, MemoryBank
from cogmem_core.testing import MANUAL, FrozenClock

LENA = """---
tags: [person, "close friend"]
bomb: &a [*a, *a, *a]
---

# Lena

Lives in Porto. See [[Rex the dog|Rex]], `#code` #family/in-law #12
"""
REX = "Rex is a dog.\r\nHis vet is Dr. Ito.\r\n"
HIKE = "Went hiking with [[Lena]].\n\n```\n#notag [[Rex the dog]]\n```"
VAULT = {"People/Lena.md": LENA, "People/Rex the dog.md": REX, "Daily/2026-05-03.md": HIKE}

ENGINE = {"embedder": "hashing"}


def laid(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return folder


def found(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode()
        for path in sorted(folder.rglob("*.md"))
    }


def begin(bank: MemoryBank, text: str) -> cogmem_core.Memory:
    return next(memory for memory in bank.list() if memory.content.startswith(text))


def test_a_vault_goes_in_and_comes_out_as_it_was(bank: MemoryBank, tmp_path: Path) -> None:
    """Front matter, line ends, days of daily notes, tags and links; settings, trash and pictures stay out."""
    aside = {".obsidian/x.md": "x", ".trash/y.md": "y", "Empty.md": "---\na: b\n---\n"}
    vault = laid(tmp_path / "vault", {**VAULT, **aside, "data.json": "[]"})
    plan = bank.import_(vault, dry_run=True)
    assert (plan.format, plan.stored) == ("markdown", 3)
    assert (plan.passed, bank.count()) == ({"no text": 1}, 0)
    assert bank.import_(vault).stored == 3
    lena, hike = begin(bank, "# Lena"), begin(bank, "Went")
    assert lena.tags == ("person", "close friend", "family/in-law")
    assert hike.recorded_at == datetime(2026, 5, 3, tzinfo=timezone.utc)
    linked = {(x.source_id, x.target_id) for x in bank.relations(lena.id)}
    assert linked == {(lena.id, begin(bank, "Rex").id), (hike.id, lena.id)}
    assert bank.export(tmp_path / "out", "markdown") == 3
    assert found(tmp_path / "out") == VAULT
    with zipfile.ZipFile(tmp_path / "vault.zip", "w") as archive:
        for name, text in VAULT.items():
            archive.writestr(name, text)
    for place in (vault, tmp_path / "out", tmp_path / "vault.zip"):
        report = bank.import_(place, "markdown")
        assert (report.stored, report.edited, report.removed) == (0, 0, ())


def test_edits_of_files_are_edits_here(
    bank: MemoryBank, tmp_path: Path, clock: FrozenClock
) -> None:
    """Texts, tags and names; with versions; what is gone is told, and forgotten only when asked."""
    bank.import_(laid(tmp_path / "vault", VAULT))
    bank.remember("I moved to Porto. I work at Acme.", speaker="Ann: B")
    bank.add("My tea")
    vault = tmp_path / "out"
    bank.export(vault, "markdown")
    mine = vault / "I moved to Porto. I work at Acme.md"
    ids = {memory.id for memory in bank.list()}
    clock.advance(days=1)
    mine.write_text(mine.read_text().replace("Porto. I work at Acme", "Oslo"))
    (vault / "People/Lena.md").write_text(LENA.replace("person", "friend"))
    (vault / "People/Rex the dog.md").rename(vault / "Rex.md")
    (vault / "Daily/2026-05-03.md").unlink()
    (vault / "My tea.md").write_bytes(b"caf\xe9")
    (vault / "New.md").write_text("The boiler is 12 years old, says [[Lena]].")
    with pytest.raises(
        InvalidInput, match=r"edited since it was written: .*Lena\.md.*import it first"
    ):
        bank.export(vault, "markdown")
    for dry_run in (True, False):
        report = bank.import_(vault, dry_run=dry_run)
        assert (report.stored, report.known, report.edited) == (1, 0, 3)
        assert report.removed == ("Daily/2026-05-03.md",)
    bank.forget("My tea")  # its file could not be read, and counted as there
    (vault / "My tea.md").unlink()
    assert len(bank.list()) == 5
    moved = begin(bank, "I moved")
    assert (moved.content, moved.id in ids) == ("I moved to Oslo.", True)
    assert bank.history(moved.id).versions[0].content == "I moved to Porto. I work at Acme."
    assert begin(bank, "# Lena").tags == ("friend", "close friend", "family/in-law")
    bank.export(tmp_path / "again", "markdown")
    assert found(tmp_path / "again").items() >= found(vault).items()
    assert bank.import_(tmp_path / "again").known == 5
    assert bank.import_(vault, removed="forget").removed == ("Daily/2026-05-03.md",)
    assert len(bank.list()) == 4
    # What was forgotten here does not come back with the old vault.
    assert (bank.import_(tmp_path / "vault").stored, len(bank.list())) == (0, 4)


def test_a_part_that_ended_is_told_beside_the_text(bank: MemoryBank, tmp_path: Path) -> None:
    """For whoever reads the file; it is no edit."""
    bank.remember("I live in Leeds and work at Acme.")
    bank.remember("I moved to Otley.")
    bank.export(tmp_path, "markdown")
    (head,) = [text for text in found(tmp_path).values() if "Acme" in text]
    assert 'no longer: ["I live in Leeds (until 1 June 2026)"]\n---\n' in head
    assert (report := bank.import_(tmp_path)).known == 2
    assert report.edited == 0


def test_what_changed_here_since_is_not_taken_back(bank: MemoryBank, tmp_path: Path) -> None:
    """An old file is no edit; one that was edited on both sides holds, and is told of."""
    memory = bank.add("The boiler is from Bosch.")
    bank.export(tmp_path, "markdown")
    path = next(tmp_path.glob("*.md"))
    bank.edit(memory.id, "The boiler is from Vaillant.")
    assert (bank.import_(tmp_path).known, bank.get(memory.id).content) == (
        1,
        "The boiler is from Vaillant.",
    )
    path.write_text(path.read_text().replace("Bosch", "Viessmann"))
    report = bank.import_(tmp_path)
    assert (report.edited, bank.get(memory.id).content) == (1, "The boiler is from Viessmann.")
    assert "was changed on both sides" in report.problems[0]
    pinned = bank.add("Never edited.", immutable=True)
    bank.export(tmp_path, "markdown")
    (tmp_path / "Never edited.md").write_text(f"---\nid: {pinned.id}\n---\nEdited.")
    report = bank.import_(tmp_path)
    assert (dict(report.passed), bank.get(pinned.id).content) == ({"protected": 1}, "Never edited.")
    bank.forget("boiler", hard=True)
    report = bank.import_(tmp_path)
    assert (report.rejected, bank.count()) == (1, 1)


def test_hostile_files_and_paths_stay_within(bank: MemoryBank, tmp_path: Path) -> None:
    """Paths that lead out, names of devices, links, and settings to be overwritten."""
    secret = tmp_path / "secret.md"
    secret.write_text("not for import")
    vault = laid(tmp_path / "vault", {"a.md": "One note.", "b.md": "\x00\x01 two"})
    (vault / "link.md").symlink_to(secret)
    (vault / "latin.md").write_bytes(b"caf\xe9")
    report = bank.import_(vault)
    assert (report.stored, dict(report.passed)) == (2, {"other file": 1})
    assert "cannot read" in report.problems[0]
    paths = [
        "../x.md",
        "/etc/x.md",
        "a/../../x.md",
        ".obsidian/p.md",
        "x.sh",
        "c:\\x.md",
        "\x07.md",
    ]
    for number, path in enumerate([*paths, "out/x.md", "A.md"]):
        kept = {"path": path, "head": f"head {number}\n", "tail": 3, "crlf": "x"}
        bank.add(f"aux {number}", metadata={"markdown": kept})
    bank.add("con", metadata={"markdown": "what"})
    bank.add("<>:/\\|?*. ", tags=["a, b"])
    out = tmp_path / "export"
    out.mkdir()
    (out / "out").symlink_to(tmp_path, target_is_directory=True)
    bank.export(out, "markdown")
    names = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    assert {"memory con.md", "memory.md", "A (2).md", "a.md"} <= names
    assert len(names) == 14
    assert not any(path.exists() for path in (tmp_path / "x.md", tmp_path.parent / "x.md"))
    assert bank.import_(out).edited == 0
    (out / ".cogmem-vault.json").write_text('{"files": 3}')
    with pytest.raises(InvalidInput, match=r"is damaged: .*delete it"):
        bank.import_(out)
    with pytest.raises(InvalidInput, match="give a folder"):
        bank.export(secret, "markdown")
    assert (out / "a.md").stat().st_mode & 0o77 == 0


def test_what_may_not_be_kept_is_not_in_files_either(tmp_path: Path, clock: FrozenClock) -> None:
    """Secrets are taken out, sealed topics stay out, and the same vault is known when it comes again."""
    settings = replace(MANUAL.encoding, secrets="redact", never_keep=("health",))
    vault = laid(
        tmp_path / "vault",
        {
            "key.md": "---\napi_key: sk-proj-abcdefghijklmnopqrstuvwxyz123456\n---\nA key: hunter2hunter2\n",
            "ill.md": "I was diagnosed with asthma.\n",
        },
    )
    with cogmem_core.open(
        embedder="hashing", config=replace(MANUAL, encoding=settings), clock=clock
    ) as engine:
        bank = engine.bank("alice")
        report = bank.import_(vault)
        assert (report.stored, sum(report.passed.values())) == (1, 1)
        bank.export(tmp_path / "out", "markdown")
        text = "".join(found(tmp_path / "out").values())
        assert "sk-proj" not in text
        assert bank.import_(vault).known == 1
        # What lacks here is no edit: the vault is written, and its owner's file stays as it is.
        before = found(vault)
        for _ in range(2):
            assert bank.export(vault, "markdown") == 1
            assert found(vault) == before
        assert bank.import_(vault).known == 1
        # Another namespace has none of it.
        assert engine.bank("bob").export(tmp_path / "bob", "markdown") == 0
        with pytest.raises(InvalidInput, match="vault of another namespace"):
            engine.bank("bob").export(tmp_path / "out", "markdown")


def test_two_vaults_with_files_of_one_name(bank: MemoryBank, tmp_path: Path) -> None:
    """Neither edits the other, nor is the other's gone; both come out."""
    for name in ("work", "home"):
        vault = laid(tmp_path / name, {"index.md": f"All about {name}.", "x.md": "Same in both."})
        assert bank.import_(vault).removed == ()
    texts = ["All about home.", "All about work.", "Same in both."]
    assert sorted(memory.content for memory in bank.list()) == texts
    bank.export(tmp_path / "out", "markdown")
    assert set(found(tmp_path / "out")) == {"index.md", "index (2).md", "x.md"}


def test_many_files_come_out_unchanged(bank: MemoryBank, tmp_path: Path) -> None:
    """Whatever stands before, between and behind the lines."""
    chance = random.Random(5)
    pieces = [
        "---\n",
        "a: b\n",
        "\n",
        "  ",
        "\t",
        "\r\n",
        "\r",
        "text",
        "# x",
        "- [ ] do",
        "\u00e9",
        "\u200b",
        "---",
    ]
    files = {f"{n}.md": "x" + "".join(chance.choices(pieces, k=12)) for n in range(40)}
    files |= {f"f{n}.md": "---\n" + "".join(chance.choices(pieces, k=12)) + "y" for n in range(40)}
    bank.import_(laid(tmp_path / "vault", files))
    bank.export(tmp_path / "out", "markdown")
    assert found(tmp_path / "out") == files
    assert bank.import_(tmp_path / "vault").known == 80


def test_what_claude_and_the_memory_server_of_mcp_noted(bank: MemoryBank, tmp_path: Path) -> None:
    """A line a memory, in the model's words; headings, projects, entities and relations beside them."""
    noted = {
        "conversations_memory": "**Work**\n\n- Ann leads design.\n",
        "project_memories": {"p": "Ships in May."},
    }
    talks = {
        "uuid": "c",
        "chat_messages": [{"sender": "human", "text": "I play the cello.", "uuid": "m"}],
    }
    laid(
        tmp_path / "c",
        {"conversations.json": json.dumps([talks]), "memories.json": json.dumps([noted])},
    )
    assert bank.import_(tmp_path / "c").stored == 3
    assert begin(bank, "Ann").metadata == {"heading": "Work"}
    assert begin(bank, "Ships").metadata == {"project": "p"}
    listed = "```\n[2025-06-03] - Ann prefers trains.\n- [unknown] Ann has a cat.\n```\n"
    report = bank.import_(laid(tmp_path / "l", {"claude.txt": listed}) / "claude.txt")
    assert (report.format, report.stored) == ("claude", 2)
    assert begin(bank, "Ann prefers").recorded_at == datetime(2025, 6, 3, tzinfo=timezone.utc)
    lines = [
        {
            "type": "entity",
            "name": "Bo_Li",
            "entityType": "person",
            "observations": ["Bo Li sings", "Speaks Thai"],
        },
        {"type": "relation", "from": "Bo_Li", "to": "Acme", "relationType": "works_at"},
        {"type": "entity", "name": "x"},
    ]
    report = bank.import_(
        laid(tmp_path / "m", {"m.jsonl": "\n".join(map(json.dumps, lines))}) / "m.jsonl"
    )
    assert (report.format, report.stored, dict(report.passed)) == ("mcp", 3, {"broken": 1})
    told = {memory.content for memory in bank.list() if memory.data_source == "assistant_message"}
    assert told >= {"Bo Li sings", "Bo_Li: Speaks Thai", "Bo_Li works at Acme"}
