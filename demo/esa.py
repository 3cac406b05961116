"""Error span annotation: suggested errors are accepted, changed or deleted, then a score; English to Hebrew."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from annotation.campaign_spec import CampaignSpec
from annotation.protocols.base import MarkedSpan
from demo.campaign import LIBRARY, DemoCampaign, Look, SeenText, Slots
from demo.marking import PlantedError, entered_span, marked, planted_in

GUIDELINES = """
# Errors first, then the score

Some errors are marked already: a program thinks so, and is often wrong.

- **Keep** correct marks, **change** those with wrong length or severity, **delete** those that are not errors.
- Then mark the errors that it missed. If something is missing, mark the place where it should be.
- **Major** changes or hides the meaning; **minor** is everything else that a Hebrew reader would put right.

At the end score the whole translation. The marks help you to remember; they are not added up.
"""
TRUSTED, LEFT_AS_IT_IS = 0.2, 0.5
PERFECT, MOST_WITH_ERRORS = 97.0, 96
LOST = {"minor": 6.0, "major": 22.0}


def spans_and_scores(look: Look) -> Slots:
    return {text.label: _answer(look, text) for text in look.texts}


def _answer(look: Look, text: SeenText) -> dict[str, Any]:
    """The score follows from the marked errors, in the annotator's own manner."""
    spans = _spans(look, text)
    lost = sum(LOST[span["severity"]] for span in spans)
    score = look.score(replace(text, quality=max(PERFECT - lost, 5.0)))
    return {"spans": spans, "score": min(score, MOST_WITH_ERRORS) if spans else score}


def _spans(look: Look, text: SeenText) -> list[dict[str, Any]]:
    """A careless annotator accepts all suggestions."""
    own = marked(look, text, planted_in(LIBRARY).get(text.text, ()))
    spans = []
    for suggested in text.suggested:
        error = next((error for error in own if _touch(error, suggested)), None)
        if error is not None:
            own.remove(error)
        if look.manner.is_careless or look.rng.random() < (LEFT_AS_IT_IS if error else TRUSTED):
            spans.append(entered_span(suggested) | {"suggestion": suggested.suggestion})
        elif error is not None:
            spans.append(entered_span(error) | {"suggestion": suggested.suggestion})
    return sorted([*spans, *map(entered_span, own)], key=lambda span: (span["start"], span["end"]))


def _touch(error: PlantedError, suggested: MarkedSpan) -> bool:
    return error.start == suggested.start or (error.start < suggested.end and suggested.start < error.end)


CAMPAIGNS = (
    DemoCampaign(
        spec=CampaignSpec(
            name="Library cat, errors and a score",
            protocol="esa",
            guidelines=GUIDELINES,
            options={"suggestions": True},
            redundancy=3,
            items_per_assignment=14,
        ),
        test_set=LIBRARY,
        answer=spans_and_scores,
        annotators=range(3, 10),
        last_share=0.6,
        began=timedelta(days=3),
        pace=2.0,
    ),
)
