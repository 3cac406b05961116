from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from metrics.analyses.deciding import decided
from metrics.analyses.evidence import Evidence
from metrics.analyses.mixed import Mixed, mixed
from metrics.analyses.ranking import ranking
from metrics.findings.ranking import notes_on_ranking
from metrics.matrices import ScoreTable
from metrics.recipes import RECIPES, Recipe, recipe_for
from metrics.results.codec import from_json, to_json
from tests.metrics.analyses.as_json import analyse_evidence
from tests.metrics.analyses.sample_tables import Rows, simulated
from tests.metrics.score_tables import score_table

INCOMPLETE = RECIPES["incomplete"]


def mixed_of(table: ScoreTable, **options: Any) -> dict[str, Any]:
    recipe = replace(INCOMPLETE, **options)
    result: dict[str, Any] = analyse_evidence(Evidence((table,), recipe), ["mixed"])["mixed"]
    return result


def tied(*, shared: bool = True, seed: int = 3) -> ScoreTable:
    """Two equal systems; ana judges mostly x, bo, who gives 15 more, mostly y. Segments are shared or not."""
    rng = np.random.default_rng(seed)
    rows = Rows()
    for document in range(30):
        for segment in range(3):
            for system in "xy":
                place = segment if shared else 2 * segment + "xy".index(system)
                own, other = ("ana", "bo") if system == "x" else ("bo", "ana")
                annotator = own if rng.random() < 0.85 else other
                score = 60 + 15 * (annotator == "bo") + rng.normal(0, 8)
                rows.add(annotator, system, f"s{place}", float(np.clip(score, 0, 100)), document=f"d{document:02}")
    return rows.table()


def test_equal_systems_with_annotators_of_their_own_do_not_differ() -> None:
    """By means of scores they do: each has the severity of its annotator."""
    table = tied()
    plain = analyse_evidence(Evidence((table,), recipe_for("esa")), ["ranking"])["ranking"]
    assert plain["systems"][0]["wins"] == 1
    (measure,) = mixed_of(table)["measures"]
    assert [one["cluster"] for one in measure["systems"]] == [1, 1]
    assert abs(measure["tests"][0]["difference"]) < 5
    effects = {one["annotator"]: one["effect"] for one in measure["annotators"]}
    assert effects["bo"] - effects["ana"] == pytest.approx(15, abs=4)


def test_the_json_has_the_fields_of_the_specification() -> None:
    (measure,) = mixed_of(tied())["measures"]
    assert measure["formula"] == (
        "score ~ 0 + system + (1|annotator) + (1|document) + (1|segment) + (1|document:system)"
    )
    assert measure["levels"] == {"annotator": 2, "document": 30, "segment": 90, "document:system": 60}
    assert set(measure["variances"]) == {*measure["levels"], "residual"}
    assert sum(measure["shares"].values()) == pytest.approx(1)
    (test,) = measure["tests"]
    assert test["df"] == 29
    assert test["interval"] == pytest.approx(
        [test["difference"] - 2.045 * test["se"], test["difference"] + 2.045 * test["se"]], rel=1e-3
    )
    assert measure["components"] == [[one["system"] for one in measure["systems"]]]
    assert measure["reason"] is None
    assert from_json(Mixed, mixed_of(tied())) == mixed(Evidence((tied(),), INCOMPLETE))


def test_measures_where_lower_is_better_are_in_natural_units() -> None:
    table = tied()
    higher = mixed_of(table)["measures"][0]
    penalty = replace(table, measure="penalty", values=-table.values, higher_is_better=False)
    lower = mixed_of(penalty)["measures"][0]
    assert [one["system"] for one in lower["systems"]] == [one["system"] for one in higher["systems"]][::-1]
    assert {one["system"]: one["mean"] for one in lower["systems"]} == pytest.approx(
        {one["system"]: one["mean"] for one in higher["systems"]}
    )
    assert {one["annotator"]: one["effect"] for one in lower["annotators"]} == pytest.approx(
        {one["annotator"]: one["effect"] for one in higher["annotators"]}
    )
    assert lower["tests"][0]["difference"] <= 0  # the better of two is first


def test_systems_without_a_common_annotator_are_not_compared() -> None:
    rows = Rows()
    rng = np.random.default_rng(1)
    for place in range(12):
        for annotator, systems in (("ana", "xy"), ("bo", "zw")):
            for system in systems:
                rows.add(annotator, system, f"s{place}", float(rng.integers(20, 90)), document=f"d{place}")
    (measure,) = mixed_of(rows.table())["measures"]
    assert sorted(map(sorted, measure["components"])) == [["w", "z"], ["x", "y"]]
    assert measure["notes"] == ["not_connected"]
    across = [test for test in measure["tests"] if {test["first"], test["second"]} in ({"x", "z"}, {"y", "w"})]
    assert [test["p"] for test in across] == [None, None]
    assert across[0]["reasons"]["difference"] == "not_connected"
    result = analyse_evidence(Evidence((rows.table(),), INCOMPLETE), ["ranking"])["ranking"]
    assert result["notes"] == ["not_connected"]
    assert sorted(map(sorted, result["components"])) == [["w", "z"], ["x", "y"]]


