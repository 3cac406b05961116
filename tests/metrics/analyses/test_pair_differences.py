"""How far two systems are apart, with its interval."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from metrics.analyses.evidence import Evidence
from metrics.analyses.mixed import mixed
from metrics.recipes import RECIPES, Recipe
from tests.metrics.analyses.as_json import ranking
from tests.metrics.analyses.sample_tables import Rows, simulated, two_annotators
from tests.metrics.score_tables import score_table

ASSAY, CROWD = RECIPES["assay"], RECIPES["wmt-crowd"]
RAW = replace(ASSAY, normalisation="none")
BOOTSTRAP = replace(ASSAY, test="bootstrap")


def test_the_difference_of_two_systems_is_on_the_segments_both_have_in_units_of_the_scale() -> None:
    rows = two_annotators().add("ana", "x", "only x", 90, document="d2")
    higher = ranking(Evidence((rows.table(),), CROWD))["tests"][0]
    assert (higher["first"], higher["difference"], higher["difference_interval"]) == ("x", 20, [20, 20])
    lower = ranking(Evidence((score_table("score", **rows.columns, low=0, high=100, higher_is_better=False),), CROWD))
    assert (lower["tests"][0]["first"], lower["tests"][0]["difference"]) == ("y", -20)


@pytest.mark.parametrize("recipe", [ASSAY, RAW])
def test_our_own_recipes_have_the_differences_of_the_mixed_model_whose_intervals_hold_in_every_design(
    recipe: Recipe,
) -> None:
    table = simulated({"best": 12.0, "good": 9.0, "poor": -14.0}).table()
    evidence = Evidence((replace(table, higher_is_better=False),), recipe)
    of_model = {frozenset((one.first, one.second)): one for one in mixed(evidence).measures[0].tests}
    pairs = ranking(evidence)["tests"]
    assert len(pairs) == 3
    for pair in pairs:
        other = of_model[frozenset((pair["first"], pair["second"]))]
        assert isinstance(other.difference, float)
        assert isinstance(other.interval, tuple)
        sign = 1 if other.first == pair["first"] else -1
        assert pair["difference_by"] == "model"
        assert pair["difference"] == pytest.approx(sign * other.difference)
        assert sorted(map(abs, pair["difference_interval"])) == pytest.approx(sorted(map(abs, other.interval)))
        assert pair["difference_interval"][0] < pair["difference"] < pair["difference_interval"][1]
    assert len(evidence.models) == 1, "ranking and analysis ask for one model"


def test_where_no_model_can_be_estimated_the_difference_is_that_of_means() -> None:
    rows = Rows()
    for document in "def":
        rows.add("ana", "x", f"{document}1", 70, document=document).add(
            "ana", "y", f"{document}1", 50, document=document
        )
    pair = ranking(Evidence((rows.table(),), RAW))["tests"][0]
    assert (pair["first"], pair["difference"], pair["difference_by"]) == ("x", 20, "documents")


def test_the_interval_of_a_difference_of_means_is_the_one_of_its_segments() -> None:
    rows = simulated({"best": 12.0, "good": 9.0, "poor": -14.0})
    drawn = ranking(Evidence((rows.table(),), BOOTSTRAP))["tests"][-1]
    assert drawn["difference_by"] == "documents"
    means: dict[str, dict[tuple[str, str], list[float]]] = {}
    for system, document, segment, value in zip(
        *(rows.columns[name] for name in ("systems", "documents", "segments", "values")), strict=True
    ):
        means.setdefault(system, {}).setdefault((segment, document), []).append(value)
    first, second = means[drawn["first"]], means[drawn["second"]]
    shared = sorted(first.keys() & second.keys())
    gaps = [float(np.mean(first[each]) - np.mean(second[each])) for each in shared]
    assert drawn["difference"] == pytest.approx(np.mean(gaps))
    documents = sorted({document for _segment, document in shared})
    of_documents = [np.mean([gap for gap, (_, own) in zip(gaps, shared, strict=True) if own == d]) for d in documents]
    by_document = stats.bootstrap(
        (of_documents,), np.mean, method="percentile", rng=np.random.default_rng(1)
    ).confidence_interval
    assert drawn["difference_interval"] == pytest.approx([by_document.low, by_document.high], abs=1.0)
