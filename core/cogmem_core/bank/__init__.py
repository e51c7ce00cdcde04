"""What users call on the memories of one namespace: `MemoryBank`, part by part; its documents, its sessions."""

from __future__ import annotations

from cogmem_core.bank.bank import MemoryBank

__all__ = ["MemoryBank"]
