"""MQM: errors with category and severity, Chinese to English."""

from datetime import timedelta
from typing import Any

from annotation.campaign_spec import CampaignSpec
from demo.campaign import MARKET, DemoCampaign, Look, SeenText, Slots
from demo.marking import entered_span, marked, planted_in

GUIDELINES = """
# Mark what is wrong, and only that

Read the whole document first. Then select each error in the text; mark as few words as possible.

- **Major** misleads the reader or cannot be understood. **Minor** makes the reader hesitate and read on.
- Is something missing? Mark the words in the source, or the place where they are missing.
- Is the mistake already in the Chinese? Mark it there, as a source error.
- Mark at most five errors per translation, the most serious first. If a translation has nothing to do with the source,
  mark one error: Non-translation.
- A wording that you would have preferred is not an error.
"""
MOST_ERRORS = 5


def spans(look: Look) -> Slots:
    return {text.label: {"spans": _spans(look, text)} for text in look.texts}


def _spans(look: Look, text: SeenText) -> list[dict[str, Any]]:
    errors = marked(look, text, planted_in(MARKET).get(text.text, ()))
    most_serious = sorted(errors, key=lambda error: error.severity)[:MOST_ERRORS]  # "major" stands before "minor"
    return [entered_span(error) | {"category": error.category} for error in errors if error in most_serious]


CAMPAIGNS = (
    DemoCampaign(
        spec=CampaignSpec(
            name="Night market, errors marked",
            protocol="mqm",
            guidelines=GUIDELINES,
            options={"typology": "wmt2021", "most_errors": MOST_ERRORS},
            redundancy=3,
            items_per_assignment=15,
        ),
        test_set=MARKET,
        answer=spans,
        annotators=range(7),
        last_share=0.6,
        began=timedelta(days=3),
        pace=3.0,
    ),
)
