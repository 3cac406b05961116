"""What one person reaches against the others, on score tables: which judgments, which scores, which outputs."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from metrics.analyses.ceiling import ceiling, ceiling_table, ceiling_tables
from metrics.analyses.evidence import Evidence
from metrics.recipes import recipe_for
from metrics.results.codec import to_json
from metrics.results.values import Missing
from metrics.statistics.correlation.coefficients import pearson
from tests.metrics.analyses.sample_tables import Rows
from tests.metrics.analyses.test_correlation import N_SEGMENTS, SYSTEMS, metric, qualities, test_set_scores

RECIPE = replace(recipe_for("direct_assessment", None, {"normalisation": "none"}), interval_resamples=200)
NOISE = np.random.default_rng(3).normal(0, 25, size=(2, 5, N_SEGMENTS))


def evidence(annotators: tuple[str, ...] = ("ana", "bo"), *, recipe: Any = RECIPE, **more: Any) -> Evidence:
    table = Rows()
    for annotator, noise in zip(annotators, NOISE, strict=False):
        for system, scores in zip(SYSTEMS, qualities() + noise, strict=True):
            for segment, score in enumerate(scores):
                table.add(annotator, system, f"s{segment:02}", float(score), document=f"d{segment // 2}")
    scores = test_set_scores(
        metric("oracle", qualities()), metric("reversed", -qualities(), higher_is_better=False),
        metric("one segment", np.where(np.arange(N_SEGMENTS) == 0, qualities(), np.nan)),
    )  # fmt: skip
    return Evidence((replace(table.table(), segment_ids=tuple(range(N_SEGMENTS))),), recipe,
                    metrics=scores, **more)  # fmt: skip


def test_two_people_and_metrics_on_the_same_outputs() -> None:
    result = to_json(ceiling(evidence()))
    first, second = (qualities() + noise for noise in NOISE)
    assert result["cells"] == 5 * N_SEGMENTS
    assert result["human"]["pearson"] == pytest.approx(pearson(first.ravel(), second.ravel()).value)
    low, high = result["human"]["interval"]
    assert low < result["human"]["pearson"] < high
    oracle, turned, without = result["metrics"]
    both = [pearson(qualities().ravel(), each.ravel()).value for each in (second, first)]
    assert oracle["pearson"] == turned["pearson"] == pytest.approx(np.mean(both))
    assert oracle["above_ceiling"] is True
    assert oracle["difference"] == pytest.approx(np.mean(both) - result["human"]["pearson"])
    assert (without["pearson"], without["above_ceiling"], without["reasons"]["pearson"]) == (None, None, "no_score")
    assert [(one["annotator"], one["cells"]) for one in result["annotators"]] == [("ana", 60), ("bo", 60)]


def test_of_systems_their_means_are_compared_and_a_metric_too() -> None:
    """Both judged everything, so that the mean over annotators is the one coefficient of their systems' means."""
    result = ceiling(evidence())
    level = result.of_systems
    assert level is not None
    first, second, truth = (each.mean(axis=1) for each in (qualities() + NOISE[0], qualities() + NOISE[1], qualities()))
    assert level.human.pearson == pytest.approx(pearson(first, second).value)
    both = [pearson(truth, each).value for each in (second, first)]
    assert level.metrics[0].pearson == level.metrics[1].pearson == pytest.approx(np.mean(both))
    assert not isinstance(level.human.interval, Missing)
    assert not isinstance(level.human.pearson, Missing)
    assert level.human.interval[0] < level.human.pearson < level.human.interval[1] <= 1
    files = ceiling_tables(result)
    assert [table.rows[0][0] for table in files] == ["output", "system"]


def test_of_two_systems_there_is_no_coefficient_of_means() -> None:
    two = evidence()
    table = two.tables[0]
    few = ceiling(replace(two, tables=(table.where(table.system < 2),)))
    assert not isinstance(few.human.pearson, Missing)
    assert few.of_systems is not None
    assert isinstance(few.of_systems.human.pearson, Missing)
    assert len(ceiling_tables(few)) == 1


def test_systems_that_correlations_leave_out_are_left_out_here_too() -> None:
    assert ceiling(evidence(references=frozenset({"human"}))).cells == 4 * N_SEGMENTS
    assert ceiling(evidence(recipe=replace(RECIPE, humans="out"))).cells == 4 * N_SEGMENTS


def test_z_scores_count_where_the_ranking_rests_on_them() -> None:
    of_z = ceiling(evidence(recipe=replace(RECIPE, normalisation="all")))
    assert of_z.human.pearson == pytest.approx(ceiling(evidence()).human.pearson), "two people: z is a straight line"


def test_alone_or_without_judgments_there_is_a_reason() -> None:
    alone = to_json(ceiling(evidence(("ana",))))
    assert (alone["human"]["pearson"], alone["human"]["reasons"]["pearson"], alone["cells"]) == (None, "too_few", 0)
    assert {one["reasons"]["pearson"] for one in alone["metrics"]} == {"too_few"}
    nothing = to_json(ceiling(Evidence((), RECIPE)))
    assert nothing["human"]["reasons"]["pearson"] == "no_judgments"
    assert ceiling_table(None).rows == ()


def test_the_table_has_the_closest_first_and_people_below() -> None:
    table = ceiling_table(ceiling(evidence()), {"oracle": "Oracle"}, {"ana": "Ana A."}, "signed")
    assert table.values("title") == ["Oracle", "reversed", "One person", "one segment", "Ana A.", "bo"]
    assert table.cuts == {3}
    rows = list(table.file_rows())
    assert rows[0][:3] == ["output", "metric", "oracle"]
    assert {row[-1] for row in rows} == {"signed"}
