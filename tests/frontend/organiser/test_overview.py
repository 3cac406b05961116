"""The overview as a page: its states in words, what it costs, and its files."""

import csv
import io
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

import pytest

from annotation.actions.decisions import exclude_annotator
from annotation.actions.status import set_status
from annotation.actions.submitting import report_problem
from annotation.models import Assignment, Judgment
from campaigns.models import Account, Campaign, Membership, Planning, TestSet
from tests.cast import Cast, make_person
from tests.judged_at import judge_at
from tests.planned_campaign import add_annotator, items_to_judge, judge, make_planned_campaign, take
from tests.rows_made_once import made_once

ClientOf = Callable[[Account], Client]
PAGES = (
    "overview/",
    "overview/progress/",
    "overview/annotators.csv",
    "overview/days.csv",
    "overview/hours.csv",
    "overview/coverage.csv",
    "overview/standing-work/",
    "reports/",
    "reports.csv",
)


stored, cast, test_set, campaign = made_once(partial(make_planned_campaign, redundancy=3))


@pytest.fixture
def page_of(client_of: ClientOf, cast: Cast) -> Callable[..., str]:
    def read(campaign: Campaign, page: str = "overview/") -> str:
        response = client_of(cast.organiser).get(f"/campaigns/{campaign.slug}/{page}")
        assert response.status_code == 200
        return response.content.decode()

    return read


def days_ago(days: float) -> datetime:
    return timezone.now() - timedelta(days=days)


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.parametrize("page", PAGES)
def test_only_its_organiser_opens_a_page(campaign: Campaign, cast: Cast, client_of: ClientOf, page: str) -> None:
    address = f"/campaigns/{campaign.slug}/{page}"
    assert client_of(cast.organiser).get(address).status_code == 200
    for other in (cast.researcher, cast.annotator, cast.stranger):
        assert client_of(other).get(address).status_code == 404, other
        assert client_of(other).post(address).status_code in (404, 405), other
    assert Client().get(address)["Location"].startswith("/sign-in/")


def test_before_the_first_judgment_there_is_no_curve(campaign: Campaign, page_of: Callable[..., str]) -> None:
    page = page_of(campaign)
    assert "No judgments yet" in page
    assert "pairs of a document and a system have no judgment yet" in page
    assert 'data-q="0"' in page
    assert "once judging has begun" in page
    assert "No judgment in the last 7 days." in page
    assert 'class="path"' not in page


def test_early_on_no_end_is_invented(campaign: Campaign, cast: Cast, page_of: Callable[..., str]) -> None:
    judge(items_to_judge(take(campaign, cast.annotator))[0])
    page = page_of(campaign)
    assert "Too early" in page
    assert "The shaded area" not in page
    assert 'class="path"' in page


def test_with_enough_days_an_end_is_expected_with_its_range(
    campaign: Campaign, cast: Cast, page_of: Callable[..., str]
) -> None:
    for index, item in enumerate(items_to_judge(take(campaign, cast.annotator))[:8]):
        judge_at(item, days_ago(index / 2))
    page = page_of(campaign)
    assert "expected end" in page
    assert 'class="area"' in page
    assert "8 of 10 simulated continuations" in page
    assert "expected to finish" in page


@pytest.mark.parametrize(("status", "words"), [("paused", "no estimate while paused"), ("closed", "<dt>closed</dt>")])
def test_where_nobody_may_judge_it_says_so(
    campaign: Campaign, cast: Cast, page_of: Callable[..., str], status: str, words: str
) -> None:
    judge(items_to_judge(take(campaign, cast.annotator))[0])
    set_status(campaign=campaign, status=status, by=cast.organiser)
    assert words in page_of(campaign)


def test_a_finished_campaign_says_so(test_set: TestSet, cast: Cast, page_of: Callable[..., str]) -> None:
    campaign = make_planned_campaign(test_set, cast, name="Short")
    for item in items_to_judge(take(campaign, cast.annotator)):
        judge(item)
    assert "<dt>finished</dt>" in page_of(campaign)


