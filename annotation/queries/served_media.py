"""Which media an annotator may fetch: those beside texts that were served, and no others."""

from django.db.models import F, Q

from annotation.models import Assignment, Item, ItemLevel, PracticeItem
from annotation.queries.served_texts import last_served_block
from campaigns.models import Campaign, Medium


def served_medium(assignment: Assignment, file_hash: str) -> Medium | None:
    last = last_served_block(assignment.pk)
    items = Item.objects.filter(assignment=assignment).annotate(last=last).filter(block__lte=F("last"))
    whole = items.filter(level=ItemLevel.DOCUMENT).values("document")
    of_document = Q(segment=None, document__in=items.values("document"))
    beside = of_document | Q(segment__in=items.values("segment")) | Q(document__in=whole)
    return Medium.objects.filter(beside, file_hash=file_hash).order_by("pk").first()


def practice_medium(campaign: Campaign, file_hash: str) -> Medium | None:
    """One beside the places that practice items name."""
    items = PracticeItem.objects.filter(campaign=campaign, document__isnull=False)
    whole = items.filter(segment=None).values("document")
    of_document = Q(segment=None, document__in=items.values("document"))
    own = items.filter(segment__isnull=False).values("segment")
    beside = of_document | Q(segment__in=own) | Q(document__in=whole)
    return Medium.objects.filter(beside, file_hash=file_hash).order_by("pk").first()
