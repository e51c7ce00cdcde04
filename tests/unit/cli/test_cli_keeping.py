"""The command `cogm`: single memories, forgetting, moving and keeping a bank."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

import cogmem_core
from cogmem_cli.commands.transfer import file_name
from cogmem_cli.main import app
from cogmem_cli.stored import spec_of
from helpers.command import CliRunner
from helpers.tables import each_row, each_row_of, rows_of

UNKNOWN = "01890000-0000-7000-8000-000000000000"


@pytest.fixture
def ids(ask, begun):
    """The ids of three memories."""
    begun(("remember", "black tea in the morning", "green tea at night", "a cat called Pamuk"))
    return [memory["id"] for memory in ask("list", "--oldest-first")["memories"]]


class TestSingleMemories:
    def test_pin_and_unpin(self, ask, cog, ids):
        assert ask("pin", ids[0])["memory"]["pinned"] is True
        assert "pinned" in cog("list").stdout
        assert ask("unpin", ids[0])["memory"]["pinned"] is False

    def test_what_ended_is_brought_back(self, ask, cog, ids):
        """Until a moment as people type it; neither to come nor before it began."""
        for typed in ("2126-05-01", "yesterday"):
            assert cog("end", ids[0], "--at", typed).exit_code == 2
        ended = ask("end", ids[0], "--at", "today")["memory"]
        assert (ended["state"], ended["superseded_by"]) == ("superseded", None)
        assert ended["valid_until"] < ended["updated_at"]
        assert ask("restore", ids[0])["memory"]["valid_until"] is None
        assert cog("end", ids[0]).stdout.startswith(f"ended  {ids[0][-12:]}  ")

    def test_edit_keeps_history(self, ask, cog, ids):
        """The former text is a version, and the change is told in tables, JSON and the life story."""
        assert (
            ask("edit", ids[2], "a", "dog", "called", "Çakıl")["memory"]["content"]
            == "a dog called Çakıl"
        )
        life = ask("history", ids[2])
        assert sorted(life) == ["changes", "memory", "versions"]
        assert [version["content"] for version in life["versions"]] == ["a cat called Pamuk"]
        assert [change["kind"] for change in life["changes"]] == ["put", "rewrite"]
        assert "a cat called Pamuk" in cog("history", ids[2]).stdout
        story = cog("explain", ids[2]).stdout
        assert ids[2] in story
        assert "Today: active" in story
        assert sorted(ask("explain", ids[2])) == [
            "changes",
            "memory",
            "relations",
            "retention",
            "story",
            "versions",
        ]

    def test_what_is_so_already_is_told(self, cog, ids):
        """The same text and an active memory: nothing was edited or restored."""
        assert cog("edit", ids[2], "a cat called Pamuk").stdout.startswith(
            f"says that already  {ids[2][-12:]}  "
        )
        assert cog("restore", ids[2]).stdout.startswith(f"is active already  {ids[2][-12:]}  ")
        cog("forget", ids[2])
        assert cog("restore", ids[2]).stdout.startswith(f"restored  {ids[2][-12:]}  ")

    def test_edit_from_standard_input(self, ask, ids):
        assert ask("edit", ids[0], "-", stdin="two\nlines\n")["memory"]["content"] == "two\nlines"

    def test_show(self, cog, ids):
        """Every field, the whole id among them."""
        out = cog("show", ids[0]).stdout
        for word in (ids[0], "content_hash", "black tea in the morning", "valid_until"):
            assert word in out

    @each_row("part", [slice(-12, None), slice(-8, None), slice(0, 30)])
    def test_part_of_an_id(self, ask, ids, part):
        """The beginning or the end of an id is enough if no other memory has it."""
        assert ask("show", ids[0][part].upper())["memory"]["id"] == ids[0]

    def test_ambiguous_id(self, cog, ids):
        """Ids of one moment begin alike; the message names them."""
        done = cog("pin", ids[0][:8])
        assert (done.exit_code, "is ambiguous" in done.stderr) == (2, True)
        assert all(memory_id in done.stderr for memory_id in ids)

    @each_row(
        ("command", "given"),
        [
            *(("show", given) for given in (UNKNOWN, "deadbeef", "x", "", " ")),
            *((command, UNKNOWN) for command in ("pin", "unpin", "restore", "history", "explain")),
        ],
    )
    def test_unknown_id(self, cog, ids, command, given):
        """What is no id here is exit 1."""
        done = cog(command, given)
        assert (done.exit_code, done.stderr.startswith("error: no memory")) == (1, True)

    def test_ids_of_another_namespace(self, cog, ids):
        """A namespace does not see another one's memories, by no part of an id."""
        assert cog("show", ids[0], "-n", "other").exit_code == 1
        assert cog("show", ids[0][-12:], "-n", "other").exit_code == 1


