"""Every system's output of one segment as the page shows it: drawn, compared, with its answers and what was decided."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy

from annotation.models import Adjudication, slot_values
from annotation.protocols import protocol_for
from annotation.protocols.base import CANNOT_JUDGE_REASONS, MarkedSpan, Measure, Protocol
from annotation.queries.adjudications import observed
from campaigns.models import Campaign
from frontend.researcher.drawn_text import MetricMarks, compared, drawn, lanes_of, strokes_of
from frontend.researcher.segment_beside import OutputBeside, SegmentBeside
from frontend.templatetags.numbers import decimals
from metrics.analyses.score_tables import decimals_for
from metrics.automatic import OF_A_HUNDRED, metric_title
from metrics.segments.edit_replay import EditReplay, edit_replay
from metrics.segments.judged import compared_measures
from metrics.segments.sheet import Answered, MarkedError, Output, SegmentSheet

SPANS = "spans"
STEP_KINDS = {
    "insert": gettext_lazy("inserted"),
    "delete": gettext_lazy("deleted"),
    "replace": gettext_lazy("replaced"),
    "move": gettext_lazy("moved"),
    "paste": gettext_lazy("pasted"),
    "reset": gettext_lazy("reset"),
    "restore": gettext_lazy("edits restored"),
}


@dataclass(frozen=True)
class ShownAnswer:
    """`values` are in the order of the columns; `edited` is a post-edit with its changes."""

    answer: Answered
    values: Sequence[float | None]
    z: float | None
    edited: SafeString | None
    cannot_judge: str
    replay: EditReplay | None = None

    @property
    def kinds(self) -> list[tuple[str, int]]:
        return [(str(STEP_KINDS[kind]), count) for kind, count in self.replay.kinds] if self.replay else []


@dataclass(frozen=True)
class ShownDecision:
    """`errors` are spans with the marked text and whether they are tags; None where the protocol marks none."""

    adjudication: Adjudication
    numbers: Sequence[tuple[str, float]]
    errors: Sequence[tuple[MarkedSpan, str, bool]] | None
    edited: SafeString | None


@dataclass(frozen=True)
class ShownOutput:
    """`difference` is from what the reader compares with; `refused` are a form's errors, `entered` its values.

    `metric_marks` are those of metrics that mark errors; some find none.
    `most_by_metric` is the largest score of each metric beside any output of the segment, without its sign.
    """

    output: Output
    text: SafeString
    difference: SafeString | None
    lanes: int
    answers: Sequence[ShownAnswer]
    decision: ShownDecision | None
    refused: Mapping[str, Sequence[str]] = field(default_factory=dict)
    entered: Mapping[str, Any] = field(default_factory=dict)
    is_looked_for: bool = False
    metric_marks: Sequence[MetricMarks] = ()
    most_by_metric: Mapping[str, float] = field(default_factory=dict)
    beside: OutputBeside = field(default_factory=OutputBeside)

    @property
    def errors(self) -> list[MarkedError]:
        """All errors that could be part of a decision, in their order, each place and kind once."""
        errors: dict[object, MarkedError] = {}
        marked = [error for own in self.answers if own.answer.damaged is None for error in own.answer.errors]
        for error in sorted(marked, key=lambda one: one.number):
            span = error.span
            errors.setdefault((span.side, span.start, span.end, span.category, span.severity), error)
        return list(errors.values())

    @property
    def tags(self) -> list[tuple[str, str, int]]:
        """Name, severity and number of annotators of each tag, in the order in which they were given."""
        errors = [error for own in self.answers if own.answer.damaged is None for error in own.answer.errors]
        numbers = Counter((error.span.category, error.span.severity) for error in errors if error.is_tag)
        return [(name, severity, number) for (name, severity), number in numbers.items()]

    @property
    def choices(self) -> list[Answered]:
        """Whose answer can be taken whole."""
        own = [each.answer for each in self.answers]
        return [each for each in own if each.damaged is None and not each.judgment.cannot_judge]

    @property
    def metrics(self) -> list[tuple[str, str]]:
        """Titles and values of the metrics, as the page of metrics writes them."""
        return [
            (metric_title(name), decimals(value, 1 if name in OF_A_HUNDRED else self._decimals_of(name)))
            for name, value in self.output.metrics.items()
        ]

    def _decimals_of(self, metric: str) -> int:
        return decimals_for([self.most_by_metric.get(metric, self.output.metrics[metric])])

    @property
    def refusals(self) -> list[str]:
        """All messages but those about the reason, which are beside its field."""
        return [message for name, messages in self.refused.items() if name != "reason" for message in messages]


@dataclass(frozen=True)
class OutputsShown:
    """How the outputs of a segment are shown: `base` is the text to compare with, `looked_for` a system's name.

    `scales` are mean and deviation by annotator, where the campaign's own recipe makes z-scores.
    """

    campaign: Campaign
    sheet: SegmentSheet
    base: str | None
    looked_for: str | None
    scales: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @cached_property
    def beside(self) -> SegmentBeside:
        return SegmentBeside(self.sheet)

    @property
    def source(self) -> SafeString:
        source = self.sheet.segment.source or ""
        return drawn(source, (), self.campaign.test_set.source_language, self.beside.source_hints)

    @cached_property
    def protocol(self) -> Protocol[Any]:
        return protocol_for(self.campaign.protocol, self.campaign.options)

    @cached_property
    def columns(self) -> list[tuple[str, str]]:
        """Name and title of the measures with values here; the compared ones come first."""
        measured = {name for output in self.sheet.outputs for each in output.answers for name in each.values}
        first = [measure for measure, _by in compared_measures(self.campaign) if measure.name in measured]
        titles = {measure.name: str(measure.title) for measure in (*self.protocol.measures, *first)}
        names = [measure.name for measure in first]
        names += sorted(measured - set(names))
        return [(name, titles.get(name, capfirst(name))) for name in names]

    @property
    def number_fields(self) -> list[Measure]:
        """The fields that an adjudicator fills with numbers."""
        return [measure for measure in self.protocol.measures if measure.name in self.sheet.decided_fields]

    @property
    def takes_whole_answers(self) -> bool:
        return self.takes_errors or self.protocol.text_field in self.sheet.decided_fields

    @property
    def takes_errors(self) -> bool:
        return SPANS in self.sheet.decided_fields

    def shown(self, output: Output, refused: Mapping[str, Sequence[str]], entered: Mapping[str, Any]) -> ShownOutput:
        text = output.translation.text or ""
        marked = [
            MetricMarks(number, title, output.metric_marks[name])
            for number, (name, title) in enumerate(self.marking_metrics, start=1)
            if name in output.metric_marks
        ]
        strokes = strokes_of(output.drawn, marked)
        beside = self.beside.of_output(list(self.sheet.outputs).index(output))
        return ShownOutput(
            output=output,
            text=drawn(text, strokes, self._language, beside.hints),
            difference=None if self.base in (None, text) else compared(self.base or "", text, self._language),
            lanes=lanes_of(strokes),
            answers=[self._answer(each, text) for each in output.answers],
            decision=self._decision(output.decision, text) if output.decision else None,
            refused=refused,
            entered=entered if refused else {},
            is_looked_for=self.looked_for in output.systems,
            metric_marks=marked,
            most_by_metric=self._most_by_metric,
            beside=beside,
        )

    @cached_property
    def marking_metrics(self) -> list[tuple[str, str]]:
        """Names and titles of those that mark errors in any output of the segment, in the order of their signs."""
        names = sorted({name for output in self.sheet.outputs for name in output.metric_marks})
        return [(name, metric_title(name)) for name in names]

    @cached_property
    def _most_by_metric(self) -> dict[str, float]:
        """The value farthest from zero: scores of one metric have the same decimals beside all outputs."""
        most: dict[str, float] = {}
        for output in self.sheet.outputs:
            for name, value in output.metrics.items():
                most[name] = max(most.get(name, 0.0), abs(value))
        return most

    @property
    def _language(self) -> str:
        return self.campaign.test_set.target_language

    def _answer(self, answer: Answered, text: str) -> ShownAnswer:
        reason = answer.judgment.cannot_judge
        return ShownAnswer(
            answer=answer,
            values=[answer.values.get(name) for name, _title in self.columns],
            z=self._z(answer),
            edited=None if answer.after is None else compared(answer.damaged or text, answer.after, self._language),
            cannot_judge=str(CANNOT_JUDGE_REASONS.get(reason, reason)) if reason else "",
            replay=self._replay(answer, text),
        )

    def _replay(self, answer: Answered, text: str) -> EditReplay | None:
        shown = text if answer.damaged is None else answer.damaged
        values = slot_values(answer.judgment.answer, answer.label)
        return None if answer.after is None else edit_replay(shown, values)

    @cached_property
    def _first_measure(self) -> Measure | None:
        return next((measure for measure, _by in compared_measures(self.campaign)), None)

    def _z(self, answer: Answered) -> float | None:
        """Of the first measure, higher is better."""
        measure = self._first_measure
        scale = self.scales.get(answer.judgment.annotator.username)
        if measure is None or scale is None or measure.name not in answer.values:
            return None
        mean, deviation = scale
        apart = (answer.values[measure.name] - mean) / deviation
        return apart if measure.higher_is_better else -apart

    def _decision(self, adjudication: Adjudication, text: str) -> ShownDecision:
        adjudication.translation.segment = self.sheet.segment
        observation = observed(adjudication, self.protocol)
        titles = {measure.name: str(measure.title) for measure in self.protocol.measures}
        fields = self.sheet.decided_fields
        source = self.sheet.segment.source or ""
        edited = adjudication.answer.get(self.protocol.text_field) if self.protocol.text_field in fields else None
        errors = [
            (
                span,
                (source if span.side == "source" else text)[span.start : span.end],
                span.start == span.end and span.category in self.protocol.tag_names,
            )
            for span in observation.spans
        ]
        return ShownDecision(
            adjudication=adjudication,
            numbers=[(titles.get(s.measure, s.measure), s.value) for s in observation.scores if s.measure in fields],
            errors=errors if SPANS in fields else None,
            edited=compared(text, edited, self._language) if isinstance(edited, str) else None,
        )
