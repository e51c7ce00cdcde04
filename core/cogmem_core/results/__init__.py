"""What the public methods return, readable without the engine: the public name of `cogmem_core.values.results`."""

from cogmem_core.values.results import *  # noqa: F403
from cogmem_core.values.results import __all__ as __all__
