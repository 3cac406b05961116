"""The judgments of each output of a campaign: their number, mean and spread."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Avg, Count, Max, Min, QuerySet

import numpy as np

from annotation.models import Exclusion, Score
from annotation.protocols.base import Measure
from campaigns.models import Campaign, Segment, Translation
from metrics.analyses.preferences import pairs_on_screens
from metrics.derivations import measures_of
from metrics.matrices import IS_TEXT_KNOWN, shown_texts
from metrics.models import DerivedScore
from metrics.queries import regular_scores
from metrics.statistics.arrays import FloatArray, IntArray, group_means

_ROWS_AT_ONCE = 10_000


@dataclass(frozen=True)
class Outputs:
    """The campaign's outputs in the order of the texts, then of systems' names; `segment` counts from 0."""

    translation: IntArray
    segment: IntArray
    system: IntArray
    systems: tuple[str, ...]
    segment_ids: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.translation)


@dataclass(frozen=True)
class Judged:
    """The judgments of each output: their number, mean (higher is better) and spread."""

    count: IntArray
    mean: FloatArray
    natural_mean: FloatArray
    spread: FloatArray


def outputs_of(campaign: Campaign) -> Outputs:
    segments = list(
        Segment.objects.filter(document__test_set=campaign.test_set_id)
        .order_by("document__position", "position")
        .values_list("pk", flat=True)
    )
    column = {key: place for place, key in enumerate(segments)}
    systems = dict(campaign.systems.order_by("name").values_list("pk", "name"))
    rows = (
        Translation.objects.filter(system__in=systems)
        .order_by("segment__document__position", "segment__position", "system__name")
        .values_list("pk", "segment_id", "system_id")
    )
    outputs = [(key, column[segment], system) for key, segment, system in rows.iterator(_ROWS_AT_ONCE)]
    table = np.array(outputs, dtype=np.int64).reshape(-1, 3)
    names = tuple(systems[key] for key in table[:, 2].tolist())
    return Outputs(table[:, 0], table[:, 1], table[:, 2], names, tuple(segments))


def judged_outputs(campaign: Campaign, measures: list[tuple[Measure, str | None]], outputs: Outputs) -> Judged:
    """The spread is highest minus lowest, the widest of the measures; of preferences see `preference_spreads`.

    Judgments of whole documents are stored with the first segment of each, without a mean: a metric's score of that
    segment is not comparable.
    """
    judged = Judged(np.zeros(len(outputs), dtype=np.int64), *(np.full(len(outputs), np.nan) for _column in range(3)))
    if measures and measures[0][0].level == "document":
        _add_documents(judged, campaign, measures[0][0], outputs)
        return judged
    for number, (measure, derived_by) in enumerate(measures):
        _add(judged, campaign, measure, derived_by, outputs, is_first=number == 0)
    if measures and measures[0][0].is_relative:
        _add_preferences(judged, campaign, measures[0][0], outputs)
    return judged


def preference_spreads(
    judgment: IntArray, shown: IntArray, output: IntArray, values: FloatArray, *, n_outputs: int
) -> FloatArray:
    """How many places apart annotators put each output, whatever else was on their screens; (n_outputs,).

    Rows are outputs on screens (`judgment`), better is higher. Two outputs are compared where they are on one screen
    as different texts (`shown`): 1, 0 (a tie) or -1. Half of highest minus lowest, added up over those an output was
    compared with twice or more: of two annotators who order the same outputs without ties and differ on all of it, the
    difference of places. NaN where nothing was compared twice.
    """
    first, second = pairs_on_screens(judgment, shown)
    is_turned = output[first] > output[second]
    low, high = np.where(is_turned, second, first), np.where(is_turned, first, second)
    outcome = np.sign(values[low] - values[high])
    pair, code, count = np.unique(output[low] * n_outputs + output[high], return_inverse=True, return_counts=True)
    best, worst = np.full(pair.size, -1.0), np.full(pair.size, 1.0)
    np.maximum.at(best, code, outcome)
    np.minimum.at(worst, code, outcome)
    twice = count > 1
    apart, spread, compared = (best - worst)[twice] / 2, np.zeros(n_outputs), np.zeros(n_outputs, dtype=np.bool_)
    for side in (pair[twice] // n_outputs, pair[twice] % n_outputs):
        np.add.at(spread, side, apart)
        compared[side] = True
    return np.where(compared, spread, np.nan)


def _add(
    judged: Judged, campaign: Campaign, measure: Measure, derived_by: str | None, outputs: Outputs, *, is_first: bool
) -> None:
    place = {key: row for row, key in enumerate(outputs.translation.tolist())}
    counted = _counted(campaign, measure, derived_by).filter(translation__isnull=False)
    for translation, judgments, low, high, average in _grouped(counted.values_list("translation_id")):
        row = place.get(translation)
        if row is None:
            continue
        if judgments > 1:
            judged.spread[row] = np.fmax(judged.spread[row], high - low)
        if is_first:
            judged.count[row], judged.natural_mean[row] = judgments, average
            judged.mean[row] = average if measure.higher_is_better else -average


def _add_documents(judged: Judged, campaign: Campaign, measure: Measure, outputs: Outputs) -> None:
    own = Segment.objects.filter(document__test_set=campaign.test_set_id).order_by("document", "-position")
    heads = dict(own.values_list("document_id", "pk"))
    segments = [outputs.segment_ids[column] for column in outputs.segment.tolist()]
    place = {key: row for row, key in enumerate(zip(segments, outputs.system.tolist(), strict=True))}
    counted = _counted(campaign, measure, None).filter(document__isnull=False)
    for document, system, judgments, low, high, average in _grouped(counted.values_list("document_id", "system_id")):
        row = place.get((heads.get(document), system))
        if row is None:
            continue
        if judgments > 1:
            judged.spread[row] = high - low
        judged.count[row], judged.natural_mean[row] = judgments, average


def _add_preferences(judged: Judged, campaign: Campaign, measure: Measure, outputs: Outputs) -> None:
    """A place depends on the rest of the screen: the mean is that of an output's comparisons (1, 0 or -1)."""
    place = {key: row for row, key in enumerate(outputs.translation.tolist())}
    counted = _counted(campaign, measure, None).filter(translation__isnull=False).order_by("judgment_id")
    names = ("judgment_id", "slot", "translation_id", IS_TEXT_KNOWN, "value")
    slots: dict[tuple[int, str], int] = {}
    rows = [
        (judgment, slots.setdefault((judgment, slot), len(slots)), place[key], known, value)
        for judgment, slot, key, known, value in counted.values_list(*names).iterator(_ROWS_AT_ONCE)
        if key in place
    ]
    table = np.array(rows, dtype=np.float64).reshape(-1, 5)
    judgment, slot, output, known = table[:, :4].astype(np.int64).T
    shown = shown_texts(slot, known.astype(np.bool_))
    values = table[:, 4] if measure.higher_is_better else -table[:, 4]
    judged.spread[:] = preference_spreads(judgment, shown, output, values, n_outputs=len(outputs))
    first, second = pairs_on_screens(judgment, shown)
    outcome = np.sign(values[first] - values[second])
    sides = np.concatenate([output[first], output[second]])
    judged.mean[:] = group_means(np.concatenate([outcome, -outcome]), sides, len(outputs))


