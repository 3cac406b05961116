"""CharacTER of many pairs at once in machine code, as character.py has it."""

import numpy as np
from numpy.typing import NDArray

from metrics.automatic.compiled.distances import Bits, edit_distance
from metrics.automatic.compiled.flat import Codes, Starts
from metrics.automatic.compiled.kernels import inner, kernel
from metrics.automatic.compiled.splitting import Words

Rates = NDArray[np.float64]
_BLANK = 32


def character_rates(words: Words, groups: Starts) -> Rates:
    """CharacTER of each text and its references, those of `groups[i]` to `groups[i + 1]` for text i.

    Shape: `words` has two sides. Returns (n_references,), from 0 to 1.
    """
    texts, references = words.sides
    rates: Rates = _character_rates(
        texts.codes, texts.starts, references.codes, references.starts, groups, words.codes, words.begins, words.ends
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
    begins: Starts,
    ends: Starts,
) -> Rates:
    rates, largest = np.zeros(reference_starts.size - 1), _BLANK
    for letter in letters:
        largest = max(largest, letter)
    places, letter_places = np.zeros(begins.size, np.uint64), np.zeros(largest + 1, np.uint64)
    counts = np.zeros(begins.size, np.int32)
    for text in range(starts.size - 1):
        words = codes[starts[text] : starts[text + 1]]
        for reference in range(groups[text], groups[text + 1]):
            others = reference_codes[reference_starts[reference] : reference_starts[reference + 1]]
            if words.size == 0 or others.size == 0:
                rates[reference] = 0.0 if words.size == others.size else 1.0
                continue
            least = max(words.size, others.size) - _shared(words, others, counts)
            shifted = _shifted(words, others, least, places, letters, begins, ends)
            joined, other_letters = _joined(shifted, letters, begins, ends), _joined(others, letters, begins, ends)
            edits = edit_distance(joined, other_letters, letter_places, np.zeros(joined.size, np.int8))
            rates[reference] = min(1.0, (edits + _cost_of_shifts(words, shifted, begins, ends)) / joined.size)
    return rates


@inner
def _shared(words: Codes, reference: Codes, counts: Codes) -> int:
    """How many words both have, wherever. `counts`, for each word, must be 0, and is 0 again afterwards."""
    shared = 0
    for word in reference:
        counts[word] += 1
    for word in words:
        shared += counts[word] > 0
        counts[word] -= 1
    for word in reference:
        counts[word] = 0
    for word in words:
        counts[word] = 0
    return int(shared)


@inner
def _shifted(
    words: Codes, reference: Codes, least: int, places: Bits, letters: Codes, begins: Starts, ends: Starts
) -> Codes:
    """The words after every shift that saved word edits, the greatest saving first; of equal ones the last by name.

    With the words it has, no order has fewer than `least` edits; and a shift saves at most two for each word that it
    moves, or that it moves them past: what cannot save as much as the best so far is not tried.
    """
    words = words.copy()
    candidate, best, steps = words.copy(), words.copy(), np.zeros(words.size, np.int8)
    edits = edit_distance(words, reference, places, steps)
    while edits > least:
        left = edits
        for start in range(words.size):
            word = words[start]
            for target in range(reference.size):
                if reference[target] != word or start == target:
                    continue
                length = _common_prefix(words, start, reference, target)
                reachable = max(least, edits - 2 * min(length, abs(target - start)))
                if reachable > left:
                    continue
                _move(words, start, length, target, candidate)
                saved = edit_distance(candidate, reference, places, steps)
                if saved < left or (saved == left < edits and _is_later(candidate, best, letters, begins, ends)):
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
def _is_later(first: Codes, second: Codes, letters: Codes, begins: Starts, ends: Starts) -> bool:
    at = 0
    while at < first.size and first[at] == second[at]:
        at += 1
    if at == first.size:
        return False
    one, other = begins[first[at]], begins[second[at]]
    one_end, other_end = ends[first[at]], ends[second[at]]
    while one < one_end and other < other_end and letters[one] == letters[other]:
        one += 1
        other += 1
    return bool(one < one_end and (other == other_end or letters[one] > letters[other]))


@inner
def _cost_of_shifts(before: Codes, after: Codes, begins: Starts, ends: Starts) -> float:
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
                count = 0
                for at in range(place, place + length):
                    count += ends[before[at]] - begins[before[at]]
                cost += count / length
        place += length
    return cost


@inner
def _joined(words: Codes, letters: Codes, begins: Starts, ends: Starts) -> Codes:
    """Characters with a blank between words."""
    size = words.size - 1
    for word in words:
        size += ends[word] - begins[word]
    joined, to = np.full(size, _BLANK, np.int32), 0
    for word in words:
        for at in range(begins[word], ends[word]):
            joined[to] = letters[at]
            to += 1
        to += 1
    return joined
