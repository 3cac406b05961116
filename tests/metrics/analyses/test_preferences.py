"""Rankings: systems by expected wins with six models, and agreement on preferences; WMT16 from its raw files."""

import json
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from metrics.analyses.evidence import Evidence
from metrics.analyses.ranking import ranking as of_evidence
from metrics.analyses.ranking_tables import models_table
from metrics.matrices import ScoreTable
from metrics.recipes import recipe_for
from metrics.statistics.strengths import davidson, rao_kupper
from tests.metrics.analyses.as_json import agreement, ranking
from tests.metrics.real_campaigns import expected_of
from tests.metrics.real_ratings import RANKING, ranked_screens, system_of
from tests.metrics.score_tables import score_table

RECIPE = replace(recipe_for("ranking"), interval_resamples=200, resamples=200)


def screens(*ranked: dict[str, int], judges: str = "ab") -> ScoreTable:
    """Each segment ranked by each judge: system to rank."""
    rows = [
        (judge, system, f"s{segment:03}", rank, f"{judge}{segment}")
        for segment, ranks in enumerate(ranked)
        for judge in judges
        for system, rank in ranks.items()
    ]
    annotators, systems, segments, values, judgments = zip(*rows, strict=True)
    return relative(annotators, systems, segments, values, judgments)


def relative(annotators: Any, systems: Any, segments: Any, values: Any, judgments: Any) -> ScoreTable:
    table = score_table(
        "rank",
        values=values,
        annotators=annotators,
        systems=systems,
        segments=segments,
        judgments=judgments,
        higher_is_better=False,
        low=1,
    )
    return replace(table, is_relative=True, is_own=np.ones(len(table), dtype=np.bool_))


@cache
def published() -> ScoreTable:
    """One row a system on a screen; an output of several systems is owned by the first of them. There are no texts."""
    rows = ranked_screens()
    table = relative(
        [row.judge for row in rows],
        [system_of(row.system) for row in rows],
        [row.segment for row in rows],
        [row.rank for row in rows],
        [row.screen for row in rows],
    )
    is_own = np.array([row.is_own for row in rows])
    return replace(table, is_own=is_own, is_text_known=np.zeros(len(rows), dtype=np.bool_))


@pytest.mark.real_data
def test_models_of_a_published_campaign() -> None:
    expected = expected_of(RANKING)["expanded"]
    result = ranking(Evidence((published(),), RECIPE))
    models = result["models"]
    assert models["expected_wins"] == pytest.approx(expected["expected_wins"], abs=1e-6)
    assert models["bradley_terry"] == pytest.approx(expected["bradley_terry"], abs=1e-5)
    for name in ("davidson", "rao_kupper"):
        assert models[name] == pytest.approx(expected[name]["log_strength"], abs=1e-4)
    orders = expected_of("statistics2")["plackett_luce"]
    of_orders = {system_of(name): value for name, value in orders["log_strength_centred"].items()}
    assert models["plackett_luce"] == pytest.approx(of_orders, abs=1e-6)
    fit = result["fits"]["plackett_luce"]
    assert (fit["screens"], fit["screens"] + fit["tied"]) == (orders["screens_strict"], orders["screens_all"])
    organisers = expected_of(RANKING)["published_trueskill"]
    clusters = organisers.pop("clusters")
    assert models["trueskill"] == pytest.approx({name: one[0] for name, one in organisers.items()}, abs=0.1)
    by_name = {entry["system"]: entry for entry in result["systems"]}
    for name, (_, first, last) in organisers.items():
        assert np.abs(np.array(by_name[name]["rank"]) - [first, last]).max() <= 1
        assert by_name[name]["mean"] == pytest.approx(expected["expected_wins"][name], abs=1e-6)
    assert [entry["cluster"] for entry in result["systems"]] == [
        place + 1 for place, (first, last) in enumerate(clusters) for _ in range(first, last + 1)
    ]


@pytest.mark.real_data
@pytest.mark.parametrize("mode", ["inter", "intra"])
def test_agreement_of_a_published_campaign(mode: str) -> None:
    expected = expected_of(RANKING)["agreement_unordered"][mode]
    result = agreement(Evidence((published(),), RECIPE))["preference"][mode]
    names = {"agreed": "agreed", "comparable": "comparable", "ties": "ties", "total": "judgments"}
    assert {name: result[name] for name in names} == {name: expected[theirs] for name, theirs in names.items()}
    for name in ("observed", "expected", "kappa"):
        assert result[name] == pytest.approx(expected[name], abs=2e-6)


