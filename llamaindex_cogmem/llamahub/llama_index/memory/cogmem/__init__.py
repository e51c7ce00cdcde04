"""`llamaindex_cogmem` under the name that LlamaIndex's integrations have: the same classes, nothing else."""

from llamaindex_cogmem import *  # noqa: F403
from llamaindex_cogmem import __all__ as __all__
