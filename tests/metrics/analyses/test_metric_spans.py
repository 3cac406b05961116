"""The spans of a metric against those of people, by numbers worked out by hand."""

from collections.abc import Callable

from django.test.utils import CaptureQueriesContext

import pytest

from campaigns.models import Account, Campaign, SuggestedSpan, TestSet, Translation
from metrics.analyses import analyse
from metrics.analyses.correlation import Correlations
from metrics.analyses.metric_spans import MetricSpans, metric_spans_table
from metrics.results.codec import from_json, to_json
from metrics.results.values import Missing
from metrics.scoring.stored_marks import nearest_severity, read_marks
from tests.cast import Cast
from tests.metrics.marked_errors import GRAVE, SMALL, make_mqm, mark
from tests.metrics.segments.stored_marks import store_marks
from tests.planned_campaign import items_to_judge, make_planned_campaign, take

pytestmark = pytest.mark.django_db
XCOMET = "comet:xcomet-xl"
SHORT = {**SMALL, "start": 5, "end": 7}


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    return make_mqm(test_set, cast, redundancy=2)


def judge_two(campaign: Campaign, annotator: Account) -> list[Translation]:
    """Errors at 0 to 3 (major) and 5 to 7 (minor) of the first output, none in the second."""
    items = items_to_judge(take(campaign, annotator))[:2]
    mark(items[0], GRAVE, SHORT)
    mark(items[1])
    translations = [item.slots.get().translation for item in items]
    assert all(translations)
    return [translation for translation in translations if translation]


def spans_of(campaign: Campaign) -> MetricSpans | None:
    """As it is stored, and read again."""
    result: Correlations = analyse(campaign, analyses=["correlation"])["analyses"]["correlation"]
    return from_json(Correlations, to_json(result)).spans


def rows_of(spans: MetricSpans | None) -> dict[str, tuple[object, ...]]:
    assert spans is not None
    return {
        one.severity: (one.by_metric, one.by_people, one.shared, one.precision, one.recall, one.f1)
        for one in spans.metrics
    }


def test_shares_of_characters_are_those_worked_out_by_hand(campaign: Campaign, cast: Cast) -> None:
    first, second = judge_two(campaign, cast.annotator)
    store_marks(first, XCOMET, (1, 6, "major"))
    store_marks(second, XCOMET, (0, 2, "minor"))
    spans = spans_of(campaign)
    rows = rows_of(spans)
    assert rows["all"] == (7, 5, 3, pytest.approx(3 / 7), pytest.approx(3 / 5), pytest.approx(1 / 2))
    assert rows["major"] == (5, 3, 2, pytest.approx(2 / 5), pytest.approx(2 / 3), pytest.approx(1 / 2))
    assert rows["minor"] == (2, 2, 0, 0, 0, 0)
    assert set(rows) == {"all", "minor", "major"}
    assert spans is not None
    assert {(one.outputs, one.judgments, one.outdated) for one in spans.metrics} == {(2, 2, 0)}
    assert spans.between_people == spans.mpp_between_people == Missing("no_overlap")
    matched = {one.severity: one.mpp for one in spans.metrics}
    assert matched["all"] is not None
    assert (matched["all"].precision, matched["all"].recall) == pytest.approx((2 / 5 / 2, 2 / 3 / 2)), "one is no error"
    assert (matched["all"].predicted, matched["all"].gold) == (2, 2)
    assert matched["minor"] is not None
    assert matched["minor"].f == 0


def test_suggestions_of_the_test_set_are_compared_as_those_of_a_metric(campaign: Campaign, cast: Cast) -> None:
    first, second = judge_two(campaign, cast.annotator)
    for side, start, end in (("target", 1, 6), ("source", 0, 4)):
        SuggestedSpan.objects.create(translation=first, side=side, start=start, end=end, severity="major")
    store_marks(second, XCOMET, (0, 2, "minor"))
    spans = spans_of(campaign)
    assert spans is not None
    [whole] = [one for one in spans.metrics if (one.metric, one.severity) == ("suggestions", "all")]
    assert (whole.by_metric, whole.by_people, whole.shared, whole.judgments) == (5, 5, 3, 2)
    assert whole.mpp is not None
    assert (whole.mpp.precision, whole.mpp.recall) == pytest.approx((2 / 5, 2 / 3 / 2))


def test_an_output_that_two_judged_counts_twice(campaign: Campaign, cast: Cast) -> None:
    first, _second = judge_two(campaign, cast.annotators[0])
    store_marks(first, XCOMET, (1, 6, "major"))
    items = items_to_judge(take(campaign, cast.annotators[1]))
    mark(next(item for item in items if item.slots.get().translation == first), GRAVE, SHORT)
    spans = spans_of(campaign)
    assert rows_of(spans)["all"] == (10, 10, 6, pytest.approx(0.6), pytest.approx(0.6), pytest.approx(0.6))
    assert spans is not None
    assert {(one.outputs, one.judgments) for one in spans.metrics} == {(1, 2)}
    assert spans.between_people == 1


def test_what_cannot_be_computed_says_why(campaign: Campaign, cast: Cast) -> None:
    first, second = judge_two(campaign, cast.annotator)
    store_marks(second, XCOMET)
    assert rows_of(spans_of(campaign))["all"][3:] == tuple(
        Missing(reason) for reason in ("nothing_marked", "nothing_in_reference", "neither_marked")
    )
    Translation.objects.filter(pk=second.pk).update(text="Another text.")
    assert rows_of(spans_of(campaign))["all"][3:] == (Missing("texts_changed"),) * 3
    unjudged = Translation.objects.exclude(pk__in=[first.pk, second.pk]).filter(text__isnull=False).first()
    assert unjudged is not None
    store_marks(unjudged, XCOMET, (0, 2, "minor"))
    assert rows_of(spans_of(campaign))["all"][3:] == (Missing("not_judged"),) * 3


def test_without_marks_of_metrics_or_of_people_there_is_no_table(
    test_set: TestSet, campaign: Campaign, cast: Cast
) -> None:
    first, _second = judge_two(campaign, cast.annotator)
    assert not read_marks(test_set)
    store_marks(first, XCOMET, (1, 6, "major"))
    assessed = make_planned_campaign(test_set, cast, name="Assessed")
    assert spans_of(assessed) is None
    assert metric_spans_table(None).rows == ()


def test_reading_takes_as_many_queries_for_many_outputs_as_for_one(
    test_set: TestSet, django_assert_num_queries: Callable[..., CaptureQueriesContext]
) -> None:
    for count, translation in enumerate(Translation.objects.filter(system__test_set=test_set, text__isnull=False)):
        store_marks(translation, XCOMET, (0, 1, "minor"))
        store_marks(translation, "comet:xcomet-xxl", (0, 2, "minor"))
        if count in (0, 8):
            with django_assert_num_queries(11):
                assert [len(marks.outputs) for marks in read_marks(test_set)] == [count + 1] * 2


@pytest.mark.parametrize(
    ("severity", "allowed", "nearest"),
    [
        ("critical", ("minor", "major"), "major"),
        ("critical", ("minor", "major", "critical"), "critical"),
        ("minor", ("major",), "major"),
        ("Major", (), "major"),
        ("unheard of", (), "minor"),
    ],
)
def test_a_severity_that_annotators_do_not_have_is_the_next_milder_one(
    severity: str, allowed: tuple[str, ...], nearest: str
) -> None:
    assert nearest_severity(severity, allowed) == nearest
