"""Post-editing: errors are replaced by words of a human translation, one by one, as steps in time."""

import re
from datetime import timedelta
from difflib import SequenceMatcher
from typing import Any

from annotation.campaign_spec import CampaignSpec
from demo.campaign import HARBOUR, DemoCampaign, Look, SeenText, Slots

GUIDELINES = """
# As little as possible, as much as needed

Change the translation until it says what the source says, in German that nobody would stumble over.

- Keep every word that can stay, even where you would have written something else.
- Errors are: another meaning, something missing or added, grammar, spelling, a word nobody would use there.
- Nothing wrong? **No edit needed** says so.

Time counts only while you work. Take the pauses you need.
"""
_WORDS = re.compile(r"\s*\S+")


def corrections(look: Look) -> Slots:
    return {text.label: _corrected(look, text) for text in look.texts}


def _corrected(look: Look, text: SeenText) -> dict[str, Any]:
    """The worse the translation, the more of its differences from the human one are changed."""
    old, new = _WORDS.findall(text.text), _WORDS.findall(text.reference)
    is_changed = 1.1 - look.score(text) / 100
    spots = [
        (len("".join(old[:start])), "".join(old[start:end]), "".join(new[first:last]))
        for kind, start, end, first, last in SequenceMatcher(a=old, b=new, autojunk=False).get_opcodes()
        if kind != "equal" and look.rng.random() < is_changed
    ]
    return _typed(look, text.text, spots)


def _typed(look: Look, text: str, spots: list[tuple[int, str, str]]) -> dict[str, Any]:
    """Spots are replaced from the first to the last, at even distances between reading and the last look."""
    steps: list[list[int | str]] = []
    shift = 0
    for number, (position, removed, inserted) in enumerate(spots, start=1):
        at = round(1000 * look.seconds * (0.3 + 0.6 * number / (len(spots) + 1)))
        steps.append([at, position + shift, len(removed), inserted])
        text = text[: position + shift] + inserted + text[position + shift + len(removed) :]
        shift += len(inserted) - len(removed)
    keystrokes = sum(len(removed) + len(inserted) for _, removed, inserted in spots)
    return {"text": text, "keystrokes": keystrokes, "steps": steps}


CAMPAIGNS = (
    DemoCampaign(
        spec=CampaignSpec(
            name="Harbour, post-edited",
            protocol="post_editing",
            guidelines=GUIDELINES,
            systems=("Heron", "Kestrel", "Rook"),
            redundancy=2,
            items_per_assignment=18,
        ),
        test_set=HARBOUR,
        answer=corrections,
        annotators=range(8),
        last_share=0.7,
        began=timedelta(days=4),
        pace=2.2,
    ),
)