class TestList:
    def test_pages(self, ask, cog, ids):
        """A page names the cursor of the next one; newest first, or the other way round."""
        for order, listed in ((("--oldest-first",), ids), ((), ids[::-1])):
            page = ask("list", "--limit", 2, *order)
            assert [memory["id"] for memory in page["memories"]] == listed[:2]
            rest = ask("list", "--limit", 2, "--cursor", page["cursor"], *order)
            found = [memory["id"] for memory in rest["memories"]]
            assert (found, rest["cursor"]) == (listed[2:], None)
            assert f"--cursor {listed[1]}" in cog("list", "--limit", 2, *order).stderr

    def test_filters(self, ask, cog, ids):
        cog("forget", ids[0])
        assert [memory["id"] for memory in ask("list", "--state", "forgotten")["memories"]] == ids[
            :1
        ]
        assert len(ask("list", "--state", "any", "--tier", "episodic")["memories"]) == 3
        assert ask("list", "--category", "plan") == {"memories": [], "cursor": None}
        assert cog("list", "--state", "asleep").exit_code == 2
        assert cog("list", "--limit", "0").exit_code == 2

    def test_log_of_an_unknown_operation(self, ask, cog, ids):
        """The nearest one is named; one that was not called yet is no mistake."""
        done = cog("log", "--op", "recal")
        assert (done.exit_code, done.stdout) == (2, "")
        assert "there is no operation 'recal'; the nearest one is 'recall'" in done.stderr
        assert ask("log", "--op", "recall") == {"records": []}
        assert "remember" in cog("log", "--op", "remember").stdout


class TestForget:
    def test_one_memory(self, ask, ids):
        """By id, reversible, without a question where nobody can be asked."""
        answer = ask("forget", ids[0][-12:])
        assert (answer["memory_ids"], answer["hard"]) == ([ids[0]], False)
        assert ask("restore", ids[0])["memory"]["state"] == "active"

    @pytest.mark.parametrize("arguments", [("tea",), ("--all",), ("Pamuk", "--hard")])
    def test_much_needs_yes(self, cog, ask, ids, arguments):
        """Several memories, a whole namespace or erasing need --yes in a script; nothing is lost without."""
        done = cog("forget", *arguments)
        assert (done.exit_code, "add --yes" in done.stderr) == (2, True)
        assert len(ask("list")["memories"]) == 3

    def test_query(self, ask, ids):
        """Every memory that holds all words."""
        assert ask("forget", "tea", "--yes")["memory_ids"] == ids[:2]

    def test_hard(self, ask, cog, ids, tmp_path):
        """Erased from every file, and no longer to be restored."""
        answer = ask("forget", "Pamuk", "--hard", "--yes")
        assert (answer["memory_ids"], answer["hard"], answer["remaining"]) == ([ids[2]], True, [])
        assert cog("restore", ids[2]).exit_code == 1
        files = [path for path in (tmp_path / "brain").rglob("*") if path.is_file()]
        assert not any(b"Pamuk" in path.read_bytes() for path in files)

    def test_a_dry_run_lists_what_may_be_meant_and_forgets_nothing(self, cog, ask, ids):
        """With the reason; filters, which it does not know, are refused."""
        answer = ask("forget", "tea", "--dry-run")
        meant = [(one["memory_id"], one["reason"], one["meant"]) for one in answer["candidates"]]
        assert meant == [(ids[0], "name", True), (ids[1], "name", True)]
        assert "would go, name: " in cog("forget", "tea", "--dry-run").stdout
        assert cog("forget", "elephant", "--dry-run").stdout == "nothing is meant by that\n"
        for arguments in (("--all", "--dry-run"), ("tea", "--tag", "x", "--dry-run")):
            done = cog("forget", *arguments)
            assert (done.exit_code, "without filters" in done.stderr) == (2, True)
        assert len(ask("list")["memories"]) == 3

    def test_all(self, ask, ids):
        ask("remember", "stays", "-n", "other")
        assert ask("forget", "--all", "--yes")["memory_ids"] == ids
        assert len(ask("list", "-n", "other")["memories"]) == 1

    def test_all_that_is_no_memory(self, cog, tmp_path):
        """What was cancelled and retired, which documents stay, and what was erased."""
        with cogmem_core.open(tmp_path / "brain", embedder="hashing") as engine:
            bank = engine.bank("default")
            bank.items().put(("notes",), "a", {"text": "by the sea"})
            bank.intend("Call the vet", on_session=True)
            bank.observe_run("Deploy the site", [{"tool": "build", "ok": True}], session_id="s")
        left = "1 document stays; --hard erases it\n"
        assert cog("forget", "--all", "--yes").stdout == f"cancelled 1 intention\n{left}"
        assert cog("forget", "--all", "--yes").stdout == left
        erased = "erased 0 memories, 0 turns, 1 document, 1 intention and 1 run; "
        assert cog("forget", "--all", "--hard", "--yes").stdout.startswith(erased)

    @each_row_of("cli_keeping/nothing_to_forget")
    def test_nothing_to_forget(self, cog, ids, arguments, code):
        assert cog("forget", *arguments, "--yes").exit_code == code


