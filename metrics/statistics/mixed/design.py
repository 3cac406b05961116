"""What a model with crossed random terms is made of: the levels of each term, and which terms it can have at all."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from metrics.statistics.arrays import BoolArray, FloatArray, IntArray, as_codes, as_floats, group_means, joint_codes

TERMS = ("annotator", "document", "segment", "document:system", "segment:system")
DEFAULT_TERMS = TERMS[:4]
RESIDUAL = "residual"

_ROUNDING = 1e-12

# Why there is no model.
NO_SCORES, NO_VARIATION, TOO_FEW_SCORES = "no_scores", "no_variation", "too_few_scores"


@dataclass(frozen=True)
class Design:
    """Which level of each term every present score has.

    Shape:
        `rows` are the places of the n present scores among all; `values`, `system` and every array of `codes` have n
        entries. `block` numbers the documents (or segments, if there are no documents): no term but the annotator
        has a level in two of them.
    Terms:
        `codes` are those of the terms in the model, in the order of TERMS; `dropped` are the others that were
        requested.
    """

    rows: IntArray
    values: FloatArray
    system: IntArray
    systems: tuple[str, ...]
    annotator: IntArray
    annotators: tuple[str, ...]
    block: IntArray
    codes: Mapping[str, IntArray]
    dropped: tuple[str, ...]
    documents: int
    segments: int
    levels: Mapping[str, int] = field(init=False)

    def __post_init__(self) -> None:
        levels = {name: int(codes.max(initial=-1)) + 1 for name, codes in self.codes.items()}
        object.__setattr__(self, "levels", levels)

    @property
    def formula(self) -> str:
        """The model as R's lme4 and ordinal write it."""
        return " + ".join(["score ~ 0 + system", *(f"(1|{name})" for name in self.codes)])

    @property
    def reason(self) -> str:
        """Why no model can be estimated; empty where one can."""
        if not self.values.size:
            return NO_SCORES
        if self.values.min() == self.values.max():
            return NO_VARIATION
        n_systems = len(self.systems)
        if self.values.size <= n_systems + len(self.codes):
            return TOO_FEW_SCORES
        within = self.values - group_means(self.values, self.system, n_systems)[self.system]
        return NO_VARIATION if np.abs(within).max() <= _ROUNDING * np.abs(self.values).max() else ""

    @property
    def units(self) -> int:
        """How many texts are independent of each other: documents, else segments, else scores beyond the systems."""
        if self.documents > 1 or self.segments > 1:
            return self.documents if self.documents > 1 else self.segments
        return self.values.size - len(self.systems) + 1

    def components(self) -> IntArray:
        """For each system the number of its group; groups have no annotator in common, directly or through others."""
        return components(self.system, self.annotator, len(self.systems), len(self.annotators))

    def one_system_only(self) -> BoolArray:
        """Which annotators judged one system only, where there are more: their severity cannot be told from it."""
        judged = np.zeros((len(self.annotators), len(self.systems)), dtype=np.bool_)
        judged[self.annotator, self.system] = True
        is_one: BoolArray = judged.sum(axis=1) == 1
        return is_one if len(self.systems) > 1 else np.zeros_like(is_one)


@dataclass(frozen=True, kw_only=True)
class CrossedModel:
    """What every model of such a design has; NaN, with a `reason`, where there is no model.

    Shape:
        `means` (systems,) and their `covariance`; of `annotators` their `effects` and two errors of them. `variances`
        are of the terms in the model and of the RESIDUAL.
    Effects:
        Above 0 = gives higher numbers than others. `prediction_sd` includes the doubt about everything that is not
        random; `conditional_sd` (lme4's) does not. 0 and NaN where annotators are not a term.
    """

    design: Design
    means: FloatArray
    covariance: FloatArray
    variances: Mapping[str, float]
    effects: FloatArray
    prediction_sd: FloatArray
    conditional_sd: FloatArray
    log_likelihood: float
    reason: str = ""

    @property
    def systems(self) -> tuple[str, ...]:
        return self.design.systems

    @property
    def annotators(self) -> tuple[str, ...]:
        return self.design.annotators

    @property
    def degrees_of_freedom(self) -> int:
        """Of a difference between two means: one less than the texts that are independent of each other."""
        return self.design.units - 1

    @property
    def singular(self) -> tuple[str, ...]:
        """The terms that explain nothing: their variance is 0."""
        return tuple(name for name, variance in self.variances.items() if variance == 0 and name != RESIDUAL)

    @property
    def shares(self) -> dict[str, float]:
        """How much of one score each term is: its variance by the sum of all."""
        total = sum(self.variances.values())
        return {name: variance / total for name, variance in self.variances.items()} if total > 0 else {}


