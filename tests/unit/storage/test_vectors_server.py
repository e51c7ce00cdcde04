"""The Chroma index on a server."""

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from cogmem_core.config import StorageConfig
from cogmem_core.errors import ConfigError
from cogmem_core.storage.vectors.chroma.index import ChromaIndex, Prepared
from unit.helpers.toy_vectors import MemoryStore, ids, put, vector


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StorageConfig]:
    program = Path(sys.executable).with_name("chroma")
    if not program.exists():
        pytest.skip("the chroma program is not installed beside this interpreter")
    port = free_port()
    command = [
        program,
        "run",
        "--path",
        tmp_path_factory.mktemp("server"),
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
    ]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait_for(port, process)
        yield StorageConfig(chroma_url=f"http://127.0.0.1:{port}")
        process.kill()


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(400):
        assert process.poll() is None, "the server stopped"
        with socket.socket() as probe:
            probe.settimeout(0.05)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        threading.Event().wait(0.05)
    pytest.fail("the server did not start")


def test_a_server_is_picked_up_where_it_was_left_even_after_a_crash(server: StorageConfig) -> None:
    """The server journals by itself; a generation that another worker replaced is not found, and not brought back."""
    store = MemoryStore()
    first, late, second = (
        ChromaIndex(None, store, "toy", 2, server, bank="crash") for _ in range(3)
    )
    first.prepare()
    first.apply("alice", [put("a", 1, 0)])
    first.checkpoint({"alice": 1})
    assert late.prepare() == Prepared(False, "", {"alice": 1}, 1)
    late.mark_ready()

    assert second.prepare() == Prepared(False, "", {"alice": 1}, 1)
    assert ids(late.search("alice", vector(1, 0), 5)) == ["a"]
    second.restart()
    late.close()
    assert store.state is not None
    assert store.state.number == 2
    second.close()
    first.close()


def test_a_server_needs_the_banks_name(server: StorageConfig) -> None:
    """Without it two banks would delete each other's collections."""
    with pytest.raises(ConfigError, match="bank's name"):
        ChromaIndex(None, MemoryStore(), "toy", 2, server)
