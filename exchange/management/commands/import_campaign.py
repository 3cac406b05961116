"""`import_campaign FILE --format F --name N`: a whole campaign made from the file of another program."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from campaigns.management.working_command import WorkingCommand
from exchange.campaign_imports import import_campaign
from exchange.campaign_readers import ALIASES, READERS
from exchange.read_campaigns import CampaignSource
from exchange.reading import ImportFileError


class Command(WorkingCommand):
    help = "Makes a campaign, with its texts, people, practice and checks, of a campaign file; see docs/formats.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--format", required=True, choices=[*READERS, *ALIASES])
        parser.add_argument("--name", required=True, help="of the new campaign and its test set")
        parser.add_argument("--source-language", required=True, metavar="L", help="BCP 47, such as en or pt-BR")
        parser.add_argument("--target-language", required=True, metavar="L")
        parser.add_argument("--campaign-id", default="", metavar="ID", help="which of several campaigns in the file")
        parser.add_argument("--assets", type=Path, metavar="DIR", help="the folder of pictures, audio and video")
        parser.add_argument("--manifest", type=Path, metavar="FILE", help="appraise-json: the manifest of the batches")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, **options: Any) -> None:
        try:
            outcome = import_campaign(
                CampaignSource(
                    options["file"],
                    options["file"].name,
                    (options["source_language"], options["target_language"]),
                    options["campaign_id"],
                    options["assets"],
                    options["manifest"],
                ),
                format=ALIASES.get(options["format"], options["format"]),
                name=options["name"],
                on_progress=self.report_progress,
            )
        except ImportFileError as error:
            raise CommandError(str(error)) from error
        campaign, report = outcome.campaign, outcome.report
        for note in report["notes"]:
            self.stderr.write(note, style_func=str)
        if options["json"]:
            about = {"campaign": campaign.slug, "name": campaign.name, "created": outcome.created}
            self.stdout.write(json.dumps(about | report, ensure_ascii=False))
        elif not outcome.created:
            message = _("“%(name)s” was imported from this very file before; nothing changed.")
            self.stdout.write(message % {"name": campaign.name})
        else:
            message = _(
                "Created “%(name)s”. Annotators: %(annotators)d. Documents: %(documents)d. Systems: %(systems)d. "
                "Practice: %(practice)d. Attention checks: %(checks)d."
            )
            counts = {name: report[name] for name in ("annotators", "documents", "practice")}
            counts |= {"systems": len(report["systems"]), "checks": report["attention_checks"]}
            self.stdout.write(message % {"name": campaign.name, **counts})
