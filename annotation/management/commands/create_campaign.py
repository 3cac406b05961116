"""`create_campaign NAME --test-set N --protocol P`: a campaign with its plan, ready for people."""

import json
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from annotation.actions.checked_spec import errors_of
from annotation.actions.creating import create_campaign
from annotation.campaign_spec import PARAMETERS, CampaignSpec, Parameter, parameters_in
from annotation.protocols import PROTOCOLS
from annotation.queries.progress import progress_of
from campaigns.invalid_input import InvalidInput
from campaigns.management.working_command import WorkingCommand
from campaigns.models import Account, Campaign, TestSet

# what an error's field is called on the command line
WORDS = {"name": "NAME", "test_set": "--test-set", "protocol": "--protocol", "organiser": "--organiser"}


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
        for parameter in parameters_in("command"):
            about = {"dest": parameter.name, "default": parameter.default, "help": parameter.help}
            parser.add_argument(_flag(parameter), **about, **_kind_of(parameter))
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
        spec = CampaignSpec.from_json({**options, "options": _options_of(options["option"], errors)})
        try:
            if errors or test_set is None:
                raise InvalidInput(errors_of(spec, test_set))
            campaign = create_campaign(spec=spec, test_set=test_set, created_by=organiser, open=options["open"])
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
            _("“%(name)s” (%(campaign)s). Judgments: %(judgments)d, assignments: %(assignments)d, seed: %(seed)d.")
            % about
        )


def _test_set_called(name: str, errors: dict[str, list[str]]) -> TestSet | None:
    test_set = TestSet.objects.filter(name=name).first() or TestSet.objects.filter(slug=name).first()
    if test_set is None:
        known = ", ".join(TestSet.objects.order_by("name").values_list("name", flat=True)[:20]) or _("none yet")
        message = _("There is no test set “%(name)s”. Known: %(known)s.")
        errors["test_set"] = [message % {"name": name, "known": known}]
    return test_set


def _organiser_called(username: str | None, errors: dict[str, list[str]]) -> Account | None:
    if username is None:
        able = Account.objects.filter(may_create_campaigns=True, is_active=True)[:2]
        return able[0] if len(able) == 1 else None
    account = Account.objects.filter(username=username).first()
    if account is None:
        message = _("There is no account “%(name)s”. Create one with create_account --organiser.")
        errors["organiser"] = [message % {"name": username}]
    return account


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
    return "\n".join([_("No campaign was created."), *lines])


def _word(name: str) -> str:
    if name.startswith("options.") or name == "option":
        return f"--option {name.removeprefix('options.')}".removesuffix(" option")
    return WORDS.get(name) or (_flag(PARAMETERS[name]) if name in PARAMETERS else name)


def _flag(parameter: Parameter) -> str:
    return "--" + parameter.short_name.replace("_", "-")


def _kind_of(parameter: Parameter) -> dict[str, Any]:
    match parameter.kind:
        case "number":
            return {"type": int, "metavar": "K"}
        case "share":
            return {"type": float, "metavar": "SHARE"}
        case "limit":
            return {"type": float, "metavar": "K|SHARE"}
        case "choice":
            return {"choices": parameter.names}
        case "text":
            return {"metavar": "TEXT"}
