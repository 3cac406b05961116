"""The mixed model against lme4 on real campaigns, against dense matrices, and where there is nothing to estimate."""

import re
from functools import cache
from typing import Any

import numpy as np
import pytest

from metrics.statistics.mixed import RESIDUAL, MixedModel, contrasts, mixed_model
from metrics.statistics.mixed.design import design_of
from metrics.statistics.mixed.model import Equations
from tests.metrics.real_campaigns import expected_of
from tests.metrics.score_columns import columns_of

CASES = ("esa-ende", "mqm-ted", "mqm-three", "da-lven", "da-csen", "calibration-eng-deu")
WITH_DOCUMENT_SYSTEM = tuple(f"{name}+document:system" for name in CASES[:3])
Columns = dict[str, Any]


@cache
def golden(name: str) -> dict[str, Any]:
    values: dict[str, Any] = expected_of("statistics2")["mixed"][name]
    return values


@cache
def fitted(name: str) -> MixedModel:
    columns = columns_of(name)
    return mixed_model(
        columns.scores,
        columns.systems,
        annotators=columns.annotators,
        documents=columns.documents,
        segments=columns.segments,
        terms=re.findall(r"\(1\|([a-z:]+)\)", golden(name)["formula"]),
    )


@pytest.mark.real_data
@pytest.mark.parametrize("name", CASES + WITH_DOCUMENT_SYSTEM)
def test_likelihood_variances_and_means_are_those_of_lme4(name: str) -> None:
    expected, model = golden(name), fitted(name)
    assert model.design.values.size == expected["n"]
    assert model.design.levels == expected["levels"]
    assert model.log_likelihood == pytest.approx(expected["log_likelihood_reml"], abs=1e-4)
    published = {term.replace("Residual", RESIDUAL): value for term, value in expected["variances"].items()}
    assert model.variances == pytest.approx(published, rel=2e-4, abs=1e-9)
    assert dict(zip(model.systems, model.means, strict=True)) == pytest.approx(expected["means"], abs=1e-4)
    errors = np.sqrt(np.diagonal(model.covariance))
    assert dict(zip(model.systems, errors, strict=True)) == pytest.approx(expected["se"], rel=2e-4)
    shares = {term.replace("Residual", RESIDUAL): value for term, value in expected["shares"].items()}
    assert model.shares == pytest.approx(shares, rel=2e-4, abs=1e-9)


@pytest.mark.real_data
@pytest.mark.parametrize("name", CASES + WITH_DOCUMENT_SYSTEM)
def test_effects_of_annotators_and_both_of_their_errors(name: str) -> None:
    model = fitted(name)
    own = {
        "effect": model.effects,
        "conditional_sd": model.conditional_sd,
        "prediction_sd": model.prediction_sd,
    }
    for annotator, published in golden(name)["annotators"].items():
        place = model.annotators.index(annotator)
        assert {key: own[key][place] for key in published} == pytest.approx(published, abs=1e-3)


@pytest.mark.real_data
@pytest.mark.parametrize("name", CASES + WITH_DOCUMENT_SYSTEM)
def test_differences_and_their_errors_are_those_of_lme4(name: str) -> None:
    model = fitted(name)
    tested = contrasts(model.means, model.covariance, df=model.degrees_of_freedom)
    own = {
        (a, b): place for place, (a, b) in enumerate(zip(tested.first.tolist(), tested.second.tolist(), strict=True))
    }
    for published in golden(name)["contrasts"]:
        place = own[model.systems.index(published["first"]), model.systems.index(published["second"])]
        assert tested.difference[place] == pytest.approx(published["difference"], abs=1e-4)
        assert tested.se[place] == pytest.approx(published["se"], rel=2e-4)


@pytest.mark.real_data
def test_p_is_that_of_lmer_test_at_its_degrees_of_freedom() -> None:
    for name in ("esa-ende", "esa-ende+document:system"):
        for published in golden(name)["satterthwaite"]:
            spread = np.diag([published["se"] ** 2, 0.0])
            tested = contrasts([published["difference"], 0.0], spread, df=published["df"])
            assert tested.p[0] == pytest.approx(published["p"], rel=1e-4)


def world(seed: int, *, kept: float = 0.7, documents: int = 30, systems: int = 5, annotators: int = 7) -> Columns:
    """Scores of planted severities and texts; of all cells a share is kept."""
    rng = np.random.default_rng(seed)
    document, segment, system = (one.ravel() for one in np.indices((documents, 4, systems)))
    annotator = rng.integers(0, annotators, size=(documents, systems))[document, system]
    scores = 70.0 + rng.normal(0, 5, annotators)[annotator] + rng.normal(0, 4, documents)[document]
    scores += (
        rng.normal(0, 5, (documents, 4))[document, segment] + rng.normal(0, 6, (documents, systems))[document, system]
    )
    scores += rng.normal(0, 13, document.size)
    some = rng.random(document.size) < kept
    return {
        "scores": scores[some],
        "systems": system[some],
        "annotators": annotator[some],
        "documents": document[some],
        "segments": segment[some],
    }


