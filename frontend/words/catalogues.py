"""Where the words of a language lie, and those a script needs."""

import json
import logging
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from django.conf import settings

TRANSLATORS_FILE, SERVER_FILE, SCRIPT_FILE = "django.po", "django.mo", "scripts.json"

logger = logging.getLogger(__name__)

Catalogue = Mapping[str, str | Mapping[str, str]]


def folder_of(language: str) -> Path:
    return Path(settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES"


def languages() -> list[str]:
    """Languages that need translation: the messages in the code are English."""
    return [language for language, _name in settings.LANGUAGES if language != settings.LANGUAGE_CODE]


@cache
def script_words(language: str) -> Catalogue:
    """The script's messages in this language, plurals by category; empty for English, and before compiling."""
    if language not in languages():
        return {}
    try:
        compiled = (folder_of(language) / SCRIPT_FILE).read_text(encoding="utf-8")
    except FileNotFoundError:
        logger.warning("no words for the scripts in %s: run `./assay manage compile_words`", language)
        return {}
    words: Catalogue = json.loads(compiled)
    return words
