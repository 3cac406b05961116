"""Unfinished work."""

import pytest

from annotation.actions.status import set_status
from annotation.actions.submitting import save_draft
from annotation.models import Draft, Item
from campaigns.invalid_input import InvalidInput
from campaigns.models import Campaign
from tests.cast import Cast
from tests.planned_campaign import fetched, items_to_judge, judge, score_of, take


@pytest.fixture
def item(planned: Campaign, cast: Cast) -> Item:
    return items_to_judge(take(planned, cast.annotator))[0]


def test_the_newest_draft_is_stored(item: Item) -> None:
    save_draft(item=item, answer=score_of(10), base_revision=0)
    first = Draft.objects.get()
    save_draft(item=item, answer=score_of(20), base_revision=0)
    draft = Draft.objects.get()
    assert draft.answer == score_of(20)
    assert draft.saved_at > first.saved_at


def test_a_draft_that_a_judgment_has_overtaken_is_dropped(item: Item) -> None:
    judge(item)
    fresh = fetched(item).item
    assert save_draft(item=fresh, answer=score_of(10), base_revision=0) is None
    assert not Draft.objects.exists()


def test_a_judged_item_can_be_drafted_anew(item: Item) -> None:
    save_draft(item=item, answer=score_of(10), base_revision=0)
    judge(item)
    fresh = fetched(item).item
    save_draft(item=fresh, answer=score_of(30), base_revision=1)
    assert Draft.objects.get().base_revision == 1


def test_a_draft_on_what_does_not_exist_yet_is_refused(item: Item) -> None:
    with pytest.raises(InvalidInput):
        save_draft(item=item, answer=score_of(10), base_revision=1)


def test_a_draft_is_stored_after_closing(item: Item, planned: Campaign) -> None:
    set_status(campaign=planned, status="closed", by=None)
    assert save_draft(item=fetched(item).item, answer=score_of(10), base_revision=0) is not None
