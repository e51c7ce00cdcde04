"""Taking memories out of a bank and into another, as JSON Lines with vectors and history; and what other tools keep."""

from cogmem.transfer.foreign import FOREIGN, read_foreign
from cogmem.transfer.reading import import_file
from cogmem.transfer.writing import export_file

__all__ = ["FOREIGN", "export_file", "import_file", "read_foreign"]
