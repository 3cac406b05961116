"""A page of a campaign in which nobody has judged says what will be on it, and files of errors wait for errors."""

import html
import re
from collections.abc import Callable

from django.test import Client

import pytest

from campaigns.models import Account, Campaign, TestSet
from tests.cast import Cast
from tests.metrics.marked_errors import make_mqm
from tests.planned_campaign import make_planned_campaign

ClientOf = Callable[[Account], Client]
EMPTY = {
    "overview/": (
        "Judgments day by day and the expected end will be drawn here.",
        "The hours at which annotators judge",
    ),
    "results/": ("The systems in their order will be here", "Compute results"),
    "agreement/": ("the agreement of each pair, and the table of annotators will be here.", "Compute agreement"),
    "agreement/pair/?first=anna&second=ben": ("Outputs that both judge will be compared here.",),
    "metrics/": ("and their correlation with human judgments will be here.", "Compute scores"),
    "metrics/import/": ("Each imported metric will be listed here with its file.",),
    "segments/": ("“Find disagreement” lists the segments with the largest disagreement first.",),
    "segments/?queue=on": ("Outputs on which judgments differ will be listed here",),
    "practise/": ("Upload a file to see its items here",),
    "reports/": ("What they report is listed here.",),
    "exports/": ("Tables, figures and the methods paragraph need computed results.", "To the results"),
    "annotators/anna/": ("The latest answers will be listed here",),
}


def text_of(campaign: Campaign, client: Client, page: str) -> str:
    response = client.get(f"/campaigns/{campaign.slug}/{page}")
    assert response.status_code == 200
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode())))


@pytest.mark.parametrize("page", EMPTY)
def test_a_page_without_data_says_what_will_be_there(
    test_set: TestSet, cast: Cast, client_of: ClientOf, page: str
) -> None:
    text = text_of(make_planned_campaign(test_set, cast), client_of(cast.organiser), page)
    assert [words for words in EMPTY[page] if words not in text] == []


def test_files_of_errors_are_offered_only_where_errors_are_marked(
    test_set: TestSet, cast: Cast, client_of: ClientOf
) -> None:
    client = client_of(cast.organiser)
    with_errors = text_of(make_mqm(test_set, cast, name="Marked"), client, "exports/")
    without = text_of(make_planned_campaign(test_set, cast), client, "exports/")
    for title in ("Error spans", "MQM ratings as at WMT", "MQM ratings, for spreadsheets"):
        assert title in with_errors
        assert title not in without
