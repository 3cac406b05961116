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
_ANY = 2**30
_NO_CHOICE = _WORSE = -1
_CELLS = 3
_LEFT_OUT = 2**32  # in a cost: what counts before all else
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
    counts: Counts = np.zeros((texts.starts.size - 1, _COLUMNS), np.int64)
    _alignments(
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
        np.full(lexicon.stems.size + 1, _NOWHERE, np.int32),
        counts,
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
    heads: Codes,
    counts: Counts,
) -> None:
    """Fills `counts`. What can be made outside is: each kind of array made here takes longer to compile."""
    for text in range(starts.size - 1):
        ours = codes[starts[text] : starts[text + 1]]
        theirs = reference_codes[reference_starts[text] : reference_starts[text + 1]]
        fixed, stage_of = np.zeros(ours.size, np.int64), np.zeros(ours.size, np.int64)
        for at in range(ours.size):
            fixed[at] = _NOWHERE
        for stage in range(_STAGES if meanings.size else _STAGES - 1):
            firsts, choices = _choices(stage, ours, theirs, fixed, stems, meanings, meaning_starts, heads)
            if choices.size:
                better = _with_only_places(fixed, firsts, choices, theirs.size)
                most = _fewest_left_out(better, firsts, choices, theirs.size)
                if most != _NO_CHOICE:
                    if stage == _STAGES - 1:
                        most = _ANY
                    better = _best(better, firsts, choices, theirs.size, avoids_chunks, beam, most)
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


@inner
def _choices(
    stage: int,
    ours: Codes,
    theirs: Codes,
    fixed: Starts,
    stems: Codes,
    meanings: Codes,
    meaning_starts: Starts,
    heads: Codes,
) -> tuple[Starts, Codes]:
    """For each of our words that is not aligned yet the places that this stage allows it.

    Free places are in chains: of one word, of one stem, or one chain of all. `heads` names the first of each; they must
    be nowhere, and are again afterwards.
    """
    following = np.zeros(theirs.size, np.int32)
    for place in fixed:
        if place != _NOWHERE:
            following[place] = _NEVER
    for to in range(theirs.size - 1, -1, -1):
        chain = _chain(stage, theirs[to], stems)
        if following[to] != _NEVER and chain != _NOWHERE:
            following[to], heads[chain] = heads[chain], to
    firsts = np.zeros(ours.size + 1, np.int64)
    choices, count = np.zeros(ours.size + 1, np.int32), 0
    for at in range(ours.size):
        chain = _chain(stage, ours[at], stems)
        to = heads[chain] if fixed[at] == _NOWHERE and chain != _NOWHERE else _NOWHERE
        while to != _NOWHERE:
            if stage < _STAGES - 1 or _share_meaning(ours[at], theirs[to], meanings, meaning_starts):
                if count == choices.size:
                    longer = np.zeros(2 * count, np.int32)
                    for place in range(count):  # a slice would compile twice as long, for the message where it fails
                        longer[place] = choices[place]
                    choices = longer
                choices[count] = to
                count += 1
            to = following[to]
        firsts[at + 1] = count
    for word in theirs:
        heads[_chain(stage, word, stems)] = _NOWHERE
    return firsts, choices[:count]


@inner
def _chain(stage: int, word: int, stems: Codes) -> int:
    if stage == 0:
        return word
    return int(stems[word]) if stage == 1 else 0


@inner
def _share_meaning(word: int, other: int, meanings: Codes, starts: Starts) -> bool:
    one, end = starts[word], starts[word + 1]
    two, other_end = starts[other], starts[other + 1]
    while one < end and two < other_end:
        if meanings[one] == meanings[two]:
            return True
        if meanings[one] < meanings[two]:
            one += 1
        else:
            two += 1
    return False


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
def _fewest_left_out(fixed: Starts, firsts: Starts, choices: Codes, n_others: int) -> int:
    """How many of the words that have a choice must be left out, where words that share a place share all of them."""
    waiting, left_out, has_choice = np.zeros(n_others, np.int64), 0, False
    for at in range(fixed.size):
        if fixed[at] == _NOWHERE and firsts[at] < firsts[at + 1]:
            place = choices[firsts[at]]
            waiting[place] += 1
            left_out += waiting[place] > firsts[at + 1] - firsts[at]
            has_choice = True
    return int(left_out) if has_choice else _NO_CHOICE


