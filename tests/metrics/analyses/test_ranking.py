"""The analysis `ranking` on score tables: by hand, against scipy, and its notes when no difference can be detected."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy import stats

from metrics.analyses.evidence import Evidence
from metrics.analyses.pair_tests import documents_needed
from metrics.recipes import RECIPES, Recipe
from tests.metrics.analyses.as_json import ranking
from tests.metrics.analyses.sample_tables import Rows, simulated, two_annotators

QUALITIES = {"best": 12.0, "good": 9.0, "alike": 9.0, "poor": -14.0}
ASSAY, CROWD = RECIPES["assay"], RECIPES["wmt-crowd"]
ENTRY = {
    "system", "measure", "judgments", "segments", "mean", "interval",
    "z_mean", "z_interval", "rank", "cluster", "wins", "losses", "histogram", "histogram_range",
}  # fmt: skip
OF_PAIR = "first second measure p p_corrected share shared is_win difference difference_interval difference_by"
PAIR = {*OF_PAIR.split()}


def rank(rows: Rows, recipe: Recipe = CROWD, **more: Any) -> dict[str, Any]:
    return ranking(Evidence((rows.table(),), recipe, **more))


def by_name(result: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {entry["system"]: entry for entry in result["systems"]}


def test_means_and_z_means_by_hand() -> None:
    result = by_name(rank(two_annotators()))
    assert result["x"]["mean"] == 60  # segments (30 + 80) / 2 and (40 + 90) / 2
    assert result["y"]["mean"] == 40
    assert result["x"]["z_mean"] == pytest.approx(10 / (500 / 3) ** 0.5)
    assert result["y"]["z_mean"] == pytest.approx(-10 / (500 / 3) ** 0.5)
    assert (result["x"]["segments"], result["x"]["judgments"]) == (2, 4)


def test_the_promised_fields_and_no_others() -> None:
    result = rank(simulated(QUALITIES))
    assert all(set(entry) == ENTRY for entry in result["systems"])
    assert all(set(test) == PAIR for test in result["tests"])
    assert len(result["tests"]) == 6
    assert [test["first"] for test in result["tests"][:3]] == [result["systems"][0]["system"]] * 3


def test_rank_sum_p_are_those_of_scipy_on_segment_z_means() -> None:
    rows = simulated(QUALITIES)
    columns = rows.columns
    values, people = np.array(columns["values"]), np.array(columns["annotators"])
    z = np.empty_like(values)
    for person in set(people):
        z[people == person] = stats.zscore(values[people == person], ddof=1)
    of_segments = {
        system: [
            z[(np.array(columns["systems"]) == system) & (np.array(columns["segments"]) == segment)].mean()
            for segment in sorted(set(columns["segments"]))
            if ((np.array(columns["systems"]) == system) & (np.array(columns["segments"]) == segment)).any()
        ]
        for system in QUALITIES
    }
    result = rank(rows)
    for system, entry in by_name(result).items():
        assert entry["z_mean"] == pytest.approx(np.mean(of_segments[system]))
    for test in result["tests"]:
        expected = stats.mannwhitneyu(
            np.round(of_segments[test["first"]], 9),
            np.round(of_segments[test["second"]], 9),
            alternative="greater",
            method="asymptotic",
        )
        assert test["p"] == pytest.approx(expected.pvalue)


@pytest.mark.parametrize("recipe", [ASSAY, CROWD, RECIPES["wmt-appraise"]], ids=lambda recipe: recipe.name)
def test_a_clearly_worse_system_has_a_cluster_of_its_own(recipe: Recipe) -> None:
    result = rank(simulated(QUALITIES), recipe)
    poor = result["systems"][-1]
    assert (poor["system"], poor["rank"], poor["losses"]) == ("poor", [4, 4], 3)
    assert poor["cluster"] == result["systems"][-2]["cluster"] + 1
    assert by_name(result)["good"]["cluster"] == by_name(result)["alike"]["cluster"]


def test_wins_need_the_corrected_p() -> None:
    rows = simulated({"best": 12, "good": 8, "alike": 7, "poor": -14}, n_documents=6, seed=11)
    plain, holm = rank(rows), rank(rows, replace(CROWD, correction="holm"))
    assert [test["p"] for test in plain["tests"]] == [test["p"] for test in holm["tests"]]
    assert [test["p"] for test in plain["tests"]] == [test["p_corrected"] for test in plain["tests"]]
    for test in holm["tests"]:
        assert test["p_corrected"] >= test["p"]
    assert any(test["p"] < 0.05 <= test["p_corrected"] for test in holm["tests"])
    wins = sum(test["p_corrected"] < 0.05 for test in holm["tests"])
    assert sum(entry["wins"] for entry in holm["systems"]) == wins


def test_a_win_needs_the_tested_difference_to_point_the_same_way() -> None:
    """x is a little worse wherever both were judged, and better overall by segments only x was judged on."""
    rows = Rows()
    for place in range(20):
        rows.add("ana", "x", f"s{place}", 50 + place % 3, document=f"d{place}")
        rows.add("ana", "y", f"s{place}", 55 + place % 4, document=f"d{place}")
        rows.add("ana", "x", f"only{place}", 99, document=f"d{place}")
    result = rank(rows, ASSAY)
    assert result["tests"][0]["first"] == "x"
    assert result["tests"][0]["p"] < 0.001
    assert [entry["wins"] for entry in result["systems"]] == [0, 0]


def test_equal_means_are_no_win_however_the_ranks_lie() -> None:
    rows = Rows()
    for place in range(21):
        rows.add("ana", "a", f"s{place}", 51 if place else 30, document=f"d{place}")
        rows.add("ana", "b", f"s{place}", 50, document=f"d{place}")
    result = rank(rows, replace(CROWD, normalisation="none"))
    assert [entry["mean"] for entry in result["systems"]] == [50, 50]
    assert result["tests"][0]["p"] < 0.001
    assert [entry["wins"] for entry in result["systems"]] == [0, 0]


def test_z_undoes_who_happened_to_judge_whom() -> None:
    """Lenient ana judged mostly y, strict bo mostly x; both like x better."""
    rows = Rows()
    for place in range(12):
        ana, bo = ("y", "x") if place < 10 else ("x", "y")
        rows.add("ana", ana, f"s{place}", 90 if ana == "x" else 80, document=f"d{place}")
        rows.add("bo", bo, f"s{place}", 30 if bo == "x" else 20, document=f"d{place}")
    result = rank(rows)
    assert [entry["system"] for entry in result["systems"]] == ["x", "y"]
    assert by_name(result)["x"]["mean"] < by_name(result)["y"]["mean"]


def test_the_appraise_recipe_compares_shared_segments_only() -> None:
    rows = Rows()
    for place in range(20):
        rows.add("ana", "x", f"s{place}", 50 + place % 5, document=f"d{place}")
        rows.add("ana", "y", f"s{place}", 50 + (place + 1) % 5, document=f"d{place}")
        rows.add("ana", "x", f"only{place}", 90 + place % 5, document=f"d{place}")
    assert rank(rows, CROWD)["tests"][0]["p"] < 0.05
    assert rank(rows, RECIPES["wmt-appraise"])["tests"][0]["p"] > 0.4


def test_the_document_is_the_unit_of_tests_and_intervals() -> None:
    """Eighty clear segments in two documents are two throws of a coin."""
    rows = Rows()
    for place in range(80):
        rows.add("ana", "x", f"s{place}", 70 + place % 7 + place // 40, document=f"d{place // 40}")
        rows.add("ana", "y", f"s{place}", 40 + place % 5, document=f"d{place // 40}")
    result = rank(rows, ASSAY)
    assert result["tests"][0]["p"] == 0.5
    low, high = by_name(result)["x"]["interval"]
    per_document = [np.mean([70 + place % 7 + half for place in range(40 * half, 40 * half + 40)]) for half in (0, 1)]
    assert [low, high] == pytest.approx(per_document), "with two documents the ends are their means"


def test_the_bootstrap_counts_draws_of_documents_in_which_the_better_system_is_not_ahead() -> None:
    """The reference draws on its own: 24 documents of two segments, the better system ahead by half a deviation."""
    rng, rows = np.random.default_rng(8), Rows()
    differences = rng.normal(0.5, 1, size=24)
    for place, difference in enumerate(differences):
        for segment in (0, 1):
            rows.add("ana", "x", f"s{place}-{segment}", 50 + difference, document=f"d{place}")
            rows.add("ana", "y", f"s{place}-{segment}", 50, document=f"d{place}")
    recipe = replace(RECIPES["assay"], test="bootstrap", normalisation="none", resamples=4_000)
    result = rank(rows, recipe)
    drawn = differences[rng.integers(0, 24, size=(4_000, 24))].mean(axis=1)
    (test,) = result["tests"]
    assert (test["first"], test["p"]) == ("x", pytest.approx(np.mean(drawn <= 0), abs=0.01))
    assert test["p"] == rank(rows, recipe)["tests"][0]["p"]
    assert "test:bootstrap,one-sided,documents,4000,shared-segments" in recipe.signature(protocol="likert")


def test_values_that_differ_by_rounding_alone_tie() -> None:
    rows = Rows()
    for place in range(4):
        for annotator, x, y in (("ana", 0.1, 0.15), ("bo", 0.2, 0.15)):
            rows.add(annotator, "x", f"s{place}", x, document=f"d{place}")
            rows.add(annotator, "y", f"s{place}", y, document=f"d{place}")
    for test in ("rank-sum", "signed-rank"):
        result = rank(rows, replace(CROWD, normalisation="none", test=test))
        assert result["tests"][0]["p"] is None, "nothing differs, so nothing can be ranked"


def test_names_of_annotators_and_the_order_of_rows_change_nothing() -> None:
    rows = simulated(QUALITIES)
    shuffled = Rows()
    order = np.random.default_rng(5).permutation(len(rows.columns["values"]))
    shuffled.columns = {name: [column[place] for place in order] for name, column in rows.columns.items()}
    renamed = {"annotator0": "zoe", "annotator1": "ana", "annotator2": "mia", "annotator3": "bo"}
    shuffled.columns["annotators"] = [renamed[name] for name in shuffled.columns["annotators"]]
    before, after = rank(rows, ASSAY), rank(shuffled, ASSAY)
    for one, other in zip(before["systems"], after["systems"], strict=True):
        for name in ENTRY - {"system", "measure"}:
            assert one[name] == pytest.approx(other[name])
        assert one["system"] == other["system"]
    assert [test["p"] for test in before["tests"]] == [test["p"] for test in after["tests"]]


def test_an_annotators_own_scale_vanishes_in_z() -> None:
    rows = simulated(QUALITIES)
    moved = simulated(QUALITIES)
    moved.columns["values"] = [
        value / 2 + 50 if name == "annotator1" else value
        for value, name in zip(moved.columns["values"], moved.columns["annotators"], strict=True)
    ]
    for one, other in zip(rank(rows)["systems"], rank(moved)["systems"], strict=True):
        assert one["system"] == other["system"]
        assert one["z_mean"] == pytest.approx(other["z_mean"])


def test_few_judgments_an_annotator_order_by_the_mean() -> None:
    assert rank(two_annotators(), ASSAY)["ordered_by"] == {"score": "mean"}
    assert rank(two_annotators(), CROWD)["ordered_by"] == {"score": "z"}
    assert rank(simulated(QUALITIES), ASSAY)["ordered_by"] == {"score": "z"}


def test_one_newcomer_does_not_turn_the_order_back_to_means() -> None:
    rows = simulated(QUALITIES).add("newcomer", "best", "0.0", 80, document="document0")
    rows.add("newcomer", "poor", "0.0", 30, document="document0")
    assert rank(rows, ASSAY)["ordered_by"] == {"score": "z"}


def test_without_normalisation_there_is_no_z() -> None:
    result = rank(simulated(QUALITIES), replace(ASSAY, normalisation="none"))
    assert all(entry["z_mean"] is None and entry["z_interval"] is None for entry in result["systems"])
    assert result["ordered_by"] == {"score": "mean"}
    means = [entry["mean"] for entry in result["systems"]]
    assert means == sorted(means, reverse=True)


def test_lower_is_better_comes_first_and_shows_in_its_own_unit() -> None:
    rows = simulated(QUALITIES)
    turned = ranking(Evidence((rows.table(higher_is_better=False),), replace(ASSAY, normalisation="none")))
    assert turned["systems"][0]["system"] == "poor"
    plain = by_name(rank(rows, replace(ASSAY, normalisation="none")))
    for entry in turned["systems"]:
        assert entry["mean"] == pytest.approx(plain[entry["system"]]["mean"])
        assert entry["interval"] == pytest.approx(plain[entry["system"]]["interval"])
        assert entry["interval"][0] < entry["mean"] < entry["interval"][1]


def test_intervals_hold_their_means() -> None:
    for entry in rank(simulated(QUALITIES), ASSAY)["systems"]:
        assert entry["interval"][0] < entry["mean"] < entry["interval"][1]
        assert entry["z_interval"][0] < entry["z_mean"] < entry["z_interval"][1]


def test_a_systems_interval_does_not_hang_on_the_others() -> None:
    rows = simulated(QUALITIES)
    recipe = replace(ASSAY, normalisation="none")
    alone = Rows({name: [cell for cell, system in zip(column, rows.columns["systems"], strict=True) if system == "good"]
                  for name, column in rows.columns.items()})  # fmt: skip
    assert rank(alone, recipe)["systems"][0]["interval"] == by_name(rank(rows, recipe))["good"]["interval"]


def test_the_seed_decides_and_is_all_that_decides() -> None:
    rows = simulated(QUALITIES)
    assert rank(rows, ASSAY) == rank(rows, ASSAY)
    assert rank(rows, ASSAY)["systems"] != rank(rows, replace(ASSAY, seed=7))["systems"]


def test_domains_count_alike_where_the_mean_is_over_domains() -> None:
    rows = Rows()
    for place in range(6):
        rows.add("ana", "x", f"n{place}", 80 + place, document=f"n{place}", domain="news")
    for place in range(2):
        rows.add("ana", "x", f"t{place}", 20 + place, document=f"t{place}", domain="talk")
    result = by_name(rank(rows, replace(ASSAY, average="domain", normalisation="none")))
    assert result["x"]["mean"] == pytest.approx((82.5 + 20.5) / 2)
    assert by_name(rank(rows, ASSAY))["x"]["mean"] == pytest.approx((82.5 * 6 + 20.5 * 2) / 8)


def test_opposite_domains_cancel_unless_combined_as_wmt24_did() -> None:
    rows = Rows()
    for place in range(40):
        domain, better = ("news", 10) if place % 2 else ("talk", -9)
        rows.add("ana", "x", f"s{place}", 50 + better + place % 7, document=f"d{place}", domain=domain)
        rows.add("ana", "y", f"s{place}", 50 + place % 5, document=f"d{place}", domain=domain)
    as_they_did = rank(rows, RECIPES["wmt24"])
    done_right = rank(rows, replace(RECIPES["wmt24"], combination="signed"))
    assert as_they_did["tests"][0]["p"] < 0.001
    assert done_right["tests"][0]["p"] > 0.5
    assert (as_they_did["systems"][0]["wins"], done_right["systems"][0]["wins"]) == (1, 0)


def test_a_paired_test_cannot_separate_systems_without_shared_segments() -> None:
    rows = Rows()
    for place in range(12):
        rows.add("ana", "x", f"x{place}", 80 + place, document=f"dx{place}")
        rows.add("ana", "y", f"y{place}", 10 + place, document=f"dy{place}")
    assay, crowd = rank(rows, ASSAY), rank(rows, CROWD)
    assert assay["tests"][0]["p"] is None
    assert assay["notes"] == ["no_shared_segments"]
    assert [entry["rank"] for entry in assay["systems"]] == [[1, 2], [1, 2]]
    assert crowd["systems"][0]["wins"] == 1
    assert crowd["notes"] == []


def test_too_few_documents_are_noted() -> None:
    few = rank(simulated(QUALITIES, n_documents=3), ASSAY)
    assert few["notes"] == ["few_documents"]
    assert few["documents_needed"] == documents_needed(len(few["tests"]), ASSAY)
    assert few["documents_judged"] == 3
    assert "detectable" not in few
    assert rank(simulated(QUALITIES), ASSAY)["notes"] == []


@pytest.mark.parametrize(("systems", "needed"), [(2, 6), (3, 7), (5, 9)])
def test_that_many_documents_are_needed_beside_so_many_pairs(systems: int, needed: int) -> None:
    """All as far apart as can be: significant from there on, and never before."""
    for count, can_show in ((needed - 1, False), (needed, True)):
        rows = Rows()
        for document in range(count):
            for at in range(systems):
                rows.add("ana", f"s{at}", f"seg{document}", 100 - 20 * at, document=f"d{document}")
        made = rank(rows, ASSAY)
        assert any(test["is_win"] for test in made["tests"]) == can_show
        assert ("few_documents" in made["notes"]) != can_show


def test_document_scores_stay_apart() -> None:
    segments = simulated(QUALITIES)
    documents = Rows()
    for place in range(12):
        for system, value in (("best", 90), ("poor", 20)):
            documents.add(f"annotator{place % 4}", system, None, value + place, document=f"document{place}")
    tables = (segments.table(), documents.table("document_score"))
    result = ranking(Evidence(tables, ASSAY))
    assert {entry["measure"] for entry in result["systems"]} == {"score"}
    apart = result["documents"]["systems"]
    assert [(entry["system"], entry["measure"], entry["segments"]) for entry in apart] == [
        ("best", "document_score", 12),
        ("poor", "document_score", 12),
    ]
    assert apart[0]["mean"] == pytest.approx(95.5)
    assert result["systems"] == ranking(Evidence((segments.table(),), ASSAY))["systems"]


def test_systems_of_equal_value_stand_by_name() -> None:
    rows = Rows()
    for place in range(3):
        for system in ("beta", "alpha"):
            rows.add("ana", system, f"s{place}", 50 + place, document=f"d{place}")
    assert [entry["system"] for entry in rank(rows)["systems"]] == ["alpha", "beta"]


def test_no_judgments_are_an_empty_ranking_that_is_too_early() -> None:
    result = rank(Rows({name: [] for name in two_annotators().columns}))
    assert result["systems"] == result["tests"] == []
    assert result["too_early"] == {"reason": "too_few_systems", "judgments": 0, "needed": 20}


def test_head_to_head_counts_shared_segments_and_halves_ties() -> None:
    rows = Rows()
    for place, (x, y) in enumerate(((60, 50), (60, 60), (70, 80), (90, 20), (95, None))):
        rows.add("ana", "x", f"s{place}", x, document=f"d{place}")
        if y is not None:
            rows.add("ana", "y", f"s{place}", y, document=f"d{place}")
    test = rank(rows)["tests"][0]
    assert (test["first"], test["shared"], test["share"]) == ("x", 4, 2.5 / 4)


def test_the_histogram_counts_segments_by_twentieths_of_the_scale() -> None:
    rows = Rows()
    for place, value in enumerate((0, 4, 5, 97, 100)):
        rows.add("ana", "x", f"s{place}", value, document=f"d{place}")
    histogram = rank(rows)["systems"][0]["histogram"]
    assert histogram == [2, 1] + [0] * 17 + [2]
    turned = ranking(Evidence((rows.table(higher_is_better=False),), CROWD))["systems"][0]["histogram"]
    assert turned == histogram


def test_a_scale_without_an_end_is_drawn_up_to_a_round_number_for_all_systems() -> None:
    table = replace(two_annotators().table(), high=np.inf)
    systems = ranking(Evidence((table,), CROWD))["systems"]
    assert {tuple(entry["histogram_range"]) for entry in systems} == {(0.0, 100.0)}
    assert all(sum(entry["histogram"]) == entry["segments"] for entry in systems)


def test_a_scale_without_a_beginning_has_no_histogram() -> None:
    entry = ranking(Evidence((replace(two_annotators().table(), low=-np.inf),), CROWD))["systems"][0]
    assert entry["histogram"] is entry["histogram_range"] is None


def test_a_win_is_shown_where_one_is_counted() -> None:
    result = rank(simulated(QUALITIES))
    for entry in result["systems"]:
        wins = sum(test["is_win"] for test in result["tests"] if test["first"] == entry["system"])
        assert wins == entry["wins"]


def test_systems_stand_in_the_order_of_what_orders_them() -> None:
    for recipe in (ASSAY, CROWD):
        z_means = [entry["z_mean"] for entry in rank(simulated(QUALITIES), recipe)["systems"]]
        assert all(above >= below for above, below in pairwise(z_means))
