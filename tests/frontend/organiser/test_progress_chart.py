"""Where lines stand: worked by hand in a box from 7 to 100 across and from 170 up to 20."""

from datetime import date

import pytest

from frontend.organiser.progress_chart import ProgressChart, progress_chart, spark_paths

FIRST = date(2026, 11, 3)


def chart(per_day: list[int], goal: int, **rest: object) -> ProgressChart:
    return progress_chart(per_day, goal, first_day=FIRST, today_share=0.5, **rest)  # type: ignore[arg-type]


def test_the_line_climbs_from_the_first_morning_to_now() -> None:
    """10 and 20 of 60 in a day and a half: the days end at 2/3 and at the right edge."""
    drawn = chart([10, 20], 60)
    assert drawn.path == "M7.00,170.0 L69.00,145.0 L100.00,95.0"
    assert (drawn.now.label, drawn.now.at, drawn.now.anchor, drawn.now_y) == ("30", "100.00%", "end", "95.0")
    assert (drawn.wedge, drawn.end) == ("", None)


def test_the_wedge_opens_from_now_to_the_goal() -> None:
    drawn = chart([10, 20], 60, ends=(1.0, 3.5), end_label="6 to 8 Nov")
    x = [7 + 93 * days / (5 * 1.02) for days in (1.5, 2.5, 5)]
    assert drawn.wedge == f"M{x[0]:.2f},95.0 L{x[1]:.2f},20.0 L{x[2]:.2f},20.0 Z"
    assert drawn.end is not None
    assert drawn.end.label == "6 to 8 Nov"


@pytest.mark.parametrize(
    ("goal", "labels"),
    [
        (9600, ["0", "2.5k", "5k", "7.5k"]),
        (400, ["0", "100", "200", "300"]),
        (3, ["0", "1", "2"]),
        (1_000_000, ["0", "250k", "500k", "750k"]),
    ],
)
def test_amounts_are_round_and_leave_room_for_the_goal(goal: int, labels: list[str]) -> None:
    assert [tick.label for tick in chart([1], goal).amounts] == labels


@pytest.mark.parametrize("days", [1, 2, 5, 19, 60, 400])
def test_days_are_at_most_five_and_the_month_is_named_where_it_begins(days: int) -> None:
    marks = chart([1] * days, 1000).days
    assert 1 <= len(marks) <= 5
    assert marks[0].label == "3 Nov"


def test_more_than_the_goal_stays_in_the_picture() -> None:
    assert chart([90], 60).now_y == "20.0"


def test_near_the_goal_the_label_of_now_leaves_the_line_of_labels_to_the_end() -> None:
    assert (chart([30], 60).now_dy, chart([56], 60).now_dy) == (-8, 18)


def test_a_day_without_judgments_is_a_line_of_a_pixel() -> None:
    assert spark_paths([0, 4], most=4) == ["M0 18.0h4v1.0h-4z", "M6 3.0h4v16.0h-4z"]
    assert spark_paths([0], most=0) == ["M0 18.0h4v1.0h-4z"]
