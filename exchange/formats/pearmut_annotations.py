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
from exchange.formats.pearmut_kept import KeptScreens, Output, Screen, Shown
from exchange.formats.pearmut_marks import NO_SEVERITY, OUTSIDE, REVERSED, WIDENED, ReadMarks, read_marks
from exchange.formats.pearmut_records import Place, place_of, source_of
from exchange.staging.database import scratch_database
from exchange.staging.judgments import BY_CHANCE, ActionRow, JudgmentRow, Reading, Row, slot_label

NOT_SHOWN, NO_SCORE = "scores_of_systems_not_on_the_screen", "scores_missing"
NOT_MARKED = "marks_of_a_protocol_without_marks"
MOST_COLUMNS = 9  # a digit each
MOST_NAMED = 2_000  # records: more do not fit into a note
REFUSED = (NOT_SHOWN, NO_SCORE, OUTSIDE, REVERSED, NO_SEVERITY)
AGAIN, LOW = "outputs_judged_again_by_the_same_annotator_on_another_screen", "below_85_without_mark"
KEPT = (LOW, WIDENED, "comments", "textfields")


@dataclass
class _Cases:
    """How many there are, and their records, as many as a note can name."""

    count: int = 0
    records: list[int] = field(default_factory=list)

    def add(self, number: int, times: int = 1) -> None:
        self.count += times
        if times and len(self.records) < MOST_NAMED and number not in self.records[-1:]:
            self.records.append(number)


