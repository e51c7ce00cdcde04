"""Taking memories out of a bank and into another, as JSON Lines with vectors and history.

And what other tools keep.
"""

from cogmem_core.transfer.documents import Document, documents
from cogmem_core.transfer.exporter import export_file
from cogmem_core.transfer.importer import import_file
from cogmem_core.transfer.places import Place, Stream

__all__ = ["Document", "Place", "Stream", "documents", "export_file", "import_file"]
