"""Where the words of a language lie, and those a script needs."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from django.conf import settings

TRANSLATORS_FILE, SERVER_FILE, SCRIPT_FILE = "django.po", "django.mo", "scripts.json"

Catalogue = Mapping[str, str | Mapping[str, str]]


def folder_of(language: str) -> Path:
    return Path(settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES"


def languages() -> list[str]:
    """Those that need translating: the words stand in the code in English."""
    return [language for language, _name in settings.LANGUAGES if language != settings.LANGUAGE_CODE]


@cache
def script_words(language: str) -> Catalogue:
    """What the script says in this language, plurals by category; empty for English."""
    if language not in languages():
        return {}
    words: Catalogue = json.loads((folder_of(language) / SCRIPT_FILE).read_text(encoding="utf-8"))
    return words
