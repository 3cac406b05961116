"""Agreement between annotators, for each pair and for each annotator; with the current decisions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from django.http import HttpResponse, QueryDict
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Exclusion
from annotation.queries.annotator_work import annotator_names, exclusions_in
from campaigns.models import Campaign
from exchange.tables.csv_and_json import as_time
from frontend.access import READS_RESULTS, RUNS_IT, SignedInRequest, has_role
from frontend.campaign_pages import campaign_page, campaign_view
from frontend.downloads import csv_file
from frontend.researcher.pair_matrix import PairMatrix, matrix_of
from frontend.run_pages import PageRuns, analysis_runs
from frontend.shown_table import ShownTable
from frontend.sorting import changed, unknown_order
from metrics.analyses import LONG_PARTS
from metrics.analyses.agreement import AnnotatorAgreement
from metrics.analyses.agreement_tables import (
    COEFFICIENT_FILE_COLUMNS,
    TENTATIVE,
    agreement_tables,
    main_interval,
    pairs_table,
    relative_measure,
)
from metrics.analyses.annotator_table import AnnotatorContext, annotators_table, to_check
from metrics.analyses.annotators import Annotator
from metrics.analyses.ranking_tables import ReadWith
from metrics.analyses.shared_ratings import SharedPairs
from metrics.results.codec import read_part
from metrics.results.tables import one_file
from metrics.results.values import Missing

RELIABLE = 0.8  # what Krippendorff asks of alpha for firm conclusions
MOST_NAMED = 3
FileTable = tuple[Sequence[str], Iterable[Sequence[Any]]]


@dataclass(frozen=True)
class AgreementPage:
    """Everything the page shows of one finished run."""

    campaign: Campaign
    runs: PageRuns
    agreement: AnnotatorAgreement
    annotators: tuple[Annotator, ...]
    query: QueryDict
    shows_decisions: bool = False

    @property
    def whole_agreement(self) -> AnnotatorAgreement:
        """With the pairs of annotators for whom the page has no room."""
        pairs = self.runs.result_of(dict[str, SharedPairs], LONG_PARTS["agreement"])
        return self.agreement if pairs is None else self.agreement.join(pairs)

    @property
    def read_with(self) -> ReadWith:
        return ReadWith(self.runs.measures, signature=self.runs.done.signature if self.runs.done else "")

    @cached_property
    def decisions(self) -> list[Exclusion]:
        """The newest first, those taken back too."""
        return exclusions_in(self.campaign)

    @cached_property
    def coefficients(self) -> list[ShownTable]:
        return [ShownTable(table) for table in agreement_tables(self.agreement, self.read_with)]

    @cached_property
    def matrices(self) -> list[PairMatrix]:
        matrices = [
            matrix_of(
                pairs,
                title=str(self.read_with.title(name)) if name else _("Preferences"),
                people=self.context.people,
                address=partial(self._pair_address, name or relative_measure(self.read_with)),
            )
            for name, pairs in self.agreement.pairs.items()
        ]
        return [matrix for matrix in matrices if matrix is not None]

    def _pair_address(self, measure: str, first: str, second: str) -> str:
        page = reverse("researcher-disagreements", args=[self.campaign.slug])
        return f"{page}?{urlencode({'first': first, 'second': second, 'measure': measure})}"

    @cached_property
    def context(self) -> AnnotatorContext:
        of_segments = [measure for measure in self.runs.measures.values() if measure.level == "segment"]
        return AnnotatorContext(
            # the analysis rests on the first measure of segments, or else on the first
            measure=next(iter(of_segments or self.runs.measures.values()), None),
            people=annotator_names(self.campaign),
            excluded=frozenset(each.annotator.username for each in self.decisions if each.lifted_at is None),
            is_of_passed=self.is_of_passed,
            addresses=self._annotator_addresses if self.shows_decisions else None,
            signature=self.signature,
        )

    def _annotator_addresses(self, username: str) -> tuple[str, str]:
        pages = ("organiser-annotator", "organiser-leave-out")
        own, decision = (reverse(page, args=[self.campaign.slug, username]) for page in pages)
        return own, f"{decision}?{self.runs.query}" if self.runs.query else decision

    @cached_property
    def table(self) -> ShownTable:
        by_name = sorted(self.annotators, key=lambda one: self.context.name(one).casefold())
        return ShownTable(annotators_table(by_name, self.context), self.query)

    @property
    def has_nobody_passed(self) -> bool:
        """Without control items nobody can pass."""
        return self.is_of_passed and all(one.control_state == "none" for one in self.annotators)

    @property
    def is_of_passed(self) -> bool:
        return self.query.get("include") == "passed"

    @property
    def finding(self) -> str | None:
        interval = main_interval(self.agreement)
        ends = None if isinstance(interval, Missing) else interval
        return finding_of(ends, to_check(self.annotators, self.context)) if self.coefficients else None

    @property
    def signature(self) -> str:
        return self.read_with.signature


def finding_of(interval: tuple[float, float] | None, to_check: Sequence[str]) -> str:
    """The sentence the page opens with, of the main measure's interval; it says no more than the interval does.

    `to_check` are names: whoever is to decide on somebody must not have to look for them in a table.
    """
    agreed = _agreed(interval)
    if not to_check:
        return agreed
    if len(to_check) <= MOST_NAMED:
        checked = _("check %(names)s") % {"names": get_text_list(list(to_check), _("and"))}
    else:
        count = len(to_check)
        checked = ngettext("check %(count)d annotator", "check %(count)d annotators", count) % {"count": count}
    return _("%(agreement)s; %(people)s") % {"agreement": agreed, "people": checked}


def _agreed(interval: tuple[float, float] | None) -> str:
    if interval is None:
        return _("Agreement cannot be measured yet")
    low, high = interval
    words = (
        (high < 0, _("Annotators agree less than by chance")),
        (low <= 0, _("It is unclear whether annotators agree beyond chance")),
        (low >= RELIABLE, _("Annotators agree closely")),
        (low >= TENTATIVE, _("Annotators agree well enough for tentative conclusions")),
        (high < TENTATIVE, _("Annotators agree beyond chance, but not enough for tentative conclusions")),
        (True, _("Annotators agree beyond chance, perhaps enough for tentative conclusions")),
    )
    return next(sentence for applies, sentence in words if applies)


NOTHING = AnnotatorAgreement(measures=(), spans=Missing("no_run"), preference=Missing("no_run"))


def page_of_runs(runs: PageRuns, query: QueryDict, *, shows_decisions: bool = False) -> AgreementPage | None:
    """None while no run has computed agreement. Decisions about annotators are the organisers'."""
    parts = runs.parts("agreement", "annotators")
    agreement = read_part(AnnotatorAgreement, parts, "agreement")
    if agreement is None:
        return None
    annotators = read_part(tuple[Annotator, ...], parts, "annotators") or ()
    return AgreementPage(runs.campaign, runs, agreement, annotators, query, shows_decisions)


