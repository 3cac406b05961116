"""The penalty of a translation's marked errors, by a profile of weights."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from django.utils.translation import gettext_lazy as _

from annotation.protocols.base import Measure
from metrics.derivations.base import Derived, JudgedText
from metrics.statistics.mqm import DEFAULT_WEIGHTS, WEIGHTS, Errors, penalties, plain_label
from metrics.weights import weights_named

PENALTY = Measure("penalty", _("Penalty"), _("penalty points"), 0, math.inf, higher_is_better=False)


@dataclass(frozen=True)
class PenaltyDerivation:
    """Positive points, lower is better; a translation judged to have no errors has 0.

    Where marking errors is the whole judgment (`is_main`), one that says nothing of a translation found no error in it.
    """

    is_main: bool = False
    weights: str = DEFAULT_WEIGHTS
    measure: Measure = PENALTY
    needs_text: bool = False

    @property
    def signature(self) -> str:
        return weights_named(self.weights).signature

    @property
    def kept_signatures(self) -> tuple[str, ...]:
        return tuple(profile.signature for profile in WEIGHTS.values())

    def compared(self, *, is_main: bool) -> Self:
        return self if is_main == self.is_main else replace(self, is_main=is_main)

    def weighed_by(self, weights: str | None) -> Self:
        return self if weights is None else replace(self, weights=weights)

    def derive(self, judged: Sequence[JudgedText]) -> list[Derived | None]:
        marked = [self._spans(each) for each in judged]
        numbers = [place for place, spans in enumerate(marked) if spans is not None]
        spans = [(number, span) for number, place in enumerate(numbers) for span in marked[place] or ()]
        errors = Errors(
            categories=[span.get("category") or "" for _number, span in spans],
            severities=[span["severity"] for _number, span in spans],
            texts=[number for number, _span in spans],
            n_texts=len(numbers),
        )
        found: list[Derived | None] = [None] * len(judged)
        for place, value in zip(numbers, penalties(errors, weights=self.weights).tolist(), strict=True):
            found[place] = Derived(value)
        return found

    def _spans(self, judged: JudgedText) -> list[Mapping[str, Any]] | None:
        """None where no penalty follows: nothing was marked or said to be right, or in a way no profile knows."""
        spans = judged.answered.get("spans", [] if self.is_main and not judged.answered else None)
        known = WEIGHTS[self.weights].by_severity
        is_read = isinstance(spans, list) and all(
            isinstance(span, Mapping) and plain_label(str(span.get("severity"))) in known for span in spans
        )
        return spans if is_read else None
