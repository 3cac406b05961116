"""`xliff`, `xliff-1-2` and `tmx`: post-edits of a campaign, or its outputs with marked errors, for translation tools.

A document is read at a time; memory does not grow with the campaign.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from django.utils.translation import gettext as _

from annotation.models import ErrorSpan, Score, slot_values
from campaigns.models import Campaign, Document, Segment, Translation
from exchange.exported_judgments import EVERYTHING, ExportChoice, Follower, JudgedSlot, credited, judged_slots
from exchange.formats.tmx_writer import write_tmx
from exchange.formats.wmt_mqm_writer import counted_judgments, marked_spans
from exchange.formats.xliff_codes import Issue
from exchange.formats.xliff_writer import Form, Match, TextFile, Unit, write_new, write_old
from exchange.tables.csv_and_json import pieces_of

EDITING, MARKING = "post_editing", ("cesa", "esa", "mqm")
PROTOCOLS = frozenset({EDITING, *MARKING})
_FROM_TOOLS = ("xliff", "tmx")
Key = tuple[str, str]


def obstacles(campaign: Campaign) -> list[str]:
    own = Segment.objects.filter(document__test_set=campaign.test_set_id, source=None)
    reasons = [_("This format needs all sources, and some of this campaign are not known.")] if own.exists() else []
    if campaign.protocol == EDITING and not counted_judgments(campaign).exists():
        reasons.append(_("The campaign has no post-edits yet."))
    return reasons


def losses(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> list[str]:
    """What of the answers is not in version 2.1."""
    told = [_("References, titles, domains, times, comments and control items are not in the file.")]
    scores = choice.of_judgments(Score.objects.filter(judgment__item__assignment__campaign=campaign))
    if campaign.protocol != EDITING and (count := scores.filter(measure="score").count()):
        told.append(_("Scores, left out: %(count)d.") % {"count": count})
    return told


def losses_of_old(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> list[str]:
    spans = choice.of_judgments(ErrorSpan.objects.filter(judgment__item__assignment__campaign=campaign))
    told = (
        [_("Marks of errors, left out: %(count)d. Version 2.1 has them.") % {"count": count}]
        if (count := spans.count())
        else []
    )
    return [*losses(campaign, choice), *told]


def losses_of_memory(campaign: Campaign, choice: ExportChoice = EVERYTHING) -> list[str]:
    return [*losses(campaign, choice), _("The outputs as they were before editing are not in the file.")]


def write_campaign(
    campaign: Campaign, choice: ExportChoice = EVERYTHING, *, write: Callable[..., Iterator[str]] = write_new
) -> Iterator[bytes]:
    test_set = campaign.test_set
    form = Form(test_set.source_language, test_set.target_language, test_set.format in _FROM_TOOLS)
    return pieces_of(write(_files(campaign, choice), form))


write_old_campaign = partial(write_campaign, write=write_old)
write_memory = partial(write_campaign, write=write_tmx)


def _files(campaign: Campaign, choice: ExportChoice) -> Iterator[TextFile]:
    for read in documents_read(campaign, choice):
        yield from read.edited() if campaign.protocol == EDITING else read.marked()


def documents_read(campaign: Campaign, choice: ExportChoice) -> "Iterator[DocumentRead]":
    systems = frozenset(campaign.systems.values_list("pk", flat=True))
    for document in Document.objects.filter(test_set=campaign.test_set_id).order_by("position", "pk").iterator():
        yield DocumentRead(campaign, choice, document, systems)


@dataclass
class DocumentRead:
    """What a campaign has on one document."""

    campaign: Campaign
    choice: ExportChoice
    document: Document
    systems: frozenset[int]

    def edited(self) -> Iterator[TextFile]:
        """A file for each system and annotator, with the output that was edited as a match."""
        edits: dict[Key, dict[int, str]] = {}
        for output, systems in self.judged():
            text = slot_values(output.answer, output.slot or "").get("text")
            for system in systems:
                if isinstance(text, str) and output.segment_id is not None:
                    edits.setdefault((system, self.choice.called(output.annotator)), {})[output.segment_id] = text
        outputs = self.outputs()
        matched: set[tuple[str, int]] = set()  # each output once, so that all can be read again
        for (system, person), texts in edits.items():
            units = []
            for pk, name, source in self.segments:
                own = outputs.get(system, {}).get(pk)
                is_new = own is not None and (system, pk) not in matched
                matched.add((system, pk))
                units.append(Unit(name, source, texts.get(pk), [Match(system, own or "")] if is_new else []))
            yield TextFile(self.document.name, system, person, units)

    def marked(self) -> Iterator[TextFile]:
        """A file for each system that is judged, with the marks of all annotators."""
        issues = self._issues()
        for system, texts in self.outputs().items():
            units = [
                Unit(name, source, texts[pk], (), issues.get((system, pk), ()))
                for pk, name, source in self.segments
                if pk in texts
            ]
            if units:
                yield TextFile(self.document.name, system, "", units)

    @cached_property
    def segments(self) -> list[tuple[int, str, str]]:
        own = Segment.objects.filter(document=self.document).order_by("position", "pk")
        return [(pk, name, source or "") for pk, name, source in own.values_list("pk", "name", "source")]

    def outputs(self) -> dict[str, dict[int, str]]:
        own = Translation.objects.filter(segment__document=self.document).exclude(text=None)
        texts: dict[str, dict[int, str]] = {}
        rows = own.order_by("system_id", "pk").values_list("system_id", "system__name", "segment_id", "text")
        for key, system, segment, text in rows:
            if key in self.systems:  # in a query, SQLite would look at all outputs of these for each document
                texts.setdefault(system, {})[segment] = text or ""
        return texts

    def system_names(self) -> dict[int, str]:
        """By translation."""
        own = Translation.objects.filter(segment__document=self.document)
        return dict(own.values_list("pk", "system__name"))

    @cached_property
    def sampled(self) -> ExportChoice:
        own = counted_judgments(self.campaign, self.choice).filter(item__document=self.document).order_by()
        return replace(self.choice, sample=frozenset(own.values_list("pk", flat=True)))

    def judged(self) -> Iterator[tuple[JudgedSlot, Sequence[str]]]:
        """Each judged output, with all systems that have it; the newest last."""
        choice = self.sampled
        credits = Follower(credited(self.campaign, choice))
        known: tuple[int, list[tuple[object, ...]]] = (0, [])
        for output in judged_slots(counted_judgments(self.campaign, choice)):
            if output.judgment_id != known[0]:
                known = (output.judgment_id, credits.rows_of(output.judgment_id))
            shared = [str(name) for label, _id, name, _key in known[1] if label == output.slot]
            yield output, [output.system or "", *shared]

    def _issues(self) -> dict[tuple[str, int], list[Issue]]:
        """By system and segment; of several judgments of one annotator on one output, the newest."""
        spans = Follower(marked_spans(self.campaign, self.sampled))
        newest: dict[tuple[str, int], dict[str, list[Issue]]] = {}
        names = self.system_names()
        for judgment, outputs in by_judgment(self.judged()):
            rows = spans.rows_of(judgment)
            for output, systems in outputs:
                by = self.choice.called(output.annotator)
                for system in systems:
                    own = [_issue(row, by) for row in rows if names.get(row[0]) == system]
                    newest.setdefault((system, output.segment_id or 0), {})[by] = own
        return {place: [issue for own in people.values() for issue in own] for place, people in newest.items()}


def _issue(row: tuple[Any, ...], annotator: str) -> Issue:
    _translation, side, start, end, category, severity, note = row
    return Issue(side, start, end, category, severity, note, annotator)


def by_judgment(
    outputs: Iterator[tuple[JudgedSlot, Sequence[str]]],
) -> Iterator[tuple[int, list[tuple[JudgedSlot, Sequence[str]]]]]:
    several: list[tuple[JudgedSlot, Sequence[str]]] = []
    for output in outputs:
        if several and several[0][0].judgment_id != output[0].judgment_id:
            yield several[0][0].judgment_id, several
            several = []
        several.append(output)
    if several:
        yield several[0][0].judgment_id, several
