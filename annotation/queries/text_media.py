"""Pictures, sound and video beside the texts of a page."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef

from annotation.models import ItemLevel
from campaigns.models import Medium


@dataclass(frozen=True)
class ShownMedium:
    """`file` is the last part of its address; `name` is what a message calls it."""

    file: str
    kind: str
    type: str
    width: int | None
    height: int | None
    duration_ms: int | None
    alt: str
    name: str
    has_captions: bool
    of_document: bool


class PageMedia:
    """The media of some documents, by place. One query."""

    def __init__(self, documents: Collection[int]) -> None:
        self._beside: dict[tuple[int, int | None], ShownMedium] = {}
        if documents:
            rows = Medium.objects.filter(document__in=documents)
            for row in rows.order_by("document", F("segment__position").asc(nulls_first=True)):
                self._beside[row.document_id, row.segment_id] = shown_medium(row)

    def beside(self, document: int, segment: int | None, level: str) -> tuple[ShownMedium, ...]:
        """That of the document first, then that of the segment; of a whole document, those of all its segments."""
        if level == ItemLevel.DOCUMENT:
            return tuple(medium for (place, _segment), medium in self._beside.items() if place == document)
        places = ((document, None), (document, segment)) if segment else ((document, None),)
        return tuple(self._beside[place] for place in places if place in self._beside)


def shown_medium(row: Medium) -> ShownMedium:
    return ShownMedium(
        file=row.file_hash,
        kind=row.kind,
        type=row.content_type,
        width=row.width,
        height=row.height,
        duration_ms=row.duration_ms,
        alt=row.alt,
        name=row.name,
        has_captions=bool(row.captions),
        of_document=row.segment_id is None,
    )


def has_media(test_set: str) -> Exists:
    """Whether anything lies beside the texts of a test set."""
    return Exists(Medium.objects.filter(document__test_set=OuterRef(test_set)))
