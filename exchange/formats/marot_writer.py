"""`marot`: a line for each marked error, then one for each output that has references or scores of metrics.

The columns are those of `marot`, whose last one is JSON.
"""

import json
from collections.abc import Iterator
from itertools import chain
from typing import Any

from annotation.protocols import protocol_for
from campaigns.models import Campaign, Reference, Segment, Translation
from exchange.exported_judgments import CHUNK, EVERYTHING, ExportChoice, Follower
from exchange.formats.marot import COLUMNS
from exchange.formats.subset2evaluate import OutputMetrics
from exchange.formats.wmt_mqm_writer import Rated, Span, rated_outputs, span_cells, without_ends
from exchange.tables.csv_and_json import pieces_of

_ORDER = ("document__position", "document_id", "position", "pk")  # of the test set


def write_marot(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Iterator[bytes]:
    rows = chain([list(COLUMNS)], _with_languages(campaign, chain(_ratings(campaign, choice), _outputs(campaign))))
    return pieces_of("\t".join(map(without_ends, cells)) + "\n" for cells in rows)


Line = tuple[list[str], dict[str, Any]]


def _with_languages(campaign: Campaign, lines: Iterator[Line]) -> Iterator[list[str]]:
    """The first line alone says what evaluation it is."""
    test_set = campaign.test_set
    evaluation = {"source_language": test_set.source_language, "target_language": test_set.target_language}
    first: dict[str, Any] = {"evaluation": {"template": "MQM", **evaluation}}
    for cells, metadata in lines:
        yield [*cells, json.dumps(metadata | first, ensure_ascii=False)]
        first = {}


def _ratings(campaign: Campaign, choice: ExportChoice) -> Iterator[Line]:
    titles = protocol_for(campaign.protocol, campaign.options).category_titles
    for rated in rated_outputs(campaign, choice):
        for span, cells in span_cells(rated, titles):
            yield [*rated.place, *cells], _about(span, rated)


def _about(span: Span | None, rated: Rated) -> dict[str, Any]:
    texts = {"source": rated.output.source or "", "target": rated.output.shown or ""}
    about: dict[str, Any] = {"marked_text": texts[span.side][span.start : span.end] if span else ""}
    if rated.output.submitted is not None:
        about["timestamp"] = round(rated.output.submitted.timestamp() * 1000)
    return about | ({"note": span.note} if span and span.note else {})


def _outputs(campaign: Campaign) -> Iterator[Line]:
    """References are in the first line of their segment."""
    metrics = OutputMetrics(campaign, signed=False)
    references, texts = Follower(_references(campaign)), Follower(_texts(campaign))
    own = Segment.objects.filter(document__test_set=campaign.test_set_id).order_by(*_ORDER)
    fields = (*_ORDER, "document__name", "name", "source")
    for number, (*key, document, segment, source) in enumerate(own.values_list(*fields).iterator(CHUNK), start=1):
        named = {name: without_ends(text) for name, text in references.rows_of(tuple(key))}
        for system, text in texts.rows_of(tuple(key)):
            about: dict[str, Any] = {}
            if values := metrics.of(key[-1], system):
                about["metrics"] = values
            if named:
                about |= {"references": named, "primary_reference": next(iter(named))}
            if about:
                yield [system, document, segment, str(number), "", source or "", text, "", ""], {"segment": about}
                named = {}


def _references(campaign: Campaign) -> Iterator[tuple[Any, ...]]:
    order = [f"segment__{part}" for part in _ORDER]
    own = Reference.objects.filter(segment__document__test_set=campaign.test_set_id).order_by(*order, "name")
    for *key, name, text in own.values_list(*order, "name", "text").iterator(CHUNK):
        yield tuple(key), name, text


def _texts(campaign: Campaign) -> Iterator[tuple[Any, ...]]:
    order = [f"segment__{part}" for part in _ORDER]
    own = Translation.objects.filter(system__campaigns=campaign, text__isnull=False).order_by(*order, "system__name")
    for *key, system, text in own.values_list(*order, "system__name", "text").iterator(CHUNK):
        yield tuple(key), system, text
