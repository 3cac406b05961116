"""Makes the campaigns: people and texts' frame by the models, everything that is large by statements."""

from datetime import timedelta
from typing import Any

from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.text import slugify

import numpy as np

from annotation.actions.summaries import recount
from annotation.models import Assignment, Credit, Draft, ErrorSpan, Item, Judgment, Score, Slot
from benchmarks._million.dialect import Dialect
from benchmarks._million.layout import DAYS, MARKED, SCORED, Layout, layouts
from benchmarks._million.statements import SENTENCES, Firsts, Statements
from benchmarks._pages.campaign_records import add_beside, add_other_campaigns
from benchmarks._pages.invented_texts import DOMAINS, Sentences
from benchmarks._pages.measured_campaign import Made
from campaigns.models import (
    Account,
    Campaign,
    CampaignStatus,
    Document,
    Membership,
    Reference,
    Role,
    Segment,
    System,
    TestSet,
    TestSetStatus,
    Translation,
)

_BY_STATEMENT = (Segment, Reference, Translation, Assignment, Item, Slot, Credit, Judgment, Score, ErrorSpan, Draft)


def make_million(judgments: int, *, beside: int = 200) -> tuple[Made, Made]:
    """`beside` of everything that stands beside judgments, as in `./assay bench pages`."""
    organiser = Account.objects.create_user("olive", may_create_campaigns=True)
    researcher = Account.objects.create_user("rhea")
    names = zip((SCORED, MARKED), layouts(judgments), strict=True)
    scored, marked = (make_campaign(name, layout, organiser, researcher) for name, layout in names)
    for made in (scored, marked):
        add_beside(made.campaign, made.people, organiser, beside)
        add_other_campaigns(made.campaign, organiser, made.people, beside // 2)
    return scored, marked


def make_unjudged() -> None:
    """The first of the two campaigns with what waits in it, and nothing else."""
    organiser = Account.objects.create_user("olive", may_create_campaigns=True)
    researcher = Account.objects.create_user("rhea")
    layout = Layout("direct_assessment", 50, documents=4, segments=5, texts=2, share=2)
    campaign = make_campaign(SCORED, layout, organiser, researcher).campaign
    begun = campaign.assignments.filter(annotator__isnull=False)
    for rows in (Judgment, Draft):
        rows.objects.filter(item__assignment__in=begun).delete()
    Item.objects.filter(assignment__in=begun, original__isnull=False).delete()
    begun.delete()
    recount(campaign.pk)


def make_campaign(name: str, layout: Layout, organiser: Account, researcher: Account) -> Made:
    """Its people have names that begin as the campaign's slug does."""
    since = timezone.now().replace(microsecond=0) - timedelta(days=DAYS)
    is_postgres = connection.vendor == "postgresql"
    with transaction.atomic(), connection.cursor() as cursor:
        campaign, people, first = _frame(name, layout, organiser, researcher)
        if is_postgres:
            cursor.execute("SET LOCAL session_replication_role = replica")  # keys are right by arithmetic
        _write_sentences()
        statements = Statements(layout, Dialect(is_postgres), first, since)
        made = (statements.texts(), statements.work(), statements.answers(), statements.clearing())
        for statement in (each for part in made for each in part):
            cursor.execute(statement)
        cursor.execute("DROP TABLE bench_sentence")
        for statement in connection.ops.sequence_reset_sql(no_style(), list(_BY_STATEMENT)):
            cursor.execute(statement)
        recount(campaign.pk)
    return Made(campaign, organiser, people)


def _frame(
    name: str, layout: Layout, organiser: Account, researcher: Account
) -> tuple[Campaign, list[Account], Firsts]:
    since = timezone.now() - timedelta(days=DAYS)
    slug = slugify(name)
    test_set = TestSet.objects.create(
        name=f"{name} texts",
        slug=f"{slug}-texts",
        status=TestSetStatus.READY,
        source_language="en",
        target_language="de",
    )
    systems = System.objects.bulk_create(
        [System(test_set=test_set, name=f"system-{each:02}") for each in range(layout.systems)]
    )
    documents = Document.objects.bulk_create(
        [
            Document(test_set=test_set, name=f"text-{each:03}", position=each, domain=DOMAINS[each % 4])
            for each in range(layout.documents + layout.waiting_texts)
        ]
    )
    people = Account.objects.bulk_create(
        [Account(username=f"{slug}-{each:03}", name=f"{name} {each:03}") for each in range(layout.annotators)]
    )
    campaign = Campaign.objects.create(
        name=name,
        slug=slug,
        test_set=test_set,
        protocol=layout.protocol,
        status=CampaignStatus.OPEN,
        redundancy=layout.rounds,
        items_per_assignment=layout.regular,
        repeats_share=0.02,
        degraded_share=0.02,
        opened_at=since,
        created_by=organiser,
    )
    campaign.systems.set(systems)
    roles = ((organiser, Role.ORGANISER), (researcher, Role.RESEARCHER), *((each, Role.ANNOTATOR) for each in people))
    Membership.objects.bulk_create(
        [Membership(campaign=campaign, account=each, role=role, consented_at=since) for each, role in roles]
    )
    return campaign, people, _firsts(campaign, documents, systems, people)


def _firsts(campaign: Campaign, documents: list[Document], systems: list[System], people: list[Account]) -> Firsts:
    for rows in (documents, systems, people):
        if [row.pk for row in rows] != list(range(rows[0].pk, rows[0].pk + len(rows))):
            raise RuntimeError("These keys do not follow one another: somebody else is writing to this database.")
    free = [_free(model) for model in (Segment, Translation, Assignment, Item, Judgment)]
    return Firsts(campaign.pk, documents[0].pk, systems[0].pk, people[0].pk, *free)


def _free(model: Any) -> int:
    highest: int | None = model.objects.aggregate(highest=Max("pk"))["highest"]
    return (highest or 0) + 1


def _write_sentences() -> None:
    """Halves of sentences: two of them are a text."""
    said = Sentences(np.random.default_rng(11))
    halves = []
    for place in range(SENTENCES):
        words = said.one().split()
        halves.append((place, " ".join(words[: len(words) // 2 + 1])))
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE bench_sentence (at integer PRIMARY KEY, text text)")
        cursor.executemany("INSERT INTO bench_sentence VALUES (%s, %s)", halves)
