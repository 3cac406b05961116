"""`anthea`: a campaign's marked errors as a project of Anthea, with what each rater marked as earlier result.

By rater, system and document, so that Anthea shows whole documents; segments that a rater did not judge have no result.
"""

import json
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from annotation.models import Side, slot_values
from campaigns.models import Account, Campaign, Document, Reference, Segment, Translation
from exchange.exported_judgments import CHUNK, EVERYTHING, ExportChoice, Follower
from exchange.formats.anthea import CUT
from exchange.formats.ratings_writer import chosen_rating, counted_ratings, ratings_by_key
from exchange.formats.subset2evaluate import OutputMetrics
from exchange.tables.csv_and_json import pieces_of

_ORDER = ("document__position", "document_id", "position", "pk")
_OF_SEGMENT = tuple(f"segment__{name}" for name in _ORDER)


def losses(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> list[str]:  # noqa: ARG001 - as the others
    return [
        _("Scores, comments, times, earlier revisions and names of segments are not in this file."),
        _("Omissions lose their place. Zero-width spaces of texts are lost; “\\n” in them becomes a line end."),
    ]


class _Text(NamedTuple):
    place: tuple[int, ...]
    document: str
    source: str
    target: str


def write_anthea(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Iterator[bytes]:
    return pieces_of(_lines(campaign, choice))


def _lines(campaign: Campaign, choice: ExportChoice) -> Iterator[str]:
    test_set = campaign.test_set
    languages = {"source_language": test_set.source_language, "target_language": test_set.target_language}
    yield json.dumps(languages) + "\n"
    metrics = OutputMetrics(campaign, signed=False)
    systems = list(campaign.systems.order_by("pk").values_list("pk", "name"))
    judged = counted_ratings(campaign, choice).order_by().values("annotator")
    raters = Account.objects.filter(pk__in=judged).order_by("pk").values_list("pk", "username")
    ratings = Follower(ratings_by_key(campaign, choice, ("annotator",)))
    for rater, name in list(raters):
        for key, system in systems:
            documents = _documents(campaign, choice, rater, key)
            references = Follower(_references(documents))
            for _document, texts in groupby(_texts(documents, key), lambda text: text.place[:2]):
                own = [(text, chosen_rating(ratings.rows_of((rater, key, *text.place)), -1)) for text in texts]
                if not any(rating for _text, rating in own):
                    continue
                for text, rating in own:
                    about: dict[str, Any] = {"prior_rater": choice.called(name)}
                    if named := {label: words for label, words in references.rows_of(text.place)}:  # noqa: C416 - pairs
                        about |= {"references": named, "primary_reference": next(iter(named))}
                    if values := metrics.of(text.place[-1], system):
                        about["metrics"] = values
                    yield _line(text, system, about, slot_values(rating.answer, rating.label) if rating else None)


def _line(text: _Text, system: str, about: dict[str, Any], answered: Any) -> str:
    written = {Side.SOURCE.value: text.source, Side.TARGET.value: text.target}
    if answered is not None:
        errors: list[dict[str, Any]] = []
        for side, plain in written.items():
            spans = [span for span in answered.get("spans", ()) if span.get("side", Side.TARGET) == side]
            errors += _errors(spans, side, plain)
            written[side] = _cut(plain, spans)
        tags = [{"start": 0, "end": 0, "category": tag["tag"], **tag} for tag in answered.get("tags", ())]
        about["prior_result"] = {"errors": errors + _errors(tags, Side.TARGET.value, ""), "visited": True}
    cells = [*map(_escaped, written.values()), *(" ".join(name.split()) for name in (text.document, system))]
    return "\t".join([*cells, json.dumps(about, ensure_ascii=False)]) + "\n"


def _errors(spans: Iterable[dict[str, Any]], side: str, text: str) -> list[dict[str, Any]]:
    """With the numbers of their tokens; an omission has none."""
    spans = list(spans)
    bounds = _bounds(text, spans)
    errors = []
    for span in spans:
        start, end = _without_cuts(text, span["start"]), _without_cuts(text, span["end"])
        kind, _slash, subtype = (span.get("category") or "").partition("/")
        about = {"location": "source" if side == Side.SOURCE else "translation", "severity": span["severity"]}
        about |= {"type": kind, "subtype": subtype, "selected": text.replace(CUT, "")[start:end]}
        if end > start:
            about |= {"start": bounds.index(start), "end": bounds.index(end) - 1}
        errors.append(about | ({"metadata": {"note": span["note"]}} if span.get("note") else {}))
    return errors


def _bounds(text: str, spans: Iterable[dict[str, Any]]) -> list[int]:
    """Where tokens begin, and the end of the text: at blanks, and at the ends of marks."""
    plain = text.replace(CUT, "")
    places = {0, len(plain)} | {at + step for at, sign in enumerate(plain) if sign == " " for step in (0, 1)}
    return sorted(places | {_without_cuts(text, span[end]) for span in spans for end in ("start", "end")})


def _without_cuts(text: str, place: int) -> int:
    return place - text.count(CUT, 0, place)


def _cut(text: str, spans: Iterable[dict[str, Any]]) -> str:
    """With a cut at each end of a mark within a word."""
    plain = text.replace(CUT, "")
    bounds = _bounds(text, spans)
    words = [plain[start:end] for start, end in pairwise(bounds)]
    parts = [
        CUT + word if before and " " not in (before, word) else word
        for before, word in zip(["", *words], words, strict=False)
    ]
    return "".join(parts)


def _escaped(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\\n").replace("\t", "\\t")


def _documents(campaign: Campaign, choice: ExportChoice, rater: int, system: int) -> "QuerySet[Document]":
    """Those of which the rater judged an output of the system."""
    is_output = Q(item__slots__system=system) | Q(item__slots__credits__system=system)
    judged = counted_ratings(campaign, choice).filter(is_output, annotator=rater).order_by()
    return Document.objects.filter(pk__in=judged.values("item__document"))


def _texts(documents: "QuerySet[Document]", system: int) -> Iterator[_Text]:
    outputs = Translation.objects.filter(system=system, segment__document__in=documents).order_by(*_OF_SEGMENT)
    known = Follower((tuple(key), text) for *key, text in outputs.values_list(*_OF_SEGMENT, "text").iterator(CHUNK))
    own = Segment.objects.filter(document__in=documents).order_by(*_ORDER)
    for *key, document, source in own.values_list(*_ORDER, "document__name", "source").iterator(CHUNK):
        target = next((text for (text,) in known.rows_of(tuple(key))), "")
        yield _Text(tuple(key), document, source or "", target or "")


def _references(documents: "QuerySet[Document]") -> Iterator[tuple[Any, ...]]:
    own = Reference.objects.filter(segment__document__in=documents)
    for *key, name, text in (
        own.order_by(*_OF_SEGMENT, "name").values_list(*_OF_SEGMENT, "name", "text").iterator(CHUNK)
    ):
        yield tuple(key), name, text
