"""MQM and ESA of the same WMT23 translations side by side, against numpy and scipy on the published files."""

import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from annotation.models import Assignment, Item, Judgment, Score
from campaigns.models import Account, Campaign, Segment, Translation
from exchange.judgment_files import import_judgments
from jobs.actions import perform_now
from metrics.analysis_runs import USUAL
from metrics.comparison import compare_campaigns
from metrics.comparison.results import Comparison, StandingOfSystem
from metrics.results.values import Missing
from tests.metrics.real_campaigns import real_case

pytestmark = [pytest.mark.real_data, pytest.mark.django_db]
AT = datetime(2026, 11, 4, 10, 0, tzinfo=UTC)
ANNOTATORS = 3
IN_BOTH = 13 * 156
Scores = dict[str, list[float]]
InBoth = tuple[list[str], NDArray[np.float64], NDArray[np.float64]]


def scores_of(path: Path) -> Scores:
    """One list a system, a number for each segment in the order of the test set; NaN where there is none."""
    scores: Scores = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        system, score = line.split("\t")
        scores.setdefault(system, []).append(np.nan if score == "None" else float(score))
    return scores


@pytest.fixture
def mqm_file() -> Path:
    return real_case("metrics-wmt23-ende") / "wmt23" / "human-scores" / "en-de.mqm.seg.score"


@pytest.fixture
def esa() -> Scores:
    return scores_of(real_case("esa-wmt23-ende") / "en-de.ESA-1.seg.score")


@pytest.fixture
def mqm_campaign(mqm_file: Path) -> Campaign:
    return import_judgments(mqm_file, format="mt-metrics-eval", name="MQM").campaign


def add_esa(beside: Campaign, scores: Scores) -> Campaign:
    """Another campaign on the same texts; its annotators, of whom one is the other's too, take turns by document."""
    campaign = Campaign.objects.create(name="ESA", slug="esa", test_set=beside.test_set, protocol="esa")
    campaign.systems.set(beside.systems.all())
    people = [Account.objects.get(assignments__campaign=beside)]
    people += [Account.objects.create(username=f"esa-{number}") for number in range(1, ANNOTATORS)]
    assignments = [
        Assignment.objects.create(campaign=campaign, annotator=person, position=place, total=1, status="open")
        for place, person in enumerate(people, start=1)
    ]
    segments = list(
        Segment.objects.filter(document__test_set=beside.test_set)
        .select_related("document")
        .order_by("document__position", "position")
    )
    texts = {
        (system, segment): key
        for key, system, segment in Translation.objects.filter(segment__in=segments).values_list(
            "pk", "system__name", "segment"
        )
    }
    rows = [
        (segment, texts[system, segment.pk], values[place])
        for system, values in scores.items()
        for place, segment in enumerate(segments)
        if not np.isnan(values[place])
    ]
    items = Item.objects.bulk_create(
        Item(
            assignment=assignments[(segment.document.position - 1) % ANNOTATORS],
            position=number,
            document=segment.document,
            segment=segment,
            revision=1,
        )
        for number, (segment, _text, _value) in enumerate(rows)
    )
    judgments = Judgment.objects.bulk_create(
        Judgment(
            item=item,
            annotator=item.assignment.annotator,
            revision=1,
            client_id=uuid.uuid4(),
            answer={},
            submitted_at=AT,
        )
        for item in items
    )
    Score.objects.bulk_create(
        Score(judgment=judgment, slot="A", measure="score", value=value, translation_id=text)
        for judgment, (_segment, text, value) in zip(judgments, rows, strict=True)
    )
    return campaign


def rank(campaign: Campaign) -> None:
    """As the usual run has it, of fewer resamples."""
    options = {"resamples": 200, "interval_resamples": 100}
    run = perform_now(kind="analysis", campaign=campaign, arguments={"analyses": ["ranking"], "options": options})
    assert run.status == "done", run.error
    run.arguments = USUAL
    run.save()


def test_mqm_and_esa_of_wmt23_agree_as_the_files_say(mqm_campaign: Campaign, mqm_file: Path, esa: Scores) -> None:
    other = add_esa(mqm_campaign, esa)
    rank(mqm_campaign)
    rank(other)
    comparison = compare_campaigns(mqm_campaign, other)
    in_both = read_both(mqm_file, esa)
    check_outputs(comparison, in_both)
    check_within_segments(comparison, in_both)
    check_systems(comparison, in_both)
    check_direction(comparison, in_both)
    assert (comparison.first.annotators, comparison.second.annotators) == (1, ANNOTATORS)
    shared = comparison.annotators
    assert (shared.both, shared.either) == (1, ANNOTATORS)
    assert shared.share == pytest.approx(1 / 3)


def read_both(mqm_file: Path, esa: Scores) -> InBoth:
    """Names, and the scores as published (higher is better), (n_systems, n_segments)."""
    mqm, names = scores_of(mqm_file), sorted(esa)
    return names, np.array([mqm[name] for name in names]), np.array([esa[name] for name in names])


