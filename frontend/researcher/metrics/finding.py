"""The sentence the page of metrics opens with: where a metric's first place and people's part."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from metrics.scoring.reading import MetricScores

FEWEST_SYSTEMS = 3


def finding_of(systems: Sequence[Mapping[str, Any]], metrics: Sequence[MetricScores]) -> str | None:
    """`systems` as the analysis `correlation` gives them, people's best first. None when no sentence applies."""
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
    if place == 1:
        return _("Every metric puts %(system)s first, as people do") % {"system": system}
    told = {"metric": metric.title, "system": system, "place": place, "count": len(compared)}
    return _("%(metric)s puts %(system)s first; people put it at place %(place)d of %(count)d") % told
