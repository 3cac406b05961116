"""Documents for screens: long enough to rotate words in, four systems that never agree."""

from campaigns.actions.test_sets import NewTestSet, SegmentRecord, store_test_set
from campaigns.models import TestSet

SCREEN_SYSTEMS = ("sentinel-one", "sentinel-two", "sentinel-three", "sentinel-four")
_WORDS = [
    "river",
    "stone",
    "wind",
    "harbour",
    "lamp",
    "apple",
    "bridge",
    "cloud",
    "garden",
    "letter",
    "morning",
    "silver",
    "window",
]


def make_screens(documents: int = 6, *, segments: int = 2, name: str = "Screens", words: int = 13) -> TestSet:
    records = [
        SegmentRecord(
            document=f"doc-{document}",
            segment=str(segment),
            source=f"Source {document}.{segment}",
            translations={
                system: text_of(document, segment, place, words) for place, system in enumerate(SCREEN_SYSTEMS)
            },
        )
        for document in range(documents)
        for segment in range(segments)
    ]
    new = NewTestSet(
        name=name,
        source_language="en",
        target_language="de",
        content_hash="",
        format="jsonl",
        systems=SCREEN_SYSTEMS,
        segments=records,
        questions=(),
        count=len(records),
        report={},
    )
    return store_test_set(new, created_by=None, on_progress=lambda _share: None)


def text_of(document: int, segment: int, place: int, words: int = 13) -> str:
    return " ".join(f"{word}{document}{segment}{place}" for word in _WORDS[:words])
