"""The sentences on metrics say no more than groups and intervals do."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.analyses.metric_levels import STATISTICS, CorrelatedMetric
from metrics.findings.correlation import closest_of
from metrics.results.values import Ends, Missing

BEYOND = {"pearson": (0.2, 0.6)}


def entry(
    metric: str, group: int, *, level: str = "segment", intervals: Mapping[str, Ends] = BEYOND
) -> CorrelatedMetric:
    """The better the group, the higher every number."""
    numbers: dict[str, Any] = dict.fromkeys(STATISTICS, 0.9 - 0.1 * group)
    grouping = "item" if level == "segment" else "none"
    return CorrelatedMetric(
        metric=metric, level=level, grouping=grouping, group=group, groups=9, intervals=intervals, **numbers
    )


def sentence_of(*entries: CorrelatedMetric) -> str | None:
    return closest_of(entries, {})


@pytest.mark.parametrize(
    ("groups", "sentence"),
    [
        ({"a": 1, "b": 2, "c": 2}, "a correlates best with human judgments, segment by segment"),
        (
            {"a": 1, "b": 1, "c": 2},
            "a and b correlate best with human judgments, without a significant difference, segment by segment",
        ),
        (
            {"a": 1, "b": 1},
            "No metric correlates significantly better with human judgments than another, segment by segment",
        ),
        (
            {**dict.fromkeys("abcd", 1), "e": 2},
            "4 metrics correlate best with human judgments, without a significant difference, segment by segment",
        ),
        ({"a": 1}, None),
    ],
)
def test_who_follows_people_best(groups: dict[str, int], sentence: str | None) -> None:
    assert sentence_of(*(entry(metric, group) for metric, group in groups.items())) == sentence


def test_without_segments_the_sentence_is_about_systems() -> None:
    nothing = Missing("no_overlap")
    entries = [replace(entry(name, 1), accuracy_with_ties=nothing, pearson=nothing, groups=0) for name in "ab"]
    entries += [entry("a", 1, level="system"), entry("b", 2, level="system")]
    assert sentence_of(*entries) == "a correlates best with human judgments, over systems"


@given(st.lists(st.tuples(st.integers(1, 3), st.floats(-1, 1), st.floats(-1, 1)), min_size=2, max_size=6))
def test_nobody_is_called_best_who_may_go_with_chance(rows: list[tuple[int, float, float]]) -> None:
    entries = [
        entry(str(place), group, intervals={"pearson": (min(ends), max(ends))})
        for place, (group, *ends) in enumerate(rows)
    ]
    sentence = sentence_of(*entries)
    assert sentence
    first = min(group for group, *_ends in rows)
    leaders = [min(ends) for group, *ends in rows if group == first]
    if "best" in sentence:
        assert max(leaders) > 0
        assert len(leaders) < len(rows)
    if "correlates best with human judgments" in sentence:
        assert len(leaders) == 1
