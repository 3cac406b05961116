"""Where the words of a language lie, and those a script needs."""

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings
from django.utils.translation import to_locale

TRANSLATORS_FILE, SERVER_FILE, SCRIPT_FILE = "django.po", "django.mo", "scripts.json"
STATE_FILE = "state.json"

logger = logging.getLogger(__name__)

Catalogue = Mapping[str, str | Mapping[str, str]]


def folder_of(language: str) -> Path:
    return Path(settings.LOCALE_PATHS[0]) / to_locale(language) / "LC_MESSAGES"


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


@dataclass(frozen=True)
class LanguageState:
    """How far a language is. `untranslated` are English messages, each with the files that contain it."""

    language: str
    messages: int = 0
    untranslated: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def translated(self) -> int:
        return self.messages - len(self.untranslated)

    @property
    def name(self) -> str:
        return dict(settings.LANGUAGES)[self.language]

    @property
    def reviewed_by(self) -> str:
        """The native speaker who signed; empty where nobody has."""
        return settings.LANGUAGES_REVIEWED_BY.get(self.language, "")


def state_of(language: str) -> LanguageState:
    """As the words were last put into place; nothing before that."""
    try:
        kept = json.loads((folder_of(language) / STATE_FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return LanguageState(language)
    untranslated = tuple((text, tuple(places)) for text, places in kept["untranslated"])
    return LanguageState(language, kept["messages"], untranslated)