@dataclass
class _Counts:
    counts: Counter[str] = field(default_factory=Counter)
    odd: dict[str, _Cases] = field(default_factory=lambda: defaultdict(_Cases))
    spans: Counter[str] = field(default_factory=Counter)
    tags: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    widths: Counter[int] = field(default_factory=Counter)
    failed_by: Sequence[str] = ()

    def as_report(self) -> dict[str, Any]:
        names = ("records", "resets", "records_wiped_by_reset", "forms", "practice", "screens")
        later = ("revisions_superseded", "scores", "regular", "repeat", "zero_scores", AGAIN)
        checks = {"asked": self.counts["checks"], "passed": self.counts["checks_passed"]}
        return {
            **{name: self.counts[name] for name in names},
            "checks": checks | {"failed_by": self.failed_by},
            **{name: self.counts[name] for name in later},
            "screens_by_width": {str(width): self.widths[width] for width in sorted(self.widths)},
            "spans": dict(self.spans),
            "tags": {name: dict(by_severity) for name, by_severity in self.tags.items()},
            "refused": {name: self.odd[name].count for name in REFUSED},
            "kept_and_reported": {name: self.odd[name].count for name in KEPT},
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
            if (cases := self.odd[name]).count:
                shown = ", ".join(map(str, cases.records))
                reading.problems.note(message % {"count": cases.count, "lines": shown})
        for name, message in {
            "forms": _("Forms, which give no judgments: %(count)d."),
            "practice": _("Screens of a tutorial, which give no judgments: %(count)d."),
            "checks": _("Attention checks, which give no judgments: %(count)d."),
            "records_wiped_by_reset": _("Records made void by a reset: %(count)d."),
        }.items():
            reading.note_count(message, self.counts[name])


def read_pearmut(reading: Reading) -> Iterator[Row]:
    campaign = read_campaign(reading)
    with scratch_database() as scratch:
        kept = KeptScreens(scratch)
        found = _Counts(kept.read(reading), failed_by=kept.failed_by)
        # without a file of the campaign: only MQM asks for no score, and cESA is the usual one
        usual = PROTOCOLS_HERE["cesa" if kept.is_scored else "mqm"]
        campaign = replace(campaign, protocol=reading.protocol or campaign.protocol or usual)
        if campaign.protocol not in PROTOCOLS_HERE.values():
            message = _("Annotations of Pearmut are of one of these protocols: %(known)s.")
            reading.refuse(message % {"known": ", ".join(PROTOCOLS_HERE.values())}, value=campaign.protocol)
        reading.options = options_of(campaign, kept.widest)
        yield from _Rows(reading, [name for name, _title in campaign.tags], found, campaign, kept).all()
    found.add_notes(reading)
    reading.counts = found.as_report()


@dataclass
class _Rows:
    """The rows of all screens. An output that somebody judged on an earlier screen is asked again: a repeat.

    Such outputs and new ones on one screen become two items of a segment, whose slots keep the labels of their columns.
    """

    reading: Reading
    tags: Sequence[str]
    found: _Counts
    campaign: Info
    kept: KeptScreens

    def all(self) -> Iterator[Row]:
        for shown in self.kept.in_order():
            screen = shown.screen
            self.found.counts["screens" if shown.is_current else "revisions_superseded"] += 1
            self.found.widths[len(screen.systems)] += shown.is_current
            self._note_screen(screen)
            questions = list(self._questions(shown))
            for number, (place, kind, systems) in enumerate(questions):
                times = times_of(screen.actions, number, len(questions))
                cells_of = _Cells(self, shown, place)
                yield from cells_of.rows(systems, kind, times)
                if number == 0 and (log := actions_of(screen.actions, shown.columns, len(screen.items))):
                    yield ActionRow(cells_of.judgment(kind), log)

    def _questions(self, shown: Shown) -> Iterator[tuple[int, str, list[str]]]:
        """The items of a screen: segment, kind and systems; first what was not judged before."""
        screen, kinds = shown.screen, self._kinds(shown)
        for kind in ("regular", "repeat", BY_CHANCE):
            for place in range(len(screen.items)):
                if systems := [name for name in screen.systems if kinds[place, name] == kind]:
                    yield place, kind, systems

    def _note_screen(self, screen: Screen) -> None:
        """What is not of one cell."""
        for answer in screen.annotation:
            self.found.odd[NOT_SHOWN].add(screen.number, sum(name not in screen.systems for name in answer))
        self.found.odd["comments"].add(screen.number, bool(screen.comment))

    def _kinds(self, shown: Shown) -> dict[tuple[int, str], str]:
        """By segment and column. An output without a score is not judged yet."""
        screen = shown.screen
        kinds: dict[tuple[int, str], str] = {}
        outputs: dict[tuple[int, str], Output] = {}
        for place, item in enumerate(screen.items):
            named = place_of(item["item_id"])
            for name in screen.systems:
                if name.endswith("'"):
                    kinds[place, name] = "repeat"
                else:
                    outputs[place, name] = (screen.annotator, named.document, named.segment, name)
        judged = [
            output
            for (place, name), output in outputs.items()
            if is_judged(self.campaign, screen.annotation[place].get(name))
        ]
        for cell, first in zip(outputs, self.kept.first_on(shown, judged, outputs.values()), strict=True):
            kinds[cell] = "regular" if first == shown.first else BY_CHANCE
        return kinds


def _system(name: str) -> str:
    return name.removesuffix("'")


@dataclass(frozen=True)
class _Cells:
    """One segment of one screen."""

    reader: _Rows
    shown: Shown
    place: int

    @property
    def screen(self) -> Screen:
        return self.shown.screen

    @property
    def item(self) -> Mapping[str, Any]:
        return self.screen.items[self.place]

    def judgment(self, kind: str) -> str:
        return f"{self.screen.number} {self.place} {kind}"

    def rows(self, systems: Sequence[str], kind: str, times: Mapping[str, Any]) -> Iterator[JudgmentRow]:
        named, screen = place_of(self.item["item_id"]), self.screen
        columns = {name: self.shown.columns.index(name) + 1 for name in systems}
        labels = {name: slot_label(column) for name, column in columns.items()}
        slots = {labels[name]: cell for name in systems if (cell := self._cell(name, kind)) is not None}
        comment = screen.comment if self.place == 0 and kind == "regular" else ""
        if not self.reader.campaign.has_tags:  # else cells have comments of their own
            cells_of = screen.annotation[self.place]
            noted = [cells_of[name].get("textfield") for name in systems if labels[name] in slots]
            comment = "\n".join(text for text in (comment, *noted) if isinstance(text, str) and text)
        answer = {"slots": slots, "comment": comment, "cannot_judge": None}
        self._note_languages(named)
        position = self.reader.kept.position(self.shown, self.place, kind)
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
                position=position,
                slot=labels[name],
                revision=self.shown.revision,
                answer=cells.written_answer(answer),
                source=source_of(self.item),
                translation=self.item["tgt"][name],
                domain=named.domain,
                screen=self.shown.number,
                column=columns[name] if columns[name] <= MOST_COLUMNS else None,
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
            found.odd[NO_SCORE].add(number)
            return None
        note = answered.get("textfield")
        read = read_marks(answered.get("error_spans"), self.item["tgt"][name], self.reader.tags)
        for case, times in (read.refused + read.kept).items():
            found.odd[case].add(number, times)
        campaign = self.reader.campaign
        if campaign.has_tags and score is not None and score < ERROR_FREE and not read.spans and not read.tags:
            found.odd[LOW].add(number)
        if note:
            found.odd["textfields"].add(number)
        if self.shown.is_current:
            self._count(score, read, kind)
        text = self.item["tgt"][name]
        return answer_of(campaign, score, read, len(text)) | (
            {"comment": note if isinstance(note, str) else ""} if campaign.has_tags else {}
        )

    def _count(self, score: float | None, read: ReadMarks, kind: str) -> None:
        found = self.reader.found
        if not self.reader.campaign.has_marks:
            found.odd[NOT_MARKED].add(self.screen.number, len(read.spans) + len(read.tags))
        found.counts.update({"scores": score is not None, AGAIN: kind == BY_CHANCE})
        found.counts["regular" if kind == "regular" else "repeat"] += 1
        found.counts["zero_scores"] += score == 0
        found.spans.update(span["severity"] for span in read.spans)
        for tag in read.tags:
            found.tags[tag["tag"]][tag["severity"]] += 1