def test_systems_that_wrote_the_same_were_not_compared_with_each_other() -> None:
    """Three screens of x, y and z each; on the last x and y are one text, which is beaten by z."""
    ranks = [{"x": 1, "y": 2, "z": 3}, {"x": 2, "y": 1, "z": 2}, {"x": 2, "y": 2, "z": 1}]
    table = screens(*ranks, judges="a")
    is_own = np.ones(9, dtype=np.bool_)
    is_own[7] = False
    shared = replace(table, is_own=is_own)
    result, apart = (ranking(Evidence((one,), RECIPE)) for one in (shared, table))
    assert (result["fits"]["pairs"], result["fits"]["ties"]) == (8, 1)
    assert (apart["fits"]["pairs"], apart["fits"]["ties"]) == (9, 2)
    wins = np.array([[0, 1, 1], [1, 0, 2], [1, 1, 0]])
    ties = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]])
    assert result["fits"]["davidson"]["tie"] == pytest.approx(davidson(wins, ties).tie)
    assert result["fits"]["rao_kupper"]["tie"] == pytest.approx(rao_kupper(wins, ties).tie)
    assert result["models"]["expected_wins"] == apart["models"]["expected_wins"]
    beside = {frozenset((test["first"], test["second"])): test["shared"] for test in result["tests"]}
    assert beside == {frozenset("xy"): 2, frozenset("xz"): 3, frozenset("yz"): 3}
    unknown = replace(shared, is_text_known=np.zeros(9, dtype=np.bool_))
    assert ranking(Evidence((unknown,), RECIPE))["fits"]["ties"] == 2, "a file without texts says what it compared"


def test_the_page_says_how_many_whole_orders_remain_and_older_results_have_none() -> None:
    """Three screens, one with a tie: two orders, in which x and y each win once."""
    result = of_evidence(Evidence((screens({"x": 1, "y": 2}, {"x": 2, "y": 1}, {"x": 1, "y": 1}, judges="a"),), RECIPE))
    table = models_table(result)
    assert table is not None
    assert table.values("plackett_luce") == [0, 0]
    assert any("2 of 3 screens remain" in str(note) for note in table.notes)
    assert result.models is not None
    assert result.fits is not None
    models, fits = replace(result.models, plackett_luce=None), replace(result.fits, plackett_luce=None)
    older = models_table(replace(result, models=models, fits=fits))
    assert older is not None
    assert "plackett_luce" not in older.page
    assert not any("Plackett" in str(note) for note in older.notes)


def test_the_best_comes_first_and_nothing_is_averaged_over_screens() -> None:
    """x beats y everywhere, but is on screens of five where it is often third."""
    crowded = {"x": 3, "y": 5, "p": 1, "q": 2, "r": 4}
    table = screens(*[crowded] * 8, *[{"x": 1, "y": 2}] * 8)
    result = ranking(Evidence((table,), RECIPE))
    assert result["ordered_by"] == {"rank": "expected_wins"}
    assert [entry["system"] for entry in result["systems"]] == ["p", "q", "x", "r", "y"]
    assert result["systems"][0]["mean"] == 1
    assert result["systems"][0]["interval"] == [1, 1]
    assert result["models"]["expected_wins"]["x"] == pytest.approx(0.5)
    assert json.loads(json.dumps(result, allow_nan=False)) == result


@pytest.mark.parametrize(
    "table",
    [
        screens({"x": 1}),
        screens({"x": 1, "y": 1}, judges="a"),
        screens({"x": 1, "y": 2}, judges="a"),
        screens({"x": 1, "y": 2}, {"p": 1, "q": 2}),
    ],
)
def test_too_little_is_no_crash(table: ScoreTable) -> None:
    evidence = Evidence((table,), RECIPE)
    for result in (ranking(evidence), agreement(evidence)):
        assert json.loads(json.dumps(result, allow_nan=False)) == result


def test_without_judgments_there_are_no_models() -> None:
    table = screens({"x": 1, "y": 2})
    result = ranking(Evidence((table.where(np.zeros(len(table), dtype=np.bool_)),), RECIPE))
    assert "models" not in result
