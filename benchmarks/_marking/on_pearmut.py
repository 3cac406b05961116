"""The same screen on Pearmut's own page. Its marks and scores are given by mouse: it has no keys for them."""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page

from benchmarks._judging.contestant import BenchmarkFailed
from benchmarks._judging.pearmut_environment import install_pearmut
from benchmarks._judging.server import serving
from benchmarks._marking.counted import Effort, Hands, box_of
from benchmarks._marking.same_answers import ANSWERS, SOURCES, SYSTEMS, Judged, text_of
from tests.processes import free_port

CAMPAIGN, USER = "marking", "annotator"
THUMB_PX = 16


def by_mouse(browser: Browser) -> tuple[Effort, Effort]:
    with _served() as address:
        hands = judge_on_page(browser, address)
    return hands.all, hands.marking


def judge_on_page(browser: Browser, address: str) -> Hands:
    """All answers to the screen at an address; what the page sends is compared with them."""
    page = browser.new_page(viewport={"width": 1600, "height": 1200}, locale="en-US")
    page.goto(address)
    page.locator(".output_candidate").nth(len(ANSWERS) - 1).wait_for()
    hands = Hands(page)
    with page.expect_response("**/log-response") as sent, hands.timed():
        for judged in ANSWERS:
            _judge(hands, _cell(page, judged), judged)
        hands.click_on(page.locator("#button_next"))
    _compare(sent.value.request.post_data_json)
    page.close()
    return hands


def _judge(hands: Hands, cell: Locator, judged: Judged) -> None:
    cell.scroll_into_view_if_needed()
    for start, end, severity in judged.spans:
        with hands.a_mark():
            left, top, right, bottom = box_of(cell.locator(".output_tgt"), start, end)
            hands.click(left, top)
            hands.click(right, bottom)
            _rate(hands, severity)
    if judged.missing:
        hands.click_on(cell.locator(".special_token").first)
        if not _toolbox(hands.page).count():
            hands.click_on(cell.locator(".special_token").first)
        _rate(hands, judged.missing)
    hands.click_within(cell.locator("input[type=range]"), judged.score / 100, edge=THUMB_PX / 2)


def _toolbox(page: Page) -> Locator:
    """That of a mark without a severity stays open, the others close."""
    return page.locator(".span_toolbox_parent:visible").filter(has_not=page.locator("[selected]"))


def _rate(hands: Hands, severity: str) -> None:
    hands.click_on(_toolbox(hands.page).locator(f".error_{severity}"))


def _cell(page: Page, judged: Judged) -> Locator:
    row = page.locator(".output_block").nth(judged.segment)
    return row.locator(f".output_candidate[data-candidate={judged.system}]")


@contextmanager
def _served() -> Iterator[str]:
    program = install_pearmut()
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        root, port = Path(folder), free_port()
        (root / "campaign.json").write_text(json.dumps(_campaign()), encoding="utf-8")
        environment = dict(os.environ) | {"PEARMUT_ROOT": folder}
        added = subprocess.run(
            [program, "add", "campaign.json"], cwd=root, env=environment, capture_output=True, text=True, check=False
        )
        if added.returncode:
            raise BenchmarkFailed(f"pearmut add failed: {added.stdout}{added.stderr}")
        address = f"http://127.0.0.1:{port}/annotate?campaign_id={CAMPAIGN}&user_id={USER}"
        command: list[str | Path] = [program, "run", "--port", str(port)]
        with serving(command, environment=environment, address=address, log=root / "log", folder=root):
            yield address


def _campaign() -> dict[str, Any]:
    """Two documents: after the last one its page would say goodbye at once."""
    document = [
        {"src": source, "tgt": {system: text_of(segment, system) for system in SYSTEMS}}
        for segment, source in enumerate(SOURCES)
    ]
    about = {"assignment": "task-based", "protocol": "cESA", "users": [USER], "special_tokens": ["[missing]"]}
    return {"campaign_id": CAMPAIGN, "info": about, "data": [[document, document]]}


def _compare(sent: Any) -> None:
    for judged in ANSWERS:
        answer = sent["payload"]["annotation"][judged.segment][judged.system]
        length = len(judged.text)
        marks = sorted((span["start_i"], span["end_i"] + 1, span["severity"]) for span in answer["error_spans"])
        spans = [mark for mark in marks if mark[0] < length]
        tags = [severity for start, _, severity in marks if start >= length]
        expected = (judged.spans, [judged.missing] if judged.missing else [], judged.score)
        if (spans, tags, answer["score"]) != expected:
            raise AssertionError(f"Sent {spans}, {tags}, {answer['score']} instead of {expected}.")
