"""Tags of segments that were added by hand, beside those from the file."""

from django.db import transaction
from django.utils.translation import gettext as _

from campaigns.actions.audit import record
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, AuditEntry, Campaign, Segment

LONGEST_TAG = 100
MOST_TAGS = 20
ADDED, REMOVED = "segment_tagged", "segment_untagged"


def tag_segment(*, segment: Segment, tag: str, campaign: Campaign, by: Account | None) -> Segment:
    """The texts belong to all campaigns on this test set, and so does the tag; adding it twice adds it once."""
    name = " ".join(tag.split())
    if not name or len(name) > LONGEST_TAG or "\x00" in name:
        raise _refusal(_("A tag has from 1 to %(count)d characters.") % {"count": LONGEST_TAG})
    if "," in name or ";" in name:
        raise _refusal(_("A tag cannot contain a comma or a semicolon: they separate tags in files."))
    with transaction.atomic():
        locked = _locked(segment)
        if name in locked.tags:
            return locked
        if len(locked.tags) >= MOST_TAGS:
            raise _refusal(_("A segment has at most %(count)d tags.") % {"count": MOST_TAGS})
        locked.tags = [*locked.tags, name]
        locked.save(update_fields=["tags"])
        record(action=ADDED, by=by, campaign=campaign, segment=segment.pk, tag=name)
    return locked


def untag_segment(*, segment: Segment, tag: str, campaign: Campaign, by: Account | None) -> Segment:
    """Takes back a tag that was added here; those from the file stay."""
    with transaction.atomic():
        locked = _locked(segment)
        if tag not in locked.tags or tag not in own_tags(segment, campaign):
            raise _refusal(_("This tag was not added here, or it was already removed."))
        locked.tags = [each for each in locked.tags if each != tag]
        locked.save(update_fields=["tags"])
        record(action=REMOVED, by=by, campaign=campaign, segment=segment.pk, tag=tag)
    return locked


def own_tags(segment: Segment, campaign: Campaign) -> set[str]:
    """Those that people of a campaign added to a segment."""
    entries = AuditEntry.objects.filter(campaign=campaign, action=ADDED, detail__segment=segment.pk)
    return {str(detail["tag"]) for detail in entries.values_list("detail", flat=True)}


def _refusal(message: str) -> InvalidInput:
    return InvalidInput.of("tag", message)


def _locked(segment: Segment) -> Segment:
    """So that the tags of two people at once are both stored."""
    return Segment.objects.select_for_update().get(pk=segment.pk)
