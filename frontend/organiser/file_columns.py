"""What the columns of a dropped table are, as somebody said on the page; kept with the file they are of."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy

from campaigns.importing.columns import NAMED

MOST_COLUMNS = 500
_FIELD = re.compile(r"column-(\d{1,4})")

MEANING_CHOICES = (
    ("document", gettext_lazy("Document")),
    ("segment", gettext_lazy("Segment")),
    ("source", gettext_lazy("Source")),
    ("reference", gettext_lazy("Reference")),
    ("system", gettext_lazy("System")),
    ("title", gettext_lazy("Title of the document")),
    ("domain", gettext_lazy("Domain")),
    ("tags", gettext_lazy("Tags")),
    ("none", gettext_lazy("Not used")),
)
OBJECT_CHOICES = (
    ("references", gettext_lazy("References by name")),
    ("translations", gettext_lazy("Translations by system")),
    ("suggested", gettext_lazy("Suggested errors")),
)


def meaning_choices(format: str) -> Sequence[tuple[str, Any]]:
    return (*MEANING_CHOICES, *OBJECT_CHOICES) if format == "jsonl" else MEANING_CHOICES


def columns_in(posted: Mapping[str, str]) -> dict[str, str]:
    """The page's selects (`column-2`, `column-name-2`, …) by number, as an import takes them."""
    found = {match[1]: posted[field] for field in posted if (match := _FIELD.fullmatch(field))}
    return {
        f"#{number}": role_of(meaning, posted.get(f"column-name-{number}", ""))
        for number, meaning in sorted(found.items(), key=lambda each: int(each[0]))[:MOST_COLUMNS]
    }


def role_of(meaning: str, name: str) -> str:
    return f"{meaning}:{name.strip()}" if meaning in NAMED else meaning


def with_columns(files: list[dict[str, Any]], columns: Mapping[str, str]) -> list[dict[str, Any]]:
    """Beside the file that holds the whole test set; what was said before ends."""
    whole = table_among(files)
    return [{**file, "columns": dict(columns)} if file is whole else file for file in files]


def table_among(files: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """The one file, or of several the one that holds all texts."""
    if len(files) == 1:
        return files[0]
    return next((file for file in files if file.get("side") == "whole"), None)


def changed_since(
    files: Sequence[dict[str, Any]], shown: Sequence[Mapping[str, Any]], posted: Mapping[str, str]
) -> bool:
    """Whether the page says other things of the columns than those the files were read by."""
    read_as = {f"#{column['number']}": role_of(column["meaning"], column["name"]) for column in shown}
    asked = columns_in(posted)
    return table_among(files) is not None and any(read_as.get(key) not in (role, None) for key, role in asked.items())
