"""Where `export` writes and `import` reads, and namespaces that the bank does not know."""

import json
import os
import stat
import threading

import pytest

import cogmem_core
from cogmem_core import InvalidInput
from helpers.tables import each_row_of


@pytest.fixture
def bank(cog, begun):
    """Two namespaces with a memory each."""
    begun(
        ("remember", "I moved to Lisbon", "-n", "alice"),
        ("remember", "I moved to Porto", "-n", "bob"),
    )
    return cog


def contents(text: str) -> list[str]:
    return [row["content"] for row in map(json.loads, text.splitlines()) if row["kind"] == "memory"]


class TestStreams:
    """`-` is standard output and standard input."""

    def test_an_export_is_all_that_standard_output_gets(self, bank, tmp_path, monkeypatch):
        """What is told goes to standard error, and no file of that name is made."""
        monkeypatch.chdir(tmp_path)
        done = bank("export", "-", "-n", "alice")
        assert (done.exit_code, contents(done.stdout)) == (0, ["I moved to Lisbon"])
        assert done.stderr.startswith("exported 1 memory to standard output\n")
        assert list(tmp_path.glob("-*")) == []

    def test_an_export_is_read_from_standard_input(self, bank, ask):
        """One goes into the other."""
        text = bank("export", "-", "-n", "alice", "--json").stdout
        assert ask("import", "-", "-n", "copy", stdin=text)["stored"] == 1
        assert [one["content"] for one in ask("list", "-n", "copy")["memories"]] == [
            "I moved to Lisbon"
        ]

    def test_another_tools_file_is_read_from_standard_input(self, ask):
        """As from a file."""
        text = json.dumps([{"id": "m", "memory": "Likes tea"}])
        assert ask("import", "-", "--format", "mem0", stdin=text)["stored"] == 1

    @pytest.mark.parametrize("command", ["export", "import"])
    def test_all_namespaces_are_no_stream(self, bank, command):
        """Each has a file of its own."""
        done = bank(command, "--all", "-")
        assert (done.exit_code, "name one instead of -" in done.stderr) == (2, True)

    def test_what_cannot_be_read_names_the_stream(self, bank):
        """And what would be read."""
        done = bank("import", "-", stdin="{}\n")
        assert (
            done.exit_code,
            "standard input is of no format that is known here" in done.stderr,
        ) == (2, True)


@pytest.mark.skipif(os.name != "posix", reason="POSIX's")
class TestSpecialFiles:
    """What only looks like a file is used as what it is; from Python, too."""

    def test_a_fifo_is_written_into_and_stays(self, bank, tmp_path):
        """And read from."""
        pipe, read = tmp_path / "pipe", list[str]()
        os.mkfifo(pipe)
        reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")))
        reader.start()
        assert bank("export", pipe, "-n", "alice").exit_code == 0
        reader.join()
        assert contents(read[0]) == ["I moved to Lisbon"]
        assert stat.S_ISFIFO(pipe.stat().st_mode)
        writer = threading.Thread(target=lambda: pipe.write_text(read[0], encoding="utf-8"))
        writer.start()
        assert "1 stored" in bank("import", pipe, "-n", "copy").stdout
        writer.join()

    def test_a_link_is_followed(self, bank, tmp_path):
        """Its target is replaced, and the link stays; one that leads nowhere yet leads to the new file."""
        target, link, chain, fresh = (
            tmp_path / name for name in ("target", "link", "chain", "fresh")
        )
        target.write_text("old")
        link.symlink_to("target")
        chain.symlink_to(link)
        fresh.symlink_to(tmp_path / "made")
        for place in (link, chain, fresh):
            assert bank("export", place, "-n", "alice").exit_code == 0
            assert place.is_symlink()
        assert (
            contents(target.read_text())
            == contents((tmp_path / "made").read_text())
            == ["I moved to Lisbon"]
        )

    def test_a_folder_is_said_to_be_one(self, bank, tmp_path):
        """Also behind a link; nothing is written."""
        (tmp_path / "folder").mkdir()
        (tmp_path / "link").symlink_to("folder")
        for place in ("folder", "link"):
            done = bank("export", tmp_path / place, "-n", "alice")
            assert (
                done.exit_code,
                "a folder; give the path of the file to write" in done.stderr,
            ) == (2, True)
        with (
            cogmem_core.open(embedder="hashing") as engine,
            pytest.raises(InvalidInput, match="a folder"),
        ):
            engine.bank("alice").export(tmp_path / "folder")
        assert list((tmp_path / "folder").iterdir()) == []

    def test_a_failed_export_leaves_the_former_one(self, tmp_path):
        """And nothing beside it."""

        def broken(*_: int) -> None:
            raise OSError(28, "full")

        file = tmp_path / "out" / "a.jsonl"
        file.parent.mkdir()
        file.write_text("old")
        with cogmem_core.open(embedder="hashing") as engine:
            engine.bank("alice").remember("I moved to Lisbon")
            with pytest.raises(cogmem_core.StoreError, match="cannot write the export"):
                engine.bank("alice").export(file, progress=broken)
        assert [(path.name, path.read_text()) for path in file.parent.iterdir()] == [
            ("a.jsonl", "old")
        ]


class TestUnknownNamespaces:
    """A slip of the pen is no success."""

    @each_row_of("cli_places/the_nearest_one_is_named")
    def test_the_nearest_one_is_named(self, bank, ask, arguments):
        """Exit status 2, and nothing was done."""
        done = bank(*arguments, "-n", "alcie")
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr == (
            "error: there is no namespace 'alcie'; the nearest one is 'alice'; the bank has alice, bob\n"
        )
        assert ask("namespaces")["namespaces"] == ["alice", "bob"]

    def test_the_environment_is_a_pen_too(self, bank):
        """`COGMEM_NAMESPACE`."""
        done = bank("health", env={"COGMEM_NAMESPACE": "Bob"})
        assert (done.exit_code, "the nearest one is 'bob'" in done.stderr) == (2, True)

    def test_a_bank_without_any(self, cog):
        """There is none to name; the default one need not be there to be looked at."""
        assert "the bank has none yet" in cog("forget", "--all", "--hard", "--yes").stderr
        assert "the bank has none yet" in cog("health", "-n", "alice").stderr
        assert cog("health").exit_code == 0

    def test_one_that_is_known_is_erased(self, bank, ask):
        """And is unknown then."""
        assert bank("forget", "--all", "--hard", "--yes", "-n", "alice").exit_code == 0
        assert ask("namespaces")["namespaces"] == ["bob"]
        assert bank("forget", "--all", "--hard", "--yes", "-n", "alice").exit_code == 2
