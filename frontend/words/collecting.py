"""All words people read, gathered from Python, templates, scripts and typologies into the translators' files.

One file a language, `locale/<language>/LC_MESSAGES/django.po`, holds the words of server and scripts alike: what both
say is translated once.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation.template import templatize

from babel.core import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

ROOMS = ("annotation", "campaigns", "config", "demo", "exchange", "frontend", "jobs", "metrics")
PYTHON_KEYWORDS: Mapping[str, Any] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
SCRIPT_KEYWORDS: Mapping[str, Any] = {"t": None, "tn": (1, 2)}
COMMENT_TAGS = ("Translators:",)
WIDTH = 120
_BEGUN = datetime(2026, 11, 21, 12, tzinfo=UTC)
_HEADER: Mapping[str, Any] = {
    "project": "Assay",
    "version": "1",
    "copyright_holder": "Assay's authors",
    "msgid_bugs_address": "the project's issues",
    "last_translator": "Assay's authors",
    "language_team": "Assay's authors",
    "creation_date": _BEGUN,
    "revision_date": _BEGUN,
}


def collect() -> Catalog:
    """Every message with the files it stands in."""
    catalog = Catalog(project="Assay", charset="utf-8", fuzzy=False)
    for path, found in _messages():
        for _line, message, comments, context in found:
            catalog.add(message, locations=[(path, 0)], auto_comments=comments, context=context)
    return catalog


def is_translated(message: Message) -> bool:
    return all(message.string) if isinstance(message.string, tuple) else bool(message.string)


def update(path: Path, language: str, collected: Catalog) -> Catalog:
    """The translators' file with what is new, without what is gone; nothing is guessed from similar words."""
    catalog = _read(path, language)
    catalog.update(collected, no_fuzzy_matching=True, update_creation_date=False, update_header_comment=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    written = BytesIO()
    write_po(written, catalog, width=WIDTH, ignore_obsolete=True, include_lineno=False, sort_by_file=True)
    path.write_bytes(written.getvalue())
    return catalog


def _read(path: Path, language: str) -> Catalog:
    if not path.exists():
        return Catalog(
            locale=language, header_comment=f"# Assay in {Locale(language).english_name}", fuzzy=False, **_HEADER
        )
    with path.open("rb") as file:
        return read_po(file, locale=language)


def _messages() -> Iterator[tuple[str, Iterable[Any]]]:
    for path in _files():
        text = path.read_text(encoding="utf-8")
        method, keywords, options = "python", PYTHON_KEYWORDS, {}
        if path.suffix == ".html":
            # what is no message is a row of X, which no reader of Python should find indented
            text = re.sub(r"(?m)^\s+", "", templatize(text, origin=str(path)))
        elif path.suffix in {".ts", ".tsx"}:
            method, keywords, options = "javascript", SCRIPT_KEYWORDS, {"jsx": True, "template_string": True}
        found = extract(method, BytesIO(text.encode()), keywords, COMMENT_TAGS, options, strip_comment_tags=True)
        yield path.relative_to(settings.BASE_DIR).as_posix(), found
    for path in sorted((settings.BASE_DIR / "annotation" / "taxonomies").glob("*.json")):
        texts = _said_in(json.loads(path.read_text(encoding="utf-8")))
        yield path.relative_to(settings.BASE_DIR).as_posix(), ((0, text, [], None) for text in texts)


def _said_in(typology: Any) -> Iterator[str]:
    """Titles and descriptions, whatever they are of."""
    for part in typology if isinstance(typology, list) else []:
        yield from _said_in(part)
    for key, value in typology.items() if isinstance(typology, dict) else []:
        if key in {"title", "description"} and value:
            yield value
        yield from _said_in(value)


def _files() -> Iterator[Path]:
    for room in ROOMS:
        folder = settings.BASE_DIR / room
        yield from sorted(path for path in folder.rglob("*.py") if "migrations" not in path.parts)
    frontend = settings.BASE_DIR / "frontend"
    yield from sorted((frontend / "templates").rglob("*.html"))
    yield from sorted(path for path in (frontend / "src").rglob("*.ts*") if ".test." not in path.name)
