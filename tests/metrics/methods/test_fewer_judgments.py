"""The methods paragraph of campaigns in which segments were chosen, or a metric sharpened the means."""

from dataclasses import replace
from typing import Any

import pytest

from campaigns.models import TestSet
from jobs.actions import perform_now
from metrics.analyses.assisted import Assisted
from metrics.methods.facts import Facts, facts_of
from metrics.methods.fewer_judgments import assisted_sentences, chosen_sentences
from metrics.methods.sentences import sentences
from tests.cast import Cast
from tests.metrics.scored_by_hand import store_metric
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, take
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT

QUICK = {"resamples": 40, "interval_resamples": 40}
CHOSEN = (
    "What was judged of the test set was chosen before by the variance of Sage over systems {zouhar-2025-select}; "
    "means are those of the chosen segments and biased for the whole test set."
)


@pytest.fixture
def facts(test_set: TestSet, cast: Cast) -> Facts:
    store_metric(test_set, {WOMBAT: [0.1] * 6, QUOKKA: [0.2, 0.9, 0.1, 0.4, 0.5, 0.6], HUMAN: [0.3] * 6})
    chosen: dict[str, Any] = {"selection": "variance", "selection_metric": "Sage", "selection_budget": 3}
    campaign = make_planned_campaign(test_set, cast, **chosen)
    for item in items_to_judge(take(campaign, cast.annotator)):
        judge(item, 60 + item.position)
    run = perform_now(kind="analysis", campaign=campaign, arguments={"options": {**QUICK, "metric": "Sage"}})
    found = facts_of(run)
    assert found is not None
    return found


def test_the_paragraph_says_what_chose_and_that_the_metric_could_not_help(facts: Facts) -> None:
    paragraph = sentences(facts)
    assert CHOSEN in paragraph
    assert "Means were to be sharpened by Sage, which was not possible here." in paragraph
    assert facts.assisted is not None
    assert facts.assisted.reason == "metric_chose"


def test_a_random_part_is_called_one(facts: Facts) -> None:
    signature = facts.signature.replace("items:variance,metric-Sage", "items:random")
    assert list(chosen_sentences(replace(facts, signature=signature))) == [
        "What was judged is a random part of the test set."
    ]
    assert list(chosen_sentences(replace(facts, signature="recipe:assay"))) == []


def test_the_paragraph_says_what_a_metric_saved(facts: Facts) -> None:
    result = Assisted(metric="Sage", measure="score", judgments=156.0, equivalent_judgments=190.4, reason=None)
    assert list(assisted_sentences(replace(facts, assisted=result))) == [
        "Means of the whole test set were also estimated with Sage as a control variate {angelopoulos-2023-ppi}, the "
        "variances by documents, from the scores of 156 segments of each system that people judged.",
        "The intervals are as narrow as those of people alone on about 190 segments.",
    ]
    without = replace(result, equivalent_judgments=156.0)
    assert len(list(assisted_sentences(replace(facts, assisted=without)))) == 1
    assert list(assisted_sentences(replace(facts, assisted=None))) == []
