"""One segment in full: its texts, every system's output with all its judgments, and the decisions."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils.text import capfirst

from annotation.models import (
    Adjudication,
    ErrorSpan,
    Exclusion,
    ItemKind,
    Judgment,
    ProblemReport,
    Score,
    Side,
    Slot,
    is_surplus,
    slot_values,
)
from annotation.protocols import protocol_for
from annotation.protocols.base import Protocol, ShownQuestion
from annotation.queries.document_questions import page_questions
from annotation.queries.text_guidance import DocumentGuidance
from annotation.queries.text_media import ShownMedium
from campaigns.models import Campaign, Reference, Segment, Translation
from jobs.models import Run
from metrics.derivations import derivations_of
from metrics.models import DerivedScore, Disagreement
from metrics.segments.beside_segment import guidance_beside, media_beside, outputs_with_flags
from metrics.segments.judged import compared_measures
from metrics.segments.metric_marks import MarkedByMetric, marks_by_metric

UNCOUNTED = (ItemKind.PRACTICE, ItemKind.CHECK)


@dataclass(frozen=True)
class MarkedError:
    """`number` counts all annotators' errors of an output in the order of its text; `quote` is what was marked.

    A tag is about the whole output, and comes after the errors that have a place in it.
    """

    number: int
    span: ErrorSpan
    quote: str
    is_tag: bool = False

    @property
    def is_in_source(self) -> bool:
        return self.span.side == Side.SOURCE

    @property
    def is_missing(self) -> bool:
        return self.span.start == self.span.end and not self.is_tag


@dataclass(frozen=True)
class Answered:
    """One current judgment, as far as it is about one output. `after` is the text as a post-editor left it.

    `others_shown` are the systems whose outputs were on the same screen.
    """

    judgment: Judgment
    values: dict[str, float]
    errors: tuple[MarkedError, ...]
    after: str | None
    damaged: str | None
    label: str = "A"
    others_shown: tuple[str, ...] = ()

    @property
    def is_control(self) -> bool:
        return self.judgment.item.kind != ItemKind.REGULAR

    @property
    def is_left_out(self) -> bool:
        """By the decision on its annotator, or because it came when others had answered."""
        return bool(self.judgment.left_out or self.judgment.surplus_too)  # type: ignore[attr-defined]

    @property
    def counts(self) -> bool:
        return not self.is_control and not self.is_left_out

    @property
    def comment(self) -> str:
        answer = self.judgment.answer
        comment = answer.get("comment") if isinstance(answer, dict) else ""
        return comment if isinstance(comment, str) else ""

    @property
    def seconds(self) -> float | None:
        taken = self.judgment.elapsed_ms if self.judgment.active_ms is None else self.judgment.active_ms
        return None if taken is None else taken / 1000


@dataclass(frozen=True)
class Output:
    """One text, of all systems that wrote it. `decision` is in force; `history` are those that were undone."""

    translation: Translation
    systems: tuple[str, ...]
    answers: tuple[Answered, ...]
    measures: tuple[str, ...]
    decision: Adjudication | None = None
    history: tuple[Adjudication, ...] = ()
    metrics: dict[str, float] = field(default_factory=dict)
    metric_gap: float | None = None
    places_apart: float | None = None
    metric_marks: dict[str, tuple[MarkedByMetric, ...]] = field(default_factory=dict)

    @property
    def spread(self) -> float | None:
        """The widest of the measures that are compared; None with fewer than two answers that count.

        For places on screens it is the spread that the run computed.
        """
        if self.places_apart is not None:
            return self.places_apart
        columns = [[each.values[name] for each in self._counted if name in each.values] for name in self.measures]
        return max((max(column) - min(column) for column in columns if len(column) > 1), default=None)

    @property
    def mean(self) -> float | None:
        first = self.measures[0] if self.measures else ""
        values = [each.values[first] for each in self._counted if first in each.values]
        return sum(values) / len(values) if values else None

    @property
    def drawn(self) -> list[MarkedError]:
        """The errors with a place in this text, without those marked in a degraded one."""
        own = [error for each in self.answers if each.damaged is None for error in each.errors]
        return [error for error in own if not error.is_tag]

    @property
    def _counted(self) -> list[Answered]:
        return [each for each in self.answers if each.counts]


@dataclass(frozen=True)
class SegmentSheet:
    segment: Segment
    references: Sequence[Reference]
    outputs: Sequence[Output]
    reports: Sequence[ProblemReport]
    document_scores: Sequence[Score]
    decided_fields: tuple[str, ...]
    media: tuple[ShownMedium, ...]
    guidance: DocumentGuidance


def segment_sheet(campaign: Campaign, segment: Segment, run: Run | None) -> SegmentSheet:
    """At most fourteen queries; `segment` with its document."""
    protocol = protocol_for(campaign.protocol, campaign.options)
    reports = ProblemReport.objects.filter(item__segment=segment, item__assignment__campaign=campaign)
    references = list(segment.references.order_by("name"))
    translations = outputs_with_flags(campaign, segment)
    return SegmentSheet(
        segment=segment,
        references=references,
        outputs=_outputs(campaign, translations, segment, protocol, run, references),
        reports=list(reports.select_related("annotator", "item").order_by("-reported_at")),
        document_scores=_document_scores(campaign, segment, protocol),
        decided_fields=protocol.decided_fields,
        media=media_beside(segment) if any(each.has_media for each in translations) else (),
        guidance=guidance_beside(campaign, segment)
        if any(each.is_told for each in translations)
        else DocumentGuidance(),
    )


def _outputs(
    campaign: Campaign,
    translations: Sequence[Any],
    segment: Segment,
    protocol: Protocol[Any],
    run: Run | None,
    references: Sequence[Reference],
) -> list[Output]:
    answers = _Answers(campaign, segment, protocol, translations)
    marked = marks_by_metric(segment, references, [each for each in translations if each.has_marks])
    decided = _decisions(campaign, segment) if protocol.decided_fields else {}
    compared = [measure for measure, _by in compared_measures(campaign)]
    is_relative = any(measure.is_relative for measure in compared)
    is_known = run is not None and (is_relative or (run.result or {}).get("metrics"))
    rows = Disagreement.objects.filter(run=run, segment=segment, system__isnull=False) if is_known else ()
    scored = {row.system_id: row for row in rows}
    measures = tuple(measure.name for measure in compared if not is_relative)
    outputs = []
    for alike in _alike(translations):
        keys = [translation.pk for translation in alike]
        made = [each for key in keys for each in decided.get(key, ())]
        row = scored.get(alike[0].system_id)
        outputs.append(
            Output(
                translation=min(alike, key=lambda each: each.pk),
                systems=tuple(translation.system.name for translation in alike),
                answers=answers.of(keys),
                measures=measures,
                decision=next((each for each in made if each.undone_at is None), None),
                history=tuple(each for each in made if each.undone_at is not None),
                metrics=row.metrics if row else {},
                metric_gap=row.metric_gap if row else None,
                places_apart=row.spread if row and is_relative else None,
                metric_marks=next((marked[key] for key in keys if key in marked), {}),
            )
        )
    return outputs


def _alike(translations: Sequence[Translation]) -> list[list[Translation]]:
    """Grouped by text, in the order of the first; unknown texts count as different."""
    groups: dict[object, list[Translation]] = {}
    for translation in translations:
        key = ("unknown", translation.pk) if translation.text is None else translation.text
        groups.setdefault(key, []).append(translation)
    return list(groups.values())


def _decisions(campaign: Campaign, segment: Segment) -> dict[int, list[Adjudication]]:
    """By translation, the newest first."""
    made = Adjudication.objects.filter(campaign=campaign, translation__segment=segment)
    by_translation: dict[int, list[Adjudication]] = defaultdict(list)
    for each in made.select_related("translation", "decided_by", "undone_by", "based_on__annotator").order_by("-pk"):
        by_translation[each.translation_id].append(each)
    return by_translation


def _document_scores(campaign: Campaign, segment: Segment, protocol: Protocol[Any]) -> list[Score]:
    if not any(measure.level == "document" for measure in protocol.measures):
        return []
    rows = Score.objects.filter(
        document=segment.document_id, judgment__item__assignment__campaign=campaign, judgment__is_current=True
    )
    related = rows.select_related("system", "judgment__annotator", "judgment__item")
    return list(related.exclude(judgment__item__kind__in=UNCOUNTED).order_by("system__name", "judgment_id", "pk"))


class _Answers:
    """All current judgments of a segment in a campaign; four queries."""

    def __init__(
        self, campaign: Campaign, segment: Segment, protocol: Protocol[Any], translations: Sequence[Translation]
    ) -> None:
        self._segment = segment
        self._texts = {translation.pk: translation.text for translation in translations}
        self._systems = {translation.pk: translation.system.name for translation in translations}
        self._text_field = protocol.text_field
        self._tags = protocol.tag_names
        self._judgments = _judgments(campaign, segment)
        self._slots = _slots(self._judgments)
        self._screens = self._systems_by_screen()
        self._values = _values(campaign, self._judgments)
        self._errors: dict[tuple[int, int], list[ErrorSpan]] = defaultdict(list)
        spans = ErrorSpan.objects.filter(judgment__in=self._judgments).order_by("start", "end", "pk")
        for span in spans if self._judgments and "penalty" in protocol.derived_measures else ():
            self._errors[span.judgment_id, span.translation_id].append(span)

    def of(self, translations: Sequence[int]) -> tuple[Answered, ...]:
        """Each judgment once, however many systems it counts for."""
        shown: dict[int, tuple[int, str, str | None]] = {}
        for key in translations:
            for judgment, label, damaged in self._slots.get(key, ()):
                shown.setdefault(judgment, (key, label, damaged))
        errors = self._numbered(shown)
        return tuple(
            Answered(
                judgment=judgment,
                values=self._values.get((pk, shown[pk][0]), {}),
                errors=tuple(errors.get(pk, ())),
                after=self._after(judgment, shown[pk][1]),
                damaged=shown[pk][2],
                label=shown[pk][1],
                others_shown=tuple(name for label, name in self._screens[pk] if label != shown[pk][1]),
            )
            for pk, judgment in self._judgments.items()
            if pk in shown
        )

    def _systems_by_screen(self) -> dict[int, list[tuple[str, str]]]:
        """By judgment: label and system's name of each output that was shown."""
        screens: dict[int, list[tuple[str, str]]] = defaultdict(list)
        for translation, name in self._systems.items():
            for judgment, label, _damaged in self._slots.get(translation, ()):
                screens[judgment].append((label, name))
        return screens

    def _numbered(self, shown: dict[int, tuple[int, str, str | None]]) -> dict[int, list[MarkedError]]:
        own = [span for pk, (key, _label, _damaged) in shown.items() for span in self._errors.get((pk, key), ())]
        own.sort(key=lambda span: (self._is_tag(span), span.start, -span.end, span.pk))
        errors: dict[int, list[MarkedError]] = defaultdict(list)
        for number, span in enumerate(own, start=1):
            damaged = shown[span.judgment_id][2]
            text = self._texts.get(span.translation_id) if damaged is None else damaged
            whole = (self._segment.source if span.side == Side.SOURCE else text) or ""
            quote = whole[span.start : span.end]
            errors[span.judgment_id].append(MarkedError(number, span, quote, self._is_tag(span)))
        return errors

    def _is_tag(self, span: ErrorSpan) -> bool:
        return span.start == span.end and span.category in self._tags

    def _after(self, judgment: Judgment, label: str) -> str | None:
        text = slot_values(judgment.answer, label).get(self._text_field)
        return text if isinstance(text, str) else None


