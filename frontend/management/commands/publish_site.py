"""`publish_site CAMPAIGN --output DIR`: the results as a folder of pages that needs no server."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from campaigns.management.working_command import WorkingCommand
from frontend.researcher.published_site import SiteError, publish_site
from frontend.run_pages import PageRuns
from metrics.recipes import AnalysisError, recipe_for


class Command(WorkingCommand):
    help = "Writes a campaign's newest results as pages and tables that open from a folder; see docs/formats.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="name or slug")
        parser.add_argument("--output", required=True, metavar="DIR", help="a folder that is new or empty")
        parser.add_argument("--recipe", help="of the results; the protocol's own by default")
        parser.add_argument("--texts", action="store_true", help="with the texts, a page for each document")

    def handle(self, *, campaign: str, output: str, recipe: str | None, texts: bool, **options: Any) -> None:  # noqa: ARG002 - Django's own
        chosen, folder = self.campaign(campaign), Path(output).resolve()
        try:
            recipe_for(chosen.protocol, recipe)
            runs = PageRuns(chosen, {"recipe": recipe, "analyses": None, "options": {}})
            names = publish_site(runs, folder, shows_texts=texts)
        except (AnalysisError, SiteError) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{error.filename or folder} cannot be written: {error.strerror}.") from error
        self.stdout.write(f"{folder / 'index.html'}: files: {len(names)}. Open it, or put the folder on a server.")
