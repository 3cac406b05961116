"""`install_wordnet --accept-licence`: synonyms for METEOR, from Debian's package or from a folder."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from campaigns.management.working_command import WorkingCommand
from metrics.scoring.wordnet_folder import (
    WordNetError,
    WordNetFiles,
    from_debian,
    from_folder,
    install,
    installed_is_whole,
    same_as_installed,
    wordnet_folder,
)


class Command(WorkingCommand):
    help = "Puts WordNet into Assay's data folder, so that METEOR has synonyms in English; see docs/operations.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--accept-licence", action="store_true", help="accept WordNet's licence, which is shown")
        parser.add_argument(
            "--from", type=Path, dest="folder", metavar="FOLDER", help="WordNet's files; default: Debian's package"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        folder, accepted = options["folder"], options["accept_licence"]
        try:
            if folder is None and installed_is_whole():
                self._say_installed()
                return
            with from_folder(folder) if folder else from_debian() as files:
                self._install(files, accepted=accepted)
        except WordNetError as error:
            raise CommandError(str(error)) from error
        if settings.METRIC_RESOURCES["wordnet"]:
            self.stderr.write(
                _("ASSAY_WORDNET is set, so %(folder)s is used. Remove the setting to use the installed one.")
                % {"folder": settings.METRIC_RESOURCES["wordnet"]}
            )

    def _install(self, files: WordNetFiles, *, accepted: bool) -> None:
        if same_as_installed(files):
            self._say_installed()
            return
        self.stdout.write(files.licence)
        if not accepted:
            raise CommandError(
                _("Nothing was installed. To accept the licence above, run the command again with --accept-licence.")
            )
        wordnet = install(files)
        self.stdout.write(
            _("WordNet %(release)s is installed in %(folder)s: %(words)d words, %(origin)s.")
            % {"release": wordnet.release, "folder": wordnet_folder(), "words": wordnet.words, "origin": files.origin}
        )
        self.stdout.write(_("METEOR will use English synonyms the next time a test set is scored."))

    def _say_installed(self) -> None:
        self.stdout.write(
            _("WordNet is already installed in %(folder)s; its checksums match.") % {"folder": wordnet_folder()}
        )
