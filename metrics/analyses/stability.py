"""The analysis `stability`: what a part of the documents would have said of the systems; made on request."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.analyses.pair_tests import compare_pairs
from metrics.analyses.placebo import enough_permutations
from metrics.analyses.system_values import Units, means_over_units, system_values
from metrics.matrices import ScoreTable
from metrics.recipes import Recipe
from metrics.results.tables import Cell, Column, Form, MadeCells, Table, rows_of
from metrics.results.values import Ends, Number, interval_ends, number
from metrics.statistics.arrays import FloatArray, IntArray
from metrics.statistics.stability import Stability, stability_curve
from metrics.statistics.wins import clusters_from_ranges, clusters_from_wins, rank_ranges_by_neighbours

DRAWS = 200


@dataclass(frozen=True)
class StablePart:
    """Of draws of a `share` of the documents: how many gave the same `order`, the same `clusters`, and of all pairs
    the share in the same order.
    """

    share: float
    documents: int
    order: Number
    order_interval: Ends
    pairs: Number
    clusters: Number
    clusters_interval: Ends


@dataclass(frozen=True)
class StableMeasure:
    """`reason` says why there are no `parts`."""

    measure: str
    documents: int
    draws: int
    parts: tuple[StablePart, ...]
    reason: str | None


@dataclass(frozen=True)
class StabilityCurve:
    measures: tuple[StableMeasure, ...]


def stability(evidence: Evidence) -> StabilityCurve:
    """Of each measure that compares systems; of whole documents where that is all there is."""
    compared = [table for table in evidence.tables if table.is_compared and len(table)]
    levels = [table.where(table.is_document_level == table.is_document_level.all()) for table in compared]
    return StabilityCurve(tuple(_of_measure(evidence, table) for table in levels))


def _of_measure(evidence: Evidence, table: ScoreTable) -> StableMeasure:
    recipe = evidence.recipe
    values = system_values(evidence, table, each_score=recipe.units == "score")
    documents = int(np.unique(values.units.document).size)
    if table.is_relative:
        return StableMeasure(table.measure, documents, 0, (), "compared_within_screens")
    if len(values.names) < 2:
        return StableMeasure(table.measure, documents, 0, (), "too_few_systems")
    quick = enough_permutations(recipe, len(values.names))
    domains = dict(zip(values.units.document.tolist(), values.units.domain.tolist(), strict=True))

    def clusters_of(part: FloatArray, codes: IntArray) -> IntArray:
        return _clusters(part, codes, np.array([domains[labels[code]] for code in codes.tolist()]), quick)

    labels = np.unique(values.units.document).tolist()
    curve = stability_curve(
        values.ordering, documents=values.units.document, draws=DRAWS, clusters_of=clusters_of, rng=recipe.rng
    )
    reason = None if curve else "few_documents"
    return StableMeasure(table.measure, documents, DRAWS if curve else 0, tuple(map(_part, curve)), reason)


def _clusters(values: FloatArray, documents: IntArray, domains: IntArray, recipe: Recipe) -> IntArray:
    """In the order of the rows."""
    units = Units(documents, domains, np.arange(documents.size))
    means = means_over_units(values, units, recipe)
    order = np.argsort(-np.where(np.isnan(means), -np.inf, means), kind="stable")
    wins = compare_pairs(values[order], means[order], units, recipe).wins
    by_ranges = recipe.clusters == "ranges"
    ranked = clusters_from_ranges(rank_ranges_by_neighbours(wins)) if by_ranges else clusters_from_wins(wins)
    clusters = np.empty_like(ranked)
    clusters[order] = ranked
    return clusters


def _part(one: Stability) -> StablePart:
    order, clusters = number(one.order), number(one.clusters)
    return StablePart(
        share=one.share,
        documents=one.documents,
        order=order,
        order_interval=interval_ends(one.order_interval, order),
        pairs=number(one.pairs),
        clusters=clusters,
        clusters_interval=interval_ends(one.clusters_interval, clusters),
    )


def stability_table(result: StabilityCurve, signature: str = "") -> Table:
    """A row for each part of the documents."""
    columns = (
        Column("part", gettext_lazy("Documents"), Form.NAME),
        Column("measure", form=Form.TEXT),
        Column("share", form=Form.SHARE),
        Column("documents", gettext_lazy("Number"), Form.COUNT),
        Column("pairs", gettext_lazy("Pairs in the same order"), Form.SHARE, 1),
        Column("order", gettext_lazy("Same order"), Form.SHARE, 1),
        Column(
            "order_interval", gettext_lazy("Same order of all systems, 95% interval"), Form.ENDS, 1,
            keys=("order_low", "order_high"), of="order", span=(0.0, 1.0),
        ),
        Column("clusters", gettext_lazy("Same clusters"), Form.SHARE, 1),
        Column(
            "clusters_interval", gettext_lazy("Same clusters, 95% interval"), Form.ENDS, 1,
            keys=("clusters_low", "clusters_high"), of="clusters", span=(0.0, 1.0),
        ),
        Column("draws", form=Form.COUNT),
        Column("signature", form=Form.TEXT),
    )  # fmt: skip
    return Table(
        "stability",
        _("With fewer documents"),
        columns=columns,
        rows=tuple(row for measure in result.measures for row in _rows(columns, measure, signature)),
        part="stability",
        page=("part", "documents", "pairs", "chart:order_interval", "order", "chart:clusters_interval", "clusters"),
        terminal=("part", "measure", "documents", "pairs", "order", "order_interval", "clusters", "clusters_interval"),
        is_sortable=False,
        lead=_("How often a part of the documents, drawn at random, says the same as all of them."),
    )


def _rows(columns: tuple[Column, ...], measure: StableMeasure, signature: str) -> tuple[tuple[Cell, ...], ...]:
    others: MadeCells = {
        "part": lambda one: f"{100 * one.share:g}%",
        "measure": lambda _one: measure.measure,
        "draws": lambda _one: measure.draws,
        "signature": lambda _one: signature,
    }
    return rows_of(columns, measure.parts, others)