def test_texts_are_those_of_the_files_and_no_segment_is_lost(
    mqm_campaign: Campaign, mqm_file: Path, esa: Scores
) -> None:
    """Sources that ended in blanks once lost their segments: every line has to be found under its own place."""
    lines = (mqm_file.parents[1] / "sources" / "en-de.txt").read_text(encoding="utf-8").split("\n")
    stored = Segment.objects.filter(document__test_set=mqm_campaign.test_set).order_by("document__position", "position")
    assert list(stored.values_list("source", flat=True)) == [line for line in lines if line]
    assert {len(values) for values in esa.values()} == {stored.count()}


def check_outputs(
    comparison: Comparison,
    in_both: InBoth,
) -> None:
    _names, mqm, esa = in_both
    known = ~(np.isnan(mqm) | np.isnan(esa))
    assert known.sum() == 13 * known.any(axis=0).sum() == IN_BOTH  # whole segments
    _systems, over, _within = comparison.agreement
    assert (over.outputs, over.systems, over.segments) == (IN_BOTH, 13, IN_BOTH / 13)
    assert over.pearson == pytest.approx(stats.pearsonr(mqm[known], esa[known])[0], abs=1e-9)
    assert over.kendall_b == pytest.approx(stats.kendalltau(mqm[known], esa[known])[0], abs=1e-9)
    assert over.pairwise_accuracy == Missing("not_at_this_level")
    assert comparison.outputs is not None
    assert sum(count for _x, _y, count in comparison.outputs.grid) == IN_BOTH


def check_within_segments(comparison: Comparison, in_both: InBoth) -> None:
    _names, mqm, esa = in_both
    columns = [at for at in range(mqm.shape[1]) if not np.isnan(mqm[:, at] + esa[:, at]).any()]

    def mean_of(coefficient: Callable[[NDArray[np.float64], NDArray[np.float64]], tuple[float, float]]) -> float:
        values = [
            coefficient(mqm[:, at], esa[:, at])[0]
            for at in columns
            if np.ptp(mqm[:, at]) > 0 and np.ptp(esa[:, at]) > 0
        ]
        return float(np.mean(values))

    one, other = np.triu_indices(13, k=1)
    agree = [
        np.mean(np.sign(mqm[one, at] - mqm[other, at]) == np.sign(esa[one, at] - esa[other, at])) for at in columns
    ]
    within = comparison.agreement[2]
    assert within.segments == len(columns)
    assert within.pearson == pytest.approx(mean_of(stats.pearsonr), abs=1e-9)
    assert within.kendall_b == pytest.approx(mean_of(stats.kendalltau), abs=1e-9)
    assert within.pairwise_accuracy == pytest.approx(np.mean(agree), abs=1e-9)


def check_systems(comparison: Comparison, in_both: InBoth) -> None:
    names, mqm, esa = in_both
    by_mqm, by_esa = np.nanmean(mqm, axis=1), np.nanmean(esa, axis=1)
    over = comparison.agreement[0]
    assert over.systems == 13
    assert over.pearson == pytest.approx(stats.pearsonr(by_mqm, by_esa)[0], abs=1e-9)
    assert over.kendall_b == pytest.approx(stats.kendalltau(by_mqm, by_esa)[0], abs=1e-9)
    pairs = [(a, b) for a in range(13) for b in range(a)]
    alike = [np.sign(by_mqm[a] - by_mqm[b]) == np.sign(by_esa[a] - by_esa[b]) for a, b in pairs]
    assert over.pairwise_accuracy == pytest.approx(np.mean(alike), abs=1e-9)
    changed = {frozenset((names[a], names[b])) for (a, b), same in zip(pairs, alike, strict=True) if not same}
    assert {frozenset((pair.better, pair.other)) for pair in comparison.changed} == changed
    place = dict(zip(names, stats.rankdata(-by_esa).tolist(), strict=True))
    assert {one.system: _of(one.second).place for one in comparison.systems} == place


def check_direction(comparison: Comparison, in_both: InBoth) -> None:
    names, mqm, _esa = in_both
    penalty = dict(zip(names, (-np.nanmean(mqm, axis=1)).tolist(), strict=True))
    shown = {one.system: _of(one.first).value for one in comparison.systems}
    assert shown == pytest.approx(penalty, abs=1e-9)
    assert comparison.first.systems_by is not None
    assert comparison.second.systems_by is not None
    assert (comparison.first.systems_by.by, comparison.first.systems_by.higher_is_better) == ("mean", False)
    assert (comparison.second.systems_by.by, comparison.second.systems_by.higher_is_better) == ("mean", True)


def _of(standing: StandingOfSystem | None) -> StandingOfSystem:
    assert standing is not None
    return standing
