"""Texts split into words in machine code, as `words_of` in rouge.py does it, and the words numbered."""

import numpy as np
from numpy.typing import NDArray

from metrics.automatic.compiled.flat import Codes, Flat, Starts
from metrics.automatic.compiled.kernels import inner, kernel

Kinds = NDArray[np.uint8]
SEPARATES, LETTER, MARK, WORD = range(4)  # the kinds of characters: one that is a WORD alone joins no other
_ABSENT = -1
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 by the golden ratio
_HALF = np.uint64(32)


def numbered_words(texts: Flat, kinds: Kinds) -> Flat:
    """For each text its words: equal numbers for equal words, in the order of their first appearance.

    Shape: `kinds` (n_codes,) has the kind of each character by its code.
    """
    words, starts = _numbered_words(texts.codes, texts.starts, kinds)
    return Flat(words, starts)


@kernel
def _numbered_words(codes: Codes, starts: Starts, kinds: Kinds) -> tuple[Codes, Starts]:
    lengths, count = _lengths(codes, starts, kinds)
    size = 16
    while size < 2 * count:
        size *= 2
    slots, firsts = np.full(size, _ABSENT, np.int32), np.empty(count, np.int64)
    words, word_starts = np.empty(count, np.int32), np.zeros(starts.size, np.int64)
    known = written = 0
    for text in range(starts.size - 1):
        for at in range(starts[text], starts[text + 1]):
            if lengths[at]:
                slot = _slot(at, codes, lengths, slots, firsts)
                if slots[slot] == _ABSENT:
                    slots[slot], firsts[known] = known, at
                    known += 1
                words[written] = slots[slot]
                written += 1
        word_starts[text + 1] = written
    return words, word_starts


@inner
def _lengths(codes: Codes, starts: Starts, kinds: Kinds) -> tuple[Codes, int]:
    """Where a word begins, how many characters it has, elsewhere 0; and how many words there are."""
    lengths, count = np.zeros(codes.size, np.int32), 0
    for text in range(starts.size - 1):
        begin = _ABSENT
        for at in range(starts[text], starts[text + 1]):
            kind = kinds[codes[at]]
            if kind == SEPARATES:
                begin = _ABSENT
            elif kind == WORD or (kind == LETTER and (begin == _ABSENT or kinds[codes[begin]] == WORD)):
                begin = at
                count += 1
            if begin != _ABSENT:
                lengths[begin] += 1
    return lengths, count


@inner
def _slot(at: int, codes: Codes, lengths: Codes, slots: Codes, firsts: Starts) -> int:
    """Where the word that begins at this place is, or the empty slot where it would be."""
    mixed = np.uint64(0)
    for place in range(at, at + lengths[at]):
        mixed = (mixed ^ np.uint64(codes[place])) * _SPREAD
        mixed ^= mixed >> _HALF
    mask = np.uint64(slots.size - 1)
    slot = mixed & mask
    while slots[slot] != _ABSENT and not _are_equal(at, firsts[slots[slot]], codes, lengths):
        slot = (slot + np.uint64(1)) & mask
    return int(slot)


@inner
def _are_equal(at: int, other: int, codes: Codes, lengths: Codes) -> bool:
    if lengths[at] != lengths[other]:
        return False
    for place in range(lengths[at]):  # noqa: SIM110 - compiled code has no all()
        if codes[at + place] != codes[other + place]:
            return False
    return True
