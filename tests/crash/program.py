"""An annotator's program: one token, one connection that is kept, and an answer or none."""

import http.client
import json
import time
from typing import Any
from urllib.parse import urlsplit

PAUSE = 0.05


class NoAnswer(Exception):
    """Nobody can tell whether what was asked has been done."""


class Program:
    """With patience it asks again for so many seconds, as a page does, when no answer or one of 500 and above came."""

    def __init__(self, site: str, token: str, *, patience: float = 0.0) -> None:
        self._address = urlsplit(site)
        self._headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
        self._patience = patience
        self._connection: http.client.HTTPConnection | None = None
        self.refusals: list[int] = []  # answers of 500 and above; 0 where none came

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        end = time.monotonic() + self._patience
        while True:
            try:
                status, answer = self._ask_once(method, path, body)
            except NoAnswer:
                self.refusals.append(0)
                if time.monotonic() >= end:
                    raise
            else:
                if status < 500:
                    return status, answer
                self.refusals.append(status)
                if time.monotonic() >= end:
                    return status, answer
            time.sleep(PAUSE)

    def _ask_once(self, method: str, path: str, body: object) -> tuple[int, Any]:
        text = None if body is None else json.dumps(body)
        if self._connection is None:
            self._connection = http.client.HTTPConnection(self._address.netloc, timeout=60)
        try:
            self._connection.request(method, f"/api/v1/{path}", text, self._headers)
            response = self._connection.getresponse()
            answer = response.read()
        except (OSError, http.client.HTTPException) as error:
            self.hang_up()
            raise NoAnswer(f"{method} {path}: {error!r}") from error
        is_json = response.headers.get_content_type() == "application/json"
        return response.status, json.loads(answer) if is_json and answer else None

    def hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
