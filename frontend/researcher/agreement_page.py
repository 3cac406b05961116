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
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.models import Exclusion
from annotation.protocols.base import Measure
from annotation.queries.annotator_work import annotator_names, exclusions_in
from campaigns.models import Account, Campaign
from exchange.tables.csv_and_json import as_time
from frontend.access import READS_RESULTS, RUNS_IT, SignedInRequest, get_campaign_for, has_role
from frontend.downloads import csv_file
from frontend.researcher import annotator_table
from frontend.researcher.address import changed
from frontend.researcher.agreement_words import finding_of
from frontend.researcher.annotator_table import AnnotatorTable
from frontend.researcher.pair_matrix import PairMatrix, matrix_of
from frontend.researcher.shown_table import ShownTable
from frontend.run_pages import PageRuns, analysis_runs
from metrics.analyses.agreement import AnnotatorAgreement
from metrics.analyses.agreement_tables import (
    COEFFICIENT_FILE_COLUMNS,
    agreement_tables,
    main_interval,
    pairs_table,
    relative_measure,
)
from metrics.analyses.ranking_tables import ReadWith
from metrics.analyses.run_kind import LONG_PARTS
from metrics.analyses.shared_ratings import SharedPairs
from metrics.derivations import measures_of
from metrics.results.codec import from_json, read_part
from metrics.results.tables import Text, one_file
from metrics.results.values import Missing

FileTable = tuple[Sequence[str], Iterable[Sequence[Any]]]


@dataclass(frozen=True)
class AgreementPage:
    """Everything the page shows of one finished run."""

    campaign: Campaign
    runs: PageRuns
    agreement: AnnotatorAgreement
    parts: Mapping[str, Any]
    query: QueryDict

    @property
    def whole_agreement(self) -> AnnotatorAgreement:
        """With the pairs of annotators for whom the page has no room."""
        long = LONG_PARTS["agreement"]
        pairs = self.runs.parts(long.row).get(long.row)
        return from_json(AnnotatorAgreement, long.join(self.parts["agreement"], pairs)) if pairs else self.agreement

    @cached_property
    def measures(self) -> dict[str, Measure]:
        return {measure.name: measure for measure, _formula in measures_of(self.campaign)}

    @property
    def read_with(self) -> ReadWith:
        return ReadWith(self.measures, signature=self.runs.done.signature if self.runs.done else "")

    @cached_property
    def people(self) -> dict[str, str]:
        return annotator_names(self.campaign)

    @cached_property
    def decisions(self) -> list[Exclusion]:
        """The newest first, those taken back too."""
        return exclusions_in(self.campaign)

    @cached_property
    def coefficients(self) -> list[ShownTable]:
        return [ShownTable(table) for table in agreement_tables(self.agreement, self.read_with)]

    @cached_property
    def matrices(self) -> list[PairMatrix]:
        entries: list[tuple[str, Text, SharedPairs]] = [
            (one.measure, self.read_with.title(one.measure), one) for one in self.agreement.measures
        ]
        if not isinstance(self.agreement.preference, Missing):
            entries.append((relative_measure(self.read_with), _("Preferences"), self.agreement.preference))
        matrices = [
            matrix_of(entry, title=str(title), people=self.people, address=partial(self._pair_address, name))
            for name, title, entry in entries
        ]
        return [matrix for matrix in matrices if matrix is not None]

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
            query=self.query,
        )

    @property
    def _main_measure(self) -> Measure | None:
        """What the analysis of annotators rests on: the first measure of segments, or else the first."""
        of_segments = [measure for measure in self.measures.values() if measure.level == "segment"]
        return next(iter(of_segments or self.measures.values()), None)

    @property
    def everybody_address(self) -> str:
        return "?" + changed(self.query, include="")

    @property
    def passed_address(self) -> str:
        return "?" + changed(self.query, include="passed")

    @property
    def is_of_passed(self) -> bool:
        return self.query.get("include") == "passed"

    @property
    def finding(self) -> str | None:
        interval = main_interval(self.agreement)
        ends = None if isinstance(interval, Missing) else interval
        return finding_of(ends, to_look_at=self.table.to_look_at, measured=bool(self.coefficients))

    @property
    def signature(self) -> str:
        return self.read_with.signature


NOTHING = AnnotatorAgreement(measures=(), spans=Missing("no_run"), preference=Missing("no_run"))


def page_of_runs(runs: PageRuns, query: QueryDict) -> AgreementPage | None:
    """None while no run has computed agreement."""
    parts = runs.parts("agreement", "annotators")
    agreement = read_part(AnnotatorAgreement, parts, "agreement")
    return AgreementPage(runs.campaign, runs, agreement, parts, query) if agreement else None


@login_required
@require_safe
def agreement_page(request: SignedInRequest, slug: str) -> HttpResponse:
    campaign = get_campaign_for(request.user, slug, *READS_RESULTS)
    runs = analysis_runs(request, campaign)
    page = page_of_runs(runs, request.GET)
    context = runs.as_context() | {
        "tab": "agreement",
        "organises": has_role(request.user, campaign, *RUNS_IT),
        "page": page,
        "is_of_passed": request.GET.get("include") == "passed",
    }
    return render(request, "researcher/agreement.html", context)


def _annotators(page: AgreementPage) -> FileTable:
    return annotator_table.CSV_HEADER, annotator_table.csv_rows(page.parts.get("annotators", []), page.signature)


TABLES: Mapping[str, Callable[[AgreementPage], FileTable]] = {
    "agreement": lambda page: one_file([table.table for table in page.coefficients], COEFFICIENT_FILE_COLUMNS),
    "pairs": lambda page: one_file([pairs_table(page.whole_agreement, page.read_with)]),
    "annotators": _annotators,
}


def _table_file(request: SignedInRequest, slug: str, name: str) -> HttpResponse:
    runs = analysis_runs(request, get_campaign_for(request.user, slug, *READS_RESULTS))
    page = page_of_runs(runs, request.GET) or AgreementPage(runs.campaign, runs, NOTHING, {}, request.GET)
    return csv_file(f"{slug}-{name}", *TABLES[name](page))


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
