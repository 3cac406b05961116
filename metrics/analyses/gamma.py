"""The analysis `gamma`: agreement on where errors are and of which category, by the best alignment of all marks."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import numpy as np

from metrics.analyses.evidence import Evidence
from metrics.analyses.marked_spans import judged_rows, marks_of, penalties_of
from metrics.analyses.shared_ratings import items_of
from metrics.error_table import ErrorTable
from metrics.matrices import ScoreTable
from metrics.recipes import Recipe
from metrics.results.tables import Column, Form, Table, rows_of
from metrics.results.values import Ends, Missing, Number, interval_ends, number
from metrics.statistics.agreement.gamma import Gamma, Unit, gamma_agreement

MOST_ITEMS = 300
SAMPLES, ALL_SAMPLES, FEWEST_SAMPLES = 30, 1_500, 5


@dataclass(frozen=True, kw_only=True)
class SpanGamma:
    """Of `items`: outputs that several judged and somebody marked, drawn at random from `marked` where these are many.

    `observed` and `expected` are mean disorders; in `greedy` of the items the alignment may not be the best.
    """

    gamma: Number
    interval: Ends
    items: int
    marked: int
    greedy: int
    observed: Number
    expected: Number


def gamma(evidence: Evidence) -> SpanGamma:
    """Errors in translations, minor and worse, with their main category; each place and category once."""
    table = penalties_of(evidence)
    if evidence.marked is None or table is None:
        return NO_GAMMA
    items = _items(evidence, evidence.marked, table)
    marked = [item for item in items if any(item)]
    drawn = _drawn(marked, evidence.recipe)
    result = gamma_agreement(
        drawn or items,
        samples=max(FEWEST_SAMPLES, min(SAMPLES, ALL_SAMPLES // max(1, len(drawn)))),
        resamples=evidence.recipe.interval_resamples,
        confidence=evidence.recipe.interval_level,
        rng=evidence.recipe.rng,
    )
    return _result(result, len(marked))


def _result(result: Gamma, marked: int) -> SpanGamma:
    value = number(result.value, result.reason)
    return SpanGamma(
        gamma=value,
        interval=interval_ends(result.interval, value),
        items=result.items,
        marked=marked,
        greedy=result.greedy,
        observed=number(result.observed, result.reason),
        expected=number(result.expected, result.reason),
    )


def _drawn(marked: list[list[list[Unit]]], recipe: Recipe) -> list[list[list[Unit]]]:
    if len(marked) <= MOST_ITEMS:
        return marked
    chosen = np.sort(recipe.rng.choice(len(marked), size=MOST_ITEMS, replace=False))
    return [marked[place] for place in chosen.tolist()]


def _items(evidence: Evidence, marked: ErrorTable, table: ScoreTable) -> list[list[list[Unit]]]:
    """Outputs that two or more judged, with the units of each."""
    spans, category, _names = marks_of(marked)
    units: dict[int, list[Unit]] = {}
    columns = (spans.comparison, spans.start, spans.end, category)
    for row, start, end, kind in zip(*(column.tolist() for column in columns), strict=True):
        units.setdefault(row, []).append((start, end, kind))
    rows = judged_rows(evidence, table)
    of_items: dict[int, list[list[Unit]]] = {}
    for row, item in zip(rows.tolist(), items_of(table)[rows].tolist(), strict=True):
        of_items.setdefault(item, []).append(units.get(row, []))
    return [each for each in of_items.values() if len(each) > 1]


NO_GAMMA = SpanGamma(
    **dict.fromkeys(("gamma", "interval", "observed", "expected"), Missing("no_spans_asked")),
    items=0,
    marked=0,
    greedy=0,
)


def gamma_table(results: Sequence[SpanGamma], signature: str = "") -> Table:
    """One row."""
    missing = {"no_overlap": gettext_lazy("n/a: nothing was judged by two annotators"),
               "nothing_marked": gettext_lazy("n/a: nothing was marked"), "": gettext_lazy("n/a")}  # fmt: skip
    columns = (
        Column("title", gettext_lazy("Coefficient"), Form.NAME, is_in_files=False),
        Column("gamma", gettext_lazy("Gamma"), decimals=3, missing=missing),
        Column("interval", gettext_lazy("95% interval"), Form.ENDS, 3, keys=("gamma_low", "gamma_high"), of="gamma"),
        Column("observed", gettext_lazy("Observed disorder"), decimals=3),
        Column("expected", gettext_lazy("Expected disorder"), decimals=3),
        Column("items", gettext_lazy("Outputs"), Form.COUNT),
        Column("marked", gettext_lazy("Marked outputs"), Form.COUNT),
        Column("greedy", gettext_lazy("Aligned greedily"), Form.COUNT),
        Column("signature", "", Form.TEXT),
    )
    made = {"title": lambda _one: _("Gamma"), "signature": lambda _one: signature}
    return Table(
        "gamma",
        _("Gamma: places and categories of errors"),
        columns,
        rows_of(columns, results, made),
        part="gamma",
        page=("title", "chart:interval", "gamma", "observed", "expected", "items"),
        terminal=("gamma", "interval", "observed", "expected", "items", "marked", "greedy"),
        main="gamma",
        is_sortable=False,
        notes=(
            _("The marks of all annotators of an output are aligned as well as possible; what disorder is left is "
              "compared with that of marks drawn at random. 1: the same errors, 0: as by chance."),
            *(
                [_("Outputs drawn at random: %(items)d of %(marked)d.") % vars(one) for one in results
                 if one.items < one.marked]
            ),
            *([_("Outputs with very many marks, aligned approximately: %(greedy)d.") % vars(one) for one in results
               if one.greedy]),
        ),
    )  # fmt: skip
