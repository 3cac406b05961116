"""`neural_models [--json]`: the models of metrics, and whether they can be used."""

import json as json_module
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext as _

from campaigns.management.working_command import WorkingCommand
from metrics.scoring.light_models import models


class Command(WorkingCommand):
    help = "Lists the models of metrics with their state; see docs/operations.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print a JSON list")

    def handle(self, *, json: bool, **_options: Any) -> None:
        if json:
            self.stdout.write(json_module.dumps([asdict(each.listed) for each in models()], ensure_ascii=False))
            return
        for each in models():
            entry = each.listed
            self.stdout.write(f"{entry.name}: {entry.state}{f' ({entry.reason})' if entry.reason else ''}")
            details = {"title": each.model.title, "licence": entry.licence, "megabytes": entry.memory_mb}
            self.stdout.write(_("  %(title)s, licence %(licence)s, %(megabytes)d MB of memory") % details)
            self.stdout.write(f"  SHA-256 {entry.sha256}")