def test_a_campaign_without_people_invites_them(campaign: Campaign, page_of: Callable[..., str]) -> None:
    Membership.objects.filter(campaign=campaign, role="annotator").delete()
    assert "Nobody is invited yet" in page_of(campaign)


def test_stuck_work_is_shown_with_what_to_do(campaign: Campaign, cast: Cast, page_of: Callable[..., str]) -> None:
    assignment = take(campaign, cast.annotator)
    Assignment.objects.filter(pk=assignment.pk).update(claimed_at=days_ago(5))
    page = page_of(campaign)
    assert "One annotator is stuck:" in page
    assert "has not begun in 5 days" in page
    assert f"/campaigns/{campaign.slug}/overview/standing-work/" in page
    assert "stuck for 5 days" in page


def test_a_name_is_never_markup(campaign: Campaign, cast: Cast, page_of: Callable[..., str]) -> None:
    Account.objects.filter(pk=cast.annotator.pk).update(name="<i>{Anna}</i>")
    Assignment.objects.filter(pk=take(campaign, cast.annotator).pk).update(claimed_at=days_ago(5))
    page = page_of(campaign)
    assert "<i>{" not in page
    assert "&lt;i&gt;{Anna}&lt;/i&gt;" in page


def test_annotators_stand_on_pages_in_the_order_of_the_reader(campaign: Campaign, page_of: Callable[..., str]) -> None:
    for number in range(55):
        add_annotator(campaign, make_person(f"p{number:02}", f"Person {number:02}"))
    first = page_of(campaign)
    assert ("Page 1 of 2" in first, "Person 44" in first, "Person 54" in first) == (True, True, False)
    last = page_of(campaign, "overview/?sort=annotators:-name")
    assert ("Person 54" in last, "Person 00" in last) == (True, False)
    assert 'overview/progress/?sort=annotators%3A-name"' in last
    assert 'href="?sort=annotators%3A-name&amp;page=2#annotators"' in last
    second = page_of(campaign, "overview/progress/?sort=annotators:-name&page=2")
    assert ("Person 54" in second, "Person 00" in second) == (False, True)
    assert 'href="?sort=annotators%3Aattention#annotators"' in first  # another order begins on its first page
    assert "Unknown order “annotators:nonsense”." in page_of(campaign, "overview/?sort=annotators:nonsense")


def test_nothing_new_costs_a_few_sums(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client, address = client_of(cast.organiser), f"/campaigns/{campaign.slug}/overview/progress/"
    judge(items_to_judge(take(campaign, cast.annotator))[0])
    etag = client.get(address)["ETag"]
    with CaptureQueriesContext(connection) as queries:
        response = client.get(address, headers={"If-None-Match": etag})
    assert (response.status_code, response.content) == (304, b"")
    assert len(queries) <= 9, queries.captured_queries
    assert not [each for each in queries.captured_queries if "annotation_judgment" in each["sql"]]


@pytest.mark.parametrize("change", ["judgment", "report", "status", "exclusion", "member"])
def test_whatever_changes_is_sent_again(campaign: Campaign, cast: Cast, client_of: ClientOf, change: str) -> None:
    client, address = client_of(cast.organiser), f"/campaigns/{campaign.slug}/overview/progress/"
    item = items_to_judge(take(campaign, cast.annotator))[0]
    etag = client.get(address)["ETag"]
    changes: dict[str, Callable[[], Any]] = {
        "judgment": lambda: judge(item),
        "report": lambda: report_problem(item=item, annotator=cast.annotator, reason="other"),
        "status": lambda: set_status(campaign=campaign, status="paused", by=cast.organiser),
        "exclusion": lambda: exclude_annotator(
            campaign=campaign, annotator=cast.annotator, reason="x", by=cast.organiser
        ),
        "member": lambda: add_annotator(campaign, make_person("carl", "Carl")),
    }
    changes[change]()
    assert client.get(address, headers={"If-None-Match": etag}).status_code == 200


def test_the_page_costs_the_same_however_many_work(test_set: TestSet, cast: Cast, client_of: ClientOf) -> None:
    def cost(campaign: Campaign) -> int:
        client = client_of(cast.organiser)
        cache.clear()
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"/campaigns/{campaign.slug}/overview/").status_code == 200
        return len(queries)

    small = make_planned_campaign(test_set, cast, name="Small")
    judge(items_to_judge(take(small, cast.annotator))[0])
    large = make_planned_campaign(test_set, cast, name="Large", redundancy=8)
    for number in range(6):
        person = make_person(f"p{number}", f"P{number}")
        add_annotator(large, person)
        for item in items_to_judge(take(large, person))[:3]:
            judge_at(item, days_ago(number))
    assert Judgment.objects.count() > 15
    assert cost(small) == cost(large) <= 20


