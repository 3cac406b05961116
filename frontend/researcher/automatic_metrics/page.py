"""Everything the page of metrics shows, chosen by its address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple
from urllib.parse import parse_qsl

from django.http import HttpRequest, QueryDict
from django.shortcuts import resolve_url
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.models import Campaign, Reference
from frontend.charts.figure import Figure
from frontend.charts.metrics import SEGMENTS, metric_charts
from frontend.column_choice import COLUMNS
from frontend.researcher.automatic_metrics.neural_choices import NeuralChoices, neural_choices
from frontend.researcher.automatic_metrics.runs import MetricRuns
from frontend.researcher.automatic_metrics.scatter import Scatter, Spot
from frontend.shown_table import ShownTable
from frontend.sorting import SORT, unknown_order
from frontend.templatetags.numbers import decimals
from metrics.analyses.ceiling import ceiling_tables
from metrics.analyses.correlation import GROUPINGS, Correlations, DisputedTranslation, level_table, parts_of
from metrics.analyses.metric_levels import CorrelatedMetric
from metrics.analyses.metric_spans import metric_spans_table
from metrics.analyses.score_tables import ScoredMetric, ScoreTables, decimals_for
from metrics.automatic import METRICS
from metrics.automatic.base import language_of
from metrics.automatic.tokenizers import NAMES, is_installed, standard_tokenizer, usual_tokenizer, written_in
from metrics.findings.correlation import findings_of_metrics
from metrics.neural.light_model import LIGHT, LightModel
from metrics.recipes import CHOICES
from metrics.results.values import Missing, Number
from metrics.scoring import why_no_tokenizer
from metrics.scoring.light_models import INSTALL, MEASURED, MeasuredOnWmt23, is_model_there, uses_model
from metrics.scoring.names import DEFAULT_METRICS, SCORING_METRICS, title_of
from metrics.scoring.reading import comparisons_in, read_metric_scores, shown_runs
from metrics.scoring.stored_marks import SUGGESTIONS
from metrics.scoring.wordnet_folder import wordnet_in_use

CHOSEN_HERE = ("metric", "baseline", "grouping", "slice")
OPTIONS = ("by", "humans", "outliers")
PLOTS_SHOWN = 6
FAR_APART = 50  # percent of the outputs lie between
REASONS = {
    "no_judgments": gettext_lazy("There are no judgments yet."),
    "no_scores": gettext_lazy("No metric has scored this test set yet."),
    "too_few_systems": gettext_lazy(
        "Fewer than two systems can be compared. References of the metrics do not count, nor do systems you excluded."
    ),
}
LEFT_OUT = {
    "reference": gettext_lazy("a reference of the metrics"),
    "human": gettext_lazy("a human translation"),
    "outlier": gettext_lazy("an outlier"),
}


@dataclass(frozen=True)
class Plot:
    metric: ScoredMetric
    scatter: Scatter
    pearson: Number | None

    @property
    def shown_pearson(self) -> str:
        return decimals(self.pearson, 3) if isinstance(self.pearson, float) else ""


class Computable(NamedTuple):
    """A metric that one can ask for; `why_not` says why not now, in a word or two, empty where one can."""

    name: str
    title: str
    is_ticked: bool
    why_not: str


class Tokenizing(NamedTuple):
    name: str
    is_usual: bool
    is_chosen: bool
    is_usable: bool


@dataclass(frozen=True)
class MetricsPage:
    """`chosen` and `sorting` come from the page's address; `sorting` is the order of its tables."""

    campaign: Campaign
    runs: MetricRuns
    chosen: Mapping[str, str]
    sorting: QueryDict

    @cached_property
    def correlation(self) -> Correlations | None:
        return self.runs.correlation

    @cached_property
    def scores(self) -> ScoreTables:
        """All pairs of systems are read only if the reader compares some."""
        test_set, baseline = self.campaign.test_set, self.chosen["baseline"]
        runs = shown_runs(test_set) if baseline else {}
        comparisons = [one for name, run in runs.items() for one in comparisons_in(run) if one.metric == name]
        scores = read_metric_scores(test_set, with_segments=False)
        return ScoreTables(scores, self.correlation, comparisons, baseline)

    @property
    def unknown_order(self) -> str:
        """Only with all tables there can anybody tell."""
        if not self.scores.metrics or not self.correlated:
            return ""
        tables = (
            self.scores_table,
            *([self.metric_table] if self.metric_table else ()),
            *self.levels,
            *([self.spans] if self.spans else ()),
        )
        return unknown_order((table.sorted for table in tables), self.sorting)

    @cached_property
    def scores_table(self) -> ShownTable:
        return ShownTable(self.scores.matrix, self.sorting)

    @cached_property
    def has_references(self) -> bool:
        return Reference.objects.filter(segment__document__test_set=self.campaign.test_set_id).exists()

    @property
    def findings(self) -> list[str]:
        return findings_of_metrics(self.scores, is_of_slice=bool(self.slice))

    @property
    def reason(self) -> str | None:
        reason = self.correlation.reason if self.correlation else None
        return str(REASONS[reason]) if reason else None

    @cached_property
    def metric(self) -> ScoredMetric | None:
        """The metric looked at closely."""
        return self.scores.metric(self.chosen["metric"]) or next(iter(self.scores.metrics), None)

    @cached_property
    def metric_table(self) -> ShownTable | None:
        return ShownTable(self.metric.table, self.sorting) if self.metric else None

    @cached_property
    def slices(self) -> list[str]:
        return list(self.correlation.slices.slices) if self.correlation else []

    @property
    def slice(self) -> str:
        return self.chosen["slice"] if self.chosen["slice"] in self.slices else ""

    @property
    def correlated(self) -> Sequence[CorrelatedMetric]:
        """Of the whole campaign, or of the slice chosen."""
        return parts_of(self.correlation)[self.slice] if self.correlation else ()

    @cached_property
    def levels(self) -> list[ShownTable]:
        """For systems, and for segments where people judged single ones."""
        levels = [("system", "none")]
        if any(one.level == "segment" and one.groups for one in self.correlated):
            levels.append(("segment", self.chosen["grouping"]))
        titles = {metric.name: metric.title for metric in self.scores.metrics}
        return [ShownTable(level_table(self.correlated, *level, titles), self.sorting) for level in levels]

    @cached_property
    def spans(self) -> ShownTable | None:
        """Where metrics and people mark errors; of the whole campaign."""
        spans = self.correlation.spans if self.correlation else None
        if spans is None:
            return None
        titles = {one.metric: title_of(one.metric) for one in spans.metrics if one.metric != SUGGESTIONS}
        return ShownTable(metric_spans_table(spans, titles), self.sorting)

    @cached_property
    def ceilings(self) -> list[ShownTable]:
        """Of the whole campaign: output by output, then by the means of systems."""
        result = self.correlation.ceiling if self.correlation else None
        if result is None or not result.metrics:
            return []
        titles = {one.metric: title_of(one.metric) for one in result.metrics}
        return [ShownTable(table, self.sorting) for table in ceiling_tables(result, titles)]

    @property
    def reached(self) -> tuple[str, int] | None:
        """What one person reaches, on how many outputs."""
        result = self.correlation.ceiling if self.correlation else None
        if result is None or isinstance(result.human.pearson, Missing):
            return None
        return decimals(result.human.pearson, 3), result.cells

    @property
    def f1_between_people(self) -> str:
        spans = self.correlation.spans if self.correlation else None
        return decimals(spans.between_people, 3) if spans and isinstance(spans.between_people, float) else ""

    @property
    def f_between_people(self) -> str:
        between = self.correlation.spans.mpp_between_people if self.correlation and self.correlation.spans else None
        return decimals(between, 3) if isinstance(between, float) else ""

    @property
    def charts(self) -> list[Figure]:
        """Of the metric looked at, and of all of them."""
        if self.correlation is None or self.metric is None:
            return []
        titles = {metric.name: metric.title for metric in self.scores.metrics}
        charts = metric_charts(self.correlation, titles, self.metric.name)
        return [self._with_segments(chart) if chart.name.startswith(SEGMENTS) else chart for chart in charts]

    def _with_segments(self, chart: Figure) -> Figure:
        """The corners of the plot are a list on the page of segments."""
        if self.metric is None or not self.disagreements:
            return chart
        query = urlencode({"metric": self.metric.name, "gap": str(FAR_APART), "sort": "gap"})
        words = _("Segments where %(metric)s and people are far apart") % {"metric": self.metric.title}
        return replace(chart, more=(f"{resolve_url('researcher-segments', self.campaign.slug)}?{query}", words))

    @cached_property
    def plots(self) -> list[Plot]:
        metrics = self.correlation.metrics if self.correlation else ()
        pearson = {one.metric: one.pearson for one in metrics if one.level == "system"}
        plots = [
            Plot(metric, Scatter(self._spots(metric), is_turned=self.scores.people_fall), pearson.get(metric.name))
            for metric in self.scores.metrics
        ]
        return [plot for plot in plots if len(plot.scatter.spots) > 1]

    @property
    def shown_plots(self) -> list[Plot]:
        return self.plots if self.chosen.get("plots") == "all" else self.plots[:PLOTS_SHOWN]

    def _spots(self, metric: ScoredMetric) -> list[Spot]:
        spots = []
        for one in self.scores.judged.values():
            score = one.scores.get(metric.name, Missing())
            if one.left_out is None and not isinstance(one.human, Missing) and not isinstance(score, Missing):
                low, high = (None, None) if isinstance(one.interval, Missing) else one.interval
                spots.append(Spot(one.system, one.human, low, high, score, one.system in self.scores.humans))
        return spots

    @property
    def left_out(self) -> list[str]:
        return [
            _("%(system)s is excluded: %(reason)s.")
            % {"system": one.system, "reason": LEFT_OUT.get(one.left_out, one.left_out)}
            for one in self.scores.judged.values()
            if one.left_out
        ]

    @property
    def disagreements(self) -> list[tuple[str, list[DisputedTranslation]]]:
        """Of the metric looked at: it high and people low, and the reverse."""
        high = [one for one in self._disputed if one.is_metric_higher]
        low = [one for one in self._disputed if not one.is_metric_higher]
        parts = [(_("Metric high, human score low"), high), (_("Metric low, human score high"), low)]
        return [(title, rows) for title, rows in parts if rows]

    @cached_property
    def _disputed(self) -> list[DisputedTranslation]:
        disputed = self.correlation.disagreements if self.correlation else ()
        return [one for one in disputed if self.metric and one.metric == self.metric.name]

    @property
    def computable(self) -> list[Computable]:
        """Ticked are those that are here, or the usual ones and BERTScore; without reference what needs none."""
        here = self._computed
        usual = here or ([*DEFAULT_METRICS, "bertscore"] if self.has_references else ["yisi_2"])
        reasons = {name: self._why_not(name) for name in SCORING_METRICS}
        return [
            Computable(name, title_of(name), name in usual and not reason, reason) for name, reason in reasons.items()
        ]

    @property
    def _computed(self) -> list[str]:
        return [metric.name for metric in self.scores.metrics if not metric.scores.is_imported]

    @cached_property
    def neural(self) -> NeuralChoices:
        return neural_choices(self.campaign.test_set, has_references=self.has_references, here=self._computed)

    def _why_not(self, name: str) -> str:
        if not (self.has_references or METRICS[name].compares_with_source):
            return _("needs a reference")
        return _("not installed") if uses_model(name) and self.lacks_model else ""

    @cached_property
    def lacks_model(self) -> bool:
        return not is_model_there()

    @property
    def install_model(self) -> str:
        return INSTALL

    @property
    def light_model(self) -> LightModel:
        return LIGHT

    @property
    def shows_model(self) -> bool:
        """Whether there are scores that the light model computed."""
        return any(uses_model(each.name) and not each.scores.is_imported for each in self.scores.metrics)

    @property
    def measured(self) -> list[tuple[str, MeasuredOnWmt23]]:
        """By titles, how metrics followed people in a published evaluation; docs/metrics.md says more."""
        return [(title_of(one.metric) if one.metric else one.title, one) for one in MEASURED]

    @property
    def tokenizers(self) -> list[Tokenizing]:
        """The choice for BLEU: as it was counted before, else the usual one."""
        usual = usual_tokenizer(self.campaign.test_set.target_language)
        bleu = self.scores.metric("bleu")
        chosen = written_in(bleu.scores.signature) if bleu and not bleu.scores.is_imported else ""
        return [
            Tokenizing(name, name == usual, name == (chosen or usual), not why_no_tokenizer(name)) for name in NAMES
        ]

    @property
    def missing_tokenizer(self) -> str:
        """The usual tokenizer of BLEU for this language, if it is not installed."""
        name = standard_tokenizer(self.campaign.test_set.target_language)
        return "" if is_installed(name) else name

    @property
    def lacks_synonyms(self) -> bool:
        """METEOR could have them: the language does, and WordNet is all that is missing."""
        return language_of(self.campaign.test_set.target_language) == "en" and not wordnet_in_use()

    def address(self, **changes: str) -> str:
        """The query of this page with some of it changed."""
        usual = {"grouping": GROUPINGS[0], "by": "domain", "humans": "in", "outliers": "in"}
        chosen = {**self.chosen, **changes}
        pairs = [(name, value) for name, value in chosen.items() if value and value != usual.get(name)]
        shown = ((name, value) for name in (SORT, COLUMNS) for value in self.sorting.getlist(name))
        return urlencode([*pairs, *shown])

    def links(self, name: str, values: Sequence[tuple[str, str]]) -> list[tuple[str, str, bool]]:
        return [(self.address(**{name: value}), title, self.chosen[name] == value) for value, title in values]

    @property
    def hidden_fields(self) -> list[tuple[str, str]]:
        """The other fields of the form that chooses the baseline."""
        return parse_qsl(self.address(baseline=""))

    @property
    def all_plots(self) -> str:
        return self.address(plots="all")

    @property
    def switches(self) -> list[tuple[str, list[tuple[str, str, bool]]]]:
        titles = {
            "by": (_("Slices by"), {"domain": _("domain"), "tag": _("tag"), "document": _("document")}),
            "humans": (_("Human translations"), {"in": _("included"), "out": _("excluded")}),
            "outliers": (_("Outlier systems"), {"in": _("included"), "out": _("excluded")}),
        }
        return [
            (title, self.links(name, [(value, names[value]) for value in CHOICES[name]]))
            for name, (title, names) in titles.items()
        ]

    @property
    def segment_decimals(self) -> int:
        return decimals_for(one.score for one in self._disputed)

    @property
    def grouping_links(self) -> list[tuple[str, str, bool]]:
        titles = {"item": _("within segments"), "none": _("all together"), "system": _("within systems")}
        return self.links("grouping", [(value, titles[value]) for value in GROUPINGS])

    @property
    def slice_links(self) -> list[tuple[str, str, bool]]:
        return self.links("slice", [("", _("Everything")), *((name, name) for name in self.slices)])

    @property
    def metric_links(self) -> list[tuple[str, str, bool]]:
        return [(self.address(metric=each.name), each.title, each is self.metric) for each in self.scores.metrics]


def chosen_by(request: HttpRequest, runs: MetricRuns) -> dict[str, str]:
    """The address's choices, as far as they are valid."""
    chosen = {name: request.GET.get(name, "") for name in (*CHOSEN_HERE, "plots", "recipe")}
    if chosen["grouping"] not in GROUPINGS:
        chosen["grouping"] = GROUPINGS[0]
    options = runs.chosen.arguments["options"]
    others = {name: value for name, value in options.items() if name not in OPTIONS}
    return chosen | {name: options.get(name, CHOICES[name][0]) for name in OPTIONS} | others
