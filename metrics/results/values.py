"""Numbers of a result: a value, or a missing one with the reason why it could not be computed."""

import math
from dataclasses import dataclass, field
from typing import Any

from metrics.statistics.resampling import Interval

UNKNOWN = "undefined"  # read from a result that does not say why
# Of a field's metadata, for the codec.
IF_EMPTY = "if_empty"
BY_PART = "by_part"
KEY = "key"
NAMES_REASON = "names_reason"


@dataclass(frozen=True)
class Missing:
    """A number that does not exist; `reason` is one of the words that docs/statistics.md explains."""

    reason: str = UNKNOWN


Number = float | Missing
Ends = tuple[float, float] | Missing


def number(value: float, reason: str = UNKNOWN) -> Number:
    """The value, or where it is not finite the reason that goes with it."""
    return float(value) if math.isfinite(value) else Missing(reason)


def numbers(statistic: object, *names: str, reason: str = "") -> dict[str, Number]:
    """Attributes of a statistic's result by name, with one reason for all that is missing: its own if there is none."""
    return {name: number(getattr(statistic, name), reason or getattr(statistic, "reason", UNKNOWN)) for name in names}


def interval_ends(interval: Interval, of: Number | None = None, *, is_turned: bool = False) -> Ends:
    """(low, high), turned round like the measure. A missing value has no interval, for the same reason.

    `of` is the value that the interval is about.
    """
    if isinstance(of, Missing):
        return of
    if not (math.isfinite(interval.low) and math.isfinite(interval.high)):
        return Missing(interval.reason)
    return (-interval.high + 0.0, -interval.low + 0.0) if is_turned else (interval.low, interval.high)


def listed(*, empty: str) -> Any:
    """A field with a list or a map, and the reason why it is empty."""
    return field(metadata={IF_EMPTY: empty})


def by_part() -> Any:
    """A field with numbers by name whose reasons are under these names, without the field's own name before them."""
    return field(metadata={BY_PART: True})


def keyed(key: str) -> Any:
    """A field that JSON calls otherwise, because Python cannot."""
    return field(metadata={KEY: key})


def names_reason() -> Any:
    """A field whose reason is also beside it in JSON, as `reason`; null where there is a number."""
    return field(metadata={NAMES_REASON: True})
