"""The command `cogm` as a process: start-up, pipes, terminals, signals."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import cogmem_core

CLEAR = ("COGMEM_PATH", "COGMEM_NAMESPACE", "COGMEM_CONFIG", "FORCE_COLOR", "COLUMNS")
POSIX = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals and terminals")


@pytest.fixture
def environment(tmp_path):
    kept = {name: value for name, value in os.environ.items() if name not in CLEAR}
    return {
        **kept,
        "COGMEM_PATH": str(tmp_path / "brain"),
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }


@pytest.fixture
def cogm(environment, scripts, tmp_path):
    """Runs the command in a process that has imported it already, after lines of Python."""

    def run(*arguments, first="pass"):
        code = f"import os, sys\n{first}\nfrom cogmem_cli.main import run; run()"
        return scripts.run(code, tmp_path, environment, arguments)

    return run


def told(environment, text):
    """Keep a text, in this process."""
    with cogmem_core.open(environment["COGMEM_PATH"], embedder="hashing") as engine:
        engine.bank("default").remember(text, mode="raw")


def kept(environment):
    """The memories that are there."""
    with cogmem_core.open(environment["COGMEM_PATH"], embedder="hashing") as engine:
        return list(engine.bank("default").list())


def test_start_is_light(environment):
    """Neither the help nor an engine needs Chroma, the tokenizers or a model before they are used."""
    code = (
        "import sys, cogmem_cli.main, cogmem_core.engine\n"
        "heavy = {'chromadb', 'tokenizers', 'safetensors', 'openai', 'onnxruntime', 'torch'}\n"
        "sys.stdout.write(' '.join(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env=environment, check=False
    )
    assert (done.returncode, done.stdout) == (0, b"")


def test_a_second_process_recalls(cogm):
    """What one process remembered, the next one recalls; text in a pipe is UTF-8 without colours."""
    assert cogm("remember", "Deniz 11 Haziran'da doğdu 🎉", "--embedder", "hashing").code == 0
    done = cogm("recall", "doğdu")
    assert "Deniz 11 Haziran'da doğdu 🎉" in done.out
    assert "\x1b" not in done.out


def test_ascii_terminal(cogm, environment):
    """Where only ASCII can be shown, nothing fails: tables get question marks."""
    told(environment, "doğdu 🎉")
    done = cogm("list", first="sys.stdout.reconfigure(encoding='ascii')")
    assert (done.code, "do?du ?" in done.out) == (0, True)


@POSIX
def test_closed_standard_input(cogm):
    """A closed standard input is a usage error."""
    closed = "os.close(0); sys.stdin = None"
    done = cogm("remember", "-", "--embedder", "hashing", first=closed)
    assert (done.code, "standard input is closed" in done.err) == (2, True)


@POSIX
def test_interrupt(environment):
    """Ctrl-C ends with 130 and without a traceback."""
    command = [sys.executable, "-c", STARTED, "remember", "-", "--embedder", "hashing"]
    # Our end of its input stays open, so that it waits until it is interrupted.
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    running = subprocess.Popen(command, **pipes, env=environment)
    assert running.stdout is not None
    assert running.stdout.readline() == b"ready\n"
    running.send_signal(signal.SIGINT)
    _, stderr = running.communicate(timeout=120)
    assert (running.returncode, b"Traceback" in stderr) == (130, False)


# Says "ready" when the command asks for its input. Tests that run in the background are deaf to Ctrl-C, and so would be
# their children.
STARTED = """
import io, signal, sys
from cogmem_cli.main import run

signal.signal(signal.SIGINT, signal.default_int_handler)

class Announcing(io.BufferedReader):
    def read(self, size=-1):
        print("ready", flush=True)
        return super().read(size)

sys.stdin = io.TextIOWrapper(Announcing(sys.stdin.buffer.detach()))
run()
"""


@POSIX
def test_reader_that_leaves(environment):
    """`cogm list | head` is not an error message."""
    told(environment, "x " * 50_000)
    listing = [sys.executable, "-m", "cogmem_core", "list", "--json"]
    running = subprocess.Popen(
        listing, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    assert running.stdout is not None
    running.stdout.read(10)
    running.stdout.close()
    assert running.stderr is not None
    assert running.stderr.read() == b""
    running.stderr.close()
    running.wait(timeout=120)


# Runs a command on a terminal, in a child of its own, and types an answer; tells what was shown and the exit code.
TYPED = """
import json, os, pty, select, signal, sys
from cogmem_cli.main import run

