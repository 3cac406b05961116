"""Whether annotators notice degraded items, for the overview: computed at most once a minute, from control items."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.core.cache import cache
from django.db import connection
from django.db.models import Case, Exists, OuterRef, Q, TextField, Value, When
from django.db.models.functions import Coalesce

import numpy as np
from numpy.typing import NDArray

from annotation.models import AssignmentStatus, ControlScore, ItemKind, Judgment, Slot, slot_values
from annotation.protocols import protocol_for
from annotation.protocols.base import Measure
from campaigns.models import Campaign
from metrics.columns import read_columns
from metrics.derivations import Derivation, JudgedText, derivations_of
from metrics.progress.campaign_state import CampaignState
from metrics.statistics.arrays import FloatArray, group_means
from metrics.statistics.quality import ControlTest, control_item_test, share_outdone

FailedControls = dict[int, ControlTest]

FEWEST_PAIRS = 5
MOST_DERIVED = 500  # a formula may take a millisecond a text
_CACHED_SECONDS = 60
# PostgreSQL would read the control items of all campaigns; of an array of assignments it looks up each one's own.
_OF_CAMPAIGNS = {
    "postgresql": "= ANY(ARRAY(SELECT id FROM annotation_assignment WHERE campaign_id IN ({campaigns})))",
    "sqlite": "IN (SELECT id FROM annotation_assignment WHERE campaign_id IN ({campaigns}))",
}
_NEWEST = f"""
    SELECT item, original FROM (
        SELECT i.id AS item, i.original_id AS original,
            ROW_NUMBER() OVER (PARTITION BY a.campaign_id ORDER BY j.id DESC) AS place
        FROM annotation_item i JOIN annotation_assignment a ON a.id = i.assignment_id
        JOIN annotation_judgment j ON j.item_id = i.id
        WHERE NOT (i.kind = '{ItemKind.REGULAR}') AND i.kind = '{ItemKind.DEGRADED}' AND i.original_id IS NOT NULL
            AND j.is_current AND i.assignment_id {{own}}
    ) AS judged WHERE place <= %s"""  # noqa: S608 - of our own names
_ROW = np.dtype(
    [
        ("campaign", "i8"),
        ("original", "i8"),
        ("judgment", "i8"),
        ("annotator", "i8"),
        ("translation", "i8"),
        ("slot", "S2"),
        ("measure", "S50"),
        ("is_damaged", "?"),
        ("beside", "?"),
        ("value", "f8"),
    ]
)


def failed_controls(campaigns: Sequence[Campaign], states: Mapping[int, CampaignState]) -> dict[int, FailedControls]:
    """By campaign and annotator, tests on enough pairs that were not passed.

    Cached for a minute, as long as nothing is archived. At most three queries, however many campaigns.
    """
    keys = {each.pk: _key(each, states[each.pk]) for each in campaigns}
    cached: dict[str, FailedControls] = cache.get_many(keys.values())
    unread = [each for each in campaigns if keys[each.pk] not in cached]
    failed = {
        campaign: {account: test for account, test in tests.items() if _is_failed(test)}
        for campaign, tests in _tests_of(unread).items()
    }
    cache.set_many({keys[campaign]: tests for campaign, tests in failed.items()}, _CACHED_SECONDS)
    return {campaign: failed[campaign] if campaign in failed else cached[key] for campaign, key in keys.items()}


def _key(campaign: Campaign, state: CampaignState) -> str:
    identity = (
        campaign.pk,
        campaign.created_at.timestamp(),
        state.archived,
        state.version if state.done < 2000 else "",  # few judgments: read again after every change
    )
    return "failed-controls:" + ":".join(map(str, identity))


def _is_failed(test: ControlTest) -> bool:
    """An annotator who scores every degraded item exactly like its original has no p, and fails."""
    could_have_passed = test.is_sufficient or test.difference >= 0
    return test.n >= FEWEST_PAIRS and could_have_passed and not test.is_passed


def _tests_of(campaigns: Sequence[Campaign]) -> dict[int, dict[int, ControlTest]]:
    """By campaign and annotator, on what the protocol compares systems by.

    Numbers that follow by a formula (HTER, a penalty) are computed here for the newest pairs of each campaign.
    """
    tests: dict[int, dict[int, ControlTest]] = {campaign.pk: {} for campaign in campaigns}
    formulas = {
        campaign.pk: next((each for each in derivations_of(campaign.protocol) if each.is_main), None)
        for campaign in campaigns
    }
    derived = {campaign: formula for campaign, formula in formulas.items() if formula}
    measures = {
        campaign.pk: _measures_tested(protocol_for(campaign.protocol, campaign.options).measures)
        for campaign in campaigns
        if campaign.pk not in derived
    }
    if measures:
        _add_tests(tests, _scores(measures))
    if derived:
        _add_tests(tests, _derived(_newest(list(derived)), derived))
    return tests


def _newest(campaigns: Sequence[int]) -> dict[int, int]:
    """Those judged last in each campaign, with their originals."""
    own = _OF_CAMPAIGNS[connection.vendor].format(campaigns=", ".join(["%s"] * len(campaigns)))
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST.format(own=own), [*campaigns, MOST_DERIVED])
        return dict(cursor.fetchall())


def _add_tests(tests: dict[int, dict[int, ControlTest]], rows: NDArray[Any]) -> None:
    damaged, genuine = rows[rows["is_damaged"]], rows[~rows["is_damaged"]]
    for campaign in np.unique(damaged["campaign"]).tolist():
        tests[campaign] = _tests(damaged[damaged["campaign"] == campaign], genuine[genuine["campaign"] == campaign])


def _tests(damaged: NDArray[Any], genuine: NDArray[Any]) -> dict[int, ControlTest]:
    """Degraded texts of a campaign paired with their originals.

    As in the analysis of annotators: of several scales the mean, of ranks the share of the others outdone. An output
    shared by several systems counts once. Higher is better in both columns.
    """
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


def _scores(measures: Mapping[int, Sequence[Measure]]) -> NDArray[Any]:
    """Of each campaign its own measures: the scores that are kept with the judgments."""
    named = {measure.name for own in measures.values() for measure in own}
    if not named:  # all of them ask about whole documents
        return np.empty(0, dtype=_ROW)
    kept = ControlScore.objects.filter(campaign__in=measures, measure__in=named).order_by()
    columns = ("campaign_id", "original", "judgment_id", "annotator_id", "translation", "slot", "measure")
    table = read_columns(kept.values_list(*columns, "is_damaged", "is_beside", "value"), _ROW)
    is_tested = np.zeros(table.size, dtype=np.bool_)
    for campaign, of_campaign in measures.items():
        for measure in of_campaign:
            own = (table["campaign"] == campaign) & (table["measure"] == measure.name.encode())
            table["value"][own] = _turned(table[own], measure, is_one_of_many=len(of_campaign) > 1)
            is_tested |= own
    return table[is_tested]


def _derived(planted: Mapping[int, int], formulas: Mapping[int, Derivation]) -> NDArray[Any]:
    """What follows from the answers on every text shown of these degraded items, and of their originals (by item).

    Turned so that higher is better.
    """
    damaged = Slot.objects.filter(item=OuterRef("item"), damaged__isnull=False)
    beside = Q(item__kind=ItemKind.DEGRADED, item__slots__damaged=None) & Q(Exists(damaged))
    judged = Judgment.objects.filter(
        ~Q(item__assignment__status=AssignmentStatus.ARCHIVED),
        item__in=[*planted, *planted.values()],
        is_current=True,
        surplus=False,
        cannot_judge="",
        item__slots__translation__isnull=False,
    ).order_by()
    rows = judged.values_list(
        "item__assignment__campaign",
        "item",
        "pk",
        "annotator",
        "item__slots__translation",
        "item__slots__label",
        Case(When(beside, then=True), default=False),
        "answer",
        Coalesce("item__slots__damaged", "item__slots__translation__text", Value("", TextField())),
    )
    by_campaign = defaultdict(list)
    for row in rows:
        by_campaign[row[0]].append(row)
    table = [row for campaign, own in by_campaign.items() for row in _values(own, formulas[campaign], planted)]
    return np.array(table, dtype=_ROW)


def _values(rows: list[tuple[Any, ...]], formula: Derivation, planted: Mapping[int, int]) -> Iterator[tuple[Any, ...]]:
    """The rows of one campaign, with its measure and value in place of the answer and the text."""
    sign = 1.0 if formula.measure.higher_is_better else -1.0
    values = formula.derive([JudgedText(shown, slot_values(answer, row[5])) for *row, answer, shown in rows])
    for (campaign, item, *row, beside, _answer, _shown), derived in zip(rows, values, strict=True):
        if derived is not None:
            original = planted.get(item, item)
            own = (formula.measure.name, item in planted, beside, sign * derived.value)
            yield (campaign, original, *row, *own)


def _turned(rows: NDArray[Any], measure: Measure, *, is_one_of_many: bool) -> FloatArray:
    values: FloatArray = rows["value"] if measure.higher_is_better else -rows["value"]
    if measure.is_relative:
        _, first, slot = np.unique(rows[["judgment", "slot"]], return_index=True, return_inverse=True)
        return share_outdone(values[first], rows["judgment"][first])[slot]
    return values / (measure.high - measure.low) if is_one_of_many else values
