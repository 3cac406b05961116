"""Judgments from files: any format → neutral records → staged and checked whole → rows, in short batches.

What is being loaded belongs to a test set in status `loading`, which is shown to nobody; the last step shows it.
"""

import hashlib
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from annotation.importing.checking import Checked, check_file
from annotation.importing.load_items import load_items, load_people
from annotation.importing.load_judgments import load_judgments
from annotation.importing.load_texts import load_texts
from annotation.importing.staging import BATCH, staging
from annotation.models import Assignment, Item, Judgment
from campaigns.actions import record
from campaigns.importing import ImportFileError
from campaigns.importing.decoding import fault_in
from campaigns.languages import language_problem
from campaigns.models import Account, Campaign, CampaignStatus, Membership, Role, System, TestSet, TestSetStatus

OnProgress = Callable[[float], None]

UNDETERMINED = "und"  # BCP 47's own word for a language nobody named


@dataclass(frozen=True)
class JudgmentsOutcome:
    """`created` is False when the very same file was imported under this name before."""

    campaign: Campaign
    created: bool
    report: dict[str, Any]


def import_judgments(
    path: Path,
    *,
    format: str,
    name: str,
    protocol: str | None = None,
    source_language: str = "",
    target_language: str = "",
    created_by: Account | None = None,
    on_progress: OnProgress | None = None,
) -> JudgmentsOutcome:
    """Makes a closed campaign of a file of judgments, whole or not at all.

    Raises ImportFileError with everything that is wrong, each with line and column.
    """
    name = name.strip()
    languages = (source_language, target_language)
    _check_words(name, languages)
    digest = _content_hash(path, format, protocol or "", *(language or UNDETERMINED for language in languages))
    existing = Campaign.objects.filter(name=name, test_set__status=TestSetStatus.READY).first()
    if existing is not None:
        return _unchanged(existing, digest)
    with staging() as staged:
        checked = check_file(staged, path, format=format, protocol=protocol, languages=languages)
        discard_unfinished(name)
        _refuse_taken(name)
        campaign = _begin(name, digest, format, checked, created_by)
        people: list[Account] = []
        try:
            load_texts(staged, campaign.test_set)
            people += load_people(staged)
            load_items(staged, campaign)
            load_judgments(staged, name, on_progress or (lambda _share: None))
            _finish(campaign, checked.report, staged, created_by)
        except BaseException:
            _withdraw(name, people)
            raise
    return JudgmentsOutcome(campaign, created=True, report=checked.report)


def _withdraw(name: str, people: list[Account]) -> None:
    discard_unfinished(name)
    Account.objects.filter(pk__in=[person.pk for person in people]).delete()


def discard_unfinished(name: str) -> None:
    """What an import that broke off left behind."""
    for campaign in Campaign.objects.filter(name=name, test_set__name=name, test_set__status=TestSetStatus.LOADING):
        for rows in (
            Judgment.objects.filter(item__assignment__campaign=campaign),
            Item.objects.filter(assignment__campaign=campaign),
            Assignment.objects.filter(campaign=campaign),
        ):
            while batch := list(rows.values_list("pk", flat=True)[:BATCH]):
                rows.filter(pk__in=batch).delete()
        test_set = campaign.test_set
        campaign.delete()
        test_set.delete()


def _check_words(name: str, languages: tuple[str, str]) -> None:
    faults = []
    if not name or len(name) > 150:
        faults.append(_("A campaign's name has from 1 to 150 characters."))
    if fault := fault_in(name):
        faults.append(fault)
    for side, language in zip(("source", "target"), languages, strict=True):
        fault = language_problem(language) if language else None
        if fault:
            faults.append(f"{side} language: {fault}")
    if faults:
        raise ImportFileError("\n".join(faults))


def _content_hash(path: Path, *words: str) -> str:
    digest = hashlib.sha256("\n".join(words).encode())
    try:
        with path.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    except OSError as error:
        raise ImportFileError(f"{path.name}: the file cannot be read: {error.strerror}.") from error
    return digest.hexdigest()


def _unchanged(campaign: Campaign, digest: str) -> JudgmentsOutcome:
    if campaign.test_set.content_hash != digest or campaign.test_set.name != campaign.name:
        raise ImportFileError(
            _("There is a campaign “%(name)s” already. Choose another name.") % {"name": campaign.name}
        )
    return JudgmentsOutcome(campaign, created=False, report=campaign.test_set.report)


def _refuse_taken(name: str) -> None:
    if TestSet.objects.filter(name=name).exists() or Campaign.objects.filter(name=name).exists():
        raise ImportFileError(
            _("A test set is named “%(name)s” already, as the new one would be. Choose another.") % {"name": name}
        )


def _begin(name: str, digest: str, format: str, checked: Checked, created_by: Account | None) -> Campaign:
    with transaction.atomic():
        test_set = TestSet.objects.create(
            name=name,
            slug=_free_slug(TestSet.objects.all(), name),
            source_language=checked.languages[0] or UNDETERMINED,
            target_language=checked.languages[1] or UNDETERMINED,
            content_hash=digest,
            format=format,
            created_by=created_by,
        )
        return Campaign.objects.create(
            name=name,
            slug=_free_slug(Campaign.objects.all(), name),
            test_set=test_set,
            protocol=checked.protocol,
            options=checked.options,
            created_by=created_by,
        )


def _free_slug(taken: QuerySet[Any], name: str) -> str:
    stem = slugify(name)[:150] or "imported"
    slugs = set(taken.filter(slug__startswith=stem).values_list("slug", flat=True))
    number = 1
    while (slug := stem if number == 1 else f"{stem}-{number}") in slugs:
        number += 1
    return slug


def _finish(campaign: Campaign, report: dict[str, Any], staged: sqlite3.Connection, created_by: Account | None) -> None:
    annotators = staged.execute("SELECT target, is_program FROM annotator ORDER BY id").fetchall()
    judged = [row["target"] for row in staged.execute("SELECT target FROM system WHERE is_judged ORDER BY id")]
    with transaction.atomic():
        campaign.systems.set(System.objects.filter(pk__in=judged))
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
