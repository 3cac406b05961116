"""The run `disagreement`: for every output, how far its judgments are apart, and how far metrics are from people."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db import connection, transaction
from django.utils.translation import gettext as _

import numpy as np

from annotation.models import Exclusion
from annotation.protocols.base import Measure
from campaigns.models import Campaign, Segment, TestSet
from campaigns.queries import systems_of
from jobs.models import Run, RunStatus
from jobs.run_kinds import InvalidRun, OnProgress, RunFailed, RunKind
from metrics import VERSION
from metrics.actions.deriving import derive_scores
from metrics.models import Disagreement, ImportedScores
from metrics.scoring.names import is_scoring_metric, known_names
from metrics.scoring.reading import read_metric_scores
from metrics.scoring.texts import systems_that_are_references
from metrics.segments.judged import Judged, Outputs, compared_measures, judged_outputs, outputs_of
from metrics.statistics.arrays import FloatArray, IntArray, midranks, or_none

KIND = "disagreement"
_AT_ONCE = 1_000
_ROWS_AT_ONCE = 10_000
_LOOKED_AT = 400  # rows of each index, from which SQLite concludes
_MOST_NAMES = 200


@dataclass(frozen=True)
class Scored:
    """One metric's value of each output, in its own units; with `sign`, higher is better."""

    name: str
    sign: int
    values: FloatArray


def perform_disagreement(run: Run, report: OnProgress) -> dict[str, Any]:
    """Regular judgments that count, of annotators who are not left out, by the campaign's first measure.

    `judged_outputs` defines the spread. The rows of the newest finished run stay until this one has finished.
    """
    if run.campaign is None:
        raise RunFailed("The campaign of this computation is gone.")
    campaign = run.campaign
    measures = compared_measures(campaign)
    if any(formula for _measure, formula in measures):
        derive_scores(campaign, on_progress=lambda share, note="": report(0.2 * share, note))
    outputs = outputs_of(campaign)
    judged = judged_outputs(campaign, measures, outputs)
    report(0.4)
    scored = _metric_scores(campaign, outputs, run.arguments.get("metric"))
    gap = metric_gap(judged.mean, [metric.sign * metric.values for metric in scored])
    report(0.6)
    _forget_older(run, campaign)
    rows = [*_segment_rows(run, outputs, judged, gap), *_output_rows(run, outputs, judged, gap, scored)]
    for done in _stored(rows):
        report(0.6 + 0.4 * done / max(len(rows), 1))
    excluded = Exclusion.objects.filter(campaign=campaign, lifted_at=None).count()
    return {
        "measure": measures[0][0].name if measures else None,
        "segments": len(outputs.segment_ids),
        "outputs": len(outputs),
        "judgments": int(judged.count.sum()),
        "metrics": [metric.name for metric in scored],
        "systems": list(systems_of(campaign).order_by("name").values_list("name", flat=True)),
        "documents": list(campaign.test_set.documents.values_list("name", flat=True)[:_MOST_NAMES]),
        "domains": _domains(campaign),
        "tags": _tags(campaign),
        "signature": _signature(campaign, measures, [metric.name for metric in scored], excluded),
    }


def metric_gap(people: FloatArray, metrics: Sequence[FloatArray]) -> FloatArray:
    """By what share of the outputs metrics place each one higher than people do, between -1 and 1.

    Both sides, higher is better, become places among the outputs that people and the metric have scored (0 the worst,
    1 the best, equal ones share a place); of several metrics the mean of their places is taken. NaN where a side is
    missing.
    """
    differences = []
    for values in metrics:
        both = ~np.isnan(people) & ~np.isnan(values)
        difference = np.full(people.size, np.nan)
        if both.sum() > 1:
            difference[both] = (midranks(values[both])[0] - midranks(people[both])[0]) / (both.sum() - 1)
        differences.append(difference)
    if not differences:
        return np.full(people.size, np.nan)
    stacked = np.vstack(differences)
    known = (~np.isnan(stacked)).sum(axis=0)
    with np.errstate(invalid="ignore"):
        return np.where(known > 0, np.nansum(stacked, axis=0) / known, np.nan)


