"""Short scales in the analysis `mixed`: logits, how often one system is rated above another, and severities."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from metrics.analyses.evidence import Evidence
from metrics.analyses.mixed import Mixed, mixed
from metrics.analyses.mixed_tables import mixed_tables
from metrics.analyses.ordinal_tables import (
    ordinal_pairs_table,
    ordinal_severities_table,
    ordinal_table,
    without_model,
)
from metrics.matrices import ScoreTable
from metrics.recipes import RECIPES
from metrics.results.codec import from_json, to_json
from tests.metrics.score_tables import score_table

INCOMPLETE = RECIPES["incomplete"]


def rated(*, seed: int = 1, n: int = 600, **more: Any) -> ScoreTable:
    """From 1 to 5: y is a logit above x, z another; bo gives more than ana, who gives more than cy."""
    rng = np.random.default_rng(seed)
    system, annotator, segment = rng.integers(3, size=n), rng.integers(3, size=n), rng.integers(60, size=n)
    place = system + np.array([0.0, 1.5, -1.5])[annotator] + rng.normal(0, 0.7, 60)[segment] + rng.logistic(size=n)
    columns: dict[str, Any] = {
        "values": 1.0 + np.digitize(place, [-1, 0.5, 2, 3.5]),
        "annotators": [["ana", "bo", "cy"][code] for code in annotator],
        "systems": ["xyz"[code] for code in system],
        "segments": [f"s{code}" for code in segment],
        "documents": [f"d{code // 4}" for code in segment],
    }
    return score_table("adequacy", **{**columns, "low": 1, "high": 5, **more})


def result_of(table: ScoreTable) -> Mixed:
    result = mixed(Evidence((table,), INCOMPLETE))
    written = json.loads(json.dumps(to_json(result), allow_nan=False))
    assert from_json(Mixed, written) == result
    return result


def test_systems_are_in_logits_and_pairs_say_how_often_one_is_rated_above_the_other() -> None:
    result = result_of(rated())
    (measure,) = result.ordinal
    assert measure.formula.startswith("score ~ system + (1|annotator)")
    assert [one.system for one in measure.systems] == ["z", "y", "x"]
    assert measure.zero == "x"
    assert to_json(measure)["systems"][2]["reasons"] == {"interval": "is_zero"}
    assert [one.mean for one in measure.systems] == pytest.approx([2, 1, 0], abs=0.4)
    assert list(measure.points) == [1, 2, 3, 4, 5]
    assert len(measure.thresholds) == 4
    assert list(measure.thresholds) == sorted(measure.thresholds)
    first = next(pair for pair in measure.tests if (pair.first, pair.second) == ("z", "x"))
    assert first.is_win
    assert isinstance(first.greater, float)
    assert isinstance(first.equal, float)
    assert 0.6 < first.greater < 1 - first.equal
    assert first.df == 14
    assert [one.cluster for one in measure.systems] == [1, 2, 3]


def test_severities_are_told_in_logits() -> None:
    (measure,) = result_of(rated()).ordinal
    effects = {one.annotator: one.effect for one in measure.annotators}
    assert [effects[name] for name in ("ana", "bo", "cy")] == pytest.approx([0, 1.5, -1.5], abs=0.5)


def test_where_lower_is_better_signs_are_those_of_the_answers_and_above_means_better() -> None:
    table = rated()
    turned = replace(table, values=-table.values, higher_is_better=False)
    higher, lower = result_of(table).ordinal[0], result_of(turned).ordinal[0]
    assert [one.system for one in lower.systems] == ["x", "y", "z"]
    assert {one.system: one.mean for one in lower.systems} == pytest.approx(
        {one.system: one.mean for one in higher.systems}, abs=1e-4
    )
    assert lower.thresholds == pytest.approx(higher.thresholds, abs=1e-4)
    assert lower.points == higher.points
    assert {one.annotator: one.effect for one in lower.annotators} == pytest.approx(
        {one.annotator: one.effect for one in higher.annotators}, abs=1e-4
    )
    assert lower.tests[0].first == "x"
    assert isinstance(lower.tests[0].greater, float)
    assert lower.tests[0].greater > 0.4


def test_long_scales_have_none() -> None:
    assert result_of(rated(high=100)).ordinal == ()


def test_systems_that_no_annotator_connects_are_not_compared() -> None:
    table = rated()
    of_bo, of_x = table.annotator == table.annotators.index("bo"), table.system == table.systems.index("x")
    (measure,) = result_of(table.where(of_bo == of_x)).ordinal
    assert len(measure.components) == 2
    across = [pair for pair in measure.tests if "x" in (pair.first, pair.second)]
    assert all(to_json(pair)["p"] is None for pair in across)


@pytest.mark.parametrize(
    ("values", "reason"), [([3.0] * 600, "no_variation"), ([5.0 if k % 3 else 4.0 for k in range(600)], "")]
)
def test_few_points_or_one_give_a_model_or_a_reason(values: list[float], reason: str) -> None:
    (measure,) = result_of(rated(values=values)).ordinal
    assert (measure.reason or "") == reason
    assert bool(ordinal_table(measure, "Adequacy").rows) == (not reason)


def test_a_system_with_nothing_but_the_best_point_has_a_reason_that_the_page_tells() -> None:
    table = rated()
    best = replace(table, values=np.where(table.system == table.systems.index("z"), 5.0, table.values))
    result = result_of(best)
    assert result.ordinal[0].reason == "separated"
    assert not [one for one in mixed_tables(result) if one.name.startswith("ordinal")]
    (sentence,) = without_model(result.ordinal)
    assert sentence.startswith("adequacy has no ordinal model")
    assert sentence.endswith("nothing but the best point.")


def test_the_page_has_a_table_of_systems_with_how_often_each_is_above_the_next() -> None:
    result = result_of(rated())
    (table,) = (one for one in mixed_tables(result) if one.name == "ordinal")
    assert table.values("system") == ["z", "y", "x"]
    assert table.values("greater")[:2] == [
        next(pair.greater for pair in result.ordinal[0].tests if (pair.first, pair.second) == names)
        for names in (("z", "y"), ("y", "x"))
    ]
    assert table.values("greater")[2] is None
    assert any("x is 0" in str(note) for note in table.notes)
    assert len(ordinal_pairs_table(result.ordinal).rows) == 3
    assert ordinal_severities_table(result.ordinal).values("annotator") == ["ana", "bo", "cy"]
