"""Which systems are references themselves, and whether there is anything to correlate."""

import pytest

from campaigns.models import Reference, System, TestSet, Translation
from metrics.scoring import score_test_set
from metrics.scoring.texts import has_scores, systems_that_are_references
from tests.sample_test_set import HUMAN, QUOKKA

pytestmark = pytest.mark.django_db


def test_a_system_is_known_as_a_reference_word_for_word(test_set: TestSet) -> None:
    name = Reference.objects.values_list("name", flat=True)[0]
    assert systems_that_are_references(test_set, [name]) == {HUMAN}
    one = Translation.objects.filter(system__name=HUMAN)[0]
    one.text = "Etwas anderes."
    one.save()
    assert systems_that_are_references(test_set, [name]) == frozenset()


def test_a_system_is_known_as_a_reference_by_its_name(test_set: TestSet) -> None:
    System.objects.filter(name=QUOKKA).update(name="refB")
    assert systems_that_are_references(test_set, ["B"]) == {"refB"}
    assert systems_that_are_references(test_set, []) == frozenset()


def test_there_are_scores_once_a_metric_has_counted(test_set: TestSet) -> None:
    assert not has_scores(test_set)
    score_test_set(test_set, metrics=["bleu"], resamples=10)
    assert has_scores(test_set)