def _metric_scores(campaign: Campaign, outputs: Outputs, only: str | None) -> list[Scored]:
    """Of the metrics that have scored any output; none is used for a translation that is its own reference."""
    scores = read_metric_scores(campaign.test_set, metrics=None if only is None else [only])
    column = {key: place for place, key in enumerate(scores.segment_ids)}
    row = {name: place for place, name in enumerate(scores.systems)}
    columns = np.array([column[key] for key in outputs.segment_ids], dtype=np.int64)[outputs.segment]
    rows = np.array([row[name] for name in outputs.systems], dtype=np.int64)
    scored: list[Scored] = []
    own_references = {
        names: systems_that_are_references(campaign.test_set, names)
        for names in {metric.references for metric in scores.metrics}
    }
    for metric in scores.metrics:
        values = metric.segments[rows, columns]
        values[[name in own_references[metric.references] for name in outputs.systems]] = np.nan
        scored.append(Scored(metric.name, metric.sign, values))
    return [metric for metric in scored if not np.isnan(metric.values).all()]


def _forget_older(run: Run, campaign: Campaign) -> None:
    """Rows of runs that a newer one has replaced, or that never ended; pages read those of the newest that is done."""
    done = Run.objects.filter(campaign=campaign, kind=KIND, status=RunStatus.DONE, arguments=run.arguments)
    newest = done.order_by("-created_at", "-pk").values_list("pk", flat=True).first()
    mine = Run.objects.filter(campaign=campaign, kind=KIND, arguments=run.arguments)
    for old in mine.exclude(pk=newest or 0).values_list("pk", flat=True):
        Disagreement.objects.filter(run=old).delete()


def _segment_rows(run: Run, outputs: Outputs, judged: Judged, gap: FloatArray) -> list[Disagreement]:
    n_segments = len(outputs.segment_ids)
    count = np.bincount(outputs.segment, weights=judged.count, minlength=n_segments).astype(np.int64)
    spread = _widest(judged.spread, outputs.segment, n_segments)
    widest = _widest_signed(gap, outputs.segment, n_segments)
    places = orders(spread, widest)
    return [
        Disagreement(
            run=run,
            segment_id=segment,
            judgments=int(count[row]),
            spread=or_none(spread[row]),
            metric_gap=or_none(widest[row]),
            **{name: int(place[row]) for name, place in places.items()},
        )
        for row, segment in enumerate(outputs.segment_ids)
    ]


def _output_rows(
    run: Run, outputs: Outputs, judged: Judged, gap: FloatArray, scored: Sequence[Scored]
) -> list[Disagreement]:
    places = orders(judged.spread, gap)
    return [
        Disagreement(
            run=run,
            segment_id=outputs.segment_ids[segment],
            system_id=int(outputs.system[row]),
            judgments=int(judged.count[row]),
            mean=or_none(judged.natural_mean[row]),
            spread=or_none(judged.spread[row]),
            metric_gap=or_none(gap[row]),
            metrics={each.name: float(each.values[row]) for each in scored if not np.isnan(each.values[row])},
            **{name: int(place[row]) for name, place in places.items()},
        )
        for row, segment in enumerate(outputs.segment.tolist())
    ]


def orders(spread: FloatArray, gap: FloatArray) -> dict[str, IntArray]:
    """The number of each row, from 1, by spread, by metric gap, and by its place in the texts."""
    wide, apart = np.nan_to_num(spread, nan=-1.0), np.nan_to_num(np.abs(gap), nan=-1.0)
    text = np.arange(spread.size)
    return {
        "by_spread": _numbered(np.lexsort([text, -apart, -wide])),
        "by_gap": _numbered(np.lexsort([text, -wide, -apart])),
        "by_text": text + 1,
    }


