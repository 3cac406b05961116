"""Numbers and times as pages say them."""

from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.utils.formats import date_format
from django.utils.translation import override

import pytest

from frontend.templatetags.icons import meter
from frontend.templatetags.words import duration, in_minutes, percent, share_of


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (None, "–"),
        (0, "0 s"),
        (44.4, "44 s"),
        (59.6, "60 s"),
        (119.4, "119 s"),
        (119.6, "2 min"),
        (3060, "51 min"),
        (3599, "1 h 0 min"),
        (11_520, "3 h 12 min"),
    ],
)
def test_a_span_of_time(seconds: float | None, expected: str) -> None:
    assert duration(seconds) == expected


@pytest.mark.parametrize(
    ("seconds", "expected"), [(0, "1 minute"), (60, "1 minute"), (61, "2 minutes"), (900, "15 minutes")]
)
def test_a_wait_is_rounded_up(seconds: int, expected: str) -> None:
    assert in_minutes(timedelta(seconds=seconds)) == expected


@pytest.mark.parametrize(("share", "expected"), [(None, "–"), (0, "0 %"), (0.254, "25 %"), (1, "100 %")])
def test_a_share(share: float | None, expected: str) -> None:
    assert percent(share) == expected


@pytest.mark.parametrize(("done", "total", "shown"), [(0, 0, 0), (0, 3, 0), (999, 1000, 99), (1000, 1000, 100)])
def test_nothing_is_complete_before_it_is(done: int, total: int, shown: int) -> None:
    assert share_of(done, total) == shown


def test_a_meter_needs_no_inline_style_and_says_its_number() -> None:
    drawn = meter(33, 'two <of> "six"')
    assert 'width="33%"' in drawn
    assert "style" not in drawn
    assert 'aria-label="two &lt;of&gt; &quot;six&quot;"' in drawn
    assert "meter done" in meter(100, "")


@pytest.mark.parametrize("language", [language for language, _name in settings.LANGUAGES])
def test_a_moment_begins_like_its_day_and_has_twenty_four_hours(language: str) -> None:
    moment = datetime(2026, 11, 28, 20, 19, tzinfo=UTC)
    with override(language):
        day, written = date_format(moment, "SHORT_DATE_FORMAT"), date_format(moment, "SHORT_DATETIME_FORMAT")
    assert written.startswith(day)
    assert written.endswith("20:19")
