"""Scores of the whole document that a segment is part of, with what their annotators answered to its questions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.text import capfirst

from annotation.models import Score
from annotation.protocols import protocol_for
from annotation.queries.document_questions import page_questions
from campaigns.models import Campaign
from metrics.segments.sheet import SegmentSheet


@dataclass(frozen=True)
class DocumentScore:
    """One number that somebody gave a system's text; `out_of` where it counts some of so many."""

    score: Score
    title: str
    out_of: float | None
    answers: tuple[tuple[str, str], ...]


def document_scores(campaign: Campaign, sheet: SegmentSheet) -> list[DocumentScore]:
    """A count stands behind the score it belongs to, not in a row of its own."""
    measures = {measure.name: measure for measure in protocol_for(campaign.protocol, campaign.options).measures}
    counts = {
        (score.judgment_id, score.system_id): score.value
        for score in sheet.document_scores
        if score.measure in measures and measures[score.measure].is_count
    }
    questions = _questions(sheet)
    return [
        DocumentScore(
            score=score,
            title=str(measures[score.measure].title) if score.measure in measures else capfirst(score.measure),
            out_of=counts.get((score.judgment_id, score.system_id)),
            answers=tuple(_answers(score, questions)),
        )
        for score in sheet.document_scores
        if score.measure not in measures or not measures[score.measure].is_count
    ]


def _questions(sheet: SegmentSheet) -> Mapping[str, str]:
    """By name; none are read where nobody scored the document."""
    document = sheet.segment.document_id
    questions = page_questions([document]).get(document, ()) if sheet.document_scores else ()
    return {each.name: each.text for each in questions}


def _answers(score: Score, questions: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    answer = score.judgment.answer
    slots = answer.get("slots") if isinstance(answer, dict) else None
    own = slots.get(score.slot) if isinstance(slots, dict) else None
    answers = own.get("answers") if isinstance(own, dict) else None
    if isinstance(answers, dict):
        for name, text in questions.items():
            yield text, str(answers.get(name) or "")
