"""What each of several files is, guessed from its name: `system.Heron.de.txt` is the system Heron's side."""

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
    kept = [part for part in parts if part]
    while len(kept) > 1 and _LANGUAGE.match(kept[-1]):
        kept.pop()
    if len(kept) == 1 and _LANGUAGE.match(kept[0]) and len(kept[0]) <= 3:
        return []
    return kept


def sides_of(files: Sequence[Mapping[str, Any]], chosen: Mapping[str, str]) -> list[dict[str, Any]]:
    """Each stored file with its side and name: as chosen on the page (`side-0`, `name-0`, …), else as guessed."""
    sided = []
    for index, file in enumerate(files):
        guessed = guess_side(file["name"])
        side = chosen.get(f"side-{index}", file.get("side") or guessed.side)
        name = chosen.get(f"name-{index}", file.get("side_name", guessed.name)).strip()
        sided.append({**file, "side": side if side in (*SIDES, "none") else "none", "side_name": name})
    return sided
