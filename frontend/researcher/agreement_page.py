"""How far annotators agree, each two of them, and what is known of each; with decisions as they stand now."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from annotation.models import Exclusion
from annotation.protocols.base import Measure
from annotation.queries.annotator_work import annotator_names, exclusions_in
from campaigns.models import Account, Campaign
from exchange.tables.csv_and_json import as_time
from frontend.access import READS_RESULTS, RUNS_IT, SignedInRequest, get_campaign_for, has_role
from frontend.downloads import csv_file
from frontend.researcher import agreement_figures, annotator_table
from frontend.researcher.address import changed
from frontend.researcher.agreement_figures import Coefficient, Figures, figures_of, marks_of
from frontend.researcher.agreement_words import finding_of
from frontend.researcher.annotator_table import AnnotatorTable
from frontend.researcher.pair_matrix import PairMatrix, matrix_of
from frontend.run_pages import PageRuns, analysis_runs
from metrics.analyses.run_kind import LONG_PARTS
from metrics.derivations import measures_of


@dataclass(frozen=True)
class AgreementPage:
    """Everything the page shows of one finished run."""

    campaign: Campaign
    runs: PageRuns
    parts: Mapping[str, Any]
    asked: QueryDict

    @property
    def agreement(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.parts["agreement"]
        return found

    @property
    def whole_agreement(self) -> Mapping[str, Any]:
        """With the pairs of annotators for whom the page has no room."""
        long = LONG_PARTS["agreement"]
        pairs = self.runs.parts(long.row).get(long.row)
        return long.join(self.agreement, pairs) if pairs else self.agreement

    @cached_property
    def measures(self) -> dict[str, Measure]:
        return {measure.name: measure for measure, _formula in measures_of(self.campaign)}

    @cached_property
    def people(self) -> dict[str, str]:
        return annotator_names(self.campaign)

    @cached_property
    def decisions(self) -> list[Exclusion]:
        """The newest first, those taken back too."""
        return exclusions_in(self.campaign)

    @cached_property
    def figures(self) -> list[Figures]:
        return figures_of(self.agreement, self.measures)

    @cached_property
    def marks(self) -> tuple[list[Coefficient], Mapping[str, Any]] | None:
        return marks_of(self.agreement)

    @cached_property
    def matrices(self) -> list[PairMatrix]:
        entries = {entry["measure"]: entry for entry in self.agreement["measures"]}
        if self.agreement["preference"]:
            entries[self.figures[-1].name] = {"pairs": [], **self.agreement["preference"]}
        titles = {figures.name: figures.title for figures in self.figures}
        found = [
            matrix_of(
                entry,
                measure=name,
                title=titles[name],
                people=self.people,
                address=partial(self._pair_address, name),
            )
            for name, entry in entries.items()
        ]
        return [matrix for matrix in found if matrix is not None]

    def _pair_address(self, measure: str, first: str, second: str) -> str:
        page = reverse("researcher-disagreements", args=[self.campaign.slug])
        return f"{page}?{urlencode({'first': first, 'second': second, 'measure': measure})}"

    @cached_property
    def table(self) -> AnnotatorTable:
        entries = self.parts.get("annotators", [])
        return AnnotatorTable(
            entries=entries,
            people=self.people,
            exclusions={each.annotator.username: each for each in self.decisions if each.lifted_at is None},
            measure=self._main_measure,
            query=self.asked,
        )

    @property
    def _main_measure(self) -> Measure | None:
        """What the analysis of annotators rests on: the first measure of segments, or else the first."""
        of_segments = [measure for measure in self.measures.values() if measure.level == "segment"]
        return next(iter(of_segments or self.measures.values()), None)

    @property
    def everybody_address(self) -> str:
        return "?" + changed(self.asked, include="")

    @property
    def passed_address(self) -> str:
        return "?" + changed(self.asked, include="passed")

    @property
    def is_of_passed(self) -> bool:
        return self.asked.get("include") == "passed"

    @property
    def finding(self) -> str | None:
        main = next((figures.main for figures in self.figures), None)
        interval = (main.interval[0], main.interval[1]) if main and main.interval else None
        return finding_of(interval, to_look_at=self.table.to_look_at, measured=bool(self.figures))

    @property
    def signature(self) -> str:
        return self.runs.done.signature if self.runs.done else ""


def page_of(request: SignedInRequest, slug: str) -> tuple[Campaign, PageRuns, AgreementPage | None]:
    """None while no run has looked at agreement."""
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    runs = analysis_runs(request, campaign)
    parts = runs.parts("agreement", "annotators")
    return campaign, runs, AgreementPage(campaign, runs, parts, request.GET) if "agreement" in parts else None


@login_required
@require_safe
def agreement_page(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign, runs, page = page_of(request, slug)
    context = runs.as_context() | {
        "tab": "agreement",
        "organises": has_role(request.user, campaign, *RUNS_IT),
        "page": page,
        "is_of_passed": request.GET.get("include") == "passed",
    }
    return render(request, "researcher/agreement.html", context)


def _coefficients(page: AgreementPage) -> Iterable[Any]:
    marks = page.marks[0] if page.marks else []
    return agreement_figures.csv_rows(page.figures, marks, page.signature)


def _pairs(page: AgreementPage) -> Iterable[Any]:
    """Every pair that has a coefficient, also those for which the page has no room."""
    agreement = page.whole_agreement
    named = {entry["measure"]: entry for entry in agreement["measures"]}
    if agreement["preference"]:
        named[page.figures[-1].name] = {"pairs": [], **agreement["preference"]}
    for measure, entry in named.items():
        for pair in entry["pairs"]:
            yield [measure, *pair["annotators"], pair["n"], *(pair[name] for name in PAIR_NUMBERS), page.signature]


def _annotators(page: AgreementPage) -> Iterable[Any]:
    return annotator_table.csv_rows(page.parts.get("annotators", []), page.signature)


PAIR_NUMBERS = ("kappa", "kappa_linear", "kappa_quadratic", "pearson", "kendall_b")
TABLES: Mapping[str, tuple[Sequence[str], Callable[[AgreementPage], Iterable[Any]]]] = {
    "agreement": (agreement_figures.CSV_HEADER, _coefficients),
    "pairs": (("measure", "first", "second", "n", *PAIR_NUMBERS, "signature"), _pairs),
    "annotators": (annotator_table.CSV_HEADER, _annotators),
}


def _table_file(request: SignedInRequest, slug: str, name: str) -> HttpResponse:
    _campaign, _runs, page = page_of(request, slug)
    header, rows = TABLES[name]
    return csv_file(f"{slug}-{name}", header, rows(page) if page else [])


@login_required
@require_safe
def coefficients_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    return _table_file(request, slug, "agreement")


@login_required
@require_safe
def pairs_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    return _table_file(request, slug, "pairs")


@login_required
@require_safe
def annotators_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    return _table_file(request, slug, "annotators")


@login_required
@require_safe
def decisions_csv(request: SignedInRequest, slug: str) -> HttpResponse:
    """As they stand now, whatever a run knew."""
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    rows = (
        [
            each.annotator.username,
            each.reason,
            _name(each.decided_by),
            as_time(each.decided_at),
            as_time(each.lifted_at),
        ]
        for each in exclusions_in(campaign)
    )
    return csv_file(f"{slug}-decisions", ("annotator", "reason", "decided_by", "decided", "lifted"), rows)


def _name(account: Account | None) -> str:
    return account.username if account else ""
