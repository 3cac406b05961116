"""Alignments on their way to the annotator, who must not learn from them what an item is."""

from typing import Any

import pytest

from annotation.models import Item, ItemKind, Slot
from annotation.queries.alignments import moved_alignment
from campaigns.models import Campaign, System, TestSet, Translation
from tests.cast import Cast
from tests.frontend.api.api_annotator import by_session
from tests.planned_campaign import make_planned_campaign

FERRY = "Die Fähre fuhr eine Stunde zu spät ab."


@pytest.fixture
def campaign(test_set: TestSet, cast: Cast) -> Campaign:
    Translation.objects.exclude(text="").update(alignment="0-0 1-1 2-0")
    return make_planned_campaign(test_set, cast)


def shown(cast: Cast) -> dict[str, Any]:
    page = by_session(cast.annotator)
    return {slot["text"]: slot.get("alignment") for item in page.every_item(page.take()) for slot in item["slots"]}


def test_each_text_comes_with_its_own(campaign: Campaign, cast: Cast) -> None:
    Translation.objects.filter(text=FERRY).update(alignment="")
    found = shown(cast)
    assert found.pop(FERRY) == ""
    assert set(found.values()) == {"0-0 1-1 2-0"}


def test_a_segment_of_which_one_translation_has_none_shows_none(campaign: Campaign, cast: Cast) -> None:
    ferry = Translation.objects.get(text=FERRY)
    texts = [each.text or "" for each in Translation.objects.filter(segment=ferry.segment)]
    Translation.objects.filter(pk=ferry.pk).update(alignment=None)
    found = shown(cast)
    assert len(texts) > 1
    assert {found[text] for text in texts} == {None}
    assert set(found.values()) == {None, "0-0 1-1 2-0"}


def test_where_a_reference_is_read_as_a_translation_none_are_shown(
    campaign: Campaign, cast: Cast, test_set: TestSet
) -> None:
    System.objects.create(test_set=test_set, name="Reference", stands_for="reference")
    assert set(shown(cast).values()) == {None}


def test_without_the_source_there_are_none(test_set: TestSet, cast: Cast) -> None:
    Translation.objects.update(alignment="0-0")
    make_planned_campaign(test_set, cast, options={"judge_against": "reference"})
    assert set(shown(cast).values()) == {None}


def test_a_damaged_text_has_as_many_pairs(campaign: Campaign, cast: Cast) -> None:
    Translation.objects.filter(text=FERRY).update(alignment="0-1 4-4 5-6")
    damaged = "Die Fähre fuhr eine Birne zu spät ab."
    slot = Slot.objects.get(translation__text=FERRY)
    Slot.objects.filter(pk=slot.pk).update(damaged=damaged)
    Item.objects.filter(pk=slot.item_id).update(kind=ItemKind.DEGRADED)
    assert shown(cast)[damaged] == "0-1 4-4 5-6"


@pytest.mark.parametrize(
    ("damaged", "moved"),
    [
        ("a b c d", "0-0 1-1 1-2 2-3"),
        ("a x c d", "0-0 1-1 1-2 2-3"),
        ("a x d", "0-0 1-1 2-2"),
        ("a x y z d", "0-0 1-1 1-2 1-3 2-4"),
        ("a d", "0-0 2-1"),
        ("x", "0-0 1-0 2-0"),
        ("", ""),
    ],
)
def test_words_that_were_replaced_leave_their_pairs_to_those_in_their_place(damaged: str, moved: str) -> None:
    assert moved_alignment("0-0 1-1 1-2 2-3", "a b c d", damaged) == moved
