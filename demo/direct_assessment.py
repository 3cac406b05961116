"""Direct assessment: a finished campaign, English to German, and one half done, English to Arabic."""

from datetime import timedelta

from annotation.campaign_spec import CampaignSpec
from demo.campaign import HARBOUR, VILLAGE, DemoCampaign, Look, Slots

GUIDELINES = """
# How to judge

Read the source first, then the translation, and ask one question only: **how much of the meaning arrives?**

- Style, commas and word order count only where they change what is understood.
- A missing half-sentence is as bad as a wrong one.
- You see whole texts. Judge each segment by itself, but let the text around it help you to understand it.

Use the whole scale. It is your scale: it will be compared with yourself before it is compared with others.

Some items are shown twice, and in some a few words were damaged on purpose. There is no trick in them: read as always.
"""


def scores(look: Look) -> Slots:
    return {text.label: {"score": look.score(text)} for text in look.texts}


CAMPAIGNS = (
    DemoCampaign(
        spec=CampaignSpec(
            name="Harbour news",
            protocol="direct_assessment",
            guidelines=GUIDELINES,
            redundancy=3,
            items_per_assignment=38,
            repeats_share=0.1,
            degraded_share=0.2,
        ),
        test_set=HARBOUR,
        answer=scores,
        annotators=range(12),
        began=timedelta(days=9),
        apart=timedelta(hours=9),
        is_closed=True,
    ),
    DemoCampaign(
        spec=CampaignSpec(
            name="Village stories",
            protocol="direct_assessment",
            guidelines=GUIDELINES,
            redundancy=2,
            items_per_assignment=25,
            repeats_share=0.1,
            degraded_share=0.1,
        ),
        test_set=VILLAGE,
        answer=scores,
        last_share=0.5,
    ),
)
