"""`copy_campaign CAMPAIGN --pairs table.csv`: copies for several language pairs at once, with people's links."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db.models import Q
from django.utils.translation import gettext as _

from campaigns.actions.enrolment import Access, PeopleError, admit_waiting, with_hashes
from campaigns.invalid_input import InvalidInput
from campaigns.management.working_command import WorkingCommand, private_file
from campaigns.models import Account, Campaign, TestSet, TestSetStatus
from campaigns.new_people import Person
from campaigns.reading.people_list import list_in_file, read_people
from campaigns.reading.problems import Problems, UnreadableFileError
from campaigns.reading.table_rows import table_rows
from exchange.campaign_copies import CopyErrors, CopyPlan, CopyRow, check_copies, copy_campaign
from exchange.tables.csv_and_json import csv_text

COLUMNS = ("source_language", "target_language", "name", "test_set", "file", "annotators", "people")


@dataclass
class Table:
    """The rows of `--pairs`, and what is wrong with their cells."""

    rows: list[CopyRow]
    errors: CopyErrors


class Command(WorkingCommand):
    help = (
        f"Copies a campaign to several language pairs, all or none. The table has the columns {', '.join(COLUMNS)}: "
        "a stored test set or a file with one, a number of annotators or a file that lists people. Files are named "
        "from the folder of the table."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", metavar="CAMPAIGN", help="name or slug")
        parser.add_argument(
            "--pairs", required=True, type=Path, metavar="TABLE", help="CSV or TSV, a line for each copy"
        )
        parser.add_argument("--project", metavar="NAME", help="default: that of the campaign, or else its name")
        parser.add_argument("--practice", action="store_true", help="copy practice items to other languages, too")
        parser.add_argument("--open", action="store_true", help="open the copies for judging at once")
        parser.add_argument("--organiser", metavar="USERNAME", help="default: who created the campaign")
        parser.add_argument("--output", metavar="PATH", help="CSV of annotators and links; - for stdout")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *, campaign: str, pairs: Path, project: str | None, output: str | None, **options: Any) -> None:
        source = self.campaign(campaign)
        by = _organiser(options["organiser"]) if options["organiser"] else source.created_by
        label = project if project is not None else source.project or source.name[:60]
        plan = CopyPlan(project=label, practice=options["practice"], open=options["open"])
        table = _table(pairs)
        if output and output != "-":
            with private_file(Path(output), _("No campaign was created.")) as stream:  # before anything is made
                made = _copied(source, table, plan, by)
                stream.write(_links(made, by))
        else:
            made = _copied(source, table, plan, by)
            if output:
                self.stdout.write(_links(made, by), ending="")
        about = [{"campaign": each.slug, "name": each.name, "test_set": each.test_set.slug} for each in made]
        lines = "\n".join(f"{each['campaign']}: {each['name']}" for each in about)
        self.stdout.write(json.dumps({"campaigns": about}, ensure_ascii=False) if options["json"] else lines)


def _organiser(username: str) -> Account:
    account = Account.objects.filter(username=username).first()
    if account is None:
        message = _("There is no account “%(name)s”. Create one with create_account --organiser.")
        raise CommandError(message % {"name": username})
    return account


def _table(path: Path) -> Table:
    problems = Problems()
    lines: list[tuple[int, list[str]]] = []
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            head = stream.readline()
            stream.seek(0)
            lines = list(table_rows(stream, path.name, problems, is_tabbed="\t" in head))
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not UTF-8. Save it as UTF-8.") from error
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
    except UnreadableFileError:
        pass  # the reason is among the problems
    titles = [title.strip().lower() for title in lines[0][1]] if lines else []
    if unknown := [title for title in titles if title not in COLUMNS] or ([] if titles else [""]):
        problems.add(path.name, 1, unknown[0], f"Unknown column. Allowed: {', '.join(COLUMNS)}.")
    if problems.count:
        raise CommandError("\n".join(problems.sentences()))
    table = Table([], CopyErrors())
    for place, (_line, cells) in enumerate(lines[1:]):
        table.rows.append(
            _row(dict(zip(titles, map(str.strip, cells), strict=False)), place, path.parent, table.errors)
        )
    return table


def _row(cells: Mapping[str, str], place: int, folder: Path, errors: CopyErrors) -> CopyRow:
    number = cells.get("annotators", "")
    if number and not number.isdecimal():
        errors.add(place, "annotators", f"{number!r} is not a number of annotators.")
    test_set, name = None, cells.get("test_set", "")
    if name:
        test_set = TestSet.objects.filter(Q(name=name) | Q(slug=name), status=TestSetStatus.READY).first()
        if test_set is None:
            errors.add(place, "test_set", _("There is no test set “%(name)s”.") % {"name": name})
    people = list(_people(folder / cells["people"], place, errors)) if cells.get("people") else []
    return CopyRow(
        name=cells.get("name", ""),
        source_language=cells.get("source_language", ""),
        target_language=cells.get("target_language", ""),
        test_set=test_set,
        files=_files(folder / cells["file"], place, errors) if cells.get("file") else (),
        annotators=int(number) if number.isdecimal() and not people else 0,
        people=people,
    )


def _files(path: Path, place: int, errors: CopyErrors) -> Sequence[dict[str, Any]]:
    if not path.is_file():
        errors.add(place, "test_set", f"There is no file {path}.")
        return ()
    return [{"name": path.name, "path": str(path), "size": path.stat().st_size}]


def _people(path: Path, place: int, errors: CopyErrors) -> Iterator[Person]:
    problems = Problems()
    try:
        listed, unreadable = read_people(list_in_file(path, problems))
        for each in [*problems.listed, *unreadable]:
            errors.add(place, "people", str(each))
        yield from with_hashes(listed, None)
    except OSError as error:
        errors.add(place, "people", f"{path} cannot be read: {error.strerror}.")
    except PeopleError as error:
        for each in error.problems:
            errors.add(place, "people", str(each))


def _copied(source: Campaign, table: Table, plan: CopyPlan, by: Account | None) -> list[Campaign]:
    try:
        if table.errors.by_row:
            table.errors.take(check_copies(source, table.rows, plan.project))
            raise table.errors
        return copy_campaign(source=source, rows=table.rows, plan=plan, by=by)
    except (CopyErrors, InvalidInput, OSError) as error:
        raise CommandError(_("No campaign was created.") + f"\n{error}") from error


def _links(campaigns: Sequence[Campaign], by: Account | None) -> str:
    rows = [
        (each.slug, one.account.username, one.account.name, one.link)
        for each in campaigns
        for one in admit_waiting(campaign=each, access=Access.LINK, by=by)
    ]
    return csv_text(("campaign", "annotator", "name", "link"), rows)
