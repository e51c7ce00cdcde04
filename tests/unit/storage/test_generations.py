"""Numbered folders, their lock and their gate."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from cogmem_core.errors import StoreError
from cogmem_core.storage.vectors.chroma.generations import (
    FolderLock,
    GenerationState,
    create_generation,
    gate,
    generation_path,
    manifest,
    next_number,
    remove_others,
    settled_manifest,
)


@pytest.fixture
def sound(tmp_path: Path) -> GenerationState:
    """A closed generation of two files and a folder, as `tmp_path/gen-000003`."""
    folder = create_generation(tmp_path, 3)
    (folder / "chroma.sqlite3").write_bytes(b"rows" * 1000)
    (folder / "segment").mkdir()
    (folder / "segment" / "data_level0.bin").write_bytes(b"vectors" * 100)
    (folder / "segment" / "link_lists.bin").write_bytes(b"links")
    return GenerationState(3, "minilm", manifest=settled_manifest(folder))


def test_an_untouched_folder_after_a_clean_close_is_intact(
    tmp_path: Path, sound: GenerationState
) -> None:
    """Nothing changed, nothing to rebuild."""
    assert gate(tmp_path, sound, "minilm") == ""


def test_a_file_that_has_grown_beyond_reading_is_told_by_its_size(
    tmp_path: Path, sound: GenerationState
) -> None:
    """A torn file may be of any size, and reading a terabyte takes an hour: the sizes are compared first."""
    os.truncate(tmp_path / "gen-000003" / "chroma.sqlite3", 1 << 40)
    assert gate(tmp_path, sound, "minilm") == "its files changed after the last clean close"


def test_a_new_bank_has_no_generation(tmp_path: Path) -> None:
    """Neither an empty row nor number 0 names a folder."""
    assert gate(tmp_path, None, "minilm") == "there is no generation yet"
    assert gate(tmp_path, GenerationState(), "") == "there is no generation yet"


def test_an_unclean_stop_is_never_trusted(tmp_path: Path, sound: GenerationState) -> None:
    """The dirty flag decides alone, and so does a missing manifest."""
    assert gate(tmp_path, replace(sound, dirty=True), "minilm") == "it was not closed cleanly"
    assert gate(tmp_path, replace(sound, manifest=""), "minilm") == "it was not closed cleanly"


def test_another_embedder_needs_another_index(tmp_path: Path, sound: GenerationState) -> None:
    """Vectors of two models are never mixed."""
    assert gate(tmp_path, sound, "hashing") == "it was built for another embedder"


def test_one_changed_bit_is_noticed(tmp_path: Path, sound: GenerationState) -> None:
    """Size and time stamp may be the same: the bytes are compared."""
    path = generation_path(tmp_path, 3) / "chroma.sqlite3"
    before = path.stat()
    data = bytearray(path.read_bytes())
    data[17] ^= 1
    path.write_bytes(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert gate(tmp_path, sound, "minilm") == "its files changed after the last clean close"


def test_renamed_missing_and_stray_files_are_noticed(
    tmp_path: Path, sound: GenerationState
) -> None:
    """The names belong to what is compared."""
    folder = generation_path(tmp_path, 3)
    (folder / "stray").touch()
    assert gate(tmp_path, sound, "minilm")

    (folder / "stray").unlink()
    assert gate(tmp_path, sound, "minilm") == ""

    (folder / "chroma.sqlite3").rename(folder / "chroma.sqlite")
    assert gate(tmp_path, sound, "minilm")


def test_a_runaway_link_file_is_refused_before_it_is_read(
    tmp_path: Path, sound: GenerationState
) -> None:
    """A sparse file of a terabyte is judged at once, by its size."""
    with (generation_path(tmp_path, 3) / "segment" / "link_lists.bin").open("r+b") as file:
        file.truncate(1 << 40)

    assert gate(tmp_path, sound, "minilm") == "its link lists are larger than its vectors can need"


def test_a_link_anywhere_in_the_folder_is_refused(tmp_path: Path, sound: GenerationState) -> None:
    """Chroma must never be led out of its folder."""
    (tmp_path / "elsewhere").write_text("x")
    (generation_path(tmp_path, 3) / "segment" / "extra").symlink_to(tmp_path / "elsewhere")

    assert (
        gate(tmp_path, sound, "minilm") == "its files cannot be read: extra is not a regular file"
    )


def test_a_folder_that_is_a_link_itself_is_refused(tmp_path: Path, sound: GenerationState) -> None:
    """The same bytes behind a link are not the generation."""
    generation_path(tmp_path, 3).rename(tmp_path / "moved")
    generation_path(tmp_path, 3).symlink_to(tmp_path / "moved")

    assert gate(tmp_path, sound, "minilm") == "its folder is missing"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_does_not_make_the_gate_wait(tmp_path: Path, sound: GenerationState) -> None:
    """Only regular files are opened."""
    os.mkfifo(generation_path(tmp_path, 3) / "pipe")

    assert gate(tmp_path, sound, "minilm")


def test_the_manifest_depends_on_content_only(tmp_path: Path) -> None:
    """The same files in another folder, written in another order, have the same digest."""
    for number, names in ((1, ("a", "b")), (2, ("b", "a"))):
        folder = create_generation(tmp_path, number)
        for name in names:
            (folder / name).write_text(name)

    assert manifest(generation_path(tmp_path, 1)) == manifest(generation_path(tmp_path, 2))


def test_numbers_only_grow(tmp_path: Path, sound: GenerationState) -> None:
    """Left-over folders and the remembered number are both stepped over."""
    create_generation(tmp_path, 8)

    assert next_number(tmp_path, sound) == 9
    assert next_number(tmp_path, GenerationState(12)) == 13
    assert next_number(tmp_path / "nowhere", None) == 1


def test_a_generation_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    """Vectors can be turned back into text, so they are private; an existing folder is never reused."""
    assert create_generation(tmp_path, 1).stat().st_mode & 0o777 == 0o700
    with pytest.raises(StoreError, match="cannot create"):
        create_generation(tmp_path, 1)


def test_removal_touches_only_generations_and_never_follows_a_link(tmp_path: Path) -> None:
    """Files of the user survive, also those that a link with our name points to."""
    treasure = tmp_path / "treasure"
    treasure.mkdir()
    (treasure / "photo").touch()
    for number in (1, 2, 3):
        create_generation(tmp_path, number)
    (tmp_path / "gen-000009").symlink_to(treasure)
    (tmp_path / "gen-12").mkdir()
    (tmp_path / "lock").touch()

    assert remove_others(tmp_path, 2) == ()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "gen-000002",
        "gen-12",
        "lock",
        "treasure",
    ]
    assert (treasure / "photo").exists()


def test_one_engine_holds_a_folder_at_a_time(tmp_path: Path) -> None:
    """A second one in the same process is told no, by whatever path it comes, until the first lets go."""
    (tmp_path / "alias").symlink_to(tmp_path / "real")
    first = FolderLock.acquire(tmp_path / "real")
    assert first is not None
    assert FolderLock.acquire(tmp_path / "alias") is None

    first.release()
    first.release()

    second = FolderLock.acquire(tmp_path / "alias")
    assert second is not None
    second.release()


def test_another_process_is_told_no_and_a_killed_one_lets_go(tmp_path: Path) -> None:
    """The operating system frees the lock of a process that dies."""
    script = (
        "import sys, pathlib, os\n"
        "from cogmem_core.storage.vectors.chroma.generations import FolderLock\n"
        "lock = FolderLock.acquire(pathlib.Path(sys.argv[1]))\n"
        "print(lock is not None, flush=True)\n"
        "sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "True\n"
        assert FolderLock.acquire(tmp_path) is None
        holder.kill()
    lock = FolderLock.acquire(tmp_path)
    assert lock is not None
    lock.release()
