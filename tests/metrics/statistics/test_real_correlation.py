"""WMT23 metrics task, English to German: eight metrics against MQM, by every coefficient."""

import gzip
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics.statistics.arrays import FloatArray
from metrics.statistics.correlation.coefficients import kendall, pearson, spearman
from metrics.statistics.correlation.comparing import permutation_test, williams_test
from metrics.statistics.correlation.grouped import grouped
from metrics.statistics.correlation.pairwise import (
    By,
    pairwise_accuracy,
    pairwise_accuracy_with_ties,
    soft_pairwise_accuracy,
)
from tests.metrics.real_campaigns import expected_of, real_case

pytestmark = pytest.mark.real_data
CASE, CLOSE = "metrics-wmt23-ende", 1.5e-6
METRICS = ("BLEU", "chrF", "COMET", "BLEURT-20", "MetricX-23", "XCOMET-Ensemble", "BERTscore", "GEMBA-MQM")
GROUPINGS: tuple[By, ...] = ("none", "item", "system")


def table(path: Path) -> dict[str, list[float]]:
    packed = path.with_name(path.name + ".gz")
    text = gzip.open(packed, "rt").read() if packed.exists() else path.read_text()  # noqa: SIM115
    rows: dict[str, list[float]] = {}
    for line in text.splitlines():
        system, value = line.split("\t")
        rows.setdefault(system, []).append(float("nan") if value == "None" else float(value))
    return rows


@cache
def human(level: str) -> FloatArray:
    """(12 systems, 557 segments), or (12, 1); as the file has them, -5.199999999999999 beside -5.2."""
    rows = table(real_case(CASE) / "wmt23" / "human-scores" / f"en-de.mqm.{level}.score")
    return np.array([rows[system] for system in systems()])


@cache
def metric(name: str, level: str) -> FloatArray:
    folder = real_case(CASE) / "wmt23" / "metric-scores" / "en-de"
    reference = "src" if name == "GEMBA-MQM" else "refA"
    rows = table(folder / f"{name}-{reference}.{level}.score")
    return np.array([rows[system] for system in systems()])


def systems() -> list[str]:
    names: list[str] = expected_of(CASE)["counts"]["systems"]
    return names


@pytest.mark.parametrize("name", METRICS)
def test_systems(name: str) -> None:
    expected = expected_of(CASE)["metrics"][name]["system"]
    people, scores = human("sys")[:, 0], metric(name, "sys")[:, 0]
    assert pearson(people, scores).value == pytest.approx(expected["pearson"], abs=CLOSE)
    assert spearman(people, scores).value == pytest.approx(expected["spearman"], abs=CLOSE)
    assert kendall(people, scores).value == pytest.approx(expected["kendall_b"], abs=CLOSE)
    assert pairwise_accuracy(people, scores).value == pytest.approx(expected["pairwise_accuracy"], abs=CLOSE)
    soft = soft_pairwise_accuracy(human("seg"), metric(name, "seg"), rng=np.random.default_rng(1))
    assert soft.value == pytest.approx(expected["soft_pairwise_accuracy"], abs=0.01)
    assert soft.n == 66


@pytest.mark.parametrize("by", GROUPINGS)
@pytest.mark.parametrize("name", METRICS)
def test_segments(name: str, by: By) -> None:
    expected = expected_of(CASE)["metrics"][name]
    people, scores = human("seg"), metric(name, "seg")
    functions: dict[str, Any] = {"pearson": pearson, "spearman": spearman, "kendall_b": kendall}
    functions["kendall_c"] = lambda x, y: kendall(x, y, variant="c")
    for which, function in functions.items():
        result = grouped(function, people, scores, by=by)
        assert result.value == pytest.approx(expected[f"segment/{by}"][which], abs=CLOSE)
        if which == "pearson" and by == "item":
            assert result.groups == expected["segment/item ties"]["groups_pearson"]


@pytest.mark.parametrize("name", METRICS)
def test_ties(name: str) -> None:
    expected = expected_of(CASE)["metrics"][name]["segment/item ties"]
    people, scores = human("seg"), metric(name, "seg")
    result = pairwise_accuracy_with_ties(people, scores)
    assert result.value == pytest.approx(expected["accuracy_with_ties"], abs=CLOSE)
    assert result.epsilon == pytest.approx(expected["epsilon"], abs=1e-6)
    assert result.groups == 460
    at_zero = pairwise_accuracy_with_ties(people, scores, epsilon=0)
    assert at_zero.value == pytest.approx(expected["accuracy_epsilon_0"], abs=CLOSE)


@pytest.mark.parametrize(
    "comparison", ["COMET over BLEU", "COMET over chrF", "chrF over BLEU", "MetricX-23 over COMET"]
)
def test_comparisons(comparison: str) -> None:
    expected = expected_of(CASE)["comparisons"][comparison]
    one, other = comparison.split(" over ")
    by_systems = williams_test(human("sys")[:, 0], metric(one, "sys")[:, 0], metric(other, "sys")[:, 0])
    assert by_systems.p == pytest.approx(expected["williams_system"]["p"], rel=1e-4)
    assert by_systems.first == pytest.approx(expected["williams_system"]["r_first"], abs=1e-9)
    cells = ~np.isnan(human("seg"))
    columns = [human("seg")[cells], metric(one, "seg")[cells], metric(other, "seg")[cells]]
    by_cells = williams_test(*columns)
    assert by_cells.p == pytest.approx(expected["williams_segment_none"]["p"], rel=1e-4)
    swapped = permutation_test(
        human("sys")[:, 0], metric(one, "sys")[:, 0], metric(other, "sys")[:, 0], rng=np.random.default_rng(1)
    )
    published = expected["permutation_both_system"]
    assert swapped.difference == pytest.approx(published["delta"], abs=1e-9)
    assert swapped.p == pytest.approx(published["p"], abs=0.02)
