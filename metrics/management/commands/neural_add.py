"""`neural_add FOLDER`: copies a model that the operator has into the folder of models."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from campaigns.management.working_command import WorkingCommand
from metrics.neural.installing import InstallError, Wanted, add
from metrics.neural.model_languages import primary_subtag
from metrics.neural.operator_models import KINDS, KNOWN_MODELS


class Command(WorkingCommand):
    help = "Adds a model of COMET, BLEURT, Prism or BERTScore from a folder; see docs/operations.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="the model as it is published: settings, tokenizer, weights")
        parser.add_argument("--name", default="", help="what metrics call it; default: the name of the folder")
        parser.add_argument("--kind", choices=KINDS, default="", help="default: by its files")
        parser.add_argument("--encoder", type=Path, help="for COMET: configuration and tokenizer of its encoder")
        parser.add_argument("--title", default="", help="what pages call it")
        parser.add_argument("--licence", default="", help="shown beside scores; default: that of the known model")
        parser.add_argument("--revision", default="", help="which version of the model it is")
        parser.add_argument(
            "--languages", default="", help="codes of the languages it covers, with commas; default: all"
        )

    def handle(self, *, folder: Path, name: str, **options: Any) -> None:
        name = name or folder.resolve().name
        known = KNOWN_MODELS.get(name)
        languages = tuple(primary_subtag(code.strip()) for code in options["languages"].split(",") if code.strip())
        wanted = Wanted(
            name=name,
            kind=options["kind"],
            title=options["title"] or (known.title if known else ""),
            source=known.repository if known else str(folder.resolve()),
            revision=options["revision"],
            licence=options["licence"] or (known.licence if known else ""),
            languages=languages or (known.languages if known else ()),
        )
        try:
            made = add(folder, settings.MODELS_DIR, wanted, encoder=options["encoder"])
        except InstallError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            _(
                "%(title)s (%(kind)s, licence %(licence)s) is installed in %(folder)s: "
                "SHA-256 %(sha)s, %(megabytes)d MB of memory."
            )
            % {
                "title": made.title,
                "kind": made.kind,
                "folder": made.folder,
                "sha": made.sha,
                "megabytes": made.memory_megabytes,
                "licence": made.licence,
            }
        )
