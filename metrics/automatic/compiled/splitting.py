"""Texts split into words in machine code, and the words numbered: at blanks, or as a metric says of each character."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from metrics.automatic.compiled.flat import Codes, Flat, Starts, characters
from metrics.automatic.compiled.kernels import inner, kernel

Kinds = NDArray[np.uint8]
# The kinds of characters: one that is a WORD alone joins no other, a LETTER joins letters, a MARK whatever it follows.
SEPARATES, WORD, LETTER, MARK = range(4)
_ABSENT = -1
_SLOTS = 1024
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 by the golden ratio
_HALF = np.uint64(32)


@dataclass(frozen=True)
class Words:
    """The words of one or several lists of texts: in all of them equal numbers for equal words.

    `sides` has each list, by the numbers of the words, in the order of their first appearance. Word i has the
    characters from `begins[i]` to `ends[i]` of `codes`.
    """

    sides: tuple[Flat, ...]
    codes: Codes
    begins: Starts
    ends: Starts

    def written(self) -> list[str]:
        """Each word once, by its number."""
        lengths = self.ends - self.begins
        ends = np.cumsum(lengths)
        places = np.arange(lengths.sum()) + np.repeat(self.begins - ends + lengths, lengths)
        text = self.codes[places].tobytes().decode("utf-32-le", "surrogatepass")
        return [text[end - length : end] for end, length in zip(ends.tolist(), lengths.tolist(), strict=True)]


def words_at_blanks(*sides: Sequence[str]) -> Words:
    """Words as `str.split` has them.

    >>> ours, theirs = words_at_blanks(["to be  or", ""], ["not to"]).sides
    >>> ours.codes.tolist(), ours.starts.tolist(), theirs.codes.tolist()
    ([0, 1, 2], [0, 3, 3], [3, 0])
    """
    return numbered_words(characters([text for side in sides for text in side]), kinds_at_blanks(), *map(len, sides))


@cache
def kinds_at_blanks() -> Kinds:
    kinds = np.full(sys.maxunicode + 1, LETTER, dtype=np.uint8)
    kinds[[code for code in range(0x10000) if chr(code).isspace()]] = SEPARATES  # there are none beyond
    return kinds


def numbered_words(texts: Flat, kinds: Kinds, *n_texts: int) -> Words:
    """The words of all texts, of which the first list has the first `n_texts`, and so on.

    Shape: `kinds` (sys.maxunicode + 1,) has the kind of each character.
    """
    words, starts = np.empty(texts.codes.size, np.int32), np.zeros(texts.starts.size, np.int64)
    known = np.empty((3, texts.codes.size), np.int64)  # what is not written to takes no memory
    slots = np.full(_SLOTS, _ABSENT, np.int32)
    begins, ends, hashes = known
    n_known = _numbered_words(texts.codes, texts.starts, kinds, words, starts, begins, ends, hashes, slots)
    sides = []
    for first, last in pairwise(accumulate(n_texts, initial=0)):
        begin, end = starts[first], starts[last]
        sides.append(Flat(words[begin:end], starts[first : last + 1] - begin))
    return Words(tuple(sides), texts.codes, begins[:n_known], ends[:n_known])


@kernel
def _numbered_words(
    codes: Codes,
    starts: Starts,
    kinds: Kinds,
    words: Codes,
    word_starts: Starts,
    begins: Starts,
    ends: Starts,
    hashes: Starts,
    slots: Codes,
) -> int:
    """Fills the arrays that are given after `kinds`, and returns how many different words there are.

    The loop looks words up itself: a call with so many arrays takes longer than finding the word.
    """
    known = written = 0
    for text in range(starts.size - 1):
        at, end = starts[text], starts[text + 1]
        while at < end:
            kind = kinds[codes[at]]
            begin, mixed = at, np.uint64(codes[at]) * _SPREAD
            at += 1
            if kind in (SEPARATES, MARK):  # a mark is in a word only where it follows a character of it
                continue
            least = LETTER if kind == LETTER else MARK
            while at < end and kinds[codes[at]] >= least:
                mixed = (mixed ^ np.uint64(codes[at])) * _SPREAD
                at += 1
            mixed ^= mixed >> _HALF
            key = np.int64(mixed)
            slot = mixed & np.uint64(slots.size - 1)
            word = slots[slot]
            while word != _ABSENT:
                if hashes[word] == key and ends[word] - begins[word] == at - begin:
                    place, other = begin, begins[word]
                    while place < at and codes[place] == codes[other]:
                        place += 1
                        other += 1
                    if place == at:
                        break
                slot = (slot + np.uint64(1)) & np.uint64(slots.size - 1)
                word = slots[slot]
            if word == _ABSENT:
                word, slots[slot] = known, known
                begins[known], ends[known], hashes[known] = begin, at, key
                known += 1
                if 2 * known > slots.size:
                    slots = _with_more_slots(4 * slots.size, hashes, known)
            words[written] = word
            written += 1
        word_starts[text + 1] = written
    return known


@inner
def _with_more_slots(size: int, hashes: Starts, known: int) -> Codes:
    slots, mask = np.empty(size, np.int32), np.uint64(size - 1)
    for slot in range(size):
        slots[slot] = _ABSENT
    for word in range(known):
        place = np.uint64(hashes[word]) & mask
        while slots[place] != _ABSENT:
            place = (place + np.uint64(1)) & mask
        slots[place] = word
    return slots
