"""Words aligned in machine code, as `align` in meteor.py does it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.automatic.compiled.flat import Codes, Flat, Starts
from metrics.automatic.compiled.kernels import inner, kernel

Counts = NDArray[np.int64]
Bits = NDArray[np.uint64]
Flags = NDArray[np.bool_]
_STAGES = 3
_NOWHERE = -1
_NEVER = -2  # the word before went nowhere
_COLUMNS = 1 + 3 * _STAGES  # chunks; then for each stage matches, and those of function words on either side


@dataclass(frozen=True)
class Lexicon:
    """Of each word, by its number: its stem (−1: never equal), the numbers of its meanings in order, and its kind.

    Shape: `stems` and `is_function` (n_words,), `meanings` n_words lists.
    """

    stems: Codes
    meanings: Flat
    is_function: Flags


def alignments(texts: Flat, references: Flat, lexicon: Lexicon, *, avoids_chunks: bool, beam: int) -> Counts:
    """Of text i and reference i: chunks, matches of each stage, function words among them on our side, and on theirs.

    Shape: (n_texts, 10).
    """
    counts: Counts = _alignments(
        texts.codes,
        texts.starts,
        references.codes,
        references.starts,
        lexicon.stems,
        lexicon.meanings.codes,
        lexicon.meanings.starts,
        lexicon.is_function,
        avoids_chunks,
        beam,
    )
    return counts


@kernel
def _alignments(
    codes: Codes,
    starts: Starts,
    reference_codes: Codes,
    reference_starts: Starts,
    stems: Codes,
    meanings: Codes,
    meaning_starts: Starts,
    is_function: Flags,
    avoids_chunks: bool,
    beam: int,
) -> Counts:
    counts = np.zeros((starts.size - 1, _COLUMNS), np.int64)
    for text in range(starts.size - 1):
        ours = codes[starts[text] : starts[text + 1]]
        theirs = reference_codes[reference_starts[text] : reference_starts[text + 1]]
        fixed, stage_of = np.empty(ours.size, np.int64), np.zeros(ours.size, np.int64)
        for at in range(ours.size):
            fixed[at] = _NOWHERE
        for stage in range(_STAGES):
            firsts, choices = _choices(stage, ours, theirs, fixed, stems, meanings, meaning_starts)
            if choices.size:
                better = _best(fixed, firsts, choices, theirs.size, avoids_chunks, beam)
                for at in range(ours.size):
                    if fixed[at] == _NOWHERE:
                        stage_of[at] = stage
                fixed = better
        for at in range(ours.size):
            if fixed[at] != _NOWHERE:
                before = fixed[at - 1] if at and fixed[at - 1] != _NOWHERE else _NEVER
                counts[text, 0] += before != fixed[at] - 1
                counts[text, 1 + stage_of[at]] += 1
                counts[text, 1 + _STAGES + stage_of[at]] += is_function[ours[at]]
                counts[text, 1 + 2 * _STAGES + stage_of[at]] += is_function[theirs[fixed[at]]]
    return counts


@inner
def _choices(
    stage: int, ours: Codes, theirs: Codes, fixed: Starts, stems: Codes, meanings: Codes, meaning_starts: Starts
) -> tuple[Starts, Codes]:
    """For each of our words that is not aligned yet the places that this stage allows it."""
    is_used = np.zeros(theirs.size, np.bool_)
    for at in range(fixed.size):
        if fixed[at] != _NOWHERE:
            is_used[fixed[at]] = True
    firsts = np.zeros(ours.size + 1, np.int64)
    choices, count = np.empty(64, np.int32), 0
    for at in range(ours.size):
        for to in range(theirs.size if fixed[at] == _NOWHERE else 0):
            if is_used[to] or not _match(stage, ours[at], theirs[to], stems, meanings, meaning_starts):
                continue
            if count == choices.size:
                longer = np.empty(2 * count, np.int32)
                for place in range(count):  # a slice would compile twice as long, for the message where it does not fit
                    longer[place] = choices[place]
                choices = longer
            choices[count] = to
            count += 1
        firsts[at + 1] = count
    return firsts, choices[:count]


@inner
def _match(stage: int, word: int, other: int, stems: Codes, meanings: Codes, meaning_starts: Starts) -> bool:
    if stage == 0:
        return word == other
    if stage == 1:
        return bool(stems[word] == stems[other] and stems[word] != _NOWHERE)
    one, end = meaning_starts[word], meaning_starts[word + 1]
    two, other_end = meaning_starts[other], meaning_starts[other + 1]
    while one < end and two < other_end:
        if meanings[one] == meanings[two]:
            return True
        if meanings[one] < meanings[two]:
            one += 1
        else:
            two += 1
    return False


@inner
def _best(fixed: Starts, firsts: Starts, choices: Codes, n_others: int, avoids_chunks: bool, beam: int) -> Starts:
    """Where each of our words goes. Ways are in `beam + 1` slots, of which `order` names the best first.

    What a way has: words left out, the two costs, where the last word went; and its `taken` places as bits.
    """
    n_words, n_bits = fixed.size, n_others // 64 + 1
    fixed = _with_only_places(fixed, firsts, choices, n_others)
    ways, taken = np.zeros((beam + 1, 4), np.int64), np.zeros((beam + 1, n_bits), np.uint64)
    news, new_taken = np.zeros((beam + 1, 4), np.int64), np.zeros((beam + 1, n_bits), np.uint64)
    parents, targets = np.zeros((n_words, beam + 1), np.int32), np.zeros((n_words, beam + 1), np.int32)
    order, ranked, n_ranked = np.arange(beam + 1), np.zeros(beam + 1, np.int64), 1
    ways[0, 3] = _NEVER
    for at in range(n_words):
        n_new = 0
        first, last = firsts[at], firsts[at + 1] + 1  # the last option is to go nowhere
        if fixed[at] != _NOWHERE:
            last = first + 1
        for rank in range(n_ranked):
            way = ranked[rank]
            for option in range(first, last):
                target = fixed[at] if option == last - 1 else choices[option]
                if target != _NOWHERE and taken[way, target >> 6] >> np.uint64(target & 63) & np.uint64(1):
                    continue
                costs = _costs(ways, taken, way, target, last - first > 1, avoids_chunks)
                slot = order[n_new]  # a free one
                for place in range(3):
                    news[slot, place] = costs[place]
                if n_new == beam and _compared(news, order[beam - 1], slot) < 0:
                    continue
                for word in range(n_bits):
                    new_taken[slot, word] = taken[way, word]
                news[slot, 3] = _NEVER
                if target != _NOWHERE:
                    news[slot, 3] = target
                    new_taken[slot, target >> 6] |= np.uint64(1) << np.uint64(target & 63)
                parents[at, slot], targets[at, slot] = way, target
                if n_new < beam or not _is_better(news, new_taken, order[beam - 1], slot):
                    count = int(np.int64(n_new))  # not the constant 0, for which it would be compiled once more
                    n_new = _insert(news, new_taken, order, count, at, parents, targets, beam)
        ways, news, taken, new_taken = news, ways, new_taken, taken
        n_ranked = _copied(order, ranked, n_new)
    best, way = np.empty(n_words, np.int64), ranked[0]
    for at in range(n_words - 1, -1, -1):
        best[at], way = targets[at, way], parents[at, way]
    return best


@inner
def _with_only_places(fixed: Starts, firsts: Starts, choices: Codes, n_others: int) -> Starts:
    """As well the words whose only place no other word can have: leaving these out is never better."""
    wanted, places = np.zeros(n_others, np.int64), fixed.copy()
    for place in choices:
        wanted[place] += 1
    for at in range(fixed.size):
        if firsts[at + 1] - firsts[at] == 1 and wanted[choices[firsts[at]]] == 1:
            places[at] = choices[firsts[at]]
    return places


@inner
def _copied(slots: Starts, to: Starts, count: int) -> int:
    """A slice would compile much longer."""
    for rank in range(count):
        to[rank] = slots[rank]
    return count


@inner
def _costs(ways: Counts, taken: Bits, way: int, target: int, could: bool, avoids_chunks: bool) -> tuple[int, int, int]:
    """Words left out and the two costs of a way that is continued to `target`."""
    left_out, cost, other_cost = ways[way, 0], ways[way, 1], ways[way, 2]
    if target == _NOWHERE:
        return left_out + could, cost, other_cost
    word = target >> 6
    crossings = _ones(taken[way, word] >> np.uint64(target & 63) >> np.uint64(1))
    for above in range(word + 1, taken.shape[1]):
        crossings += _ones(taken[way, above])
    chunks = 1 if target != ways[way, 3] + 1 else 0
    if avoids_chunks:
        return left_out, cost + chunks, other_cost + crossings
    return left_out, cost + crossings, other_cost + chunks


@inner
def _ones(bits: np.uint64) -> int:
    """How many bits are set: sums of two, four and eight neighbours, then of all bytes."""
    bits -= (bits >> np.uint64(1)) & np.uint64(0x5555555555555555)
    bits = (bits & np.uint64(0x3333333333333333)) + ((bits >> np.uint64(2)) & np.uint64(0x3333333333333333))
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int(bits * np.uint64(0x0101010101010101) >> np.uint64(56))


@inner
def _insert(
    news: Counts, taken: Bits, order: Starts, count: int, at: int, parents: Codes, targets: Codes, beam: int
) -> int:
    """Takes the way in slot `order[count]` in, unless an equal state has a better one; returns how many there are."""
    slot = order[count]
    for rank in range(count):
        other = order[rank]
        if news[other, 3] != news[slot, 3] or not _are_equal(taken, other, slot):
            continue
        compared = _compared(news, slot, other)
        if compared > 0 or (compared == 0 and not _is_earlier(slot, other, at, parents, targets)):
            return count
        for following in range(rank, count - 1):
            order[following] = order[following + 1]
        order[count - 1], order[count] = slot, other
        count -= 1
        break
    rank = count
    while rank > 0 and _is_better(news, taken, slot, order[rank - 1]):
        order[rank] = order[rank - 1]
        rank -= 1
    order[rank] = slot
    return min(count + 1, beam)


@inner
def _are_equal(taken: Bits, one: int, other: int) -> bool:
    for word in range(taken.shape[1]):  # noqa: SIM110 - compiled code has no all()
        if taken[one, word] != taken[other, word]:
            return False
    return True


@inner
def _compared(news: Counts, one: int, other: int) -> int:
    for place in range(3):
        if news[one, place] != news[other, place]:
            return -1 if news[one, place] < news[other, place] else 1
    return 0


@inner
def _is_better(news: Counts, taken: Bits, one: int, other: int) -> bool:
    """`taken` are compared as the whole numbers whose bits they are. Two of one state are alike but for the costs."""
    compared = _compared(news, one, other)
    if compared:
        return compared < 0
    for word in range(taken.shape[1] - 1, -1, -1):
        if taken[one, word] != taken[other, word]:
            return bool(taken[one, word] < taken[other, word])
    return bool(news[one, 3] < news[other, 3])


@inner
def _is_earlier(one: int, other: int, at: int, parents: Codes, targets: Codes) -> bool:
    """Of two ways that take as many places: whether the first differing word is aligned by one, or more to the left."""
    is_earlier = False
    for place in range(at, -1, -1):
        ours, theirs = targets[place, one], targets[place, other]
        if ours != theirs:
            is_earlier = theirs == _NOWHERE or (ours != _NOWHERE and ours < theirs)
        one, other = parents[place, one], parents[place, other]
        if one == other:
            break
    return is_earlier