FORMS = (("history", "langchain"), ("mem0", "mem0"))


class TestMoving:
    def test_round_trip(self, ask, cog, ids, tmp_path):
        """What was exported is imported once."""
        file = tmp_path / "out.jsonl"
        assert ask("export", file) == {"path": str(file), "memories": 3}
        assert ask("import", file, "-n", "copy") == {
            "read": 3,
            "stored": 3,
            "known": 0,
            "edited": 0,
            "rejected": 0,
            "format": "cogmem",
            "passed": {},
            "problems": [],
            "removed": [],
            "dry_run": False,
            "others": {},
        }
        again = ask("import", file, "-n", "copy")
        assert (again["stored"], again["known"]) == (0, 3)
        assert "3 known already" in cog("import", file, "-n", "copy").stdout

    def test_what_is_no_memory_is_counted(self, ask, cog, tmp_path):
        """Documents, and records of agents: what is exported, and what is here after an import."""
        with cogmem_core.open(tmp_path / "brain", embedder="hashing") as engine:
            bank = engine.bank("default")
            bank.items().put(("notes",), "a", {"kind": "item", "text": 'of "kind": "procedure"'})
            bank.intend("Call the vet", on_session=True)
            for _ in range(2):
                bank.observe_run("Deploy the site", [{"tool": "build", "ok": True}], session_id="s")
        file = tmp_path / "dump" / "default.jsonl"
        told = "0 memories, 1 document, 1 intention, 2 runs"
        done = cog("export", "--all", file.parent)
        assert done.stdout == f"exported {told} of 1 namespace to {file.parent}\n"
        assert cog("export", file).stdout == f"exported {told} to {file}\n"
        assert cog("export", "-").stderr == f"exported {told} to standard output\n"
        for arguments, of in ((("--all", file.parent), " of 1 file"), ((file, "-n", "copy"), "")):
            assert cog("import", *arguments).stdout == (
                f"read 0 memories{of}: 0 stored, 0 known already; also 1 document, 1 intention, 2 runs\n"
            )

    def test_a_vault_is_edited(self, ask, cog, ids, tmp_path):
        """What is said of files that were edited, or are gone."""
        vault = tmp_path / "vault"
        assert ask("export", "--format", "markdown", vault) == {"path": str(vault), "memories": 3}
        first, second, _ = sorted(vault.glob("*.md"))
        first.write_text(f"{first.read_text()}It is so.\n")
        second.unlink()
        done = cog("import", vault)
        assert done.stdout == "read 2 memories: 0 stored, 1 known already, 1 edited\n"
        assert f"1 file is gone: {second.name}; its memory stays; --forget-removed" in done.stderr
        assert "its memory is forgotten" in cog("import", vault, "--forget-removed").stderr
        assert (
            "--all writes JSON Lines"
            in cog("export", "--all", "--format", "markdown", vault).stderr
        )

    def test_other_namespaces_are_not_forgotten(self, cog, ids, tmp_path):
        """One namespace is no backup of all: the others are named, and how to export them."""
        cog("remember", "I moved to Lisbon", "-n", "alice")
        done = cog("export", tmp_path / "out.jsonl", "-n", "nobody")
        assert (done.exit_code, done.stdout) == (
            0,
            f"exported 0 memories to {tmp_path / 'out.jsonl'}\n",
        )
        assert done.stderr == (
            "other namespaces were not exported: alice, default; `cogm export --all DIR` writes every one\n"
        )

    def test_all_namespaces(self, ask, cog, ids, tmp_path):
        """A folder with a file for each, read back into a new bank, each into its own namespace."""
        odd = "../A b/ş"
        ask("remember", "I moved to Lisbon", "-n", odd)
        answer = ask("export", "--all", tmp_path / "a" / "dump")
        names = ["%2E.%2FA%20b%2F%C5%9F+20a77be723adcf9a.jsonl", "default.jsonl"]
        assert (answer["memories"], [file["memories"] for file in answer["files"]]) == (4, [1, 3])
        assert sorted(path.name for path in (tmp_path / "a" / "dump").iterdir()) == names
        new = ("--path", tmp_path / "new", "--embedder", "hashing")
        back = ask("import", "--all", tmp_path / "a" / "dump", *new)
        assert (back["read"], back["stored"], back["known"]) == (4, 4, 0)

        def memories(*options):
            """The memories, but for their journal numbers, which are the bank's own."""
            return [one | {"seq": 0} for one in ask("list", *options)["memories"]]

        assert memories(*new) == memories()
        assert memories(*new, "-n", odd) == memories("-n", odd)
        again = cog("import", "--all", tmp_path / "a" / "dump", *new)
        assert again.stdout == "read 4 memories of 2 files: 0 stored, 4 known already\n"

    def test_what_other_tools_keep(self, ask, cog, tmp_path):
        """Turns are counted where turns were read; with --all it has no meaning."""
        said = [{"role": "user", "content": text} for text in ("Hello!", "I play the cello.")]
        (tmp_path / "history.json").write_text(json.dumps(said), encoding="utf-8")
        (tmp_path / "mem0.json").write_text(
            json.dumps([{"id": "m", "memory": "Likes tea"}]), encoding="utf-8"
        )
        shown = [
            cog("import", tmp_path / f"{name}.json", "--format", form).stdout
            for name, form in FORMS * 2
        ]
        assert shown == [
            "read 2 turns: 1 stored, 0 known already, 1 without anything to remember\n",
            "read 1 memory: 1 stored, 0 known already\n",
            "read 2 turns: 0 stored, 2 known already\n",
            "read 1 memory: 0 stored, 1 known already\n",
        ]
        done = cog("import", "--all", tmp_path, "--format", "mem0")
        assert (done.exit_code, "leave --format out" in done.stderr) == (2, True)

    def test_texts_that_were_edited_are_told(self, ask, cog, ids, tmp_path):
        """They count as they stand; what is known here is left as it is."""
        ask("export", tmp_path / "a.jsonl")
        text = (tmp_path / "a.jsonl").read_text(encoding="utf-8")
        content = ask("show", ids[0])["memory"]["content"]
        (tmp_path / "a.jsonl").write_text(
            text.replace(f'"content": "{content}"', '"content": "Something else"')
        )
        done = cog("import", tmp_path / "a.jsonl", "-n", "other")
        assert done.stderr == (
            "1 text is not as exported (edited in the file, or damaged in the bank that it comes from); "
            "taken as it stands\n"
        )
        (tmp_path / "dump").mkdir()
        (tmp_path / "a.jsonl").rename(tmp_path / "dump" / "a.jsonl")
        for arguments in (("--all", tmp_path / "dump"), (tmp_path / "dump" / "a.jsonl",)):
            done = cog("import", *arguments)
            assert done.stderr == (
                "1 memory is not as in the file, but known here; left as "
                f"it is: {ids[0]}; `cogm edit`, `supersede`, `end` and `forget` change a memory\n"
            )
        assert ask("show", ids[0])["memory"]["content"] == content

    def test_files_are_replaced_and_others_named(self, cog, ids, tmp_path):
        """What is left of a namespace that is not in this bank would be read back, too."""
        (tmp_path / "bob.jsonl").write_text("old", encoding="utf-8")
        (tmp_path / "default.jsonl").write_text("old", encoding="utf-8")
        done = cog("export", "--all", tmp_path)
        assert done.stdout == f"exported 3 memories of 1 namespace to {tmp_path}\n"
        assert (
            done.stderr
            == "left as they were, since no namespace of this bank is in them: bob.jsonl\n"
        )
        assert (tmp_path / "bob.jsonl").read_text(encoding="utf-8") == "old"
        done = cog("import", "--all", tmp_path, "--path", tmp_path / "new", "--embedder", "hashing")
        assert (done.exit_code, f"{tmp_path / 'bob.jsonl'} is no cogm export" in done.stderr) == (
            2,
            True,
        )
        assert not (tmp_path / "new").exists()

    @each_row_of("cli_keeping/usage_of_all")
    def test_usage_of_all(self, cog, ids, tmp_path, monkeypatch, *, arguments, words):
        """Exit 2, and nothing is written."""
        monkeypatch.chdir(tmp_path)
        (tmp_path / "file.txt").write_text("x", encoding="utf-8")
        before = sorted(tmp_path.iterdir())
        done = cog(*arguments)
        assert (done.exit_code, done.stdout, words in done.stderr) == (2, "", True)
        assert sorted(tmp_path.iterdir()) == before

    def test_bad_files(self, cog, ids, tmp_path):
        (tmp_path / "bad.jsonl").write_text("{}\n", encoding="utf-8")
        assert cog("import", tmp_path / "bad.jsonl").exit_code == 2
        assert cog("import", tmp_path / "missing.jsonl").exit_code == 2
        assert cog("export", tmp_path / "no" / "folder.jsonl").exit_code == 1

    def test_reindex(self, ask, cog, ids):
        """Without a name nothing is embedded; with one, everything, and later commands use that model."""
        assert ask("reindex") == {"embedded": 0, "indexed": 3, "fingerprint": "hashing-v1-384"}
        answer = ask("reindex", "--embedder", "hashing:64")
        assert answer == {"embedded": 3, "indexed": 3, "fingerprint": "hashing-v1-64"}
        assert ask("recall", "Pamuk", "-k", "1")["results"][0]["memory"]["id"] == ids[2]
        assert cog("reindex", "--embedder", "nope").exit_code == 2


