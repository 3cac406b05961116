"""Agreement in three published campaigns, from their raw files; the functions alone, on arrays."""

from typing import Any

import numpy as np
import pytest

from metrics.statistics.agreement.kappas import fleiss_kappa, gwet_ac1
from metrics.statistics.agreement.krippendorff import LEVELS
from metrics.statistics.agreement.pairs import AnnotatorPair, annotator_pairs, bands
from metrics.statistics.agreement.preferences import preference_kappa
from metrics.statistics.arrays import FloatArray
from metrics.statistics.correlation.coefficients import kendall, pearson
from metrics.statistics.normalisation import z_scores
from tests.metrics.real_campaigns import expected_of
from tests.metrics.real_ratings import (
    CALIBRATION,
    RANKING,
    SIDE_BY_SIDE,
    calibration,
    marked_errors,
    penalties_in_tenths,
    ranked_pairs,
)
from tests.metrics.statistics.one_case import krippendorff_alpha

pytestmark = pytest.mark.real_data
CLOSE = 2e-6  # values are published with six decimals
PAIRS = ("eng-ces", "eng-deu")
NEWEST = (False, True)


def expected_for(pair: str, *, newest: bool) -> dict[str, Any]:
    values: dict[str, Any] = expected_of(CALIBRATION)["pairs"][pair]
    return values["newest_by_time"] if newest else values


def z_of(matrix: FloatArray) -> FloatArray:
    rows = np.repeat(np.arange(len(matrix)), matrix.shape[1])
    return z_scores(matrix.ravel(), rows).values.reshape(matrix.shape)


def counts_of(codes: FloatArray, n_categories: int) -> FloatArray:
    return np.stack([(codes == category).sum(axis=0) for category in range(n_categories)], axis=1).astype(float)


@pytest.mark.parametrize("newest", NEWEST)
@pytest.mark.parametrize("pair", PAIRS)
def test_alpha_of_sliders_at_every_level(pair: str, newest: bool) -> None:
    expected = expected_for(pair, newest=newest)["alpha"]
    matrix = calibration(pair, newest=newest).matrix
    for level in LEVELS:
        assert krippendorff_alpha(matrix, level=level).value == pytest.approx(expected[level], abs=CLOSE)
    assert krippendorff_alpha(z_of(matrix), level="interval").value == pytest.approx(expected["interval_z"], abs=CLOSE)


@pytest.mark.parametrize("newest", NEWEST)
@pytest.mark.parametrize("pair", PAIRS)
def test_alpha_and_fleiss_of_seven_bands(pair: str, newest: bool) -> None:
    expected = expected_for(pair, newest=newest)["seven_bins"]
    codes = bands(calibration(pair, newest=newest).matrix, low=0, high=100)
    for level, value in expected["alpha"].items():
        assert krippendorff_alpha(codes, level=level).value == pytest.approx(value, abs=CLOSE)
    counts = counts_of(codes, 7)
    complete = counts[counts.sum(axis=1) == len(codes)]
    assert fleiss_kappa(complete).value == pytest.approx(expected["fleiss_complete_items"], abs=CLOSE)
    if "gwet_ac1" in expected:
        assert len(complete) == expected["complete_items"]
        assert gwet_ac1(counts).value == pytest.approx(expected["gwet_ac1"], abs=1e-5)
        weighted = krippendorff_alpha(codes, level="interval")  # of whole points it is alpha with quadratic weights
        assert weighted.value == pytest.approx(expected["alpha_quadratic_weights"], abs=1e-5)


@pytest.mark.parametrize("pair", PAIRS)
def test_the_ratings_are_those_counted(pair: str) -> None:
    ratings, expected = calibration(pair), expected_for(pair, newest=False)
    rated = int((~np.isnan(ratings.matrix)).sum())
    assert (*ratings.matrix.shape, rated) == tuple(expected[name] for name in ("annotators", "items", "ratings"))


@pytest.mark.parametrize("newest", NEWEST)
@pytest.mark.parametrize("pair", PAIRS)
def test_pairs_of_annotators(pair: str, newest: bool) -> None:
    ratings, expected = calibration(pair, newest=newest), expected_for(pair, newest=newest)
    codes = bands(ratings.matrix, low=0, high=100)
    result = annotator_pairs(ratings.matrix, categories=codes, n_categories=7)
    assert len(result) == expected_for(pair, newest=False)["annotator_pairs"]
    for name, mean in expected["mean_over_pairs"].items():
        values = [_of_pair(ratings.matrix, one, name) for one in result]
        assert np.nanmean(values) == pytest.approx(mean, abs=CLOSE)
    by_names = {(ratings.annotators[one.first], ratings.annotators[one.second]): one for one in result}
    for example in expected.get("pair_examples", []):
        one = by_names[tuple(example.pop("annotators"))]
        for name, value in example.items():
            assert _of_pair(ratings.matrix, one, name) == pytest.approx(value, abs=CLOSE)


def _of_pair(matrix: FloatArray, pair: AnnotatorPair, name: str) -> float:
    if name == "kendall_c":
        return kendall(matrix[pair.first], matrix[pair.second], variant="c").value
    return float(getattr(pair, name.removesuffix("_seven_bins")))


