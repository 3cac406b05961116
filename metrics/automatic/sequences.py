"""Sequences compared: common beginning, edit distance and longest common subsequence.

The latter two work by the bits of whole numbers. One number is one column of the dynamic programming table, one bit a
row, so that a column takes a few operations however long the sequences are.
"""

from collections.abc import Hashable, Sequence


def common_prefix(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """The number of items at the beginning of both that are equal."""
    pairs = zip(first, second, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(first), len(second)))


def _places(items: Sequence[Hashable]) -> dict[Hashable, int]:
    """For each item the rows where it occurs, as bits."""
    places: dict[Hashable, int] = {}
    for row, item in enumerate(items):
        places[item] = places.get(item, 0) | (1 << row)
    return places


def edit_distance(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """The fewest insertions, deletions and substitutions of items that make one of the other.

    Source: Myers 1999, "A fast bit-vector algorithm for approximate string matching", in the form of Hyyrö 2003.

    >>> edit_distance("kitten", "sitting"), edit_distance("", "abc"), edit_distance([], [])
    (3, 3, 0)
    """
    if not first:
        return len(second)
    places, full, last = _places(first), (1 << len(first)) - 1, 1 << (len(first) - 1)
    rises, falls, distance = full, 0, len(first)
    for item in second:
        equal = places.get(item, 0)
        diagonal = (((equal & rises) + rises) ^ rises) | equal | falls
        up, down = falls | (~(diagonal | rises) & full), rises & diagonal
        if up & last:
            distance += 1
        if down & last:
            distance -= 1
        up = ((up << 1) | 1) & full
        down = (down << 1) & full
        rises, falls = down | (~(diagonal | up) & full), up & diagonal
    return distance


def common_subsequence(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """The length of the longest sequence that can be made of either by leaving items out.

    Source: Crochemore, Iliopoulos, Pinzon & Reid 2001, "A fast and practical bit-vector algorithm for the longest
    common subsequence problem".

    >>> common_subsequence("abcde", "xaycz"), common_subsequence("", "a")
    (2, 0)
    """
    places, full = _places(first), (1 << len(first)) - 1
    rows = full
    for item in second:
        matches = rows & places.get(item, 0)
        rows = ((rows + matches) | (rows - matches)) & full
    return len(first) - rows.bit_count()
