"""The WMT26-sized installation: an annotator sends what the page sends, and what is lost or doubled is found."""

import json
import random
import time
import uuid
from typing import Any, cast

from benchmarks._wmt26.annotator_at_work import AnnotatorAtWork
from benchmarks._wmt26.audit import audit
from benchmarks._wmt26.page_requests import Browser
from tests.crash.database import Database


class OneAssignment:
    """Six documents of two segments, three of them served at a time; `requests` without ids."""

    def __init__(self) -> None:
        self.items: list[dict[str, Any]] = [
            {"id": str(uuid.uuid4()), "document": str(place // 2), "revision": 0, "answer": None} for place in range(12)
        ]
        self.requests: list[str] = []

    def ask(self, method: str, path: str, body: Any = None, **_expected: object) -> Any:
        address, _, query = path.partition("?")
        self.requests.append(f"{method} {address.rpartition('/')[2]} {query.partition('=')[0]}".strip())
        if address.endswith("/assignments"):
            return {"id": 1} if any(item["answer"] is None for item in self.items) else None
        if address.endswith("/judgments"):
            judged = next(item for item in self.items if item["id"] in address)
            judged["answer"] = body["answer"]
            return {"next": self._page(query.partition("=")[2])} if query else {}
        return self._page("")

    def _page(self, after: str) -> dict[str, Any]:
        left = [item for item in self.items if item["answer"] is None]
        served = sorted({str(item["document"]) for item in left})[:3]
        at = next((place + 1 for place, item in enumerate(self.items) if item["id"] == after), 0)
        shown = [dict(item) for item in self.items[at:] if item["document"] in served]
        return {"items": shown, "has_more": len({item["document"] for item in left}) > 3}


def test_an_annotator_needs_one_request_an_item_beside_drafts() -> None:
    server = OneAssignment()
    worker = AnnotatorAtWork(cast("Browser", server), "harbour", [0.0], random.Random(7))
    assert worker.work(time.monotonic() + 60, thinks=False) == 12
    sent = [request for request in server.requests if "draft" not in request]
    assert sent[:3] == ["POST assignments", "GET", "GET items"]
    assert [request.endswith("next_after") for request in sent if "judgments" in request] == [
        *[False, True] * 3,
        *[False] * 6,
    ]
    assert len(worker.sent) == len(worker.acknowledged) == 12


def test_what_is_lost_doubled_or_changed_is_found() -> None:
    item, other = str(uuid.uuid4()), str(uuid.uuid4())
    ids = [str(uuid.uuid4()) for _ in range(4)]
    worker = AnnotatorAtWork(cast("Browser", None), "harbour", [0.0], random.Random(7))
    worker.sent = {each: (item, {"comment": each}) for each in ids[:3]}
    worker.acknowledged = set(ids[:3])
    stored = [(ids[0], item, json.dumps({"comment": ids[0]})), (ids[1], other, {"comment": ids[1]}), (ids[3], item, {})]

    class Stored(Database):
        def rows(self, *statements: str) -> list[tuple[Any, ...]]:
            return list(stored) if "client_id" in statements[0] else []

    findings = audit(Stored(lambda: None, read_through=()), [worker], before=0)
    assert (findings.acknowledged, findings.lost, findings.doubled, findings.half_done) == (3, 1, 2, ())
