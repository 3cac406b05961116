"""What annotators said of a whole document, beside the segment that is looked at: numbers, and answers to questions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.text import capfirst

from annotation.models import Score
from annotation.protocols import protocol_for
from annotation.queries.document_questions import page_questions
from campaigns.models import Campaign
from metrics.segments.sheet import SegmentSheet


@dataclass(frozen=True)
class Said:
    """One number that somebody gave a system's text; `out_of` where it counts some of so many."""

    score: Score
    title: str
    out_of: float | None
    given: tuple[tuple[str, str], ...]


def said_of_document(campaign: Campaign, sheet: SegmentSheet) -> list[Said]:
    """Counts stand behind what is counted out of them, not in rows of their own."""
    measures = {measure.name: measure for measure in protocol_for(campaign.protocol, campaign.options).measures}
    counts = {
        (score.judgment_id, score.system_id): score.value
        for score in sheet.document_scores
        if score.measure in measures and measures[score.measure].is_count
    }
    asked = _questions(sheet)
    return [
        Said(
            score=score,
            title=str(measures[score.measure].title) if score.measure in measures else capfirst(score.measure),
            out_of=counts.get((score.judgment_id, score.system_id)),
            given=tuple(_given(score, asked)),
        )
        for score in sheet.document_scores
        if score.measure not in measures or not measures[score.measure].is_count
    ]


def _questions(sheet: SegmentSheet) -> Mapping[str, str]:
    """By name; none are looked for where nobody said anything."""
    document = sheet.segment.document_id
    found = page_questions([document]).get(document, []) if sheet.document_scores else []
    return {each.name: each.text for each in found}


def _given(score: Score, asked: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    answer = score.judgment.answer
    slots = answer.get("slots") if isinstance(answer, dict) else None
    own = slots.get(score.slot) if isinstance(slots, dict) else None
    answers = own.get("answers") if isinstance(own, dict) else None
    if isinstance(answers, dict):
        for name, text in asked.items():
            yield text, str(answers.get(name) or "")
