"""Agreement and annotators: who may read, what each state says, and what reading costs."""

import csv
import io
from collections.abc import Callable
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import pytest

from annotation.actions.decisions import exclude_annotator, readmit_annotator
from annotation.models import Item
from campaigns.models import Account, Campaign, TestSet
from jobs.actions import perform_now
from jobs.models import Run
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take
from tests.rows_made_once import made_once

ClientOf = Callable[[Account], Client]
PAIR = "agreement/pair/?first=anna&second=ben"
NAMES = ("coefficients", "pairs", "annotators", "drift", "spans", "gamma", "error-free")
FILES = (*(f"agreement/{name}.csv" for name in NAMES), PAIR.replace("/?", ".csv?"))
PAGES = ("agreement/", PAIR, *FILES)


def make_judged(test_set: TestSet, cast: Cast) -> Campaign:
    """Both judge everything; Ben 10 higher, but for the first item, where they lie 60 apart."""
    campaign = make_planned_campaign(test_set, cast, redundancy=2)
    for annotator, more in zip(cast.annotators, (0, 10), strict=True):
        items = sorted(items_to_judge(take(campaign, annotator)), key=lambda item: (item.segment_id, system_of(item)))
        for number, item in enumerate(items):
            judge(item, 20 + 3 * number + (60 if more and not number else more), active_ms=20_000)
    return campaign


stored, cast, test_set, judged = made_once(make_judged)


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    """Nobody has judged yet."""
    return make_planned_campaign(test_set, cast, name="Unjudged", redundancy=2)


def at(campaign: Campaign, page: str = "agreement/") -> str:
    return f"/campaigns/{campaign.slug}/{page}"


def system_of(item: Item) -> str:
    return item.slots.get().system.name


def compute(campaign: Campaign, **options: Any) -> Run:
    return perform_now(kind="analysis", campaign=campaign, arguments={"options": options})


def rows_of(client: Client, address: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(client.get(address).content.decode())))


@pytest.mark.parametrize("page", PAGES)
def test_organiser_and_researcher_read_and_nobody_else(
    judged: Campaign, cast: Cast, client_of: ClientOf, test_set: TestSet, page: str
) -> None:
    make_planned_campaign(test_set, Cast(cast.stranger, cast.annotators, cast.researcher, cast.organiser), name="Other")
    for reader in (cast.organiser, cast.researcher):
        assert client_of(reader).get(at(judged, page)).status_code == 200
    for other in (cast.annotator, cast.stranger):
        assert client_of(other).get(at(judged, page)).status_code == 404
    assert Client().get(at(judged, page))["Location"].startswith("/sign-in/")
    assert client_of(cast.organiser).post(at(judged, page)).status_code == 405


def test_without_a_run_the_page_offers_one_and_leads_back(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.researcher)
    assert b"Not computed yet" in client.get(at(campaign)).content
    response = client.post(at(campaign, "results/compute/?include=passed"), {"back": "agreement"})
    assert response["Location"] == at(campaign) + "?include=passed"
    assert "Waiting for a worker" in client.get(response["Location"]).content.decode()
    away = client.post(at(campaign, "results/compute/"), {"back": "https://elsewhere.example"})
    assert away["Location"] == at(campaign, "results/")


