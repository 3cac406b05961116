"""Contrastive error span annotation: whole documents with three systems side by side, English to German."""

import re
from datetime import timedelta
from typing import Any

from annotation.campaign_spec import CampaignSpec
from annotation.protocols.cesa import ERROR_FREE, STEP
from demo.campaign import HARBOUR, DemoCampaign, Look, SeenText, Slots

GUIDELINES = """
# Read the whole document in all columns, then judge row by row

In each translation **mark every error**: *minor* if the message stands, *major* if it is wrong, confusing or missing.
One mark for one error. If something of the source is missing altogether, use the tag *Content is missing*.

Then **give a score** from 0 to 100. 85 and more is for translations without an error.

The columns show different systems, in the same order in the whole document. Compare them, but judge each by itself.
"""
POINTS_LOST = 18  # for each mark, so that scores and marks tell the same
MAJOR_BELOW = 45
_WORDS = re.compile(r"\w{3,}")


def spans_and_scores(look: Look) -> Slots:
    return {text.label: _answer(look, text) for text in look.texts}


def _answer(look: Look, text: SeenText) -> dict[str, Any]:
    score = STEP * round(look.score(text) / STEP)
    words = list(_WORDS.finditer(text.text))
    wanted = 0 if score >= ERROR_FREE else 1 + (ERROR_FREE - score) // POINTS_LOST
    if look.manner.is_careless:
        wanted = min(wanted, 1)
    marked = sorted(look.rng.sample(words, min(wanted, len(words))), key=lambda word: word.start())
    severity = "major" if score < MAJOR_BELOW else "minor"
    spans = [
        {"side": "target", "start": word.start(), "end": word.end(), "severity": severity if number == 0 else "minor"}
        for number, word in enumerate(marked)
    ]
    is_bare = wanted > 0 and not spans
    return {"spans": spans, "tags": [{"tag": "missing", "severity": "major"}] if is_bare else [], "score": score}


CAMPAIGNS = (
    DemoCampaign(
        spec=CampaignSpec(
            name="Harbour, side by side",
            protocol="cesa",
            guidelines=GUIDELINES,
            redundancy=2,
            items_per_assignment=9,
        ),
        test_set=HARBOUR,
        answer=spans_and_scores,
        annotators=range(1, 7),
        last_share=0.7,
        began=timedelta(days=2),
        pace=3.0,
    ),
)
