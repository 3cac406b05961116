"""Adequacy and fluency: one point on each of two scales."""

from datetime import timedelta

from annotation.campaign_spec import CampaignSpec
from demo.campaign import HARBOUR, DemoCampaign, Look, Slots

GUIDELINES = """
# Two questions, kept apart

**Adequacy** asks what of the source arrives. Ugly German that says everything is a 5.

**Fluency** asks about the German alone. Beautiful German that says something else is a 5, too.

- Answer the first before you think about the second.
- A 3 is no way out: on adequacy it means that a good part of the meaning is lost.
- Names and numbers are meaning.
"""
LOW, HIGH = 1, 5
SMOOTHER = 8.0  # machines write better than they understand


def points(look: Look) -> Slots:
    return {
        text.label: {
            "adequacy": _point(look.score(text)),
            "fluency": _point(look.score(text, better=SMOOTHER)),
        }
        for text in look.texts
    }


def _point(score: int) -> int:
    return LOW + round((HIGH - LOW) * score / 100)


CAMPAIGNS = (
    DemoCampaign(
        spec=CampaignSpec(
            name="Harbour, adequacy and fluency",
            protocol="likert",
            guidelines=GUIDELINES,
            systems=("Heron", "Kestrel", "Rook", "Sparrow"),
            redundancy=2,
            items_per_assignment=24,
            degraded_share=0.1,
        ),
        test_set=HARBOUR,
        answer=points,
        annotators=range(8),
        last_share=0.6,
        began=timedelta(days=4),
    ),
)
