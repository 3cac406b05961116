"""Influence of outputs side by side on invented judgments with planted effects."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from metrics.analyses.evidence import Evidence
from metrics.analyses.screens import screens, screens_table
from metrics.recipes import recipe_for
from metrics.results.codec import from_json, to_json
from metrics.screen_places import ScreenPlace
from tests.metrics.score_tables import score_table

SYSTEMS = {"a": 70.0, "b": 64.0, "c": 60.0, "d": 50.0}
RECIPE = recipe_for("direct_assessment", None, {"normalisation": "none"})


def evidence(n_screens: int = 60, *, place: float = 0.0, dominance: float = 0.0, alike: float = 0.0) -> Evidence:
    """Each screen is a document with three systems of four in random order, and four segments."""
    rng, rows, places = np.random.default_rng(8), [], {}
    texts, judgment = {}, 0
    for screen in range(n_screens):
        shown = rng.permutation(list(SYSTEMS))[:3]
        annotator = f"annotator{screen % 5}"
        for segment in range(4):
            key = 4 * screen + segment
            is_alike = bool(rng.integers(2))
            judgment += 1
            for at, system in enumerate(shown, 1):
                others = np.mean([SYSTEMS[each] for each in shown if each != system]) - 61
                value = SYSTEMS[system] + 3 * (screen % 5) + place * (at == 1) + dominance * others
                if is_alike:
                    value -= alike * (SYSTEMS[system] - 61)
                value += rng.normal(0, 6)
                rows.append((value, annotator, system, f"s{key:04}", f"d{screen:03}", judgment))
                places[judgment, str(system)] = ScreenPlace(3, at)
                texts[key, str(system)] = "the same words here" if is_alike else f"{system * 9} {key} other {at}"
    values, annotators, systems, segments, documents, judgments = zip(*rows, strict=True)
    table = score_table("score", values=values, annotators=annotators, systems=systems, segments=segments,
                        documents=documents, judgments=judgments, low=0, high=100)  # fmt: skip
    keys = np.zeros(4 * n_screens, dtype=np.int64)
    keys[table.segment] = [int(one[1:]) for one in segments]
    screens_of = np.unique(table.document, return_inverse=True)[1]
    table = replace(table, screen=screens_of, segment_ids=tuple(keys.tolist()))
    known = {(int(table.judgment[row]), system): places[judgments[row], system] for row, system in enumerate(systems)}
    return Evidence((table,), RECIPE, places=known, texts=texts)


def test_a_planted_effect_of_the_first_place_is_found_and_corrected() -> None:
    result = screens(evidence(place=6.0))
    first, *others = result.position
    assert isinstance(first.interval, tuple)
    assert first.interval[0] < 4.0 < first.interval[1], "6 less the mean over places"
    assert isinstance(result.position_p, float)
    assert result.position_p < 0.01
    assert [one.place for one in others] == [2, 3]
    assert [one.system for one in result.corrected] == ["a", "b", "c", "d"]
    assert from_json(type(result), to_json(result)) == result
    rows = screens_table(result).rows
    assert [row[0] for row in rows[:5]] == ["place", "place", "place", "dominance", "similarity"]


def test_without_an_effect_nothing_is_corrected() -> None:
    result = screens(evidence())
    assert isinstance(result.position_p, float)
    assert result.position_p > 0.01
    assert result.corrected == ()
    assert "not corrected" in screens_table(result).notes[0]


def test_a_planted_dominance_of_strong_neighbours_is_found() -> None:
    slope = to_json(screens(evidence(120, dominance=-0.5)).dominance)
    low, high = slope["interval"]
    assert low < -0.5 / (1 + 0.5 / 3) < high < 0, "fitted means lie further apart: weak systems had strong neighbours"
    assert slope["p"] < 0.01
    assert to_json(screens(evidence(120)).dominance)["p"] > 0.01


def test_a_planted_similarity_is_found() -> None:
    slope = to_json(screens(evidence(alike=1.0)).similarity)
    assert slope["slope"] < 0, "the more alike, the closer the scores"
    assert slope["interval"][1] < 0


@pytest.mark.parametrize(
    ("made", "reason"), [(lambda: evidence(19), "few_screens"), (lambda: Evidence((), RECIPE), "no_places"),
                         (lambda: replace(evidence(), places=None), "no_places")],
)  # fmt: skip
def test_without_enough_screens_there_is_a_reason(made: Any, reason: str) -> None:
    result = to_json(screens(made()))
    assert (result["position"], result["position_p"]) == ([], None)
    assert result["reasons"]["position_p"] == result["dominance"]["reasons"]["slope"] == reason
    assert screens_table(screens(made())).rows == ()


def test_where_all_screens_have_the_same_systems_neighbours_tell_nothing() -> None:
    full = evidence(30)
    [table] = full.tables
    kept = np.isin(table.system, [0, 1])
    both = np.bincount(table.screen[kept], minlength=30)[table.screen] == 8
    result = screens(replace(full, tables=(table.where(kept & both),)))
    if result.screens >= 20:
        assert to_json(result.dominance)["reasons"]["slope"] == "no_variation"
    else:
        assert to_json(result)["reasons"]["position_p"] == "few_screens"
