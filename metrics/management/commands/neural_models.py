"""`neural_models [--json]`: the models of metrics, and whether they can be used."""

import json as json_module
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext as _

from campaigns.management.working_command import WorkingCommand
from metrics.neural.light_model import LIGHT_MODELS
from metrics.neural.operator_models import KNOWN_MODELS
from metrics.scoring.light_models import ListedModel
from metrics.scoring.model_list import listed_models, metrics_of
from metrics.scoring.neural_states import environment_here, installed, no_environment_reason


class Command(WorkingCommand):
    help = "Lists the models of metrics with their state; see docs/operations.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print a JSON list")

    def handle(self, *, json: bool, **_options: Any) -> None:
        models = listed_models()
        if json:
            self.stdout.write(json_module.dumps([asdict(each) for each in models], ensure_ascii=False))
            return
        titles = {model.name: model.title for model in installed()}
        titles |= {model.name: model.title for model in LIGHT_MODELS.values()}
        for each in models:
            self._print(each, titles.get(each.name, each.name))
        environment = environment_here()
        versions = environment.libraries if environment else {}
        listed = ", ".join(f"{name} {version}" for name, version in versions.items())
        self.stdout.write(_("libraries: %(listed)s") % {"listed": listed} if listed else no_environment_reason())
        missing = [model for model in KNOWN_MODELS.values() if model.name not in titles]
        self.stdout.write(_("can be installed with ./assay neural install NAME:"))
        for known in missing:
            words = {"name": known.name, "title": known.title, "size": known.gigabytes, "licence": known.licence}
            self.stdout.write(_("  %(name)s: %(title)s, %(size)s GB, licence %(licence)s") % words)

    def _print(self, model: ListedModel, title: str) -> None:
        self.stdout.write(f"{model.name}: {model.state}{f' ({model.reason})' if model.reason else ''}")
        if not model.kind:
            return
        details = {"title": title, "licence": model.licence or "–", "megabytes": model.memory_mb}
        self.stdout.write(_("  %(title)s, licence %(licence)s, %(megabytes)d MB of memory") % details)
        self.stdout.write(f"  SHA-256 {model.sha256}")
        if names := metrics_of(model.name):
            self.stdout.write(_("  metrics: %(names)s") % {"names": ", ".join(names)})
