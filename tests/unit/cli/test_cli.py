"""The command `cogm`: what each command answers, in words and as JSON, and with which exit code."""

import json
from pathlib import Path

import pytest

import cogmem_core
from cogmem_cli.main import app
from helpers.command import CliRunner
from helpers.tables import each_case_of, each_row_of

TINY = Path(__file__).parents[2] / "data" / "locomo_tiny.json"


class TestInit:
    def test_creates_once(self, tmp_path, clear):
        """The folder is made, named, and left alone the second time."""
        runner, place = CliRunner(env=clear), str(tmp_path / "a" / "b")
        first = runner.invoke(app, ["init", "--path", place, "--embedder", "hashing", "--json"])
        assert json.loads(first.stdout) == {
            "path": place,
            "created": True,
            "embedder": "hashing-v1-384",
        }
        second = runner.invoke(app, ["init", "--path", place])
        assert (second.exit_code, "there is a memory bank already" in second.stdout) == (0, True)
        assert "hashing-v1-384" in second.stdout

    def test_path_from_the_environment(self, tmp_path, clear):
        """COGMEM_PATH and COGMEM_NAMESPACE hold unless an option says otherwise."""
        variables = {**clear, "COGMEM_PATH": str(tmp_path / "env"), "COGMEM_NAMESPACE": "zeynep"}
        runner = CliRunner(env=variables)
        runner.invoke(app, ["remember", "tea", "--embedder", "hashing"])
        assert (tmp_path / "env" / "ledger.sqlite").exists()
        assert json.loads(runner.invoke(app, ["namespaces", "--json"]).stdout) == {
            "namespaces": ["zeynep"]
        }

    def test_embedder_of_an_empty_bank_is_kept(self, ask):
        """What `init --embedder` chose is what later commands use without being told."""
        assert ask("health")["embedder"] == "hashing-v1-384"


