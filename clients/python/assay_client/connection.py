"""Requests to a site, with Python's own library alone: JSON in and out, lists over all their pages, streamed files."""

import csv
import http.client
import io
import json
import shutil
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

AGAIN = (429, 503)
LONGEST_PAUSE = 60.0  # seconds


class AssayError(Exception):
    """A refusal. `errors` has messages by field where fields are wrong; `code` is a word for programs, or empty."""

    def __init__(self, status: int, detail: str, code: str = "", errors: Mapping[str, list[str]] | None = None) -> None:
        self.status, self.detail, self.code, self.errors = status, detail, code, dict(errors or {})
        fields = "; ".join(f"{name}: {' '.join(messages)}" for name, messages in self.errors.items())
        super().__init__(f"{status}: {fields or detail}")


class Download:
    """A file that is read while it is sent. Use it in a `with` block, or call `save` or `rows`, which close it."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self._response = response

    def __enter__(self) -> "Download":
        return self

    def __exit__(self, *error: object) -> None:
        self._response.close()

    def __iter__(self) -> Iterator[bytes]:
        while chunk := self._response.read(65_536):
            yield chunk

    def read(self) -> bytes:
        """All of it, in memory."""
        with self:
            return self._response.read()

    def save(self, path: str | Path) -> Path:
        """Stores it, and never holds more than a piece in memory."""
        with self, Path(path).open("wb") as stream:
            shutil.copyfileobj(self._response, stream)
        return Path(path)

    def rows(self) -> Iterator[dict[str, str]]:
        """The rows of a CSV file by the names of its columns, one after the other."""
        with self:
            yield from csv.DictReader(io.TextIOWrapper(self._response, encoding="utf-8-sig", newline=""))


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A token is sent to no other address than the one it was given for."""

    def redirect_request(self, *_args: Any, **_kwargs: Any) -> None:
        return None


class Connection:
    def __init__(self, address: str, token: str, *, timeout: float = 60.0, retries: int = 3) -> None:
        parts = urlsplit(address)
        if parts.scheme not in {"http", "https"} or not parts.netloc:
            message = f"{address!r} is not the address of a site. Write one such as https://assay.example.org."
            raise ValueError(message)
        self._site, self._token, self._timeout, self._retries = address.rstrip("/"), token, timeout, retries
        self._opener = urllib.request.build_opener(_NoRedirects)

    def _json(
        self, method: str, path: str, query: Mapping[str, Any], body: Any = None, *, is_once: bool = False
    ) -> Any:
        data = None if body is None else json.dumps(body).encode()
        with self._open(method, path, query, data, "application/json" if data else "", is_once=is_once) as response:
            return json.loads(response.read() or b"null")

    def _pages(self, path: str, query: Mapping[str, Any]) -> Iterator[Any]:
        """The rows of all pages; the next page is fetched when its first row is needed."""
        cursor: dict[str, Any] = {}
        while True:
            page = self._json("GET", path, {**query, **cursor})
            yield from page["results"]
            if page["next"] is None:
                return
            cursor = {"cursor": parse_qs(urlsplit(page["next"]).query)["cursor"][0]}

    def _file(self, path: str, query: Mapping[str, Any]) -> Download:
        return Download(self._open("GET", path, query, None, ""))

    def _form(
        self, method: str, path: str, query: Mapping[str, Any], fields: Mapping[str, Any], *, is_once: bool = False
    ) -> Any:
        """`fields` has values and, as `Path`, files; a list sends its name several times."""
        boundary = uuid.uuid4().hex
        data = b"".join(_parts(fields, boundary)) + f"--{boundary}--\r\n".encode()
        kind = f"multipart/form-data; boundary={boundary}"
        with self._open(method, path, query, data, kind, is_once=is_once) as response:
            return json.loads(response.read() or b"null")

    def _open(
        self, method: str, path: str, query: Mapping[str, Any], data: bytes | None, kind: str, *, is_once: bool = False
    ) -> http.client.HTTPResponse:
        sent = {name: value for name, value in query.items() if value is not None}
        address = f"{self._site}{path}" + (f"?{urlencode(sent, doseq=True)}" if sent else "")
        headers = {"Authorization": f"Token {self._token}"}
        headers |= {"Content-Type": kind} if kind else {}
        headers |= {"Idempotency-Key": str(uuid.uuid4())} if is_once else {}
        request = urllib.request.Request(address, data, headers, method=method)  # noqa: S310 - checked above
        for attempt in range(self._retries + 1):
            try:
                response: http.client.HTTPResponse = self._opener.open(request, timeout=self._timeout)
            except urllib.error.HTTPError as error:
                with error:
                    if error.code not in AGAIN or attempt == self._retries:
                        raise _refusal(error) from None
                    pause = error.headers.get("Retry-After", "")
                time.sleep(min(float(pause) if pause.isdecimal() else 1.0, LONGEST_PAUSE))
            else:
                return response
        raise AssertionError


def _parts(fields: Mapping[str, Any], boundary: str) -> Iterator[bytes]:
    for name, value in fields.items():
        for each in value if isinstance(value, list | tuple) else [value]:
            if each is None:
                continue
            about = f'--{boundary}\r\nContent-Disposition: form-data; name="{quote(name)}"'
            if isinstance(each, Path):
                yield f'{about}; filename="{quote(each.name)}"\r\n\r\n'.encode() + each.read_bytes() + b"\r\n"
            else:
                text = str(each).lower() if isinstance(each, bool) else str(each)
                yield f"{about}\r\n\r\n{text}\r\n".encode()


def _refusal(error: urllib.error.HTTPError) -> AssayError:
    try:
        body = json.loads(error.read())
    except ValueError:
        body = None
    if not isinstance(body, dict):
        return AssayError(error.code, error.reason)
    return AssayError(error.code, str(body.get("detail", error.reason)), body.get("code") or "", body.get("errors"))
