"""Edits against time."""

from dataclasses import replace

from frontend.charts.drawing import Dot, Shape
from frontend.charts.effort import effort_figure
from metrics.analyses.post_editing import PostEditedSystem, PostEditing
from metrics.analyses.ranked_systems import RankedSystem
from metrics.analyses.ranking import RankedMeasures
from metrics.results.values import Missing
from tests.frontend.charts.sample_ranking import rows_of

NONE = Missing("no_times")
POINTS = tuple((0.01 * place, 2.0 + 0.02 * place) for place in range(60))


def edited(name: str, hter: float, words_per_hour: float) -> PostEditedSystem:
    return PostEditedSystem(name, hter, hter, hter, words_per_hour, (900.0, 1800.0), 100.0, 0.0, 50.0, 0.1, 60, POINTS)


HERON, ROOK = edited("Heron", 0.1, 1200.0), edited("Rook", 0.4, 1000.0)
RANKED = RankedMeasures(
    systems=(RankedSystem("Heron", "hter", 9, 9, 0.1, (0.05, 0.2), NONE, NONE, (1, 1), 1, 0, 0, NONE, NONE),),
    tests=(), ordered_by={}, without_z=(), notes=(),
)  # fmt: skip


def test_time_is_in_seconds_for_a_word_with_its_interval_turned_round() -> None:
    figure = effort_figure(PostEditing((HERON, ROOK)), RANKED)
    assert figure is not None
    assert figure.title == "Heron: HTER 0.10, 3.0 seconds a word; Rook: 0.40, 3.6 seconds"
    assert rows_of(figure) == [
        ["Heron", "0.100", "0.050 to 0.200", "3.0", "2.0 to 4.0"],
        ["Rook", "0.400", "–", "3.6", "2.0 to 4.0"],
    ]


def test_every_judgment_is_a_point_and_every_system_a_shape() -> None:
    figure = effort_figure(PostEditing((HERON, ROOK)), RANKED)
    assert figure is not None
    dots = [mark for mark in figure.drawing.marks if isinstance(mark, Dot)]
    assert len(dots) == 120
    assert len({mark.steps for mark in figure.drawing.marks if isinstance(mark, Shape)}) == 2


def test_what_lies_beyond_the_axes_is_counted_and_not_drawn_at_their_ends() -> None:
    far = replace(HERON, edits_and_pace=(*POINTS, (0.1, 500.0)))
    figure = effort_figure(PostEditing((far,)), RANKED)
    assert figure is not None
    assert "1 judgment lies beyond the axes." in figure.lead
    assert len([mark for mark in figure.drawing.marks if isinstance(mark, Dot)]) == 60


def test_without_times_there_is_no_chart() -> None:
    assert effort_figure(PostEditing((replace(HERON, words_per_hour=NONE),)), RANKED) is None
    assert effort_figure(PostEditing((replace(HERON, edits_and_pace=None),)), RANKED) is None
