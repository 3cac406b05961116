"""Means sharpened by a metric: the golden values of a real campaign, and what must not change a mean."""

from functools import cache
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.statistics.arrays import FloatArray
from metrics.statistics.assisted import assisted_mean
from tests.metrics.real_campaigns import expected_of, real_case
from tests.metrics.statistics.test_item_selection import golden, wmt23_human, wmt23_scores

METRICS = {"COMET-refA": "COMET", "chrF-refA": "chrF", "MetricX-23-refA": "MetricX-23"}


@cache
def expected() -> dict[str, Any]:
    return cast("dict[str, Any]", expected_of("statistics2")["assisted"])


@cache
def documents() -> tuple[str, ...]:
    path = real_case("metrics-wmt23-ende") / "wmt23" / "documents" / "en-de.docs"
    names = [line.split()[-1] for line in path.read_text(encoding="utf-8").splitlines()]
    return tuple(names[line] for line in golden()["segments"])


def labelled() -> Any:
    """Every third document, from the first."""
    in_order = list(dict.fromkeys(documents()))
    return np.isin(documents(), in_order[::3])


def of_system(row: int, scores: FloatArray, *, minus: int | None = None) -> Any:
    people, own = wmt23_human(), scores
    y, f = (values[row] if minus is None else values[row] - values[minus] for values in (people, own))
    judged, names = labelled(), np.array(documents())
    return assisted_mean(
        y[judged], f[judged], documents=names[judged], other_metric=f[~judged], other_documents=names[~judged]
    )


@pytest.mark.parametrize("metric", list(METRICS))
def test_the_means_of_a_real_campaign_are_the_golden_ones(metric: str) -> None:
    assert int(labelled().sum()) == expected()["labelled_segments"]
    for row, name in enumerate(golden()["systems"]):
        values = expected()["systems"][metric][name]
        found = of_system(row, wmt23_scores(METRICS[metric]))
        assert found.plain == pytest.approx(values["classical"], rel=1e-8)
        assert found.plain_se == pytest.approx(values["classical_se"], rel=1e-7)
        assert found.weight == pytest.approx(values["lambda"], rel=1e-6)
        assert found.assisted == pytest.approx(values["assisted"], rel=1e-7)
        assert found.assisted_se == pytest.approx(values["assisted_se"], rel=1e-7)
        assert found.ratio == pytest.approx(values["ratio"], rel=1e-7)


@pytest.mark.parametrize("metric", list(METRICS))
def test_differences_of_real_systems_gain_as_counted(metric: str) -> None:
    scores = wmt23_scores(METRICS[metric])
    ratios = [
        of_system(first, scores, minus=second).ratio
        for first in range(len(scores))
        for second in range(first + 1, len(scores))
    ]
    # where the metric orders two systems' segments against people, the golden values use a negative weight
    assert np.mean(ratios) == pytest.approx(expected()["differences_mean_ratio"][metric], abs=1e-4)


def test_a_metric_that_does_not_follow_people_changes_nothing() -> None:
    for own in ([3, 2, 1, 0], [1, 1, 1, 1]):
        found = assisted_mean(
            [0, 1, 2, 3], own, documents=list("abcd"), other_metric=[5, 9], other_documents=list("ef")
        )
        assert (found.assisted, found.assisted_se) == (found.plain, found.plain_se)
        assert (found.weight, found.ratio, found.reason) == (0, 1, "no_help")


def test_too_little_gives_a_reason() -> None:
    alone = assisted_mean([1, 2], [1, 2], documents=["a", "a"], other_metric=[3, 4], other_documents=["b", "c"])
    assert (alone.reason, alone.documents) == ("few_documents", 1)
    assert np.isnan(alone.assisted)
    assert assisted_mean([], [], documents=[], other_metric=[], other_documents=[]).reason == "few_documents"
    judged = assisted_mean([1, 2], [1, 2], documents=["a", "b"], other_metric=[], other_documents=[])
    assert (judged.assisted, judged.reason) == (1.5, "all_judged")
    equal = assisted_mean([1, 1], [1, 2], documents=["a", "b"], other_metric=[1, 2], other_documents=["c", "d"])
    assert (equal.assisted, equal.assisted_se, equal.reason) == (1, 0, "no_help")


def test_what_lacks_a_score_is_left_out() -> None:
    whole = assisted_mean([1, 2, 4], [1, 2, 3], documents=[0, 1, 2], other_metric=[3, 5], other_documents=[3, 4])
    gaps = assisted_mean(
        [1, 2, 4, np.nan, 9],
        [1, 2, 3, 8, np.nan],
        documents=[0, 1, 2, 2, 5],
        other_metric=[3, 5, np.nan],
        other_documents=[3, 4, 9],
    )
    assert gaps == whole


@given(
    st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5), st.integers(0, 6)), min_size=4, max_size=30),
    st.lists(st.tuples(st.floats(-5, 5), st.integers(0, 6)), min_size=4, max_size=30),
    st.floats(0.1, 10),
    st.floats(-3, 3),
)
def test_neither_scale_nor_zero_of_the_metric_matters(
    judged: list[tuple[float, float, int]], others: list[tuple[float, int]], scale: float, shift: float
) -> None:
    (y, f, d), (g, e) = (np.array(list(zip(*rows, strict=True))) for rows in (judged, others))
    once = assisted_mean(y, f, documents=d, other_metric=g, other_documents=e)
    again = assisted_mean(y, scale * f + shift, documents=d, other_metric=scale * g + shift, other_documents=e)
    if not once.reason and not again.reason and once.ratio < 0.999:
        assert again.assisted == pytest.approx(once.assisted, rel=1e-6, abs=1e-6)
        assert again.assisted_se == pytest.approx(once.assisted_se, rel=1e-5, abs=1e-6)
    assert not once.assisted_se > once.plain_se * (1 + 1e-9)
