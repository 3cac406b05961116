"""Charts where readers meet them: their files on the pages of people who may take them, and none behind a link."""

import re
import sys
from collections.abc import Callable

from django.test import Client

import pytest

from campaigns.actions.links import make_share_link
from campaigns.models import Account, Campaign, TestSet
from jobs.actions import perform_now
from metrics.analyses.drift import drift
from tests.cast import Cast
from tests.frontend.researcher.judged import compute, make_judged
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take
from tests.rows_made_once import made_once

ClientOf = Callable[[Account], Client]


def make_analysed(test_set: TestSet, cast: Cast) -> Campaign:
    campaign = make_judged(test_set, cast)
    compute(campaign)
    return campaign


stored, cast, test_set, campaign = made_once(make_analysed)


def page_of(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, address
    return response.content.decode()


def test_metrics_have_their_charts_with_files_of_the_correlation_that_is_shown(
    campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    perform_now(kind="metric_scores", test_set=campaign.test_set, arguments={"metrics": ["bleu", "ter"]})
    perform_now(kind="analysis", campaign=campaign, arguments={"analyses": ["correlation"]})
    client, at = client_of(cast.researcher), f"/campaigns/{campaign.slug}"
    page = page_of(client, f"{at}/metrics/?metric=ter")
    assert "TER and people, segment by segment" in page
    for name, table in (("metric-pairs", "pairs"), ("segments-ter", "segments")):
        assert f'href="{at}/exports/figures/{name}.svg?metric=ter"' in page
        assert "<svg" in page_of(client, f"{at}/exports/figures/{name}.svg")
        assert f'href="{at}/metrics/{table}.csv?metric=ter"' in page
        assert len(page_of(client, f"{at}/metrics/{table}.csv").splitlines()) > 1
    assert "segments-bleu.svg" not in page, "one metric is looked at"
    assert "Segments where TER and people are far apart" in page
    assert f'href="{at}/segments/?metric=ter&amp;gap=50&amp;sort=gap"' in page
    assert client.get(f"{at}/segments/?metric=ter&gap=50&sort=gap").status_code == 200


def test_results_name_a_metric_without_scores_that_is_to_sharpen_means(
    campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    perform_now(kind="metric_scores", test_set=campaign.test_set, arguments={"metrics": ["bleu"]})
    page = page_of(client_of(cast.researcher), f"/campaigns/{campaign.slug}/results/?sharpened_by=nosuch")
    assert "“nosuch”" in page


def test_annotators_have_their_charts_and_the_page_for_papers_offers_them_all(
    campaign: Campaign, cast: Cast, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("frontend.charts.people.FEWEST_ANSWERS", 1)
    monkeypatch.setattr(sys.modules[drift.__module__], "FEWEST_JUDGMENTS", 10)
    compute(campaign)
    client, at = client_of(cast.organiser), f"/campaigns/{campaign.slug}"
    agreement, exports = page_of(client, f"{at}/agreement/"), page_of(client, f"{at}/exports/")
    for name, table in (("severity", "annotators"), ("drift", "drift")):
        figure = f"{at}/exports/figures/{name}.svg"
        assert f'href="{at}/agreement/{table}.csv"' in agreement
        assert figure in exports
    assert f"{at}/exports/figures/differences.svg" in exports


def test_who_has_a_link_sees_the_charts_of_systems_without_files_or_names(campaign: Campaign, cast: Cast) -> None:
    _link, secret = make_share_link(campaign=campaign, name="Us", days=30, by=cast.organiser, shows_texts=False)
    page = page_of(Client(), f"/shared/{secret}/?against=sentinel-wombat")
    assert "<option selected>sentinel-wombat</option>" in page
    assert page.count('class="chart"') >= 2
    assert "exports/figures" not in page
    assert "data-picture" not in page
    for annotator in cast.annotators:
        assert annotator.username not in page


def test_every_heading_of_a_page_of_short_scales_has_an_id_of_its_own(
    test_set: TestSet, cast: Cast, client_of: ClientOf
) -> None:
    campaign = make_planned_campaign(test_set, cast, protocol="likert", name="Short scales")
    for item in items_to_judge(take(campaign, cast.annotator)):
        judge(item, payload={"slots": {"A": {"adequacy": 4, "fluency": 3}}})
    compute(campaign)
    page = page_of(client_of(cast.researcher), f"/campaigns/{campaign.slug}/results/")
    ids = re.findall(r' id="([^"]+)"', page)
    assert "points-adequacy-chart" in ids
    assert len(ids) == len(set(ids))
