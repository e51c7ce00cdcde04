"""Where each name of the package lives; read by type checkers and by `__init__.py`."""

from .exporter import export_file as export_file
from .importer import import_file as import_file
from .places import TEXTS as TEXTS
from .places import Document as Document
from .places import Place as Place
from .places import Stream as Stream
from .places import documents as documents
from .vault import export_vault as export_vault
