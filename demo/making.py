"""Fills the demo: through the same actions as everybody's campaigns, so that it is true in every detail."""

import random
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from annotation.actions.claiming import claim_assignment
from annotation.actions.creating import create_campaign
from annotation.actions.status import set_status
from annotation.actions.submitting import submit_judgment
from annotation.actions.summaries import recount
from annotation.models import Assignment, Item, ItemKind, ItemLevel, Judgment
from annotation.models import Slot as ShownSlot
from annotation.queries.item_to_judge import ItemToJudge, item_to_judge
from campaigns.actions.memberships import add_member, give_consent
from campaigns.models import Account, Campaign, CampaignStatus, Role, System, TestSet
from demo.annotators import QUALITY, SEGMENT_DEVIATION, Manner, make_manners
from demo.campaign import ANNOTATORS, CONSENT, FOLDER, SCORED, DemoCampaign, DemoTestSet, Look, SeenText
from demo.campaigns import DEMO_CAMPAIGNS
from exchange.formats.parallel_text import ImportFiles
from exchange.test_set_files import import_test_set
from jobs.actions import perform_now
from metrics.scoring.light_models import is_model_there, uses_model
from metrics.scoring.names import DEFAULT_METRICS, SCORING_METRICS

SEED = 20_261_121
ORGANISER, RESEARCHER = "demo-organiser", "demo-researcher"
CARELESS = 2
_UNSPACED = re.compile("[\u4e00-\u9fff]")


@dataclass(frozen=True)
class DemoPeople:
    organiser: Account
    researcher: Account
    visitor: Account
    annotators: tuple[Account, ...]


def make_demo() -> list[Campaign]:
    """Every campaign of the demo, its judgments and its results."""
    rng = random.Random(SEED)  # noqa: S311 - a demo, the same every time
    people = _make_people()
    manners = make_manners(ANNOTATORS, rng, careless=CARELESS)
    test_sets: dict[DemoTestSet, TestSet] = {}
    campaigns = []
    for demo in DEMO_CAMPAIGNS:
        if demo.test_set not in test_sets:
            test_sets[demo.test_set] = _import(demo.test_set, people.organiser)
        campaign = _make_campaign(demo, test_sets[demo.test_set], people)
        _judge_campaign(demo, campaign, people, manners, rng)
        if demo.is_closed:
            set_status(campaign=campaign, status=CampaignStatus.CLOSED, by=people.organiser)
        campaigns.append(campaign)
    for test_set in (test_sets[demo] for demo in SCORED if demo in test_sets):
        _score(test_set, people.researcher)
    for campaign in campaigns:
        for kind in ("analysis", "disagreement"):
            perform_now(kind=kind, campaign=campaign, arguments={}, created_by=people.researcher)
    return campaigns


def score_again() -> None:
    """The demo's test sets by the metrics of the light model, which came after the demo was made."""
    researcher = Account.objects.filter(username=RESEARCHER).first()
    for test_set in TestSet.objects.filter(name__in=[demo.name for demo in SCORED], created_by__username=ORGANISER):
        _score(test_set, researcher)
        for campaign in Campaign.objects.filter(test_set=test_set, created_by__username=ORGANISER, deleted_at=None):
            perform_now(kind="analysis", campaign=campaign, arguments={}, created_by=researcher)


def _score(test_set: TestSet, researcher: Account | None) -> None:
    with_model = [name for name in SCORING_METRICS if uses_model(name)] if is_model_there() else []
    arguments = {"metrics": [*DEFAULT_METRICS, *with_model]}
    perform_now(kind="metric_scores", test_set=test_set, arguments=arguments, created_by=researcher)


def _make_people() -> DemoPeople:
    def person(username: str, name: str, *, may_create_campaigns: bool = False) -> Account:
        account = Account(username=username, name=name, may_create_campaigns=may_create_campaigns)
        account.set_unusable_password()
        account.save()
        return account

    return DemoPeople(
        organiser=person(ORGANISER, "Olive Okafor", may_create_campaigns=True),
        researcher=person(RESEARCHER, "Rhea Lindqvist"),
        visitor=person("demo-annotator", "Anna Weidner"),
        annotators=tuple(person(name.split()[0].lower(), name) for name in ANNOTATORS),
    )


def _import(demo: DemoTestSet, organiser: Account) -> TestSet:
    outcome = import_test_set(
        ImportFiles(path=FOLDER / demo.file),
        name=demo.name,
        source_language=demo.source_language,
        target_language=demo.target_language,
        created_by=organiser,
    )
    return outcome.test_set


