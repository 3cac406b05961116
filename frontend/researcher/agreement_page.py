"""Agreement between annotators, for each pair and for each annotator; with the current decisions."""

from dataclasses import dataclass
from functools import cached_property, partial

from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from annotation.models import Exclusion
from annotation.queries.annotator_work import annotator_names, exclusions_in
from campaigns.models import Campaign
from exchange.tables.csv_and_json import as_time
from frontend.access import READS_RESULTS, RUNS_IT, SignedInRequest, has_role
from frontend.campaign_pages import campaign_page, campaign_view
from frontend.charts.figure import Figure
from frontend.charts.people import annotator_charts
from frontend.downloads import csv_file
from frontend.researcher.pair_matrix import PairMatrix, matrix_of
from frontend.run_pages import PageRuns, analysis_runs
from frontend.shown_table import ShownTable
from frontend.sorting import ON_A_PAGE, changed, unknown_order
from metrics.analyses.agreement import AnnotatorAgreement
from metrics.analyses.agreement_tables import agreement_tables, relative_measure
from metrics.analyses.annotator_table import AnnotatorContext, annotators_table
from metrics.analyses.annotators import Annotator
from metrics.analyses.drift import Drift
from metrics.analyses.error_free import ErrorFreeOutputs, error_free_table
from metrics.analyses.gamma import SpanGamma, gamma_table
from metrics.analyses.marked_spans import matched_spans_table
from metrics.findings.agreement import finding_of_agreement
from metrics.recipes import THRESHOLD
from metrics.scoring.names import title_of


@dataclass(frozen=True)
class AgreementPage:
    """Everything the page shows of one finished run. Decisions about annotators are the organisers'."""

    runs: PageRuns
    agreement: AnnotatorAgreement
    query: QueryDict
    shows_decisions: bool

    @property
    def annotators(self) -> tuple[Annotator, ...]:
        return self.runs.result_of(tuple[Annotator, ...], "annotators") or ()

    @cached_property
    def decisions(self) -> list[Exclusion]:
        """The newest first, those taken back too."""
        return exclusions_in(self.runs.campaign)

    @cached_property
    def coefficients(self) -> list[ShownTable]:
        return [ShownTable(table) for table in agreement_tables(self.agreement, self.runs.read_with)]

    @cached_property
    def matched(self) -> ShownTable | None:
        table = matched_spans_table(self.agreement.spans, self.context.people)
        return ShownTable(table) if table.rows else None

    @cached_property
    def gamma(self) -> ShownTable | None:
        result = self.runs.result_of(SpanGamma, "gamma")
        return ShownTable(gamma_table([result])) if result is not None and result.marked else None

    @cached_property
    def error_free(self) -> ShownTable | None:
        result = self.runs.result_of(ErrorFreeOutputs, "error_free")
        if result is None or result.label is None:
            return None
        return ShownTable(error_free_table(result, {one.metric: title_of(one.metric) for one in result.metrics}))

    @property
    def threshold(self) -> str:
        return str(self.runs.arguments["options"].get(THRESHOLD, ""))

    @property
    def fields_but_threshold(self) -> list[tuple[str, str]]:
        return [(name, value) for name, value in self.query.items() if name != THRESHOLD and isinstance(value, str)]

    @cached_property
    def matrices(self) -> list[PairMatrix]:
        matrices = [
            matrix_of(
                pairs,
                title=str(self.runs.read_with.title(name)) if name else _("Preferences"),
                people=self.context.people,
                address=partial(self._pair_address, name or relative_measure(self.runs.read_with)),
            )
            for name, pairs in self.agreement.pairs.items()
        ]
        return [matrix for matrix in matrices if matrix is not None]

    def _pair_address(self, measure: str, first: str, second: str) -> str:
        page = reverse("researcher-disagreements", args=[self.runs.campaign.slug])
        return f"{page}?{urlencode({'first': first, 'second': second, 'measure': measure})}"

    @cached_property
    def context(self) -> AnnotatorContext:
        of_segments = [measure for measure in self.runs.measures.values() if measure.level == "segment"]
        return AnnotatorContext(
            # the analysis rests on the first measure of segments, or else on the first
            measure=next(iter(of_segments or self.runs.measures.values()), None),
            people=annotator_names(self.runs.campaign),
            excluded=frozenset(each.annotator.username for each in self.decisions if each.lifted_at is None),
            is_of_passed=self.is_of_passed,
            addresses=self._annotator_addresses if self.shows_decisions else None,
            signature=self.runs.signature,
        )

    def _annotator_addresses(self, username: str) -> tuple[str, str]:
        pages = ("organiser-annotator", "organiser-leave-out")
        own, decision = (reverse(page, args=[self.runs.campaign.slug, username]) for page in pages)
        return own, f"{decision}?{self.runs.query}" if self.runs.query else decision

    @cached_property
    def table(self) -> ShownTable:
        by_name = sorted(self.annotators, key=lambda one: self.context.name(one).casefold())
        return ShownTable(annotators_table(by_name, self.context), self.query, on_a_page=ON_A_PAGE)

    @property
    def charts(self) -> list[Figure]:
        return annotator_charts(self.annotators, self.runs.result_of(Drift, "drift"), self.context)

    @property
    def has_nobody_passed(self) -> bool:
        """Without control items nobody can pass."""
        return self.is_of_passed and all(one.control_state == "none" for one in self.annotators)

    @property
    def is_of_passed(self) -> bool:
        return self.query.get("include") == "passed"

    @property
    def finding(self) -> str | None:
        return finding_of_agreement(self.agreement, self.annotators, self.context)


@campaign_view(READS_RESULTS)
def agreement_page(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    runs = analysis_runs(request, campaign)
    organises = has_role(request.user, campaign, *RUNS_IT)
    runs.parts("agreement", "annotators", "drift", "error_free", "gamma")  # in one query
    result = runs.result_of(AnnotatorAgreement, "agreement")
    page = AgreementPage(runs, result, request.GET, organises) if result else None
    context = runs.as_context() | {
        "page": page,
        "problem": runs.problem or (unknown_order([page.table.sorted], request.GET) if page else ""),
        "is_of_passed": request.GET.get("include") == "passed",
        "everybody_query": changed(request.GET, include=""),
        "passed_query": changed(request.GET, include="passed"),
    }
    return campaign_page(request, campaign, "researcher/agreement.html", "agreement", context, organises=organises)


@campaign_view(READS_RESULTS)
def decisions_csv(_request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """The current decisions, which may be newer than the run."""
    rows = [
        [each.annotator.username, each.reason, by, as_time(each.decided_at), as_time(each.lifted_at)]
        for each in exclusions_in(campaign)
        for by in [each.decided_by.username if each.decided_by else ""]
    ]
    return csv_file(f"{campaign.slug}-decisions", ("annotator", "reason", "decided_by", "decided", "lifted"), rows)
