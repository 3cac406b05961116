"""Fills the demo: through the same actions as everybody's campaigns, so that it is true in every detail."""

import random
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from annotation.actions import claim_assignment, create_campaign, set_status, submit_judgment
from annotation.asked import asked_item
from annotation.models import Assignment, Item, ItemKind, ItemLevel, Judgment
from annotation.protocols.base import Answer
from campaigns.actions import add_member, give_consent
from campaigns.importing import ImportFiles
from campaigns.importing.load import import_test_set
from campaigns.models import Account, Campaign, CampaignStatus, Role, System, TestSet
from metrics.actions import perform_now
from metrics.demo.annotators import QUALITY, SEGMENT_DEVIATION, Manner, make_manners, score_of, seconds_for
from metrics.demo.texts import ANNOTATORS, CONSENT, FOLDER, GUIDELINES

SEED = 20_261_121
CARELESS = 2


@dataclass(frozen=True)
class DemoPeople:
    organiser: Account
    researcher: Account
    visitor: Account
    annotators: tuple[Account, ...]


def make_demo() -> list[Campaign]:
    """A finished campaign, English to German, and one half done, English to Arabic."""
    rng = random.Random(SEED)  # noqa: S311 - a demo, the same every time
    people = _make_people()
    manners = make_manners(ANNOTATORS, rng, careless=CARELESS)
    finished = _campaign(
        "Harbour news", "harbour.en-de.jsonl", "de", people, redundancy=3, items_per_assignment=38, degraded_share=0.2
    )
    _judge_all(finished, people.annotators, manners, rng)
    set_status(campaign=finished, status=CampaignStatus.CLOSED, by=people.organiser)
    begun = _campaign(
        "Village stories",
        "village.en-ar.jsonl",
        "ar",
        people,
        redundancy=2,
        items_per_assignment=25,
        degraded_share=0.1,
    )
    _judge_half(begun, people.annotators[:3], manners[:3], rng)
    for campaign in (finished, begun):
        perform_now(kind="analysis", campaign=campaign, arguments={}, created_by=people.researcher)
    return [finished, begun]


def _make_people() -> DemoPeople:
    def person(username: str, name: str, *, may_create_campaigns: bool = False) -> Account:
        account = Account(username=username, name=name, may_create_campaigns=may_create_campaigns)
        account.set_unusable_password()
        account.save()
        return account

    return DemoPeople(
        organiser=person("demo-organiser", "Olive Okafor", may_create_campaigns=True),
        researcher=person("demo-researcher", "Rhea Lindqvist"),
        visitor=person("demo-annotator", "Anna Weidner"),
        annotators=tuple(person(name.split()[0].lower(), name) for name in ANNOTATORS),
    )


def _campaign(
    name: str,
    file: str,
    target: str,
    people: DemoPeople,
    *,
    redundancy: int,
    items_per_assignment: int,
    degraded_share: float,
) -> Campaign:
    campaign = create_campaign(
        name=name,
        test_set=_test_set(name, file, target, people.organiser),
        protocol="direct_assessment",
        redundancy=redundancy,
        items_per_assignment=items_per_assignment,
        repeats_share=0.1,
        degraded_share=degraded_share,
        seed=SEED,
        guidelines=GUIDELINES,
        consent=CONSENT,
        created_by=people.organiser,
        open=True,
    )
    add_member(campaign=campaign, account=people.researcher, role=Role.RESEARCHER, by=people.organiser)
    for account in (people.visitor, *people.annotators):
        membership = add_member(campaign=campaign, account=account, role=Role.ANNOTATOR, by=people.organiser)
        give_consent(membership=membership)
    return campaign


def _test_set(name: str, file: str, target: str, organiser: Account) -> TestSet:
    files = ImportFiles(path=FOLDER / file)
    outcome = import_test_set(files, name=name, source_language="en", target_language=target, created_by=organiser)
    return outcome.test_set


def _judge_all(
    campaign: Campaign, annotators: Sequence[Account], manners: Sequence[Manner], rng: random.Random
) -> None:
    begins = timezone.now() - timedelta(days=9)
    for number, (annotator, manner) in enumerate(zip(annotators, manners, strict=True)):
        assignment = claim_assignment(campaign=campaign, annotator=annotator)
        if assignment is not None:
            _judge(assignment, manner, begins + timedelta(hours=9 * number), rng)


def _judge_half(
    campaign: Campaign, annotators: Sequence[Account], manners: Sequence[Manner], rng: random.Random
) -> None:
    """Two have finished an assignment, the third is in the middle of one."""
    begins = timezone.now() - timedelta(hours=26)
    for number, (annotator, manner) in enumerate(zip(annotators, manners, strict=True)):
        assignment = claim_assignment(campaign=campaign, annotator=annotator)
        if assignment is not None:
            share = 0.5 if number == len(annotators) - 1 else 1.0
            _judge(assignment, manner, begins + timedelta(hours=8 * number), rng, share=share)


def _judge(assignment: Assignment, manner: Manner, begins: datetime, rng: random.Random, *, share: float = 1.0) -> None:
    """One annotator's way through an assignment, in one transaction: a demo may be lost whole."""
    systems = dict(System.objects.filter(test_set=assignment.campaign.test_set).values_list("pk", "name"))
    items = assignment.items.exclude(level=ItemLevel.CONTEXT).order_by("position")
    clock = begins
    with transaction.atomic():
        for item in items[: round(share * assignment.total)]:
            seconds = _judge_item(assignment, item, systems, manner, rng)
            clock += timedelta(seconds=seconds)
            Judgment.objects.filter(item=item).update(submitted_at=clock, started_at=clock - timedelta(seconds=seconds))
    Assignment.objects.filter(pk=assignment.pk).update(claimed_at=begins)
    Assignment.objects.filter(pk=assignment.pk, finished_at__isnull=False).update(finished_at=clock)


def _judge_item(
    assignment: Assignment, item: Item, systems: dict[int, str], manner: Manner, rng: random.Random
) -> float:
    annotator = assignment.annotator
    asked = asked_item(annotator, assignment.pk, item.public_id) if annotator else None
    if asked is None:
        raise LookupError(f"{item} was not handed out")
    difficulty = random.Random(item.segment_id).gauss(0, SEGMENT_DEVIATION)  # noqa: S311 - the same for every annotator
    quality = QUALITY[systems[asked.slots[0].subjects[0].system]] + difficulty
    score = score_of(manner, quality, rng, damaged=item.kind == ItemKind.DEGRADED)
    seconds = seconds_for(manner, len((asked.source or "").split()), rng)
    submit_judgment(
        asked=asked,
        answer=Answer(slots={"A": {"score": score}}),
        client_id=uuid.UUID(int=rng.getrandbits(128), version=4),
        base_revision=0,
        elapsed_ms=round(1000 * seconds * rng.uniform(1.0, 1.2)),
        active_ms=round(1000 * seconds),
    )
    return seconds
