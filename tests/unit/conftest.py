"""What tests of the command `cogmem` share, an empty bank and commands on it; and what themes in several files do."""

import json
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from cogmem_cli.main import app
from cogmem_core.testing import FrozenClock
from helpers.bad_input_scene import Scene
from helpers.command import CliRunner
from unit.helpers.derived_memories import Opener, openers
from unit.helpers.dream_cycles import Night
from unit.helpers.toy_vectors import MemoryStore


@pytest.fixture(scope="session")
def clear():
    """The variables that would change what a command does, unset."""
    return dict.fromkeys(
        (
            "COGMEM_PATH",
            "COGMEM_NAMESPACE",
            "COGMEM_CONFIG",
            "COGMEM_LLM",
            "OPENAI_API_KEY",
            "FORCE_COLOR",
            "COLUMNS",
        )
    )


@pytest.fixture(scope="session")
def made_once(clear, tmp_path_factory):
    """The folder of an empty bank with the hashing embedder, to be copied."""
    folder = tmp_path_factory.mktemp("made") / "brain"
    arguments = ["--path", str(folder), "init", "--embedder", "hashing"]
    assert CliRunner(env=clear).invoke(app, arguments).exit_code == 0
    return folder


@pytest.fixture
def cog(folder, clear, made_once):
    """Runs a command on an empty bank with the hashing embedder."""
    runner = CliRunner(env=clear)
    shutil.copytree(made_once, folder)

    def run(*arguments, stdin=None, env=None):
        return runner.invoke(
            app, ["--path", str(folder), *map(str, arguments)], input=stdin, env=env or {}
        )

    return run


@pytest.fixture(scope="session")
def kept_banks():
    """By commands the folder of the bank on which they were run."""
    return {}


@pytest.fixture
def begun(cog, folder, clear, kept_banks, tmp_path_factory):
    """Makes the bank one on which commands were run; they run once for all tests that begin with them."""

    def begin(*commands):
        if commands not in kept_banks:
            kept = kept_banks[commands] = tmp_path_factory.mktemp("begun") / "brain"
            shutil.copytree(folder, kept)
            for command in commands:
                done = CliRunner(env=clear).invoke(app, ["--path", str(kept), *command])
                assert done.exit_code == 0, done.output
        shutil.rmtree(folder)
        shutil.copytree(kept_banks[commands], folder)

    return begin


@pytest.fixture
def ask(cog):
    """Runs a command with --json that must succeed; returns the document."""

    def run(*arguments, **more):
        done = cog(*arguments, "--json", **more)
        assert (done.exit_code, done.stderr) == (0, "")
        return json.loads(done.stdout)

    return run


@pytest.fixture
def failure():
    """(exit code, error) of a command with --json that wrote nothing else."""

    def told(done):
        assert done.stdout == ""
        return done.exit_code, json.loads(done.stderr)["error"]

    return told


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    """A scene of the test's own, for bad and unusual input."""
    made = Scene(tmp_path)
    yield made
    made.close()


@pytest.fixture
def store() -> MemoryStore:
    """What a vector index keeps its state in."""
    return MemoryStore()


@pytest.fixture
def opened(clock: FrozenClock) -> Iterator[Opener]:
    """Opens banks whose vectors are given by word."""
    with openers(clock) as opener:
        yield opener


@pytest.fixture
def opening():
    """Opens banks in memory whose configuration has the given sections."""
    with ExitStack() as stack:
        yield lambda **sections: stack.enter_context(Night(**sections))


@pytest.fixture
def night(opening):
    """A bank in memory whose clock and memories are to be given."""
    return opening()
