"""Whether annotators notice damaged items, as far as the overview needs it: a look a minute, control items alone."""

from django.core.cache import cache
from django.db.models import OuterRef, Q, Subquery

import numpy as np

from annotation.models import AssignmentStatus, ItemKind, Score
from annotation.protocols import protocol_for
from campaigns.models import Campaign
from metrics.progress.standing import Standing
from metrics.statistics.quality import ControlTest, control_item_test

FEWEST_PAIRS = 5
_KEPT_SECONDS = 60
_PAIR = np.dtype([("judgment", "i8"), ("slot", "S2"), ("annotator", "i8"), ("damaged", "f8"), ("genuine", "f8")])


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
    """Damaged items beside their originals, on the first measure of the protocol; one query.

    An output shared by several systems counts once. Higher is better in both columns.
    """
    measure = protocol_for(campaign.protocol, campaign.options).measures[0]
    counts = Q(judgment__is_current=True, judgment__surplus=False, measure=measure.name)
    genuine = Score.objects.filter(
        counts, judgment__item=OuterRef("judgment__item__original"), translation=OuterRef("translation")
    )
    rows = (
        Score.objects.filter(
            counts,
            ~Q(judgment__item__assignment__status=AssignmentStatus.ARCHIVED),
            judgment__item__assignment__campaign=campaign,
            judgment__item__kind=ItemKind.DEGRADED,
        )
        .annotate(genuine=Subquery(genuine.values("value")[:1]))
        .filter(genuine__isnull=False)
        .order_by()
        .values_list("judgment", "slot", "judgment__annotator", "value", "genuine")
    )
    pairs = np.fromiter(rows.iterator(), dtype=_PAIR)
    pairs = pairs[np.unique(pairs[["judgment", "slot"]], return_index=True)[1]]
    sign = 1.0 if measure.higher_is_better else -1.0
    return {
        int(account): control_item_test(sign * own["damaged"], sign * own["genuine"])
        for account in np.unique(pairs["annotator"])
        if (own := pairs[pairs["annotator"] == account]) is not None
    }
