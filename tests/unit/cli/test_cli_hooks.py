"""`cogm hooks`: what goes into an agent's files and out again to the byte, and what a hook answers."""

import json
import sys
from pathlib import Path

import pytest

from helpers.tables import each_row, each_row_of

CLAUDE = '{\n    "numStartups": 1.50,\n    "theme": "dark",\n    "mcpServers": {"files": {"command": "npx"}}}'
FILES = {
    "claude-code": (
        (".claude.json", CLAUDE),
        (
            ".claude/settings.json",
            '{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"date"}]}]}}',
        ),
    ),
    "codex": (
        (
            ".codex/config.toml",
            '# mine\r\nmodel = "gpt"\r\n\r\n[mcp_servers.files]\r\ncommand = "npx"',
        ),
        (".codex/hooks.json", ""),
    ),
    "cursor": (
        (".cursor/mcp.json", '{"mcpServers": {}}\n\n'),
        (".cursor/hooks.json", '\t{"version": 1, "hooks": {"stop": [{"command": "ü"}]}}\n'),
    ),
    "vscode": ((".config/Code/User/mcp.json", '{"servers": {"files": {"command": "npx"}}}'),),
}


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty home folder."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    return home


def written(home: Path, agent: str) -> dict[Path, bytes]:
    """Files as an agent left them."""
    contents = {}
    for name, text in FILES[agent]:
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        contents[path] = text.encode()
    return contents


@each_row("agent", list(FILES))
def test_uninstalling_leaves_every_byte_as_it_was(cog, home, agent):
    """Also after installing twice, and where a file was not there: then it goes again."""
    contents = written(home, agent)
    for _ in range(2):
        assert cog("hooks", "install", agent, "-n", "work").exit_code == 0
    assert all(path.read_bytes() != content for path, content in contents.items())
    assert cog("hooks", "uninstall", agent).exit_code == 0
    assert {path: path.read_bytes() for path in contents} == contents

    for path in contents:
        path.unlink()
    assert cog("hooks", "install", agent).exit_code == 0
    assert all(path.exists() for path in contents)
    assert cog("hooks", "uninstall", agent).exit_code == 0
    assert not any(path.exists() for path in contents)
    assert "nothing is installed there" in cog("hooks", "uninstall", agent).stdout


def test_what_is_written(cog, home, folder):
    """The server with the bank's folder and namespace, beside what is there; the hook likewise."""
    written(home, "claude-code")
    written(home, "codex")
    for agent in ("claude-code", "codex"):
        assert cog("hooks", "install", agent, "-n", "my work").exit_code == 0
    options = ["--path", str(folder), "--namespace", "my work"]
    servers = json.loads((home / ".claude.json").read_text())["mcpServers"]
    assert servers == {
        "files": {"command": "npx"},
        "cogmem": {
            "type": "stdio",
            "command": sys.executable,
            "args": ["-m", "cogmem_core", "mcp", *options],
        },
    }
    other, own = json.loads((home / ".claude/settings.json").read_text())["hooks"][
        "UserPromptSubmit"
    ]
    assert other == {"hooks": [{"type": "command", "command": "date"}]}
    assert own["hooks"][0]["command"] == (
        f"{sys.executable} -m cogmem_core hooks run claude-code --path {folder} --namespace 'my work'"
    )
    table = (home / ".codex/config.toml").read_bytes().decode()
    assert table.startswith('# mine\r\nmodel = "gpt"\r\n')
    assert f'[mcp_servers.cogmem]\r\ncommand = "{sys.executable}"\r\n' in table


@each_row("agent", list(FILES))
def test_what_others_change_meanwhile_stays(cog, home, agent):
    """Then only what was added goes."""
    files = list(written(home, agent))
    assert cog("hooks", "install", agent).exit_code == 0
    for path in files:
        text = path.read_text()
        more = 'other = "yes"\n' + text if path.suffix == ".toml" else text
        if path.suffix == ".json":
            more = json.dumps({"other": "yes", **json.loads(text)})
        path.write_text(more)
    assert cog("hooks", "uninstall", agent).exit_code == 0
    for path in files:
        assert "other" in path.read_text()
        assert "cogmem" not in path.read_text()


