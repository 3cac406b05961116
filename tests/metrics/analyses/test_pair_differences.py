"""How far two systems are apart, with its interval."""

import numpy as np
import pytest
from scipy import stats

from metrics.analyses.evidence import Evidence
from metrics.recipes import RECIPES
from tests.metrics.analyses.as_json import ranking
from tests.metrics.analyses.sample_tables import simulated, two_annotators
from tests.metrics.score_tables import score_table

ASSAY, CROWD = RECIPES["assay"], RECIPES["wmt-crowd"]


def test_the_difference_of_two_systems_is_on_the_segments_both_have_in_units_of_the_scale() -> None:
    rows = two_annotators().add("ana", "x", "only x", 90, document="d2")
    higher = ranking(Evidence((rows.table(),), CROWD))["tests"][0]
    assert (higher["first"], higher["difference"], higher["difference_interval"]) == ("x", 20, [20, 20])
    lower = ranking(Evidence((score_table("score", **rows.columns, low=0, high=100, higher_is_better=False),), CROWD))
    assert (lower["tests"][0]["first"], lower["tests"][0]["difference"]) == ("y", -20)


def test_the_interval_of_a_difference_is_the_one_of_its_segments() -> None:
    rows = simulated({"best": 12.0, "good": 9.0, "poor": -14.0})
    drawn = ranking(Evidence((rows.table(),), ASSAY))["tests"][-1]
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
