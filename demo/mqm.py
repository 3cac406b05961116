"""MQM: errors with category and severity, Chinese to English."""

from datetime import timedelta
from typing import Any

from annotation.campaign_spec import CampaignSpec
from demo.campaign import DemoCampaign, Look, SeenText, Slots
from demo.marking import marked
from demo.planted import PlantedError, planted_in
from demo.texts import MARKET

GUIDELINES = """
# Mark what is wrong, and only that

Read the whole document first. Then mark each error where it stands, as short as it can be without losing sense.

- **Major** misleads the reader or cannot be understood. **Minor** is what somebody would stumble over and read on.
- Something is left out? Mark the words in the source, or the place where they are missing.
- The mistake is in the Chinese already? Mark it there, as a source error.
- At most five errors a translation, the gravest first. Nothing to do with the source? Then one: Non-translation.
- Another wording you would have liked better is no error.
"""
MOST_ERRORS = 5


def spans(look: Look) -> Slots:
    return {text.label: {"spans": _spans(look, text)} for text in look.texts}


def _spans(look: Look, text: SeenText) -> list[dict[str, Any]]:
    found = marked(look, text, planted_in(MARKET).get(text.text, ()))
    gravest = sorted(found, key=lambda error: error.severity)[:MOST_ERRORS]  # "major" stands before "minor"
    return [_span(error) for error in found if error in gravest]


def _span(error: PlantedError) -> dict[str, Any]:
    return {
        "side": error.side,
        "start": error.start,
        "end": error.end,
        "category": error.category,
        "severity": error.severity,
        "note": "",
    }


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
