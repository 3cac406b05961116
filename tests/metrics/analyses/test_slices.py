import json
from dataclasses import replace

import numpy as np
import pytest

from metrics.analyses.evidence import Evidence
from metrics.recipes import RECIPES
from tests.metrics.analyses.as_json import ranking, slices
from tests.metrics.analyses.sample_tables import Rows, simulated

ASSAY = replace(RECIPES["assay"], resamples=200, interval_resamples=100)
TABLE = simulated({"best": 12.0, "poor": -14.0}).table()


def test_domains_are_ranked_apart_with_everybodys_own_mean_and_deviation() -> None:
    whole = Evidence((TABLE,), ASSAY)
    result = slices(whole)
    assert result["by"] == "domain"
    assert sorted(result["slices"]) == ["news", "talk"]
    news = TABLE.where(TABLE.domain == TABLE.domains.index("news"))
    z = whole.normalised(TABLE).values[TABLE.domain == TABLE.domains.index("news")]
    for entry in result["slices"]["news"]["ranking"]["systems"]:
        rows = news.system == news.systems.index(entry["system"])
        by_segment = [z[rows & (news.unit == unit)].mean() for unit in np.unique(news.unit[rows])]
        assert entry["z_mean"] == pytest.approx(np.mean(by_segment))
    assert json.dumps(result, allow_nan=False)


def test_documents_and_tags() -> None:
    by_document = slices(Evidence((TABLE,), replace(ASSAY, by="document")))
    assert sorted(by_document["slices"]) == sorted(TABLE.documents)
    tagged = replace(TABLE, tags={"gender-bias": np.arange(5), "named-entities": np.arange(3, 9)})
    by_tag = slices(Evidence((tagged,), replace(ASSAY, by="tag")))
    assert by_tag["slices"]["gender-bias"]["ranking"]["systems"][0]["segments"] == 5


def test_one_domain_is_no_slice() -> None:
    rows = Rows().add("ana", "x", "s0", 5).add("ana", "y", "s0", 7)
    none = {"by": "domain", "slices": {}, "reasons": {"slices": "one_part"}}
    assert slices(Evidence((rows.table(),), ASSAY)) == none
    assert slices(Evidence((), ASSAY)) == none


def test_who_counts_is_decided_by_the_whole() -> None:
    result = slices(Evidence((TABLE,), ASSAY, excluded=frozenset({"annotator0"})))
    without = ranking(Evidence((TABLE,), ASSAY, excluded=frozenset({"annotator0"})))
    per_slice = [one["ranking"]["systems"][0]["judgments"] for one in result["slices"].values()]
    assert sum(per_slice) == without["systems"][0]["judgments"]


def test_scales_of_few_points_have_distributions() -> None:
    rows = Rows()
    for place, value in enumerate((1, 2, 2, 4, 5, 5)):
        rows.add("ana", "x", f"s{place}", value)
    table = replace(rows.table("adequacy"), low=1.0, high=5.0)
    result = ranking(Evidence((table,), replace(ASSAY, normalisation="none")))["distributions"]
    assert result == [
        {
            "system": "x",
            "measure": "adequacy",
            "judgments": 6,
            "counts": {"1": 1, "2": 2, "3": 0, "4": 1, "5": 2},
            "median": 3.0,
            "quartiles": [2.0, 5.0],
            "top_share": pytest.approx(1 / 3),
        }
    ]
    assert "distributions" not in ranking(Evidence((rows.table(),), ASSAY))
