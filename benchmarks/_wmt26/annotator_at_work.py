"""An annotator as the judging page sends their work: the page, texts ahead, drafts, judgments with the next texts."""

import random
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks._wmt26.page_requests import Browser, Failed

TEXTS_AHEAD = 2  # as the page has them
DRAFT_AFTER = (0.4, 0.8)  # of the time spent on an item: the page saves a draft after each change
COMING = 30.0  # seconds in which people arrive
REST = 1.0  # seconds after something went wrong, or nothing was left
Item = dict[str, Any]


@dataclass
class AnnotatorAtWork:
    """`sent` are answers by the id of their judgment, with their item; `acknowledged` those that were confirmed."""

    browser: Browser
    campaign: str
    thinking: Sequence[float]
    rng: random.Random
    sent: dict[str, tuple[str, dict[str, Any]]] = field(default_factory=dict)
    acknowledged: set[str] = field(default_factory=set)
    items: list[Item] = field(default_factory=list)
    has_more: bool = False

    def work(self, until: float, *, thinks: bool) -> int:
        """The number of items judged until then, by the monotonic clock."""
        before = len(self.acknowledged)
        if thinks:  # nobody begins at the same moment as everybody else
            self._rest(self.rng.uniform(0, COMING), until)
        while time.monotonic() < until:
            try:
                if not self._judge_assignment(until, thinks=thinks):
                    break
            except Failed:
                self._rest(REST, until)
        return len(self.acknowledged) - before

    def _judge_assignment(self, until: float, *, thinks: bool) -> bool:
        """False where nothing is left."""
        path = f"/api/v1/campaigns/{self.campaign}/assignments"
        taken = self.browser.ask("POST", path, kinds=("take",), expected=(201, 204))
        if not taken:
            return False
        assignment = taken["id"]
        self.browser.ask("GET", f"/assignments/{assignment}/", kinds=("page",), expected=(200,))
        address = f"/api/v1/assignments/{assignment}/items"
        page = self.browser.ask("GET", address, kinds=("next",), expected=(200,))
        self.items, self.has_more = page["items"], page["has_more"]
        while (item := next((each for each in self.items if each["answer"] is None), None)) is not None:
            if time.monotonic() >= until:
                return True
            self._judge(address, item, until, thinks=thinks)
        return True

    def _judge(self, address: str, item: Item, until: float, *, thinks: bool) -> None:
        """Who is still thinking at the end sends nothing more: else everybody would answer in the same moment."""
        seconds, spent = (self.rng.choice(self.thinking) if thinks else 0.0), 0.0
        answer = self._answer()
        for share in DRAFT_AFTER if thinks else DRAFT_AFTER[:1]:
            self._rest((share - spent) * seconds, until)
            if time.monotonic() >= until:
                return
            spent = share
            draft = {"answer": answer, "base_revision": item["revision"]}
            self.browser.ask("PUT", f"{address}/{item['id']}/draft", draft, kinds=("draft",), expected=(204,))
        self._rest((1 - spent) * seconds, until)
        if time.monotonic() < until:
            self._submit(address, item, answer)

    def _submit(self, address: str, item: Item, answer: dict[str, Any]) -> None:
        """What is not confirmed is found in the texts, or asked again."""
        client_id = str(uuid.uuid4())
        body = {"client_id": client_id, "base_revision": item["revision"], "answer": answer}
        body |= {"started": "2026-11-21T08:00:00Z", "elapsed_ms": 9000, "active_ms": 8000}
        self.sent[client_id] = (item["id"], answer)
        asks = self._texts_after(item) < TEXTS_AHEAD and self.has_more
        path = f"{address}/{item['id']}/judgments" + (f"?next_after={self.items[-1]['id']}" if asks else "")
        kinds = ("submit", "next") if asks else ("submit",)
        receipt = self.browser.ask("POST", path, body, kinds=kinds, expected=(200, 201))
        self.acknowledged.add(client_id)
        item["answer"] = answer
        if asks:
            self.items, self.has_more = [*self.items, *receipt["next"]["items"]], receipt["next"]["has_more"]

    def _texts_after(self, item: Item) -> int:
        """As the page counts when it has gone on to the item after this one."""
        at = self.items.index(item) + 1
        current = self.items[at]["document"] if at < len(self.items) else None
        return len({each["document"] for each in self.items[at:]} - {current})

    def _rest(self, seconds: float, until: float) -> None:
        time.sleep(max(0.0, min(seconds, until - time.monotonic())))

    def _answer(self) -> dict[str, Any]:
        """No two are alike, so that one in the place of another is seen."""
        score, comment = self.rng.randrange(101), f"{self.rng.getrandbits(64):016x} – „ß“ 説"
        return {"slots": {"A": {"score": score}}, "comment": comment, "cannot_judge": None}
