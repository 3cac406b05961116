"""The page on which segments are chosen for a budget: its curve, its files, and the way to a campaign."""

import csv
import io
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

from django.test import Client

import pytest

from campaigns.models import Account, TestSet
from tests.cast import Cast
from tests.metrics.scored_by_hand import store_metric
from tests.planned_campaign import make_planned_campaign
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT

ClientOf = Callable[[Account], Client]
PAGE = "/test-sets/harbour-and-orchard/items/"


@pytest.fixture
def organiser(test_set: TestSet, cast: Cast, client_of: ClientOf) -> Client:
    store_metric(test_set, {WOMBAT: [0.9] * 6, QUOKKA: [0.1, 0.5, 0.5, 0.2, 0.3, 0.9], HUMAN: [0.5] * 6})
    make_planned_campaign(test_set, cast)
    return client_of(cast.organiser)


def rows_of(client: Client, table: str, query: str) -> list[dict[str, str]]:
    answer = client.get(f"/test-sets/harbour-and-orchard/{table}.csv{query}")
    assert answer.status_code == 200
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def test_the_page_begins_with_what_the_test_set_allows(organiser: Client) -> None:
    page = organiser.get(PAGE).content.decode()
    assert '<option value="Sage" selected>' in page
    assert "Segments: " not in page
    page = organiser.get(f"{PAGE}?method=variance&budget=3").content.decode()
    assert "Segments: 3 of 6; documents: 1" in page
    assert '<option value="Sage" selected>' in page
    assert "the means of a campaign on them are not those of the test set" in page
    assert 'class="ch pl' in page
    assert "At random" in page


def test_its_files_have_the_choice_and_the_curve(organiser: Client) -> None:
    query = "?method=variance&metric=Sage&budget=2&unit=segments&of=segments"
    items = rows_of(organiser, "items", query)
    assert [row["chosen"] for row in items].count("True") == 2
    assert {row["probability"] for row in items} == {"0.0", "1.0"}
    curve = rows_of(organiser, "expected", query)
    assert (curve[-1]["segments"], curve[-1]["pairwise_accuracy"]) == ("6", "1.0")
    assert rows_of(organiser, "items", "?method=best") == []


def test_the_choice_goes_on_to_a_new_campaign(organiser: Client) -> None:
    page = organiser.get(f"{PAGE}?method=variance&metric=Sage&budget=3&protocol=mqm").content.decode()
    address = page.partition('class="btn go" href="')[2].partition('"')[0].replace("&amp;", "&")
    fields = parse_qs(urlsplit(address).query)
    assert fields["selection_metric"] == ["Sage"]
    form = organiser.get(address).content.decode()
    assert 'name="selection_budget" value="3"' in form
    assert 'name="protocol" value="mqm"' in form


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("?method=variance&budget=none", "Budget: Enter a whole number"),
        ("?method=best", "What chooses: Select a valid choice"),
        ("?method=variance&metric=Rose", "Metric: Select a valid choice"),
        ("?method=variance&metric=", "Name the metric"),
    ],
)
def test_what_cannot_be_chosen_is_told(organiser: Client, query: str, words: str) -> None:
    answer = organiser.get(f"{PAGE}{query}")
    assert answer.status_code == 422
    assert words in answer.content.decode()


def test_chance_needs_no_warning_and_a_small_budget_says_so(organiser: Client) -> None:
    page = organiser.get(f"{PAGE}?method=random&budget=1").content.decode()
    assert "nothing fits into it" in page
    assert "a metric must not sharpen them" not in organiser.get(f"{PAGE}?method=random&budget=3").content.decode()


def test_a_test_set_without_scores_is_chosen_from_by_its_outputs(
    organiser: Client, test_set: TestSet, cast: Cast
) -> None:
    test_set.imported_scores.all().delete()
    assert '<option value="diversity-unigram" selected>' in organiser.get(PAGE).content.decode()
    page = organiser.get(f"{PAGE}?method=diversity-unigram").content.decode()
    assert "Choose a metric to see" in page


def test_the_sums_of_a_new_campaign_follow_the_budget(organiser: Client, test_set: TestSet) -> None:
    fields: dict[str, str | int] = {
        "test_set": test_set.pk,
        "protocol": "esa",
        "redundancy": 1,
        "selection": "random",
        "selection_budget": 2,
    }
    page = organiser.get("/new-campaign/sums/", {**fields, "selection_of": "segments"}).content.decode()
    assert "2 × 3" in page


def test_a_new_campaign_leads_here_with_what_is_chosen_there(
    organiser: Client, cast: Cast, test_set: TestSet, client_of: ClientOf
) -> None:
    def address(page: str) -> str:
        return page.partition('id="items-page"')[2].partition('href="')[2].partition('"')[0].replace("&amp;", "&")

    at_first = organiser.get("/new-campaign/?texts=harbour-and-orchard").content.decode()
    assert address(at_first) == PAGE
    chosen = {"selection": "variance", "selection_metric": "Sage", "selection_budget": "3"}
    entered = {
        "test_set": str(test_set.pk),
        "protocol": "mqm",
        "selection_unit": "segments",
        "selection_of": "documents",
    }
    sums = organiser.get("/new-campaign/sums/", entered | chosen).content.decode()
    leads = address(sums.replace("data-goes-to", "id"))
    assert "Segments: 3 of 6; documents: 1" in organiser.get(leads).content.decode()
    assert parse_qs(urlsplit(leads).query)["protocol"] == ["mqm"]
    sums = organiser.get("/new-campaign/sums/", entered | {"selection": "all"}).content.decode()
    assert address(sums.replace("data-goes-to", "id")) == PAGE
    assert "/items/" not in organiser.get("/new-campaign/").content.decode()
    researcher = client_of(cast.researcher)
    assert "/items/" not in researcher.get("/new-campaign/sums/", entered).content.decode()


def test_fields_that_matter_with_others_name_these(organiser: Client) -> None:
    page = organiser.get("/new-campaign/").content.decode()
    for name, when in (
        ("allocation", "planning=pool"),
        ("allocation_top", "planning=pool allocation=top"),
        ("allocation_step", "planning=pool allocation=best,top,ranking"),
        ("selection_metric", "selection=variance,average,consistency"),
        ("selection_budget", "selection=random,variance,average,consistency,diversity-unigram,diversity-chrf"),
    ):
        before = page[: page.index(f'name="{name}"')]
        assert before.rpartition('data-when="')[2].partition('"')[0] == when, name