def test_the_csv_of_annotators_has_everybody(campaign: Campaign, cast: Cast, page_of: Callable[..., str]) -> None:
    assignment = take(campaign, cast.annotator)
    judge_at(items_to_judge(assignment)[0], days_ago(5), active_ms=9000)
    Assignment.objects.filter(pk=assignment.pk).update(claimed_at=days_ago(6))
    Account.objects.filter(pk=cast.second_annotator.pk).update(username="=ben")
    rows = {row["annotator"]: row for row in rows_of(page_of(campaign, "overview/annotators.csv"))}
    assert set(rows) == {"anna", "'=ben"}
    anna = rows["anna"]
    assert (anna["done"], anna["total"], anna["judgments"]) == ("1", str(assignment.total), "1")
    assert (anna["seconds_median"], anna["attention"], anna["left_out"]) == ("9.0", "stuck", "no")
    assert rows["'=ben"]["last_judgment"] == ""


def test_the_charts_are_files_as_well(campaign: Campaign, cast: Cast, page_of: Callable[..., str]) -> None:
    items = items_to_judge(take(campaign, cast.annotator))
    for item, days in zip(items, (2, 2, 0), strict=False):
        judge_at(item, days_ago(days))
    by_day = rows_of(page_of(campaign, "overview/days.csv"))
    assert [(row["judgments"], row["sum"]) for row in by_day] == [("2", "2"), ("0", "2"), ("1", "3")]
    hours = rows_of(page_of(campaign, "overview/hours.csv"))
    assert len(hours) == 24
    assert sum(int(row["judgments"]) for row in hours) == 3


def test_who_stopped_gets_a_reminder_to_copy_unless_they_are_removed(
    campaign: Campaign, cast: Cast, page_of: Callable[..., str]
) -> None:
    assignment = take(campaign, cast.annotator)
    Assignment.objects.filter(pk=assignment.pk).update(claimed_at=days_ago(5))
    page = page_of(campaign, "overview/standing-work/")
    assert page.count("Hello Anna Weidner,") == 1
    assert f"Items left: {assignment.total}." in page
    assert "Hello Ben" not in page
    place = Membership.objects.get(campaign=campaign, account=cast.annotator).pk
    for ended in (
        {"withdrawn_at": days_ago(0), "consented_at": None},
        {"withdrawn_at": None, "removed_at": days_ago(0)},
    ):
        assert Membership.ever.filter(pk=place).update(**ended) == 1
        cache.clear()
        assert "Hello" not in page_of(campaign, "overview/standing-work/")


def test_an_excluded_annotator_gets_no_reminder(campaign: Campaign, cast: Cast, page_of: Callable[..., str]) -> None:
    assignment = take(campaign, cast.annotator)
    Assignment.objects.filter(pk=assignment.pk).update(claimed_at=days_ago(5))
    exclude_annotator(campaign=campaign, annotator=cast.annotator, reason="guesses", by=cast.organiser)
    page = page_of(campaign, "overview/standing-work/")
    assert f'value="{assignment.pk}"' in page
    assert "Hello" not in page


