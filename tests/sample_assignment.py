"""An assignment as planning would leave it: each document once, in the translation of one system."""

from datetime import UTC, datetime

from annotation.models import Assignment, AssignmentStatus, Item, Slot
from campaigns.models import Account, Campaign, Segment, System, Translation


def make_assignment(
    campaign: Campaign,
    annotator: Account | None,
    *,
    system: System | None = None,
    status: AssignmentStatus | None = None,
    position: int | None = None,
) -> Assignment:
    """Six items in two blocks; open when it has an annotator, planned otherwise."""
    system = system or campaign.systems.order_by("name")[0]
    if position is None:
        position = campaign.assignments.count() + 1
    if status is None:
        status = AssignmentStatus.OPEN if annotator else AssignmentStatus.PLANNED
    segments = list(
        Segment.objects.filter(document__test_set=campaign.test_set).order_by("document__position", "position")
    )
    assignment = Assignment.objects.create(
        campaign=campaign,
        annotator=annotator,
        position=position,
        content=list(campaign.systems.order_by("name")).index(system),
        status=status,
        total=len(segments),
        claimed_at=datetime(2026, 11, 3, 8, 0, tzinfo=UTC) if annotator else None,
    )
    blocks = {document: place for place, document in enumerate(dict.fromkeys(s.document_id for s in segments), start=1)}
    items = Item.objects.bulk_create(
        Item(
            assignment=assignment,
            position=place,
            block=blocks[segment.document_id],
            document_id=segment.document_id,
            segment=segment,
        )
        for place, segment in enumerate(segments, start=1)
    )
    translations = {text.segment_id: text for text in Translation.objects.filter(system=system, segment__in=segments)}
    Slot.objects.bulk_create(
        Slot(item=item, label="A", translation=translations[segment.pk], system=system)
        for item, segment in zip(items, segments, strict=True)
    )
    return assignment
