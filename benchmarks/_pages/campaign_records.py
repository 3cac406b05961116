"""What stands beside the judgments of a campaign: who was let in, what was reported, decided, practised and shared."""

import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.utils import timezone

from annotation.actions.decisions import exclude_annotator, readmit_annotator
from annotation.models import (
    PROBLEM_REASONS,
    Adjudication,
    Assignment,
    AssignmentStatus,
    Draft,
    Item,
    PracticeAnswer,
    PracticeItem,
    ProblemReport,
)
from benchmarks._pages.invented_texts import AT_ONCE
from benchmarks._pages.judged_campaign import MARKED, SCORED
from campaigns.models import (
    Account,
    ApiToken,
    AuditEntry,
    Campaign,
    Invitation,
    Membership,
    Role,
    ShareLink,
    Translation,
)
from jobs.models import Run, RunStatus
from metrics.models import ImportedScores, ScoreLevel, SegmentScore, SystemScore

MOST_PRACTICE = 10


def add_beside(campaign: Campaign, people: list[Account], organiser: Account, times: int) -> None:
    """`times` of each, or as many as there can be."""
    for person in people[:3]:
        exclude_annotator(campaign=campaign, annotator=person, reason="Always the same answer.", by=organiser)
    readmit_annotator(campaign=campaign, annotator=people[2], by=organiser)
    _invite(campaign, people, organiser)
    _report(campaign, organiser, times)
    _decide(campaign, organiser, times)
    _practise(campaign, people, times)
    _share(campaign, organiser, times)
    _import_scores(campaign)
    Draft.objects.bulk_create(
        [
            Draft(item=item, answer={"slots": {}, "comment": "", "cannot_judge": None})
            for item in Item.objects.filter(assignment__campaign=campaign, revision=0, draft=None)[:times]
        ]
    )
    AuditEntry.objects.bulk_create(
        [
            AuditEntry(campaign=campaign, actor=organiser, action="campaign_status", detail={"status": "open"})
            for _ in range(times)
        ]
    )


def add_other_campaigns(like: Campaign, organiser: Account, people: list[Account], count: int) -> None:
    """Small ones of the same organiser and annotator, each with two assignments and a run."""
    made = Campaign.objects.bulk_create(
        [
            Campaign(
                name=f"{like.name} other {at:03}",
                slug=f"{like.slug}-other-{at:03}",
                test_set=like.test_set,
                protocol=like.protocol,
            )
            for at in range(count)
        ]
    )
    roles = ((organiser, Role.ORGANISER), (people[0], Role.ANNOTATOR))
    Membership.objects.bulk_create(
        [Membership(campaign=each, account=account, role=role) for each in made for account, role in roles]
    )
    Assignment.objects.bulk_create(
        [
            Assignment(campaign=each, annotator=people[0], position=at, total=10, done=at, status=AssignmentStatus.OPEN)
            for each in made
            for at in range(2)
        ]
    )
    Run.objects.bulk_create(
        [Run(kind="analysis", campaign=each, status=RunStatus.DONE, result={}, created_by=organiser) for each in made]
    )


def _invite(campaign: Campaign, people: list[Account], organiser: Account) -> None:
    expires = timezone.now() + timedelta(days=30)
    Invitation.objects.bulk_create(
        [
            Invitation(
                campaign=campaign,
                account=each,
                secret_hash=f"{campaign.pk}-{each.username}",
                created_by=organiser,
                expires_at=expires,
            )
            for each in people
        ]
    )


def _report(campaign: Campaign, organiser: Account, times: int) -> None:
    items = Item.objects.filter(assignment__campaign=campaign, revision__gt=0).order_by("position", "pk")[:times]
    reasons = list(PROBLEM_REASONS)
    ProblemReport.objects.bulk_create(
        [
            ProblemReport(
                item=item,
                annotator_id=item.assignment.annotator_id or organiser.pk,
                reason=reasons[at % len(reasons)],
                note="The end of it seems to be missing.",
            )
            for at, item in enumerate(items.select_related("assignment"))
        ],
        batch_size=AT_ONCE,
    )


def _decide(campaign: Campaign, by: Account, times: int) -> None:
    outputs = Translation.objects.filter(system__test_set=campaign.test_set_id).order_by("-pk")[: 3 * times : 3]
    answer: dict[str, Any] = {"score": 50} if campaign.protocol in SCORED else {}
    answer |= {"spans": []} if campaign.protocol in MARKED else {}
    Adjudication.objects.bulk_create(
        [
            Adjudication(campaign=campaign, translation=each, answer=answer, reason="They differ.", decided_by=by)
            for each in outputs
        ]
    )


def _practise(campaign: Campaign, people: list[Account], times: int) -> None:
    items = PracticeItem.objects.bulk_create(
        [
            PracticeItem(campaign=campaign, position=at + 1, source="One.", slots={"A": "Eins."})
            for at in range(min(times, MOST_PRACTICE))
        ]
    )
    PracticeAnswer.objects.bulk_create(
        [
            PracticeAnswer(item=item, annotator=each, attempt=1, client_id=uuid.uuid4(), answer={}, is_right=at % 3 > 0)
            for at, each in enumerate(people)
            for item in items
        ],
        batch_size=AT_ONCE,
    )


def _share(campaign: Campaign, organiser: Account, times: int) -> None:
    few, later = min(times, 20), timezone.now() + timedelta(days=30)
    ShareLink.objects.bulk_create(
        [
            ShareLink(campaign=campaign, name="readers", secret_hash=f"{campaign.pk}-{at}", expires_at=later)
            for at in range(few)
        ]
    )
    ApiToken.objects.bulk_create(
        [ApiToken(account=organiser, name="script", secret_hash=f"{campaign.pk}-{at}") for at in range(few)]
    )


def _import_scores(campaign: Campaign) -> None:
    """Two metrics from elsewhere, of segments and of systems."""
    outputs = list(Translation.objects.filter(system__test_set=campaign.test_set_id).only("pk"))
    for metric in ("Owl", "Lynx"):
        of_segments, of_systems = (
            ImportedScores.objects.create(
                test_set=campaign.test_set,
                metric=metric,
                level=level,
                file_name=f"{metric}.{level}",
                content_hash="0",
                is_whole=True,
            )
            for level in (ScoreLevel.SEGMENT, ScoreLevel.SYSTEM)
        )
        SegmentScore.objects.bulk_create(
            [
                SegmentScore(scores=of_segments, translation=each, value=value)
                for each, value in zip(outputs, _values(len(outputs)), strict=True)
            ],
            batch_size=AT_ONCE,
        )
        systems = list(campaign.systems.all())
        SystemScore.objects.bulk_create(
            [
                SystemScore(scores=of_systems, system=each, value=value)
                for each, value in zip(systems, _values(len(systems)), strict=True)
            ]
        )


def _values(count: int) -> Iterator[float]:
    return ((at * 7_919 % 1_000) / 1_000 for at in range(count))
