"""All campaigns of a project with totals, and a line for each project."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Exists, OuterRef
from django.http import Http404, HttpResponse
from django.shortcuts import render

from campaigns.models import CampaignStatus
from campaigns.queries import campaigns_of
from frontend.access import READS_RESULTS, RUNS_IT, SignedInRequest
from frontend.campaign_pages import READ, signed_in
from frontend.downloads import csv_file
from frontend.organiser.campaign_lines import CampaignLine, lines_and_looks


@dataclass(frozen=True)
class ProjectLine:
    """A campaign of a project; `alerts` are counted for its organiser, while it is open."""

    line: CampaignLine
    alerts: int

    @property
    def days_left(self) -> float | None:
        """0 where nothing is left to wait for, None while nobody knows."""
        expectation = self.line.overview.expectation
        if expectation.is_over:
            return 0.0
        return expectation.days.middle if expectation.days else None


@dataclass(frozen=True)
class Project:
    """The campaigns of one name that somebody organises or researches, by name."""

    name: str
    lines: Sequence[ProjectLine]

    @property
    def open(self) -> int:
        return sum(each.line.campaign.status == CampaignStatus.OPEN for each in self.lines)

    @property
    def annotators(self) -> int:
        """People, each counted once."""
        return len({person.account for each in self.lines for person in each.line.overview.state.people})

    @property
    def done(self) -> int:
        return sum(each.line.overview.state.done for each in self.lines)

    @property
    def total(self) -> int:
        return sum(each.line.overview.state.total for each in self.lines)

    @property
    def share(self) -> float:
        return self.done / self.total if self.total else 0.0

    @property
    def alerts(self) -> int:
        return sum(each.alerts for each in self.lines)

    @property
    def days_left(self) -> float | None:
        """Of the campaign that takes longest; None while one of them is not known."""
        known = [each.days_left for each in self.lines]
        return None if None in known else max((days for days in known if days is not None), default=None)


def _written(days: float | None) -> str:
    return "" if days is None else f"{days:.1f}"


CAMPAIGN_COLUMNS: dict[str, Callable[[ProjectLine], object]] = {
    "campaign": lambda each: each.line.campaign.name,
    "source_language": lambda each: each.line.campaign.test_set.source_language,
    "target_language": lambda each: each.line.campaign.test_set.target_language,
    "protocol": lambda each: each.line.campaign.protocol,
    "status": lambda each: each.line.campaign.status,
    "annotators": lambda each: len(each.line.overview.state.people),
    "done": lambda each: each.line.overview.state.done,
    "total": lambda each: each.line.overview.state.total,
    "days_left": lambda each: _written(each.days_left),
    "alerts": lambda each: each.alerts,
}
PROJECT_COLUMNS: dict[str, Callable[[Project], object]] = {
    "project": lambda each: each.name,
    "campaigns": lambda each: len(each.lines),
    "open": lambda each: each.open,
    "annotators": lambda each: each.annotators,
    "done": lambda each: each.done,
    "total": lambda each: each.total,
    "days_left": lambda each: _written(each.days_left),
    "alerts": lambda each: each.alerts,
}


def _own_projects(request: SignedInRequest, **named: str) -> list[Project]:
    """By name; as many queries for many campaigns as for one."""
    organised = campaigns_of(request.user, *RUNS_IT).filter(pk=OuterRef("pk"))
    own = campaigns_of(request.user, *READS_RESULTS).exclude(project="").filter(**named).select_related("test_set")
    campaigns = list(own.annotate(is_organised=Exists(organised)).order_by("project", "name", "pk"))
    watched = [each for each in campaigns if each.is_organised and each.status == CampaignStatus.OPEN]
    lines, looks = lines_and_looks(campaigns, watched) if campaigns else ([], [])
    alerts = Counter(look.campaign.pk for look in looks)
    counted = [ProjectLine(line, alerts[line.campaign.pk]) for line in lines]
    by_name = groupby(counted, lambda each: each.line.campaign.project)
    return [Project(name, list(group)) for name, group in by_name]


def _own_project(request: SignedInRequest, name: str) -> Project:
    found = [] if "\x00" in name else _own_projects(request, project=name)
    if not found:
        raise Http404
    return found[0]


@signed_in(READ)
def projects(request: SignedInRequest) -> HttpResponse:
    return render(request, "organiser/projects.html", {"projects": _own_projects(request)})


@signed_in(READ)
def projects_csv(request: SignedInRequest) -> HttpResponse:
    rows = ([cell(each) for cell in PROJECT_COLUMNS.values()] for each in _own_projects(request))
    return csv_file("projects", list(PROJECT_COLUMNS), rows)


@signed_in(READ)
def project_page(request: SignedInRequest, project: str) -> HttpResponse:
    return render(request, "organiser/project.html", {"project": _own_project(request, project)})


@signed_in(READ)
def project_csv(request: SignedInRequest, project: str) -> HttpResponse:
    lines = _own_project(request, project).lines
    rows = ([cell(each) for cell in CAMPAIGN_COLUMNS.values()] for each in lines)
    return csv_file("campaigns-of-project", list(CAMPAIGN_COLUMNS), rows)
