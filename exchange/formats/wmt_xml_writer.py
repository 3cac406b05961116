"""`wmt-xml`: a test set in WMT's XML, which `wmt_xml` reads; one document in memory at a time."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from campaigns.models import Campaign, Document, Reference, Segment, Translation
from exchange.exported_judgments import CHUNK, EVERYTHING, ExportChoice, Follower
from exchange.tables.csv_and_json import pieces_of

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_OF_DOCUMENT = ("document__position", "document_id")
_OF_SEGMENT = tuple(f"segment__{name}" for name in _OF_DOCUMENT)


Texts = list[tuple[str, str]]  # segment and text


@dataclass
class TextDocument:
    """`about` are the attributes of the document; references and outputs are by their names."""

    about: Mapping[str, str]
    sources: Texts
    references: dict[str, Texts] = field(default_factory=dict)
    outputs: dict[str, Texts] = field(default_factory=dict)


def losses(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> list[str]:  # noqa: ARG001 - as the others
    return [_("Judgments, metric scores, tags, instructions, glossaries, media and questions are not in this file.")]


def write_wmt_xml(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Iterator[bytes]:  # noqa: ARG001
    return pieces_of(_parts(campaign))


def _parts(campaign: Campaign) -> Iterator[str]:
    test_set = campaign.test_set
    return written_test_set(test_set.slug, test_set.source_language, test_set.target_language, _documents(campaign))


def written_test_set(name: str, source: str, target: str, documents: Iterable[TextDocument]) -> Iterator[str]:
    yield f'<?xml version="1.0" encoding="utf-8"?>\n<dataset id={quoteattr(_clean(name))}>\n'
    for document in documents:
        about = {"id": "", "origlang": source} | dict(document.about)
        yield f"  <doc {' '.join(f'{name}={quoteattr(_clean(value))}' for name, value in about.items() if value)}>\n"
        yield from _side(f"src lang={quoteattr(source)}", document.sources)
        for kind, attribute, sides in (("ref", "translator", document.references), ("hyp", "system", document.outputs)):
            for author, texts in sides.items():
                yield from _side(f"{kind} {attribute}={quoteattr(_clean(author))} lang={quoteattr(target)}", texts)
        yield "  </doc>\n"
    yield "</dataset>\n"


def _documents(campaign: Campaign) -> Iterator[TextDocument]:
    test_set = campaign.test_set
    own = Segment.objects.filter(document__test_set=test_set)
    sources = Follower(_keyed(own, (*_OF_DOCUMENT, "position", "pk"), "name", "source", "domain"))
    in_order = (*_OF_SEGMENT, "{}", "segment__position", "segment_id")
    references = Follower(_texts(Reference.objects.all(), campaign, in_order, "name"))
    outputs = Follower(
        _texts(
            Translation.objects.filter(system__campaigns=campaign, text__isnull=False),
            campaign,
            in_order,
            "system__name",
        )
    )
    documents = Document.objects.filter(test_set=test_set).order_by("position", "pk")
    for document in documents.iterator(CHUNK):
        key = (document.position, document.pk)
        segments = sources.rows_of(key)
        domain = document.domain or next((row[2] for row in segments if row[2]), "")
        about = {"id": document.name, "domain": domain, "title": document.title}
        read = TextDocument(about, [row[:2] for row in segments])
        for rows, sides in ((references, read.references), (outputs, read.outputs)):
            for name, segment, text in rows.rows_of(key):
                sides.setdefault(name, []).append((segment, text))
        yield read


def _keyed(rows: "QuerySet[Any]", order: tuple[str, ...], *fields: str) -> Iterator[tuple[Any, ...]]:
    for *key, _position, _key, name, text, domain in rows.order_by(*order).values_list(*order, *fields).iterator(CHUNK):
        yield tuple(key), name, text, domain


def _texts(rows: "QuerySet[Any]", campaign: Campaign, order: tuple[str, ...], name: str) -> Iterator[tuple[Any, ...]]:
    """By document: who wrote it, the segment, and the text."""
    order = tuple(part.format(name) for part in order)
    own = rows.filter(segment__document__test_set=campaign.test_set_id).order_by(*order)
    for position, document, author, segment, text in own.values_list(
        *_OF_SEGMENT, name, "segment__name", "text"
    ).iterator(CHUNK):
        yield (position, document), author, segment, text


def _side(begin: str, texts: Texts) -> Iterator[str]:
    yield f"    <{begin}>\n      <p>\n"
    for segment, text in texts:
        yield f"        <seg id={quoteattr(_clean(segment))}>{escape(_clean(text or ''), {chr(13): '&#13;'})}</seg>\n"
    yield f"      </p>\n    </{begin.partition(' ')[0]}>\n"


def _clean(text: str) -> str:
    """Without characters that no XML can hold."""
    return _NOT_XML.sub("\ufffd", text)
