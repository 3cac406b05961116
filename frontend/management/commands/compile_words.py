"""`compile_words`: compiles the translators' files. Set-up runs it automatically."""

from typing import Any

from django.core.management.base import BaseCommand

from frontend.words.catalogues import TRANSLATORS_FILE, folder_of, languages
from frontend.words.compiling import compile_words


class Command(BaseCommand):
    help = "Makes locale/*/LC_MESSAGES/django.po ready for server and scripts."
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:  # noqa: ARG002 - there are none
        for language in languages():
            compile_words(folder_of(language) / TRANSLATORS_FILE, language)
