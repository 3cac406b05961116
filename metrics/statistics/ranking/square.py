"""Matrices of systems against systems: counts of wins (row beats column) and of ties."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from metrics.statistics.arrays import BoolArray, FloatArray, IntArray


def square_counts(counts: ArrayLike, name: str) -> FloatArray:
    """Counts with an empty diagonal; raises ValueError for what is not square or not counts."""
    matrix = np.asarray(counts, dtype=np.float64)
    if matrix.size == 0:
        return matrix.reshape(0, 0)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"{name} must be a square matrix, got shape {matrix.shape}")
    if not np.isfinite(matrix).all() or (matrix < 0).any():
        raise ValueError(f"{name} must be counts, none missing and none negative")
    matrix = matrix.copy()
    np.fill_diagonal(matrix, 0.0)
    return matrix


def square_ties(ties: ArrayLike, wins: FloatArray) -> FloatArray:
    """Ties as a symmetric matrix; given on one side of the diagonal only, they are mirrored."""
    matrix = square_counts(ties, "ties")
    if matrix.shape != wins.shape:
        raise ValueError(f"wins and ties must have one shape, got {wins.shape} and {matrix.shape}")
    if (matrix == matrix.T).all():
        return matrix
    if ((matrix > 0) & (matrix.T > 0)).any():
        raise ValueError("ties must be symmetric, or stand on one side of the diagonal")
    return matrix + matrix.T


def counts_by_group(group: IntArray, cell: IntArray, n_groups: int, n_cells: int) -> csr_array:
    """How often each cell stands in each group: sparse, (n_groups, n_cells)."""
    return csr_array((np.ones(cell.size), (group, cell)), shape=(n_groups, n_cells))


def is_strongly_connected(edges: BoolArray) -> bool:
    """Whether every system leads to every other along edges."""
    reached = edges | np.eye(len(edges), dtype=np.bool_)
    for _ in range(max(1, len(edges)).bit_length()):
        reached = (reached.astype(np.float64) @ reached.astype(np.float64)) > 0
    return bool(reached.all())
