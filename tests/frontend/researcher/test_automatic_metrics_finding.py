"""The sentences on metrics say no more than groups and intervals do."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontend.researcher.automatic_metrics.correlations import Correlations
from frontend.researcher.automatic_metrics.finding import closest_of

BEYOND = {"pearson": [0.2, 0.6]}


def entry(metric: str, group: int | None, *, level: str = "segment", **more: Any) -> dict[str, Any]:
    grouping = "item" if level == "segment" else "none"
    value = 0.9 - 0.1 * (group or 0)
    numbers = {"pearson": value, "accuracy_with_ties": value, "groups": 9, "intervals": BEYOND}
    return {"metric": metric, "level": level, "grouping": grouping, "group": group, **numbers, **more}


def said(*entries: dict[str, Any]) -> str | None:
    return closest_of(Correlations(entries, {}))


@pytest.mark.parametrize(
    ("groups", "sentence"),
    [
        ({"a": 1, "b": 2, "c": 2}, "a follows people best, segment by segment"),
        ({"a": 1, "b": 1, "c": 2}, "a and b follow people best and cannot be told apart, segment by segment"),
        ({"a": 1, "b": 1}, "No metric can be told to follow people better than another, segment by segment"),
        (
            {**dict.fromkeys("abcd", 1), "e": 2},
            "4 metrics follow people best and cannot be told apart, segment by segment",
        ),
        ({"a": 1}, None),
    ],
)
def test_who_follows_people_best(groups: dict[str, int], sentence: str | None) -> None:
    assert said(*(entry(metric, group) for metric, group in groups.items())) == sentence


def test_without_segments_it_is_said_of_systems() -> None:
    entries = [entry(name, None, accuracy_with_ties=None, pearson=None, groups=0) for name in "ab"]
    entries += [entry("a", 1, level="system"), entry("b", 2, level="system")]
    assert said(*entries) == "a follows people best, over systems"


@given(st.lists(st.tuples(st.integers(1, 3), st.floats(-1, 1), st.floats(-1, 1)), min_size=2, max_size=6))
def test_nobody_is_called_best_who_may_go_with_chance(rows: list[tuple[int, float, float]]) -> None:
    entries = [
        entry(str(place), group, intervals={"pearson": [min(ends), max(ends)]})
        for place, (group, *ends) in enumerate(rows)
    ]
    sentence = said(*entries)
    assert sentence
    first = min(group for group, *_ends in rows)
    leaders = [min(ends) for group, *ends in rows if group == first]
    if "best" in sentence:
        assert max(leaders) > 0
        assert len(leaders) < len(rows)
    if "follows people best" in sentence:
        assert len(leaders) == 1
