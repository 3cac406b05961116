"""All words people read, gathered from Python, templates, scripts and typologies into the translators' files.

One file a language, `locale/<language>/LC_MESSAGES/django.po`, contains the words of server and scripts: what both
use is translated once. Babel finds the files, reads Python and scripts, and brings the translators' files up to date.
Two readers are ours: templates, which Babel does not know (Django's own `makemessages` does, and needs GNU gettext on
the machine), and the titles in typologies.
"""

import json
import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.utils.translation import to_locale
from django.utils.translation.template import templatize

from babel.core import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir, extract_python
from babel.messages.pofile import read_po, write_po

ROOMS = ("annotation", "campaigns", "config", "demo", "exchange", "frontend", "jobs", "metrics")
KEYWORDS: Mapping[str, Any] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "t": None,  # these two of scripts
    "tn": (1, 2),
}
COMMENT_TAGS = ("Translators:",)
WIDTH = 120


def collect() -> Catalog:
    """Every message with the files that contain it."""
    catalog = Catalog(project="Assay", charset="utf-8", fuzzy=False)
    readers = [
        ("**.test.*", "ignore"),
        ("**.py", "python"),
        ("frontend/templates/**.html", f"{__name__}:read_template"),
        ("frontend/src/**.ts", "javascript"),
        ("frontend/src/**.tsx", "javascript"),
        ("annotation/taxonomies/*.json", f"{__name__}:read_typology"),
    ]
    of_scripts = {"jsx": True, "template_string": True}
    for path, _line, message, comments, context in extract_from_dir(
        settings.BASE_DIR,
        readers,
        {pattern: of_scripts for pattern, reader in readers if reader == "javascript"},
        KEYWORDS,
        COMMENT_TAGS,
        strip_comment_tags=True,
        directory_filter=_has_words,
    ):
        catalog.add(message, locations=[(Path(path).as_posix(), 0)], auto_comments=comments, context=context)
    return catalog


def is_translated(message: Message) -> bool:
    return all(message.string) if isinstance(message.string, tuple) else bool(message.string)


def update(path: Path, language: str, collected: Catalog) -> Catalog:
    """Adds new messages to the translators' file and removes old ones; similar messages are not reused."""
    catalog = _read(path, language)
    catalog.update(collected, no_fuzzy_matching=True, update_creation_date=False, update_header_comment=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    written = BytesIO()
    write_po(written, catalog, width=WIDTH, ignore_obsolete=True, include_lineno=False, sort_by_file=True)
    path.write_bytes(written.getvalue())
    return catalog


def _read(path: Path, language: str) -> Catalog:
    if not path.exists():
        name = Locale.parse(to_locale(language)).english_name
        return Catalog(locale=to_locale(language), header_comment=f"# Assay in {name}", project="Assay", fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=to_locale(language))


def _has_words(folder: str) -> bool:
    parts = Path(folder).relative_to(settings.BASE_DIR).parts
    return parts[0] in ROOMS and parts[-1] not in {"migrations", "node_modules"}


def read_template(file: IO[bytes], keywords: Any, comment_tags: Any, options: Any) -> Iterator[Any]:
    # what is no message is a row of X, which no reader of Python should find indented
    text = re.sub(r"(?m)^\s+", "", templatize(file.read().decode()))
    yield from extract_python(BytesIO(text.encode()), keywords, comment_tags, options)


def read_typology(file: IO[bytes], keywords: Any, comment_tags: Any, options: Any) -> Iterator[Any]:  # noqa: ARG001
    for text in _texts_of(json.load(file)):
        yield 0, "", text, []


def _texts_of(typology: Any) -> Iterator[str]:
    """Titles, descriptions and examples, whatever they are of."""
    for part in typology if isinstance(typology, list) else []:
        yield from _texts_of(part)
    for key, value in typology.items() if isinstance(typology, dict) else []:
        if key in {"title", "description", "example"} and value:
            yield value
        yield from _texts_of(value)
