"""A web server for tests that takes the messages of webhooks, or does not."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from socketserver import TCPServer
from typing import Any


@dataclass
class HookReceiver:
    """Answers with `answers`, one after the other, then with 204; `received` are the headers and bodies it got."""

    answers: list[int] = field(default_factory=list)
    received: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    port: int = 0
    pause: float = 0  # seconds between the bytes of an answer

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook?for=us"


@contextmanager
def hook_receiver() -> Iterator[HookReceiver]:
    known = HookReceiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            known.received.append((dict(self.headers), body))
            status = known.answers.pop(0) if known.answers else 204
            self.send_response(status)
            if status == 302:
                self.send_header("Location", known.address)
            self.end_headers()
            for _place in range(100 if known.pause else 0):  # a byte now and then
                try:
                    self.wfile.write(b".")
                except OSError:
                    return
                time.sleep(known.pause)

        def log_message(self, *args: Any) -> None:
            pass

    with listening(HTTPServer(("127.0.0.1", 0), Handler)) as known.port:
        yield known


@contextmanager
def listening(server: TCPServer) -> Iterator[int]:
    """Serves in a thread; the port."""
    thread = threading.Thread(target=server.serve_forever, args=[0.05], daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
