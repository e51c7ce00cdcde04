"""What two statements mean to each other."""

from cogmem_core.text.compare.attributes import attribute_of

__all__ = ["attribute_of"]
