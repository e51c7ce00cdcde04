"""Signs that steer a terminal or turn the order of others round: people see that they are there."""

import json
import shlex
from typing import Any

import pytest
import typer.main

from cogmem_cli.examples import ALIASES, EXAMPLES
from cogmem_cli.main import app
from cogmem_cli.values import clean, line
from helpers.tables import each_row, each_row_of

BIDI = [*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C]


@each_row("code", BIDI)
def test_what_turns_signs_round_is_written_out(code):
    """Embeddings, overrides, isolates and marks."""
    assert line(f"pay {chr(code)}nobody") == f"pay \\u{code:04x}nobody"


@each_row_of("cli_controls/controls_are_shown")
def test_controls_are_shown(sign, shown):
    """C0 and C1."""
    assert clean(f"a{sign}b") == f"a{shown}b"


def test_other_scripts_stay_as_they_are():
    """Arabic, Hebrew and emoji need no such signs to be read."""
    text = "שלום مرحبا 👩‍👩‍👧 ünïcödé"
    assert line(text) == text


EVIL = "\u202eevil\u2066\u200f\x9b"


@pytest.fixture
def bank(cog, begun):
    """Texts, speakers, tags and a namespace that steer."""
    begun(
        ("remember", f"I moved to Lisbon {EVIL}", "--speaker", f"An\u202en{'a'}"),
        ("remember", f"I moved to Porto {EVIL}", "-n", "al\u202eice"),
    )
    return cog


@each_row_of("cli_controls/none_of_them_reaches_the_terminal")
@each_row("columns", ["50", "140"])
def test_none_of_them_reaches_the_terminal(bank, arguments, columns):
    """In tables and lists, errors and JSON."""
    done = bank(*arguments, env={"COLUMNS": columns})
    assert [
        hex(ord(sign)) for sign in done.output if ord(sign) in BIDI or 0x7F <= ord(sign) < 0xA0
    ] == []


def test_json_gives_back_what_was_said(bank):
    """Escaped, not lost."""
    done = bank("list", "--json")
    assert json.loads(done.stdout)["memories"][0]["content"] == f"I moved to Lisbon {EVIL}"
    assert "\\u202eevil\\u2066\\u200f\\u009b" in done.stdout


def test_every_command_has_examples_that_it_would_take() -> None:
    """Below its help; each names the command, and options that it has. Other names are the same command."""
    root = typer.main.get_command(app)
    for key, examples in EXAMPLES.items():
        found: Any = root
        for name in key.split():
            found = found.commands[name]
        assert examples
        for example in examples:
            (call,) = (part for part in example.split(" | ") if part.startswith("cogm "))
            words = shlex.split(call)[1 + len(key.split()) :]
            assert call.startswith(f"cogm {key}")
            found.make_context(key, words, resilient_parsing=False)
    for key, names in ALIASES.items():
        for name in names:
            alias: Any = root.commands[name]  # type: ignore[attr-defined]
            command: Any = root.commands[key]  # type: ignore[attr-defined]
            assert (alias.help, alias.epilog) == (command.help, command.epilog)
            assert [item.name for item in alias.params] == [item.name for item in command.params]
