"""`appraise-json`: batches of Appraise, with the texts, who sees which system, tutorials and planted errors.

A batch is a list of items; neighbours of one document and system are a screen. docs/formats.md says what is kept.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from annotation.models import PracticeItem
from annotation.planning.planned import Kind
from campaigns.actions.test_sets import SegmentRecord
from campaigns.languages import language_of_code
from campaigns.reading.table_rows import LONGEST_ROW
from exchange import cells
from exchange.formats.appraise_cells import MISSING, SEVERITIES, read_document_name
from exchange.formats.html_text import text_of_html
from exchange.formats.pearmut_campaign import PearmutScreen, ReadDocuments
from exchange.reading import Line

KINDS: Mapping[str, Kind] = {"TGT": "regular", "REF": "regular", "CHK": "repeat", "BAD": "degraded"}
REFERENCES, OTHER_PAIRS, COPIES = "items_of_references", "batches_of_other_pairs", "repeated_or_cut_documents"
NO_ORIGINAL, NOT_SUGGESTED, EXPECTED = "bad_references_without_original", "suggested_errors_left_out", "expected_marks"
Item = Mapping[str, Any]


@dataclass(frozen=True)
class ShownItem:
    """One item: `outputs` are texts by system, one or (side by side) several."""

    where: str
    document: str
    kind: str
    source: str
    outputs: Mapping[str, str]
    is_whole: bool
    marks: object
    tutorial: Mapping[str, Any] | None

    @property
    def run(self) -> tuple[Any, ...]:
        return self.document, tuple(self.outputs), self.kind, self.tutorial is not None


@dataclass
class BatchReader:
    """`languages` are those asked for: batches of another pair are counted and not read."""

    line: Line
    languages: tuple[str, str]
    read: ReadDocuments = field(default_factory=ReadDocuments)
    odd: Counter[str] = field(default_factory=Counter)
    has_marks: bool = False
    asks_documents: bool = False
    redundancy: int = 1
    pairs: Counter[str] = field(default_factory=Counter)
    places: dict[tuple[str, str, int], str] = field(default_factory=dict)
    sizes: Counter[str] = field(default_factory=Counter)

    def batches(self, value: object) -> None:
        several = value if isinstance(value, list) else [value]
        for number, batch in enumerate(several):
            where = f"[{number}]"
            items = batch.get("items") if isinstance(batch, Mapping) else None
            if (
                not isinstance(batch, Mapping)
                or not isinstance(items, list)
                or not isinstance(batch.get("task"), Mapping)
            ):
                self.line.refuse(where, _("A batch must be an object with `task`, an object, and `items`, a list."))
            elif self._is_asked(batch["task"], where):
                self._batch(items, f"{where}.items")

    def _is_asked(self, task: Mapping[str, Any], where: str) -> bool:
        codes = tuple(task.get(f"{side}Language") for side in ("source", "target"))
        if not all(isinstance(code, str) and code for code in codes):
            self.line.refuse(f"{where}.task", _("A task needs `sourceLanguage` and `targetLanguage`."))
            return False
        times = task.get("requiredAnnotations", 1)
        if type(times) is not int or not 1 <= times <= 100:
            message = _("This must be a whole number from 1 to 100.")
            self.line.refuse(f"{where}.task.requiredAnnotations", message, str(times))
            return False
        asked = [language.split("-")[0] for language in self.languages]
        found = [language_of_code(str(code)).split("-")[0] for code in codes]
        self.pairs["-".join(found)] += 1
        if any(self.languages) and asked != found:
            self.odd[OTHER_PAIRS] += 1
            return False
        self.redundancy = max(self.redundancy, times)
        return True

    def _batch(self, items: Sequence[object], where: str) -> None:
        shown = [each for number, item in enumerate(items) if (each := self._item(item, f"{where}[{number}]"))]
        screens = []
        for _run, several in groupby(shown, key=lambda each: each.run):
            of_run = list(several)
            if of_run[0].tutorial is not None:
                self._practise(of_run)
            elif screen := self._screen(of_run):
                screens.append(screen)
        self.read.screens.append(screens)

    def _item(self, item: object, where: str) -> ShownItem | None:
        """None, with everything that is wrong among the problems, for what is no item."""
        before = self.line.problems.count
        if not isinstance(item, Mapping):
            self.line.refuse(where, _("An item must be a JSON object."))
            return None
        targets = item.get("targets", [item])
        if not isinstance(targets, list) or not targets or not all(isinstance(each, Mapping) for each in targets):
            self.line.refuse(f"{where}.targets", _("This must be a list of objects with `targetID` and `targetText`."))
            return None
        source = self._text(item, "segmentText" if "targets" in item else "sourceText", where)
        names = [self._name(each, "targetID", 150, where) for each in targets]
        texts = [self._text(each, "targetText", where) for each in targets]
        document, kind = self._name(item, "documentID", 255, where), item.get("itemType")
        if kind not in KINDS:
            message = _("Unknown type of item. Known: %(known)s.")
            self.line.refuse(f"{where}.itemType", message % {"known": ", ".join(KINDS)}, str(kind)[:80])
        if len(set(names)) < len(names):
            self.line.refuse(f"{where}.targets", _("Two outputs are of one system."))
        if not source.strip() and before == self.line.problems.count:
            self.line.refuse(where, _("The source is empty."))
        if self.line.problems.count > before:
            return None
        marks = item.get("mqm")
        is_tutorial = isinstance(marks, Mapping) or "tutorial" in f"{document} {names[0]}".lower()
        told = marks.get("tutorial") if isinstance(marks, Mapping) else {}
        self.has_marks = self.has_marks or marks is not None
        return ShownItem(
            where=where,
            document=document,
            kind=str(kind),
            source=source,
            outputs=dict(zip(names, texts, strict=True)),
            is_whole=item.get("isCompleteDocument") is True,
            marks=marks.get("payload") if isinstance(marks, Mapping) else marks,
            tutorial=(told if isinstance(told, Mapping) else {}) if is_tutorial else None,
        )

    def _text(self, values: Item, key: str, where: str) -> str:
        value = values.get(key)
        if not isinstance(value, str):
            self.line.refuse(f"{where}.{key}", _("This must be a text."))
            return ""
        if len(value) > LONGEST_ROW:
            message = _("%(count)d characters. At most %(limit)d are allowed.")
            self.line.refuse(f"{where}.{key}", message % {"count": len(value), "limit": LONGEST_ROW})
            return ""
        self.line.is_readable(value, f"{where}.{key}")
        return value

    def _name(self, values: Item, key: str, longest: int, where: str) -> str:
        value = self._text(values, key, where)
        try:
            return cells.check_name(value, longest=longest, required=True) if isinstance(values.get(key), str) else ""
        except cells.CellError as error:
            self.line.refuse(f"{where}.{key}", str(error))
            return ""

    def _practise(self, several: Sequence[ShownItem]) -> None:
        """The same tutorial in several batches is one."""
        name = f"{several[0].document} {several[0].run[1]}"
        if name in self.read.practice:
            return
        for item in (each for each in several if not each.is_whole):
            tutorial = item.tutorial or {}
            told = tutorial.get("instruction")
            cleaned = text_of_html(told) if isinstance(told, str) else None
            self.read.removed += cleaned.dropped if cleaned else 0
            self.odd[EXPECTED] += any(key in tutorial for key in ("score_target", "mqm_target"))
            labels = {chr(ord("A") + place): text for place, text in enumerate(item.outputs.values())}
            told_text = cleaned.text if cleaned else ""
            practice = PracticeItem(source=item.source, slots=labels, instruction=told_text)
            self.read.practice.setdefault(name, []).append(practice)

    def _screen(self, several: Sequence[ShownItem]) -> PearmutScreen | None:
        first = several[0]
        systems = tuple(first.outputs)
        named = read_document_name(first.document, systems[0])
        self.odd[COPIES] += named.is_duplicate or named.is_incomplete
        self.odd[REFERENCES] += len(several) if first.kind == "REF" else 0
        segments: list[str] = []
        damaged: dict[tuple[str, str], str] = {}
        for item in several:
            if item.is_whole:
                self.asks_documents = True
                continue
            segment = self._place(named.name, item.source, segments)
            segments.append(segment)
            if KINDS[item.kind] == "degraded":
                self._add(named.name, segment, item, outputs={})
                damaged |= {(segment, system): text for system, text in item.outputs.items()}
            else:
                self._add(named.name, segment, item, outputs=item.outputs)
        if not segments:
            return None
        asks = any(item.is_whole for item in several)
        return PearmutScreen(
            named.name, tuple(segments), systems, kind=KINDS[first.kind], damaged=damaged, asks_document=asks
        )

    def _place(self, document: str, source: str, before: Sequence[str]) -> str:
        """The segment with this source; of several with the same one the first that the screen does not show yet."""
        number = 0
        while (name := self.places.get((document, source, number))) in before:
            number += 1
        if name is None:
            self.sizes[document] += 1
            name = self.places[document, source, number] = str(self.sizes[document])
        return name

    def _add(self, document: str, segment: str, item: ShownItem, *, outputs: Mapping[str, str]) -> None:
        known = self.read.segments.get((document, segment))
        if known is None:
            known = SegmentRecord(
                document=document, segment=segment, source=item.source, references={}, translations={}
            )
        texts, suggested = dict(known.translations), dict(known.suggested)
        for system, text in outputs.items():
            if system not in texts and len(outputs) == 1 and (spans := self._suggested(item.marks, text)):
                suggested[system] = spans
            if texts.setdefault(system, text) != text:
                message = _("Another item of this segment and system has another translation.")
                self.line.refuse(f"{item.where}.targetText", message)
        self.read.segments[document, segment] = replace(known, translations=texts, suggested=suggested)

    def _suggested(self, marks: object, text: str) -> list[dict[str, Any]]:
        """Errors from which annotators start."""
        spans = []
        for mark in marks if isinstance(marks, list) else ():
            span = _half_open(mark, len(text)) if isinstance(mark, Mapping) else None
            self.odd[NOT_SUGGESTED] += span is None
            spans += [span] if span else []
        self.read.suggested += len(spans)
        return spans

    def unoriginal(self) -> Iterator[tuple[str, str, str]]:
        """Outputs of which only the copy with planted errors is in the file."""
        for screens in self.read.screens:
            for screen in screens:
                for segment, system in screen.damaged:
                    if system not in self.read.segments[screen.document, segment].translations:
                        yield screen.document, segment, system


def _half_open(mark: Item, length: int) -> dict[str, Any] | None:
    """Appraise counts the last character in, and an omission has no place; None for what cannot be."""
    start, end, severity = mark.get("start_i"), mark.get("end_i"), str(mark.get("severity") or "").lower()
    if MISSING in (start, end):
        start, end = 0, -1
    if type(start) is not int or type(end) is not int or severity not in SEVERITIES or end >= length:
        return None
    is_right = 0 <= start <= end or (start, end) == (0, -1)
    return {"side": "target", "start": start, "end": end + 1, "severity": severity} if is_right else None
