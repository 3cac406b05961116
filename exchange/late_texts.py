"""A file of systems and documents that come late: compared with the test set of a campaign, then added to both."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.actions.adding import Added, add_late_work, refuse_if_closed
from annotation.protocols import protocol_for
from annotation.protocols.base import Protocol
from campaigns.actions.late_texts import LateOutput, LateTexts, store_late_texts
from campaigns.actions.test_sets import QuestionRecord, SegmentRecord
from campaigns.invalid_input import InvalidInput
from campaigns.models import Account, Campaign, Segment, StandsFor, System, Translation
from campaigns.reading.problems import Problems
from exchange.formats.parallel_text import ImportFiles
from exchange.reading import ImportFileError
from exchange.staging.test_set import Spool, open_spool
from exchange.test_set_files import JUDGED_AS_EMPTY, Inspection, examine

BATCH = 500


@dataclass
class CheckedLateTexts:
    """What a file adds. `new_systems` are not in the test set, `known_systems` are, but the campaign does not judge
    them; `chosen` are those of both that are added. `outputs` counts those for segments that are there, by new system;
    `segments` are those of the new `documents`. `others` is how many campaigns use the test set too:
    whose they are is nobody's business here.
    """

    inspection: Inspection
    new_systems: list[str] = field(default_factory=list)
    known_systems: list[str] = field(default_factory=list)
    chosen: list[str] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)
    segments: int = 0
    questions: int = 0
    outputs: Counter[str] = field(default_factory=Counter)
    earlier_segments: int = 0
    others: int = 0

    @property
    def problems(self) -> Problems:
        return self.inspection.problems

    @property
    def gaps(self) -> dict[str, int]:
        """By chosen new system, the segments that are there and of which the file has no output of it."""
        of_new = (name for name in self.chosen if name in self.new_systems)
        return {name: count for name in of_new if (count := self.earlier_segments - self.outputs[name])}

    @property
    def empty_outputs(self) -> dict[str, int]:
        """By chosen system, its outputs that are empty."""
        return {name: count for name in self.chosen if (count := self.inspection.empty_outputs[name])}


def check_late_texts(
    files: ImportFiles,
    campaign: Campaign,
    *,
    systems: Collection[str] | None = None,
    format: str | None = None,
    empty_outputs: str = JUDGED_AS_EMPTY,
) -> CheckedLateTexts:
    """Reads everything, stores nothing. `systems` are those to add; None: see `add_late_texts`."""
    with _examined(files, campaign, systems, format, empty_outputs) as (checked, _spool, _places):
        return checked


def add_late_texts(
    files: ImportFiles,
    campaign: Campaign,
    *,
    systems: Collection[str] | None = None,
    format: str | None = None,
    empty_outputs: str = JUDGED_AS_EMPTY,
    by: Account | None = None,
) -> Added:
    """Stores the texts in the test set and plans the work on them, all or nothing.

    Without `systems` those are added that the test set does not have; if nothing in the file is new to the test set,
    those that the campaign does not judge yet. Raises ImportFileError with every problem of the file.
    """
    try:
        refuse_if_closed(campaign)
        with _examined(files, campaign, systems, format, empty_outputs) as (checked, spool, places):
            if checked.problems.count:
                raise ImportFileError(problems=checked.problems)
            with transaction.atomic():
                store_late_texts(campaign.test_set, _late_texts(checked, spool, places))
                return add_late_work(campaign=campaign, systems=checked.chosen, documents=checked.documents, by=by)
    except InvalidInput as error:
        raise ImportFileError(str(error)) from error
    except IntegrityError as error:
        raise ImportFileError(_("Somebody else has just added these texts. Load the page again.")) from error


Places = Mapping[tuple[str, str], int]


@contextmanager
def _examined(
    files: ImportFiles, campaign: Campaign, systems: Collection[str] | None, format: str | None, empty_outputs: str
) -> Iterator[tuple[CheckedLateTexts, Spool, Places]]:
    with open_spool() as spool:
        checked = CheckedLateTexts(examine(files, spool, format=format, empty_outputs=empty_outputs))
        places: dict[tuple[str, str], int] = {}
        if not checked.problems.fatal:
            places = _Comparing(checked, campaign).compare(spool, systems)
        yield checked, spool, places


def _late_texts(checked: CheckedLateTexts, spool: Spool, places: Places) -> LateTexts:
    stored = {*checked.chosen, *checked.known_systems}
    left_out = {name for name in checked.new_systems if name not in stored}
    new_documents = set(checked.documents)
    added = [name for name in checked.new_systems if name in checked.chosen]
    return LateTexts(
        systems=added,
        outputs=(
            LateOutput(
                places[record.document, record.segment],
                name,
                text,
                record.suggested.get(name, ()),
                record.alignments.get(name),
            )
            for record in spool.records(SegmentRecord)
            if record.document not in new_documents
            for name, text in record.translations.items()
            if name in added
        ),
        segments=(
            _without(record, left_out) for record in spool.records(SegmentRecord) if record.document in new_documents
        ),
        questions=spool.records(QuestionRecord),
    )


def _without(record: SegmentRecord, systems: Collection[str]) -> SegmentRecord:
    kept = {name: text for name, text in record.translations.items() if name not in systems}
    return replace(record, translations=kept)


class _Comparing:
    """A file's records against the rows of the test set; every contradiction becomes a problem of its line."""

    def __init__(self, checked: CheckedLateTexts, campaign: Campaign) -> None:
        self.checked, self.campaign, self.test_set = checked, campaign, campaign.test_set
        self.protocol: Protocol[Any] = protocol_for(campaign.protocol, campaign.options)
        rows = list(System.objects.filter(test_set=self.test_set).values_list("name", "stands_for"))
        self.systems = {name for name, stands_for in rows if not stands_for}
        self.taken = {name for name, stands_for in rows if stands_for}
        self.judged = set(campaign.systems.values_list("name", flat=True))
        self.known_documents = set(self.test_set.documents.values_list("name", flat=True))
        checked.others = Campaign.objects.filter(test_set=self.test_set).exclude(pk=campaign.pk).count()
        checked.earlier_segments = Segment.objects.filter(document__test_set=self.test_set).count()
        self.references = 0
        self.refused: set[str] = set()
        self.needs_reference = self.protocol.shows_reference or StandsFor.REFERENCE in self.protocol.stand_ins

    def compare(self, spool: Spool, systems: Collection[str] | None) -> dict[tuple[str, str], int]:
        places: dict[tuple[str, str], int] = {}
        coming = spool.records(SegmentRecord)
        while records := list(islice(coming, BATCH)):
            places |= self._compare_known([each for each in records if each.document in self.known_documents])
            for record in records:
                if record.document not in self.known_documents:
                    self._check_new(record)
                self._note_systems(record)
        self._check_questions(spool)
        if self.references:
            message = _("References of segments that the test set has are not changed: %(count)d.")
            self.checked.problems.note(message % {"count": self.references})
        self._choose(systems)
        return places

    def _refuse(self, record: SegmentRecord | QuestionRecord, column: str, message: str, value: str = "") -> None:
        self.checked.problems.add(record.file, record.line, column, message, value)

    def _compare_known(self, records: Sequence[SegmentRecord]) -> dict[tuple[str, str], int]:
        documents = {record.document for record in records}
        rows = Segment.objects.filter(document__test_set=self.test_set, document__name__in=documents)
        named = {
            (document, name): (key, source)
            for key, document, name, source in rows.values_list("pk", "document__name", "name", "source")
        }
        wanted = [named[place][0] for each in records if (place := (each.document, each.segment)) in named]
        outputs = Translation.objects.filter(segment__in=wanted, system__stands_for="")
        texts = {(key, name): text for key, name, text in outputs.values_list("segment", "system__name", "text")}
        places = {}
        for record in records:
            place = (record.document, record.segment)
            if place not in named:
                message = _(
                    "The document “%(name)s” has no segment of this name, and it cannot get further segments while it "
                    "is judged. Put them into a document of their own."
                )
                self._refuse(record, "segment", message % {"name": record.document}, record.segment)
                continue
            key, source = named[place]
            places[place] = key
            self.references += len(record.references)
            if source is not None and source.strip() != record.source.strip():
                message = _("The test set has another source for this segment. Use its text.")
                self._refuse(record, "source", message, record.source)
            self._compare_outputs(record, key, texts)
        return places

    def _compare_outputs(self, record: SegmentRecord, key: int, texts: Mapping[tuple[int, str], str | None]) -> None:
        for name, text in record.translations.items():
            if name not in self.systems:
                self.checked.outputs[name] += 1
            elif (key, name) in texts:
                if texts[key, name] is not None and (texts[key, name] or "").strip() != text.strip():
                    message = _("The test set has another output of “%(name)s” here. Give a new version its own name.")
                    self._refuse(record, f"system:{name}", message % {"name": name}, text)
            elif text.strip():
                message = _(
                    "“%(name)s” has no output for this segment in the test set, and cannot get one while it is judged. "
                    "Empty this cell."
                )
                self._refuse(record, f"system:{name}", message % {"name": name}, text)

    def _check_new(self, record: SegmentRecord) -> None:
        if record.document not in self.checked.documents:
            self.checked.documents.append(record.document)
            if self.checked.others:
                message = _(
                    "Other campaigns use this test set (%(count)d), so no documents can be added to it. Leave them "
                    "out, or create a campaign for them."
                )
                self._refuse(record, "document", message % {"count": self.checked.others})
        self.checked.segments += 1
        if self.needs_reference and not record.references:
            self._refuse(record, "reference", _("This campaign shows a reference. Give one for each further segment."))

    def _note_systems(self, record: SegmentRecord) -> None:
        for name in record.translations:
            if name in self.taken and name not in self.refused:
                self.refused.add(name)
                message = _("The test set uses the name “%(name)s” for its source or reference. Rename the system.")
                self._refuse(record, f"system:{name}", message % {"name": name})
            elif name not in self.systems | self.taken and name not in self.checked.new_systems:
                self.checked.new_systems.append(name)
            elif name in self.systems - self.judged and name not in self.checked.known_systems:
                self.checked.known_systems.append(name)

    def _check_questions(self, spool: Spool) -> None:
        asked = set()
        for question in spool.records(QuestionRecord):
            asked.add(question.document)
            self.checked.questions += 1
            if question.document in self.known_documents:
                message = _("“%(name)s” is judged already, so it cannot get further questions.")
                self._refuse(question, "document", message % {"name": question.document})
        if self.protocol.asks_questions and (without := [name for name in self.checked.documents if name not in asked]):
            message = _("No questions on %(names)s: nothing would be asked there. Add a file of questions.")
            names = {"names": ", ".join(without[:5])}
            self.checked.problems.add(self._file(spool), None, "", message % names, is_fatal=True)

    def _file(self, spool: Spool) -> str:
        return next((record.file for record in spool.records(SegmentRecord)), "")

    def _choose(self, systems: Collection[str] | None) -> None:
        checked = self.checked
        offered = [*checked.new_systems, *checked.known_systems]
        is_new = bool(checked.new_systems or checked.documents)
        checked.chosen = (
            [name for name in offered if name in systems]
            if systems is not None
            else checked.new_systems
            if is_new
            else checked.known_systems
        )
        unknown = sorted(set(systems or ()) - set(offered))
        if unknown:
            message = ngettext(
                "The file has no further system %(names)s.", "The file has no further systems %(names)s.", len(unknown)
            )
            checked.problems.add("", None, "systems", message % {"names": ", ".join(unknown)}, is_fatal=True)
        elif not checked.chosen and not checked.documents and not checked.problems.count:
            message = _("The file adds nothing: the campaign judges all these systems and documents already.")
            checked.problems.add("", None, "", message, is_fatal=True)
