"""How a simulated annotator marks errors: some are overlooked, some imagined; bounds and severities vary."""

import random
import re
from collections.abc import Sequence
from dataclasses import replace

from demo.campaign import Look, SeenText
from demo.planted import PlantedError

NOTICED = {"minor": 0.66, "major": 0.93}
LENIENCE = 40.0  # of a manner's bias: so many points more generous is to notice nothing
WIDENED, SLIPPED, TAKEN_FOR, FANCIED = 0.15, 0.12, 0.3, 0.1
WHOLE_TEXT = "non-translation"
_WORDS = re.compile(r"\w+")


def marked(look: Look, text: SeenText, planted: Sequence[PlantedError]) -> list[PlantedError]:
    """In the order of the text, those in the source first. Who does not read sees nothing wrong."""
    if look.manner.is_careless:
        return []
    rng = look.rng
    if any(error.category == WHOLE_TEXT for error in planted):
        return list(planted)
    seen = [_seen(error, text.text, rng) for error in planted if rng.random() < _chance(look, error)]
    if rng.random() < FANCIED and (fancied := _fancied(text.text, seen, rng)):
        seen.append(fancied)
    return sorted(seen, key=lambda error: (error.side, error.start, error.end))


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
    """A word that is right, found clumsy."""
    taken = [range(error.start, error.end) for error in seen if error.side == "target"]
    words = [word for word in _WORDS.finditer(text) if not any(word.start() in each for each in taken)]
    if not words:
        return None
    word = rng.choice(words)
    return PlantedError("target", word.start(), word.end(), "minor", category="style/awkward")
