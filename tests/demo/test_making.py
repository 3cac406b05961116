"""The demo as `./assay run` fills it, in which one figure has one value, and a coefficient one name, everywhere."""

import copy
import csv
import re
from collections.abc import Iterator, Mapping
from html import unescape
from io import StringIO
from pathlib import Path
from typing import Any

from django.db import transaction
from django.test import Client
from django.utils import timezone

import pytest
from pytest_django import DjangoDbBlocker, Settings

from annotation.actions.claiming import claim_assignment
from annotation.models import Judgment
from annotation.protocols import PROTOCOLS
from campaigns.models import Account, Campaign, CampaignStatus
from demo.campaign import DemoCampaign
from demo.campaigns import DEMO_CAMPAIGNS
from demo.making import make_demo, score_again
from exchange.tables.papers import methods_of, paper_tables_of_run
from frontend.templatetags.words import duration
from jobs.models import Run, RunStatus
from jobs.queries import parts_of
from metrics.analyses.agreement_tables import ALPHAS, KAPPAS
from metrics.analyses.annotators import Annotator
from metrics.analyses.correlation import Correlations
from metrics.analysis_runs import USUAL, AnalysisRuns
from metrics.coefficient_names import CORRELATIONS
from metrics.progress.overview import overview_of
from tests.metrics.neural.light_model_files import models_folder
from tests.plugins.drawing import part_of

# A slider with z-scores, preferences, and times with HTER, all on the same texts; whole counts come from their rows.
NAMES = ("Harbour news", "Harbour, two compared", "Harbour, post-edited")
OF_OTHERS = 3  # each campaign is analysed in seconds, and by what tests of its protocol look at in every suite
# Other ways in which these coefficients were written on one page or another.
OTHER_NAMES = re.compile(
    r"Kendall(?!’s τ-b)|Pearson(?!’s r)|Spearman(?!’s ρ)|tau-b|[ακ], "
    r"|Krippendorff’s alpha(?! \((?:ordinal|interval|interval, on z-scores|nominal|ratio)\))"
)


@pytest.fixture(scope="module")
def drawn_campaigns(request: pytest.FixtureRequest) -> tuple[DemoCampaign, ...]:
    """Those named above, and of the others a third where the suite draws."""
    seed = request.config.getoption("draw")
    others = [demo for demo in DEMO_CAMPAIGNS if demo.spec.name not in NAMES]
    drawn = others if seed is None else part_of(others, OF_OTHERS, seed)
    return tuple(demo for demo in DEMO_CAMPAIGNS if demo.spec.name in NAMES or demo in drawn)


