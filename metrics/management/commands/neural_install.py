"""`neural_install light | NAME`: puts a model into the folder of models."""

from argparse import ArgumentParser
from datetime import UTC, datetime
from getpass import getuser
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from campaigns.management.working_command import WorkingCommand
from metrics.neural.fetching import FetchError, fetch
from metrics.neural.installing import InstallError, Wanted, install
from metrics.neural.light_model import LIGHT
from metrics.neural.operator_models import KNOWN_MODELS, KnownModel

LIGHT_NAME = "light"


class Command(WorkingCommand):
    help = (
        "Fetches a model for metrics: the light one of BERTScore and YiSi, or one of COMET, BLEURT, Prism, BERTScore."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("model", help=f"{LIGHT_NAME}, or one of: {', '.join(KNOWN_MODELS)}")
        parser.add_argument("--revision", default="", help="a branch, a tag or a commit of the model; default: main")
        parser.add_argument("--accept-licence", action="store_true", help="accept the model's licence, which is shown")

    def handle(self, *, model: str, revision: str, accept_licence: bool, **_options: Any) -> None:
        if model == LIGHT_NAME:
            self._install_light()
            return
        known = KNOWN_MODELS.get(model)
        if known is None:
            names = ", ".join([LIGHT_NAME, *KNOWN_MODELS])
            message = _("“%(name)s” is not a known model. Known: %(known)s. Others: ./assay neural add FOLDER")
            raise CommandError(message % {"name": model, "known": names})
        self._install(known, revision, accept_licence=accept_licence)

    def _install(self, known: KnownModel, revision: str, *, accept_licence: bool) -> None:
        self.stdout.write(
            _("%(title)s from %(repository)s: about %(gigabytes)s GB, licence %(licence)s.")
            % {
                "title": known.title,
                "repository": known.repository,
                "gigabytes": known.gigabytes,
                "licence": known.licence,
            }
        )
        if not known.is_commercial and not accept_licence:
            raise CommandError(
                _(
                    "Nothing was installed. The licence does not allow commercial use. "
                    "To accept it, run the command again with --accept-licence."
                )
            )
        wanted = Wanted(
            name=known.name,
            revision=revision or known.revision,
            accepted_by=getuser() if accept_licence else "",
            accepted_at=datetime.now(UTC).isoformat(timespec="seconds") if accept_licence else "",
        )
        python = settings.BASE_DIR / ".venv-neural" / "bin" / "python"
        if not (python.parents[1] / "assay-environment.json").is_file():
            raise CommandError(
                _("%(model)s needs the neural environment. First run ./assay neural install environment")
                % {"model": known.title}
            )
        try:
            made = install(known, settings.MODELS_DIR, python, wanted)
        except InstallError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            _(
                "%(title)s is installed in %(folder)s: revision %(revision)s, SHA-256 %(sha)s, "
                "%(megabytes)d MB of memory."
            )
            % {
                "title": made.title,
                "folder": made.folder,
                "revision": made.revision,
                "sha": made.sha,
                "megabytes": made.memory_megabytes,
            }
        )

    def _install_light(self) -> None:
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
