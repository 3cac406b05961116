"""A test set as planning sees it."""

from collections.abc import Callable
from typing import Any

from annotation.queries.plan_documents import plan_documents
from campaigns.models import Document, Segment, TestSet, Translation
from tests.sample_test_set import HUMAN, QUOKKA, WOMBAT


def test_documents_and_segments_are_in_the_order_of_the_file(test_set: TestSet) -> None:
    Document.objects.filter(name="harbour").update(position=9)
    documents = plan_documents(test_set, test_set.systems.all())
    assert [Document.objects.get(pk=document.id).name for document in documents] == ["orchard", "harbour"]
    positions = [Segment.objects.get(pk=segment.id).position for document in documents for segment in document.segments]
    assert positions == [1, 2, 3, 1, 2, 3]


def test_equal_texts_have_equal_keys(test_set: TestSet) -> None:
    names = {system.pk: system.name for system in test_set.systems.all()}
    shared = Segment.objects.get(document__name="harbour", position=2)
    for document in plan_documents(test_set, test_set.systems.all()):
        for segment in document.segments:
            keys = {names[system]: key for system, key in segment.outputs.items()}
            assert (keys[WOMBAT] == keys[QUOKKA]) == (segment.id == shared.pk)
            assert keys[HUMAN] not in (keys[WOMBAT], keys[QUOKKA])


def test_an_output_that_is_not_there_is_none(test_set: TestSet) -> None:
    Translation.objects.filter(system__name=WOMBAT).update(text=None)
    Translation.objects.filter(system__name=QUOKKA).delete()
    (human,) = test_set.systems.filter(name=HUMAN)
    for document in plan_documents(test_set, test_set.systems.all()):
        assert [set(segment.outputs) for segment in document.segments] == [{human.pk}] * 3


def test_a_segment_nobody_translated_stays(test_set: TestSet) -> None:
    Translation.objects.filter(segment__position=2).delete()
    for document in plan_documents(test_set, test_set.systems.all()):
        assert [len(segment.outputs) for segment in document.segments] == [3, 0, 3]


def test_an_empty_output_is_one_but_cannot_be_damaged(test_set: TestSet) -> None:
    Translation.objects.filter(system__name=WOMBAT).update(text=" ")
    (wombat,) = test_set.systems.filter(name=WOMBAT)
    for document in plan_documents(test_set, test_set.systems.all()):
        for segment in document.segments:
            assert wombat.pk in segment.outputs
            assert list(segment.undegradable) == [wombat.pk]


def test_systems_that_are_not_judged_are_left_out(test_set: TestSet) -> None:
    chosen = test_set.systems.filter(name=WOMBAT)
    for document in plan_documents(test_set, chosen):
        assert all(set(segment.outputs) == {chosen.get().pk} for segment in document.segments)


def test_a_test_set_is_read_in_two_queries(test_set: TestSet, django_assert_num_queries: Callable[..., Any]) -> None:
    systems = list(test_set.systems.all())
    with django_assert_num_queries(2):
        plan_documents(test_set, systems)
