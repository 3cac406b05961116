"""Array types of the statistics, and sums over groups of rows."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


def as_floats(values: ArrayLike, *, dimensions: int = 1) -> FloatArray:
    """The values as float64; raises ValueError when they have another number of dimensions."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != dimensions:
        raise ValueError(f"expected {dimensions} dimension(s), got an array of shape {array.shape}")
    return array


def as_codes(labels: ArrayLike, length: int) -> tuple[NDArray[Any], IntArray]:
    """The distinct labels, sorted, and for each row the index of its label; raises ValueError on another length."""
    array = np.asarray(labels)
    if array.shape != (length,):
        raise ValueError(f"expected {length} labels, got an array of shape {array.shape}")
    distinct, codes = np.unique(array, return_inverse=True)
    return distinct, codes.astype(np.int64, copy=False)


def joint_codes(*columns: IntArray) -> IntArray:
    """One number for each combination of codes (from 0), in the order of the first column, then the second, and on."""
    joint = columns[0]
    for column in columns[1:]:
        joint = joint * (int(column.max(initial=0)) + 1) + column
    return joint


def last_of_each(*columns: IntArray) -> IntArray:
    """The last row of each combination of codes, in the order of rows."""
    joint = joint_codes(*columns)
    _, from_the_end = np.unique(joint[::-1], return_index=True)
    return np.sort(joint.size - 1 - from_the_end)


def place_in_group(order: FloatArray | IntArray, *columns: IntArray) -> IntArray:
    """For each row its place, from 0, among the rows with the same combination of codes, sorted by `order`.

    Rows of equal order are in the order of rows.
    """
    group = joint_codes(*columns)
    rows = np.lexsort([order, group])
    starts = np.flatnonzero(np.diff(group[rows], prepend=-1))
    places = np.empty(group.size, dtype=np.int64)
    places[rows] = np.arange(group.size) - np.repeat(starts, np.diff(starts, append=group.size))
    return places


def group_sums(values: FloatArray, codes: IntArray, n_groups: int) -> FloatArray:
    """The sum of the values of each group, 0.0 for a group without rows."""
    return np.bincount(codes, weights=values, minlength=n_groups).astype(np.float64, copy=False)


def group_means(values: FloatArray, codes: IntArray, n_groups: int) -> FloatArray:
    """The mean of the present (not NaN) values of each group, NaN for a group without any."""
    present = ~np.isnan(values)
    counts = np.bincount(codes[present], minlength=n_groups)
    return ratios(group_sums(values[present], codes[present], n_groups), counts)


def ratios(numerators: FloatArray | IntArray, denominators: FloatArray | IntArray) -> FloatArray:
    """Each numerator by its denominator, NaN where that is not above 0."""
    quotients: FloatArray = np.full(np.broadcast_shapes(numerators.shape, denominators.shape), np.nan)
    np.divide(numerators, denominators, out=quotients, where=denominators > 0)
    return quotients


def midranks(values: FloatArray) -> tuple[FloatArray, IntArray]:
    """Ranks from 1, equal values sharing the mean of theirs; and the size of each group of equal values."""
    _, codes, sizes = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    ranks: FloatArray = (last - (sizes - 1) / 2)[codes]
    return ranks, sizes.astype(np.int64, copy=False)


def or_none(value: float) -> float | None:
    """A number as a database and JSON have it: None for NaN."""
    return None if np.isnan(value) else float(value)


def by_group(values: FloatArray, groups: ArrayLike | None) -> tuple[FloatArray, IntArray, int]:
    """The present (not NaN) values, the code of each one's group, and how many groups have any.

    Without `groups` each value is a group. Raises ValueError when their lengths differ.
    """
    _, codes = as_codes(np.arange(values.size) if groups is None else groups, values.size)
    present = ~np.isnan(values)
    distinct, codes = np.unique(codes[present], return_inverse=True)
    return values[present], codes.astype(np.int64, copy=False), distinct.size


def paired(x: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """x and y as float64; raises ValueError when their lengths differ."""
    first, second = as_floats(x), as_floats(y)
    if first.shape != second.shape:
        raise ValueError(f"x and y must be paired, got {first.size} and {second.size} values")
    return first, second


def complete_pairs(x: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """x and y without the pairs in which either is NaN; raises ValueError when their lengths differ."""
    first, second = paired(x, y)
    both = ~(np.isnan(first) | np.isnan(second))
    return first[both], second[both]