class TestOthersEmbedder:
    @pytest.fixture
    def own(self, tmp_path, clear):
        """A command on a bank that a program wrote with an embedder of its own."""
        unit = np.eye(1, 7, dtype=np.float32)
        embedder = SimpleNamespace(
            fingerprint="mine-1",
            dimension=7,
            embed_documents=lambda texts: np.repeat(unit, len(texts), axis=0),
            embed_query=lambda text: unit[0],
        )
        with cogmem_core.open(tmp_path / "own", embedder=embedder) as engine:
            engine.bank("default").remember("a cat called Pamuk")
        return lambda *arguments: CliRunner(env=clear).invoke(
            app, ["--path", str(tmp_path / "own"), *arguments]
        )

    def test_reading(self, own):
        """What needs no vectors works; recall goes by words and says so."""
        assert "Pamuk" in own("list").stdout
        found = own("recall", "Pamuk")
        assert (found.exit_code, "Pamuk" in found.stdout) == (0, True)
        assert "degraded: vector: the bank's embedder 'mine-1'" in found.stderr

    def test_writing_waits(self, own):
        """A text is kept and finished when the embedder is back."""
        assert json.loads(own("remember", "later", "--json").stdout)["counts"] == {"queued": 1}

    def test_reindex(self, own):
        """The way out that the message names."""
        assert json.loads(own("reindex", "--embedder", "hashing", "--json").stdout)["embedded"] == 1
        assert json.loads(own("recall", "Pamuk", "--json").stdout)["degraded"] == []


