"""The texts that are judged: nonsense as long as sentences are, the same for every contestant and at every time."""

import csv
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

SYSTEM = "Heron"
SYLLABLES = [consonant + vowel for consonant in "bdfghklmnprstvz" for vowel in ("a", "e", "i", "o", "u", "ei", "ü")]
SHORTEST, LONGEST = 8, 32  # words, so that the mean is that of news


class Text(NamedTuple):
    source: str
    translation: str


def texts(count: int) -> list[Text]:
    rng = random.Random(2026)  # noqa: S311 - nonsense needs no secrecy
    return [Text(_sentence(rng), _sentence(rng)) for _ in range(count)]


def write_test_set(path: Path, *, count: int, segments: int) -> None:
    """Documents of so many segments, as `import_test_set` reads them."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream)
        table.writerow(["document", "segment", "source", f"system:{SYSTEM}"])
        table.writerows(_rows(count, segments))


def _rows(count: int, segments: int) -> Iterator[list[str]]:
    for place, text in enumerate(texts(count)):
        document, segment = divmod(place, segments)
        yield [f"d{document:06}", str(segment + 1), *text]


def _sentence(rng: random.Random) -> str:
    words = " ".join(islice(_words(rng), rng.randint(SHORTEST, LONGEST)))
    return f"{words.capitalize()}."


def _words(rng: random.Random) -> Iterator[str]:
    while True:
        yield "".join(rng.choices(SYLLABLES, k=rng.randint(1, 4)))
