"""The page of metrics in each state of a neural metric: what can be chosen, why not, what to do, and its scores."""

import csv
import io
import re
from datetime import timedelta

from django.utils import timezone

import pytest
from pytest_django import Settings

from campaigns.models import Campaign, Reference
from jobs.actions import queue_run
from jobs.models import Run
from metrics.scoring import neural_states
from tests.cast import Cast
from tests.frontend.researcher.test_automatic_metrics_page import ClientOf, at, correlate, score, text_of
from tests.metrics.scoring.neural_site import COMET, NeuralSite, neural_site, site
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

__all__ = ["neural_site", "site"]


@pytest.fixture
def campaign(test_set: object, cast: Cast) -> Campaign:
    return make_planned_campaign(test_set, cast)  # type: ignore[arg-type]


def states(client_of: ClientOf, cast: Cast, campaign: Campaign) -> dict[str, tuple[str, bool]]:
    page = client_of(cast.researcher).get(at(campaign)).context["page"]
    return {each.name: (each.state, each.is_possible) for each in page.neural.choices}


def test_without_any_model_every_kind_is_named_with_the_commands(
    campaign: Campaign, cast: Cast, client_of: ClientOf, neural_site: NeuralSite
) -> None:
    assert states(client_of, cast, campaign) == dict.fromkeys(
        ("comet", "bleurt", "prism", "prism_src"), ("no model", False)
    )
    shown = text_of(client_of(cast.researcher), at(campaign))
    for command in ("./assay neural install environment", "./assay neural install wmt22-comet-da"):
        assert command in shown


