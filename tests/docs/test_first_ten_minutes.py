"""The README's first ten minutes, played from a fresh clone in an environment that holds nothing."""

import os
import re
import subprocess
import venv
from pathlib import Path

import platformdirs
import pytest

from helpers.loopback_llm import LoopbackServer, Reply

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
LEFT_OUT = ("COGMEM_", "COLUMNS", "OPENAI_", "PYTHON", "VIRTUAL_ENV", "XDG_")
STEP = re.compile(
    r"^```(?P<language>console|python)\n(?P<block>.*?)^```|^`(?P<install>pip install [^`\n]*)`$",
    re.DOTALL | re.MULTILINE,
)


def played(clone: Path, environment: dict[str, str]) -> list[str]:
    """What each step prints, in the order of the page: its commands, its scripts, what is to be installed."""
    outputs = []
    for number, step in enumerate(STEP.finditer(README)):
        if step["language"] == "python":
            script = clone / f"step_{number}.py"
            script.write_text(step["block"], encoding="utf-8")
            commands = [f"python {script.name}"]
        elif step["language"] == "console":
            commands = [line.removeprefix("$ ") for line in step["block"].splitlines()]
        else:
            commands = [step["install"]]
        for command in commands:
            done = subprocess.run(
                command,
                shell=True,
                cwd=clone,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
            outputs.append(done.stdout)
    return outputs


@pytest.mark.thorough
def test_the_readme_works_from_the_first_line_to_the_last(tmp_path: Path) -> None:
    """Installed as it says, in the order in which it says it; the weights are those of this machine, if it has them."""
    clone = tmp_path / "cogmem"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    venv.create(clone / ".venv", with_pip=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(LEFT_OUT)}
    with LoopbackServer(default=Reply.text("You moved to Lisbon.")) as server:
        environment = {
            **kept,
            "PATH": f"{clone / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(tmp_path),
            "OPENAI_BASE_URL": server.address,
            "OPENAI_API_KEY": "none",
        }
        models = platformdirs.user_cache_path("cogmem-core") / "models"
        models = Path(os.environ.get("COGMEM_MODELS", models))
        if models.is_dir():
            environment["COGMEM_MODELS"] = str(models)
        installed, remembered, recalled, health, first, chat, *rest = played(clone, environment)
        asked = server.requests[0]["messages"][-1]["content"]
    assert "Successfully installed" in installed
    assert remembered.splitlines()[-1] == "2 turns: 2 stored"
    assert "I moved to Lisbon in May" in recalled.splitlines()[1]
    assert "memories\t2" in health.splitlines()
    assert first.splitlines()[0] == "I moved to Lisbon in May ('turn-1',)"
    assert "Successfully installed" in chat
    assert rest[0] == "You moved to Lisbon.\n"
    assert "I moved to Lisbon in May" in asked
    assert rest[2] == "You moved to Lisbon.\n"
    assert "I moved to Lisbon in May" in rest[4]
