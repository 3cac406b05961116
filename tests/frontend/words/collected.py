"""All messages of the code and of the translators' files, read once for all tests: it takes seconds."""

from functools import cache

from django.utils.translation import to_locale

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from frontend.words.catalogues import TRANSLATORS_FILE, folder_of
from frontend.words.collecting import collect


@cache
def collected() -> Catalog:
    return collect()


@cache
def translated(language: str) -> Catalog:
    with (folder_of(language) / TRANSLATORS_FILE).open("rb") as file:
        return read_po(file, locale=to_locale(language))


def messages(catalog: Catalog) -> list[Message]:
    return [message for message in catalog if message.id]


def texts(of: object) -> list[str]:
    return [of] if isinstance(of, str) else list(of)  # type: ignore[call-overload]
