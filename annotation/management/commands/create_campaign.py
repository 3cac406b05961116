"""`create_campaign NAME --test-set N --protocol P`: a campaign with its plan, ready for people."""

import json
import secrets
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.actions import create_campaign
from annotation.actions.proposal import Wish, check_wish
from annotation.protocols import PROTOCOLS
from annotation.queries.progress import progress_of
from campaigns.invalid_input import InvalidInput
from campaigns.management.working_command import WorkingCommand
from campaigns.models import Account, Campaign, Planning, TestSet, TestSetStatus, Withdrawal

# what an error's field is called on the command line
WORDS = {
    "name": "NAME",
    "test_set": "--test-set",
    "protocol": "--protocol",
    "redundancy": "--redundancy",
    "items_per_assignment": "--items-per-assignment",
    "reservation_minutes": "--reservation-minutes",
    "systems_per_segment": "--systems-per-segment",
    "repeats_share": "--repeats",
    "degraded_share": "--degraded",
    "on_withdrawal": "--on-withdrawal",
    "seed": "--seed",
    "organiser": "--organiser",
}


class Command(WorkingCommand):
    help = "Makes a campaign of a test set: who judges what is planned at once. Invite people to it with `invite`."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("--test-set", required=True, metavar="N", help="name or slug")
        parser.add_argument("--protocol", required=True, metavar="P", help=f"one of {', '.join(PROTOCOLS)}")
        parser.add_argument(
            "--option",
            action="append",
            default=[],
            metavar="KEY=VALUE",
            help="of the protocol, such as judge_against=reference; true, false, numbers and lists as in JSON; "
            "@FILE stands for what is in it",
        )
        parser.add_argument("--redundancy", type=int, default=1, metavar="K", help="judgments of each output")
        parser.add_argument(
            "--planning",
            choices=Planning.values,
            default=Planning.STATIC,
            help="static: an assignment stays with its annotator; pool: it is reserved for a time (default: static)",
        )
        parser.add_argument("--items-per-assignment", type=int, metavar="K", help="default: 100, of a pool 20")
        parser.add_argument(
            "--reservation-minutes", type=int, default=60, metavar="M", help="a pool waits so long for a judgment"
        )
        parser.add_argument("--systems-per-segment", type=int, metavar="K", help="default: all")
        parser.add_argument("--repeats", type=float, default=0.0, metavar="SHARE", help="asked twice, from 0 to 1")
        parser.add_argument("--degraded", type=float, default=0.0, metavar="SHARE", help="damaged, from 0 to 1")
        parser.add_argument(
            "--on-withdrawal",
            choices=Withdrawal.values,
            default=Withdrawal.PSEUDONYMISED,
            help="what becomes of the answers of somebody who withdraws consent: kept under a number, or erased "
            "(default: pseudonymised)",
        )
        parser.add_argument("--seed", type=int, metavar="S", help="the same seed gives the same plan; default: random")
        parser.add_argument(
            "--organiser",
            metavar="USERNAME",
            help="whose campaign it is on the pages; default: the one account that may create campaigns, if it is one",
        )
        parser.add_argument("--open", action="store_true", help="open it for judging at once")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, **options: Any) -> None:
        errors: dict[str, list[str]] = {}
        test_set = _test_set_called(options["test_set"], errors)
        organiser = _organiser_called(options["organiser"], errors)
        chosen = _options_of(options["option"], errors)
        asked: dict[str, Any] = {
            "name": options["name"],
            # a stand-in that cannot be planned, so that all else is checked, too
            "test_set": test_set or TestSet(name=options["test_set"], status=TestSetStatus.LOADING),
            "protocol": options["protocol"],
            "options": chosen,
            "redundancy": options["redundancy"],
            "planning": options["planning"],
            "items_per_assignment": options["items_per_assignment"],
            "reservation_minutes": options["reservation_minutes"],
            "systems_per_segment": options["systems_per_segment"],
            "repeats_share": options["repeats"],
            "degraded_share": options["degraded"],
            "on_withdrawal": options["on_withdrawal"],
            "seed": secrets.randbits(32) if options["seed"] is None else options["seed"],
        }
        try:
            if errors:
                check_wish(Wish(**asked, systems=None, guidelines="", consent=""))
                raise InvalidInput({})
            campaign = create_campaign(**asked, created_by=organiser, open=options["open"])
        except InvalidInput as error:
            raise CommandError(_in_lines({**error.errors, **errors})) from error
        self._print(campaign, as_json=options["json"])

    def _print(self, campaign: Campaign, *, as_json: bool) -> None:
        progress = progress_of(campaign)
        about = {
            "campaign": campaign.slug,
            "name": campaign.name,
            "status": campaign.status,
            "systems": campaign.systems.count(),
            "assignments": progress.assignments,
            "judgments": progress.total,
            "seed": campaign.seed,
        }
        if as_json:
            self.stdout.write(json.dumps(about, ensure_ascii=False))
            return
        self.stdout.write(
            _("“%(name)s” (%(campaign)s): %(judgments)d judgments in %(assignments)d assignments, seed %(seed)d.")
            % about
        )


def _test_set_called(name: str, errors: dict[str, list[str]]) -> TestSet | None:
    found = TestSet.objects.filter(name=name).first() or TestSet.objects.filter(slug=name).first()
    if found is None:
        known = ", ".join(TestSet.objects.order_by("name").values_list("name", flat=True)[:20]) or _("none yet")
        message = _("There is no test set “%(name)s”. Known: %(known)s.")
        errors["test_set"] = [message % {"name": name, "known": known}]
    return found


def _organiser_called(username: str | None, errors: dict[str, list[str]]) -> Account | None:
    if username is None:
        able = Account.objects.filter(may_create_campaigns=True, is_active=True)[:2]
        return able[0] if len(able) == 1 else None
    found = Account.objects.filter(username=username).first()
    if found is None:
        message = _("There is no account “%(name)s”. Make one with create_account --organiser.")
        errors["organiser"] = [message % {"name": username}]
    return found


def _options_of(pairs: Sequence[str], errors: dict[str, list[str]]) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            message = _("Write %(pair)s as KEY=VALUE.")
            errors.setdefault("option", []).append(message % {"pair": repr(pair)})
            continue
        if value.startswith("@"):
            try:
                value = Path(value[1:]).read_text(encoding="utf-8-sig")
            except (OSError, ValueError) as error:
                message = _("%(file)s cannot be read: %(reason)s")
                errors.setdefault(f"options.{name}", []).append(message % {"file": value[1:], "reason": error})
                continue
        try:
            chosen[name] = json.loads(value)
        except ValueError:
            chosen[name] = value
    return chosen


def _in_lines(errors: Mapping[str, Sequence[str]]) -> str:
    lines = [f"  {_word(name)}: {message}" for name, messages in errors.items() for message in messages]
    return "\n".join([_("No campaign was made."), *lines])


def _word(name: str) -> str:
    if name.startswith("options.") or name == "option":
        return f"--option {name.removeprefix('options.')}".removesuffix(" option")
    return WORDS.get(name, name)
