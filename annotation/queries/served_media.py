"""Which media an annotator may fetch: those beside texts that were served, and no others."""

from django.db.models import F, Q

from annotation.models import Assignment, Item, ItemLevel
from annotation.queries.items_page import last_served_block
from campaigns.models import Medium


def served_medium(assignment: Assignment, file_hash: str) -> Medium | None:
    last = last_served_block(assignment.pk)
    items = Item.objects.filter(assignment=assignment).annotate(last=last).filter(block__lte=F("last"))
    whole = items.filter(level=ItemLevel.DOCUMENT).values("document")
    of_document = Q(segment=None, document__in=items.values("document"))
    beside = of_document | Q(segment__in=items.values("segment")) | Q(document__in=whole)
    return Medium.objects.filter(beside, file_hash=file_hash).order_by("pk").first()
