"""The part of an engine that examines its bank."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cogmem_core import checks
from cogmem_core.async_twin import async_twin
from cogmem_core.engine.factory import CHROMA_FOLDER
from cogmem_core.engine.worker import Worker
from cogmem_core.health.doctor import Patient, examine
from cogmem_core.results import Diagnosis
from cogmem_core.services import Services
from cogmem_core.storage.vectors.follower import ChromaFollower

__all__ = ["Maintenance"]


class Maintenance:
    """Mixed into `Engine`."""

    folder: Path | None
    services: Services
    follower: ChromaFollower
    worker: Worker
    check_open: Callable[[], None]

    def doctor(self, repair: bool = False) -> Diagnosis:
        """Look for everything that can be wrong with the bank, and tell it in plain sentences.

        All of the ledger is read, and the vector index is compared with it, vector by vector: on a large bank this
        takes minutes. What a running engine finishes by itself (turns that wait, erasures, the index's lag) is a
        finding if it is not finished now.

        Args:
            repair: repair what can be repaired. No memory is deleted, and nothing is embedded anew except what carries
                a vector of another embedder.

        Raises:
            InvalidInput: `repair` is no flag.
            BankClosed: the engine is closed.
            StoreError: the ledger cannot be read.
        """
        self.check_open()
        checks.flag("repair", repair)
        embedded = self.folder is not None and self.services.config.storage.chroma_url is None
        indexes = self.folder / CHROMA_FOLDER if self.folder is not None and embedded else None
        with self.services.log_operation("doctor", repair=repair) as note:
            found = examine(Patient(self.services, self.follower, self.folder, indexes), repair=repair)
            note |= {"findings": [finding.kind for finding in found.findings] or None}
        return found

    adoctor = async_twin(doctor)
