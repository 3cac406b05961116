"""Every table of a finished run by its name, as files have it: for pages and programs alike."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from annotation.queries.annotator_work import annotator_names
from metrics.analyses import ANALYSES, LONG_PARTS, PARTS
from metrics.analyses.agreement import AnnotatorAgreement
from metrics.analyses.agreement_tables import COEFFICIENT_FILE_COLUMNS, agreement_tables
from metrics.analyses.agreement_tables import pairs_table as annotator_pairs_table
from metrics.analyses.annotator_table import AnnotatorContext, annotators_table
from metrics.analyses.annotators import Annotator
from metrics.analyses.assisted import Assisted, assisted_table
from metrics.analyses.campaign_table import campaign_tables
from metrics.analyses.ceiling import ceiling_tables
from metrics.analyses.correlation import (
    Correlations,
    comparisons_table,
    correlations_table,
    disagreements_table,
    nothing_correlated,
    parts_of,
)
from metrics.analyses.distributions import points_table
from metrics.analyses.drift import Drift, drift_table
from metrics.analyses.error_free import NOTHING_FREE, error_free_table
from metrics.analyses.errors import Errors, marked_errors_table, suggestions_table
from metrics.analyses.exclusion import NO_TRIAL, Trial, systems_before_and_after
from metrics.analyses.gamma import NO_GAMMA, gamma_table
from metrics.analyses.gisting import Gisting, comprehension_table
from metrics.analyses.marked_spans import matched_spans_table
from metrics.analyses.metric_spans import metric_spans_table
from metrics.analyses.mixed import Mixed
from metrics.analyses.mixed_tables import (
    MIXED_COLUMNS,
    model_pairs_table,
    severities_table,
    systems_table,
    variances_table,
)
from metrics.analyses.ordinal_tables import (
    ORDINAL_COLUMNS,
    ordinal_pairs_table,
    ordinal_severities_table,
    ordinal_table,
)
from metrics.analyses.pair_tables import pairs_table
from metrics.analyses.placebo import Placebo
from metrics.analyses.placebo_table import placebo_table
from metrics.analyses.places import PlaceMeans, places_table
from metrics.analyses.post_editing import PostEditing, effort_table
from metrics.analyses.ranking import Ranking
from metrics.analyses.ranking_tables import SYSTEM_FILE_COLUMNS, models_table, spread_table, system_tables
from metrics.analyses.rater_filter import fits_table
from metrics.analyses.score_tables import SCORE_FILE_COLUMNS, TEST_COLUMNS, ScoreTables
from metrics.analyses.scorecard import NO_SCORECARD, Scorecard, scorecard_table
from metrics.analyses.screens import NO_SCREENS, screens_table
from metrics.analyses.segment_scores import metric_pairs_table, segments_table
from metrics.analyses.slices import Slices, slices_table
from metrics.analyses.stability import StabilityCurve, stability_table
from metrics.analysis_runs import AnalysisRuns
from metrics.results.tables import FileCell, Table, attributes_table, one_file
from metrics.results.values import Missing
from metrics.scoring.reading import comparisons_in, read_metric_scores, shown_runs

FileTable = tuple[Sequence[str], Sequence[Sequence[FileCell]]]
TableOf = Callable[[AnalysisRuns], FileTable]
# What stands for an analysis that the run did not make: its files have only their heading row.
EMPTY: Mapping[str, Any] = {
    "errors": Errors(weights=None, systems=(), categories=()),
    "scorecard": NO_SCORECARD,
    "assisted": Assisted(metric="", reason="no_metric"),
    "post_editing": PostEditing(()),
    "gisting": Gisting(()),
    "slices": Slices("", {}),
    "exclusion": NO_TRIAL,
    "placebo": Placebo(()),
    "stability": StabilityCurve(()),
    "agreement": AnnotatorAgreement(measures=(), spans=Missing("no_run"), preference=Missing("no_run")),
    "annotators": (),
    "drift": Drift("", 0, ()),
    "campaign_table": None,
    "places": PlaceMeans("", ()),
    "screens": NO_SCREENS,
    "correlation": nothing_correlated("no_scores"),
    "error_free": NOTHING_FREE,
    "mixed": Mixed(()),
    "gamma": NO_GAMMA,
}


def _of(
    part: str, tables: Callable[[Any, AnalysisRuns], Iterable[Table]], header_without_tables: Sequence[str] = ()
) -> TableOf:
    """The file that the `tables` of one analysis go into."""

    def table(runs: AnalysisRuns) -> FileTable:
        result = runs.result_of(PARTS[part], part)
        return one_file(tables(EMPTY[part] if result is None else result, runs), header_without_tables)

    return table


def _systems(ranking: Ranking, runs: AnalysisRuns) -> Iterable[Table]:
    return system_tables(ranking, replace(runs.read_with, humans=runs.humans)).all


def _models(ranking: Ranking, _runs: AnalysisRuns) -> Iterable[Table]:
    table = models_table(ranking.main)
    return [table] if table and table.rows else []


def _pairs(agreement: AnnotatorAgreement, runs: AnalysisRuns) -> Iterable[Table]:
    """With the pairs of annotators for whom the page has no room."""
    row = LONG_PARTS["agreement"]
    pairs = runs.result_of(PARTS[row], row)
    return [annotator_pairs_table(agreement if pairs is None else agreement.join(pairs), runs.read_with)]


def _scorecard(result: Scorecard, runs: AnalysisRuns) -> Iterable[Table]:
    """With the documents for which the page has no room."""
    row = LONG_PARTS["scorecard"]
    documents = runs.result_of(PARTS[row], row)
    return [scorecard_table(result if documents is None else result.join(documents))]


def _annotators(annotators: Sequence[Annotator], runs: AnalysisRuns) -> Iterable[Table]:
    context = AnnotatorContext(people=annotator_names(runs.campaign), signature=runs.signature)
    return [annotators_table(annotators, context)]


def _metric_scores(correlations: Correlations, runs: AnalysisRuns) -> Iterable[Table]:
    scores = read_metric_scores(runs.campaign.test_set, with_segments=False)
    return [metric.table for metric in ScoreTables(scores, correlations).metrics]


def _metric_tests(runs: AnalysisRuns) -> FileTable:
    """Of the test set, not of one run."""
    scorings = {run.pk: run for run in shown_runs(runs.campaign.test_set).values()}.values()
    tables = [attributes_table("tests", TEST_COLUMNS, comparisons_in(run), run.signature) for run in scorings]
    return one_file(tables, (*TEST_COLUMNS, "signature"))


# They need a ranking.
RESULT_TABLES: Mapping[str, TableOf] = {
    "systems": _of("ranking", _systems, SYSTEM_FILE_COLUMNS),
    "pairs": _of("ranking", lambda ranking, _runs: [pairs_table(ranking.main)]),
    "spread": _of("ranking", lambda ranking, runs: [spread_table(ranking.main, runs.measures)]),
    "points": _of("ranking", lambda ranking, _runs: [points_table([*chain(*ranking.points.values())])]),
    "models": _of("ranking", _models, ["system"]),
    "errors": _of("errors", lambda errors, _runs: [marked_errors_table(errors)]),
    "scorecard": _of("scorecard", _scorecard),
    "assisted": _of("assisted", lambda result, _runs: [assisted_table(result)]),
    "suggestions": _of("errors", lambda errors, _runs: [suggestions_table(errors)]),
    "effort": _of("post_editing", lambda post_editing, _runs: [effort_table(post_editing)]),
    "comprehension": _of("gisting", lambda gisting, _runs: [comprehension_table(gisting)]),
    "fits": _of("ranking", lambda ranking, _runs: [fits_table(ranking.filter)]),
    "screens": _of("screens", lambda result, _runs: [screens_table(result)]),
    "places": _of("places", lambda result, _runs: [places_table(result)]),
    "mixed": _of("mixed", lambda result, _runs: [systems_table(one, "") for one in result.measures], MIXED_COLUMNS),
    "mixed-pairs": _of("mixed", lambda result, _runs: [model_pairs_table(result.measures)]),
    "variances": _of("mixed", lambda result, _runs: [variances_table(result.measures)]),
    "severities": _of("mixed", lambda result, _runs: [severities_table(result.measures)]),
    "ordinal": _of("mixed", lambda result, _runs: [ordinal_table(one, "") for one in result.ordinal], ORDINAL_COLUMNS),
    "ordinal-pairs": _of("mixed", lambda result, _runs: [ordinal_pairs_table(result.ordinal)]),
    "ordinal-severities": _of("mixed", lambda result, _runs: [ordinal_severities_table(result.ordinal)]),
    "campaign-table": _of("campaign_table", lambda result, _runs: [campaign_tables(result)]),
}
SLICES = _of("slices", lambda slices, _runs: [slices_table(slices)])
EXCLUSION = _of("exclusion", lambda trial, runs: [systems_before_and_after(trial, runs.signature)])
TRIAL_TABLES: Mapping[str, TableOf] = {
    "placebo": _of("placebo", lambda result, runs: [placebo_table(result, runs.signature)]),
    "stability": _of("stability", lambda result, runs: [stability_table(result, runs.signature)]),
}
AGREEMENT_TABLES: Mapping[str, TableOf] = {
    "agreement": _of(
        "agreement", lambda agreement, runs: agreement_tables(agreement, runs.read_with), COEFFICIENT_FILE_COLUMNS
    ),
    "agreement-pairs": _of("agreement", _pairs),
    "agreement-spans": _of(
        "agreement", lambda agreement, runs: [matched_spans_table(agreement.spans, signature=runs.signature)]
    ),
    "agreement-gamma": _of("gamma", lambda result, runs: [gamma_table([result], runs.signature)]),
    "agreement-error-free": _of(
        "error_free", lambda result, runs: [error_free_table(result, signature=runs.signature)]
    ),
    "annotators": _of("annotators", _annotators),
    "drift": _of("drift", lambda drift, _runs: [drift_table(drift)]),
}
METRIC_TABLES: Mapping[str, TableOf] = {
    "scores": _of("correlation", _metric_scores, SCORE_FILE_COLUMNS),
    "tests": _metric_tests,
    "correlations": _of(
        "correlation", lambda result, runs: [correlations_table(parts_of(result), signature=runs.signature)]
    ),
    "comparisons": _of("correlation", lambda result, runs: [comparisons_table(result, runs.signature)]),
    "segments": _of("correlation", lambda result, _runs: [segments_table(result.scored_segments or ())]),
    "pairs": _of("correlation", lambda result, _runs: [metric_pairs_table(result.metric_pairs or (), {})]),
    "spans": _of("correlation", lambda result, runs: [metric_spans_table(result.spans, signature=runs.signature)]),
    "ceiling": _of("correlation", lambda result, runs: ceiling_tables(result.ceiling, signature=runs.signature)),
    "disagreements": _of("correlation", lambda result, runs: [disagreements_table(result, runs.signature)]),
}


def tables_of_run(runs: AnalysisRuns) -> dict[str, TableOf]:
    """Those of the analyses that the finished run made, which are read in one query."""
    parts, tables = runs.parts(*ANALYSES), dict[str, TableOf]()
    if runs.result_of(Ranking, "ranking"):
        tables |= RESULT_TABLES
    slices = runs.result_of(Slices, "slices")
    if slices and slices.slices:
        tables["slices"] = SLICES
    if runs.result_of(Trial, "exclusion"):
        tables["exclusion"] = EXCLUSION
    tables |= {name: table for name, table in TRIAL_TABLES.items() if name in parts}
    if runs.result_of(AnnotatorAgreement, "agreement"):
        tables |= AGREEMENT_TABLES
    if "correlation" in parts:
        tables |= {f"metric-{name}": table for name, table in METRIC_TABLES.items() if table is not _metric_tests}
    return tables
