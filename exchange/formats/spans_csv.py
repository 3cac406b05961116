"""`spans-csv`: one row for each marked error, in the order of judgments; docs/formats.md describes its columns."""

from collections.abc import Iterator

from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from annotation.models import ErrorSpan, Side, Slot
from campaigns.models import Campaign
from exchange.cells import safe_name
from exchange.exported_judgments import CHUNK, EVERYTHING, ExportChoice
from exchange.tables.csv_and_json import Table

_PATHS = {
    "judgment": "judgment__client_id",
    "annotator": "judgment__annotator__username",
    "document": "translation__segment__document__name",
    "segment": "translation__segment__name",
    "system": "translation__system__name",
    "side": "side",
    "start": "start",
    "end": "end",
    "category": "category",
    "severity": "severity",
    "text": "shown",
    "note": "note",
}
COLUMNS = tuple(_PATHS)


def spans_table(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Table:
    return Table(COLUMNS, _rows(campaign, choice))


def _rows(campaign: Campaign, choice: ExportChoice) -> Iterator[list[str]]:
    own, shared = Q(translation=OuterRef("translation")), Q(credits__translation=OuterRef("translation"))
    damaged = Slot.objects.filter(own | shared, item=OuterRef("judgment__item"))
    spans = (
        choice.of_judgments(ErrorSpan.objects.filter(judgment__item__assignment__campaign=campaign))
        .annotate(shown=Coalesce(Subquery(damaged.values("damaged")[:1]), "translation__text"))
        .order_by("judgment_id", "pk")
        .values_list(*_PATHS.values(), "translation__segment__source")
    )
    for *values, source in spans.iterator(CHUNK):
        row = dict(zip(COLUMNS, values, strict=True))
        text = source if row["side"] == Side.SOURCE else row["text"]
        row |= {"annotator": choice.called(row["annotator"]), "text": (text or "")[row["start"] : row["end"]]}
        yield [safe_name(str(value)) for value in row.values()]
