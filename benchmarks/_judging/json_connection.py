"""JSON over one connection that stays open."""

import http.client
import json
from collections.abc import Mapping
from typing import Any

from benchmarks._judging.contestant import BenchmarkFailed

PATIENCE = 60.0


class Connection:
    def __init__(self, port: int, headers: Mapping[str, str] | None = None) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._headers = {"Content-Type": "application/json", "Accept": "application/json", **(headers or {})}

    def ask(self, method: str, path: str, body: object = None, *, expected: int = 200) -> Any:
        text = None if body is None else json.dumps(body).encode()
        try:
            self._connection.request(method, path, text, self._headers)
            response = self._connection.getresponse()
            answer = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise BenchmarkFailed(f"{method} {path}: no answer ({error!r})") from error
        if response.status != expected:
            raise BenchmarkFailed(f"{method} {path}: {response.status} instead of {expected}: {answer[:500]!r}")
        return json.loads(answer)

    def close(self) -> None:
        self._connection.close()
