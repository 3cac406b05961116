"""Whether annotators notice degraded items, for the overview: computed at most once a minute, from control items."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from django.core.cache import cache
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, TextField, Value, When
from django.db.models.functions import Coalesce

import numpy as np
from numpy.typing import NDArray

from annotation.models import AssignmentStatus, Item, ItemKind, Judgment, Score, Slot, slot_values
from annotation.protocols import protocol_for
from annotation.protocols.base import Measure
from campaigns.models import Campaign
from metrics.derivations import Derivation, JudgedText, derivations_of
from metrics.progress.campaign_state import CampaignState
from metrics.queries import beside_damage
from metrics.statistics.arrays import FloatArray, group_means
from metrics.statistics.quality import ControlTest, control_item_test, share_outdone

FEWEST_PAIRS = 5
MOST_DERIVED = 500  # a formula may take a millisecond a text
_CACHED_SECONDS = 60
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


def failed_controls(campaign: Campaign, state: CampaignState) -> dict[int, ControlTest]:
    """By annotator, tests on enough pairs that were not passed; cached for a minute, as long as nothing is archived."""
    identity = (
        campaign.pk,
        campaign.created_at.timestamp(),
        state.archived,
        state.version if state.done < 2000 else "",  # few judgments: read again after every change
    )
    key = "failed-controls:" + ":".join(map(str, identity))
    tests: dict[int, ControlTest] | None = cache.get(key)
    if tests is None:
        tests = {account: test for account, test in _tests(campaign).items() if _is_failed(test)}
        cache.set(key, tests, _CACHED_SECONDS)
    return tests


def _is_failed(test: ControlTest) -> bool:
    """An annotator who scores every degraded item exactly like its original has no p, and fails."""
    could_have_passed = test.is_sufficient or test.difference >= 0
    return test.n >= FEWEST_PAIRS and could_have_passed and not test.is_passed


def _tests(campaign: Campaign) -> dict[int, ControlTest]:
    """Degraded texts paired with their originals, on what the protocol compares systems by; two queries, or three.

    As in the analysis of annotators: of several scales the mean, of ranks the share of the others outdone; numbers that
    follow by a formula (HTER, a penalty) are computed here for the newest pairs. An output shared by several systems
    counts once. Higher is better in both columns.
    """
    planted = Item.objects.filter(kind=ItemKind.DEGRADED, assignment__campaign=campaign)
    derivation = next((each for each in derivations_of(campaign.protocol) if each.is_main), None)
    if derivation:
        judged = Judgment.objects.filter(item__in=planted, is_current=True).order_by("-pk")
        planted = Item.objects.filter(pk__in=list(judged.values_list("item", flat=True)[:MOST_DERIVED]))
        read = partial(_derived, derivation=derivation)
    else:
        measures = protocol_for(campaign.protocol, campaign.options).measures
        read = partial(_scores, measures=_measures_tested(measures))
    damaged = read(_judgments(campaign, "original", planted.values("pk")), "original")
    if not damaged.size:
        return {}
    genuine = read(_judgments(campaign, "pk", planted.values("original")), "pk")
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
    original = place[code[: damaged.size]]
    return damaged[original >= 0], genuine[original[original >= 0]]


def _measures_tested(measures: Sequence[Measure]) -> list[Measure]:
    """All scales of segments; where there is none, the first measure (see `control_tests` of the analyses)."""
    of_segments = [measure for measure in measures if measure.level == "segment"]
    scales = [measure for measure in of_segments if math.isfinite(measure.high - measure.low)]
    return scales or of_segments[:1]


def _judgments(campaign: Campaign, original: str, items: QuerySet[Item, Any]) -> QuerySet[Judgment]:
    """Those that count on the items, whose genuine item is in the field `original`."""
    return Judgment.objects.filter(
        ~Q(item__assignment__status=AssignmentStatus.ARCHIVED),
        item__assignment__campaign=campaign,
        item__in=items,
        is_current=True,
        surplus=False,
        **{f"item__{original}__isnull": False},
    )


def _scores(judgments: QuerySet[Judgment], original: str, *, measures: Sequence[Measure]) -> NDArray[Any]:
    named = [measure.name for measure in measures]
    scores = Score.objects.filter(judgment__in=judgments, translation__isnull=False, measure__in=named).order_by()
    rows = scores.values_list(
        f"judgment__item__{original}",
        "judgment",
        "judgment__annotator",
        "translation",
        "slot",
        "measure",
        Case(When(beside_damage(), then=True), default=False),
        "value",
    )
    table = np.fromiter(rows.iterator(), dtype=_ROW)
    for measure in measures:
        own = table["measure"] == measure.name.encode()
        table["value"][own] = _turned(table[own], measure, is_one_of_many=len(measures) > 1)
    return table


def _derived(judgments: QuerySet[Judgment], original: str, *, derivation: Derivation) -> NDArray[Any]:
    """What follows from the answers on every text shown, turned so that higher is better."""
    damaged = Slot.objects.filter(item=OuterRef("item"), damaged__isnull=False)
    beside = Q(item__kind=ItemKind.DEGRADED, item__slots__damaged=None) & Q(Exists(damaged))
    judged = judgments.filter(cannot_judge="", item__slots__translation__isnull=False).order_by()
    rows = list(
        judged.values_list(
            f"item__{original}",
            "pk",
            "annotator",
            "item__slots__translation",
            "item__slots__label",
            Value(derivation.measure.name),
            Case(When(beside, then=True), default=False),
            "answer",
            Coalesce("item__slots__damaged", "item__slots__translation__text", Value("", TextField())),
        )
    )
    values = derivation.derive([JudgedText(shown, slot_values(answer, row[4])) for *row, answer, shown in rows])
    sign = 1.0 if derivation.measure.higher_is_better else -1.0
    derived_rows = [
        (*row[:-2], sign * derived.value) for row, derived in zip(rows, values, strict=True) if derived is not None
    ]
    return np.array(derived_rows, dtype=_ROW)


def _turned(rows: NDArray[Any], measure: Measure, *, is_one_of_many: bool) -> FloatArray:
    values: FloatArray = rows["value"] if measure.higher_is_better else -rows["value"]
    if measure.is_relative:
        _, first, slot = np.unique(rows[["judgment", "slot"]], return_index=True, return_inverse=True)
        return share_outdone(values[first], rows["judgment"][first])[slot]
    return values / (measure.high - measure.low) if is_one_of_many else values
