"""A campaign made from an archive: whole or not at all, visible only when its last row is stored."""

import sqlite3
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import DatabaseError, transaction
from django.db.models import DateTimeField, Model, UUIDField
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from annotation.actions.summaries import recount
from annotation.models import Judgment
from campaigns.actions.audit import record
from campaigns.actions.test_sets import discard_unfinished, free_slug
from campaigns.bulk_rows import insert_bulk
from campaigns.models import Account, Campaign, Membership, Role, System, TestSet, TestSetStatus
from campaigns.reading.problems import Problems
from exchange.answers import unfit_answers
from exchange.archive.checking import check_rows
from exchange.archive.media import store_media_files
from exchange.archive.reading import open_archive
from exchange.archive.tables import ANNOTATORS, TABLES, Table, keys_of, table_of
from exchange.judgment_files import campaign_name_errors, discard_unfinished_campaigns
from exchange.judgment_formats import FORMATS
from exchange.reading import ImportFileError
from exchange.staging.database import BATCH, bodies, count_of, keep_targets, make_tables, scratch_database, targets_of
from exchange.upload_folders import path_here
from jobs.models import Run, RunPart
from jobs.run_kinds import InvalidRun, RunFailed, RunKind
from metrics.pseudonyms import People

OnProgress = Callable[[float], None]
Row = dict[str, Any]
_CHECKED = 0.3  # share of the time


def import_archive(
    path: Path, *, name: str, created_by: Account | None = None, on_progress: OnProgress | None = None
) -> Campaign:
    """Creates campaign, test set, annotators and results anew. Annotators get their own accounts that cannot sign in.

    Raises ImportFileError with everything that is wrong, each with file, line and field.
    """
    name, report_progress = name.strip(), on_progress or (lambda _share: None)
    if errors := campaign_name_errors(name):
        raise ImportFileError(*errors)
    if Campaign.objects.filter(name=name, test_set__status=TestSetStatus.READY).exists():
        raise ImportFileError(_("A campaign has the name “%(name)s” already. Choose another name.") % {"name": name})
    problems = Problems()
    with scratch_database() as staged, open_archive(path, problems) as archive:
        if archive is not None:
            make_tables(staged, (ANNOTATORS, *(table.name for table in TABLES)))
            check_rows(archive, staged, problems)
            store_media_files(archive, staged, problems)
        if problems.count or archive is None:
            raise ImportFileError(problems=problems)
        report_progress(_CHECKED)
        return _Rebuilding(staged, name, created_by, report_progress).campaign()


def perform_rebuilding(run: Run, on_progress: OnProgress) -> dict[str, Any]:
    """The run that rebuilds a campaign from an uploaded archive."""
    path = path_here(run.arguments["files"][0]["path"])
    if not path.is_file():
        raise RunFailed(_("The file is no longer here. Upload it again."))
    try:
        name = run.arguments["name"]
        campaign = import_archive(path, name=name, created_by=run.created_by, on_progress=on_progress)
    except ImportFileError as error:
        raise RunFailed(str(error)) from error
    return {"campaign": campaign.slug}


def _check_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    if not arguments.get("files") or not arguments.get("name"):
        raise InvalidRun("Give an archive and the name of the new campaign.")
    return dict(arguments)


REBUILDING = RunKind(_check_arguments, perform_rebuilding)


