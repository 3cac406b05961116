"""`neural_remove NAME`: takes a model out of the folder of models. Scores that it gave stay."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from campaigns.management.working_command import WorkingCommand
from metrics.neural.installing import InstallError, remove


class Command(WorkingCommand):
    help = "Removes a model of the operator. Scores that were computed with it stay."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")

    def handle(self, *, name: str, **_options: Any) -> None:
        try:
            megabytes = remove(name, settings.MODELS_DIR)
        except InstallError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            _("Removed %(name)s: %(megabytes)d MB are free again.") % {"name": name, "megabytes": megabytes}
        )
