"""Scripts that people store in texts and names stand there as words: on no page of any role does one run."""

from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

from django.test import Client

import pytest
from playwright.sync_api import Dialog, Page

from annotation.models import ErrorSpan, Judgment, PracticeItem, ProblemReport
from campaigns.models import (
    Account,
    Campaign,
    Document,
    FormAnswer,
    FormQuestion,
    Questionnaire,
    Reference,
    Segment,
    System,
    TestSet,
    Translation,
)
from jobs.actions import perform_now
from jobs.models import Run
from metrics.models import ImportedScores
from tests.browser.watch import Watch
from tests.cast import Cast
from tests.frontend.places import QUERIES, make_people, make_places, placed
from tests.frontend.site_map import site_map
from tests.plugins.drawing import Draw

OpenPage = Callable[..., Page]
ClientOf = Callable[[Account], Client]
RAN = "window.scriptRan=(window.scriptRan||0)+1"
EVIL = (
    f"</script></textarea></title>\"'><script>{RAN};alert(1)</script><img src=/x onerror={RAN}>"
    f'<svg onload={RAN}></svg><a href="javascript:{RAN}">{{{{ 7*7 }}}}</a>\u202e txt.exe'
)
SHORT = f"\"'><img src=/x onerror={RAN}>"[:100]
MARKDOWN = f"{EVIL}\n\n[read](javascript:{RAN}) ![x](javascript:{RAN}) <javascript:{RAN}> [a]: javascript:{RAN}\n\n[a]"
PARTS = 5  # of the pages one in so many is opened in a browser
NO_PAGE = (".csv", ".json", ".tex", ".bib", ".md", ".svg", ".txt", "/sample/")
PIECES = ("-state", "-sums", "-sizes", "-csv", "-archive", "sign-out")


def poison(campaign: Campaign, cast: Cast) -> None:
    """Everything that somebody typed or a file brought."""
    Segment.objects.update(source=EVIL, domain=SHORT)
    Document.objects.update(title=EVIL[:255], domain=SHORT)
    Translation.objects.update(text=EVIL)
    Reference.objects.update(text=EVIL)
    PracticeItem.objects.update(source=EVIL, reference=EVIL, feedback=EVIL)
    ErrorSpan.objects.update(note=EVIL, category=SHORT)
    Account.objects.update(first_name=SHORT, last_name=SHORT)
    for document in Document.objects.all():
        Document.objects.filter(pk=document.pk).update(name=f"{SHORT}{document.pk}")
    for system in System.objects.all():
        System.objects.filter(pk=system.pk).update(name=f"{SHORT}{system.pk}")
    Segment.objects.update(tags=[SHORT, EVIL])
    PracticeItem.objects.update(slots={"A": EVIL})
    TestSet.objects.filter(pk=campaign.test_set_id).update(name=EVIL[:150], report={"notes": [EVIL]})
    Campaign.objects.filter(pk=campaign.pk).update(name=EVIL[:150], guidelines=MARKDOWN, consent="")
    Questionnaire.objects.update(consent=MARKDOWN)
    FormQuestion.objects.update(text=EVIL, help=EVIL, low_label=SHORT, high_label=SHORT)
    for question in FormQuestion.objects.exclude(choices=[]):
        FormQuestion.objects.filter(pk=question.pk).update(
            choices=[{**choice, "label": f"{SHORT}{choice['name']}"} for choice in question.choices]
        )
    FormAnswer.objects.filter(question__kind="text").update(value=EVIL)
    ImportedScores.objects.update(metric=SHORT, file_name=SHORT)
    for judgment in Judgment.objects.all():
        Judgment.objects.filter(pk=judgment.pk).update(answer={**judgment.answer, "comment": EVIL})
    item = Judgment.objects.all()[0].item
    ProblemReport.objects.create(item=item, annotator=cast.annotator, reason="other", note=EVIL)
    Run.objects.filter(kind="inspection").update(status="done", result=_inspection())
    perform_now(kind="analysis", campaign=campaign, arguments={"options": {"interval_resamples": 100}})


