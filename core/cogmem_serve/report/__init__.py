"""A namespace on one page: a file that any browser shows, without a script, a server or the network."""

from cogmem_serve.report.page import report_page

__all__ = ["report_page"]
