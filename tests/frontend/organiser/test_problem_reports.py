import csv
import io
from collections.abc import Callable

from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import pytest

from annotation.actions.submitting import report_problem
from annotation.models import Item
from campaigns.models import Account, Campaign, TestSet
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

ClientOf = Callable[[Account], Client]


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast)


@pytest.fixture
def items(campaign: Campaign, cast: Cast) -> list[Item]:
    return items_to_judge(take(campaign, cast.annotator))


def test_reports_say_who_where_what_and_when(
    campaign: Campaign, items: list[Item], cast: Cast, client_of: ClientOf
) -> None:
    report_problem(item=items[0], annotator=cast.annotator, reason="display", note="Half a <word>.")
    overview = client_of(cast.organiser).get(f"/campaigns/{campaign.slug}/overview/").content.decode()
    assert f'href="/campaigns/{campaign.slug}/reports/"' in overview
    page = client_of(cast.organiser).get(f"/campaigns/{campaign.slug}/reports/").content.decode()
    for words in ("Anna Weidner", items[0].document.name, "The text is not displayed properly", "Half a &lt;word&gt;."):
        assert words in page


def test_without_reports_it_says_so(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    assert (
        "No problem reports" in client_of(cast.organiser).get(f"/campaigns/{campaign.slug}/reports/").content.decode()
    )


def test_the_file_has_all_and_runs_in_no_spreadsheet(
    campaign: Campaign, items: list[Item], cast: Cast, client_of: ClientOf
) -> None:
    report_problem(item=items[0], annotator=cast.annotator, reason="other", note='=HYPERLINK("x")')
    report_problem(item=items[1], annotator=cast.annotator, reason="offensive")
    response = client_of(cast.organiser).get(f"/campaigns/{campaign.slug}/reports.csv")
    rows = list(csv.DictReader(io.StringIO(response.content.decode())))
    assert rows[0]["link"] == f"{settings.BASE_URL}/campaigns/{campaign.slug}/items/{items[1].public_id}/"
    assert [(row["annotator"], row["reason"], row["note"]) for row in rows] == [
        ("anna", "offensive", ""),
        ("anna", "other", '\'=HYPERLINK("x")'),
    ]
    assert rows[1]["segment"] == items[0].segment.name if items[0].segment else False


def test_many_reports_cost_the_same_and_come_in_pages(
    campaign: Campaign, items: list[Item], cast: Cast, client_of: ClientOf
) -> None:
    def cost() -> int:
        client = client_of(cast.organiser)
        with CaptureQueriesContext(connection) as queries:
            client.get(f"/campaigns/{campaign.slug}/reports/")
        return len(queries)

    report_problem(item=items[0], annotator=cast.annotator, reason="other")
    before = cost()
    for number in range(120):
        report_problem(item=items[number % len(items)], annotator=cast.annotator, reason="other", note=f"n{number}")
    assert cost() == before <= 8
    second = client_of(cast.organiser).get(f"/campaigns/{campaign.slug}/reports/?page=2").content.decode()
    assert "Page 2 of 2" in second


def test_reports_of_another_campaign_do_not_show(
    campaign: Campaign, items: list[Item], test_set: TestSet, cast: Cast, client_of: ClientOf
) -> None:
    other = make_planned_campaign(test_set, cast, name="Other")
    report_problem(item=items[0], annotator=cast.annotator, reason="other", note="elsewhere")
    assert "elsewhere" not in client_of(cast.organiser).get(f"/campaigns/{other.slug}/reports/").content.decode()


def test_reports_can_be_looked_at_by_reason(
    campaign: Campaign, items: list[Item], cast: Cast, client_of: ClientOf
) -> None:
    report_problem(item=items[0], annotator=cast.annotator, reason="offensive", note="He and she.")
    report_problem(item=items[1], annotator=cast.annotator, reason="display", note="Half a word.")
    client = client_of(cast.organiser)
    page = client.get(f"/campaigns/{campaign.slug}/reports/?reason=offensive").content.decode()
    assert "The translation is offensive or biased" in page
    assert "He and she." in page
    assert "Half a word." not in page
    assert f'href="/campaigns/{campaign.slug}/reports.csv?reason=offensive"' in page
    file = client.get(f"/campaigns/{campaign.slug}/reports.csv?reason=offensive").content.decode()
    assert ("He and she." in file, "Half a word." in file) == (True, False)
    assert "Half a word." in client.get(f"/campaigns/{campaign.slug}/reports/?reason=nonsense").content.decode()


def test_a_report_leads_to_its_item_with_what_only_organisers_may_know(
    campaign: Campaign, items: list[Item], cast: Cast, client_of: ClientOf
) -> None:
    report_problem(item=items[0], annotator=cast.annotator, reason="offensive", note="He and she.")
    judge(items[0], 35)
    items[0].slots.update(damaged="Die Fähre fuhr Brot.")
    address = f"/campaigns/{campaign.slug}/items/{items[0].public_id}/"
    client = client_of(cast.organiser)
    assert f'href="{address}"' in client.get(f"/campaigns/{campaign.slug}/reports/").content.decode()
    page = client.get(address).content.decode()
    slot = items[0].slots.get()
    genuine = (slot.translation.text or "") if slot.translation else ""
    for words in (slot.system.name, "Die Fähre fuhr Brot.", genuine, "35", "He and she.", "Anna Weidner"):
        assert words in page
    for account in (cast.annotator, cast.researcher, cast.stranger):
        assert client_of(account).get(address).status_code == 404
    assert client.post(address).status_code == 405


def test_the_item_of_another_campaign_is_not_found(
    items: list[Item], test_set: TestSet, cast: Cast, client_of: ClientOf
) -> None:
    make_planned_campaign(test_set, cast, name="Other")
    assert client_of(cast.organiser).get(f"/campaigns/other/items/{items[0].public_id}/").status_code == 404
