"""Common substrings and subsequences in machine code: YiSi-0's likeness of every two words, and ROUGE-L's matches."""

import numpy as np
from numpy.typing import NDArray

from metrics.automatic.compiled.flat import Codes, Flat, Starts
from metrics.automatic.compiled.kernels import inner, kernel

Likenesses = NDArray[np.float64]
Counts = NDArray[np.int64]


def likenesses(words: Codes, others: Codes, written: Flat) -> Likenesses:
    """As `likeness` in yisi_0.py of each word and each of the others. Shape: (n_words, n_others).

    `written` has the bytes of each word, by its number.
    """
    alike: Likenesses = _likenesses(words, others, written.codes, written.starts)
    return alike


@kernel
def _likenesses(words: Codes, others: Codes, codes: Codes, starts: Starts) -> Likenesses:
    alike = np.ones((words.size, others.size))
    longest = 0
    for other in others:
        longest = max(longest, starts[other + 1] - starts[other])
    row = np.empty(longest + 1, np.int64)
    for at in range(words.size):
        one = codes[starts[words[at]] : starts[words[at] + 1]]
        for to in range(others.size):
            if words[at] != others[to]:
                other_one = codes[starts[others[to]] : starts[others[to] + 1]]
                alike[at, to] = 2 * _common_substring(one, other_one, row) / (one.size + other_one.size)
    return alike


@inner
def _common_substring(one: Codes, other: Codes, row: Starts) -> int:
    """The length of the longest. `row` is overwritten: at each place how much of both is equal up to it."""
    longest = 0
    row[: other.size + 1] = 0
    for code in one:
        for place in range(other.size, 0, -1):
            if code == other[place - 1]:
                row[place] = row[place - 1] + 1
                longest = max(longest, row[place])
            else:
                row[place] = 0
    return longest


def common_subsequences(texts: Flat, references: Flat) -> Counts:
    """The length of the longest common subsequence of text i and reference i. Shape: (n_texts,)."""
    counts: Counts = _common_subsequences(texts.codes, texts.starts, references.codes, references.starts)
    return counts


@kernel
def _common_subsequences(codes: Codes, starts: Starts, reference_codes: Codes, reference_starts: Starts) -> Counts:
    counts, longest = np.zeros(starts.size - 1, np.int64), 0
    for text in range(starts.size - 1):
        longest = max(longest, reference_starts[text + 1] - reference_starts[text])
    row = np.empty(longest + 1, np.int32)
    for text in range(starts.size - 1):
        others = reference_codes[reference_starts[text] : reference_starts[text + 1]]
        row[: others.size + 1] = 0
        for at in range(starts[text], starts[text + 1]):
            diagonal = 0
            for place in range(others.size):
                above = row[place + 1]
                row[place + 1] = diagonal + 1 if codes[at] == others[place] else max(above, row[place])
                diagonal = above
        counts[text] = row[others.size]
    return counts
