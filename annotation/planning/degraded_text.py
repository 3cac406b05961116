"""Degraded text: the planted damage that an attentive annotator marks down."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from unicodedata import normalize

from annotation.planning.text_units import character_ranges, has_spaced_words, word_ranges

DRAWS = 24
PUNCTUATION = ".,;:!?…\"'“”„‘’«»()[]{}¿¡。、，！？；：「」（）،؛؟"


def degrade(text: str, donors: Sequence[str], rng: random.Random, *, language: str) -> str | None:
    """The text with one phrase replaced by a phrase of the same length from elsewhere in the data.

    The recipe of the Conferences on Machine Translation: of 1 word 1 is replaced, of 2 to 5 words 2, of 6 to 8 words
    3, of 9 to 15 words 4, of 16 to 20 words 5, of more a quarter, rounded down. Wherever there is room for it (from
    four words on) the first and the last word stay, so that a glance at the edges gives nothing away. The replacement
    is a run of words of one donor, from its inside if it can be, and of a few drawn the one that has least in common
    with what it replaces; it always differs by more than case and punctuation. In Chinese, Japanese, Thai, Khmer, Lao
    and Burmese, written without spaces, characters as readers see them count instead of words; none is ever cut or
    joined to another.

    `donors` should be translations of *other* segments into the same language; a donor equal to the text gives
    nothing. When none is long enough, a phrase may run on from one donor into the next. None when nothing can be
    replaced: an empty text, or no donor with anything different to give.

    Source: Y. Graham, T. Baldwin, A. Moffat, J. Zobel, "Can machine translation systems be evaluated by the crowd
    alone", Natural Language Engineering 23(1), 2017; the table of lengths as in O. Bojar et al., "Findings of the 2016
    Conference on Machine Translation", and in the Findings up to 2022.

    >>> degrade("The cat sat on the mat.", ["Rivers carry very old boats."], random.Random(1), language="en")
    'The carry very old the mat.'
    """
    writing = _Writing(has_spaced_words(language))
    units = writing.ranges(text)
    if not units or not donors:
        return None
    length = words_to_replace(len(units))
    inset = 1 if len(units) >= length + 2 else 0
    starts = range(inset, len(units) - length - inset + 1)
    for start in rng.sample(starts, len(starts)):
        wound = _Wound(text, units[start : start + length], writing)
        made = wound.filled(_phrases(_Donors(text, donors, writing, rng), length))
        if made is not None:
            return made
    return None


def words_to_replace(length: int) -> int:
    """How many of so many words are replaced, by the table of the Findings."""
    for most, replaced in ((1, 1), (5, 2), (8, 3), (15, 4), (20, 5)):
        if length <= most:
            return replaced
    return length // 4


@dataclass(frozen=True)
class _Writing:
    has_spaces: bool

    def ranges(self, text: str) -> list[tuple[int, int]]:
        return word_ranges(text) if self.has_spaces else character_ranges(text)

    def units(self, text: str) -> list[str]:
        return [text[start:end] for start, end in self.ranges(text)]

    def joined(self, units: Sequence[str]) -> str:
        return (" " if self.has_spaces else "").join(units)


class _Wound:
    """The place of a text whose phrase is to be replaced."""

    def __init__(self, text: str, ranges: Sequence[tuple[int, int]], writing: _Writing) -> None:
        self.writing = writing
        self.head, self.tail = text[: ranges[0][0]], text[ranges[-1][1] :]
        self.lost = _compared(text[start:end] for start, end in ranges)

    def filled(self, phrases: Iterator[list[str]]) -> str | None:
        """The text with the best of the first phrases, or with the first that will do at all."""
        best, least = None, len(self.lost) + 1
        for drawn, phrase in enumerate(phrases, start=1):
            units = _compared(phrase)
            shared = sum((Counter(units) & Counter(self.lost)).values())
            if units != self.lost and shared < least and (made := self._made(phrase)) is not None:
                best, least = made, shared
            if best is not None and (least == 0 or drawn >= DRAWS):
                break
        return best

    def _made(self, phrase: list[str]) -> str | None:
        """None when a piece would merge with its neighbour, as a flag's letters would."""
        made = self.head + self.writing.joined(phrase) + self.tail
        pieces = [*self.writing.units(self.head), *phrase, *self.writing.units(self.tail)]
        return made if self.writing.units(made) == pieces else None


def _compared(units: Iterator[str] | Sequence[str]) -> list[str]:
    folded = (normalize("NFC", unit).casefold() for unit in units)
    return [unit.strip(PUNCTUATION) or unit for unit in folded]


@dataclass(frozen=True)
class _Donors:
    text: str
    donors: Sequence[str]
    writing: _Writing
    rng: random.Random

    def one(self) -> list[str]:
        donor = self.donors[self.rng.randrange(len(self.donors))]
        return [] if donor == self.text else self.writing.units(donor)

    def run_on(self, length: int) -> list[str]:
        units: list[str] = []
        for _ in range(2 * length):
            units += self.one()
            if len(units) >= length:
                break
        return units

    def all(self) -> list[str]:
        mixed = self.rng.sample(self.donors, len(self.donors))
        return [unit for donor in mixed if donor != self.text for unit in self.writing.units(donor)]

    def drawn_from(self, units: list[str], length: int) -> Iterator[list[str]]:
        """A run of this length, from the inside if possible; none when there are too few units."""
        inset = 1 if len(units) >= length + 2 else 0
        if len(units) >= length:
            start = self.rng.randrange(inset, len(units) - length - inset + 1)
            yield units[start : start + length]


def _phrases(donors: _Donors, length: int) -> Iterator[list[str]]:
    """Phrases of single donors, then of donors run together, drawn by chance; at last all there are."""
    for _ in range(DRAWS):
        yield from donors.drawn_from(donors.one(), length)
    for _ in range(DRAWS):
        yield from donors.drawn_from(donors.run_on(length), length)
    everything = donors.all()
    for start in range(len(everything) - length + 1):
        yield everything[start : start + length]
