"""`neural_check [NAME]`: the light model against values that torch computed, another against its sums; the speed."""

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
from metrics.scoring.model_check import checked_model
from metrics.scoring.neural_states import Unavailable


class Command(WorkingCommand):
    help = "Compares a model's files with their checksums and its values with known ones, and measures its speed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("model", nargs="?", default="light", help="light or the name of an installed model")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["model"] in ("light", LIGHT.name):
            self._check_light()
            return
        try:
            results = checked_model(options["model"])
        except Unavailable as error:
            raise CommandError(str(error)) from error
        self.stdout.write(_("files: checksums match"))
        for one in results:
            message = _("%(metric)s: %(good).4f for a good translation, %(unrelated).4f for an unrelated one")
            self.stdout.write(message % vars(one))
            self.stdout.write(_("  speed: %(rate).1f segments a second") % vars(one))
        doubtful = [one.metric for one in results if one.good <= one.unrelated]
        if doubtful:
            message = _("%(names)s: the unrelated translation does not score less. Do not use this model.")
            raise CommandError(message % {"names": ", ".join(doubtful)})

    def _check_light(self) -> None:
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
