"""The search for erased text and vectors in files: it must find what is there, wherever it lies."""

import random
from pathlib import Path

import pytest

from cogmem_core.storage.files.scan import Sought, files, held

BLOCK = 4 * 2**20


def test_strings_are_found_at_every_place(tmp_path: Path) -> None:
    """At both ends, at odd places, overlapping, and across the blocks in which a file is read."""
    path = tmp_path / "ledger"
    content = bytearray(BLOCK * 2 + 100)
    there = {
        0: b"at the beginning",
        1_003: b"at an odd place",
        1_006: b"an odd place beside",
        BLOCK - 5: b"across two blocks",
    }
    for place, string in there.items():
        content[place : place + len(string)] = string
    content[-16:] = b"the very last 16"
    path.write_bytes(content)
    wanted = {*there.values(), b"the very last 16", b"nowhere to be found", b"at an odd places"}

    assert held(path, Sought(wanted)) == {
        b"at the beginning",
        b"at an odd place",
        b"an odd place beside",
        b"across two blocks",
        b"the very last 16",
    }


def test_it_finds_what_a_plain_search_finds(tmp_path: Path) -> None:
    """Random strings of few different bytes, zeros among them, so that many begin alike."""
    draw = random.Random(7)
    content = bytes(draw.choices(b"\0\0ab", k=20_000))
    path = tmp_path / "ledger"
    path.write_bytes(content)
    wanted = {bytes(draw.choices(b"\0\0ab", k=draw.randint(8, 14))) for _ in range(3_000)}
    wanted |= {
        content[start : start + draw.randint(8, 90)] for start in draw.sample(range(19_000), 300)
    }
    expected = {string for string in wanted if string in content and string.strip(b"\0")}

    assert len(expected) > 300
    assert held(path, Sought(wanted)) == expected


@pytest.mark.parametrize("content", [b"", b"short", b"\0" * 100])
def test_small_and_blank_files_hold_nothing(tmp_path: Path, content: bytes) -> None:
    """A vector of zeros is no trace: every new file is full of them."""
    path = tmp_path / "ledger"
    path.write_bytes(content)
    assert held(path, Sought([b"something", b"\0" * 32])) == set()
    assert held(path, Sought([])) == set()


def test_files_of_a_folder_and_of_none(tmp_path: Path) -> None:
    """All of them, below it too; a bank in memory has none."""
    (tmp_path / "chroma").mkdir()
    for name in ("ledger", "chroma/index"):
        (tmp_path / name).write_bytes(b"x")
    assert files(tmp_path) == [tmp_path / "chroma" / "index", tmp_path / "ledger"]
    assert files(None) == []
