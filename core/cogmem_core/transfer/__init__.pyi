"""Where each name of the package lives; read by type checkers and by `__init__.py`."""

from .documents import Document as Document
from .documents import documents as documents
from .exporter import export_file as export_file
from .importer import import_file as import_file
from .places import Place as Place
from .places import Stream as Stream