def _judgments(campaign: Campaign, segment: Segment) -> dict[int, Judgment]:
    """Current judgments, in the order of their annotators, each with whether it is left out."""
    excluded = Exclusion.objects.filter(campaign=campaign, lifted_at=None, annotator=OuterRef("annotator"))
    current = Judgment.objects.filter(
        item__segment=segment, item__assignment__campaign=campaign, is_current=True
    ).exclude(item__kind__in=UNCOUNTED)
    annotated = current.annotate(left_out=Exists(excluded), surplus_too=is_surplus())
    rows = annotated.select_related("annotator", "item").order_by("annotator__username", "pk")
    return {judgment.pk: judgment for judgment in rows}


def _slots(judgments: dict[int, Judgment]) -> dict[int, list[tuple[int, str, str | None]]]:
    """By translation: judgment, label, and the damaged text where one was shown; credited ones, too."""
    by_item: dict[int, int] = {judgment.item_id: pk for pk, judgment in judgments.items()}
    rows = Slot.objects.filter(item__in=by_item).values_list(
        "item_id", "label", "damaged", "translation_id", "credits__translation_id"
    )
    by_translation: dict[int, list[tuple[int, str, str | None]]] = defaultdict(list)
    for item, label, damaged, *translations in rows.order_by("item_id", "label") if by_item else ():
        for translation in translations:
            entry = (by_item[item], label, damaged)
            if translation is not None and entry not in by_translation[translation]:
                by_translation[translation].append(entry)
    return by_translation


