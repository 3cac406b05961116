"""A model's licence stands in the methods paragraph with the metric that the run compared with people."""

import pytest

from campaigns.models import Campaign
from exchange.tables.papers import methods_of
from jobs.actions import perform_now
from metrics.methods.facts import NamedMetric, metrics_in
from metrics.scoring import score_test_set
from tests.metrics.scoring.neural_site import NeuralSite, neural_site, site

__all__ = ["neural_site", "site"]
FORBIDS = "weights CC BY-NC-SA 4.0: not for commercial use"


def test_a_signature_names_each_metric_once_with_the_licence_of_its_model(neural_site: NeuralSite) -> None:
    neural_site.has_model("own", licence="CC BY-NC-SA 4.0")
    signature = "metric:bleu,nrefs:1|metric:comet:own,nrefs:1|metric:comet:own,nrefs:0|metric:bertscore,nrefs:1"
    assert metrics_in(signature) == [
        NamedMetric("BLEU"),
        NamedMetric("COMET (own)", FORBIDS),
        NamedMetric("BERTScore", "weights MIT"),
    ]
    assert metrics_in("metric:bertscore,imported,file:x.csv") == [NamedMetric("BERTScore")]
    assert metrics_in("recipe:x|version:assay-0.1.0") == []


@pytest.mark.django_db
def test_the_paragraph_says_that_the_weights_are_not_for_commercial_use(campaign: Campaign, site: NeuralSite) -> None:
    site.has_model("own", licence="CC BY-NC-SA 4.0")
    score_test_set(campaign.test_set, metrics=["bleu", "comet:own"], resamples=10)
    methods = methods_of(perform_now(kind="analysis", campaign=campaign, arguments={}))
    assert methods is not None
    assert f"beside those of automatic metrics: BLEU and COMET (own) ({FORBIDS})." in methods.text
    assert "CC BY-NC-SA 4.0" in methods.latex
