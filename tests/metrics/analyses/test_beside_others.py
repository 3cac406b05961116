"""What the analysis of annotators says of each beside the others: agreement, strictness, answers all alike."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from metrics.analyses import Evidence
from metrics.recipes import RECIPES
from tests.metrics.analyses.as_json import annotators
from tests.metrics.analyses.sample_tables import Rows

ASSAY = RECIPES["assay"]
SAME = ("ana", "bo", "cai")


def described(rows: Rows, **more: Any) -> dict[str, dict[str, Any]]:
    return {entry["annotator"]: entry for entry in annotators(Evidence((rows.table(),), ASSAY, **more))}


def three_and(values: list[float]) -> Rows:
    """Three who agree on many outputs, and one who answers what is given."""
    rows, rng = Rows(), np.random.default_rng(5)
    for place in range(max(20, len(values))):
        for annotator in SAME:
            rows.add(annotator, "x", f"s{place:02}", float(30 + place + rng.integers(0, 8)))
        rows.add("dot", "x", f"s{place:02}", values[place % len(values)])
    return rows


def test_who_answers_at_random_is_apart_and_the_rest_is_not() -> None:
    noise = np.random.default_rng(11).permutation(60).astype(float).tolist()
    entries = described(three_and(noise))
    assert "low_agreement" in entries["dot"]["flags"]
    assert entries["dot"]["others_n"] == 60
    assert entries["dot"]["others_difference"] < -20
    for name in SAME:
        assert "low_agreement" not in entries[name]["flags"]
        assert entries[name]["others_pearson"] > 0.7
        low, high = entries[name]["others_interval"]
        assert low < entries[name]["others_pearson"] < high


def test_who_turns_the_scale_round_is_apart_even_from_a_single_other() -> None:
    rows = Rows()
    for place in range(12):
        rows.add("ana", "x", f"s{place:02}", 10 + place).add("dot", "x", f"s{place:02}", 90 - place)
    entries = described(rows)
    assert entries["ana"]["others_pearson"] == pytest.approx(-1)
    assert all("low_agreement" in entry["flags"] for entry in entries.values()), "of two nobody knows which"


def test_one_answer_for_nearly_all_is_uniform() -> None:
    entries = described(three_and([50.0, 50.0, 50.0, 50.0, 49.0]))
    assert entries["dot"]["uniform_share"] == 0.8
    assert "uniform" in entries["dot"]["flags"]
    assert "uniform" not in entries["ana"]["flags"]


def test_where_everybody_gives_one_answer_nobody_stands_out() -> None:
    rows = Rows()
    for place in range(12):
        for annotator in SAME:
            rows.add(annotator, "x", f"s{place:02}", 0.0 if place else 5.0)
    assert all("uniform" not in entry["flags"] for entry in described(rows).values())


def test_who_is_left_out_is_compared_with_those_who_count() -> None:
    entries = described(three_and([0.0, 100.0]), excluded=frozenset({"dot"}))
    without = described(three_and([40.0]), excluded=frozenset({"dot"}))
    assert entries["ana"]["others_pearson"] == without["ana"]["others_pearson"]
    assert entries["dot"]["others_n"] == 20


def test_alone_nobody_has_others() -> None:
    rows = Rows().add("ana", "x", "s0", 3).add("ana", "x", "s1", 4)
    entry = described(rows)["ana"]
    assert (entry["others_n"], entry["others_pearson"], entry["others_difference"]) == (0, None, None)


def test_preferences_are_compared_comparison_by_comparison() -> None:
    rows, judgments = Rows(), []
    for place in range(6):
        for number, annotator in enumerate(SAME):
            better = place % 2 if annotator != "cai" else 1 - place % 2
            for system, rank in (("x", 1 + better), ("y", 2 - better)):
                rows.add(annotator, system, f"s{place}", rank)
                judgments.append(f"{place}-{number}")
    table = replace(
        rows.table("rank", judgments=judgments, higher_is_better=False), is_relative=True, is_own=np.ones(36, bool)
    )
    entries = {entry["annotator"]: entry for entry in annotators(Evidence((table,), ASSAY))}
    assert entries["ana"]["others_n"] == 6
    assert entries["cai"]["others_pearson"] == pytest.approx(-1)
    assert entries["ana"]["uniform_share"] == 0