@each_row_of("cli_hooks/a_file_that_is_not_as_expected_is_left_alone")
def test_a_file_that_is_not_as_expected_is_left_alone(cog, home, *, agent, name, text):
    """A typed error that names it; neither file is changed, and there is nothing to uninstall."""
    contents = written(home, agent)
    (home / name).write_text(text)
    contents[home / name] = text.encode()
    done = cog("hooks", "install", agent, "--json")
    assert done.exit_code == 2
    error = json.loads(done.stderr)["error"]
    assert error["type"] == "ConfigError"
    assert str(home / name) in error["message"]
    assert "nothing was changed" in error["message"]
    assert {path: path.read_bytes() for path in contents} == contents
    assert cog("hooks", "uninstall", agent, "--json").exit_code == 0
    assert {path: path.read_bytes() for path in contents} == contents


def test_a_dry_run_shows_the_difference(cog, home, tmp_path):
    """As `diff -u` writes it; a project's files are found in its folder."""
    written(home, "cursor")
    shown = cog("hooks", "install", "cursor", "--dry-run").stdout
    assert f"+++ {home}/.cursor/mcp.json" in shown
    assert '+    "cogmem": {' in shown
    assert (home / ".cursor/mcp.json").read_text() == '{"mcpServers": {}}\n\n'
    assert cog("hooks", "install", "claude-code", "--project", tmp_path).exit_code == 0
    assert "cogmem" in (tmp_path / ".mcp.json").read_text()


def test_a_hook_recalls_and_remembers(cog, ask):
    """What is known goes into the prompt as fenced data; what is said is remembered, in its session."""
    first = {
        "hook_event_name": "UserPromptSubmit",
        "session_id": "s1",
        "prompt": "I use tabs in Makefiles",
    }
    assert cog("hooks", "run", "codex", stdin=json.dumps(first)).stdout == ""
    second = {**first, "session_id": "s2", "prompt": "What do I use in Makefiles?"}
    output = json.loads(cog("hooks", "run", "claude-code", stdin=json.dumps(second)).stdout)
    assert output["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"
    block = output["hookSpecificOutput"]["additionalContext"]
    assert block.startswith("<memories>")
    assert "I use tabs in Makefiles" in block
    listed = ask("list")["memories"]
    assert [memory["content"] for memory in listed] == ["I use tabs in Makefiles"]
    assert json.loads(cog("hooks", "run", "cursor", stdin=json.dumps(second)).stdout) == {
        "continue": True
    }


def test_an_incognito_session_leaves_no_byte(cog, home, folder, ask):
    """Recall goes on; the state is an empty file named by a digest; another session, and this one later, is kept."""

    def say(prompt, session="secret-session"):
        event = {"hook_event_name": "UserPromptSubmit", "session_id": session, "prompt": prompt}
        return cog("hooks", "run", "codex", stdin=json.dumps(event)).stdout

    say("I use tabs in Makefiles", "monday")
    assert "Incognito is on" in say("/incognito")
    assert "I use tabs in Makefiles" in say("What do I use in Makefiles, and what of zorblatt?")
    say("I like mint tea", "tuesday")
    files = [path for place in (folder, home) for path in place.rglob("*") if path.is_file()]
    content = b"".join(path.read_bytes() for path in files)
    assert [word for word in (b"zorblatt", b"secret-session") if word in content] == []
    assert "Incognito is off" in say("/incognito off")
    say("I collect stamps")
    kept = [memory["content"] for memory in ask("list")["memories"]]
    assert kept == ["I collect stamps", "I like mint tea", "I use tabs in Makefiles"]


@each_row(
    "stdin", ["", "{", "[]", '{"prompt": 3}', '{"prompt": " "}', "{}", '{"prompt": "\\ud800"}']
)
def test_a_hook_never_fails(cog, stdin):
    """Whatever the agent sends: an exit code would keep the person from going on."""
    assert cog("hooks", "run", "codex", stdin=stdin).exit_code == 0
    cursor = cog("hooks", "run", "cursor", stdin=stdin)
    assert (cursor.exit_code, json.loads(cursor.stdout)) == (0, {"continue": True})