def _make_campaign(demo: DemoCampaign, test_set: TestSet, people: DemoPeople) -> Campaign:
    spec = replace(demo.spec, consent=CONSENT, seed=SEED)
    campaign = create_campaign(spec=spec, test_set=test_set, created_by=people.organiser, open=True)
    add_member(campaign=campaign, account=people.researcher, role=Role.RESEARCHER, by=people.organiser)
    for account in (people.visitor, *people.annotators):
        membership = add_member(campaign=campaign, account=account, role=Role.ANNOTATOR, by=people.organiser)
        give_consent(membership=membership)
    return campaign


def _judge_campaign(
    demo: DemoCampaign, campaign: Campaign, people: DemoPeople, manners: list[Manner], rng: random.Random
) -> None:
    begins = timezone.now() - demo.began
    for number, place in enumerate(demo.annotators):
        assignment = claim_assignment(campaign=campaign, annotator=people.annotators[place])
        if assignment is not None:
            share = demo.last_share if place == demo.annotators[-1] else 1.0
            _judge(demo, assignment, manners[place], begins + number * demo.apart, rng, share=share)
    recount(campaign.pk)  # at the moments that were made up


def _judge(
    demo: DemoCampaign, assignment: Assignment, manner: Manner, begins: datetime, rng: random.Random, *, share: float
) -> None:
    """One annotator's way through an assignment, in one transaction: a demo may be lost whole."""
    systems = dict(System.objects.filter(test_set=assignment.campaign.test_set).values_list("pk", "name"))
    items = assignment.items.exclude(level=ItemLevel.CONTEXT).order_by("position")
    clock = begins
    with transaction.atomic():
        for item in items[: round(share * assignment.total)]:
            seconds = _judge_item(demo, assignment, item, systems, manner, rng)
            clock += timedelta(seconds=seconds)
            Judgment.objects.filter(item=item).update(submitted_at=clock, started_at=clock - timedelta(seconds=seconds))
    Assignment.objects.filter(pk=assignment.pk).update(claimed_at=begins)
    Assignment.objects.filter(pk=assignment.pk, finished_at__isnull=False).update(finished_at=clock)


def _judge_item(
    demo: DemoCampaign,
    assignment: Assignment,
    item: Item,
    systems: Mapping[int, str],
    manner: Manner,
    rng: random.Random,
) -> float:
    annotator = assignment.annotator
    to_judge = item_to_judge(annotator, assignment.pk, item.public_id) if annotator else None
    if to_judge is None:
        raise LookupError(f"{item} was not handed out")
    look = Look(
        texts=_seen(to_judge, systems),
        questions=to_judge.shown.questions,
        words=_words_in(to_judge.source or ""),
        manner=manner,
        pace=demo.pace,
        rng=rng,
    )
    payload = {"slots": demo.answer(look), "comment": "", "cannot_judge": None}
    submit_judgment(
        to_judge=to_judge,
        answer=to_judge.protocol.parse_answer(payload, to_judge.shown),
        client_id=uuid.UUID(int=rng.getrandbits(128), version=4),
        base_revision=0,
        elapsed_ms=round(1000 * look.seconds * rng.uniform(1.0, 1.2)),
        active_ms=round(1000 * look.seconds),
    )
    return look.seconds


def _seen(to_judge: ItemToJudge, systems: Mapping[int, str]) -> tuple[SeenText, ...]:
    """Every text with the quality of its system, on a segment as hard for everybody; damage shows on its own text."""
    difficulty = random.Random(to_judge.item.segment_id or -to_judge.item.document_id).gauss(0, SEGMENT_DEVIATION)  # noqa: S311 - the same every time
    damaged = _damaged(to_judge.item) if to_judge.item.kind == ItemKind.DEGRADED else set()
    return tuple(
        SeenText(
            label=slot.label,
            text=slot.text or "",
            quality=QUALITY[systems[to_judge.subjects[slot.label][0].system]] + difficulty,
            is_damaged=slot.label in damaged,
            reference=to_judge.reference or "",
            suggested=slot.suggested,
        )
        for slot in to_judge.shown.slots
    )


def _words_in(text: str) -> int:
    """Where words are not spaced, two characters are taken for one."""
    return len(text.split()) + len(_UNSPACED.findall(text)) // 2


def _damaged(item: Item) -> set[str]:
    return set(ShownSlot.objects.filter(item=item).exclude(damaged=None).values_list("label", flat=True))
