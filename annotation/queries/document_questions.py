"""The questions on a document: with accepted answers for grading, and without them for annotators."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any

from annotation.protocols.base import ShownQuestion
from campaigns.models import Question


def questions_on(document: int) -> tuple[ShownQuestion, ...]:
    """With their accepted answers. One query."""
    rows = Question.objects.filter(document=document).order_by("position", "pk")
    return tuple(
        ShownQuestion(name, text, tuple(choices), tuple(accepted))
        for name, text, choices, accepted in rows.values_list("name", "text", "choices", "accepted")
    )


def page_questions(documents: Collection[int]) -> dict[int, tuple[ShownQuestion, ...]]:
    """By document. One query; accepted answers are not even read."""
    rows = Question.objects.filter(document__in=documents).order_by("position", "pk")
    by_document: dict[int, list[ShownQuestion]] = defaultdict(list)
    for document, name, text, choices in rows.values_list("document", "name", "text", "choices"):
        by_document[document].append(ShownQuestion(name, text, tuple(choices)))
    return {document: tuple(questions) for document, questions in by_document.items()}


def question_from(stored: Mapping[str, Any]) -> ShownQuestion:
    """As a practice item keeps it."""
    return ShownQuestion(stored["name"], stored["text"], tuple(stored["choices"]), tuple(stored["accepted"]))
