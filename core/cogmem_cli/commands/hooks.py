"""The commands `hooks install` and `hooks uninstall`, and `hooks run`, which an agent calls."""

from __future__ import annotations

import json
import re
import sys
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import platformdirs
import typer
from rich.text import Text

from cogmem_cli.agent_files import Change, Launch
from cogmem_cli.agent_files import install as install_files
from cogmem_cli.agent_files import uninstall as uninstall_files
from cogmem_cli.shell import Shell
from cogmem_cli.values import clean
from cogmem_core.base.digests import text_digest
from cogmem_core.base.fail_open import LogAndContinue
from cogmem_core.text.broken import readable

_MEMORIES = 5
_CHARACTERS = 4_000
"""Of a prompt that is searched for: the end of what was pasted tells more than all of it."""
_SWITCH = re.compile(r"/incognito\b\s*(off\b)?", re.IGNORECASE)
"""A prompt that begins so turns incognito on, or off, for its session."""
_ON = (
    "Incognito is on: nothing of this session is remembered, until a prompt says /incognito off. Call no tool that "
    "remembers."
)
_OFF = "Incognito is off: what is said from now on is remembered."


class Agent(str, Enum):
    """The coding agents whose files are known."""

    claude_code = "claude-code"
    codex = "codex"
    cursor = "cursor"
    vscode = "vscode"


Named = Annotated[Agent, typer.Argument(metavar="|".join(Agent), help="The agent.")]
Project = Annotated[
    Path | None,
    typer.Option(help="The folder of a project: its files. Default: the user's own files."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would change; change nothing.")]


def hooks_install(
    shell: Shell, agent: Named, *, project: Project = None, dry_run: DryRun = False
) -> None:
    """Write the MCP server, and a hook that recalls and remembers at each prompt, into an agent's files.

    The namespace and the folder of the bank are written with it. A file that is broken is left alone. VS Code gets the
    server only: there the model has to call `recall`.
    """
    options = ["--path", str(shell.folder.absolute()), "--namespace", shell.namespace]
    if shell.embedder is not None:
        options += ["--embedder", shell.embedder]
    launch = Launch(tuple(options))
    changes = install_files(agent.value, launch, project=project, dry_run=dry_run)
    _show(shell, changes, "written", dry_run=dry_run)


def hooks_uninstall(
    shell: Shell, agent: Named, *, project: Project = None, dry_run: DryRun = False
) -> None:
    """Take out what `hooks install` wrote; a file that nobody changed since is as before, to the byte."""
    changes = uninstall_files(agent.value, project=project, dry_run=dry_run)
    _show(shell, changes, "restored", dry_run=dry_run)


def _show(shell: Shell, changes: list[Change], done: str, *, dry_run: bool) -> None:
    answer = {
        "dry_run": dry_run,
        "files": [{"path": str(change.path), "diff": change.diff()} for change in changes],
    }
    if not changes:
        shell.show(answer, "nothing is installed there")
        return
    lines = [change.diff() if dry_run else f"{done}: {change.path}" for change in changes]
    shell.show(answer, Text(clean("\n".join(lines).rstrip())))


def hooks_run(shell: Shell, agent: Named) -> None:
    """Answer a hook of an agent, whose event is read as JSON from standard input. It never fails.

    What the user says is remembered; what is known of it goes into the prompt, where the agent takes that. From a
    prompt `/incognito` on, until `/incognito off`, nothing of the session is remembered.
    """
    nothing: dict[str, Any] = {"continue": True} if agent is Agent.cursor else {}
    answer = nothing
    with LogAndContinue()("a hook"):
        event = json.loads(sys.stdin.buffer.read())
        prompt = readable(event["prompt"]).strip()
        session = event.get("session_id") or event.get("conversation_id")
        if prompt:
            if _SWITCH.match(prompt):  # if that fails, nobody is to believe that it was done
                answer = {
                    "continue": False,
                    "decision": "block",
                    "reason": "incognito stays as it was",
                }
            block = _answered(shell, prompt, session)
            answer = nothing
            if block and agent is not Agent.cursor:
                output = {"hookEventName": event["hook_event_name"], "additionalContext": block}
                answer = {"hookSpecificOutput": output}
    if answer:
        typer.echo(json.dumps(answer))


def _answered(shell: Shell, prompt: str, session: str | None) -> str:
    """What goes into the prompt; all that is kept of an incognito session is a file named by digests."""
    identity = "\0".join((str(shell.folder.absolute()), shell.namespace, session or ""))
    folder = platformdirs.user_state_path("cogmem-core", appauthor=False) / "hooks" / "incognito"
    mark = folder / text_digest(identity, 24)
    told = _SWITCH.match(prompt)
    if told is not None and told[1]:
        mark.unlink(missing_ok=True)
        return _OFF
    if told is not None:
        folder.mkdir(parents=True, exist_ok=True)
        mark.touch(mode=0o600)
        prompt = prompt[told.end() :].strip()
    incognito = mark.exists()
    said = [_ON] if incognito else []
    if prompt:
        said.append(_recalled_and_remembered(shell, prompt, session, incognito=incognito))
    return "\n".join(filter(None, said))


def _recalled_and_remembered(
    shell: Shell, prompt: str, session: str | None, *, incognito: bool
) -> str:
    from cogmem_core.adapters.shown_once import shown_once

    with shell.bank(create=True) as keeping:
        bank = keeping.incognito(incognito)
        query = prompt[-_CHARACTERS:]
        # No deadline: the process loads its model first, and what is remembered waits for it anyway;
        # where that takes too long (`embedding.query_seconds`), words alone answer.
        recall = bank.recall(query, k=_MEMORIES, session_id=session)
        block = shown_once(bank, recall)[1].text
        receipts = bank.remember(prompt, session_id=session).receipts
    wishes = [
        f"What the user wants forgotten: {each.status} ({each.reason})"
        for each in receipts
        if each.status == "forgotten" or each.reason == "which?"
    ]
    return "\n".join(filter(None, [*wishes, block]))


COMMANDS = (hooks_install, hooks_uninstall, hooks_run)
GROUP = "Let a coding agent use the bank: its MCP server and its hooks."
