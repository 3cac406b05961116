"""Ranking: which of two is better, and the order of up to five."""

from datetime import timedelta

from annotation.campaign_spec import CampaignSpec
from demo.campaign import HARBOUR, DemoCampaign, Look, Slots

COMPARING = """
# Which is better?

Read the source, then both translations. Words that only one of them has are marked; **D** takes the marks away.

- Meaning comes first. Where both say the same, the better German wins.
- “About equal” is an answer like the others. Use it when you would not mind which of the two you got.
- A and B change places from one item to the next. Nothing follows from the letter.
"""
ORDERING = """
# From best to worst

Give the best translation rank 1. Translations you would not tell apart share a rank.

- Find the best and the worst first; the rest falls into place between them.
- An error that misleads the reader weighs more than three that only look bad.
- The letters are drawn anew for each item. Nothing follows from them.
"""
SAME = 5  # scores so near to each other are a tie


def ranks(look: Look) -> Slots:
    """Best first; a translation near enough to the one before shares its rank."""
    seen = sorted(((look.score(text), text.label) for text in look.texts), reverse=True)
    rank, before, slots = 0, float("inf"), Slots()
    for score, label in seen:
        if score < before - SAME:
            rank, before = rank + 1, score
        slots[label] = {"rank": rank}
    return slots


CAMPAIGNS = (
    DemoCampaign(
        spec=CampaignSpec(
            name="Harbour, two compared",
            protocol="ranking",
            guidelines=COMPARING,
            options={"systems_per_item": 2},
            systems=("Heron", "Kestrel", "Rook", "Sparrow"),
            redundancy=2,
            items_per_assignment=20,
        ),
        test_set=HARBOUR,
        answer=ranks,
        annotators=range(2, 6),
        last_share=0.7,
        began=timedelta(days=3),
    ),
    DemoCampaign(
        spec=CampaignSpec(
            name="Harbour, all in order",
            protocol="ranking",
            guidelines=ORDERING,
            redundancy=2,
            items_per_assignment=12,
        ),
        test_set=HARBOUR,
        answer=ranks,
        annotators=range(6, 10),
        last_share=0.5,
        began=timedelta(days=2),
        pace=1.8,
    ),
)
