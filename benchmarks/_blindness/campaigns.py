"""Campaigns with control items: documents of one to twenty segments, outputs that are identical or missing."""

import random
from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from annotation.actions.claiming import claim_assignment
from annotation.actions.creating import create_campaign
from annotation.campaign_spec import CampaignSpec
from benchmarks._blindness.served_items import ServedItem, served_items
from campaigns.models import (
    Account,
    Campaign,
    Document,
    Membership,
    Role,
    Segment,
    SuggestedSpan,
    System,
    TestSet,
    TestSetStatus,
    Translation,
)

WORDS = ("harbour", "ferry", "olive", "market", "winter", "letter", "bridge", "garden", "window", "island", "teacher")
SYSTEMS = ("Heron", "Kestrel", "Plover", "Rook")
OPTIONS: dict[str, dict[str, Any]] = {
    "direct_assessment": {},
    "esa": {"suggestions": True},
    "likert": {},
    "mqm": {},
    "post_editing": {},
    "ranking": {"systems_per_item": 2},
}
IDENTICAL, MISSING, SUGGESTED = 0.1, 0.02, 0.5


def watched_campaigns(protocol: str, rng: random.Random, *, campaigns: int, documents: int) -> list[list[ServedItem]]:
    """What everybody was served of every assignment, a list for each campaign."""
    organiser = Account.objects.create(username=f"{protocol} {rng.getrandbits(48):012x}", password="!")  # noqa: S106 - none
    return [_watched(_make_campaign(protocol, organiser, rng, documents=documents)) for _ in range(campaigns)]


def _watched(campaign: Campaign) -> list[ServedItem]:
    served: list[ServedItem] = []
    for person in _make_annotators(campaign, campaign.assignments.count()):
        assignment = claim_assignment(campaign=campaign, annotator=person)
        if assignment is not None:
            served += served_items(person, assignment)
    return served


def _make_campaign(protocol: str, organiser: Account, rng: random.Random, *, documents: int) -> Campaign:
    """Sizes are drawn; shares are the same in all, for how many control items there are is no secret of an item's."""
    test_set = _make_test_set(rng, documents=documents)
    spec = CampaignSpec(
        name=f"{protocol} {test_set.name}",
        protocol=protocol,
        options=OPTIONS[protocol],
        redundancy=rng.choice((1, 2)),
        items_per_assignment=rng.choice((40, 60, 100)),
        repeats_share=0.1,
        degraded_share=0.1,
        seed=rng.randrange(10**6),
    )
    return create_campaign(spec=spec, test_set=test_set, created_by=organiser, open=True)


def _make_annotators(campaign: Campaign, count: int) -> Sequence[Account]:
    names = (f"{campaign.slug}-{number}" for number in range(count))
    people = Account.objects.bulk_create([Account(username=name, password="!") for name in names])  # noqa: S106 - none
    Membership.objects.bulk_create(
        Membership(campaign=campaign, account=person, role=Role.ANNOTATOR, consented_at=timezone.now())
        for person in people
    )
    return people


def _make_test_set(rng: random.Random, *, documents: int) -> TestSet:
    name = f"{rng.getrandbits(48):012x}"
    test_set = TestSet.objects.create(
        name=name, slug=name, source_language="en", target_language="de", status=TestSetStatus.READY, format="jsonl"
    )
    systems = System.objects.bulk_create(System(test_set=test_set, name=each) for each in SYSTEMS)
    texts = Document.objects.bulk_create(
        Document(test_set=test_set, name=f"document {place}", title=_sentence(rng), position=place)
        for place in range(documents)
    )
    segments = Segment.objects.bulk_create(
        Segment(document=text, name=str(place), position=place, source=_sentence(rng))
        for text in texts
        for place in range(min(rng.randint(1, 20), rng.randint(1, 20)))
    )
    translations = Translation.objects.bulk_create(
        row for segment in segments for row in _translations(segment, systems, rng)
    )
    SuggestedSpan.objects.bulk_create(
        SuggestedSpan(translation=one, start=start, end=end, severity=rng.choice(("minor", "major")))
        for one in translations
        if rng.random() < SUGGESTED
        for start, end in [_word_in(one.text or "", rng)]
    )
    return test_set


def _translations(segment: Segment, systems: Sequence[System], rng: random.Random) -> list[Translation]:
    rows: list[Translation] = []
    for system in systems:
        if rng.random() < MISSING:
            continue
        text = rows[-1].text if rows and rng.random() < IDENTICAL else _sentence(rng)
        rows.append(Translation(segment=segment, system=system, text=text))
    return rows


def _sentence(rng: random.Random) -> str:
    return f"{' '.join(rng.choices(WORDS, k=rng.randint(3, 14)))} {rng.randrange(10**6)}."


def _word_in(text: str, rng: random.Random) -> tuple[int, int]:
    before, word, _ = text.partition(rng.choice(text.split()))
    return len(before), len(before) + len(word)
