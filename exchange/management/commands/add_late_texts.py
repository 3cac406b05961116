"""`add_late_texts CAMPAIGN FILE`: further systems, or documents, of a campaign that runs."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from campaigns.management.working_command import WorkingCommand
from campaigns.models import Campaign
from exchange.formats.parallel_text import ImportFiles
from exchange.late_texts import CheckedLateTexts, add_late_texts, check_late_texts
from exchange.reading import ImportFileError
from exchange.test_set_files import EMPTY_OUTPUTS, FORMAT_NAMES, JUDGED_AS_EMPTY


class Command(WorkingCommand):
    help = "Adds systems and documents to a running campaign, and plans their judgments; see docs/formats.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", metavar="CAMPAIGN", help="name or slug")
        parser.add_argument("file", type=Path, help="a test set as jsonl, csv, tsv or wmt-xml")
        parser.add_argument("--questions", type=Path, help="comprehension questions on further documents")
        parser.add_argument("--format", choices=FORMAT_NAMES, help="guessed when not given")
        parser.add_argument(
            "--system",
            action="append",
            metavar="NAME",
            help="add this system of the file; by default those that the test set does not have",
        )
        parser.add_argument("--empty-outputs", choices=EMPTY_OUTPUTS, default=JUDGED_AS_EMPTY)
        parser.add_argument("--dry-run", action="store_true", help="look through the file, store nothing")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, **options: Any) -> None:
        campaign = self.campaign(options["campaign"])
        files = ImportFiles(path=options["file"], questions=options["questions"])
        wanted = {name: options[name] for name in ("format", "empty_outputs")} | {"systems": options["system"]}
        try:
            if options["dry_run"]:
                self._report(check_late_texts(files, campaign, **wanted), campaign, as_json=options["json"])
                return
            added = add_late_texts(files, campaign, **wanted, by=None)
        except ImportFileError as error:
            raise CommandError(f"{error}\n{_('Nothing was stored.')}") from error
        about = {
            "campaign": campaign.slug,
            "systems": list(added.addition.systems),
            "documents": list(added.addition.documents),
            "tasks": added.tasks,
            "given": added.given,
            "judgments": added.judgments,
        }
        words = _(
            "Added. Systems: %(systems)d, documents: %(documents)d, judgments: %(judgments)d, tasks: %(tasks)d, "
            "for annotators who know the texts: %(given)d."
        )
        counts = {**about, "systems": len(added.addition.systems), "documents": len(added.addition.documents)}
        self.stdout.write(json.dumps(about, ensure_ascii=False) if options["json"] else words % counts)

    def _report(self, checked: CheckedLateTexts, campaign: Campaign, *, as_json: bool) -> None:
        if checked.problems.count:
            raise ImportFileError(problems=checked.problems)
        about = {"campaign": campaign.slug, "systems": checked.chosen, "documents": checked.documents}
        words = _("This would be added. Systems: %(systems)d, documents: %(documents)d.")
        counts = {"systems": len(checked.chosen), "documents": len(checked.documents)}
        self.stdout.write(json.dumps(about, ensure_ascii=False) if as_json else words % counts)
