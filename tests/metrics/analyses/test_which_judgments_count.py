"""Which judgments count in `ranking`: repeats, controls, surplus, excluded annotators, those without spread."""

from dataclasses import replace

import pytest

from metrics.analyses.evidence import Evidence
from tests.metrics.analyses.as_json import ranking
from tests.metrics.analyses.sample_tables import two_annotators
from tests.metrics.analyses.test_ranking import ASSAY, CROWD, by_name, rank


def test_repeats_count_by_the_crowds_recipe_and_not_by_assay() -> None:
    rows = two_annotators().add("ana", "x", "s0", 100, document="d0", kind="repeat")
    crowd, assay = by_name(rank(rows)), by_name(rank(rows, ASSAY))
    assert crowd["x"]["mean"] == pytest.approx(((30 + 100 + 80) / 3 + 65) / 2)
    assert assay["x"]["mean"] == 60
    assert crowd["x"]["judgments"] == assay["x"]["judgments"] == 5


def test_control_items_give_mean_and_deviation_and_never_a_systems_value() -> None:
    rows = two_annotators()
    for kind in ("degraded", "reference"):
        rows.add("ana", "x", "s0", 0, document="d0", kind=kind)
    crowd = by_name(rank(rows))
    regular = by_name(rank(rows, replace(CROWD, normalisation="regular")))
    assert crowd["x"]["mean"] == 60
    assert regular["x"]["z_mean"] == pytest.approx(10 / (500 / 3) ** 0.5)
    assert crowd["x"]["z_mean"] > regular["x"]["z_mean"]


def test_practice_counts_nowhere() -> None:
    rows = two_annotators().add("ana", "x", "s0", 100, document="d0", kind="practice")
    assert rank(rows)["systems"] == rank(two_annotators())["systems"]


def test_surplus_is_left_out_unless_requested() -> None:
    rows = two_annotators().add("bo", "y", "s0", 0, document="d0", surplus=True)
    assert by_name(rank(rows))["y"]["judgments"] == 4
    assert rank(rows)["systems"] == rank(two_annotators())["systems"]
    assert by_name(rank(rows, replace(CROWD, surplus=True)))["y"]["judgments"] == 5


def test_an_annotator_without_spread_stays_in_raw_and_leaves_z() -> None:
    rows = two_annotators()
    for system in ("x", "y"):
        for place in range(2):
            rows.add("stuck", system, f"s{place}", 50, document=f"d{place}")
    result = rank(rows)
    assert result["without_z"] == ["stuck"]
    assert by_name(result)["x"]["mean"] == pytest.approx((160 / 3 + 60) / 2)
    assert by_name(result)["x"]["z_mean"] == pytest.approx(10 / (500 / 3) ** 0.5)


def test_an_excluded_annotator_counts_nowhere_and_changes_nobody_elses_z() -> None:
    rows = two_annotators()
    for place in range(2):
        rows.add("eve", "y", f"s{place}", 100, document=f"d{place}").add("eve", "x", f"s{place}", 1, document="d0")
    result = rank(rows, excluded=frozenset({"eve"}))
    assert result["systems"] == rank(two_annotators())["systems"]


def test_only_annotators_who_passed_their_controls_on_request() -> None:
    rows = two_annotators()
    for place in range(2):
        rows.add("ana", "y", f"s{place}", 1 + place, document=f"d{place}", kind="degraded")
    for place, value in enumerate((5, 4)):
        rows.add("bo", "y", f"s{place}", value, document=f"d{place}", kind="degraded")
    evidence = Evidence((rows.table(),), replace(CROWD, include="passed"))
    assert evidence.controls["bo"].is_passed
    assert not evidence.controls["ana"].is_passed
    assert evidence.included == {"bo"}
    assert by_name(ranking(evidence))["x"]["mean"] == 85
    assert evidence.judgments == 6