@inner
def _best(
    fixed: Starts, firsts: Starts, choices: Codes, n_others: int, avoids_chunks: bool, beam: int, most: int
) -> Starts:
    """Where each of our words goes. Ways are in `beam + 1` slots, of which `order` names the best first.

    What a way has: its cost, with words left out before all else, the other cost, where the last word went; and its
    `taken` places as bits. One that leaves out more than `most` words cannot be the best, and takes no slot from those
    that leave out fewer: the outcome is the same without it.
    """
    n_words, n_bits, n_cells = fixed.size, n_others // 64 + 1, _CELLS
    ways, taken = np.zeros((beam + 1, n_cells), np.int64), np.zeros((beam + 1, n_bits), np.uint64)
    news, new_taken = np.zeros((beam + 1, n_cells), np.int64), np.zeros((beam + 1, n_bits), np.uint64)
    parents, targets = np.zeros((n_words, beam + 1), np.int32), np.zeros((n_words, beam + 1), np.int32)
    order, ranked, n_ranked = _first_slots(beam + 1), np.zeros(beam + 1, np.int64), 1
    ways[0, 2], had_option = _NEVER, False
    dearest = _LEFT_OUT * (most + 1) - 1
    for at in range(n_words):
        n_new = 0
        first, last = firsts[at], firsts[at + 1] + 1  # the last option is to go nowhere
        if fixed[at] != _NOWHERE:
            last = first + 1
        could = last - first > 1
        for rank in range(n_ranked):
            way = ranked[rank]
            for option in range(first, last):
                target = fixed[at] if option == last - 1 else choices[option]
                if target != _NOWHERE and taken[way, target >> 6] >> np.uint64(target & 63) & np.uint64(1):
                    continue
                cost, other_cost = _costs(ways, taken, way, target, could, avoids_chunks)
                slot = order[n_new]  # a free one
                news[slot, 0], news[slot, 1], news[slot, 2] = cost, other_cost, _NEVER
                if cost > dearest or (n_new == beam and _compared(news, order[beam - 1], slot) < 0):
                    continue
                for word in range(n_bits):
                    new_taken[slot, word] = taken[way, word]
                if target != _NOWHERE:
                    news[slot, 2] = target
                    new_taken[slot, target >> 6] |= np.uint64(1) << np.uint64(target & 63)
                parents[at, slot], targets[at, slot] = way, target
                if n_new < beam or not _is_better(news, new_taken, order[beam - 1], slot):
                    count = int(np.int64(n_new))  # not the constant 0, for which it would be compiled once more
                    if had_option:  # otherwise ways have taken different places, and still do
                        count = _without_equal(news, new_taken, order, count, at, parents, targets)
                    if count != _WORSE:
                        n_new = _insert(news, new_taken, order, count, beam)
        ways, news, taken, new_taken = news, ways, new_taken, taken
        n_ranked, had_option = _copied(order, ranked, n_new), could
    return _traced(ranked[0], parents, targets)


@inner
def _traced(way: int, parents: Codes, targets: Codes) -> Starts:
    """Where each word goes on the way that ends in this slot."""
    best = np.zeros(parents.shape[0], np.int64)
    for at in range(best.size - 1, -1, -1):
        best[at], way = targets[at, way], parents[at, way]
    return best


@inner
def _first_slots(count: int) -> Starts:
    """numpy's arange would compile longer."""
    slots = np.zeros(count, np.int64)
    for slot in range(count):
        slots[slot] = slot
    return slots


@inner
def _copied(slots: Starts, to: Starts, count: int) -> int:
    """A slice would compile much longer."""
    for rank in range(count):
        to[rank] = slots[rank]
    return count


@inner
def _costs(ways: Counts, taken: Bits, way: int, target: int, could: bool, avoids_chunks: bool) -> tuple[int, int]:
    """The two costs of a way that is continued to `target`, a free place."""
    cost, other_cost = ways[way, 0], ways[way, 1]
    if target == _NOWHERE:
        return cost + _LEFT_OUT * could, other_cost
    word = target >> 6
    crossings = _ones(taken[way, word] >> np.uint64(target & 63))
    for above in range(word + 1, taken.shape[1]):
        crossings += _ones(taken[way, above])
    chunks = 1 if target != ways[way, 2] + 1 else 0
    if avoids_chunks:
        return cost + chunks, other_cost + crossings
    return cost + crossings, other_cost + chunks


@inner
def _ones(bits: np.uint64) -> int:
    """How many bits are set: sums of two, four and eight neighbours, then of all bytes."""
    bits -= (bits >> np.uint64(1)) & np.uint64(0x5555555555555555)
    bits = (bits & np.uint64(0x3333333333333333)) + ((bits >> np.uint64(2)) & np.uint64(0x3333333333333333))
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int(bits * np.uint64(0x0101010101010101) >> np.uint64(56))


@inner
def _without_equal(
    news: Counts, taken: Bits, order: Starts, count: int, at: int, parents: Codes, targets: Codes
) -> int:
    """Drops a way whose state is that of the better one in slot `order[count]`; returns how many there are before it.

    Or _WORSE where an equal state has a better way.
    """
    slot = order[count]
    for rank in range(count):
        other = order[rank]
        if news[other, 2] != news[slot, 2] or not _are_equal(taken, other, slot):
            continue
        compared = _compared(news, slot, other)
        if compared > 0 or (compared == 0 and not _is_earlier(slot, other, at, parents, targets)):
            return _WORSE
        for following in range(rank, count - 1):
            order[following] = order[following + 1]
        order[count - 1], order[count] = slot, other
        return count - 1
    return count


@inner
def _insert(news: Counts, taken: Bits, order: Starts, count: int, beam: int) -> int:
    """Puts the way in slot `order[count]` where it belongs; returns how many there are."""
    slot, rank = order[count], count
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
    """Below 0 if the first costs less."""
    if news[one, 0] != news[other, 0]:
        return int(news[one, 0] - news[other, 0])
    return int(news[one, 1] - news[other, 1])


@inner
def _is_better(news: Counts, taken: Bits, one: int, other: int) -> bool:
    """`taken` are compared as the whole numbers whose bits they are. Two of one state are alike but for the costs."""
    compared = _compared(news, one, other)
    if compared:
        return compared < 0
    for word in range(taken.shape[1] - 1, -1, -1):
        if taken[one, word] != taken[other, word]:
            return bool(taken[one, word] < taken[other, word])
    return bool(news[one, 2] < news[other, 2])


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
