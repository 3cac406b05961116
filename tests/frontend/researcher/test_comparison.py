"""The page that puts two campaigns side by side: whom it offers, what it shows, its files, and what it may not tell."""

import csv
import json
from collections.abc import Callable
from io import StringIO

from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import numpy as np
import pytest
from pytest_django import DjangoAssertNumQueries
from scipy import stats

from annotation.actions.decisions import exclude_annotator
from annotation.models import Score
from campaigns.models import Account, Campaign, Membership, Role, TestSet, Withdrawal
from metrics.actions.forgetting import forget_person
from metrics.analyses import judged_outputs
from metrics.models import OutputValues
from tests.cast import Cast
from tests.frontend.researcher.judged import compute
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take
from tests.rows_made_once import made_once
from tests.sample_test_set import make_test_set

ClientOf = Callable[[Account], Client]
QUERIES = 18


def make_pair(test_set: TestSet, cast: Cast) -> tuple[Campaign, Campaign]:
    """Two campaigns of all outputs, the second judged by one of the first's annotators, with results."""
    first = make_planned_campaign(test_set, cast, name="First", redundancy=2)
    second = make_planned_campaign(test_set, cast, name="Second", redundancy=1, seed=8)
    for campaign, people in ((first, cast.annotators), (second, cast.annotators[:1])):
        for annotator in people:
            for number, item in enumerate(items_to_judge(take(campaign, annotator))):
                judge(item, 40 + 7 * number % 53)
        compute(campaign)
    return first, second


stored, cast, test_set, pair = made_once(make_pair)


def read(client: Client, path: str) -> list[dict[str, str]]:
    response = client.get(path)
    assert response.status_code == 200, path
    return list(csv.DictReader(StringIO(response.content.decode("utf-8-sig"))))


def test_results_lead_to_a_page_that_offers_the_others_on_the_test_set(
    pair: tuple[Campaign, Campaign], cast: Cast, client_of: ClientOf
) -> None:
    client = client_of(cast.researcher)
    assert 'href="/campaigns/first/results/compare/"' in client.get("/campaigns/first/results/").content.decode()
    page = client.get("/campaigns/first/results/compare/").content.decode()
    assert '<option value="second"' in page
    assert "Choose a campaign" in page


def test_an_empty_page_says_what_will_be_there_and_what_to_do(cast: Cast, client_of: ClientOf) -> None:
    make_planned_campaign(make_test_set("Other texts", slug="other-texts"), cast, name="Alone")
    page = client_of(cast.researcher).get("/campaigns/alone/results/compare/").content.decode()
    assert "No other campaign yet" in page
    assert "how far the judgments agree will be here" in page
    assert "Create another campaign on this test set" in page


def test_a_campaign_of_strangers_is_neither_offered_nor_found(
    pair: tuple[Campaign, Campaign], cast: Cast, client_of: ClientOf
) -> None:
    _first, second = pair
    Membership.objects.filter(campaign=second, account=cast.researcher).delete()
    client = client_of(cast.researcher)
    page = client.get("/campaigns/first/results/compare/").content.decode()
    assert "Second" not in page
    for path in (
        "results/compare/?with=second",
        "results/compare/systems.csv?with=second",
        "exports/figures/compared-systems.svg?with=second",
    ):
        assert client.get(f"/campaigns/first/{path}").status_code == 404
    assert client.get("/api/v1/campaigns/first/comparison?with=second").status_code == 404
    assert client.get("/api/v1/campaigns/first/comparison").json() == {"campaigns": [], "comparison": None}


def test_an_annotators_place_is_not_enough_and_other_texts_are_not_offered(
    pair: tuple[Campaign, Campaign], cast: Cast, client_of: ClientOf
) -> None:
    _first, second = pair
    Membership.objects.filter(campaign=second, account=cast.researcher).update(role=Role.ANNOTATOR)
    make_planned_campaign(make_test_set("Other texts", slug="other-texts"), cast, name="Elsewhere")
    client = client_of(cast.researcher)
    for other in ("second", "elsewhere", "first", "nothing"):
        assert client.get(f"/campaigns/first/results/compare/?with={other}").status_code == 404


