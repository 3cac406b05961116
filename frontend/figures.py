"""Figures of a finished run for a paper: self-contained SVG with its own colours on white, drawn as on the page."""

from collections.abc import Iterator
from dataclasses import replace

from django.http import Http404, HttpResponse, QueryDict
from django.utils.translation import gettext as _

from annotation.protocols import protocol_for
from annotation.queries.annotator_work import annotator_names
from campaigns.models import Campaign
from frontend.charts.differences import AGAINST, differences_figure
from frontend.charts.distributions import spread_figure
from frontend.charts.drawing import Dot, Drawing, Line, Mark, Words
from frontend.charts.effort import effort_figure
from frontend.charts.figure import Figure
from frontend.charts.metrics import metric_charts
from frontend.charts.mixed import severities_figure, shares_figure
from frontend.charts.penalties import penalty_figures
from frontend.charts.people import annotator_charts
from frontend.charts.ratings import ratings_figure
from frontend.charts.slices import slices_figure
from frontend.charts.strengths import strengths_figure
from frontend.downloads import text_file
from frontend.drawn_interval import DrawnInterval
from frontend.shown_table import ShownTable
from frontend.templatetags.numbers import decimals
from metrics.analyses.annotator_table import AnnotatorContext
from metrics.analyses.annotators import Annotator
from metrics.analyses.correlation import Correlations
from metrics.analyses.drift import Drift
from metrics.analyses.errors import Errors
from metrics.analyses.gisting import Gisting
from metrics.analyses.mixed import Mixed, MixedMeasure
from metrics.analyses.post_editing import PostEditing
from metrics.analyses.ranking import Ranking
from metrics.analyses.ranking_tables import system_tables
from metrics.analyses.slices import BY_WORDS, Slices
from metrics.analysis_runs import SLICED, AnalysisRuns
from metrics.automatic import METRICS
from metrics.filters import is_answer
from metrics.scoring.names import title_of

ROW = 28
PARTS = (
    "ranking", "gisting", "errors", "post_editing", "slices", "mixed", "annotators", "drift", "correlation",
)  # fmt: skip


def charts_of(runs: AnalysisRuns, query: QueryDict) -> dict[str, Figure]:
    """The charts of the results page by name; `query` has what its reader chose."""
    ranking = runs.result_of(Ranking, "ranking")
    if ranking is None or ranking.too_early:
        return {}
    main, measures, humans, errors = ranking.main, runs.measures, runs.humans, runs.result_of(Errors, "errors")
    effort = runs.result_of(PostEditing, "post_editing")
    titles = protocol_for(runs.campaign.protocol, runs.campaign.options).category_titles
    figures = (
        differences_figure(main, measures.get(main.main_measure), humans, query.get(AGAINST, "")),
        *(ratings_figure(points, measures[name]) for name, points in ranking.points.items() if name in measures),
        strengths_figure(main, humans),
        effort_figure(effort, ranking) if effort else None,
        spread_figure(main, measures, humans) if not ranking.points else None,
        *(penalty_figures(errors, ranking, titles, humans) if errors else ()),
        shares_figure(model, measures[model.measure].title) if (model := _model(runs)) else None,
    )
    return {figure.name: figure for figure in figures if figure}


def _model(runs: AnalysisRuns) -> MixedMeasure | None:
    """Of the measure that systems are compared by."""
    result = runs.result_of(Mixed, "mixed")
    return next((one for one in (result.measures if result else ()) if one.measure in runs.measures), None)


def severities_chart(runs: AnalysisRuns) -> Figure | None:
    """It names annotators: it is not for everybody."""
    model = _model(runs)
    return severities_figure(model, runs.measures[model.measure].title) if model else None


def slices_chart(runs: AnalysisRuns, by: str) -> Figure | None:
    ranking, result = runs.result_of(Ranking, "ranking"), runs.sliced(by).result_of(Slices, "slices")
    if ranking is None or ranking.too_early or result is None:
        return None
    return slices_figure(result, ranking.main, runs.measures.get(ranking.main.main_measure), runs.humans)


