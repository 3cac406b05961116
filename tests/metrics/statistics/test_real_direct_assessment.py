"""Two published campaigns, from their raw files to the organisers' numbers, by the recipe of their pipeline."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from metrics.analyses.evidence import Evidence
from metrics.matrices import ScoreTable
from metrics.recipes import RECIPES, Recipe, recipe_for
from metrics.statistics.normalisation import z_scores
from tests.metrics.analyses.as_json import analyse_evidence
from tests.metrics.real_campaigns import crowd_table, expected_of, wikipedia_table

pytestmark = pytest.mark.real_data
BOTH = ("ranking", "annotators")
WIKIPEDIA, CROWD = ("bn-hi", "xh-zu"), ("lv-en", "cs-en")
EXACT = ("judgments", "segments", "wins", "losses", "rank", "cluster")


@cache
def table_of(pair: str) -> ScoreTable:
    return wikipedia_table(pair) if pair in WIKIPEDIA else crowd_table(pair)


@cache
def numbers_of(pair: str, recipe: Recipe) -> dict[str, Any]:
    return analyse_evidence(Evidence((table_of(pair),), recipe), BOTH)


def expected_for(pair: str) -> tuple[dict[str, Any], Recipe]:
    case = expected_of("da-wmt21-wikipedia" if pair in WIKIPEDIA else "da-wmt22-crowd")
    return case["pairs"][pair], recipe_for("direct_assessment", None, case["options"])


@pytest.mark.parametrize("pair", WIKIPEDIA + CROWD)
def test_the_options_of_the_case_are_the_crowds_recipe(pair: str) -> None:
    assert expected_for(pair)[1] == RECIPES["wmt-crowd"]


@pytest.mark.parametrize("pair", WIKIPEDIA + CROWD)
def test_systems_have_their_published_means_wins_ranks_and_clusters(pair: str) -> None:
    """Ranks are those of `rank_ranges_from_wins`, clusters those of `clusters_from_wins`."""
    expected, recipe = expected_for(pair)
    systems = numbers_of(pair, recipe)["ranking"]["systems"]
    assert [entry["system"] for entry in systems] == [entry["system"] for entry in expected["systems"]]
    for entry, published in zip(systems, expected["systems"], strict=True):
        assert {name: entry[name] for name in EXACT} == {name: published[name] for name in EXACT}
        assert entry["mean"] == pytest.approx(published["mean"], abs=1e-6)
        assert entry["z_mean"] == pytest.approx(published["z_mean"], abs=1e-6)


@pytest.mark.parametrize(("pair", "tolerance"), [(pair, 1e-9) for pair in WIKIPEDIA] + [(pair, 2e-2) for pair in CROWD])
def test_pairs_have_their_published_p(pair: str, tolerance: float) -> None:
    expected, recipe = expected_for(pair)
    entries = {(test["first"], test["second"]): test["p"] for test in numbers_of(pair, recipe)["ranking"]["tests"]}
    published = expected.get("tests") or expected["tests_examples"]
    assert published
    for test in published:
        assert entries[test["first"], test["second"]] == pytest.approx(test["p"], rel=tolerance)


@pytest.mark.parametrize("pair", WIKIPEDIA + CROWD)
def test_annotators_have_their_published_mean_and_deviation(pair: str) -> None:
    expected, recipe = expected_for(pair)
    entries = {entry["annotator"]: entry for entry in numbers_of(pair, recipe)["annotators"]}
    published = expected["annotators"] if pair in WIKIPEDIA else expected["annotator_examples"]
    assert len(entries) == (len(published) if pair in WIKIPEDIA else expected["annotators"])
    for entry in published:
        assert entries[entry["annotator"]]["judgments"] == entry["judgments"]
        assert entries[entry["annotator"]]["mean"] == pytest.approx(entry["mean"], abs=1e-6)
        assert entries[entry["annotator"]]["deviation"] == pytest.approx(entry["deviation"], abs=1e-6)


@pytest.mark.parametrize("pair", WIKIPEDIA + CROWD)
def test_every_judgment_is_there(pair: str) -> None:
    expected, recipe = expected_for(pair)
    assert Evidence((table_of(pair),), recipe).judgments == expected.get("judgments", expected.get("rows"))


@pytest.mark.parametrize("pair", CROWD)
def test_control_items_decide_as_published(pair: str) -> None:
    expected, recipe = expected_for(pair)
    entries = {entry["annotator"]: entry for entry in numbers_of(pair, recipe)["annotators"]}
    assert expected["control_p"]
    for published in expected["control_p"]:
        entry = entries[published["annotator"]]
        assert entry["control_n"] == published["pairs"]
        assert entry["control_p"] == pytest.approx(published["control_p"], rel=1e-5)
        assert entry["control_p"] == pytest.approx(published["published"], rel=1e-5)
        assert "controls_failed" not in entry["flags"]


@pytest.mark.parametrize("pair", CROWD)
def test_without_control_items_the_published_z_would_be_missed(pair: str) -> None:
    """Mean and deviation are over all rows: over the regular ones alone another ranking comes out."""
    table = table_of(pair)
    everything = z_scores(table.values, table.annotator)
    regular = z_scores(table.values, table.annotator, reference=table.of_kinds(["regular"]))
    assert np.abs(everything.means - regular.means).max() > 1


@pytest.mark.parametrize("pair", CROWD)
def test_by_the_appraise_recipe_only_regular_rows_count(pair: str) -> None:
    recipe = RECIPES["wmt-appraise"]
    expected, _ = expected_for(pair)
    entries = {entry["system"]: entry for entry in numbers_of(pair, recipe)["ranking"]["systems"]}
    table = table_of(pair)
    regular = table.where(table.of_kinds(["regular"]))
    for published in expected["systems"]:
        code = table.systems.index(published["system"])
        of_system = regular.where(regular.system == code)
        by_segment = [of_system.values[of_system.unit == unit].mean() for unit in np.unique(of_system.unit)]
        assert entries[published["system"]]["mean"] == pytest.approx(np.mean(by_segment))
        assert entries[published["system"]]["judgments"] == published["judgments"]


@pytest.mark.parametrize("pair", CROWD)
def test_the_default_recipe_tells_the_best_from_the_worst(pair: str) -> None:
    recipe = RECIPES["assay"]
    result = numbers_of(pair, recipe)["ranking"]
    assert result["ordered_by"] == {"score": "z"}
    assert result["too_early"] is None
    assert result["systems"][0]["cluster"] == 1
    assert result["systems"][-1]["cluster"] == 2
