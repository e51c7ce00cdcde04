"""Where each name of the package lives; read by type checkers and by `__init__.py`."""

from .exporter import export_file as export_file
from .importer import import_file as import_file
from .opened import TEXTS as TEXTS
from .opened import Document as Document
from .opened import documents as documents
from .places import Place as Place
from .places import Stream as Stream
from .vault import export_vault as export_vault
