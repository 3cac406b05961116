"""What must change nothing in a whole analysis: the order of rows, the names of annotators, their own zero and unit."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from metrics.analyses.evidence import Evidence
from metrics.matrices import ScoreTable
from metrics.recipes import RECIPES, Recipe
from tests.metrics.analyses.as_json import analyse_evidence
from tests.metrics.analyses.sample_tables import simulated

QUALITIES = {"alpaca": 9.0, "bear": 3.0, "camel": 0.0}
BOTH = ("ranking", "agreement")


def analysed(table: ScoreTable, recipe: Recipe) -> dict[str, Any]:
    quick = replace(recipe, resamples=200, interval_resamples=50)
    return analyse_evidence(Evidence((table,), quick), BOTH)


@pytest.fixture(scope="module")
def table() -> ScoreTable:
    return simulated(QUALITIES, n_documents=8, per_document=4).table()


def same(actual: Any, expected: Any) -> None:
    """The same objects, numbers but for rounding."""
    if isinstance(expected, dict):
        assert set(actual) == set(expected)
        for key, value in expected.items():
            same(actual[key], value)
    elif isinstance(expected, list):
        assert len(actual) == len(expected)
        for one, other in zip(actual, expected, strict=True):
            same(one, other)
    else:
        assert actual == (pytest.approx(expected, abs=1e-9) if isinstance(expected, float) else expected)


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_the_order_of_rows(name: str, table: ScoreTable) -> None:
    order = np.random.default_rng(1).permutation(len(table))
    same(analysed(table.where(order), RECIPES[name]), analysed(table, RECIPES[name]))


def fits_in(result: dict[str, Any]) -> list[list[Any]]:
    """Taken out of a result: of each annotator what a filter knows, without the name."""
    annotators = result["ranking"].pop("filter", {"annotators": []})["annotators"]
    return [[one["screens"], one["pairs"], one["fit"], one["kept"]] for one in annotators]


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_who_is_who_among_annotators(name: str, table: ScoreTable) -> None:
    n = len(table.annotators)
    turned = replace(table, annotator=n - 1 - table.annotator)
    before, after = analysed(table, RECIPES[name]), analysed(turned, RECIPES[name])
    same(fits_in(after)[::-1], fits_in(before))
    same(after["ranking"], before["ranking"])
    same(after["agreement"]["measures"][0]["alpha"], before["agreement"]["measures"][0]["alpha"])


def test_an_annotators_own_zero_and_unit_vanish_in_z(table: ScoreTable) -> None:
    rng = np.random.default_rng(2)
    shift, stretch = rng.normal(0, 50, len(table.annotators)), rng.uniform(0.2, 5, len(table.annotators))
    moved = replace(table, values=shift[table.annotator] + stretch[table.annotator] * table.values)
    before, after = (analysed(each, RECIPES["assay"]) for each in (table, moved))
    for one, other in zip(after["ranking"]["systems"], before["ranking"]["systems"], strict=True):
        keys = ("system", "z_mean", "z_interval", "rank", "cluster", "wins", "losses")
        same({key: one[key] for key in keys}, {key: other[key] for key in keys})
    alpha = [each["agreement"]["measures"][0]["alpha"]["interval_z"] for each in (before, after)]
    assert alpha[1] == pytest.approx(alpha[0], abs=1e-9)


def test_shuffled_scores_agree_by_chance_and_separate_no_systems() -> None:
    table = simulated(QUALITIES, n_documents=60, per_document=8).table()
    shuffled = replace(table, values=np.random.default_rng(3).permutation(table.values))
    result = analysed(shuffled, RECIPES["assay"])
    assert all(entry["wins"] == 0 for entry in result["ranking"]["systems"])
    (measure,) = result["agreement"]["measures"]
    for level in ("ordinal", "interval", "interval_z"):
        assert abs(measure["alpha"][level]) < 0.08
