"""The texts an annotator is shown: whole documents, the current one and the next two."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest

from annotation.actions.submitting import save_draft
from annotation.models import Assignment, AssignmentStatus, Item, ItemLevel
from annotation.queries.item_to_judge import assignments_of
from annotation.queries.items_page import ItemsPage, Place, UnknownItem, items_page
from campaigns.models import Account, Campaign, Document, Reference, TestSet
from tests.cast import Cast
from tests.planned_campaign import items_to_judge, judge, make_planned_campaign, score_of, take


@pytest.fixture
def plan_campaign(test_set: TestSet, cast: Cast) -> Callable[..., Campaign]:
    def make(**parameters: Any) -> Campaign:
        return make_planned_campaign(test_set, cast, **parameters)

    return make


@pytest.fixture
def assignment(plan_campaign: Callable[..., Campaign], cast: Cast) -> Assignment:
    """Six texts of three segments, one of which is context."""
    return take(plan_campaign(), cast.annotator)


def page_of(assignment: Assignment, after: Item | None = None) -> ItemsPage:
    annotator = Account.objects.get(assignments=assignment)
    page = items_page(annotator, assignment.pk, Place(after=after.public_id if after else None))
    assert page is not None
    return page


def blocks(page: ItemsPage) -> list[str]:
    return list(dict.fromkeys(item.document for item in page.items))


def blocks_of(assignment: Assignment) -> list[str]:
    return list(dict.fromkeys(str(item.block) for item in items_to_judge(assignment)))


def test_it_begins_with_the_first_three_texts_whole(assignment: Assignment) -> None:
    page = page_of(assignment)
    assert blocks(page) == blocks_of(assignment)[:3]
    assert len(page.items) + len(page.context) == 9
    assert (page.done, page.total, page.completion_code) == (0, 17, None)


def test_it_goes_on_where_the_first_item_is_unanswered(assignment: Assignment) -> None:
    items = items_to_judge(assignment)
    first_block = [item for item in items if item.block == items[0].block]
    for item in first_block[:-1]:
        judge(item)
    assert blocks(page_of(assignment)) == blocks_of(assignment)[:3]
    judge(first_block[-1])
    assert blocks(page_of(assignment)) == blocks_of(assignment)[1:4]


def finish(assignment: Assignment, *places: int) -> None:
    """The texts at these places, as if they were judged."""
    texts = blocks_of(assignment)
    assignment.items.filter(block__in=[texts[place] for place in places]).update(revision=1)


def test_after_the_last_item_of_a_text_come_the_next_texts(assignment: Assignment) -> None:
    items = items_to_judge(assignment)
    second = [item for item in items if str(item.block) == blocks_of(assignment)[1]]
    finish(assignment, 0, 1)
    assert blocks(page_of(assignment, second[-1])) == blocks_of(assignment)[2:5]


def test_of_what_is_not_finished_no_more_than_three_texts_are_served(assignment: Assignment) -> None:
    items, texts = items_to_judge(assignment), blocks_of(assignment)
    last = {text: [item for item in items if str(item.block) == text][-1] for text in texts}
    assert blocks(page_of(assignment, last[texts[1]])) == texts[2:3]
    page = page_of(assignment, last[texts[2]])
    assert (page.items, page.context, page.has_more) == ([], [], True)
    assert blocks(page_of(assignment, last[texts[4]])) == []  # even if its name were known
    finish(assignment, 1, 2)  # one is left open
    assert blocks(page_of(assignment, last[texts[1]])) == texts[2:5]
    assert blocks(page_of(assignment, last[texts[4]])) == []


def test_it_tells_whether_more_is_held_back(assignment: Assignment) -> None:
    assert page_of(assignment).has_more
    finish(assignment, 0, 1)
    assert page_of(assignment).has_more
    finish(assignment, 2)
    assert not page_of(assignment).has_more
    assert not page_of(assignment, items_to_judge(assignment)[-1]).has_more


def test_beside_control_items_no_text_has_a_heading(plan_campaign: Callable[..., Campaign], cast: Cast) -> None:
    for name, share in (("Repeats", {"repeats_share": 0.3}), ("Damaged", {"degraded_share": 0.3})):
        page = page_of(take(plan_campaign(name=name, **share), cast.annotator))
        assert {item.title for item in page.items} == {""}


def test_after_an_item_within_a_text_that_text_comes_whole(assignment: Assignment) -> None:
    items = items_to_judge(assignment)
    page = page_of(assignment, items[0])
    assert blocks(page) == blocks_of(assignment)[:3]
    assert page.items[0].id == items[0].public_id


def test_past_the_end_there_is_nothing(assignment: Assignment) -> None:
    page = page_of(assignment, items_to_judge(assignment)[-1])
    assert (page.items, page.context, page.total) == ([], [], 17)


def test_when_all_is_answered_the_code_is_left(assignment: Assignment) -> None:
    code = [judge(item).completion_code for item in items_to_judge(assignment)][-1]
    page = page_of(assignment)
    assert (page.items, page.done, page.completion_code) == ([], 17, code)


def test_walking_by_the_last_item_meets_every_item_once(plan_campaign: Callable[..., Campaign], cast: Cast) -> None:
    campaign = plan_campaign(options={"document_scores": True}, repeats_share=0.3, degraded_share=0.3)
    assignment = take(campaign, cast.annotator)
    met: list[uuid.UUID] = []
    while (page := page_of(assignment)).items:
        fresh = [item.id for item in page.items if item.id not in met]
        assert fresh
        met += fresh
        Item.objects.filter(public_id__in=fresh).update(revision=1)
    assert met == [item.public_id for item in items_to_judge(assignment)]


def before(assignment: Assignment, item: Item) -> ItemsPage:
    page = items_page(Account.objects.get(assignments=assignment), assignment.pk, Place(before=item.public_id))
    assert page is not None
    return page


def test_before_a_text_come_the_three_before_it(assignment: Assignment) -> None:
    places = blocks_of(assignment)
    finish(assignment, 0, 1, 2)
    fifth = next(item for item in items_to_judge(assignment) if str(item.block) == places[4])
    assert blocks(before(assignment, fifth)) == places[1:4]
    second = next(item for item in items_to_judge(assignment) if str(item.block) == places[1])
    assert blocks(before(assignment, second)) == places[:1]


def test_before_the_first_text_there_is_nothing(assignment: Assignment) -> None:
    page = before(assignment, items_to_judge(assignment)[0])
    assert (page.items, page.context, page.total) == ([], [], 17)


def test_from_the_start_come_answered_texts_too(assignment: Assignment, cast: Cast) -> None:
    for item in items_to_judge(assignment):
        judge(item)
    page = items_page(cast.annotator, assignment.pk, Place(from_start=True))
    assert page is not None
    assert blocks(page) == blocks_of(assignment)[:3]
    assert all(item.answer for item in page.items)


def test_an_item_of_elsewhere_is_unknown(
    assignment: Assignment, plan_campaign: Callable[..., Campaign], cast: Cast
) -> None:
    other = take(plan_campaign(name="Other"), cast.annotator)
    for stranger in (items_to_judge(other)[0].public_id, uuid.uuid4()):
        with pytest.raises(UnknownItem):
            items_page(cast.annotator, assignment.pk, Place(after=stranger))
        with pytest.raises(UnknownItem):
            items_page(cast.annotator, assignment.pk, Place(before=stranger))


def test_an_item_tells_what_is_shown_and_what_was_entered(assignment: Assignment) -> None:
    first, second = items_to_judge(assignment)[:2]
    judge(first, 40)
    save_draft(item=second, answer=score_of(60), base_revision=0)
    shown = {item.id: item for item in page_of(assignment).items}
    judged, drafted = shown[first.public_id], shown[second.public_id]
    assert (judged.answer, judged.draft, judged.revision) == (score_of(40), None, 1)
    assert (drafted.answer, drafted.draft, drafted.revision) == (None, score_of(60), 0)
    slot = first.slots.select_related("translation").get()
    assert slot.translation is not None
    assert first.segment is not None
    assert [(slot.label, slot.text) for slot in judged.shown.slots] == [("A", slot.translation.text)]
    assert (judged.shown.source, judged.shown.reference) == (first.segment.source, None)
    assert (judged.title, judged.shown.level, judged.position) == (str(first.document), "segment", first.position)


def test_a_draft_that_a_judgment_has_overtaken_is_not_shown(assignment: Assignment) -> None:
    item = items_to_judge(assignment)[0]
    save_draft(item=item, answer=score_of(60), base_revision=0)
    judge(item, 70)
    assert page_of(assignment).items[0].draft is None


def test_context_has_its_place_in_the_text(assignment: Assignment) -> None:
    context = assignment.items.get(level=ItemLevel.CONTEXT)
    assignment.items.filter(block__lt=context.block).update(revision=1)
    page = page_of(assignment)
    (shown,) = page.context
    slot = context.slots.select_related("translation").get()
    assert slot.translation is not None
    assert (shown.document, shown.position, shown.text) == (str(context.block), context.position, slot.translation.text)


def test_the_first_reference_by_name_is_shown_where_the_protocol_asks_for_it(
    plan_campaign: Callable[..., Campaign], cast: Cast
) -> None:
    for reference in Reference.objects.all():
        Reference.objects.create(segment=reference.segment, name="0", text=f"other {reference.segment_id}")
    both = take(plan_campaign(name="Both", options={"judge_against": "both"}), cast.annotator)
    alone = take(plan_campaign(name="Alone", options={"judge_against": "reference"}), cast.annotator)
    shown_both, shown_alone = ([item.shown for item in page_of(each).items] for each in (both, alone))
    assert all(shown.reference and shown.reference.startswith("other ") for shown in shown_both)
    assert all(shown.source for shown in shown_both)
    assert all(shown.source is None and shown.reference for shown in shown_alone)


def test_a_document_has_a_title_of_its_own_or_its_name(assignment: Assignment) -> None:
    Document.objects.filter(name="harbour").update(title="The harbour in winter")
    titles = {item.title for item in page_of(assignment).items}
    assert titles <= {"The harbour in winter", "orchard"}
    assert "harbour" not in titles


def test_what_is_not_mine_is_not_there(assignment: Assignment, cast: Cast) -> None:
    for person in (cast.second_annotator, cast.organiser, cast.stranger):
        assert items_page(person, assignment.pk) is None
    assert items_page(cast.annotator, assignment.pk + 1) is None


@pytest.mark.parametrize("size", [{}, {"redundancy": 15, "repeats_share": 0.3}])
def test_a_page_is_one_query_however_large_the_campaign(
    plan_campaign: Callable[..., Campaign],
    cast: Cast,
    size: dict[str, Any],
    django_assert_num_queries: Callable[..., Any],
) -> None:
    assignment = take(plan_campaign(**size), cast.annotator)
    with django_assert_num_queries(1):
        items_page(cast.annotator, assignment.pk)


def test_my_assignments_are_those_handed_to_me(plan_campaign: Callable[..., Campaign], cast: Cast) -> None:
    campaign = plan_campaign(items_per_assignment=3, redundancy=2)
    mine, others = take(campaign, cast.annotator), take(campaign, cast.second_annotator)
    assert list(assignments_of(cast.annotator)) == [mine]
    assert list(assignments_of(cast.second_annotator)) == [others]
    assert not assignments_of(cast.organiser).exists()
    Assignment.objects.filter(pk=mine.pk).update(status=AssignmentStatus.ARCHIVED)
    assert not assignments_of(cast.annotator).exists()
