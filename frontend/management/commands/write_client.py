"""Writes the generated part of the Python client."""

from typing import Any

from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Writes the methods and types of the Python client in clients/python from the schema of the API."

    def handle(self, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        from frontend.api.python_client import written_client  # noqa: PLC0415 - loads every page

        for path, text in written_client().items():
            path.write_text(text, encoding="utf-8")
