"""Bad input, as one table: each row is a typed error that names the fix and changes nothing, or a repaired index."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Config, EmbedderUnavailable
from cogmem_core.testing import FrozenClock
from helpers.bad_input_scene import Row, Scene, tree_of
from helpers.bad_input_surroundings import embedders, files, folders, ids, lists
from helpers.bad_input_values import choices, labels, metadata, numbers, texts, times
from helpers.script_runner import Scripts


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """One scene for all rows that prepare nothing: none of them changes it."""
    made = Scene(tmp_path_factory.mktemp("stage"))
    assert made.engine.namespaces() == ["alice", "bob"]
    yield made
    made.close()


@pytest.fixture(scope="module")
def as_it_was(stage: Scene) -> object:
    """The state of that scene before any row."""
    return stage.state()


TABLE: dict[str, Row] = {}
for _rows in (
    texts,
    labels,
    choices,
    numbers,
    times,
    metadata,
    ids,
    files,
    lists,
    embedders,
    folders,
):
    for _name, _row in _rows():
        assert _name not in TABLE, _name
        TABLE[_name] = _row


def unlike(scene: Scene, row: Row) -> str:
    """Why what a row gets is not the exact class, with the argument and the way out in the message."""
    try:
        row.act(scene)
    except Exception as error:  # noqa: BLE001 - any other class is what the table looks for
        missing = [word for word in row.words if word not in str(error)]
        return f"{error!r} lacks {missing}" if missing or type(error) is not row.error else ""
    return "was accepted"


def test_bad_input_is_a_typed_error_that_names_the_fix_and_changes_nothing(
    stage: Scene, as_it_was: object
) -> None:
    """Over one scene, which no row changes."""
    told = {name: unlike(stage, row) for name, row in TABLE.items() if not row.arrange}

    assert {name: why for name, why in told.items() if why} == {}
    assert stage.state() == as_it_was


@pytest.mark.parametrize("name", [name for name, row in TABLE.items() if row.arrange])
def test_bad_input_after_something_was_prepared(scene: Scene, name: str) -> None:
    """The same, each over a scene of its own."""
    arrange = TABLE[name].arrange
    assert arrange is not None
    arrange(scene)
    before = scene.state()
    assert unlike(scene, TABLE[name]) == ""
    assert scene.state() == before


def test_without_network_and_weights_turns_wait_and_statements_say_the_ways_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing falls back silently: what was said is kept, what needs a vector says how to get one."""
    monkeypatch.setenv("COGMEM_OFFLINE", "1")
    monkeypatch.setenv("COGMEM_MODELS", str(tmp_path / "no-models"))
    ways_out = ("cogm models fetch", "COGMEM_MODELS", "hashing", "openai:", "COGMEM_OFFLINE")

    with cogmem_core.open(tmp_path / "brain", clock=FrozenClock(), config=Config()) as engine:
        bank = engine.bank("alice")
        receipt = bank.remember("The meeting is on Thursday").receipts[0]
        with pytest.raises(EmbedderUnavailable) as caught:
            bank.add("Prefers green tea")

        assert [word for word in ways_out if word not in str(caught.value)] == []
        assert [word for word in ways_out if word not in receipt.reason] == []
        assert (receipt.status, receipt.memory_ids) == ("queued", ())
        assert (bank.count(state="any"), bank.health()["queue_length"]) == (0, 1)
        assert (
            bank.recall("meeting")
            .degraded[0]
            .startswith("vector: the embedding model 'minilm' is not on this machine")
        )


READ_ONLY = """
import os, sys
import cogmem_core
from cogmem_core.testing import CountingEmbedder
with cogmem_core.open(embedder=CountingEmbedder()) as engine:
    engine.bank("warm").remember("all modules are imported before the privileges go")
    engine.bank("warm").recall("modules")
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
for folder in sys.argv[1:]:
    try:
        with cogmem_core.open(folder, embedder=CountingEmbedder()) as engine:
            engine.bank("alice").remember("more")
        print("no error")
    except cogmem_core.CogMemError as error:
        print(type(error).__name__, error)
"""


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs POSIX permissions")
def test_a_read_only_folder_is_a_store_error_and_stays_as_it_is(
    scene: Scene, scripts: Scripts
) -> None:
    """Root may write anywhere, so a child process gives up its privileges first."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        shutil.copytree(scene.seeded(), place / "brain")
        (place / "empty").mkdir()
        before = tree_of(place)
        _set_modes(place, 0o555, 0o444)
        # Measuring coverage, it would complain that it cannot write down what it measured.
        plain = {
            name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")
        }
        places = [place / name for name in ("brain", "empty", "new")]
        done = scripts.run(READ_ONLY, place, plain, places)
        _set_modes(place, 0o755, 0o644)
        if "PermissionError" in done.err or "Operation not permitted" in done.err:
            pytest.skip(f"root cannot drop its privileges here: {done.err[-200:]}")

        answers = done.out.splitlines()
        assert done.err == ""
        assert [answer.split()[0] for answer in answers] == ["StoreError"] * 3
        assert [answer for answer in answers if "writable" not in answer] == []
        assert tree_of(place) == before


def _set_modes(place: Path, folder: int, file: int) -> None:
    for path in (place, *place.rglob("*")):
        path.chmod(folder if path.is_dir() else file)
