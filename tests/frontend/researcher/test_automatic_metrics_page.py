"""The page of metrics: who may see it, what it says in each state, what one can ask for, and its files."""

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import pytest
from pytest_django import Settings

from campaigns.models import Account, Campaign, Reference, TestSet
from exchange.tables.finished_runs import METRIC_TABLES
from jobs.actions import claim_run, perform_now, perform_run
from jobs.models import Run, RunStatus
from metrics.automatic.resampling import Draw, interval_entry
from metrics.automatic.tokenizers import is_plain
from metrics.models import ImportedScores, SystemScore
from metrics.scoring.reading import read_metric_scores
from metrics.scoring.wordnet_folder import from_folder, install
from tests.cast import Cast
from tests.metrics.scoring.wordnet_files import write_release
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take
from tests.rows_made_once import made_once
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT

ClientOf = Callable[[Account], Client]
MOST_QUERIES = 20


def judged(test_set: TestSet, cast: Cast) -> Campaign:
    """Judged to its end; the human translation is the reference itself."""
    campaign = make_planned_campaign(test_set, cast)
    worth = {WOMBAT: 70, QUOKKA: 30, HUMAN: 90}
    for number, item in enumerate(items_to_judge(take(campaign, cast.annotator))):
        translation = item.slots.get().translation
        judge(item, worth[translation.system.name if translation else HUMAN] + number % 7)
    return campaign


stored, cast, test_set, campaign = made_once(judged)


def at(campaign: Campaign, page: str = "") -> str:
    return f"/campaigns/{campaign.slug}/metrics/{page}"


def score(campaign: Campaign, *metrics: str) -> Run:
    return perform_now(kind="metric_scores", test_set=campaign.test_set, arguments={"metrics": list(metrics)})


def correlate(campaign: Campaign) -> Run:
    run = perform_now(kind="analysis", campaign=campaign, arguments={"analyses": ["correlation"]})
    assert run.status == RunStatus.DONE, run.error
    return run


def import_scores(campaign: Campaign, metric: str) -> None:
    made = ImportedScores.objects.create(
        test_set=campaign.test_set, metric=metric, level="system", file_name=f"{metric}.sys.score", is_whole=True
    )
    for place, system in enumerate(campaign.test_set.systems.exclude(name=HUMAN).order_by("name")):
        SystemScore.objects.create(scores=made, system=system, value=0.5 + place / 10)


