"""Hard forgetting: what an erasure takes in, and the job that carries it out."""

from cogmem_core.erasure.job import erase, finish_pending

__all__ = ["erase", "finish_pending"]