def _inspection() -> dict[str, Any]:
    """As the new-campaign page is told of a file."""
    problem = {"file": SHORT, "line": 1, "column": EVIL, "message": EVIL, "value": EVIL}
    row = {"document": EVIL, "segment": EVIL, "texts": [EVIL, EVIL]}
    column = {"number": 1, "title": EVIL, "meaning": "system", "name": SHORT, "samples": [EVIL]}
    return {
        "format": "csv", "documents": 1, "segments": 1, "questions": 0, "asked_documents": 0, "words": 1,
        "systems": [EVIL], "shown_systems": [EVIL], "references": [], "languages": {}, "columns": [column],
        "notes": [EVIL], "problem_count": 1, "unusable_rows": 1, "can_skip": True, "problems": [problem],
        "preview": [row],
    }  # fmt: skip


def pages(places: dict[str, Any], *begins: str) -> list[str]:
    """Addresses of pages, by the beginning of their names."""
    addresses = {
        name: placed(route, places) + QUERIES.get(name, "")
        for name, route in site_map().items()
        if name.startswith(begins) and not name.endswith(PIECES)
    }
    return [address for address in addresses.values() if not address.partition("?")[0].endswith(NO_PAGE)]


class Escaped(HTMLParser):
    """What a browser would run of a page: scripts in it, handlers of events, addresses that are scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.runs: list[str] = []
        self._is_script = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self._is_script = tag == "script" and dict(attributes).get("type") != "application/json"
        for name, value in attributes:
            is_script = (value or "").strip().lower().startswith("javascript:")
            if name.startswith("on") or is_script:
                self.runs.append(f"<{tag} {name}={value}>")

    def handle_data(self, data: str) -> None:
        if self._is_script and data.strip():
            self.runs.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._is_script = self._is_script and tag != "script"


def running(page: str) -> list[str]:
    parser = Escaped()
    parser.feed(page)
    parser.close()
    return parser.runs


@pytest.mark.django_db(transaction=True)
def test_no_stored_script_runs_on_any_page(
    open_page: OpenPage, client_of: ClientOf, test_set: TestSet, cast: Cast, watch: Watch, drawn: Draw
) -> None:
    """The source of every page; in a browser a part of the pages, as many seeds in a row all of them."""
    assert len(running(f"<p>{EVIL}</p>")) == 4, "a page that does not escape them is found out"
    watch.expect("/favicon.ico")  # pieces of pages, which other pages load, name no icon
    campaign, _people = make_people(test_set, cast)
    places = make_places(campaign, cast)
    poison(campaign, cast)
    seen = ran = 0
    dialogs: list[str] = []
    for account, begins in (
        (cast.organiser, ("organiser-", "researcher-", "settings")),
        (cast.annotator, ("annotator-", "home")),
        (None, ("shared", "invitation")),
    ):
        client = client_of(account) if account else Client()
        shown = []
        for address in pages(places, *begins):
            answer = client.get(address)
            if answer.status_code != 200 or "text/html" not in answer.headers["Content-Type"]:
                continue
            assert "attachment" not in answer.headers.get("Content-Disposition", "")
            source = answer.text
            assert running(source) == [], address
            seen += "txt.exe" in source
            shown.append(address)
        page = open_page(account)

        def dismiss(dialog: Dialog) -> None:
            dialogs.append(dialog.message)
            dialog.dismiss()

        page.on("dialog", dismiss)
        for address in drawn(shown, PARTS):
            page.goto(address, wait_until="load")
            ran += page.evaluate("window.scriptRan || 0")
            ran += page.evaluate("document.querySelectorAll('a[href^=\"javascript:\" i], [onerror], [onload]').length")
    assert (ran, dialogs) == (0, [])
    assert seen >= 10, "pages on which what was stored can be read"
