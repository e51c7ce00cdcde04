"""Taking memories out of a bank and into another: JSON Lines, complete with vectors and history."""

from cogmem.transfer.reading import import_file
from cogmem.transfer.writing import export_file

__all__ = ["export_file", "import_file"]
