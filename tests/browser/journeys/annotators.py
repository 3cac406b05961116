"""Annotators who come by their links and judge through the addresses the workbench uses, in sessions of their own.

Each has an opinion of every translation, from 0 to 100; `answers.py` says how a protocol asks for it.
"""

import http.cookiejar
import json
import random
import re
import urllib.request
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from tests.browser.journeys.texts import Output, Texts

NOISE = 4
DAMAGE = 60  # what a few replaced words take from a translation
_CSRF = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
Slots = dict[str, dict[str, Any]]
Answering = Callable[[list["Seen"], list[dict[str, Any]]], Slots]


@dataclass(frozen=True)
class Seen:
    """One text on the screen and what the annotator thinks of it."""

    slot: str
    text: str
    output: Output
    opinion: float


@dataclass(frozen=True)
class Mind:
    """How somebody judges. Contrarians see the places of quarrel the other way round; the careless read nothing."""

    name: str
    is_contrarian: bool = False
    is_careless: bool = False

    def opinion(self, output: Output, *, is_quarrelled_over: bool, is_damaged: bool) -> float:
        """The careless one neither sees damage nor is ever far off: it is the order of things that is missed."""
        dice = random.Random(f"{self.name} {output.segment} {output.system}")
        if self.is_careless:
            return dice.randint(30, 70) + (dice.randint(0, 8) if is_damaged else 0)
        if is_damaged:
            return max(output.worth - DAMAGE, 0) + dice.uniform(0, NOISE)
        worth = output.worth + dice.uniform(-NOISE, NOISE)
        if is_quarrelled_over and self.is_contrarian:
            return 100 - worth if output.worth > 50 else 95.0
        return worth


class Annotator:
    def __init__(self, site: str, mind: Mind, texts: Texts, answer: Answering) -> None:
        self.site, self.mind, self.texts, self.answer = site, mind, texts, answer
        self._cookies = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._cookies))

    def accept(self, link: str) -> None:
        """Begin, read the guidelines, agree, and say one's name."""
        guidelines, page = self._submit(link, self._read(link)[1])
        self._submit(guidelines, page, agree="on", name=self.mind.name)

    def judge_everything(self, slug: str) -> int:
        judged = 0
        while assignment := self._ask("POST", f"campaigns/{slug}/assignments"):
            items = f"assignments/{assignment['id']}/items"
            while waiting := self._waiting(items):
                for item in waiting:
                    self._ask("POST", f"{items}/{item['id']}/judgments", self._judgment(item))
                    judged += 1
        return judged

    def _waiting(self, items: str) -> list[dict[str, Any]]:
        """What is not answered yet; where a whole document is asked about, its text stands beside the item."""
        page = self._ask("GET", items)
        beside = {each["document"]: each["text"] for each in page["context"]}
        waiting = [item for item in page["items"] if item["answer"] is None]
        for item in waiting:
            for slot in item["slots"]:
                slot["text"] = slot["text"] or beside[item["document"]]
        return waiting

    def _judgment(self, item: dict[str, Any]) -> dict[str, Any]:
        seen = [self._seen(item, each["slot"], each["text"]) for each in item["slots"]]
        slots = self.answer(seen, item["questions"])
        seconds = 4 if self.mind.is_careless else 15
        return {
            "client_id": str(uuid.uuid4()),
            "base_revision": item["revision"],
            "answer": {"slots": slots, "comment": "", "cannot_judge": None},
            "started": "2026-11-21T08:00:00Z",
            "elapsed_ms": 1000 * seconds,
            "active_ms": 1000 * seconds,
        }

    def _seen(self, item: dict[str, Any], slot: str, text: str) -> Seen:
        output, is_damaged = self.texts.recognised(text, item["source"])
        is_quarrelled_over = output.place in self.texts.quarrels
        opinion = self.mind.opinion(output, is_quarrelled_over=is_quarrelled_over, is_damaged=is_damaged)
        return Seen(slot, text, output, opinion)

    def _ask(self, method: str, path: str, body: object = None) -> Any:
        token = next(cookie.value for cookie in self._cookies if cookie.name == "csrftoken")
        headers = {"X-CSRFToken": token or "", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.site}/api/v1/{path}", data, headers, method=method)
        with self._opener.open(request, timeout=30) as response:
            text = response.read()
        return json.loads(text) if text else None

    def _read(self, address: str, data: bytes | None = None) -> tuple[str, str]:
        with self._opener.open(address, data, timeout=30) as response:
            return response.url, response.read().decode()

    def _submit(self, address: str, page: str, **fields: str) -> tuple[str, str]:
        token = _CSRF.search(page)
        assert token, f"no form on {address}"
        return self._read(address, urlencode({"csrfmiddlewaretoken": token[1], **fields}).encode())


def judge_together(annotators: Sequence[Annotator], slug: str) -> int:
    """All at once; how many judgments that were."""
    with ThreadPoolExecutor(len(annotators)) as threads:
        return sum(threads.map(lambda annotator: annotator.judge_everything(slug), annotators))
