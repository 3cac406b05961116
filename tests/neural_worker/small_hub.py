"""A hub on this machine with the models of a folder, for huggingface_hub's own client."""

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class _Server(ThreadingHTTPServer):
    repositories: Mapping[str, Path]
    gated: str


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        self._answer(has_body=True)

    def do_HEAD(self) -> None:
        self._answer(has_body=False)

    def log_message(self, format: str, *args: object) -> None:
        """Silent."""

    def _answer(self, *, has_body: bool) -> None:
        path = unquote(urlsplit(self.path).path)
        if path.startswith("/api/models/"):
            name, _, revision = path.removeprefix("/api/models/").partition("/revision/")
            self._describe(name, revision or "main", has_body=has_body)
            return
        name, _, rest = path[1:].partition("/resolve/")
        content = (self.server.repositories[name] / rest.partition("/")[2]).read_bytes()
        etag = f'"{hashlib.sha256(content).hexdigest()}"'
        self._send(200, {"ETag": etag, "X-Repo-Commit": COMMIT}, content, has_body=has_body)

    def _describe(self, name: str, revision: str, *, has_body: bool) -> None:
        home = self.server.repositories.get(name)
        if name == self.server.gated:
            self._send(403, {"X-Error-Code": "GatedRepo"}, b"", has_body=has_body)
        elif home is None:
            self._send(404, {"X-Error-Code": "RepoNotFound"}, b"", has_body=has_body)
        elif revision not in ("main", COMMIT):
            self._send(404, {"X-Error-Code": "RevisionNotFound"}, b"", has_body=has_body)
        else:
            content = {"id": name, "sha": COMMIT, "siblings": _siblings(home), "tags": [], "private": False}
            self._send(200, {"Content-Type": "application/json"}, json.dumps(content).encode(), has_body=has_body)

    def _send(self, status: int, headers: Mapping[str, str], content: bytes, *, has_body: bool) -> None:
        self.send_response(status)
        for key, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(key, value)
        self.end_headers()
        if has_body:
            self.wfile.write(content)


def _siblings(home: Path) -> list[dict[str, object]]:
    files = [path for path in sorted(home.rglob("*")) if path.is_file()]
    return [{"rfilename": path.relative_to(home).as_posix(), "size": path.stat().st_size} for path in files]


@contextmanager
def small_hub(repositories: Mapping[str, Path], *, gated: str = "") -> Iterator[str]:
    """Its address. Every model has the branch `main` and one commit; `gated` is the name of one that it refuses."""
    with _Server(("127.0.0.1", 0), _Handler) as server:
        server.repositories, server.gated = repositories, gated
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
