"""Batches of Appraise, with a manifest or without: texts, assignments, control items and practice of a campaign."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from campaigns.languages import language_of_code
from campaigns.reading.problems import Problems, UnreadableFileError
from exchange.formats.appraise_batches import (
    COPIES,
    EXPECTED,
    NOT_SUGGESTED,
    OTHER_PAIRS,
    REFERENCES,
    BatchReader,
)
from exchange.formats.pearmut_campaign import TASKS
from exchange.formats.pearmut_info import Info
from exchange.formats.pearmut_records import is_json, whole_json
from exchange.read_campaigns import CampaignSource, ReadCampaign
from exchange.reading import SourceFile

_MOST_PEOPLE = 500
_PROTOCOLS = {"esa": "esa", "mqm": "mqm"}  # by TASK_OPTIONS
_USED = ("TASKS_TO_ANNOTATORS", "REDUNDANCY", "CAMPAIGN_NAME", "CAMPAIGN_KEY", "CAMPAIGN_NO")
_SAME = ("newui", "contrastiveesa", "source", "")


@dataclass(frozen=True)
class Manifest:
    people: int = 0
    redundancy: int = 0
    protocol: str = ""
    notes: tuple[str, ...] = ()


@dataclass
class ReadBatches(ReadCampaign):
    odd: Mapping[str, int] = field(default_factory=dict)
    manifest: Manifest = field(default_factory=Manifest)
    is_guessed: bool = False

    def notes(self) -> Iterator[str]:
        yield from self.manifest.notes
        if self.is_guessed:
            yield _("The batches have places for marked errors: read as error span annotation (ESA).")
        unoriginal = sum(
            system not in self.documents.segments[screen.document, segment].translations
            for screens in self.documents.screens
            for screen in screens
            for segment, system in screen.damaged
        )
        counted = (
            (self.odd.get(OTHER_PAIRS, 0), _("Batches of other language pairs, left out: %(count)d.")),
            (self.odd.get(COPIES, 0), _("Documents that were repeated or cut to fill a batch, kept: %(count)d.")),
            (self.odd.get(REFERENCES, 0), _("Items of references (REF), judged like those of a system: %(count)d.")),
            (unoriginal, _("Bad references without their original in the file: %(count)d.")),
            (
                self.odd.get(NOT_SUGGESTED, 0),
                _("Suggested errors outside the text or unfinished, left out: %(count)d."),
            ),
            (self.odd.get(EXPECTED, 0), _("Tutorial items whose expected answer is left out: %(count)d.")),
            (self.documents.removed, _("Scripts and styles in instructions, removed: %(count)d.")),
        )
        for count, message in counted:
            if count:
                yield message % {"count": count}
        if self.documents.suggested and "suggestions" not in self.info.option_names:
            message = _("Suggested errors, stored with the texts but not shown with this protocol: %(count)d.")
            yield message % {"count": self.documents.suggested}
        if self.asks_documents and "document_scores" not in self.info.option_names:
            yield _("Scores of whole documents are not asked with this protocol and are left out.")
        if not self.is_exact:
            message = _("Screens are planned by Assay, with one system each: this protocol shows at most %(most)d.")
            yield message % {"most": self.info.most_systems}
        yield _("Numbers of items and batches, seeds and the text before each segment are not kept.")


def read_batches(source: CampaignSource, problems: Problems) -> ReadBatches | None:
    """None, with everything that is wrong among the problems, for a file that cannot be imported."""
    file = SourceFile(source.path, source.name, problems)
    manifest = _manifest(source, problems)
    with suppress(UnreadableFileError):
        file.check_is_text(is_json)
        value = whole_json(file)
        if isinstance(value, Mapping) and "TASKS_TO_ANNOTATORS" in value:
            file.refuse(_("This is a manifest of Appraise: it has no texts. Give its batches, and it as --manifest."))
        reader = BatchReader(file.line(), source.languages)
        reader.batches(value)
        _check_pairs(file, reader)
        if problems.count:
            return None
        marked = "esa" if reader.has_marks else "direct_assessment"
        return ReadBatches(
            campaign_id="",
            info=Info(
                assignment=TASKS,
                protocol=manifest.protocol or marked,
                user_count=manifest.people,
                tags=(("missing", "missing"),) if reader.has_marks else (),
            ),
            documents=reader.read,
            languages="-".join(source.languages) if any(source.languages) else next(iter(reader.pairs), ""),
            redundancy=manifest.redundancy or reader.redundancy,
            asks_documents=reader.asks_documents,
            gives_screens=False,
            odd=reader.odd,
            manifest=manifest,
            is_guessed=reader.has_marks and not manifest.protocol,
        )
    return None


def _check_pairs(file: SourceFile, reader: BatchReader) -> None:
    """One pair is read: the only one, or that of the languages asked for."""
    file.problems.pairs = sorted(reader.pairs) if len(reader.pairs) > 1 else []
    if len(reader.pairs) > 1 and not any(reader.languages):
        file.refuse_pairs(reader.pairs)
    if not reader.read.segments and not file.problems.count:
        if reader.odd[OTHER_PAIRS]:
            file.refuse_other_pairs(*reader.languages, reader.pairs)
        file.refuse(_("There is nothing to judge in this file."))


def _manifest(source: CampaignSource, problems: Problems) -> Manifest:
    if source.manifest is None:
        return Manifest()
    file = SourceFile(source.manifest, source.manifest.name, problems)
    with suppress(UnreadableFileError):
        file.check_is_text(is_json)
        value = whole_json(file)
        rows = value.get("TASKS_TO_ANNOTATORS") if isinstance(value, Mapping) else None
        if not isinstance(value, Mapping) or not isinstance(rows, list):
            file.refuse(_("This is no manifest of Appraise: it has no `TASKS_TO_ANNOTATORS`, a list."))
        people = _people(file, rows, source.languages)
        times = value.get("REDUNDANCY", 1)
        if type(times) is not int or not 1 <= times <= 100:
            file.line().refuse("REDUNDANCY", _("This must be a whole number from 1 to 100."), str(times))
            times = 1
        protocol, notes = _protocol(value)
        return Manifest(people, times, protocol, notes)
    return Manifest()


def _people(file: SourceFile, rows: list[Any], languages: tuple[str, str]) -> int:
    people = 0
    for number, row in enumerate(rows):
        is_right = isinstance(row, list) and len(row) == 5 and all(isinstance(each, str) for each in row[:3])
        if not is_right or type(row[3]) is not int or not 0 <= row[3] <= _MOST_PEOPLE:
            message = _('This must be a row such as ["eng", "deu", "uniform", 4, 2], of at most %(most)d annotators.')
            file.line().refuse(f"TASKS_TO_ANNOTATORS[{number}]", message % {"most": _MOST_PEOPLE})
        elif not any(languages) or [language_of_code(code).split("-")[0] for code in row[:2]] == [
            language.split("-")[0] for language in languages
        ]:
            people += row[3]
    return min(people, _MOST_PEOPLE)


def _protocol(manifest: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    """By `TASK_OPTIONS`; everything that has no equal is named."""
    words = [word.strip() for word in str(manifest.get("TASK_OPTIONS", "")).split(";")]
    known = [_PROTOCOLS[word.lower()] for word in words if word.lower() in _PROTOCOLS]
    left = [f"TASK_OPTIONS {word}" for word in words if word.lower() not in (*_PROTOCOLS, *_SAME)]
    left += [key for key in manifest if key not in (*_USED, "TASK_OPTIONS", "TASK_TYPE")]
    message = _("`%(name)s` has no equal here and is left out.")
    return known[0] if known else "", tuple(message % {"name": str(name)[:80]} for name in left)
