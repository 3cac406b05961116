"""The questions on a document: as they are graded by, and as annotators see them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from annotation.protocols.base import ShownQuestion
from campaigns.models import Question


@dataclass(frozen=True)
class PageQuestion:
    """What an annotator may know of a question. Without `choices` the answer is typed."""

    name: str
    text: str
    choices: tuple[str, ...]


def questions_on(document: int) -> tuple[ShownQuestion, ...]:
    """With their accepted answers. One query."""
    rows = Question.objects.filter(document=document).order_by("position", "pk")
    return tuple(
        ShownQuestion(name, text, tuple(choices), tuple(accepted))
        for name, text, choices, accepted in rows.values_list("name", "text", "choices", "accepted")
    )


def page_questions(documents: Collection[int]) -> dict[int, list[PageQuestion]]:
    """By document. One query; accepted answers are not even read."""
    rows = Question.objects.filter(document__in=documents).order_by("position", "pk")
    found: dict[int, list[PageQuestion]] = defaultdict(list)
    for document, name, text, choices in rows.values_list("document", "name", "text", "choices"):
        found[document].append(PageQuestion(name, text, tuple(choices)))
    return found


def without_answers(questions: Iterable[ShownQuestion]) -> list[PageQuestion]:
    return [PageQuestion(each.name, each.text, each.choices) for each in questions]


def question_from(stored: Mapping[str, Any]) -> ShownQuestion:
    """As a practice item keeps it."""
    return ShownQuestion(stored["name"], stored["text"], tuple(stored["choices"]), tuple(stored["accepted"]))
