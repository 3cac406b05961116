"""`pearmut`: the annotations of a campaign (cESA, ESA, MQM, DA), from Pearmut's download or its log.

A record is one screen of one annotator: its document as shown, and for each segment the marks and scores by system.
Tutorials, attention checks and forms are counted and give no judgments. What cannot be true is refused one by one and
counted, like what is odd and kept; `docs/formats.md` lists both.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _

from annotation.protocols.cesa import ERROR_FREE
from exchange import cells
from exchange.formats.pearmut_actions import actions_of, times_of
from exchange.formats.pearmut_answers import answer_of, is_judged, options_of, score_in
from exchange.formats.pearmut_info import PROTOCOLS_HERE, Info, read_campaign
from exchange.formats.pearmut_marks import NO_SEVERITY, OUTSIDE, REVERSED, WIDENED, ReadMarks, read_marks
from exchange.formats.pearmut_records import RESET, Place, place_of, records, source_of
from exchange.staging.judgments import BY_CHANCE, ActionRow, JudgmentRow, Reading, Row, slot_label

NOT_SHOWN, NO_SCORE = "scores_of_systems_not_on_the_screen", "scores_missing"
NOT_MARKED = "marks_of_a_protocol_without_marks"
MOST_COLUMNS = 9  # a digit each
REFUSED = (NOT_SHOWN, NO_SCORE, OUTSIDE, REVERSED, NO_SEVERITY)
AGAIN, LOW = "outputs_judged_again_by_the_same_annotator_on_another_screen", "below_85_without_mark"
KEPT = (LOW, WIDENED, "comments", "textfields")


@dataclass(frozen=True)
class _Screen:
    """One record that counts, or that a later one replaced. `systems` are in the order of their columns."""

    number: int
    annotator: str
    items: Sequence[Mapping[str, Any]]
    annotation: Sequence[Mapping[str, Any]]
    actions: object
    comment: str
    systems: tuple[str, ...]

    @property
    def key(self) -> tuple[Any, ...]:
        """Screens of one key are revisions of one another."""
        return self.annotator, tuple(item["item_id"] for item in self.items), frozenset(self.systems)


@dataclass
class _Counts:
    counts: Counter[str] = field(default_factory=Counter)
    odd: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))  # the record of each case
    spans: Counter[str] = field(default_factory=Counter)
    tags: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    widths: Counter[int] = field(default_factory=Counter)
    failed_by: set[str] = field(default_factory=set)

    def as_report(self) -> dict[str, Any]:
        names = ("records", "resets", "records_wiped_by_reset", "forms", "practice", "screens")
        later = ("revisions_superseded", "scores", "regular", "repeat", "zero_scores", AGAIN)
        checks = {"asked": self.counts["checks"], "passed": self.counts["checks_passed"]}
        return {
            **{name: self.counts[name] for name in names},
            "checks": checks | {"failed_by": sorted(self.failed_by)},
            **{name: self.counts[name] for name in later},
            "screens_by_width": {str(width): self.widths[width] for width in sorted(self.widths)},
            "spans": dict(self.spans),
            "tags": {name: dict(by_severity) for name, by_severity in self.tags.items()},
            "refused": {name: len(self.odd[name]) for name in REFUSED},
            "kept_and_reported": {name: len(self.odd[name]) for name in KEPT},
        }

    def add_notes(self, reading: Reading) -> None:
        messages = {
            NOT_SHOWN: _("Scores of systems that were not on the screen, left out: %(count)d, in records %(lines)s."),
            NO_SCORE: _("Translations without a score, left out: %(count)d, in records %(lines)s."),
            OUTSIDE: _("Marks outside the text, left out: %(count)d, in records %(lines)s."),
            REVERSED: _("Marks that end before they start, left out: %(count)d, in records %(lines)s."),
            NO_SEVERITY: _("Marks without a severity, left out: %(count)d, in records %(lines)s."),
            LOW: _("Scores below 85 without a mark, kept: %(count)d, in records %(lines)s."),
            NOT_MARKED: _("Marks, left out because direct assessment has none: %(count)d, in records %(lines)s."),
            WIDENED: _("Marks that cut a character, widened to all of it: %(count)d, in records %(lines)s."),
        }
        for name, message in messages.items():
            if numbers := self.odd[name]:
                shown = ", ".join(map(str, dict.fromkeys(numbers)))
                reading.problems.note(message % {"count": len(numbers), "lines": shown})
        for name, message in {
            "forms": _("Forms, which give no judgments: %(count)d."),
            "practice": _("Screens of a tutorial, which give no judgments: %(count)d."),
            "checks": _("Attention checks, which give no judgments: %(count)d."),
            "records_wiped_by_reset": _("Records made void by a reset: %(count)d."),
        }.items():
            reading.note_count(message, self.counts[name])


def read_pearmut(reading: Reading) -> Iterator[Row]:
    campaign = read_campaign(reading)
    found = _Counts()
    screens = _screens(reading, found)
    widest = max((len(screen.systems) for screen in screens), default=1)
    campaign = replace(campaign, protocol=reading.protocol or campaign.protocol or _usual(screens))
    if campaign.protocol not in PROTOCOLS_HERE.values():
        message = _("Annotations of Pearmut are of one of these protocols: %(known)s.")
        reading.refuse(message % {"known": ", ".join(PROTOCOLS_HERE.values())}, value=campaign.protocol)
    reading.options = options_of(campaign, widest)
    yield from _Rows(reading, [name for name, _title in campaign.tags], found, campaign).of(screens)
    found.add_notes(reading)
    reading.counts = found.as_report()


def _usual(screens: Sequence[_Screen]) -> str:
    """Without a file of the campaign: only MQM asks for no score, and cESA is the usual one."""
    answers = (each for screen in screens for row in screen.annotation for each in row.values())
    is_scored = not screens or any(score_in(each) is not None for each in answers)
    return PROTOCOLS_HERE["cesa" if is_scored else "mqm"]


def _screens(reading: Reading, found: _Counts) -> list[_Screen]:
    """Records in the order of the file, without those that a reset made void."""
    valid: dict[str, list[tuple[str, _Screen | None, bool]]] = defaultdict(list)
    in_order: list[tuple[str, int]] = []
    for number, record in records(reading):
        found.counts["records"] += 1
        annotator = record.get("user_id")
        if not isinstance(annotator, str) or not _is_name(annotator, 150):
            reading.line(number).refuse("user_id", _("A record needs the name of its annotator."))
        elif record.get("annotation") == RESET:
            found.counts["resets"] += 1
            found.counts["records_wiped_by_reset"] += len(valid.pop(annotator, ()))
            in_order = [place for place in in_order if place[0] != annotator]
        else:
            kind = _kind(record)
            screen = _screen(reading, number, record, annotator) if kind == "screens" else None
            validations = record.get("validations")
            is_passed = kind != "checks" or (isinstance(validations, list) and all(validations))
            in_order.append((annotator, len(valid[annotator])))
            valid[annotator].append((kind, screen, is_passed))
    for annotator, of_annotator in valid.items():
        for kind, _screen_or_none, is_passed in of_annotator:
            found.counts[kind] += kind != "screens"
            if kind == "checks":
                found.counts["checks_passed"] += is_passed
                found.failed_by |= set() if is_passed else {annotator}
    kept = (valid[annotator][place][1] for annotator, place in in_order)
    return [screen for screen in kept if screen is not None]


def _kind(record: Mapping[str, Any]) -> str:
    """By the name of the item; forms ask questions, and their answers are no objects."""
    items = record.get("item")
    first = items[0] if isinstance(items, list) and items and isinstance(items[0], Mapping) else {}
    item, place = str(first.get("item_id") or ""), record.get("item_i")
    if "form" in first:
        return "forms"
    if item.startswith("attention_check_") or (isinstance(place, str) and place.startswith("random")):
        return "checks"
    if "_#_tutorial_#_" in item or not item or isinstance(place, str):
        return "practice"
    return "screens"


def _screen(reading: Reading, number: int, record: Mapping[str, Any], annotator: str) -> _Screen | None:
    """None, with the reason among the problems, for a record that is not a screen."""
    line, items, annotation = reading.line(number), record["item"], record.get("annotation")
    if not isinstance(annotation, list) or len(annotation) != len(items):
        line.refuse("annotation", _("There must be one annotation for each segment of the screen."))
        return None
    for item, answer in zip(items, annotation, strict=True):
        texts = item.get("tgt") if isinstance(item, Mapping) else None
        is_named = isinstance(item, Mapping) and _is_name(item.get("item_id"), 255)
        if not is_named or not isinstance(texts, Mapping) or not isinstance(answer, Mapping):
            line.refuse("item", _("Each segment needs `item_id`, `tgt` with a text for each system, and answers."))
            return None
        if not all(_is_name(name, 150) and isinstance(text, str) for name, text in texts.items()):
            line.refuse("tgt", _("Names and translations of systems must be texts."))
            return None
        if set(texts) != set(items[0]["tgt"]):
            line.refuse("tgt", _("All segments of a screen need the same systems."))
            return None
    shown = items[0]["tgt"]
    order = dict.fromkeys(name for name in annotation[0] if name in shown)
    comment = record.get("comment")
    return _Screen(
        number,
        annotator,
        items,
        annotation,
        record.get("actions"),
        comment if isinstance(comment, str) else "",
        (*order, *(name for name in shown if name not in order)),
    )


def _is_name(value: object, longest: int) -> bool:
    try:
        return isinstance(value, str) and bool(cells.check_name(value, longest=longest, required=True))
    except cells.CellError:
        return False


@dataclass
class _Rows:
    """The rows of all screens. An output that somebody judged on an earlier screen is asked again: a repeat.

    Such outputs and new ones on one screen become two items of a segment, whose slots keep the labels of their columns.
    """

    reading: Reading
    tags: Sequence[str]
    found: _Counts
    campaign: Info
    positions: dict[tuple[Any, ...], int] = field(default_factory=dict)
    taken: Counter[str] = field(default_factory=Counter)
    numbers: dict[tuple[Any, ...], int] = field(default_factory=dict)
    first_on: dict[tuple[str, ...], tuple[Any, ...]] = field(default_factory=dict)

    def of(self, screens: Sequence[_Screen]) -> Iterator[Row]:
        newest = {screen.key: screen for screen in screens}
        revisions: Counter[tuple[Any, ...]] = Counter()
        for screen in screens:
            revisions[screen.key] += 1
            is_current = screen is newest[screen.key]
            self.found.counts["screens" if is_current else "revisions_superseded"] += 1
            self.found.widths[len(screen.systems)] += is_current
            self._note_screen(screen)
            questions = list(self._questions(screen))
            for number, (place, kind, systems) in enumerate(questions):
                times = times_of(screen.actions, number, len(questions))
                cells_of = _Cells(self, screen, place, newest[screen.key].systems, is_current=is_current)
                yield from cells_of.rows(systems, revisions[screen.key], kind, times)
                if number == 0 and (log := actions_of(screen.actions, cells_of.order, len(screen.items))):
                    yield ActionRow(cells_of.judgment(kind), log)

    def _questions(self, screen: _Screen) -> Iterator[tuple[int, str, list[str]]]:
        """The items of a screen: segment, kind and systems; first what was not judged before."""
        for kind in ("regular", "repeat", BY_CHANCE):
            for place in range(len(screen.items)):
                systems = [name for name in screen.systems if self._kind(screen, place, name) == kind]
                if systems:
                    yield place, kind, systems

    def _note_screen(self, screen: _Screen) -> None:
        """What is not of one cell."""
        for answer in screen.annotation:
            self.found.odd[NOT_SHOWN] += [screen.number for name in answer if name not in screen.systems]
        self.found.odd["comments"] += [screen.number] if screen.comment else []

    def _kind(self, screen: _Screen, place: int, name: str) -> str:
        """An output without a score is not judged yet."""
        named = place_of(screen.items[place]["item_id"])
        output = (screen.annotator, named.document, named.segment, _system(name))
        if name.endswith("'"):
            return "repeat"
        if is_judged(self.campaign, screen.annotation[place].get(name)):
            self.first_on.setdefault(output, screen.key)
        return "regular" if self.first_on.get(output, screen.key) == screen.key else BY_CHANCE

    def screen(self, screen: _Screen) -> int:
        """The same number for all revisions of a screen."""
        return self.numbers.setdefault(screen.key, len(self.numbers) + 1)

    def position(self, annotator: str, *item: object) -> int:
        if (annotator, *item) not in self.positions:
            self.taken[annotator] += 1
            self.positions[annotator, *item] = self.taken[annotator]
        return self.positions[annotator, *item]


def _system(name: str) -> str:
    return name.removesuffix("'")


@dataclass(frozen=True)
class _Cells:
    """One segment of one screen; `order` is that of the columns of the newest revision."""

    reader: _Rows
    screen: _Screen
    place: int
    order: tuple[str, ...]
    is_current: bool

    @property
    def item(self) -> Mapping[str, Any]:
        return self.screen.items[self.place]

    def judgment(self, kind: str) -> str:
        return f"{self.screen.number} {self.place} {kind}"

    def rows(self, systems: Sequence[str], revision: int, kind: str, times: Mapping[str, Any]) -> Iterator[JudgmentRow]:
        named, screen = place_of(self.item["item_id"]), self.screen
        labels = {name: slot_label(self.order.index(name) + 1) for name in systems}
        slots = {labels[name]: cell for name in systems if (cell := self._cell(name, kind)) is not None}
        comment = screen.comment if self.place == 0 and kind == "regular" else ""
        if not self.reader.campaign.has_tags:  # else cells have comments of their own
            cells_of = screen.annotation[self.place]
            noted = [cells_of[name].get("textfield") for name in systems if labels[name] in slots]
            comment = "\n".join(text for text in (comment, *noted) if isinstance(text, str) and text)
        answer = {"slots": slots, "comment": comment, "cannot_judge": None}
        self._note_languages(named)
        for name in systems:
            cell = slots.get(labels[name])
            yield JudgmentRow(
                line=screen.number,
                judgment=self.judgment(kind),
                annotator=screen.annotator,
                protocol=self.reader.campaign.protocol,
                document=named.document,
                segment=named.segment,
                system=_system(name),
                kind=kind,
                measure="score" if cell and "score" in cell else "",
                value=float(cell["score"]) if cell and "score" in cell else None,
                position=self.reader.position(*screen.key, self.place, kind),
                slot=labels[name],
                revision=revision,
                answer=cells.written_answer(answer),
                source=source_of(self.item),
                translation=self.item["tgt"][name],
                domain=named.domain,
                screen=self.reader.screen(screen),
                column=place if (place := self.order.index(name) + 1) <= MOST_COLUMNS else None,
                **times,
            )

    def _note_languages(self, named: Place) -> None:
        reading = self.reader.reading
        reading.source_language = reading.source_language or named.languages[0]
        reading.target_language = reading.target_language or named.languages[1]

    def _cell(self, name: str, kind: str) -> dict[str, Any] | None:
        """The answer on one system's output; None without a score."""
        answered, found = self.screen.annotation[self.place].get(name), self.reader.found
        number, score = self.screen.number, score_in(answered)
        if not isinstance(answered, Mapping) or not is_judged(self.reader.campaign, answered):
            found.odd[NO_SCORE].append(number)
            return None
        note = answered.get("textfield")
        read = read_marks(answered.get("error_spans"), self.item["tgt"][name], self.reader.tags)
        for case, times in (read.refused + read.kept).items():
            found.odd[case] += [number] * times
        campaign = self.reader.campaign
        if campaign.has_tags and score is not None and score < ERROR_FREE and not read.spans and not read.tags:
            found.odd[LOW].append(number)
        if note:
            found.odd["textfields"].append(number)
        if self.is_current:
            self._count(score, read, kind)
        text = self.item["tgt"][name]
        return answer_of(campaign, score, read, len(text)) | (
            {"comment": note if isinstance(note, str) else ""} if campaign.has_tags else {}
        )

    def _count(self, score: float | None, read: ReadMarks, kind: str) -> None:
        found = self.reader.found
        if not self.reader.campaign.has_marks:
            found.odd[NOT_MARKED] += [self.screen.number] * (len(read.spans) + len(read.tags))
        found.counts.update({"scores": score is not None, AGAIN: kind == BY_CHANCE})
        found.counts["regular" if kind == "regular" else "repeat"] += 1
        found.counts["zero_scores"] += score == 0
        found.spans.update(span["severity"] for span in read.spans)
        for tag in read.tags:
            found.tags[tag["tag"]][tag["severity"]] += 1
