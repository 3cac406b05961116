"""Tags given by hand, and taken back."""

import pytest

from campaigns.actions.tags import own_tags, tag_segment, untag_segment
from campaigns.invalid_input import InvalidInput
from campaigns.models import AuditEntry, Campaign, Segment
from tests.cast import Cast


@pytest.fixture
def segment(campaign: Campaign) -> Segment:
    segment = Segment.objects.filter(document__test_set=campaign.test_set).earliest("pk")
    segment.tags = ["numbers"]
    segment.save(update_fields=["tags"])
    return segment


def test_a_tag_is_added_once_and_removed(campaign: Campaign, segment: Segment, cast: Cast) -> None:
    for _twice in range(2):
        tagged = tag_segment(segment=segment, tag=" false  friend ", campaign=campaign, by=cast.researcher)
        assert tagged.tags == ["numbers", "false friend"]
    assert own_tags(segment, campaign) == {"false friend"}
    untag_segment(segment=segment, tag="false friend", campaign=campaign, by=cast.organiser)
    segment.refresh_from_db()
    assert segment.tags == ["numbers"]
    actions = AuditEntry.objects.filter(campaign=campaign, action__startswith="segment_").order_by("pk")
    assert list(actions.values_list("action", flat=True)) == ["segment_tagged", "segment_untagged"]


@pytest.mark.parametrize("tag", ["", "  ", "one, two", "one; two", "x" * 101, "\x00"])
def test_what_is_no_tag_is_refused(campaign: Campaign, segment: Segment, tag: str) -> None:
    with pytest.raises(InvalidInput):
        tag_segment(segment=segment, tag=tag, campaign=campaign, by=None)


def test_a_tag_that_came_with_the_file_stays(campaign: Campaign, segment: Segment) -> None:
    with pytest.raises(InvalidInput):
        untag_segment(segment=segment, tag="numbers", campaign=campaign, by=None)


def test_there_is_an_end_to_tags(campaign: Campaign, segment: Segment) -> None:
    for number in range(19):
        tag_segment(segment=segment, tag=f"tag {number}", campaign=campaign, by=None)
    with pytest.raises(InvalidInput, match="at most 20"):
        tag_segment(segment=segment, tag="one more", campaign=campaign, by=None)
