"""Numbers as JSON has them: a number that does not exist is null, never NaN."""

import math

from metrics.statistics.significance import Interval


def number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def interval_ends(interval: Interval, *, is_turned: bool = False) -> list[float] | None:
    """[low, high]; turned round where the measure's direction was."""
    if not (math.isfinite(interval.low) and math.isfinite(interval.high)):
        return None
    return [-interval.high + 0.0, -interval.low + 0.0] if is_turned else [interval.low, interval.high]
