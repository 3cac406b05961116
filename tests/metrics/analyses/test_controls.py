"""Control items on several scales, on ranks, and side by side with genuine translations."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from metrics.analyses.controls import control_tests, pairs_of
from metrics.analyses.evidence import Evidence
from metrics.analyses.system_values import system_values
from metrics.matrices import ScoreTable
from metrics.queries import BESIDE_DAMAGE
from metrics.recipes import RECIPES
from tests.metrics.analyses.sample_tables import Rows
from tests.metrics.score_tables import score_table


def scale(name: str, genuine: list[float], damaged: list[float], *, low: float, high: float) -> ScoreTable:
    rows = Rows()
    for place, (before, after) in enumerate(zip(genuine, damaged, strict=True)):
        rows.add("ana", "x", f"s{place}", before)
        rows.add("ana", "x", f"s{place}", after, kind="degraded")
    columns: dict[str, Any] = rows.columns
    return score_table(name, low=low, high=high, **columns)


def test_of_several_scales_one_damaged_text_is_one_pair_of_their_means() -> None:
    adequacy = scale("adequacy", [5, 4, 5], [1, 2, 3], low=1, high=5)
    fluency = scale("fluency", [6, 6, 6], [6, 3, 6], low=0, high=6)
    [test] = control_tests([adequacy, fluency], "paired-t").values()
    assert test.n == 3
    # adequacy falls by 4/4, 2/4, 2/4 of its extent, fluency by 0, 3/6, 0
    assert test.difference == pytest.approx(-((1 + 0) + (0.5 + 0.5) + (0.5 + 0)) / 2 / 3)


def test_a_count_is_tested_by_itself_and_only_where_there_is_no_scale() -> None:
    keys = scale("keystrokes", [-3, -5], [-20, -30], low=0, high=float("inf"))
    score = scale("score", [80, 70], [60, 40], low=0, high=100)
    assert control_tests([keys], "paired-t")["ana"].difference == -21
    assert control_tests([keys, score], "paired-t")["ana"].difference == -25


def ranked(screens: list[tuple[str, str, dict[str, int], str]]) -> ScoreTable:
    """Screens of (segment, kind, rank by system, the damaged system), each a judgment."""
    rows = Rows()
    columns: dict[str, Any] = {"judgments": []}
    for number, (segment, kind, ranks, damaged) in enumerate(screens):
        for system, rank in ranks.items():
            rows.add("ana", system, segment, rank, kind=BESIDE_DAMAGE if damaged and system != damaged else kind)
            columns["judgments"].append(number)
    table = score_table("rank", higher_is_better=False, **rows.columns | columns)
    return replace(table, is_relative=True, is_own=np.ones(len(table), dtype=np.bool_))


def test_the_place_of_a_damaged_translation_is_compared_among_the_same_others() -> None:
    """Third of three; with the others tied, second of two places, and still last."""
    table = ranked(
        [
            ("s0", "regular", {"x": 2, "y": 1, "z": 3}, ""),
            ("s0", "degraded", {"x": 2, "y": 1, "z": 1}, "x"),
        ]
    )
    pairs = pairs_of(table, "degraded")
    assert (pairs.controls.tolist(), pairs.originals.tolist()) == ([0], [0.5])


def test_the_same_preferences_again_are_consistent() -> None:
    table = ranked(
        [
            ("s0", "regular", {"x": 1, "y": 2}, ""),
            ("s0", "repeat", {"x": 1, "y": 2}, ""),
            ("s1", "regular", {"x": 1, "y": 2}, ""),
            ("s1", "repeat", {"x": 2, "y": 1}, ""),
        ]
    )
    pairs = pairs_of(table, "repeat")
    assert np.abs(pairs.controls - pairs.originals).tolist() == [0, 0, 1, 1]


def test_genuine_translations_beside_a_damaged_one_count_nowhere() -> None:
    rows = Rows().add("ana", "x", "s0", 60).add("ana", "y", "s0", 40)
    rows.add("ana", "x", "s0", 10, kind="degraded").add("ana", "y", "s0", 90, kind=BESIDE_DAMAGE)
    table = rows.table()
    for recipe in RECIPES.values():
        values = system_values(Evidence((table,), recipe), table)
        assert values.raw_means[values.names.index("y")] == 40
    evidence = Evidence((table,), RECIPES["assay"])
    assert evidence.normalised(table).means.tolist() == pytest.approx([(60 + 40 + 10) / 3])
