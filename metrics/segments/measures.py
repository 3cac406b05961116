"""By which measures the judgments of one output are compared."""

import math

from annotation.protocols.base import Measure
from campaigns.models import Campaign
from metrics.derivations import measures_of


def compared_measures(campaign: Campaign) -> list[tuple[Measure, str | None]]:
    """The first measure of segments, and those on the same scale, where it has two ends; each with its formula.

    Where nothing is asked of segments, the first of documents.
    """
    of_campaign = [(measure, by) for measure, by in measures_of(campaign) if not measure.is_count]
    found = [(measure, by) for measure, by in of_campaign if measure.level == "segment"] or of_campaign[:1]
    if not found:
        return []
    first = found[0][0]
    is_bounded = math.isfinite(first.low) and math.isfinite(first.high)
    alike = [each for each in found[1:] if is_bounded and (each[0].low, each[0].high) == (first.low, first.high)]
    return [found[0], *alike]
