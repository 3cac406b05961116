"""What metrics that need no model have counted, of which packed_counts.py makes a row a system."""

from base64 import b64decode

from django.db.models import Sum

from metrics.models import SystemCounts


def how_many_counted() -> int:
    """Pairs of a translation and a metric."""
    return SystemCounts.objects.aggregate(all=Sum("translations"))["all"] or 0


def counted_texts() -> set[tuple[int, str, bytes]]:
    """Each with its system and metric."""
    return {
        (row.system_id, row.metric, hashes[at : at + 16])
        for row in SystemCounts.objects.all()
        for hashes in [b64decode(row.texts)]
        for at in range(0, len(hashes), 16)
    }