def _numbered(order: IntArray) -> IntArray:
    place = np.empty(order.size, dtype=np.int64)
    place[order] = np.arange(1, order.size + 1)
    return place


def _widest(values: FloatArray, groups: IntArray, n_groups: int) -> FloatArray:
    widest = np.full(n_groups, -np.inf)
    np.maximum.at(widest, groups, np.where(np.isnan(values), -np.inf, values))
    return np.where(np.isinf(widest), np.nan, widest)


def _widest_signed(values: FloatArray, groups: IntArray, n_groups: int) -> FloatArray:
    up, down = _widest(values, groups, n_groups), -_widest(-values, groups, n_groups)
    return np.where(np.abs(down) > np.abs(up), down, up)


def _stored(rows: list[Disagreement]) -> Iterator[int]:
    """In short batches, so that judging is not blocked."""
    left, done = iter(rows), 0
    while batch := list(islice(left, _AT_ONCE)):
        with transaction.atomic():
            Disagreement.objects.bulk_create(batch)
        done += len(batch)
        yield done
    _look_at_sizes()


def _look_at_sizes() -> None:
    """SQLite does not by itself, and walked through all outputs for a search; PostgreSQL does a minute later."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"PRAGMA analysis_limit = {_LOOKED_AT}")
        cursor.execute("ANALYZE metrics_disagreement")


def _domains(campaign: Campaign) -> list[str]:
    segments = Segment.objects.filter(document__test_set=campaign.test_set_id).order_by()
    names = {*segments.values_list("domain", flat=True).distinct()}
    names |= {*segments.values_list("document__domain", flat=True).distinct()}
    return sorted(names - {""})[:_MOST_NAMES]


def _tags(campaign: Campaign) -> list[str]:
    rows = Segment.objects.filter(document__test_set=campaign.test_set_id).exclude(tags=[])
    names = {str(tag) for tags in rows.values_list("tags", flat=True).iterator(_ROWS_AT_ONCE) for tag in tags}
    return sorted(names)[:_MOST_NAMES]


def _signature(
    campaign: Campaign, measures: list[tuple[Measure, str | None]], metrics: Sequence[str], excluded: int
) -> str:
    is_relative = any(measure.is_relative for measure, _by in measures)
    names = "+".join(measure.name for measure, _by in measures)
    parts = {
        "protocol": campaign.protocol,
        "spread": f"{names},{'places-apart,pairs' if is_relative else 'highest-lowest'}",
        "formula": ",".join(by.replace("|", ",") for _measure, by in measures if by) or None,
        "rows": "regular",
        "surplus": "no",
        "excluded": excluded,
        "metrics": "+".join(metrics) or "none",
        "version": f"assay-{VERSION}",
    }
    return "|".join(f"{name}:{value}" for name, value in parts.items() if value is not None)


def _check(arguments: Mapping[str, Any]) -> dict[str, Any]:
    metric = arguments.get("metric")
    if set(arguments) - {"metric"} or not (metric is None or isinstance(metric, str)):
        raise InvalidRun("Disagreement is looked for with one argument at most: metric, a name.")
    return {"metric": metric or None}


def _check_for(arguments: Mapping[str, Any], campaign: Campaign | None, _test_set: TestSet | None) -> None:
    name = arguments["metric"]
    if campaign is None or name is None or is_scoring_metric(name):
        return
    imported = ImportedScores.objects.filter(test_set=campaign.test_set_id, is_whole=True)
    others = sorted(set(imported.values_list("metric", flat=True)))
    if name not in others:
        known = ", ".join([*known_names(), *others])
        raise InvalidRun(_("Unknown metric “%(name)s”. Allowed: %(known)s.") % {"name": name, "known": known})


DISAGREEMENT = RunKind(_check, perform_disagreement, check_for=_check_for, needs_campaign=True)
