"""What no page may do while a test looks on: complain on the console, break its policy, ask another host."""

import re
from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, WebError

OWN_SCHEMES = ("data:", "blob:", "about:")


@dataclass
class Watch:
    site: str
    _seen: list[str] = field(default_factory=list)
    _expected: list[str] = field(default_factory=list)

    def look_at(self, context: BrowserContext) -> None:
        context.on("console", self._note_message)
        context.on("weberror", self._note_exception)
        context.on("request", self._note_request)

    def expect(self, pattern: str) -> None:
        """A complaint that the test provokes: a refused save, a lost connection."""
        self._expected.append(pattern)

    def complaints(self) -> list[str]:
        return [line for line in self._seen if not any(re.search(pattern, line) for pattern in self._expected)]

    def _note_message(self, message: ConsoleMessage) -> None:
        if message.type == "error":  # breaches of the content security policy are among them
            self._seen.append(f"console: {message.text} ({message.location['url']})")

    def _note_exception(self, error: WebError) -> None:
        self._seen.append(f"exception: {error.error}")

    def _note_request(self, request: Request) -> None:
        if not request.url.startswith((f"{self.site}/", *OWN_SCHEMES)):
            self._seen.append(f"request to another host: {request.url}")
