"""A small S3 server: PUT (in parts as well), GET by ranges, HEAD, DELETE and lists, in memory, for the real client.

It knows no request that is not signed with its key. `python -m tests.object_store PORT` starts one to try things with.
"""

import hashlib
import re
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit
from xml.sax.saxutils import escape

from pytest_django import Settings

KEY, SECRET, BUCKET = "assay-tests", "not-a-secret", "files"
AT_ONCE = 3  # names in one answer, so that the client has to ask again
_RANGE = re.compile(r"bytes=(\d+)-(\d*)")


class ObjectStoreServer(ThreadingHTTPServer):
    """`objects` are contents and times by key; `requests` are methods and keys, in their order."""

    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.objects: dict[str, tuple[bytes, float]] = {}
        self.requests: list[tuple[str, str]] = []
        self.parts: dict[str, dict[int, bytes]] = {}
        self.numbers = count(1)

    @property
    def variables(self) -> dict[str, str]:
        """The settings of a site that uses it."""
        endpoint = f"http://127.0.0.1:{self.server_address[1]}"
        settings = {"BUCKET": BUCKET, "ENDPOINT": endpoint, "KEY": KEY, "SECRET": SECRET, "REGION": "here"}
        return {f"ASSAY_STORE_{name}": value for name, value in settings.items()}


class _Handler(BaseHTTPRequestHandler):
    server: ObjectStoreServer
    protocol_version = "HTTP/1.1"

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not self._is_ours():
            return
        tag = hashlib.md5(body, usedforsecurity=False).hexdigest()
        if upload := self.query.get("uploadId"):
            self.server.parts[upload][int(self.query["partNumber"])] = body
        else:
            self.server.objects[self.key] = (body, time.time())
        self._answer(200, headers={"ETag": f'"{tag}"'})

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not self._is_ours():
            return
        if upload := self.query.get("uploadId"):
            parts = self.server.parts.pop(upload)
            self.server.objects[self.key] = (b"".join(parts[number] for number in sorted(parts)), time.time())
            self._answer(200, '<CompleteMultipartUploadResult><ETag>"parts"</ETag></CompleteMultipartUploadResult>')
        else:
            upload = str(next(self.server.numbers))
            self.server.parts[upload] = {}
            started = f"<InitiateMultipartUploadResult><UploadId>{upload}</UploadId></InitiateMultipartUploadResult>"
            self._answer(200, started)

    def do_GET(self) -> None:
        if not self._is_ours():
            return
        if "list-type" in self.query or not self.key:
            self._answer(200, self._list())
            return
        if (found := self.server.objects.get(self.key)) is None:
            self._refuse(404, "NoSuchKey")
            return
        content, changed_at = found
        headers = {"ETag": '"tag"', "Last-Modified": formatdate(changed_at, usegmt=True)}
        if match := _RANGE.fullmatch(self.headers.get("Range", "")):
            start, end = int(match[1]), min(int(match[2] or len(content)) + 1, len(content))
            if start >= len(content):
                self._refuse(416, "InvalidRange")
                return
            headers["Content-Range"] = f"bytes {start}-{end - 1}/{len(content)}"
            self._answer(206, content[start:end], headers)
        else:
            self._answer(200, content, headers)

    do_HEAD = do_GET  # noqa: N815 - the name is that of the base class

    def do_DELETE(self) -> None:
        if self._is_ours():
            self.server.objects.pop(self.key, None)
            self._answer(204)

    def _is_ours(self) -> bool:
        """Whether the request is signed with our key and is for our bucket; others are answered."""
        address = urlsplit(self.path)
        bucket, _slash, key = unquote(address.path).removeprefix("/").partition("/")
        self.key = key
        self.query = {name: values[0] for name, values in parse_qs(address.query, keep_blank_values=True).items()}
        self.server.requests.append((self.command, self.key))
        if f"Credential={KEY}/" not in self.headers.get("Authorization", ""):
            self._refuse(403, "AccessDenied")
        elif bucket != BUCKET:
            self._refuse(404, "NoSuchBucket")
        else:
            return True
        return False

    def _list(self) -> str:
        prefix, after = self.query.get("prefix", ""), self.query.get("continuation-token", self.query.get("marker", ""))
        keys = sorted(key for key in self.server.objects if key.startswith(prefix) and key > after)
        shown, rest = keys[:AT_ONCE], keys[AT_ONCE:]
        entries = "".join(self._entry(key, *self.server.objects[key]) for key in shown)
        following = escape(quote(shown[-1])) if rest else ""
        more = f"<NextMarker>{following}</NextMarker><NextContinuationToken>{following}</NextContinuationToken>"
        truncated = f"<IsTruncated>{str(bool(rest)).lower()}</IsTruncated><EncodingType>url</EncodingType>"
        return f"<ListBucketResult>{truncated}{more if rest else ''}{entries}</ListBucketResult>"

    def _entry(self, key: str, content: bytes, changed_at: float) -> str:
        at = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(changed_at))
        fields = {"Key": escape(quote(key)), "Size": len(content), "LastModified": at}
        return f"<Contents>{''.join(f'<{name}>{value}</{name}>' for name, value in fields.items())}</Contents>"

    def _refuse(self, status: int, code: str) -> None:
        self._answer(status, f"<Error><Code>{code}</Code><Message>{code}</Message></Error>")

    def _answer(self, status: int, body: str | bytes = b"", headers: dict[str, str] | None = None) -> None:
        content = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        for name, value in {**(headers or {}), "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: tests look at `requests`."""


def use(server: ObjectStoreServer, settings: Settings, **changed: Any) -> None:
    """As settings.py does where ASSAY_STORE_BUCKET is set."""
    variables = server.variables
    options = {
        "bucket_name": variables["ASSAY_STORE_BUCKET"],
        "endpoint_url": variables["ASSAY_STORE_ENDPOINT"],
        "region_name": variables["ASSAY_STORE_REGION"],
        "access_key": KEY,
        "secret_key": SECRET,
        "addressing_style": "auto",
    } | changed
    stores = {
        place: {"BACKEND": "campaigns.object_store.ObjectStore", "OPTIONS": {**options, "location": f"assay/{place}"}}
        for place in ("media", "uploads")
    }
    settings.STORAGES = settings.STORAGES | stores


@contextmanager
def object_store(port: int = 0) -> Iterator[ObjectStoreServer]:
    with ObjectStoreServer(port) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()


if __name__ == "__main__":
    with ObjectStoreServer(int(sys.argv[1])) as lasting:
        sys.stdout.write("".join(f"{name}={value}\n" for name, value in lasting.variables.items()))
        sys.stdout.flush()
        lasting.serve_forever()
