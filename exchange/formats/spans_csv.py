"""`spans-csv`: one row for each marked error, in the order of judgments; docs/formats.md describes its columns."""

from collections.abc import Iterator

from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from annotation.models import ErrorSpan, Side, Slot
from campaigns.models import Campaign
from exchange.cells import safe_name
from exchange.exported_judgments import CHUNK, EVERYTHING, ExportChoice
from exchange.tables.csv_and_json import Table

COLUMNS = (
    "judgment",
    "annotator",
    "document",
    "segment",
    "system",
    "side",
    "start",
    "end",
    "category",
    "severity",
    "text",
    "note",
)


def spans_table(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Table:
    return Table(COLUMNS, _rows(campaign, choice))


def _rows(campaign: Campaign, choice: ExportChoice) -> Iterator[list[str]]:
    own, shared = Q(translation=OuterRef("translation")), Q(credits__translation=OuterRef("translation"))
    damaged = Slot.objects.filter(own | shared, item=OuterRef("judgment__item"))
    spans = (
        choice.of_judgments(ErrorSpan.objects.filter(judgment__item__assignment__campaign=campaign))
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
        cells = [choice.called(annotator), *place, str(start), str(end), category, severity, marked, note]
        yield [str(client_id), *map(safe_name, cells)]
