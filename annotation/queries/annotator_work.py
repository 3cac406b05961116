"""Annotators' work in one campaign, as its organiser looks at it: assignments, answers, problem reports, exclusions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, OuterRef, Prefetch, QuerySet, Subquery

from annotation.models import IN_HAND, Assignment, Exclusion, Judgment, ProblemReport, Score
from campaigns.models import Account, Campaign

MOST_ANSWERS = 50


@dataclass(frozen=True)
class Answer:
    """One current judgment; `scores` are (system, measure, value)."""

    judgment: Judgment
    scores: tuple[tuple[str, str, float], ...]
    seconds: float | None
    comment: str


def assignments_of(campaign: Campaign, annotator: Account) -> QuerySet[Assignment]:
    """The newest first, each with `last_judgment`."""
    last = Judgment.objects.filter(item__assignment=OuterRef("pk")).order_by("-submitted_at").values("submitted_at")
    own = Assignment.objects.filter(campaign=campaign, annotator=annotator)
    return own.annotate(last_judgment=Subquery(last[:1])).order_by("-claimed_at", "-position")


def newest_answers(campaign: Campaign, annotator: Account) -> list[Answer]:
    """Two queries."""
    scores = Score.objects.select_related("translation__system", "system").order_by("pk")
    judgments = (
        Judgment.objects.filter(annotator=annotator, item__assignment__campaign=campaign, is_current=True)
        .select_related("item__document", "item__segment", "item__assignment")
        .prefetch_related(Prefetch("scores", queryset=scores))
        .order_by("-submitted_at")[:MOST_ANSWERS]
    )
    return [answer_of(judgment) for judgment in judgments]


def answer_of(judgment: Judgment) -> Answer:
    """`judgment` with its scores, their translations and systems."""
    milliseconds = judgment.elapsed_ms if judgment.active_ms is None else judgment.active_ms
    entered: Mapping[str, Any] = judgment.answer if isinstance(judgment.answer, dict) else {}
    return Answer(
        judgment=judgment,
        scores=tuple((_system_of(score), score.measure, score.value) for score in judgment.scores.all()),
        seconds=None if milliseconds is None else milliseconds / 1000,
        comment=str(entered.get("comment") or ""),
    )


def _system_of(score: Score) -> str:
    system = score.translation.system if score.translation else score.system
    return system.name if system else ""


def work_in_hand(campaign: Campaign, annotators: Iterable[int]) -> list[Assignment]:
    """What these annotators have not finished, by annotator, each with what is `left`; one query."""
    in_hand = Assignment.objects.filter(campaign=campaign, status__in=IN_HAND, annotator__in=annotators)
    counted = in_hand.annotate(left=F("total") - F("done")).filter(left__gt=0)
    return list(counted.select_related("annotator", "campaign").order_by("annotator__username", "position"))


def exclusion_of(campaign: Campaign, annotator: Account) -> Exclusion | None:
    """The decision that stands, with who made it."""
    standing = Exclusion.objects.filter(campaign=campaign, annotator=annotator, lifted_at=None)
    return standing.select_related("decided_by").first()


def problem_reports(campaign: Campaign, reason: str = "") -> QuerySet[ProblemReport]:
    """The newest first, with what they are about, of one reason or all; one query."""
    reports = ProblemReport.objects.filter(item__assignment__campaign=campaign)
    if reason:
        reports = reports.filter(reason=reason)
    return reports.select_related("annotator", "item__document", "item__segment").order_by("-reported_at", "-pk")


def reports_by_reason(campaign: Campaign) -> dict[str, int]:
    """How many there are of each reason given."""
    reports = ProblemReport.objects.filter(item__assignment__campaign=campaign).order_by()
    return dict(reports.values_list("reason").annotate(count=Count("pk")))


def annotator_names(campaign: Campaign) -> dict[str, str]:
    """By account name, as pages show them; one query."""
    annotators = Account.objects.filter(assignments__campaign=campaign).order_by().distinct()
    return {username: name or username for username, name in annotators.values_list("username", "name")}


def exclusions_in(campaign: Campaign) -> list[Exclusion]:
    """Every decision, the newest first, those taken back too; one query."""
    decisions = Exclusion.objects.filter(campaign=campaign).select_related("annotator", "decided_by")
    return list(decisions.order_by("-decided_at", "-pk"))
