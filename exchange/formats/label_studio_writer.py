"""`label-studio`: one task for each output, with its judgments as annotations; Label Studio imports the file.

Spans are half-open and count code points, as Label Studio does since October 2021; `label_studio` reads the file again.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC
from typing import Any

from django.utils.translation import gettext as _

from annotation.models import Side
from annotation.protocols import protocol_for
from annotation.taxonomies.typology import written_category
from campaigns.models import Campaign, Document, Reference
from exchange.exported_judgments import EVERYTHING, ExportChoice, Follower, JudgedSlot, judgments_of
from exchange.formats.wmt_mqm_writer import marked_spans
from exchange.formats.xliff_campaign import DocumentRead, by_judgment, documents_read
from exchange.tables.csv_and_json import pieces_of

PROTOCOLS = frozenset({"direct_assessment", "esa", "mqm"})
ERRORS, SEVERITY, NOTE, SCORE, COMMENT = "errors", "severity", "note", "score", "comment"
_SIDES = {Side.SOURCE.value: "source", Side.TARGET.value: "target"}


def losses(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> list[str]:
    told = [_("Titles, domains, earlier revisions, control items and working time are not in the file.")]
    judged = judgments_of(campaign, choice).filter(item__segment=None)
    if count := judged.count():
        told.append(_("Judgments of whole documents, left out: %(count)d.") % {"count": count})
    return told


def write_tasks(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Iterator[bytes]:
    return pieces_of(_listed(_tasks(campaign, choice)))


def _listed(tasks: Iterator[Mapping[str, Any]]) -> Iterator[str]:
    yield "["
    separator = "\n"
    for task in tasks:
        yield separator + json.dumps(task, ensure_ascii=False)
        separator = ",\n"
    yield "\n]\n"


def _tasks(campaign: Campaign, choice: ExportChoice) -> Iterator[Mapping[str, Any]]:
    """Outputs that nobody has judged are tasks without annotations."""
    titles = protocol_for(campaign.protocol, campaign.options).category_titles
    number = 0
    for read in documents_read(campaign, choice):
        document = read.document
        references = _references(document)
        outputs = read.outputs()
        given = _annotations(read, outputs, choice, titles)
        for pk, name, source in read.segments:
            for system, texts in outputs.items():
                if pk not in texts:
                    continue
                number += 1
                data = {"document": document.name, "segment": name, "system": system}
                data |= {"source": source, "target": texts[pk]}
                data |= {"reference": references[pk]} if pk in references else {}
                yield {"id": number, "data": data, "annotations": given.get((system, pk), [])}


def _references(document: Document) -> dict[int, str]:
    own = Reference.objects.filter(segment__document=document).order_by("-name", "-pk")
    return dict(own.values_list("segment_id", "text"))


def _annotations(
    read: DocumentRead, texts: Mapping[str, Mapping[int, str]], choice: ExportChoice, titles: Mapping[str, str]
) -> dict[tuple[str, int], list[Mapping[str, Any]]]:
    """By system and segment, in the order in which they were given."""
    sampled = read.sampled
    spans = Follower(marked_spans(read.campaign, sampled))
    names = read.system_names()
    found: dict[tuple[str, int], list[Mapping[str, Any]]] = {}
    for judgment, outputs in by_judgment(read.judged()):
        rows = spans.rows_of(judgment)
        for output, systems in outputs:
            for system in systems:
                own = [row[1:] for row in rows if names.get(row[0]) == system]
                text = texts.get(system, {}).get(output.segment_id or 0, output.shown or "")
                annotation = _annotation(output, own, text, choice, titles)
                if text != output.shown:  # systems share it, but for the blanks around it
                    annotation = {**annotation, "id": f"{annotation['id']}-{system}"}
                found.setdefault((system, output.segment_id or 0), []).append(annotation)
    return found


def _annotation(
    output: JudgedSlot, spans: Sequence[tuple[Any, ...]], shown: str, choice: ExportChoice, titles: Mapping[str, str]
) -> Mapping[str, Any]:
    results: list[Mapping[str, Any]] = []
    for number, span in enumerate(spans, start=1):
        text = (output.source or "") if span[0] == Side.SOURCE else shown
        results += _region(f"{output.judgment_id}-{number}", span, text, titles)
    answer = output.answer if isinstance(output.answer, Mapping) else {}
    values = answer.get("slots", {}).get(output.slot, {})
    if isinstance(score := values.get("score"), int | float):
        results.append(_result("number", SCORE, "target", {"number": score}))
    if comment := answer.get("comment"):
        results.append(_result("textarea", COMMENT, "target", {"text": [comment]}))
    name = choice.called(output.annotator)
    annotation: dict[str, Any] = {"id": f"{output.client_id}-{output.slot}", "annotator": name}
    if output.submitted is not None:
        annotation["created_at"] = output.submitted.astimezone(UTC).isoformat()
    if output.elapsed_ms is not None:
        annotation["lead_time"] = output.elapsed_ms / 1000
    return annotation | {"was_cancelled": False, "ground_truth": False, "result": results}


def _region(key: str, span: tuple[Any, ...], text: str, titles: Mapping[str, str]) -> Iterator[Mapping[str, Any]]:
    """A mark, and what is said of it: results with the same `id`. Without category, its label is the severity."""
    side, start, end, category, severity, note = span
    place = {"start": start, "end": end, "text": text[start:end]}
    label = written_category(category, titles) or severity.capitalize()
    yield _result("labels", ERRORS, _SIDES[side], {**place, "labels": [label]}, key)
    if category:
        yield _result("choices", SEVERITY, _SIDES[side], {**place, "choices": [severity.capitalize()]}, key)
    if note:
        yield _result("textarea", NOTE, _SIDES[side], {**place, "text": [note]}, key)


def _result(kind: str, name: str, to: str, value: Mapping[str, Any], key: str = "") -> Mapping[str, Any]:
    result = {"type": kind, "from_name": name, "to_name": to, "value": value, "origin": "manual"}
    return {"id": key, **result} if key else {"id": name, **result}
