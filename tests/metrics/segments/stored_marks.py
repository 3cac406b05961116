"""What a metric that marks errors, such as XCOMET, would have stored with its score of a translation."""

from campaigns.models import Translation
from metrics.models import SegmentStatistic
from metrics.scoring.texts import hash_of


def store_marks(translation: Translation, metric: str, *marks: tuple[int, int, str]) -> SegmentStatistic:
    """Start, end and severity of each; scored with all references of the segment, or with none."""
    segment, text = translation.segment, translation.text or ""
    references = list(segment.references.order_by("name").values_list("text", flat=True))
    source = segment.source or ""
    return SegmentStatistic.objects.create(
        translation=translation,
        metric=metric,
        signature="nrefs:1|model:stored-by-a-test",
        texts=hash_of([source, text, *references] if references else [text, source]),
        values=[0.5],
        marks=[{"start": start, "end": end, "severity": severity} for start, end, severity in marks],
    )
