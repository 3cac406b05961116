"""The errors that were put into the demo's translations on purpose: what its annotators are to find."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from demo.campaign import DemoTestSet
from demo.texts import FOLDER


@dataclass(frozen=True)
class PlantedError:
    """Half-open, in code points. `taken_for` is the category under which some would mark it."""

    side: str
    start: int
    end: int
    severity: str
    category: str = ""
    taken_for: str = ""


@cache
def planted_in(test_set: DemoTestSet) -> Mapping[str, tuple[PlantedError, ...]]:
    """By the text of the translation. The file beside the test set names marked words; each stands in its text once."""
    path = FOLDER / test_set.file
    segments = {(row["document"], row["segment"]): row for row in _rows(path)}
    found: dict[str, tuple[PlantedError, ...]] = {}
    for row in _rows(path.with_suffix(".errors.jsonl")):
        segment = segments[row["document"], row["segment"]]
        text = segment["translations"][row["system"]]
        place = segment["source"] if row.get("side") == "source" else text
        found[text] = (*found.get(text, ()), _planted(row, place))
    return found


def _planted(row: Mapping[str, Any], text: str) -> PlantedError:
    words = row.get("marked") or row["missing_before"]
    if text.count(words) != 1:
        raise ValueError(f"“{words}” stands {text.count(words)} times in “{text}”.")
    start = text.index(words)
    return PlantedError(
        side=row.get("side", "target"),
        start=start,
        end=start + len(row.get("marked", "")),
        severity=row["severity"],
        category=row.get("category", ""),
        taken_for=row.get("taken_for", ""),
    )


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
