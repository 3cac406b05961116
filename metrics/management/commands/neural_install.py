"""`neural_install light`: fetches the light model into the folder of models."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from campaigns.management.working_command import WorkingCommand
from metrics.neural.fetching import FetchError, fetch
from metrics.neural.light_model import LIGHT


class Command(WorkingCommand):
    help = "Fetches the model that BERTScore and YiSi need; see docs/operations.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("model", choices=["light"])

    def handle(self, *_args: Any, **_options: Any) -> None:
        path = LIGHT.path(settings.MODELS_DIR)
        words = {"model": LIGHT.title, "path": path, "source": LIGHT.source, "licence": LIGHT.licence}
        try:
            is_new = fetch(LIGHT, settings.MODELS_DIR)
        except FetchError as error:
            raise CommandError(str(error)) from error
        if not is_new:
            self.stdout.write(_("%(model)s is already installed at %(path)s; its checksum matches.") % words)
            return
        self.stdout.write(
            _("%(model)s is installed at %(path)s: from %(source)s, licence %(licence)s; its checksum matches.") % words
        )
        self.stdout.write(_("BERTScore and YiSi can be computed now. Servers need not be restarted."))
