"""Pairs of words with a gap in machine code: what BEER counts of them."""

import numpy as np
from numpy.typing import NDArray

from metrics.automatic.compiled.flat import Codes, Flat, Starts
from metrics.automatic.compiled.kernels import inner, kernel

Counts = NDArray[np.int64]
_ABSENT = -1


def shared_pairs(texts: Flat, references: Flat, gaps: Starts) -> Counts:
    """For each text how many pairs of words, at most so many others between them, are in its reference as well.

    Shape:
        Text i has reference i. Returns (n_texts, n_gaps + 2), each pair counted as often as in the one that has it less
        often; in the last two columns how many words are equal at the beginning, and at the end.
    Method:
        For each first word the second ones are counted, so that memory grows with the words and not with the pairs.
    """
    n_words = 1 + max(texts.codes.max(initial=0), references.codes.max(initial=0))
    counts: Counts = _all_shared(
        texts.codes, texts.starts, references.codes, references.starts, gaps, np.full(n_words, _ABSENT, np.int32)
    )
    return counts


@kernel
def _all_shared(
    codes: Codes, starts: Starts, reference_codes: Codes, reference_starts: Starts, gaps: Starts, numbers: Codes
) -> Counts:
    counts = np.zeros((starts.size - 1, gaps.size + 2), np.int64)
    for text in range(starts.size - 1):
        ours = codes[starts[text] : starts[text + 1]].copy()
        theirs = reference_codes[reference_starts[text] : reference_starts[text + 1]].copy()
        shorter = min(ours.size, theirs.size)
        while counts[text, gaps.size] < shorter and ours[counts[text, gaps.size]] == theirs[counts[text, gaps.size]]:
            counts[text, gaps.size] += 1
        end = 0
        while end < shorter and ours[ours.size - 1 - end] == theirs[theirs.size - 1 - end]:
            end += 1
        counts[text, gaps.size + 1] = end
        known = _renumber(ours, theirs, numbers)
        for number in range(gaps.size):
            counts[text, number] = _shared(ours, theirs, known, gaps[number])
    return counts


@inner
def _renumber(ours: Codes, theirs: Codes, numbers: Codes) -> int:
    """Gives the words of this reference the first numbers, and others none; returns how many there are."""
    words, known = theirs.copy(), 0
    for at in range(words.size):
        if numbers[words[at]] == _ABSENT:
            numbers[words[at]] = known
            known += 1
        theirs[at] = numbers[words[at]]
    for at in range(ours.size):
        ours[at] = numbers[ours[at]]
    for word in words:
        numbers[word] = _ABSENT
    return known


@inner
def _shared(ours: Codes, theirs: Codes, known: int, gap: int) -> int:
    shared = 0
    is_ours = np.zeros(known, np.bool_)
    for word in ours:
        if word != _ABSENT:
            is_ours[word] = True
    after, others_after = np.empty(known, np.int64), np.empty(known, np.int64)
    for first in range(known):
        if is_ours[first]:
            after[:] = 0
            others_after[:] = 0
            _count_after(ours, first, gap, after)
            _count_after(theirs, first, gap, others_after)
            for second in range(known):
                shared += min(after[second], others_after[second])
    return shared


@inner
def _count_after(words: Codes, first: int, gap: int, counts: Counts) -> None:
    """How often each word follows the first one, over at most `gap` others."""
    before = 0
    for at in range(words.size):
        left = at - gap - 2
        if left >= 0 and words[left] == first:
            before -= 1
        if words[at] != _ABSENT:
            counts[words[at]] += before
        if words[at] == first:
            before += 1
