"""`fetch_light_model`: what `serve` starts in the background where the light model is missing."""

import os
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from demo.making import score_again
from metrics.neural.fetching import fetch_quietly

NICENESS = 10  # the site that starts goes first


class Command(BaseCommand):
    help = "Fetches the light model in the background, and scores the demo by its metrics; one line on how it went."

    def handle(self, *_args: Any, **_options: Any) -> None:
        os.nice(NICENESS)
        if not fetch_quietly(settings.MODELS_DIR):
            sys.exit(1)
        score_again()
