"""Outputs free of errors: between annotators, of systems, and of a metric from a threshold on."""

from pathlib import Path
from typing import Any

from django.core.management import call_command

import pytest

from campaigns.models import Campaign, TestSet
from metrics.analyses import analyse
from metrics.recipes import AnalysisError, recipe_for
from metrics.results.codec import to_json
from metrics.thresholds import ThresholdError, canonical_thresholds
from tests.cast import Cast
from tests.metrics.marked_errors import GRAVE, make_mqm, mark
from tests.planned_campaign import items_to_judge, make_planned_campaign, take

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_mqm(test_set, cast, redundancy=2)


def error_free(campaign: Campaign, **options: Any) -> dict[str, Any]:
    result: dict[str, Any] = to_json(
        analyse(campaign, analyses=["error_free"], options=options)["analyses"]["error_free"]
    )
    return result


def judge_all(campaign: Campaign, cast: Cast) -> None:
    """The first annotator finds an error in the first output alone, the second in the first two."""
    for annotator, wrong in zip(cast.annotators[:2], (1, 2), strict=True):
        items = {item.slots.get().translation_id: item for item in items_to_judge(take(campaign, annotator))}
        for place, translation in enumerate(sorted(items, key=str)):
            mark(items[translation], *([GRAVE] if place < wrong else []))


def test_annotators_by_hand(campaign: Campaign, cast: Cast) -> None:
    judge_all(campaign, cast)
    result = error_free(campaign)
    n = result["tp"] + result["fp"] + result["fn"] + result["tn"]
    assert (result["label"], result["tn"], result["fp"] + result["fn"]) == ("penalty 0", 1, 1)
    assert result["tp"] == n - 2
    assert n == 17, "an output of two systems is one"
    assert (result["all"], result["judgments"]) == (33, 36), "and counts for both systems"
    assert sum(result["shares"].values()) / len(result["shares"]) == pytest.approx(result["all"] / result["judgments"])
    assert result["metrics"] == []


def test_a_metric_calls_free_of_errors_what_it_scores_from_the_threshold_on(
    campaign: Campaign, cast: Cast, tmp_path: Path
) -> None:
    judge_all(campaign, cast)
    lines = []
    for system in campaign.test_set.systems.order_by("name"):
        lines += [f"{system.name}\t{place}" for place, _one in enumerate(system.translations.all())]
    (tmp_path / "rising.seg.score").write_text("\n".join(lines) + "\n")
    call_command(
        "import_metric_scores", tmp_path / "rising.seg.score", test_set=campaign.test_set.name, metric="rising"
    )
    [all_free] = error_free(campaign, threshold="rising=0")["metrics"]
    assert tuple(all_free[name] for name in ("tp", "fp", "fn", "tn")) == (31, 3, 0, 0), "each judgment of an output"
    assert (all_free["recall"], all_free["threshold"]) == (1, 0)
    [none_free] = error_free(campaign, threshold="rising=1e6")["metrics"]
    assert (none_free["tp"], none_free["precision"], none_free["reasons"]["precision"]) == (0, None, "nothing_free")
    with pytest.raises(AnalysisError, match="without scores here: “chrf”"):
        error_free(campaign, threshold="chrf=60")


def test_a_threshold_is_part_of_the_signature(campaign: Campaign, cast: Cast) -> None:
    judge_all(campaign, cast)
    assert "|threshold:" not in analyse(campaign, analyses=["error_free"])["signature"]
    assert "|threshold:bleu=30,chrf=60|" in recipe_for("mqm", None, {"threshold": "chrf=60.0, bleu=30"}).signature(
        protocol="mqm"
    )


@pytest.mark.parametrize("text", ["60", "chrf=", "=3", "chrf=much", "chrf=nan", "chrf=1,chrf=2", ""])
def test_a_threshold_that_cannot_be_read_says_what_one_looks_like(text: str) -> None:
    with pytest.raises(ThresholdError, match=r"such as chrf=60,bleu=30\.5"):
        canonical_thresholds(text)


def test_without_judgments_or_with_one_annotator_there_is_a_reason(campaign: Campaign, cast: Cast) -> None:
    nothing = error_free(campaign)
    assert (nothing["label"], nothing["judgments"], nothing["reasons"]["f"]) == (None, 0, "no_spans_asked")
    mark(items_to_judge(take(campaign, cast.annotator))[0], GRAVE)
    alone = error_free(campaign)
    assert (alone["label"], alone["reasons"]["f"], alone["judgments"]) == ("penalty 0", "no_overlap", 1)


def test_protocols_without_marks_do_not_have_it(test_set: TestSet, cast: Cast) -> None:
    with pytest.raises(AnalysisError, match="Unknown analysis “error_free”"):
        error_free(make_planned_campaign(test_set, cast))
