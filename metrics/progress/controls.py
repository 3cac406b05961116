"""Whether annotators notice damaged items, as far as the overview needs it: a look a minute, control items alone."""

import math
from collections.abc import Sequence
from typing import Any

from django.core.cache import cache
from django.db.models import Case, Count, Exists, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

import numpy as np
from numpy.typing import NDArray

from annotation.models import AssignmentStatus, ErrorSpan, Item, ItemKind, Judgment, Score, Slot
from annotation.protocols import protocol_for
from annotation.protocols.base import Measure
from campaigns.models import Campaign
from metrics.beside_damage import beside_damage
from metrics.progress.standing import Standing
from metrics.statistics.arrays import FloatArray, group_means
from metrics.statistics.quality import ControlTest, control_item_test, share_outdone

FEWEST_PAIRS = 5
_KEPT_SECONDS = 60
_ROW = np.dtype(
    [
        ("original", "i8"),
        ("judgment", "i8"),
        ("annotator", "i8"),
        ("translation", "i8"),
        ("slot", "S2"),
        ("measure", "S50"),
        ("beside", "?"),
        ("value", "f8"),
    ]
)


def failed_controls(campaign: Campaign, standing: Standing) -> dict[int, ControlTest]:
    """By annotator, tests on enough pairs that were not passed; kept for a minute, as long as nothing is archived."""
    known = (
        campaign.pk,
        campaign.created_at.timestamp(),
        standing.archived,
        standing.etag if _is_small(standing) else "",
    )
    key = "failed-controls:" + ":".join(map(str, known))
    tests: dict[int, ControlTest] | None = cache.get(key)
    if tests is None:
        tests = {account: test for account, test in _tests(campaign).items() if _is_failed(test)}
        cache.set(key, tests, _KEPT_SECONDS)
    return tests


def _is_failed(test: ControlTest) -> bool:
    """Who gives every damaged item exactly the score of its original has no p, and fails all the same."""
    could_have_passed = test.is_sufficient or test.difference >= 0
    return test.n >= FEWEST_PAIRS and could_have_passed and not test.is_passed


def _is_small(standing: Standing) -> bool:
    """So little that it may be looked at anew whenever something has changed."""
    return standing.done < 2000


def _tests(campaign: Campaign) -> dict[int, ControlTest]:
    """Damaged texts beside their originals, on the scales of the protocol; two queries.

    As in the analysis of annotators: of several scales the mean, of ranks the share of the others outdone. Where no
    number is asked for, the errors marked are counted, of which a damaged text has more. An output shared by several
    systems counts once. Higher is better in both columns.
    """
    measures = _measures_tested(protocol_for(campaign.protocol, campaign.options).measures)
    planted = Item.objects.filter(kind=ItemKind.DEGRADED, assignment__campaign=campaign)
    damaged = _read(campaign, measures, "original", planted.values("pk"))
    if not damaged.size:
        return {}
    genuine = _read(campaign, measures, "pk", planted.values("original"))
    damaged = damaged[~damaged["beside"]]
    damaged = damaged[np.unique(damaged[["judgment", "slot", "measure"]], return_index=True)[1]]
    own, originals = _side_by_side(damaged, genuine)
    _, first, code = np.unique(own[["judgment", "slot"]], return_index=True, return_inverse=True)
    low, high = (group_means(rows["value"], code, first.size) for rows in (own, originals))
    annotator = own["annotator"][first]
    return {
        int(account): control_item_test(low[annotator == account], high[annotator == account])
        for account in np.unique(annotator)
    }


def _side_by_side(damaged: NDArray[Any], genuine: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Rows of damaged texts that have an original, and the row of the original of each."""
    key = ["original", "translation", "measure"]
    keys, code = np.unique(np.concatenate([damaged[key], genuine[key]]), return_inverse=True)
    place = np.full(keys.size, -1)
    place[code[damaged.size :]] = np.arange(genuine.size)
    found = place[code[: damaged.size]]
    return damaged[found >= 0], genuine[found[found >= 0]]


def _measures_tested(measures: Sequence[Measure]) -> list[Measure]:
    """All scales of segments; where there is none, what stands first (see `control_tests` of the analyses)."""
    of_segments = [measure for measure in measures if measure.level == "segment"]
    scales = [measure for measure in of_segments if math.isfinite(measure.high - measure.low)]
    return scales or of_segments[:1]


def _read(campaign: Campaign, measures: Sequence[Measure], original: str, items: QuerySet[Item, Any]) -> NDArray[Any]:
    """What was answered on the items, each with its genuine item, turned so that higher is better."""
    judgments = Judgment.objects.filter(
        ~Q(item__assignment__status=AssignmentStatus.ARCHIVED),
        item__assignment__campaign=campaign,
        item__in=items,
        is_current=True,
        surplus=False,
        **{f"item__{original}__isnull": False},
    )
    rows = _scores(judgments, measures, original) if measures else _marks(judgments, original)
    found = np.fromiter(rows.iterator(), dtype=_ROW)
    for measure in measures:
        own = found["measure"] == measure.name.encode()
        found["value"][own] = _turned(found[own], measure, is_one_of_many=len(measures) > 1)
    return found


def _scores(judgments: QuerySet[Judgment], measures: Sequence[Measure], original: str) -> QuerySet[Score, Any]:
    named = [measure.name for measure in measures]
    scores = Score.objects.filter(judgment__in=judgments, translation__isnull=False, measure__in=named).order_by()
    return scores.values_list(
        f"judgment__item__{original}",
        "judgment",
        "judgment__annotator",
        "translation",
        "slot",
        "measure",
        Case(When(beside_damage(), then=True), default=False),
        "value",
    )


def _marks(judgments: QuerySet[Judgment], original: str) -> QuerySet[Judgment, Any]:
    """Every text judged, with minus the number of errors marked in it."""
    spans = ErrorSpan.objects.filter(judgment=OuterRef("pk"), translation=OuterRef("item__slots__translation"))
    counted = spans.order_by().values("judgment").annotate(count=Count("pk")).values("count")
    damaged = Slot.objects.filter(item=OuterRef("item"), damaged__isnull=False)
    beside = Q(item__kind=ItemKind.DEGRADED, item__slots__damaged=None) & Q(Exists(damaged))
    judged = judgments.filter(cannot_judge="", item__slots__translation__isnull=False).order_by()
    return judged.values_list(
        f"item__{original}",
        "pk",
        "annotator",
        "item__slots__translation",
        "item__slots__label",
        Value("errors"),
        Case(When(beside, then=True), default=False),
        -Coalesce(Subquery(counted), 0),
    )


def _turned(rows: NDArray[Any], measure: Measure, *, is_one_of_many: bool) -> FloatArray:
    values: FloatArray = rows["value"] if measure.higher_is_better else -rows["value"]
    if measure.is_relative:
        _, first, slot = np.unique(rows[["judgment", "slot"]], return_index=True, return_inverse=True)
        return share_outdone(values[first], rows["judgment"][first])[slot]
    return values / (measure.high - measure.low) if is_one_of_many else values