@pytest.mark.parametrize("protocol", ["esa", "direct_assessment"])
def test_beside_means_stands_which_systems_no_annotator_connects(protocol: str) -> None:
    rows = Rows()
    rng = np.random.default_rng(1)
    for place in range(12):
        for annotator, systems in (("ana", "xy"), ("bo", "zw")):
            for system in systems:
                score = 40 + 20 * "wyxz".index(system) + float(rng.normal(0, 3))
                rows.add(annotator, system, f"s{place}", min(score, 100.0), document=f"d{place}")
    result = ranking(Evidence((rows.table(),), recipe_for(protocol)))
    assert result.notes == ("annotators_apart",)
    order = [system.system for system in result.systems]
    assert result.components is not None
    assert sorted(name for group in result.components for name in group) == sorted(order)
    assert all(sorted(group, key=order.index) == list(group) for group in result.components)
    (note,) = notes_on_ranking(result)
    assert note == (
        "No chain of annotators connects these groups of systems, so that their means may differ only because some "
        f"annotators are more severe: {'; '.join(', '.join(group) for group in result.components)}."
    )
    assert {frozenset(group) for group in result.components} == {frozenset("xy"), frozenset("zw")}
    rows.add("ana", "z", "s1", 50.0, document="d1")
    connected = ranking(Evidence((rows.table(),), recipe_for(protocol)))
    assert (connected.notes, connected.components) == ((), None)


def test_an_annotator_of_one_system_is_named() -> None:
    table = tied()
    annotators = [*table.annotators, "cleo"]
    annotator = table.annotator.copy()
    annotator[np.flatnonzero(table.system == 0)[:5]] = 2
    (measure,) = mixed_of(replace(table, annotators=tuple(annotators), annotator=annotator))["measures"]
    assert measure["confounded"] == ["cleo"]
    assert measure["notes"] == ["confounded"]


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (Rows().add("ana", "x", "s", 50).add("ana", "y", "s", 50).add("bo", "x", "s", 50).table(), "no_variation"),
        (Rows().add("ana", "x", "s", 50).add("ana", "y", "s", 60).table(), "too_few_scores"),
    ],
)
def test_without_a_model_there_is_a_reason_and_no_number(table: ScoreTable, reason: str) -> None:
    (measure,) = mixed_of(table)["measures"]
    assert measure["reason"] == reason
    assert [one["mean"] for one in measure["systems"]] == [None, None]
    assert measure["log_likelihood"] is None
    result = analyse_evidence(Evidence((table,), INCOMPLETE), ["ranking"])["ranking"]
    assert [one["mean"] for one in result["systems"]] == [None, None]


def test_one_annotator_one_system_and_preferences_have_what_they_can() -> None:
    (measure,) = mixed_of(simulated({"x": 60.0, "y": 70.0}, n_annotators=1).table())["measures"]
    assert measure["dropped"] == ["annotator"]
    assert measure["annotators"] == []
    assert measure["reasons"]["annotators"] == "term_dropped"
    (alone,) = mixed_of(simulated({"x": 60.0}).table())["measures"]
    assert alone["tests"] == []
    assert mixed_of(replace(tied(), is_relative=True))["measures"] == []


def test_terms_can_be_chosen() -> None:
    (measure,) = mixed_of(tied(), terms=("annotator", "segment"))["measures"]
    assert measure["formula"] == "score ~ 0 + system + (1|annotator) + (1|segment)"


def test_the_recipe_ranks_by_the_model() -> None:
    table = simulated({"x": 50.0, "y": 70.0, "z": 71.0}, n_documents=20).table()
    both = analyse_evidence(Evidence((table,), INCOMPLETE), ["ranking", "mixed"])
    (measure,) = both["mixed"]["measures"]
    for ranked, modelled in zip(both["ranking"]["systems"], measure["systems"], strict=True):
        assert {name: ranked[name] for name in ("system", "mean", "interval", "rank", "cluster")} == {
            name: modelled[name] for name in ("system", "mean", "interval", "rank", "cluster")
        }
    for tested, pair in zip(both["ranking"]["tests"], measure["tests"], strict=True):
        assert tested["difference_interval"] == pair["interval"]
        assert {name: tested[name] for name in ("first", "second", "p", "p_corrected", "difference", "is_win")} == {
            name: pair[name] for name in ("first", "second", "p", "p_corrected", "difference", "is_win")
        }
    assert both["ranking"]["ordered_by"] == {"score": "model"}


# --- which recipe decides ---------------------------------------------------------------------------------------------
def test_without_shared_segments_the_model_decides_and_the_own_recipe_is_beside_it() -> None:
    table = tied(shared=False)
    evidence = decided(Evidence((table,), recipe_for("esa")), is_chosen=False)
    assert evidence.recipe.name == "incomplete"
    result = ranking(evidence)
    assert result.decided_by is not None
    assert result.decided_by[0] == "no_shared_segments"
    assert result.own_recipe == "assay"
    assert result.own is not None
    assert result.own.notes == ("no_shared_segments",)
    assert not isinstance(result.tests[0].p, str)
    assert to_json(result)["decided_by"][0] == "no_shared_segments"


@pytest.mark.parametrize("name", ["esa", "mqm", "direct_assessment"])
def test_a_chosen_recipe_stays_and_so_does_the_own_one_where_segments_are_shared(name: str) -> None:
    recipe = recipe_for(name)
    assert decided(Evidence((tied(shared=False),), recipe), is_chosen=True).recipe == recipe
    complete = simulated({"x": 60.0, "y": 70.0}).table()
    assert decided(Evidence((complete,), recipe), is_chosen=False).recipe == recipe


def test_beside_numbers_that_reproduce_others_is_what_decides() -> None:
    own = recipe_for("esa")
    evidence = Evidence((tied(shared=False),), RECIPES["wmt25"], own_recipe=own)
    beside = decided(evidence, is_chosen=True).own_recipe
    assert isinstance(beside, Recipe)
    assert beside.name == "incomplete"


def test_nothing_to_read_has_no_model() -> None:
    empty = score_table("score", values=[], annotators=[], systems=[], segments=[], low=0, high=100)
    assert mixed_of(empty)["measures"] == []
    assert decided(Evidence((empty,), recipe_for("esa")), is_chosen=False).recipe.name == "assay"
