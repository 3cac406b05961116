"""The ordinal model against ordinal::clmm on real campaigns, against dense matrices, and where there is no model."""

from functools import cache
from typing import Any

import numpy as np
import pytest
import scipy

from metrics.statistics.arrays import FloatArray
from metrics.statistics.mixed.design import design_of
from metrics.statistics.ordinal import OrdinalModel, ordinal_model
from metrics.statistics.ordinal.likelihood import Likelihood, Parameters
from tests.metrics.real_campaigns import expected_of
from tests.metrics.score_columns import columns_of

CASES = ("calibration-eng-deu", "calibration-eng-ces", "mqm-ted")
RNG = np.random.default_rng


def golden(name: str) -> dict[str, Any]:
    values: dict[str, Any] = expected_of("statistics2")["ordinal"][name]
    return values


@cache
def fitted(name: str) -> OrdinalModel:
    """Seven bands of a scale to 100, or three of penalties."""
    columns = columns_of(name)
    scores = np.array(columns.scores)
    bands = np.digitize(scores, [1e-9, 5]) if name == "mqm-ted" else np.minimum(np.floor(scores / 100 * 7), 6)
    return ordinal_model(
        bands,
        columns.systems,
        annotators=columns.annotators,
        documents=columns.documents,
        segments=columns.segments,
        terms=("annotator", "segment"),
    )


@pytest.mark.real_data
@pytest.mark.parametrize("name", CASES)
def test_likelihood_thresholds_systems_and_variances_are_those_of_clmm(name: str) -> None:
    expected, model = golden(name), fitted(name)
    assert model.design.values.size == expected["n"]
    assert {f"{point:g}": int((model.design.values == point).sum()) for point in model.points} == expected["counts"]
    assert model.log_likelihood == pytest.approx(expected["log_likelihood_laplace"], abs=1e-3)
    assert model.thresholds == pytest.approx(list(expected["thresholds"].values()), abs=5e-3)
    means = {f"system{system}": mean for system, mean in zip(model.systems, model.means, strict=True)}
    assert means.pop(f"system{model.systems[0]}") == 0
    assert means == pytest.approx(expected["systems"], abs=5e-3)
    for term, deviation in expected["sd"].items():
        assert np.sqrt(model.variances[term]) == pytest.approx(deviation, abs=5e-3)


@pytest.mark.real_data
@pytest.mark.parametrize("name", CASES)
def test_errors_and_effects_are_those_of_clmm(name: str) -> None:
    expected, model = golden(name), fitted(name)
    errors = [*model.threshold_se, *np.sqrt(np.diagonal(model.covariance))[1:]]
    assert errors == pytest.approx(list(expected["se"].values()), abs=5e-3)
    for annotator, published in expected["annotators"].items():
        place = model.annotators.index(annotator)
        assert model.effects[place] == pytest.approx(published["effect"], abs=5e-3)
        assert model.conditional_sd[place] == pytest.approx(published["conditional_sd"], abs=5e-3)
        assert model.prediction_sd[place] > model.conditional_sd[place]


