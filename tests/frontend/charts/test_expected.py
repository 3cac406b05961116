"""The curve of a budget is drawn on an axis of percentages."""

import pytest

from frontend.charts.drawing import Words
from frontend.charts.expected import expected_figure
from metrics.item_expectation import Expected


@pytest.mark.parametrize(("first", "lowest"), [(1.0, "90.0"), (0.95, "90.0"), (0.62, "60")])
def test_no_axis_of_percentages_goes_beyond_a_hundred(first: float, lowest: str) -> None:
    curve = [Expected(budget, budget, 1, share, share, 1.0, 1.0) for budget, share in ((10, first), (20, 1.0))]
    figure = expected_figure(curve, 10, "segments")
    assert figure is not None
    shown = [mark.text for mark in figure.drawing.marks if isinstance(mark, Words)]
    assert lowest in shown
    assert {"100", "100.0"} & set(shown)
    assert not any(text.startswith("100.5") or text == "105" for text in shown)
