"""The questions of a questionnaire as a page shows them, and the answers that a page sends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import QueryDict

from campaigns.form_questions import QuestionSpec, as_text
from campaigns.models import FormKind

LONG_FROM = 100  # characters, from which a text has several lines


@dataclass(frozen=True)
class ShownQuestion:
    """`values` are texts as in the form's fields: none, one, or of a multiple choice several."""

    number: int
    spec: QuestionSpec
    values: tuple[str, ...] = ()
    error: str = ""

    @property
    def field(self) -> str:
        return f"answer-{self.spec.name}"

    @property
    def value(self) -> str:
        return self.values[0] if self.values else ""

    @property
    def options(self) -> list[tuple[str, str, bool]]:
        """Of choices and scales: value, label, and whether it is chosen."""
        if self.spec.kind == FormKind.SCALE:
            return [(str(point), str(point), str(point) in self.values) for point in self.spec.points]
        return [(each.name, each.label, each.name in self.values) for each in self.spec.choices]

    @property
    def is_long(self) -> bool:
        return self.spec.most_characters > LONG_FROM

    @property
    def is_group(self) -> bool:
        """Several controls under one legend."""
        return self.spec.has_choices or self.spec.kind == FormKind.SCALE

    @property
    def described_by(self) -> str:
        parts = [("help", self.spec.help), ("error", self.error), ("bounds", self.has_bounds)]
        return " ".join(f"{self.field}-{name}" for name, is_there in parts if is_there)

    @property
    def has_bounds(self) -> bool:
        return self.spec.kind == FormKind.NUMBER and (self.spec.low is not None or self.spec.high is not None)

    @property
    def low(self) -> str:
        return "" if self.spec.low is None else as_text(self.spec.low)

    @property
    def high(self) -> str:
        return "" if self.spec.high is None else as_text(self.spec.high)

    @property
    def screening(self) -> str:
        """For the organiser: the answers that do not qualify, as they are read."""
        return self.spec.label_of(list(self.spec.screens_out))

    @property
    def words(self) -> list[str]:
        """The answer as it is read."""
        labels = {value: label for value, label, _chosen in self.options} if self.is_group else {}
        return [labels.get(value, value) for value in self.values]


def shown_questions(
    questions: Sequence[QuestionSpec],
    answers: Mapping[str, object],
    errors: Mapping[str, Sequence[str]] | None = None,
) -> list[ShownQuestion]:
    """`answers` by name, as they are stored or as they were sent."""
    return [
        ShownQuestion(number, spec, _values(answers.get(spec.name)), " ".join((errors or {}).get(spec.name, ())))
        for number, spec in enumerate(questions, start=1)
    ]


def _values(value: object) -> tuple[str, ...]:
    if value is None or value == "":
        return ()
    several = value if isinstance(value, list) else [value]
    return tuple(as_text(each) for each in several if isinstance(each, str | int | float))


def sent_answers(questions: Sequence[QuestionSpec], sent: QueryDict) -> dict[str, object]:
    """A list of a multiple choice, of all others the text of the field."""
    return {
        each.name: sent.getlist(f"answer-{each.name}")
        if each.kind == FormKind.MULTIPLE
        else sent.get(f"answer-{each.name}", "")
        for each in questions
    }