def test_each_state_is_shown_with_what_to_do(
    campaign: Campaign, cast: Cast, client_of: ClientOf, neural_site: NeuralSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(cast.researcher)
    neural_site.has_model("small-comet", licence="CC-BY-NC-SA-4.0")
    assert states(client_of, cast, campaign)[COMET] == ("no environment", False)
    assert "Run ./assay neural install environment" in text_of(client, at(campaign))
    neural_site.has_environment()
    neural_site.has_model("french", languages=("en", "fr"))
    assert states(client_of, cast, campaign)[COMET] == ("", True)
    assert states(client_of, cast, campaign)["comet:french"] == ("wrong language", False)
    shown = text_of(client, at(campaign))
    assert "french was not trained on German. Choose a model that covers it." in shown
    assert "weights CC-BY-NC-SA-4.0: not for commercial use" in shown
    with monkeypatch.context() as patched:
        patched.setattr(neural_states, "free_megabytes", lambda: -1)
        assert states(client_of, cast, campaign)[COMET] == ("not enough memory", False)
        assert "MB of free memory" in text_of(client, at(campaign))
        reasons = client.get(at(campaign)).context["page"].neural.reasons
        assert len(reasons) == 0, "each stands beside the one metric that it concerns"
    neural_site.has_model("encoder", kind="encoder", content="w" * 2_000_000)
    with monkeypatch.context() as patched:
        patched.setattr(neural_states, "free_megabytes", lambda: 1)
        (reason,) = client.get(at(campaign)).context["page"].neural.reasons
        assert reason.startswith("encoder needs 3 MB of free memory"), "that of three metrics is said once"
    (neural_site.models / "small-comet" / "weights.bin").unlink()
    assert states(client_of, cast, campaign)[COMET] == ("changed files", False)
    assert "Install it again" in text_of(client, at(campaign))


def test_a_folder_that_is_no_model_is_named_without_its_place_on_the_server(
    campaign: Campaign, cast: Cast, client_of: ClientOf, site: NeuralSite
) -> None:
    (site.models / "broken").mkdir()
    (site.models / "broken" / "assay-model.json").write_text("{")
    shown = text_of(client_of(cast.researcher), at(campaign))
    assert "The model broken cannot be used. ./assay neural models says why." in shown
    assert str(site.models) not in shown


def test_a_run_that_no_worker_takes_says_so_after_a_minute(
    campaign: Campaign, cast: Cast, client_of: ClientOf, site: NeuralSite, settings: Settings
) -> None:
    client = client_of(cast.researcher)
    client.post(at(campaign, "score/"), {"metrics": [COMET]})
    run = Run.objects.get()
    assert (run.queue, run.arguments["metrics"]) == ("neural", [COMET])
    assert "Waiting for a worker." in text_of(client, at(campaign, "state/"))
    Run.objects.update(created_at=timezone.now() - timedelta(seconds=61))
    assert "Start Assay again: ./assay run" in text_of(client, at(campaign, "state/"))
    assert states(client_of, cast, campaign)[COMET] == ("no worker", True)
    settings.REDIS_URL = "redis://localhost"
    assert "docker compose --profile neural up --detach" in text_of(client, at(campaign, "state/"))
    Run.objects.update(status="running", progress_note="COMET (small-comet): loading the model …")
    assert states(client_of, cast, campaign)[COMET] == ("loading", True)
    assert "COMET (small-comet): loading the model …" in text_of(client, at(campaign, "state/"))


def test_the_state_is_sent_again_when_only_its_words_change(
    campaign: Campaign, cast: Cast, client_of: ClientOf, site: NeuralSite
) -> None:
    client = client_of(cast.researcher)
    queue_run(kind="metric_scores", test_set=campaign.test_set, arguments={"metrics": [COMET]})
    Run.objects.update(status="running", progress_note="COMET (small-comet): 20 of 9,000 segments")
    tag = client.get(at(campaign, "state/"))["ETag"]
    assert client.get(at(campaign, "state/"), headers={"If-None-Match": tag}).status_code == 304
    Run.objects.update(progress_note="COMET (small-comet): 40 of 9,000 segments")
    assert client.get(at(campaign, "state/"), headers={"If-None-Match": tag}).status_code == 200


def test_scores_have_a_column_with_their_licence_and_take_part_in_all(
    campaign: Campaign, cast: Cast, client_of: ClientOf, site: NeuralSite
) -> None:
    client = client_of(cast.researcher)
    for number, item in enumerate(items_to_judge(take(campaign, cast.annotator))):
        judge(item, 30 + 7 * number % 50)
    score(campaign, "bleu", "comet")
    correlate(campaign)
    shown = text_of(client, at(campaign))
    assert "COMET (small-comet)" in shown
    assert "weights Apache-2.0" in shown
    assert "|model:small-comet|sha:" in client.get(at(campaign, "scores.csv")).content.decode()
    assert states(client_of, cast, campaign)[COMET] == ("", True)
    assert re.search(rf'value="{COMET}"\s+checked', client.get(at(campaign)).content.decode())
    for file in ("correlations.csv", "tests.csv"):
        assert COMET in client.get(at(campaign, file)).content.decode()


def test_a_metric_without_scores_says_why_in_the_table_and_in_files(
    campaign: Campaign, cast: Cast, client_of: ClientOf, site: NeuralSite
) -> None:
    client = client_of(cast.researcher)
    site.plan(error={"code": "memory", "message": "It needs 9 GB, there are 2."})
    score(campaign, "bleu", "comet")
    shown = text_of(client, at(campaign))
    assert "not enough memory" in shown
    assert "COMET (small-comet) could not be computed: It needs 9 GB, there are 2." in shown
    rows = list(csv.DictReader(io.StringIO(client.get(at(campaign, "scores.csv")).content.decode("utf-8-sig"))))
    bad = [row for row in rows if row["metric"] == COMET]
    assert {row["score"] for row in bad} == {""}
    assert {row["unavailable"] for row in bad} == {
        "COMET (small-comet) could not be computed: It needs 9 GB, there are 2."
    }


def test_without_a_reference_those_that_need_none_can_be_chosen_and_say_so(
    campaign: Campaign, cast: Cast, client_of: ClientOf, site: NeuralSite
) -> None:
    site.has_model("kiwi", needs_reference=False, takes_reference=False)
    Reference.objects.all().delete()
    found = states(client_of, cast, campaign)
    assert found[COMET] == ("needs a reference", False)
    assert found["comet:kiwi"] == ("", True)
    score(campaign, "comet:kiwi")
    shown = text_of(client_of(cast.researcher), at(campaign))
    assert shown.count("COMET (kiwi) (no reference)") >= 2


def test_marked_errors_are_beside_each_output_of_the_segment(
    campaign: Campaign, cast: Cast, client_of: ClientOf, site: NeuralSite
) -> None:
    site.has_model("marks", marks_spans=True)
    score(campaign, "comet:marks")
    shown = text_of(client_of(cast.researcher), f"/campaigns/{campaign.slug}/segments/")
    assert shown.count("Marked by COMET (marks):") == 3
    assert re.search(r'<q class="read tiny"[^>]*>Die</q>', shown)
