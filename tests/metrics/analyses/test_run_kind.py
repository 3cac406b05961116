from itertools import combinations
from typing import Any

import pytest

from campaigns.models import Campaign
from jobs.actions import queue_run
from jobs.run_kinds import InvalidRun
from metrics.analyses.run_kind import LONG_PARTS
from metrics.analyses.shared_ratings import MOST_IN_A_MATRIX

PAIRS = LONG_PARTS["agreement"]


def entry(annotators: int, measure: str = "score") -> dict[str, Any]:
    """Everybody shares something with everybody; those with higher numbers share more."""
    names = [f"a{number:02}" for number in range(annotators)]
    pairs = [
        {"annotators": [f"a{one:02}", f"a{two:02}"], "n": one + two} for one, two in combinations(range(len(names)), 2)
    ]
    return {"measure": measure, "alpha": 0.5, "pairs": pairs[1:], "few_shared": pairs[:1]}


@pytest.mark.parametrize("preference", [None, {"alpha": 0.1, "pairs": [], "few_shared": []}, entry(30)])
def test_pairs_of_many_annotators_stand_apart_and_come_together_again(preference: Any) -> None:
    agreement = {"measures": [entry(25), entry(3, "fluency")], "spans": None, "preference": preference}
    short, long = PAIRS.split(agreement)
    assert PAIRS.join(short, long) == agreement
    shown = short["measures"][0]
    assert len(shown["pairs"]) == MOST_IN_A_MATRIX * (MOST_IN_A_MATRIX - 1) / 2
    assert {name for pair in shown["pairs"] for name in pair["annotators"]} == {f"a{at:02}" for at in range(5, 25)}
    assert shown["sharing"] == 25
    assert shown["alpha"] == 0.5


def test_pairs_of_few_annotators_stay_where_they_are() -> None:
    agreement = {"measures": [entry(MOST_IN_A_MATRIX)], "preference": None}
    assert PAIRS.split(agreement) == (agreement, None)


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
