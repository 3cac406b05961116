"""Attention checks: the one to be judged again, and how each annotator answered."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, Q

from annotation.campaign_spec import CampaignSpec
from annotation.models import Assignment, CheckDraw
from campaigns.models import Account, Campaign


def items_to_redo(assignment: Assignment) -> list[str]:
    """The public ids of the screen of a loud check that was failed and waits to be judged again."""
    again = CheckDraw.objects.filter(assignment=assignment, attempts__gte=1, last_item__revision=0)
    block = again.exclude(last_item=F("first_item")).values_list("last_item__block", flat=True).first()
    if block is None:
        return []
    return [str(each) for each in assignment.items.filter(block=block).values_list("public_id", flat=True)]


@dataclass(frozen=True)
class AnnotatorChecks:
    """By first attempts; `passed_later` are those of the failed ones that a later attempt passed."""

    annotator: Account
    served: int
    passed: int
    failed: int
    passed_later: int
    threshold: float | None

    @property
    def answered(self) -> int:
        return self.passed + self.failed

    @property
    def is_over(self) -> bool:
        """More failures than are allowed: a number of checks, or a share of those answered."""
        if self.threshold is None:
            return False
        most = self.threshold * self.answered if 0 < self.threshold < 1 else self.threshold
        return self.failed > most


def checks_by_annotator(campaign: Campaign) -> list[AnnotatorChecks]:
    """Of those who were served any, by name; one query, and one for the accounts."""
    threshold = CampaignSpec.of(campaign).check_threshold
    served = CheckDraw.objects.filter(assignment__campaign=campaign, check_served__isnull=False).order_by()
    rows = served.values_list("annotator").annotate(
        served=Count("pk"),
        passed=Count("pk", filter=Q(first_passed=True)),
        failed=Count("pk", filter=Q(first_passed=False)),
        later=Count("pk", filter=Q(first_passed=False, is_passed=True)),
    )
    counted = {row[0]: row[1:] for row in rows}
    accounts = Account.objects.filter(pk__in=counted).order_by("username")
    return [_checks_of(account, counted[account.pk], threshold) for account in accounts]


def _checks_of(account: Account, counts: tuple[int, ...], threshold: float | None) -> AnnotatorChecks:
    served, passed, failed, later = counts
    return AnnotatorChecks(account, served, passed, failed, later, threshold)


@dataclass(frozen=True)
class CheckOutcome:
    """One check that was served to one annotator; `first` is None where it was not answered."""

    annotator: str
    check: int
    name: str
    document: str
    is_loud: bool
    is_imported: bool
    first: bool | None
    unmet: int
    answered_at: datetime | None
    attempts: int
    newest: bool | None


def check_outcomes(campaign: Campaign) -> Iterator[CheckOutcome]:
    served = CheckDraw.objects.filter(assignment__campaign=campaign, check_served__isnull=False)
    columns = (
        "annotator__username", "check_served__position", "check_served__name", "check_served__document__name",
        "check_served__is_loud", "check_served__is_imported", "first_passed", "first_unmet", "first_answered_at",
        "attempts", "is_passed",
    )  # fmt: skip
    for row in served.order_by("annotator__username", "check_served__position").values_list(*columns):
        values = list(row)
        values[7] = len(values[7])
        yield CheckOutcome(*values)
