"""`appraise-json`: a campaign's plan as batches of Appraise, one for each assignment; `appraise_batches` reads them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Any, NamedTuple

from django.db.models import Count, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from annotation.models import Assignment, AssignmentStatus, Credit, Item, ItemKind, ItemLevel, PracticeItem, Slot
from annotation.protocols import protocol_for
from campaigns.languages import code_of_language
from campaigns.models import Campaign, Document, Medium, Reference, SuggestedSpan
from exchange.exported_judgments import EVERYTHING, ExportChoice
from exchange.formats.appraise_cells import MISSING, read_document_name
from exchange.tables.csv_and_json import pieces_of

TYPES = {ItemKind.REGULAR.value: "TGT", ItemKind.DEGRADED.value: "BAD", ItemKind.REPEAT.value: "CHK"}
PROTOCOLS = frozenset({"direct_assessment", "esa", "mqm"})
MARKING = PROTOCOLS - {"direct_assessment"}
TUTORIAL = "tutorial"
CHUNK = 2000
AT_ONCE = 500
NAMED = 5


def obstacles(campaign: Campaign) -> list[str]:
    """Why a campaign cannot be written in this form, each with what is in the way."""
    reasons = []
    if campaign.protocol in MARKING and _most_on_a_screen(campaign) > 1:
        reasons.append(_("Appraise marks errors in one translation at a time; here several stand side by side."))
    if _shown(campaign).filter(translation__isnull=False, translation__text=None).exists():
        reasons.append(_("Appraise needs all texts, and some of this campaign are not known."))
    names = Document.objects.filter(test_set=campaign.test_set_id).values_list("name", flat=True)
    if odd := [name for name in names if read_document_name(name, "")[0] != name or TUTORIAL in name.lower()]:
        message = _("Appraise would take these names of documents for copies or tutorials. Rename: %(names)s.")
        reasons.append(message % {"names": ", ".join(odd[:NAMED])})
    return reasons


def _most_on_a_screen(campaign: Campaign) -> int:
    items = Item.objects.filter(assignment__campaign=campaign, level=ItemLevel.SEGMENT)
    widths = items.annotate(width=Count("slots")).order_by("-width").values_list("width", flat=True)
    return widths.first() or 1


def losses(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> list[str]:  # noqa: ARG001 - as the others
    test_set = campaign.test_set_id
    equal = Credit.objects.filter(slot__item__assignment__campaign=campaign, slot__item__segment__isnull=False)
    is_paired = _most_on_a_screen(campaign) > 1
    practice = campaign.practice_items.all()
    unwritten = practice.none() if campaign.protocol in MARKING else practice
    counted: tuple[tuple[Any, str], ...] = (
        (Reference.objects.filter(segment__document__test_set=test_set), _("References, left out: %(count)d.")),
        (Medium.objects.filter(document__test_set=test_set), _("Pictures, audio and video, left out: %(count)d.")),
        (unwritten, _("Practice items, left out: %(count)d.")),
        (
            equal.none() if is_paired else equal,
            _("Systems whose output is that of another, which alone is named: %(count)d."),
        ),
    )
    told = [message % {"count": count} for rows, message in counted if (count := rows.count())]
    return [*told, _("The file has texts and plan: no answers, guidelines, people or settings.")]


class Shown(NamedTuple):
    """One output of one item, in the order of the plan."""

    assignment: int
    item: int
    kind: str
    level: str
    block: int
    document: str
    segment: str | None
    source: str | None
    slot: int
    system: str
    text: str | None
    translation: int | None


_PATHS = (
    "item__assignment_id",
    "item_id",
    "item__kind",
    "item__level",
    "item__block",
    "item__document__name",
    "item__segment__name",
    "item__segment__source",
    "pk",
    "system__name",
    "shown",
    "translation_id",
)


def _shown(campaign: Campaign) -> "QuerySet[Slot]":
    own = Slot.objects.filter(item__assignment__campaign=campaign, item__kind__in=TYPES)
    return own.exclude(item__level=ItemLevel.CONTEXT)


def write_batches(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> Iterator[bytes]:  # noqa: ARG001 - as the others
    return pieces_of(_lines(campaign))


def _lines(campaign: Campaign) -> Iterator[str]:
    """A batch a line."""
    before = "[\n"
    for batch in _batches(campaign):
        yield before
        yield from batch
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


def _batches(campaign: Campaign) -> Iterator[Iterator[str]]:
    """Assignments of the same outputs are one batch, judged that often; item by item, for one may be of thousands."""
    own = Assignment.objects.filter(campaign=campaign).exclude(status=AssignmentStatus.ARCHIVED)
    times: dict[int, int] = {}
    first: list[tuple[int, int]] = []
    for pk, content in own.order_by("round", "position").values_list("pk", "content").distinct():
        if content not in times:
            first.append((pk, content))
        times[content] = times.get(content, 0) + 1
    test_set = campaign.test_set
    languages = [code_of_language(tag) for tag in (test_set.source_language, test_set.target_language)]
    tutorial = list(campaign.practice_items.order_by("position")) if campaign.protocol in MARKING else []
    for number, (assignment, content) in enumerate(first, start=1):
        task = {
            "batchNo": number,
            "batchSize": 0,
            "randomSeed": campaign.seed or 0,
            "requiredAnnotations": times[content],
            "sourceLanguage": languages[0],
            "targetLanguage": languages[1],
        }
        yield _batch(chain(_tutorial(tutorial), _items(campaign, assignment)), task)


def _batch(items: Iterator[dict[str, Any]], task: dict[str, Any]) -> Iterator[str]:
    yield '{"items": ['
    count = 0
    for count, item in enumerate(items, start=1):
        written = json.dumps({"_item": count - 1, "_block": -1, **item}, ensure_ascii=False)
        yield written if count == 1 else f", {written}"
    yield f'], "task": {json.dumps(task | {"batchSize": count}, ensure_ascii=False)}}}'


def _items(campaign: Campaign, assignment: int) -> Iterator[dict[str, Any]]:
    rows = _shown(campaign).filter(item__assignment=assignment)
    rows = rows.annotate(shown=Coalesce("damaged", "translation__text")).order_by("item__position", "label")
    for shown in _portions(Shown(*row) for row in rows.values_list(*_PATHS).iterator(CHUNK)):
        others = _others([each.slot for each in shown])
        marks = _suggested(campaign, [each.translation for each in shown if each.translation])
        for _block, several in groupby(shown, key=_screen_of):
            outputs = [list(of_item) for _item, of_item in groupby(several, key=lambda each: each.item)]
            yield from _Screen(outputs, others, marks if campaign.protocol in MARKING else None).items()


def _screen_of(shown: Shown) -> tuple[int, str]:
    return shown.block, shown.document


def _portions(outputs: Iterator[Shown]) -> Iterator[list[Shown]]:
    """Whole screens, so many that a query is for some hundred outputs."""
    portion: list[Shown] = []
    for _screen, several in groupby(outputs, key=_screen_of):
        portion += several
        if len(portion) >= AT_ONCE:
            yield portion
            portion = []
    if portion:
        yield portion


def _others(slots: Sequence[int]) -> Mapping[int, list[str]]:
    """Further systems by slot, for outputs that are equal."""
    found: dict[int, list[str]] = {}
    rows = Credit.objects.filter(slot__in=slots, slot__item__segment__isnull=False).order_by("pk")
    for slot, system in rows.values_list("slot", "system__name"):
        found.setdefault(slot, []).append(system)
    return found


def _suggested(campaign: Campaign, translations: Sequence[int]) -> Mapping[int, list[dict[str, Any]]]:
    """Only where the campaign shows them. The last character counts in."""
    options = protocol_for(campaign.protocol, campaign.options).options
    if not getattr(options, "suggestions", False):
        return {}
    found: dict[int, list[dict[str, Any]]] = {}
    spans = SuggestedSpan.objects.filter(translation__in=translations, side="target").order_by("pk")
    for translation, start, end, severity in spans.values_list("translation", "start", "end", "severity"):
        ends = (start, end - 1) if start < end else (MISSING, MISSING)
        mark = {"start_i": ends[0], "end_i": ends[1], "severity": severity}
        found.setdefault(translation, []).append(mark)
    return found


@dataclass(frozen=True)
class _Screen:
    """The items of one document, each with its outputs; `marks` is None where the protocol has none."""

    outputs: Sequence[Sequence[Shown]]
    others: Mapping[int, list[str]]
    marks: Mapping[int, list[dict[str, Any]]] | None

    @property
    def is_paired(self) -> bool:
        return any(len(self.targets(of_item)) > 1 for of_item in self.outputs) and self.marks is None

    def targets(self, of_item: Sequence[Shown]) -> list[tuple[str, str]]:
        """Systems with their texts; in pairs those of equal outputs, too."""
        own = [(each.system, each.text or "") for each in of_item]
        if len(self._widest()) < 2 or self.marks is not None:
            return own[:1]
        more = [(name, each.text or "") for each in of_item for name in self.others.get(each.slot, ())]
        return sorted([*own, *more], key=lambda target: self._widest().index(target[0]))

    def _widest(self) -> list[str]:
        systems = [
            name
            for of_item in self.outputs
            for each in of_item
            for name in (each.system, *self.others.get(each.slot, ()))
        ]
        is_side_by_side = any(len(of_item) > 1 for of_item in self.outputs)
        return list(dict.fromkeys(systems)) if is_side_by_side else systems[:1]

    def items(self) -> Iterator[dict[str, Any]]:
        sources: list[str] = []
        before: dict[str, list[str]] = {}
        for number, of_item in enumerate(self.outputs):
            first = of_item[0]
            if first.level == ItemLevel.DOCUMENT:
                targets = [(each.system, " ".join(before.get(each.system, ()))) for each in of_item]
                yield self._item(number, first, " ".join(sources), targets, ("", {}))
                continue
            targets = self.targets(of_item)
            left = " ".join(sources), {name: " ".join(before.get(name, ())) for name, _text in targets}
            yield self._item(number, first, first.source or "", targets, left)
            sources.append(first.source or "")
            for name, text in targets:
                before.setdefault(name, []).append(text)

    def _item(
        self,
        number: int,
        shown: Shown,
        source: str,
        targets: Sequence[tuple[str, str]],
        left: tuple[str, Mapping[str, str]],
    ) -> dict[str, Any]:
        is_whole = shown.level == ItemLevel.DOCUMENT
        about = {
            "documentID": shown.document + ("#bad" if shown.kind == ItemKind.DEGRADED else ""),
            "isCompleteDocument": is_whole,
            "itemID": str(number) if is_whole else number,
            "itemType": TYPES[shown.kind],
        }
        if self.is_paired:
            places = range(len(targets))
            return about | {
                "segmentContextLeft": left[0],
                "segmentID": f"{shown.document}::{shown.segment or number}",
                "segmentText": source,
                "targets": [
                    {
                        "_itemAll": number * len(targets) + place,
                        "_target": place,
                        "targetContextLeft": left[1].get(targets[place][0], ""),
                        "targetID": targets[place][0],
                        "targetText": targets[place][1],
                    }
                    for place in places
                ],
                "targetsSize": len(targets),
            }
        (system, text) = targets[0]
        marked = {} if self.marks is None else {"mqm": self.marks.get(shown.translation or 0, [])}
        return about | {
            "sourceContextLeft": left[0],
            "sourceID": shown.document,
            "sourceText": source,
            "targetContextLeft": left[1].get(system, ""),
            "targetID": system,
            "targetText": text,
            **marked,
        }


def _tutorial(practice: Sequence[PracticeItem]) -> Iterator[dict[str, Any]]:
    """Before each batch, as Appraise has it."""
    for number, item in enumerate(practice):
        yield {
            "documentID": TUTORIAL,
            "isCompleteDocument": False,
            "itemID": 1_000_000 + number,
            "itemType": "TGT",
            "sourceID": TUTORIAL,
            "sourceText": item.source,
            "targetID": TUTORIAL,
            "targetText": next(iter(item.slots.values()), ""),
            "mqm": {"tutorial": {"instruction": item.instruction or item.feedback}, "payload": []},
        }
