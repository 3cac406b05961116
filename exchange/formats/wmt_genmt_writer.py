"""`wmt-genmt`: a folder with the test set of a campaign as WMT's general task publishes it, and its human scores.

Documents are joined so that `wmt_genmt` divides them again into the same segments: as they are if their texts tell
where segments end (paragraphs, values of JSON), else with a blank line between two, and names of 2025, which say so.
"""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from heapq import merge
from itertools import groupby
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.models import Side, slot_values
from campaigns.models import Campaign, Reference, Segment, Translation
from exchange.exported_judgments import CHUNK, EVERYTHING, ExportChoice, Follower
from exchange.formats.genmt_segments import split_text, way_to_split
from exchange.formats.ratings_writer import counted_ratings
from exchange.tables.csv_and_json import pieces_of

TEST_SET, SCORES, SYSTEMS = "wmt-genmt.jsonl", "wmt-genmt-humeval.jsonl", "systems"
SCORED = frozenset({"cesa", "direct_assessment", "esa", "mqm"})
_ORDER = ("document__position", "document_id", "position", "pk")
_OF_SEGMENT = tuple(f"segment__{name}" for name in _ORDER)
_BLANK_LINES = re.compile(r"\n[ \t\r]*\n\s*")
File = tuple[str, Iterator[bytes]]
Texts = list[tuple[tuple[int, ...], str]]


