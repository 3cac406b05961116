"""`import_judgments FILE --format F --campaign NAME`: a campaign made from judgments collected elsewhere."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from campaigns.management.working_command import WorkingCommand
from exchange.judgment_files import FromCampaign, import_judgments
from exchange.judgment_formats import FORMATS
from exchange.reading import ImportFileError


class Command(WorkingCommand):
    help = "Makes a closed campaign, with its test set and annotators, of a file of judgments; see docs/formats.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--format", choices=sorted(FORMATS), help="guessed by the content when not given")
        parser.add_argument("--campaign", required=True, metavar="NAME", help="of the new campaign and its test set")
        parser.add_argument("--protocol", help="instead of the protocol that the file names")
        parser.add_argument("--source-language", default="", metavar="L", help="BCP 47, such as en or pt-BR")
        parser.add_argument("--target-language", default="", metavar="L")
        parser.add_argument("--campaign-file", type=Path, metavar="FILE", help="pearmut: the campaign, for its tags")
        parser.add_argument(
            "--campaign-id", default="", metavar="ID", help="pearmut: which of several campaigns in the file"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, **options: Any) -> None:
        try:
            outcome = import_judgments(
                options["file"],
                format=options["format"],
                name=options["campaign"],
                protocol=options["protocol"],
                source_language=options["source_language"],
                target_language=options["target_language"],
                of=FromCampaign(options["campaign_file"], options["campaign_id"]),
                on_progress=self.report_progress,
            )
        except ImportFileError as error:
            raise CommandError(str(error)) from error
        campaign, report = outcome.campaign, outcome.report
        if options["json"]:
            about = {"campaign": campaign.slug, "name": campaign.name, "created": outcome.created}
            self.stdout.write(json.dumps(about | report, ensure_ascii=False))
            return
        for note in report["notes"]:
            self.stderr.write(note)
        self.stdout.write(self._sentence(campaign.name, report, created=outcome.created))

    def _sentence(self, name: str, report: dict[str, Any], *, created: bool) -> str:
        if not created:
            return _("This file was already imported as “%(name)s”. Nothing was changed.") % {"name": name}
        return _(
            "“%(name)s”. Judgments: %(judgments)d, annotators: %(annotators)d, systems: %(systems)d, "
            "documents: %(documents)d, segments: %(segments)d."
        ) % ({"name": name} | report)
