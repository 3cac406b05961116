"""Errors that a metric marks: those of the text as it is, of the newest scores, by metric."""

from campaigns.models import Segment, System, TestSet, Translation
from metrics.scoring import score_test_set
from metrics.scoring.texts import hash_of
from metrics.segments.metric_marks import MarkedByMetric, marks_by_metric
from tests.metrics.scoring.neural_site import NeuralSite, neural_site, site
from tests.metrics.segments.stored_marks import store_marks
from tests.sample_test_set import QUOKKA, WOMBAT

__all__ = ["neural_site", "site"]


def shown(segment: Segment) -> dict[str, dict[str, tuple[MarkedByMetric, ...]]]:
    """By system."""
    translations = list(Translation.objects.filter(segment=segment).select_related("system"))
    marked = marks_by_metric(segment, list(segment.references.order_by("name")), translations)
    return {each.system.name: marked[each.pk] for each in translations if each.pk in marked}


def test_marks_belong_to_the_text_that_was_scored(site: NeuralSite, test_set: TestSet) -> None:
    site.has_model("marks", marks_spans=True)
    segment = Segment.objects.filter(document__test_set=test_set).earliest("pk")
    assert shown(segment) == {}
    score_test_set(test_set, metrics=["comet:marks", "comet:small-comet"], resamples=10)
    assert shown(segment)[WOMBAT] == {"comet:marks": (MarkedByMetric(0, 3, "major", "Die"),)}
    Translation.objects.filter(segment=segment, system__name=WOMBAT).update(text="Ganz anders.")
    assert set(shown(segment)) >= {QUOKKA}
    assert WOMBAT not in shown(segment)


def test_a_reference_among_the_systems_is_compared_with_the_others_alone(test_set: TestSet) -> None:
    segment = Segment.objects.filter(document__test_set=test_set).earliest("pk")
    reference = segment.references.get()
    translation = segment.translations.get(system__name=WOMBAT)
    System.objects.filter(pk=translation.system_id).update(name=f"ref{reference.name}")
    segment.references.create(name="Other", text="Anders.")
    row = store_marks(translation, "comet:marks", (0, 3, "minor"))
    row.texts = hash_of([segment.source or "", translation.text or "", "Anders."])
    row.save(update_fields=["texts"])
    assert set(shown(segment)) == {f"ref{reference.name}"}
