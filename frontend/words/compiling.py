"""The translators' files made ready for use: gettext's for the server, JSON for the scripts of the workbench.

Babel reads and writes gettext's; Django's `compilemessages` would need msgfmt on the machine. The JSON is ours: it
contains only the words of scripts, plurals by the categories browsers know.
"""

import json
from gettext import GNUTranslations
from pathlib import Path

from babel.core import Locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from frontend.words.catalogues import SCRIPT_FILE, SERVER_FILE, Catalogue
from frontend.words.collecting import is_translated

# The words of options, such as anchors and scales, are stored in English with a campaign and translated by the script.
SCRIPTS = ("frontend/src/", "annotation/protocols/", "annotation/taxonomies/")
ENOUGH_NUMBERS = 1_000  # every category of plurals of whole numbers is met below


def compile_words(path: Path, language: str) -> None:
    """Writes both next to the translators' file."""
    with path.open("rb") as file:
        catalog = read_po(file, locale=language)
    for message in [message for message in catalog if message.id and not is_translated(message)]:
        catalog.delete(message.id, message.context)  # an empty plural would be shown as nothing
    compiled = path.parent / SERVER_FILE
    with compiled.open("wb") as file:
        write_mo(file, catalog)
    with compiled.open("rb") as file:
        words = _script_words(catalog, GNUTranslations(file), language)
    text = json.dumps(words, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    (path.parent / SCRIPT_FILE).write_text(text, encoding="utf-8")


def _script_words(catalog: Catalog, translations: GNUTranslations, language: str) -> Catalogue:
    words: dict[str, str | dict[str, str]] = {}
    for message in catalog:
        if not message.id or not any(path.startswith(SCRIPTS) for path, _line in message.locations):
            continue
        if isinstance(message.id, str):
            words[message.id] = translations.gettext(message.id)
        else:
            words[message.id[0]] = _forms(message.id[0], message.id[1], translations, Locale(language))
    return words


def _forms(one: str, many: str, translations: GNUTranslations, locale: Locale) -> dict[str, str]:
    """By the category browsers know a number by, not by gettext's place of it."""
    forms: dict[str, str] = {}
    for number in range(ENOUGH_NUMBERS):
        category = locale.plural_form(number)
        if category not in forms:
            forms[category] = translations.ngettext(one, many, number)
    return forms
