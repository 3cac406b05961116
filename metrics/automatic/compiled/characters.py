"""Distances of characters in machine code: EED and CharacTER of many pairs at once, as eed.py and character.py have it.

Every pair is a text and one of its references, those of `groups[i]` to `groups[i + 1]` for text i.
"""

import numpy as np
from numpy.typing import NDArray

from metrics.automatic.compiled.flat import Codes, Flat, Starts
from metrics.automatic.compiled.kernels import inner, kernel

Distances = NDArray[np.float64]
Bits = NDArray[np.uint64]
_BLANK = 32
_ABSENT = -1
_ONE, _TOP = np.uint64(1), np.uint64(63)


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
    rates, largest = np.zeros(reference_starts.size - 1), _BLANK
    for letter in letters:
        largest = max(largest, letter)
    numbers, letter_numbers = np.full(spelled.size, _ABSENT, np.int32), np.full(largest + 1, _ABSENT, np.int32)
    for text in range(starts.size - 1):
        words = codes[starts[text] : starts[text + 1]]
        for reference in range(groups[text], groups[text + 1]):
            others = reference_codes[reference_starts[reference] : reference_starts[reference + 1]]
            if words.size == 0 or others.size == 0:
                rates[reference] = 0.0 if words.size == others.size else 1.0
                continue
            shifted = _shifted(words, others, numbers)
            joined, other_letters = _joined(shifted, letters, spelled), _joined(others, letters, spelled)
            places = _places(other_letters, letter_numbers)
            rows = np.empty((2, places.shape[1]), np.uint64)
            edits = _edit_distance(joined, other_letters.size, letter_numbers, places, rows)
            _forget(other_letters, letter_numbers)
            rates[reference] = min(1.0, (edits + _cost_of_shifts(words, shifted, spelled)) / joined.size)
    return rates


@inner
def _places(reference: Codes, numbers: Codes) -> Bits:
    """Numbers the items of the reference; for each number the places where it is, as bits. Shape: (n_items, n_blocks).

    `numbers` of all items must be absent before, and be forgotten afterwards.
    """
    places, known = np.zeros((reference.size, (reference.size + 63) // 64), np.uint64), 0
    for at in range(reference.size):
        if numbers[reference[at]] == _ABSENT:
            numbers[reference[at]] = known
            known += 1
        places[numbers[reference[at]], at >> 6] |= _ONE << np.uint64(at & 63)
    return places


@inner
def _forget(reference: Codes, numbers: Codes) -> None:
    for item in reference:
        numbers[item] = _ABSENT


@inner
def _edit_distance(text: Codes, size: int, numbers: Codes, places: Bits, rows: Bits) -> int:
    """To the reference of this size, a column of the table at a time, 64 rows in a number (as in sequences.py).

    `rows` is overwritten: where a column rises, and where it falls. Shape: (2, n_blocks).
    """
    n_blocks, distance = places.shape[1], size
    for block in range(n_blocks):
        rows[0, block], rows[1, block] = ~np.uint64(0), np.uint64(0)
    last = np.uint64((size - 1) & 63)
    for item in text:
        number = numbers[item]
        up_in, down_in = _ONE, np.uint64(0)  # of the row above: each item more is one edit more
        for block in range(n_blocks):
            equal = places[number, block] if number != _ABSENT else np.uint64(0)
            up, down = rows[0, block], rows[1, block]
            vertical = equal | down
            equal |= down_in
            diagonal = (((equal & up) + up) ^ up) | equal
            more, less = down | ~(diagonal | up), up & diagonal
            if block == n_blocks - 1:
                distance += int(more >> last & _ONE) - int(less >> last & _ONE)
            more_out, less_out = more >> _TOP, less >> _TOP
            more, less = (more << _ONE) | up_in, (less << _ONE) | down_in
            up_in, down_in = more_out, less_out
            rows[0, block], rows[1, block] = less | ~(vertical | more), more & vertical
    return int(distance)


@inner
def _shifted(words: Codes, reference: Codes, numbers: Codes) -> Codes:
    """The words after every shift that saved word edits, the greatest saving first; of equal ones the last by name."""
    words = words.copy()
    candidate, best = words.copy(), words.copy()
    places = _places(reference, numbers)
    rows = np.empty((2, places.shape[1]), np.uint64)
    edits = _edit_distance(words, reference.size, numbers, places, rows)
    while edits > 0:
        left = edits
        for start in range(words.size):
            for target in range(reference.size):
                if start == target or words[start] != reference[target]:
                    continue
                length = _common_prefix(words, start, reference, target)
                _move(words, start, length, target, candidate)
                saved = _edit_distance(candidate, reference.size, numbers, places, rows)
                if saved < left or (saved == left < edits and _is_later(candidate, best)):
                    left = saved
                    for at in range(words.size):
                        best[at] = candidate[at]
        if left >= edits:
            break
        edits = left
        for at in range(words.size):
            words[at] = best[at]
    _forget(reference, numbers)
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
