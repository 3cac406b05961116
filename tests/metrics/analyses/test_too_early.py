import pytest

from metrics.analyses.ranking import TooEarly, too_early


def test_ten_judgments_a_system_and_a_tenth_of_the_plan_are_enough() -> None:
    assert too_early({"x": 10, "y": 10}, judgments=20, planned=200) is None
    assert too_early({"x": 10, "y": 10}, judgments=20, planned=None) is None


@pytest.mark.parametrize("planned", [None, 0, 100])
def test_one_system_alone_is_no_ranking(planned: int | None) -> None:
    early = too_early({"x": 500}, judgments=500, planned=planned)
    assert early == TooEarly("too_few_systems", 500, 20)


def test_less_than_a_tenth_of_the_plan_is_too_little() -> None:
    early = too_early({"x": 15, "y": 16}, judgments=31, planned=4_000)
    assert early == TooEarly("too_little_of_plan", 31, 400)


def test_the_least_judged_system_decides() -> None:
    early = too_early({"x": 90, "y": 9}, judgments=99, planned=100)
    assert early == TooEarly("too_few_per_system", 9, 10)
