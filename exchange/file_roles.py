"""What each of several files is, guessed from its name: `system.Heron.de.txt` is the system Heron's side.

A file here is plain JSON, as a run takes it: its name, path and size; `side`, `side_name` and `columns` once chosen.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SIDES = ("whole", "source", "reference", "system", "documents", "questions")
_TABLES = ("csv", "tsv", "tab", "jsonl", "ndjson", "xml")
_WORDS = {
    "source": "source",
    "src": "source",
    "reference": "reference",
    "ref": "reference",
    "system": "system",
    "hyp": "system",
    "sys": "system",
    "documents": "documents",
    "docs": "documents",
    "docids": "documents",
    "questions": "questions",
}
_LANGUAGE = re.compile(r"^[a-z]{2,3}([-_][A-Za-z0-9]{2,8})*$")


@dataclass(frozen=True)
class FileSide:
    side: str
    name: str = ""


def guess_side(file_name: str) -> FileSide:
    """The side and, for references and systems, the name; a file that says nothing is a system named like itself."""
    parts = file_name.split(".")
    if len(parts) > 1 and parts[-1].lower() in ("txt", "text"):
        parts = parts[:-1]
    side = _WORDS.get(parts[0].lower(), "")
    if side != "questions" and parts[-1].lower() in _TABLES:
        return FileSide("whole")
    if not side:
        return FileSide("system", ".".join(_without_languages(parts)))
    names = _without_languages(parts[1:])
    if side == "reference":
        return FileSide(side, ".".join(names) or "A")
    return FileSide(side, ".".join(names) if side == "system" else "")


def _without_languages(parts: Sequence[str]) -> list[str]:
    names = [part for part in parts if part]
    while len(names) > 1 and _LANGUAGE.match(names[-1]):
        names.pop()
    if len(names) == 1 and _LANGUAGE.match(names[0]) and len(names[0]) <= 3:
        return []
    return names


def with_sides(files: Sequence[Mapping[str, Any]], chosen: Mapping[int, FileSide]) -> list[dict[str, Any]]:
    """Each file with its side and name: by its place among the chosen ones, else as before, else as guessed."""
    sided = []
    for index, file in enumerate(files):
        guess = guess_side(file["name"])
        side = chosen.get(index) or FileSide(file.get("side") or guess.side, file.get("side_name", guess.name))
        known = side.side if side.side in (*SIDES, "none") else "none"
        sided.append({**file, "side": known, "side_name": side.name.strip()})
    return sided


def with_columns(files: list[dict[str, Any]], columns: Mapping[str, str]) -> list[dict[str, Any]]:
    """`columns` stand beside the file that holds the whole test set, in place of those before."""
    whole = whole_file(files)
    return [{**file, "columns": dict(columns)} if file is whole else file for file in files]


def whole_file(files: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """The only file, or of several the one that holds all texts."""
    if len(files) == 1:
        return files[0]
    return next((file for file in files if file.get("side") == "whole"), None)
