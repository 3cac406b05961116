"""Labels exchanged within documents: the same t as the mixed model of the exchanged scores."""

import numpy as np
import pytest

from metrics.statistics.arrays import FloatArray, IntArray
from metrics.statistics.mixed import RESIDUAL, contrasts, mixed_model
from metrics.statistics.mixed.relabelled import Scores, relabelled

SYSTEMS, DOCUMENTS = 3, 8
PAIRS = np.triu_indices(SYSTEMS, k=1)


def scores(seed: int = 2, *, gaps: bool = False) -> Scores:
    rng = np.random.default_rng(seed)
    document, system, place = (one.ravel() for one in np.indices((DOCUMENTS, SYSTEMS, 2)))
    annotator = rng.integers(0, 4, document.size)
    values = rng.normal(size=document.size) + rng.normal(0, 2, 4)[annotator] + rng.normal(0, 2, DOCUMENTS)[document]
    kept = np.flatnonzero(rng.random(document.size) < (0.7 if gaps else 1.1))
    segment = document * 2 + place
    return Scores(values[kept], system[kept], annotator[kept], document[kept], segment[kept])


def by_hand(made: Scores, labels: IntArray, variances: dict[str, float]) -> FloatArray:
    """Generalised least squares with the whole covariance matrix of the scores."""
    whose = np.empty_like(made.system)
    for row in range(made.values.size):
        whose[row] = int(np.flatnonzero(labels[made.document[row]] == made.system[row])[0])
    cell = made.document * SYSTEMS + made.system
    codes = {"annotator": made.annotator, "document": made.document, "segment": made.segment, "document:system": cell}
    covariance = np.eye(made.values.size) * variances[RESIDUAL]
    for name, code in codes.items():
        covariance += variances.get(name, 0.0) * (code[:, None] == code[None, :])
    fixed = (whose[:, None] == np.arange(SYSTEMS)).astype(float)
    weighed = np.linalg.solve(covariance, np.column_stack([fixed, made.values]))
    matrix = np.linalg.inv(fixed.T @ weighed[:, :SYSTEMS])
    means = matrix @ (fixed.T @ weighed[:, -1])
    return np.abs(contrasts(means, matrix).difference / contrasts(means, matrix).se)


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize(
    "variances",
    [
        {"annotator": 4.0, "document": 3.0, "segment": 0.5, "document:system": 0.7, RESIDUAL: 1.0},
        {"document": 3.0, RESIDUAL: 2.0},
        {RESIDUAL: 1.0, "annotator": 0.0},
    ],
)
def test_every_exchange_is_as_if_it_were_solved_alone(variances: dict[str, float], *, gaps: bool) -> None:
    made, rng = scores(gaps=gaps), np.random.default_rng(7)
    labels = np.argsort(rng.random((5, DOCUMENTS, SYSTEMS)), axis=2)
    t = relabelled(made, variances).t_of_pairs(labels, PAIRS)
    for trial in range(5):
        assert t[trial] == pytest.approx(by_hand(made, labels[trial], variances), rel=1e-8)


def test_without_an_exchange_it_is_the_mixed_model() -> None:
    made = scores()
    columns = {"annotators": made.annotator, "documents": made.document, "segments": made.segment}
    model = mixed_model(made.values, made.system, **columns)
    tested = contrasts(model.means, model.covariance)
    same = np.broadcast_to(np.arange(SYSTEMS), (1, DOCUMENTS, SYSTEMS))
    t = relabelled(made, model.variances).t_of_pairs(same, PAIRS)[0]
    assert t == pytest.approx(np.abs(tested.difference / tested.se), abs=1e-9)


def test_with_few_documents_errors_are_those_of_a_model_fitted_anew() -> None:
    """Of 60 exchanges: errors that stay as they are miss the fitted ones by more than twice as much."""
    rng, n_documents, n_systems, n_segments = np.random.default_rng(4), 8, 4, 3
    axes = np.meshgrid(*(np.arange(n) for n in (n_documents, n_systems, n_segments)), indexing="ij")
    document, system, place = (axis.ravel() for axis in axes)
    annotator = (document + system) % 4
    values = rng.normal(0, 4, 32)[document * n_systems + system] + rng.normal(0, 5, document.size)
    made = Scores(values, system, annotator, document, document * n_segments + place)
    columns = {"annotators": annotator, "documents": document, "segments": made.segment}
    parts = relabelled(made, mixed_model(made.values, system, **columns).variances)
    labels = np.argsort(rng.random((60, n_documents, n_systems)), axis=2)
    pairs = np.triu_indices(n_systems, k=1)
    fitted = []
    for label in labels:
        whose = np.argsort(label, axis=1)[document, system]
        model = mixed_model(made.values, whose, **columns)
        tested = contrasts(model.means, model.covariance)
        fitted.append(np.abs(tested.difference / tested.se))
    is_large = np.array(fitted) > 1.5
    stays, corrected = (
        np.abs(parts.t_of_pairs(labels, pairs, freedom=freedom) - fitted)[is_large].mean()
        for freedom in (np.inf, (n_documents - 1) * (n_systems - 1))
    )
    assert corrected < stays / 2


def test_systems_without_scores_have_no_t() -> None:
    made = Scores(np.arange(4.0), *(np.array(one) for one in ([0, 0, 2, 2], [0] * 4, [0, 1, 0, 1], [0, 1, 0, 1])))
    same = np.broadcast_to(np.arange(3), (1, 2, 3))
    t = relabelled(made, {RESIDUAL: 1.0}).t_of_pairs(same, PAIRS)[0]
    assert np.isfinite(t[1])
    assert np.isfinite(t).sum() >= 1
