"""Metrics with a model of the operator's, as the page offers them: each with its licence and, if need be, its state."""

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.translation import gettext as _

from campaigns.models import TestSet
from metrics.scoring.names import title_of
from metrics.scoring.neural_states import (
    NO_MODEL,
    READY,
    bad_models,
    can_do_without_reference,
    licence_of,
    listed_metrics,
)


@dataclass(frozen=True)
class NeuralChoice:
    """`state` is a word or two, empty where the metric is ready; `is_possible`: whether one can ask for it."""

    name: str
    title: str
    licence: str
    state: str
    is_possible: bool
    is_ticked: bool


@dataclass(frozen=True)
class NeuralChoices:
    """`reasons` say, each once, why metrics are not ready and what to do; each names the command."""

    choices: tuple[NeuralChoice, ...]
    reasons: tuple[str, ...]

    @property
    def has_models(self) -> bool:
        return any(":" in each.name for each in self.choices)


def neural_choices(test_set: TestSet, *, has_references: bool, here: Collection[str]) -> NeuralChoices:
    """`here` are the metrics that have scored the test set; these are ticked."""
    choices, reasons = [], [bad.reason for bad in bad_models()]
    for one in listed_metrics(test_set):
        state = one.shown_state if one.state != READY else ""
        lacks_reference = one.model is not None and not has_references and not can_do_without_reference(one.name)
        if lacks_reference:
            state = _("needs a reference")
        elif one.reason and one.state != NO_MODEL:
            reasons.append(one.reason)
        is_possible = one.is_ready and not lacks_reference
        choices.append(
            NeuralChoice(
                name=one.name,
                title=title_of(one.name) if one.model else one.title,
                licence=licence_of(one.name) if one.model else "",
                state=state,
                is_possible=is_possible,
                is_ticked=is_possible and one.name in here,
            )
        )
    return NeuralChoices(tuple(choices), tuple(dict.fromkeys(reasons)))
