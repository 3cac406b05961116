"""The analysis `agreement` on score tables: published campaigns, every kind of scale, and what does not exist."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from metrics.analyses.evidence import Evidence
from metrics.error_table import ErrorTable
from metrics.matrices import ScoreTable
from metrics.recipes import RECIPES, recipe_for
from tests.metrics.analyses.as_json import agreement, analyse_evidence
from tests.metrics.analyses.sample_tables import Rows, simulated, two_annotators
from tests.metrics.real_campaigns import expected_of
from tests.metrics.real_ratings import CALIBRATION, SIDE_BY_SIDE, calibration, marked_errors
from tests.metrics.score_tables import score_table
from tests.metrics.statistics.one_case import krippendorff_alpha

QUICK = replace(RECIPES["assay"], interval_resamples=100)
LIKERT = replace(recipe_for("likert"), interval_resamples=100)
CLOSE = 2e-6


def agreed(*tables: ScoreTable, recipe: Any = QUICK, **more: Any) -> dict[str, Any]:
    result = agreement(Evidence(tables, recipe, **more))
    assert json.loads(json.dumps(result, allow_nan=False)) == result
    return result


def calibration_table(pair: str) -> ScoreTable:
    ratings = calibration(pair, newest=True)
    rows, columns = np.nonzero(~np.isnan(ratings.matrix))
    return score_table(
        "score",
        values=ratings.matrix[rows, columns],
        annotators=[ratings.annotators[row] for row in rows],
        systems=["s"] * rows.size,
        segments=[f"{column:03}" for column in columns],
        low=0,
        high=100,
    )


@pytest.mark.real_data
@pytest.mark.parametrize("pair", ["eng-ces", "eng-deu"])
def test_a_published_campaign(pair: str) -> None:
    case = expected_of(CALIBRATION)
    expected = case["pairs"][pair]["newest_by_time"]
    recipe = replace(recipe_for("direct_assessment", None, case["options"]), interval_resamples=100)
    result = agreed(calibration_table(pair), recipe=recipe)["measures"][0]
    assert result["ratings"] == case["pairs"][pair]["ratings"]
    for level, value in expected["alpha"].items():
        assert result["alpha"][level] == pytest.approx(value, abs=CLOSE)
        low, high = result["alpha_interval"][level]
        assert low < value < high
    assert result["fleiss"] == pytest.approx(expected["seven_bins"]["fleiss_complete_items"], abs=CLOSE)
    assert len(result["pairs"]) == case["pairs"][pair]["annotator_pairs"]
    for name in ("pearson", "kendall_b", "kappa", "kappa_linear", "kappa_quadratic"):
        values = [one[name] for one in result["pairs"] if one[name] is not None]
        wanted = expected["mean_over_pairs"].get(name, expected["mean_over_pairs"].get(f"{name}_seven_bins"))
        assert np.mean(values) == pytest.approx(wanted, abs=CLOSE)


def test_one_value_counts_of_an_annotator_and_item_and_repeats_serve_intra() -> None:
    rows = Rows()
    for value, kind in ((10, "regular"), (90, "regular"), (70, "repeat")):
        rows.add("ana", "x", "s0", value, kind=kind)
    rows.add("bo", "x", "s0", 90).add("ana", "x", "s1", 30).add("bo", "x", "s1", 30)
    result = agreed(rows.table())["measures"][0]
    assert (result["ratings"], result["items"], result["annotators"]) == (4, 2, 2)
    assert result["alpha"]["interval"] == 1, "the later of ana's two regular judgments is meant"
    assert [(one["annotator"], one["n"]) for one in result["intra"]] == [("ana", 1)]


@pytest.mark.parametrize("normalisation", ["all", "regular"])
def test_alpha_of_z_is_of_the_z_that_the_recipe_makes(normalisation: str) -> None:
    """Bo scores damaged texts far lower than ana does: with them, other means and deviations are taken out."""
    rows = Rows()
    for segment, (ana, bo) in enumerate([(40, 70), (50, 62), (60, 90), (30, 55), (80, 81)]):
        rows.add("ana", "x", f"s{segment}", ana).add("bo", "x", f"s{segment}", bo)
    rows.add("ana", "x", "s0", 35, kind="degraded").add("bo", "x", "s0", 2, kind="degraded")
    rows.add("ana", "x", "s1", 48, kind="repeat").add("bo", "x", "s2", 88, kind="repeat")
    table = rows.table()
    recipe = replace(QUICK, normalisation=normalisation)
    evidence = Evidence((table,), recipe)
    z = {
        (name, segment): evidence.normalised(table).values[row]
        for row, (name, segment, kind) in enumerate(
            zip(rows.columns["annotators"], rows.columns["segments"], rows.columns["kinds"], strict=True)
        )
        if kind == "regular"
    }
    by_hand = krippendorff_alpha(
        np.array([[z[name, f"s{segment}"] for segment in range(5)] for name in ("ana", "bo")]), level="interval"
    )
    assert agreement(evidence)["measures"][0]["alpha"]["interval_z"] == pytest.approx(by_hand.value, abs=1e-12)


def test_z_of_segments_is_not_made_of_scores_of_documents() -> None:
    rows = two_annotators()
    alone = rows.table()
    wanted = Evidence((alone,), QUICK).normalised(alone).values
    for annotator, score in (("ana", 99), ("bo", 1)):
        rows.add(annotator, "x", None, score, document="d0")
    table = rows.table()
    assert Evidence((table,), QUICK).z_values(table)[:-2].tolist() == wanted.tolist()


def test_points_of_a_short_scale_are_categories() -> None:
    rows = Rows()
    for segment in range(12):
        for annotator, shift in (("ana", 0), ("bo", segment % 2)):
            rows.add(annotator, "x", f"s{segment:02}", 1 + (segment % 3) + shift)
    table = replace(rows.table("adequacy"), low=1.0, high=5.0)
    result = agreed(table, recipe=LIKERT)["measures"][0]
    assert {level: result["reasons"].get(level) for level in result["alpha"]} == {
        **dict.fromkeys(("nominal", "ordinal", "interval", "ratio")),
        "interval_z": "not_normalised",
    }
    assert result["pairs"][0]["n"] == 12
    assert result["pairs"][0]["kappa"] == pytest.approx(0.3, abs=0.2)
    assert result["fleiss"] is not None


def test_a_penalty_has_no_categories_and_its_ratio_is_of_penalties() -> None:
    rows = Rows()
    for segment in range(6):
        for annotator in ("ana", "bo"):
            rows.add(annotator, "x", f"s{segment}", segment if annotator == "ana" else segment + segment % 2)
    table = replace(rows.table("penalty"), low=0.0, high=np.inf, higher_is_better=False)
    table = replace(table, values=-table.values + 0.0)
    result = agreed(table)["measures"][0]
    assert result["fleiss"] is None
    assert result["alpha"]["ratio"] is not None


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (Rows().add("ana", "x", "s0", 5).add("ana", "x", "s1", 7).add("ana", "y", "s0", 7), "no_overlap"),
        (Rows().add("ana", "x", "s0", 5).add("bo", "x", "s1", 7), "no_overlap"),
        (Rows().add("ana", "x", "s0", 5).add("bo", "x", "s0", 5).add("bo", "x", "s1", 5), "no_variation"),
    ],
)
def test_what_does_not_exist_is_null_for_a_reason(rows: Rows, reason: str) -> None:
    result = agreed(rows.table())["measures"][0]
    assert result["alpha"]["interval"] is None
    assert result["alpha_interval"]["interval"] is None
    assert result["reasons"]["interval"] == reason
    assert result["pairs"] == []


def test_without_judgments_there_is_nothing() -> None:
    reasons = {"measures": "no_judgments", "spans": "no_spans_asked", "preference": "no_comparisons"}
    assert agreed() == {"measures": [], "spans": None, "preference": None, "reasons": reasons}


def test_repeats_are_alpha_with_oneself() -> None:
    rows = Rows()
    for place, (value, again) in enumerate(((10, 12), (50, 48), (90, 90))):
        rows.add("ana", "x", f"s{place}", value).add("ana", "x", f"s{place}", again, kind="repeat")
    rows.add("bo", "x", "s0", 10)
    result = agreed(rows.table())["measures"][0]["repeats"]
    assert result["n"] == 3
    # 1 - D_o / D_e of the six numbers, by hand: D_o = (4 + 4 + 0) / 3 / 2 * 2 / 2, D_e = 2 * their variance
    numbers = np.array([10, 12, 50, 48, 90, 90])
    assert result["alpha"] == pytest.approx(1 - (8 / 3) / (2 * numbers.var(ddof=1)))
    assert agreed(simulated({"x": 1.0}).table())["measures"][0]["repeats"] is None


def test_all_stand_beside_those_who_count() -> None:
    rows = simulated({"best": 12.0, "poor": -14.0}).table()
    everybody = agreed(rows)["measures"][0]
    assert everybody["everybody"] is None
    beside = agreed(rows, excluded=frozenset({"annotator0"}))["measures"][0]["everybody"]
    assert beside["annotators"] == 4
    assert beside["alpha"] == pytest.approx(everybody["alpha"]["interval"])
    assert beside["interval"] == everybody["alpha_interval"]["interval"]


def test_the_reason_why_all_have_no_alpha_is_beside_those_who_count() -> None:
    rows = Rows()
    for annotator in ("ana", "bo", "cai"):
        rows.add(annotator, "x", "s0", 50).add(annotator, "x", "s1", 50)
    evidence = Evidence((rows.table(),), QUICK, excluded=frozenset({"cai"}))
    everybody = analyse_evidence(evidence, ["agreement"])["agreement"]["measures"][0]["everybody"]
    assert everybody["reasons"] == {"alpha": "no_variation", "interval": "no_variation"}


def test_pairs_with_little_in_common_are_named_without_a_number() -> None:
    rows = Rows().add("ana", "x", "s0", 5).add("bo", "x", "s0", 7).add("cai", "x", "s9", 7)
    result = agreed(rows.table())["measures"][0]
    assert result["pairs"] == []
    assert result["few_shared"] == [{"annotators": ["ana", "bo"], "n": 1}]


def test_the_order_of_rows_changes_nothing() -> None:
    table = simulated({"best": 12.0, "poor": -14.0}).table()
    before, after = agreed(table), agreed(table.where(np.random.default_rng(1).permutation(len(table))))
    assert after["measures"][0]["alpha"] == pytest.approx(before["measures"][0]["alpha"], abs=1e-12)


def test_excluded_annotators_do_not_count() -> None:
    rows = simulated({"best": 12.0, "poor": -14.0}).table()
    result = agreed(rows, excluded=frozenset({"annotator0"}))["measures"][0]
    assert result["annotators"] == 3


@pytest.mark.real_data
def test_marks_of_three_raters() -> None:
    """Every row of a rater and segment is a judgment; errors lie in the rows of penalties."""
    expected = expected_of(SIDE_BY_SIDE)["spans"]
    errors = marked_errors()
    judged = sorted({(error.item, error.rater) for error in errors})
    places = {key: place for place, key in enumerate(judged)}
    table = score_table(
        "penalty",
        values=[0.0] * len(judged),
        annotators=[rater for _, rater in judged],
        systems=[item[0] for item, _ in judged],
        segments=["/".join(item[1:]) for item, _ in judged],
        higher_is_better=False,
    )
    spans = [error for error in errors if error.span is not None]
    severities = sorted({error.severity for error in spans})
    marked = ErrorTable(
        row=np.array([places[error.item, error.rater] for error in spans]),
        label=np.array([severities.index(error.severity) for error in spans]),
        start=np.array([error.span[0] for error in spans if error.span]),
        end=np.array([error.span[1] for error in spans if error.span]),
        is_target=np.ones(len(spans), dtype=np.bool_),
        categories=("",) * len(severities),
        severities=tuple(severities),
    )
    result = agreed(table, recipe=replace(RECIPES["mqm"], interval_resamples=100), marked=marked)["spans"]
    for name in ("f1_micro", "f1_macro", "iou_micro", "iou_macro"):
        assert result[name] == pytest.approx(expected[name], abs=1e-6)
    assert result["f1_macro_severity"] == pytest.approx(expected["f1_macro_half_credit_for_severity"], abs=1e-6)
    assert result["comparisons"] == 3120
    matched, golden = result["mpp"], expected_of("statistics2")["mpp"]
    for name in ("precision", "recall", "f", "predicted", "gold", "credit_precision", "credit_recall"):
        assert matched[name] == pytest.approx(golden[name], rel=1e-8), name
    assert (matched["signature"], matched["comparisons"]) == ("mpp,variant-assay", 3120)
    quick = replace(RECIPES["mqm"], interval_resamples=100)
    gamma = analyse_evidence(Evidence((table,), quick, marked=marked), ["gamma"])["gamma"]
    assert gamma["items"] == 300
    assert 300 < gamma["marked"] < 1040
    low, high = gamma["interval"]
    assert 0 < low < gamma["gamma"] < high < 1
    assert gamma["gamma"] == pytest.approx(1 - gamma["observed"] / gamma["expected"])
    assert sum(one["predicted"] for one in matched["severities"].values()) == golden["predicted"]
    assert matched["categories"] == {}, "this table has none"
    errors_of_all = golden["predicted"] + golden["gold"]
    assert sum(one["predicted"] for one in matched["annotators"]) == errors_of_all, "each is the prediction once"
    credit = sum(one["credit_precision"] for one in matched["annotators"])
    assert credit == pytest.approx(golden["credit_precision"] + golden["credit_recall"], rel=1e-8)
