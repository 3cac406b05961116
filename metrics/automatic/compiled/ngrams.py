"""Sequences of items that a text shares with its references, of each length: what chrF and BLEU count."""

import numpy as np
from numpy.typing import NDArray

from metrics.automatic.compiled.flat import Codes, Flat, Starts
from metrics.automatic.compiled.kernels import inner, kernel

Counts = NDArray[np.int64]
Slots = NDArray[np.int64]
_ABSENT = -1
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 by the golden ratio: neighbours get slots far from one another
_CODES = 2**31  # every code is below


def shared_ngrams(texts: Flat, references: Flat, groups: Starts, longest: int) -> Counts:
    """For each text how many of its n-grams are in a reference, each as often as in the one that has most of it.

    Shape:
        Text i has the references from `groups[i]` to `groups[i + 1]`. Returns (n_texts, longest), column n − 1 for
        n-grams of n items.
    Method:
        An n-gram is numbered by the number of its first n − 1 items and its last item, so that equal numbers are equal
        sequences: no two are confused, as hashes of them could be.
    """
    counts: Counts = _shared(texts.codes, texts.starts, references.codes, references.starts, groups, longest)
    return counts


@kernel
def _shared(
    codes: Codes, starts: Starts, reference_codes: Codes, reference_starts: Starts, groups: Starts, longest: int
) -> Counts:
    counts = np.zeros((starts.size - 1, longest), np.int64)
    for text in range(starts.size - 1):
        first, last = groups[text], groups[text + 1]
        items = codes[starts[text] : starts[text + 1]]
        most = longest * (reference_starts[last] - reference_starts[first])
        size = 16
        while size < 2 * most:
            size *= 2
        keys, numbers = np.empty(size, np.int64), np.full(size, _ABSENT, np.int32)
        seen, allowed = np.zeros(most, np.int32), np.zeros(most, np.int32)
        known = 0
        for reference in range(first, last):
            others = reference_codes[reference_starts[reference] : reference_starts[reference + 1]]
            known = _count_reference(others, longest, keys, numbers, known, seen)
            for number in range(known):
                allowed[number] = max(allowed[number], seen[number])
                seen[number] = 0
        _count_text(items, longest, keys, numbers, seen, allowed, counts[text])
    return counts


@inner
def _count_reference(items: Codes, longest: int, keys: Slots, numbers: Codes, known: int, seen: Codes) -> int:
    """Numbers the n-grams of a reference and counts them; returns how many numbers there are now."""
    prefixes = np.full(items.size, _ABSENT, np.int64)
    for length in range(1, longest + 1):
        for start in range(items.size - length + 1):
            key = (prefixes[start] + 1) * _CODES + items[start + length - 1]
            slot = _slot(key, keys, numbers)
            if numbers[slot] == _ABSENT:
                keys[slot], numbers[slot] = key, known
                known += 1
            prefixes[start] = numbers[slot]
            seen[numbers[slot]] += 1
    return known


@inner
def _count_text(
    items: Codes, longest: int, keys: Slots, numbers: Codes, seen: Codes, allowed: Codes, counts: Counts
) -> None:
    """Adds to `counts` what the text shares. What does not begin like an n-gram of a reference is not one."""
    prefixes = np.full(items.size, _ABSENT, np.int64)
    for length in range(1, longest + 1):
        for start in range(items.size - length + 1):
            if length > 1 and prefixes[start] == _ABSENT:
                continue
            key = (prefixes[start] + 1) * _CODES + items[start + length - 1]
            number = numbers[_slot(key, keys, numbers)]
            prefixes[start] = number
            if number != _ABSENT and seen[number] < allowed[number]:
                seen[number] += 1
                counts[length - 1] += 1


@inner
def _slot(key: int, keys: Slots, numbers: Codes) -> int:
    """Where the key is, or the empty slot where it would be."""
    mask = np.uint64(keys.size - 1)
    slot = (np.uint64(key) * _SPREAD >> np.uint64(38)) & mask  # the upper half: every bit of the key is in it
    while numbers[slot] != _ABSENT and keys[slot] != key:
        slot = (slot + np.uint64(1)) & mask
    return int(slot)
