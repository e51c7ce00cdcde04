"""What a bank on disk says about itself before it is opened: whether it is there, and which embedder wrote it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from cogmem_core.base.runtime import system_clock
from cogmem_core.config import Config
from cogmem_core.errors import EmbedderUnavailable
from cogmem_core.ports import Embedder, FloatArray
from cogmem_core.storage.ledger.ledger import LEDGER_FILE, Ledger

_HASHING = re.compile(r"hashing-v1-(?P<dimension>[0-9]+)")
_NAMED = re.compile(
    r"(?P<spec>(?:fastembed|litellm|ollama|openai|sentence-transformers):.+):[0-9]+"
)
_DEFAULT_DIMENSION = "384"


def spec_of(fingerprint: str) -> str | None:
    """What to pass as `embedder` for a fingerprint: `openai:m:1536` -> `openai:m`; None if it has no name.

    The engine compares fingerprints once more, so that another revision of a model is still
    refused.
    """
    if fingerprint.startswith("minilm-int8-"):
        return "minilm-int8"
    if fingerprint.startswith("minilm-"):
        return "minilm"
    if match := _HASHING.fullmatch(fingerprint):
        dimension = match["dimension"]
        return "hashing" if dimension == _DEFAULT_DIMENSION else f"hashing:{dimension}"
    match = _NAMED.fullmatch(fingerprint)
    return match["spec"] if match else None


class AbsentEmbedder:
    """Stands for an embedder of the user's own, which only their program has.

    What needs no vectors works (list, show, export, forget, and recall by words); what needs them
    says what to do.
    """

    def __init__(self, fingerprint: str, dimension: int) -> None:
        self.fingerprint = fingerprint
        self.dimension = dimension

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """Raises EmbedderUnavailable, always."""
        raise EmbedderUnavailable(
            f"the bank's embedder {self.fingerprint!r} is an object of your program, which the "
            "command line does not "
            f"have ({len(texts)} texts wait for it); open the bank from there, or re-embed it: "
            "cogm reindex --embedder NAME"
        )

    def embed_query(self, text: str) -> FloatArray:
        """Raises EmbedderUnavailable, always."""
        return self.embed_documents([text])


def bank_exists(folder: Path, config: Config) -> bool:
    """False if there is nothing yet.

    A folder or file of something else counts as there, opening it says what it is.
    """
    if config.storage.ledger_url:
        return True
    try:
        if not folder.is_dir():
            return folder.exists()
        return (folder / LEDGER_FILE).exists() or any(
            item.name != "cogmem.toml" for item in folder.iterdir()
        )
    except OSError:
        return True


def stored_embedder(folder: Path, config: Config, *, frozen: bool) -> str | Embedder | None:
    """The embedder that the bank was written with; None while it is empty.

    `frozen`: nobody may write to the folder, in which the ledger is.
    """
    own, copied = (None, folder) if frozen else (folder, None)
    ledger = Ledger(own, config.storage, system_clock, copy_of=copied)
    try:
        fingerprint = ledger.embedder()
        if fingerprint is None:
            return None
        spec = spec_of(fingerprint)
        if spec is not None:
            return spec
        with ledger.whole() as reader:
            return AbsentEmbedder(fingerprint, reader.embeddings.length(fingerprint) or 1)
    finally:
        ledger.close()
