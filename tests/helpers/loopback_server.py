"""A web server of a test's own, on the loopback address."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

__all__ = ["LoopbackServer"]


class LoopbackServer:
    """Serves from the moment it is made until `close`; `address` begins with http://."""

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}
        )
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        """Stop, and wait until the thread has ended."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