def test_nobody_judged_is_an_empty_state(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    compute(campaign)
    page = client_of(cast.researcher).get(at(campaign)).content.decode()
    assert "No judgment counts yet" in page
    assert "Nobody has judged yet." in page


def test_one_annotator_alone_has_reasons_and_no_numbers(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    for number, item in enumerate(items_to_judge(take(campaign, cast.annotator))):
        judge(item, 20 + number)
    compute(campaign)
    page = client_of(cast.researcher).get(at(campaign)).content.decode()
    assert "Agreement cannot be measured yet" in page
    assert "n/a: nothing was judged by two annotators" in page
    assert "n/a: nothing shared" in page
    assert "NaN" not in page


def test_the_page_shows_the_results_of_the_run(judged: Campaign, cast: Cast, client_of: ClientOf) -> None:
    run = compute(judged)
    response = client_of(cast.researcher).get(at(judged))
    page = response.content.decode()
    page_context = response.context["page"]
    alpha = page_context.agreement.measures[0].alpha
    assert f"{alpha['interval']:.2f}" in page
    assert f"{alpha['interval_z']:.2f}" in page
    assert "Anna Weidner" in page
    assert "first=anna&amp;second=ben&amp;measure=score" in page
    assert run.signature.split("|")[0] in page
    for mine in ("leave-out", "annotators/anna/"):
        assert mine not in page, "a researcher decides nothing"
    assert "annotators/anna/leave-out/" in client_of(cast.organiser).get(at(judged)).content.decode()


def test_a_decision_counts_at_once_and_makes_the_numbers_stale(
    judged: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    compute(judged)
    client = client_of(cast.researcher)
    exclude_annotator(campaign=judged, annotator=cast.annotator, reason="Always in a hurry.", by=cast.organiser)
    page = client.get(at(judged)).content.decode()
    assert "Judgments have been added or excluded since" in page
    assert "Always in a hurry." in page
    assert "Olive Okafor" in page
    assert 'class="tag tag">excluded<' in page
    readmit_annotator(campaign=judged, annotator=cast.annotator, by=cast.organiser)
    assert "undone" in client.get(at(judged)).content.decode()


def test_all_and_passed_are_two_runs(judged: Campaign, cast: Cast, client_of: ClientOf) -> None:
    compute(judged)
    client = client_of(cast.researcher)
    assert b"Not computed yet" in client.get(at(judged, "agreement/?include=passed")).content
    compute(judged, include="passed")
    page = client.get(at(judged, "agreement/?include=passed")).content.decode()
    assert "nobody passed" in page
    assert "did not pass" in page
    assert "must be one of" in client.get(at(judged, "agreement/?include=some")).content.decode()


@pytest.mark.parametrize(
    ("sort", "first"),
    [("mean", "Anna"), ("-mean", "Ben"), ("name", "Anna"), ("nonsense", "Anna")],
)
def test_the_table_is_sorted_by_its_address(
    judged: Campaign, cast: Cast, client_of: ClientOf, sort: str, first: str
) -> None:
    compute(judged)
    response = client_of(cast.researcher).get(at(judged, f"agreement/?sort=annotators:{sort}"))
    assert response.context["page"].table.rows[0].name.split()[0] == first
    assert response.content.decode().count("aria-sort=") == 1
    assert ("Unknown order “annotators:nonsense”." in response.text) is (sort == "nonsense")


def test_many_annotators_go_on_on_further_pages(
    judged: Campaign, cast: Cast, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    compute(judged)
    monkeypatch.setattr("frontend.researcher.agreement_page.ON_A_PAGE", 1)
    client = client_of(cast.researcher)
    first, second = (client.get(at(judged, f"agreement/?sort=annotators:name&page={n}")) for n in (1, 2))
    rows = [page.context["page"].table.rows for page in (first, second)]
    assert [[row.name.split()[0] for row in each] for each in rows] == [["Anna"], ["Ben"]]
    assert 'href="?sort=annotators%3Aname&amp;page=2#annotators"' in first.text
    assert len(rows_of(client, at(judged, "agreement/annotators.csv"))) == 2


def test_the_files_hold_everything_and_their_signature(judged: Campaign, cast: Cast, client_of: ClientOf) -> None:
    run = compute(judged)
    client = client_of(cast.researcher)
    coefficients, pairs, annotators = (rows_of(client, at(judged, page)) for page in FILES[:3])
    assert {row["signature"] for row in (*coefficients, *pairs, *annotators)} == {run.signature}
    assert [row["coefficient"] for row in coefficients][:2] == ["interval", "interval_z"]
    assert (pairs[0]["first"], pairs[0]["second"]) == ("anna", "ben")
    assert float(annotators[1]["others_difference"]) > 10


def test_reading_costs_the_same_however_many_judge(judged: Campaign, cast: Cast, client_of: ClientOf) -> None:
    compute(judged)
    exclude_annotator(campaign=judged, annotator=cast.annotator, reason="x", by=cast.organiser)
    client = client_of(cast.organiser)
    client.get(at(judged))
    for page, most in (("agreement/", 12), (PAIR, 20)):
        with CaptureQueriesContext(connection) as queries:
            client.get(at(judged, page))
        assert len(queries) <= most, page


def test_the_widest_difference_comes_first_with_both_answers(judged: Campaign, cast: Cast, client_of: ClientOf) -> None:
    response = client_of(cast.researcher).get(at(judged, PAIR))
    result = response.context["result"]
    assert result.differences[0].apart == 60
    assert [answer.value for answer in result.differences[0].outputs[0].answers] == [20, 80]
    assert result.shared == len(items_to_judge(judged.assignments.get(annotator=cast.annotator)))
    page = response.content.decode()
    assert "60 points apart" in page
    assert f'id="{result.differences[0].anchor}"' in page
    drawing = f"exports/figures/pair.svg?{PAIR.partition('?')[2]}"
    assert f'data-picture="{at(judged, drawing)}"' in page.replace("&amp;", "&")
    assert "<circle" in client_of(cast.researcher).get(at(judged, drawing)).content.decode()
    rows = rows_of(client_of(cast.researcher), at(judged, FILES[-1]))
    assert (float(rows[0]["anna"]), float(rows[0]["ben"]), float(rows[0]["apart"])) == (20, 80, 60)


@pytest.mark.parametrize(
    "query", ["", "first=anna", "first=anna&second=anna", "first=anna&second=sasha", "first=anna&second=ben&measure=x"]
)
def test_what_is_not_a_pair_is_not_found(judged: Campaign, cast: Cast, client_of: ClientOf, query: str) -> None:
    assert client_of(cast.researcher).get(at(judged, f"agreement/pair/?{query}")).status_code == 404


def test_thresholds_of_metrics_without_scores_are_a_problem_on_the_page(
    test_set: TestSet, cast: Cast, client_of: ClientOf
) -> None:
    campaign = make_planned_campaign(test_set, cast, protocol="mqm", name="Marked")
    address = f"/campaigns/{campaign.slug}/agreement/?threshold="
    page = client_of(cast.organiser).get(f"{address}nothing=60").content.decode()
    assert "The threshold is of a metric without scores here: “nothing”. Scores: –." in page
    assert "Thresholds are metrics with a number each" in client_of(cast.organiser).get(f"{address}60").content.decode()
