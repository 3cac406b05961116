"""Everything the page of metrics shows, chosen by its address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.models import Campaign, Reference
from frontend.researcher.automatic_metrics.correlations import GROUPINGS, Correlations
from frontend.researcher.automatic_metrics.details import detail_names, detail_text, detail_title
from frontend.researcher.automatic_metrics.finding import closest_of, first_places
from frontend.researcher.automatic_metrics.runs import MetricRuns
from frontend.researcher.automatic_metrics.scatter import Scatter, Spot
from frontend.researcher.automatic_metrics.table import Cell, Column, MetricTable, decimals_for
from metrics.automatic import METRICS
from metrics.automatic.base import language_of
from metrics.automatic.tokenizers import NAMES, is_installed, standard_tokenizer, usual_tokenizer, written_in
from metrics.recipes import CHOICES
from metrics.scoring import DEFAULT_METRICS, SCORING_METRICS, why_no_tokenizer
from metrics.scoring.reading import read_metric_scores, shown_runs
from metrics.scoring.wordnet_folder import wordnet_in_use

CHOSEN_HERE = ("metric", "baseline", "grouping", "slice")
OPTIONS = ("by", "humans", "outliers")
PLOTS_SHOWN = 6
REASONS = {
    "no_judgments": gettext_lazy("Nobody has judged yet: there is nothing to correlate with."),
    "no_scores": gettext_lazy("No metric has scored this test set yet."),
    "too_few_systems": gettext_lazy(
        "Fewer than two systems can be compared: references of the metrics are left out, and what was chosen."
    ),
}
LEFT_OUT = {
    "reference": gettext_lazy("a reference of the metrics"),
    "human": gettext_lazy("a human translation"),
    "outlier": gettext_lazy("far from all others"),
}


@dataclass(frozen=True)
class Plot:
    column: Column
    scatter: Scatter
    pearson: float | None


class Tokenizing(NamedTuple):
    name: str
    is_usual: bool
    is_chosen: bool
    is_usable: bool


@dataclass(frozen=True)
class MetricsPage:
    campaign: Campaign
    runs: MetricRuns
    chosen: Mapping[str, str]

    @cached_property
    def correlation(self) -> Mapping[str, Any]:
        return self.runs.correlation or {}

    @cached_property
    def people(self) -> Sequence[Mapping[str, Any]]:
        found: Sequence[Mapping[str, Any]] = self.correlation.get("systems", ())
        return found

    @cached_property
    def table(self) -> MetricTable:
        scores = read_metric_scores(self.campaign.test_set, with_segments=False)
        return MetricTable(scores, self._comparisons, self.people, self.chosen["baseline"])

    @cached_property
    def _comparisons(self) -> dict[str, list[Mapping[str, Any]]]:
        """Pairs of systems by metric, read only where somebody asked to compare."""
        if not self.chosen["baseline"]:
            return {}
        found: dict[str, list[Mapping[str, Any]]] = {}
        for name, run in shown_runs(self.campaign.test_set).items():
            found[name] = [each for each in (run.result or {}).get("comparisons", ()) if each["metric"] == name]
        return found

    @cached_property
    def has_references(self) -> bool:
        return Reference.objects.filter(segment__document__test_set=self.campaign.test_set_id).exists()

    @property
    def findings(self) -> list[str]:
        """What can be said of the whole campaign, what tells most first."""
        closest = closest_of(self.correlations) if self.correlations and not self.slice else None
        return [said for said in (closest, first_places(self.people, self.table.scores.metrics)) if said]

    @property
    def reason(self) -> str | None:
        reason = self.correlation.get("reason")
        return str(REASONS[reason]) if reason else None

    @cached_property
    def column(self) -> Column | None:
        """The metric looked at closely."""
        return self.table.column(self.chosen["metric"]) or next(iter(self.table.columns), None)

    @property
    def detail_titles(self) -> list[str]:
        return [detail_title(name) for name in self._detail_names]

    @property
    def detail_rows(self) -> list[tuple[Cell, list[str]]]:
        cells = self.column.cells if self.column else ()
        return [
            (cell, [detail_text((cell.details or {}).get(name)) for name in self._detail_names])
            for cell in cells
            if cell.score is not None
        ]

    @cached_property
    def _detail_names(self) -> list[str]:
        return detail_names([cell.details for cell in self.column.cells]) if self.column else []

    @cached_property
    def slices(self) -> list[str]:
        return list(self.correlation.get("slices", {}).get("slices", ()))

    @property
    def slice(self) -> str:
        return self.chosen["slice"] if self.chosen["slice"] in self.slices else ""

    @cached_property
    def correlations(self) -> Correlations | None:
        entries = self.correlation.get("metrics", ())
        if self.slice:
            entries = self.correlation["slices"]["slices"][self.slice]["metrics"]
        titles = {column.name: column.title for column in self.table.columns}
        return Correlations(entries, titles, self.chosen["grouping"]) if entries else None

    @cached_property
    def plots(self) -> list[Plot]:
        of_systems = {each["metric"]: each for each in self.correlation.get("metrics", ()) if each["level"] == "system"}
        plots = []
        for column in self.table.columns:
            spots = self._spots(column)
            if len(spots) > 1:
                plots.append(
                    Plot(
                        column,
                        Scatter(spots, is_turned=self.people_turned),
                        of_systems.get(column.name, {}).get("pearson"),
                    )
                )
        return plots

    @property
    def people_turned(self) -> bool:
        """Whether people's score is better where it is lower."""
        return not self.correlation.get("higher_is_better", True)

    @property
    def people_title(self) -> str:
        """What people's score is."""
        titles = {"z": _("People, z-score"), "expected_wins": _("People, expected wins")}
        return titles.get(self.correlation.get("human") or "", _("People"))

    @property
    def shown_plots(self) -> list[Plot]:
        return self.plots if self.chosen.get("plots") == "all" else self.plots[:PLOTS_SHOWN]

    def _spots(self, column: Column) -> list[Spot]:
        spots = []
        for each in self.people:
            score = each["scores"].get(column.name)
            if each["human"] is not None and score is not None:
                low, high = each["interval"] or (None, None)
                hollow = each["system"] in self.table.humans
                spots.append(Spot(each["system"], each["human"], low, high, score, hollow))
        return spots

    @property
    def left_out(self) -> list[str]:
        return [
            _("%(system)s is left out: %(reason)s.")
            % {"system": each["system"], "reason": LEFT_OUT.get(each["left_out"], each["left_out"])}
            for each in self.people
            if each["left_out"]
        ]

    @property
    def disagreements(self) -> list[tuple[str, list[Mapping[str, Any]]]]:
        """Of the metric looked at: it high and people low, and the reverse."""
        name = self.column.name if self.column else ""
        of_metric = [each for each in self.correlation.get("disagreements", ()) if each["metric"] == name]
        high = [each for each in of_metric if each["metric_standing"] > each["human_standing"]]
        low = [each for each in of_metric if each["metric_standing"] < each["human_standing"]]
        parts = [(_("The metric high, people low"), high), (_("The metric low, people high"), low)]
        return [(title, rows) for title, rows in parts if rows]

    @property
    def computable(self) -> list[tuple[str, str, bool]]:
        """Metrics one can ask for, with their names, and which are ticked: those that are here, or the usual ones."""
        here = [column.name for column in self.table.columns if not column.metric.is_imported]
        return [(name, str(METRICS[name].title), name in (here or DEFAULT_METRICS)) for name in SCORING_METRICS]

    @property
    def tokenizers(self) -> list[Tokenizing]:
        """The choice for BLEU: as it was counted before, else the usual one."""
        usual = usual_tokenizer(self.campaign.test_set.target_language)
        bleu = self.table.column("bleu")
        chosen = written_in(bleu.metric.signature) if bleu and not bleu.metric.is_imported else ""
        return [
            Tokenizing(name, name == usual, name == (chosen or usual), not why_no_tokenizer(name)) for name in NAMES
        ]

    @property
    def missing_tokenizer(self) -> str:
        """What BLEU is usually counted with in this language, where it is not installed."""
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
        return urlencode({name: value for name, value in chosen.items() if value and value != usual.get(name)})

    @property
    def query(self) -> str:
        return self.address()

    def links(self, name: str, values: Sequence[tuple[str, str]]) -> list[tuple[str, str, bool]]:
        return [(self.address(**{name: value}), title, self.chosen[name] == value) for value, title in values]

    @property
    def kept(self) -> list[tuple[str, str]]:
        """What a form that chooses the baseline carries along."""
        return parse_qsl(self.address(baseline=""))

    @property
    def all_plots(self) -> str:
        return self.address(plots="all")

    @property
    def switches(self) -> list[tuple[str, list[tuple[str, str, bool]]]]:
        titles = {
            "by": (_("Slices by"), {"domain": _("domain"), "tag": _("tag"), "document": _("document")}),
            "humans": (_("Human translations"), {"in": _("counted"), "out": _("left out")}),
            "outliers": (_("Systems far from all others"), {"in": _("counted"), "out": _("left out")}),
        }
        return [
            (title, self.links(name, [(value, names[value]) for value in CHOICES[name]]))
            for name, (title, names) in titles.items()
        ]

    @property
    def segments_address(self) -> str:
        return f"{resolve_url('campaign', slug=self.campaign.slug)}segments/"

    @property
    def detail_decimals(self) -> int:
        """One more than in the table of all metrics, as papers print them."""
        return self.column.decimals + 1 if self.column else 1

    @property
    def segment_decimals(self) -> int:
        rows = self.correlation.get("disagreements", ())
        name = self.column.name if self.column else ""
        return decimals_for(row["score"] for row in rows if row["metric"] == name)

    @property
    def grouping_links(self) -> list[tuple[str, str, bool]]:
        titles = {"item": _("within segments"), "none": _("all together"), "system": _("within systems")}
        return self.links("grouping", [(value, titles[value]) for value in GROUPINGS])

    @property
    def slice_links(self) -> list[tuple[str, str, bool]]:
        return self.links("slice", [("", _("Everything")), *((name, name) for name in self.slices)])

    @property
    def metric_links(self) -> list[tuple[str, str, bool]]:
        name = self.column.name if self.column else ""
        return [(self.address(metric=each.name), each.title, each.name == name) for each in self.table.columns]


def chosen_by(request: HttpRequest, runs: MetricRuns) -> dict[str, str]:
    """What the address says, as far as it can be followed."""
    chosen = {name: request.GET.get(name, "") for name in (*CHOSEN_HERE, "plots", "recipe")}
    if chosen["grouping"] not in GROUPINGS:
        chosen["grouping"] = GROUPINGS[0]
    options = runs.chosen.arguments["options"]
    others = {name: value for name, value in options.items() if name not in OPTIONS}
    return chosen | {name: options.get(name, CHOICES[name][0]) for name in OPTIONS} | others
