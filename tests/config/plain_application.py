"""A small application behind the web server's worker: it says what arrived, and writes as much as it is asked for.

A request for `held/NAME` is answered when the file NAME.let_go is there; from NAME.held on, a thread serves it.
"""

import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

PIECE = b"x" * 65536


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    path, _slash, number = environ["PATH_INFO"][1:].partition("/")
    if "assay.body_waits" in environ:
        sender = [("Assay-Sender", environ.get("HTTP_X_SENDER", ""))]
        start_response("204 No Content" if path != "refused" else "403 Forbidden", sender)
        return _Closeable([])
    if path == "pieces":
        start_response("200 OK", [])
        return _pieces(int(number))
    if path == "held":
        _hold(Path(tempfile.gettempdir()) / number)
    body = environ["wsgi.input"].read()
    text = f"{environ['REQUEST_METHOD']} {path} {len(body)} {sum(body)} {threading.active_count()}".encode()
    start_response("200 OK", [("Content-Length", str(len(text)))])
    return [text]


def _hold(name: Path) -> None:
    name.with_suffix(".held").touch()
    while not name.with_suffix(".let_go").exists():
        time.sleep(0.02)


class _Closeable(list[bytes]):
    def close(self) -> None:
        pass


def _pieces(count: int) -> Iterator[bytes]:
    for _one in range(count):
        yield PIECE
