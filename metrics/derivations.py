"""Numbers that follow from answers by a formula that may change. A new one is a class here and a line in DERIVATIONS.

Which of them a protocol's answers give, the protocol says: `derived_measures` and `compared_by`.

An answer is stored as entered; a number that follows from it carries the signature of its formula. Where the formula
changes, the number is computed anew (`metrics.actions.deriving.derive_scores`) and the answer stays what it was.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

from django.utils.translation import gettext_lazy as _

from annotation.protocols import PROTOCOLS, protocol_for
from annotation.protocols.base import Measure
from campaigns.models import Campaign
from metrics.statistics.mqm import DEFAULT_WEIGHTS, WEIGHTS, Errors, penalties, plain_label
from metrics.weights import weights_named

PENALTY = Measure("penalty", _("Penalty"), _("penalty points"), 0, math.inf, higher_is_better=False)
HTER = Measure("hter", _("HTER"), _("edits per word of the correction"), 0, math.inf, higher_is_better=False)


@dataclass(frozen=True)
class JudgedText:
    """One translation as it was shown, and the slot's part of the answer."""

    shown: str
    answered: Mapping[str, Any]


@dataclass(frozen=True)
class Derived:
    """A number, and how much it weighs in a corpus value: what its formula divided by, or 1."""

    value: float
    weight: float = 1.0


@dataclass(frozen=True)
class Derivation(ABC):
    """A formula over answers. Pure: no row, no request.

    `is_main`: systems are compared by it, before what the protocol itself stores. `needs_text`: nothing follows where
    a translation's text is unknown.
    """

    is_main: bool = False

    measure: ClassVar[Measure]
    needs_text: ClassVar[bool] = False

    @property
    @abstractmethod
    def signature(self) -> str:
        """Everything that can change the numbers, except the texts."""

    @property
    def stored_signatures(self) -> tuple[str, ...]:
        """Formulas whose numbers are stored beside its own: variants that readers choose between."""
        return (self.signature,)

    def with_weights(self, weights: str | None) -> Self:  # noqa: ARG002 - most formulas have none
        """The formula with a profile of weights; None: its own."""
        return self

    @abstractmethod
    def derive(self, judged: Sequence[JudgedText]) -> Sequence[Derived | None]:
        """A number for each, None where the answer gives none."""


@dataclass(frozen=True)
class PenaltyDerivation(Derivation):
    """The penalty of a translation's marked errors: positive points, lower is better, 0 for one without errors.

    Where marking errors is the whole judgment (`is_main`), an answer that marks nothing says there is no error.
    """

    weights: str = DEFAULT_WEIGHTS

    measure: ClassVar[Measure] = PENALTY

    @property
    def signature(self) -> str:
        return weights_named(self.weights).signature

    @property
    def stored_signatures(self) -> tuple[str, ...]:
        return tuple(profile.signature for profile in WEIGHTS.values())

    def with_weights(self, weights: str | None) -> Self:
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
        derived: list[Derived | None] = [None] * len(judged)
        for place, value in zip(numbers, penalties(errors, weights=self.weights).tolist(), strict=True):
            derived[place] = Derived(value)
        return derived

    def _spans(self, judged: JudgedText) -> list[Mapping[str, Any]] | None:
        """None where no penalty follows: nothing was marked, or with a severity that the profile does not know.

        A tag, an error without a place in the text, is a mark of no category.
        """
        spans = judged.answered.get("spans", [] if self.is_main and not judged.answered else None)
        tags = judged.answered.get("tags", [])
        if isinstance(spans, list) and isinstance(tags, list):
            spans = [*spans, *tags]
        known = WEIGHTS[self.weights].by_severity
        is_read = isinstance(spans, list) and all(
            isinstance(span, Mapping) and plain_label(str(span.get("severity"))) in known for span in spans
        )
        return spans if is_read else None


@dataclass(frozen=True)
class HterDerivation(Derivation):
    """HTER of a post-edited translation, from the text as it was shown to the text as it was left.

    Uncapped, case-insensitive; weighted by the words of the post-edit, so that sums give the corpus value.
    """

    measure: ClassVar[Measure] = HTER
    needs_text: ClassVar[bool] = True

    @cached_property
    def _metric(self) -> Any:
        from metrics.automatic.hter import Hter  # noqa: PLC0415 - sacreBLEU costs half a second, and few need it

        return Hter()

    @property
    def signature(self) -> str:
        return str(self._metric.signature(1))

    def derive(self, judged: Sequence[JudgedText]) -> list[Derived | None]:
        derived: list[Derived | None] = [None] * len(judged)
        edited = [place for place, each in enumerate(judged) if isinstance(each.answered.get("text"), str)]
        if edited:
            corrections = [judged[place].answered["text"] for place in edited]
            counts = self._metric.statistics([judged[place].shown for place in edited], corrections)
            values = self._metric.values(counts).tolist()
            for place, value, words in zip(edited, values, counts[:, 1].tolist(), strict=True):
                derived[place] = Derived(value, words)
        return derived


DERIVATIONS: dict[str, Derivation] = {"penalty": PenaltyDerivation(), "hter": HterDerivation()}


def derivations_of(protocol: str, weights: str | None = None) -> tuple[Derivation, ...]:
    """Those of a protocol, in the order pages and files show them; none for most. `weights` names a profile."""
    made = PROTOCOLS.get(protocol)
    if made is None:
        return ()
    return tuple(
        replace(DERIVATIONS[name].with_weights(weights), is_main=name == made.compared_by)
        for name in made.derived_measures
    )


def measures_of(campaign: Campaign, weights: str | None = None) -> list[tuple[Measure, str | None]]:
    """The campaign's measures, what systems are compared by first, each with its formula's signature if it has one."""
    derived = derivations_of(campaign.protocol, weights)
    stored = [(measure, None) for measure in protocol_for(campaign.protocol, campaign.options).measures]
    first = [(each.measure, each.signature) for each in derived if each.is_main]
    return [*first, *stored, *((each.measure, each.signature) for each in derived if not each.is_main)]