class _Rebuilding:
    def __init__(
        self, staged: sqlite3.Connection, name: str, created_by: Account | None, report_progress: OnProgress
    ) -> None:
        self.staged, self.name, self.created_by, self.report_progress = staged, name, created_by, report_progress
        self.space = uuid.uuid5(uuid.NAMESPACE_URL, f"assay:{name}")
        self.total = sum(count_of(staged, table.name) for table in TABLES) or 1
        self.stored = 0
        self.people: list[int] = []
        self.renamed: dict[str, str] = {}
        self.keeps: dict[str, bool] = {}

    def campaign(self) -> Campaign:
        _discard(self.name, self.space)
        try:
            self._load_people()
            for table in TABLES:
                self._load(table)
            self._check_answers()
            return self._finish()
        except BaseException as error:
            _discard(self.name, self.space)
            Account.objects.filter(pk__in=self.people).delete()
            if isinstance(error, DatabaseError):
                raise ImportFileError(_("The rows contradict one another: %(why)s") % {"why": error}) from error
            raise

    def _load_people(self) -> None:
        """Always new accounts: a name in a file does not prove that it means somebody here."""
        password = make_password(None)
        for rows in bodies(self.staged, ANNOTATORS):
            named = [row["name"] for _key, row in rows]
            free = _free_names(named)
            self.renamed.update((old, new) for old, new in zip(named, free, strict=True) if old != new)
            made = Account.objects.bulk_create([Account(username=name, password=password) for name in free])
            self.people += [account.pk for account in made]
            pairs = [(account.pk, key) for account, (key, _row) in zip(made, rows, strict=True)]
            keep_targets(self.staged, ANNOTATORS, pairs)

    def _load(self, table: Table) -> None:
        """In the order of the archive; references within one file are set when all its rows are stored."""
        own = next((field.name for field in keys_of(table) if field.related_model is table.model), None)
        for batch in bodies(self.staged, table.name):
            rows = [row | {own: None} if own else row for _key, row in batch]
            self._translate(table, rows)
            made = self._insert(table, rows)
            keep_targets(self.staged, table.name, zip(made, (key for key, _row in batch), strict=True))
            self.stored += len(batch)
            self.report_progress(_CHECKED + (1 - _CHECKED) * self.stored / self.total)
        if own:
            self._join(table, own)

    def _join(self, table: Table, own: str) -> None:
        for batch in bodies(self.staged, table.name, f"json_extract(body, '$.{own}') IS NOT NULL"):
            leads = {key: row[own] for key, row in batch}
            real = targets_of(self.staged, table.name, [*leads, *leads.values()])
            changed = [table.model(pk=real[key], **{f"{own}_id": real[other]}) for key, other in leads.items()]
            table.model._default_manager.bulk_update(changed, [own], batch_size=BATCH // 3)  # noqa: SLF001 - documented

    def _insert(self, table: Table, rows: list[Row]) -> list[int]:
        replaced = self._replaced.get(table.model, {})
        names = [*(field.name for field in table.fields if field.name not in replaced), *replaced]
        rows = [{**row, **replaced} for row in rows]
        if table.model is TestSet:
            for place, row in enumerate(rows[1:], start=2):  # the texts of imported attention checks
                row["name"] = row["slug"] = f"{self.space}-{place}"
        return insert_bulk(table.model, names, [[row[name] for name in names] for row in rows])

    @property
    def _replaced(self) -> dict[type[Model], Row]:
        """Fields that differ from the archive. The test set is hidden, under an unused name, until all is stored."""
        maker = self.created_by.pk if self.created_by else None
        hidden = str(self.space)
        slug = free_slug(Campaign, self.name, "archive")
        return {
            TestSet: {"name": hidden, "slug": hidden, "status": TestSetStatus.LOADING.value, "created_by": maker},
            Campaign: {"name": self.name, "slug": slug, "created_by": maker},
            Membership: {"role": Role.ANNOTATOR.value},
        }

    def _translate(self, table: Table, rows: list[Row]) -> None:
        """From the archive's numbers, times and names to those of the tables; in place."""
        for field in table.fields:
            if isinstance(field, DateTimeField):
                _change(rows, field.name, parse_datetime)
            elif isinstance(field, UUIDField):
                _change(rows, field.name, self._identify(table))
        if table.model in (Run, RunPart) and self.renamed:
            people = People({}, {}, self.renamed)
            _change(rows, "result", people.in_json)
            if table.model is Run:
                _change(rows, "arguments", people.in_json)
                _change(rows, "signature", people.in_text)
        for key in keys_of(table):
            source = ANNOTATORS if key.related_model is Account else table_of(key.related_model).name
            keys = (row[key.name] for row in rows if row[key.name] is not None)
            _change(rows, key.name, targets_of(self.staged, source, keys).__getitem__)

    def _identify(self, table: Table) -> Callable[[str], uuid.UUID]:
        """Identifiers stay the same, unless the original rows are still here."""
        if table.name not in self.keeps:
            known = (
                table.model._default_manager.filter(client_id__in=[row["client_id"] for _key, row in several])  # noqa: SLF001
                for several in bodies(self.staged, table.name, size=BATCH)
            )
            self.keeps[table.name] = not any(rows.exists() for rows in known)
        if self.keeps[table.name]:
            return uuid.UUID
        return lambda text: uuid.uuid5(self.space, text)

    def _check_answers(self) -> None:
        """By the protocol, with the texts that were shown; these are stored only now."""
        campaign, problems = Campaign.objects.select_related("test_set").get(name=self.name), Problems()
        table = table_of(Judgment)
        self.staged.execute(f"CREATE INDEX by_target ON {table.name} (target)")
        is_of_a_file = campaign.test_set.format in FORMATS
        for unfit in unfit_answers(campaign, by_shape_alone=is_of_a_file):
            query = f"SELECT line FROM {table.name} WHERE target = ?"  # noqa: S608 - our own name
            line = self.staged.execute(query, [unfit.judgment]).fetchone()["line"]
            field = f"answer.{unfit.field}" if unfit.field else "answer"
            problems.add(table.path, line, field, unfit.message)
        if problems.count:
            raise ImportFileError(problems=problems)

    def _finish(self) -> Campaign:
        of_campaign, of_test_set = (
            next(bodies(self.staged, table_of(model).name))[0][1] for model in (Campaign, TestSet)
        )
        campaign = Campaign.objects.select_related("test_set").get(name=self.name)
        systems = targets_of(self.staged, table_of(System).name, of_campaign["systems"])
        named = [of_test_set["name"], *(row["name"] for _key, row in self._further_test_sets())]
        test_sets = [campaign.test_set, *TestSet.objects.filter(name__startswith=f"{self.space}-").order_by("pk")]
        with transaction.atomic():
            campaign.systems.set(System.objects.filter(pk__in=systems.values()))
            recount(campaign.pk)
            if self.created_by is not None:
                Membership.objects.create(campaign=campaign, account=self.created_by, role=Role.ORGANISER)
            for test_set, name in zip(test_sets, named, strict=True):
                test_set.name = _free_test_set_name(name, self.name)
                test_set.slug, test_set.status = free_slug(TestSet, test_set.name, "archive"), TestSetStatus.READY
                test_set.save(update_fields=["name", "slug", "status"])
            judgments = count_of(self.staged, table_of(Judgment).name)
            record(action="archive_imported", by=self.created_by, campaign=campaign, judgments=judgments)
        return campaign

    def _further_test_sets(self) -> list[tuple[int, Row]]:
        return [each for batch in bodies(self.staged, table_of(TestSet).name) for each in batch][1:]


def _change(rows: Iterable[Row], name: str, change: Callable[[Any], Any]) -> None:
    for row in rows:
        if row[name] is not None:
            row[name] = change(row[name])


def _discard(name: str, space: uuid.UUID) -> None:
    """Deletes what an interrupted import left: perhaps a test set without a campaign."""
    discard_unfinished_campaigns(Campaign.objects.filter(name=name, test_set__name=str(space)))
    for hidden in TestSet.objects.filter(name__startswith=str(space)).values_list("name", flat=True):
        discard_unfinished(hidden)


def _free_names(wanted: Sequence[str]) -> list[str]:
    """The names as they are, with a number added to those that are taken."""
    free: dict[int, str] = {}
    number = 1
    while len(free) < len(wanted):
        requested = {
            place: name if number == 1 else f"{name[:140]}-{number}"
            for place, name in enumerate(wanted)
            if place not in free
        }
        taken = set(Account.objects.filter(username__in=requested.values()).values_list("username", flat=True))
        taken |= {*free.values(), *(wanted if number > 1 else ())}
        for place, name in requested.items():
            if name not in taken:
                free[place] = name
                taken.add(name)
        number += 1
    return [free[place] for place in range(len(wanted))]


def _free_test_set_name(wanted: str, campaign: str) -> str:
    taken = set(TestSet.objects.filter(name__startswith=wanted[:100]).values_list("name", flat=True))
    taken |= set(TestSet.objects.filter(name=campaign).values_list("name", flat=True))
    numbered = (f"{wanted[:140]} ({number})" for number in count(2))
    return next(name for name in chain([wanted, campaign], numbered) if name not in taken)