@campaign_view(READS_RESULTS)
def agreement_page(request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    runs = analysis_runs(request, campaign)
    organises = has_role(request.user, campaign, *RUNS_IT)
    page = page_of_runs(runs, request.GET, shows_decisions=organises)
    context = runs.as_context() | {
        "page": page,
        "problem": runs.problem or (unknown_order([page.table.sorted], request.GET) if page else ""),
        "is_of_passed": request.GET.get("include") == "passed",
        "everybody_query": changed(request.GET, include=""),
        "passed_query": changed(request.GET, include="passed"),
    }
    return campaign_page(request, campaign, "researcher/agreement.html", "agreement", context, organises=organises)


TABLES: Mapping[str, Callable[[AgreementPage], FileTable]] = {
    "agreement": lambda page: one_file([table.table for table in page.coefficients], COEFFICIENT_FILE_COLUMNS),
    "pairs": lambda page: one_file([pairs_table(page.whole_agreement, page.read_with)]),
    "annotators": lambda page: one_file([annotators_table(page.annotators, page.context)]),
}


@campaign_view(READS_RESULTS)
def agreement_file(request: SignedInRequest, campaign: Campaign, table: str) -> HttpResponse:
    """One table of the shown run; without results only its heading row."""
    runs = analysis_runs(request, campaign)
    page = page_of_runs(runs, request.GET) or AgreementPage(runs.campaign, runs, NOTHING, (), request.GET)
    return csv_file(f"{campaign.slug}-{table}", *TABLES[table](page))


@campaign_view(READS_RESULTS)
def decisions_csv(_request: SignedInRequest, campaign: Campaign) -> HttpResponse:
    """The current decisions, which may be newer than the run."""
    rows = [
        [each.annotator.username, each.reason, by, as_time(each.decided_at), as_time(each.lifted_at)]
        for each in exclusions_in(campaign)
        for by in [each.decided_by.username if each.decided_by else ""]
    ]
    return csv_file(f"{campaign.slug}-decisions", ("annotator", "reason", "decided_by", "decided", "lifted"), rows)
