"""A filter of judgments: its numbers beside those of the rows, one by one; what it leaves as it is."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from statistics import fmean
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from annotation.actions.decisions import adjudicate
from annotation.models import ErrorSpan, Score
from campaigns.models import Campaign, Document, Segment, TestSet
from jobs.actions import perform_now
from metrics.analyses.evidence import Evidence
from metrics.analyses.selection import selected
from metrics.models import DerivedScore
from metrics.queries import has_newer_evidence
from metrics.recipes import RECIPES, AnalysisError
from tests.cast import Cast
from tests.metrics.analyses.as_json import analyse, ranking
from tests.metrics.analyses.sample_tables import simulated
from tests.metrics.marked_errors import CLEAN, COMMA, GRAVE, SMALL, make_mqm, mark
from tests.metrics.segments.differing import output_of
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take
from tests.rows_made_once import made_once
from tests.sample_test_set import SYSTEMS, WOMBAT

QUICK = {"resamples": 50, "interval_resamples": 50}
LIGHT = ("fluency/punctuation",)
Predicate = Callable[[Any], bool]


def judged(test_set: TestSet, cast: Cast) -> Campaign:
    """Two annotators of everything; the orchard is fiction, and two of six segments are idioms."""
    Document.objects.filter(test_set=test_set, name="orchard").update(domain="fiction")
    Segment.objects.filter(document__test_set=test_set, document__name="orchard").update(domain="")
    Segment.objects.filter(document__test_set=test_set, position=2).update(tags=["idiom", "short"])
    campaign = make_planned_campaign(test_set, cast, name="Judged campaign", redundancy=2)
    for number, annotator in enumerate(cast.annotators):
        for place, item in enumerate(items_to_judge(take(campaign, annotator))):
            judge(item, (37 * place + 11 * number + 5) % 101)
    return campaign


stored, cast, test_set, campaign = made_once(judged)


def means(campaign: Campaign, where: str, **options: Any) -> dict[str, float]:
    result = analyse(campaign, analyses=["ranking"], options={**QUICK, "where": where, **options})
    return {one["system"]: one["mean"] for one in result["analyses"]["ranking"]["systems"]}


def means_by_row(campaign: Campaign, is_met: Predicate) -> dict[str, float]:
    """The same, one score after another."""
    rows = Score.objects.filter(judgment__item__assignment__campaign=campaign, judgment__item__kind="regular")
    cells: defaultdict[str, defaultdict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows.select_related("judgment__annotator", "translation__system", "translation__segment__document"):
        assert row.translation is not None
        if is_met(row):
            cells[row.translation.system.name][row.translation.segment_id].append(row.value)
    return {name: fmean(fmean(values) for values in own.values()) for name, own in cells.items()}


def domain_of(row: Any) -> str:
    segment = row.translation.segment
    return str(segment.domain or segment.document.domain)


ROWS: dict[str, Predicate] = {
    "domain = fiction": lambda row: domain_of(row) == "fiction",
    "domain ≠ fiction": lambda row: domain_of(row) != "fiction",
    "document = harbour": lambda row: row.translation.segment.document.name == "harbour",
    "tag = idiom": lambda row: "idiom" in row.translation.segment.tags,
    "tag ≠ idiom": lambda row: "idiom" not in row.translation.segment.tags,
    "tag = idiom and tag = short": lambda row: "idiom" in row.translation.segment.tags,
    "length > 30": lambda row: len(row.translation.segment.source) > 30,
    "length < 30": lambda row: len(row.translation.segment.source) < 30,
    "length = 28": lambda row: len(row.translation.segment.source) == 28,
    "length ≠ 28": lambda row: len(row.translation.segment.source) != 28,
    "length > 28 and length < 38": lambda row: 28 < len(row.translation.segment.source) < 38,
    "annotator = anna": lambda row: row.judgment.annotator.username == "anna",
    "annotator ≠ anna": lambda row: row.judgment.annotator.username != "anna",
    "kind = regular": lambda _row: True,
    "domain = news and annotator = ben and length < 40": lambda row: (
        domain_of(row) == "news"
        and row.judgment.annotator.username == "ben"
        and len(row.translation.segment.source) < 40
    ),
}


@pytest.mark.drawn(2)
@pytest.mark.parametrize("where", ROWS)
def test_means_are_those_of_the_rows_that_meet_every_condition(campaign: Campaign, where: str) -> None:
    by_row = means_by_row(campaign, ROWS[where])
    assert set(by_row) == set(SYSTEMS)
    assert means(campaign, where) == pytest.approx(by_row)
    assert where == "kind = regular" or by_row != means_by_row(campaign, lambda _row: True)


def test_it_says_what_slices_say(campaign: Campaign) -> None:
    options = {**QUICK, "by": "domain"}
    sliced = analyse(campaign, analyses=["slices"], options=options)["analyses"]["slices"]["slices"]
    filtered = analyse(campaign, analyses=["ranking"], options={**QUICK, "where": "domain = fiction"})
    assert filtered["analyses"]["ranking"] == sliced["fiction"]["ranking"]


def test_a_kind_that_is_asked_for_makes_the_values_of_systems(campaign: Campaign, cast: Cast) -> None:
    assert means(campaign, "kind = repeat") == {}
    some = items_to_judge(campaign.assignments.get(annotator=cast.annotator))[:3]
    type(some[0]).objects.filter(pk__in=[item.pk for item in some]).update(kind="repeat")
    values = Score.objects.filter(judgment__item__in=some, translation__isnull=False)
    expected = {
        one.translation.system.name: one.value
        for one in values.select_related("translation__system")
        if one.translation is not None
    }
    assert len(expected) > 0
    assert set(means(campaign, "kind = repeat")) == set(expected)


def test_nothing_left_is_an_answer(campaign: Campaign) -> None:
    result = analyse(campaign, options={**QUICK, "where": "length > 500"})
    assert result["judgments"] == 0
    assert result["analyses"]["ranking"]["systems"] == []
    assert result["analyses"]["annotators"] == []


def test_results_about_annotators_are_of_what_is_left(campaign: Campaign) -> None:
    result = analyse(campaign, options={**QUICK, "where": "annotator = anna and document = harbour"})
    [anna] = result["analyses"]["annotators"]
    values = Score.objects.filter(judgment__annotator__username="anna", translation__segment__document__name="harbour")
    own = {score.judgment_id: score.value for score in values}
    assert anna["judgments"] == len(own)
    assert anna["mean"] == pytest.approx(fmean(own.values()))


def test_the_signature_begins_with_what_was_chosen(campaign: Campaign) -> None:
    signature = analyse(campaign, analyses=["ranking"], options={"where": "length > 3 AND domain=news"})["signature"]
    assert signature.startswith("exploratory:domain = news and length > 3|recipe:assay|")
    assert "exploratory" not in analyse(campaign, analyses=["ranking"])["signature"]


def test_unknown_values_are_reported_together_with_those_there_are(campaign: Campaign) -> None:
    where = "domain = nws and tag = x and document = y and annotator = olive and severity = major and category = z"
    with pytest.raises(AnalysisError) as error:
        analyse(campaign, analyses=["ranking"], options={"where": where, "seed": -1})
    lines = str(error.value).splitlines()
    assert "Unknown domain “nws”. There are: fiction, news." in lines
    assert "Unknown tag “x”. There are: idiom, short." in lines
    assert "Unknown document “y”. There are: harbour, orchard." in lines
    assert "Unknown annotator “olive”. There are: anna, ben." in lines
    assert "severity and category need marked errors; this campaign has none." in lines
    assert any(line.startswith("seed must be") for line in lines)


def test_runs_are_stored_with_the_one_form(campaign: Campaign) -> None:
    run = perform_now(
        kind="analysis",
        campaign=campaign,
        arguments={"analyses": ["scope"], "options": {"where": "length>3 AND domain=news"}},
    )
    assert run.arguments["options"] == {"where": "domain = news and length > 3"}
    empty = perform_now(
        kind="analysis", campaign=campaign, arguments={"analyses": ["scope"], "options": {"where": "  "}}
    )
    assert empty.arguments["options"] == {}
    assert not has_newer_evidence(run)


def test_queries_do_not_grow_with_conditions(
    campaign: Campaign, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(25):
        analyse(campaign, analyses=["ranking"], options={**QUICK, "where": " and ".join(list(ROWS)[:1] * 2)})


# --- who passed -------------------------------------------------------------------------------------------------------
def test_who_passed_is_decided_by_all_judgments() -> None:
    """The filter takes every control away; who passed them stays."""
    rows = simulated({"x": 10.0, "y": 0.0}, n_annotators=3)
    careful = {"annotator0", "annotator1"}
    for name in ("annotator0", "annotator1", "annotator2"):
        own = [place for place, each in enumerate(rows.columns["annotators"]) if each == name][:12]
        for number, place in enumerate(own):
            damaged = number % 3 if name in careful else 95 + number % 4
            segment, system = rows.columns["segments"][place], rows.columns["systems"][place]
            rows.add(name, system, segment, damaged, document=rows.columns["documents"][place], kind="degraded")
    recipe = replace(RECIPES["assay"], resamples=50, interval_resamples=50)
    evidence = Evidence((rows.table(),), recipe)
    assert {name for name, test in evidence.controls.items() if test.is_passed} == careful

    def of(where: str) -> Evidence:
        return selected(replace(evidence, recipe=replace(recipe, where=where)), Campaign())

    def judges(chosen: Evidence) -> set[str]:
        [table] = chosen.tables
        return {table.annotators[code] for code in table.annotator.tolist()}

    assert judges(of("kind = regular and passed = yes")) == careful
    assert judges(of("kind = regular and passed = no")) == {"annotator2"}
    assert judges(of("passed ≠ yes")) == {"annotator2"}
    [first, second] = [
        ranking(each)
        for each in (of("kind = regular and passed = yes"), replace(evidence, recipe=replace(recipe, include="passed")))
    ]
    assert [one["mean"] for one in first["systems"]] == [one["mean"] for one in second["systems"]]


# --- errors -----------------------------------------------------------------------------------------------------------
@pytest.fixture
def marked(test_set: TestSet, cast: Cast) -> Campaign:
    campaign = make_mqm(test_set, cast, redundancy=2)
    of_places = ((GRAVE, SMALL), CLEAN, (SMALL, SMALL, COMMA), (GRAVE, GRAVE))
    for number, annotator in enumerate(cast.annotators):
        for place, item in enumerate(items_to_judge(take(campaign, annotator))):
            mark(item, *of_places[(place + number) % 4])
    return campaign


def penalties_by_row(campaign: Campaign, is_met: Predicate) -> dict[str, float]:
    """Minor 1, minor punctuation 0.1, major 5; every judgment counts, whatever is left of its errors."""
    points: defaultdict[tuple[int, int], float] = defaultdict(float)
    for span in ErrorSpan.objects.filter(judgment__item__assignment__campaign=campaign):
        weight = 5.0 if span.severity == "major" else 0.1 if span.category == "fluency/punctuation" else 1.0
        points[span.judgment_id, span.translation_id] += weight * is_met(span)
    cells: defaultdict[str, defaultdict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    judged = DerivedScore.objects.filter(judgment__item__assignment__campaign=campaign, measure="penalty")
    for row in judged.select_related("translation__system"):
        own = cells[row.translation.system.name][row.translation.segment_id]
        own.append(points[row.judgment_id, row.translation_id])
    return {name: fmean(fmean(values) for values in own.values()) for name, own in cells.items()}


@pytest.mark.drawn(2)
@pytest.mark.parametrize(
    ("where", "is_met"),
    [
        ("severity = minor", lambda span: span.severity == "minor"),
        ("severity ≠ minor", lambda span: span.severity != "minor"),
        ("category = style", lambda span: span.category.startswith("style")),
        ("category ≠ fluency/punctuation", lambda span: span.category != "fluency/punctuation"),
        ("severity = minor and category ≠ style", lambda span: span.category == "fluency/punctuation"),
    ],
)
def test_other_errors_leave_the_penalties_and_no_judgment_goes(marked: Campaign, where: str, is_met: Predicate) -> None:
    everything = analyse(marked, options=QUICK)
    result = analyse(marked, options={**QUICK, "where": where})
    assert result["judgments"] == everything["judgments"]
    systems = {one["system"]: one["mean"] for one in result["analyses"]["ranking"]["systems"]}
    assert systems == pytest.approx(penalties_by_row(marked, is_met))
    errors = result["analyses"]["errors"]
    shown = {(one["category"], one["severity"]) for one in errors["categories"]}
    spans = ErrorSpan.objects.filter(judgment__item__assignment__campaign=marked)
    assert shown == {(span.category, span.severity) for span in spans if is_met(span)}


def test_errors_and_rows_are_filtered_together(marked: Campaign) -> None:
    result = analyse(marked, options={**QUICK, "where": "severity = major and document = orchard"})
    for one in result["analyses"]["errors"]["categories"]:
        spans = ErrorSpan.objects.filter(
            judgment__item__assignment__campaign=marked,
            severity="major",
            translation__segment__document__name="orchard",
            translation__system__name=one["system"],
        )
        assert one["count"] == spans.count()
    with pytest.raises(AnalysisError, match="Unknown category “styl”"):
        analyse(marked, options={"where": "category = styl"})


def test_adjudicated_errors_are_filtered_like_others(marked: Campaign) -> None:
    worst = output_of(marked, "harbour:1", WOMBAT)
    spans = [{"side": "target", "start": 0, "end": 3, "note": "", **error} for error in (GRAVE, SMALL)]
    adjudicate(campaign=marked, translation=worst, answered={"spans": spans}, reason="Both.", by=None)
    means(marked, "severity = minor")  # penalties are derived
    by_row = penalties_by_row(marked, lambda span: span.severity == "minor")
    undecided, decided = (means(marked, "severity = minor", adjudicated=way) for way in ("no", "yes"))
    assert undecided == pytest.approx(by_row)
    answered = [
        ErrorSpan.objects.filter(judgment=judgment, translation=worst, severity="minor")
        .exclude(category__in=LIGHT)
        .count()
        + 0.1 * ErrorSpan.objects.filter(judgment=judgment, translation=worst, category__in=LIGHT).count()
        for judgment in DerivedScore.objects.filter(translation=worst).values_list("judgment", flat=True).distinct()
    ]
    assert decided[WOMBAT] == pytest.approx(by_row[WOMBAT] + (1 - fmean(answered)) / 6)
    assert fmean(answered) != 1
