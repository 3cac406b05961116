"""What lies beside a segment's text, each read only where the test set has some of it."""

from typing import Any

from django.db.models import Exists, OuterRef

from annotation.models import ItemLevel
from annotation.queries.text_guidance import DocumentGuidance, guidance_for, has_guidance
from annotation.queries.text_media import PageMedia, ShownMedium, has_media
from campaigns.models import Campaign, Segment, Translation
from metrics.models import SegmentStatistic


def outputs_with_flags(campaign: Campaign, segment: Segment) -> list[Any]:
    """Each with whether metrics mark it, and whether its test set has media and guidance."""
    has_marks = Exists(SegmentStatistic.objects.filter(translation=OuterRef("pk"), marks__isnull=False))
    own = Translation.objects.filter(segment=segment, system__campaigns=campaign).annotate(
        has_marks=has_marks,
        has_media=has_media("segment__document__test_set"),
        is_told=has_guidance("segment__document__test_set"),
    )
    return list(own.select_related("system").order_by("system__name"))


def media_beside(segment: Segment) -> tuple[ShownMedium, ...]:
    return PageMedia([segment.document_id]).beside(segment.document_id, segment.pk, ItemLevel.SEGMENT)


def guidance_beside(campaign: Campaign, segment: Segment) -> DocumentGuidance:
    document = segment.document
    return guidance_for(campaign.test_set_id, {document.pk: document.domain})[document.pk]
