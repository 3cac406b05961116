"""WMT's recipes of 2025 and 2026 on real campaigns, against the numbers that came with these."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from metrics.action_times import Actions
from metrics.analyses.evidence import Evidence
from metrics.recipes import recipe_for
from tests.metrics.analyses.as_json import analyse_evidence, ranking
from tests.metrics.contrastive_campaign import CASE, contrastive_evidence
from tests.metrics.real_campaigns import expected_of, real_case
from tests.metrics.score_tables import score_table

pytestmark = pytest.mark.real_data
FILTERED, EVERYBODY = "wmt26", "wmt26_nobody_dropped"
OPTIONS: dict[str, dict[str, Any]] = {FILTERED: {}, EVERYBODY: {"lowest_fit": 0}}
TOLERANCE = 0.5  # of a bound by 20,000 resamples, as the case says
ONE_STEP = 15 / 7  # of the means of seven scores in steps of 5; a bound between two steps falls to either side


@cache
def expected() -> dict[str, Any]:
    return expected_of(CASE)


@cache
def ranked(case: str, resamples: int = 100) -> dict[str, Any]:
    evidence = contrastive_evidence("wmt26", **OPTIONS[case], resamples=resamples)
    return ranking(replace(evidence, tables=evidence.tables[:1], marked=None))


@pytest.mark.parametrize("case", OPTIONS)
def test_systems_have_their_means_over_segments(case: str) -> None:
    shown = {
        one["system"]: [round(one["mean"], 6), one["judgments"], one["segments"]] for one in ranked(case)["systems"]
    }
    assert shown == expected()[case]["system_mean"]


def test_the_filter_keeps_who_agrees_with_everybody() -> None:
    case = expected()["rater_filter"]
    result = ranked(FILTERED)["filter"]
    assert result["threshold"] == case["threshold"]
    for one in result["annotators"]:
        own = case["annotators"][one["annotator"]]
        assert {key: one[key] for key in ("screens", "pairs", "kept")} == {key: own[key] for key in own if key != "fit"}
        assert one["fit"] == pytest.approx(own["fit"], abs=1e-6)


def test_a_limit_of_zero_drops_nobody() -> None:
    result = ranked(EVERYBODY)["filter"]
    assert result["threshold"] == 0
    assert [one["kept"] for one in result["annotators"]] == [True, True]


@pytest.mark.parametrize("case", OPTIONS)
def test_pairs_that_no_seed_changes_are_decided_as_published(case: str) -> None:
    decided = {frozenset((one["first"], one["second"])): one["better"] for one in ranked(case)["tests"]}
    assert len(decided) == 45
    settled = {
        frozenset((one["first"], one["second"])): one["better"]
        for one in expected()[case]["tests"]
        if one["better"] is not None
    }
    assert {pair: decided[pair] for pair in settled} == settled


@pytest.mark.parametrize("case", OPTIONS)
def test_differences_are_exact_and_bounds_as_near_as_resampling_allows(case: str) -> None:
    own = {(one["first"], one["second"]): one for one in ranked(case, 20_000)["tests"]}
    distances = []
    for one in expected()[case]["tests"]:
        test = own.get((one["first"], one["second"]))
        if test is None:  # equal means: either order is right
            assert abs(one["difference"]) < 1e-6
            continue
        assert test["paired"]["n"] == one["shared"]
        assert test["paired"]["difference"] == pytest.approx(one["paired_difference"], abs=1e-6)
        assert test["difference"] == test["unpaired"]["difference"] == pytest.approx(one["difference"], abs=1e-6)
        distances += [test["paired"]["low"] - one["paired_low"], test["unpaired"]["low"] - one["unpaired_low"]]
    assert np.abs(distances).max() < ONE_STEP + 0.02
    assert np.mean(np.abs(distances) < TOLERANCE) > 0.9


@pytest.mark.parametrize("case", OPTIONS)
def test_ranks_lines_and_clusters_follow_from_the_decisions(case: str) -> None:
    systems, tests = ranked(case)["systems"], ranked(case)["tests"]
    names = [one["system"] for one in systems]
    better = {(one["first"], one["second"]) for one in tests if one["better"]}
    for place, one in enumerate(systems):
        first, last = place, place
        while first > 0 and (names[first - 1], names[place]) not in better:
            first -= 1
        while last < len(names) - 1 and (names[place], names[last + 1]) not in better:
            last += 1
        assert one["rank"] == [first + 1, last + 1]
        assert one["neighbour_line"] is ((names[place], next(iter(names[place + 1 :]), "")) in better)
        above, below = names[:place], names[place:]
        has_line = place > 0 and all((a, b) in better for a in above for b in below)
        assert (one["cluster"] - systems[max(0, place - 1)]["cluster"] == 1) is has_line


@pytest.mark.parametrize("case", OPTIONS)
def test_the_best_machine_of_each_domain(case: str) -> None:
    case_domains = expected()[case]["domains"]
    domains = ranked(case)["domains"]
    assert domains["best"] == pytest.approx(case_domains["best_without_humans"], abs=1e-6)
    assert domains["average"] == pytest.approx(case_domains["average"], abs=1e-6)


def test_the_table_of_the_campaign() -> None:
    table = analyse_evidence(contrastive_evidence("wmt26", lowest_fit=0), ["campaign_table"])["campaign_table"]
    own = {name: value for name, value in expected()["campaign_table"].items() if value is not None}
    assert {name: table[name] for name in own} == pytest.approx(own, abs=1e-6)
    assert table["duplicate_pairs"] == expected()["agreement"]["outputs_judged_by_both"]
    assert table["seconds_per_annotation"] is None
    assert table["reasons"] == {"seconds_per_annotation": "no_actions"}


def test_the_table_of_the_campaign_after_the_filter() -> None:
    table = analyse_evidence(contrastive_evidence("wmt26"), ["campaign_table"])["campaign_table"]
    assert {name: table[name] for name in ("annotations", "annotators")} == expected()["campaign_table_filtered"]
    assert table["duplicate_mae"] is None


def test_who_is_dropped_is_counted_as_left_out() -> None:
    scope = analyse_evidence(contrastive_evidence("wmt26"), ["scope"])["scope"]
    assert scope["left_out"]["by_fit"] == {"annotators": 1, "judgments": 33}
    assert scope["left_out"]["by_controls"] == {"annotators": 0, "judgments": 0}


def test_actions_of_a_file_give_the_seconds_of_a_score() -> None:
    """One screen of rater-2 with 30 s between two actions; the others have none."""
    evidence = contrastive_evidence("wmt26")
    table = evidence.tables[0]
    judgment = int(table.judgment[table.annotator == table.annotators.index("rater-2")][0])
    actions = Actions(np.array([100.0, 130.0]), np.array([0, 0]), {judgment: 0})
    made = Evidence(evidence.tables, evidence.recipe, marked=evidence.marked, actions=actions)
    scores = int(np.count_nonzero(table.judgment == judgment))
    seconds = analyse_evidence(made, ["campaign_table"])["campaign_table"]["seconds_per_annotation"]
    assert seconds == pytest.approx(30 / scores)


def _esa() -> Evidence:
    """WMT23 English to German judged by error span annotation: a line for each segment of each system, or None."""
    values: list[float] = []
    systems, segments = [], []
    counts: dict[str, int] = {}
    for line in (real_case("esa-wmt23-ende") / "en-de.ESA-1.seg.score").read_text().splitlines():
        system, value = line.split("\t")
        counts[system] = counts.get(system, 0) + 1
        if value != "None":
            values.append(float(value))
            systems.append(system)
            segments.append(counts[system])
    names = ["one"] * len(values)
    table = score_table("score", values=values, annotators=names, systems=systems, segments=segments, low=0, high=100)
    return Evidence((table,), recipe_for("esa", "wmt25"))


def test_the_rule_of_2025_reproduces_ranks_clusters_and_p() -> None:
    case = expected()["other_case"]["esa-wmt23-ende"]
    result = ranking(_esa())
    shown = {one["system"]: {"rank": one["rank"], "cluster": one["cluster"]} for one in result["systems"]}
    assert shown == case["wmt25"]
    assert {one["system"]: one["mean"] for one in result["systems"]} == pytest.approx(case["system_mean"], abs=1e-6)
    tests = {(one["first"], one["second"]): one for one in result["tests"]}
    for first, second, shared, difference, _paired, _unpaired, _share, p, n in case["tests"]:
        test = tests[first, second]
        assert (test["shared"], test["n"]) == (shared, n)
        assert test["difference"] == pytest.approx(difference, abs=1e-6)
        assert test["p"] == pytest.approx(p, rel=1e-5)


def test_the_first_score_by_time_is_beside_the_first() -> None:
    """Of either system the later score is the higher one, given by the other person; in the file ann comes first."""
    segments = [segment for segment in range(6) for _ in range(4)]
    table = score_table(
        "score",
        values=[90, 10, 5, 80] * 6,
        annotators=["ann", "bob", "ann", "bob"] * 6,
        systems=["a", "a", "b", "b"] * 6,
        segments=segments,
        submitted=[2, 1, 1, 2] * 6,
        low=0,
        high=100,
    )
    [test] = ranking(Evidence((table,), recipe_for("esa", "wmt25")))["tests"]
    assert (test["first"], test["shared"], test["n"]) == ("a", 12, 12)
    assert test["p"] == pytest.approx(2**-12), "all twelve differences are positive"


def test_the_rule_of_2026_agrees_where_runs_agree() -> None:
    case = expected()["other_case"]["esa-wmt23-ende"]
    evidence = _esa()
    result = ranking(Evidence(evidence.tables, recipe_for("esa", "wmt26")))
    tests = {(one["first"], one["second"]): one for one in result["tests"]}
    settled = {(row[0], row[1]): row[6] == 1 for row in case["tests"] if row[6] in (0, 1)}
    assert len(case["tests"]) - len(settled) <= case["open_pairs"]
    assert {pair: tests[pair]["better"] for pair in settled} == settled
    assert [(one["pairs"], one["fit"], one["kept"]) for one in result["filter"]["annotators"]] == [(0, None, True)]
    assert result["filter"]["annotators"][0]["reasons"] == {"fit": "no_pairs"}
