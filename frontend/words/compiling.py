"""The translators' files made ready for use: gettext's for the server, JSON for the scripts of the workbench.

Babel reads and writes gettext's; Django's `compilemessages` would need msgfmt on the machine. The JSON is ours: it
contains only the words of scripts, plurals by the categories browsers know.
"""

import io
import json
from gettext import GNUTranslations
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.utils.translation import to_locale

from babel.core import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from frontend.words.catalogues import SCRIPT_FILE, SERVER_FILE, STATE_FILE, Catalogue
from frontend.words.collecting import is_translated

# The words of options, such as anchors and scales, are stored in English with a campaign and translated by the script.
SCRIPTS = ("frontend/src/", "annotation/protocols/", "annotation/taxonomies/")
ENOUGH_NUMBERS = 1_000  # every category of plurals of whole numbers is met below


def compile_words(path: Path, language: str) -> None:
    """Writes both next to the translators' file."""
    with path.open("rb") as file:
        catalog = read_po(file, locale=to_locale(language))
    untranslated = [message for message in catalog if message.id and not is_translated(message)]
    state = {"messages": len(catalog), "untranslated": [_with_places(message) for message in untranslated]}
    for message in untranslated:
        catalog.delete(message.id, message.context)  # an empty plural would be shown as nothing
    compiled = io.BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    words = _script_words(catalog, GNUTranslations(compiled), language)
    text = json.dumps(words, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    _replace(path.with_name(SERVER_FILE), compiled.getvalue())
    _replace(path.with_name(SCRIPT_FILE), text.encode())
    _replace(path.with_name(STATE_FILE), json.dumps(state, ensure_ascii=False).encode())


def _with_places(message: Message) -> tuple[str, list[str]]:
    return message.id if isinstance(message.id, str) else message.id[0], [path for path, _line in message.locations]


def _replace(path: Path, contents: bytes) -> None:
    """At once: a running server that reads it meets the old words or the new ones."""
    with NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(contents)
    Path(file.name).chmod(0o644)  # others may run the server
    Path(file.name).replace(path)


def _script_words(catalog: Catalog, translations: GNUTranslations, language: str) -> Catalogue:
    words: dict[str, str | dict[str, str]] = {}
    for message in catalog:
        if not message.id or not any(path.startswith(SCRIPTS) for path, _line in message.locations):
            continue
        if isinstance(message.id, str):
            words[message.id] = translations.gettext(message.id)
        else:
            words[message.id[0]] = _forms(message.id[0], message.id[1], translations, Locale.parse(to_locale(language)))
    return words


def _forms(one: str, many: str, translations: GNUTranslations, locale: Locale) -> dict[str, str]:
    """By the category browsers know a number by, not by gettext's place of it."""
    forms: dict[str, str] = {}
    for number in range(ENOUGH_NUMBERS):
        category = locale.plural_form(number)
        if category not in forms:
            forms[category] = translations.ngettext(one, many, number)
    return forms
