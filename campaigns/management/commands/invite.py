"""Invites annotators and writes their links, for sending them by whatever means."""

import argparse
import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from campaigns.actions.enrolment import Admission, PeopleError, invite_people, nameless
from campaigns.management.working_command import WorkingCommand, private_file
from campaigns.new_people import Person
from campaigns.reading.people_list import list_in_file, read_people
from campaigns.reading.problems import Problem, Problems

Row = dict[str, str]


class SupportsWrite(Protocol):
    def write(self, text: str, /) -> object: ...


class Command(WorkingCommand):
    help = "Invites annotators to a campaign: new accounts, each with a link that signs its holder in."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="name or slug")
        who = parser.add_mutually_exclusive_group(required=True)
        who.add_argument("--annotators", type=_positive, metavar="K", help="how many, without names")
        who.add_argument("--people", metavar="FILE", help="a list of people: CSV, TSV, names alone, or XLSX")
        parser.add_argument("--output", required=True, metavar="PATH", help="CSV of annotators and links; - for stdout")
        parser.add_argument(
            "--api-tokens", action="store_true", help="a token for each: programs, for which the organiser consents"
        )
        parser.add_argument("--json", action="store_true", help="print the rows as JSON")

    def handle(self, *, campaign: str, output: str, api_tokens: bool, **options: Any) -> None:
        chosen = self.campaign(campaign)
        people = _listed(Path(options["people"])) if options["people"] else nameless(options["annotators"])
        with transaction.atomic():
            try:
                admitted = invite_people(campaign=chosen, people=people, are_programs=api_tokens, by=None)
            except PeopleError as error:
                raise _refused(error.problems) from error
            rows = [_row(each) for each in admitted]
            if output != "-":
                _write_file(rows, Path(output))
        if options["json"]:
            self.stdout.write(json.dumps(rows, indent=2))
        elif output == "-":
            _write_csv(rows, self.stdout)
        self.stderr.write(f"{chosen.name}: {len(rows)} invited, {rows[0]['annotator']} to {rows[-1]['annotator']}.")
        if output != "-":
            self.stderr.write(f"{output} signs in whoever has it. Hand the links out, then delete it.")


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of people; write 1 or more")
    return int(text)


def _listed(path: Path) -> list[Person]:
    problems = Problems()
    try:
        text = list_in_file(path, problems)
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}. Nobody was invited.") from error
    people, unreadable = read_people(text)
    if found := problems.listed or unreadable:
        raise _refused(found)
    if not people:
        raise CommandError(f"{path} lists nobody. Write one person a line: a name, perhaps an e-mail address.")
    return people


def _refused(problems: Sequence[Problem]) -> CommandError:
    return CommandError("\n".join([*map(str, problems), "Nobody was invited."]))


def _write_file(rows: Sequence[Row], path: Path) -> None:
    """An unwritable place invites nobody, since the transaction is still open."""
    with private_file(path, "Nobody was invited.") as stream:
        _write_csv(rows, stream)


def _row(admitted: Admission) -> Row:
    row = {"annotator": admitted.account.username, "link": admitted.link}
    return row | {"token": admitted.token} if admitted.token else row


def _write_csv(rows: Sequence[Row], stream: SupportsWrite) -> None:
    """No cell can be taken for a formula: slugs, links and tokens all begin with a letter or a digit."""
    writer = csv.DictWriter(stream, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
