"""Terms nested in documents, eliminated document by document: what is left is as small as annotators and systems.

The penalised equations of a model with random terms have a row for every level. The rows of documents, segments and
their combinations with systems touch only rows of their own document. So they are solved there, segments (which are
diagonal) first, in batches of documents of about one size; `explained` is what this takes off the equations of the
other columns. Weights of scores and values of columns are free: the same blocks serve a model of bands.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from metrics.statistics.arrays import FloatArray, IntArray

SEGMENT = "segment"
_STEP = 1.3  # blocks that differ by less in each size share a batch
_CELLS = 2_000_000
_ONE_THREAD = 250_000  # products in one matrix: BLAS divides more among threads, which a busy machine makes slow


class Blocks:
    """Which level of each nested term every score has, by the document it is in.

    Shape: `block`: (n,) from 0; `codes`: of each nested term (n,), a level being in one block only; `columns`: (n, k),
        in which of the `n_columns` columns of the other terms each score is not 0.
    """

    def __init__(self, block: IntArray, codes: Mapping[str, IntArray], columns: IntArray, n_columns: int) -> None:
        self.names = tuple(name for name in codes if name != SEGMENT)
        self.sizes = {name: int(one.max(initial=-1)) + 1 for name, one in codes.items()}
        self.has_segments = SEGMENT in codes
        self.starts = np.cumsum([0, *(self.sizes[name] for name in self.names)])
        self.n_columns = n_columns
        others = [codes[name] + start for name, start in zip(self.names, self.starts, strict=False)]
        n_blocks = int(block.max(initial=-1)) + 1
        self._segments = _Places(codes[SEGMENT][:, None] if self.has_segments else _none(block), block, n_blocks)
        self._others = _Places(np.stack(others, axis=1) if others else _none(block), block, n_blocks)
        self._columns = _Places(block[:, None] * n_columns + columns, block, n_blocks)
        self.batches = self._batched(block)

    def _batched(self, block: IntArray) -> tuple["_Batch", ...]:
        kinds = (self._segments, self._others, self._columns)
        sizes = np.stack([kind.counts for kind in kinds])
        steps = np.ceil(np.log(np.maximum(sizes, 1)) / np.log(_STEP)).astype(np.int64)
        of_block = np.unique(steps, axis=1, return_inverse=True)[1].ravel()
        groups: list[IntArray] = []
        for group in range(int(of_block.max(initial=-1)) + 1):
            blocks = np.flatnonzero(of_block == group)
            s, r, g = sizes[:, blocks].max(axis=1).tolist()
            at_once = max(1, _CELLS // max(1, (s + r) * g, g * g, s * r))
            groups += [blocks[start : start + at_once] for start in range(0, blocks.size, at_once)]
        batch_of = np.empty(sizes.shape[1], dtype=np.int64)
        for number, blocks in enumerate(groups):
            batch_of[blocks] = number
        order = np.argsort(batch_of[block], kind="stable")
        ends = np.cumsum(np.bincount(batch_of[block], minlength=len(groups)))
        rows_of = np.split(order, ends[:-1])
        term_of = np.repeat(np.arange(len(self.names) + 1), [*np.diff(self.starts), 1])
        return tuple(
            _Batch(self, blocks, rows, np.searchsorted(blocks, block[rows]), kinds, term_of)
            for blocks, rows in zip(groups, rows_of, strict=True)
        )


class _Places:
    """Levels of one kind: the place of each score's (n, k) in its block, and how many each block has."""

    def __init__(self, levels: IntArray, block: IntArray, n_blocks: int) -> None:
        distinct, codes = np.unique(levels, return_inverse=True)
        codes = codes.reshape(levels.shape)
        self.distinct = distinct
        self.block = np.zeros(distinct.size, dtype=np.int64)
        self.block[codes] = block[:, None]
        self.counts = np.bincount(self.block, minlength=n_blocks)
        order = np.argsort(self.block, kind="stable")
        self._place = np.empty(distinct.size, dtype=np.int64)
        self._place[order] = np.arange(distinct.size) - np.repeat(np.cumsum(self.counts) - self.counts, self.counts)
        self.of_rows = self._place[codes]

    def table(self, blocks: IntArray, nothing: int) -> IntArray:
        """(blocks, places): the level in each place, `nothing` where there is none."""
        table = np.full((blocks.size, int(self.counts[blocks].max(initial=0))), nothing, dtype=np.int64)
        mine = np.flatnonzero(np.isin(self.block, blocks))
        table[np.searchsorted(blocks, self.block[mine]), self._place[mine]] = self.distinct[mine]
        return table


