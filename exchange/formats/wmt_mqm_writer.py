"""`wmt-mqm-tsv`: one line for each marked error, as the MQM ratings of WMT are published, in the order of judgments.

It is read by `wmt_mqm_tsv`.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from django.db.models import Count, Max, QuerySet
from django.utils.translation import gettext as _

from annotation.models import ErrorSpan, ItemKind, Judgment, Side, is_surplus
from annotation.protocols import protocol_for
from annotation.taxonomies.typology import written_category
from campaigns.models import Campaign, Segment
from exchange.cells import safe_name
from exchange.exported_judgments import (
    CHUNK,
    EVERYTHING,
    ExportChoice,
    Follower,
    JudgedSlot,
    Places,
    credited,
    judged_slots,
    judgments_of,
)
from exchange.formats.wmt_mqm_tsv import CLOSE, GUARDED, OPEN
from exchange.tables.csv_and_json import pieces_of

COLUMNS = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity", "comment")
NO_ERROR = "No-error"
# The format has no quotes: what would end a cell or a line becomes a space, so that no position moves.
_ENDS = dict.fromkeys(map(ord, "\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"), " ")


class Span(NamedTuple):
    translation_id: int
    side: str
    start: int
    end: int
    category: str
    severity: str
    note: str


def losses(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> list[str]:  # noqa: ARG001 - as the others
    return [
        _("Scores of annotators, their comments on whole items and earlier revisions are not in this file."),
        _("Tabs and line ends in texts become spaces."),
    ]


def write_wmt_mqm(
    campaign: Campaign, choice: ExportChoice = EVERYTHING, *, is_guarded: bool = False
) -> Iterator[bytes]:
    """The judgments that count: current, regular, not surplus; one without an error has a line of its own.

    In this format, all lines of a rater on an output are one judgment: of several, the last is written. Its readers do
    not know an apostrophe before a formula, so cells have one only if `is_guarded`, also in the header.
    """
    rows: Iterator[Sequence[str]] = chain([COLUMNS], _cells(campaign, choice))
    if is_guarded:
        rows = chain([(*COLUMNS, GUARDED)], ([*map(safe_name, cells), ""] for cells in _cells(campaign, choice)))
    return pieces_of("\t".join(cells) + "\n" for cells in rows)


def write_guarded(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Iterator[bytes]:
    return write_wmt_mqm(campaign, choice, is_guarded=True)


class Rated(NamedTuple):
    """One output of a system with one rater's marks; `place` has the cells up to the rater."""

    place: list[str]
    translation: int | None
    output: JudgedSlot
    spans: list[Span]


def rated_outputs(campaign: Campaign, choice: ExportChoice) -> Iterator[Rated]:
    """Of several judgments of a rater on an output the last; an output of several systems once for each."""
    credits, spans = Follower(credited(campaign, choice)), Follower(marked_spans(campaign, choice))
    places, last = segment_places(campaign), _last_of_several(campaign, choice)
    known: tuple[int, list[tuple[Any, ...]], list[Span]] = (0, [], [])
    for output in judged_slots(counted_judgments(campaign, choice)):
        if last.get((output.annotator, output.translation_id), output.judgment_id) != output.judgment_id:
            continue
        if output.judgment_id != known[0]:
            marked = [Span(*row) for row in spans.rows_of(output.judgment_id)]
            known = (output.judgment_id, credits.rows_of(output.judgment_id), marked)
        systems = [(output.system, output.translation_id)]
        systems += [(name, key) for label, _id, name, key in known[1] if label == output.slot]
        for system, translation in systems:
            number = str(places[output.segment_id or 0] + 1)
            place = [system or "", output.document, output.segment or "", number, choice.called(output.annotator)]
            yield Rated(place, translation, output, [span for span in known[2] if span.translation_id == translation])


def _cells(campaign: Campaign, choice: ExportChoice) -> Iterator[list[str]]:
    titles = protocol_for(campaign.protocol, campaign.options).category_titles
    for rated in rated_outputs(campaign, choice):
        for span, cells in span_cells(rated, titles):
            yield [without_ends(cell) for cell in [*rated.place, *cells, span.note if span else ""]]


def span_cells(rated: Rated, titles: Mapping[str, str]) -> Iterator[tuple[Span | None, list[str]]]:
    """Source, target, category and severity of each mark; None and a line for an output without an error."""
    source, target = rated.output.source or "", rated.output.shown or ""
    if not rated.spans:
        yield None, [source, target, NO_ERROR, NO_ERROR]
    for span in rated.spans:
        texts = {Side.SOURCE.value: source, Side.TARGET.value: target}
        texts[span.side] = _marked(texts[span.side], span.start, span.end)
        yield span, [*texts.values(), written_category(span.category, titles), span.severity.capitalize()]


def without_ends(cell: str) -> str:
    """Without what would end a cell or a line."""
    return cell.translate(_ENDS)


def _marked(text: str, start: int, end: int) -> str:
    return f"{text[:start]}{OPEN}{text[start:end]}{CLOSE}{text[end:]}"


def segment_places(campaign: Campaign) -> Places:
    """Where segments stand in the test set."""
    segments = Segment.objects.filter(document__test_set=campaign.test_set_id)
    keys = segments.order_by("document__position", "document", "position", "pk").values_list("pk", flat=True)
    return Places(keys.iterator(CHUNK))


def counted_judgments(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> "QuerySet[Judgment]":
    """One row for each slot."""
    return (
        judgments_of(campaign, choice)
        .filter(
            item__kind=ItemKind.REGULAR,
            item__segment__isnull=False,
            item__slots__translation__isnull=False,
            is_current=True,
            cannot_judge="",
        )
        .alias(counts_not=is_surplus())
        .filter(counts_not=False)
    )


def _last_of_several(campaign: Campaign, choice: ExportChoice) -> dict[tuple[str, int | None], int]:
    """The last judgment by rater and output, where one was judged twice, as when systems fill up the screens."""
    rows = (
        counted_judgments(campaign, choice).order_by().values_list("annotator__username", "item__slots__translation_id")
    )
    several = rows.annotate(last=Max("pk"), count=Count("pk")).filter(count__gt=1)
    return {(rater, output): last for rater, output, last, _count in several.iterator(CHUNK)}


def marked_spans(campaign: Campaign, choice: ExportChoice) -> Iterator[tuple[Any, ...]]:
    """judgment, translation, side, start, end, category, severity, note."""
    return (
        choice.of_judgments(
            ErrorSpan.objects.filter(judgment__item__assignment__campaign=campaign, judgment__is_current=True)
        )
        .order_by("judgment_id", "pk")
        .values_list("judgment_id", *Span._fields)
        .iterator(CHUNK)
    )
