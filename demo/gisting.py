"""Comprehension: questions on each document, answered by an annotator who read it in one version."""

from datetime import timedelta

from annotation.campaign_spec import CampaignSpec
from annotation.protocols.base import ShownQuestion
from demo.campaign import ISLAND, DemoCampaign, Look, Slots

GUIDELINES = """
# What does the text say?

You read each text once, in one version. Some versions are hard to understand; that is what we want to find out.

- Answer from the text alone, not from what you know or guess.
- You can look back at the text at any time.
- If the text does not say, choose that answer, or leave the field empty.
"""
UNDERSTOOD = 45  # of 100: from this opinion of a text on, most answers are right
SPREAD = 25


def answers(look: Look) -> Slots:
    (text,) = look.texts
    return {
        text.label: {
            "answers": {
                question.name: _answer(
                    question, look, is_understood=look.score(text) + look.rng.gauss(0, SPREAD) > UNDERSTOOD
                )
                for question in look.questions
            }
        }
    }


def _answer(question: ShownQuestion, look: Look, *, is_understood: bool) -> str:
    if is_understood:
        return look.rng.choice(question.accepted)
    wrong = [choice for choice in question.choices if choice not in question.accepted]
    return look.rng.choice(wrong) if wrong else ""


CAMPAIGNS = (
    DemoCampaign(
        spec=CampaignSpec(
            name="Island notes, comprehension",
            protocol="gisting",
            guidelines=GUIDELINES,
            options={"read_source": True},
            redundancy=3,
            items_per_assignment=4,
        ),
        test_set=ISLAND,
        answer=answers,
        annotators=range(11),
        last_share=0.5,
        began=timedelta(days=1),
        apart=timedelta(hours=2),
        pace=6.0,
    ),
)