class _Batch:
    """Blocks solved together, all filled up to the size of the largest."""

    def __init__(
        self,
        layout: Blocks,
        blocks: IntArray,
        rows: IntArray,
        block: IntArray,
        kinds: tuple[_Places, _Places, _Places],
        term_of: IntArray,
    ) -> None:
        n_segments, n_others = layout.sizes.get(SEGMENT, 0), int(layout.starts[-1])
        segments, others, columns = kinds
        self.rows, self.n_blocks = rows, blocks.size
        self.segments = segments.table(blocks, n_segments)
        self.others = others.table(blocks, n_others)
        self.terms = term_of[self.others]
        self.columns = columns.table(blocks, -1)
        self.columns = np.where(self.columns < 0, layout.n_columns, self.columns % layout.n_columns)
        self._segment = block[:, None] * self.segments.shape[1] + segments.of_rows[rows]
        self._place, self._other = others.of_rows[rows], block[:, None] * self.others.shape[1] + others.of_rows[rows]
        self._column = columns.of_rows[rows]
        self._block = block

    @property
    def places(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Of each score its block, the flat places of its segment and of its other levels, and its first column."""
        return self._block, self._segment, self._other, self.columns[self._block, self._column[:, 0]]

    def filled(self, weights: FloatArray, values: FloatArray) -> "_Products":
        w, v = weights[self.rows, None], values[self.rows]
        s, r, g = self.segments.shape[1], self.others.shape[1], self.columns.shape[1]
        other, place, column = self._other, self._place, self._column
        segment = self._segment if s else np.zeros((self.rows.size, 1), dtype=np.int64)
        return _Products(
            segments=_sums(segment, w, (self.n_blocks, s)),
            mixed=_sums(segment * r + place, w, (self.n_blocks, s, r)),
            others=_sums(other[:, :, None] * r + place[:, None, :], w[:, :, None], (self.n_blocks, r, r)),
            segment_columns=_sums(segment * g + column, v, (self.n_blocks, s, g)),
            other_columns=_sums(other[:, :, None] * g + column[:, None, :], v[:, None, :], (self.n_blocks, r, g)),
        )


@dataclass(frozen=True)
class _Products:
    """Weighted sums over a batch's scores: of segments, segments by others, others by others, and by columns."""

    segments: FloatArray
    mixed: FloatArray
    others: FloatArray
    segment_columns: FloatArray
    other_columns: FloatArray


class CrossProducts:
    """Z'WZ and Z'C of all blocks, for `weights` (n,) of scores and `values` (n, k) of columns, weights included."""

    def __init__(self, blocks: Blocks, weights: FloatArray, values: FloatArray) -> None:
        self.blocks = blocks
        self._products = tuple(batch.filled(weights, values) for batch in blocks.batches)

    def at(self, sizes: Mapping[str, float]) -> "Eliminated":
        """With these standard deviations of the terms, as multiples of the residual one."""
        theta = np.array([*(sizes[name] for name in self.blocks.names), 0.0])
        parts = zip(self.blocks.batches, self._products, strict=True)
        solved = tuple(_Solved(one, of, sizes.get(SEGMENT, 0.0), theta[one.terms]) for one, of in parts)
        return Eliminated(self.blocks, solved)


class Eliminated:
    """Equations of nested terms, solved for given sizes of the terms: M = S Z'WZ S + 1, T = M^-1 S Z'C."""

    def __init__(self, blocks: Blocks, solved: tuple["_Solved", ...]) -> None:
        self._blocks, self._solved = blocks, solved

    @property
    def log_determinant(self) -> float:
        """log |M|."""
        return sum(one.log_determinant for one in self._solved)

    def explained(self) -> FloatArray:
        """C'Z S T, (n_columns, n_columns): what the nested terms take off the cross-products of the columns."""
        n = self._blocks.n_columns + 1
        total = np.zeros(n * n)
        for one in self._solved:
            columns = one.batch.columns
            at = columns[:, :, None] * n + columns[:, None, :]
            total += np.bincount(at.ravel(), weights=one.explained().ravel(), minlength=n * n)
        return total.reshape(n, n)[:-1, :-1]

    def solution(self, direction: FloatArray) -> dict[str, FloatArray]:
        """T times `direction` (n_columns,): for each term the value of each level, in residual deviations."""
        padded = np.append(direction, 0.0)
        segments = np.zeros(self._blocks.sizes.get(SEGMENT, 0) + 1)
        others = np.zeros(int(self._blocks.starts[-1]) + 1)
        for one in self._solved:
            along = padded[one.batch.columns][:, :, None]
            segments[one.batch.segments] = (one.of_segments @ along)[:, :, 0]
            others[one.batch.others] = (one.of_others @ along)[:, :, 0]
        values = {SEGMENT: segments[:-1]} if self._blocks.has_segments else {}
        ends = zip(self._blocks.names, self._blocks.starts, self._blocks.starts[1:], strict=False)
        return values | {name: others[start:end] for name, start, end in ends}

    def freedom(self, inverse: FloatArray) -> dict[str, float]:
        """How many levels of each term the data determine: their number minus the trace of the whole inverse.

        `inverse` (n_columns, n_columns) is that of the equations of the other columns; 0 for those that have none.
        """
        padded = np.pad(inverse, (0, 1))
        segments, others = 0.0, np.zeros(len(self._blocks.names) + 1)
        for one in self._solved:
            columns = one.batch.columns
            around = padded[columns[:, :, None], columns[:, None, :]]
            own_segments, own_others = one.freedom(around)
            segments += float(own_segments.sum())
            others += np.bincount(one.batch.terms.ravel(), weights=own_others.ravel(), minlength=others.size)
        values = {SEGMENT: segments} if self._blocks.has_segments else {}
        return values | dict(zip(self._blocks.names, others[:-1].tolist(), strict=True))

    def leverages(self, inverse: FloatArray, size: int) -> FloatArray:
        """The variance of the sum of each score's terms, (size,), in residual variances.

        `inverse` (n_columns, n_columns) is that of the equations of the other columns; of these a score is 1 in its
        first one, and `inverse` is 0 for columns that are not terms.
        """
        padded = np.pad(inverse, (0, 1))
        doubt = np.zeros(size)
        for one in self._solved:
            doubt[one.batch.rows] = one.leverages(padded)
        return doubt


class _Solved:
    """The equations of one batch: segments by their diagonal, the rest by Cholesky."""

    def __init__(self, batch: _Batch, products: _Products, segment: float, others: FloatArray) -> None:
        self.batch = batch
        self._segment, self._others = segment, others
        self._diagonal = 1 + segment**2 * products.segments
        self._across = segment * products.mixed * others[:, None, :]
        self._segment_columns = segment * products.segment_columns
        self._other_columns = others[:, :, None] * products.other_columns
        shrunk = self._across / self._diagonal[:, :, None]
        self._shrunk = shrunk
        matrix = others[:, :, None] * products.others * others[:, None, :] + np.eye(others.shape[1])
        factor = np.linalg.cholesky(matrix - _turned(self._across) @ shrunk).astype(np.float64, copy=False)
        self._inverse = _inverse_of(factor)
        self.of_others = self._inverse @ (self._other_columns - _turned(shrunk) @ self._segment_columns)
        self.of_segments = self._segment_columns / self._diagonal[:, :, None] - shrunk @ self.of_others
        diagonal = np.diagonal(factor, axis1=1, axis2=2)
        self.log_determinant = float(np.log(self._diagonal).sum() + 2 * np.log(diagonal).sum())

    def explained(self) -> FloatArray:
        return _turned(self._segment_columns) @ self.of_segments + _turned(self._other_columns) @ self.of_others

    def leverages(self, inverse: FloatArray) -> FloatArray:
        """Of each score of the batch: l'M^-1 l + (T'l - g)' inverse (T'l - g), g being 1 in its first column."""
        doubt = np.empty(self.batch.rows.size)
        at_once = max(16, _ONE_THREAD // (inverse.shape[0] ** 2 + self._inverse.shape[1] ** 2))
        for start in range(0, doubt.size, at_once):
            rows = slice(start, start + at_once)
            doubt[rows] = self._leverages(inverse, *(one[rows] for one in self.batch.places))
        return doubt

    def _leverages(
        self, inverse: FloatArray, block: IntArray, segment: IntArray, other: IntArray, column: IntArray
    ) -> FloatArray:
        size, width, each = self.of_others.shape[1], self.of_others.shape[2], np.arange(block.size)
        along, own, doubt = np.zeros((block.size, width)), np.zeros((block.size, size)), np.zeros(block.size)
        for place in segment.T:
            along += self._segment * _rows(self.of_segments)[place]
            own -= self._segment * _rows(self._shrunk)[place]
            doubt += self._segment**2 / self._diagonal.ravel()[place]
        for place in other.T:
            scale = self._others.ravel()[place]
            along += scale[:, None] * _rows(self.of_others)[place]
            own[each, place % size] += scale
        doubt += ((own[:, None, :] @ self._inverse[block])[:, 0, :] * own).sum(axis=1)
        spread = np.zeros((block.size, inverse.shape[0]))
        spread[each[:, None], self.batch.columns[block]] = along
        spread[each, column] -= 1
        total: FloatArray = doubt + ((spread @ inverse) * spread).sum(axis=1)
        return total

    def freedom(self, around: FloatArray) -> tuple[FloatArray, FloatArray]:
        """1 minus the diagonal of the whole inverse, of segments and of the other levels."""
        own = 1 / self._diagonal + ((self._shrunk @ self._inverse) * self._shrunk).sum(axis=2)
        segments = 1 - own - ((self.of_segments @ around) * self.of_segments).sum(axis=2)
        rest = np.diagonal(self._inverse, axis1=1, axis2=2)
        return segments, 1 - rest - ((self.of_others @ around) * self.of_others).sum(axis=2)


def _inverse_of(factor: FloatArray) -> FloatArray:
    """Of L L', for a stack of L."""
    half = np.linalg.inv(factor).astype(np.float64, copy=False)
    inverse: FloatArray = _turned(half) @ half
    return inverse


def _rows(tables: FloatArray) -> FloatArray:
    """Those of all blocks, one below the other."""
    return tables.reshape(tables.shape[0] * tables.shape[1], tables.shape[2])


def _turned(matrices: FloatArray) -> FloatArray:
    return np.swapaxes(matrices, 1, 2)


def _sums(places: IntArray, weights: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    size = int(np.prod(shape))
    if not size or not places.size:
        return np.zeros(shape)
    flat = np.bincount(places.ravel(), weights=np.broadcast_to(weights, places.shape).ravel(), minlength=size)
    return flat.astype(np.float64, copy=False).reshape(shape)


def _none(block: IntArray) -> IntArray:
    return np.zeros((block.size, 0), dtype=np.int64)
