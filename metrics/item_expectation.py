"""What to expect of a choice of segments: how well they order systems as all do, by the metric's own scores.

Beside it the same of chance, and the choice as a result.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import numpy as np

from metrics.item_choice import ItemTable
from metrics.results.tables import Column, Form, Table, rows_of
from metrics.results.values import Missing, Number, number
from metrics.statistics.arrays import BoolArray, FloatArray, IntArray, group_sums
from metrics.statistics.correlation.pairwise import pairwise_accuracy
from metrics.statistics.wins import clusters_from_wins

SHARES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
DRAWS = 20  # of random choices that a choice is compared with
FEWEST_DOCUMENTS = 5  # for an expected number of clusters
_SIGNIFICANT = 1.96


@dataclass(frozen=True)
class Expected:
    """Of a choice of so many `segments` for a `budget`; the same of chance, the mean over random choices.

    `pairwise_accuracy`: the share of pairs of systems that the metric's means over the chosen segments order as those
    over all do. `clusters`: how many groups of systems would differ, if people scored as the metric does.
    """

    budget: int
    segments: int
    documents: int
    pairwise_accuracy: Number
    random: Number
    clusters: Number
    random_clusters: Number


@dataclass(frozen=True)
class ItemUtility:
    """What the judgment of a segment promises, and how probable it was that it is chosen."""

    document: str
    segment: str
    utility: Number
    chosen: bool
    probability: float


@dataclass(frozen=True)
class Selection:
    """All segments in the order of the test set, and what to expect of the choice; `metric` may be empty."""

    method: str
    metric: str
    unit: str
    whole: str
    segments: tuple[ItemUtility, ...]
    budget: int
    expected: Expected
    signature: str


def expected_at(table: ItemTable, budget: int) -> Expected:
    """Missing where the test set has no scores of the metric, which then has nothing to say."""
    chosen = table.chosen(budget)
    drawn = [table.chosen(budget, table.drawn(np.random.default_rng(seed))) for seed in range(DRAWS)]
    scores = table.scores
    if scores is None or len(scores) < 2:
        nothing = Missing("no_scores")
        return Expected(budget, int(chosen.sum()), _documents(table, chosen), nothing, nothing, nothing, nothing)
    return Expected(
        budget=budget,
        segments=int(chosen.sum()),
        documents=_documents(table, chosen),
        pairwise_accuracy=_accuracy(scores, chosen),
        random=_mean([_accuracy(scores, each) for each in drawn]),
        clusters=_clusters(scores[:, chosen], table.document[chosen]),
        random_clusters=_mean([_clusters(scores[:, each], table.document[each]) for each in drawn]),
    )


def _documents(table: ItemTable, chosen: BoolArray) -> int:
    return int(np.unique(table.document[chosen]).size)


def _mean(values: Sequence[Number]) -> Number:
    known = [value for value in values if not isinstance(value, Missing)]
    return number(float(np.mean(known))) if known else values[0]


def _accuracy(scores: FloatArray, chosen: BoolArray) -> Number:
    found = pairwise_accuracy(_means(scores), _means(scores[:, chosen]))
    return number(found.value, found.reason or "too_few")


def _means(scores: FloatArray) -> FloatArray:
    known = ~np.isnan(scores)
    counts = known.sum(axis=1)
    sums = np.where(known, scores, 0.0).sum(axis=1)
    means: FloatArray = np.divide(sums, counts, out=np.full(len(scores), np.nan), where=counts > 0)
    return means


def _clusters(scores: FloatArray, documents: IntArray) -> Number:
    """By paired differences of segments, with variances by documents."""
    codes = np.unique(documents, return_inverse=True)[1].astype(np.int64)
    n_documents = int(codes.max(initial=-1)) + 1
    if n_documents < FEWEST_DOCUMENTS:
        return Missing("few_documents")
    order = np.argsort(-np.nan_to_num(_means(scores), nan=-np.inf), kind="stable")
    ordered = scores[order]
    wins = np.zeros((len(ordered), len(ordered)), dtype=np.bool_)
    for first in range(len(ordered)):
        for second in range(first + 1, len(ordered)):
            difference = ordered[first] - ordered[second]
            known = ~np.isnan(difference)
            if not known.any():
                continue
            centred = np.where(known, difference - difference[known].mean(), 0.0)
            spread = group_sums(centred, codes, n_documents)
            deviation = np.sqrt(n_documents / (n_documents - 1) * (spread**2).sum()) / known.sum()
            wins[first, second] = difference[known].mean() > _SIGNIFICANT * deviation
    return float(clusters_from_wins(wins).max(initial=0))


def curve_of(table: ItemTable) -> tuple[Expected, ...]:
    """What to expect of the requested budget and of thirteen others, up to everything."""
    budgets = {max(1, round(share * table.total)) for share in SHARES} | {table.request.budget}
    return tuple(expected_at(table, budget) for budget in sorted(budgets))


def curve_table(curve: Sequence[Expected]) -> Table:
    """A row a budget; a CSV has the numbers unrounded."""
    columns = (
        Column("budget", gettext_lazy("Budget"), Form.NAME),
        Column("documents", gettext_lazy("Documents"), Form.COUNT),
        Column("segments", gettext_lazy("Segments"), Form.COUNT),
        Column("pairwise_accuracy", gettext_lazy("Pairs as by all"), Form.SHARE, 0),
        Column("random", gettext_lazy("At random"), Form.SHARE, 0),
        Column("clusters", gettext_lazy("Clusters"), decimals=0),
        Column("random_clusters", gettext_lazy("Clusters at random"), decimals=1),
    )
    names = tuple(column.name for column in columns)
    return Table(
        "expected",
        _("What to expect of each budget"),
        columns=columns,
        rows=rows_of(columns, curve),
        part="expected",
        page=names,
        terminal=names,
        is_sortable=False,
        notes=(
            _(
                "Pairs as by all: the share of pairs of systems that the metric’s means over the chosen segments order "
                "as its means over all. Clusters: how many groups would differ if people scored as the metric does. "
                "People do not: read the curve for the comparison with chance, not for its height."
            ),
        ),
    )


def items_table(items: Sequence[ItemUtility]) -> Table:
    """For a file."""
    columns = (
        Column("document", gettext_lazy("Document"), Form.NAME),
        Column("segment", gettext_lazy("Segment"), Form.TEXT),
        Column("utility", gettext_lazy("Utility")),
        Column("chosen", gettext_lazy("Chosen"), Form.YES_NO),
        Column("probability", gettext_lazy("Probability")),
    )
    return Table("items", _("Chosen segments"), columns=columns, rows=rows_of(columns, items))


def selection_of(table: ItemTable) -> Selection:
    """As the request asks. Raises InvalidInput where a metric without scores is to choose."""
    request = table.request
    return Selection(
        method=request.method,
        metric=request.metric,
        unit=request.unit,
        whole=request.whole,
        segments=_items(table, request.budget),
        budget=request.budget,
        expected=expected_at(table, request.budget),
        signature=table.signature,
    )


def _items(table: ItemTable, budget: int) -> tuple[ItemUtility, ...]:
    chosen = table.chosen(budget)
    probabilities = table.probabilities(chosen)
    rows = zip(table.names, table.utilities.tolist(), chosen.tolist(), probabilities.tolist(), strict=True)
    is_drawn = table.request.method == "random"
    return tuple(
        ItemUtility(
            *names, Missing("drawn") if is_drawn else number(utility, "no_scores"), bool(is_chosen), probability
        )
        for names, utility, is_chosen, probability in rows
    )