def losses(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> list[str]:  # noqa: ARG001 - as the others
    unscored = [_("Judgments of this protocol have no equal here and are not in it.")]
    return [
        *(unscored if campaign.protocol not in SCORED else []),
        _("Segments’ names become numbers. If texts do not tell where segments end, blank lines do."),
        _("Tags, glossaries, media, questions, categories of errors, marks in sources and comments are not in it."),
    ]


def write_folder(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Iterator[File]:
    naming = _Naming(campaign)
    yield TEST_SET, pieces_of(_lines(_documents(campaign, naming)))
    for key, name in campaign.systems.order_by("pk").values_list("pk", "name"):
        outputs = Translation.objects.filter(system=key, text__isnull=False)
        file = re.sub(r"[\s/\\:]", "_", name).lstrip(".") or f"system_{key}"
        yield f"{SYSTEMS}/{file}.jsonl", pieces_of(_lines(_outputs(campaign, naming, outputs)))
    if campaign.protocol in SCORED:
        yield SCORES, pieces_of(_lines(_scores(campaign, choice, naming)))


def _lines(objects: Iterable[dict[str, Any]]) -> Iterator[str]:
    return (json.dumps(each, ensure_ascii=False) + "\n" for each in objects)


class _Naming:
    """How documents are named and joined, the same for all of them."""

    def __init__(self, campaign: Campaign) -> None:
        test_set = campaign.test_set
        self.languages = [tag.replace("-", "_") for tag in (test_set.source_language, test_set.target_language)]
        self.set_name = re.sub(r"#", "", test_set.slug)
        self.is_lossless = all(
            split_text(whole := "".join(text for _key, text in texts), way_to_split(whole))
            == [text for _key, text in texts]
            for _key, texts in by_document(_sources(campaign))
        )

    def name(self, domain: str, document: str) -> str:
        """A domain has no separator of its own."""
        domain = domain.replace("#", "") or "all"
        if self.is_lossless:
            return "_###_".join([self.set_name, domain, *self.languages, document])
        return "_#_".join(["-".join(self.languages), domain, document])

    def joined(self, texts: Iterable[str]) -> str:
        if self.is_lossless:
            return "".join(texts)
        return "\n\n".join(_BLANK_LINES.sub("\n", text.strip("\n")) for text in texts)


def by_document(rows: Iterable[tuple[tuple[int, ...], str]]) -> Iterator[tuple[tuple[int, ...], Texts]]:
    for key, own in groupby(rows, lambda row: row[0][:2]):
        yield key, list(own)


def _sources(campaign: Campaign) -> Iterator[tuple[tuple[int, ...], str]]:
    own = Segment.objects.filter(document__test_set=campaign.test_set_id).order_by(*_ORDER)
    for *key, text in own.values_list(*_ORDER, "source").iterator(CHUNK):
        yield tuple(key), text or ""


def _documents(campaign: Campaign, naming: _Naming) -> Iterator[dict[str, Any]]:
    source, target = naming.languages
    references = Follower(_references(campaign))
    about = Follower(_about(campaign))
    for key, texts in by_document(_sources(campaign)):
        document, domain, instruction = about.rows_of(key)[0]
        by_name: dict[str, dict[tuple[int, ...], str]] = {}
        for name, place, text in references.rows_of(key):
            by_name.setdefault(name, {})[place] = text
        refs = {
            name: {"ref": naming.joined(own.get(place, "") for place, _text in texts)} for name, own in by_name.items()
        }
        line = {"doc_id": naming.name(domain, document), "domain": domain, "src_lang": source, "tgt_lang": target}
        line |= {"src_text": naming.joined(text for _place, text in texts), "video": None, "screenshot": None}
        yield line | {"refs": refs} | ({"evaluation_instruction": instruction} if instruction else {})


def _about(campaign: Campaign) -> Iterator[tuple[Any, ...]]:
    """By document its name, domain and instruction; the domain may be that of its segments."""
    fields = (*_ORDER[:2], "document__name", "document__domain", "domain", "document__guidance__instruction")
    own = Segment.objects.filter(document__test_set=campaign.test_set_id).order_by(*_ORDER)
    last = None
    for *key, name, domain, of_segment, instruction in own.values_list(*fields).iterator(CHUNK):
        if key != last:
            last = key
            yield tuple(key), name, domain or of_segment, instruction or ""


def _references(campaign: Campaign) -> Iterator[tuple[Any, ...]]:
    own = Reference.objects.filter(segment__document__test_set=campaign.test_set_id)
    for *key, name, text in (
        own.order_by(*_OF_SEGMENT, "name").values_list(*_OF_SEGMENT, "name", "text").iterator(CHUNK)
    ):
        yield tuple(key[:2]), name, tuple(key), text


def _outputs(campaign: Campaign, naming: _Naming, outputs: "QuerySet[Translation]") -> Iterator[dict[str, Any]]:
    """A document without any output has no line."""
    known = Follower(
        (tuple(key[:2]), tuple(key), text)
        for *key, text in outputs.order_by(*_OF_SEGMENT).values_list(*_OF_SEGMENT, "text").iterator(CHUNK)
    )
    about = Follower(_about(campaign))
    for key, texts in by_document(_sources(campaign)):
        own = dict(known.rows_of(key))
        document, domain, _instruction = about.rows_of(key)[0]
        if own:
            hypothesis = naming.joined(own.get(place, "") for place, _text in texts)
            yield {"doc_id": naming.name(domain, document), "hypothesis": hypothesis}


def _scores(campaign: Campaign, choice: ExportChoice, naming: _Naming) -> Iterator[dict[str, Any]]:
    """A line for each segment, as the organisers published them in 2025."""
    outputs, rated, about = Follower(_texts(campaign)), Follower(_ratings(campaign, choice)), Follower(_about(campaign))
    for key, texts in by_document(_sources(campaign)):
        document, domain, _instruction = about.rows_of(key)[0]
        for number, (place, source) in enumerate(texts):
            scores: dict[str, dict[str, Any]] = {}
            for system, rating in rated.rows_of(place):
                own = scores.setdefault(system, {})
                _add(own, rating)
            yield {
                "doc_id": f"{naming.name(domain, document)}_#_{number}",
                "src_text": source,
                "tgt_text": dict(outputs.rows_of(place)),
                "scores": scores,
            }


class _Rating(NamedTuple):
    judgment: int
    answer: Any
    label: str
    annotator: str
    started: datetime | None
    submitted: datetime | None


def _ratings(campaign: Campaign, choice: ExportChoice) -> Iterator[tuple[Any, ...]]:
    """The segment, the system, and what was said about its output, in this order."""
    streams = [_stream(campaign, choice, system) for system in ("system", "credits__system")]
    for *key, name, rating in merge(*streams, key=lambda row: (*row[:-2], row[-1].judgment)):
        yield tuple(key[:-1]), name, rating


def _stream(campaign: Campaign, choice: ExportChoice, system: str) -> Iterator[tuple[Any, ...]]:
    order = [*(f"item__segment__{part}" for part in _ORDER), f"item__slots__{system}"]
    own = counted_ratings(campaign, choice).filter(**{f"item__slots__{system}__isnull": False}).order_by(*order, "pk")
    about = ("pk", "answer", "item__slots__label", "annotator__username", "started_at", "submitted_at")
    for *key, name, pk, answer, label, annotator, started, submitted in own.values_list(
        *order, f"item__slots__{system}__name", *about
    ).iterator(CHUNK):
        yield (*key, name, _Rating(pk, answer, label, choice.called(annotator), started, submitted))


def _texts(campaign: Campaign) -> Iterator[tuple[Any, ...]]:
    own = Translation.objects.filter(system__campaigns=campaign, text__isnull=False)
    order = (*_OF_SEGMENT, "system__name")
    for *key, system, text in own.order_by(*order).values_list(*order, "text").iterator(CHUNK):
        yield tuple(key), system, text


def _add(own: dict[str, Any], rating: _Rating) -> None:
    """As the n-th time that somebody judged the output; offsets include the last character."""
    number = sum(name.startswith("errors") for name in own) + 1
    answered = slot_values(rating.answer, rating.label)
    if answered.get("score") is not None:
        own[f"human{number}"] = answered["score"]
    spans = [span for span in answered.get("spans", ()) if span.get("side", Side.TARGET) == Side.TARGET]
    own[f"errors{number}"] = [_error(span) for span in spans] + [
        {"start_i": "missing", "end_i": "missing", "severity": tag["severity"]} for tag in answered.get("tags", ())
    ]
    own[f"annotator{number}"] = rating.annotator
    if rating.started and rating.submitted:
        own[f"times{number}"] = [rating.started.timestamp(), rating.submitted.timestamp()]


def _error(span: dict[str, Any]) -> dict[str, Any]:
    start, end = span["start"], span["end"] - 1
    if end < start:
        start = end = "missing"
    return {"start_i": start, "end_i": end, "severity": span["severity"]}