def design_of(
    scores: ArrayLike,
    systems: ArrayLike,
    *,
    annotators: ArrayLike,
    documents: ArrayLike | None = None,
    segments: ArrayLike | None = None,
    terms: Iterable[str] | None = None,
) -> Design:
    """The levels of every term that these labels allow; without `terms` those of DEFAULT_TERMS.

    A segment is one of its document: equal labels in two documents are two segments. A term is dropped if it has no
    labels, one level, as many levels as scores, or the partition of the systems or of an earlier term.
    Raises ValueError on columns of another length and on an unknown term.
    """
    values = as_floats(scores)
    rows = np.flatnonzero(~np.isnan(values))
    system_names, system = _codes(systems, values.size, rows)
    annotator_names, annotator = _codes(annotators, values.size, rows)
    document = None if documents is None else _codes(documents, values.size, rows)[1]
    segment = None if segments is None else _codes(segments, values.size, rows)[1]
    if document is not None and segment is not None:
        segment = _renumbered(joint_codes(document, segment))
    whole = document if document is not None else segment
    columns = {"annotator": annotator, "document": document, "segment": segment}
    columns |= {f"{name}:system": _joined(columns[name], system) for name in ("document", "segment")}
    requested = _requested(terms, columns)
    used = _identified({name: columns[name] for name in requested}, system, values[rows].size)
    return Design(
        rows=rows,
        values=values[rows],
        system=system,
        systems=tuple(map(str, system_names)),
        annotator=annotator,
        annotators=tuple(map(str, annotator_names)),
        block=whole if whole is not None else np.zeros(rows.size, dtype=np.int64),
        codes=used,
        dropped=tuple(name for name in requested if name not in used),
        documents=_count(document),
        segments=_count(segment),
    )


def components(first: IntArray, second: IntArray, n_first: int, n_second: int) -> IntArray:
    """For each level of `first` the number (from 0) of its component in the graph that the rows span."""
    shape = (n_first + n_second, n_first + n_second)
    graph = scipy.sparse.coo_matrix((np.ones(first.size), (first, n_first + second)), shape=shape)
    _, labels = scipy.sparse.csgraph.connected_components(graph, directed=False)
    numbers: IntArray = np.unique(labels[:n_first], return_inverse=True)[1].astype(np.int64, copy=False)
    return numbers


def _requested(terms: Iterable[str] | None, columns: Mapping[str, IntArray | None]) -> tuple[str, ...]:
    names = set(DEFAULT_TERMS if terms is None else terms)
    if unknown := sorted(names - set(TERMS)):
        raise ValueError(f"unknown term {', '.join(unknown)}; allowed: {', '.join(TERMS)}")
    missing = {name for name in names if columns[name] is None} if terms is None else set()
    return tuple(name for name in TERMS if name in names - missing)


def _identified(columns: Mapping[str, IntArray | None], system: IntArray, n_rows: int) -> dict[str, IntArray]:
    used: dict[str, IntArray] = {}
    for name, codes in columns.items():
        n_levels = _count(codes)
        if codes is None or not 1 < n_levels < n_rows:
            continue
        if not any(_is_same_partition(codes, n_levels, other) for other in (system, *used.values())):
            used[name] = codes
    return used


def _is_same_partition(codes: IntArray, n_levels: int, other: IntArray) -> bool:
    return n_levels == _count(other) == np.unique(joint_codes(codes, other)).size


def _codes(labels: ArrayLike, length: int, rows: IntArray) -> tuple[Sequence[Any] | NDArray[Any], IntArray]:
    array = np.asarray(labels)
    if array.shape != (length,):
        raise ValueError(f"expected {length} labels, got an array of shape {array.shape}")
    return as_codes(array[rows], rows.size)


def _joined(codes: IntArray | None, system: IntArray) -> IntArray | None:
    return None if codes is None else _renumbered(joint_codes(codes, system))


def _renumbered(codes: IntArray) -> IntArray:
    renumbered: IntArray = np.unique(codes, return_inverse=True)[1].astype(np.int64, copy=False)
    return renumbered


def _count(codes: IntArray | None) -> int:
    return 0 if codes is None else int(codes.max(initial=-1)) + 1
