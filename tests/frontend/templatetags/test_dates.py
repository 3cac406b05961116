from datetime import UTC, date, datetime, timedelta

from django.utils import timezone

import pytest

from frontend.templatetags.dates import ago, day, day_range

NOW = datetime(2026, 11, 21, 9, 41, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "now"),
        (59, "now"),
        (60, "1 min ago"),
        (59 * 60 + 59, "59 min ago"),
        (3600, "1 h ago"),
        (86_399, "23 h ago"),
        (86_400, "1 day ago"),
        (4.5 * 86_400, "4 days ago"),
    ],
)
def test_an_age_has_one_unit(seconds: float, words: str) -> None:
    assert ago(NOW - timedelta(seconds=seconds), NOW) == words


def test_what_never_was_has_no_age() -> None:
    assert ago(None, NOW) == "never"


def test_a_day_of_another_year_says_so() -> None:
    this_year = timezone.localdate().year
    assert day(date(this_year, 11, 27)) == "27 Nov"
    assert day(date(this_year - 1, 11, 27)) == f"27 Nov {this_year - 1}"


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [((11, 26), (11, 29), "26 to 29 Nov"), ((11, 28), (12, 2), "28 Nov to 2 Dec"), ((11, 26), (11, 26), "26 Nov")],
)
def test_a_range_says_the_month_once(first: tuple[int, int], last: tuple[int, int], words: str) -> None:
    this_year = timezone.localdate().year
    assert day_range(date(this_year, *first), date(this_year, *last)) == words