class TestRemember:
    def test_receipt_of_a_change(self, cog, ask):
        """The id is that of the new memory, so it is stored, and the older one is named beside it."""
        old = ask("remember", "I live in Berlin.", "--at", "2026-05-01T10:00:00Z")["receipts"][0][
            "memory_ids"
        ][0]
        done = cog("remember", "I live in Lisbon now.", "--at", "2026-05-02T10:00:00Z")
        new = ask("list", "--oldest-first")["memories"][0]["id"]
        reason = "Berlin, now Lisbon"
        receipt, understood = done.stdout.splitlines()
        assert receipt == f"stored  {new[-12:]}, in place of {old[-12:]}  {reason}"
        assert understood == "   kept: I live in Lisbon (home)"

    def test_receipt_of_what_was_outdated_already(self, cog, ask):
        """Learnt later, said earlier: what replaced it is named; the document keeps the status."""
        new = ask("remember", "I live in Lisbon.", "--at", "2026-05-02T10:00:00Z")["receipts"][0][
            "memory_ids"
        ][0]
        done = cog("remember", "I live in Berlin.", "--at", "2026-05-01T10:00:00Z")
        old = ask("list", "--state", "superseded")["memories"][0]["id"]
        assert done.stdout.startswith(
            f"stored  {old[-12:]}, outdated by {new[-12:]}  "
            "outdated already when it was learnt: I live in Lisbon.\n"
        )
        assert ask("remember", "I live in Rome.", "--at", "2026-04-01T10:00:00Z")["counts"] == {
            "superseded": 1
        }

    def test_json(self, ask):
        """Receipts and counts; the turn's fields arrive in the memory."""
        answer = ask(
            *("remember", "Çay içtim 🍵", "--role", "assistant", "--speaker", "Ayşe"),
            *("--at", "2026-03-01T18:30:00+03:00", "--session", "s1", "--ref", "r1"),
        )
        assert answer["counts"] == {"stored": 1}
        assert sorted(answer["receipts"][0]) == [
            "candidates",
            "episode_id",
            "facts",
            "memory_ids",
            "reading",
            "reason",
            "status",
        ]
        memory = ask("show", answer["receipts"][0]["memory_ids"][0])["memory"]
        assert (memory["content"], memory["speaker"], memory["session_id"]) == (
            "Çay içtim 🍵",
            "Ayşe",
            "s1",
        )
        assert (memory["recorded_at"], memory["data_source"]) == (
            "2026-03-01T15:30:00+00:00",
            "assistant_message",
        )
        assert memory["sources"][0]["ref"] == "r1"

    def test_standard_input(self, ask):
        """`-` takes all of standard input as one text."""
        ask("remember", "-", stdin="two\nlines\n")
        assert [memory["content"] for memory in ask("list", "--oldest-first")["memories"]] == [
            "two\nlines"
        ]

    def test_text_file(self, ask, tmp_path):
        """One turn per line that is not blank; a byte order mark is no text."""
        notes = tmp_path / "notes.txt"
        notes.write_bytes("\ufeffIlk satır\r\n\r\nsecond\n".encode())
        assert ask("remember", "--file", notes, "--speaker", "Ali")["counts"] == {"stored": 2}
        assert [
            (m["content"], m["speaker"]) for m in ask("list", "--oldest-first")["memories"]
        ] == [("Ilk satır", "Ali"), ("second", "Ali")]

    @each_case_of("cli/json_file")
    def test_json_file(self, ask, tmp_path, document, contents):
        """A list of texts and turns, or one turn; the options fill up what it does not say."""
        talk = tmp_path / "talk.json"
        talk.write_text(json.dumps(document, indent=2), encoding="utf-8")
        ask("remember", "--file", talk, "--speaker", "Bob")
        assert [
            (memory["content"], memory["speaker"])
            for memory in ask("list", "--oldest-first")["memories"]
        ] == list(contents)

    @each_row_of("cli/bad_json_file")
    def test_bad_json_file(self, cog, ask, tmp_path, failure, *, document, word):
        """What is wrong is named with its place, exit 2, and nothing of the file is stored."""
        (tmp_path / "talk.json").write_text(document, encoding="utf-8")
        code, error = failure(cog("remember", "--file", tmp_path / "talk.json", "--json"))
        assert (code, error["type"], word in error["message"]) == (2, "InvalidInput", True)
        assert ask("list", "--oldest-first")["memories"] == []

    def test_json_lines(self, ask, tmp_path):
        """A line's own fields win over the options, which fill up the rest."""
        talk = tmp_path / "talk.jsonl"
        lines = [
            {"content": "a b", "at": "2026-01-01T10:00:00Z", "ref": "1"},
            {"content": "c d", "speaker": "Eve"},
        ]
        talk.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        ask("remember", "--file", talk, "--speaker", "Bob")
        first, second = ask("list", "--oldest-first")["memories"]
        assert (first["recorded_at"], first["speaker"]) == ("2026-01-01T10:00:00+00:00", "Bob")
        assert second["speaker"] == "Eve"

    @each_row_of("cli/bad_line")
    def test_bad_line(self, cog, ask, tmp_path, failure, *, line, word):
        """A bad line is named, exit 2, and nothing of the file is stored."""
        talk = tmp_path / "talk.jsonl"
        talk.write_text('{"content": "fine"}\n' + line, encoding="utf-8")
        code, error = failure(cog("remember", "--file", talk, "--json"))
        assert (code, error["type"]) == (2, "InvalidInput")
        assert word in error["message"]
        assert ask("list", "--oldest-first")["memories"] == []

    @each_row_of("cli/usage")
    def test_usage(self, cog, arguments, word):
        """Wrong arguments are exit 2 with the way out; not a traceback."""
        done = cog("remember", *arguments)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith("error: ")
        assert word in done.stderr

    def test_each_argument_is_one_text(self, ask, cog, tmp_path, monkeypatch):
        """Whatever signs it is made of and whatever files there are; a sentence without quotes is told."""
        monkeypatch.chdir(tmp_path)
        (tmp_path / "Lisbon").write_text("Porto", encoding="utf-8")
        texts = ("My sister is a nurse", "Lisbon", "我住在里斯本", "I like tea")
        done = cog("remember", *texts, "--mode", "raw", "--tag", "home")
        assert "4 texts, one per argument" in done.stderr
        listed = ask("list", "--oldest-first", "--tag", "home")["memories"]
        assert [memory["content"] for memory in listed] == list(texts)
        cog("remember", "Lisbon", "--mode", "raw", "-n", "other")
        assert [memory["content"] for memory in ask("list", "-n", "other")["memories"]] == [
            "Lisbon"
        ]

    @each_case_of("cli/what_a_file_is_shows_by_itself")
    def test_what_a_file_is_shows_by_itself(self, ask, tmp_path, text, contents):
        """By its name or, on standard input, by what is in it; `--format` says so."""
        asked = ask("remember", "-f", "-", "--mode", "raw", stdin=text)
        assert asked["counts"] == {"stored": contents}
        assert "I like tea" in [memory["content"] for memory in ask("list")["memories"]]

    def test_a_form_that_is_said_counts(self, cog, tmp_path):
        (tmp_path / "notes").write_text("content,speaker", encoding="utf-8")
        assert cog("remember", "-f", tmp_path / "notes", "--format", "text").exit_code == 0
        done = cog("remember", "-f", tmp_path / "notes", "--format", "csv")
        assert (done.exit_code, "holds no turn" in done.stderr) == (2, True)
        assert cog("remember", "-f", tmp_path / "notes", "--format", "xml").exit_code == 2

    def test_not_utf8(self, cog, tmp_path):
        """Bytes in another encoding are refused with their place."""
        (tmp_path / "latin.txt").write_bytes(b"caf\xe9")
        assert "not UTF-8 at byte 3" in cog("remember", "--file", tmp_path / "latin.txt").stderr
        done = cog("remember", "-", stdin=b"caf\xe9")
        assert (done.exit_code, "standard input is not UTF-8" in done.stderr) == (2, True)


