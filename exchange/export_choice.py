"""What of a campaign a file takes along, and how those who judged are called in it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db.models import Model, QuerySet

from annotation.models import Exclusion, Judgment
from campaigns.models import Campaign, Segment
from metrics.pseudonyms import codes_of

Rows = TypeVar("Rows", bound=Model)


@dataclass(frozen=True)
class ExportChoice:
    """`codes` stand for annotators' names, nobody in `left_out` is in it; of a `sample` no other judgment is."""

    codes: Mapping[str, str] = field(default_factory=dict)
    left_out: frozenset[int] = frozenset()
    sample: frozenset[int] | None = None

    def of_judgments(self, rows: "QuerySet[Rows]", judgment: str = "judgment") -> "QuerySet[Rows]":
        """Those rows that the file takes along; `judgment` is the way from a row to its judgment, or empty."""
        start, key = (f"{judgment}__", judgment) if judgment else ("", "pk")
        wanted: dict[str, Any] = {} if self.sample is None else {f"{key}__in": self.sample}
        rows = rows.filter(**wanted)
        return rows.exclude(**{f"{start}annotator__in": self.left_out}) if self.left_out else rows

    def called(self, annotator: str) -> str:
        return self.codes.get(annotator, annotator)


EVERYTHING = ExportChoice()


def answers_to(campaign: Campaign, segment: Segment) -> ExportChoice:
    """What was answered of one segment, by everybody."""
    own = Judgment.objects.filter(item__assignment__campaign=campaign, item__segment=segment)
    return ExportChoice(sample=frozenset(own.values_list("pk", flat=True)))


def choice_of(campaign: Campaign, *, codes: bool = False, only_included: bool = False) -> ExportChoice:
    """Codes instead of names; without the judgments of those whom an organiser left out of the results."""
    left_out = Exclusion.objects.filter(campaign=campaign, lifted_at=None).values_list("annotator_id", flat=True)
    return ExportChoice(codes_of(campaign) if codes else {}, frozenset(left_out) if only_included else frozenset())