def small(seed: int = 1, n: int = 160) -> tuple[FloatArray, dict[str, Any]]:
    """Ratings from 1 to 4 of three systems by four annotators on six documents of three segments."""
    rng = RNG(seed)
    system, annotator, segment = rng.integers(3, size=n), rng.integers(4, size=n), rng.integers(18, size=n)
    place = np.array([0, 0.8, 1.6])[system] + np.array([-1, 0, 0, 1])[annotator] + rng.normal(0, 1, 18)[segment]
    ratings = 1.0 + np.digitize(place + rng.logistic(size=n), [-1, 1, 3])
    labels = {"systems": system, "annotators": annotator, "documents": segment // 3, "segments": segment}
    return ratings, labels


def dense(model: OrdinalModel) -> float:
    """Laplace's approximation with whole matrices, at the parameters of a model."""
    design = model.design
    names = [name for name in design.codes if model.variances[name] > 0]
    z = np.hstack([np.eye(design.levels[name])[design.codes[name]] * np.sqrt(model.variances[name]) for name in names])
    edges = np.concatenate([[-np.inf], model.thresholds, [np.inf]])
    band = np.searchsorted(model.points, design.values)

    def lost(levels: FloatArray) -> float:
        place = model.means[design.system] + z @ levels
        chance = scipy.special.expit(edges[band + 1] - place) - scipy.special.expit(edges[band] - place)
        return float(-np.log(chance).sum() + levels @ levels / 2)

    levels = scipy.optimize.minimize(lost, np.zeros(z.shape[1]), tol=1e-10).x
    place = model.means[design.system] + z @ levels
    above, below = (scipy.special.expit(edges[band + up] - place) for up in (1, 0))
    weights = above * (1 - above) + below * (1 - below)
    curve = z.T @ (weights[:, None] * z) + np.eye(z.shape[1])
    return -lost(levels) - float(np.linalg.slogdet(curve)[1]) / 2


@pytest.mark.parametrize("terms", [None, ("annotator",), ("document", "document:system"), ("annotator", "segment")])
def test_the_likelihood_is_that_of_dense_matrices(terms: Any) -> None:
    ratings, labels = small()
    model = ordinal_model(ratings, **labels, terms=terms)
    assert not model.reason
    assert model.log_likelihood == pytest.approx(dense(model), abs=1e-6)


@pytest.mark.parametrize("terms", [None, ("annotator",), ("document", "segment:system"), ()])
def test_the_slope_is_that_of_small_steps(terms: Any) -> None:
    ratings, labels = small(2)
    likelihood = Likelihood(design_of(ratings, **labels, terms=terms))
    n_terms = len(likelihood.names)
    at = Parameters(np.array([-0.8, 0.9, 2.0]), np.array([0, 0.3, 0.9]), np.log([0.7, 0.4, 0.9, 0.5])[:n_terms])
    slope = likelihood.slope(likelihood.at(at))
    for place, by_hand in enumerate(slope):
        ends = []
        for step in (-1e-4, 1e-4):
            vector = at.vector
            vector[place] += step
            ends.append(likelihood.at(at.at(vector)).log_likelihood)
        assert (ends[1] - ends[0]) / 2e-4 == pytest.approx(by_hand, abs=2e-4)


def test_the_result_is_a_maximum_of_thresholds_systems_and_sizes() -> None:
    ratings, labels = small()
    model = ordinal_model(ratings, **labels)
    sizes = {name: variance for name, variance in model.variances.items() if name in model.design.codes}
    assert model.singular == tuple(name for name, variance in sizes.items() if variance == 0)
    likelihood = Likelihood(design_of(ratings, **labels, terms=[name for name in sizes if sizes[name] > 0]))
    log_sd = np.log([np.sqrt(sizes[name]) for name in likelihood.names])
    point = likelihood.at(Parameters(model.thresholds, model.means, log_sd))
    assert likelihood.slope(point) == pytest.approx(0, abs=1e-3)


def test_planted_differences_and_severities_are_found() -> None:
    ratings, labels = small(3, 4000)
    model = ordinal_model(ratings, **labels)
    assert model.means == pytest.approx([0, 0.8, 1.6], abs=0.2)
    assert model.thresholds - model.thresholds[0] == pytest.approx([0, 2, 4], abs=0.3)
    assert model.effects == pytest.approx(np.array([-1, 0, 0, 1]), abs=0.3)


def test_numbers_of_points_and_order_of_rows_change_nothing_and_turning_the_scale_turns_the_model() -> None:
    ratings, labels = small()
    model = ordinal_model(ratings, **labels)
    order = RNG(5).permutation(ratings.size)
    moved = ordinal_model(ratings[order] ** 2 + 7, **{name: column[order] for name, column in labels.items()})
    assert moved.means == pytest.approx(model.means, abs=1e-3)
    assert moved.points.tolist() == [8, 11, 16, 23]
    turned = ordinal_model(-ratings, **labels)
    assert turned.means == pytest.approx(-model.means, abs=1e-3)
    assert turned.thresholds[::-1] == pytest.approx(-model.thresholds, abs=1e-3)
    assert turned.effects == pytest.approx(-model.effects, abs=1e-3)
    assert turned.log_likelihood == pytest.approx(model.log_likelihood, abs=1e-5)


def test_missing_ratings_are_left_out() -> None:
    ratings, labels = small()
    gaps = np.append(ratings, [np.nan, np.nan])
    longer = {name: np.append(column, column[:2]) for name, column in labels.items()}
    assert ordinal_model(gaps, **longer).means.tolist() == ordinal_model(ratings, **labels).means.tolist()


def test_chances_of_points_add_up_and_say_how_often_one_is_rated_higher() -> None:
    ratings, labels = small(3, 2000)
    model = ordinal_model(ratings, **labels)
    assert model.chances.sum(axis=1) == pytest.approx(1)
    assert model.chances[0, 0] == pytest.approx(1 / (1 + np.exp(-model.thresholds[0])))
    assert model.greater + model.greater.T + model.equal == pytest.approx(np.ones((3, 3)))
    by_hand = sum(model.chances[2, k] * model.chances[0, :k].sum() for k in range(4))
    assert model.greater[2, 0] == pytest.approx(by_hand)
    assert model.greater[2, 0] > 0.5 > model.greater[0, 2]


@pytest.mark.parametrize(
    ("ratings", "systems", "reason"),
    [
        ([], [], "no_scores"),
        ([np.nan], ["A"], "no_scores"),
        ([3, 3, 3, 3], ["A", "A", "B", "B"], "no_variation"),
        ([1, 2], ["A", "B"], "too_few_scores"),
        ([1, 2, 2, 1, 2, 3, 3, 2], list("AAAABBBB"), "separated"),
        ([5, 5, 5, 5, 4, 5, 3, 5], list("AAAABBBB"), "separated"),
        (list(range(40)), list("AB") * 20, "too_many_points"),
    ],
)
def test_where_there_is_no_model_it_says_why(ratings: Any, systems: Any, reason: str) -> None:
    model = ordinal_model(ratings, systems, annotators=["r", "s"] * (len(ratings) // 2) + ["r"] * (len(ratings) % 2))
    assert model.reason == reason
    assert np.isnan(model.means).all()
    assert np.isnan(model.effects).all()
    assert model.shares == {}


def test_more_ratings_than_can_be_waited_for_say_so() -> None:
    ratings = np.tile([1.0, 2.0, 3.0], 20_000)
    model = ordinal_model(ratings, np.arange(ratings.size) % 4, annotators=np.arange(ratings.size) % 7)
    assert model.reason == "too_many_scores"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("seed", range(12))
def test_whatever_comes_gives_a_model_or_a_reason(seed: int) -> None:
    """Few ratings, systems tied to annotators, one document, one segment, ratings nearly all alike."""
    rng = RNG(seed)
    n = int(rng.choice([3, 6, 12, 40]))
    system, segment = rng.integers(1 + seed % 3, size=n), rng.integers(1 + seed % 5, size=n)
    annotator = system if seed % 2 else rng.integers(3, size=n)
    ratings = np.clip(np.round(rng.normal(3, 1, n)), 1, 5)
    model = ordinal_model(ratings, system, annotators=annotator, documents=segment % 2, segments=segment)
    assert model.reason or np.isfinite([*model.means, *model.thresholds, *model.effects]).all()
    assert model.reason or np.isfinite(model.covariance).all()
    assert model.greater.shape == (len(model.systems),) * 2


def test_one_system_has_thresholds_and_severities() -> None:
    ratings, labels = small()
    model = ordinal_model(ratings, **{**labels, "systems": np.zeros(ratings.size)})
    assert model.means.tolist() == [0]
    assert np.isfinite(model.thresholds).all()
    assert model.effects[0] < model.effects[3]
