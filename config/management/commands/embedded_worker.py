from typing import Any

from django.core.management.base import BaseCommand

from config.embedded_worker import run_embedded_worker


class Command(BaseCommand):
    help = "Performs background runs for `serve`, which starts and ends it."
    requires_system_checks = []  # `serve` has just made them

    def handle(self, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        run_embedded_worker()
