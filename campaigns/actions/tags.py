"""Words that sort segments, added by hand beside those that came with the file."""

from django.db import transaction
from django.utils.translation import gettext as _

from campaigns.actions.audit import record
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, AuditEntry, Campaign, Segment

LONGEST_TAG = 100
MOST_TAGS = 20
ADDED, REMOVED = "segment_tagged", "segment_untagged"


def tag_segment(*, segment: Segment, tag: str, campaign: Campaign, by: Account | None) -> Segment:
    """The texts belong to all campaigns on this test set, and so does the tag; given twice, it is there once."""
    given = " ".join(tag.split())
    if not given or len(given) > LONGEST_TAG or "\x00" in given:
        raise _refusal(_("A tag has from 1 to %(count)d characters.") % {"count": LONGEST_TAG})
    if "," in given or ";" in given:
        raise _refusal(_("A tag has no comma and no semicolon: files part tags by them."))
    with transaction.atomic():
        found = _locked(segment)
        if given in found.tags:
            return found
        if len(found.tags) >= MOST_TAGS:
            raise _refusal(_("A segment has at most %(count)d tags.") % {"count": MOST_TAGS})
        found.tags = [*found.tags, given]
        found.save(update_fields=["tags"])
        record(action=ADDED, by=by, campaign=campaign, segment=segment.pk, tag=given)
    return found


def untag_segment(*, segment: Segment, tag: str, campaign: Campaign, by: Account | None) -> Segment:
    """Takes back a tag that was given here; those that came with the file stay as the file has them."""
    with transaction.atomic():
        found = _locked(segment)
        if tag not in found.tags or tag not in tags_given(segment, campaign):
            raise _refusal(_("This tag was not given here, or is gone already."))
        found.tags = [each for each in found.tags if each != tag]
        found.save(update_fields=["tags"])
        record(action=REMOVED, by=by, campaign=campaign, segment=segment.pk, tag=tag)
    return found


def tags_given(segment: Segment, campaign: Campaign) -> set[str]:
    """Those a campaign's people gave a segment by hand."""
    given = AuditEntry.objects.filter(campaign=campaign, action=ADDED, detail__segment=segment.pk)
    return {str(detail["tag"]) for detail in given.values_list("detail", flat=True)}


def _refusal(message: str) -> InvalidInput:
    return InvalidInput({"tag": [message]})


def _locked(segment: Segment) -> Segment:
    """Two people who tag at once both find their tag."""
    return Segment.objects.select_for_update().get(pk=segment.pk)