def test_agreement_on_penalties() -> None:
    expected = expected_of(SIDE_BY_SIDE)["agreement"]
    tenths = penalties_in_tenths().matrix
    for level, value in expected["alpha_penalty"].items():
        assert krippendorff_alpha(tenths, level=level).value == pytest.approx(value, abs=CLOSE)
    cuts = {"has_error": [0.5], "has_major": [49.5], "three_bins": [0.5, 49.5]}
    for name, edges in cuts.items():
        codes = np.where(np.isnan(tenths), np.nan, np.digitize(tenths, edges))
        alpha: dict[Any, float] = (
            expected[f"alpha_{name}"] if name == "three_bins" else {"nominal": expected[f"alpha_{name}_nominal"]}
        )
        for level, value in alpha.items():
            assert krippendorff_alpha(codes, level=level).value == pytest.approx(value, abs=CLOSE)
        fleiss = fleiss_kappa(counts_of(codes, len(edges) + 1))
        assert fleiss.value == pytest.approx(expected[f"fleiss_{name}"], abs=CLOSE)


def test_pairs_of_penalties_taken_together() -> None:
    expected = expected_of(SIDE_BY_SIDE)["agreement"]
    tenths = penalties_in_tenths().matrix
    three = np.array([column[~np.isnan(column)] for column in tenths.T]) / 10
    one, other = np.concatenate([three[:, [a, b]] for a in range(3) for b in range(3) if a != b]).T
    assert one.size == 2 * expected["pairs"]
    assert pearson(one, other).value == pytest.approx(expected["pearson_symmetric"], abs=CLOSE)
    assert kendall(one, other).value == pytest.approx(0.379943, abs=CLOSE)  # our own: see the next test
    assert np.mean(one == other) == pytest.approx(expected["share_identical"], abs=CLOSE)


def test_the_published_value_for_kendall_is_that_of_sums_with_binary_noise() -> None:
    """Three times 0.1 is not 0.3 there, so that ties come apart; in whole tenths tau is 0.000127 higher."""
    totals: dict[tuple[str, str, str], dict[str, float]] = {}
    for error in marked_errors():
        of_item = totals.setdefault(error.item, {})
        of_item[error.rater] = of_item.get(error.rater, 0) + error.tenths / 10
    three = np.array([list(of_item.values()) for of_item in totals.values()])
    one, other = np.concatenate([three[:, [a, b]] for a in range(3) for b in range(3) if a != b]).T
    expected = expected_of(SIDE_BY_SIDE)["agreement"]["kendall_b_symmetric"]
    assert kendall(one, other).value == pytest.approx(expected, abs=CLOSE)


@pytest.mark.parametrize("mode", ["inter", "intra"])
@pytest.mark.parametrize("which", ["agreement_published", "agreement_unordered"])
def test_agreement_on_rankings(which: str, mode: Any) -> None:
    rows = ranked_pairs("wmt16.collapsed")
    turned = [which == "agreement_unordered" and row.first > row.second for row in rows]
    names = [
        (row.second, row.first) if turn else (row.first, row.second) for row, turn in zip(rows, turned, strict=True)
    ]
    result = preference_kappa(
        [row.segment for row in rows],
        ["|".join(pair) for pair in names],
        [row.judge for row in rows],
        [-row.label if turn else row.label for row, turn in zip(rows, turned, strict=True)],
        mode=mode,
    )
    expected = expected_of(RANKING)[which][mode]
    counts = {"agreed": result.agreed, "comparable": result.comparable, "ties": result.ties, "judgments": result.total}
    assert counts == {name: expected[name] for name in counts}
    for name in ("observed", "expected"):
        assert getattr(result, name) == pytest.approx(expected[name], abs=CLOSE)
    assert result.value == pytest.approx(expected["kappa"], abs=CLOSE)


def test_preferences_that_follow_from_penalties() -> None:
    expected = expected_of(SIDE_BY_SIDE)["preference_from_penalty"]
    tenths = penalties_in_tenths()
    segments, pairs, judges, labels = _preferences()
    result = preference_kappa(segments, pairs, judges, labels)
    assert len(tenths.annotators) == 10
    assert (result.agreed, result.comparable, result.ties, result.total) == tuple(
        expected[name] for name in ("agree", "comparable", "ties", "judgments")
    )
    assert result.value == pytest.approx(expected["kappa"], abs=CLOSE)


def _preferences() -> tuple[list[str], list[str], list[str], list[int]]:
    from tests.metrics.real_ratings import marked_errors

    totals: dict[tuple[str, str], dict[str, int]] = {}
    for error in marked_errors():
        system, document, segment = error.item
        of_judge = totals.setdefault((f"{document}/{segment}", error.rater), {})
        of_judge[system] = of_judge.get(system, 0) + error.tenths
    rows = [
        (segment, f"{one}|{other}", judge, int(np.sign(systems[other] - systems[one])))
        for (segment, judge), systems in totals.items()
        for one in systems
        for other in systems
        if one < other
    ]
    segments, pairs, judges, labels = (list(column) for column in zip(*rows, strict=True))
    return segments, pairs, judges, labels
