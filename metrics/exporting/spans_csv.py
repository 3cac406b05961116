"""`spans-csv`: one row for each marked error, in the order the judgments were stored."""

from collections.abc import Iterator, Mapping

from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from annotation.importing.columns import SPANS
from annotation.models import ErrorSpan, Side, Slot
from annotation.spreadsheet_cells import safe_name
from campaigns.models import Campaign
from metrics.exporting.csv_pieces import csv_pieces
from metrics.exporting.judgment_streams import CHUNK


def write_spans(campaign: Campaign, *, names: Mapping[str, str] | None = None) -> Iterator[bytes]:
    """`names` are pseudonyms by annotator."""
    return csv_pieces(SPANS, _rows(campaign, names or {}))


def _rows(campaign: Campaign, pseudonyms: Mapping[str, str]) -> Iterator[list[str]]:
    own, shared = Q(translation=OuterRef("translation")), Q(credits__translation=OuterRef("translation"))
    damaged = Slot.objects.filter(own | shared, item=OuterRef("judgment__item"))
    spans = (
        ErrorSpan.objects.filter(judgment__item__assignment__campaign=campaign)
        .annotate(shown=Coalesce(Subquery(damaged.values("damaged")[:1]), "translation__text"))
        .order_by("judgment_id", "pk")
        .values_list(
            "judgment__client_id",
            "judgment__annotator__username",
            "translation__segment__document__name",
            "translation__segment__name",
            "translation__system__name",
            "side",
            "start",
            "end",
            "category",
            "severity",
            "note",
            "translation__segment__source",
            "shown",
        )
    )
    for client_id, annotator, *place, start, end, category, severity, note, source, shown in spans.iterator(CHUNK):
        marked = ((source if place[-1] == Side.SOURCE else shown) or "")[start:end]
        cells = [pseudonyms.get(annotator, annotator), *place, str(start), str(end), category, severity, marked, note]
        yield [str(client_id), *map(safe_name, cells)]
