"""The analysis `correlation` on arrays: who is compared, what is left out, and what is in the JSON."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from metrics.analyses.evidence import Evidence
from metrics.analyses.people_and_metrics import is_outlier
from metrics.recipes import recipe_for
from metrics.scoring.reading import MetricScores, TestSetScores
from metrics.statistics.correlation.coefficients import pearson
from tests.metrics.analyses.as_json import correlation
from tests.metrics.analyses.sample_tables import Rows

SYSTEMS = ("a", "b", "c", "d", "human")
N_SEGMENTS = 12


def qualities() -> np.ndarray:
    rng = np.random.default_rng(7)
    return np.arange(5)[:, None] * 12.0 + rng.integers(0, 30, size=(5, N_SEGMENTS))


def rows() -> Rows:
    table = Rows()
    for system, scores in zip(SYSTEMS, qualities(), strict=True):
        for segment, score in enumerate(scores):
            place = {"document": f"d{segment // 2}", "domain": "news" if segment < 6 else "talk"}
            table.add("ana", system, f"s{segment:02}", float(score), **place)
    return table


def metric(name: str, segments: np.ndarray, **more: Any) -> MetricScores:
    return MetricScores(
        name=name,
        title=name,
        higher_is_better=more.pop("higher_is_better", True),
        is_imported=True,
        references=("A",),
        systems=more.pop("systems", np.array([row[~np.isnan(row)].mean() for row in segments])),
        segments=segments,
        signatures=("s",) * 5,
    )


def test_set_scores(*metrics: MetricScores) -> TestSetScores:
    return TestSetScores(
        systems=SYSTEMS,
        is_human=(False, False, False, False, True),
        segment_ids=tuple(range(N_SEGMENTS)),
        documents=tuple(f"d{place // 2}" for place in range(N_SEGMENTS)),
        segment_names=tuple(f"s{place:02}" for place in range(N_SEGMENTS)),
        metrics=metrics,
    )


test_set_scores.__test__ = False  # type: ignore[attr-defined]


def evidence(*metrics: MetricScores, references: frozenset[str] = frozenset(), **options: Any) -> Evidence:
    recipe = recipe_for("direct_assessment", None, {"interval_resamples": 100, **options})
    return Evidence((rows().table(),), recipe, metrics=test_set_scores(*metrics), references=references)


@pytest.fixture
def near() -> MetricScores:
    return metric("near", qualities() + np.random.default_rng(1).normal(size=(5, N_SEGMENTS)))


@pytest.fixture
def far() -> MetricScores:
    return metric("far", np.random.default_rng(2).normal(size=(5, N_SEGMENTS)))


def entry(result: dict[str, Any], name: str, level: str, grouping: str = "none") -> dict[str, Any]:
    (match,) = (
        each
        for each in result["metrics"]
        if (each["metric"], each["level"], each["grouping"]) == (name, level, grouping)
    )
    return match  # type: ignore[no-any-return]


def test_every_metric_has_an_entry_for_each_level_and_grouping(near: MetricScores, far: MetricScores) -> None:
    result = correlation(evidence(near, far, normalisation="none"))
    assert [(each["metric"], each["level"], each["grouping"]) for each in result["metrics"]] == [
        (name, level, by)
        for name in ("near", "far")
        for level, by in (("system", "none"), ("segment", "none"), ("segment", "item"), ("segment", "system"))
    ]
    near_system = entry(result, "near", "system")
    people = qualities().mean(axis=1)
    assert near_system["pearson"] == pytest.approx(pearson(people, near.systems).value)
    assert near_system["pairwise_accuracy"] == 1
    assert near_system["accuracy_with_ties"] is None
    low, high = near_system["intervals"]["pearson"]
    assert low <= near_system["pearson"] <= high
    of_items = entry(result, "near", "segment", "item")
    assert of_items["groups"] == N_SEGMENTS
    assert of_items["accuracy_with_ties"] >= of_items["pairwise_accuracy"] > 0.9
    assert (result["measure"], result["human"], result["reason"]) == ("score", "mean", None)


def test_every_two_metrics_are_compared_the_closer_one_first(near: MetricScores, far: MetricScores) -> None:
    result = correlation(evidence(far, near))
    assert {(each["first"], each["second"]) for each in result["comparisons"]} == {("near", "far")}
    tests = [(each["level"], each["statistic"], each["test"]) for each in result["comparisons"]]
    assert tests == [
        ("system", "pearson", "williams"),
        ("system", "pearson", "perm-both"),
        ("segment", "accuracy_with_ties", "perm-both"),
        ("segment", "pearson", "williams"),
    ]
    assert all(each["difference"] > 0 for each in result["comparisons"])
    assert entry(result, "near", "segment", "item")["group"] == 1
    assert entry(result, "far", "segment", "item")["group"] == 2


def test_a_metric_that_is_better_where_lower_is_turned(near: MetricScores) -> None:
    turned = replace(near, name="error", segments=-near.segments, systems=-near.systems, higher_is_better=False)
    result = correlation(evidence(near, turned))
    one, other = entry(result, "near", "system"), entry(result, "error", "system")
    assert one["pearson"] == pytest.approx(other["pearson"])
    assert result["systems"][0]["scores"]["error"] == pytest.approx(-result["systems"][0]["scores"]["near"])


def test_a_reference_is_left_out_and_humans_where_that_was_chosen(near: MetricScores) -> None:
    result = correlation(evidence(near, references=frozenset({"a"})))
    assert {each["system"]: each["left_out"] for each in result["systems"]}["a"] == "reference"
    assert entry(result, "near", "system")["systems"] == 4
    fewer = correlation(evidence(near, references=frozenset({"a"}), humans="out"))
    assert {each["system"]: each["left_out"] for each in fewer["systems"]}["human"] == "human"
    assert entry(fewer, "near", "system")["systems"] == 3


def test_outliers_lie_far_from_the_median_of_human_scores() -> None:
    assert is_outlier(np.array([1.0, 2, 3, 4, 50])).tolist() == [False, False, False, False, True]
    assert not is_outlier(np.array([1.0, 1, 1, 50])).any(), "without a spread nothing is far"
    assert not is_outlier(np.array([1.0, np.nan, 50])).any()


def test_disagreements_name_the_translation_and_both_standings(near: MetricScores) -> None:
    segments = near.segments.copy()
    segments[0, 3], segments[4, 5] = 500, -500
    result = correlation(evidence(metric("odd", segments), normalisation="none"))
    first = result["disagreements"][0]
    assert (first["system"], first["document"], first["segment"], first["segment_id"]) == ("a", "d1", "s03", 3)
    assert first["score"] == 500
    assert first["metric_standing"] > 0.9
    assert first["human_standing"] < 0.5
    low = min(result["disagreements"], key=lambda each: each["metric_standing"] - each["human_standing"])
    assert (low["system"], low["segment"]) == ("human", "s05")
    assert low["human"] == qualities()[4, 5]


def test_slices_have_metrics_of_their_own(near: MetricScores) -> None:
    slices = correlation(evidence(near))["slices"]
    assert slices["by"] == "domain"
    assert list(slices["slices"]) == ["news", "talk"]
    assert slices["slices"]["news"]["segments"] == 6
    assert {each["metric"] for each in slices["slices"]["talk"]["metrics"]} == {"near"}


def test_a_metric_of_systems_alone_has_no_segments_to_correlate(near: MetricScores) -> None:
    alone = replace(near, name="alone", segments=np.full((5, N_SEGMENTS), np.nan))
    result = correlation(evidence(alone, near))
    assert entry(result, "alone", "system")["pearson"] is not None
    item = entry(result, "alone", "segment", "item")
    assert (item["pearson"], item["groups"], item["group"]) == (None, 0, None)
    reasons = {name: item["reasons"][name] for name in ("pearson", "accuracy_with_ties", "kendall_like", "group")}
    assert reasons == {
        "pearson": "too_few",
        "accuracy_with_ties": "too_few",
        "kendall_like": "no_clear_pairs",
        "group": "not_compared",
    }
    assert entry(result, "alone", "segment", "system")["reasons"]["kendall_b"] == "too_few"
    assert entry(result, "alone", "system")["reasons"]["soft_pairwise_accuracy"] == "no_shared_segments"
    of_items = [each for each in result["comparisons"] if each["grouping"] == "item"]
    assert [each["reasons"] for each in of_items] == [{"difference": "too_few", "p": "too_few"}]


def test_where_nothing_can_be_correlated_there_is_a_reason(near: MetricScores) -> None:
    one = evidence(near)
    assert correlation(replace(one, metrics=None))["reason"] == "no_scores"
    assert correlation(replace(one, tables=()))["reason"] == "no_judgments"
    few = correlation(replace(one, references=frozenset(SYSTEMS[1:])))
    assert few["reason"] == "too_few_systems"
    assert few["metrics"] == []
    assert len(few["systems"]) == 5


def test_one_document_gives_no_interval_and_constants_no_coefficient() -> None:
    table = Rows()
    for system in SYSTEMS:
        for segment in range(3):
            table.add("ana", system, f"s{segment:02}", 50.0)
    constant = metric("constant", np.full((5, N_SEGMENTS), 3.0))
    result = correlation(replace(evidence(constant), tables=(table.table(),)))
    constant_entry = entry(result, "constant", "system")
    assert constant_entry["pearson"] is None
    assert constant_entry["intervals"] == {}
