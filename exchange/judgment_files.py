"""Judgments from files: any format → neutral rows → staged and checked whole → rows, in short batches.

A test set has the status `loading` until its campaign is stored, and is hidden until the last step.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from django.db import OperationalError, connection, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from psycopg2.errors import LockNotAvailable

from annotation.models import Assignment, Item, Judgment, ProblemReport
from annotation.protocols import PROTOCOLS, protocol_for
from annotation.protocols.base import Protocol
from campaigns.actions.audit import record
from campaigns.actions.test_sets import discard_unfinished, free_slug
from campaigns.languages import language_problem
from campaigns.models import Account, Campaign, CampaignStatus, Membership, Role, System, TestSet, TestSetStatus
from campaigns.reading.problems import Problems, UnreadableFileError, text_error
from exchange.judgment_formats import BEGINNINGS, FORMATS, STORED_AS, Reader, guessed_format
from exchange.reading import ImportFileError, SourceFile, add_to_digest
from exchange.staging.contradictions import find_contradictions, find_impossible_answers, find_impossible_values
from exchange.staging.database import BATCH, count_of
from exchange.staging.judgments import Reading, stage_rows, staged_judgments
from exchange.staging.loading import load_rows
from exchange.staging.loading_judgments import load_people
from exchange.staging.taking_apart import take_apart

LANGUAGE_LIMIT = 35
UNDETERMINED = "und"  # BCP 47's own word for an unknown language
OnProgress = Callable[[float], None]
COUNTED = {
    "judgments": "numbered",
    "annotators": "annotator",
    "systems": "system WHERE is_judged",
    "documents": "document",
    "segments": "segment",
    "rows": "judgment_row",
}


@dataclass(frozen=True)
class FromCampaign:
    """Which campaign the judgments are of, for formats that have it in a file of its own, or several in one."""

    file: Path | None = None
    id: str = ""


ANY_CAMPAIGN = FromCampaign()


@dataclass(frozen=True)
class Checked:
    """What the file contains, in the terms of the campaign to be made; `pairs` as in `Problems`."""

    protocol: str
    options: dict[str, Any]
    report: dict[str, Any]
    languages: tuple[str, str]
    pairs: Sequence[str] = ()


def check_file(
    staged: sqlite3.Connection,
    path: Path,
    *,
    format: str,
    protocol: str | None = None,
    languages: tuple[str, str] = ("", ""),
    of: FromCampaign = ANY_CAMPAIGN,
    file_name: str = "",
) -> Checked:
    """Fills the staged_judgments tables; ImportFileError lists every problem, by line and column."""
    reading = Reading(path, file_name or path.name, Problems(), protocol or "", *languages)
    reading.campaign_file, reading.campaign_id = of.file, of.id
    chosen = None
    with suppress(UnreadableFileError):  # the reason is among the problems
        reading.check_is_text(*BEGINNINGS.get(format, ()))
        chosen = _look_through(staged, reading, FORMATS[format])
    if reading.problems.count or chosen is None:
        raise ImportFileError(problems=reading.problems)
    report = {counted: count_of(staged, table) for counted, table in COUNTED.items()}
    languages = (reading.source_language, reading.target_language)
    report |= reading.counts | {"notes": list(reading.problems.notes)}
    return Checked(*chosen, report=report, languages=languages, pairs=reading.problems.pairs)


def _look_through(staged: sqlite3.Connection, reading: Reading, read: Reader) -> tuple[str, dict[str, Any]] | None:
    stage_rows(staged, read(reading))
    if not count_of(staged, "judgment_row"):
        if not reading.problems.count:
            reading.refuse(_("The file has no judgments."))
        raise UnreadableFileError
    # as the file names them; an odd name is accepted, one that cannot be stored is not
    for side, name in (("source", reading.source_language), ("target", reading.target_language)):
        if text_error(name) or len(name) > LANGUAGE_LIMIT:
            message = _("Unknown language. Name it with --source-language and --target-language.")
            reading.line().refuse(side, message, name, is_fatal=True)
    take_apart(staged)
    find_contradictions(staged, reading)
    chosen = choose_protocol(staged, reading)
    if chosen is not None:
        protocol = protocol_for(*chosen)
        find_impossible_answers(staged, protocol, reading)
        find_impossible_values(staged, protocol.measures, reading)
    return chosen


@dataclass(frozen=True)
class CampaignOutcome:
    """`created` is False if the very same file was imported under this name before."""

    campaign: Campaign
    created: bool
    report: dict[str, Any]


def import_judgments(
    path: Path,
    *,
    name: str,
    format: str | None = None,
    protocol: str | None = None,
    source_language: str = "",
    target_language: str = "",
    of: FromCampaign = ANY_CAMPAIGN,
    file_name: str = "",
    created_by: Account | None = None,
    on_progress: OnProgress | None = None,
) -> CampaignOutcome:
    """Makes a closed campaign from a file of judgments, whole or not at all; without `format` it is guessed.

    `file_name` is the file's for people, where that on disk is another. Raises ImportFileError with everything that is
    wrong, each with line and column.
    """
    name = name.strip()
    languages = (source_language, target_language)
    _check_names(name, languages)
    is_guessed, format = not format, format or guessed_format(path, file_name or path.name)
    words = (format, protocol or "", *(language or UNDETERMINED for language in languages))
    words = (*words, of.id) if of.id else words
    digest = _digest_of(words, [path] if of.file is None else [path, of.file])
    existing = Campaign.objects.filter(name=name, test_set__status=TestSetStatus.READY).first()
    if existing is not None:
        return _unchanged(existing, digest)
    with staged_judgments() as staged:
        checked = check_file(
            staged, path, format=format, protocol=protocol, languages=languages, of=of, file_name=file_name
        )
        if is_guessed:
            checked.report["notes"].insert(0, _("Read as %(format)s.") % {"format": format})
        discard_unfinished_campaigns(Campaign.objects.filter(name=name, test_set__name=name))
        if TestSet.objects.filter(name=name).exists() or Campaign.objects.filter(name=name).exists():
            message = _(
                "A test set has the name “%(name)s” already. Choose another name for the campaign and its test set."
            )
            raise ImportFileError(message % {"name": name})
        campaign = _begin(name, digest, format, checked, created_by)
        people: list[Account] = []
        try:
            people += load_people(staged)
            load_rows(staged, campaign, on_progress or (lambda _share: None))
            _finish(campaign, checked.report, staged, created_by)
        except BaseException:
            _withdraw(campaign, people)
            raise
    return CampaignOutcome(campaign, created=True, report=checked.report)


def _digest_of(words: Sequence[str], paths: Sequence[Path]) -> str:
    digest = hashlib.sha256("\n".join(words).encode())
    for path in paths:
        add_to_digest(digest, path, path.name)
    return digest.hexdigest()


def _withdraw(campaign: Campaign, people: list[Account]) -> None:
    discard_unfinished_campaigns(Campaign.objects.filter(pk=campaign.pk))
    Account.objects.filter(pk__in=[person.pk for person in people]).delete()


def discard_unfinished_campaigns(campaigns: QuerySet[Campaign]) -> None:
    """Deletes what an interrupted import left, with its test set, which still has the status loading.

    Raises ImportFileError where the import goes on, which PostgreSQL knows by its lock.
    """
    for campaign in campaigns.filter(test_set__status=TestSetStatus.LOADING).select_related("test_set"):
        with _locked(campaign):
            for rows in (
                ProblemReport.objects.filter(item__assignment__campaign=campaign),
                Judgment.objects.filter(item__assignment__campaign=campaign),
                Item.objects.filter(assignment__campaign=campaign),
                Assignment.objects.filter(campaign=campaign),
            ):
                while batch := list(rows.values_list("pk", flat=True)[:BATCH]):
                    rows.filter(pk__in=batch).delete()
            campaign.delete()
            discard_unfinished(campaign.test_set.name)


@contextmanager
def _locked(campaign: Campaign) -> Iterator[None]:
    """On SQLite nothing: a transaction would keep all others from writing, batch after batch."""
    if not connection.features.has_select_for_update:
        yield
        return
    with transaction.atomic():
        try:
            list(Campaign.objects.select_for_update(nowait=True).filter(pk=campaign.pk))
        except OperationalError as error:
            if not isinstance(error.__cause__, LockNotAvailable):
                raise
            message = _("An import of “%(name)s” is under way. Wait for its end, or choose another name.")
            raise ImportFileError(message % {"name": campaign.name}) from error
        yield


def _check_names(name: str, languages: tuple[str, str]) -> None:
    errors = campaign_name_errors(name)
    for side, language in zip(("source", "target"), languages, strict=True):
        error = language_problem(language) if language else None
        if error:
            errors.append(f"{side} language: {error}")
    if errors:
        raise ImportFileError(*errors)


def campaign_name_errors(name: str) -> list[str]:
    too_long = [] if 1 <= len(name) <= 150 else [_("A campaign's name has from 1 to 150 characters.")]
    unreadable = text_error(name)
    return [*too_long, unreadable] if unreadable else too_long


def _unchanged(campaign: Campaign, digest: str) -> CampaignOutcome:
    if campaign.test_set.content_hash != digest or campaign.test_set.name != campaign.name:
        message = _("A campaign has the name “%(name)s” already. Choose another name.")
        raise ImportFileError(message % {"name": campaign.name})
    return CampaignOutcome(campaign, created=False, report=campaign.test_set.report)


def _begin(name: str, digest: str, format: str, checked: Checked, created_by: Account | None) -> Campaign:
    with transaction.atomic():
        test_set = TestSet.objects.create(
            name=name,
            slug=free_slug(TestSet, name, "imported"),
            source_language=checked.languages[0] or UNDETERMINED,
            target_language=checked.languages[1] or UNDETERMINED,
            content_hash=digest,
            format=STORED_AS.get(format, format),
            created_by=created_by,
        )
        return Campaign.objects.create(
            name=name,
            slug=free_slug(Campaign, name, "imported"),
            test_set=test_set,
            protocol=checked.protocol,
            options=checked.options,
            created_by=created_by,
        )


def _finish(campaign: Campaign, report: dict[str, Any], staged: sqlite3.Connection, created_by: Account | None) -> None:
    annotators = staged.execute("SELECT target, is_program FROM annotator ORDER BY id").fetchall()
    judged = [row["name"] for row in staged.execute("SELECT name FROM system WHERE is_judged")]
    with transaction.atomic():
        campaign.systems.set(System.objects.filter(test_set=campaign.test_set, name__in=judged))
        members = [
            Membership(campaign=campaign, account_id=pk, role=Role.ANNOTATOR, is_program=bool(is_program))
            for pk, is_program in annotators
        ]
        if created_by is not None:
            members.append(Membership(campaign=campaign, account=created_by, role=Role.ORGANISER))
        Membership.objects.bulk_create(members, batch_size=BATCH)
        campaign.status, campaign.closed_at = CampaignStatus.CLOSED, timezone.now()
        campaign.save(update_fields=["status", "closed_at"])
        campaign.test_set.status, campaign.test_set.report = TestSetStatus.READY, report
        campaign.test_set.save(update_fields=["status", "report"])
        record(action="judgments_imported", by=created_by, campaign=campaign, judgments=report["judgments"])


def choose_protocol(staged: sqlite3.Connection, reading: Reading) -> tuple[str, dict[str, Any]] | None:
    """Name and options; None, with the reason among the problems, if it cannot be decided."""
    chosen = reading.protocol or _named_in_file(staged, reading)
    if chosen is None:
        return None
    if chosen not in PROTOCOLS:
        message = _("Unknown protocol. Known: %(known)s.") % {"known": ", ".join(PROTOCOLS)}
        reading.line().refuse("protocol", message, chosen)
        return None
    options = _options(staged, PROTOCOLS[chosen]) | reading.options
    _note_foreign_measures(staged, protocol_for(chosen, options), reading.problems)
    return chosen, options


def _named_in_file(staged: sqlite3.Connection, file: SourceFile) -> str | None:
    query = "SELECT protocol, MIN(line) AS line FROM combination GROUP BY protocol ORDER BY MIN(place)"
    first, *others = staged.execute(query).fetchall()
    for row in others:
        message = _("A campaign has one protocol, but line %(line)d names another.") % {"line": first["line"]}
        file.line(row["line"]).refuse("protocol", message, row["protocol"])
    if others:
        return None
    if not first["protocol"]:
        message = _("This cell is empty. Name the protocol here or with --protocol.")
        file.line(first["line"]).refuse("protocol", message)
    return first["protocol"] or None


def _options(staged: sqlite3.Connection, protocol: type[Protocol[Any]]) -> dict[str, Any]:
    """If documents were judged as a whole, the protocol's option for that is set, if it has one."""
    has_documents = staged.execute("SELECT 1 FROM combination WHERE is_document LIMIT 1").fetchone() is not None
    can_ask = any(option.name == "document_scores" for option in fields(protocol.options_class))
    return {"document_scores": True} if has_documents and can_ask else {}


def _note_foreign_measures(staged: sqlite3.Connection, protocol: Protocol[Any], problems: Problems) -> None:
    own = {measure.name for measure in protocol.measures}
    for (measure,) in staged.execute("SELECT DISTINCT measure FROM combination WHERE measure <> '' ORDER BY measure"):
        if measure not in own:
            message = _("“%(measure)s” is not a measure of %(protocol)s. Its values are stored, or computed again.")
            problems.note(message % {"measure": measure, "protocol": protocol.name})
