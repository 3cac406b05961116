"""What systems wrote for given segments, in as many queries as the database's limit on parameters asks."""

from collections.abc import Iterable
from typing import Any

from campaigns.models import Translation

SEGMENTS_AT_ONCE = 5000


def outputs_of(segments: Iterable[int | None], column: str) -> dict[tuple[int, int], Any]:
    """A column of the translations (`pk`, `text`) by segment and system."""
    wanted = sorted({segment for segment in segments if segment is not None})
    found: dict[tuple[int, int], Any] = {}
    for start in range(0, len(wanted), SEGMENTS_AT_ONCE):
        some = wanted[start : start + SEGMENTS_AT_ONCE]
        rows = Translation.objects.filter(segment__in=some).values_list("segment", "system", column)
        found.update({(segment, system): value for segment, system, value in rows})
    return found