def _counted(campaign: Campaign, measure: Measure, derived_by: str | None) -> QuerySet[Any]:
    rows: QuerySet[Any] = (
        Score.objects.all() if derived_by is None else DerivedScore.objects.filter(signature=derived_by)
    )
    excluded = Exclusion.objects.filter(campaign=campaign, lifted_at=None).values("annotator")
    return regular_scores(rows, campaign, measure.name).exclude(judgment__annotator__in=excluded).order_by()


def _grouped(rows: QuerySet[Any]) -> Iterator[tuple[Any, ...]]:
    """The grouping columns, then number, lowest, highest and mean of the values."""
    yield from rows.annotate(Count("pk"), Min("value"), Max("value"), Avg("value")).iterator(_ROWS_AT_ONCE)


def compared_measures(campaign: Campaign) -> list[tuple[Measure, str | None]]:
    """The first measure of segments, and those on the same scale, where it has two ends; each with its formula.

    Without measures of segments, the first of documents.
    """
    of_campaign = [(measure, by) for measure, by in measures_of(campaign) if not measure.is_count]
    measures = [(measure, by) for measure, by in of_campaign if measure.level == "segment"] or of_campaign[:1]
    if not measures:
        return []
    first = measures[0][0]
    is_bounded = math.isfinite(first.low) and math.isfinite(first.high)
    alike = [each for each in measures[1:] if is_bounded and (each[0].low, each[0].high) == (first.low, first.high)]
    return [measures[0], *alike]