class TestRecall:
    @pytest.fixture(autouse=True)
    def memories(self, begun):
        lisbon = ("--speaker", "Ayşe", "--at", "2026-05-02T10:00:00Z", "--ref", "t1")
        begun(
            ("remember", "I moved to Lisbon in May", *lisbon),
            ("remember", "[bold]Kedi[/bold] :smile: uyuyor 🐈"),
        )

    def test_table(self, cog):
        """Rank, date, relative label, score, confidence, text, why and id; no colour codes in a pipe."""
        done = cog("recall", "where", "is", "Lisbon?")
        assert done.exit_code == 0
        for word in (
            "2026-05-02",
            "ago",
            "conf.",
            "Ayşe: I moved to Lisbon in May",
            "by meaning",
            "by words",
        ):
            assert word in done.stdout
        assert "\x1b" not in done.stdout

    def test_own_words_are_not_markup(self, cog):
        """Brackets and emoji codes of a memory are shown as they are."""
        assert "[bold]Kedi[/bold] :smile: uyuyor 🐈" in cog("recall", "kedi").stdout

    def test_json(self, ask):
        """One document with everything that explains the order."""
        answer = ask("recall", "Lisbon", "-k", "1")
        assert sorted(answer) == [
            "confidence",
            "degraded",
            "empty_reason",
            "id",
            "intent",
            "more",
            "parts",
            "query",
            "results",
            "withheld",
        ]
        (result,) = answer["results"]
        assert sorted(result) == [
            "asked",
            "confidence",
            "content",
            "contributions",
            "found_by",
            "label",
            "memory",
            "rank",
            "reason",
            "refs",
            "score",
            "signals",
            "tier",
        ]
        assert (result["rank"], result["content"], result["refs"]) == (
            1,
            "I moved to Lisbon in May",
            ["t1"],
        )
        assert result["found_by"] == {"vector": 1, "lexical": 1}

    def test_context_and_explanation(self, cog, ask):
        """The block for a prompt, and what each signal added."""
        assert cog("recall", "Lisbon", "--context").stdout.startswith("<memories>\n")
        assert (
            "</memories>" in ask("recall", "Lisbon", "--context", "--max-tokens", "60")["context"]
        )
        assert "similarity" in cog("recall", "Lisbon", "--explain").stdout
        assert ask("recall", "Lisbon", "--explain")["explanation"].startswith(
            "query: Lisbon\nintent: general\n1. "
        )

    def test_filters(self, cog, ask):
        """Category and tag restrict; unknown categories are usage errors."""
        assert (
            ask("recall", "Lisbon", "--category", "plan", "--category", "decision")["results"] == []
        )
        assert ask("recall", "Lisbon", "--tag", "nope")["results"] == []
        assert cog("recall", "Lisbon", "--category", "nope").exit_code == 2

    def test_empty(self, cog, ask):
        """No result is no failure; the reason is told."""
        done = cog("recall", "x", "-n", "nobody")
        assert (done.exit_code, done.stdout.startswith("no result: ")) == (0, True)
        assert (
            done.stdout
            == "no result: namespace 'nobody' holds no active memories; the bank has default\n"
        )
        answer = ask("recall", "x", "-n", "nobody")
        assert answer["results"] == []
        assert answer["empty_reason"] != ""

    def test_control_characters_are_defused(self, cog, ask):
        """A stored escape sequence cannot steer the terminal; JSON keeps it, escaped."""
        ask("remember", "evil \x1b]0;title\x07 text")
        for arguments in (("recall", "evil"), ("recall", "evil", "--context"), ("list",)):
            assert "\x1b" not in cog(*arguments).stdout
        assert ask("recall", "evil")["results"][0]["content"] == "evil \x1b]0;title\x07 text"


