"""A campaign long enough to be judged without a network for a while: one system, six texts of four segments."""

from campaigns.models import Campaign, Document, Segment, System, TestSet, TestSetStatus, Translation
from tests.cast import Cast
from tests.planned_campaign import make_planned_campaign

TEXTS = 6
SEGMENTS = 4


def make_long_campaign(cast: Cast) -> Campaign:
    """Every annotator judges all of it."""
    test_set = TestSet.objects.create(
        name="Long texts",
        slug="long-texts",
        source_language="en",
        target_language="de",
        status=TestSetStatus.READY,
        format="jsonl",
    )
    system = System.objects.create(test_set=test_set, name="system")
    documents = Document.objects.bulk_create(
        Document(test_set=test_set, name=f"text-{text}", position=text) for text in range(1, TEXTS + 1)
    )
    segments = Segment.objects.bulk_create(
        Segment(
            document=document,
            name=str(place),
            position=place,
            source=f"Sentence {place} of text {document.position}.",
        )
        for document in documents
        for place in range(1, SEGMENTS + 1)
    )
    Translation.objects.bulk_create(
        Translation(
            segment=segment, system=system, text=f"Satz {segment.position} von Text {segment.document.position}."
        )
        for segment in segments
    )
    return make_planned_campaign(test_set, cast, name="Long campaign", redundancy=2)