def _values(campaign: Campaign, judgments: dict[int, Judgment]) -> dict[tuple[int, int], dict[str, float]]:
    """By judgment and translation, each measure's number: as answered, and what follows from it."""
    columns = ("judgment_id", "translation_id", "measure", "value")
    rows: Any = Score.objects.filter(judgment__in=judgments, translation__isnull=False).order_by().values_list(*columns)
    wanted = Q()
    for derivation in derivations_of(campaign.protocol):
        wanted |= Q(measure=derivation.measure.name, signature=derivation.signature)
    if wanted:
        derived = DerivedScore.objects.filter(wanted, judgment__in=judgments).order_by().values_list(*columns)
        rows = derived.union(rows, all=True)
    numbers: dict[tuple[int, int], dict[str, float]] = defaultdict(dict)
    for judgment, translation, measure, value in rows if judgments else ():
        numbers[judgment, translation][measure] = value
    return numbers


@dataclass(frozen=True)
class DocumentScore:
    """One score of a system's document; `out_of` is the total that a count is part of."""

    score: Score
    title: str
    out_of: float | None
    answers: tuple[tuple[str, str], ...]


def document_scores(campaign: Campaign, sheet: SegmentSheet) -> list[DocumentScore]:
    """A count is shown after the score it belongs to, not in a row of its own."""
    measures = {measure.name: measure for measure in protocol_for(campaign.protocol, campaign.options).measures}
    counts = {
        (score.judgment_id, score.system_id): score.value
        for score in sheet.document_scores
        if score.measure in measures and measures[score.measure].is_count
    }
    document = sheet.segment.document_id
    questions = page_questions([document]).get(document, ()) if sheet.document_scores else ()
    return [
        DocumentScore(
            score=score,
            title=str(measures[score.measure].title) if score.measure in measures else capfirst(score.measure),
            out_of=counts.get((score.judgment_id, score.system_id)),
            answers=_answers(score, questions),
        )
        for score in sheet.document_scores
        if score.measure not in measures or not measures[score.measure].is_count
    ]


def _answers(score: Score, questions: Sequence[ShownQuestion]) -> tuple[tuple[str, str], ...]:
    answers = slot_values(score.judgment.answer, score.slot).get("answers")
    if not isinstance(answers, dict):
        return ()
    return tuple((each.text, str(answers.get(each.name) or "")) for each in questions)
