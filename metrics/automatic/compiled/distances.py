"""Edit distances in machine code: a column of the table at a time, 64 rows in a number, as in sequences.py."""

import numpy as np
from numpy.typing import NDArray

from metrics.automatic.compiled.flat import Codes, Flat, Starts
from metrics.automatic.compiled.kernels import inner, kernel

Edits = NDArray[np.int64]
Bits = NDArray[np.uint64]
Steps = NDArray[np.int8]
_ONE = np.uint64(1)
_ROWS = 64


def edit_distances(texts: Flat, references: Flat, groups: Starts) -> Edits:
    """The edits of each text to each of its references, those of `groups[i]` to `groups[i + 1]` for text i.

    Shape: (n_references,).
    """
    edits: Edits = _edit_distances(texts.codes, texts.starts, references.codes, references.starts, groups)
    return edits


@kernel
def _edit_distances(
    codes: Codes, starts: Starts, reference_codes: Codes, reference_starts: Starts, groups: Starts
) -> Edits:
    edits, largest = np.zeros(reference_starts.size - 1, np.int64), 0
    for code in codes:
        largest = max(largest, code)
    for code in reference_codes:
        largest = max(largest, code)
    places = np.zeros(largest + 1, np.uint64)
    for text in range(starts.size - 1):
        words = codes[starts[text] : starts[text + 1]]
        for reference in range(groups[text], groups[text + 1]):
            others = reference_codes[reference_starts[reference] : reference_starts[reference + 1]]
            edits[reference] = edit_distance(words, others, places, np.zeros(words.size, np.int8))
    return edits


@inner
def edit_distance(text: Codes, reference: Codes, places: Bits, steps: Steps) -> int:
    """`places`, for each item, must be 0, and is 0 again afterwards.

    `steps` is overwritten: from each column to the next, in the row above a block. Shape: at least (text.size,).
    Beginnings and ends that are equal need no table.
    """
    begin, end, bottom = 0, text.size, reference.size
    while begin < end and begin < bottom and text[begin] == reference[begin]:
        begin += 1
    while begin < end and begin < bottom and text[end - 1] == reference[bottom - 1]:
        end -= 1
        bottom -= 1
    for column in range(begin, end):
        steps[column] = 1
    for first in range(begin, bottom, _ROWS):
        last = min(first + _ROWS, bottom)
        for row in range(first, last):
            places[reference[row]] |= _ONE << np.uint64(row - first)
        up, down, lowest = ~np.uint64(0), np.uint64(0), np.uint64(last - first - 1)
        for column in range(begin, end):
            equal, above = places[text[column]], steps[column]
            vertical = equal | down
            if above < 0:
                equal |= _ONE
            diagonal = (((equal & up) + up) ^ up) | equal
            more, less = down | ~(diagonal | up), up & diagonal
            steps[column] = np.int64(more >> lowest & _ONE) - np.int64(less >> lowest & _ONE)
            more, less = more << _ONE | np.uint64(above > 0), less << _ONE | np.uint64(above < 0)
            up, down = less | ~(vertical | more), more & vertical
        for row in range(first, last):
            places[reference[row]] = np.uint64(0)
    distance = bottom - begin
    for column in range(begin, end):
        distance += steps[column]
    return int(distance)
