"""Distances of characters in machine code: EED and CharacTER of many pairs at once, as eed.py and character.py have it.

Every pair is a text and one of its references, those of `groups[i]` to `groups[i + 1]` for text i.
"""

import numpy as np
from numpy.typing import NDArray

from metrics.automatic.compiled.flat import Codes, Flat, Starts
from metrics.automatic.compiled.kernels import inner, kernel

Distances = NDArray[np.float64]
_BLANK = 32


def extended_distances(
    texts: Flat, references: Flat, groups: Starts, *, alpha: float, rho: float, deletion: float, insertion: float
) -> Distances:
    """EED of each pair, from 0 to 1. Shape: (n_references,)."""
    distances: Distances = _extended_distances(
        texts.codes, texts.starts, references.codes, references.starts, groups, alpha, rho, deletion, insertion
    )
    return distances


@kernel
def _extended_distances(
    codes: Codes,
    starts: Starts,
    reference_codes: Codes,
    reference_starts: Starts,
    groups: Starts,
    alpha: float,
    rho: float,
    deletion: float,
    insertion: float,
) -> Distances:
    distances = np.zeros(reference_starts.size - 1)
    for text in range(starts.size - 1):
        ours = codes[starts[text] : starts[text + 1]]
        for reference in range(groups[text], groups[text + 1]):
            theirs = reference_codes[reference_starts[reference] : reference_starts[reference + 1]]
            distances[reference] = _extended_distance(ours, theirs, alpha, rho, deletion, insertion)
    return distances


@inner
def _extended_distance(
    ours: Codes, theirs: Codes, alpha: float, rho: float, deletion: float, insertion: float
) -> float:
    visits = np.full(ours.size + 1, -1, np.int64)
    row, following = np.ones(ours.size + 1), np.empty(ours.size + 1)
    row[0] = 0.0
    for at in range(theirs.size):
        left = row[0] + 1.0
        following[0] = cheapest = left
        visited = 0
        for place in range(ours.size):
            differs = 1.0 if ours[place] != theirs[at] else 0.0
            left = min(left + deletion, row[place] + differs, row[place + 1] + insertion)
            following[place + 1] = left
            if left < cheapest:
                cheapest, visited = left, place + 1
        visits[visited] += 1
        if theirs[at] == _BLANK:
            for place in range(following.size):
                following[place] = min(following[place], alpha + cheapest)
        row, following = following, row
    count = 0
    for place in range(visits.size):
        count += visits[place] if visits[place] >= 0 else 1
    coverage = rho * count
    length = theirs.size + coverage
    return float(min(1.0, (row[ours.size] + coverage) / length)) if length else 0.0


def character_rates(texts: Flat, references: Flat, groups: Starts, spelled: Flat) -> Distances:
    """CharacTER of each pair, from 0 to 1. Shape: (n_references,).

    Texts are numbers of words; the characters of word i are text i of `spelled`. A smaller number is an earlier word.
    """
    rates: Distances = _character_rates(
        texts.codes, texts.starts, references.codes, references.starts, groups, spelled.codes, spelled.starts
    )
    return rates


@kernel
def _character_rates(
    codes: Codes,
    starts: Starts,
    reference_codes: Codes,
    reference_starts: Starts,
    groups: Starts,
    letters: Codes,
    spelled: Starts,
) -> Distances:
    rates = np.zeros(reference_starts.size - 1)
    for text in range(starts.size - 1):
        words = codes[starts[text] : starts[text + 1]]
        for reference in range(groups[text], groups[text + 1]):
            others = reference_codes[reference_starts[reference] : reference_starts[reference + 1]]
            if words.size == 0 or others.size == 0:
                rates[reference] = 0.0 if words.size == others.size else 1.0
                continue
            shifted = _shifted(words, others)
            joined = _joined(shifted, letters, spelled)
            edits = _edit_distance(joined, _joined(others, letters, spelled)) + _cost_of_shifts(words, shifted, spelled)
            rates[reference] = min(1.0, edits / joined.size)
    return rates


@inner
def _edit_distance(first: Codes, second: Codes) -> int:
    row = np.arange(second.size + 1)
    for at in range(first.size):
        diagonal, row[0] = row[0], at + 1
        for to in range(second.size):
            replaced = diagonal + (1 if first[at] != second[to] else 0)
            diagonal = row[to + 1]
            row[to + 1] = min(replaced, diagonal + 1, row[to] + 1)
    return int(row[second.size])


@inner
def _shifted(words: Codes, reference: Codes) -> Codes:
    """The words after every shift that saved word edits, the greatest saving first; of equal ones the last by name."""
    words = words.copy()
    candidate, best = words.copy(), words.copy()
    edits = _edit_distance(words, reference)
    while edits > 0:
        left = edits
        for start in range(words.size):
            for target in range(reference.size):
                if start == target or words[start] != reference[target]:
                    continue
                length = _common_prefix(words, start, reference, target)
                _move(words, start, length, target, candidate)
                saved = _edit_distance(candidate, reference)
                if saved < left or (saved == left < edits and _is_later(candidate, best)):
                    left = saved
                    for at in range(words.size):
                        best[at] = candidate[at]
        if left >= edits:
            break
        edits = left
        for at in range(words.size):
            words[at] = best[at]
    return words


@inner
def _common_prefix(first: Codes, at: int, second: Codes, to: int) -> int:
    length = 0
    while at + length < first.size and to + length < second.size and first[at + length] == second[to + length]:
        length += 1
    return length


@inner
def _move(words: Codes, start: int, length: int, target: int, moved: Codes) -> None:
    """Takes the run out, and puts it before place `target` of the rest, or at its end."""
    rest = words.size - length
    before = min(target, rest)
    for at in range(rest):
        word = words[at] if at < start else words[at + length]
        moved[at if at < before else at + length] = word
    for at in range(length):
        moved[before + at] = words[start + at]


@inner
def _is_later(first: Codes, second: Codes) -> bool:
    for at in range(first.size):
        if first[at] != second[at]:
            return bool(first[at] > second[at])
    return False


@inner
def _cost_of_shifts(before: Codes, after: Codes, spelled: Starts) -> float:
    """The sum, over runs that are further right than before, of the mean length of their words."""
    cost, place = 0.0, 0
    while place < before.size:
        length = 1
        if before[place] != after[place]:
            later = place + 1
            while later < after.size and after[later] != before[place]:
                later += 1
            if later < after.size:
                length = _common_prefix(before, place, after, later)
                letters = 0
                for at in range(place, place + length):
                    letters += spelled[before[at] + 1] - spelled[before[at]]
                cost += letters / length
        place += length
    return cost


@inner
def _joined(words: Codes, letters: Codes, spelled: Starts) -> Codes:
    """Characters with a blank between words."""
    size = words.size - 1
    for word in words:
        size += spelled[word + 1] - spelled[word]
    joined, to = np.full(size, _BLANK, np.int32), 0
    for word in words:
        for at in range(spelled[word], spelled[word + 1]):
            joined[to] = letters[at]
            to += 1
        to += 1
    return joined
