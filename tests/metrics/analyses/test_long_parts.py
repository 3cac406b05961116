import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from campaigns.models import Campaign
from jobs.actions import queue_run
from jobs.run_kinds import InvalidRun
from metrics.analyses import ANALYSIS, PARTS
from metrics.analyses.agreement import AnnotatorAgreement
from metrics.analyses.ranked_systems import PairTest
from metrics.analyses.ranking import Ranking
from metrics.analyses.shared_ratings import MOST_IN_A_MATRIX, FewShared, PairAgreement, SharedPairs
from metrics.analyses.slices import MOST_TESTS, Slice, Slices
from metrics.results.codec import from_json, to_json
from metrics.results.values import Missing
from tests.frontend.charts.sample_ranking import ranked, system

STORED = Path(__file__).parents[2] / "data" / "stored_results"  # written in November 2026, by dictionaries


def stored(name: str) -> dict[str, Any]:
    rows_and_parts: dict[str, Any] = json.loads((STORED / f"{name}.json").read_text(encoding="utf-8"))
    return rows_and_parts


def sharing(annotators: int) -> SharedPairs:
    """Everybody shares something with everybody; those with higher numbers share more."""
    pairs = [
        PairAgreement((f"a{one:02}", f"a{two:02}"), one + two, 0.5) for one, two in combinations(range(annotators), 2)
    ]
    return SharedPairs(pairs=tuple(pairs[1:]), few_shared=tuple(FewShared(one.annotators, one.n) for one in pairs[:1]))


def agreement(of_ratings: int, of_preferences: int) -> AnnotatorAgreement:
    result = from_json(AnnotatorAgreement, stored("without")["parts"]["agreement"])
    return result.join({"penalty": sharing(of_ratings), "": sharing(of_preferences)})


@pytest.mark.parametrize("name", ["with_long_parts", "without"])
def test_rows_that_were_stored_before_results_were_typed_are_read_and_written_the_same(name: str) -> None:
    before = stored(name)
    rows, parts = before["rows"], before["parts"]
    assert ("agreement.pairs" in rows) == (name == "with_long_parts")
    assert ANALYSIS.whole({"name": "Village"}, rows) == {"name": "Village", "analyses": parts}
    assert ANALYSIS.rows_of({"analyses": {each: from_json(PARTS[each], parts[each]) for each in parts}}) == rows


@pytest.mark.parametrize("of_preferences", [0, 3, 30])
def test_pairs_of_many_annotators_stand_apart_and_come_together_again(of_preferences: int) -> None:
    result = agreement(25, of_preferences)
    rows = json.loads(json.dumps(ANALYSIS.rows_of({"analyses": {"agreement": result}})))
    assert ANALYSIS.whole({}, rows) == {"analyses": {"agreement": to_json(result)}}
    shown = rows["agreement"]["measures"][0]
    assert len(shown["pairs"]) == MOST_IN_A_MATRIX * (MOST_IN_A_MATRIX - 1) / 2
    assert {name for pair in shown["pairs"] for name in pair["annotators"]} == {f"a{at:02}" for at in range(5, 25)}
    assert shown["sharing"] == 25
    assert rows["agreement"]["preference"]["sharing"] == of_preferences
    assert shown["alpha"] == to_json(result.measures[0].alpha)


def test_pairs_of_few_annotators_stay_where_they_are() -> None:
    result = agreement(MOST_IN_A_MATRIX, 3)
    assert result.split() == (result, None)
    assert ANALYSIS.rows_of({"analyses": {"agreement": result}}) == {"agreement": to_json(result)}


def test_an_analysis_needs_a_campaign(db: None) -> None:
    with pytest.raises(InvalidRun, match="needs a campaign"):
        queue_run(kind="analysis", arguments={})


@pytest.mark.parametrize(
    "arguments",
    [{"recipe": 3}, {"analyses": "ranking"}, {"analyses": [1]}, {"options": ["seed"]}, {"colour": "blue"}],
)
def test_an_analysis_refuses_what_it_does_not_understand(campaign: Campaign, arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidRun):
        queue_run(kind="analysis", campaign=campaign, arguments=arguments)


def test_an_analysis_stores_all_its_arguments(campaign: Campaign) -> None:
    run = queue_run(kind="analysis", campaign=campaign, arguments={"recipe": "assay"})
    assert run.arguments == {"recipe": "assay", "analyses": None, "options": {}}


def slices_with(tests: int) -> Slices:
    main = ranked(*(system(name, 90.0) for name in ("Heron", "Kite")))
    test = PairTest("Heron", "Kite", "score", 0.1, 0.2, 0.5, shared=9, is_win=False)
    ranking = Ranking(**{**vars(main), "tests": (test,) * tests}, too_early=None)
    return Slices("document", {"one": Slice(ranking), "two": Slice(ranking)})


def test_tests_of_many_slices_stand_apart_and_come_together_again() -> None:
    few, many = slices_with(MOST_TESTS // 2), slices_with(MOST_TESTS // 2 + 1)
    assert few.split() == (few, None)
    rows = json.loads(json.dumps(ANALYSIS.rows_of({"analyses": {"slices": many}})))
    assert ANALYSIS.whole({}, rows) == {"analyses": {"slices": to_json(many)}}
    stored, made = (each.brief["one"] for each in (from_json(Slices, rows["slices"]), many))
    assert [one._replace(interval=(0, 0)) for one in stored.systems] == [
        one._replace(interval=(0, 0)) for one in made.systems
    ]
    assert [one.interval for one in stored.systems] == [Missing()] * 2  # the reason is in the whole


def test_slices_stored_with_rankings_without_tests_are_read_and_joined() -> None:
    """As they were on 29 November 2026."""
    many = slices_with(MOST_TESTS)
    rows = ANALYSIS.rows_of({"analyses": {"slices": many}})
    rankings = rows["slices.whole"]
    bare = {name: {"ranking": {**part["ranking"], "tests": []}} for name, part in rankings.items()}
    rows["slices"] = {"by": "document", "slices": bare}
    assert from_json(Slices, rows["slices"]).brief == many.brief
    assert ANALYSIS.whole({}, rows) == {"analyses": {"slices": to_json(many)}}
