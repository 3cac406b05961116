"""A judging page whose server is made up: its own script and style sheets, and items that a benchmark chooses."""

import json
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Route

from bootstrap.places import FRONTEND

SITE = "http://bench.test"
AT_WORK: dict[str, Any] = {"completion_code": None, "is_withdrawn": False, "has_more": False}
ENGLISH = {"language": "en", "name": "English", "direction": "ltr"}
GERMAN = {"language": "de", "name": "German", "direction": "ltr"}


@dataclass
class MadeUpSite:
    """`sheets`: those beside assay.css and judging.css."""

    protocol: str
    options: dict[str, Any]
    items: list[dict[str, Any]]
    sheets: tuple[str, ...]
    done: int = 0
    source: dict[str, str] | None = None
    target: dict[str, str] | None = None

    def answer(self, route: Route) -> None:
        path = route.request.url.removeprefix(SITE)
        if path == "/":
            return route.fulfill(content_type="text/html", body=self._page())
        if path.startswith("/static/"):
            return route.fulfill(path=FRONTEND / path.lstrip("/"))
        if "/items" in path and route.request.method == "GET":
            items = [] if "after=" in path and "after=&" not in path and not path.endswith("after=") else self.items
            counts = {"done": self.done, "total": len(self.items)}
            return route.fulfill(json={"items": items, "context": [], **counts, **AT_WORK})
        return route.fulfill(status=204, body="")

    def _page(self) -> str:
        names = ("assay", "judging", *self.sheets)
        sheets = "".join(f'<link rel="stylesheet" href="/static/css/{name}.css">' for name in names)
        data = json.dumps(self._page_data()).replace("<", "\\u003c")
        return (
            f'<!doctype html><html lang="en"><head><title>Marking</title>{sheets}</head><body>'
            f'<input type="hidden" name="csrfmiddlewaretoken" value="x"><div id="workbench"></div>'
            f'<script id="workbench-data" type="application/json">{data}</script>'
            f'<script src="/static/build/workbench-{self.protocol}.js" defer></script></body></html>'
        )

    def _page_data(self) -> dict[str, Any]:
        campaign = {"name": "Bench", "slug": "bench", "planning": "static", "protocol": self.protocol, "title": "Bench"}
        return {
            "assignment": "1",
            "account": "1",
            "campaign": campaign | {"options": self.options},
            "source": self.source or ENGLISH,
            "target": self.target or GERMAN,
            "guidelines": "",
            "review": False,
            "single_keys": True,
            "pauses": [60, 1000],
            "urls": {"api": "/api/v1/", "home": "/", "sign_in": "/", "settings": "/"},
            "reasons": {"cannot_judge": {}, "report": {}},
            "catalogue": {},
        }


def made_up_item(place: int, source: str, slots: list[dict[str, Any]], **rest: Any) -> dict[str, Any]:
    return {
        "id": f"item-{place}",
        "document": "one",
        "title": "One long text",
        "level": "segment",
        "position": place,
        "source": source,
        "reference": None,
        "slots": slots,
        "questions": [],
        "suggested": [],
        "draft": None,
        "answer": None,
        "revision": 0,
    } | rest
