"""`collect_words`: updates the translators' files from the code, and says what is left to translate."""

from typing import Any

from django.core.management.base import BaseCommand

from frontend.words.catalogues import TRANSLATORS_FILE, folder_of, languages
from frontend.words.collecting import collect, is_translated, update


class Command(BaseCommand):
    help = "Gathers the words people read into locale/*/LC_MESSAGES/django.po; see CONTRIBUTING.md."

    def handle(self, **options: Any) -> None:  # noqa: ARG002 - there are none
        collected = collect()
        for language in languages():
            catalog = update(folder_of(language) / TRANSLATORS_FILE, language, collected)
            left = sum(1 for message in catalog if message.id and not is_translated(message))
            self.stdout.write(f"{language}: {len(catalog)} messages, {left} to translate.")