class TestElsewhere:
    def test_missing_bank(self, tmp_path, failure, clear):
        """Asking a bank that does not exist fails, says how to make one, and makes none."""
        done = CliRunner(env=clear).invoke(
            app, ["recall", "x", "--path", str(tmp_path / "none"), "--json"]
        )
        code, error = failure(done)
        assert (code, error["type"]) == (1, "StoreError")
        assert "cogm init" in error["message"]
        assert not (tmp_path / "none").exists()

    @pytest.mark.parametrize("command", [("init",), ("remember", "x"), ("list",)])
    def test_foreign_folder(self, tmp_path, command, clear):
        """A folder of something else is refused and left as it is."""
        (tmp_path / "thesis.tex").write_text("x", encoding="utf-8")
        done = CliRunner(env=clear).invoke(
            app, ["--path", str(tmp_path), "--embedder", "hashing", *command]
        )
        assert (done.exit_code, "is not a cogmem folder" in done.stderr) == (1, True)
        assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]

    def test_damaged_ledger(self, cog, folder):
        """A torn database is a message, not a traceback."""
        (folder / "ledger.sqlite").write_bytes(b"garbage" * 1000)
        for name in ("ledger.sqlite-wal", "ledger.sqlite-shm"):
            (folder / name).unlink(missing_ok=True)
        done = cog("list")
        assert (done.exit_code, done.stderr.startswith("error: ")) == (1, True)

    def test_wrong_settings(self, cog, folder):
        """A wrong setting is a failure of the set-up (1), not of the usage (2)."""
        (folder / "cogmem.toml").write_text("[retrieval]\npool = 0\n", encoding="utf-8")
        done = cog("list")
        assert (done.exit_code, "retrieval.pool is 0" in done.stderr) == (1, True)

    def test_other_embedder(self, cog):
        """Naming another embedder than the bank's is refused, with the two ways out."""
        cog("remember", "x")
        done = cog("recall", "x", "--embedder", "hashing:64")
        assert (done.exit_code, "cogm reindex --embedder" in done.stderr) == (1, True)

    def test_usage_errors_as_json(self, cog, failure):
        """With --json, even the parser's own errors are JSON."""
        code, error = failure(cog("recall", "--json"))
        assert (code, error["type"]) == (2, "UsageError")
        assert "QUERY" in error["message"]
        assert failure(cog("bogus", "--json"))[0] == 2
        assert cog("bogus").exit_code == 2

    def test_options_before_or_after(self, cog, ask):
        """The shared options may stand on either side; the nearer one wins."""
        assert cog("--json", "-n", "a", "remember", "x").exit_code == 0
        assert (
            json.loads(cog("--json", "-n", "nobody", "list", "-n", "a").stdout)["memories"][0][
                "namespace"
            ]
            == "a"
        )
        assert ask("namespaces") == {"namespaces": ["a"]}

    def test_version(self, cog):
        assert cog("--version").stdout == f"cogmem-core {cogmem_core.__version__}\n"

    def test_calibrate(self, ask, cog, folder):
        """Models of conversations, written as the package's own are."""
        written = folder.parent / "confidence.json"
        found = ask("eval", "calibrate", TINY, "--write", written)
        assert (
            sorted(found) == sorted(json.loads(written.read_text())) == ["any", "minilm", "scaled"]
        )
        assert found["any"]["samples"] == 2 * found["minilm"]["samples"] > 0
        done = cog("eval", "calibrate", TINY, "--unrelated", TINY)
        assert (done.exit_code, "must be a text, not empty" in done.stderr) == (2, True)

    def test_eval(self, ask, cog):
        """The report as JSON and as a table; the bank is not touched."""
        report = ask("eval", "locomo", TINY, "--k", "2,5", "--embedder", "hashing")
        assert (report["ks"], report["turns"], report["overall"]["questions"]) == ([2, 5], 8, 6)
        assert "recall@5" in cog("eval", "locomo", TINY, "--merged", "--embedder", "hashing").stdout
        assert cog("eval", "locomo", TINY, "--k", "5,x").exit_code == 2
        assert (
            "integers from 1 to 1,000 (retrieval.max_k)"
            in cog("eval", "locomo", "missing.json", "-k", "99999").stderr
        )
        assert cog("eval", "locomo", "missing.json", "--embedder", "hashing").exit_code == 2
        assert ask("list", "--oldest-first")["memories"] == []