def test_page_files_api_and_command_have_the_numbers_that_scipy_computes(
    pair: tuple[Campaign, Campaign], cast: Cast, client_of: ClientOf, capsys: pytest.CaptureFixture[str]
) -> None:
    client = client_of(cast.researcher)
    means = [_means(campaign) for campaign in pair]
    both = sorted(set(means[0]) & set(means[1]))
    pearson = stats.pearsonr(*([of[text] for text in both] for of in means))[0]
    by_file = read(client, "/campaigns/first/results/compare/agreement.csv?with=second")[1]
    assert (by_file["level"], by_file["outputs"]) == ("output", str(len(both)))
    by_api = client.get("/api/v1/campaigns/first/comparison?with=second").json()["comparison"]
    call_command("compare_campaigns", "first", "Second", "--json")
    by_command = json.loads(capsys.readouterr().out)
    numbers = [float(by_file["pearson"]), by_api["agreement"][1]["pearson"], by_command["agreement"][1]["pearson"]]
    assert numbers == pytest.approx([pearson] * 3, abs=1e-9)
    assert by_api["annotators"] == {"both": 1, "either": 2, "share": 0.5, "reasons": {}}
    page = client.get("/campaigns/first/results/compare/?with=second").content.decode()
    assert f"{pearson:.3f}".replace("-", "−") in page
    assert "1 of 2 annotators judged in both (50%)." in page
    call_command("compare_campaigns", "first", "second")
    assert f"{pearson:.3f}" in capsys.readouterr().out


def _means(campaign: Campaign) -> dict[tuple[int, int], float]:
    """z-scores averaged by output; in an annotator's mean and deviation a text of two systems counts once."""
    scores = Score.objects.filter(judgment__item__assignment__campaign=campaign, measure="score")
    own: dict[int, dict[int, float]] = {}
    for who, judgment, value in scores.values_list("judgment__annotator", "judgment", "value"):
        own.setdefault(who, {})[judgment] = value
    z: dict[tuple[int, int], list[float]] = {}
    places = scores.values_list("judgment__annotator", "translation__segment", "translation__system", "value")
    for who, segment, system, value in places:
        all_of_them = list(own[who].values())
        deviation = np.std(all_of_them, ddof=1)
        z.setdefault((segment, system), []).append(float((value - np.mean(all_of_them)) / deviation))
    return {place: float(np.mean(values)) for place, values in z.items()}


def test_each_chart_has_its_files_and_a_table(pair: tuple[Campaign, Campaign], cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.researcher)
    page = client.get("/campaigns/first/results/compare/?with=second").content.decode()
    for name, table in (
        ("compared-systems", "systems"),
        ("compared-places", "systems"),
        ("compared-outputs", "outputs"),
    ):
        assert f"/exports/figures/{name}.svg?with=second" in page
        assert client.get(f"/campaigns/first/exports/figures/{name}.svg?with=second").content.startswith(b"<svg")
        assert read(client, f"/campaigns/first/results/compare/{table}.csv?with=second")
    orders = read(client, "/campaigns/first/results/compare/orders.csv?with=second")
    systems = read(client, "/campaigns/first/results/compare/systems.csv?with=second")
    assert len(orders) == len(systems) * (len(systems) - 1) / 2
    assert client.get("/campaigns/first/results/compare/nothing.csv?with=second").status_code == 404
    assert client.get("/campaigns/first/results/compare/systems.csv").status_code == 404