answer, *sys.argv[1:] = sys.argv[1:]
child, terminal = pty.fork()
if child == 0:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    run()
shown = b""
while True:
    ready = select.select([terminal], [], [], 0.3)[0]
    try:
        shown += os.read(terminal, 4096) if ready else b""
    except OSError:  # the command has ended
        break
    # Until something follows the prompt: a key that comes just before it sets up the terminal is lost, and a second
    # Ctrl-C while the command ends would kill it.
    if b"[y/N]" in shown and not shown.rpartition(b"[y/N]")[2].strip(b" :") and not ready:
        os.write(terminal, answer.encode())
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
print(json.dumps([shown.decode(), code]))
"""


@pytest.fixture
def typed(environment, scripts, tmp_path):
    """What a command shows on a terminal where an answer is typed, and its exit code."""

    def run(answer, *arguments):
        return json.loads(scripts.run(TYPED, tmp_path, environment, [answer, *arguments]).out)

    return run


@POSIX
def test_question(environment, typed):
    """On a terminal, forgetting shows what it is about to take and asks; no means nothing happens, exit 1."""
    told(environment, "a cat called Pamuk")
    shown, code = typed("n\n", "forget", "Pamuk", "--hard")
    assert ("a cat called Pamuk" in shown, "Erase for good 1 memory?" in shown, code) == (
        True,
        True,
        1,
    )
    assert "nothing was forgotten" in shown
    shown, code = typed("y\n", "forget", "Pamuk")
    assert ("forgot 1 memory" in shown, code) == (True, 0)
    assert kept(environment) == []


@POSIX
@pytest.mark.parametrize(("key", "expected"), [("\x03", 130), ("\x04", 1)])
def test_no_answer(environment, typed, key, expected):
    """Ctrl-C at the question is 130, the end of the input is a no; nothing is forgotten."""
    told(environment, "a cat called Pamuk")
    shown, code = typed(key, "forget", "Pamuk")
    assert (code, "Traceback" in shown) == (expected, False)
    assert len(kept(environment)) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="the folder for data is told by XDG_DATA_HOME")
def test_a_bank_where_version_0_1_kept_it_is_found_said_and_opened(
    tmp_path: Path, cogm, environment
) -> None:
    """Nobody names a folder: the new place if there is a bank or none at all, else the old one."""
    del environment["COGMEM_PATH"]
    environment |= {
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "COGMEM_EMBEDDER": "hashing",
    }
    assert cogm("remember", "I live in Lisbon", "--path", str(tmp_path / ".cogmem")).code == 0
    found = cogm("recall", "where do I live?")
    assert "I live in Lisbon" in found.out
    assert f"this bank is in {tmp_path}/.cogmem, where version 0.1 kept it" in found.err.replace(
        "\n", " "
    )
    (tmp_path / "data").mkdir(exist_ok=True)
    (tmp_path / ".cogmem").rename(tmp_path / "data" / "cogmem-core")
    moved = cogm("recall", "where do I live?")
    assert ("I live in Lisbon" in moved.out, moved.err) == (True, "")


def test_piped_tables_are_lines_with_tabs(cogm, environment):
    """One line per row, however long; the heading comes first."""
    text = "Deniz lives in Lisbon " * 30
    told(environment, text)
    heading, row = cogm("list").out.splitlines()
    assert heading.split("\t") == ["id", "said", "kind", "memory"]
    assert row.split("\t")[3] == text.strip()


def test_times_are_those_of_this_place_and_say_so(cogm, environment):
    """What was said late in the evening in UTC was said on the next day in Tokyo."""
    environment["TZ"] = "Asia/Tokyo"
    late = ("--at", "2026-03-01T20:00:00Z", "--embedder", "hashing")
    cogm("remember", "Deniz lives in Lisbon", *late)
    assert "2026-03-02\t" in cogm("list").out
    cogm("intend", "call Deniz", "--at", "2099-03-01T20:00:00Z")
    shown = cogm("intentions")
    assert ("2099-03-02 05:00\t" in shown.out, shown.err) == (True, "times are those of JST\n")
    environment["COGMEM_ENCODING__TIMEZONE"] = "Europe/Istanbul"
    shown = cogm("intentions")
    assert "2099-03-01 23:00\t" in shown.out
    assert shown.err == "times are those of Europe/Istanbul\n"


# A model that comes late: meanwhile nothing else of the process goes on, as while large files are read under load.
LATE = """
import ctypes, io, sys
from cogmem_cli.main import run
from cogmem_core.embedders import weights

find = weights.fetch

def late(*arguments, **more):
    ctypes.PyDLL(None).usleep(2_500_000)
    return find(*arguments, **more)

weights.fetch = late
sys.stdin = io.TextIOWrapper(io.BytesIO(sys.argv.pop().encode()))
run()
"""


@POSIX
@pytest.mark.parametrize("seconds", ["10.0", "0.01"], ids=["the model", "words alone"])
def test_a_hook_answers_in_a_cold_process(environment, scripts, tmp_path, seconds):
    """It waits for its model, and where that takes too long words alone answer; what was said is kept."""
    with cogmem_core.open(environment["COGMEM_PATH"], embedder="minilm-int8") as engine:
        engine.bank("default").add("I use pnpm in all my projects")
    environment["COGMEM_EMBEDDING__QUERY_SECONDS"] = seconds
    event = {
        "hook_event_name": "UserPromptSubmit",
        "session_id": "s1",
        "prompt": "Which of npm and pnpm do I use? I live in Lisbon.",
    }
    done = scripts.run(
        LATE, tmp_path, environment, ["hooks", "run", "claude-code", json.dumps(event)]
    )
    assert (done.code, done.err) == (0, "")
    block = json.loads(done.out)["hookSpecificOutput"]["additionalContext"]
    assert "I use pnpm in all my projects" in block
    with cogmem_core.open(environment["COGMEM_PATH"], embedder="minilm-int8") as engine:
        assert any("Lisbon" in memory.content for memory in engine.bank("default").list())
