"""A small campaign of one protocol, open in a browser: what the tests of the protocols' pages have in common."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from annotation.models import Judgment
from campaigns.models import Document, Segment, System, TestSet, TestSetStatus, Translation
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign, take
from tests.processes import wait_for

CODE = re.compile(r"[A-Z0-9]{4}-[A-Z0-9]{4}")
OpenPage = Callable[..., Page]
SOURCES = ("غادرت العبّارة متأخرة ساعة.", "لم يعرف أحد السبب.")
OUTPUTS = (("渡轮晚开了一个小时。", "渡轮迟了一小时才出发。"), ("没有人知道原因。", "谁也不知道为什么。"))


def make_arabic_to_chinese() -> TestSet:
    """Two segments by two systems."""
    test_set = TestSet.objects.create(
        name="Ports",
        slug="ports",
        source_language="ar",
        target_language="zh",
        status=TestSetStatus.READY,
        format="jsonl",
    )
    document = Document.objects.create(test_set=test_set, name="ports", title="العبّارات", position=1)
    systems = [System.objects.create(test_set=test_set, name=f"system-{number}") for number in (1, 2)]
    for place, (source, texts) in enumerate(zip(SOURCES, OUTPUTS, strict=True), start=1):
        segment = Segment.objects.create(document=document, name=str(place), position=place, source=source)
        for system, text in zip(systems, texts, strict=True):
            Translation.objects.create(segment=segment, system=system, text=text)
    return test_set


def begin(
    open_page: OpenPage, cast: Cast, test_set: TestSet, protocol: str, *, phone: bool = False, **options: Any
) -> Page:
    """Anna before the first item. Without several on a screen, one system alone is judged."""
    alone: dict[str, Any] = (
        {} if {"systems_per_item", "systems_per_screen"} & set(options) else {"systems": one_system(test_set)}
    )
    campaign = make_planned_campaign(test_set, cast, protocol=protocol, options=options, **alone)
    page = open_page(cast.annotator, phone=phone)
    page.set_default_timeout(10_000)
    page.goto(f"/assignments/{take(campaign, cast.annotator).pk}/")
    page.locator("#workbench .dock").wait_for()
    return page


def one_system(test_set: TestSet) -> list[str]:
    return list(System.objects.filter(test_set=test_set).order_by("pk").values_list("name", flat=True)[:1])


def reload(page: Page) -> None:
    page.reload()
    page.locator("#workbench .dock").wait_for()


def current(page: Page) -> Locator:
    return page.locator(".doc [aria-current]")


def number(page: Page) -> str:
    """Where the item asked stands: "Segment 2 of 3" of which text; "" at the end."""
    head = page.locator(".doc-head")
    return head.inner_text() if head.count() else ""


def go_on(page: Page, key: str = "Enter") -> None:
    """On to another item, or to the end."""
    before = number(page)
    page.keyboard.press(key)
    expect(
        page.locator(".doc-head").filter(has_text=re.compile(re.escape(before).replace("\n", r"\s*")))
    ).to_have_count(0)


def expect_end(page: Page) -> None:
    page.get_by_text(CODE).first.wait_for()


def answers(count: int = 1) -> list[dict[str, Any]]:
    """The slots of the newest answers, in the order of the items, once there are so many."""
    wait_for(lambda: Judgment.objects.filter(is_current=True).count() >= count, what=f"{count} judgments")
    newest = Judgment.objects.filter(is_current=True).order_by("item__position").values_list("answer", flat=True)
    return [answer["slots"] for answer in newest]


def expect_room_for_thumbs(page: Page, targets: str) -> None:
    """Nothing is cut off at the side, and what is tapped is 44 px high and wide."""
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    sizes = [box for target in page.locator(targets).all() if (box := target.bounding_box())]
    assert sizes
    assert not [box for box in sizes if min(box["height"], box["width"]) < 44]
