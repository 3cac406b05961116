"""The sentences on agreement about errors, one person beside metrics, and outputs side by side."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from campaigns.models import TestSet
from jobs.actions import perform_now
from metrics.analyses.ceiling import HumanCeiling, MetricCeiling, PersonCeiling
from metrics.analyses.error_free import OF_PENALTY, OF_SCORE, ErrorFreeByMetric, ErrorFreeOutputs
from metrics.analyses.gamma import NO_GAMMA, SpanGamma
from metrics.analyses.marked_spans import MarkedSpans, MatchedSpans
from metrics.analyses.screens import NO_SCREENS, PlaceEffect, ScreenEffects, ScreenSlope
from metrics.methods.facts import Facts, ceiling_in, facts_of
from metrics.methods.sentences import sentences
from metrics.results.codec import to_json
from metrics.results.values import Missing
from tests.cast import Cast
from tests.metrics.methods.test_sentences import some_facts
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take

SOME = settings(max_examples=5)
MISSING = Missing("no_variation")
MATCHES: dict[str, Any] = {"tp": 30, "fp": 10, "fn": 12, "tn": 48, "precision": 0.75, "recall": 0.714, "f": 0.732}


@SOME
@given(some_facts())
def test_matched_errors_are_told_with_their_signature(facts: Facts) -> None:
    matched = MatchedSpans(
        precision=0.5, recall=0.4, f=0.444, predicted=4, gold=5, credit_precision=2.0, credit_recall=2.0,
        signature="mpp,variant-assay", comparisons=3, severities={}, categories={}, annotators=(),
    )  # fmt: skip
    spans = MarkedSpans(0.5, 0.5, 0.5, 0.5, 0.5, 3, 0, 0, matched)
    sentence = (
        "Marked errors of every two annotators of an output, matched one to one with credit for the characters that "
        "both cover, agree with F = 0.44 (3 comparisons; mpp,variant-assay)."
    )
    assert sentence in sentences(replace(facts, agreement=replace(facts.agreement, spans=spans)))
    assert not any("matched one to one" in each for each in sentences(facts))


@SOME
@given(some_facts())
def test_gamma_is_told_with_what_was_drawn_and_aligned_greedily(facts: Facts) -> None:
    made = SpanGamma(gamma=0.456, interval=(0.31, 0.58), items=300, marked=1204, greedy=1, observed=0.5, expected=0.9)
    told = sentences(replace(facts, gamma=made, recipe=replace(facts.recipe, interval_level=0.95)))
    assert (
        "On 300 outputs that several annotators judged and somebody marked, drawn at random from 1,204, gamma of the "
        "places and main categories of errors is 0.46 (95% interval 0.31 to 0.58; {mathet-2015-unified}; the marks of "
        "1 output were aligned greedily)."
    ) in told
    plain = replace(made, interval=MISSING, items=1, marked=1, greedy=0)
    assert (
        "On 1 output that several annotators judged and somebody marked, gamma of the places and main categories of "
        "errors is 0.46 ({mathet-2015-unified})."
    ) in sentences(replace(facts, gamma=plain))
    for nothing in (None, NO_GAMMA):
        assert not any("gamma" in each for each in sentences(replace(facts, gamma=nothing)))


@SOME
@given(some_facts())
def test_error_free_translations_are_told_with_the_rule(facts: Facts) -> None:
    metric = ErrorFreeByMetric(**MATCHES, share_first=0.4, share_second=0.42, metric="Sage", threshold=0.83)
    silent = replace(metric, precision=MISSING)
    made = ErrorFreeOutputs(
        **MATCHES, share_first=0.4, share_second=0.42, label=OF_PENALTY, shares={"x": 0.4}, all=138, judgments=460,
        metrics=(metric, silent),
    )  # fmt: skip
    told = sentences(replace(facts, error_free=made))
    at = told.index("A translation counts as free of errors if its penalty is 0: 30.0% of 460 judgments.")
    assert told[at + 1 : at + 3] == [
        "Two annotators of an output agree on what is free of errors with F = 0.73.",
        "Outputs that Sage scores 0.83 or better are free of errors with precision 0.75 and recall 0.71.",
    ]
    assert "precision" not in told[at + 3]
    alone = sentences(replace(facts, error_free=replace(made, label=OF_SCORE, f=MISSING, metrics=())))
    assert (
        "A translation counts as free of errors if its score is 85 or more and nothing in it is marked: 30.0% of 460 "
        "judgments."
    ) in alone
    assert not any("agree on what is free" in each for each in alone)
    for nothing in (replace(made, label=None), replace(made, judgments=0), None):
        assert not any("free of errors" in each for each in sentences(replace(facts, error_free=nothing)))


@SOME
@given(some_facts())
def test_one_person_is_told_beside_metrics(facts: Facts) -> None:
    def metric(name: str, pearson: float | Missing) -> MetricCeiling:
        return MetricCeiling(
            metric=name, pearson=pearson, kendall_b=0.4, above_ceiling=True, interval=MISSING, difference=0.1,
            difference_interval=MISSING,
        )  # fmt: skip

    person = PersonCeiling(pearson=0.673, kendall_b=0.51, interval=(0.6, 0.72), annotators=3)
    made = HumanCeiling(
        human=person, metrics=(metric("Sage", 0.7), metric("chrf", 0.384), metric("bleu", MISSING)), annotators=(),
        cells=1380,
    )  # fmt: skip
    told = sentences(replace(facts, ceiling=made, recipe=replace(facts.recipe, interval_level=0.95)))
    at = told.index(
        "On 1,380 outputs judged by several annotators, one annotator reaches Pearson's r = 0.67 and Kendall's tau-b = "
        "0.51 against the mean of the others (mean over 3 annotators, weighted by outputs; 95% interval 0.60 to 0.72 "
        "of r by resampling segments)."
    )
    assert told[at + 1] == "Against the same means on the same outputs, r of metrics is: Sage 0.70 and chrF 0.38."
    few = replace(made, human=replace(person, kendall_b=MISSING, interval=MISSING), metrics=())
    assert (
        "On 1,380 outputs judged by several annotators, one annotator reaches Pearson's r = 0.67 against the mean of "
        "the others (mean over 3 annotators, weighted by outputs)."
    ) in sentences(replace(facts, ceiling=few))
    for nothing in (None, replace(made, human=replace(person, pearson=MISSING))):
        assert not any("mean of the others" in each for each in sentences(replace(facts, ceiling=nothing)))


@SOME
@given(some_facts())
def test_outputs_side_by_side_are_told_with_what_they_do(facts: Facts) -> None:
    made = ScreenEffects(
        measure="score", screens=120, position=(PlaceEffect(1, 0.4, (-0.2, 1.0), 120),), position_p=0.342,
        dominance=ScreenSlope(-0.05, (-0.12, 0.02), 0.2), similarity=ScreenSlope(MISSING, MISSING, MISSING),
        corrected=(),
    )  # fmt: skip
    facts = replace(facts, recipe=replace(facts.recipe, interval_level=0.95))
    told = sentences(replace(facts, screens=made))
    at = told.index(
        "Outputs side by side were scored without a clear effect of their places (p = 0.342 by "
        "permuting places within 120 screens; {good-2005-permutation})."
    )
    assert told[at + 1] == (
        "On one screen a score changes by -0.05 (95% interval -0.12 to 0.02) for each point that the systems beside it "
        "are better."
    )
    clear = replace(made, position_p=0.0002, similarity=ScreenSlope(-0.2, MISSING, MISSING))
    told = sentences(replace(facts, screens=clear))
    at = told.index(
        "The places of outputs side by side had an effect on their scores (p < 0.001 by permuting places within "
        "120 screens; {good-2005-permutation}); means are reported with and without it, and the ranking is not "
        "corrected for it."
    )
    assert told[at + 1].endswith(
        "are better and the distance of two scores by -0.20 for each point of chrF between their outputs."
    )
    for nothing in (None, NO_SCREENS):
        assert not any(
            "their places" in each or "places of outputs" in each for each in sentences(replace(facts, screens=nothing))
        )


@pytest.mark.django_db
def test_the_numbers_are_those_of_the_run(test_set: TestSet, cast: Cast) -> None:
    error = {"side": "target", "start": 0, "end": 3, "category": "accuracy/omission", "severity": "major", "note": ""}
    campaign = make_planned_campaign(test_set, cast, protocol="mqm", redundancy=2)
    for annotator in (cast.annotator, cast.second_annotator):
        for item in items_to_judge(take(campaign, annotator)):
            slots = {"A": {"spans": [error] if item.position % 2 else []}}
            judge(item, payload={"slots": slots, "comment": "", "cannot_judge": None})
    names = ["scope", "ranking", "agreement", "gamma", "error_free", "screens", "ceiling"]
    facts = facts_of(perform_now(kind="analysis", campaign=campaign, arguments={"analyses": names}))
    assert facts is not None
    assert facts.screens == NO_SCREENS
    assert isinstance(facts.ceiling, HumanCeiling)
    told = sentences(facts)
    assert "A translation counts as free of errors if its penalty is 0: 50.0% of 36 judgments." in told
    for start, count in (
        ("On 14 outputs that several annotators judged and somebody marked, gamma of the places", 1),
        ("Two annotators of an output agree on what is free of errors with F = ", 1),
        ("On 17 outputs judged by several annotators, one annotator reaches Pearson's r = ", 1),
        ("Against the same means", 0),
    ):
        assert sum(each.startswith(start) for each in told) == count, start


def test_the_ceiling_of_correlations_is_told_where_it_was_not_made_by_itself() -> None:
    person = PersonCeiling(pearson=0.5, kendall_b=0.4, interval=MISSING, annotators=2)
    made = HumanCeiling(human=person, metrics=(), annotators=(), cells=20)
    assert ceiling_in({"correlation": {"ceiling": to_json(made), "metrics": []}}) == made
    assert ceiling_in({"ceiling": to_json(made)}) == made
    assert ceiling_in({"correlation": {"ceiling": None}}) is None
    assert ceiling_in({}) is None
