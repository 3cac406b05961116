"""The sentences the page of metrics opens with: which metric follows people best, and where one misleads."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from frontend.researcher.automatic_metrics.correlations import CorrelationRow, Correlations
from metrics.scoring.reading import MetricScores

FEWEST_SYSTEMS = 3
MOST_NAMED = 3


def closest_of(correlations: Correlations) -> str | None:
    """Of segments, or of systems where there is nothing to be said of segments. None for a single metric."""
    within_segments = Correlations(correlations.entries, correlations.titles)
    levels = (
        (within_segments.segments.rows, _("segment by segment")),
        (within_segments.systems.rows, _("over systems")),
    )
    for rows, where in levels:
        known = [row for row in rows if row.value is not None and row.entry.get("group") is not None]
        if len(known) > 1:
            sentence = next(_closest(known))
            return _("%(sentence)s, %(where)s") % {"sentence": sentence, "where": where}
    return None


def _closest(rows: Sequence[CorrelationRow]) -> Iterator[str]:
    """Metrics of the first group are those that no other is significantly closer than."""
    first = min(row.entry["group"] for row in rows)
    leaders = [row for row in rows if row.entry["group"] == first]
    if not any(_is_beyond_chance(row) for row in leaders):
        yield _("It cannot be told whether any metric follows people")
    names = [row.title for row in leaders]
    if len(leaders) == len(rows):
        yield _("No metric can be told to follow people better than another")
    if len(leaders) == 1:
        yield _("%(metric)s follows people best") % {"metric": names[0]}
    if len(leaders) <= MOST_NAMED:
        yield _("%(names)s follow people best and cannot be told apart") % {"names": get_text_list(names, _("and"))}
    yield ngettext(
        "%(count)d metric follows people best and cannot be told apart",
        "%(count)d metrics follow people best and cannot be told apart",
        len(leaders),
    ) % {"count": len(leaders)}


def _is_beyond_chance(row: CorrelationRow) -> bool:
    """Accuracy with ties has no value that chance would have; the correlation beside it does."""
    ends = row.entry["intervals"].get("pearson")
    return bool(ends and ends[0] is not None and ends[0] > 0)


def first_places(systems: Sequence[Mapping[str, Any]], metrics: Sequence[MetricScores]) -> str | None:
    """Where a metric's first place and people's part; `systems` as the analysis `correlation` gives them, best first.

    None when no sentence applies, or where people's intervals overlap, so that people may not have it otherwise.
    """
    compared = [each for each in systems if not each["left_out"] and each["human"] is not None]
    if len(compared) < FEWEST_SYSTEMS:
        return None
    places = {each["system"]: place for place, each in enumerate(compared, start=1)}
    firsts = []
    for metric in metrics:
        scored = [each for each in compared if each["scores"].get(metric.name) is not None]
        if len(scored) == len(compared):
            best = max(scored, key=lambda each: metric.sign * each["scores"][metric.name])
            firsts.append((places[best["system"]], metric, best["system"]))
    if not firsts:
        return None
    place, metric, system = max(firsts, key=lambda each: each[0])
    if not _is_apart(compared[0], compared[max(place, 2) - 1]):
        return None
    if place == 1:
        return _("Every metric puts %(system)s first, as people do") % {"system": system}
    told = {"metric": metric.title, "system": system, "place": place, "count": len(compared)}
    return _("%(metric)s puts %(system)s first; people put it at place %(place)d of %(count)d") % told


def _is_apart(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    first, second = one.get("interval"), other.get("interval")
    return bool(first and second and (max(first) < min(second) or max(second) < min(first)))
