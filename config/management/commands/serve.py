from argparse import ArgumentParser
from collections.abc import Sequence
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management import call_command, get_commands
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connections

from campaigns.models import Account, TestSet
from config.light_model_child import LightModelChild
from config.sign_in_links import issue_demo_links
from config.site_address import PORT, local_address, write_served_address
from config.web_server import WebServer, reserve_port
from config.worker_child import WorkerChild
from metrics.neural.environment import read_environment
from metrics.neural.operator_models import installed_models


def _workers() -> list[WorkerChild]:
    """One for quick work; one for metrics that take hours, once there is anything to compute them with."""
    quick = [queue for queue in settings.RUN_QUEUES if queue not in settings.OWN_WORKER_QUEUES]
    return [WorkerChild(quick), WorkerChild(settings.OWN_WORKER_QUEUES, is_wanted=_has_neural_metrics)]


def _has_neural_metrics() -> bool:
    return read_environment(settings.NEURAL_ENVIRONMENT) is not None and bool(installed_models(settings.MODELS_DIR))


def _let_go(workers: Sequence[WorkerChild]) -> None:
    for worker in workers:
        worker.let_go()


class Command(BaseCommand):
    help = "Serves Assay on this machine: database, demo, web server and worker in one go. Ctrl-C ends it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=PORT, help=f"default: {PORT}")
        parser.add_argument("--data", metavar="DIR", help="where database and uploads are stored (read by manage.py)")
        parser.add_argument("--no-demo", action="store_true", help="leave an empty database empty")
        parser.add_argument("--no-worker", action="store_true", help="background runs are performed elsewhere")

    def handle(self, *, port: int, no_demo: bool, no_worker: bool, **options: Any) -> None:  # noqa: ARG002
        reserved = reserve_port(port)
        self._prepare_database(with_demo=not no_demo)
        workers = [] if no_worker else _workers()
        light_model = LightModelChild()
        try:
            if light_model.is_needed:
                self._say("Fetching the light model of BERTScore and YiSi in the background (91 MB) …")
                light_model.start()
            for worker in workers:
                worker.start()
            WebServer(
                reserved=reserved,
                when_ready=lambda: self._say(f"Ready at {local_address(port)}/ (Ctrl-C ends it)"),
                in_each_process=partial(_let_go, workers),
            ).run()
        finally:
            light_model.stop()
            for worker in workers:
                worker.stop()

    def _prepare_database(self, *, with_demo: bool) -> None:
        try:
            settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
            write_served_address(settings.DATA_DIR, settings.BASE_URL)
            call_command("migrate", interactive=False, verbosity=0)
            if with_demo and not TestSet.objects.exists() and not Account.objects.exists():
                self._fill_demo()
            self._print_links()
        except OSError as error:
            raise CommandError(
                f"{settings.DATA_DIR} cannot be written to ({error.strerror}). Use --data DIR."
            ) from error
        except OperationalError as error:
            raise CommandError(f"The database cannot be used: {' '.join(str(error).split())}") from error
        finally:
            connections.close_all()  # forked processes open their own

    def _fill_demo(self) -> None:
        if "make_demo" in get_commands():
            self._say("Filling the empty database with the demo …")
            call_command("make_demo", verbosity=0)

    def _print_links(self) -> None:
        links = list(issue_demo_links())
        if links:
            self._say("Links that sign in to the demo:")
        for role, link in links:
            self._say(f"  {role.label:<11} {link}")
        if not Account.objects.exists():
            self._say("Nobody has an account yet: ./assay manage create_account NAME --organiser makes the first.")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
