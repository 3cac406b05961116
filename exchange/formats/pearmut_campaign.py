"""A campaign of Pearmut: its texts, screens, people, practice and checks, with everything that is wrong or left out.

Nothing of it is run: instructions are read as text, a medium by its kind and path.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from html.parser import HTMLParser
from itertools import count
from typing import Any

from django.utils.translation import gettext as _

from annotation.actions.imported_checks import ImportedCheck, ImportedRow
from annotation.models import PracticeItem
from annotation.planning.planned import Kind
from annotation.protocols import PROTOCOLS
from annotation.protocols.check_rules import CheckRule
from annotation.protocols.expected_marks import OMISSION
from campaigns.actions.test_sets import SegmentRecord
from campaigns.form_questions import QuestionSpec
from exchange import cells
from exchange.formats.html_text import text_of_html
from exchange.formats.pearmut_forms import MOMENTS, read_form
from exchange.formats.pearmut_marks import expected_marks, read_marks
from exchange.formats.pearmut_records import CHECK, JUDGED, is_medium, may_skip, place_of, role_of, rules_of, source_of
from exchange.reading import Line, SourceFile

Item = Mapping[str, Any]
MOST_SYSTEMS = 5  # on a screen
SINGLE, TASKS, DYNAMIC = "single-stream", "task-based", "dynamic"
OTHER_HOST, FRAMES = "media_of_other_hosts", "media_in_frames"
NOT_SUGGESTED = "suggested_errors_that_cannot_be"
REFUSED = (OTHER_HOST, FRAMES, NOT_SUGGESTED)
SHOWN_AGAIN, NAMELESS, NO_RULE = "outputs_shown_again", "documents_without_item_id", "checks_without_a_rule"
OTHER_TUTORIALS = "tutorials_of_a_name_with_other_texts"
KEPT = (SHOWN_AGAIN, NAMELESS, NO_RULE, OTHER_TUTORIALS)
MEDIA_KINDS = {"img": "images", "video": "videos", "audio": "audio"}


@dataclass(frozen=True)
class PearmutScreen:
    """A document with some systems beside one another, in their order; `repeated` are those that are shown again.

    A control item has its `kind`, and texts that were `damaged`, by segment and system.
    """

    document: str
    segments: tuple[str, ...]
    systems: tuple[str, ...]
    repeated: frozenset[str] = frozenset()
    kind: Kind | None = None
    damaged: Mapping[tuple[str, str], str] = field(default_factory=dict)
    asks_document: bool = False


@dataclass
class ReadDocuments:
    """`screens` are those of each user, or of all. `segments` are by document and name, in the order of the file."""

    screens: list[list[PearmutScreen]] = field(default_factory=list)
    segments: dict[tuple[str, str], SegmentRecord] = field(default_factory=dict)
    practice: dict[str, list[PracticeItem]] = field(default_factory=dict)
    checks: dict[str, ImportedCheck] = field(default_factory=dict)
    checks_between: int = 0  # among the documents of the streams
    forms: int = 0
    forms_between: int = 0
    questions: dict[str, list[QuestionSpec]] = field(default_factory=dict)
    not_expected: int = 0
    suggested: int = 0
    media: dict[tuple[str, str], "Medium"] = field(default_factory=dict)
    elsewhere: list[str] = field(default_factory=list)
    removed: int = 0
    odd: Counter[str] = field(default_factory=Counter)

    @property
    def systems(self) -> list[str]:
        shown = (name for record in self.segments.values() for name in record.translations)
        damaged = (name for several in self.screens for each in several if each.damaged for name in each.systems)
        return list(dict.fromkeys((*shown, *damaged)))

    @property
    def check_share(self) -> float | None:
        """Checks that stand between the documents of a user, for each screen; None without any."""
        screens = sum(map(len, self.screens))
        return min(1.0, self.checks_between / screens) if self.checks_between and screens else None

    @property
    def controls(self) -> int:
        """Items that were planted or repeated."""
        return sum(
            len(each.segments) for several in self.screens for each in several if each.kind not in (None, "regular")
        )

    @property
    def documents(self) -> list[str]:
        return list(dict.fromkeys(document for document, _name in self.segments))


@dataclass
class DocumentReader:
    """Reads documents one by one; `where` is the place in the file, for messages."""

    file: SourceFile
    tags: Sequence[str]
    is_contrastive: bool
    protocol: str = "cesa"
    read: ReadDocuments = field(default_factory=ReadDocuments)

    @property
    def line(self) -> Line:
        return Line(self.file.name, None, self.file.problems)

    def refuse(self, where: str, message: str) -> None:
        self.line.refuse(where, message)

    def special(self, documents: object, where: str) -> None:
        """Forms, practice and checks that are before, between and after the documents."""
        if not isinstance(documents, list):
            self.refuse(where, _("This must be a list of documents."))
            return
        for number, document in enumerate(documents):
            self._document(document, f"{where}[{number}]", is_special=True)

    def stream(self, documents: object, where: str) -> None:
        """The documents of one user, or of all."""
        if not isinstance(documents, list):
            self.refuse(where, _("This must be a list of documents."))
            return
        screens = (self._document(each, f"{where}[{number}]") for number, each in enumerate(documents))
        self.read.screens.append([screen for screen in screens if screen is not None])

    def _document(self, document: object, where: str, *, is_special: bool = False) -> PearmutScreen | None:
        before = self.file.problems.count
        items = self._items(document, where)
        if self.file.problems.count > before:
            return None
        if "form" in items[0]:
            self._add_form(items, where)
            return None
        role = role_of(items, is_special=is_special, is_random=where.startswith("data_random"))
        if role == JUDGED:
            return self._screen(items, where)
        name = str(items[0].get("item_id") or where)
        self.read.checks_between += role == CHECK and not is_special
        self._check(items, name) if role == CHECK else self._practise(items, name)
        return None

    def _add_form(self, items: Sequence[Item], where: str) -> None:
        """Of a questionnaire if it comes before or after all documents."""
        self.read.forms += 1
        moment = MOMENTS.get(where.partition("[")[0])
        if moment is None:
            self.read.forms_between += 1
        else:
            self.read.questions.setdefault(moment, []).extend(read_form(items, where, self.line, self._text))

    def _items(self, document: object, where: str) -> list[Item]:
        if not isinstance(document, list) or not document or not all(isinstance(each, Mapping) for each in document):
            self.refuse(where, _("A document must be a list of segments, each a JSON object."))
            return []
        are_forms = ["text" in item and "form" in item for item in document]
        if any(are_forms) and not all(are_forms):
            self.refuse(where, _("A document has either segments or questions of a form, not both."))
        elif not any(are_forms):
            for place, item in enumerate(document):
                self._check_item(item, f"{where}[{place}]")
            names = [set(item["tgt"]) for item in document if isinstance(item.get("tgt"), Mapping)]
            if any(each != names[0] for each in names):
                self.refuse(where, _("All segments of a document need the same systems."))
        return list(document)

    def _check_item(self, item: Item, where: str) -> None:
        texts = item.get("tgt")
        if "tgt" not in item:
            self.refuse(f"{where}.tgt", _("A segment needs `tgt`, with a text for each system."))
        elif not isinstance(texts, Mapping) or not texts:
            message = _('This must be an object with a text for each system, such as {"Heron": "…"}.')
            self.refuse(f"{where}.tgt", message)
        else:
            for name, text in texts.items():
                self._check_output(name, text, f"{where}.tgt")
        for key in ("src", "src_text", "ref", "item_id", "instructions"):
            value = item.get(key)
            if value is not None and not isinstance(value, str):
                self.refuse(f"{where}.{key}", _("This must be a text."))
            elif isinstance(value, str):
                self.line.is_readable(value, f"{where}.{key}")

    def _check_output(self, name: str, text: object, where: str) -> None:
        try:
            cells.check_name(name.removesuffix("'"), longest=150, required=True)
        except cells.CellError as error:
            self.refuse(where, str(error))
        if not isinstance(text, str):
            self.refuse(f"{where}.{name}", _("This must be a text."))
        else:
            self.line.is_readable(text, f"{where}.{name}")

    def _screen(self, items: Sequence[Item], where: str) -> PearmutScreen | None:
        names = list(items[0]["tgt"])
        plain = [name.removesuffix("'") for name in names]
        if self.is_contrastive and len(names) > MOST_SYSTEMS:
            self.refuse(where, _("A screen shows at most %(most)d systems.") % {"most": MOST_SYSTEMS})
        if len(set(plain)) < len(plain):
            self.refuse(where, _("A screen shows a system twice. Leave out one of its columns."))
        repeated = frozenset(name.removesuffix("'") for name in names if name.endswith("'"))
        self.read.odd[SHOWN_AGAIN] += len(repeated)
        places = self._places(items, where)
        if len(set(places)) < len(places):
            self.refuse(where, _("Two segments of this document have the same `item_id`."))
        if len({document for document, _segment in places}) > 1:
            self.refuse(where, _("The segments of a document need names of one document in `item_id`."))
        for number, (place, item) in enumerate(zip(places, items, strict=True)):
            self._add(place, item, f"{where}[{number}]", is_first=number == 0)
        return PearmutScreen(places[0][0], tuple(segment for _document, segment in places), tuple(plain), repeated)

    def _places(self, items: Sequence[Item], where: str) -> list[tuple[str, str]]:
        """Without a name a document is called by its place; names without a form are segments of the first."""
        names = [item.get("item_id") or "" for item in items]
        if not all(names):
            self.read.odd[NAMELESS] += 1
            return [(where, str(number)) for number in range(len(items))]
        named = [place_of(name) for name in names]
        for number, place in enumerate(named):
            for value, longest in ((place.document, 255), (place.segment, 255), (place.domain, 100)):
                self.line.check_short(value, f"{where}[{number}].item_id", longest)
        if all(place.document == name for place, name in zip(named, names, strict=True)):
            return [(names[0], name) for name in names]
        return [(place.document, place.segment) for place in named]

    def _add(self, place: tuple[str, str], item: Item, where: str, *, is_first: bool) -> None:
        """A segment that is there already must have the same texts."""
        domain = place_of(item["item_id"]).domain if item.get("item_id") else ""
        source, reference = source_of(item) or "", item.get("ref")
        outputs = {name.removesuffix("'"): text for name, text in item["tgt"].items()}
        known = self.read.segments.get(place)
        if known is None:
            self._note_medium(place, item)
            instruction = self._text(item.get("instructions")) if is_first else ""
            known = SegmentRecord(
                document=place[0],
                segment=place[1],
                source=source,
                references={"A": reference} if reference else {},
                translations={},
                domain=domain,
                instruction=instruction,
            )
            self.read.segments[place] = known
        elif known.source != source:
            self.refuse(f"{where}.src", _("Another segment of this name has another source."))
        texts, suggested = dict(known.translations), dict(known.suggested)
        for name, text in outputs.items():
            if name not in texts and (spans := self._suggested(item, name, text)):
                suggested[name] = spans
            if texts.setdefault(name, text) != text:
                self.refuse(f"{where}.tgt.{name}", _("Another segment of this name has another translation."))
        self.read.segments[place] = replace(known, translations=texts, suggested=suggested)

    def _suggested(self, item: Item, system: str, text: str) -> list[dict[str, Any]]:
        """Errors from which annotators start; a tag is an omission at the end of the text."""
        by_system = item.get("error_spans")
        marks = read_marks(by_system.get(system) if isinstance(by_system, Mapping) else None, text, self.tags)
        self.read.odd[NOT_SUGGESTED] += marks.refused.total()
        place = {"side": "target", "start": len(text), "end": len(text)}
        spans = [*marks.spans, *({**place, "severity": tag["severity"]} for tag in marks.tags)]
        self.read.suggested += len(spans)
        return spans

    def _text(self, html: object) -> str:
        cleaned = text_of_html(html) if isinstance(html, str) else None
        self.read.removed += cleaned.dropped if cleaned else 0
        return cleaned.text if cleaned else ""

    def _note_medium(self, place: tuple[str, str], item: Item) -> None:
        if not is_medium(item.get("src")):
            return
        medium = medium_of(item["src"])
        if medium.kind == "iframe" or medium.is_elsewhere:
            self.read.odd[FRAMES if medium.kind == "iframe" else OTHER_HOST] += 1
            self.read.elsewhere.append(medium.path)
        else:
            self.read.media[place] = medium

    def _practise(self, items: Sequence[Item], name: str) -> None:
        """A screen of practice; a tutorial that several users have is one, and of one name the first is kept."""
        if known := self.read.practice.get(name):
            texts = [(source_of(item) or "", [*item["tgt"].values()]) for item in items]
            self.read.odd[OTHER_TUTORIALS] += [(row.source, [*row.slots.values()]) for row in known] != texts
            return
        rows = [self._practice_item(item, row) for row, item in enumerate(items, start=1)]
        told = [self._text(item.get("instructions")) for item in items]
        rows[0].instruction = "\n\n".join(dict.fromkeys(filter(None, told)))
        skips = all(may_skip(item) for item in items)
        for each in rows:
            each.may_skip = skips
        self.read.practice[name] = rows

    def _practice_item(self, item: Item, row: int) -> PracticeItem:
        labels = {system: chr(ord("A") + place) for place, system in enumerate(item["tgt"])}
        right: dict[str, dict[str, Any]] = {"expected": {}, "better": {}, "marks": {}}
        warnings = []
        for system, rule in rules_of(item):
            label = labels[system]
            if (score := _pair(rule.get("score"))) is not None:
                right["expected"][label] = {"score": [*score]}
            if rule.get("score_greaterthan") in labels:
                right["better"][label] = [labels[rule["score_greaterthan"]]]
            if marks := self._marks(rule.get("error_spans"), item["tgt"][system]):
                right["marks"][label] = marks
            if isinstance(warning := rule.get("warning"), str):
                warnings.append(self._text(warning))
        if PROTOCOLS[self.protocol].compared_by:  # not by a score that is asked for
            self.read.not_expected += len(right["expected"]) + len(right["better"])
            right |= {"expected": {}, "better": {}}
        return PracticeItem(
            source=source_of(item) or "",
            reference=item.get("ref") or "",
            slots={labels[system]: text for system, text in item["tgt"].items()},
            row=row,
            feedback="\n\n".join(dict.fromkeys(warnings)),
            **right,
        )

    def _marks(self, asked: object, text: str) -> list[dict[str, Any]]:
        """Those that can be given in the protocol; without tags, missing content is marked in the text."""
        marks = expected_marks(asked, text, self.tags)
        protocol = PROTOCOLS[self.protocol]
        has_tags = any(option.name == "tags" for option in fields(protocol.options_class))
        tags = set(self.tags) if has_tags else {OMISSION}
        has_marks = "penalty" in protocol.derived_measures
        fitting = [mark.as_json() for mark in marks if has_marks and (not mark.tag or mark.tag in tags)]
        self.read.not_expected += (len(asked) if isinstance(asked, list) else 0) - len(fitting)
        return fitting

    def _check(self, items: Sequence[Item], name: str) -> None:
        rows = [ImportedRow(source_of(item) or "", dict(item["tgt"]), item.get("ref") or "") for item in items]
        rules = [
            rule
            for row, item in enumerate(items)
            for system, asked in rules_of(item)
            if (rule := self._rule(row, system, asked, item)) is not None
        ]
        is_loud = any(asked.get("warning") for item in items for _system, asked in rules_of(item))
        if not rules:
            self.read.odd[NO_RULE] += 1
            return
        others = (name if number == 1 else f"{name} ({number})" for number in count(1))  # each user may have their own
        for free in others:
            check = ImportedCheck(free, rows, rules, is_loud=bool(is_loud))
            if self.read.checks.setdefault(free, check) == check:
                break

    def _rule(self, row: int, system: str, asked: Mapping[str, Any], item: Item) -> CheckRule | None:
        above = asked.get("score_greaterthan")
        marks = expected_marks(asked.get("error_spans"), item["tgt"][system], self.tags)
        score = _pair(asked.get("score"))
        if score is None and not isinstance(above, str) and not marks:
            return None
        above = above if isinstance(above, str) else ""
        return CheckRule(row=row, system=system, score=score, above=above, marks=marks)


def _pair(value: object) -> tuple[float, float] | None:
    if isinstance(value, list) and len(value) == 2 and all(type(each) in (int, float) for each in value):
        return value[0], value[1]
    return None


@dataclass(frozen=True)
class Medium:
    kind: str
    path: str

    @property
    def is_elsewhere(self) -> bool:
        return "://" in self.path or self.path.startswith("//")


def medium_of(html: str) -> Medium:
    """Of the first element that is one; everything else in it is dropped."""
    reader = _MediumReader()
    reader.feed(html)
    return reader.found


class _MediumReader(HTMLParser):
    found = Medium("", "")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        path = dict(attrs).get("src") or ""
        if not self.found.kind and tag in (*MEDIA_KINDS, "iframe"):
            self.found = Medium(tag, path)
        elif tag == "source" and self.found.kind and not self.found.path:
            self.found = Medium(self.found.kind, path)