def model_of(columns: Columns, **options: Any) -> MixedModel:
    return mixed_model(columns["scores"], columns["systems"], **_labels(columns), **options)


def _labels(columns: Columns) -> Columns:
    return {name: columns[name] for name in ("annotators", "documents", "segments")}


@pytest.mark.parametrize("sizes", [(0.4, 0.3, 0.35, 0.5), (0.0, 0.8, 0.0, 0.2), (2.0, 0.0, 1.0, 0.0)])
def test_the_likelihood_is_that_of_dense_matrices(sizes: tuple[float, ...]) -> None:
    """log L of normal scores with covariance V = ZZ' + 1, the systems projected out."""
    columns = world(1)
    design = design_of(columns["scores"], columns["systems"], **_labels(columns))
    centred = design.values - design.values.mean()
    z = np.hstack(
        [
            size * np.eye(design.levels[name])[codes]
            for size, (name, codes) in zip(sizes, design.codes.items(), strict=True)
        ]
    )
    x = np.eye(5)[design.system]
    inverse = np.linalg.inv(z @ z.T + np.eye(centred.size))
    within = x.T @ inverse @ x
    rest = centred - x @ np.linalg.solve(within, x.T @ inverse @ centred)
    freedom, squares = centred.size - 5, float(rest @ inverse @ rest)
    deviance = np.linalg.slogdet(within)[1] - np.linalg.slogdet(inverse)[1]
    deviance += freedom * (1 + np.log(2 * np.pi * squares / freedom))
    assert Equations(design, centred).at(np.array(sizes)).deviance == pytest.approx(deviance, rel=1e-12)


@pytest.mark.parametrize(
    "terms", [None, ("annotator", "segment"), ("document", "segment:system"), ("document:system",)]
)
def test_the_slope_is_that_of_small_steps(terms: tuple[str, ...] | None) -> None:
    columns = world(2)
    design = design_of(columns["scores"], columns["systems"], terms=terms, **_labels(columns))
    equations = Equations(design, design.values - design.values.mean())
    sizes = np.linspace(0.3, 0.6, len(design.codes))
    steps = 1e-5 * np.eye(sizes.size)
    differences = [equations.at(sizes + step).deviance - equations.at(sizes - step).deviance for step in steps]
    assert equations.at(sizes).slope() == pytest.approx(np.array(differences) / 2e-5, rel=1e-5)


def test_on_complete_designs_differences_are_those_of_plain_means() -> None:
    rng = np.random.default_rng(5)
    system, segment, annotator = (one.ravel() for one in np.indices((3, 20, 4)))
    scores = 60 + 2 * system + rng.normal(0, 5, 20)[segment] + rng.normal(0, 5, 4)[annotator] + rng.normal(0, 9, 240)
    model = mixed_model(scores, system, annotators=annotator, segments=segment)
    plain = np.array([scores[system == one].mean() for one in range(3)])
    assert model.means == pytest.approx(plain, abs=1e-8)


def test_severities_are_taken_out_where_annotators_are_tied_to_systems() -> None:
    rng = np.random.default_rng(6)
    document, system = (one.ravel() for one in np.indices((200, 2)))
    annotator = np.where(rng.random(400) < 0.9, system, 1 - system)
    scores = 70 + 10.0 * annotator + rng.normal(0, 4, 200)[document] + rng.normal(0, 3, 400)
    model = mixed_model(scores, system, annotators=annotator, documents=document)
    plain = scores[system == 1].mean() - scores[system == 0].mean()
    assert plain > 7
    assert abs(model.means[1] - model.means[0]) < 1.5
    assert np.diff(model.effects) == pytest.approx(10, abs=1.5)


@pytest.mark.parametrize("shift", [1e6, -3.0])
def test_a_shift_and_a_factor_change_what_they_should(shift: float) -> None:
    columns = world(3)
    plain = model_of(columns)
    turned = model_of(columns | {"scores": shift - 2 * columns["scores"]})
    assert turned.means == pytest.approx(shift - 2 * plain.means, rel=1e-6)
    assert turned.effects == pytest.approx(-2 * plain.effects, abs=1e-4)
    assert turned.variances == pytest.approx(
        {name: 4 * one for name, one in plain.variances.items()}, rel=1e-4, abs=1e-6
    )


def test_the_order_of_rows_and_absent_scores_change_nothing() -> None:
    columns = world(4)
    order = np.random.default_rng(0).permutation(columns["scores"].size)
    mixed = model_of({name: column[order] for name, column in columns.items()})
    plain = model_of(columns)
    assert mixed.means == pytest.approx(plain.means, abs=1e-5)
    assert mixed.residuals == pytest.approx(plain.residuals[order], abs=1e-4)
    longer = {name: np.append(column, column[:1]) for name, column in columns.items()}
    longer["scores"][-1] = np.nan
    with_gap = model_of(longer)
    assert with_gap.means == pytest.approx(plain.means, abs=1e-9)
    assert np.isnan(with_gap.residuals).tolist() == [False] * plain.residuals.size + [True]


