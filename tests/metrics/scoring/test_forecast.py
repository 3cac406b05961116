"""How long the rest takes: nothing is promised early, and the time to read the model does not count."""

from metrics.scoring.forecast import Forecast
from metrics.scoring.progress import left


def test_nothing_is_promised_before_32_segments() -> None:
    forecast = Forecast()
    forecast.see(16, at=100.0)
    assert forecast.seconds_for(100) is None
    forecast.see(15, at=110.0)
    assert forecast.seconds_for(100) is None
    forecast.see(1, at=116.0)
    assert forecast.seconds_for(100) == 100.0  # 16 segments in 16 seconds


def test_the_model_is_read_before_the_first_news() -> None:
    forecast = Forecast()
    forecast.see(32, at=500.0)
    assert forecast.seconds_for(10) is None
    forecast.see(64, at=532.0)
    assert forecast.seconds_for(1_000) == 500.0


def test_minutes_are_said_in_words() -> None:
    assert left(None) == ""
    assert left(12) == ", less than a minute left"
    assert left(61) == ", about 1 minute left"
    assert left(1_300) == ", about 22 minutes left"
