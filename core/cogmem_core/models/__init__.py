"""Records: memories, turns, relations and what else a bank keeps: the public name of `cogmem_core.values.models`."""

from cogmem_core.values.models import *  # noqa: F403
from cogmem_core.values.models import __all__ as __all__
