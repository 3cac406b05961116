"""The tables of every analysis, by its name: of a page, files, papers and the terminal."""

from collections.abc import Callable, Sequence
from typing import Any

from metrics.analyses.agreement_tables import agreement_for_paper, agreement_tables, all_alphas
from metrics.analyses.allocation import allocation_tables
from metrics.analyses.annotator_table import AnnotatorContext, annotators_table
from metrics.analyses.assisted import assisted_table
from metrics.analyses.campaign_table import campaign_tables
from metrics.analyses.ceiling import ceiling_tables
from metrics.analyses.correlation import correlations_table
from metrics.analyses.drift import drift_table
from metrics.analyses.error_free import error_free_table
from metrics.analyses.errors import error_tables
from metrics.analyses.exclusion import agreement_before_and_after, systems_before_and_after
from metrics.analyses.gamma import gamma_table
from metrics.analyses.gisting import comprehension_table
from metrics.analyses.marked_spans import matched_spans_table
from metrics.analyses.metric_spans import metric_spans_table
from metrics.analyses.mixed_tables import mixed_tables
from metrics.analyses.placebo_table import placebo_table
from metrics.analyses.places import places_table
from metrics.analyses.post_editing import effort_table
from metrics.analyses.ranking_tables import ReadWith, ranking_tables
from metrics.analyses.scorecard import verdicts_table
from metrics.analyses.screens import screens_table
from metrics.analyses.stability import stability_table
from metrics.results.tables import Table
from metrics.results.values import Missing

# What page, files, papers and terminal show of each analysis; its columns say where.
TABLES: dict[str, Callable[[Any, ReadWith], Sequence[Table]]] = {
    "ranking": ranking_tables,
    "post_editing": lambda result, _read_with: [effort_table(result)],
    "gisting": lambda result, _read_with: [comprehension_table(result)],
    "agreement": lambda result, read_with: [
        agreement_for_paper(result, read_with),
        *agreement_tables(result, read_with, all_alphas),
        *([] if isinstance(result.spans, Missing) else [matched_spans_table(result.spans)]),
    ],
    "annotators": lambda result, read_with: [annotators_table(result, AnnotatorContext(signature=read_with.signature))],
    "drift": lambda result, _read_with: [drift_table(result)],
    "errors": lambda result, _read_with: error_tables(result),
    "scorecard": lambda result, _read_with: [verdicts_table(result)] if result.tolerance else [],
    "campaign_table": lambda result, read_with: [campaign_tables(result, read_with.title)],
    "places": lambda result, read_with: [places_table(result, read_with.title)] if result.rows else [],
    "allocation": lambda result, read_with: allocation_tables(result, read_with.title),
    "screens": lambda result, read_with: [screens_table(result, read_with.title)] if result.screens else [],
    "correlation": lambda result, _read_with: [
        *([] if result.reason else [correlations_table({"": result.metrics})]),
        *([metric_spans_table(result.spans)] if result.spans else []),
        *(ceiling_tables(result.ceiling) if result.ceiling else []),
    ],
    "ceiling": lambda result, _read_with: ceiling_tables(result),
    "assisted": lambda result, _read_with: [assisted_table(result)] if result.systems else [],
    "error_free": lambda result, _read_with: [error_free_table(result)] if result.label else [],
    "mixed": lambda result, read_with: mixed_tables(result, read_with.title),
    "gamma": lambda result, _read_with: [gamma_table([result])],
    "exclusion": lambda result, _read_with: [systems_before_and_after(result), agreement_before_and_after(result)],
    "placebo": lambda result, read_with: [placebo_table(result, read_with.signature)],
    "stability": lambda result, read_with: [stability_table(result, read_with.signature)],
}
