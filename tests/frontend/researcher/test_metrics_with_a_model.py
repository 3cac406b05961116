"""The page of metrics where the light model is missing, and where it has computed scores."""

import re
from pathlib import Path

from pytest_django import Settings

from campaigns.models import Campaign, Reference
from jobs.models import Run
from tests.cast import Cast
from tests.frontend.researcher.test_automatic_metrics_page import ClientOf, at, score, text_of
from tests.metrics.neural.light_model_files import models_folder


def test_metrics_whose_model_is_missing_say_so_and_what_to_do(
    campaign: Campaign, cast: Cast, client_of: ClientOf, settings: Settings, tmp_path: Path
) -> None:
    settings.MODELS_DIR = tmp_path
    client = client_of(cast.researcher)
    response = client.get(at(campaign))
    assert re.search(r'value="bertscore"\s+disabled', response.content.decode())
    assert "not installed" in text_of(client, at(campaign))
    assert "./assay neural install light" in text_of(client, at(campaign))
    client.post(at(campaign, "score/"), {"metrics": ["bertscore"]})
    assert not Run.objects.exists()
    assert "BERTScore cannot be computed" in text_of(client, at(campaign))


def test_metrics_with_a_model_name_it_and_how_far_to_trust_it(
    campaign: Campaign, cast: Cast, client_of: ClientOf, settings: Settings
) -> None:
    settings.MODELS_DIR = Path(models_folder())
    client = client_of(cast.researcher)
    page = client.get(at(campaign)).context["page"]
    assert [one.name for one in page.computable if one.is_ticked] == ["bleu", "chrf", "chrf++", "ter", "bertscore"]
    assert "which model" not in text_of(client, at(campaign))
    score(campaign, "bertscore", "yisi_2")
    response = client.get(at(campaign))
    assert [(each.title, each.remark) for each in response.context["page"].scores.metrics] == [
        ("BERTScore", "multilingual-e5-small (4 bit)"),
        ("YiSi-2 (no reference)", "multilingual-e5-small (4 bit)"),
    ]
    shown = text_of(client, at(campaign))
    for words in (
        "which model",
        "0.326",
        "0.984",
        "For publication, take a larger learned metric",
        "not better than chrF",
    ):
        assert words in shown
    assert "|model:e5-small-q4|sha:1571fc982750|" in text_of(client, at(campaign, "scores.csv"))


def test_without_a_reference_only_what_needs_none_can_be_chosen(
    campaign: Campaign, cast: Cast, client_of: ClientOf, settings: Settings
) -> None:
    Reference.objects.all().delete()
    settings.MODELS_DIR = Path(models_folder())
    client = client_of(cast.researcher)
    choices = client.get(at(campaign)).context["page"].computable
    assert [one.name for one in choices if not one.why_not] == ["yisi_2"]
    assert {one.why_not for one in choices} == {"", "needs a reference"}
    score(campaign, "yisi_2")
    assert "YiSi-2 (no reference)" in text_of(client, at(campaign))