def test_without_results_outputs_are_compared_and_the_page_says_what_is_missing(
    test_set: TestSet, cast: Cast, client_of: ClientOf
) -> None:
    for name in ("Third", "Fourth"):
        campaign = make_planned_campaign(test_set, cast, name=name)
        for number, item in enumerate(items_to_judge(take(campaign, cast.annotator))):
            judge(item, 40 + number)
    client = client_of(cast.researcher)
    page = client.get("/campaigns/third/results/compare/?with=fourth").content.decode()
    assert "has no ranking yet, so systems are not compared" in page
    assert "no results of both" in page
    compared = client.get("/api/v1/campaigns/third/comparison?with=fourth").json()["comparison"]
    assert compared["first"]["missing"] == "no_run"
    assert compared["reasons"] == {"systems": "no_results", "pairs": "too_few_systems"}
    over, outputs, _within = compared["agreement"]
    assert over["reasons"]["pearson"] == "no_results"
    assert outputs["outputs"] > 0


def test_excluded_annotators_do_not_count(pair: tuple[Campaign, Campaign], cast: Cast, client_of: ClientOf) -> None:
    first, _second = pair
    exclude_annotator(campaign=first, annotator=cast.annotators[0], reason="A test.", by=cast.organiser)
    client = client_of(cast.researcher)
    compared = client.get("/api/v1/campaigns/first/comparison?with=second").json()["comparison"]
    assert compared["annotators"]["both"] == 0
    assert compared["first"]["annotators"] == 1
    assert compared["first"]["is_stale"]
    page = client.get("/campaigns/first/results/compare/?with=second").content.decode()
    assert "changed since its results were computed" in page


def test_the_number_of_queries_does_not_grow_with_the_judgments(
    pair: tuple[Campaign, Campaign], cast: Cast, client_of: ClientOf, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = client_of(cast.researcher)
    path = "/campaigns/first/results/compare/?with=second"
    client.get(path)
    with django_assert_num_queries(QUERIES):
        client.get(path)
    Score.objects.filter(judgment__item__assignment__campaign=pair[0], value__gt=45).delete()
    with django_assert_num_queries(QUERIES):
        client.get(path)


def test_the_command_refuses_one_campaign_twice_and_other_texts(pair: tuple[Campaign, Campaign], cast: Cast) -> None:
    make_planned_campaign(make_test_set("Other texts", slug="other-texts"), cast, name="Elsewhere")
    with pytest.raises(CommandError, match="Name two different campaigns"):
        call_command("compare_campaigns", "first", "first")
    with pytest.raises(CommandError, match="Only campaigns on the same test set can be compared: “First” is on"):
        call_command("compare_campaigns", "first", "Elsewhere")


def test_outputs_of_a_large_campaign_are_those_of_its_results(
    pair: tuple[Campaign, Campaign], cast: Cast, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = pair
    client = client_of(cast.researcher)
    address = "/api/v1/campaigns/first/comparison?with=second"
    as_judged = client.get(address).json()["comparison"]
    monkeypatch.setattr(judged_outputs, "READ_AT_ONCE", 1)
    without = client.get(address).json()["comparison"]
    assert without["agreement"][1]["reasons"]["pearson"] == "no_results"
    assert without["agreement"][2]["reasons"]["pearson"] == "no_results"
    for campaign in pair:
        compute(campaign)
    stored = client.get(address).json()["comparison"]
    for compared in (as_judged, stored):
        for side in ("first", "second"):
            del compared[side]["run"]
    assert stored == as_judged
    with CaptureQueriesContext(connection) as queries:
        assert client.get("/campaigns/first/results/compare/?with=second").status_code == 200
    assert not [each for each in queries.captured_queries if "annotation_score" in each["sql"]]
    exclude_annotator(campaign=first, annotator=cast.annotators[0], reason="A test.", by=cast.organiser)
    later = client.get(address).json()["comparison"]
    assert (later["first"]["is_stale"], later["agreement"]) == (True, stored["agreement"])
    forget_person(account=cast.annotators[0], how=Withdrawal.ERASED, by=cast.organiser)
    assert not OutputValues.objects.filter(run__campaign__in=[first, second]).exists()