@each_row_of("cli_keeping/spec_of_fingerprint")
def test_spec_of_fingerprint(fingerprint, spec):
    """A stored fingerprint names the embedder to open the bank with."""
    assert spec_of(fingerprint) == spec


@each_row(
    ("namespace", "name"),
    [
        *rows_of("cli_keeping/name_of_an_exported_file"),
        ("x" * 200, "x" * 180 + "+aa20c23e32018340.jsonl"),
    ],
)
def test_name_of_an_exported_file(namespace, name):
    """Safe on every file system, and never that of another namespace, even where capitals do not count."""
    assert file_name(namespace) == name


class TestModelsAndSettings:
    def test_a_language_pack_is_checked(self, ask, cog, tmp_path):
        """What it lacks, or each entry that cannot be read, with its line."""
        file = tmp_path / "eo.toml"
        file.write_text("code = 'eo'\nshown_by = 'kie mi'\n[notes]\nrules = 'eble'\n")
        told = ask("languages", "check", file)
        assert (told["code"], "names" in told["lacks"]) == ("eo", True)
        assert "can be read as 'eo'; it lacks" in cog("languages", "check", file).stdout
        file.write_text("code = 'eo'\n[notes]\nrule = 'eble'\n[words]\nstem = 'x'\n")
        done = cog("languages", "check", file)
        assert done.exit_code == 2
        assert "line 3: notes.rule: nothing reads this; did you mean rules?" in done.stderr
        assert "line 5: words.stem: give one of english, turkish" in done.stderr

    def test_models(self, ask, cog, tmp_path):
        """An empty cache, offline: where it would be, that it is not there, and how to get it."""
        away = {"COGMEM_MODELS": str(tmp_path / "models"), "COGMEM_OFFLINE": "1"}
        folder = str(tmp_path / "models" / "minilm")
        model, table = ask("models", "list", env=away)["models"]
        assert (model["name"], model["present"], model["path"]) == ("minilm", False, folder)
        assert (table["name"], table["present"]) == ("cl100k_base", False)
        done = cog("models", "fetch", env=away)
        assert (done.exit_code, "Three ways out" in done.stderr) == (1, True)
        assert cog("models", "fetch", "nope", env=away).exit_code == 2

    def test_no_model_loses_nothing(self, tmp_path, clear):
        """Without the default model, a text waits on disk until a later command has an embedder."""
        away = {**clear, "COGMEM_MODELS": str(tmp_path / "models"), "COGMEM_OFFLINE": "1"}
        place = ("--path", str(tmp_path / "b"), "--json")
        done = CliRunner(env=away).invoke(app, ["remember", "x", *place])
        assert (done.exit_code, json.loads(done.stdout)["counts"]) == (0, {"queued": 1})
        CliRunner(env=away).invoke(app, ["remember", "y", *place, "--embedder", "hashing"])
        listed = json.loads(CliRunner(env=away).invoke(app, ["list", *place]).stdout)
        assert sorted(memory["content"] for memory in listed["memories"]) == ["x", "y"]

    def test_config(self, ask, cog, tmp_path):
        """Every setting with its origin; passwords are not shown."""
        file = tmp_path / "brain" / "cogmem.toml"
        file.write_text("[retrieval]\npool = 50\n", encoding="utf-8")
        url = "postgresql+psycopg://me:s3cret@host/db"
        variables = {"COGMEM_FEEDBACK__BLAME_FROM": "0.5", "COGMEM_STORAGE__LEDGER_URL": url}
        settings = ask("config", "show", env=variables)["settings"]

        def value_and_origin(name: str) -> tuple[object, str]:
            return settings[name]["value"], settings[name]["origin"]

        assert value_and_origin("retrieval.pool") == (50, f"file {file}")
        assert value_and_origin("feedback.blame_from") == (
            0.5,
            "environment COGMEM_FEEDBACK__BLAME_FROM",
        )
        assert value_and_origin("retrieval.mmr_lambda") == (0.9, "default")
        assert value_and_origin("strength.initial_days.fact") == (5.0, "default")
        assert settings["storage.ledger_url"]["value"] == "postgresql+psycopg://me:***@host/db"
        out = cog("config", "show", env=variables).stdout
        assert ("retrieval.pool" in out, "s3cret" in out) == (True, False)
