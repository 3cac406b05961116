"""Single translations for a picture, and metrics against each other."""

from dataclasses import replace

import numpy as np
import pytest

from metrics.analyses.people_and_metrics import MetricColumn, SideBySide
from metrics.analyses.segment_scores import metric_pairs, metric_pairs_table, scored_segments, segments_table
from metrics.results.values import Missing
from metrics.scoring.reading import TestSetScores
from tests.metrics.analyses.test_correlation import metric, test_set_scores

RNG = np.random.default_rng(5)
PEOPLE = RNG.normal(50, 10, (5, 80))
NEAR, FAR = PEOPLE + RNG.normal(0, 5, PEOPLE.shape), RNG.normal(0, 1, PEOPLE.shape)


def side(**cells: np.ndarray) -> SideBySide:
    metrics = tuple(MetricColumn(name, each.mean(axis=1), each) for name, each in cells.items())
    n_segments = PEOPLE.shape[1]
    return SideBySide(
        systems=tuple("abcde"),
        means=PEOPLE.mean(axis=1),
        cells=PEOPLE,
        points=PEOPLE,
        metrics=metrics,
        segment=np.arange(n_segments),
        document=np.arange(n_segments),
    )


def scores(*names: str, **more: bool) -> TestSetScores:
    return test_set_scores(*(metric(name, PEOPLE, **more) for name in names))


def test_many_translations_are_counted_in_a_grid_that_has_them_all() -> None:
    [one] = scored_segments(side(near=NEAR), scores("near"), turned=False)
    assert (one.segments, one.points) == (400, None)
    assert sum(count for _column, _row, count in one.grid) == 400
    assert one.score_range == (NEAR.min(), NEAR.max())
    table = segments_table([one])
    assert len(list(table.file_rows())) == len(one.grid)


def test_few_are_points_in_natural_units() -> None:
    gaps = np.where(np.arange(80) < 10, -NEAR, np.nan)
    [one] = scored_segments(side(ter=gaps), scores("ter", higher_is_better=False), turned=True)
    assert one.points is not None
    assert (one.segments, len(one.points)) == (50, 50)
    assert list(one.points[0]) == pytest.approx([NEAR[0, 0], -PEOPLE[0, 0]])


def test_a_metric_without_segments_is_not_drawn() -> None:
    assert list(scored_segments(side(none=np.full(PEOPLE.shape, np.nan)), scores("none"), turned=False)) == []


def test_every_two_metrics_are_correlated_where_both_scored() -> None:
    gaps = np.where(np.arange(80) < 40, FAR, np.nan)
    pairs = list(metric_pairs(side(near=NEAR, far=FAR, gaps=gaps)))
    assert [(one.first, one.second, one.segments) for one in pairs] == [
        ("near", "far", 400),
        ("near", "gaps", 200),
        ("far", "gaps", 200),
    ]
    assert pairs[0].pearson == pytest.approx(np.corrcoef(NEAR.ravel(), FAR.ravel())[0, 1])
    assert pairs[2].pearson == pytest.approx(1)
    assert next(iter(metric_pairs_table(pairs, {"near": "Near"}).file_rows()))[:2] == ["Near", "far"]


def test_a_constant_metric_has_no_correlation() -> None:
    [one] = metric_pairs(side(near=NEAR, flat=np.ones(PEOPLE.shape)))
    assert isinstance(one.pearson, Missing)
    assert list(metric_pairs(replace(side(near=NEAR)))) == []
