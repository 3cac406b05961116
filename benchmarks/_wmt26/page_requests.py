"""What the pages of a signed-in person send, over one connection that stays open, and how long each answer took."""

import http.client
import json
import threading
import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

CSRF = "c" * 32
PATIENCE = 60.0
IDLE = 3.0  # seconds: the server keeps connections for five, and a browser opens another one then


@dataclass
class Times:
    """Of all people together: seconds by the kind of request, and answers that should not have come."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, seconds: float, *kinds: str) -> None:
        with self.lock:
            for kind in kinds:
                self.seconds[kind].append(seconds)

    def wrong(self, what: str) -> None:
        with self.lock:
            self.errors.append(what)


class Failed(Exception):
    """No answer, or one that should not have come; it has been noted."""


class Browser:
    """A session's cookie and its CSRF token, as a page has them."""

    def __init__(self, port: int, session: str, times: Times) -> None:
        self._port = port
        self._headers = {
            "Cookie": f"sessionid={session}; csrftoken={CSRF}",
            "X-CSRFToken": CSRF,
            "Accept-Encoding": "gzip",
        }
        self._times = times
        self._connection: http.client.HTTPConnection | None = None
        self._used = 0.0

    def ask(
        self, method: str, path: str, body: object = None, *, kinds: tuple[str, ...], expected: tuple[int, ...]
    ) -> Any:
        """Of JSON the value, of anything else its length."""
        headers = self._headers | ({} if body is None else {"Content-Type": "application/json"})
        if time.monotonic() - self._used > IDLE:
            self.hang_up()
        began = time.perf_counter()
        try:
            if self._connection is None:
                self._connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
            self._connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = self._connection.getresponse()
            answer = response.read()
            self._used = time.monotonic()
        except (OSError, http.client.HTTPException) as error:
            self.hang_up()
            self._times.wrong(f"{method} {path}: {error!r}")
            raise Failed from error
        self._times.note(time.perf_counter() - began, *kinds)
        if response.status not in expected:
            self._times.wrong(f"{method} {path}: {response.status}: {answer[:200]!r}")
            raise Failed
        is_json = response.headers.get_content_type() == "application/json"
        return (json.loads(answer) if answer else None) if is_json else len(answer)

    def hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
