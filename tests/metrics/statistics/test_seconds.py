"""The clock of WMT 2026 on the invented campaign that comes with its expected seconds."""

import json
import math
from typing import Any

import pytest

from metrics.statistics.pace import seconds_per_annotation
from tests.metrics.real_campaigns import expected_of, real_case

CASE = "genmt-wmt26-sample"
Record = dict[str, Any]


def screens(kept: set[str]) -> list[Record]:
    """The last record of each judged screen of these people; a reset voids what came before."""
    lines = (real_case(CASE) / "pearmut-annotations.jsonl").read_text(encoding="utf-8").splitlines()
    last: dict[tuple[Any, ...], Record] = {}
    for record in map(json.loads, lines):
        user = record["user_id"]
        if record["annotation"] == "__RESET__":
            last = {key: value for key, value in last.items() if key[0] != user}
        elif isinstance(record["item_i"], int) and user in kept:
            ids = tuple(str(segment.get("item_id")) for segment in record["item"])
            if not any(name.startswith("attention_check_") for name in ids):
                last[user, ids, frozenset(record["item"][0]["tgt"])] = record
    return list(last.values())


def scores_of(record: Record) -> int:
    rows = zip(record["item"], record["annotation"], strict=True)
    return sum(
        model in segment["tgt"] and one["score"] is not None for segment, row in rows for model, one in row.items()
    )


@pytest.mark.real_data
def test_the_seconds_of_a_campaign() -> None:
    case = expected_of(CASE)
    judged = screens({name for name, one in case["rater_filter"]["annotators"].items() if one["kept"]})
    times = [(action["time"], place) for place, record in enumerate(judged) for action in record["actions"]]
    counts = [scores_of(record) for record in judged]
    assert sum(counts) == case["wmt26"]["annotations"]
    seconds = seconds_per_annotation([time for time, _ in times], [place for _, place in times], counts)
    assert seconds == pytest.approx(case["wmt26"]["seconds_per_annotation"], abs=1e-6)


def test_a_pause_counts_as_the_longest_gap() -> None:
    assert seconds_per_annotation([0, 1000], [0, 0], [1]) == 60
    assert seconds_per_annotation([0, 1000], [0, 0], [1], longest=180) == 180


def test_a_screen_with_one_action_is_left_out_with_its_scores() -> None:
    assert seconds_per_annotation([0, 30, 5], [0, 0, 1], [2, 10]) == 15


def test_actions_may_come_in_any_order() -> None:
    assert seconds_per_annotation([30, 0, 10], [0, 0, 0], [3]) == seconds_per_annotation([0, 10, 30], [0, 0, 0], [3])


def test_without_times_or_scores_there_are_no_seconds() -> None:
    assert math.isnan(seconds_per_annotation([], [], []))
    assert math.isnan(seconds_per_annotation([0, 5], [0, 0], [0]))
    assert math.isnan(seconds_per_annotation([float("nan"), 5], [0, 0], [2]))


def test_an_action_on_an_unknown_screen_is_refused() -> None:
    with pytest.raises(ValueError, match="screen"):
        seconds_per_annotation([0, 1], [0, 5], [2])