def test_a_term_at_zero_for_a_moment_is_not_lost() -> None:
    """The first step of the search throws small terms to 0, where the likelihood is flat."""
    columns = world(7, kept=1.0, documents=5, systems=12, annotators=3)
    model = model_of(columns)
    for name in model.design.codes:
        without = model_of(columns, terms=[one for one in model.design.codes if one != name])
        assert model.log_likelihood >= without.log_likelihood - 1e-6


def test_terms_that_cannot_be_told_apart_are_dropped() -> None:
    columns = world(8)
    one_document = model_of(columns | {"documents": np.zeros(columns["scores"].size)})
    assert one_document.design.dropped == ("document", "document:system")  # the second divides scores as systems do
    one_annotator = model_of(columns | {"annotators": np.zeros(columns["scores"].size)})
    assert one_annotator.design.dropped == ("annotator",)
    assert one_annotator.effects.tolist() == [0.0]
    one_segment_each = model_of(columns | {"segments": columns["documents"]})
    assert one_segment_each.design.dropped == ("segment",)


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ([np.nan] * 6, "no_scores"),
        ([5.0] * 6, "no_variation"),
        ([5.0, 6.0, 7.0] * 2, "no_variation"),
        ([1.0, 2.0, 3.0, np.nan, np.nan, np.nan], "too_few_scores"),
    ],
)
def test_where_there_is_no_model_there_is_a_reason(scores: list[float], reason: str) -> None:
    model = mixed_model(scores, list("ABCABC"), annotators=[1, 2, 1, 2, 1, 2], segments=[1, 1, 1, 2, 2, 2])
    assert model.reason == reason
    assert np.isnan(model.means).all()
    assert model.variances == {}
    assert mixed_model([], [], annotators=[], documents=[], segments=[]).reason == "no_scores"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("seed", range(40))
def test_small_and_uneven_campaigns_have_numbers_or_a_reason(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 60))
    system, annotator, document, segment = (rng.integers(0, rng.integers(1, 6), n) for _ in range(4))
    scores = (rng.normal(0, 1, n), 10.0 * system + annotator, 7.0 * document + segment, 1.0 * (annotator > 2))[seed % 4]
    documents = None if seed % 3 == 0 else system if seed % 7 == 0 else document
    model = mixed_model(scores, system, annotators=annotator, documents=documents, segments=segment)
    assert model.reason or np.isfinite([*model.means, *model.variances.values(), model.log_likelihood]).all()
    contrasts(model.means, model.covariance, df=model.degrees_of_freedom, components=model.design.components())


def test_scores_without_noise_have_a_model() -> None:
    system, segment = (one.ravel() for one in np.indices((3, 5)))
    model = mixed_model(10.0 * system + segment, system, annotators=segment % 2, segments=segment)
    assert model.means == pytest.approx([2, 12, 22], abs=1e-4)
    assert np.isfinite(model.log_likelihood)


def test_groups_of_systems_without_a_common_annotator_are_components() -> None:
    columns: Columns = {
        "scores": [1, 2, 3, 4, 5, 6, 7, 9],
        "systems": list("AABBCCDD"),
        "annotators": [1, 2, 1, 2, 3, 4, 3, 4],
    }
    model = mixed_model(columns["scores"], columns["systems"], annotators=columns["annotators"], segments=[1, 2] * 4)
    assert model.design.components().tolist() == [0, 0, 1, 1]
    tested = contrasts(model.means, model.covariance, df=9, components=model.design.components())
    assert np.isnan(tested.difference).tolist() == [False, True, True, True, True, False]
    assert np.isnan(tested.p).tolist() == np.isnan(tested.difference).tolist()


def test_an_annotator_of_one_system_is_named() -> None:
    design = design_of([1, 2, 3, 4], list("AABB"), annotators=["x", "y", "x", "z"], segments=[1, 2, 1, 2])
    assert design.one_system_only().tolist() == [False, True, True]


def test_contrasts_are_students_t() -> None:
    """R: qt(0.975, 14) is 2.144787."""
    tested = contrasts([2 * 2.144787, 0.0, np.nan], np.diag([2.0, 2.0, 1.0]), df=14)
    assert tested.p[0] == pytest.approx(0.05, abs=1e-7)
    assert tested.low[0] == pytest.approx(0, abs=1e-5)
    assert np.isnan(tested.p[1:]).all()


def test_bad_columns_are_refused() -> None:
    with pytest.raises(ValueError, match="labels"):
        mixed_model([1, 2], ["A"], annotators=[1, 2])
    with pytest.raises(ValueError, match="unknown term"):
        mixed_model([1, 2], ["A", "B"], annotators=[1, 2], terms=["weather"])
    with pytest.raises(ValueError, match="covariance"):
        contrasts([1, 2], [[1]])