def text_of(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize("page", ["", "state/", *(f"{name}.csv" for name in METRIC_TABLES)])
def test_organiser_and_researcher_read_and_nobody_else(
    campaign: Campaign, cast: Cast, client_of: ClientOf, page: str
) -> None:
    for reader in (cast.organiser, cast.researcher):
        assert client_of(reader).get(at(campaign, page)).status_code == 200
    for other in (cast.annotator, cast.stranger):
        assert client_of(other).get(at(campaign, page)).status_code == 404
    assert Client().get(at(campaign, page))["Location"].startswith("/sign-in/")


@pytest.mark.parametrize("page", ["score/", "correlate/", "cancel/"])
def test_nobody_else_asks_for_anything(campaign: Campaign, cast: Cast, client_of: ClientOf, page: str) -> None:
    for other in (cast.annotator, cast.stranger):
        assert client_of(other).post(at(campaign, page), {"metrics": ["bleu"]}).status_code == 404
    assert client_of(cast.researcher).get(at(campaign, page)).status_code == 405
    assert not Run.objects.exists()


def test_an_unknown_file_is_not_found(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    assert client_of(cast.researcher).get(at(campaign, "secrets.csv")).status_code == 404


def test_without_a_reference_there_is_nothing_to_count(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.researcher)
    assert "No metric has scored this test set yet" in text_of(client, at(campaign))
    Reference.objects.all().delete()
    page = text_of(client, at(campaign))
    assert "This test set has no reference" in page
    assert "Only metrics that need none can be computed" in page
    assert "Which metric to report" in page


def test_metrics_are_requested_counted_and_shown(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.researcher)
    client.post(at(campaign, "score/"), {"metrics": ["bleu", "ter", "nonsense"]})
    client.post(at(campaign, "score/"), {"metrics": ["chrf"]})
    (run,) = Run.objects.all()
    assert run.arguments["metrics"] == ["bleu", "ter"], "one at a time, and only what there is"
    page = text_of(client, at(campaign))
    assert "Waiting for a worker" in page
    assert "wait=scoring" in page
    waiting = client.get(at(campaign, "state/?wait=scoring"))
    assert b"data-reload" not in waiting.content
    assert (
        client.get(at(campaign, "state/?wait=scoring"), headers={"if-none-match": waiting["ETag"]}).status_code == 304
    )
    claimed = claim_run(run.pk)
    assert claimed is not None
    perform_run(claimed)
    assert b"data-reload" in client.get(at(campaign, "state/?wait=scoring")).content
    page = text_of(client, at(campaign))
    assert "Brevity penalty" in page
    assert "nrefs:1|case:mixed|eff:no|tok:13a" in page
    assert "Not compared yet" in page


def test_meteor_without_synonyms_says_so_beside_its_score(
    campaign: Campaign, cast: Cast, client_of: ClientOf, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    settings.METRIC_RESOURCES = {"wordnet": "", "meteor_variant": "2005"}
    TestSet.objects.update(target_language="en")
    campaign.refresh_from_db()
    client = client_of(cast.researcher)
    assert "./assay manage install_wordnet" in text_of(client, at(campaign))
    score(campaign, "meteor", "chrf")
    response = client.get(at(campaign))
    assert [(metric.name, metric.remark) for metric in response.context["page"].scores.metrics] == [
        ("chrf", ""),
        ("meteor", "without synonyms"),
    ]
    assert re.search(r"METEOR</bdi></a><div[^>]*>without synonyms", response.content.decode())
    assert "|synonyms:none|" in text_of(client, at(campaign, "scores.csv"))
    with from_folder(write_release(tmp_path / "own")) as brought:
        install(brought)
    assert "without synonyms</div>" in text_of(client, at(campaign)), "what was counted stays what it was"
    assert "install_wordnet" not in text_of(client, at(campaign))
    score(campaign, "meteor")
    assert "without synonyms" not in text_of(client, at(campaign))
    assert "|synonyms:wordnet-3.0-" in text_of(client, at(campaign, "scores.csv"))


def test_the_tokenizer_of_bleu_is_chosen_on_the_page(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    TestSet.objects.update(target_language="ko")
    campaign.refresh_from_db()
    client = client_of(cast.researcher)
    page = text_of(client, at(campaign))
    assert '<option value="ko-mecab" selected >ko-mecab – usual for this language</option>' in page
    assert '<option value="flores200"  disabled>flores200 – not installed</option>' in page
    client.post(at(campaign, "score/"), {"metrics": ["bleu", "chrf"], "tokenizer": "char"})
    claimed = claim_run(Run.objects.get().pk)
    assert claimed is not None
    perform_run(claimed)
    page = text_of(client, at(campaign))
    assert "|tok:char|" in page
    assert '<option value="char" selected >char</option>' in page, "counted so before, so offered first"
    client.post(at(campaign, "score/"), {"metrics": ["chrf"], "tokenizer": "char"})
    assert Run.objects.latest("pk").arguments == {"metrics": ["chrf"], "references": None, "by": None}


def test_a_missing_tokenizer_is_named_with_what_installs_it(
    campaign: Campaign, cast: Cast, client_of: ClientOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    TestSet.objects.update(target_language="ja")
    campaign.refresh_from_db()
    client = client_of(cast.researcher)
    assert "./assay install tokenizers" not in text_of(client, at(campaign))
    for home in ("metrics.automatic.tokenizers", "frontend.researcher.automatic_metrics.page"):
        monkeypatch.setattr(f"{home}.is_installed", is_plain)
    page = text_of(client, at(campaign))
    assert "usually computed with ja-mecab, which is not installed" in page
    assert "./assay install tokenizers" in page
    assert '<option value="char" selected >char – usual for this language</option>' in page


def test_a_tokenizer_that_is_not_offered_is_refused(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.researcher)
    for name, message in (("moses", "There is no tokenizer"), ("flores200", "ASSAY_FLORES200_MODEL")):
        response = client.post(at(campaign, "score/"), {"metrics": ["bleu"], "tokenizer": name}, follow=True)
        assert message in response.content.decode()
    assert not Run.objects.exists()


def test_choosing_no_metric_is_refused(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    response = client_of(cast.researcher).post(at(campaign, "score/"), follow=True)
    assert b"Choose a metric first." in response.content
    assert not Run.objects.exists()


def test_counting_is_stopped(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.researcher)
    client.post(at(campaign, "score/"), {"metrics": ["bleu"]})
    response = client.post(at(campaign, "cancel/"), follow=True)
    assert b"Stopped. Scores computed so far are kept." in response.content
    assert Run.objects.get().status == RunStatus.CANCELLED
    client.post(at(campaign, "cancel/"))
    assert Run.objects.get().status == RunStatus.CANCELLED


def test_a_failure_is_shown(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.researcher)
    client.post(at(campaign, "correlate/"))
    Run.objects.update(status=RunStatus.FAILED, error="There was no memory left.")
    assert "There was no memory left." in text_of(client, at(campaign))


def test_people_and_metrics_are_compared_as_chosen(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.researcher)
    score(campaign, "bleu", "chrf", "ter")
    response = client.post(at(campaign, "correlate/?humans=out"))
    assert response["Location"] == at(campaign, "?humans=out")
    client.post(at(campaign, "correlate/?humans=out"))
    (run,) = Run.objects.filter(kind="analysis")
    assert run.arguments["analyses"] == ["correlation"]
    assert run.arguments["options"] == {"humans": "out"}
    claimed = claim_run(run.pk)
    assert claimed is not None
    perform_run(claimed)
    page = text_of(client, at(campaign, "?humans=out"))
    assert f"{HUMAN} is excluded: a reference of the metrics." in page
    assert "humans-out" in page
    assert "Pearson’s r" in page
    assert "Not compared yet" in text_of(client, at(campaign)), "humans counted is another question"


def test_a_correlation_among_all_analyses_does_as_well(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    score(campaign, "bleu", "chrf")
    perform_now(kind="analysis", campaign=campaign, arguments={})
    assert 'id="correlated-segment"' in text_of(client_of(cast.researcher), at(campaign))


def test_newer_scores_make_the_comparison_stale(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.researcher)
    score(campaign, "bleu")
    correlate(campaign)
    assert "New judgments or scores have arrived" not in text_of(client, at(campaign))
    score(campaign, "chrf")
    assert "New judgments or scores have arrived" in text_of(client, at(campaign))


def test_a_baseline_shows_what_is_significantly_better(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    score(campaign, "chrf")
    page = client_of(cast.researcher).get(at(campaign, f"?baseline={QUOKKA}&metric=chrf"))
    (metric,) = page.context["page"].scores.metrics
    assert QUOKKA not in metric.differences
    difference = metric.differences[WOMBAT]
    assert (difference.first, difference.second) == (WOMBAT, QUOKKA)
    assert difference.difference > 0
    assert metric.verdict(WOMBAT) == ("better" if difference.p_randomisation < 0.05 else None)
    assert difference.difference == pytest.approx(metric.known[WOMBAT] - metric.known[QUOKKA])
    assert metric.best == {WOMBAT}, "the human translation is no competitor"
    assert "Difference from the baseline" in page.content.decode()


def test_disagreements_lead_to_their_segments(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    score(campaign, "bleu")
    correlate(campaign)
    page = client_of(cast.researcher).get(at(campaign))
    for _title, rows in page.context["page"].disagreements:
        for row in rows:
            assert f"/campaigns/{campaign.slug}/segments/?segment={row.segment_id}" in page.content.decode()
    assert page.context["page"].disagreements


def test_an_interval_that_misses_its_score_is_shown_with_that_note(
    campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    run = score(campaign, "bleu")
    assert run.result is not None
    entry = next(entry for entry in run.result["scores"] if entry["system"] == WOMBAT)
    entry |= {"score": 64.24, **interval_entry(64.24, (56.38, 60.63), Draw(6))}
    run.save()
    client = client_of(cast.researcher)
    page = text_of(client, at(campaign))
    assert page.count("56.38 to 60.63") == 1
    assert page.count("56.4 – 60.6 *") == 1
    assert page.count("* The value lies outside its interval.") == 1
    assert page.count("The score is outside its interval") == 1  # in detail
    assert "bleu|method:bootstrap".replace("bleu", "BLEU") in page
    rows = {row["system"]: row for row in csv.DictReader(io.StringIO(text_of(client, at(campaign, "scores.csv"))))}
    assert rows[WOMBAT]["interval_note"] == "misses_score"
    assert rows[QUOKKA]["interval_note"] == ""
    assert rows[WOMBAT]["interval_signature"] == Draw(6).signature


def test_the_table_names_every_signature_of_its_metrics(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    score(campaign, "bleu", "chrf")
    import_scores(campaign, "Owl")
    listed = text_of(client_of(cast.researcher), at(campaign)).partition("Signatures of all metrics")[2]
    listed = listed.partition("</details>")[0]
    scores = read_metric_scores(campaign.test_set)
    for metric in scores.metrics:
        assert all(f">{metric.title}|{one}</code>" in listed for one in metric.signatures if one)
    assert listed.count(f"|{Draw(6).signature}</code>") == 2
    signature = correlate(campaign).signature
    for metric in scores.metrics:
        for one in metric.all_signatures:
            assert f"|metric:{metric.name},{one.replace('|', ',')}" in signature


def test_a_run_with_few_resamples_changes_nothing_on_the_page(
    campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    score(campaign, "bleu")
    client = client_of(cast.researcher)
    before = text_of(client, at(campaign, "scores.csv"))
    perform_now(kind="metric_scores", test_set=campaign.test_set, arguments={"metrics": ["bleu"], "resamples": 2})
    assert text_of(client, at(campaign, "scores.csv")) == before
    rows = client.get(f"/api/v1/test-sets/{campaign.test_set.slug}/metrics").json()["results"][0]["systems"]
    ends = {row["system"]: [float(row["low"]), float(row["high"])] for row in csv.DictReader(io.StringIO(before))}
    assert {entry["system"]: entry["interval"] for entry in rows} == ends
    assert {entry["interval_signature"] for entry in rows} == {Draw(6).signature}
    assert {entry["interval_note"] for entry in rows} == {None}
    Run.objects.order_by("pk").first().delete()  # type: ignore[union-attr]
    page = text_of(client, at(campaign))
    assert "No interval: at least 100 resamples are needed." in page
    assert "±" not in page.partition("<caption>")[0]


def test_scores_from_elsewhere_stand_beside_those_counted_here(
    campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    score(campaign, "bleu")
    import_scores(campaign, "BLEU")
    page = text_of(client_of(cast.researcher), at(campaign, "?metric=BLEU"))
    assert "BLEU, imported" in page
    assert "Imported from BLEU.sys.score" in page
    assert "not in the file" in page


def test_nonsense_in_the_address_shows_the_usual_page(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    score(campaign, "bleu")
    correlate(campaign)
    client = client_of(cast.researcher)
    page = text_of(client, at(campaign, "?metric=x&baseline=y&grouping=z&slice=w&plots=v"))
    assert 'id="correlated-system"' in page
    assert "humans must be one of" in text_of(client, at(campaign, "?humans=perhaps"))
    assert "Unknown order" not in text_of(client, at(campaign, "?sort=scores:system"))
    assert "Unknown order “scores:colour”. Allowed: " in text_of(client, at(campaign, "?sort=scores:colour"))


def test_the_page_asks_few_questions_however_many_metrics_there_are(
    campaign: Campaign, cast: Cast, client_of: ClientOf
) -> None:
    score(campaign, "bleu", "chrf", "ter")
    score(campaign, "wer")
    for name in ("COMET", "MetricX", "Sage", "Kiwi"):
        import_scores(campaign, name)
    correlate(campaign)
    client = client_of(cast.researcher)
    with CaptureQueriesContext(connection) as statements:
        text_of(client, at(campaign, f"?baseline={WOMBAT}"))
    assert len(statements) <= MOST_QUERIES


def rows_of(client: Client, campaign: Campaign, name: str) -> list[dict[str, Any]]:
    return list(csv.DictReader(io.StringIO(text_of(client, at(campaign, f"{name}.csv")))))


def test_every_table_is_a_file_with_its_signature(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    system = campaign.test_set.systems.get(name=QUOKKA)
    system.name = "=1+1"
    system.save()
    score(campaign, "bleu", "chrf")
    run = correlate(campaign)
    client = client_of(cast.researcher)
    scores = rows_of(client, campaign, "scores")
    assert {(row["system"], row["metric"]) for row in scores} >= {("'=1+1", "bleu"), (WOMBAT, "chrf")}
    assert all(row["signature"].startswith("nrefs:1") for row in scores)
    assert len(rows_of(client, campaign, "tests")) == 6
    correlations = rows_of(client, campaign, "correlations")
    assert {row["grouping"] for row in correlations} == {"none", "item", "system"}
    assert {row["signature"] for row in correlations} == {run.signature}
    assert {row["test"] for row in rows_of(client, campaign, "comparisons")} == {"williams", "perm-both"}
    assert {row["metric"] for row in rows_of(client, campaign, "disagreements")} == {"bleu", "chrf"}


def test_charts_come_first_and_signatures_last(campaign: Campaign, cast: Cast, client_of: ClientOf) -> None:
    score(campaign, "bleu", "chrf")
    correlate(campaign)
    page = text_of(client_of(cast.researcher), at(campaign))
    places = [page.index(f'id="{each}"') for each in ("plots", "scores", "correlation", "metric", "signature-1")]
    assert places == sorted(places)
