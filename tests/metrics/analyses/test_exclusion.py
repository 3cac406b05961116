"""The analysis `exclusion`: the same evidence before and after, and nothing else different."""

import json
from dataclasses import replace
from typing import Any

from metrics.analyses.evidence import Evidence
from metrics.matrices import ScoreTable
from metrics.recipes import recipe_for
from tests.metrics.analyses.as_json import agreement, exclusion, ranking
from tests.metrics.analyses.sample_tables import Rows, simulated

QUICK = replace(recipe_for("direct_assessment"), interval_resamples=50, resamples=200)
WITHOUT = replace(QUICK, without=("annotator0",))
ZERO = frozenset({"annotator0"})


def table() -> ScoreTable:
    return simulated({"best": 12.0, "middle": 1.0, "poor": -14.0}).table()


def tried(*tables: ScoreTable, **more: Any) -> dict[str, Any]:
    result = exclusion(Evidence(tables, WITHOUT, excluded=ZERO, **more))
    assert json.loads(json.dumps(result, allow_nan=False)) == result
    return result


def test_each_side_is_what_the_analyses_say_of_it() -> None:
    result = tried(table())
    for side, excluded in enumerate((frozenset(), ZERO)):
        evidence = Evidence((table(),), QUICK, excluded=excluded)
        for entry, expected in zip(
            sorted(result["systems"], key=lambda one: one["place"][side]), ranking(evidence)["systems"], strict=True
        ):
            for name in ("mean", "z_mean", "rank", "cluster", "interval", "judgments"):
                assert entry[name][side] == expected[name]
        measure = agreement(evidence)["measures"][0]
        assert result["agreement"][0]["value"][side] == measure["alpha"]["interval"]
        assert result["agreement"][0]["interval"][side] == measure["alpha_interval"]["interval"]
        assert result["judgments"][side] == evidence.judgments
    assert result["annotators"] == [4, 3]
    assert result["without"] == ["annotator0"]


def test_a_system_only_they_judged_is_gone_afterwards() -> None:
    rows = simulated({"best": 12.0, "poor": -14.0})
    for place in range(6):
        rows.add("annotator0", "theirs", f"0.{place}", 50 + place, document="document0")
    gone = next(entry for entry in tried(rows.table())["systems"] if entry["system"] == "theirs")
    assert gone["mean"][1] is None
    assert gone["rank"][1] is None
    assert gone["mean"][0] is not None


def test_leaving_out_the_only_annotator_leaves_nothing_and_does_not_fail() -> None:
    rows = Rows().add("annotator0", "x", "s0", 5).add("annotator0", "x", "s1", 6)
    result = tried(rows.table())
    assert result["judgments"] == [2, 0]
    assert result["agreement"][0]["value"] == [None, None]


def test_counts_that_nobody_judged_are_left_out() -> None:
    counts = replace(table(), measure="keystrokes", is_count=True)
    result = tried(table(), counts)
    assert {entry["measure"] for entry in result["agreement"]} == {"score"}
    assert {entry["measure"] for entry in result["systems"]} == {"score"}
    assert [one["measure"] for one in agreement(Evidence((table(), counts), QUICK))["measures"]] == ["score"]
