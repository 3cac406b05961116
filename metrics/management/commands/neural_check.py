"""`neural_check`: the light model against values that torch computed, and how fast it is here."""

import time
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from campaigns.management.working_command import WorkingCommand
from metrics.neural.known_values import differences, measured_texts
from metrics.neural.light_model import LIGHT
from metrics.neural.model_file import read_model
from metrics.scoring.light_models import READY, models


class Command(WorkingCommand):
    help = (
        "Compares the light model's file and values with known ones, and measures its speed. Exit code 1 if not equal."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("model", nargs="?", choices=["light"], default="light")

    def handle(self, *_args: Any, **_options: Any) -> None:
        bad = [f"{each.model.name}: {each.reason}" for each in models() if each.state != READY]
        if bad:
            raise CommandError("\n".join(bad))
        self.stdout.write(_("file: %(path)s, checksum matches") % {"path": LIGHT.path(settings.MODELS_DIR)})
        file = read_model(LIGHT, settings.MODELS_DIR)
        found = differences(file)
        if found:
            raise CommandError("\n".join(found))
        self.stdout.write(_("pieces and states: equal to the known ones"))
        began, used = time.monotonic(), time.process_time()
        segments = measured_texts(file)
        rates = {"clock": segments / (time.monotonic() - began), "cpu": segments / (time.process_time() - used)}
        message = _("speed: %(clock).0f texts of about 20 words a second, %(cpu).0f for each second of a processor")
        self.stdout.write(message % rates)
