"""What tests of the command `cogmem` share: an empty bank, commands on it, and what they answered."""

import json

import pytest
from typer.testing import CliRunner

from cogmem.cli.main import app


@pytest.fixture
def clear():
    """The variables that would change what a command does, unset."""
    return dict.fromkeys(
        ("COGMEM_PATH", "COGMEM_NAMESPACE", "COGMEM_CONFIG", "COGMEM_LLM", "OPENAI_API_KEY", "FORCE_COLOR", "COLUMNS")
    )


@pytest.fixture
def cog(folder, clear):
    """Runs a command on an empty bank with the hashing embedder."""
    runner = CliRunner(env=clear)

    def run(*arguments, stdin=None, env=None):
        return runner.invoke(app, ["--path", str(folder), *map(str, arguments)], input=stdin, env=env or {})

    assert run("init", "--embedder", "hashing").exit_code == 0
    return run


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