def figures_of(runs: AnalysisRuns, query: QueryDict | None = None) -> dict[str, tuple[str, Drawing]]:
    """By name, what each shows and its drawing: the charts, and the tables of systems with their intervals."""
    runs.parts(*PARTS)  # in one query
    of_metrics = {chart.name: (chart.plain, chart.drawing) for chart in _of_metrics(runs)}
    ranking, gisting = runs.result_of(Ranking, "ranking"), runs.result_of(Gisting, "gisting")
    if ranking is None or ranking.too_early:
        return of_metrics
    drawings: dict[str, tuple[str, Drawing]] = {}
    tables = system_tables(ranking, replace(runs.read_with, humans=runs.humans)).main
    for table in () if gisting and gisting.systems else tables:  # a page shows comprehension in a table of its own
        title = _("%(measure)s with its intervals") % {"measure": table.about}
        drawings[f"systems-{table.values('measure')[0]}"] = title, intervals_drawing(ShownTable(table), title)
    query = QueryDict() if query is None else query
    charts = charts_of(runs, query)
    by = query.get(SLICED, "")
    if slices := slices_chart(runs, by if by in BY_WORDS or is_answer(by) else runs.recipe.by):
        charts[slices.name] = slices
    for chart in (*_of_people(runs), *filter(None, [severities_chart(runs)])):
        charts[chart.name] = chart
    return drawings | {name: (figure.plain, figure.drawing) for name, figure in charts.items()} | of_metrics


def _of_metrics(runs: AnalysisRuns) -> list[Figure]:
    correlations = runs.result_of(Correlations, "correlation")
    return metric_charts(correlations, {name: title_of(name) for name in METRICS}) if correlations else []


def _of_people(runs: AnalysisRuns) -> list[Figure]:
    annotators = runs.result_of(tuple[Annotator, ...], "annotators") or ()
    of_segments = [measure for measure in runs.measures.values() if measure.level == "segment"]
    context = AnnotatorContext(next(iter(of_segments or runs.measures.values()), None), annotator_names(runs.campaign))
    return annotator_charts(annotators, runs.result_of(Drift, "drift"), context)


def figure_file(runs: AnalysisRuns, name: str, query: QueryDict | None = None) -> HttpResponse:
    figures = figures_of(runs, query)
    if name not in figures:
        raise Http404
    return drawing_file(runs.campaign, name, *figures[name])


def drawing_file(campaign: Campaign, name: str, title: str, drawing: Drawing) -> HttpResponse:
    return text_file(drawing.for_file(title), "image/svg+xml", f"{campaign.slug}-{name}.svg")


def intervals_drawing(table: ShownTable, title: str) -> Drawing:
    """Systems in rank order, each mean with its interval; a line where a cluster ends, a hollow point for a person."""
    return Drawing(title, ROW * len(table.table.rows) + 38, list(_interval_marks(table)))


def _interval_marks(table: ShownTable) -> Iterator[Mark]:
    bottom = ROW * len(table.table.rows)
    for tick in table.axis.ticks:
        at = float(tick.at.rstrip("%"))
        yield Line(at, -6, at, bottom, "grid")
        yield Words(at, bottom + 16, tick.label, "dim", "middle")
    for place, (name, drawn) in enumerate(zip(table.table.values("system"), table.drawn, strict=True)):
        yield from _interval_row(str(name), drawn, ROW * place + ROW / 2)
        if place in table.table.cuts:
            yield Line(0, ROW * (place + 1), 100, ROW * (place + 1), "cutl")
    yield Words(50, bottom + 34, str(table.table.about), "", "middle")


def _interval_row(name: str, drawn: DrawnInterval, y: float) -> Iterator[Mark]:
    yield Words(0, y + 4, name, "lab", "end", -10, is_name=True)
    at = {key: float(share.rstrip("%")) for key, share in drawn.at.items()}
    if "low" in at:
        yield Line(at["low"], y, at["high"], y, "ci")
    if drawn.point is not None:
        yield Dot(at["point"], y, "hum" if drawn.is_human else "pt")
        half = f" ± {decimals(drawn.half_width, drawn.decimals)}" if drawn.half_width is not None else ""
        yield Words(100, y + 4, f"{decimals(drawn.point, drawn.decimals)}{half}", "", dx=10)
