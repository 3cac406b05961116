"""The analysis `annotators`: what is said of each, and which flags are raised."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from metrics.analyses.evidence import Evidence
from metrics.recipes import RECIPES, Recipe
from tests.metrics.analyses.as_json import analyse_evidence, annotators
from tests.metrics.analyses.sample_tables import Rows, two_annotators

ASSAY, CROWD = RECIPES["assay"], RECIPES["wmt-crowd"]
SAME = ("ana", "bo", "cai")
FIELDS = {
    "annotator", "judgments", "mean", "deviation", "seconds_median", "control_n", "control_p",
    "repeat_difference", "included", "flags",
}  # fmt: skip


def described(rows: Rows, recipe: Recipe = CROWD, **more: Any) -> dict[str, dict[str, Any]]:
    entries = annotators(Evidence((rows.table(),), recipe, **more))
    return {entry["annotator"]: entry for entry in entries}


def beside_others(rows: Rows, **more: Any) -> dict[str, dict[str, Any]]:
    return described(rows, ASSAY, **more)


def one_annotator(values: Sequence[float], **more: Any) -> Rows:
    rows = Rows()
    for place, value in enumerate(values):
        rows.add("ana", f"x{place % 2}", f"s{place}", value, **more)
    return rows


def flags_of(rows: Rows, **more: Any) -> list[str]:
    flags: list[str] = described(rows, **more)["ana"]["flags"]
    return flags


def test_mean_and_deviation_by_hand() -> None:
    entries = described(two_annotators())
    assert list(entries) == ["ana", "bo"]
    assert set(entries["ana"]) >= FIELDS
    assert entries["ana"]["mean"] == 25
    assert entries["ana"]["deviation"] == pytest.approx((500 / 3) ** 0.5)
    assert entries["bo"]["judgments"] == 4
    assert entries["bo"]["seconds_median"] == 20
    assert entries["bo"]["included"]
    assert entries["bo"]["control_p"] is None
    assert entries["bo"]["repeat_difference"] is None


def test_a_shared_output_counts_once_for_its_annotator() -> None:
    rows = two_annotators().add("ana", "y", "s9", 30).add("ana", "x", "s9", 30)
    judgments = [*range(8), 100, 100]
    entry = annotators(Evidence((rows.table(judgments=judgments),), CROWD))[0]
    assert entry["judgments"] == 5
    assert entry["mean"] == 26


def test_mean_and_deviation_are_those_z_is_made_of() -> None:
    rows = two_annotators().add("ana", "x", "s0", 0, document="d0", kind="degraded")
    assert described(rows)["ana"]["mean"] == 20
    assert described(rows, replace(CROWD, normalisation="regular"))["ana"]["mean"] == 25
    assert described(rows, replace(CROWD, normalisation="regular"))["ana"]["judgments"] == 5


def test_damaged_items_are_compared_with_their_own_originals() -> None:
    """Originals 60 65 70 66, damaged 20 30 25 40: the example of the control test."""
    rows = one_annotator([60, 65, 70, 66, 10, 99])
    for place, value in enumerate((20, 30, 25, 40)):
        rows.add("ana", f"x{place % 2}", f"s{place}", value, kind="degraded")
    entry = described(rows)["ana"]
    assert entry["control_n"] == 4
    assert entry["control_p"] == pytest.approx(0.0014, abs=5e-5)
    assert "controls_failed" not in entry["flags"]


def test_a_control_pairs_within_its_assignment_first() -> None:
    rows = Rows()
    for place in range(3):
        rows.add("ana", "x", f"s{place}", 10 + place, assignment="first")
        rows.add("ana", "x", f"s{place}", 60 + 3 * place, assignment="second")
        rows.add("ana", "x", f"s{place}", 50 + place, assignment="second", kind="repeat")
    rows.add("ana", "x", "s0", 30, assignment="third", kind="repeat")
    entry = described(rows)["ana"]
    assert entry["repeat_n"] == 4
    # 10, 12 and 14 within the second assignment; the last has its original in the first
    assert entry["repeat_difference"] == pytest.approx((10 + 12 + 14 + 20) / 4)


def test_a_control_without_original_pairs_with_nothing() -> None:
    rows = one_annotator([60, 65, 70]).add("ana", "x0", "elsewhere", 5, kind="degraded")
    rows.add("bo", "x0", "elsewhere", 80)
    assert described(rows)["ana"]["control_n"] == 0


def test_the_control_of_a_shared_output_finds_its_original_among_all_credits() -> None:
    rows = Rows().add("ana", "a", "s0", 70).add("ana", "b", "s0", 70).add("ana", "b", "s0", 20, kind="degraded")
    table = rows.table(judgments=[0, 0, 1])
    assert annotators(Evidence((table,), CROWD))[0]["control_n"] == 1


def test_excluded_annotators_are_described_and_not_included() -> None:
    entries = described(two_annotators(), excluded=frozenset({"ana"}))
    assert (entries["ana"]["included"], entries["bo"]["included"]) == (False, True)
    assert "excluded" in entries["ana"]["flags"]


def test_surplus_and_practice_do_not_count() -> None:
    rows = two_annotators().add("ana", "x", "s0", 100, surplus=True).add("ana", "x", "s0", 100, kind="practice")
    assert described(rows)["ana"]["mean"] == 25


def test_an_ordinary_annotator_raises_no_flag() -> None:
    assert flags_of(one_annotator([50, 60, 70, 40, 30, 55, 65, 75, 45, 35])) == []


@pytest.mark.parametrize(
    ("flag", "values", "more"),
    [
        ("few_judgments", [50, 60, 70], {}),
        ("no_z", [50] * 10, {}),
        ("same_score_run", [10, 20] + [50] * 9, {}),
        ("fast", [50, 60, 70] * 4, {"seconds": 1.0}),
    ],
)
def test_a_flag_for_what_should_be_looked_at(flag: str, values: list[float], more: dict[str, Any]) -> None:
    assert flag in flags_of(one_annotator(values, **more))


def test_eight_equal_scores_in_a_row_are_not_yet_a_run() -> None:
    assert "same_score_run" not in flags_of(one_annotator([10, 20] + [50] * 8))


def test_a_run_is_raised_only_where_the_others_have_none_nearly_so_long() -> None:
    """Where most outputs are good, a scale of five points gives everybody runs."""
    rows = Rows()
    for annotator, longest in (("ana", 10), ("bo", 9), ("cy", 30)):
        for place, value in enumerate([1, 3, *[5] * longest, 2]):
            rows.add(annotator, f"x{place % 2}", f"s{place // 2}", value)
    flags = {name: entry["flags"] for name, entry in described(rows).items()}
    assert [name for name in flags if "same_score_run" in flags[name]] == ["cy"]


def test_who_is_much_faster_than_the_others_is_hasty() -> None:
    rows = Rows()
    for annotator, seconds in (("ana", 40.0), ("bo", 36.0), ("cy", 11.0), ("di", 15.0)):
        for place in range(10):
            rows.add(annotator, "x", f"s{place}", 50 + place, seconds=seconds)
    rows.add("ed", "x", "s0", 50, seconds=1.0)
    flags = {name: entry["flags"] for name, entry in described(rows).items()}
    assert [name for name in flags if "hasty" in flags[name]] == ["cy"]


def test_who_scores_damaged_items_exactly_like_their_originals_has_failed() -> None:
    """Equal differences have no p; that is not too few items."""
    values = [50, 60, 70, 40, 30, 55, 65, 75, 45, 35]
    rows = one_annotator(values)
    for place, value in enumerate(values[:6]):
        rows.add("ana", f"x{place % 2}", f"s{place}", value, kind="degraded")
    entry = described(rows)["ana"]
    assert entry["control_state"] == "failed"
    assert "controls_failed" in entry["flags"]
    assert "controls_insufficient" not in entry["flags"]


def test_flags_from_control_items() -> None:
    rows = one_annotator([50, 60, 70, 40, 30, 55, 65, 75, 45, 35])
    for place in range(3):
        rows.add("ana", f"x{place % 2}", f"s{place}", 80 + 5 * place, kind="degraded")
        rows.add("ana", f"x{place % 2}", f"s{place}", 40, kind="reference")
    assert {"controls_failed", "degraded_not_lower", "above_reference", "low_reference"} <= set(flags_of(rows))


def test_too_few_controls_are_insufficient_and_not_failed() -> None:
    rows = one_annotator([50, 60, 70]).add("ana", "x0", "s0", 10, kind="degraded")
    flags = flags_of(rows)
    assert "controls_insufficient" in flags
    assert "controls_failed" not in flags


def test_nobody_has_judged_yet() -> None:
    assert annotators(Evidence((), CROWD)) == []
    assert annotators(Evidence((Rows({name: [] for name in two_annotators().columns}).table(),), CROWD)) == []


def three_and(values: list[float]) -> Rows:
    """Three who agree on many outputs, and one who gives the answers of the test."""
    rows, rng = Rows(), np.random.default_rng(5)
    for place in range(max(20, len(values))):
        for annotator in SAME:
            rows.add(annotator, "x", f"s{place:02}", float(30 + place + rng.integers(0, 8)))
        rows.add("dot", "x", f"s{place:02}", values[place % len(values)])
    return rows


def test_who_answers_at_random_is_apart_and_the_rest_is_not() -> None:
    noise = np.random.default_rng(11).permutation(60).astype(float).tolist()
    entries = beside_others(three_and(noise))
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
    entries = beside_others(rows)
    assert entries["ana"]["others_pearson"] == pytest.approx(-1)
    assert all("low_agreement" in entry["flags"] for entry in entries.values()), "of two nobody knows which"


def test_one_answer_for_nearly_all_is_uniform() -> None:
    entries = beside_others(three_and([50.0, 50.0, 50.0, 50.0, 49.0]))
    assert entries["dot"]["uniform_share"] == 0.8
    assert "uniform" in entries["dot"]["flags"]
    assert "uniform" not in entries["ana"]["flags"]


def test_where_everybody_gives_one_answer_nobody_is_conspicuous() -> None:
    rows = Rows()
    for place in range(12):
        for annotator in SAME:
            rows.add(annotator, "x", f"s{place:02}", 0.0 if place else 5.0)
    assert all("uniform" not in entry["flags"] for entry in beside_others(rows).values())


def test_who_is_left_out_is_compared_with_those_who_count() -> None:
    entries = beside_others(three_and([0.0, 100.0]), excluded=frozenset({"dot"}))
    without = beside_others(three_and([40.0]), excluded=frozenset({"dot"}))
    assert entries["ana"]["others_pearson"] == without["ana"]["others_pearson"]
    assert entries["dot"]["others_n"] == 20


def test_alone_nobody_has_others() -> None:
    rows = Rows().add("ana", "x", "s0", 3).add("ana", "x", "s1", 4)
    entry = beside_others(rows)["ana"]
    assert (entry["others_n"], entry["others_pearson"], entry["others_difference"]) == (0, None, None)
    assert entry["reasons"]["others_pearson"] == entry["reasons"]["others_interval"] == "no_overlap"


def test_who_always_gives_one_score_has_neither_correlation_nor_interval() -> None:
    """Not because there was too little: `too_few` would ask for more of the same."""
    (result,) = (
        one
        for one in analyse_evidence(Evidence((three_and([50.0]).table(),), ASSAY), ["annotators"])["annotators"]
        if one["annotator"] == "dot"
    )
    assert result["others_n"] == 20
    assert result["reasons"]["others_pearson"] == result["reasons"]["others_interval"] == "constant"


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
