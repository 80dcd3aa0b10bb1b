"""Serves a page and its tables on the loopback interface, for results too large for one file."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from torusim.viewer.data import PageData
from torusim.viewer.page import page_of

HOST = "127.0.0.1"
"""Nobody on other hosts sees the page."""


@contextmanager
def serving(runs: Sequence[PageData], port: int = 0) -> Iterator[ThreadingHTTPServer]:
    """A server of the page of runs, at a port or at any that is free; its method `serve_forever` serves.

    Raises:
        OSError: If the port is in use.
    """
    files = {f"/{number}/{name}.parquet": data for number, run in enumerate(runs) for name, data in run.tables.items()}
    page = page_of(runs, lambda number, name, _data: {"url": f"{number}/{name}.parquet"})
    files["/"] = page.encode()
    with ThreadingHTTPServer((HOST, port), partial(_Handler, files)) as server:
        yield server


def address_of(server: ThreadingHTTPServer) -> str:
    """The address of the page."""
    return f"http://{HOST}:{server.server_address[1]}/"


class _Handler(BaseHTTPRequestHandler):
    """Answers with a file that is in memory."""

    def __init__(self, files: dict[str, bytes], *args: object) -> None:
        self._files = files
        super().__init__(*args)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        """Sends the file of the path, if this computer asks: a page of another site would give another host."""
        path = self.path.partition("?")[0]
        is_own = (self.headers.get("Host") or "").partition(":")[0] in (HOST, "localhost")
        content = self._files.get(path) if is_own else None
        if content is None:
            self.send_error(404)
            return
        self.send_response(200)
        kind = "text/html; charset=utf-8" if path == "/" else "application/octet-stream"
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_args: object) -> None:
        """Prints nothing: the caller knows the address."""
