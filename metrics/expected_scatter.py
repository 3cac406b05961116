"""How scores are expected to scatter before there are any: what the new-campaign page plans by, and says.

The deviations are of published campaigns, rounded: judgments of one system by one annotator scattered by 10 to 25
points in WMT's direct assessments of 2021 and 2022, by 14 in ESA on WMT23 English–German; penalties by 2.7 (TED talks,
2021) and 9 (WMT23, three annotators) under the weights of WMT 2021; HTER by 0.20 in MLQE-PE English–German. Of what
nobody published the worst case is taken: half of all comparisons won, half of all questions answered. Segments of one
document correlated by 0.02 to 0.34 there; judgments of one segment by two annotators agree by about 0.4.
"""

from collections.abc import Mapping
from dataclasses import dataclass

DOCUMENT_CORRELATION = 0.1
ANNOTATOR_AGREEMENT = 0.4


@dataclass(frozen=True)
class Scatter:
    """`deviation` of single judgments, in the unit of the measure, or in lengths of its scale where `of_scale`.

    What `is_share` is told in percent. `by_document`: a judgment is of a whole document.
    """

    deviation: float
    is_share: bool = False
    of_scale: bool = False
    by_document: bool = False


# By protocol. Adequacy and fluency are told in parts of their scale: a quarter of its length.
SCATTER: Mapping[str, Scatter] = {
    "direct_assessment": Scatter(20.0),
    "esa": Scatter(15.0),
    "mqm": Scatter(5.0),
    "likert": Scatter(0.25, of_scale=True),
    "post_editing": Scatter(0.2, is_share=True),
    "ranking": Scatter(0.5, is_share=True),
    "gisting": Scatter(0.5, is_share=True, by_document=True),
}


def plan_effect(*, redundancy: int, segments_per_document: float) -> float:
    """How much more judgments a plan needs than if they were independent draws (Kish 1965)."""
    of_annotators = 1 + (redundancy - 1) * ANNOTATOR_AGREEMENT
    return of_annotators * (1 + max(segments_per_document - 1, 0.0) * DOCUMENT_CORRELATION)


def difference_by_plan(judgments: int, *, deviation: float, redundancy: int, segments_per_document: float) -> float:
    """What two systems must differ by to be told apart four times out of five, with so many judgments of each."""
    effect = plan_effect(redundancy=redundancy, segments_per_document=segments_per_document)
    return _detectable_difference(judgments, design_effect=effect, deviation=deviation)


def difference_by_pilot(judgments: int, *, half_width: float, pilot_judgments: int) -> float:
    """The same, where a pilot's 95 % interval is so wide to either side with so many judgments of a system.

    The interval resampled whole documents, so it holds what they cost; it narrows with the root of the judgments.
    """
    return _detectable_difference(judgments, deviation=half_width / 1.96 * float(pilot_judgments) ** 0.5)


def _detectable_difference(judgments: int, **about: float) -> float:
    from metrics.statistics.power import detectable_difference  # noqa: PLC0415 - scipy costs each command its start

    return detectable_difference(judgments, **about)