def test_stuck_work_is_named_and_returned(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client, address = client_of(cast.organiser), f"/campaigns/{campaign.slug}/overview/standing-work/"
    assignment = take(campaign, cast.annotator)
    judge_at(items_to_judge(assignment)[0], days_ago(5))
    Assignment.objects.filter(pk=assignment.pk).update(claimed_at=days_ago(6))
    page = client.get(address).content.decode()
    assert cast.annotator.name in page
    assert f'value="{assignment.pk}"' in page
    client.post(address)
    assignment.refresh_from_db()
    assert assignment.returned_at is None, "nothing was ticked"
    answer = client.post(address, {"assignment": [str(assignment.pk), "999999"]}, follow=True)
    assert f"{assignment.total - 1} items go to the next annotators who ask." in answer.content.decode()
    assignment.refresh_from_db()
    assert (assignment.returned_at is not None, assignment.total) == (True, 1)
    assert "None. Everybody" in client.get(address).content.decode()


def test_work_in_progress_cannot_be_returned_here(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    assignment = take(campaign, cast.annotator)
    address = f"/campaigns/{campaign.slug}/overview/standing-work/"
    client_of(cast.organiser).post(address, {"assignment": [str(assignment.pk)]})
    for other in (cast.researcher, cast.annotator, cast.stranger):
        assert client_of(other).post(address, {"assignment": [str(assignment.pk)]}).status_code == 404
    assignment.refresh_from_db()
    assert assignment.returned_at is None


def test_a_lapsed_reservation_is_listed_too(test_set: TestSet, cast: Cast, page_of: Callable[..., str]) -> None:
    campaign = make_planned_campaign(test_set, cast, name="Pool", planning=Planning.POOL)
    Assignment.objects.filter(pk=take(campaign, cast.annotator).pk).update(expires_at=days_ago(1))
    assert "The reservation of" in page_of(campaign)
    assert cast.annotator.name in page_of(campaign, "overview/standing-work/")


def test_the_grid_of_documents_and_systems_is_a_file_too(
    campaign: Campaign, cast: Cast, page_of: Callable[..., str]
) -> None:
    judge(items_to_judge(take(campaign, cast.annotator))[0])
    rows = rows_of(page_of(campaign, "overview/coverage.csv"))
    documents = campaign.test_set.documents.count()
    assert len(rows) == documents * campaign.systems.count()
    assert sum(int(row["done"]) for row in rows) == 1
    assert {row["document"] for row in rows} == set(campaign.test_set.documents.values_list("name", flat=True))


def test_who_will_be_later_than_the_last_day_is_marked(
    campaign: Campaign, cast: Cast, client_of: ClientOf, page_of: Callable[..., str]
) -> None:
    items = items_to_judge(take(campaign, cast.annotator))
    for number, item in enumerate(items[:4]):
        judge_at(item, days_ago(4 - number))
    client, manage = client_of(cast.organiser), f"/campaigns/{campaign.slug}/manage/"
    assert "Expected end" in page_of(campaign)
    assert "too late" not in page_of(campaign)
    for wrong in ("tomorrow", "0001-01-01"):
        assert client.post(manage, {"act": "deadline", "finish_by": wrong}).status_code == 422
    soon = timezone.localdate() + timedelta(days=1)
    assert client.post(manage, {"act": "deadline", "finish_by": soon.isoformat()}).status_code == 302
    page = page_of(campaign)
    assert "1 annotator will be later, at their pace." in page
    assert page.count("too late") == 1
    line, other = rows_of(page_of(campaign, "overview/annotators.csv"))
    assert (line["behind"], other["behind"]) == ("yes", "no")
    assert float(line["days_left"]) > 1
    api = f"/api/v1/campaigns/{campaign.slug}"
    assert client.get(api).json()["finish_by"] == soon.isoformat()
    assert client.get(f"{api}/progress").json()["annotators"][0]["is_behind"] is True
    late = {"finish_by": (soon + timedelta(days=300)).isoformat()}
    assert client.patch(api, late, content_type="application/json").json()["finish_by"] == late["finish_by"]
    assert "too late" not in page_of(campaign)
    client.patch(api, {"finish_by": None}, content_type="application/json")
    assert "To be finished by" not in page_of(campaign)