@pytest.fixture(scope="module")
def demo(
    drawn_campaigns: tuple[DemoCampaign, ...], django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[list[Campaign]]:
    """Made once; each test undoes what it did itself."""
    around_all_tests: Any = transaction.atomic()
    around_all_tests._from_testcase = True  # as a test's own: inside, durable transactions are allowed
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("demo.making.DEMO_CAMPAIGNS", drawn_campaigns)
        around_all_tests.__enter__()
        made = make_demo()
    yield made
    with django_db_blocker.unblock():
        transaction.set_rollback(True)
        around_all_tests.__exit__(None, None, None)


@pytest.fixture
def campaigns(demo: list[Campaign], db: None) -> Mapping[str, Campaign]:
    chosen = {campaign.protocol: copy.deepcopy(campaign) for campaign in demo if campaign.name in NAMES}
    assert len(chosen) == len(NAMES)
    return chosen


@pytest.fixture
def organiser(campaigns: Mapping[str, Campaign], client: Client) -> Client:
    client.force_login(Account.objects.get(username="demo-organiser"))
    return client


def text_of(client: Client, path: str) -> str:
    """What is read on a page, without what only it measures."""
    response = client.get(path)
    assert response.status_code == 200, path
    visible = re.sub(r"<(script|style)\b.*?</\1>", " ", response.content.decode(), flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", visible)))


def rows_of(client: Client, path: str) -> list[dict[str, str]]:
    response = client.get(path)
    assert response.status_code == 200, path
    return list(csv.DictReader(StringIO(response.content.decode("utf-8-sig"))))


def test_every_campaign_has_judgments_results_and_work_for_the_visitor(
    drawn_campaigns: tuple[DemoCampaign, ...], demo: list[Campaign], db: None, settings: Settings
) -> None:
    campaigns = copy.deepcopy(demo)
    assert [campaign.name for campaign in campaigns] == [drawn.spec.name for drawn in drawn_campaigns]
    visitor = Account.objects.get(username="demo-annotator")
    for campaign in campaigns:
        assert campaign.protocol in PROTOCOLS
        assert not Judgment.objects.filter(item__assignment__campaign=campaign, submitted_at__gt=timezone.now()), (
            campaign
        )
        assert Judgment.objects.filter(item__assignment__campaign=campaign).count() >= 30, campaign
        assert {run.status for run in Run.objects.filter(campaign=campaign)} == {RunStatus.DONE}, campaign
        is_open = campaign.status == CampaignStatus.OPEN
        assert (claim_assignment(campaign=campaign, annotator=visitor) is not None) == is_open, campaign
        of_analysis = AnalysisRuns(campaign, USUAL).result_of(tuple[Annotator, ...], "annotators") or ()
        of_pages = {one.annotator: one.seconds_median for one in of_analysis}
        on_overview = {line.person.username: line.seconds_median for line in overview_of(campaign).lines}
        assert of_pages
        assert {name: on_overview[name] for name in of_pages} == of_pages, campaign
    settings.MODELS_DIR = Path(models_folder())
    harbour = campaigns[0]
    Campaign.objects.exclude(pk=harbour.pk).update(deleted_at=timezone.now())  # each of the set is analysed again
    score_again()
    correlated = AnalysisRuns(harbour, USUAL).result_of(Correlations, "correlation")
    assert correlated is not None
    assert {"bleu", "bertscore", "yisi_1", "yisi_2"} <= {one.metric for one in correlated.metrics}


def test_times_counts_names_and_hter_agree_everywhere(campaigns: Mapping[str, Campaign], organiser: Client) -> None:
    for campaign in campaigns.values():
        check_times(campaign, organiser)
        check_number_of_annotators(campaign, organiser)
        check_names_of_coefficients(campaign, organiser)
    check_hter(campaigns["post_editing"], organiser)


def check_times(campaign: Campaign, client: Client) -> None:
    """Of each annotator: overview and agreement, their CSVs, the API's progress and its run's part."""
    home, api = f"/campaigns/{campaign.slug}", f"/api/v1/campaigns/{campaign.slug}"
    by_overview = {
        row["annotator"]: float(row["seconds_median"])
        for row in rows_of(client, f"{home}/overview/annotators.csv")
        if row["seconds_median"]
    }
    by_agreement = {
        row["annotator"]: float(row["seconds_median"]) for row in rows_of(client, f"{home}/agreement/annotators.csv")
    }
    progress = client.get(f"{api}/progress").json()
    by_api = {one["username"]: one["seconds_median"] for one in progress["annotators"] if one["seconds_median"]}
    by_run = {one["annotator"]: one["seconds_median"] for one in _part(campaign, "annotators")}
    assert by_overview == by_agreement == by_api == by_run
    assert by_run
    overview, agreement = text_of(client, f"{home}/overview/"), text_of(client, f"{home}/agreement/")
    for username, seconds in by_run.items():
        name = Account.objects.get(username=username).name
        for page in (overview, agreement):
            assert re.search(rf"{name} .{{0,120}}?{re.escape(duration(seconds))}", page), (name, seconds)
    assert f"median time per judgment {duration(progress['seconds_median'])}" in overview


def check_number_of_annotators(campaign: Campaign, client: Client) -> None:
    """Those who judged; a plan may have more people, of whom only pages for organisers speak."""
    home = f"/campaigns/{campaign.slug}"
    judged = Judgment.objects.filter(item__assignment__campaign=campaign).values("annotator").distinct().count()
    run = AnalysisRuns(campaign, USUAL).done
    assert run is not None
    methods = methods_of(run)
    assert methods is not None
    progress = client.get(f"/api/v1/campaigns/{campaign.slug}/progress").json()["annotators"]
    other = next(_others(client, campaign))
    compared = client.get(f"/api/v1/campaigns/{campaign.slug}/comparison?with={other}").json()["comparison"]
    assert f"by {judged} annotators" in methods.latex
    assert _part(campaign, "scope")["annotators"] == judged
    assert len(rows_of(client, f"{home}/agreement/annotators.csv")) == judged
    assert sum(one["judgments"] > 0 for one in progress) == judged
    assert compared["first"]["annotators"] == judged
    invited = len(progress)
    assert f"annotators active today, of {invited}" in text_of(client, f"{home}/overview/")
    assert len(rows_of(client, f"{home}/overview/annotators.csv")) == invited
    assert f"{invited} annotators" in text_of(client, "/campaigns/")


def _others(client: Client, campaign: Campaign) -> Iterator[str]:
    for one in client.get(f"/api/v1/campaigns/{campaign.slug}/comparison").json()["campaigns"]:
        yield one["campaign"]


def check_names_of_coefficients(campaign: Campaign, client: Client) -> None:
    home = f"/campaigns/{campaign.slug}"
    for path in ("agreement/", "results/", f"results/compare/?with={next(_others(client, campaign))}", "metrics/"):
        page = text_of(client, f"{home}/{path}")
        assert not OTHER_NAMES.search(page), (path, OTHER_NAMES.findall(page))
    compared = text_of(client, f"{home}/results/compare/?with={next(_others(client, campaign))}")
    for name in ("pearson", "kendall_b"):
        assert str(CORRELATIONS[name]) in compared
    agreement = text_of(client, f"{home}/agreement/")
    run = AnalysisRuns(campaign, USUAL)
    (table,) = (each for each in paper_tables_of_run(run, "agreement") if each.name == "agreement")
    in_paper = {str(row[1]) for row in table.rows}
    assert in_paper <= {str(name) for name in (*ALPHAS.values(), *KAPPAS.values())}
    assert any(name in agreement for name in in_paper)


def check_hter(campaign: Campaign, client: Client) -> None:
    """A share of words in every place, never in percent."""
    home = f"/campaigns/{campaign.slug}"
    by_run = {one["system"]: one["hter"] for one in _part(campaign, "post_editing")["systems"]}
    ranked = [row for row in rows_of(client, f"{home}/results/systems.csv") if row["measure"] == "hter"]
    effort = rows_of(client, f"{home}/results/effort.csv")
    assert {row["system"]: float(row["mean"]) for row in ranked} == pytest.approx(by_run)
    assert {row["system"]: float(row["hter"]) for row in effort} == pytest.approx(by_run)
    other = next(_others(client, campaign))
    compared = rows_of(client, f"{home}/results/compare/systems.csv?with={other}")
    shared = {row["system"]: float(row["first_value"]) for row in compared if row["first_value"]}
    assert shared == pytest.approx(by_run)
    results = text_of(client, f"{home}/results/")
    pages = (results, text_of(client, f"{home}/results/compare/?with={other}"))
    for system, hter in by_run.items():
        for page in pages:
            assert f"{hter:.2f}" in page
            assert f"{100 * hter:.1f}%" not in page, (system, hter)
        assert f"{system} {hter:.3f}" in results
    for page in pages:
        assert not re.search(r"HTER[^.]{0,40}%\D{0,3}\d", page)


def _part(campaign: Campaign, name: str) -> Any:
    run = AnalysisRuns(campaign, USUAL).done
    assert run is not None
    return parts_of(run, name)[name]
