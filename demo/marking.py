"""Errors that were put into the demo's translations on purpose, and how simulated annotators mark them.

Some errors are overlooked, some imagined; bounds and severities vary.
"""

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from annotation.protocols.base import MarkedSpan
from demo.campaign import FOLDER, DemoTestSet, Look, SeenText

NOTICED = {"minor": 0.66, "major": 0.93}
LENIENCE = 40.0  # of a manner's bias: with so many points an annotator notices no error
WIDENED, SLIPPED, TAKEN_FOR, FANCIED = 0.15, 0.12, 0.3, 0.1
WHOLE_TEXT = "non-translation"
_WORDS = re.compile(r"\w+")


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
    """By translation. The file beside the test set lists marked words; each occurs once in its text."""
    path = FOLDER / test_set.file
    segments = {(row["document"], row["segment"]): row for row in _rows(path)}
    errors: dict[str, tuple[PlantedError, ...]] = {}
    for row in _rows(path.with_suffix(".errors.jsonl")):
        segment = segments[row["document"], row["segment"]]
        text = segment["translations"][row["system"]]
        place = segment["source"] if row.get("side") == "source" else text
        errors[text] = (*errors.get(text, ()), _planted(row, place))
    return errors


def _planted(row: Mapping[str, Any], text: str) -> PlantedError:
    words = row.get("marked") or row["missing_before"]
    if text.count(words) != 1:
        raise ValueError(f"“{words}” occurs {text.count(words)} times in “{text}”.")
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


def marked(look: Look, text: SeenText, planted: Sequence[PlantedError]) -> list[PlantedError]:
    """In the order of the text, errors in the source first. A careless annotator marks none."""
    if look.manner.is_careless:
        return []
    rng = look.rng
    if any(error.category == WHOLE_TEXT for error in planted):
        return list(planted)
    seen = [_seen(error, text.text, rng) for error in planted if rng.random() < _chance(look, error)]
    if rng.random() < FANCIED and (fancied := _fancied(text.text, seen, rng)):
        seen.append(fancied)
    return sorted(seen, key=lambda error: (error.side, error.start, error.end))


def entered_span(error: PlantedError | MarkedSpan) -> dict[str, Any]:
    """As the page sends it; of MQM without the category."""
    return {"side": error.side, "start": error.start, "end": error.end, "severity": error.severity, "note": ""}


def _chance(look: Look, error: PlantedError) -> float:
    return min(0.98, NOTICED[error.severity] - look.manner.bias / LENIENCE)


def _seen(error: PlantedError, text: str, rng: random.Random) -> PlantedError:
    if error.taken_for and rng.random() < TAKEN_FOR:
        error = replace(error, category=error.taken_for)
    if rng.random() < SLIPPED:
        error = replace(error, severity="major" if error.severity == "minor" else "minor")
    if error.side == "target" and error.start < error.end and rng.random() < WIDENED:
        before = [word.start() for word in _WORDS.finditer(text) if word.end() < error.start]
        error = replace(error, start=before[-1] if before else error.start)
    return error


def _fancied(text: str, seen: Sequence[PlantedError], rng: random.Random) -> PlantedError | None:
    """A word that is correct, marked as awkward."""
    taken = [range(error.start, error.end) for error in seen if error.side == "target"]
    words = [word for word in _WORDS.finditer(text) if not any(word.start() in each for each in taken)]
    if not words:
        return None
    word = rng.choice(words)
    return PlantedError("target", word.start(), word.end(), "minor", category="style/awkward")
