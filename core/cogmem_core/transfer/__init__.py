"""Taking memories out of a bank and into another, as JSON Lines with vectors and history.

And what other tools keep.
"""

from cogmem_core.transfer.exporter import export_file
from cogmem_core.transfer.foreign import FOREIGN, read_foreign
from cogmem_core.transfer.importer import import_file
from cogmem_core.transfer.places import Place, Stream

__all__ = ["FOREIGN", "Place", "Stream", "export_file", "import_file", "read_foreign"]
